package dev.lately;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * Between Java's time and ticks. A tick is a count of nanoseconds from an origin that the caller chooses, for dates
 * 1970-01-01 UTC. It is an unsigned number of 64 bits: {@link Long#toUnsignedString(long)} prints it.
 */
public final class Ticks {
    private static final long SECOND = 1_000_000_000L;
    /** 2^64 - 2: one more is {@link Native#NOW}. */
    private static final long LAST = -2L;
    /** 2^64 - 1 ns is this many seconds and {@link #LAST_NANO}. */
    private static final long LAST_SECOND = 18_446_744_073L;
    private static final long LAST_NANO = 709_551_615L;

    private Ticks() {
    }

    /**
     * The tick of a date: its nanoseconds since 1970-01-01 UTC.
     *
     * @param instant from 1970-01-01T00:00:00Z to 2554-07-21T23:34:33.709551614Z
     * @throws LatelyException with {@link Status#TICK} if the instant is outside of that
     */
    public static long of(Instant instant) {
        long tick = instant.getEpochSecond() * SECOND + instant.getNano();
        if (!fits(instant.getEpochSecond(), instant.getNano()) || tick == Native.NOW) {
            throw new LatelyException(Status.TICK, null, "the instant " + instant
                + " has no tick: it must be 1970-01-01T00:00:00Z to " + instant(LAST));
        }
        return tick;
    }

    /** The date of a tick. */
    public static Instant instant(long tick) {
        return Instant.ofEpochSecond(Long.divideUnsigned(tick, SECOND), Long.remainderUnsigned(tick, SECOND));
    }

    /** The tick, if it is one. */
    static long expect(long tick) {
        if (tick == Native.NOW) {
            throw new LatelyException(Status.TICK, null,
                Messages.outOfRange("tick", Long.toUnsignedString(tick), "0 to " + Long.toUnsignedString(LAST)));
        }
        return tick;
    }

    /** The nanoseconds of a duration that is the value of an option, of which the least is 0 or 1. */
    static long of(Field field, Duration duration, long least) {
        Objects.requireNonNull(duration, field.option());
        if (!fits(duration.getSeconds(), duration.getNano()) || least > 0 && duration.isZero()) {
            String from = least > 0 ? duration(least).toString() : "PT0S (not given)";
            throw new LatelyException(Status.OPTION, field,
                Messages.outOfRange(field, duration, from + " to " + duration(-1L)));
        }
        return duration.getSeconds() * SECOND + duration.getNano();
    }

    /** The duration of that many nanoseconds, unsigned. */
    static Duration duration(long nanos) {
        return Duration.ofSeconds(Long.divideUnsigned(nanos, SECOND), Long.remainderUnsigned(nanos, SECOND));
    }

    private static boolean fits(long seconds, int nano) {
        return seconds >= 0 && (seconds < LAST_SECOND || seconds == LAST_SECOND && nano <= LAST_NANO);
    }
}
