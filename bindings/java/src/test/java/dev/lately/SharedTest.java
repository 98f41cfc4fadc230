package dev.lately;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.lately.Script.Row;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/** Every kind of filter among many threads: the rows of {@code tests/vectors/kinds.txt}. */
@Timeout(300)
class SharedTest {
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
        return Script.rows().stream().map(row -> DynamicTest.dynamicTest(row + ": all verbs at once", () -> allVerbs(row)));
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
        assertEquals(filter.hash("a"), filter.hash("a"));
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
        }
    }
}
