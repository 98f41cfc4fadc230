package dev.lately;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Memory that cannot be had is an exception, and the JVM lives on. */
class NoMemoryTest {
    /** The system's own limit, in a process of its own. Nothing is compiled in it, so that Java itself asks for little. */
    @Test
    void aSystemWithoutMemoryIsToldAndSurvived() throws IOException, InterruptedException {
        File log = File.createTempFile("lately-limited", ".log");
        String java = new File(System.getProperty("java.home"), "bin/java").toString();
        String classes = Child.classesOf(Filter.class) + File.pathSeparator + Child.classesOf(NoMemory.class);
        List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", "ulimit -v 2000000 && exec \"$@\"", "sh", java,
            "-Xcheck:jni", "-Xint", "-Xms200m", "-Xmx200m", "-XX:+UseSerialGC", "-XX:CompressedClassSpaceSize=32m",
            "-XX:ReservedCodeCacheSize=16m", "-cp", classes, NoMemory.class.getName()));
        if (Runtime.version().feature() >= 24) {
            command.add(command.indexOf("-Xint"), "--enable-native-access=ALL-UNNAMED");
        }
        Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log).start();
        int exit = process.waitFor();
        String output = Files.readString(log.toPath());
        assertEquals("build: NO_MEMORY 0\ntake: NO_MEMORY 0\ncopy: NO_MEMORY 0\nbatch: NO_MEMORY 0\n"
            + "wide: NO_MEMORY 0\nfront: no failure\n"
            + "NEW DUPLICATE 1\nunits: some, live: 1\n", output, "exit " + exit);
        assertEquals(0, exit);
        Files.delete(log.toPath());
    }
}
