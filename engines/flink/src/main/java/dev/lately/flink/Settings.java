package dev.lately.flink;

import java.io.Serializable;
import java.time.Duration;

/**
 * What a job asks for, checked. Everything except the memory, the keys expected and the longest step is part of the state: a
 * state of other settings is refused.
 */
final class Settings implements Serializable {
    private static final long serialVersionUID = 3;

    static final double LEAST_ERROR_RATE = 1e-11;
    private static final double MOST_ERROR_RATE = 0.5;
    private static final long MOST_KEYS = 1L << 40;
    /** In place of a number that the job does not say. */
    static final long NOT_SAID = Long.MIN_VALUE;

    /** As many windows may records be late: a whole number below the 24/7 that a filter takes. */
    private static final int MOST_LATENESS_IN_WINDOWS = 3;
    private static final int NANOS_OF_A_MILLISECOND = 1_000_000;

    /** Nanoseconds, more than 0. */
    final long window;
    /** How far behind the latest timestamp a record is judged by its own time; nanoseconds. */
    final long lateness;
    /** Whether the job sets it. */
    final boolean saysLateness;
    /** How far a time may lead both the clock and the machine's clock to be believed; milliseconds. */
    final long maxStep;
    final double errorRate;
    /** Bytes for the filters of a subtask; 0: no limit, or not said. */
    final long memory;
    /** Keys of a window of the whole stream; 0: not known, and filters begin as small as possible. */
    private final long expectedKeys;
    final boolean eventTime;
    final boolean keepFirst;

    /** The request of a job, unchecked. */
    static final class Asked {
        final Duration window;
        /** Null: not said. */
        Duration lateness;
        Duration maxStep = Duration.ofHours(24);
        double errorRate = 1e-6;
        long memory = NOT_SAID;
        long expectedKeys;
        boolean eventTime;
        boolean keepFirst;
        boolean inTimeOrder;

        Asked(Duration window) {
            this.window = window;
        }
    }

    Settings(Asked asked) {
        this.window = nanoseconds("window", asked.window);
        this.saysLateness = asked.lateness != null;
        this.lateness = saysLateness ? lateness(asked) : 0;
        this.maxStep = Math.max(1, nanoseconds("maxStep", asked.maxStep) / NANOS_OF_A_MILLISECOND);
        this.errorRate = errorRate(asked.errorRate);
        this.memory = asked.memory == NOT_SAID ? 0 : memory(asked.memory);
        this.expectedKeys = keys(asked.expectedKeys);
        this.eventTime = asked.eventTime;
        this.keepFirst = asked.keepFirst;
        if (asked.inTimeOrder && !asked.eventTime) {
            throw SettingException.conflict("inTimeOrder", true, "cannot be combined with processingTime(), which has no watermark");
        }
    }

    /** The window in whole milliseconds: no two times of records lie between that and the window. */
    long windowMillis() {
        return window / NANOS_OF_A_MILLISECOND;
    }

    /** Keys of a window in one of that number of key groups; 0: unknown. */
    long expectedKeysOf(int keyGroups) {
        return (expectedKeys + keyGroups - 1) / keyGroups;
    }

    private static double errorRate(double rate) {
        if (!(rate >= LEAST_ERROR_RATE && rate <= MOST_ERROR_RATE)) {
            throw SettingException.outOfRange("errorRate", rate, LEAST_ERROR_RATE + " to " + MOST_ERROR_RATE);
        }
        return rate;
    }

    private static long memory(long bytes) {
        if (bytes < 0) {
            throw SettingException.outOfRange("memoryPerSubtask", bytes + " bytes", "0 (no limit) or a positive number of bytes");
        }
        return bytes;
    }

    private static long keys(long keys) {
        if (keys < 0 || keys > MOST_KEYS) {
            throw SettingException.outOfRange("expectedKeys", keys, "0 (not known) to " + MOST_KEYS);
        }
        return keys;
    }

    private static long lateness(Asked asked) {
        Duration most = longest(asked.window);
        if (asked.lateness.isNegative() || asked.lateness.compareTo(most) > 0) {
            throw SettingException.outOfRange("allowedLateness", asked.lateness, "PT0S to " + most + " with this window");
        }
        if (!asked.eventTime && !asked.lateness.isZero()) {
            throw SettingException.conflict("allowedLateness", asked.lateness,
                "cannot be combined with processingTime(), where no record is late");
        }
        return asked.lateness.toNanos();
    }

    private static Duration longest(Duration window) {
        Duration most = window.multipliedBy(MOST_LATENESS_IN_WINDOWS);
        Duration room = Duration.ofNanos(Long.MAX_VALUE).minus(window);
        return most.compareTo(room) < 0 ? most : room;
    }

    private static long nanoseconds(String name, Duration time) {
        try {
            if (!time.isNegative() && !time.isZero()) {
                return time.toNanos();
            }
        } catch (ArithmeticException e) {
            // It is too long, and said so below.
        }
        throw SettingException.outOfRange(name, time, "PT0.000000001S to " + Duration.ofNanos(Long.MAX_VALUE));
    }
}
