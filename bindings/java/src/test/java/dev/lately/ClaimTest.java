package dev.lately;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Claims: what is seen only once its work is done, at exact moments, in every form, by threads and in snapshots. */
class ClaimTest {
    private static final long SECOND = 1_000_000_000L;

    private static Options.Builder manual() {
        return Options.window(Duration.ofSeconds(10)).clock(ClockSource.MANUAL).lease(Duration.ofSeconds(2)).maxClaims(3);
    }

    private static Options system() {
        return Options.window(Duration.ofMinutes(10)).lease(Duration.ofSeconds(30)).build();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    // ---- verdicts ----

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
            assertNotEquals(0, first.token());
            assertEquals("Claim[verdict=PENDING, token=0]", again.toString());
            assertEquals(0, done.token());
            Stats stats = seen.stats();
            assertEquals(List.of(1L, 65_536L, 0L, 1L),
                List.of(stats.openClaims(), stats.maxClaims(), stats.expiredClaims(), stats.pending()));
        }
    }

    @ParameterizedTest
    @EnumSource
    void otherVerbs_whileAClaimIsOpen_areDuplicateOrCloseIt(EitherHandle held) {
        try (Filter seen = held.filter(manual().build())) {
            long token = seen.at(5 * SECOND).claim("a").token();
            assertEquals(Verdict.DUPLICATE, seen.contains("a"));
            assertEquals(Verdict.DUPLICATE, seen.observe("a"));
            seen.abandon("a", token);
            assertEquals(Verdict.NEW, seen.contains("a"));
            long second = seen.claim("a").token();
            seen.insert("a");
            assertEquals(Committed.ALREADY, seen.commit("a", second));
            assertEquals(0, seen.stats().openClaims());
        }
    }

    @ParameterizedTest
    @EnumSource
    void commit_findsInTimeLateOrAlready(EitherHandle held) {
        try (Filter seen = held.filter(manual().build())) {
            long a = seen.at(0).claim("a").token();
            assertEquals(Committed.IN_TIME, seen.at(2 * SECOND).commit("a", a));
            assertEquals(Committed.ALREADY, seen.at(2 * SECOND).commit("a", a));
            long b = seen.at(3 * SECOND).claim("b").token();
            assertEquals(Committed.LATE, seen.at(6 * SECOND).commit("b", b));
            assertEquals(Verdict.DUPLICATE, seen.at(6 * SECOND).claim("b").verdict());
            assertArrayEquals(new int[] {0, 1, 2}, Arrays.stream(Committed.values()).mapToInt(Committed::code).toArray());
        }
    }

    @Test
    void commit_storesAtItsOwnTime() {
        try (Filter seen = EitherHandle.SHARED.filter(manual().build())) {
            Claim claim = seen.at(0).claim("a");
            claim.commitAt(2 * SECOND);
            assertEquals(Verdict.DUPLICATE, seen.at(12 * SECOND).contains("a"));
            assertEquals(Verdict.NEW, seen.at(30 * SECOND).contains("a"));
        }
    }

    @Test
    void lateCommit_takesTheClaimOfTheNextOwner() {
        try (Filter seen = EitherHandle.SHARED.filter(manual().build())) {
            long first = seen.at(0).claim("a").token();
            long second = seen.at(3 * SECOND).claim("a").token();
            assertNotEquals(first, second);
            assertEquals(Committed.LATE, seen.at(3 * SECOND).commit("a", first));
            assertEquals(Committed.ALREADY, seen.at(3 * SECOND).commit("a", second));
        }
    }

    @ParameterizedTest
    @EnumSource
    void lease_thatLastedExactly_isOpenAndANanosecondLaterOver(EitherHandle held) {
        try (Filter seen = held.filter(manual().build())) {
            seen.at(7).claim("a");
            assertEquals(Verdict.PENDING, seen.at(7 + 2 * SECOND).claim("a").verdict());
            assertEquals(Verdict.NEW, seen.at(8 + 2 * SECOND).claim("a").verdict());
            assertEquals(1, seen.stats().expiredClaims());
        }
    }

    // ---- keys ----

    /** A verb on some form of a key. */
    private interface Form {
        Claim claim(Filter seen);
    }

    @Test
    void everyFormOfAKey_claimsItsBytes() {
        UUID uuid = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");
        ByteBuffer buffer = Try.direct(utf8("..buffer."));
        buffer.position(2).limit(8);
        claimsItsBytes(utf8("bytes"), seen -> seen.claim(utf8("bytes")));
        claimsItsBytes(utf8("buffer"), seen -> seen.claim(buffer));
        claimsItsBytes(utf8("buffer"), seen -> seen.claim(ByteBuffer.wrap(utf8("buffer"))));
        claimsItsBytes(utf8("Gr\u00fc\u00dfe"), seen -> seen.claim("Gr\u00fc\u00dfe"));
        claimsItsBytes(new byte[] {55, 0, 0, 0, 0, 0, 0, 0}, seen -> seen.claim(55));
        claimsItsBytes(Bytes.of(uuid), seen -> seen.claim(uuid));
        claimsItsBytes(new byte[0], seen -> seen.claim(""));
        claimsItsBytes(new byte[3000], seen -> seen.claim(new byte[3000]));
        assertEquals(2, buffer.position());
    }

    private static void claimsItsBytes(byte[] bytes, Form form) {
        try (Filter seen = new Filter(system())) {
            Claim claim = form.claim(seen);
            assertTrue(claim.isNew());
            assertEquals(Verdict.PENDING, seen.claim(bytes).verdict());
            assertEquals(Committed.IN_TIME, claim.commit());
            assertEquals(Verdict.DUPLICATE, seen.contains(bytes));
        }
    }

    @Test
    void everyFormOfAKey_isCommittedAndAbandonedByItsToken() {
        UUID uuid = new UUID(1, 2);
        ByteBuffer buffer = ByteBuffer.wrap(utf8("buffer"));
        try (Filter seen = new Filter(system())) {
            assertEquals(Committed.IN_TIME, seen.commit(utf8("bytes"), seen.claim("bytes").token()));
            assertEquals(Committed.IN_TIME, seen.commit(buffer, seen.claim("buffer").token()));
            assertEquals(Committed.IN_TIME, seen.commit(7, seen.claim(Bytes.of(7L)).token()));
            assertEquals(Committed.IN_TIME, seen.commit(uuid, seen.claim(Bytes.of(uuid)).token()));
            assertEquals(0, seen.stats().openClaims());
            seen.clear();
            seen.abandon(utf8("bytes"), seen.claim("bytes").token());
            seen.abandon(buffer, seen.claim("buffer").token());
            seen.abandon(7, seen.claim(Bytes.of(7L)).token());
            seen.abandon(uuid, seen.claim(Bytes.of(uuid)).token());
            seen.abandon("text", seen.claim("text").token());
            assertEquals(0, seen.stats().openClaims());
            assertEquals(Verdict.NEW, seen.contains("bytes"));
        }
    }

    /** A verb on a form of a key, at a moment: a claim if the token is 0, else its commit. */
    private interface FormAt {
        long claimOrCommit(FilterAt now, long token);
    }

    private static long found(Committed found) {
        assertEquals(Committed.IN_TIME, found);
        return 0;
    }

    @Test
    void everyFormOfAKey_isClaimedAndCommittedAtItsMoment() {
        UUID uuid = new UUID(1, 2);
        ByteBuffer buffer = Try.direct(utf8("buffer"));
        List<FormAt> forms = List.of(
            (now, token) -> token == 0 ? now.claim(utf8("bytes")).token() : found(now.commit(utf8("bytes"), token)),
            (now, token) -> token == 0 ? now.claim(buffer).token() : found(now.commit(buffer, token)),
            (now, token) -> token == 0 ? now.claim("text").token() : found(now.commit("text", token)),
            (now, token) -> token == 0 ? now.claim(7).token() : found(now.commit(7, token)),
            (now, token) -> token == 0 ? now.claim(uuid).token() : found(now.commit(uuid, token)));
        for (int i = 0; i < forms.size(); i++) {
            try (Filter seen = EitherHandle.SHARED.filter(manual().build())) {
                long token = forms.get(i).claimOrCommit(seen.at(5 * SECOND), 0);
                assertEquals(5 * SECOND, seen.stats().clock(), "the claim of form " + i);
                forms.get(i).claimOrCommit(seen.at(6 * SECOND), token);
                assertEquals(6 * SECOND, seen.stats().clock(), "the commit of form " + i);
            }
        }
    }

    @Test
    void keyThatChanges_isTheOneThatWasClaimed() {
        byte[] key = utf8("before");
        try (Filter seen = new Filter(system()); Claim claim = seen.claim(key)) {
            key[0] = 'x';
            assertEquals(Committed.IN_TIME, claim.commit());
            assertEquals(Verdict.DUPLICATE, seen.contains("before"));
        }
    }

    // ---- refusals ----

    @ParameterizedTest
    @EnumSource
    void tokenOfAnotherKeyOrNone_isAStatusOfItsOwn(EitherHandle held) {
        try (Filter seen = held.filter(manual().build())) {
            long a = seen.claim("a").token();
            long b = seen.claim("b").token();
            for (long token : new long[] {b, 0, a + 1, -1}) {
                LatelyException error = Try.fails(Status.CLAIM, () -> seen.commit("a", token));
                assertEquals("CLAIM: the token was never given out for this key", error.getMessage());
                Try.fails(Status.CLAIM, () -> seen.abandon("a", token));
            }
            assertEquals(2, seen.stats().openClaims());
        }
    }

    @ParameterizedTest
    @EnumSource
    void fullTable_claimsNothingUntilOneEnds(EitherHandle held) {
        try (Filter seen = held.filter(manual().build())) {
            long token = seen.at(SECOND).claim(0).token();
            seen.claim(1);
            seen.claim(2);
            Try.fails(Status.FULL, () -> seen.at(SECOND).claim(3));
            assertEquals(3, seen.stats().openClaims());
            assertEquals(Verdict.NEW, seen.contains(3));
            assertEquals(Verdict.PENDING, seen.claim(0).verdict());
            seen.abandon(0, token);
            assertEquals(Verdict.NEW, seen.claim(3).verdict());
            assertEquals(Verdict.NEW, seen.at(4 * SECOND).claim(4).verdict());
        }
    }

    @Test
    void filterWithoutALease_takesNoClaims() {
        for (Options options : List.of(Options.last(100).build(), Options.quotient(4096).build())) {
            try (Filter seen = new Filter(options)) {
                Try.fails(Status.UNSUPPORTED, () -> seen.claim("a"));
                Try.fails(Status.UNSUPPORTED, () -> seen.commit("a", 1));
                Try.fails(Status.UNSUPPORTED, () -> seen.abandon("a", 1));
            }
        }
        LatelyException error = Try.fails(Status.OPTION, () -> Options.quotient(4096).lease(Duration.ofSeconds(1)).build().plan());
        assertEquals(Field.LEASE_NS, error.field().orElseThrow());
    }

    @Test
    void filterWithALease_takesNoHashes() {
        try (Filter seen = new Filter(system())) {
            Try.fails(Status.UNSUPPORTED, () -> seen.observeHash(1));
            Try.fails(Status.UNSUPPORTED, () -> seen.insertHash(1));
            Try.fails(Status.UNSUPPORTED, () -> seen.containsHash(1));
            Try.fails(Status.UNSUPPORTED, () -> seen.observeAll(Keys.ofHashes(new long[] {1})));
            assertEquals(seen.hash("a"), seen.hash(utf8("a")));
        }
    }

    @Test
    void wrongOptions_nameThemselves() {
        names(Field.LEASE_NS, () -> manual().lease(Duration.ZERO));
        names(Field.LEASE_NS, () -> manual().lease(Duration.ofSeconds(-1)));
        names(Field.LEASE_NS, () -> manual().lease(Duration.ofSeconds(11)).build().plan());
        names(Field.MAX_CLAIMS, () -> manual().maxClaims(0));
        names(Field.MAX_CLAIMS, () -> manual().maxClaims(-1));
        names(Field.MAX_CLAIMS, () -> manual().maxClaims((1 << 24) + 1).build().plan());
        names(Field.MAX_CLAIMS, () -> Options.last(100).maxClaims(5).build().plan());
        assertEquals("Options[kind=WINDOW_TABLE, clock=MANUAL, window=PT10S, lease=PT2S, maxClaims=3]",
            manual().build().toString());
    }

    private static void names(Field field, Executable call) {
        LatelyException error = Try.fails(Status.OPTION, call);
        assertEquals(field, error.field().orElseThrow());
        assertTrue(error.getMessage().matches(".*: " + field.option() + " = .+: .+"), error.getMessage());
    }

    @Test
    void timesOfClaims_areJudgedAsThoseOfObserve() {
        Instant start = Instant.ofEpochSecond(1_000);
        try (Filter seen = EitherHandle.SHARED.filter(manual().maxStep(Duration.ofMinutes(1)).build())) {
            seen.advance(start);
            Try.fails(Status.TICK, () -> seen.at(start.plusSeconds(100)).claim("b"));
            Claim claim = seen.at(start).claim("c");
            Try.fails(Status.TICK, () -> claim.commitAt(start.plusSeconds(100)));
            assertEquals(Committed.IN_TIME, claim.commitAt(start));
        }
        try (Filter seen = new Filter(Options.last(100).lease(Duration.ofSeconds(1)).build())) {
            Try.fails(Status.CLOCK, () -> seen.at(5).claim("a"));
            assertTrue(seen.claim("a").isNew());
        }
    }

    // ---- try-with-resources ----

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
    void blockThatThrows_abandons() {
        try (Filter seen = new Filter(system())) {
            assertThrows(IOException.class, () -> {
                try (Claim claim = seen.claim("a")) {
                    throw new IOException("the work of " + claim + " failed");
                }
            });
            assertTrue(seen.claim("a").isNew());
        }
    }

    @Test
    void blockThatLeavesEarly_abandons() {
        try (Filter seen = new Filter(system())) {
            assertFalse(worked(seen));
            assertEquals(0, seen.stats().openClaims());
            assertTrue(seen.claim("a").isNew());
        }
    }

    private static boolean worked(Filter seen) {
        try (Claim claim = seen.claim("a")) {
            if (claim.isNew()) {
                return false;
            }
            claim.commit();
            return true;
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
            seen.advance(SECOND);
            try (Claim claim = seen.claim("a")) {
                Try.fails(Status.TICK, () -> claim.commitAt(100 * SECOND));
                assertEquals(1, seen.stats().openClaims());
            }
            assertEquals(0, seen.stats().openClaims());
            assertEquals(Verdict.NEW, seen.contains("a"));
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

    // ---- threads, snapshots, vectors ----

    @Test
    void threadsThatClaimOneKey_exactlyOneIsNew() throws InterruptedException {
        int threads = 4;
        AtomicIntegerArray fresh = new AtomicIntegerArray(2000);
        AtomicIntegerArray pending = new AtomicIntegerArray(2000);
        try (Filter seen = new Filter(Options.window(Duration.ofMinutes(10)).lease(Duration.ofMinutes(5)).build())) {
            Crew.of(threads, (thread, crew) -> {
                crew.meet(1);
                for (int key = 0; key < fresh.length(); key++) {
                    Verdict verdict = seen.claim(key).verdict();
                    (verdict == Verdict.NEW ? fresh : pending).incrementAndGet(key);
                    assertNotEquals(Verdict.DUPLICATE, verdict);
                }
            });
        }
        for (int key = 0; key < fresh.length(); key++) {
            assertEquals("1 " + (threads - 1), fresh.get(key) + " " + pending.get(key), "key " + key);
        }
    }

    @ParameterizedTest
    @EnumSource
    void snapshotAndCopy_haveTheOpenClaimsWithTheirTokens(EitherHandle held) {
        Options options = Options.window(Duration.ofMinutes(10)).lease(Duration.ofMinutes(1)).keyed(true).build();
        try (Filter seen = held.filter(options); Filter copy = seen.copy()) {
            long token = seen.claim("a").token();
            byte[] bytes = seen.snapshot();
            LoadOptions secret = new LoadOptions().secret(seen.secret());
            try (Filter loaded = Filter.load(bytes, Duration.ofSeconds(59), secret); Filter second = seen.copy()) {
                for (Filter other : List.of(loaded, second)) {
                    assertEquals(Verdict.PENDING, other.claim("a").verdict());
                    assertEquals(Committed.IN_TIME, other.commit("a", token));
                }
            }
            try (Filter over = Filter.load(bytes, Duration.ofSeconds(61), secret)) {
                assertTrue(over.claim("a").isNew());
                assertEquals(Committed.LATE, over.commit("a", token));
            }
            assertTrue(copy.claim("a").isNew());
            seen.clear();
            assertTrue(seen.claim("a").isNew());
        }
    }

    @ParameterizedTest
    @EnumSource
    void vectorsOfClaims_everyLineHasTheSameAnswer(EitherHandle held) throws IOException {
        TreeSet<String> missing = new TreeSet<>(List.of("abandon", "claim_at", "commit_at", "fails", "filter", "observe_at", "stats"));
        Filter seen = held.filter(system());
        try {
            for (String line : Script.lines("claims.txt")) {
                if (Script.saysNothing(line)) {
                    continue;
                }
                List<String> words = Arrays.asList(line.split(" "));
                missing.remove(words.get(0));
                if (words.get(0).equals("filter")) {
                    seen.close();
                    seen = held.make(Script.options(words.subList(1, words.size())).build());
                } else {
                    check(seen, line, words);
                }
            }
        } finally {
            seen.close();
        }
        assertEquals(new TreeSet<>(), missing);
    }

    private static void check(Filter seen, String line, List<String> words) {
        if (words.get(0).equals("fails")) {
            Try.fails(Status.valueOf(words.get(1)), () -> answer(seen, words.subList(2, words.size())));
        } else {
            String answer = answer(seen, words);
            assertTrue(line.endsWith(answer), () -> answer + " and not as in " + line);
        }
    }

    /** Carries an instruction out; what it answers, as the file spells it. */
    private static String answer(Filter seen, List<String> words) {
        if (words.get(0).equals("stats")) {
            Stats stats = seen.stats();
            return "stats " + stats.openClaims() + " " + stats.maxClaims() + " " + stats.expiredClaims() + " " + stats.pending()
                + " " + stats.newCount() + " " + stats.duplicateCount();
        }
        if (words.get(0).equals("abandon")) {
            seen.abandon(Script.bytes(words.get(1)), Script.number(words.get(2)));
            return "";
        }
        FilterAt now = seen.at(Script.number(words.get(1)));
        byte[] key = Script.bytes(words.get(2));
        switch (words.get(0)) {
            case "claim_at":
                Claim claim = now.claim(key);
                return " " + claim.verdict().code() + " " + Long.toUnsignedString(claim.token());
            case "commit_at":
                return " " + now.commit(key, Script.number(words.get(3))).code();
            case "observe_at":
                return " " + now.observe(key).code();
            case "contains_at":
                return " " + now.contains(key).code();
            default:
                now.insert(key);
                return "";
        }
    }
}
