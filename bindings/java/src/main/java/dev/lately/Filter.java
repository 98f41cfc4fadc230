package dev.lately;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/**
 * A filter for any number of threads that answers "have I seen this lately?"
 *
 * <pre>{@code
 * try (Filter filter = new Filter(Options.window(Duration.ofMinutes(10)).memory(64 << 20).build())) {
 *     if (filter.observe("order-17") == Verdict.NEW) {
 *         // the first sighting within ten minutes
 *     }
 * }
 * }</pre>
 *
 * <p>A key inserted within the window is never {@link Verdict#NEW}. <strong>Without {@link Options.Builder#memory} a
 * filter with a window of time grows with its traffic.</strong> Its memory is outside of Java's heap: close it,
 * preferably by {@code try}. A filter that is collected without {@link #close} is freed by a cleaner, at a time of the
 * collector's choice; with {@code -Dlately.leakDetection=true} a warning in the log of {@code dev.lately} names where it
 * was made.
 *
 * <p><strong>Threads.</strong> All calls may run concurrently. If several threads observe one new key at once,
 * exactly one gets {@link Verdict#NEW}. Window, rates and memory are those of a filter in one thread: one lock guards the
 * native filter, and once threads have waited for each other each key has one of 64. A call on one key is
 * atomic; in a batch each key is, and other calls come between. {@link #advance},
 * {@link #clear}, {@link #copy}, {@link #stats} and a shift of the window take all the locks for a moment. A program
 * with one thread, or with its own lock, can save the cost of these locks: {@link #unshared}.
 *
 * <p><strong>Cost.</strong> A single call costs some tens of nanoseconds to cross into native code and back, then a
 * hash of the key and about {@link Plan#cacheLinesPerObserve} cache lines; a batch crosses once. In addition to the cells a
 * filter has 8 to 40 KiB for the locks (119 with rows of 200 cells), and up to 8 KiB on Java's heap.
 *
 * <p>A key is bytes, in the forms that {@link KeyVerbs} lists. Calls with arrays, direct buffers, strings of at most 512
 * characters, numbers, and batches of numbers and packed keys into given verdicts allocate nothing on Java's heap. If you write
 * to a key, an array or a buffer while a call reads it, the verdict is that of the bytes that the call read.
 *
 * <p>With {@link ClockSource#MANUAL} the caller passes the time of each call: {@link #at(Instant)}, {@link #at(long)} and
 * {@link Keys#at}. Plain calls then use the clock as it is. A tick below the clock counts as the clock, also if another
 * thread moved it there, unless {@link Options.Builder#lateness} covers it.
 *
 * <p>After {@link #close} every call is an {@link IllegalStateException}, from any thread; closing during calls waits
 * for them, and the calls end as usual. Memory that the system does not have is a {@link LatelyException} with
 * {@link Status#NO_MEMORY}, and nothing has changed.
 */
public final class Filter extends ClaimVerbs implements DuplicateFilter {
    private static final Cleaner CLEANER = Cleaner.create();

    private final Cleaner.Cleanable end;

    /**
     * Builds the filter that the options ask for, for any number of threads.
     *
     * @throws LatelyException with {@link Status#OPTION} and the field at fault
     */
    public Filter(Options options) {
        this(Handle.of(options, true));
    }

    private Filter(Handle handle) {
        super(new Calls(handle), Native.NOW);
        this.end = CLEANER.register(calls, handle);
    }

    /**
     * Builds the filter that the options ask for, for one thread at a time: its verdicts are those of a shared one, and
     * the price of the native locks is saved. It has one lock in Java instead, so that a second thread waits until the
     * first is done with its call, batches included: never a crash, never a mixed result, and nothing at once.
     *
     * @throws LatelyException with {@link Status#OPTION} and the field at fault
     */
    public static Filter unshared(Options options) {
        return new Filter(Handle.of(options, false));
    }

    /**
     * Makes a second owner of this same filter: what one observes the other has seen. Each is closed separately, and the last
     * one frees the memory. For parts of a program that end at different times.
     *
     * @throws LatelyException with {@link Status#UNSUPPORTED} if the filter is {@link #unshared}
     */
    public Filter retain() {
        return new Filter(calls.inside(Handle::retain));
    }

    /**
     * Makes a second filter that is equal in everything: content, clock, counters, seed and secret; {@link #unshared}
     * if this one is. Other threads wait while memory is copied.
     */
    public Filter copy() {
        return new Filter(calls.inside(Handle::copy));
    }

