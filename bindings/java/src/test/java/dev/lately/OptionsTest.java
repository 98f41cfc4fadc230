package dev.lately;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** What the builder refuses by itself, and what errors say; what the library refuses is in {@code tests/vectors/errors.txt}. */
class OptionsTest {
    private static Options.Builder tenSeconds() {
        return Options.timeLimited(Duration.ofSeconds(10));
    }

    private static void refuses(Field field, String said, Executable call) {
        LatelyException error = Try.fails(Status.OPTION, call);
        assertEquals(Optional.of(field), error.field(), error.getMessage());
        assertTrue(error.getMessage().startsWith("OPTION (option " + field.option() + "): " + field.option() + " = "), error.getMessage());
        assertTrue(error.getMessage().contains(said), error.getMessage());
    }

    /** 4 << 30 is 0 and 2 << 30 less than that, and either would be a filter without a limit. */
    @Test
    void whatCannotBePassedOnIsRefusedByTheBuilder() {
        Options.Builder options = tenSeconds();
        refuses(Field.WINDOW_NS, "PT0S: must be PT0.000000001S to", () -> options.window(Duration.ZERO));
        refuses(Field.WINDOW_NS, "must be PT0.000000001S to", () -> options.window(Duration.ofNanos(-1)));
        refuses(Field.WINDOW_NS, "must be", () -> options.window(Duration.ofSeconds(18_446_744_074L)));
        refuses(Field.MAX_STEP_NS, "must be PT0S", () -> options.maxStep(Duration.ofDays(-1)));
        refuses(Field.LATENESS_NS, "must be PT0S", () -> options.lateness(Duration.ofNanos(-1)));
        refuses(Field.LEASE_NS, "must be PT0.000000001S to", () -> options.lease(Duration.ZERO));
        refuses(Field.MEMORY, "0 bytes: must be at least 1", () -> options.memory(4 << 30));
        refuses(Field.MEMORY, "-2147483648 bytes: must be at least 1;", () -> options.memory(2 << 30));
        refuses(Field.WINDOW_KEYS, "must be at least 1", () -> Options.last(0));
        refuses(Field.CAPACITY, "must be at least 1", () -> options.capacity(Long.MIN_VALUE));
        refuses(Field.MAX_CLAIMS, "must be at least 1", () -> options.maxClaims(0));
        Map<Field, Consumer<Integer>> counts = Map.of(Field.K, options::k, Field.L, options::l, Field.MAX_SLICES, options::maxSlices,
            Field.FINGERPRINT_BITS, options::fingerprintBits, Field.BLOCK_BYTES, options::blockBytes, Field.CHAINS, options::chains,
            Field.AGE_BITS, options::ageBits);
        counts.forEach((field, set) -> refuses(field, "must be a positive number, or 0", () -> set.accept(-1)));
        LoadOptions load = new LoadOptions();
        refuses(Field.MEMORY, "0 bytes", () -> load.memory(4 << 30));
        refuses(Field.MEMORY, "-2147483648 bytes: must be at least 1;", () -> load.memory(2 << 30));
        for (int none : new int[] {4 << 30, 2 << 30}) {
            LatelyException error = Try.fails(Status.OPTION, () -> load.newMemory(none));
            assertTrue(error.getMessage().contains("newMemory = " + none + " bytes: must be at least 1 byte, or -1"), error.getMessage());
        }
    }

