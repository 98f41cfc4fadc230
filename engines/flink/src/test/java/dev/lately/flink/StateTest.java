package dev.lately.flink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.KeyGroupsStateHandle;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.memory.ByteStreamStateHandle;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.util.OutputTag;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What a checkpoint contains, which job may resume from it, and what others get. */
class StateTest {
    private static final long MINUTE = 60_000;
    private static final long NOON = Streams.BEGIN;
    private static final int KEYS = 20_000;
    private static final OutputTag<Event> LATE = new OutputTag<Event>("late") { };

    private static Deduplicate<Event> minute() {
        return Deduplicate.<Event>within(Duration.ofMinutes(1)).keyLong(event -> event.id).errorRate(1e-9);
    }

    private static Deduplicate<Event> asked() {
        return minute().eventTime();
    }

    /** The state of two subtasks that saw all keys at noon. */
    private static OperatorSubtaskState ofTwo(Deduplicate<Event> asked) throws Exception {
        try (Subtask first = new Subtask(asked, 2, 0).open(); Subtask second = new Subtask(asked, 2, 1).open()) {
            for (int id = 0; id < KEYS; id++) {
                assertTrue((isOfSecond(id) ? second : first).passes(id, NOON));
            }
            return AbstractStreamOperatorTestHarness.repackageState(first.snapshot(), second.snapshot());
        }
    }

    private static boolean isOfSecond(int id) {
        return group(id) >= Subtask.GROUPS / 2;
    }

    private static int group(long id) {
        return org.apache.flink.runtime.state.KeyGroupRangeAssignment.computeKeyGroupForKeyHash(
            Long.hashCode(id), Subtask.GROUPS);
    }

    @Test
    void aJobIsRescaledAndNoKeyIsForgottenOrInvented() throws Exception {
        OperatorSubtaskState all = ofTwo(asked());
        for (int parallelism : new int[] {1, 2, 3, 4, Subtask.GROUPS}) {
            List<Subtask> subtasks = new ArrayList<>();
            for (int i = 0; i < parallelism; i++) {
                subtasks.add(new Subtask(asked(), parallelism, i).open(Subtask.part(all, 2, parallelism, i)));
            }
            for (int id = 0; id < 2 * KEYS; id++) {
                int of = group(id) * parallelism / Subtask.GROUPS;
                assertEquals(id >= KEYS, subtasks.get(of).passes(id, NOON + MINUTE), parallelism + ": " + id);
            }
            for (Subtask subtask : subtasks) {
                subtask.close();
            }
        }
    }

    @Test
    void everyKeyGroupIsWrittenAlsoThoseWithoutAKey() throws Exception {
        try (Subtask subtask = Subtask.alone(asked())) {
            subtask.passes(1, NOON);
            OperatorSubtaskState state = subtask.snapshot();
            KeyGroupsStateHandle handle = (KeyGroupsStateHandle) state.getRawKeyedState().iterator().next();
            long before = -1;
            for (int group = 0; group < Subtask.GROUPS; group++) {
                long offset = handle.getOffsetForKeyGroup(group);
                assertTrue(offset > before, "group " + group + " begins at " + offset);
                before = offset;
            }
        }
    }

    @Test
    void aCheckpointIsOfItsMomentAndTheSubtaskGoesOn() throws Exception {
        try (Subtask subtask = Subtask.alone(asked())) {
            subtask.passes(1, NOON);
            OperatorSubtaskState state = subtask.snapshot();
            assertFalse(subtask.passes(1, NOON));
            assertTrue(subtask.passes(2, NOON));
            try (Subtask again = Subtask.alone(asked(), state)) {
                assertFalse(again.passes(1, NOON));
                assertTrue(again.passes(2, NOON));
            }
        }
    }

