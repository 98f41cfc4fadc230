package dev.lately;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The verbs that are not about one key: copy, clear, figures, seed and secret. */
class FilterTest {
    @Test
    void figuresCount() {
        try (Filter filter = Try.filter()) {
            filter.at(7).observe("a");
            filter.at(5).observe("a");
            filter.at(9).observe("b");
            Stats stats = filter.stats();
            assertEquals("2 1 1 0 9", stats.newCount() + " " + stats.duplicateCount() + " " + stats.lateTicks() + " "
                + stats.refusedTicks() + " " + stats.clock());
            assertEquals(Duration.ofSeconds(10), stats.reach());
            assertEquals(2, stats.items());
            assertTrue(stats.bytes() > 0 && stats.bytesPeak() >= stats.bytes() && stats.slices() >= 4, stats.toString());
            assertTrue(stats.errorRate() > 0 && stats.errorRate() < 0.1, stats.toString());
            filter.statsReset();
            assertEquals(0, filter.stats().newCount() + filter.stats().duplicateCount() + filter.stats().lateTicks());
            assertEquals(9, filter.stats().clock());
        }
    }

    @Test
    void atTheLimitTheWindowShortens() {
        try (Filter filter = new Filter(Options.timeLimited(Duration.ofSeconds(10)).clock(ClockSource.MANUAL)
            .memory(1024).build())) {
            for (int i = 0; i < 20_000; i++) {
                filter.at(i * 1_000_000L).insert(i);
            }
            Stats stats = filter.stats();
            assertTrue(stats.bytesPeak() <= 1024 && stats.forgotten() > 0, stats.toString());
            assertTrue(stats.reach().compareTo(Duration.ofSeconds(10)) < 0, stats.toString());
        }
    }

    @Test
    void aCopyIsEqualAndApart() {
        try (Filter filter = Try.filter()) {
            filter.observe("a");
            try (Filter copy = filter.copy()) {
                assertEquals(filter.stats().toString(), copy.stats().toString());
                assertEquals(Verdict.DUPLICATE, copy.observe("a"));
                assertEquals(Verdict.NEW, copy.observe("b"));
            }
            assertEquals(Verdict.NEW, filter.observe("b"));
        }
    }

    @Test
    void clearForgetsClockAndCounters() {
        try (Filter filter = Try.filter()) {
            filter.at(1000).observe("a");
            filter.clear();
            assertEquals(Verdict.NEW, filter.at(5).observe("a"));
            assertEquals("1 0 5", filter.stats().newCount() + " " + filter.stats().lateTicks() + " "
                + filter.stats().clock());
        }
    }

    @Test
    void keepFirstDoesNotRenew() {
        try (Filter filter = EitherHandle.SHARED.filter(Try.manual().repeat(Repeat.KEEP_FIRST).build())) {
            filter.at(0).observe("a");
            filter.at(9_000_000_000L).observe("a");
            assertEquals(Verdict.NEW, filter.at(40_000_000_000L).contains("a"));
        }
    }

    @Test
    void aSeedChangesTheHash() {
        try (Filter plain = Try.filter(); Filter seeded = EitherHandle.SHARED.filter(Try.manual().seed(-5).build())) {
            assertNotEquals(plain.hash("a"), seeded.hash("a"));
            assertEquals(Lately.hash64(new byte[] {'a'}, -5), seeded.hash("a"));
        }
    }

    @Test
    void aSecretIsGivenOrDrawn() {
        Secret secret = new Secret(-7, 9);
        try (Filter given = EitherHandle.SHARED.filter(Try.manual().keyed(true).secret(secret).build());
            Filter drawn = EitherHandle.SHARED.filter(Try.manual().keyed(true).build()); Filter plain = Try.filter()) {
            assertEquals(secret, given.secret());
            assertEquals(secret.hashCode(), given.secret().hashCode());
            assertNotEquals(new Secret(0, 0), drawn.secret());
            Try.fails(Status.UNSUPPORTED, plain::secret);
            Try.fails(Status.UNSUPPORTED, () -> given.hash("a"));
            Try.fails(Status.UNSUPPORTED, () -> given.hash(1L));
            Try.fails(Status.UNSUPPORTED, () -> given.hash(Try.direct(new byte[1])));
            Try.fails(Status.UNSUPPORTED, () -> given.observeAll(Keys.ofHashes(new long[1])));
        }
    }
}
