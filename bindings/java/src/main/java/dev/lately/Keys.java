package dev.lately;

import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.List;
import java.util.Objects;

/**
 * Many keys for one call, with a tick for each if the records carry times: {@link Filter#observeAll}, {@link Filter#insertAll},
 * {@link Filter#containsAll}.
 *
 * <pre>{@code
 * Verdict[] verdicts = filter.observeAll(Keys.of(List.of("order-17", "order-18")));
 * }</pre>
 *
 * <p>Numbers, hashes and packed keys are not copied, and a call reads their present contents, so one object serves any
 * number of calls. The bytes of arrays and texts are copied when the object is made, since native code cannot read a Java
 * array in place while the garbage collector may move it. A batch gives the verdicts of single calls in the same order.
 *
 * <p>A null among arrays or texts, and a key that a column lacks, is absent: its verdict is {@link Verdict#ABSENT_KEY}, it is
 * never observed, and its tick is not applied. What does not fit is an {@link IllegalArgumentException}: a buffer of another sort
 * than it says, no offset at all, not one tick for each key, keys with more bytes in all than an array can have.
 *
 * <p>Direct buffers are in native byte order and used in place, from position to limit, which stay as they are. Nothing may write
 * to one during a call.
 */
public abstract class Keys {
    Keys() {
    }

    /** Numbers, each of which is a key of 8 bytes, little-endian. */
    public static Keys of(long[] keys) {
        return new LongKeys(Objects.requireNonNull(keys, "keys"), null, false);
    }

    /**
     * Keys by their hashes. A keyed filter takes none: {@link Status#UNSUPPORTED}.
     *
     * @param hashes (in) what {@link Filter#hash(byte[])} or {@link Lately#hash64} made of the keys; stays where it is
     */
    public static Keys ofHashes(long[] hashes) {
        return new LongKeys(Objects.requireNonNull(hashes, "hashes"), null, true);
    }

    /** Arrays, each of which is a key. */
    public static Keys of(byte[][] keys) {
        PackedKeys.Packer packer = new PackedKeys.Packer(keys.length);
        for (byte[] key : keys) {
            packer.add(key);
        }
        return packer.keys();
    }

    /** Texts, each of which is a key by its bytes in UTF-8; a lone surrogate is a question mark. */
    public static Keys of(List<? extends CharSequence> keys) {
        PackedKeys.Packer packer = new PackedKeys.Packer(keys.size());
        for (CharSequence key : keys) {
            packer.add(key == null ? null : Bytes.of(key));
        }
        return packer.keys();
    }

    /**
     * Keys back to back in an array: key {@code i} is from {@code offsets[i]} to {@code offsets[i + 1]}.
     *
     * @param bytes (in) stays where it is
     * @param offsets (in) one entry more than there are keys, not decreasing, the last at most the length of {@code bytes}: a
     *     call checks them before the first key, and other ones are {@link Status#OFFSETS}; stays where it is
     */
    public static Keys packed(byte[] bytes, long[] offsets) {
        Objects.requireNonNull(bytes, "bytes");
        checkOffsets(offsets.length);
        return new PackedKeys(bytes, offsets, null, null);
    }

    /** {@link #packed(byte[], long[])} in direct buffers. */
    public static Keys packed(ByteBuffer bytes, LongBuffer offsets) {
        return new DirectKeys(bytes, offsets, null, 0, null);
    }

    /**
     * A column of keys in the layout of Apache Arrow's string and binary arrays, in direct buffers.
     *
     * @param bytes (in) the values
     * @param offsets (in) as for {@link #packed(byte[], long[])}; the first need not be 0
     * @param validity (in) a bit for each key, from the low bit of a byte: 1 where the key is present; null if all are
     * @param firstBit the bit of the first key, counted from the position
     */
    public static Keys column(ByteBuffer bytes, IntBuffer offsets, ByteBuffer validity, int firstBit) {
        return new DirectKeys(bytes, offsets, validity, firstBit, null);
    }

    /** {@link #column(ByteBuffer, IntBuffer, ByteBuffer, int)} with the offsets of Arrow's large arrays. */
    public static Keys column(ByteBuffer bytes, LongBuffer offsets, ByteBuffer validity, int firstBit) {
        return new DirectKeys(bytes, offsets, validity, firstBit, null);
    }

    /**
     * The same keys, each at a tick of a manual clock, applied in order by the rules of single calls.
     *
     * @param ticks (in) one for each key; stays where it is. Of keys in direct buffers they are in one, too
     */
    public Keys at(long[] ticks) {
        throw new IllegalArgumentException("the ticks of keys in direct buffers must be in a direct buffer");
    }

    /** {@link #at(long[])} of keys in direct buffers. */
    public Keys at(LongBuffer ticks) {
        throw new IllegalArgumentException("the ticks of keys in arrays must be in an array");
    }

    /** How many keys there are, absent ones with them. */
    public abstract int count();

    /** The call, inside the gate; verdicts may be null. */
    abstract void into(long handle, int verb, byte[] verdicts);

    /** The call, inside the gate. */
    void into(long handle, int verb, ByteBuffer verdicts) {
        throw new IllegalArgumentException("the verdicts of keys in arrays must be in an array");
    }

    /** The answers to a batch, as codes. */
    byte[] codes(Calls calls, int verb) {
        byte[] codes = new byte[count()];
        calls.batch(verb, this, codes);
        return codes;
    }

    final Verdict[] verdicts(Calls calls, int verb) {
        return Verdict.all(codes(calls, verb));
    }

    final boolean[] flags(Calls calls, int verb) {
        byte[] codes = codes(calls, verb);
        boolean[] flags = new boolean[codes.length];
        for (int i = 0; i < flags.length; i++) {
            flags[i] = codes[i] == 1;
        }
        return flags;
    }

    final void checkTicks(int ticks) {
        if (ticks != count()) {
            throw new IllegalArgumentException("ticks must have one entry for each key: " + ticks + " for " + count());
        }
    }

    final void checkVerdicts(int verb, int room) {
        if (room < count()) {
            String what = verb == KeyVerbs.REMOVE ? "removed" : "verdicts";
            throw new IllegalArgumentException(what + " must have room for each key: " + room + " for " + count());
        }
    }

    static void checkOffsets(int offsets) {
        check(offsets > 0, "offsets has no entries: needed is one more than there are keys");
    }

    static void check(boolean isTrue, String rule) {
        if (!isTrue) {
            throw new IllegalArgumentException(rule);
        }
    }
}