    @Test
    void theClockDoesNotRunBackOverARestart() throws Exception {
        OperatorSubtaskState state;
        try (Subtask subtask = Subtask.alone(asked())) {
            assertTrue(subtask.passes(1, NOON));
            subtask.watermark(NOON + 10 * MINUTE);
            state = subtask.snapshot();
        }
        try (Subtask subtask = Subtask.alone(asked().lateTo(LATE), state)) {
            assertTrue(subtask.passes(1, NOON + 9 * MINUTE), "ten minutes have passed");
            assertFalse(subtask.passes(2, NOON + 8 * MINUTE));
            assertEquals(1, subtask.side(LATE), "the watermark is remembered");
        }
    }

    @Test
    void ofSeveralSubtasksTheLatestClockAndTheEarliestWatermarkCount() throws Exception {
        ofSeveral(0, 5);
        ofSeveral(5, 0);
    }

    private static void ofSeveral(int minuteOfFirst, int minuteOfSecond) throws Exception {
        OperatorSubtaskState all;
        try (Subtask first = new Subtask(asked(), 2, 0).open(); Subtask second = new Subtask(asked(), 2, 1).open()) {
            first.watermark(NOON + minuteOfFirst * MINUTE);
            second.watermark(NOON + minuteOfSecond * MINUTE);
            all = AbstractStreamOperatorTestHarness.repackageState(first.snapshot(), second.snapshot());
        }
        try (Subtask one = Subtask.alone(asked().lateTo(LATE), all)) {
            assertEquals(NOON + 5 * MINUTE, one.operator.clock.now());
            assertTrue(one.passes(1, NOON - MINUTE));
            assertFalse(one.passes(2, NOON - MINUTE - 1));
            assertEquals(1, one.side(LATE));
        }
    }

    @Test
    void theWindowDoesNotStandStillWhileAJobIsStopped() throws Exception {
        Deduplicate<Event> asked = minute().processingTime();
        OperatorSubtaskState state;
        try (Subtask subtask = new Subtask(asked, 1, 0)) {
            subtask.harness.setProcessingTime(NOON);
            subtask.open();
            assertTrue(subtask.passes(1, 0));
            state = subtask.snapshot();
        }
        for (long pause : new long[] {MINUTE, 2 * MINUTE, -MINUTE}) {
            try (Subtask subtask = new Subtask(asked, 1, 0)) {
                subtask.harness.setProcessingTime(NOON + pause);
                subtask.open(state);
                assertEquals(pause > MINUTE, subtask.passes(1, 0), "after " + pause + " ms");
                assertEquals(NOON + Math.max(0, pause), subtask.operator.clock.now());
            }
        }
    }

    @Test
    void aStateOfOtherSettingsIsRefusedWithTheWayOn() throws Exception {
        OperatorSubtaskState state;
        try (Subtask subtask = Subtask.alone(asked())) {
            subtask.passes(1, NOON);
            state = subtask.snapshot();
        }
        Deduplicate<Event> window = Deduplicate.<Event>within(Duration.ofMinutes(2)).keyLong(e -> e.id).errorRate(1e-9);
        assertRefused(state, window.eventTime(), "window = PT1M, and this job asks for window = PT2M. Keep PT1M");
        assertRefused(state, asked().allowedLateness(Duration.ofSeconds(1)),
            "allowedLateness = PT0S, and this job asks for allowedLateness = PT1S. Keep PT0S");
        assertRefused(state, asked().errorRate(1e-3), "errorRate = 1.0E-9, and this job asks for errorRate = 0.001");
        Deduplicate<Event> open = Deduplicate.<Event>within(Duration.ofMinutes(1)).keyLong(e -> e.id).eventTime();
        assertRefused(state, open, "errorRate = 1.0E-9, and this job asks for errorRate = 1.0E-6");
        assertRefused(state, minute().processingTime(), "time = eventTime(), and this job asks for time = processingTime()");
        assertRefused(state, asked().keepFirst(), "repeat = not keepFirst(), and this job asks for repeat = keepFirst()");
        assertRefused(state, asked().keyString(Event::text), "key = a number, and this job asks for key = bytes or text");
        try (Subtask subtask = Subtask.alone(asked().memoryPerSubtask(16 << 20), state)) {
            assertFalse(subtask.passes(1, NOON), "another memory is no other state");
        }
    }

