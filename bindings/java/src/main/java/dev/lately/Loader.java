package dev.lately;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/**
 * Loads the native library, which has the core and the glue in it, and checks that it belongs to these classes. No system
 * property is set, nothing is left behind (on Windows a later run takes it away), and a second class loader gets a copy of its
 * own.
 */
final class Loader {
    /** The folder that has the library, instead of the jar. */
    static final String OVERRIDE = "lately.native.dir";

    private static final String PREFIX = "lately-";

    /** A run that has unpacked its library has loaded it by then. */
    private static final Duration STARTS_WITHIN = Duration.ofHours(1);

    private Loader() {
    }

    static void load() {
        String folder = System.getProperty(OVERRIDE);
        if (folder != null) {
            loadFrom(Path.of(folder).toAbsolutePath());
        } else {
            loadUnpacked();
        }
        checkGlue(Native.glueVersion());
    }

    private static void loadFrom(Path folder) {
        String name = Platform.here().library();
        Path file = folder.resolve(name);
        if (!Files.isRegularFile(file)) {
            throw new UnsatisfiedLinkError("no " + name + " in " + folder + ", which " + OVERRIDE + " names");
        }
        load(file);
    }

    private static void loadUnpacked() {
        try {
            Path folder = Files.createTempDirectory(PREFIX);
            try {
                unpack(folder);
                loadFrom(folder);
            } finally {
                if (!delete(folder)) {
                    sweep(folder.getParent(), Instant.now().minus(STARTS_WITHIN));
                }
            }
        } catch (IOException e) {
            throw failure("the native library cannot be unpacked: " + e, e);
        }
    }

    private static void unpack(Path folder) throws IOException {
        String name = Platform.here().library();
        String entry = Platform.here().folder() + name;
        try (InputStream library = Loader.class.getResourceAsStream(entry)) {
            if (library == null) {
                throw new UnsatisfiedLinkError("this jar has no " + entry
                    + ": build it for this platform, or name a folder by " + OVERRIDE);
            }
            Files.copy(library, folder.resolve(name));
        }
    }

    @SuppressWarnings("restricted")
    private static void load(Path file) {
        try {
            System.load(file.toString());
        } catch (UnsatisfiedLinkError e) {
            throw failure(e.getMessage() + " (if " + file.getParent() + " is mounted noexec, name another folder by "
                + "java.io.tmpdir, or one with the library by " + OVERRIDE + ")", e);
        }
    }

    /** What is loaded stays. Where a loaded file cannot be deleted (Windows), false: a later run will sweep it. */
    private static boolean delete(Path folder) {
        try {
            Files.deleteIfExists(folder.resolve(Platform.here().library()));
            return Files.deleteIfExists(folder);
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Deletes what earlier runs had to leave, if it is from before (one that starts just now keeps its own) and no process
     * has it loaded. A link is not followed, because it may point to another folder. What cannot be done now is
     * left to the next run.
     */
    static void sweep(Path temp, Instant before) {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(temp, PREFIX + "*")) {
            for (Path folder : folders) {
                if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
                    && Files.getLastModifiedTime(folder).toInstant().isBefore(before)) {
                    delete(folder);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            return;
        }
    }

    /** A library of another build is reported before anything else of it is called. */
    static void checkGlue(int version) {
        if (version != Native.GLUE) {
            throw new UnsatisfiedLinkError("the native library has version " + version + " of the glue, this jar needs "
                + Native.GLUE + ": take both from one build");
        }
    }

    private static UnsatisfiedLinkError failure(String message, Throwable cause) {
        UnsatisfiedLinkError error = new UnsatisfiedLinkError(message);
        error.initCause(cause);
        return error;
    }
}
