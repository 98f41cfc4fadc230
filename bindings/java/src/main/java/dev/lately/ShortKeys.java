package dev.lately;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Keys that fit in two numbers, which go into native code as arguments of the call. An array would have to be asked of the
 * JVM from there, by a second call across the border.
 */
final class ShortKeys {
    /** The longest of them, in bytes. */
    static final int MOST = Native.SHORT_KEY;

    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private ShortKeys() {
    }

    /** The first 8 bytes, little-endian; all of a key that has fewer. */
    static long head(byte[] key, int start, int length) {
        return length < Long.BYTES ? bytes(key, start, length) : (long) WORD.get(key, start);
    }

    /** The last 8 bytes of a key that has more than 8, of which the head may have some too. */
    static long tail(byte[] key, int start, int length) {
        return length <= Long.BYTES ? 0 : (long) WORD.get(key, start + length - Long.BYTES);
    }

    private static long bytes(byte[] key, int start, int length) {
        long word = 0;
        for (int i = 0; i < length; i++) {
            word |= (key[start + i] & 0xffL) << (Byte.SIZE * i);
        }
        return word;
    }
}
