package dev.lately;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How long ago a key was seen: against the true ages, at exact moments. */
class AgeTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Sighting NEW = new Sighting(Verdict.NEW, 0, 0);

    private static Filter filter(EitherHandle held) {
        return held.filter(Options.window(Duration.ofSeconds(70)).clock(ClockSource.MANUAL).build());
    }

    private static void isAround(Sighting sighting, long truth, long generation) {
        assertEquals(Verdict.DUPLICATE, sighting.verdict());
        assertTrue(sighting.atLeast() <= truth && sighting.atMost() >= truth
            && sighting.atMost() - sighting.atLeast() <= generation, truth + " ago is " + sighting);
    }

    @ParameterizedTest
    @EnumSource(EitherHandle.class)
    void theAgeOfTimeIsABracketAroundTheTruth(EitherHandle held) {
        for (long after = 0; after <= 70; after++) {
            try (Filter filter = filter(held)) {
                long then = after * SECOND;
                assertEquals(NEW, filter.at(0).observeAge("key"));
                isAround(filter.at(then).containsAge("key"), then, 10 * SECOND);
                isAround(filter.at(then).observeAge("key"), then, 10 * SECOND);
                isAround(filter.containsAge("key"), 0, 10 * SECOND);
                isAround(filter.observeAge("key"), 0, 10 * SECOND);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(EitherHandle.class)
    void theAgeOfKeysCountsObservationsAndInsertions(EitherHandle held) {
        int window = 700;
        try (Filter filter = held.filter(Options.last(window).build())) {
            filter.insert("key");
            for (int ago = 1; ago <= window; ago++) {
                isAround(filter.containsAge("key"), ago, window / 7 + window / 7 / 8 + 2);
                filter.observe(ago);
            }
        }
    }

    /** Each form of a key is the same key. */
    @Test
    void everyFormIsTheSameKey() {
        byte[] key = {0, 'k', 0, 0, 0, 0, 0, 0, 0, 9};
        byte[] word = {'k', 0, 0, 0, 0, 0, 0, 0};
        try (Filter filter = filter(EitherHandle.SHARED)) {
            assertEquals(NEW, filter.observeAge((long) 'k'));
            ByteBuffer direct = Try.direct(word);
            for (Sighting sighting : new Sighting[] {filter.observeAge(word), filter.observeAge(ByteBuffer.wrap(key, 1, 8)),
                filter.observeAge("k\0\0\0\0\0\0\0"), filter.observeAge((long) 'k'), filter.observeAge(direct),
                filter.observeAge(ByteBuffer.wrap(word).asReadOnlyBuffer()),
                filter.containsAge(word), filter.containsAge(ByteBuffer.wrap(key, 1, 8)), filter.containsAge("k\0\0\0\0\0\0\0"),
                filter.containsAge((long) 'k'), filter.containsAge(direct)}) {
                isAround(sighting, 0, 10 * SECOND);
            }
            assertEquals(8, direct.remaining());
            assertEquals("1 6", filter.stats().newCount() + " " + filter.stats().duplicateCount());
        }
    }

    @Test
    void everyFormOfAMomentIsTheSame() {
        byte[] key = {'k', 0, 0, 0, 0, 0, 0, 0};
        Instant then = Instant.EPOCH.plusSeconds(25);
        long tick = 25 * SECOND;
        try (Filter filter = filter(EitherHandle.SHARED)) {
            filter.at(0).insert(key);
            Sighting first = filter.at(tick).containsAge(key);
            isAround(first, tick, 10 * SECOND);
            for (Sighting sighting : new Sighting[] {filter.at(then).containsAge(key),
                filter.at(tick).containsAge("k\0\0\0\0\0\0\0"), filter.at(then).containsAge("k\0\0\0\0\0\0\0"),
                filter.at(tick).containsAge((long) 'k'), filter.at(then).containsAge((long) 'k'),
                filter.at(tick).containsAge(ByteBuffer.wrap(key)), filter.at(then).containsAge(ByteBuffer.wrap(key)),
                filter.at(then).observeAge(key)}) {
                assertEquals(first, sighting);
                assertEquals(first.hashCode(), sighting.hashCode());
                assertEquals(first.toString(), sighting.toString());
            }
            for (Sighting sighting : new Sighting[] {filter.at(tick).observeAge(key),
                filter.at(tick).observeAge("k\0\0\0\0\0\0\0"), filter.at(then).observeAge("k\0\0\0\0\0\0\0"),
                filter.at(tick).observeAge((long) 'k'), filter.at(then).observeAge((long) 'k'),
                filter.at(tick).observeAge(ByteBuffer.wrap(key)), filter.at(then).observeAge(ByteBuffer.wrap(key))}) {
                isAround(sighting, 0, 10 * SECOND);
                assertNotEquals(first, sighting);
            }
        }
    }

    @Test
    void aSightingOfTimeHasDurations() {
        Sighting sighting = new Sighting(Verdict.DUPLICATE, SECOND, -1L);
        assertEquals(Duration.ofSeconds(1), sighting.atLeastTime());
        assertEquals(Duration.ofSeconds(18_446_744_073L, 709_551_615), sighting.atMostTime());
        assertEquals("Sighting[verdict=DUPLICATE, atLeast=1000000000, atMost=18446744073709551615]", sighting.toString());
    }

    @ParameterizedTest
    @EnumSource(EitherHandle.class)
    void onlyTheWindowTableHasAges(EitherHandle held) throws IOException {
        for (Script.Row row : Script.rows()) {
            try (Filter filter = row.filter(held)) {
                if (row.kind() == Kind.WINDOW_TABLE) {
                    assertEquals(NEW, filter.observeAge("a"));
                } else {
                    Try.fails(Status.UNSUPPORTED, () -> filter.observeAge("a"));
                    Try.fails(Status.UNSUPPORTED, () -> filter.containsAge("a"));
                    assertEquals(Verdict.NEW, filter.contains("a"));
                }
            }
        }
    }

    @Test
    void whatIsRefusedChangesNothing() {
        Options.Builder options = Options.window(Duration.ofSeconds(70));
        try (Filter system = new Filter(options.build());
            Filter manual = new Filter(options.clock(ClockSource.MANUAL).maxStep(Duration.ofSeconds(70)).build())) {
            Try.fails(Status.CLOCK, () -> system.at(1).observeAge("key"));
            manual.advance(1);
            Try.fails(Status.TICK, () -> manual.at(70 * SECOND + 2).observeAge("key"));
            Try.fails(Status.TICK, () -> manual.at(Instant.EPOCH.minusNanos(1)).containsAge("key"));
            assertEquals(NEW, manual.containsAge("key"));
            assertEquals(0, manual.stats().newCount());
            manual.close();
            assertThrows(IllegalStateException.class, () -> manual.observeAge("key"));
        }
    }
}
