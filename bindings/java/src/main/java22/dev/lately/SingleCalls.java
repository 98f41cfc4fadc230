package dev.lately;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * How a call on one key goes into native code, in Java 22 and later: by the foreign functions of the JVM, to the same glue
 * as by JNI. JNI is still there where the program has not been given native access ({@code --enable-native-access}), which
 * before Java 24 the JVM would complain of, where the JVM has no foreign functions, and for keys that are no short ones: for
 * long ones, and in virtual threads, which have no memory of their own here.
 *
 * <p>Any other key is copied: a heap array that native code reads in place would hold up the garbage collector for as long as a
 * lock is waited for.
 */
final class SingleCalls {
    /** The longest key that has room, in bytes. */
    private static final int MOST = 256;

    /** The longest text that has room, in characters. */
    private static final int MOST_TEXT = 128;

    /** Each byte's bit that ASCII does not use. */
    private static final long NOT_ASCII = 0x8080808080808080L;

    /**
     * Where the key of a thread lies for the time of a call: one of {@link #MOST} bytes, or the UTF-8 of a text, which has at most
     * 3 bytes for a character, and a 0 that Java writes after it.
     */
    private static final ThreadLocal<MemorySegment> ROOM =
        ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(3 * MOST_TEXT + Long.BYTES, Long.BYTES));

    /** null where JNI is to be used. */
    private static final MethodHandle KEY = handle("lately_jni_key", ADDRESS, JAVA_LONG);
    private static final MethodHandle SHORT = handle("lately_jni_short", JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle HASH = handle("lately_jni_hash", JAVA_LONG);

    private SingleCalls() {
    }

    /** Whether calls go by the way of Java 22. */
    static boolean areForeign() {
        return KEY != null;
    }

    /** A function of the glue: handle, verb, what the key is, tick. */
    @SuppressWarnings("restricted")
    private static MethodHandle handle(String name, ValueLayout... key) {
        // The libraries are loaded with the class that has the native methods.
        if (Native.glueVersion() != Native.GLUE || !SingleCalls.class.getModule().isNativeAccessEnabled()) {
            return null;
        }
        FunctionDescriptor arguments = FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT)
            .appendArgumentLayouts(key).appendArgumentLayouts(JAVA_LONG);
        MemorySegment function = SymbolLookup.loaderLookup().find(name).orElseThrow(() -> new UnsatisfiedLinkError(name));
        try {
            return Linker.nativeLinker().downcallHandle(function, arguments);
        } catch (UnsupportedOperationException e) {
            // This JVM has no foreign functions on this platform.
            return null;
        }
    }

    static int bytes(long handle, int verb, byte[] key, int start, int length, long tick) {
        return length <= ShortKeys.MOST
            ? shortKey(handle, verb, ShortKeys.head(key, start, length), ShortKeys.tail(key, start, length), length, tick)
            : longKey(handle, verb, key, start, length, tick);
    }

    static int shortKey(long handle, int verb, long head, long tail, int length, long tick) {
        if (SHORT == null) {
            return Native.shortKey(handle, verb, head, tail, length, tick);
        }
        try {
            return answer((long) SHORT.invokeExact(handle, verb, head, tail, (long) length, tick));
        } catch (Throwable e) {
            throw thrown(e);
        }
    }

    private static int longKey(long handle, int verb, byte[] key, int start, int length, long tick) {
        if (KEY == null || length > MOST || Thread.currentThread().isVirtual()) {
            return Native.bytes(handle, verb, key, start, length, tick);
        }
        MemorySegment room = ROOM.get();
        MemorySegment.copy(key, start, room, JAVA_BYTE, 0, length);
        return segment(handle, verb, room, length, tick);
    }

    /** A key in native memory stays where it is, and its arena open, for the time of the call; any other is copied. */
    static int segment(long handle, int verb, MemorySegment key, long tick) {
        if (KEY != null && key.isNative()) {
            return segment(handle, verb, key, key.byteSize(), tick);
        }
        byte[] bytes = key.toArray(JAVA_BYTE);
        return bytes(handle, verb, bytes, 0, bytes.length, tick);
    }

    private static int segment(long handle, int verb, MemorySegment key, long length, long tick) {
        try {
            return answer((long) KEY.invokeExact(handle, verb, key, length, tick));
        } catch (Throwable e) {
            throw thrown(e);
        }
    }

    /**
     * Java writes a text of ASCII without an array in between. It does not say how many bytes it wrote: as many as there are
     * characters if they are ASCII, and else JNI has the text.
     */
    static int text(long handle, int verb, String key, long tick) {
        int length = key.length();
        if (KEY == null || length > MOST_TEXT || Thread.currentThread().isVirtual()) {
            return Native.text(handle, verb, key, length, tick);
        }
        MemorySegment room = ROOM.get();
        room.setString(0, key);
        return isAscii(room, length) ? segment(handle, verb, room, length, tick) : Native.text(handle, verb, key, length, tick);
    }

    private static boolean isAscii(MemorySegment room, int length) {
        long all = 0;
        int at = 0;
        for (; at + Long.BYTES <= length; at += Long.BYTES) {
            all |= room.get(JAVA_LONG, at);
        }
        for (; at < length; at++) {
            all |= room.get(JAVA_BYTE, at);
        }
        return (all & NOT_ASCII) == 0;
    }

    static int hashed(long handle, int verb, long hash, long tick) {
        if (HASH == null) {
            return Native.hashed(handle, verb, hash, tick);
        }
        try {
            return answer((long) HASH.invokeExact(handle, verb, hash, tick));
        } catch (Throwable e) {
            throw thrown(e);
        }
    }

    /** The answer is in the bits below the status. */
    private static int answer(long packed) {
        if (packed >> 8 != 0) {
            throw new LatelyException((int) (packed >> 8), 0, new byte[0], 0);
        }
        return (int) packed;
    }

    /** A method handle declares anything; this one throws what is unchecked only. */
    private static RuntimeException thrown(Throwable e) {
        if (e instanceof Error) {
            throw (Error) e;
        }
        return (RuntimeException) e;
    }
}
