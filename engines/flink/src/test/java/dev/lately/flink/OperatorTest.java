package dev.lately.flink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;
import org.apache.flink.util.OutputTag;
import org.junit.jupiter.api.Test;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** What becomes of single records, of watermarks and of time. */
class OperatorTest {
    private static final long MINUTE = 60_000;
    private static final long YEAR = 365L * 24 * 60 * MINUTE;
    private static final long NOON = Streams.BEGIN;

    private static final OutputTag<Event> DUPLICATES = new OutputTag<Event>("duplicates") { };
    private static final OutputTag<Event> LATE = new OutputTag<Event>("late") { };

    private static Deduplicate<Event> minute() {
        return Deduplicate.<Event>within(Duration.ofMinutes(1)).keyLong(event -> event.id);
    }

    @Test
    void aRepeatWithinTheWindowIsHeldBackToItsVeryEdge() throws Exception {
        try (Subtask subtask = Subtask.alone(minute().eventTime())) {
            assertTrue(subtask.passes(1, NOON));
            assertFalse(subtask.passes(1, NOON));
            assertFalse(subtask.passes(1, NOON + MINUTE));
            assertFalse(subtask.passes(1, NOON + 2 * MINUTE), "a repeat makes a key young again");
            assertTrue(subtask.passes(1, NOON + 4 * MINUTE));
        }
    }

    @Test
    void keepFirstCountsFromTheRecordThatPassed() throws Exception {
        try (Subtask subtask = Subtask.alone(minute().eventTime().keepFirst())) {
            assertTrue(subtask.passes(1, NOON));
            assertFalse(subtask.passes(1, NOON + MINUTE));
            assertTrue(subtask.passes(1, NOON + MINUTE + MINUTE / 7 + 1));
        }
    }

    @Test
    void allFormsOfAKeyTellRecordsApartByAllOfIt() throws Exception {
        List<Deduplicate<Event>> forms = new ArrayList<>();
        forms.add(Deduplicate.<Event>within(Duration.ofMinutes(1)).keyString(Event::text));
        forms.add(Deduplicate.<Event>within(Duration.ofMinutes(1)).keyLong(event -> event.id));
        forms.add(Deduplicate.<Event>within(Duration.ofMinutes(1)).key(e -> e.text().getBytes(StandardCharsets.UTF_8)));
        forms.add(Deduplicate.<Event>within(Duration.ofMinutes(1)).key(Event::text));
        forms.add(Deduplicate.<Event>within(Duration.ofMinutes(1)).key(e -> e.id));
        forms.add(Deduplicate.<Event>within(Duration.ofMinutes(1)).key(new IdAndDay()));
        forms.add(Deduplicate.<Event>within(Duration.ofMinutes(1)).key(e -> Tuple2.of("id", e.id),
            Types.TUPLE(Types.STRING, Types.LONG)));
        forms.add(Deduplicate.<Event>within(Duration.ofMinutes(1)).key(e -> BigInteger.valueOf(e.id)));
        // The hash of these numbers is the same, so that the filter alone tells them apart.
        long same = 0x1_0000_0001L;
        for (Deduplicate<Event> form : forms) {
            try (Subtask subtask = Subtask.alone(form.errorRate(1e-9).eventTime())) {
                assertTrue(subtask.passes(0, NOON));
                assertTrue(subtask.passes(same, NOON));
                assertTrue(subtask.passes(2 * same, NOON));
                assertFalse(subtask.passes(same, NOON));
            }
        }
        assertEquals(Long.hashCode(0), Long.hashCode(same));
    }

    /** A selector with a signature, as jobs have them for keyBy. */
    private static final class IdAndDay implements KeySelector<Event, Tuple2<Long, Integer>> {
        private static final long serialVersionUID = 1;

        @Override
        public Tuple2<Long, Integer> getKey(Event event) {
            return Tuple2.of(event.id, (int) (event.time / 86_400_000));
        }
    }

    @Test
    void selectorsOfBytesTextAndNumbersHaveTheKeysOfTheirOwnCalls() throws Exception {
        Event event = new Event(1L << 40, NOON);
        assertEquals(minute().keySelector().getKey(event), minute().key(e -> e.id).keySelector().getKey(event));
        assertEquals(2, ((RecordKey<Event>) minute().key(e -> e.id).keySelector()).form());
        assertEquals(1, ((RecordKey<Event>) minute().key(Event::text).keySelector()).form());
        assertEquals(minute().keyString(Event::text).keySelector().getKey(event),
            minute().key(Event::text).keySelector().getKey(event));
    }

