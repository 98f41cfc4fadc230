package dev.lately.flink;

import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.util.OutputTag;
import org.apache.flink.util.function.SerializableFunction;

import java.time.Duration;
import java.util.Objects;

/**
 * Passes the first sighting of each key within a window, and holds back the others.
 *
 * <pre>{@code
 * DataStream<Order> once = Deduplicate.<Order>within(Duration.ofHours(1))
 *     .keyString(order -> order.id)
 *     .eventTime()
 *     .memoryPerSubtask(256 << 20)
 *     .on(orders);
 * }</pre>
 *
 * <p>A key is needed ({@link #key}, {@link #keyString} or {@link #keyLong}), and a time ({@link #eventTime} or
 * {@link #processingTime}); everything else has a default.
 *
 * <p><strong>What is promised.</strong> No record passes whose key was seen within the window, by the clock of the operator
 * when the record arrives, unless {@link #memoryPerSubtask} shortened the window, which the metric {@code reachMs} tells.
 * A record whose key was not seen is held back with at most the chance {@link #errorRate}: one in a million unless
 * you say otherwise. {@link #duplicatesTo} has what is held back, for an exact check.
 *
 * <p><strong>What it costs.</strong> Some 5 bytes a key of the window at 1e-6, outside of Java's heap, and the same in a
 * checkpoint; while a checkpoint is written, twice that.
 *
 * <p>The settings are changed in place; an object of this class is for one thread, the one that builds the job.
 *
 * @param <T> the records
 */
public final class Deduplicate<T> {
    private static final double DEFAULT_ERROR_RATE = 1e-6;

    private final Duration window;
    private double errorRate = DEFAULT_ERROR_RATE;
    private long memory;
    private long expectedKeys = Settings.NOT_SAID;
    private RecordKey<T> key;
    private Boolean eventTime;
    private boolean keepFirst;
    private OutputTag<T> duplicates;
    private OutputTag<T> late;
    private String uid = "lately-deduplicate";

    private Deduplicate(Duration window) {
        this.window = window;
    }

    /**
     * Begins with the window.
     *
     * @param window how long a key is remembered: more than nothing, at most {@link Long#MAX_VALUE} nanoseconds
     * @param <T> the records
     * @return settings to go on with
     */
    public static <T> Deduplicate<T> within(Duration window) {
        return new Deduplicate<>(Objects.requireNonNull(window, "window"));
    }

    /**
     * The chance that a record is held back although its key was not seen.
     *
     * @param rate 1e-12 to 0.5; 1e-6 if it is not given
     * @return this
     */
    public Deduplicate<T> errorRate(double rate) {
        this.errorRate = rate;
        return this;
    }

    /**
     * About how many keys a window of the whole stream has, in all subtasks. It is no limit. Filters have their size for so many
     * from the beginning, and grow by and by if more come: that takes more memory meanwhile, and larger checkpoints.
     *
     * @param keys up to 2^40; 0: filters begin with 1 KiB each. The default is 1,000,000, or fewer where
     *     {@link #memoryPerSubtask} has no room for four times as many
     * @return this
     */
    public Deduplicate<T> expectedKeys(long keys) {
        this.expectedKeys = keys;
        return this;
    }

    /**
     * The most bytes that the filters of one subtask take, outside of Java's heap. It is divided over the key groups of the
     * subtask that hold keys. A group that reaches its share forgets its oldest keys, so that its window is shorter; the
     * metrics {@code reachMs} and {@code forgotten} tell by how much. <strong>Without it the memory grows with the
     * traffic.</strong>
     *
     * @param bytes 0, which is the default, for no limit; else at least 1 KiB for each key group of a subtask
     * @return this
     */
    public Deduplicate<T> memoryPerSubtask(long bytes) {
        this.memory = bytes;
        return this;
    }

    /**
     * What makes two records the same.
     *
     * @param of from a record to the bytes of its key, always the same bytes for the same record; never null
     * @return this
     */
    public Deduplicate<T> key(SerializableFunction<T, byte[]> of) {
        this.key = RecordKey.bytes(Objects.requireNonNull(of, "key"));
        return this;
    }

