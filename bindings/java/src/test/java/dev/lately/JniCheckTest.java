package dev.lately;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The check of the glue checked: this JVM looks, and a library with mistakes on purpose is found out. */
class JniCheckTest {
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
        assertEquals(1, JniReports.complaintsIn(child.output).size(), child.output);
    }

    @Test
    void theReportsAreSearched(@TempDir Path folder) throws Exception {
        Files.writeString(folder.resolve("TEST-x.xml"), "<testsuite/>\n");
        assertEquals(List.of(), JniReports.complaints(folder));
        Path dumps = Files.createDirectory(folder.resolve("sub"));
        Files.write(dumps.resolve("a.dumpstream"), ("Corrupted channel by directly writing to native stream\n"
            + "Stream '\u00ffWARNING in native method: JNI call made without checking exceptions'.\n"
            + "FATAL ERROR in native method: Wrong object class\n").getBytes("ISO-8859-1"));
        assertEquals(2, JniReports.complaints(folder).size());
    }
}