    private static void assertRefused(OperatorSubtaskState state, Deduplicate<Event> asked, String text) {
        StateException e = assertThrows(StateException.class, () -> Subtask.alone(asked, state));
        assertTrue(e.getMessage().contains(text), e.getMessage());
        assertTrue(e.getMessage().matches("(?s)key group \\d+: .*another uid.*--allowNonRestoredState.*"), e.getMessage());
    }

    @Test
    void aStateThatWasCutOrChangedIsRefusedWithTheWayOn() throws Exception {
        damage(397, 97);
    }

    @Test
    @Tag("long")
    void aStateThatWasCutOrChangedAnywhereIsRefusedWithTheWayOn() throws Exception {
        damage(11, 3);
    }

    private static void damage(int cuts, int changes) throws Exception {
        KeyGroupsStateHandle handle;
        byte[] bytes;
        try (Subtask subtask = Subtask.alone(asked())) {
            for (int id = 0; id < 3; id++) {
                subtask.passes(id, NOON);
            }
            OperatorSubtaskState state = subtask.snapshot();
            handle = (KeyGroupsStateHandle) state.getRawKeyedState().iterator().next();
            try (InputStream in = handle.openInputStream()) {
                bytes = in.readAllBytes();
            }
        }
        try (Subtask subtask = Subtask.alone(asked(), of(handle, bytes))) {
            assertFalse(subtask.passes(1, NOON), "what was not changed is good");
        }
        for (int length = 0; length < bytes.length; length += cuts) {
            assertDamaged(handle, Arrays.copyOf(bytes, length), "cut to " + length);
        }
        for (int at = 0; at < bytes.length; at += changes) {
            byte[] changed = bytes.clone();
            changed[at] ^= (byte) (1 << at % 8);
            assertDamaged(handle, changed, "changed at " + at);
        }
    }

    private static OperatorSubtaskState of(KeyGroupsStateHandle handle, byte[] bytes) {
        KeyedStateHandle changed = new KeyGroupsStateHandle(handle.getGroupRangeOffsets(),
            new ByteStreamStateHandle("changed", bytes));
        return OperatorSubtaskState.builder().setRawKeyedState(changed).build();
    }

    private static void assertDamaged(KeyGroupsStateHandle handle, byte[] bytes, String how) {
        Exception e = assertThrows(Exception.class, () -> Subtask.alone(asked(), of(handle, bytes)), how);
        boolean seeks = e instanceof IllegalArgumentException || e instanceof java.io.IOException;
        boolean told = e instanceof StateException
            && e.getMessage().matches("(?s)key group \\d+: the state is (damaged|of an? (newer|older) release): .*--allowNonRestoredState.*");
        // Flink itself cannot go to a group that begins behind the end.
        assertTrue(told || seeks && how.startsWith("cut"), how + ": " + e);
    }

    @Test
    void aStateOfAnotherReleaseIsRefusedWithTheWayOn() {
        byte[] bytes = new GroupHead(new Settings(new Settings.Asked(Duration.ofMinutes(1))), 1, 0, 0, 0, false).bytes();
        for (int version = 1; version <= 10; version++) {
            bytes[7] = (byte) version;
            String expected = (version < 9 ? "older" : "newer") + " release: version " + version + " of this operator's state;"
                + " this jar reads version 9";
            if (version != 9) {
                StateException e = assertThrows(StateException.class, () -> GroupHead.read(new ByteArrayInputStream(bytes)));
                assertTrue(e.getMessage().contains(expected) && e.getMessage().contains("--allowNonRestoredState"), e.getMessage());
            }
        }
    }