    /**
     * What makes two records the same, as text: the key is its UTF-8.
     *
     * @param of from a record to the text of its key; never null
     * @return this
     */
    public Deduplicate<T> keyString(SerializableFunction<T, String> of) {
        this.key = RecordKey.string(Objects.requireNonNull(of, "keyString"));
        return this;
    }

    /**
     * What makes two records the same, as a number: the key is its 8 bytes, little-endian.
     *
     * @param of from a record to the number that is its key
     * @return this
     */
    public Deduplicate<T> keyLong(LongKey<T> of) {
        this.key = RecordKey.number(Objects.requireNonNull(of, "keyLong"));
        return this;
    }

    /**
     * The time is that of the records: the clock of a subtask is the latest of its watermark and of the timestamps that it
     * has seen. Records older than the watermark by more than the window are late ({@link #lateTo}).
     *
     * @return this
     */
    public Deduplicate<T> eventTime() {
        this.eventTime = true;
        return this;
    }

    /**
     * The time is that of the machine. It goes on while a job is stopped.
     *
     * @return this
     */
    public Deduplicate<T> processingTime() {
        this.eventTime = false;
        return this;
    }

    /**
     * Counts the age of a key from the record that passed. Without it every repeat makes the key young again, and a key that
     * repeats more often than once in a window passes once.
     *
     * @return this
     */
    public Deduplicate<T> keepFirst() {
        this.keepFirst = true;
        return this;
    }

    /**
     * Where records go whose key was seen, true and false duplicates. Without it they are dropped.
     *
     * @param tag the side output
     * @return this
     */
    public Deduplicate<T> duplicatesTo(OutputTag<T> tag) {
        this.duplicates = Objects.requireNonNull(tag, "duplicatesTo");
        return this;
    }

    /**
     * Where records go that are older than the watermark by more than the window, so that nobody knows any more whether
     * they were seen. Without it they are dropped. There are none in processing time.
     *
     * @param tag the side output
     * @return this
     */
    public Deduplicate<T> lateTo(OutputTag<T> tag) {
        this.late = Objects.requireNonNull(tag, "lateTo");
        return this;
    }

    /**
     * The name under which Flink keeps the state, unique in the job.
     *
     * @param uid {@code lately-deduplicate} if it is not given
     * @return this
     */
    public Deduplicate<T> uid(String uid) {
        this.uid = Objects.requireNonNull(uid, "uid");
        return this;
    }

    /**
     * Puts it into a job: keys the stream, and adds the operator with its uid.
     *
     * @param stream the records
     * @return the records that are the first of their key, in the order in which they came to a subtask
     * @throws IllegalStateException if the key or the time is not said
     * @throws IllegalArgumentException if a setting is out of range
     */
    public SingleOutputStreamOperator<T> on(DataStream<T> stream) {
        return stream.keyBy(keySelector(), Types.INT).transform("deduplicate", stream.getType(), operator()).uid(uid);
    }

    /**
     * How the stream of {@link #operator} must be keyed.
     *
     * @return the selector
     * @throws IllegalStateException if the key is not said
     */
    public KeySelector<T, Integer> keySelector() {
        if (key == null) {
            throw new IllegalStateException("what makes two records the same? Say key(..), keyString(..) or keyLong(..)");
        }
        return key;
    }

    /**
     * The operator alone, for {@code stream.keyBy(deduplicate.keySelector(), Types.INT).transform(..)}.
     *
     * @return a new operator
     * @throws IllegalStateException if the key or the time is not said
     * @throws IllegalArgumentException if a setting is out of range
     */
    public DeduplicateOperator<T> operator() {
        keySelector();
        if (eventTime == null) {
            throw new IllegalStateException("which time counts? Say eventTime() or processingTime()");
        }
        Settings settings = new Settings(window, errorRate, memory, expectedKeys, eventTime, keepFirst);
        return new DeduplicateOperator<>(settings, key, duplicates, late);
    }
}
