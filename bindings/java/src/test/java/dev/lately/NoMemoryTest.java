package dev.lately;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Memory that cannot be had is an exception, and the JVM lives on. */
class NoMemoryTest {
    /** The system's own limit, in a process of its own. Nothing is compiled in it, so that Java itself asks for little. */
    @Test
    void aSystemWithoutMemoryIsToldAndSurvived() throws Exception {
        List<Path> classes = List.of(Child.classesOf(Filter.class), Child.classesOf(NoMemory.class));
        List<String> limited = List.of("/bin/sh", "-c", "ulimit -v 2000000 && exec \"$@\"", "sh");
        Child child = Child.java(limited, classes, "-Xint", "-Xms200m", "-Xmx200m", "-XX:+UseSerialGC",
            "-XX:CompressedClassSpaceSize=32m", "-XX:ReservedCodeCacheSize=16m", NoMemory.class.getName());
        assertEquals("build: NO_MEMORY 0\ntake: NO_MEMORY 0\ncopy: NO_MEMORY 0\nbatch: NO_MEMORY 0\n"
            + "wide: NO_MEMORY 0\nfront: no failure\n"
            + "NEW DUPLICATE 1\nunits: some, live: 1\n", child.output, child.toString());
        assertEquals(0, child.exit);
    }
}
