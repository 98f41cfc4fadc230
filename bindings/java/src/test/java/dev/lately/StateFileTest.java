package dev.lately;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.FileSystemException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
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
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** A filter between two runs: opened, saved, and never lost. */
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
    void theTimeBetweenTwoRunsCounts() throws IOException {
        run(HOUR);
        changed(Duration.ofMinutes(30));
        try (Filter seen = Filter.open(state, HOUR)) {
            Sighting sighting = seen.containsAge("key");
            assertTrue(sighting.atMostTime().compareTo(Duration.ofMinutes(30)) >= 0, sighting.toString());
        }
        changed(Duration.ofHours(2));
        assertEquals(Verdict.NEW, run(HOUR));
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
    void aManualClockGoesOnAtItsTick() throws IOException {
        Options manual = Options.window(Duration.ofHours(1)).clock(ClockSource.MANUAL).build();
        try (Filter seen = Filter.open(state, manual)) {
            seen.at(5).insert("key");
            seen.save(state);
        }
        changed(Duration.ofDays(1000));
        try (Filter seen = Filter.open(state, manual)) {
            assertEquals(5, seen.stats().clock());
            assertEquals(Verdict.DUPLICATE, seen.contains("key"));
        }
    }

    @Test
    void otherOptionsAreRefusedByName() throws IOException {
        run(HOUR);
        byte[] before = Files.readAllBytes(state);
        long live = Handle.live();
        LatelyException error = Try.fails(Status.OPTIONS_DIFFER,
            () -> Filter.open(state, Options.window(Duration.ofHours(1)).errorRate(0.01).build()));
        assertEquals(Optional.of(Field.ERROR_RATE), error.field());
        assertTrue(error.getMessage().contains("errorRate"), error.getMessage());
        error = Try.fails(Status.OPTIONS_DIFFER, () -> Filter.open(state, Options.window(Duration.ofHours(2)).build()));
        assertEquals(Optional.of(Field.WINDOW_NS), error.field());
        assertTrue(error.getMessage().contains("PT1H") && error.getMessage().contains("PT2H"), error.getMessage());
        assertArrayEquals(before, Files.readAllBytes(state));
        assertEquals(live, Handle.live());
    }

    @Test
    void whatCannotBeReadStays() throws IOException {
        run(HOUR);
        byte[] whole = Files.readAllBytes(state);
        byte[] damaged = whole.clone();
        damaged[damaged.length - 9] ^= 1;
        byte[] longer = Arrays.copyOf(whole, whole.length + 1);
        long live = Handle.live();
        for (byte[] bytes : new byte[][] {damaged, longer, Arrays.copyOf(whole, whole.length - 1)}) {
            Files.write(state, bytes);
            Class<? extends Exception> type = bytes.length < whole.length ? EOFException.class : LatelyException.class;
            assertThrows(type, () -> Filter.open(state, HOUR));
            assertArrayEquals(bytes, Files.readAllBytes(state));
        }
        assertEquals(live, Handle.live());
    }

    @Test
    void whatIsNoFilterIsNotReplaced() throws IOException {
        byte[] thesis = "chapter 1: it was a dark and stormy night".getBytes(StandardCharsets.UTF_8);
        Files.write(state, thesis);
        try (Filter filter = new Filter(HOUR)) {
            IOException error = assertThrows(IOException.class, () -> filter.save(state));
            assertTrue(error.getMessage().contains("not replaced"), error.getMessage());
        }
        assertArrayEquals(thesis, Files.readAllBytes(state));
    }

    @Test
    void aMissingFolderIsFoundAtTheStart() {
        Path lost = state.resolveSibling("gone").resolve("state");
        IOException error = assertThrows(NoSuchFileException.class, () -> Filter.open(lost, HOUR));
        assertTrue(error.getMessage().endsWith("gone"), error.getMessage());
    }

    @Test
    void theSecretIsThatOfTheOptions() throws IOException {
        Options.Builder keyed = Options.window(Duration.ofHours(1)).keyed(true);
        LatelyException error = Try.fails(Status.OPTION, () -> run(keyed.build()));
        assertEquals(Optional.of(Field.SECRET_LO), error.field());
        Options given = keyed.secret(new Secret(7, 9)).build();
        assertEquals(Verdict.NEW, run(given));
        assertEquals(Verdict.DUPLICATE, run(given));
        Try.fails(Status.SECRET, () -> run(keyed.secret(new Secret(7, 8)).build()));
    }

    @Test
    void modeAndLinkStay() throws IOException {
        Path target = folder.resolve("target");
        Files.createSymbolicLink(state, Path.of("target"));
        assertEquals(Verdict.NEW, run(HOUR));
        Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rw-r-----"));
        assertEquals(Verdict.DUPLICATE, run(HOUR));
        assertTrue(Files.isSymbolicLink(state));
        assertEquals("rw-r-----", PosixFilePermissions.toString(Files.getPosixFilePermissions(target)));
        assertEquals(List.of("seen.lately", "target"), names());
        Object file = Files.getAttribute(target, "unix:ino");
        run(HOUR);
        assertNotEquals(file, Files.getAttribute(target, "unix:ino"), "written in place");
    }

    @Test
    void aSaveThatFailsLeavesNothing() throws IOException {
        Files.createDirectories(state.resolve("full"));
        try (Filter seen = new Filter(HOUR)) {
            assertThrows(FileSystemException.class, () -> seen.save(state));
            assertThrows(NoSuchFileException.class, () -> seen.save(folder.resolve("no/seen.lately")));
            seen.close();
            assertThrows(IllegalStateException.class, () -> seen.save(folder.resolve("other")));
        }
        assertEquals(List.of("seen.lately"), names());
    }

    /** Puts a file that was written so long ago into the folder. */
    private Path aged(String name, Duration ago) throws IOException {
        Path file = Files.write(folder.resolve(name), new byte[] {1, 2, 3});
        return Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(ago)));
    }

    @Test
    void draftsNotWrittenForTenMinutesGoAndTheRestStays() throws IOException {
        Duration old = Duration.ofSeconds(610);
        List<Path> gone = new ArrayList<>();
        for (String random : List.of("0123456789abcdef", "ffffffffffffffff", "0000000000000000")) {
            gone.add(aged("seen.lately." + random + ".new", old));
        }
        List<Path> stay = new ArrayList<>();
        for (String name : List.of("seen.lately.new", "seen.lately..new", "seen.lately.0123456789abcde.new",
                "seen.lately.0123456789abcdef0.new", "seen.lately.3123456789ABCDEF.new", "seen.lately.0123456789abcdeg.new",
                "seen.lately.0123456789abcdef.old", "seen.lately.0123456789abcdef", "seen.lately.0123456789abcdef.new.old",
                "seen.lately.0123456789abcdef-new", "seen.lately-0123456789abcdef.new", "seen-lately.0123456789abcdef.new",
                "other.lately.0123456789abcdef.new", "my.seen.lately.0123456789abcdef.new")) {
            stay.add(aged(name, old));
        }
        stay.add(aged("seen.lately.1123456789abcdef.new", Duration.ofSeconds(590)));
        stay.add(aged("seen.lately.2123456789abcdef.new", Duration.ofHours(-1)));
        Path inside = Files.createDirectory(folder.resolve("seen.lately.4123456789abcdef.new"));
        stay.add(Files.setLastModifiedTime(inside, FileTime.from(Instant.now().minus(old))));
        Path target = aged("target", old);
        Path link = Files.createSymbolicLink(folder.resolve("seen.lately.5123456789abcdef.new"), target);
        new ProcessBuilder("touch", "-h", "-t", "200101010000", link.toString()).start().onExit().join();
        FileTime dated = Files.getLastModifiedTime(link, LinkOption.NOFOLLOW_LINKS);
        assertTrue(dated.toInstant().isBefore(Instant.parse("2002-01-01T00:00:00Z")), dated.toString());
        stay.addAll(List.of(link, target));
        run(HOUR);
        for (Path file : gone) {
            assertTrue(Files.notExists(file), file.toString());
        }
        for (Path file : stay) {
            assertTrue(Files.exists(file, LinkOption.NOFOLLOW_LINKS), file.toString());
        }
    }

    @Test
    void whatASaverDrawsIsTheNameOfADraft() throws IOException {
        StateFile file = new StateFile(state);
        for (int i = 0; i < 200; i++) { // one number in 16 begins with a zero
            String name = file.draft().getFileName().toString();
            assertTrue(file.drafts().matcher(name).matches(), name);
        }
    }

    @Test
    void theDraftsBehindALinkGo() throws IOException {
        Files.createDirectory(folder.resolve("data"));
        Files.createSymbolicLink(state, Path.of("data/seen"));
        Path ofFile = aged("data/seen.0123456789abcdef.new", Duration.ofHours(1));
        Path ofLink = aged("seen.lately.0123456789abcdef.new", Duration.ofHours(1));
        run(HOUR);
        assertTrue(Files.notExists(ofFile) && Files.exists(ofLink));
    }

    /** A saver stalls with its draft on the disk, and another one comes. */
    @Test
    void aSaverThatStalledFindsItsDraftGoneAndTheFileAsItWas() throws IOException {
        StateFile stalled = new StateFile(state);
        Path draft = aged(stalled.draft().getFileName().toString(), Duration.ofSeconds(601));
        assertEquals(Verdict.NEW, run(HOUR));
        FileSystemException error = assertThrows(FileSystemException.class, () -> stalled.replaceBy(draft));
        assertTrue(error.getMessage().contains("seen.lately: not saved: its draft is gone: a save removes"), error.getMessage());
        assertEquals(List.of("seen.lately"), names());
        assertEquals(Verdict.DUPLICATE, run(HOUR));
    }

    @Test
    void aFileThatIsMountedByItselfIsRefused() throws IOException {
        Path mounts = Path.of("/proc/self/mountinfo");
        if (Files.exists(mounts)) {
            Path place = Path.of(Files.readString(mounts).split(" ")[4]); // the first of them; a folder will do
            Files.createSymbolicLink(state, place);
            try (Filter seen = new Filter(HOUR)) {
                for (Executable refused : List.<Executable>of(() -> Filter.open(place, HOUR), () -> Filter.open(state, HOUR),
                        () -> seen.save(place), () -> seen.save(state))) {
                    FileSystemException error = assertThrows(FileSystemException.class, refused);
                    assertTrue(error.getMessage().endsWith(": mount its folder"), error.getMessage());
                }
            }
        }
        assertEquals("/a b\\c\n", StateFile.unescaped("/a\\040b\\134c\\012"));
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
