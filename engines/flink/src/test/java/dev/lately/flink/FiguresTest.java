package dev.lately.flink;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The figures of README.md, which has them in two tables; run by a separate command, and compared with nothing. */
class FiguresTest {
    @TempDir
    Path folder;

    @Test
    @Tag("figures")
    void table() throws Exception {
        long count = Long.getLong("lately.figures", 20_000_000);
        List<String> lines = new ArrayList<>();
        lines.add("| " + count + " records | CPU, µs a record | records a second | longest pause, ms | checkpoints | MB of the largest | MB of all"
            + " | savepoint, MB | heap, MB | native, MB | restored in, s |");
        lines.add("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
        for (String store : System.getProperty("lately.stores").split(",")) {
            lines.add(row(run(store, count)));
        }
        String table = String.join("\n", lines) + "\n";
        System.out.println(table);
        Files.writeString(Path.of(System.getProperty("lately.classes"), "..", "figures.md"), table);
    }

    private static String row(String[] f) {
        double restored = Double.parseDouble(f[7]);
        return String.format("| %s | %.2f | %,.0f | %s | %s | %.1f | %.1f | %.1f | %.0f | %.0f | %s |", f[1], number(f[8]), number(f[2]), f[12],
            f[9], number(f[11]) / 1e6, number(f[10]) / 1e6, number(f[3]) / 1e6, number(f[5]) / 1e6, number(f[6]) / 1e6,
            restored < Measured.PATIENCE ? String.format("%.2f", restored) : "over " + Measured.PATIENCE);
    }

    private static double number(String text) {
        return Double.parseDouble(text);
    }

    private String[] run(String store, long count) throws Exception {
        Process child = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xms7g", "-Xmx7g",
            "-XX:+AlwaysPreTouch", "-XX:+UseParallelGC", "-cp", System.getProperty("java.class.path"), "dev.lately.flink.Measured", store,
            Long.toString(count), folder.resolve(store).toString()).redirectErrorStream(true).start();
        String[] figures = null;
        try (BufferedReader lines = new BufferedReader(
            new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("FIGURES")) {
                    figures = line.split(" ");
                }
                System.out.println(line);
            }
        }
        assertEquals(0, child.waitFor());
        return figures;
    }
}