    @Test
    void errorsSpeakJava() {
        refuses(Field.ERROR_RATE, "must be", tenSeconds().errorRate(Double.NaN).build()::plan);
        refuses(Field.ERROR_RATE, "errorRate = 7: must be", Options.last(5).errorRate(7).build()::plan);
        refuses(Field.REPEAT, "KEEP_FIRST: TINY_SET does not take this option", Options.tinySet(5).repeat(Repeat.KEEP_FIRST).build()::plan);
        refuses(Field.ON_LIMIT, "RAISE_ERROR_RATE: must be FORGET_OLDEST; the kind time-limited keeps the window",
            Options.window(Duration.ofSeconds(5)).onLimit(OnLimit.RAISE_ERROR_RATE).build()::plan);
        refuses(Field.MAX_STEP_NS, "PT0.000000001S: cannot be", Options.last(5).maxStep(Duration.ofNanos(1)).build()::plan);
        refuses(Field.LEASE_NS, "PT1H: must be PT0.000000001S to PT10M",
            () -> new Filter(Options.window(Duration.ofMinutes(10)).lease(Duration.ofHours(1)).build()));
        refuses(Field.WINDOW_NS, "PT10M: cannot be combined with windowKeys",
            Options.window(Duration.ofMinutes(10)).windowKeys(5).build()::plan);
        refuses(Field.KIND, "0: must be one of Kind", Options.last(5).raw(Field.KIND, 0).build()::plan);
    }

    @Test
    void nullIsNamed() {
        Options.Builder builder = Options.last(100);
        Map<String, Executable> calls = Map.ofEntries(Map.entry("kind", () -> builder.kind(null)),
            Map.entry("clock", () -> builder.clock(null)), Map.entry("repeat", () -> builder.repeat(null)),
            Map.entry("onLimit", () -> builder.onLimit(null)), Map.entry("variant", () -> builder.variant(null)),
            Map.entry("secret", () -> builder.secret(null)), Map.entry("window", () -> Options.window(null)),
            Map.entry("maxStep", () -> builder.maxStep(null)), Map.entry("lateness", () -> builder.lateness(null)),
            Map.entry("lease", () -> builder.lease(null)), Map.entry("options", () -> new Filter(null)));
        calls.forEach((name, call) -> assertEquals(name, assertThrows(NullPointerException.class, call).getMessage()));
        assertEquals("options", assertThrows(NullPointerException.class, () -> Filter.unshared(null)).getMessage());
    }

    @Test
    void aKindMayBeAskedForByWhatItNeeds() {
        assertEquals("Options[kind=WINDOW_TABLE, window=PT1S]", Options.window(Duration.ofSeconds(1)).build().toString());
        assertEquals("Options[kind=WINDOW_TABLE, windowKeys=1000]", Options.last(1000).build().toString());
        assertEquals("Options[kind=TIME_LIMITED, window=PT10S]", tenSeconds().build().toString());
        assertEquals("Options[kind=AGE_PARTITIONED, windowKeys=1000]", Options.agePartitioned(1000).build().toString());
        assertEquals("Options[kind=TINY_SET, capacity=1000]", Options.tinySet(1000).build().toString());
        assertEquals("Options[kind=QUOTIENT, memory=4096]", Options.quotient(4096).build().toString());
    }

    @Test
    void theTextAndTheGettersHaveWhatWasGivenAndNoSecret() {
        Options.Builder builder = tenSeconds().errorRate(0.01).memory(4096);
        Options options = builder.seed(-1).keyed(true).secret(new Secret(4711, 4712)).build();
        assertEquals("Options[kind=TIME_LIMITED, window=PT10S, errorRate=0.01, memory=4096, keyed=1, seed=18446744073709551615, "
            + "secret=hidden]", options.toString());
        assertEquals(List.of(Duration.ofSeconds(10), 0.01, 4096L), List.of(options.window(), options.errorRate(), options.memory()));
        assertFalse(new Secret(4711, 4712).toString().contains("471"));
        assertNotEquals(builder.seed(7).build().toString(), options.toString());
        assertTrue(options.toString().contains("seed=18446744073709551615"), "built options do not change");
    }

    @Test
    void secretIsItsHexadecimalDigits() {
        assertEquals(new Secret(0x0706050403020100L, 0x0f0e0d0c0b0a0908L), Secret.ofHex("000102030405060708090a0B0C0d0e0f"));
        assertEquals(new Secret(-1, -1), Secret.ofHex("ffffffffffffffffffffffffffffffff"));
        for (String text : List.of("", "00", "0".repeat(31), "0".repeat(33), "g" + "0".repeat(31), "-" + "1".repeat(31))) {
            Try.fails(Status.SECRET, () -> Secret.ofHex(text));
        }
    }
}
