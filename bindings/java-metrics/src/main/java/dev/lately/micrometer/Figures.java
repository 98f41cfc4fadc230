package dev.lately.micrometer;

import java.time.Duration;

/** Figures of the statistics as doubles. */
final class Figures {
    private static final double NANOS = 1e9;
    /** 2^63, the weight of the bit that Java takes for a sign. */
    private static final double HIGHEST = 0x1p63;

    private Figures() {
    }

    /** An unsigned count. */
    static double number(long count) {
        return count >= 0 ? count : (count & Long.MAX_VALUE) + HIGHEST;
    }

    static double number(double rate) {
        return rate;
    }

    /** Nanoseconds, which the table divides. */
    static double number(Duration span) {
        return span.getSeconds() * NANOS + span.getNano();
    }
}
