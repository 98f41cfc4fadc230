package dev.lately;

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

/**
 * The check of the glue: this JVM looks. {@code -Xcheck:jni} only prints: the tests continue and pass, and Surefire hides the lines
 * in its dump files, so {@link JniReportsIT} has to look. That it finds one, a run with {@link PlantedFault} shows.
 */
class JniCheckTest {
    private static final Pattern COMPLAINT =
        Pattern.compile("(WARNING|FATAL ERROR) in native|WARNING: JNI |JNI local refs|unhandled exception in native");

    /** Every complaint in the files of a folder, as "file: line". */
    static List<String> complaints(Path folder) throws IOException {
        List<String> found = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile).sorted()::iterator) {
                Files.readString(file, StandardCharsets.ISO_8859_1).lines().filter(line -> COMPLAINT.matcher(line).find())
                    .forEach(line -> found.add(folder.relativize(file) + ": " + line));
            }
        }
        return found;
    }

    @Test
    void thisJvmLooks() {
        List<String> arguments = ManagementFactory.getRuntimeMXBean().getInputArguments();
        assertTrue(arguments.contains("-Xcheck:jni"), arguments.toString());
        System.out.println("checked by -Xcheck:jni");
    }
}
