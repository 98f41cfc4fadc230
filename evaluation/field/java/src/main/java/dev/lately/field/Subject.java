package dev.lately.field;

/** A rival that was made for a workload. Its clock is set. */
interface Subject extends AutoCloseable {
    /** Whether the key was seen before; the time is in nanoseconds. */
    boolean observe(long key, long tick);

    /** Bytes outside Java's heap. */
    default long nativeBytes() {
        return 0;
    }

    /** The most bytes so far, or null where nobody counts them without garbage. */
    default Long peakBytes() {
        return null;
    }

    @Override
    default void close() {}
}
