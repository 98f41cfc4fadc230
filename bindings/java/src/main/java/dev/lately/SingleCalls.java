package dev.lately;

/**
 * How a call on one key goes into native code: by JNI. Java 22 and later have another class of this name in the jar
 * ({@code src/main/java22}), which goes the shorter way of their own. The caller is inside the {@link Gate} of the
 * handle, and has checked ranges.
 */
final class SingleCalls {
    private SingleCalls() {
    }

    /** Whether calls go by the way of Java 22. */
    static boolean areForeign() {
        return false;
    }

    static int bytes(long handle, int verb, byte[] key, int start, int length, long tick) {
        if (length <= ShortKeys.MOST) {
            return shortKey(handle, verb, ShortKeys.head(key, start, length), ShortKeys.tail(key, start, length), length, tick);
        }
        return Native.bytes(handle, verb, key, start, length, tick);
    }

    static int shortKey(long handle, int verb, long head, long tail, int length, long tick) {
        return Native.shortKey(handle, verb, head, tail, length, tick);
    }

    static int text(long handle, int verb, String key, long tick) {
        return Native.text(handle, verb, key, key.length(), tick);
    }

    static int hashed(long handle, int verb, long hash, long tick) {
        return Native.hashed(handle, verb, hash, tick);
    }
}
