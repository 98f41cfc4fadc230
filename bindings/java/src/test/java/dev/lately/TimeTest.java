package dev.lately;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Ticks, dates, and which clock is used. */
class TimeTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.000000006Z");
    private static final Instant LAST = Instant.parse("2554-07-21T23:34:33.709551614Z");

    @Test
    void theEndsOfTimeHaveTicks() {
        assertEquals(0, Ticks.of(Instant.EPOCH));
        assertEquals(-2L, Ticks.of(LAST));
        assertEquals(LAST, Ticks.instant(-2L));
        assertEquals(NOW, Ticks.instant(Ticks.of(NOW)));
        assertEquals(1_767_323_045_000_000_006L, Ticks.of(NOW));
    }

    @Test
    void whatIsBeyondThemIsNamed() {
        for (Instant beyond : new Instant[] {Instant.EPOCH.minusNanos(1), LAST.plusNanos(1), Instant.MIN, Instant.MAX}) {
            LatelyException error = Try.fails(Status.TICK, () -> Ticks.of(beyond));
            assertTrue(error.getMessage().contains(beyond.toString()), error.getMessage());
            assertTrue(error.getMessage().contains("1970-01-01T00:00:00Z to " + LAST), error.getMessage());
        }
        try (Filter filter = Try.filter()) {
            assertEquals("TICK: tick = 18446744073709551615: must be 0 to 18446744073709551614",
                Try.fails(Status.TICK, () -> filter.at(-1L)).getMessage());
            Try.fails(Status.TICK, () -> filter.at(Instant.EPOCH.minusSeconds(1)).observe("key"));
            Try.fails(Status.TICK, () -> filter.advance(Instant.MAX));
            assertEquals(0, filter.stats().newCount());
            filter.at(NOW).observe("key");
            assertEquals(Ticks.of(NOW), filter.stats().clock());
            filter.advance(NOW.plusSeconds(1));
            assertEquals(Ticks.of(NOW) + 1_000_000_000L, filter.stats().clock());
        }
    }

    @Test
    void ticksAreUnsigned() {
        try (Filter filter = Try.filter()) {
            filter.advance(Long.MAX_VALUE);
            filter.at(Long.MIN_VALUE).insert("key");
            assertEquals(Long.MIN_VALUE, filter.stats().clock());
            assertEquals(0, filter.stats().lateTicks());
        }
    }

    @Test
    void theSystemsClockTakesNoTicks() {
        try (Filter filter = new Filter(Options.timeLimited(Duration.ofSeconds(10)).k(4).l(3).fill(0.5).build())) {
            assertEquals(Verdict.NEW, filter.observe("key"));
            assertEquals(Verdict.DUPLICATE, filter.observe("key"));
            Try.fails(Status.CLOCK, () -> filter.at(1).observe("key"));
            Try.fails(Status.CLOCK, () -> filter.at(1).insert(1L));
            Try.fails(Status.CLOCK, () -> filter.at(1).contains(new byte[1]));
            Try.fails(Status.CLOCK, () -> filter.advance(1));
            Try.fails(Status.CLOCK, () -> filter.insertAll(Keys.of(new long[1]).at(new long[1])));
        }
    }
}