    /**
     * Writes the filter as bytes, from which {@link #readFrom} and every other language make an equal one. Other threads
     * may continue: every call that returned before this one began is in it, none that began after it returned is. The
     * secret of a keyed filter is not in it.
     *
     * @param out where to; it is neither flushed nor closed, and waits for no lock of the filter
     * @throws IOException from the stream
     */
    public long writeTo(OutputStream out) throws IOException {
        try (Snapshot snapshot = new Snapshot()) {
            return calls.inside(handle -> snapshot.of(handle.address)).writeTo(Objects.requireNonNull(out, "out"));
        }
    }

    /**
     * The filter as bytes; see {@link #writeTo}.
     *
     * @throws LatelyException with {@link Status#TOO_LARGE} if no array can hold it
     */
    public byte[] snapshot() {
        try (Snapshot snapshot = new Snapshot()) {
            return calls.inside(handle -> snapshot.of(handle.address)).toArray();
        }
    }

    /**
     * Loads a filter from a stream, which is read up to the last byte of the snapshot and no further. Any bytes are safe
     * to read: they are a filter or an exception, and memory grows with the bytes that come, not with the size that they
     * announce.
     *
     * @param in where from; it is not closed
     * @param elapsed the time that passed since the snapshot was written, at least 0: every age grows by it. Pass 0 if
     *     the next record's tick shows what passed. A kind without time takes any
     * @throws IOException from the stream, also when it ends within the snapshot
     * @throws LatelyException with {@link Status#MAGIC}, {@link Status#VERSION}, {@link Status#CHECKSUM} or
     *     {@link Status#CORRUPT} for what is no snapshot, {@link Status#TOO_LARGE}, {@link Status#SECRET},
     *     {@link Status#ELAPSED}
     */
    public static Filter readFrom(InputStream in, Duration elapsed, LoadOptions options) throws IOException {
        Objects.requireNonNull(in, "in");
        long passed = Snapshot.nanoseconds(elapsed);
        try (Snapshot snapshot = new Snapshot()) {
            return loaded(snapshot.of(in, Objects.requireNonNull(options, "options")), passed, options);
        }
    }

    /**
     * Loads a filter from the bytes of a snapshot and nothing else; as {@link #readFrom}.
     */
    public static Filter load(byte[] bytes, Duration elapsed, LoadOptions options) {
        return load(ByteBuffer.wrap(bytes), elapsed, options);
    }

    /** Loads a filter from the bytes between position and limit, which stay as they are; as {@link #readFrom}. */
    public static Filter load(ByteBuffer bytes, Duration elapsed, LoadOptions options) {
        long passed = Snapshot.nanoseconds(elapsed);
        Objects.requireNonNull(options, "options");
        try (Snapshot snapshot = new Snapshot()) {
            return loaded(snapshot.of(bytes), passed, options);
        }
    }

    /** A clock of another unit, which other languages have, is refused: here a tick is nanoseconds, and of a date as well. */
    private static Filter loaded(Snapshot snapshot, long elapsed, LoadOptions options) {
        Filter filter = new Filter(Handle.of(options.isShared(), () -> snapshot.load(elapsed, options)));
        long clock = filter.options().words()[Field.CLOCK.number()];
        if (clock > ClockSource.MANUAL.number()) {
            filter.close();
            throw new LatelyException(Status.UNSUPPORTED, Field.CLOCK, "the filter's clock counts "
                + List.of("microseconds", "milliseconds", "seconds").get((int) clock - 3) + ": in Java a tick is nanoseconds");
        }
        return filter;
    }

    /**
     * Opens the filter that {@link #save} left in a file, or makes a new one if there is no file, for any number of threads. The
     * time that passed is from the file's last change to now; from a file of the future it is none, and a warning in the log of
     * {@code dev.lately} tells so. With {@link ClockSource#MANUAL} it is none either: the next tick shows what passed.
     *
     * <pre>{@code
     * try (Filter seen = Filter.open(Path.of("seen.lately"), Options.window(Duration.ofHours(1)).memory(64 << 20).build())) {
     *     ...
     *     seen.save(Path.of("seen.lately"));
     * }
     * }</pre>
     *
     * @param options what such a filter is made with; the secret too, if it is keyed
     * @throws IOException if the file cannot be read, or is mounted by itself, since no other file can take its name: mount its
     *     folder
     * @throws LatelyException with {@link Status#OPTIONS_DIFFER} and the {@link Field} that differs first; else as
     *     {@link #readFrom} and {@link #Filter(Options)}. The file is as it was
     */
    public static Filter open(Path path, Options options) throws IOException {
        Objects.requireNonNull(options, "options");
        return new Filter(new StateFile(Objects.requireNonNull(path, "path")).open(options));
    }

