package dev.lately;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.lately.Script.Row;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.ThrowingConsumer;

/** Every kind of filter among many threads: the rows of {@code tests/vectors/kinds.txt}. */
@Timeout(300)
class SharedTest {
    private static final int[] CREWS = {2, 3, 4, 8, 16};

    /** Rounds of a race: each begins when all threads are there, with keys that nobody has seen. */
    private static final int RACES = 200;
    private static final int BATCH = 16;

    @TestFactory
    Stream<DynamicTest> everyKind() throws IOException {
        return Script.rows().stream().flatMap(row -> Stream.of(
            test(row, "one thread hears what it hears of the unshared filter", SharedTest::oneThread),
            test(row, "one key is new to one thread", each(SharedTest::raceOnOneKey)),
            test(row, "each key of a batch is new to one thread", each(SharedTest::raceOnBatches)),
            test(row, "all verbs at once", SharedTest::allVerbs)));
    }

    private static DynamicTest test(Row row, String name, ThrowingConsumer<Row> check) {
        return DynamicTest.dynamicTest(row + ": " + name, () -> check.accept(row));
    }

    private interface Race {
        void run(Row row, int threads) throws InterruptedException;
    }

    private static ThrowingConsumer<Row> each(Race race) {
        return row -> {
            for (int threads : CREWS) {
                race.run(row, threads);
            }
        };
    }

    /** The same calls at random on both handles: answers, failures and figures are the same. */
    private static void oneThread(Row row) {
        Random random = new Random(7);
        try (Filter shared = row.filter(EitherHandle.SHARED); Filter unshared = row.filter(EitherHandle.UNSHARED)) {
            for (int i = 0; i < 20_000; i++) {
                int verb = random.nextInt(1000);
                long key = random.nextInt(3000);
                long tick = 2_000_000L * i;
                assertEquals(answer(unshared, row, verb, key, tick), answer(shared, row, verb, key, tick), "call " + i);
            }
            assertEquals(unshared.stats().toString(), shared.stats().toString());
            assertNotEquals(0, shared.stats().duplicateCount());
        }
    }

    /** What one call comes to; some verbs come often and some seldom. */
    private static String answer(Filter filter, Row row, int verb, long key, long tick) {
        try {
            if (row.hasTicks && verb < 300) {
                return String.valueOf(filter.at(tick - verb * 1_000_000L).observe(key));
            }
            return verb < 3 ? rare(filter, verb, tick) : often(filter, verb, key);
        } catch (LatelyException e) {
            return e.getMessage();
        }
    }

    private static String rare(Filter filter, int verb, long tick) {
        switch (verb) {
            case 0:
                filter.clear();
                return "";
            case 1:
                filter.statsReset();
                return "";
            default:
                filter.advance(tick);
                return "";
        }
    }

    private static String often(Filter filter, int verb, long key) {
        long[] keys = {key, key + 1, key, key + 7};
        switch (verb % 8) {
            case 0:
                filter.insert(key);
                return "";
            case 1:
                return String.valueOf(filter.contains(key));
            case 2:
                return String.valueOf(filter.remove(key));
            case 3:
                return Arrays.toString(filter.observeAll(Keys.of(keys)));
            case 4:
                return Arrays.toString(filter.containsAll(Keys.ofHashes(new long[] {filter.hash(key), filter.hash(key + 3)})));
            case 5:
                return filter.stats().toString();
            default:
                return String.valueOf(filter.observe(key));
        }
    }

    /** All threads observe one new key at a time, so that what they hear together is what one thread would hear. */
    private static void raceOnOneKey(Row row, int threads) throws InterruptedException {
        AtomicIntegerArray newCount = new AtomicIntegerArray(RACES);
        try (Filter filter = row.filter(EitherHandle.SHARED); Filter alone = row.filter(EitherHandle.UNSHARED)) {
            Crew.of(threads, (thread, crew) -> {
                for (int race = 0; race < RACES; race++) {
                    crew.meet(race + 1);
                    newCount.addAndGet(race, 1 - filter.observe((long) race).code());
                }
            });
            for (int race = 0; race < RACES; race++) {
                int want = 0;
                for (int t = 0; t < threads; t++) {
                    want += 1 - alone.observe((long) race).code();
                }
                assertEquals(want, newCount.get(race), "threads of " + threads + " that were told that the key is new");
            }
            if (row.isWindowTable()) {
                // Where a cell lies depends on how far the walk of its lock is.
                assertEquals(calls(alone.stats()), calls(filter.stats()));
            } else {
                assertEquals(alone.stats().toString(), filter.stats().toString());
            }
        }
    }