    @Test
    void fewerKeyGroupsForASubtaskAreMoreMemoryForEach() throws Exception {
        long memory = 512 << 10;
        Deduplicate<Event> asked = asked().memoryPerSubtask(memory);
        OperatorSubtaskState all;
        try (Subtask subtask = Subtask.alone(asked)) {
            for (int id = 0; id < 400_000; id++) {
                subtask.passes(id, NOON + id / 10);
            }
            all = subtask.snapshot();
        }
        try (Subtask quarter = new Subtask(asked, 4, 1).open(Subtask.part(all, 1, 4, 1))) {
            for (int id = 400_000; id < 2_000_000; id++) {
                if (group(id) / 32 == 1) {
                    quarter.passes(id, NOON + id / 10);
                }
            }
            FilterBank.Figures figures = quarter.operator.filters.figures();
            assertTrue(figures.bytes > memory / 2, "bytes " + figures.bytes);
            assertTrue(figures.bytes <= memory, "bytes " + figures.bytes);
        }
    }

    /** Of few groups with keys each may be larger than its part of all groups, also after a restart; and never more than all. */
    @Test
    void memoryIsThatOfTheKeyGroupsThatHoldKeys() throws Exception {
        long memory = 512 << 10;
        Deduplicate<Event> asked = asked().memoryPerSubtask(memory);
        OperatorSubtaskState few;
        try (Subtask subtask = Subtask.alone(asked)) {
            sendToThreeGroups(subtask, 0);
            few = subtask.snapshot();
        }
        try (Subtask subtask = Subtask.alone(asked, few)) {
            sendToThreeGroups(subtask, 1);
            for (int id = 0; id < 300_000; id++) {
                subtask.passes(id, NOON + 3 * MINUTE + id / 10);
                if (id < 1000 || id % 5000 == 0) {
                    FilterBank.Figures figures = subtask.operator.filters.figures();
                    assertTrue(figures.bytes <= memory, id + ": bytes " + figures.bytes);
                    assertTrue(figures.errorRate() <= 1e-9, id + ": error rate " + figures.errorRate());
                }
            }
            assertTrue(subtask.operator.filters.figures().forgotten > 0, "it is too small for all of these");
            few = subtask.snapshot();
        }
        Subtask.alone(asked, few).close();
    }

    /** A filter that knows how much comes has its size from its first key to its last. It is no limit, and another one is no other state. */
    @Test
    void expectedKeysSpareTheGrowth() throws Exception {
        int keys = 1_200_000;
        OperatorSubtaskState state;
        try (Subtask subtask = Subtask.alone(asked().errorRate(1e-3).expectedKeys(keys))) {
            for (int id = 0; id < keys; id++) {
                subtask.passes(id, NOON + id / 20);
                if (id == keys / 100 || id == keys - 1) {
                    // For 9,375 keys the plan has 590 lines of 64 bytes, which are 10 whole runs.
                    assertEquals(Subtask.GROUPS * 10 * 64 * 64, subtask.operator.filters.figures().bytes);
                }
            }
            state = subtask.snapshot();
        }
        Deduplicate<Event> other = asked().errorRate(1e-3);
        try (Subtask subtask = Subtask.alone(other.expectedKeys(10), state)) {
            for (int id = keys - 100_000; id < keys; id++) {
                assertFalse(subtask.passes(id, NOON + keys / 20));
            }
        }
    }

    /** With little memory a table takes all of its limit at once: that must leave its share to each group that comes later. */
    @Test
    void theFirstGroupsTakeNoMemoryFromOthers() throws Exception {
        long memory = 1 << 20;
        for (long told : new long[] {0, 100_000, 10_000_000}) {
            Deduplicate<Event> asked = asked().errorRate(1e-3).memoryPerSubtask(memory).expectedKeys(told);
            try (Subtask subtask = Subtask.alone(asked)) {
                int first = 16;
                for (int id = 0; id < 2000; id++) {
                    if (group(id) < first) {
                        subtask.passes(id, NOON);
                    }
                }
                long bytes = subtask.operator.filters.figures().bytes;
                assertTrue(bytes <= first * memory / Subtask.GROUPS, "bytes " + bytes);
                for (int id = 0; id < 100_000; id++) {
                    subtask.passes(id, NOON);
                }
                assertEquals(0, subtask.operator.filters.figures().forgotten, "told " + told);
            }
        }
    }

