package dev.lately.flink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.CloseableIterator;
import org.apache.flink.util.function.SerializableFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/** Jobs of bounded streams that Flink runs in BATCH, where it sorts the input by the hash of the key. */
@Tag("cluster")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class BatchTest {
    private static final long HOUR = 3_600_000;
    private static final int IDS = 1000;

    @TempDir
    Path folder;

    private static Deduplicate<Event> hour() {
        return Deduplicate.<Event>within(Duration.ofHours(1)).eventTime();
    }

    /** Record number n: every id at 0, 5 and 10 hours, each repeated after a second. */
    private static Event sighting(long n) {
        long id = n / 2 % IDS;
        long round = n / (2 * IDS);
        return new Event(id, Streams.BEGIN + round * 5 * HOUR + id * 2000 + n % 2 * 1000);
    }

    @Test
    void everyIdPassesAsOftenAsItLeftTheWindow() throws Exception {
        for (RuntimeExecutionMode mode : new RuntimeExecutionMode[] {RuntimeExecutionMode.STREAMING, RuntimeExecutionMode.BATCH}) {
            List<Event> passed = passed(mode, hour().errorRate(1e-11).keyString(Event::text), BatchTest::sighting, 6 * IDS);
            assertEquals(3 * IDS, passed.size(), mode.toString());
            for (Event event : passed) {
                assertEquals(0, event.time % 2000, "the repeat passed, not the first: " + event);
            }
        }
    }

    @Test
    void keysOfOneHashAreToldApart() throws Exception {
        String[] names = {"Aa", "BB"};
        assertEquals(names[0].hashCode(), names[1].hashCode());
        Deduplicate<Event> asked = hour().keyString(event -> names[(int) event.id]);
        assertEquals(2, passed(RuntimeExecutionMode.BATCH, asked, n -> new Event(n % 2, Streams.BEGIN + n * 1000), 40).size());
    }

    @Test
    void theAnswerIsExactInAnyOrderOfTheInput() throws Exception {
        for (boolean keepFirst : new boolean[] {false, true}) {
            int count = 20_000;
            Deduplicate<Event> asked = hour().errorRate(0.5).keyLong(event -> event.id);
            List<Event> passed = passed(RuntimeExecutionMode.BATCH, keepFirst ? asked.keepFirst().inTimeOrder() : asked,
                n -> disordered(n, count), count);
            SortedKeys exact = new SortedKeys(HOUR, keepFirst);
            int expected = 0;
            // The order of the times alone: ids of another hash in between would be forgotten.
            for (long id = 0; id < 50; id++) {
                for (long time : times(id, count)) {
                    exact.at(time);
                    expected += exact.isNew((int) id, id) ? 1 : 0;
                }
            }
            assertEquals(expected, passed.size());
        }
    }

    private static Event disordered(long n, int count) {
        return new Event(n % 50, Streams.BEGIN + new Random(n).nextInt(count) * 10_000L);
    }

    private static long[] times(long id, int count) {
        return LongStream.iterate(id, n -> n < count, n -> n + 50).map(n -> disordered(n, count).time).sorted().toArray();
    }

    @Test
    void processingTimeCountsInBatchToo() throws Exception {
        Deduplicate<Event> asked = Deduplicate.<Event>within(Duration.ofHours(1)).processingTime().keyLong(event -> event.id);
        assertEquals(IDS, passed(RuntimeExecutionMode.BATCH, asked, BatchTest::sighting, 6 * IDS).size());
    }

    @Test
    void onlyKeysOfTheHashAndTheWindowAreKept() {
        SortedKeys keys = new SortedKeys(HOUR, false);
        for (int id = 0; id < 1000; id++) {
            keys.at(id * 1000);
            assertTrue(keys.isNew(7, id));
            assertFalse(keys.isNew(7, id));
        }
        assertEquals(1000, keys.kept());
        keys.at(500 * 1000 + HOUR);
        assertFalse(keys.isNew(7, 500));
        assertTrue(keys.isNew(7, 499), "the window ends behind it");
        assertEquals(501, keys.kept(), "those at 500 s and later, and 499");
        assertTrue(keys.isNew(8, 500));
        assertEquals(1, keys.kept());
    }

    /** A key selector may fill the same array for every record: what is kept are the bytes of the moment. */
    @Test
    void anArrayThatIsUsedAgainIsAnotherKey() {
        SortedKeys keys = new SortedKeys(1000, false);
        byte[] key = {1};
        assertTrue(keys.isNew(7, key));
        key[0] = 2;
        assertTrue(keys.isNew(7, key));
        assertFalse(keys.isNew(7, new byte[] {1}));
        assertFalse(keys.isNew(7, new byte[] {2}));
    }

    /** Where a hash changes and the window ends, over all the times there are. */
    @Test
    void timesThatLieFarApartAreNoRepeats() {
        SortedKeys keys = new SortedKeys(HOUR, false);
        keys.at(Long.MIN_VALUE);
        assertTrue(keys.isNew(0, 1));
        keys.at(Long.MAX_VALUE);
        assertTrue(keys.isNew(0, 1));
        assertFalse(keys.isNew(0, 1));
    }

    private List<Event> passed(RuntimeExecutionMode mode, Deduplicate<Event> asked, SerializableFunction<Long, Event> event,
        int count) throws Exception {
        try (Cluster cluster = new Cluster(folder, 8)) {
            StreamExecutionEnvironment environment = cluster.environment(new Cluster.Way());
            environment.setRuntimeMode(mode);
            DataStream<Event> events = environment
                .fromSource(new NumberSequenceSource(0, count - 1), WatermarkStrategy.noWatermarks(), "numbers").setParallelism(1)
                .map(event::apply).setParallelism(1).returns(Event.class)
                .assignTimestampsAndWatermarks(WatermarkStrategy.<Event>forMonotonousTimestamps()
                    .withTimestampAssigner((record, before) -> record.time)).setParallelism(1);
            List<Event> passed = new ArrayList<>();
            try (CloseableIterator<Event> out = asked.on(events).setParallelism(2).executeAndCollect()) {
                out.forEachRemaining(passed::add);
            }
            return passed;
        }
    }
}
