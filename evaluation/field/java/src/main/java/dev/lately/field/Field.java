package dev.lately.field;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The driver: list, run RIVAL WORKLOAD SEED FILE, documented RIVAL. */
public final class Field {
    private Field() {}

    /**
     * Runs one verb.
     *
     * @param words the verb and its arguments
     */
    public static void main(String[] words) {
        try {
            command(words);
        } catch (IOException | RuntimeException error) {
            System.err.println(error.getMessage() == null ? error : error.getMessage());
            System.exit(1);
        }
    }

    private static void command(String[] words) throws IOException {
        String verb = words.length == 0 ? "" : words[0];
        if (verb.equals("list") && words.length == 1) {
            for (Rival rival : Rival.all()) {
                System.out.println(rival.listed());
            }
        } else if (verb.equals("run") && words.length == 5) {
            run(Rival.find(words[1]), Workload.find(words[2]), seed(words[3]), Path.of(words[4]));
        } else if (verb.equals("documented") && words.length == 2) {
            Rival.find(words[1]).documented().forEach(System.out::println);
        } else {
            throw new IllegalArgumentException('"' + String.join(" ", words)
                    + "\": allowed are list, run RIVAL WORKLOAD SEED FILE, documented RIVAL");
        }
    }

    private static void run(Rival rival, Workload workload, long seed, Path file) throws IOException {
        if (!rival.takes(workload)) {
            throw new IllegalArgumentException(
                    "workload " + workload.name() + ": " + rival.name() + " allows " + Workload.names(rival.ofRecords()));
        }
        Play play = Play.of(rival, workload, seed);
        Files.write(file, play.packed());
        System.out.println(play.line());
    }

    private static long seed(String text) {
        try {
            long seed = Long.parseLong(text);
            if (seed >= 0 && seed < 1L << 53) {
                return seed;
            }
        } catch (NumberFormatException error) {
            // Said below, as for a number out of range.
        }
        throw new IllegalArgumentException("seed " + text + ": allowed are whole numbers from 0 to 2^53 - 1");
    }
}
