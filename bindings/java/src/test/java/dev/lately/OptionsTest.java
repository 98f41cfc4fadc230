package dev.lately;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Every option reaches the plan, and every error of the plan reaches the user with the name of the field. */
class OptionsTest {
    /** For each field something that a time-limited filter cannot take, because of that field. */
    private static final Map<Field, UnaryOperator<Options.Builder>> WRONG = new EnumMap<>(Map.ofEntries(
        Map.entry(Field.CLOCK, o -> raw(o, Field.CLOCK, 9)),
        Map.entry(Field.KIND, o -> raw(o, Field.KIND, 9)),
        Map.entry(Field.REPEAT, o -> raw(o, Field.REPEAT, 9)),
        Map.entry(Field.ON_LIMIT, o -> raw(o, Field.ON_LIMIT, 9)),
        Map.entry(Field.WINDOW_NS, o -> raw(o, Field.WINDOW_NS, 0)),
        Map.entry(Field.WINDOW_KEYS, o -> o.windowKeys(5)),
        Map.entry(Field.CAPACITY, o -> o.capacity(Long.MAX_VALUE)),
        Map.entry(Field.ERROR_RATE, o -> o.errorRate(0.6)),
        Map.entry(Field.MISS_RATE, o -> o.missRate(0.1)),
        Map.entry(Field.MEMORY, o -> o.memory(1)),
        Map.entry(Field.MAX_STEP_NS, o -> o.maxStep(Duration.ofNanos(1))),
        Map.entry(Field.K, o -> o.k(100_000)),
        Map.entry(Field.L, o -> o.l(100_000)),
        Map.entry(Field.MAX_SLICES, o -> o.maxSlices(5000)),
        Map.entry(Field.FILL, o -> o.fill(0.95)),
        Map.entry(Field.VARIANT, o -> o.variant(Variant.QHT)),
        Map.entry(Field.FINGERPRINT_BITS, o -> o.fingerprintBits(5)),
        Map.entry(Field.SEMI_SORT, o -> o.semiSort(true)),
        Map.entry(Field.REMOVABLE, o -> o.removable(true)),
        Map.entry(Field.BLOCK_BYTES, o -> o.blockBytes(64)),
        Map.entry(Field.CHAINS, o -> o.chains(5)),
        Map.entry(Field.LOAD, o -> o.load(0.5)),
        Map.entry(Field.KEYED, o -> raw(o, Field.KEYED, 2)),
        Map.entry(Field.AGE_BITS, o -> o.ageBits(3)),
        Map.entry(Field.LATENESS_NS, o -> o.lateness(Duration.ofNanos(1))),
        Map.entry(Field.LEASE_NS, o -> o.lease(Duration.ofSeconds(11))),
        Map.entry(Field.MAX_CLAIMS, o -> o.maxClaims(1)),
        Map.entry(Field.SECRET_LO, o -> o.secret(new Secret(1, 0))),
        Map.entry(Field.SECRET_HI, o -> o.secret(new Secret(0, 1)))));

    private static Options.Builder raw(Options.Builder options, Field field, long word) {
        return options.raw(field, word);
    }

    private static Options.Builder tenSeconds() {
        return Options.timeLimited(Duration.ofSeconds(10));
    }

    @Test
    void everyFieldAtFaultIsNamed() {
        for (Field field : Field.values()) {
            if (field != Field.SEED) {
                Options wrong = WRONG.get(field).apply(tenSeconds()).build();
                check(field, Try.fails(Status.OPTION, wrong::plan));
                check(field, Try.fails(Status.OPTION, () -> new Filter(wrong)));
            }
        }
        assertFalse(WRONG.containsKey(Field.SEED), "every seed is right");
    }

    private static void check(Field field, LatelyException error) {
        // Both words of a secret are one option here, and the library names the first for either.
        Field named = field == Field.SECRET_HI ? Field.SECRET_LO : field;
        assertEquals(Optional.of(named), error.field(), error.getMessage());
        assertTrue(error.getMessage().startsWith("OPTION (option " + field.option() + "): "), error.getMessage());
        boolean saysWhy = error.getMessage().matches("(?s).*: .*(must be|does not take|needs|required|cannot).*");
        assertTrue(saysWhy, error.getMessage());
    }

