package dev.lately.flink;

import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

import java.util.function.LongSupplier;

/**
 * What time it is in a subtask, in milliseconds since 1970. It never runs back, not over restarts either.
 *
 * <pre>
 *  event time        the latest of watermark and timestamps seen; older than watermark - window is late
 *  processing time   that of the machine
 *
 *      late |      judged at the clock      |  allowedLateness  |             maxStep            |   refused
 *  ---------+-------------------------------+-------------------+--------------------------------+-----------&gt; event time
 *           watermark - window                                clock          later of clock and machine, + maxStep
 * </pre>
 *
 * <p>A time that is refused moves no clock. Its record is judged at the clock, as those are that come behind their time, and those
 * whose time is below 0: brokers write -1 where they know none.
 */
final class OperatorClock {
    /** No watermark yet, or no time. */
    static final long NONE = Long.MIN_VALUE;

    private static final long NANOS = 1_000_000;

    /** The last millisecond whose nanoseconds fit in 64 bits: 2554. */
    private static final long LAST = Long.divideUnsigned(-1L, NANOS);

    /** The year 2020. A machine whose clock is before it has none that is set, and bounds nothing. */
    static final long CLOCKS_BEGIN = 1_577_836_800_000L;

    private final boolean eventTime;
    private final long lateness;
    private final long lateAfter;
    private final long maxStep;
    private final LongSupplier machine;
    private long now = NONE;
    private long watermark = NONE;
    private long horizon = NONE;
    /** How far the last record is behind the clock. */
    private long behind;
    /** What metrics ask for from other threads: the most since the start. */
    private volatile long mostBehind;
    private volatile long mostAhead;
    private volatile long refused;
    private volatile long untimed;
    private long lastRefused;

    /** The clock of the machine is asked for when a time leads by much. */
    OperatorClock(Settings settings, LongSupplier machine) {
        this.eventTime = settings.eventTime;
        this.lateness = settings.lateness / NANOS;
        this.lateAfter = Math.max(settings.window, settings.lateness) / NANOS;
        this.maxStep = settings.maxStep;
        this.machine = machine;
    }

    /** Continues where a subtask stopped: of several ones, at the latest clock and at the earliest watermark. */
    void restore(long clock, long earliestWatermark) {
        now = Math.max(now, clock);
        watermark = earliestWatermark;
        horizon = horizonOf(watermark);
    }

    /** Takes a watermark, unless it marks the end of the stream: a job that continues must not find all keys expired. */
    void watermark(long timestamp) {
        if (!eventTime || timestamp == Long.MAX_VALUE || timestamp <= watermark) {
            return;
        }
        if (isTooFar(timestamp)) {
            refuse(timestamp);
            return;
        }
        watermark = timestamp;
        horizon = horizonOf(timestamp);
        if (timestamp >= 0) {
            now = Math.max(now, timestamp);
        }
    }

    private long horizonOf(long timestamp) {
        return timestamp < NONE + lateAfter ? NONE : timestamp - lateAfter;
    }

    /** Whether the record is older than the watermark by more than the window, and than the lateness. */
    boolean isLate(StreamRecord<?> record) {
        return eventTime && record.hasTimestamp() && record.getTimestamp() >= 0 && record.getTimestamp() < horizon;
    }

    /** The time of a record, in milliseconds. */
    static long timeOf(StreamRecord<?> record) {
        if (!record.hasTimestamp()) {
            throw new SettingException("a record has no timestamp: give the stream a WatermarkStrategy with a "
                + "TimestampAssigner, or call processingTime() in place of eventTime()");
        }
        return record.getTimestamp();
    }

    /** Moves on to a record. */
    void meet(StreamRecord<?> record) {
        long time = timeOf(record);
        if (time < 0) {
            untimed++;
            behind = 0;
        } else if (isTooFar(time)) {
            refuse(time);
            behind = 0;
        } else {
            now = Math.max(now, time);
            measure(time);
        }
    }

    private void measure(long time) {
        behind = now - time;
        if (behind > mostBehind) {
            mostBehind = behind;
        }
        if (watermark >= 0 && time - watermark > mostAhead) {
            mostAhead = time - watermark;
        }
    }

    /** The machine is asked last: nearly every time is close to the clock. */
    private boolean isTooFar(long time) {
        if (runs() && time <= now + maxStep && time <= LAST) {
            return false;
        }
        long here = machine.getAsLong();
        boolean bounds = runs() || here >= CLOCKS_BEGIN;
        return time > LAST || bounds && time > Math.max(now, here) + maxStep;
    }

    private void refuse(long time) {
        refused++;
        lastRefused = time;
    }

    /** Moves on to the clock of the machine, unless that ran back. */
    void meet(long machine) {
        now = Math.max(now, machine);
        behind = 0;
    }

    /** Whether any time is known. */
    boolean runs() {
        return now != NONE;
    }

    /** The time, for a filter; before any is known, the beginning of time. */
    long tick() {
        return runs() ? now * NANOS : 0;
    }

    /** The time at which the last record is judged: its own, if it is behind the clock by no more than is allowed. */
    long tickOfRecord() {
        return runs() ? (now - (behind <= lateness ? behind : 0)) * NANOS : 0;
    }

    long behind() {
        return behind;
    }

    /** The most that a record was behind the clock since the start. */
    long mostBehind() {
        return mostBehind;
    }

    /** The most that a timestamp led the watermark since the start. */
    long mostAhead() {
        return mostAhead;
    }

    /** Records whose timestamp was below 0 since the start. */
    long untimed() {
        return untimed;
    }

    /** Times that were refused since the start, and the last of them. */
    long refused() {
        return refused;
    }

    long lastRefused() {
        return lastRefused;
    }

    long now() {
        return now;
    }

    long watermark() {
        return watermark;
    }
}
