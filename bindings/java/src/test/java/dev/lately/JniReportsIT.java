package dev.lately;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Runs after all tests: the run fails on any line that {@code -Xcheck:jni} has printed meanwhile. */
class JniReportsIT {
    /** The reports say how the JVM of the tests was started. */
    @Test
    void theTestsLeftNoComplaintOfTheJvm() throws IOException {
        Path reports = Try.path("lately.reports");
        boolean checked = false;
        try (Stream<Path> files = Files.list(reports)) {
            for (Path file : (Iterable<Path>) files.filter(path -> path.toString().endsWith(".xml"))::iterator) {
                checked |= Files.readString(file).contains("checked by -Xcheck:jni");
            }
        }
        assertTrue(checked, "no test says that its JVM looks");
        assertEquals(List.of(), JniCheckTest.complaints(reports));
    }
}