    @Test
    void aKeyWhoseBytesMayDifferIsRefused() {
        assertSays("key is of type Java Tuple2<Long, Map<Long, Long>>: allowed are", () -> minute().key(e -> Tuple2.of(e.id, null),
            Types.TUPLE(Types.LONG, Types.MAP(Types.LONG, Types.LONG))));
        assertSays("Make text or bytes of it", () -> minute().key(e -> new UUID(e.id, e.id)));
        assertSays("Call key(selector, type)", () -> minute().key(e -> Tuple2.of(e.id, e.id)));
    }

    /** A record without a key repeats none that is known, and fails no job. */
    @Test
    void recordsWithoutAKeyPassOrGoWhereTheyAreSent() throws Exception {
        OutputTag<Event> nullKeys = new OutputTag<Event>("null keys") { };
        List<Deduplicate<Event>> forms = List.of(
            minute().key(e -> e.id == 17 ? null : (Long) e.id),
            minute().key(e -> e.id == 17 ? null : (Integer) (int) e.id),
            minute().key(e -> e.id == 17 ? null : new byte[] {(byte) e.id}),
            minute().key(e -> Tuple2.of("a", e.id == 17 ? null : (Integer) (int) e.id), Types.TUPLE(Types.STRING, Types.INT)),
            minute().keyString(e -> e.id == 17 ? null : e.text()));
        for (Deduplicate<Event> asked : forms) {
            assertTrue(asked.keySelector().getKey(new Event(17, NOON)) == 0);
            try (Subtask subtask = Subtask.alone(asked.eventTime())) {
                assertTrue(subtask.passes(17, NOON));
                assertTrue(subtask.passes(1, NOON));
                assertTrue(subtask.passes(17, NOON), "again");
                assertFalse(subtask.passes(1, NOON));
                assertEquals(2, subtask.operator.counts.nullKeys.getCount());
                assertEquals(1, subtask.operator.counts.fresh.getCount());
            }
            try (Subtask subtask = Subtask.alone(asked.nullKeysTo(nullKeys))) {
                assertFalse(subtask.passes(17, NOON));
                assertTrue(subtask.passes(1, NOON));
                assertEquals(1, subtask.side(nullKeys));
                assertEquals(1, subtask.operator.counts.nullKeys.getCount());
            }
        }
    }

    /** Kafka writes -1 where it has no time. */
    @Test
    void timesBelowZeroAreJudgedAtTheClockAndCounted() throws Exception {
        try (Subtask subtask = Subtask.alone(minute().eventTime().lateTo(LATE))) {
            assertTrue(subtask.passes(1, -1), "before any time is known");
            assertFalse(subtask.passes(1, Long.MIN_VALUE));
            assertTrue(subtask.passes(2, NOON));
            assertFalse(subtask.passes(2, -1));
            subtask.watermark(NOON + 2 * MINUTE);
            assertTrue(subtask.passes(3, -1), "it is not late, for nothing is known of its time");
            assertFalse(subtask.passes(3, NOON + 3 * MINUTE), "it was judged at the clock");
            assertEquals(0, subtask.side(LATE));
            assertEquals(0, subtask.operator.clock.mostBehind());
            assertEquals(4, subtask.operator.clock.untimed());
        }
    }

    @Test
    void recordsGoWhereTheyAreSent() throws Exception {
        try (Subtask subtask = Subtask.alone(minute().eventTime().duplicatesTo(DUPLICATES).lateTo(LATE))) {
            subtask.watermark(NOON);
            assertTrue(subtask.passes(1, NOON - MINUTE));
            assertFalse(subtask.passes(1, NOON - MINUTE));
            assertFalse(subtask.passes(2, NOON - MINUTE - 1), "older than the watermark by more than the window");
            assertEquals(1, subtask.side(DUPLICATES));
            assertEquals(1, subtask.side(LATE));
            assertTrue(subtask.passes(2, NOON), "a late record was not seen");
        }
    }

    @Test
    void withoutSideOutputsTheyAreDroppedAndCounted() throws Exception {
        try (Subtask subtask = Subtask.alone(minute().eventTime())) {
            subtask.watermark(NOON);
            subtask.passes(1, NOON);
            subtask.passes(1, NOON);
            subtask.passes(1, NOON);
            subtask.passes(2, 0);
            DeduplicateMetrics counts = subtask.operator.counts;
            assertEquals(1, counts.fresh.getCount());
            assertEquals(2, counts.duplicates.getCount());
            assertEquals(1, counts.late.getCount());
        }
    }

