package dev.lately;

import java.util.ArrayList;
import java.util.List;

/** A run of calls of {@code tests/vectors/vectors.txt}, made again from its seed by SplitMix64: lines of single calls. */
final class RunLine {
    private long seed;

    private RunLine(long seed) {
        this.seed = seed;
    }

    /** Expands {@code run SEED CALLS VERBS TICK STEP LATE VERDICTS} into its calls with their answers; leaves another line as it is. */
    static List<String> calls(String line) {
        String[] words = line.split(" ");
        if (!words[0].equals("run")) {
            return List.of(line);
        }
        RunLine dice = new RunLine(Script.number(words[1]));
        String[] verbs = words[3].split(",");
        List<String> lines = new ArrayList<>();
        int asked = 0;
        long now = Script.number(words[4]);
        for (long round = Script.number(words[2]); round > 0; round--) {
            now += dice.draw(Script.number(words[5]));
            String[] joined = verbs[(int) dice.draw(verbs.length)].split("\\+");
            long tick = now - (dice.draw(16) == 0 ? dice.draw(Script.number(words[6])) : 0);
            String key = dice.key();
            for (String verb : joined) {
                String call = verb.endsWith("_at") ? verb + " " + tick + " " + key : verb + " " + key;
                if (!verb.startsWith("insert")) {
                    call += " " + (Character.digit(words[7].charAt(asked / 4), 16) >> 3 - asked % 4 & 1);
                    asked++;
                }
                lines.add(call);
            }
        }
        if (words[7].length() != (asked + 3) / 4) {
            throw new AssertionError(words[7].length() + " digits for " + asked + " verdicts");
        }
        return lines;
    }

    private String key() {
        long n = Math.min(draw(300), draw(300));
        RunLine digits = new RunLine(n);
        return n == 0 ? "-" : String.format("%016x%016x", digits.next(), digits.next()).substring(0, 2 * (int) (n % 12 + 1));
    }

    private long draw(long sides) {
        return Long.remainderUnsigned(next(), sides);
    }

    private long next() {
        seed += 0x9e3779b97f4a7c15L;
        long z = (seed ^ seed >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }
}
