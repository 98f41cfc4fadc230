package dev.lately;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.StreamHandler;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A filter between two runs, as Java opens and saves it. What is done on the disk is tested in c_tests/file.c. */
class StateFileTest {
    private static final Options HOUR = Options.window(Duration.ofHours(1)).build();

    @TempDir
    Path folder;

    private Path state;

    @BeforeEach
    void nameTheState() {
        state = folder.resolve("seen.lately");
    }

    /** A run of the program: what it hears of one key. */
    private Verdict run(Options options) throws IOException {
        try (Filter seen = Filter.open(state, options)) {
            Verdict verdict = seen.observe("key");
            seen.save(state);
            return verdict;
        }
    }

    private void changed(Duration ago) throws IOException {
        Files.setLastModifiedTime(state, FileTime.from(Instant.now().minus(ago)));
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().collect(Collectors.toList());
        }
    }

    @Test
    void theNextRunContinues() throws IOException {
        Files.createFile(state); // An empty file has only its name.
        assertEquals(Verdict.NEW, run(HOUR));
        assertEquals(Verdict.DUPLICATE, run(HOUR));
        assertEquals(List.of("seen.lately"), names());
    }

    @Test
    void aFileOfTheFutureCountsAsNowAndIsReported() throws IOException {
        run(HOUR);
        changed(Duration.ofHours(-2));
        List<String> said = new ArrayList<>();
        Handler listener = new StreamHandler() {
            @Override
            public void publish(LogRecord line) {
                said.add(line.getMessage() + Arrays.toString(line.getParameters()));
            }
        };
        Logger log = Logger.getLogger("dev.lately");
        log.addHandler(listener);
        try {
            assertEquals(Verdict.DUPLICATE, run(HOUR));
        } finally {
            log.removeHandler(listener);
        }
        assertEquals(1, said.size(), said.toString());
        assertTrue(said.get(0).contains("seen.lately") && said.get(0).contains("PT"), said.toString());
    }

    @Test
    void otherOptionsAreRefusedByName() throws IOException {
        run(HOUR);
        byte[] before = Files.readAllBytes(state);
        long live = Handle.live();
        LatelyException error =
            Try.fails(Status.OPTIONS_DIFFER, () -> Filter.open(state, Options.window(Duration.ofHours(2)).build()));
        assertEquals(Optional.of(Field.WINDOW_NS), error.field());
        assertTrue(error.getMessage().contains("PT1H") && error.getMessage().contains("PT2H"), error.getMessage());
        assertArrayEquals(before, Files.readAllBytes(state));
        assertEquals(live, Handle.live());
    }

    /** The exceptions are those of Java, with the reason that C has. */
    @Test
    void whatTheSystemRefusesIsAnExceptionOfFiles() throws IOException {
        Path lost = state.resolveSibling("gone").resolve("state");
        Files.createDirectory(state);
        try (Filter seen = new Filter(HOUR)) {
            Exception error = assertThrows(NoSuchFileException.class, () -> Filter.open(lost, HOUR));
            assertTrue(error.getMessage().startsWith(lost + ": its folder: "), error.getMessage());
            error = assertThrows(NoSuchFileException.class, () -> seen.save(lost));
            assertTrue(error.getMessage().startsWith(lost + ": not saved: "), error.getMessage());
            error = assertThrows(FileSystemException.class, () -> seen.save(state));
            assertEquals(state + ": not replaced: not a file", error.getMessage());
            assertThrows(FileSystemException.class, () -> Filter.open(state, HOUR));
            seen.close();
            assertThrows(IllegalStateException.class, () -> seen.save(lost));
        }
        assertEquals(List.of("seen.lately"), names());
    }

    /** A name outside of ASCII, as C has it and as Java has it. */
    @Test
    void aNameIsTheSameInJavaAndInC() throws IOException {
        state = folder.resolve("gesehen \u00fc \u65e5 \ud83d\ude00");
        run(HOUR);
        assertTrue(Files.exists(state), () -> folder.toString());
    }

    /** The clocks of other languages, by their numbers in C. */
    @Test
    void aClockOfAnotherUnitIsRefused() {
        for (int clock = 3; clock <= 5; clock++) {
            try (Filter other = new Filter(Options.window(Duration.ofHours(1)).raw(Field.CLOCK, clock).build())) {
                byte[] bytes = other.snapshot();
                LatelyException error = Try.fails(Status.UNSUPPORTED, () -> Filter.load(bytes, Duration.ZERO, new LoadOptions()));
                assertTrue(error.getMessage().endsWith(List.of("microseconds", "milliseconds", "seconds").get(clock - 3)
                    + ": in Java a tick is nanoseconds"), error.getMessage());
            }
        }
    }
}
