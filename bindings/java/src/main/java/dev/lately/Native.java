package dev.lately;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;

/**
 * The functions of the glue, {@code src/main/native/lately_jni.c}, and nothing else. The callers have checked
 * lengths and ranges, and are inside the {@link Gate} of the handle. They throw {@link LatelyException} and do not
 * retry, log or keep anything. {@code javac -h} gives the numbers below, and those of
 * {@link KeyVerbs}, to the glue.
 */
final class Native {
    /**
     * Version of these functions, in hundreds, and of what they do with a key, so that a jar and a glue that do not belong
     * together are told apart.
     */
    static final int GLUE = 1500 + KeyVerbs.VERBS;

    /** The tick of a call without one: now, by the filter's clock. */
    static final long NOW = -1L;

    /** The most bytes of a short key, for which the glue has room. */
    static final int SHORT_KEY = 16;

    /** The most characters of a text for which the glue has room. */
    static final int SHORT_TEXT = 512;

    static {
        Loader.load();
    }

    private Native() {
    }

    static native int glueVersion();

    static native int abiVersion();

    static native int versionNumber();

    static native String versionString();

    static native String statusName(int code);

    static native long hash64(byte[] bytes, int length, long seed);

    static native void plan(long[] options, long[] plan);

    /** A filter for any number of threads, or for one. */
    static native long create(long[] options, boolean shared);

    static native long copy(long handle);

    static native void retain(long handle);

    static native void free(long handle);

    static native void advance(long handle, long tick);

    static native void clear(long handle);

    static native void stats(long handle, long[] stats);

    /** Fills in the options that make such a filter; the words are those of {@link #create}. */
    static native void options(long handle, long[] options);

    static native String describe(long handle);

    static native void statsReset(long handle);

    static native void secret(long handle, long[] words);

    /** Bytes outside of Java's heap, to be freed by {@link #blockFree}; {@link Snapshot} does. */
    static native long block();

    static native void blockFree(long block);

    static native long blockSize(long block);

    static native void blockRead(long block, long from, byte[] into, int length);

    static native void blockAppend(long block, byte[] bytes, int start, int length);

    /** Fills the block with the snapshot of a filter. */
    static native void snapshot(long handle, long block);

    /** The same, of the snapshot in the block. */
    static native long load(long block, long elapsed, long memory, long newMemory, long secretLo, long secretHi,
        boolean shared);

    /**
     * A filter of a file, for any number of threads. The two words get how far the file is from the future, and with
     * {@link Status#IO} the system's number of the error.
     */
    static native long open(byte[] path, long[] options, long[] words);

    /** Saves a filter in a file; the words are those of {@link #open}. */
    static native void save(long handle, byte[] path, long[] words);

    /** One key, by bytes of an array or of a direct buffer. Returns the answer, 0 or 1. */
    static native int bytes(long handle, int verb, byte[] key, int start, int length, long tick);

    /** The same by what {@link ShortKeys} makes of the bytes; a number is the head of its 8. */
    static native int shortKey(long handle, int verb, long head, long tail, int length, long tick);

    /** The same by the UTF-8 of a string of at most {@link #SHORT_TEXT} characters. */
    static native int text(long handle, int verb, String key, int length, long tick);

    static native int direct(long handle, int verb, ByteBuffer key, int start, int length, long tick);

    static native int hashed(long handle, int verb, long hash, long tick);

    /**
     * As {@link #bytes}, for the verbs that need two more words. They are the two bounds of an age; or the first is the token of a
     * claim, which {@link KeyVerbs#CLAIM} writes, and commit and abandon read.
     */
    static native int more(long handle, int verb, byte[] key, int start, int length, long tick, long[] words);

    static native long hashBytes(long handle, byte[] key, int start, int length);

    static native long hashDirect(long handle, ByteBuffer key, int start, int length);

    static native long hashWord(long handle, long key);

    /** Batches; ticks and verdicts may be null. */
    static native void words(long handle, int verb, boolean areHashes, long[] keys, long[] ticks, byte[] verdicts);

    /** As {@link PackedKeys}, whose absent keys may be null. */
    static native void packed(long handle, int verb, byte[] bytes, long[] offsets, byte[] present, long[] ticks, byte[] verdicts);

    /** Keys in direct buffers; the start of offsets is counted in them, and the bit from the beginning of its buffer. */
    static native void column(long handle, int verb, ByteBuffer bytes, int bytesStart, int bytesLength, Buffer offsets,
        int offsetsStart, int offsetBits, ByteBuffer validity, long validityBit, int count, LongBuffer ticks, int ticksStart,
        ByteBuffer verdicts, int verdictsStart);
}
