package dev.lately.flink;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.Instant;

/**
 * What a subtask writes into the log about its records. A figure is written when it first exceeds what was allowed, and again
 * each time it has doubled, so that a log has a few lines however long the job runs. How far behind records were is remembered over
 * restarts: a job that fails each hour writes no line anew for records that are as late as before.
 */
final class Notices {
    private static final Logger LOG = LoggerFactory.getLogger(DeduplicateOperator.class);

    /** Of the window: unless the job sets the allowed lateness, records may be this far behind without a line in the log. */
    private static final int SMALL_PART = 100;
    private static final long NANOS = 1_000_000;

    private final Logger log;
    private final Settings settings;
    private final OperatorClock clock;
    /** With more than this something is written. */
    private long behind;
    private long refused;
    private long forgotten;

    Notices(Settings settings, OperatorClock clock) {
        this(settings, clock, LOG);
    }

    Notices(Settings settings, OperatorClock clock, Logger log) {
        this.log = log;
        this.settings = settings;
        this.clock = clock;
        this.behind = (settings.saysLateness ? settings.lateness : settings.window / SMALL_PART) / NANOS;
    }

    /** After each record in event time; costs two comparisons. */
    void look() {
        if (clock.behind() > behind) {
            behind = 2 * clock.behind();
            log.warn("A record is {} behind the latest timestamp, and allowedLateness is {}: repeats among such records may "
                + "pass. Its split, or another one, runs ahead. Set allowedLateness({}) or more, or align the splits "
                + "(WatermarkStrategy.withWatermarkAlignment)", Duration.ofMillis(clock.behind()), Duration.ofNanos(settings.lateness),
                Duration.ofMillis(clock.behind()));
        }
        if (clock.refused() > refused) {
            refused = 2 * clock.refused();
            log.warn("Times refused so far: {}, the last of them {} ({} ms). It leads both the clock of the records, {}, and that "
                + "of the machine by more than maxStep = {}. It moves no clock; its record is judged at the clock. If such "
                + "times are right, set a longer maxStep(..)", clock.refused(), Instant.ofEpochMilli(clock.lastRefused()),
                clock.lastRefused(), clock.runs() ? Instant.ofEpochMilli(clock.now()) : "not known yet",
                Duration.ofMillis(settings.maxStep));
        }
    }

    /** After each checkpoint: how many keys the filters have forgotten for lack of memory, and how far they reach. */
    void forgotten(FilterBank.Figures figures) {
        if (figures.forgotten > forgotten) {
            forgotten = 2 * figures.forgotten;
            log.warn("{} keys were forgotten for lack of memory: the filters of this subtask have {} of {} bytes, and the "
                + "window of at least one key group reaches back {} only. Repeats that are older pass. Give the operator more "
                + "memory, or a larger parallelism", figures.forgotten, figures.bytes, figures.memory,
                Duration.ofNanos(figures.reach));
        }
    }

    /** So far behind may a record be before the next line, in milliseconds: for the state. */
    long behind() {
        return behind;
    }

    /** After a restore that found key groups: the log has a line for records as far behind as {@code logged}. */
    void restored(FilterBank filters, int groups, long bytes, long logged) {
        behind = Math.max(behind, logged);
        log.info("Restored {} key groups, {} to {}: {} bytes of state, {} bytes of filters, clock {}, watermark {}", groups,
            filters.groups.getStartKeyGroup(), filters.groups.getEndKeyGroup(), bytes, filters.figures().bytes,
            clock.runs() ? Instant.ofEpochMilli(clock.now()) : "not known yet",
            clock.watermark() == OperatorClock.NONE ? "none" : Instant.ofEpochMilli(clock.watermark()));
    }
}
