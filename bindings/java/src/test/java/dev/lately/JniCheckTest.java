package dev.lately;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The check of the glue checked: this JVM looks, and a library with mistakes on purpose is found out. {@code -Xcheck:jni} only
 * prints: the tests continue and pass, and Surefire hides the lines in its dump files, so somebody has to look.
 */
class JniCheckTest {
    private static final Pattern COMPLAINT =
        Pattern.compile("(WARNING|FATAL ERROR) in native|WARNING: JNI |JNI local refs|unhandled exception in native");

    /** Every complaint in the files of a folder, as "file: line". */
    static List<String> complaints(Path folder) throws IOException {
        List<String> found = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile).sorted()::iterator) {
                complaintsIn(Files.readString(file, StandardCharsets.ISO_8859_1))
                    .forEach(line -> found.add(folder.relativize(file) + ": " + line));
            }
        }
        return found;
    }

    static List<String> complaintsIn(String text) {
        List<String> found = new ArrayList<>();
        text.lines().filter(line -> COMPLAINT.matcher(line).find()).forEach(found::add);
        return found;
    }

    @Test
    void thisJvmLooks() {
        List<String> arguments = ManagementFactory.getRuntimeMXBean().getInputArguments();
        assertTrue(arguments.contains("-Xcheck:jni"), arguments.toString());
        System.out.println("checked by -Xcheck:jni");
    }

    @Test
    void aFaultyLibraryIsFoundOut() throws Exception {
        List<Path> classes = List.of(Child.classesOf(Filter.class), Child.classesOf(Faulty.class));
        Child child = Child.java(classes, Faulty.class.getName(), Try.path("lately.faulty").toString());
        assertEquals(0, child.exit, "the JVM itself lets it pass: " + child);
        assertTrue(child.output.contains("the faulty call came back"), child.output);
        assertEquals(1, complaintsIn(child.output).size(), child.output);
    }

    @Test
    void theReportsAreSearched(@TempDir Path folder) throws Exception {
        Files.writeString(folder.resolve("TEST-x.xml"), "<testsuite/>\n");
        assertEquals(List.of(), complaints(folder));
        Path dumps = Files.createDirectory(folder.resolve("sub"));
        Files.write(dumps.resolve("a.dumpstream"), ("Corrupted channel by directly writing to native stream\n"
            + "Stream '\u00ffWARNING in native method: JNI call made without checking exceptions'.\n"
            + "FATAL ERROR in native method: Wrong object class\n").getBytes("ISO-8859-1"));
        assertEquals(2, complaints(folder).size());
    }
}