    @Test
    void theClockIsTheLatestOfWatermarkAndTimestamps() throws Exception {
        try (Subtask subtask = Subtask.alone(minute().eventTime())) {
            assertTrue(subtask.passes(1, NOON));
            assertTrue(subtask.passes(2, NOON + 50_000));
            assertFalse(subtask.passes(1, NOON + 1), "judged at the clock, and seen 50 s ago");
            subtask.watermark(NOON + 50_000 + 2 * MINUTE);
            assertTrue(subtask.passes(1, NOON + 50_000 + MINUTE), "judged at the watermark");
            subtask.watermark(NOON);
            assertFalse(subtask.passes(1, NOON + 50_000 + MINUTE), "a watermark never takes the clock back");
            assertTrue(subtask.passes(3, NOON + 3 * MINUTE));
            assertTrue(subtask.passes(4, NOON + 6 * MINUTE));
            assertTrue(subtask.passes(3, NOON + 3 * MINUTE), "another key has moved the clock on");
        }
    }

    @Test
    void aWatermarkJumpOfAYearForgetsEverythingAndNothingElse() throws Exception {
        try (Subtask subtask = Subtask.alone(minute().eventTime().lateTo(LATE))) {
            for (int id = 0; id < 1000; id++) {
                assertTrue(subtask.passes(id, NOON));
            }
            subtask.harness.setProcessingTime(NOON + YEAR);
            subtask.watermark(NOON + YEAR);
            for (int id = 0; id < 1000; id++) {
                assertTrue(subtask.passes(id, NOON + YEAR));
                assertFalse(subtask.passes(id, NOON + YEAR + MINUTE - 1000 + id));
            }
            assertEquals(0, subtask.side(LATE));
            assertFalse(subtask.passes(1, NOON));
            assertEquals(1, subtask.side(LATE));
        }
    }

    @Test
    void theEndOfTheStreamIsNoMoment() throws Exception {
        try (Subtask subtask = Subtask.alone(minute().eventTime())) {
            assertTrue(subtask.passes(1, NOON));
            subtask.watermark(Long.MAX_VALUE);
            assertFalse(subtask.passes(1, NOON));
            assertTrue(subtask.passes(2, NOON));
        }
    }

    @Test
    void watermarksAndIdlenessAreHandedOn() throws Exception {
        try (Subtask subtask = Subtask.alone(minute().eventTime())) {
            subtask.harness.processWatermark(new Watermark(NOON));
            subtask.harness.processWatermarkStatus(WatermarkStatus.IDLE);
            subtask.harness.processWatermarkStatus(WatermarkStatus.ACTIVE);
            subtask.harness.processWatermark(new Watermark(Long.MAX_VALUE));
            assertEquals(List.of(new Watermark(NOON), WatermarkStatus.IDLE, WatermarkStatus.ACTIVE, Watermark.MAX_WATERMARK),
                new ArrayList<>(subtask.harness.getOutput()));
        }
    }

    @Test
    void timesThatAreNoneAreErrorsThatSayWhatIsAllowed() throws Exception {
        try (Subtask subtask = Subtask.alone(minute().eventTime())) {
            Exception e = assertThrows(SettingException.class,
                () -> subtask.harness.processElement(new StreamRecord<>(new Event(1, 0))));
            assertTrue(e.getMessage().contains("WatermarkStrategy"), e.getMessage());
            subtask.watermark(1);
            assertThrows(SettingException.class, () -> subtask.harness.processElement(new StreamRecord<>(new Event(1, 0))),
                "it is not late, it has no time");
            long last = 18_446_744_073_709L;
            assertTrue(subtask.passes(1, 0));
            subtask.harness.setProcessingTime(last);
            assertTrue(subtask.passes(1, last));
            assertFalse(subtask.passes(1, last));
            assertTrue(subtask.passes(2, last + 1), "judged at the clock");
            assertEquals(1, subtask.operator.clock.refused());
        }
    }

