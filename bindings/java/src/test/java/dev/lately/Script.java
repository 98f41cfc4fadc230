package dev.lately;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;

/** What the tests read in {@code tests/vectors}: lines of words, requests of OPTION=NUMBER, keys in hexadecimal. */
final class Script {
    /** How each option is said in Java, except the secret, whose two words are one. */
    private static final Map<Field, BiFunction<Options.Builder, String, Options.Builder>> SETTERS =
        new EnumMap<>(Map.ofEntries(
            // <options>
            Map.entry(Field.KIND, (o, w) -> o.kind(choice(Kind.values(), w))),
            Map.entry(Field.CLOCK, (o, w) -> o.clock(choice(ClockSource.values(), w))),
            Map.entry(Field.REPEAT, (o, w) -> o.repeat(choice(Repeat.values(), w))),
            Map.entry(Field.ON_LIMIT, (o, w) -> o.onLimit(choice(OnLimit.values(), w))),
            Map.entry(Field.WINDOW_NS, (o, w) -> o.window(Duration.ofNanos(number(w)))),
            Map.entry(Field.WINDOW_KEYS, (o, w) -> o.windowKeys(number(w))),
            Map.entry(Field.CAPACITY, (o, w) -> o.capacity(number(w))),
            Map.entry(Field.ERROR_RATE, (o, w) -> o.errorRate(Double.parseDouble(w))),
            Map.entry(Field.MISS_RATE, (o, w) -> o.missRate(Double.parseDouble(w))),
            Map.entry(Field.MEMORY, (o, w) -> o.memory(number(w))),
            Map.entry(Field.MAX_STEP_NS, (o, w) -> o.maxStep(Duration.ofNanos(number(w)))),
            Map.entry(Field.K, (o, w) -> o.k(Integer.parseInt(w))),
            Map.entry(Field.L, (o, w) -> o.l(Integer.parseInt(w))),
            Map.entry(Field.MAX_SLICES, (o, w) -> o.maxSlices(Integer.parseInt(w))),
            Map.entry(Field.FILL, (o, w) -> o.fill(Double.parseDouble(w))),
            Map.entry(Field.VARIANT, (o, w) -> o.variant(choice(Variant.values(), w))),
            Map.entry(Field.FINGERPRINT_BITS, (o, w) -> o.fingerprintBits(Integer.parseInt(w))),
            Map.entry(Field.SEMI_SORT, (o, w) -> o.semiSort(number(w) == 1)),
            Map.entry(Field.REMOVABLE, (o, w) -> o.removable(number(w) == 1)),
            Map.entry(Field.BLOCK_BYTES, (o, w) -> o.blockBytes(Integer.parseInt(w))),
            Map.entry(Field.CHAINS, (o, w) -> o.chains(Integer.parseInt(w))),
            Map.entry(Field.LOAD, (o, w) -> o.load(Double.parseDouble(w))),
            Map.entry(Field.KEYED, (o, w) -> o.keyed(number(w) == 1)),
            Map.entry(Field.SEED, (o, w) -> o.seed(number(w))),
            Map.entry(Field.AGE_BITS, (o, w) -> o.ageBits(Integer.parseInt(w))),
            Map.entry(Field.LATENESS_NS, (o, w) -> o.lateness(Duration.ofNanos(number(w)))),
            Map.entry(Field.LEASE_NS, (o, w) -> o.lease(Duration.ofNanos(number(w)))),
            Map.entry(Field.MAX_CLAIMS, (o, w) -> o.maxClaims(number(w)))
            // </options>
        ));

    private Script() {
    }

    /** A file of {@code tests/vectors}, with the lines that say nothing. */
    static List<String> lines(String name) throws IOException {
        return Files.readAllLines(Try.source("tests/vectors/" + name));
    }

    static boolean saysNothing(String line) {
        return line.isEmpty() || line.startsWith("#");
    }

    /** The request of words OPTION=NUMBER. */
    static Options.Builder options(List<String> words) {
        Options.Builder options = Options.of(Kind.TIME_LIMITED);
        long lo = 0;
        long hi = 0;
        for (String word : words) {
            String[] pair = word.split("=");
            Field field = field(pair[0]);
            if (field == Field.SECRET_LO) {
                lo = number(pair[1]);
            } else if (field == Field.SECRET_HI) {
                hi = number(pair[1]);
            } else {
                SETTERS.get(field).apply(options, pair[1]);
            }
        }
        return lo == 0 && hi == 0 ? options : options.secret(new Secret(lo, hi));
    }

    /** The field that C calls so. */
    static Field field(String name) {
        return Field.valueOf(name.toUpperCase(Locale.ROOT));
    }

    private static <T> T choice(T[] values, String word) {
        return values[Integer.parseInt(word) - 1];
    }

    static long number(String word) {
        return Long.parseUnsignedLong(word);
    }

    static byte[] bytes(String hex) {
        if (hex.equals("-")) {
            return new byte[0];
        }
        byte[] padded = new BigInteger("01" + hex, 16).toByteArray();
        return Arrays.copyOfRange(padded, 1, padded.length);
    }
}
