package dev.lately.flink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.junit.jupiter.api.Test;

import java.time.Duration;

/** Splits of which one is ahead of the other: what a lateness that is allowed makes of them. */
class SkewTest {
    private static final long MINUTE = 60_000;
    private static final long HOUR = 60 * MINUTE;
    private static final long BEGIN = Streams.BEGIN;
    private static final int IDS = 30_000;

    private static Deduplicate<Event> hour() {
        return Deduplicate.<Event>within(Duration.ofHours(1)).keyLong(event -> event.id).eventTime().errorRate(1e-9);
    }

    /**
     * Two interleaved splits, one 20 times as fast, watermark the slower one: 30,000 ids within four minutes, each repeated after
     * five. How many repeats of the slow split passed.
     */
    private static int twoSplits(Subtask subtask) throws Exception {
        long step = 4 * MINUTE / IDS;
        int back = (int) (5 * MINUTE / step);
        int passed = 0;
        for (int i = 0; i < IDS + back; i++) {
            long slow = BEGIN + i * step;
            long fast = BEGIN + 20 * i * step;
            subtask.passes(1_000_000 + i, fast);
            if (i < IDS) {
                assertTrue(subtask.passes(i, slow), "first sighting " + i);
            }
            if (i >= back) {
                passed += subtask.passes(i - back, slow) ? 1 : 0;
            }
            subtask.watermark(slow - 1);
        }
        return passed;
    }

    @Test
    void ofSplitsThatRunApartByLessThanIsAllowedNoRepeatPasses() throws Exception {
        try (Subtask subtask = Subtask.alone(hour().allowedLateness(Duration.ofHours(3)))) {
            assertEquals(0, twoSplits(subtask));
            assertTrue(subtask.operator.clock.mostAhead() > 160 * MINUTE, "skew " + subtask.operator.clock.mostAhead());
            assertTrue(subtask.operator.clock.mostBehind() > 160 * MINUTE, "behind " + subtask.operator.clock.mostBehind());
        }
    }

    /** What the page says of the default. */
    @Test
    void withoutALatenessAllOfThemPass() throws Exception {
        try (Subtask subtask = Subtask.alone(hour())) {
            assertEquals(IDS, twoSplits(subtask));
        }
    }

    /** A checkpoint has the lateness in its filters. */
    @Test
    void aRestoredSubtaskJudgesLateRecordsByTheirOwnTimes() throws Exception {
        int ids = 40_000;
        Deduplicate<Event> asked = hour().allowedLateness(Duration.ofHours(3));
        OperatorSubtaskState state;
        try (Subtask subtask = Subtask.alone(asked)) {
            for (int id = 0; id < ids; id++) {
                assertTrue(subtask.passes(id, BEGIN + id), "id " + id);
            }
            assertTrue(subtask.passes(ids, BEGIN + 3 * HOUR + 50 * MINUTE));
            state = subtask.snapshot();
        }
        try (Subtask subtask = Subtask.alone(asked, state)) {
            for (int id = 0; id < ids; id++) {
                assertFalse(subtask.passes(id, BEGIN + 50 * MINUTE + id), "id " + id + ", three hours late");
            }
            assertTrue(subtask.passes(0, BEGIN + 50 * MINUTE + HOUR + HOUR / 7 + 1000), "a window and a seventh later");
        }
    }

    @Test
    void aRecordIsLateOnlyBeyondTheLateness() throws Exception {
        try (Subtask subtask = Subtask.alone(hour().allowedLateness(Duration.ofHours(2)))) {
            subtask.watermark(BEGIN);
            assertTrue(subtask.passes(1, BEGIN - 2 * HOUR));
            assertFalse(subtask.passes(1, BEGIN - HOUR));
            assertFalse(subtask.passes(2, BEGIN - 2 * HOUR - 1));
            assertEquals(1, subtask.operator.counts.late.getCount());
        }
    }
}