    /** One record, or one watermark, of a wrong clock costs neither a record nor a repeat. */
    @Test
    void timesOfTheFarFutureMoveNoClock() throws Exception {
        try (Subtask subtask = Subtask.alone(minute().eventTime().lateTo(LATE).duplicatesTo(DUPLICATES))) {
            subtask.harness.setProcessingTime(NOON);
            assertTrue(subtask.passes(1, NOON + 10 * YEAR), "nothing was seen yet");
            assertTrue(subtask.passes(2, NOON));
            assertTrue(subtask.passes(3, NOON + 10 * YEAR));
            assertFalse(subtask.passes(3, Long.MAX_VALUE), "judged at the clock");
            subtask.watermark(NOON + 10 * YEAR);
            for (int minute = 0; minute < 10; minute += 2) {
                subtask.harness.setProcessingTime(NOON + minute * MINUTE);
                assertTrue(subtask.passes(4, NOON + minute * MINUTE), "the window continues, minute " + minute);
                assertFalse(subtask.passes(4, NOON + minute * MINUTE + 1));
            }
            assertEquals(0, subtask.side(LATE));
            assertEquals(NOON + 8 * MINUTE + 1, subtask.operator.clock.now());
            assertEquals(4, subtask.operator.clock.refused());
        }
    }

    @Test
    void aTimeIsBoundedByTheLaterOfClockAndMachine() throws Exception {
        long day = 24 * 60 * MINUTE;
        try (Subtask subtask = Subtask.alone(minute().eventTime())) {
            assertTrue(subtask.passes(1, NOON + YEAR), "a machine of 1970 has no clock, and bounds nothing");
            assertTrue(subtask.passes(1, NOON + YEAR + day), "a step of the clock itself");
            assertFalse(subtask.passes(1, NOON + YEAR + 2 * day + 1), "a longer one");
            subtask.harness.setProcessingTime(NOON + 2 * YEAR);
            assertTrue(subtask.passes(1, NOON + 2 * YEAR + day), "after a pause of a year the machine's clock bounds it");
            assertFalse(subtask.passes(1, NOON + 2 * YEAR + 2 * day + 1));
            assertEquals(2, subtask.operator.clock.refused());
        }
        try (Subtask subtask = Subtask.alone(minute().eventTime().maxStep(Duration.ofMillis(MINUTE)))) {
            subtask.harness.setProcessingTime(NOON);
            assertTrue(subtask.passes(1, NOON + MINUTE));
            assertFalse(subtask.passes(1, NOON + 2 * MINUTE + 1));
            assertEquals(1, subtask.operator.clock.refused());
        }
    }

    @Test
    void processingTimeIsThatOfTheMachine() throws Exception {
        try (Subtask subtask = new Subtask(minute().processingTime(), 1, 0)) {
            subtask.harness.setProcessingTime(NOON);
            subtask.open();
            assertTrue(subtask.passes(1, 0));
            subtask.harness.setProcessingTime(NOON + MINUTE);
            assertFalse(subtask.passes(1, 0));
            subtask.harness.setProcessingTime(NOON + 3 * MINUTE);
            subtask.watermark(NOON + YEAR);
            assertTrue(subtask.passes(1, 0), "a watermark is no time of the machine, and nothing is late");
        }
    }

    @Test
    void memoryHasALimitAndWhatItCostsIsSaid() throws Exception {
        int cells = 4096 / 64 * 21;
        long memory = Subtask.GROUPS * 4096L;
        try (Subtask subtask = Subtask.alone(minute().errorRate(1e-3).eventTime().memoryPerSubtask(memory))) {
            for (int id = 0; id < 400_000; id++) {
                subtask.passes(id, NOON + id / 10);
                if (id % 10_000 == 0) {
                    assertTrue(subtask.operator.filters.figures().bytes <= memory);
                }
            }
            FilterBank.Figures figures = subtask.operator.filters.figures();
            assertTrue(figures.forgotten > 399_000 - Subtask.GROUPS * cells, "forgotten " + figures.forgotten);
            // All cells have the keys of 17 seconds. Of a window's bytes they are more than a tenth: nothing younger than a 20th of it goes.
            assertTrue(figures.reach < Subtask.GROUPS * cells * 100_000L, "reach " + figures.reach);
            assertTrue(figures.reach > 3_000_000_000L, "reach " + figures.reach);
            assertTrue(figures.errorRate() <= 1e-3, "error rate " + figures.errorRate());
        }
    }

