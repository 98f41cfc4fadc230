package dev.lately;

import java.util.ArrayList;
import java.util.List;

/** A run of calls of {@code tests/vectors/vectors.txt}, made again from its seed: lines of single calls. */
final class RunLine {
    private final String[] words;
    private final String[] verbs;
    private final List<String> lines = new ArrayList<>();
    private long seed;
    private int asked;

    private RunLine(String[] words) {
        this.words = words;
        verbs = words[3].split(",");
        seed = number(1);
    }

    /** Expands {@code run SEED CALLS VERBS TICK STEP LATE VERDICTS} into its calls with their answers; leaves another line as it is. */
    static List<String> calls(String line) {
        return line.startsWith("run ") ? new RunLine(line.split(" ")).calls() : List.of(line);
    }

    private List<String> calls() {
        long now = number(4);
        for (long round = number(2); round > 0; round--) {
            now += draw(number(5));
            String[] joined = verbs[(int) draw(verbs.length)].split("\\+");
            long tick = now - (draw(16) == 0 ? draw(number(6)) : 0);
            String key = key();
            for (String verb : joined) {
                String call = verb.endsWith("_at") ? verb + " " + tick + " " + key : verb + " " + key;
                lines.add(verb.startsWith("insert") ? call : call + " " + verdict());
            }
        }
        if (words[7].length() != (asked + 3) / 4) {
            throw new AssertionError(words[7].length() + " digits for " + asked + " verdicts");
        }
        return lines;
    }

    private int verdict() {
        int digit = Character.digit(words[7].charAt(asked / 4), 16);
        return digit >> 3 - asked++ % 4 & 1;
    }

    private String key() {
        long n = Math.min(draw(300), draw(300));
        if (n == 0) {
            return "-";
        }
        String digits = String.format("%016x%016x", mix(n + GAMMA), mix(n + 2 * GAMMA));
        return digits.substring(0, 2 * (int) (n % 12 + 1));
    }

    private long draw(long sides) {
        seed += GAMMA;
        return Long.remainderUnsigned(mix(seed), sides);
    }

    private long number(int word) {
        return Script.number(words[word]);
    }

    private static final long GAMMA = 0x9e3779b97f4a7c15L;

    /** SplitMix64. */
    private static long mix(long state) {
        long z = (state ^ state >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }
}