    /** One group that holds all keys gets all memory, and grows far beyond the share that it began with: its cells are of a width for that. */
    @Test
    void theErrorStaysWithinTheRateWhenAShareGrows() throws Exception {
        for (double rate : new double[] {1e-3, 1e-4, 1e-6}) {
            Deduplicate<Event> asked = asked().errorRate(rate).memoryPerSubtask(8 << 20);
            try (Subtask subtask = Subtask.alone(asked)) {
                NativeFilter filter = subtask.operator.filters.of(0);
                for (long key = 0; key < 1_200_000; key++) {
                    filter.isNew(key, NOON * 1_000_000);
                }
                NativeFilter.Figures figures = filter.figures();
                assertEquals(0, figures.forgotten);
                assertTrue(figures.bytes > 50 * (64 << 10), "bytes " + figures.bytes);
                assertTrue(figures.errorRate <= rate, rate + ": " + figures.errorRate);
            }
        }
    }

    /** A minute of keys of three groups, which need ten times the part that these have of all groups. */
    private static void sendToThreeGroups(Subtask subtask, int minute) throws Exception {
        int sent = 0;
        for (long id = minute << 30; sent < 20_000; id++) {
            if (group(id) < 3) {
                assertTrue(subtask.passes(id, NOON + minute * MINUTE + 3 * sent++));
            }
        }
        FilterBank.Figures figures = subtask.operator.filters.figures();
        assertEquals(0, figures.forgotten);
        assertTrue(figures.bytes > 10 * 3 * (512 << 10) / Subtask.GROUPS, "bytes " + figures.bytes);
    }

    @Test
    void aStateThatDoesNotFitIsRefusedWithTheWayOn() throws Exception {
        OperatorSubtaskState all = ofTwo(asked());
        assertRefused(all, asked().memoryPerSubtask(Subtask.GROUPS * 1024),
            "does not fit into memoryPerSubtask = 131072 with what");
    }

    @Test
    void aKeyGroupOf4MebibytesIsCopiedWrittenAndRestored() throws Exception {
        large(4 << 20);
    }

    @Test
    @Tag("long")
    void aKeyGroupOf64MebibytesIsCopiedWrittenAndRestored() throws Exception {
        large(64 << 20);
    }

    private static void large(int bytes) throws Exception {
        Deduplicate<Event> asked = Deduplicate.<Event>within(Duration.ofHours(1)).keyLong(e -> e.id).eventTime();
        OperatorSubtaskState state;
        List<Long> some = new ArrayList<>();
        try (Subtask subtask = new Subtask(asked, Subtask.GROUPS, 77).open()) {
            NativeFilter filter = subtask.operator.filters.of(hashInGroup77());
            long tick = NOON * 1_000_000;
            for (long key = 0; subtask.operator.filters.figures().bytes < bytes; key += 100_000) {
                for (long id = key; id < key + 100_000; id++) {
                    filter.isNew(id, tick);
                }
            }
            for (long id = 0; some.size() < 100; id++) {
                if (group(id) == 77) {
                    assertFalse(subtask.passes(id, NOON));
                    some.add(id);
                }
            }
            state = subtask.snapshot();
        }
        // In the first window lines have at least 0.80 of their 16 cells in use, each of 4 bytes; an arena that is not in use yet is a 32nd.
        assertTrue(state.getStateSize() > bytes * 0.80 * 31 / 32, "state of " + state.getStateSize());
        try (Subtask subtask = new Subtask(asked, Subtask.GROUPS, 77).open(state)) {
            for (long id : some) {
                assertFalse(subtask.passes(id, NOON));
            }
        }
    }

    private static int hashInGroup77() {
        int hash = 0;
        while (group(hash) != 77) {
            hash++;
        }
        return hash;
    }
}
