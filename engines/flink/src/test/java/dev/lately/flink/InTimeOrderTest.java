package dev.lately.flink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Records that wait for the watermark, against Flink's own ROW_NUMBER. */
class InTimeOrderTest {
    private static final int ROWS = 2000;
    private static final int IDS = 200;
    private static final int LAG = 50;

    private static Deduplicate<Event> asked() {
        return Deduplicate.<Event>within(Duration.ofHours(1)).keyLong(event -> event.id).eventTime().errorRate(1e-11).inTimeOrder();
    }

    /** A watermark behind each record, so that what is late does not depend on the machine. */
    private static final class OfEachRecord implements WatermarkGenerator<Event> {
        @Override
        public void onEvent(Event event, long time, WatermarkOutput out) {
            out.emitWatermark(new Watermark(time - LAG));
        }

        @Override
        public void onPeriodicEmit(WatermarkOutput out) {
        }
    }

    /** Out of order by less than the watermark is behind, of many the same time. Of the odd ids one record in fifty is late. */
    private static List<Event> disordered() {
        Random random = new Random(7);
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            long id = random.nextInt(i / 4 + 1) % IDS;
            long back = id % 2 == 1 && random.nextInt(50) == 0 ? LAG + random.nextInt(500) : random.nextInt(LAG);
            events.add(new Event(id, Streams.BEGIN + i / 4 * 4 - back / 4 * 4));
        }
        // One id whose first record is late, which 2.3 drops; and one that has passed before an earlier one comes, which 1.20 takes.
        long end = Streams.BEGIN + ROWS;
        events.add(new Event(IDS + 1, end - 4 * LAG));
        events.add(new Event(IDS + 1, end + 8));
        events.add(new Event(IDS + 3, end + 12));
        events.add(new Event(0, end + 4 * LAG));
        events.add(new Event(IDS + 3, end));
        return events;
    }

    @Test
    @Tag("cluster")
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void theRowsAreThoseOfRowNumberExceptOfKeysWithALateOne() throws Exception {
        List<Event> events = disordered();
        Map<Long, Long> ours = new TreeMap<>();
        try (CloseableIterator<Event> out = asked().on(stream(events)).executeAndCollect()) {
            out.forEachRemaining(event -> assertTrue(ours.put(event.id, event.time) == null, "twice: " + event));
        }
        assertEquals(firstInTime(events), ours);
        Map<Long, Long> theirs = rowNumber(events);
        assertEquals(theirs.keySet(), ours.keySet());
        ours.entrySet().removeIf(row -> theirs.get(row.getKey()).equals(row.getValue()));
        assertTrue(ours.keySet().stream().allMatch(id -> id % 2 == 1), "none was late: " + ours);
        assertTrue(ours.size() > 0, "late ones make a difference");
    }

    /** By definition: the first by time of those that the watermark let wait; if one that was late came before that went, it. */
    private static Map<Long, Long> firstInTime(List<Event> events) {
        Map<Long, Long> passed = new TreeMap<>();
        Map<Long, Long> waiting = new HashMap<>();
        long watermark = Long.MIN_VALUE;
        for (Event event : events) {
            if (event.time <= watermark) {
                passed.putIfAbsent(event.id, event.time);
            } else {
                waiting.merge(event.id, event.time, Math::min);
            }
            watermark = Math.max(watermark, event.time - LAG);
            long now = watermark;
            waiting.entrySet().removeIf(row -> {
                boolean goes = row.getValue() <= now;
                if (goes) {
                    passed.putIfAbsent(row.getKey(), row.getValue());
                }
                return goes;
            });
        }
        waiting.forEach(passed::putIfAbsent);
        return passed;
    }

    private static DataStream<Event> stream(List<Event> events) {
        StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment();
        environment.setParallelism(1);
        return environment.fromData(events).returns(Event.class).assignTimestampsAndWatermarks(
            WatermarkStrategy.<Event>forGenerator(context -> new OfEachRecord()).withTimestampAssigner((event, before) -> event.time));
    }

    /** What ROW_NUMBER leaves of each key: the time of its row. */
    private static Map<Long, Long> rowNumber(List<Event> events) throws Exception {
        DataStream<Event> stream = stream(events);
        StreamTableEnvironment tables = StreamTableEnvironment.create(stream.getExecutionEnvironment());
        tables.createTemporaryView("events", stream, Schema.newBuilder().column("id", DataTypes.BIGINT()).column("time", DataTypes.BIGINT())
            .columnByMetadata("placed", DataTypes.TIMESTAMP_LTZ(3), "rowtime").watermark("placed", "SOURCE_WATERMARK()").build());
        Map<Long, Long> rows = new TreeMap<>();
        try (CloseableIterator<Row> out = tables.executeSql("SELECT id, `time` FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY id"
            + " ORDER BY placed) AS nth FROM events) WHERE nth = 1").collect()) {
            out.forEachRemaining(row -> {
                if (row.getKind() == RowKind.INSERT || row.getKind() == RowKind.UPDATE_AFTER) {
                    rows.put(row.getFieldAs(0), row.getFieldAs(1));
                }
            });
        }
        return rows;
    }

    @Test
    void recordsGoInTheOrderOfTheirTimesAndTheStateIsEmptyThen() throws Exception {
        try (KeyedOneInputStreamOperatorTestHarness<Integer, Event, Event> harness = held(asked())) {
            harness.processElement(new Event(8, -1), -1);
            assertEquals(List.of(8L), ids(harness), "before 1970: at once");
            long[] times = {30, 10, 20, 10};
            for (int i = 0; i < times.length; i++) {
                harness.processElement(new Event(i, Streams.BEGIN + times[i]), Streams.BEGIN + times[i]);
            }
            harness.processElement(new Event(1, Streams.BEGIN + 10), Streams.BEGIN + 10);
            assertEquals(List.of(), ids(harness), "they wait");
            assertEquals(4, harness.numEventTimeTimers(), "a timer for each key and time");
            harness.processWatermark(Streams.BEGIN + 20);
            assertEquals(List.of(1L, 1L, 3L, 2L), ids(harness));
            harness.processElement(new Event(9, Streams.BEGIN + 20), Streams.BEGIN + 20);
            harness.processElement(new Event(7, Long.MAX_VALUE), Long.MAX_VALUE);
            harness.processElement(new StreamRecord<>(new Event(6, 0)));
            assertEquals(List.of(9L, 7L, 6L), ids(harness), "late, too far ahead, without a time: at once");
            harness.processWatermark(Long.MAX_VALUE);
            assertEquals(List.of(0L), ids(harness), "the end lets all go");
            assertEquals(0, harness.numKeyedStateEntries());
        }
    }

    @Test
    void whatCannotWaitIsRefused() {
        Exception e = assertThrows(IllegalStateException.class, () -> asked().operator());
        assertTrue(e.getMessage().contains("Call on(stream)"), e.getMessage());
        e = assertThrows(SettingException.class, () -> asked().processingTime().check());
        assertTrue(e.getMessage().contains("inTimeOrder = true: cannot be combined with processingTime()"), e.getMessage());
    }

    private static KeyedOneInputStreamOperatorTestHarness<Integer, Event, Event> held(Deduplicate<Event> asked) throws Exception {
        Settings.Asked settings = new Settings.Asked(Duration.ofHours(1));
        KeyedOneInputStreamOperatorTestHarness<Integer, Event, Event> harness = new KeyedOneInputStreamOperatorTestHarness<>(
            new KeyedProcessOperator<>(new InTimeOrder<>(TypeInformation.of(Event.class), new Settings(settings))),
            asked.keySelector(), Types.INT);
        harness.setProcessingTime(Streams.BEGIN);
        harness.open();
        return harness;
    }

    /** Of the records that went since the last time. */
    private static List<Long> ids(KeyedOneInputStreamOperatorTestHarness<Integer, Event, Event> harness) {
        List<Long> ids = new ArrayList<>();
        for (Object sent = harness.getOutput().poll(); sent != null; sent = harness.getOutput().poll()) {
            if (sent instanceof StreamRecord) {
                ids.add(((Event) ((StreamRecord<?>) sent).getValue()).id);
            }
        }
        return ids;
    }
}
