package dev.lately;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How the native library is found, and what is said when they are not. */
class LoaderTest {
    private static final List<Path> CLASSES =
        List.of(Child.classesOf(Filter.class), Child.classesOf(LoaderTest.class));

    /** A program that cannot load the library, and what it prints. */
    private static void fails(List<String> said, String... arguments) throws Exception {
        Child child = Child.java(CLASSES, Stream.concat(Stream.of(arguments), Stream.of(Hello.class.getName())).toArray(String[]::new));
        assertEquals(1, child.exit, child.toString());
        said.forEach(words -> assertTrue(child.output.contains(words), child.output));
    }

    @Test
    void platformsHaveOneNameEach() {
        assertEquals("/native/linux-x86_64/", new Platform("Linux", "amd64").folder());
        assertEquals("/native/linux-aarch64/", new Platform("Linux", "aarch64").folder());
        assertEquals("/native/macos-aarch64/", new Platform("Mac OS X", "arm64").folder());
        assertEquals("/native/windows-x86_64/", new Platform("Windows 11", "amd64").folder());
        assertEquals("/native/linux-s390x/", new Platform("Linux", "s390x").folder());
        assertEquals("/native/linux-x86_64-musl/", new Platform("Linux", "amd64", true).folder());
        assertEquals("/native/linux-aarch64-musl/", new Platform("Linux", "aarch64", true).folder());
        assertEquals("liblately_jni.so", new Platform("Linux", "amd64", true).library());
        assertEquals("liblately_jni.so", new Platform("Linux", "amd64").library());
        assertEquals("lately_jni.dll", new Platform("Windows 10", "amd64").library());
        assertEquals("liblately_jni.dylib", new Platform("Mac OS X", "arm64").library());
    }

    private static boolean runsOnMusl(Path folder, String file) throws IOException {
        String line = "7f8d9e400000-7f8d9e414000 r--p 00000000 08:01 1048 " + " ".repeat(20) + file + "\n";
        return Platform.runsOnMusl(Files.writeString(folder.resolve("maps"), "7f8d9e3fe000 r-xp 0 [vdso]\n" + line));
    }

    /** As the loaders of Alpine, of Void and of Debian's musl call themselves; and what is not musl. */
    @Test
    void muslIsKnownByWhatIsLoaded(@TempDir Path folder) throws IOException {
        assertTrue(runsOnMusl(folder, "/lib/ld-musl-x86_64.so.1"));
        assertTrue(runsOnMusl(folder, "/usr/lib/libc.musl-aarch64.so.1"));
        assertTrue(runsOnMusl(folder, "/usr/lib/x86_64-linux-musl/libc.so"));
        assertFalse(runsOnMusl(folder, "/usr/lib/x86_64-linux-gnu/libc.so.6"));
        assertFalse(runsOnMusl(folder, "/srv/ld-musl-x86_64.so.1/data.db"));
        assertFalse(Platform.runsOnMusl(folder.resolve("there are none")));
    }

    /** A stand-in for the library of a release of long ago, which has nothing but its version. */
    @Test
    void anOldLibraryInTheOverrideIsTold() throws Exception {
        fails(List.of("the native library has version 7 of the glue, this jar needs " + Native.GLUE),
            "-Dlately.native.dir=" + Try.path("lately.old"));
    }

    /** Another version of the core, with the name by which programs in C ask for it, is in the process already. */
    @Test
    void loading_withAnotherCoreLoaded_usesItsOwn() throws Exception {
        Child child = Child.java(CLASSES, BesideAnotherCore.class.getName(), Try.path("lately.other.core").toString());
        assertEquals("NEW DUPLICATE", child.output.trim(), child.toString());
    }

    @Test
    void loading_ofNoLibrary_reportsTheLoadersMessage(@TempDir Path folder) throws Exception {
        Files.writeString(folder.resolve(Platform.here().library()), "no library");
        fails(List.of("UnsatisfiedLinkError: " + folder.resolve(Platform.here().library()) + ": ",
            "(if " + folder + " is mounted noexec, name another folder by java.io.tmpdir"), "-Dlately.native.dir=" + folder);
    }

    @Test
    void theOverrideIsUsed(@TempDir Path empty) throws Exception {
        Path natives = Try.path("lately.test.natives").resolve(Platform.here().folder().substring(1));
        Child child = Child.java(CLASSES, "-Dlately.native.dir=" + natives, Hello.class.getName());
        assertEquals("NEW DUPLICATE", child.output.trim(), child.toString());
        fails(List.of("no " + Platform.here().library() + " in " + empty + ", which lately.native.dir names"),
            "-Dlately.native.dir=" + empty);
    }

    @Test
    void whatIsMissingIsNamed() throws Exception {
        fails(List.of("this jar has no /native/", "-pdp11/", "lately.native.dir"), "-Dos.arch=pdp11");
        fails(List.of("the native library cannot be unpacked"), "-Djava.io.tmpdir=no-such-folder");
    }

    /** Windows deletes no file that is loaded: there one folder stays, until a later run finds it to be old. */
    @Test
    void nothingIsLeftBehind(@TempDir Path temp) throws Exception {
        int stays = Platform.here().library().endsWith(".dll") ? 1 : 0;
        for (int run = 0; run < 3; run++) {
            Child child = Child.java(CLASSES, "-Djava.io.tmpdir=" + temp, Hello.class.getName());
            assertEquals("NEW DUPLICATE", child.output.trim(), child.toString());
            assertEquals(stays, left(temp).size(), "run " + run);
            for (Path folder : left(temp)) {
                Files.setLastModifiedTime(folder, FileTime.from(Instant.now().minus(Duration.ofHours(2))));
            }
        }
    }

    @Test
    void whatEarlierRunsLeftIsSweptWhenItIsOld(@TempDir Path temp) throws IOException {
        Path old = leftover(temp.resolve("lately-1"));
        Path fresh = leftover(temp.resolve("lately-2"));
        Path others = Files.createDirectory(temp.resolve("lately-3"));
        Files.writeString(others.resolve("somebody's"), "");
        Path elsewhere = leftover(temp.resolve("elsewhere"));
        for (Path folder : List.of(old, others, elsewhere)) {
            Files.setLastModifiedTime(folder, FileTime.from(Instant.now().minus(Duration.ofHours(2))));
        }
        List<Path> stay = new ArrayList<>(List.of(fresh, others));
        if (!Platform.here().library().endsWith(".dll")) {
            // Windows lets few users make links, and Wine has none.
            stay.add(Files.createSymbolicLink(temp.resolve("lately-4"), elsewhere));
        }
        Loader.sweep(temp, Instant.now().minus(Duration.ofHours(1)));
        assertEquals(stay, left(temp));
        assertTrue(Files.exists(fresh.resolve(Platform.here().library())));
        assertTrue(Files.exists(elsewhere.resolve(Platform.here().library())));
    }

    private static Path leftover(Path folder) throws IOException {
        Files.createDirectory(folder);
        Files.writeString(folder.resolve(Platform.here().library()), "");
        return folder;
    }

    private static List<Path> left(Path temp) throws IOException {
        try (Stream<Path> files = Files.list(temp)) {
            return files.filter(path -> path.getFileName().toString().startsWith("lately-")).sorted()
                .collect(Collectors.toList());
        }
    }

    /** The smallest program, with a core of another version, which has nothing but that, in its process before. */
    public static final class BesideAnotherCore {
        @SuppressWarnings("restricted")
        public static void main(String[] args) {
            System.load(Path.of(args[0]).toAbsolutePath().toString());
            Hello.main(args);
        }
    }
}
