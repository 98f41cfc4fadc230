package dev.lately;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.lately.Script.Row;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.Executable;

/** Every kind of filter through every verb, by both handles: the rows of {@code tests/vectors/kinds.txt}. */
class KindsTest {
    private static final byte[] A = {'a'};

    /** Numbers of which many come again, some soon and some late. */
    private static final long[] STREAM = new long[2000];

    static {
        Arrays.setAll(STREAM, i -> (long) i * i % 997);
    }

    @Test
    void everyKindThatTheLibraryBuildsHasARow() throws IOException {
        Set<Kind> kinds = EnumSet.noneOf(Kind.class);
        Script.rows().forEach(row -> kinds.add(row.kind()));
        for (Kind kind : EnumSet.complementOf(EnumSet.copyOf(kinds))) {
            Try.fails(Status.UNSUPPORTED, Options.of(kind).build()::plan);
        }
    }

    @TestFactory
    Stream<DynamicTest> everyKind() throws IOException {
        List<Row> rows = Script.rows();
        return Arrays.stream(EitherHandle.values()).flatMap(held -> everyKind(rows, held));
    }

    private static Stream<DynamicTest> everyKind(List<Row> rows, EitherHandle held) {
        return rows.stream().flatMap(row -> Stream.of(
            test(row, held, "plan", KindsTest::plan), test(row, held, "single keys", KindsTest::singleKeys),
            test(row, held, "stats", KindsTest::stats), test(row, held, "batches", KindsTest::batches),
            test(row, held, "insert batches", KindsTest::insertBatches),
            test(row, held, "clear, copy", KindsTest::clearAndCopy),
            test(row, held, "remove", KindsTest::remove), test(row, held, "full", KindsTest::full),
            test(row, held, "ticks", KindsTest::ticks),
            test(row, held, "hash, secret", KindsTest::hashAndSecret)));
    }

    private static DynamicTest test(Row row, EitherHandle held, String name, BiConsumer<Row, EitherHandle> check) {
        return DynamicTest.dynamicTest(row + ", " + held + ": " + name, () -> check.accept(row, held));
    }

    private static void plan(Row row, EitherHandle held) {
        Plan plan = row.options().build().plan();
        try (Filter filter = row.filter(held)) {
            assertTrue(plan.errorRateWorst() > 0 && plan.errorRateWorst() <= 0.5, plan.toString());
            assertTrue(plan.errorRateMean() > 0 && plan.errorRateMean() <= plan.errorRateWorst(), plan.toString());
            assertTrue(plan.slices() + plan.blocks() + plan.rows() > 0, plan.toString());
            assertTrue(plan.cacheLinesPerObserve() >= 1, plan.toString());
            assertTrue(plan.bytes() == 0 || plan.bytes() == filter.stats().bytes(), plan.toString());
        }
    }

    private static void singleKeys(Row row, EitherHandle held) {
        try (Filter filter = row.filter(held)) {
            assertEquals(Verdict.NEW, filter.contains(A));
            assertEquals(Verdict.NEW, filter.observe(A));
            assertEquals(Verdict.DUPLICATE, filter.observe("a"));
            filter.insert("b");
            assertEquals(Verdict.DUPLICATE, filter.contains("b"));
            assertEquals(Verdict.NEW, filter.observe(""));
        }
    }

    private static void stats(Row row, EitherHandle held) {
        try (Filter filter = row.filter(held)) {
            for (String key : new String[] {"a", "b", "a"}) {
                filter.observe(key);
            }
            Stats stats = filter.stats();
            assertEquals("2 1", stats.newCount() + " " + stats.duplicateCount());
            // Some kinds store a duplicate again.
            assertTrue(stats.items() == 2 || stats.items() == 3, stats.toString());
            assertTrue(stats.bytes() > 0 && stats.bytesPeak() >= stats.bytes(), stats.toString());
            assertTrue((row.isExact || stats.errorRate() > 0) && stats.errorRate() < 0.5, stats.toString());
            filter.statsReset();
            assertEquals("0 0 " + stats.items(), filter.stats().newCount() + " " + filter.stats().duplicateCount() + " "
                + filter.stats().items());
        }
    }

    private static void batches(Row row, EitherHandle held) {
        try (Filter single = row.filter(held); Filter keys = row.filter(held); Filter hashes = row.filter(held)) {
            Verdict[] want = new Verdict[STREAM.length];
            long[] hashed = new long[STREAM.length];
            Arrays.setAll(want, i -> single.observe(STREAM[i]));
            Arrays.setAll(hashed, i -> single.hash(STREAM[i]));
            assertArrayEquals(want, keys.observeAll(Keys.of(STREAM)));
            assertArrayEquals(want, hashes.observeAll(Keys.ofHashes(hashed)));
            assertEquals(single.stats().toString(), keys.stats().toString());
            assertEquals(single.stats().toString(), hashes.stats().toString());
            assertTrue(single.stats().newCount() > 400 && single.stats().duplicateCount() > 1000);
            assertFalse(Arrays.asList(keys.containsAll(Keys.of(STREAM))).contains(Verdict.NEW));
            assertFalse(Arrays.asList(hashes.containsAll(Keys.ofHashes(hashed))).contains(Verdict.NEW));
        }
    }