    @Test
    void whatIsTooOldGivesItsMemoryBackWithoutARecord() throws Exception {
        try (Subtask subtask = Subtask.alone(minute().eventTime())) {
            for (int id = 0; id < 400_000; id++) {
                subtask.passes(id, NOON);
            }
            long full = subtask.operator.filters.figures().bytes;
            for (int minute = 1; minute < 12; minute++) {
                subtask.watermark(NOON + minute * MINUTE);
                subtask.passes(1_000_000 + minute, NOON + minute * MINUTE);
                subtask.snapshot().discardState();
            }
            long after = subtask.operator.filters.figures().bytes;
            assertTrue(full > 4 * 400_000 && after <= Subtask.GROUPS * 1024, full + " bytes before, " + after + " after");
        }
    }

    /** A record a second, and a window of ten: a month's end finds what its first day left. */
    @Test
    void aMonthOfSparseTrafficTakesConstantBytes() throws Exception {
        int day = 86_400;
        Deduplicate<Event> asked = Deduplicate.<Event>within(Duration.ofSeconds(10)).keyLong(event -> event.id).eventTime();
        try (Subtask subtask = Subtask.alone(asked)) {
            long afterADay = 0;
            for (int second = 1; second <= 30 * day; second++) {
                assertTrue(subtask.passes(second, NOON + second * 1000L));
                if (second % day == 0) {
                    long bytes = subtask.operator.filters.figures().bytes;
                    afterADay = second == day ? bytes : afterADay;
                    assertTrue(bytes <= afterADay, bytes + " bytes at second " + second + ", " + afterADay + " after a day");
                }
            }
            assertTrue(afterADay > 0 && afterADay <= Subtask.GROUPS * 640, "bytes " + afterADay);
        }
    }

    @Test
    void settingsOutOfRangeAreNamedWithWhatIsAllowed() {
        assertSays("window = PT0S: must be PT0.000000001S to", () -> Deduplicate.<Event>within(Duration.ZERO)
            .keyLong(e -> e.id).eventTime().operator());
        assertSays("window = PT-1S: must be", () -> Deduplicate.<Event>within(Duration.ofSeconds(-1))
            .keyLong(e -> e.id).eventTime().operator());
        assertSays("window = PT8784000H", () -> Deduplicate.<Event>within(Duration.ofDays(366_000))
            .keyLong(e -> e.id).eventTime().operator());
        for (double rate : new double[] {0, -1, 0.51, Double.NaN}) {
            assertSays("errorRate = " + rate + ": must be 1.0E-11 to 0.5",
                () -> minute().eventTime().errorRate(rate).operator());
        }
        assertSays("memoryPerSubtask = -1 bytes: must be 0", () -> minute().eventTime().memoryPerSubtask(-1).operator());
        assertSays("memoryPerSubtask = 100000 bytes: must be 0 (no limit) or at least 131072 bytes, which is 1024 bytes for each of the 128 key",
            () -> Subtask.alone(minute().eventTime().memoryPerSubtask(100_000)));
        assertSays("expectedKeys = -1: must be 0 (not known) to 1099511627776",
            () -> minute().eventTime().expectedKeys(-1).operator());
        assertSays("expectedKeys = 1099511627777: must be", () -> minute().eventTime().expectedKeys((1L << 40) + 1).operator());
        assertSays("maxStep = PT0S: must be PT0.000000001S to", () -> minute().eventTime().maxStep(Duration.ZERO).operator());
        for (Duration lateness : new Duration[] {Duration.ofSeconds(-1), Duration.ofMinutes(3).plusNanos(1)}) {
            assertSays("allowedLateness = " + lateness + ": must be PT0S to PT3M with this window",
                () -> minute().eventTime().allowedLateness(lateness).operator());
        }
        assertSays("allowedLateness = PT1S: cannot be combined with processingTime()",
            () -> minute().processingTime().allowedLateness(Duration.ofSeconds(1)).operator());
        assertSays("Call key(..)", () -> Deduplicate.<Event>within(Duration.ofMinutes(1)).eventTime().operator());
        assertSays("Call eventTime() or processingTime()", () -> minute().operator());
    }

    @Test
    void aStreamKeyedByOthersIsRefused() throws Exception {
        try (Subtask subtask = new Subtask(minute().eventTime(), 128, 5).open()) {
            assertSays("key the stream by Deduplicate.keySelector()", () -> {
                for (int id = 0; id < 1000; id++) {
                    subtask.passes(id, NOON);
                }
            });
        }
    }

    private static void assertSays(String text, org.junit.jupiter.api.function.Executable what) {
        Exception e = assertThrows(RuntimeException.class, what);
        assertTrue(e.getMessage().contains(text), e.getMessage());
    }
}