    @Test
    void whatCannotBePassedOnIsRefusedByTheBuilder() {
        Options.Builder options = tenSeconds();
        check(Field.WINDOW_NS, Try.fails(Status.OPTION, () -> options.window(Duration.ofNanos(-1))));
        check(Field.WINDOW_NS, Try.fails(Status.OPTION, () -> options.window(Duration.ofSeconds(18_446_744_074L))));
        check(Field.MAX_STEP_NS, Try.fails(Status.OPTION, () -> options.maxStep(Duration.ofDays(-1))));
        check(Field.MEMORY, Try.fails(Status.OPTION, () -> options.memory(-1)));
        check(Field.WINDOW_KEYS, Try.fails(Status.OPTION, () -> options.windowKeys(-1)));
        check(Field.CAPACITY, Try.fails(Status.OPTION, () -> options.capacity(Long.MIN_VALUE)));
        check(Field.K, Try.fails(Status.OPTION, () -> options.k(-1)));
        check(Field.L, Try.fails(Status.OPTION, () -> options.l(-1)));
        check(Field.MAX_SLICES, Try.fails(Status.OPTION, () -> options.maxSlices(-1)));
        check(Field.FINGERPRINT_BITS, Try.fails(Status.OPTION, () -> options.fingerprintBits(-1)));
        check(Field.BLOCK_BYTES, Try.fails(Status.OPTION, () -> options.blockBytes(-1)));
        check(Field.CHAINS, Try.fails(Status.OPTION, () -> options.chains(-1)));
        check(Field.AGE_BITS, Try.fails(Status.OPTION, () -> options.ageBits(-1)));
        check(Field.LATENESS_NS, Try.fails(Status.OPTION, () -> options.lateness(Duration.ofNanos(-1))));
        assertThrows(NullPointerException.class, () -> options.window(null));
        assertThrows(NullPointerException.class, () -> options.kind(null));
    }

    @Test
    void whatIsNoNumberIsRefused() {
        check(Field.ERROR_RATE, Try.fails(Status.OPTION, tenSeconds().errorRate(Double.NaN).build()::plan));
        check(Field.ERROR_RATE, Try.fails(Status.OPTION, tenSeconds().errorRate(-0.1).build()::plan));
    }

    @Test
    void aKindMayBeAskedForByWhatItNeeds() {
        assertEquals("Options[kind=WINDOW_TABLE, window=PT1S]", Options.window(Duration.ofSeconds(1)).build().toString());
        assertEquals("Options[kind=WINDOW_TABLE, windowKeys=1000]", Options.last(1000).build().toString());
        assertEquals("Options[kind=AGE_PARTITIONED, windowKeys=1000]", Options.agePartitioned(1000).build().toString());
        assertEquals("Options[kind=TINY_SET, capacity=1000]", Options.tinySet(1000).build().toString());
        assertEquals("Options[kind=QUOTIENT, memory=4096]", Options.quotient(4096).build().toString());
    }

    @Test
    void thePlanAnswersTheRequest() {
        Plan given = tenSeconds().k(4).l(3).fill(0.5).build().plan();
        assertEquals(4, given.k());
        assertEquals(3, given.l());
        assertEquals(0.5, given.fill());
        assertEquals(7, given.slices());
        Plan searched = tenSeconds().errorRate(0.01).maxSlices(20).memory(1 << 20).build().plan();
        assertTrue(searched.errorRateWorst() > 0.001 && searched.errorRateWorst() <= 0.01, searched.toString());
        assertTrue(searched.slices() <= 20 && searched.k() + searched.l() == searched.slices(), searched.toString());
        assertTrue(searched.bytes() <= 1 << 20 && searched.bytes() > 1 << 19, searched.toString());
        assertTrue(tenSeconds().capacity(1000).build().plan().windowKeys() >= 1000);
        assertEquals(searched.bitsPerKey(), searched.bitsPerKeyPeak());
        Plan grows = Options.window(Duration.ofSeconds(10)).build().plan();
        assertTrue(grows.bitsPerKeyPeak() > grows.bitsPerKey(), grows.toString());
    }

    @Test
    void theTextTellsWhatWasGivenAndNoSecret() {
        Options options = tenSeconds().errorRate(0.01).seed(-1).keyed(true).secret(new Secret(4711, 4712)).build();
        assertEquals("Options[kind=TIME_LIMITED, window=PT10S, errorRate=0.01, keyed=1, seed=18446744073709551615, "
            + "secret=hidden]", options.toString());
        assertFalse(new Secret(4711, 4712).toString().contains("471"));
    }

    @Test
    void builtOptionsDoNotChange() {
        Options.Builder builder = tenSeconds();
        Options before = builder.build();
        builder.seed(7);
        assertFalse(before.toString().contains("seed"));
    }
}