    /** What no lock has by itself: a divided window table of time grows, and errs, section by section. */
    private static String calls(Stats stats) {
        return stats.newCount() + " " + stats.duplicateCount() + " " + stats.lateTicks() + " " + stats.refusedTicks() + " "
            + stats.clock() + " " + stats.shifts() + " " + stats.forgotten();
    }

    /** The same by batches of keys and of hashes. A false duplicate may be new to none, and there are few of them. */
    private static void raceOnBatches(Row row, int threads) throws InterruptedException {
        int keys = RACES / 2 * BATCH;
        AtomicIntegerArray newCount = new AtomicIntegerArray(keys);
        try (Filter filter = row.filter(EitherHandle.SHARED)) {
            Crew.of(threads, (thread, crew) -> {
                byte[] verdicts = new byte[BATCH];
                for (int race = 0; race < RACES / 2; race++) {
                    int first = race * BATCH;
                    long[] batch = IntStream.range(first, first + BATCH).mapToLong(key -> key).toArray();
                    long[] hashes = Arrays.stream(batch).map(filter::hash).toArray();
                    crew.meet(race + 1);
                    if (thread % 2 == 0) {
                        filter.observeAll(Keys.of(batch), verdicts);
                    } else {
                        filter.observeAll(Keys.ofHashes(hashes), verdicts);
                    }
                    for (int i = 0; i < BATCH; i++) {
                        newCount.addAndGet(first + i, 1 - verdicts[i]);
                    }
                }
            });
            int sum = 0;
            for (int key = 0; key < keys; key++) {
                assertTrue(newCount.get(key) <= 1, "key " + key + " was new to " + newCount.get(key) + " of " + threads);
                sum += newCount.get(key);
            }
            assertTrue(sum >= keys * 97 / 100, "only " + sum + " of " + keys + " keys were new");
            Stats stats = filter.stats();
            assertEquals(sum + " " + threads * (long) keys, stats.newCount() + " " + (stats.newCount() + stats.duplicateCount()));
        }
    }

    /** Everything at once; what was in before, and nothing took out, is in all the time. */
    private static void allVerbs(Row row) throws InterruptedException {
        try (Filter filter = row.filter(EitherHandle.SHARED); Filter steady = row.filter(EitherHandle.SHARED)) {
            steady.insert("rock");
            Crew.of(8, (thread, crew) -> {
                crew.meet(1);
                for (int i = 0; i < 400; i++) {
                    anything(row, filter, i);
                    steady.observe((long) i);
                    assertEquals(Verdict.DUPLICATE, steady.contains("rock"));
                }
            });
            filter.clear();
            if (row.hasTicks) {
                filter.advance(0);
            }
            assertEquals(Verdict.NEW, filter.observe("after it all"));
            assertEquals(Verdict.DUPLICATE, filter.observe("after it all"));
            Stats stats = steady.stats();
            assertEquals(8 * 400, stats.newCount() + stats.duplicateCount());
        }
    }

    /** One call of each verb, the dear ones seldom. */
    private static void anything(Row row, Filter filter, int i) {
        long[] batch = {i % 97, 1000 + i};
        filter.observe((long) i % 97);
        filter.insertAll(Keys.of(new byte[][] {{(byte) i}, {}}));
        filter.contains((long) i);
        assertEquals(2, filter.observeAll(Keys.of(batch)).length);
        assertEquals(2, filter.containsAll(Keys.ofHashes(batch)).length);
        if (row.removes) {
            filter.remove((long) i % 97);
            filter.remove(new byte[] {(byte) i});
            filter.remove(new byte[0]);
        }
        if (row.hasTicks) {
            filter.at(i * 50_000_000L).observe((long) i);
        }
        seldom(row, filter, i % 64);
    }

    private static void seldom(Row row, Filter filter, int turn) {
        if (turn == 0 && !row.hasTicks) {
            filter.clear();
        } else if (turn == 1) {
            filter.statsReset();
        } else if (turn == 2) {
            filter.copy().close();
        } else if (turn == 3) {
            filter.retain().close();
        } else if (turn == 4 && row.hasTicks) {
            filter.advance(filter.stats().clock());
        } else if (turn == 5) {
            assertArrayEquals(new long[] {filter.hash("a")}, new long[] {filter.hash("a")});
        }
    }
}
