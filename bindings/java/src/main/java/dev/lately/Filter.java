package dev.lately;

import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.time.Instant;

/**
 * A filter for one thread at a time that answers "have I seen this lately?"; its lock holds other threads back until
 * the one that is in it is done.
 *
 * <pre>{@code
 * try (Filter filter = new Filter(Options.timeLimited(Duration.ofMinutes(10)).memory(64 << 20).build())) {
 *     if (filter.observe("order-17") == Verdict.NEW) {
 *         // the first sighting within ten minutes
 *     }
 * }
 * }</pre>
 *
 * <p>A key inserted within the window is never {@link Verdict#NEW}. <strong>Without {@link Options.Builder#memory} a
 * time-limited filter grows with its traffic.</strong> Its memory is outside of Java's heap: close it, best by
 * {@code try}. A filter that is collected without {@link #close} is freed by a cleaner, at a time of the collector's
 * choice.
 *
 * <p>A key is bytes: an array, a {@link ByteBuffer}, a string by its UTF-8 (a lone surrogate becomes a question mark,
 * as in {@link String#getBytes(java.nio.charset.Charset)}), or a number by its 8 bytes, little-endian. All forms with
 * the same bytes are the same key, in every language. Calls with arrays, direct buffers and batches into a given
 * {@code verdicts} allocate nothing on Java's heap.
 *
 * <p>With {@link ClockSource#MANUAL} the caller says what time it is, by ticks or instants; see {@link Ticks}. Plain
 * forms then use the clock as it stands. A tick below the clock counts as the clock.
 *
 * <p>After {@link #close} every call is an {@link IllegalStateException}, from any thread; closing during a call waits
 * for the call.
 */
public final class Filter extends ByteBatches implements AutoCloseable {
    private static final Cleaner CLEANER = Cleaner.create();

    private final Cleaner.Cleanable end;

    /**
     * Builds the filter that the options ask for.
     *
     * @param options what is asked for
     * @throws LatelyException with {@link Status#OPTION} and the field at fault; with {@link Status#NO_MEMORY}
     */
    public Filter(Options options) {
        this(new Handle(Native.create(options.words())));
    }

    private Filter(Handle handle) {
        super(handle);
        this.end = CLEANER.register(this, handle);
    }

    /**
     * Makes a second filter that is equal in everything: content, clock, counters, seed and secret.
     *
     * @return the copy, to be closed on its own
     * @throws LatelyException with {@link Status#NO_MEMORY}
     * @throws IllegalStateException if the filter is closed
     */
    public Filter copy() {
        long address = handle.enter();
        try {
            return new Filter(new Handle(Native.copy(address)));
        } finally {
            leave();
        }
    }

    /**
     * Moves a manual clock, however far: {@link Options.Builder#maxStep} does not bind it, so it is the way over a
     * true gap. What has left the window is forgotten. A tick below the clock changes nothing.
     *
     * @param tick unsigned nanoseconds
     * @throws LatelyException with {@link Status#CLOCK} unless the clock is manual
     * @throws IllegalStateException if the filter is closed
     */
    public void advance(long tick) {
        long address = handle.enter();
        try {
            Native.advance(address, tick);
        } finally {
            leave();
        }
    }

    /**
     * Moves a manual clock to a date, as {@link #advance(long)}.
     *
     * @param when a date, which is the tick {@link Ticks#of(Instant)}
     * @throws LatelyException as with a tick; also with {@link Status#TICK} if the instant is before 1970 or after
     *     2554
     * @throws IllegalStateException if the filter is closed
     */
    public void advance(Instant when) {
        advance(Ticks.of(when));
    }

    /**
     * Empties the filter and forgets clock and counters; options, seed and secret stay.
     *
     * @throws IllegalStateException if the filter is closed
     */
    public void clear() {
        long address = handle.enter();
        try {
            Native.clear(address);
        } finally {
            leave();
        }
    }

    /**
     * What the filter knows of itself now. Nothing is scanned for it.
     *
     * @return the figures
     * @throws IllegalStateException if the filter is closed
     */
    public Stats stats() {
        long[] words = new long[Stats.WORDS];
        long address = handle.enter();
        try {
            Native.stats(address, words);
        } finally {
            leave();
        }
        return new Stats(words);
    }

    /**
     * Sets the counters of verdicts and of late and refused ticks to 0.
     *
     * @throws IllegalStateException if the filter is closed
     */
    public void statsReset() {
        long address = handle.enter();
        try {
            Native.statsReset(address);
        } finally {
            leave();
        }
    }

    /**
     * The secret of a keyed filter, given or drawn.
     *
     * @return the secret
     * @throws LatelyException with {@link Status#UNSUPPORTED} if the filter is not keyed
     * @throws IllegalStateException if the filter is closed
     */
    public Secret secret() {
        long[] words = new long[2];
        long address = handle.enter();
        try {
            Native.secret(address, words);
        } finally {
            leave();
        }
        return new Secret(words[0], words[1]);
    }

    /** Frees the native memory, after the call that is under way. Closing twice does nothing. */
    @Override
    public void close() {
        end.clean();
        Reference.reachabilityFence(this);
    }
}