    /**
     * Saves the filter for {@link #open}: in another file, forced to the disk, and then in its place, so that a program that is
     * killed leaves the old state or the new one, whole. The mode of a file that is there stays, and its owner as far as this
     * user may give it.
     *
     * <p>A program that is killed meanwhile leaves a draft next to the file, {@code FILE.RANDOM.new}. Each save first removes the
     * drafts of its file that were not written for ten minutes.
     *
     * @param path the file, or a link to it, which stays
     * @throws IOException if it cannot be written, also when the file is mounted by itself, or when the draft was removed because
     *     this save stalled for ten minutes; what was there before is there then
     * @throws LatelyException if there is a file that is no filter: it is not replaced
     */
    public void save(Path path) throws IOException {
        new StateFile(Objects.requireNonNull(path, "path")).save(calls);
    }

    /**
     * This filter at a tick of its manual clock: {@code filter.at(tick).observe(key)}. The clock moves when a call is made.
     *
     * @param tick unsigned nanoseconds from an origin that the caller keeps, at most 2^64 - 2
     * @throws LatelyException with {@link Status#TICK} if the tick is -1, which is 2^64 - 1
     */
    public FilterAt at(long tick) {
        return new FilterAt(calls, Ticks.expect(tick));
    }

    /**
     * This filter by a clock of Java, of which every call asks the present instant: for tests, whose clock they move as they
     * like, and for a clock that several parts of a program share. The filter needs {@link ClockSource#MANUAL}, and its clock
     * never goes back.
     *
     * @param clock what tells the time, such as a {@link Clock#fixed fixed} one
     * @return the calls of most programs, by that clock; to close the filter stays with the caller
     */
    public DuplicateFilter by(Clock clock) {
        return new ByClock(this, Objects.requireNonNull(clock, "clock"));
    }

    /** {@link #at(long)} of a date: {@link Ticks#of}. */
    public FilterAt at(Instant when) {
        return at(Ticks.of(when));
    }

    /**
     * The hash of the key, the same in every unkeyed filter with the same seed, for {@code observeHash} and {@link Keys#ofHashes}.
     *
     * @throws LatelyException with {@link Status#UNSUPPORTED} if the filter is keyed
     */
    public long hash(byte[] key) {
        return calls.hashOf(key);
    }

    /** {@link #hash(byte[])} of a buffer. */
    public long hash(ByteBuffer key) {
        return calls.hashOf(key);
    }

    /** {@link #hash(byte[])} of a text. */
    public long hash(CharSequence key) {
        return calls.hashOf(Bytes.of(key));
    }

    /** {@link #hash(byte[])} of a number. */
    public long hash(long key) {
        return calls.hashOf(key);
    }

    /** {@link #hash(byte[])} of a UUID. */
    public long hash(UUID key) {
        return calls.hashOf(Bytes.of(key));
    }

    /**
     * Tests and inserts every key in order.
     *
     * @param keys the keys, and their ticks if they have any
     * @return a verdict for each key
     * @throws LatelyException if the batch stops; {@link LatelyException#done} keys were processed
     */
    public Verdict[] observeAll(Keys keys) {
        return keys.verdicts(calls, OBSERVE);
    }

    /**
     * {@link #observeAll(Keys)} of keys in arrays.
     *
     * @param verdicts (out) a code for each key, for {@link Verdict#of}; the rest of a longer one stays, a
     *     shorter one is an {@link IllegalArgumentException}
     */
    public void observeAll(Keys keys, byte[] verdicts) {
        calls.batch(OBSERVE, keys, Objects.requireNonNull(verdicts, "verdicts"));
    }

    /** {@link #observeAll(Keys, byte[])} of keys in direct buffers; the verdicts must not lie on what the call reads. */
    public void observeAll(Keys keys, ByteBuffer verdicts) {
        calls.batch(OBSERVE, keys, verdicts);
    }

    /** The verdict for every key, as {@code contains} would give it. Changes nothing, and stops as {@link #observeAll(Keys)}. */
    public Verdict[] containsAll(Keys keys) {
        return keys.verdicts(calls, CONTAINS);
    }

