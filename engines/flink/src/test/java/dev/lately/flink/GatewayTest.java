package dev.lately.flink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.lately.Filter;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The connector in Flink's SQL Gateway, added by ADD JAR, against ROW_NUMBER. */
@Tag("cluster")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class GatewayTest {
    private static final Path CLASSES = Path.of(System.getProperty("lately.classes"));
    private static final int ROWS = 12_000;
    /** Noon of a day. */
    private static final long BEGIN = 1_767_268_800_000L;

    @TempDir
    Path folder;

    /** By the time of arrival ROW_NUMBER has the first to come; and by the time of the row the first by time, which takes back others. */
    @Test
    void aTableReadOnceHasTheRowsOfRowNumber() throws Exception {
        List<String> lines = run(
            "ADD JAR '" + binding() + "'",
            "ADD JAR '" + jar() + "'",
            "CREATE TEMPORARY TABLE orders (number BIGINT, id STRING, shop INT, millis BIGINT, placed AS TO_TIMESTAMP_LTZ(millis, 3),"
                + " person AS LOWER(id), street AS CAST(shop / 2 AS STRING), arrived AS PROCTIME(),"
                + " WATERMARK FOR placed AS placed - INTERVAL '5' MINUTE)"
                + " WITH ('connector' = 'filesystem', 'path' = '" + orders().toUri() + "', 'format' = 'json')",
            once("orders_once", "id;shop", "millis", ""),
            once("orders_computed", "person;street", "placed", ""),
            once("orders_in_order", "person;shop", "placed", ", 'lately.in-time-order' = 'true'"),
            "SELECT number, id, shop FROM orders_once",
            rowNumber("id, shop", "arrived"),
            "SELECT COUNT(*), COUNT(DISTINCT id) FROM TABLE(TUMBLE(TABLE orders_once, DESCRIPTOR(placed), INTERVAL '1' DAY))"
                + " GROUP BY window_start, window_end",
            "SELECT number, id, shop FROM orders_computed",
            rowNumber("LOWER(id), CAST(shop / 2 AS STRING)", "arrived"),
            "SELECT number, id, shop FROM orders_in_order",
            rowNumber("LOWER(id), shop", "placed"));
        List<String> once = rows(lines, 6);
        assertTrue(once.size() > ROWS / 10 && once.size() < ROWS / 2, "rows: " + once.size());
        assertEquals(rows(lines, 7), once);
        assertTrue(once.stream().anyMatch(row -> row.contains("null")), "NULL is a key");
        assertEquals(List.of(once.size() + ",200"), rows(lines, 8), "times are those of the rows");
        assertEquals(rows(lines, 10), rows(lines, 9), "by computed columns");
        assertTrue(rows(lines, 9).size() < once.size() / 2, "fewer people than ids");
        assertEquals(rows(lines, 12), rows(lines, 11), "in time order");
    }

    private static String once(String name, String key, String time, String more) {
        return "CREATE TEMPORARY TABLE " + name + " WITH ('connector' = 'lately', 'lately.connector' = 'filesystem', 'lately.key' = '" + key
            + "', 'lately.window' = '1 h', 'lately.time' = '" + time + "', 'lately.error-rate' = '1e-11'" + more
            + ") LIKE orders (OVERWRITING OPTIONS)";
    }

    private static String rowNumber(String key, String order) {
        return "SELECT number, id, shop FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY " + key + " ORDER BY " + order
            + ") AS nth FROM orders) WHERE nth = 1";
    }

    /** 101 ids, one of them NULL, in two spellings and 13 shops. Times of whole seconds, up to four minutes out of order. */
    private Path orders() throws IOException {
        Path file = folder.resolve("orders.json");
        try (Stream<String> rows = Stream.iterate(0, i -> i + 1).limit(ROWS).map(i -> {
            long mixed = (i * 0x9E3779B97F4A7C15L) >>> 20;
            String id = mixed % 101 == 0 ? "null" : "\"" + (mixed / 1313 % 2 == 0 ? "id-" : "ID-") + mixed % 101 + "\"";
            return String.format("{\"number\": %d, \"id\": %s, \"shop\": %d, \"millis\": %d}", i, id, mixed / 101 % 13,
                BEGIN + (i / 10 + mixed / 2626 % 240) * 1000);
        })) {
            Files.write(file, (Iterable<String>) rows::iterator);
        }
        return file;
    }

    private static File binding() throws Exception {
        return new File(Filter.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    /** This project as it is packed. */
    private Path jar() throws Exception {
        Path to = folder.resolve("lately-flink.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(to)); Stream<Path> files = Files.walk(CLASSES)) {
            for (Path file : files.filter(Files::isRegularFile).collect(Collectors.toList())) {
                out.putNextEntry(new JarEntry(CLASSES.relativize(file).toString()));
                Files.copy(file, out);
            }
        }
        return to;
    }

    /** What the gateway answers to statements, in a process whose class path has neither this project nor the binding. */
    private List<String> run(String... statements) throws Exception {
        Path file = folder.resolve("statements.sql");
        Files.writeString(file, String.join("\n;\n", statements));
        Files.writeString(Files.createDirectory(folder.resolve("conf")).resolve("config.yaml"), "");
        String path = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> !Path.of(entry).equals(CLASSES) && !Path.of(entry).getFileName().toString().startsWith("lately"))
            .collect(Collectors.joining(File.pathSeparator));
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx768m",
            "--add-opens=java.base/java.util=ALL-UNNAMED", "--add-opens=java.base/java.lang=ALL-UNNAMED", "-XX:TieredStopAtLevel=1",
            "-cp", path, "dev.lately.flink.Gateway", file.toString()));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("FLINK_CONF_DIR", folder.resolve("conf").toString());
        Process child = builder.start();
        String text;
        try {
            text = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertEquals(0, child.waitFor(), text);
        } finally {
            child.destroyForcibly();
        }
        assertTrue(!text.contains("\nERROR "), text);
        return List.of(text.split("\n"));
    }

    /** The rows that a statement leaves, sorted: without those that it took back. */
    private static List<String> rows(List<String> lines, int statement) {
        int begin = lines.indexOf("STATEMENT " + statement);
        List<String> rows = new ArrayList<>();
        lines.stream().skip(begin + 1).takeWhile(line -> !line.startsWith("STATEMENT")).filter(line -> line.startsWith("ROW "))
            .map(line -> line.split(" ", 3)).forEach(row -> {
                if (row[1].equals("INSERT") || row[1].equals("UPDATE_AFTER")) {
                    rows.add(row[2]);
                } else {
                    assertTrue(rows.remove(row[2]), "taken back and not there: " + row[2]);
                }
            });
        Collections.sort(rows);
        return rows;
    }
}
