package dev.lately;

import static dev.lately.Script.bytes;
import static dev.lately.Script.number;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The vectors and the refusals that every language reads, from {@code tests/vectors}, by both handles. */
class VectorsTest {
    private EitherHandle held;
    private Options options;
    private Filter filter;
    private final Set<Field> named = new TreeSet<>();

    @AfterEach
    void close() {
        filter.close();
    }

    @ParameterizedTest
    @EnumSource(EitherHandle.class)
    void everyLineHolds(EitherHandle handle) throws IOException {
        held = handle;
        expect(50, "errors.txt");
        // A kind, a seed, and whether a filter is keyed cannot be wrong here; the two words of a secret are one.
        assertEquals(EnumSet.of(Field.KIND, Field.SEED, Field.KEYED, Field.SECRET_HI), EnumSet.complementOf(EnumSet.copyOf(named)));
        expect(20_000, "vectors.txt");
        expect(200, "claims.txt");
    }

    private void expect(int least, String file) throws IOException {
        int checks = hold(file);
        assertTrue(checks > least, file + ": only " + checks + " checks");
    }

    /**
     * Checks every line of a file; how many of them had something to compare. The batches at the end of each filter are left out:
     * {@link BatchTest} has them in every form, against single calls.
     */
    private int hold(String name) throws IOException {
        int checks = 0;
        int number = 0;
        boolean isBehindBatches = false;
        for (String line : Script.lines(name)) {
            number++;
            isBehindBatches = !line.startsWith("filter ") && (isBehindBatches || line.split(" ")[0].endsWith("_slices"));
            if (!isBehindBatches && !Script.saysNothing(line)) {
                for (String call : RunLine.calls(line)) {
                    checks += hold(name + ", line " + number, call.split(" "));
                }
            }
        }
        return checks;
    }

    private int hold(String where, String[] words) {
        if (words[0].equals("fails")) {
            refused(where, words);
            return 1;
        }
        String said = obey(words);
        String line = String.join(" ", words);
        assertTrue(said.isEmpty() || line.endsWith(" " + said), () -> where + ": " + line + ": got " + said);
        return said.isEmpty() ? 0 : 1;
    }

    /** {@code fails STATUS FIELD INSTRUCTION}; of claims, whose failures have no field, {@code fails STATUS INSTRUCTION}. */
    private void refused(String where, String[] words) {
        boolean isOfClaims = where.startsWith("claims");
        String[] rest = Arrays.copyOfRange(words, isOfClaims ? 2 : 3, words.length);
        LatelyException error = assertThrows(LatelyException.class, () -> obey(rest), where);
        Optional<Field> field = isOfClaims || words[2].equals("-") ? Optional.empty() : Optional.of(Script.field(words[2]));
        field.ifPresent(named::add);
        assertEquals(Status.valueOf(words[1]), error.status(), where);
        assertEquals(field, error.field(), where);
        field.ifPresent(f -> assertTrue(error.getMessage().contains("(option " + f.option() + ")"), where));
    }

    /** Carries an instruction out; its answer, empty where it has none. */
    private String obey(String[] words) {
        switch (words[0]) {
            case "hash":
                return hex(Lately.hash64(bytes(words[2]), number(words[1])));
            case "filter":
                Options asked = Script.options(List.of(words).subList(1, words.length)).build();
                use(held.make(asked));
                options = asked;
                return "";
            case "plan":
                return planned(options.plan());
            case "advance":
                filter.advance(number(words[1]));
                return "";
            case "clear":
                filter.clear();
                return "";
            case "copy":
                use(filter.copy());
                return "";
            case "secret":
                return numbers(filter.secret().lo(), filter.secret().hi());
            case "stats":
                return words.length == 7 ? claims(filter.stats()) : figures(filter.stats());
            default:
                return obeyKey(words);
        }
    }

    private String obeyKey(String[] words) {
        boolean isAt = words[0].endsWith("_at");
        ClaimVerbs verbs = isAt ? filter.at(number(words[1])) : filter;
        int next = isAt ? 2 : 1;
        byte[] key = bytes(words[next]);
        switch (words[0]) {
            case "hash_of":
                return hex(filter.hash(key));
            case "claim_at":
                Claim claim = verbs.claim(key);
                return code(claim.verdict()) + " " + Long.toUnsignedString(claim.token());
            case "commit_at":
                return Integer.toString(verbs.commit(key, number(words[next + 1])).code());
            case "abandon":
                verbs.abandon(key, number(words[next + 1]));
                return "";
            default:
                return answer(verbs, words[0].replaceFirst("_at$", ""), key);
        }
    }

    /** Calls the method with this name for one key; returns a verdict, a boolean, or null. */
    private static String answer(KeyVerbs verbs, String verb, byte[] key) {
        Object said;
        try {
            said = KeyVerbs.class.getMethod(HeaderTest.Header.camel(verb), byte[].class).invoke(verbs, (Object) key);
        } catch (InvocationTargetException e) {
            throw (RuntimeException) e.getCause();
        } catch (ReflectiveOperationException e) {
            throw new AssertionError("unknown instruction " + verb, e);
        }
        if (said instanceof Verdict) {
            return code((Verdict) said);
        }
        return said == null ? "" : (Boolean) said ? "1" : "0";
    }

    private void use(Filter other) {
        if (filter != null) {
            filter.close();
        }
        filter = other;
    }

    private static String figures(Stats stats) {
        return numbers(stats.newCount(), stats.duplicateCount(), stats.lateTicks(), stats.refusedTicks(), stats.clock(),
            stats.bytes(), stats.items(), stats.shifts(), stats.rowsFull(),
            stats.moved(), stats.stashed(), stats.maxLateness().toNanos(), stats.lastRefusedTick());
    }

    private static String claims(Stats stats) {
        return numbers(stats.openClaims(), stats.maxClaims(), stats.expiredClaims(), stats.pending(), stats.newCount(),
            stats.duplicateCount());
    }

    private static String planned(Plan plan) {
        return numbers(plan.bytes(), plan.k(), plan.l(), plan.slices(), plan.blocks(), plan.rows(),
            plan.windowKeys(), plan.fingerprintBits(), plan.chains(), plan.blockBytes());
    }

    private static String numbers(long... numbers) {
        StringJoiner text = new StringJoiner(" ");
        for (long number : numbers) {
            text.add(Long.toUnsignedString(number));
        }
        return text.toString();
    }

    private static String code(Verdict verdict) {
        return Integer.toString(verdict.code());
    }

    private static String hex(long hash) {
        return String.format("%016x", hash);
    }

    /** What a value is as the bytes of a key, in every language; keys of several values are not Java's. */
    @Test
    void values_areTheBytesOfTheVectors() throws IOException {
        int values = 0;
        filter = new Filter(Options.last(100).build());
        for (String line : Script.lines("keys.txt")) {
            String[] words = line.split(" ");
            if (!Script.saysNothing(line) && words.length == 3) {
                String[] value = words[0].split(":", 2);
                assertEquals(Long.parseUnsignedLong(words[2], 16), hashOf(value[0], value[1]), line);
                values++;
            }
        }
        assertTrue(values > 8, values + " values");
    }

    private long hashOf(String type, String value) {
        switch (type) {
            case "str":
                return filter.hash(value);
            case "int":
                return filter.hash(Long.parseUnsignedLong(value));
            case "uuid":
                return filter.hash(UUID.fromString(value));
            default:
                return filter.hash(Script.bytes(value.isEmpty() ? "-" : value));
        }
    }
}
