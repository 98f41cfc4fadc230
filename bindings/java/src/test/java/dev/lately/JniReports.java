package dev.lately;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds what {@code -Xcheck:jni} has printed. It only prints: the tests continue and pass, and Surefire hides the lines in
 * its dump files, so somebody has to look.
 */
final class JniReports {
    private static final Pattern COMPLAINT =
        Pattern.compile("(WARNING|FATAL ERROR) in native|WARNING: JNI |JNI local refs|unhandled exception in native");

    private JniReports() {
    }

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
}
