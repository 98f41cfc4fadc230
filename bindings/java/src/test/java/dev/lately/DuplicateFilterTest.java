package dev.lately;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** The interface of most programs: its calls, its conditions, a clock of a test, and options that are null. */
class DuplicateFilterTest {
    private static final Duration HOUR = Duration.ofHours(1);

    /** A clock that a test moves. */
    private static final class Hand extends Clock {
        private Instant now = Instant.parse("2026-03-01T12:00:00Z");

        void wait(Duration span) {
            now = now.plus(span);
        }

        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }

    @Test
    void filterHasEveryCallOfTheInterface() {
        try (DuplicateFilter seen = new Filter(Options.window(HOUR).lease(Duration.ofMinutes(1)).build())) {
            byte[] bytes = "a".getBytes(StandardCharsets.UTF_8);
            assertEquals(Verdict.NEW, seen.contains("a"));
            assertTrue(seen.first("a"));
            assertFalse(seen.first(bytes));
            assertEquals(Verdict.DUPLICATE, seen.contains(bytes));
            assertTrue(seen.first(7L));
            assertFalse(seen.first(7L));
            assertEquals(Verdict.DUPLICATE, seen.contains(7L));
            assertTrue(seen.first(new UUID(1, 2)));
            assertFalse(seen.first(new UUID(1, 2)));
            try (Claim claim = seen.claim("b")) {
                assertEquals(Verdict.PENDING, seen.claim("b".getBytes(StandardCharsets.UTF_8)).verdict());
                claim.commit();
            }
            assertEquals(Verdict.DUPLICATE, seen.contains("b"));
            assertEquals(4, seen.stats().newCount());
        }
    }

    @Test
    void implementationOfATestHasObserveAloneAndSaysSo() {
        DuplicateFilter never = key -> Verdict.NEW;
        assertTrue(never.first("a"));
        for (Executable call : List.<Executable>of(
            () -> never.contains("a"), () -> never.contains(7L), () -> never.claim("a"), never::stats)) {
            String said = assertThrows(UnsupportedOperationException.class, call).getMessage();
            assertTrue(said.endsWith(": this DuplicateFilter has observe alone"), said);
        }
    }

    @Test
    void firstByPassesOnTheItemsOfAStreamThatAreNew() {
        try (Filter seen = new Filter(Options.last(100).build())) {
            List<Integer> lengths = Stream.of("a", "bb", "c", "ddd", "ee")
                .filter(seen.firstBy(word -> String.valueOf(word.length())))
                .map(String::length)
                .collect(Collectors.toList());
            assertEquals(List.of(1, 2, 3), lengths);
            assertEquals("key", assertThrows(NullPointerException.class, () -> seen.firstBy(null)).getMessage());
        }
    }

    @Test
    void clockOfATestMovesTheWindow() {
        Hand hand = new Hand();
        Options options = Options.window(HOUR).clock(ClockSource.MANUAL).lease(Duration.ofMinutes(1)).build();
        try (Filter filter = new Filter(options)) {
            DuplicateFilter seen = filter.by(hand);
            assertTrue(seen.first("a"));
            assertTrue(seen.first(7L));
            assertTrue(seen.first(new UUID(1, 2)));
            hand.wait(HOUR);
            assertEquals(Verdict.DUPLICATE, seen.contains("a"));
            assertFalse(seen.first(7L));
            assertFalse(seen.first(new UUID(1, 2)));
            hand.wait(Duration.ofMinutes(30));
            assertEquals(Verdict.NEW, seen.contains("a"));
            assertFalse(seen.first(7L));
            assertEquals(Verdict.NEW, seen.claim("work").verdict());
            assertEquals(Verdict.PENDING, seen.claim("work").verdict());
            hand.wait(Duration.ofMinutes(2));
            assertEquals(Verdict.NEW, seen.claim("work").verdict());
            assertEquals(filter.stats().newCount(), seen.stats().newCount());
            seen.close();
            assertEquals(Verdict.DUPLICATE, filter.at(hand.instant()).contains(7L));
            assertEquals("clock", assertThrows(NullPointerException.class, () -> filter.by(null)).getMessage());
        }
    }

    @Test
    void nullIsNamed() {
        Options.Builder builder = Options.last(100);
        List<String> named = List.of("kind", "clock", "repeat", "onLimit", "variant", "secret", "window", "maxStep", "lateness", "lease");
        List<Consumer<Options.Builder>> calls = List.of(
            b -> b.kind(null), b -> b.clock(null), b -> b.repeat(null), b -> b.onLimit(null), b -> b.variant(null),
            b -> b.secret(null), b -> b.window(null), b -> b.maxStep(null), b -> b.lateness(null), b -> b.lease(null));
        for (int i = 0; i < named.size(); i++) {
            Consumer<Options.Builder> call = calls.get(i);
            assertEquals(named.get(i), assertThrows(NullPointerException.class, () -> call.accept(builder)).getMessage());
        }
        assertEquals("window", assertThrows(NullPointerException.class, () -> Options.window(null)).getMessage());
        assertEquals("options", assertThrows(NullPointerException.class, () -> new Filter(null)).getMessage());
        assertEquals("options", assertThrows(NullPointerException.class, () -> Filter.unshared(null)).getMessage());
        assertNotNull(builder.build());
    }

    @Test
    void spansInMessagesAreDurations() {
        assertEquals("lease = PT1H: must be PT0.000000001S to PT10M",
            refusal(() -> new Filter(Options.window(Duration.ofMinutes(10)).lease(HOUR).build())));
        assertEquals("window = PT10M: cannot be combined with windowKeys",
            refusal(() -> Options.window(Duration.ofMinutes(10)).windowKeys(5).build().plan()));
        try (Filter filter = new Filter(Options.window(HOUR).build())) {
            byte[] saved = filter.snapshot();
            assertEquals("elapsed = PT-1H: must be at least PT0S", refusal(() -> Filter.load(saved, HOUR.negated(), new LoadOptions())));
        }
    }

    private static String refusal(Executable call) {
        return assertThrows(LatelyException.class, call).getMessage().replaceFirst("^[A-Z]+ ?(\\(.*\\))?: ", "");
    }

    @Test
    void secretIsItsHexadecimalDigits() {
        assertEquals(new Secret(0x0706050403020100L, 0x0f0e0d0c0b0a0908L), Secret.ofHex("000102030405060708090a0B0C0d0e0f"));
        assertEquals(new Secret(-1, -1), Secret.ofHex("ffffffffffffffffffffffffffffffff"));
        for (String text : List.of("", "00", "0".repeat(31), "0".repeat(33), "g" + "0".repeat(31), "-" + "1".repeat(31))) {
            assertEquals(Status.SECRET, assertThrows(LatelyException.class, () -> Secret.ofHex(text)).status());
        }
    }
}
