package dev.lately.flink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What may change: in Flink, what the page lists; here, what says so. */
class StabilityTest {
    private static final Path CLASSES = Path.of(System.getProperty("lately.classes"));
    private static final Pattern ROW = Pattern.compile("(?m)^\\| (`[^|]*`) \\|");
    private static final Pattern NAME = Pattern.compile("`([^`]+)`");

    @Test
    void whatOfFlinkMayChangeIsWhatThePageLists() throws Exception {
        FlinkUses uses = new FlinkUses();
        for (Path file : classes()) {
            try (InputStream in = Files.newInputStream(file)) {
                uses.add(in);
            }
        }
        assertEquals(listed(), uses.unstable());
        assertTrue(uses.stable().contains("KeySelector"), uses.stable().toString());
    }

    @Test
    void everyPublicClassSaysWhetherItStays() throws Exception {
        int publicOnes = 0;
        for (Path file : classes()) {
            boolean isPublic;
            String label;
            try (InputStream in = Files.newInputStream(file); InputStream again = Files.newInputStream(file)) {
                isPublic = FlinkUses.isPublic(in);
                label = FlinkUses.annotation(again);
            }
            assertEquals(isPublic, label != null, file + ": " + label);
            publicOnes += isPublic ? 1 : 0;
        }
        assertTrue(publicOnes >= 5, "public classes: " + publicOnes);
    }

    /** A job that says what it wants sees nothing of Flink that may change. */
    @Test
    void whatAJobCallsNamesNothingThatMayChange() throws Exception {
        Set<String> internal = listed();
        for (Class<?> type : List.of(Deduplicate.class, LongKey.class)) {
            for (java.lang.reflect.Method method : type.getDeclaredMethods()) {
                if (java.lang.reflect.Modifier.isPublic(method.getModifiers()) && !method.getName().equals("operator")) {
                    Stream.concat(Stream.of(method.getReturnType()), Stream.of(method.getParameterTypes()))
                        .forEach(used -> assertFalse(internal.contains(used.getSimpleName()), method.toString()));
                }
            }
        }
    }

    /** The class files of this project, without package-info. */
    private static List<Path> classes() throws IOException {
        try (Stream<Path> files = Files.walk(CLASSES)) {
            return files.filter(file -> file.toString().endsWith(".class") && !file.endsWith("package-info.class"))
                .collect(Collectors.toList());
        }
    }

    /** The first cells of the table of the page. */
    private static Set<String> listed() throws IOException {
        String page = Files.readString(Path.of(System.getProperty("lately.root"), "engines", "flink", "README.md"));
        int begin = page.indexOf("### Which parts of Flink does it use?");
        Set<String> names = new TreeSet<>();
        Matcher row = ROW.matcher(page.substring(begin, page.indexOf("\n## ", begin)));
        while (row.find()) {
            NAME.matcher(row.group(1)).results().forEach(name -> names.add(name.group(1)));
        }
        return names;
    }
}
