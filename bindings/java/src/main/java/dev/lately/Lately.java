package dev.lately;

/**
 * The library itself: its versions, and the hash that every language shares.
 *
 * <p>The jar has one native library for each platform that it was built for: the core, and the glue between it and Java. It
 * is unpacked into a fresh folder below {@code java.io.tmpdir}, loaded, and deleted. Where programs must not run from that folder
 * ({@code noexec}), set the system property {@code lately.native.dir} to a folder that has the library; nothing is unpacked then,
 * and a library that is missing there, or of another build, is an {@link UnsatisfiedLinkError} that names the cause.
 *
 * <p>Java 24 and later print a warning about native access unless the program is started with
 * {@code --enable-native-access=ALL-UNNAMED}, or {@code --enable-native-access=dev.lately} if the jar is on the module
 * path.
 */
public final class Lately {
    private Lately() {
    }

    /** The version of the native library that runs. Such as "0.1.0". */
    public static String versionString() {
        return Native.versionString();
    }

    /** The version of the native library that runs, as one number. Major x 1,000,000 + minor x 1,000 + patch. */
    public static int versionNumber() {
        return Native.versionNumber();
    }

    /** The binary interface of the native library that runs. */
    public static int abiVersion() {
        return Native.abiVersion();
    }

    /**
     * The hash of every filter that is not keyed: XXH3-64 under a seed. Frozen; it never changes, and it is the same
     * in every language.
     *
     * @param seed any number; 0 is that of a filter without {@link Options.Builder#seed}
     */
    public static long hash64(byte[] bytes, long seed) {
        return Native.hash64(bytes, bytes.length, seed);
    }

    /** The name that the native library has for a status. Such as "STRUCT_SIZE", or "UNKNOWN". */
    public static String statusName(int code) {
        return Native.statusName(code);
    }
}
