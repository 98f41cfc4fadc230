package dev.lately.flink;

import java.io.Serializable;
import java.time.Duration;

/** What a job asks for, checked. Everything but the memory and the keys expected is part of the state: a state of other settings
 * is refused. */
final class Settings implements Serializable {
    private static final long serialVersionUID = 1;

    private static final double LEAST_ERROR_RATE = 1e-12;
    private static final double MOST_ERROR_RATE = 0.5;
    private static final long MOST_KEYS = 1L << 40;
    /** In place of keys that are expected: how many come was not said. */
    static final long NOT_SAID = Long.MIN_VALUE;
    /** What is expected then: some 5 MB in the whole job at the error rate that is the default. */
    private static final long UNLESS_SAID = 1_000_000;

    /** Nanoseconds, more than 0. */
    final long window;
    final double errorRate;
    /** Bytes for the filters of a subtask; 0: no limit. */
    final long memory;
    /** Keys of a window of the whole stream; 0: nobody knows, and filters begin as small as can be. */
    private final long expectedKeys;
    /** Whether the job says how many they are. */
    final boolean saysKeys;
    final boolean eventTime;
    final boolean keepFirst;

    Settings(Duration window, double errorRate, long memory, long expectedKeys, boolean eventTime, boolean keepFirst) {
        this.window = nanoseconds(window);
        this.errorRate = errorRate;
        this.memory = memory;
        this.saysKeys = expectedKeys != NOT_SAID;
        this.expectedKeys = saysKeys ? expectedKeys : UNLESS_SAID;
        this.eventTime = eventTime;
        this.keepFirst = keepFirst;
        if (!(errorRate >= LEAST_ERROR_RATE && errorRate <= MOST_ERROR_RATE)) {
            throw new IllegalArgumentException("errorRate = " + errorRate + ": allowed is " + LEAST_ERROR_RATE + " to "
                + MOST_ERROR_RATE);
        }
        if (memory < 0) {
            throw new IllegalArgumentException("memoryPerSubtask = " + memory
                + ": allowed is 0 (no limit) or a positive number of bytes");
        }
        if (this.expectedKeys < 0 || expectedKeys > MOST_KEYS) {
            throw new IllegalArgumentException("expectedKeys = " + expectedKeys + ": allowed is 0 (not known) to " + MOST_KEYS);
        }
    }

    /** Keys of a window that fall into one of so many key groups; 0: nobody knows. */
    long expectedKeysOf(int keyGroups) {
        return (expectedKeys + keyGroups - 1) / keyGroups;
    }

    private static long nanoseconds(Duration window) {
        try {
            if (!window.isNegative() && !window.isZero()) {
                return window.toNanos();
            }
        } catch (ArithmeticException e) {
            // It is too long, and said so below.
        }
        throw new IllegalArgumentException("window = " + window + ": allowed is PT0.000000001S to "
            + Duration.ofNanos(Long.MAX_VALUE));
    }
}
