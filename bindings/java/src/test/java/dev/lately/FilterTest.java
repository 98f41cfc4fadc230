package dev.lately;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The verbs that are not about one key: copy, clear, figures, seed and secret. */
class FilterTest {
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

    /** The builder and a filter's own options are those that make its like. */
    @Test
    void theOptionsOfAFilterMakeItsLike() {
        try (Filter filter = new Filter(Options.last(1000).errorRate(0.001).build()); Filter like = new Filter(filter.options())) {
            assertEquals(0.001, like.options().errorRate());
            assertEquals(filter.options().toString(), like.expect(filter.options()).options().toString());
            assertEquals(filter.stats().toString(), like.stats().toString());
            assertFalse(filter.options().isManual());
        }
    }
}
