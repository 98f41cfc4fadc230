package dev.lately;

/** Which clock is used. */
public enum ClockSource {
    /** The system's monotonic clock, read once per call or batch (default). */
    SYSTEM,
    /** The caller, by {@link Filter#at} and {@link Filter#advance}, in nanoseconds. */
    MANUAL;

    /** The number of this value in the C header. */
    public int number() {
        return ordinal() + 1;
    }
}
