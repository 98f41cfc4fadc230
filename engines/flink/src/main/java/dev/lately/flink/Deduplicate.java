package dev.lately.flink;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.core.memory.ManagedMemoryUseCase;
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
 * <p><strong>What is promised.</strong> No repeat within the window passes whose record is at most {@link #allowedLateness} (0
 * unless you say otherwise) behind the latest timestamp that its subtask has seen; one that is further behind is judged at that
 * time. If its memory does not suffice the window is shorter, which the metric {@code reachMs} and the log tell.
 * A record whose key was not seen is held back with at most the chance {@link #errorRate}: one in a million unless
 * you say otherwise. {@link #duplicatesTo} has what is held back, for an exact check.
 *
 * <p><strong>What it costs.</strong> Some 5 bytes a key of the window at 1e-6, outside of Java's heap, and the same in a
 * checkpoint; while a checkpoint is written, twice that. By default it takes no more than the operator's share of Flink's
 * managed memory.
 *
 * <p>The settings are changed in place; an object of this class is for one thread, the one that builds the job.
 *
 * @param <T> the records
 */
@PublicEvolving
public final class Deduplicate<T> {
    private final Settings.Asked asked;
    private RecordKey<T> key;
    private boolean saysTime;
    private OutputTag<T> duplicates;
    private OutputTag<T> late;
    private OutputTag<T> nullKeys;
    private String uid = "lately-deduplicate";

    private Deduplicate(Duration window) {
        this.asked = new Settings.Asked(window);
    }

    /**
     * Begins with the window.
     *
     * @param window how long a key is remembered: more than nothing, at most {@link Long#MAX_VALUE} nanoseconds
     * @param <T> the records
     * @return these settings
     */
    public static <T> Deduplicate<T> within(Duration window) {
        return new Deduplicate<>(Objects.requireNonNull(window, "window"));
    }

    /**
     * The chance that a record is held back although its key was not seen.
     *
     * @param rate 1e-11 to 0.5; 1e-6 if it is not given
     * @return this
     */
    public Deduplicate<T> errorRate(double rate) {
        asked.errorRate = rate;
        return this;
    }

    /**
     * About how many keys a window of the whole stream has, in all subtasks. It is no limit. Filters have their size for that many
     * from the beginning, and keep it where fewer come; if more come they grow. Without it they grow from a few hundred bytes to
     * what their keys take, and give it back when those are too old.
     *
     * @param keys up to 2^40; 0, the default: not known
     * @return this
     */
    public Deduplicate<T> expectedKeys(long keys) {
        asked.expectedKeys = keys;
        return this;
    }

    /**
     * The most bytes that the filters of one subtask take, outside of Java's heap, in place of half the operator's share of Flink's
     * managed memory. It is divided over the key groups of the subtask that hold keys. A group that reaches its share forgets
     * its oldest keys, so that its window is shorter; the metrics {@code reachMs} and {@code forgotten} tell by how much,
     * and a line in the log reports it.
     *
     * <p>Flink does not count these bytes: add twice as many for each slot to {@code taskmanager.memory.task.off-heap.size}.
     *
     * @param bytes 0 for no limit, so that memory grows with the traffic; else at least 1 KiB for each key group of a subtask
     * @return this
     */
    public Deduplicate<T> memoryPerSubtask(long bytes) {
        asked.memory = bytes;
        return this;
    }

    /**
     * What makes two records the same. Bytes are the key as they are, text is its UTF-8, and a {@code Long} its 8 bytes. Of every
     * other type the key is what Flink's serialiser writes: basic types, enums, dates, and tuples, rows and POJOs of these.
     *
     * @param of from a record to its key, always the same key for the same record; null: see
     *     {@link #nullKeysTo}
     * @param <K> the keys; where the selector's signature does not show what they are, say {@link #key(KeySelector,
     *     TypeInformation)}
     * @return this
     * @throws SettingException if the keys are of a type whose bytes may differ for equal keys
     */
    public <K> Deduplicate<T> key(KeySelector<T, K> of) {
        this.key = KeyTypes.of(Objects.requireNonNull(of, "key"));
        return this;
    }

    /**
     * What makes two records the same, for selectors that do not show the type of their keys: lambdas that return tuples.
     *
     * @param of from a record to its key, always the same key for the same record; null: see
     *     {@link #nullKeysTo}
     * @param type what the keys are
     * @param <K> the keys
     * @return this
     * @throws SettingException if the keys are of a type whose bytes may differ for equal keys
     */
    public <K> Deduplicate<T> key(KeySelector<T, K> of, TypeInformation<K> type) {
        this.key = KeyTypes.of(Objects.requireNonNull(of, "key"), Objects.requireNonNull(type, "type"));
        return this;
    }

    /**
     * What makes two records the same, as text: the key is its UTF-8.
     *
     * @param of from a record to the text of its key; null: see {@link #nullKeysTo}
     * @return this
     */
    public Deduplicate<T> keyString(SerializableFunction<T, String> of) {
        this.key = RecordKey.string(Objects.requireNonNull(of, "keyString")::apply);
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
     * has seen. Records older than the watermark by more than the window are late ({@link #lateTo}). One whose timestamp is below 0,
     * as Kafka writes it where it has none, is judged at the clock; the metric {@code untimedRecords} counts it.
     *
     * @return this
     */
    public Deduplicate<T> eventTime() {
        return time(true);
    }

    /**
     * The time is that of the machine. It continues while a job is stopped.
     *
     * @return this
     */
    public Deduplicate<T> processingTime() {
        return time(false);
    }

    private Deduplicate<T> time(boolean ofEvents) {
        asked.eventTime = ofEvents;
        saysTime = true;
        return this;
    }

    /**
     * How far records may be behind the latest timestamp that the subtask has seen, and still be judged by their own time: for
     * splits that run apart, as after an outage, and streams out of order. Among such records no repeat within the window
     * passes, whichever comes first. The metric {@code maxLatenessMs} is the most that a record was behind; a line in the log says
     * when it was more than this.
     *
     * <p>Filters remember keys for the window and this time, and take memory for both.
     *
     * @param lateness 0, which is the default, to three times the window; in event time only
     * @return this
     */
    public Deduplicate<T> allowedLateness(Duration lateness) {
        asked.lateness = Objects.requireNonNull(lateness, "allowedLateness");
        return this;
    }

    /**
     * How far the time of a record, or a watermark, may lead both the clock of the subtask and the clock of the machine. One that
     * leads by more is refused: it moves no clock, its record is judged at the clock, and the metric {@code refusedTicks}
     * counts it. Without this bound one record from the far future would make every later one a duplicate of all before it.
     *
     * @param step 24 hours if it is not given; more than 0
     * @return this
     */
    public Deduplicate<T> maxStep(Duration step) {
        asked.maxStep = Objects.requireNonNull(step, "maxStep");
        return this;
    }

    /**
     * Counts the age of a key from the record that passed. Without it every repeat makes the key young again, and a key that
     * repeats more often than once in a window passes once.
     *
     * @return this
     */
    public Deduplicate<T> keepFirst() {
        asked.keepFirst = true;
        return this;
    }

    /**
     * Keeps each record until the watermark passes its time, so that of the records of a key the one passes that is the first by
     * time, and not the first to come: the rows of {@code ROW_NUMBER() .. ORDER BY} time. One that comes behind the watermark is
     * judged at once. In event time only.
     *
     * <p>It costs an operator more, whose keyed state has the records that wait, and as long a wait as the watermark is behind.
     *
     * @return this
     */
    public Deduplicate<T> inTimeOrder() {
        asked.inTimeOrder = true;
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
     * Where records go that are older than the watermark by more than the window, so that the filter no longer knows whether
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
     * Where records go whose key is null, or has a part that is null though its type lets it not be. Without it they pass, each of
     * them, since nothing tells what they repeat. The metric {@code nullKeyRecords} counts them. All of them come to one subtask.
     *
     * @param tag the side output
     * @return this
     */
    public Deduplicate<T> nullKeysTo(OutputTag<T> tag) {
        this.nullKeys = Objects.requireNonNull(tag, "nullKeysTo");
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
        boolean takesShare = asked.memory == Settings.NOT_SAID;
        DeduplicateOperator<T> operator = operator(takesShare);
        SingleOutputStreamOperator<T> once =
            ordered(stream).keyBy(key, Types.INT).transform("deduplicate", stream.getType(), operator).uid(uid);
        if (takesShare) {
            once.getTransformation().declareManagedMemoryUseCaseAtOperatorScope(ManagedMemoryUseCase.OPERATOR, MemoryShare.weight(once));
        }
        return once;
    }

    private DataStream<T> ordered(DataStream<T> stream) {
        return asked.inTimeOrder ? stream.keyBy(key, Types.INT).process(new InTimeOrder<>(stream.getType(), new Settings(asked)))
            .returns(stream.getType()).name("in time order").uid(uid + "-in-time-order") : stream;
    }

    /**
     * How the stream of {@link #operator} must be keyed.
     *
     * @return the selector
     * @throws IllegalStateException if the key is not said
     */
    public KeySelector<T, Integer> keySelector() {
        if (key == null) {
            throw new IllegalStateException("what makes two records the same? Call key(..), keyString(..) or keyLong(..)");
        }
        return key;
    }

    /**
     * The operator alone, for {@code stream.keyBy(deduplicate.keySelector(), Types.INT).transform(..)}. It has no share of Flink's
     * managed memory: set {@link #memoryPerSubtask}, or its memory grows with the traffic.
     *
     * @return a new operator
     * @throws IllegalStateException if the key or the time is not said, or records are to wait, which another operator does
     * @throws IllegalArgumentException if a setting is out of range
     */
    public DeduplicateOperator<T> operator() {
        if (asked.inTimeOrder) {
            throw new IllegalStateException("inTimeOrder() needs an operator before this one. Call on(stream)");
        }
        return operator(false);
    }

    /** Whether a job can have this. */
    void check() {
        operator(false);
    }

    private DeduplicateOperator<T> operator(boolean hasShare) {
        keySelector();
        if (!saysTime) {
            throw new IllegalStateException("which time counts? Call eventTime() or processingTime()");
        }
        return new DeduplicateOperator<>(new Settings(asked), hasShare, key, duplicates, late, nullKeys);
    }
}
