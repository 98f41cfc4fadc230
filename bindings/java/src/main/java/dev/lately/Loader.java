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
 * Loads the two native libraries, the core and then the glue, and checks that they belong together. No system
 * property is set, nothing is left behind (on Windows a later run takes it away), and a second class loader gets a copy
 * of its own.
 */
final class Loader {
    /** The folder that holds both libraries, instead of the jar. */
    static final String OVERRIDE = "lately.native.dir";

    private static final String PREFIX = "lately-";

    /** A run that has unpacked its libraries has loaded them by then. */
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
        checkVersions();
    }

    /** Both files by their full names: the system finds the core that the glue asks for among the loaded ones. */
    private static void loadFrom(Path folder) {
        for (String name : new String[] {Platform.here().core(), Platform.here().glue()}) {
            Path file = folder.resolve(name);
            if (!Files.isRegularFile(file)) {
                throw new UnsatisfiedLinkError("no " + name + " in " + folder + ", which " + OVERRIDE + " names");
            }
            load(file);
        }
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
            throw failure("the native libraries cannot be unpacked: " + e, e);
        }
    }

    private static void unpack(Path folder) throws IOException {
        Platform here = Platform.here();
        for (String name : new String[] {here.core(), here.glue()}) {
            try (InputStream library = Loader.class.getResourceAsStream(here.folder() + name)) {
                if (library == null) {
                    throw new UnsatisfiedLinkError("this jar has no " + here.folder() + name
                        + ": build it for this platform, or name a folder by " + OVERRIDE);
                }
                Files.copy(library, folder.resolve(name));
            }
        }
    }

    @SuppressWarnings("restricted")
    private static void load(Path file) {
        try {
            System.load(file.toString());
        } catch (UnsatisfiedLinkError e) {
            throw failure(e.getMessage() + " (where programs must not run from " + file.getParent()
                + ", name another folder by java.io.tmpdir, or one with both libraries by " + OVERRIDE + ")", e);
        }
    }

    /** What is loaded stays. Where a loaded file cannot be deleted (Windows), false: a later run will sweep it. */
    private static boolean delete(Path folder) {
        try {
            Files.deleteIfExists(folder.resolve(Platform.here().glue()));
            Files.deleteIfExists(folder.resolve(Platform.here().core()));
            return Files.deleteIfExists(folder);
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Deletes what earlier runs had to leave, if it is from before (one that starts just now keeps its own) and nobody
     * has it loaded. A link is not followed: whoever made it may have meant another folder. What cannot be done now is
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

    private static void checkVersions() {
        if (Native.glueVersion() != Native.GLUE) {
            throw new UnsatisfiedLinkError("the glue library has version " + Native.glueVersion()
                + ", this jar needs " + Native.GLUE + ": take both from one build");
        }
        checkCore(Native.abiVersion(), Native.headerAbiVersion(), Native.versionNumber(), Native.headerVersionNumber());
    }

    /** A core of another ABI, or older than the header of the glue, is told before anything else is called. */
    static void checkCore(int abi, int headerAbi, int version, int headerVersion) {
        if (abi != headerAbi || Integer.compareUnsigned(version, headerVersion) < 0) {
            throw new UnsatisfiedLinkError("liblately has version " + version + " and ABI " + abi
                + ": needed is version " + headerVersion + " or later with ABI " + headerAbi);
        }
    }

    private static UnsatisfiedLinkError failure(String message, Throwable cause) {
        UnsatisfiedLinkError error = new UnsatisfiedLinkError(message);
        error.initCause(cause);
        return error;
    }
}