    private static void insertBatches(Row row, EitherHandle held) {
        try (Filter keys = row.filter(held); Filter hashes = row.filter(held)) {
            keys.insertAll(Keys.of(new byte[][] {A, {}, "bc".getBytes(StandardCharsets.UTF_8)}));
            hashes.insertAll(Keys.ofHashes(new long[] {keys.hash(A), keys.hash(""), keys.hash("bc")}));
            assertEquals(keys.stats().toString(), hashes.stats().toString());
            assertEquals(3, keys.stats().items());
            assertEquals(Verdict.DUPLICATE, hashes.contains("bc"));
            assertEquals(Verdict.NEW, keys.contains("b"));
        }
    }

    private static void clearAndCopy(Row row, EitherHandle held) {
        try (Filter filter = row.filter(held); Filter fresh = row.filter(held)) {
            filter.insertAll(Keys.of(STREAM));
            try (Filter copy = filter.copy()) {
                assertEquals(filter.stats().toString(), copy.stats().toString());
                filter.clear();
                assertEquals(filter.stats().toString(), fresh.stats().toString());
                setClock(row, filter);
                assertArrayEquals(fresh.observeAll(Keys.of(STREAM)), filter.observeAll(Keys.of(STREAM)));
                assertFalse(Arrays.asList(copy.containsAll(Keys.of(STREAM))).contains(Verdict.NEW));
            }
        }
    }

    /** What was cleared has no clock. */
    private static void setClock(Row row, Filter filter) {
        if (row.hasTicks) {
            Try.fails(Status.CLOCK, () -> filter.observe("a"));
            filter.advance(0);
        }
    }

    private static void remove(Row row, EitherHandle held) {
        try (Filter filter = row.filter(held)) {
            filter.insert("a");
            if (row.removes) {
                assertTrue(filter.remove("a"));
                assertFalse(filter.remove(A));
            } else {
                Try.fails(Status.UNSUPPORTED, () -> filter.remove("a"));
            }
            assertEquals(row.isExact ? 1 : 0, filter.stats().removed());
            assertEquals(row.removes ? Verdict.NEW : Verdict.DUPLICATE, filter.contains("a"));
        }
    }

    /** Takes the room of one key's block, if there is an end to it, and makes some. */
    private static void full(Row row, EitherHandle held) {
        try (Filter filter = row.filter(held)) {
            Executable fill = () -> {
                for (int i = 0; i < 2000; i++) {
                    filter.insert("a");
                }
            };
            if (row.removes && !row.isExact) {
                Try.fails(Status.FULL, fill);
                assertTrue(filter.remove("a"));
                filter.insert("a");
            } else {
                assertDoesNotThrow(fill);
            }
        }
    }

    private static void ticks(Row row, EitherHandle held) {
        try (Filter filter = row.filter(held)) {
            for (Executable call : new Executable[] {() -> filter.at(1).contains("a"), () -> filter.at(1).insert("a"),
                () -> filter.at(2).observe(A), () -> filter.insertAll(Keys.of(new long[] {7}).at(new long[] {3})),
                () -> filter.observeAll(Keys.ofHashes(new long[] {7}).at(new long[] {3}), new byte[1]), () -> filter.advance(4)}) {
                if (row.hasTicks) {
                    assertDoesNotThrow(call);
                } else {
                    Try.fails(Status.CLOCK, call);
                }
            }
            assertEquals(row.hasTicks ? 4 : 0, filter.stats().clock());
            assertEquals(row.hasTicks ? Verdict.DUPLICATE : Verdict.NEW, filter.contains("a"));
        }
    }

    private static void hashAndSecret(Row row, EitherHandle held) {
        Secret secret = new Secret(7, 9);
        try (Filter seeded = held.filter(row.options().seed(42).build());
            Filter keyed = held.filter(row.options().keyed(true).secret(secret).build())) {
            assertEquals(Lately.hash64(A, 42), seeded.hash("a"));
            Try.fails(Status.UNSUPPORTED, seeded::secret);
            assertEquals(secret, keyed.secret());
            Try.fails(Status.UNSUPPORTED, () -> keyed.hash("a"));
            assertEquals(Verdict.NEW, keyed.observe("a"));
            assertEquals(Verdict.DUPLICATE, keyed.observe("a"));
        }
    }
}
