package dev.lately;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.Objects;

/**
 * The way of every call: arguments are checked, the handle is entered, the glue is called, the handle is left. The
 * fence keeps the filter reachable until then, or the cleaner could end it between two steps of a call.
 */
abstract class Verbs {
    final Handle handle;

    Verbs(Handle handle) {
        this.handle = handle;
    }

    final int key(int verb, byte[] key, int start, int length, long tick) {
        Objects.checkFromIndexSize(start, length, key.length);
        int lane = handle.enter();
        try {
            return SingleCalls.bytes(handle.address, verb, key, start, length, tick);
        } finally {
            leave(lane);
        }
    }

    final int key(int verb, byte[] key, long tick) {
        return key(verb, key, 0, key.length, tick);
    }

    final int key(int verb, long key, long tick) {
        int lane = handle.enter();
        try {
            return SingleCalls.word(handle.address, verb, key, tick);
        } finally {
            leave(lane);
        }
    }

    final int hash(int verb, long hash, long tick) {
        int lane = handle.enter();
        try {
            return SingleCalls.hashed(handle.address, verb, hash, tick);
        } finally {
            leave(lane);
        }
    }

    final int key(int verb, ByteBuffer key, long tick) {
        if (key.hasArray()) {
            return key(verb, key.array(), key.arrayOffset() + key.position(), key.remaining(), tick);
        }
        if (!key.isDirect()) {
            return key(verb, copyOf(key), tick);
        }
        return direct(verb, key, tick);
    }

    private int direct(int verb, ByteBuffer key, long tick) {
        int lane = handle.enter();
        try {
            return Native.direct(handle.address, verb, key, key.position(), key.remaining(), tick);
        } finally {
            leave(lane);
        }
    }

    final Sighting age(int verb, byte[] key, int start, int length, long tick) {
        Objects.checkFromIndexSize(start, length, key.length);
        long[] age = new long[2];
        int lane = handle.enter();
        try {
            return new Sighting(Verdict.of(Native.age(handle.address, verb, key, start, length, tick, age)), age[0], age[1]);
        } finally {
            leave(lane);
        }
    }

    final Sighting age(int verb, byte[] key, long tick) {
        return age(verb, key, 0, key.length, tick);
    }

    final Sighting age(int verb, ByteBuffer key, long tick) {
        return key.hasArray() ? age(verb, key.array(), key.arrayOffset() + key.position(), key.remaining(), tick)
            : age(verb, copyOf(key), tick);
    }

    final long hashOf(byte[] key, int start, int length) {
        int lane = handle.enter();
        try {
            return Native.hashBytes(handle.address, key, start, length);
        } finally {
            leave(lane);
        }
    }

    final long hashOf(byte[] key) {
        return hashOf(key, 0, key.length);
    }

    final long hashOf(long key) {
        int lane = handle.enter();
        try {
            return Native.hashWord(handle.address, key);
        } finally {
            leave(lane);
        }
    }

    final long hashOf(ByteBuffer key) {
        if (key.hasArray()) {
            return hashOf(key.array(), key.arrayOffset() + key.position(), key.remaining());
        }
        return key.isDirect() ? hashOfDirect(key) : hashOf(copyOf(key));
    }

    private long hashOfDirect(ByteBuffer key) {
        int lane = handle.enter();
        try {
            return Native.hashDirect(handle.address, key, key.position(), key.remaining());
        } finally {
            leave(lane);
        }
    }

    /** The bytes of a buffer whose array is out of reach. */
    private static byte[] copyOf(ByteBuffer key) {
        byte[] bytes = new byte[key.remaining()];
        key.duplicate().get(bytes);
        return bytes;
    }

    final void words(int verb, long[] keys, long[] ticks, byte[] verdicts) {
        checkArrays(keys.length, ticks, verdicts);
        int lane = handle.enter();
        try {
            Native.words(handle.address, verb, keys, ticks, verdicts);
        } finally {
            leave(lane);
        }
    }

    final void hashes(int verb, long[] hashes, long[] ticks, byte[] verdicts) {
        checkArrays(hashes.length, ticks, verdicts);
        int lane = handle.enter();
        try {
            Native.hashes(handle.address, verb, hashes, ticks, verdicts);
        } finally {
            leave(lane);
        }
    }

    final void packed(int verb, byte[] bytes, long[] offsets, long[] ticks, byte[] verdicts) {
        Objects.requireNonNull(bytes, "bytes");
        checkArrays(keysOf(offsets.length), ticks, verdicts);
        int lane = handle.enter();
        try {
            Native.packed(handle.address, verb, bytes, offsets, ticks, verdicts);
        } finally {
            leave(lane);
        }
    }

    final void direct(int verb, ByteBuffer bytes, LongBuffer offsets, LongBuffer ticks, ByteBuffer verdicts) {
        int count = keysOf(offsets.remaining());
        checkBuffers(count, bytes, offsets, ticks, verdicts);
        int lane = handle.enter();
        try {
            Native.directBatch(handle.address, verb, bytes, bytes.position(), bytes.remaining(),
                offsets, offsets.position(), count, ticks, ticks == null ? 0 : ticks.position(),
                verdicts, verdicts == null ? 0 : verdicts.position());
        } finally {
            leave(lane);
        }
    }

    /** Ends a call; the fence stands for every field of the filter. */
    final void leave(int lane) {
        handle.leave(lane);
        Reference.reachabilityFence(this);
    }

    private static int keysOf(int offsets) {
        check(offsets > 0, "offsets has no entries: needed is one more than there are keys");
        return offsets - 1;
    }

    private static void checkArrays(int count, long[] ticks, byte[] verdicts) {
        check(ticks == null || ticks.length == count, "ticks must have one entry for each key");
        check(verdicts == null || verdicts.length >= count, "verdicts must have room for each key");
    }

    private static void checkBuffers(int count, ByteBuffer bytes, LongBuffer offsets, LongBuffer ticks,
        ByteBuffer verdicts) {
        check(bytes.isDirect(), "bytes must be a direct buffer");
        checkLongs("offsets must be a direct buffer in native byte order", offsets);
        if (ticks != null) {
            checkLongs("ticks must be a direct buffer in native byte order", ticks);
            check(ticks.remaining() == count, "ticks must have one entry for each key");
        }
        if (verdicts != null) {
            check(verdicts.isDirect() && !verdicts.isReadOnly(), "verdicts must be a direct buffer to write to");
            check(verdicts.remaining() >= count, "verdicts must have room for each key");
        }
    }

    private static void checkLongs(String rule, LongBuffer buffer) {
        check(buffer.isDirect() && buffer.order() == ByteOrder.nativeOrder(), rule);
    }

    private static void check(boolean holds, String rule) {
        if (!holds) {
            throw new IllegalArgumentException(rule);
        }
    }
}
