package dev.lately;

/**
 * A {@link Filter} at one moment of its manual clock: the verbs on one key, with that tick. It is a small value, which
 * the JVM's compiler removes if it is used at once, and it needs no {@code close}.
 *
 * <pre>{@code
 * Verdict verdict = filter.at(Instant.parse("2026-03-01T12:00:00Z")).observe("order-17");
 * }</pre>
 *
 * <p>A tick below the clock counts as the clock, unless {@link Options.Builder#lateness} covers it. Its calls are a
 * {@link LatelyException} with {@link Status#CLOCK} unless the clock is manual, with {@link Status#TICK} if the tick
 * leads the clock by more than {@link Options.Builder#maxStep}.
 */
public final class FilterAt extends ClaimVerbs {
    FilterAt(Calls calls, long tick) {
        super(calls, tick);
    }

    /** The moment. Unsigned nanoseconds. */
    public long tick() {
        return tick;
    }

    /** The moment, for a log. */
    @Override
    public String toString() {
        return "FilterAt[tick=" + Long.toUnsignedString(tick) + "]";
    }
}
