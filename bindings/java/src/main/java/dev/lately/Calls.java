package dev.lately;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.LongConsumer;

/**
 * The way of every call on one key: arguments are checked, the handle is entered, the glue is called, the handle is left. The
 * filter, and all that has a moment of it, share one of these: when it is unreachable, the cleaner ends the handle. The
 * fence keeps it reachable until the end of a call.
 */
final class Calls {
    final Handle handle;

    Calls(Handle handle) {
        this.handle = handle;
    }

    int key(int verb, byte[] key, int start, int length, long tick) {
        Objects.checkFromIndexSize(start, length, key.length);
        int lane = handle.enter();
        try {
            return SingleCalls.bytes(handle.address, verb, key, start, length, tick);
        } finally {
            leave(lane);
        }
    }

    int key(int verb, UUID key, long tick) {
        long head = Long.reverseBytes(key.getMostSignificantBits());
        long tail = Long.reverseBytes(key.getLeastSignificantBits());
        return shortKey(verb, head, tail, Bytes.OF_UUID, tick);
    }

    /** The JVM copies the characters of a short text, and the glue makes UTF-8 of them, without allocating. */
    int key(int verb, CharSequence key, long tick) {
        String text = key.toString();
        if (text.length() > Native.SHORT_TEXT) {
            byte[] bytes = Bytes.of(text);
            return key(verb, bytes, 0, bytes.length, tick);
        }
        int lane = handle.enter();
        try {
            return SingleCalls.text(handle.address, verb, text, tick);
        } finally {
            leave(lane);
        }
    }

    int key(int verb, ByteBuffer key, long tick) {
        if (key.hasArray()) {
            return key(verb, key.array(), key.arrayOffset() + key.position(), key.remaining(), tick);
        }
        if (key.isDirect()) {
            return direct(verb, key, tick);
        }
        return key(verb, Bytes.of(key), 0, key.remaining(), tick);
    }

    private int direct(int verb, ByteBuffer key, long tick) {
        Bytes.expectAlive(key);
        int lane = handle.enter();
        try {
            return Native.direct(handle.address, verb, key, key.position(), key.remaining(), tick);
        } finally {
            leave(lane);
        }
    }

    int word(int verb, long key, long tick) {
        return shortKey(verb, key, 0, Long.BYTES, tick);
    }

    private int shortKey(int verb, long head, long tail, int length, long tick) {
        int lane = handle.enter();
        try {
            return SingleCalls.shortKey(handle.address, verb, head, tail, length, tick);
        } finally {
            leave(lane);
        }
    }

    int hash(int verb, long hash, long tick) {
        int lane = handle.enter();
        try {
            return SingleCalls.hashed(handle.address, verb, hash, tick);
        } finally {
            leave(lane);
        }
    }

    Sighting age(int verb, byte[] key, int start, int length, long tick) {
        Objects.checkFromIndexSize(start, length, key.length);
        long[] age = new long[2];
        return new Sighting(Verdict.of(more(verb, key, start, length, tick, age)), age[0], age[1]);
    }

    Sighting age(int verb, ByteBuffer key, long tick) {
        return key.hasArray() ? age(verb, key.array(), key.arrayOffset() + key.position(), key.remaining(), tick)
            : age(verb, Bytes.of(key), 0, key.remaining(), tick);
    }

    /** The key is an array that is not shared. */
    Claim claim(int verb, byte[] key, long tick) {
        long[] token = new long[2];
        Verdict verdict = Verdict.of(more(verb, key, 0, key.length, tick, token));
        return new Claim(this, key, verdict, token[0]);
    }

    Committed commit(int verb, byte[] key, long token, long tick) {
        return Committed.of(more(verb, key, 0, key.length, tick, new long[] {token, 0}));
    }

    void abandon(byte[] key, long token) {
        more(KeyVerbs.ABANDON, key, 0, key.length, 0, new long[] {token, 0});
    }

    private int more(int verb, byte[] key, int start, int length, long tick, long[] words) {
        return inside(inner -> Native.more(inner.address, verb, key, start, length, tick, words));
    }

    long hashOf(byte[] key) {
        return hashOf(key, 0, key.length);
    }

    private long hashOf(byte[] key, int start, int length) {
        int lane = handle.enter();
        try {
            return Native.hashBytes(handle.address, key, start, length);
        } finally {
            leave(lane);
        }
    }

    long hashOf(long key) {
        int lane = handle.enter();
        try {
            return Native.hashWord(handle.address, key);
        } finally {
            leave(lane);
        }
    }

    long hashOf(ByteBuffer key) {
        if (key.hasArray()) {
            return hashOf(key.array(), key.arrayOffset() + key.position(), key.remaining());
        }
        return key.isDirect() ? hashOfDirect(key) : hashOf(Bytes.of(key));
    }

    private long hashOfDirect(ByteBuffer key) {
        Bytes.expectAlive(key);
        int lane = handle.enter();
        try {
            return Native.hashDirect(handle.address, key, key.position(), key.remaining());
        } finally {
            leave(lane);
        }
    }

    /** A call that is not made for every key. */
    <T> T inside(Function<Handle, T> call) {
        int lane = handle.enter();
        try {
            return call.apply(handle);
        } finally {
            leave(lane);
        }
    }

    /** A function of the glue that fills in words. */
    interface Figures {
        void into(long address, long[] words);
    }

    void act(LongConsumer call) {
        inside(inner -> {
            call.accept(inner.address);
            return null;
        });
    }

    long[] words(int count, Figures call) {
        long[] words = new long[count];
        act(address -> call.into(address, words));
        return words;
    }

    void batch(int verb, Keys keys, byte[] verdicts) {
        int lane = handle.enter();
        try {
            keys.into(handle.address, verb, verdicts);
        } finally {
            leave(lane);
        }
    }

    void batch(int verb, Keys keys, ByteBuffer verdicts) {
        int lane = handle.enter();
        try {
            keys.into(handle.address, verb, verdicts);
        } finally {
            leave(lane);
        }
    }

    /** Ends a call. */
    void leave(int lane) {
        handle.leave(lane);
        Reference.reachabilityFence(this);
    }
}
