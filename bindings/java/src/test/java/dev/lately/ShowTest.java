package dev.lately;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What a log gets to see: no secret, one line of a filter, errors in the words of this package. */
class ShowTest {
    private static final Secret SECRET = new Secret(1234567890123456789L, 0xABCDEF0123456789L);

    /** A set, which has no window. */
    private static final Supplier<Options.Builder> SET = () -> Options.of(Kind.values()[2]).capacity(5);

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

    private static String message(Supplier<?> call) {
        LatelyException error = assertThrows(LatelyException.class, call::get);
        assertEquals(Status.OPTION, error.status());
        return error.getMessage();
    }

    @Test
    void errorsSpeakJava() {
        assertTrue(message(() -> Options.last(5).errorRate(7).build().plan()).contains("errorRate = 7: must be"));
        assertTrue(message(() -> SET.get().repeat(Repeat.KEEP_FIRST).build().plan())
            .contains("repeat = KEEP_FIRST: " + Kind.values()[2] + " does not take this option"));
        assertTrue(message(() -> Options.last(5).onLimit(OnLimit.RAISE_ERROR_RATE).build().plan())
            .contains("onLimit = RAISE_ERROR_RATE: cannot be combined with windowKeys"));
        assertTrue(message(() -> Options.window(Duration.ofSeconds(5)).onLimit(OnLimit.RAISE_ERROR_RATE).build().plan())
            .contains("onLimit = RAISE_ERROR_RATE: must be FORGET_OLDEST; the kind time-limited keeps the window"));
        assertTrue(message(() -> Options.last(5).maxStep(Duration.ofNanos(1)).build().plan()).contains("maxStep = PT0.000000001S: cannot be"));
        assertTrue(message(() -> Options.last(5).memory(Long.MAX_VALUE).build().plan()).contains("memory = "));
        String unknown = message(() -> Options.last(5).raw(Field.KIND, 0).build().plan());
        assertTrue(unknown.contains("kind = 0: must be one of Kind"), unknown);
    }

    /** 4 << 30 is 0 and 2 << 30 less than that, and either would be a filter without a limit. */
    @Test
    void aSizeThatIsNoneIsRefused() {
        assertTrue(message(() -> Options.last(5).memory(4 << 30)).contains("memory = 0 bytes: must be at least 1"));
        assertTrue(message(() -> SET.get().capacity(0)).contains("capacity = 0"));
        assertTrue(message(() -> Options.last(0)).contains("windowKeys = 0"));
        assertTrue(message(() -> Options.window(Duration.ZERO)).contains("window = PT0S: must be PT0.000000001S to"));
        assertTrue(message(() -> Options.window(Duration.ofNanos(-1))).contains("must be PT0.000000001S to"));
        assertTrue(message(() -> Options.last(5).memory(2 << 30)).contains("memory = -2147483648 bytes: must be at least 1;"));
        assertTrue(message(() -> new LoadOptions().memory(4 << 30)).contains("memory = 0"));
        assertTrue(message(() -> new LoadOptions().newMemory(4 << 30)).contains("newMemory = 0"));
        assertTrue(message(() -> new LoadOptions().memory(2 << 30)).contains("memory = -2147483648 bytes: must be at least 1;"));
        assertTrue(message(() -> new LoadOptions().newMemory(2 << 30)).contains("or -1 for no limit"));
    }
}
