package dev.lately;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The vectors that every language reads: the same hashes, verdicts and counters from {@code tests/vectors}. */
class VectorsTest {
    private Filter filter;
    private int line;
    private int checks;

    @Test
    void everyLineHolds() throws IOException {
        List<String> lines = Files.readAllLines(Try.source("tests/vectors/vectors.txt"));
        for (String text : lines) {
            line++;
            if (!text.isEmpty() && !text.startsWith("#")) {
                obey(text.split(" "));
            }
        }
        filter.close();
        assertTrue(checks > 5_000, "only " + checks + " checks");
    }

    private void obey(String[] words) {
        switch (words[0]) {
            case "hash":
                check(words[3], hex(Lately.hash64(bytes(words[2]), number(words[1]))));
                break;
            case "filter":
                open(words);
                break;
            case "advance":
                filter.advance(number(words[1]));
                break;
            case "refused":
                Try.fails(Status.valueOf(words[3]), () -> filter.observeAt(bytes(words[2]), number(words[1])));
                checks++;
                break;
            case "hash_of":
                check(words[2], hex(filter.hash(bytes(words[1]))));
                break;
            case "stats":
                check(String.join(" ", words), counters(filter.stats()));
                break;
            default:
                actOnKey(words);
        }
    }

    private void actOnKey(String[] words) {
        switch (words[0]) {
            case "observe":
                check(words[2], code(filter.observe(bytes(words[1]))));
                break;
            case "insert":
                filter.insert(bytes(words[1]));
                break;
            case "contains":
                check(words[2], code(filter.contains(bytes(words[1]))));
                break;
            case "observe_at":
                check(words[3], code(filter.observeAt(bytes(words[2]), number(words[1]))));
                break;
            case "insert_at":
                filter.insertAt(bytes(words[2]), number(words[1]));
                break;
            case "contains_at":
                check(words[3], code(filter.containsAt(bytes(words[2]), number(words[1]))));
                break;
            default:
                throw new AssertionError("line " + line + ": unknown instruction " + words[0]);
        }
    }

    private void open(String[] words) {
        if (filter != null) {
            filter.close();
        }
        Options.Builder options = Options.timeLimited(Duration.ofNanos(number(words[1]))).clock(ClockSource.MANUAL)
            .errorRate(Double.parseDouble(words[2])).memory(number(words[5]))
            .maxStep(Duration.ofNanos(number(words[6]))).seed(number(words[7])).keyed(number(words[8]) == 1)
            .secret(new Secret(number(words[9]), number(words[10])));
        if (number(words[3]) != 0) {
            options.repeat(Repeat.values()[(int) number(words[3]) - 1]);
        }
        if (number(words[4]) != 0) {
            options.onLimit(OnLimit.values()[(int) number(words[4]) - 1]);
        }
        filter = new Filter(options.build());
    }

    private static String counters(Stats stats) {
        return "stats " + stats.news() + " " + stats.duplicates() + " " + stats.lateTicks() + " "
            + stats.refusedTicks() + " " + Long.toUnsignedString(stats.clock());
    }

    private void check(String expected, String actual) {
        assertEquals(expected, actual, () -> "line " + line);
        checks++;
    }

    private static String code(Verdict verdict) {
        return Integer.toString(verdict.code());
    }

    private static long number(String word) {
        return Long.parseUnsignedLong(word);
    }

    private static String hex(long hash) {
        return String.format("%016x", hash);
    }

    private static byte[] bytes(String hex) {
        if (hex.equals("-")) {
            return new byte[0];
        }
        byte[] padded = new BigInteger("01" + hex, 16).toByteArray();
        return java.util.Arrays.copyOfRange(padded, 1, padded.length);
    }
}
