package dev.lately;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Claims as objects: their verdicts and tokens, their refusals, and what becomes of one when its block is left. */
class ClaimTest {
    private static Options.Builder manual() {
        return Options.window(Duration.ofSeconds(10)).clock(ClockSource.MANUAL).lease(Duration.ofSeconds(2)).maxClaims(3);
    }

    private static Options system() {
        return Options.window(Duration.ofMinutes(10)).lease(Duration.ofSeconds(30)).build();
    }

    @ParameterizedTest
    @EnumSource
    void claim_ofEachState_hasItsVerdictAndToken(EitherHandle held) {
        try (Filter seen = held.filter(system())) {
            seen.insert("done");
            Claim first = seen.claim("a");
            Claim again = seen.claim("a");
            Claim done = seen.claim("done");
            assertEquals(List.of(Verdict.NEW, Verdict.PENDING, Verdict.DUPLICATE),
                List.of(first.verdict(), again.verdict(), done.verdict()));
            assertEquals(List.of(true, false, false), List.of(first.isNew(), again.isNew(), done.isNew()));
            assertEquals("Claim[verdict=NEW, token=" + Long.toUnsignedString(first.token()) + "]", first.toString());
            assertEquals("Claim[verdict=PENDING, token=0]", again.toString());
            Stats stats = seen.stats();
            assertEquals(List.of(1L, 65_536L, 0L, 1L),
                List.of(stats.openClaims(), stats.maxClaims(), stats.expiredClaims(), stats.pending()));
            try (Filter copy = seen.copy(); Filter loaded = Filter.load(seen.snapshot(), Duration.ZERO, new LoadOptions())) {
                assertEquals(Committed.IN_TIME, copy.commit("a", first.token()));
                assertEquals(Committed.IN_TIME, loaded.commit("a", first.token()));
            }
        }
    }

    @Test
    void commit_findsInTimeLateOrAlready() {
        try (Filter seen = EitherHandle.SHARED.filter(manual().build())) {
            Claim late = seen.at(0).claim("a");
            assertEquals(Committed.LATE, late.commitAt(Instant.ofEpochSecond(3)));
            assertEquals(Committed.ALREADY, seen.commit("a", late.token()));
            assertEquals(Committed.IN_TIME, seen.claim("b").commitAt(4_000_000_000L));
            assertEquals(4_000_000_000L, seen.stats().clock());
            assertArrayEquals(new int[] {0, 1, 2}, Arrays.stream(Committed.values()).mapToInt(Committed::code).toArray());
        }
    }

    @Test
    void keyThatChanges_isTheOneThatWasClaimed() {
        byte[] key = "before".getBytes(StandardCharsets.UTF_8);
        try (Filter seen = new Filter(system()); Claim claim = seen.claim(key)) {
            key[0] = 'x';
            assertEquals(Committed.IN_TIME, claim.commit());
            assertEquals(Verdict.DUPLICATE, seen.contains("before"));
        }
    }

    @Test
    void blockThatCommitted_storesOnce() {
        try (Filter seen = new Filter(system())) {
            try (Claim claim = seen.claim("a")) {
                assertEquals(Committed.IN_TIME, claim.commit());
                Try.fails(Status.CLAIM, claim::commit);
                claim.abandon();
            }
            assertEquals(Verdict.DUPLICATE, seen.claim("a").verdict());
        }
    }

    @Test
    void blockThatThrowsOrLeavesEarly_abandons() {
        try (Filter seen = new Filter(system())) {
            assertThrows(IOException.class, () -> {
                try (Claim claim = seen.claim("a")) {
                    throw new IOException("the work of " + claim + " failed");
                }
            });
            assertFalse(worked(seen));
            assertEquals(0, seen.stats().openClaims());
            assertEquals(Verdict.NEW, seen.contains("a"));
        }
    }

    private static boolean worked(Filter seen) {
        try (Claim claim = seen.claim("a")) {
            return !claim.isNew();
        }
    }

    @Test
    void blockOfAClaimThatIsNotNew_endsNothing() {
        try (Filter seen = new Filter(system()); Claim owner = seen.claim("a")) {
            try (Claim other = seen.claim("a")) {
                assertEquals(Verdict.PENDING, other.verdict());
                Try.fails(Status.CLAIM, other::commit);
            }
            assertEquals(Committed.IN_TIME, owner.commit());
        }
    }

    @Test
    void commitThatFails_leavesTheClaimOpenForAbandon() {
        try (Filter seen = EitherHandle.SHARED.filter(manual().maxStep(Duration.ofMinutes(1)).build())) {
            try (Claim claim = seen.claim("a")) {
                Try.fails(Status.TICK, () -> claim.commitAt(Instant.ofEpochSecond(100)));
                assertEquals(1, seen.stats().openClaims());
            }
            assertEquals(0, seen.stats().openClaims());
        }
    }

    @Test
    void closeOfAClaim_throwsNothingIfTheFilterIsClosed() {
        Filter seen = new Filter(system());
        Claim claim = seen.claim("a");
        seen.close();
        assertThrows(IllegalStateException.class, claim::abandon);
        assertThrows(IllegalStateException.class, claim::commit);
        claim.close();
        claim.close();
    }
}
