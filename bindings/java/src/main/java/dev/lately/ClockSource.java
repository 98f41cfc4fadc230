package dev.lately;

/** Which clock is used. */
public enum ClockSource {
    /** The system's monotonic clock, read once per call or batch (default). */
    SYSTEM(1),
    /** The caller, by {@link Filter#at} and {@link Filter#advance}, in nanoseconds. */
    MANUAL(2);

    private final int number;

    ClockSource(int number) {
        this.number = number;
    }

    /** The number of this value in the C header. */
    public int number() {
        return number;
    }
}
