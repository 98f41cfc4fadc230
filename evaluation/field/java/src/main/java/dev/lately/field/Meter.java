package dev.lately.field;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** What a run costs: processor time of the process, bytes of Java's heap. */
final class Meter {
    private Meter() {}

    /**
     * Nanoseconds of a processor that all threads of the process took, those of the compiler and the collector too. Java's own
     * reading counts in hundredths of a second.
     */
    static long spent() {
        long sum = 0;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            for (Path thread : threads) {
                sum += spent(thread);
            }
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
        return sum;
    }

    private static long spent(Path thread) throws IOException {
        try {
            return Long.parseLong(Files.readString(thread.resolve("schedstat")).split(" ")[0]);
        } catch (NoSuchFileException ended) {
            return 0;
        }
    }

    /** Used bytes of the heap after full collections. */
    static long heap() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
