package dev.lately.flink;

import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * What time it is in a subtask, in milliseconds since 1970. It never runs back, not over restarts either.
 *
 * <pre>
 *  event time        the latest of watermark and timestamps seen; older than watermark - window is late
 *  processing time   that of the machine
 * </pre>
 */
final class OperatorClock {
    /** No watermark yet, or no time. */
    static final long NONE = Long.MIN_VALUE;

    private static final long NANOS = 1_000_000;

    /** The last millisecond whose nanoseconds fit in 64 bits: 2554. */
    private static final long LAST = Long.divideUnsigned(-1L, NANOS);

    private final boolean eventTime;
    private final long windowMillis;
    private long now = NONE;
    private long watermark = NONE;
    private long horizon = NONE;

    OperatorClock(Settings settings) {
        this.eventTime = settings.eventTime;
        this.windowMillis = settings.window / NANOS;
    }

    /** Goes on where a subtask stopped: of several ones, at the latest clock and at the earliest watermark. */
    void restore(long clock, long earliestWatermark) {
        now = Math.max(now, clock);
        watermark = earliestWatermark;
        horizon = horizonOf(watermark);
    }

    /** Takes a watermark, unless it says that the stream has ended: a job that goes on must not find all keys expired. */
    void watermark(long timestamp) {
        if (eventTime && timestamp != Long.MAX_VALUE && timestamp > watermark) {
            watermark = timestamp;
            horizon = horizonOf(timestamp);
            if (timestamp >= 0) {
                now = Math.max(now, checked(timestamp, "watermark"));
            }
        }
    }

    private long horizonOf(long timestamp) {
        return timestamp < NONE + windowMillis ? NONE : timestamp - windowMillis;
    }

    /** Whether the record is older than the watermark by more than the window. */
    boolean isLate(StreamRecord<?> record) {
        return eventTime && record.hasTimestamp() && record.getTimestamp() < horizon;
    }

    /** Moves on to a record. */
    void meet(StreamRecord<?> record) {
        if (!record.hasTimestamp()) {
            throw new IllegalStateException("a record has no timestamp: give the stream a WatermarkStrategy with a "
                + "TimestampAssigner, or say processingTime() in place of eventTime()");
        }
        now = Math.max(now, checked(record.getTimestamp(), "timestamp of a record"));
    }

    private static long checked(long timestamp, String what) {
        if (timestamp < 0 || timestamp > LAST) {
            throw new IllegalArgumentException("the " + what + " is " + timestamp + ": allowed is 0 (1970) to " + LAST
                + " (2554), in milliseconds");
        }
        return timestamp;
    }

    /** Moves on to what the clock of the machine says, unless it ran back. */
    void meet(long machine) {
        now = Math.max(now, machine);
    }

    /** Whether any time is known. */
    boolean runs() {
        return now != NONE;
    }

    /** The time, for a filter. */
    long tick() {
        return now * NANOS;
    }

    long now() {
        return now;
    }

    long watermark() {
        return watermark;
    }
}
