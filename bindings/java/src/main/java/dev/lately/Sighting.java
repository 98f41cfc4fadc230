package dev.lately;

import java.time.Duration;

/**
 * A verdict, and between which two moments a duplicate was seen last. They are one generation apart: the window /
 * (2^{@link Options.Builder#ageBits ageBits} - 1); of a window of keys an eighth more. Of one key in some thousands, whose
 * cell had to move, the true age may be above {@link #atMost} by less than a generation for each move. For a new key both
 * are 0, and for a false duplicate they mean nothing.
 *
 * <p>Ages are unsigned nanoseconds; in a window of keys observations and insertions, of which the last was 1 ago.
 */
public final class Sighting {
    private final Verdict verdict;
    private final long atLeast;
    private final long atMost;

    Sighting(Verdict verdict, long atLeast, long atMost) {
        this.verdict = verdict;
        this.atLeast = atLeast;
        this.atMost = atMost;
    }

    /** Whether the key was seen within the window. */
    public Verdict verdict() {
        return verdict;
    }

    /** Lower bound on the age: the key was not seen since then. */
    public long atLeast() {
        return atLeast;
    }

    /** Upper bound on the age: the key was seen since then. */
    public long atMost() {
        return atMost;
    }

    /** {@link #atLeast} where the window is one of time. */
    public Duration atLeastTime() {
        return Ticks.duration(atLeast);
    }

    /** {@link #atMost} where the window is one of time. */
    public Duration atMostTime() {
        return Ticks.duration(atMost);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Sighting && ((Sighting) other).verdict == verdict
            && ((Sighting) other).atLeast == atLeast && ((Sighting) other).atMost == atMost;
    }

    @Override
    public int hashCode() {
        return (verdict.code() * 31 + Long.hashCode(atLeast)) * 31 + Long.hashCode(atMost);
    }

    /** Every value by its name. */
    @Override
    public String toString() {
        return "Sighting[verdict=" + verdict + ", atLeast=" + Long.toUnsignedString(atLeast) + ", atMost="
            + Long.toUnsignedString(atMost) + "]";
    }
}
