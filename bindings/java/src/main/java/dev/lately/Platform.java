package dev.lately;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;

/** What the native library of a platform is called, and where the jar has it. */
final class Platform {
    /** What Linux has loaded into this process, file by file. */
    private static final Path MAPS = Path.of("/proc/self/maps");

    private final String os;
    private final String arch;
    private final boolean musl;

    /**
     * A platform by the system properties {@code os.name} and {@code os.arch}, and on Linux by the C library: libraries for
     * one of them do not load on the other.
     */
    Platform(String osName, String osArch, boolean musl) {
        this.os = os(osName.toLowerCase(Locale.ROOT));
        this.arch = arch(osArch.toLowerCase(Locale.ROOT));
        this.musl = musl;
    }

    /** The same with the C library that most have. */
    Platform(String osName, String osArch) {
        this(osName, osArch, false);
    }

    static Platform here() {
        return new Platform(System.getProperty("os.name"), System.getProperty("os.arch"), runsOnMusl(MAPS));
    }

    /**
     * Whether the process of these maps runs on musl, as on Alpine. That musl is installed proves nothing: it may be installed with
     * another C library. Where there are no maps to read, it is taken for the other.
     */
    static boolean runsOnMusl(Path maps) {
        try (Stream<String> lines = Files.lines(maps, StandardCharsets.ISO_8859_1)) {
            return lines.anyMatch(line -> line.matches(".*/(ld-musl-|libc\\.musl-)[^/]*\\.so[^/]*")
                || line.matches(".*/[^/]*-linux-musl/libc\\.so"));
        } catch (IOException | java.io.UncheckedIOException e) {
            return false;
        }
    }

    /** The folder in the jar. */
    String folder() {
        return "/native/" + os + "-" + arch + (musl ? "-musl" : "") + "/";
    }

    /** The file, which has the core and the glue in it. */
    String library() {
        switch (os) {
            case "windows":
                return "lately_jni.dll";
            case "macos":
                return "liblately_jni.dylib";
            default:
                return "liblately_jni.so";
        }
    }

    private static String os(String name) {
        if (name.startsWith("windows")) {
            return "windows";
        }
        return name.startsWith("mac") ? "macos" : name;
    }

    private static String arch(String name) {
        switch (name) {
            case "amd64":
            case "x86-64":
                return "x86_64";
            case "arm64":
                return "aarch64";
            default:
                return name;
        }
    }
}
