package dev.lately;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
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

    /** What a test puts in the place of a filter gets the bytes that a filter would have. */
    @Test
    void implementationOfATestGetsTheBytesAndHasObserveAlone() {
        List<byte[]> keys = new ArrayList<>();
        DuplicateFilter spy = key -> {
            keys.add(key);
            return Verdict.NEW;
        };
        spy.observe(new UUID(1, 2));
        spy.observe(new StringBuilder("\u00e9"));
        spy.observe(7);
        spy.close();
        assertTrue(spy.first("\u00e9") && spy.first(7));
        for (Executable call : List.<Executable>of(
            () -> spy.contains("a"), () -> spy.contains(7L), () -> spy.claim("a"), spy::stats)) {
            String said = assertThrows(UnsupportedOperationException.class, call).getMessage();
            assertTrue(said.endsWith(": this DuplicateFilter has observe alone"), said);
        }
        assertArrayEquals(new byte[][] {{0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2}, {(byte) 0xc3, (byte) 0xa9},
            {7, 0, 0, 0, 0, 0, 0, 0}}, keys.subList(0, 3).toArray());
    }
}
