package dev.lately;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a log gets to see: no secret, one line of a filter, ticks without a sign. */
class ShowTest {
    private static final Secret SECRET = new Secret(1234567890123456789L, 0xABCDEF0123456789L);

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
