package dev.lately;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The verbs that are not about one key: copy, clear, figures, seed and secret; and what a log gets to see. */
class FilterTest {
    private static final Secret SECRET = new Secret(1234567890123456789L, 0xABCDEF0123456789L);

    private static String counts(Filter filter) {
        Stats stats = filter.stats();
        return stats.newCount() + " " + stats.duplicateCount() + " " + stats.lateTicks() + " " + stats.clock() + " " + stats.items();
    }

    @ParameterizedTest
    @EnumSource
    void figuresCountAndCopiesAreApart(EitherHandle held) {
        try (Filter filter = held.filter()) {
            filter.at(7).observe("a");
            filter.at(5).observe("a");
            filter.at(9).observe("b");
            assertEquals("2 1 1 9 2", counts(filter));
            try (Filter copy = filter.copy()) {
                assertEquals(filter.stats().toString(), copy.stats().toString());
                filter.statsReset();
                assertEquals("0 0 0 9 2", counts(filter));
                filter.clear();
                assertEquals("0 0 0 0 0", counts(filter));
                Try.fails(Status.CLOCK, () -> filter.observe("a"));
                assertEquals(Verdict.NEW, filter.at(5).observe("a"));
                assertEquals(Verdict.DUPLICATE, copy.observe("b"));
                assertEquals("2 2 1 9 2", counts(copy));
            }
        }
    }

    @Test
    void aSeedOrASecretChangesTheHash() {
        Secret secret = new Secret(-7, 9);
        try (Filter seeded = new Filter(Options.last(9).seed(-5).build());
            Filter given = new Filter(Options.last(9).keyed(true).secret(secret).build());
            Filter drawn = new Filter(Options.last(9).keyed(true).build())) {
            assertEquals(Lately.hash64(new byte[] {'a'}, -5), seeded.hash("a"));
            assertNotEquals(Lately.hash64(new byte[] {'a'}, 0), seeded.hash("a"));
            assertEquals(secret, given.secret());
            assertEquals(secret.hashCode(), given.secret().hashCode());
            assertNotEquals(new Secret(0, 0), drawn.secret());
            Try.fails(Status.UNSUPPORTED, seeded::secret);
            Try.fails(Status.UNSUPPORTED, () -> given.hash("a"));
            Try.fails(Status.UNSUPPORTED, () -> given.hash(1L));
            Try.fails(Status.UNSUPPORTED, () -> given.hash(Try.direct(new byte[1])));
        }
    }

    @Test
    void theOptionsOfAFilterMakeItsLike() {
        try (Filter filter = new Filter(Options.last(1000).errorRate(0.001).build()); Filter like = new Filter(filter.options())) {
            assertEquals(0.001, like.options().errorRate());
            assertEquals(filter.options().toString(), like.options().toString());
            assertEquals(filter.stats().toString(), like.stats().toString());
        }
    }

    private static boolean tells(String text) {
        for (long word : new long[] {SECRET.lo(), SECRET.hi()}) {
            for (String shown : List.of(Long.toString(word), Long.toUnsignedString(word), Long.toHexString(word))) {
                if (text.toLowerCase(java.util.Locale.ROOT).contains(shown)) {
                    return true;
                }
            }
        }
        return false;
    }

    @Test
    void nothingShowsASecret() {
        Options options = Options.last(1000).keyed(true).secret(SECRET).build();
        try (Filter filter = new Filter(options)) {
            for (Object shown : List.of(SECRET, options, new LoadOptions().secret(SECRET), filter, filter.stats(),
                filter.secret())) {
                assertFalse(tells(shown.toString()), shown.toString());
            }
        }
        assertEquals("Options[kind=WINDOW_TABLE, windowKeys=1000, keyed=1, secret=hidden]",
            options.toString());
        assertEquals("LoadOptions[memory=5, newMemory=6, secret=hidden, shared=true]",
            new LoadOptions().memory(5).newMemory(6).secret(SECRET).toString());
    }

    @Test
    void aFilterIsOneLine() {
        Filter shared = new Filter(Options.last(1000).build());
        Filter alone = Filter.unshared(Options.window(Duration.ofSeconds(10)).build());
        assertTrue(shared.toString().startsWith("Filter[window-table, window 1000 keys, "), shared.toString());
        assertTrue(alone.toString().startsWith("Filter[window-table, window 10s, "), alone.toString());
        assertFalse(shared.toString().contains("\n"));
        shared.close();
        alone.close();
        assertEquals("Filter[closed]", shared.toString());
        assertEquals("Filter[closed]", alone.toString());
    }

    /** Ticks have no sign: those of the last 292 years are below 0 in a long. */
    @Test
    void statsShowTicksWithoutASign() {
        try (Filter filter = new Filter(Options.window(Duration.ofSeconds(10)).clock(ClockSource.MANUAL)
            .maxStep(Duration.ofNanos(2)).build())) {
            filter.advance(-5L);
            assertThrows(LatelyException.class, () -> filter.at(-2L).insert("key"));
            String shown = filter.stats().toString();
            assertTrue(shown.contains(", clock=18446744073709551611, "), shown);
            assertTrue(shown.contains(", lastRefusedTick=18446744073709551614, "), shown);
        }
    }
}