    /** {@link #containsAll(Keys)} of keys in arrays; the verdicts are as of {@link #observeAll(Keys, byte[])}. */
    public void containsAll(Keys keys, byte[] verdicts) {
        calls.batch(CONTAINS, keys, Objects.requireNonNull(verdicts, "verdicts"));
    }

    /** {@link #containsAll(Keys)} of keys in direct buffers; the verdicts are as of {@link #observeAll(Keys, ByteBuffer)}. */
    public void containsAll(Keys keys, ByteBuffer verdicts) {
        calls.batch(CONTAINS, keys, verdicts);
    }

    /** Inserts every key in order, without verdicts; a batch that stops is that of {@link #observeAll(Keys)}. */
    public void insertAll(Keys keys) {
        calls.batch(INSERT, keys, (byte[]) null);
    }

    /**
     * Forgets every key in order, as {@code remove} would: a key that is given twice was there once, one that is absent was not.
     * Ticks of the keys do not move the clock. Stops as {@link #observeAll(Keys)}.
     *
     * @return for each key whether it was there
     */
    public boolean[] removeAll(Keys keys) {
        return keys.flags(calls, REMOVE);
    }

    /** {@link #removeAll(Keys)} of keys in arrays: 1 for a key that was there, else 0; as {@link #observeAll(Keys, byte[])}. */
    public void removeAll(Keys keys, byte[] removed) {
        calls.batch(REMOVE, keys, Objects.requireNonNull(removed, "removed"));
    }

    /** {@link #removeAll(Keys)} of keys in direct buffers, with the answers as of {@link #observeAll(Keys, ByteBuffer)}. */
    public void removeAll(Keys keys, ByteBuffer removed) {
        calls.batch(REMOVE, keys, removed);
    }

    /**
     * Moves a manual clock, however far: {@link Options.Builder#maxStep} does not bind it, so it is the way over a
     * true gap. Keys that have left the window are forgotten. A tick below the clock changes nothing.
     *
     * @param tick unsigned nanoseconds
     * @throws LatelyException with {@link Status#CLOCK} unless the clock is manual
     */
    public void advance(long tick) {
        int lane = calls.handle.enter();
        try {
            Native.advance(calls.handle.address, tick);
        } finally {
            calls.leave(lane);
        }
    }

    /** {@link #advance(long)} to a date: {@link Ticks#of}. */
    public void advance(Instant when) {
        advance(Ticks.of(when));
    }

    /**
     * Empties the filter and forgets clock and counters; options, seed and secret stay. What other threads insert
     * meanwhile is either forgotten or kept, whole.
     */
    public void clear() {
        calls.act(Native::clear);
    }

    /** The options that make a filter like this one, with what its plan chose. No secret is among them. */
    public Options options() {
        return new Options(calls.words(Options.WORDS, Native::options));
    }

    /** The statistics of the filter now, all of one moment. Nothing is scanned for it. */
    public Stats stats() {
        return new Stats(calls.words(Stats.WORDS, Native::stats));
    }

    /** Sets the counters of verdicts and of late and refused ticks to 0. */
    public void statsReset() {
        calls.act(Native::statsReset);
    }

    /**
     * The bytes of all open filters together, by {@link Stats#bytes}: memory that {@link #retain} shares counts once. It asks one
     * filter after the other. The flight recorder has the same as the event {@code dev.lately.NativeMemory}.
     */
    public static long nativeBytes() {
        return OpenFilters.bytes();
    }

    /**
     * The secret of a keyed filter, given or drawn.
     *
     * @throws LatelyException with {@link Status#UNSUPPORTED} if the filter is not keyed
     */
    public Secret secret() {
        long[] words = calls.words(2, Native::secret);
        return new Secret(words[0], words[1]);
    }

    /**
     * Frees the native memory, if no other owner ({@link #retain}) has it, after the calls that are under way. Any
     * thread may close; closing twice does nothing.
     */
    @Override
    public void close() {
        calls.handle.closing();
        end.clean();
        Reference.reachabilityFence(calls);
    }

    /** One line for a log: kind, window, bytes and error rate; no key and no secret is in it. */
    @Override
    public String toString() {
        try {
            return "Filter[" + calls.inside(handle -> Native.describe(handle.address)) + "]";
        } catch (IllegalStateException closed) {
            return "Filter[closed]";
        }
    }
}
