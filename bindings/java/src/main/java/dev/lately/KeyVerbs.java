package dev.lately;

import java.lang.annotation.Native;
import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * The verbs on one key, by all that a key may be: of a {@link Filter} now, of a {@link FilterAt} at its moment. A key is bytes,
 * and all forms of the same bytes are the same key, in every language:
 *
 * <ul>
 * <li>an array; no bytes are a key like any other
 * <li>a buffer: the bytes from position to limit, which stay as they are; a direct buffer is not copied
 * <li>a text: its bytes in UTF-8; a lone surrogate is a question mark
 * <li>a number: 8 bytes, little-endian
 * <li>a UUID: its 16 bytes in the order of its text
 * <li>a hash, by verbs of their own: what {@link Filter#hash(byte[])} or {@link Lately#hash64} made of the key. A keyed filter,
 *     and one with a {@linkplain Options.Builder#lease lease}, take none: {@link Status#UNSUPPORTED}
 * </ul>
 *
 * <p>A verb throws a {@link LatelyException} if a filter at a moment has no manual clock, or refuses the tick; and an
 * {@link IllegalStateException} if the filter is closed.
 */
public abstract class KeyVerbs extends SegmentVerbs {
    /** The numbers of the verbs in the glue. Batches have the first four. */
    @Native static final int OBSERVE = 0;
    @Native static final int INSERT = 1;
    @Native static final int CONTAINS = 2;
    @Native static final int REMOVE = 3;
    @Native static final int CLAIM = 4;
    @Native static final int COMMIT = 5;
    @Native static final int ABANDON = 6;
    @Native static final int OBSERVE_AGE = 7;
    @Native static final int CONTAINS_AGE = 8;

    /** How many there are. */
    static final int VERBS = 9;

    KeyVerbs(Calls calls, long tick) {
        super(calls, tick);
    }

    private Sighting age(int verb, byte[] key) {
        return calls.age(verb, key, 0, key.length, tick);
    }

    /** Tests and inserts in one step: "have I seen this lately?" */
    public Verdict observe(byte[] key) {
        return Verdict.of(calls.key(OBSERVE, key, 0, key.length, tick));
    }

    /** {@link #observe(byte[])} of a buffer. */
    public Verdict observe(ByteBuffer key) {
        return Verdict.of(calls.key(OBSERVE, key, tick));
    }

    /** {@link #observe(byte[])} of a text. */
    public Verdict observe(CharSequence key) {
        return Verdict.of(calls.key(OBSERVE, key, tick));
    }

    /** {@link #observe(byte[])} of a number. */
    public Verdict observe(long key) {
        return Verdict.of(calls.word(OBSERVE, key, tick));
    }

    /** {@link #observe(byte[])} of a UUID. */
    public Verdict observe(UUID key) {
        return Verdict.of(calls.key(OBSERVE, key, tick));
    }

    /** {@link #observe(byte[])} by the hash of the key. */
    public Verdict observeHash(long hash) {
        return Verdict.of(calls.hash(OBSERVE, hash, tick));
    }

    /** Inserts without a verdict; also under {@link Repeat#KEEP_FIRST}, so that the age is renewed. */
    public void insert(byte[] key) {
        calls.key(INSERT, key, 0, key.length, tick);
    }

    /** {@link #insert(byte[])} of a buffer. */
    public void insert(ByteBuffer key) {
        calls.key(INSERT, key, tick);
    }

    /** {@link #insert(byte[])} of a text. */
    public void insert(CharSequence key) {
        calls.key(INSERT, key, tick);
    }

    /** {@link #insert(byte[])} of a number. */
    public void insert(long key) {
        calls.word(INSERT, key, tick);
    }

    /** {@link #insert(byte[])} of a UUID. */
    public void insert(UUID key) {
        calls.key(INSERT, key, tick);
    }

    /** {@link #insert(byte[])} by the hash of the key. */
    public void insertHash(long hash) {
        calls.hash(INSERT, hash, tick);
    }

    /** The verdict that {@code observe} would give. Changes nothing at all. */
    public Verdict contains(byte[] key) {
        return Verdict.of(calls.key(CONTAINS, key, 0, key.length, tick));
    }

    /** {@link #contains(byte[])} of a buffer. */
    public Verdict contains(ByteBuffer key) {
        return Verdict.of(calls.key(CONTAINS, key, tick));
    }

    /** {@link #contains(byte[])} of a text. */
    public Verdict contains(CharSequence key) {
        return Verdict.of(calls.key(CONTAINS, key, tick));
    }

    /** {@link #contains(byte[])} of a number. */
    public Verdict contains(long key) {
        return Verdict.of(calls.word(CONTAINS, key, tick));
    }

    /** {@link #contains(byte[])} of a UUID. */
    public Verdict contains(UUID key) {
        return Verdict.of(calls.key(CONTAINS, key, tick));
    }

    /** {@link #contains(byte[])} by the hash of the key. */
    public Verdict containsHash(long hash) {
        return Verdict.of(calls.hash(CONTAINS, hash, tick));
    }

    /**
     * Forgets a key of a window of the default kind or of a {@linkplain Options.Builder#removable removable} set. A window
     * frees every cell that agrees with the key: another key goes with it with a chance of at most the error rate. Of a set
     * remove only what {@code insert} took or {@code observe} called {@link Verdict#NEW}: another removal may take the
     * entry of another key. It is no observation and moves no clock, and an open claim of the key stays open.
     *
     * @return whether the key was there: of a window, within it
     * @throws LatelyException with {@link Status#UNSUPPORTED} of all other filters
     */
    public boolean remove(byte[] key) {
        return calls.key(REMOVE, key, 0, key.length, tick) == 1;
    }

    /** {@link #remove(byte[])} of a buffer. */
    public boolean remove(ByteBuffer key) {
        return calls.key(REMOVE, key, tick) == 1;
    }

    /** {@link #remove(byte[])} of a text. */
    public boolean remove(CharSequence key) {
        return calls.key(REMOVE, key, tick) == 1;
    }

    /** {@link #remove(byte[])} of a number. */
    public boolean remove(long key) {
        return calls.word(REMOVE, key, tick) == 1;
    }

    /** {@link #remove(byte[])} of a UUID. */
    public boolean remove(UUID key) {
        return calls.key(REMOVE, key, tick) == 1;
    }

    /**
     * Tests and inserts in one step, and returns how long ago a duplicate was last seen.
     *
     * @throws LatelyException with {@link Status#UNSUPPORTED} of a kind without {@link Options.Builder#ageBits}
     */
    public Sighting observeAge(byte[] key) {
        return calls.age(OBSERVE_AGE, key, 0, key.length, tick);
    }

    /** {@link #observeAge(byte[])} of a buffer. */
    public Sighting observeAge(ByteBuffer key) {
        return calls.age(OBSERVE_AGE, key, tick);
    }

    /** {@link #observeAge(byte[])} of a text. */
    public Sighting observeAge(CharSequence key) {
        return age(OBSERVE_AGE, Bytes.of(key));
    }

    /** {@link #observeAge(byte[])} of a number. */
    public Sighting observeAge(long key) {
        return age(OBSERVE_AGE, Bytes.of(key));
    }

    /** {@link #observeAge(byte[])} of a UUID. */
    public Sighting observeAge(UUID key) {
        return age(OBSERVE_AGE, Bytes.of(key));
    }

    /** The sighting that {@link #observeAge(byte[])} would return. Changes nothing at all. */
    public Sighting containsAge(byte[] key) {
        return calls.age(CONTAINS_AGE, key, 0, key.length, tick);
    }

    /** {@link #containsAge(byte[])} of a buffer. */
    public Sighting containsAge(ByteBuffer key) {
        return calls.age(CONTAINS_AGE, key, tick);
    }

    /** {@link #containsAge(byte[])} of a text. */
    public Sighting containsAge(CharSequence key) {
        return age(CONTAINS_AGE, Bytes.of(key));
    }

    /** {@link #containsAge(byte[])} of a number. */
    public Sighting containsAge(long key) {
        return age(CONTAINS_AGE, Bytes.of(key));
    }

    /** {@link #containsAge(byte[])} of a UUID. */
    public Sighting containsAge(UUID key) {
        return age(CONTAINS_AGE, Bytes.of(key));
    }
}
