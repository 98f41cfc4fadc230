package dev.lately;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The metadata for GraalVM names all that is looked up by name: what the native functions ask of Java, and the libraries.
 * The native functions themselves are called from Java and need none.
 */
class NativeImageTest {
    private static final String FILE = "/META-INF/native-image/dev.lately/lately/reachability-metadata.json";

    private static String metadata() throws Exception {
        try (InputStream in = NativeImageTest.class.getResourceAsStream(FILE)) {
            assertNotNull(in, FILE);
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** The text of a list, such as that of "jni". */
    private static String section(String name) throws Exception {
        Matcher list = Pattern.compile("\"" + name + "\": \\[(.*?)\n  \\]", Pattern.DOTALL).matcher(metadata());
        assertTrue(list.find(), name);
        return list.group(1);
    }

    private static Set<String> found(String pattern, String text) {
        return Pattern.compile(pattern).matcher(text).results().map(result -> result.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String glue() throws Exception {
        List<Path> files;
        try (Stream<Path> all = Files.list(Try.source("bindings/java/src/main/native"))) {
            files = all.filter(file -> file.toString().matches(".*\\.[ch]")).sorted().collect(Collectors.toList());
        }
        StringBuilder text = new StringBuilder();
        for (Path file : files) {
            text.append(Files.readString(file));
        }
        return text.toString();
    }

    @Test
    void itNamesTheClassesThatTheGlueLooksFor() throws Exception {
        Set<String> wanted = found("FindClass\\(env, \"([^\"]+)\"", glue()).stream()
            .map(name -> name.replace('/', '.')).collect(Collectors.toCollection(TreeSet::new));
        assertEquals(2, wanted.size(), "the glue is read wrongly: " + wanted);
        for (String name : List.of("reflection", "jni")) {
            assertEquals(wanted, found("\"type\": \"([^\"]+)\"", section(name)), name);
        }
    }

    /** The constructors of those classes: the one that is named, and the one with a string, which ThrowNew calls. */
    @Test
    void theConstructorsAreThere() throws Exception {
        String glue = glue();
        assertEquals(Set.of("<init>"), found("GetMethodID\\(env, \\w+, \"([^\"]+)\"", glue));
        assertEquals(Set.of("(II[BJ)V"), found("GetMethodID\\(env, \\w+, \"[^\"]+\", \"([^\"]+)\"", glue));
        assertTrue(glue.contains("ThrowNew(env"));
        assertTrue(found("(Get(?:Static)?(?:FieldID|StaticMethodID))", glue).isEmpty());
        for (String name : List.of("reflection", "jni")) {
            assertEquals(Set.of("\"int\", \"int\", \"byte[]\", \"long\"", "\"java.lang.String\""),
                found("\"<init>\", \"parameterTypes\": \\[(.*?)\\]\\}", section(name)), name);
        }
        assertNotNull(LatelyException.class.getDeclaredConstructor(int.class, int.class, byte[].class, long.class));
        assertNotNull(IllegalArgumentException.class.getConstructor(String.class));
    }

    /** The functions that Java 22 and later call by the foreign functions of the JVM, as SingleCalls describes them. */
    @Test
    void theForeignFunctionsAreThere() throws Exception {
        String calls = Files.readString(Try.source("bindings/java/src/main/java22/dev/lately/SingleCalls.java"));
        assertTrue(calls.contains("FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT)\n"
            + "            .appendArgumentLayouts(key).appendArgumentLayouts(JAVA_LONG)"), "it is described in another way");
        Set<String> keys = found("= handle\\(\"\\w+\", ([A-Z_, ]+)\\)", calls);
        assertEquals(Set.of("ADDRESS, JAVA_LONG", "JAVA_LONG, JAVA_LONG, JAVA_LONG", "JAVA_LONG"), keys);
        Set<String> wanted = keys.stream()
            .map(key -> ("JAVA_LONG, JAVA_INT, " + key + ", JAVA_LONG").replace("JAVA_LONG", "\"jlong\"")
                .replace("JAVA_INT", "\"jint\"").replace("ADDRESS", "\"void*\""))
            .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(wanted, found("\"returnType\": \"jlong\", \"parameterTypes\": \\[(.*?)\\]\\}", metadata()));
    }

    /** Every library of every platform, and nothing that is none. */
    @Test
    void theLibrariesAreResources() throws Exception {
        List<PathMatcher> globs = found("\"glob\": \"([^\"]+)\"", section("resources")).stream()
            .map(glob -> FileSystems.getDefault().getPathMatcher("glob:" + glob)).collect(Collectors.toList());
        for (String os : List.of("linux", "windows", "mac os x")) {
            Platform platform = new Platform(os, "amd64");
            for (String name : List.of(platform.library())) {
                Path path = Path.of(platform.folder().substring(1) + name);
                assertTrue(globs.stream().anyMatch(glob -> glob.matches(path)), path.toString());
            }
            Path licences = Path.of(platform.folder().substring(1) + "THIRD-PARTY.txt");
            assertTrue(globs.stream().noneMatch(glob -> glob.matches(licences)));
        }
    }
}
