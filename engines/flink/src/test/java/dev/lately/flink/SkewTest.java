package dev.lately.flink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

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
            assertTrue(subtask.operator.clock().mostAhead() > 160 * MINUTE, "skew " + subtask.operator.clock().mostAhead());
            assertTrue(subtask.operator.clock().mostBehind() > 160 * MINUTE, "behind " + subtask.operator.clock().mostBehind());
        }
    }

    /** What the page says of the default. */
    @Test
    void withoutALatenessAllOfThemPass() throws Exception {
        try (Subtask subtask = Subtask.alone(hour())) {
            assertEquals(IDS, twoSplits(subtask));
        }
    }

    /** Streams of two and more splits against the exact answer by the times of the records, whatever comes first. */
    @Test
    void recordsInTimeAreJudgedByTheirOwnTimes() throws Exception {
        for (boolean keepFirst : new boolean[] {false, true}) {
            for (int late : new int[] {1, 10, 60, 180}) {
                judged(keepFirst, late * MINUTE, 3);
            }
        }
    }

    private static void judged(boolean keepFirst, long lateness, int splits) throws Exception {
        Deduplicate<Event> asked = hour().allowedLateness(Duration.ofMillis(lateness));
        Map<Long, Long> earliest = new HashMap<>();
        Map<Long, Long> latest = new HashMap<>();
        Random random = new Random(lateness);
        int repeats = 0;
        int fresh = 0;
        try (Subtask subtask = Subtask.alone(keepFirst ? asked.keepFirst() : asked)) {
            for (int i = 0; i < 60_000; i++) {
                long time = BEGIN + lateness + i * 500L - random.nextInt(splits) * lateness / (splits - 1);
                long id = random.nextInt(4000);
                long last = latest.getOrDefault(id, Long.MIN_VALUE / 2);
                long first = earliest.getOrDefault(id, Long.MAX_VALUE / 2);
                boolean passed = subtask.passes(id, time);
                if (Math.abs(time - last) <= HOUR || !keepFirst && first <= time && time <= last) {
                    repeats++;
                    assertFalse(passed, "id " + id + ": " + (time - last) + " ms after it was seen, lateness " + lateness);
                } else if (time - last > HOUR + HOUR / 7) {
                    fresh++;
                    assertTrue(passed, "id " + id + ": " + (time - last) + " ms after it was seen, lateness " + lateness);
                }
                if (passed || !keepFirst) {
                    latest.put(id, passed ? time : Math.max(last, time));
                    earliest.put(id, passed ? time : Math.min(first, time));
                }
            }
        }
        assertTrue(repeats > 10_000 && fresh > 1000, repeats + " repeats, " + fresh + " others");
    }

    /** Without skew a key is forgotten a seventh of the window late, whatever is allowed. */
    @Test
    void aStreamInOrderIsForgottenAsEarlyAsWithoutALateness() throws Exception {
        for (boolean keepFirst : new boolean[] {false, true}) {
            Deduplicate<Event> asked = hour().allowedLateness(Duration.ofHours(3));
            try (Subtask subtask = Subtask.alone(keepFirst ? asked.keepFirst() : asked)) {
                for (int round = 0; round < 20; round++) {
                    long begin = BEGIN + round * (HOUR + HOUR / 7 + 1000);
                    for (int id = 0; id < 500; id++) {
                        assertTrue(subtask.passes(id, begin + id), "round " + round);
                    }
                    for (int id = 0; id < 500; id++) {
                        assertFalse(subtask.passes(id, begin + 500), "round " + round);
                    }
                    if (!keepFirst) {
                        continue;
                    }
                    for (int id = 0; id < 500; id++) {
                        assertFalse(subtask.passes(id, begin + HOUR), "round " + round);
                    }
                }
            }
        }
    }

    private static long sizeOf(Deduplicate<Event> asked, int ids) throws Exception {
        try (Subtask subtask = Subtask.alone(asked)) {
            for (int id = 0; id < ids; id++) {
                subtask.passes(id, BEGIN + id);
            }
            return subtask.snapshot().getRawKeyedState().iterator().next().getStateSize();
        }
    }

    /** In a map it is a number; in a table at 1e-6 the cells with longer ages are of 6 bytes in place of 4. */
    @Test
    void aLatenessTakesNoMoreOfACheckpointThanItsCells() throws Exception {
        Duration lateness = Duration.ofHours(3);
        assertEquals(sizeOf(hour(), 40_000) + Subtask.GROUPS * 8, sizeOf(hour().allowedLateness(lateness), 40_000));
        long size = sizeOf(hour(), 400_000);
        long sizeOfLate = sizeOf(hour().allowedLateness(lateness), 400_000);
        assertTrue(size > 4 * 400_000 && sizeOfLate < size * 6 / 4, size + " bytes, with a lateness " + sizeOfLate);
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
            assertEquals(1, subtask.operator.counts().late.getCount());
        }
    }
}
