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

import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What a checkpoint holds, who may go on with it, and what is said to others. */
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
    void aStateWithoutKeysGoesOnToo() throws Exception {
        OperatorSubtaskState state;
        try (Subtask subtask = Subtask.alone(asked())) {
            state = subtask.snapshot();
        }
        try (Subtask subtask = Subtask.alone(asked(), state)) {
            assertTrue(subtask.passes(1, NOON));
            assertFalse(subtask.passes(1, NOON));
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
            assertEquals(NOON + 5 * MINUTE, one.operator.clock().now());
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
                assertEquals(NOON + Math.max(0, pause), subtask.operator.clock().now());
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
        assertRefused(state, window.eventTime(), "window = PT1M, and this job asks for window = PT2M. Go on with PT1M");
        assertRefused(state, asked().errorRate(1e-3), "errorRate = 1.0E-9, and this job asks for errorRate = 0.001");
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
            && e.getMessage().matches("(?s)key group \\d+: the state is (damaged|of a newer release): .*--allowNonRestoredState.*");
        // Flink itself cannot go to a group that begins behind the end.
        assertTrue(told || seeks && how.startsWith("cut"), how + ": " + e);
    }

    @Test
    void aStateOfALaterReleaseIsRefusedWithTheWayOn() {
        GroupHead head = new GroupHead(new Settings(Duration.ofMinutes(1), 1e-3, 0, true, false), 1, 0, 0, false);
        byte[] bytes = head.bytes();
        bytes[7] = 3;
        StateException e = assertThrows(StateException.class,
            () -> GroupHead.read(new java.io.ByteArrayInputStream(bytes)));
        assertTrue(e.getMessage().contains("newer release: version 3"), e.getMessage());
    }

    /** As the first version of the state has it: a snapshot that is not packed. */
    @Test
    void aStateOfTheFirstVersionGoesOn() throws Exception {
        java.io.ByteArrayOutputStream bytes = new java.io.ByteArrayOutputStream();
        long[] offsets = new long[Subtask.GROUPS];
        KeyGroupsStateHandle written;
        try (Subtask subtask = Subtask.alone(asked())) {
            for (int id = 0; id < 1000; id++) {
                subtask.passes(id, NOON);
            }
            written = (KeyGroupsStateHandle) subtask.snapshot().getRawKeyedState().iterator().next();
            for (int group = 0; group < offsets.length; group++) {
                offsets[group] = bytes.size();
                bytes.write(headOfTheFirstVersion(written, group));
                subtask.operator.filters().ofGroup(group).writeTo(bytes);
            }
        }
        KeyedStateHandle first = new KeyGroupsStateHandle(
            new org.apache.flink.runtime.state.KeyGroupRangeOffsets(written.getKeyGroupRange(), offsets),
            new ByteStreamStateHandle("first", bytes.toByteArray()));
        try (Subtask subtask = Subtask.alone(asked(), OperatorSubtaskState.builder().setRawKeyedState(first).build())) {
            for (int id = 0; id < 1100; id++) {
                assertEquals(id >= 1000, subtask.passes(id, NOON + MINUTE), "id " + id);
            }
        }
        assertTrue(written.getStateSize() < bytes.size() * 3 / 4, written.getStateSize() + " of " + bytes.size());
    }

    private static byte[] headOfTheFirstVersion(KeyGroupsStateHandle written, int group) throws Exception {
        byte[] head = new byte[GroupHead.BYTES];
        try (org.apache.flink.core.fs.FSDataInputStream in = written.openInputStream()) {
            in.seek(written.getOffsetForKeyGroup(group));
            in.readNBytes(head, 0, head.length);
        }
        head[7] = 1;
        head[27] = 1;
        java.util.zip.CRC32 crc = new java.util.zip.CRC32();
        crc.update(head, 0, 44);
        java.nio.ByteBuffer.wrap(head).putInt(44, (int) crc.getValue());
        return head;
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
            FilterBank.Figures figures = quarter.operator.filters().figures();
            assertTrue(figures.bytes() > memory / 2, "bytes " + figures.bytes());
            assertTrue(figures.bytes() <= memory, "bytes " + figures.bytes());
        }
    }

    @Test
    void aStateThatDoesNotFitIsRefusedWithTheWayOn() throws Exception {
        OperatorSubtaskState all = ofTwo(asked());
        assertRefused(all, asked().memoryPerSubtask(Subtask.GROUPS * 1024),
            "does not fit into memoryPerSubtask, of which each of the 128 key groups of this subtask has 1024 bytes");
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
            NativeFilter filter = subtask.operator.filters().of(hashInGroup77());
            long tick = NOON * 1_000_000;
            for (long key = 0; subtask.operator.filters().figures().bytes() < bytes; key += 100_000) {
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
        // A table that has just grown is half empty, and what is empty takes next to nothing.
        assertTrue(state.getStateSize() > bytes / 4, "state of " + state.getStateSize());
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
