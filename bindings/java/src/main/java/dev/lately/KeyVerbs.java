package dev.lately;

import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * The verbs on one key, by all that a key may be: of a {@link Filter} now, of a {@link FilterAt} at its moment. A key is bytes,
 * and all forms of the same bytes are the same key, in every language.
 */
public abstract class KeyVerbs extends SegmentVerbs {
    KeyVerbs(Calls calls, long tick) {
        super(calls, tick);
    }

    private Sighting age(int verb, byte[] key) {
        return calls.age(verb, key, 0, key.length, tick);
    }

    /**
     * Tests and inserts in one step: "have I seen this lately?"
     *
     * @param key the key; no bytes are a key like any other
     * @return whether the key was seen within the window
     * @throws LatelyException if a filter at a moment has no manual clock, or refuses the tick
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict observe(byte[] key) {
        return Verdict.of(calls.key(Native.OBSERVE, key, 0, key.length, tick));
    }

    /**
     * Tests and inserts in one step: "have I seen this lately?"
     *
     * @param key the key, from position to limit, which stay as they are; a direct buffer is not copied
     * @return whether the key was seen within the window
     * @throws LatelyException if a filter at a moment has no manual clock, or refuses the tick
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict observe(ByteBuffer key) {
        return Verdict.of(calls.key(Native.OBSERVE, key, tick));
    }

    /**
     * Tests and inserts in one step: "have I seen this lately?"
     *
     * @param key the key, as its bytes in UTF-8; a lone surrogate is a question mark
     * @return whether the key was seen within the window
     * @throws LatelyException if a filter at a moment has no manual clock, or refuses the tick
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict observe(CharSequence key) {
        return Verdict.of(calls.key(Native.OBSERVE, key, tick));
    }

    /**
     * Tests and inserts in one step: "have I seen this lately?"
     *
     * @param key the key, as 8 bytes little-endian
     * @return whether the key was seen within the window
     * @throws LatelyException if a filter at a moment has no manual clock, or refuses the tick
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict observe(long key) {
        return Verdict.of(calls.word(Native.OBSERVE, key, tick));
    }

    /**
     * Tests and inserts in one step: "have I seen this lately?"
     *
     * @param key the key, as its 16 bytes in the order of its text
     * @return whether the key was seen within the window
     * @throws LatelyException if a filter at a moment has no manual clock, or refuses the tick
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict observe(UUID key) {
        return Verdict.of(calls.key(Native.OBSERVE, key, tick));
    }

    /**
     * Tests and inserts in one step: "have I seen this lately?" By the hash of the key.
     *
     * @param hash what {@link Filter#hash(byte[])} or {@link Lately#hash64} made of the key
     * @return whether the key was seen within the window
     * @throws LatelyException with {@link Status#UNSUPPORTED} if the filter is keyed; if a filter at a moment has no manual
     *     clock, or refuses the tick
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict observeHash(long hash) {
        return Verdict.of(calls.hash(Native.OBSERVE, hash, tick));
    }

    /**
     * Inserts without a verdict; also under {@link Repeat#KEEP_FIRST}, so that the age is renewed.
     *
     * @param key the key; no bytes are a key like any other
     * @throws LatelyException if a filter at a moment has no manual clock, or refuses the tick
     * @throws IllegalStateException if the filter is closed
     */
    public void insert(byte[] key) {
        calls.key(Native.INSERT, key, 0, key.length, tick);
    }

    /**
     * Inserts without a verdict; also under {@link Repeat#KEEP_FIRST}, so that the age is renewed.
     *
     * @param key the key, from position to limit, which stay as they are; a direct buffer is not copied
     * @throws LatelyException if a filter at a moment has no manual clock, or refuses the tick
     * @throws IllegalStateException if the filter is closed
     */
    public void insert(ByteBuffer key) {
        calls.key(Native.INSERT, key, tick);
    }

    /**
     * Inserts without a verdict; also under {@link Repeat#KEEP_FIRST}, so that the age is renewed.
     *
     * @param key the key, as its bytes in UTF-8; a lone surrogate is a question mark
     * @throws LatelyException if a filter at a moment has no manual clock, or refuses the tick
     * @throws IllegalStateException if the filter is closed
     */
    public void insert(CharSequence key) {
        calls.key(Native.INSERT, key, tick);
    }

    /**
     * Inserts without a verdict; also under {@link Repeat#KEEP_FIRST}, so that the age is renewed.
     *
     * @param key the key, as 8 bytes little-endian
     * @throws LatelyException if a filter at a moment has no manual clock, or refuses the tick
     * @throws IllegalStateException if the filter is closed
     */
    public void insert(long key) {
        calls.word(Native.INSERT, key, tick);
    }

    /**
     * Inserts without a verdict; also under {@link Repeat#KEEP_FIRST}, so that the age is renewed.
     *
     * @param key the key, as its 16 bytes in the order of its text
     * @throws LatelyException if a filter at a moment has no manual clock, or refuses the tick
     * @throws IllegalStateException if the filter is closed
     */
    public void insert(UUID key) {
        calls.key(Native.INSERT, key, tick);
    }

    /**
     * Inserts without a verdict; also under {@link Repeat#KEEP_FIRST}, so that the age is renewed. By the hash of the key.
     *
     * @param hash what {@link Filter#hash(byte[])} or {@link Lately#hash64} made of the key
     * @throws LatelyException with {@link Status#UNSUPPORTED} if the filter is keyed; if a filter at a moment has no manual
     *     clock, or refuses the tick
     * @throws IllegalStateException if the filter is closed
     */
    public void insertHash(long hash) {
        calls.hash(Native.INSERT, hash, tick);
    }

    /**
     * The verdict that {@code observe} would give. Changes nothing at all.
     *
     * @param key the key; no bytes are a key like any other
     * @return {@link Verdict#DUPLICATE} if the key is present
     * @throws LatelyException if a filter at a moment has no manual clock, or refuses the tick
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict contains(byte[] key) {
        return Verdict.of(calls.key(Native.CONTAINS, key, 0, key.length, tick));
    }

    /**
     * The verdict that {@code observe} would give. Changes nothing at all.
     *
     * @param key the key, from position to limit, which stay as they are; a direct buffer is not copied
     * @return {@link Verdict#DUPLICATE} if the key is present
     * @throws LatelyException if a filter at a moment has no manual clock, or refuses the tick
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict contains(ByteBuffer key) {
        return Verdict.of(calls.key(Native.CONTAINS, key, tick));
    }

    /**
     * The verdict that {@code observe} would give. Changes nothing at all.
     *
     * @param key the key, as its bytes in UTF-8; a lone surrogate is a question mark
     * @return {@link Verdict#DUPLICATE} if the key is present
     * @throws LatelyException if a filter at a moment has no manual clock, or refuses the tick
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict contains(CharSequence key) {
        return Verdict.of(calls.key(Native.CONTAINS, key, tick));
    }

    /**
     * The verdict that {@code observe} would give. Changes nothing at all.
     *
     * @param key the key, as 8 bytes little-endian
     * @return {@link Verdict#DUPLICATE} if the key is present
     * @throws LatelyException if a filter at a moment has no manual clock, or refuses the tick
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict contains(long key) {
        return Verdict.of(calls.word(Native.CONTAINS, key, tick));
    }

    /**
     * The verdict that {@code observe} would give. Changes nothing at all.
     *
     * @param key the key, as its 16 bytes in the order of its text
     * @return {@link Verdict#DUPLICATE} if the key is present
     * @throws LatelyException if a filter at a moment has no manual clock, or refuses the tick
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict contains(UUID key) {
        return Verdict.of(calls.key(Native.CONTAINS, key, tick));
    }

    /**
     * The verdict that {@code observe} would give. Changes nothing at all. By the hash of the key.
     *
     * @param hash what {@link Filter#hash(byte[])} or {@link Lately#hash64} made of the key
     * @return {@link Verdict#DUPLICATE} if the key is present
     * @throws LatelyException with {@link Status#UNSUPPORTED} if the filter is keyed; if a filter at a moment has no manual
     *     clock, or refuses the tick
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict containsHash(long hash) {
        return Verdict.of(calls.hash(Native.CONTAINS, hash, tick));
    }

    /**
     * Forgets a key of a window of the default kind or of a {@linkplain Options.Builder#removable removable} set. A window
     * frees every cell that agrees with the key: another key goes with it with a chance of at most the error rate. Of a set
     * remove only what {@code insert} took or {@code observe} called {@link Verdict#NEW}: another removal may take the
     * entry of another key. It is no observation and moves no clock, and an open claim of the key stays open.
     *
     * @param key the key; no bytes are a key like any other
     * @return whether the key was there: of a window, within it
     * @throws LatelyException with {@link Status#UNSUPPORTED} of all other filters; if a filter at a moment has no manual
     *     clock, or refuses the tick
     * @throws IllegalStateException if the filter is closed
     */
    public boolean remove(byte[] key) {
        return calls.key(Native.REMOVE, key, 0, key.length, tick) == 1;
    }

    /**
     * Forgets a key of a window of the default kind or of a {@linkplain Options.Builder#removable removable} set. A window
     * frees every cell that agrees with the key: another key goes with it with a chance of at most the error rate. Of a set
     * remove only what {@code insert} took or {@code observe} called {@link Verdict#NEW}: another removal may take the
     * entry of another key. It is no observation and moves no clock, and an open claim of the key stays open.
     *
     * @param key the key, from position to limit, which stay as they are; a direct buffer is not copied
     * @return whether the key was there: of a window, within it
     * @throws LatelyException with {@link Status#UNSUPPORTED} of all other filters; if a filter at a moment has no manual
     *     clock, or refuses the tick
     * @throws IllegalStateException if the filter is closed
     */
    public boolean remove(ByteBuffer key) {
        return calls.key(Native.REMOVE, key, tick) == 1;
    }

    /**
     * Forgets a key of a window of the default kind or of a {@linkplain Options.Builder#removable removable} set. A window
     * frees every cell that agrees with the key: another key goes with it with a chance of at most the error rate. Of a set
     * remove only what {@code insert} took or {@code observe} called {@link Verdict#NEW}: another removal may take the
     * entry of another key. It is no observation and moves no clock, and an open claim of the key stays open.
     *
     * @param key the key, as its bytes in UTF-8; a lone surrogate is a question mark
     * @return whether the key was there: of a window, within it
     * @throws LatelyException with {@link Status#UNSUPPORTED} of all other filters; if a filter at a moment has no manual
     *     clock, or refuses the tick
     * @throws IllegalStateException if the filter is closed
     */
    public boolean remove(CharSequence key) {
        return calls.key(Native.REMOVE, key, tick) == 1;
    }

    /**
     * Forgets a key of a window of the default kind or of a {@linkplain Options.Builder#removable removable} set. A window
     * frees every cell that agrees with the key: another key goes with it with a chance of at most the error rate. Of a set
     * remove only what {@code insert} took or {@code observe} called {@link Verdict#NEW}: another removal may take the
     * entry of another key. It is no observation and moves no clock, and an open claim of the key stays open.
     *
     * @param key the key, as 8 bytes little-endian
     * @return whether the key was there: of a window, within it
     * @throws LatelyException with {@link Status#UNSUPPORTED} of all other filters; if a filter at a moment has no manual
     *     clock, or refuses the tick
     * @throws IllegalStateException if the filter is closed
     */
    public boolean remove(long key) {
        return calls.word(Native.REMOVE, key, tick) == 1;
    }

    /**
     * Forgets a key of a window of the default kind or of a {@linkplain Options.Builder#removable removable} set. A window
     * frees every cell that agrees with the key: another key goes with it with a chance of at most the error rate. Of a set
     * remove only what {@code insert} took or {@code observe} called {@link Verdict#NEW}: another removal may take the
     * entry of another key. It is no observation and moves no clock, and an open claim of the key stays open.
     *
     * @param key the key, as its 16 bytes in the order of its text
     * @return whether the key was there: of a window, within it
     * @throws LatelyException with {@link Status#UNSUPPORTED} of all other filters; if a filter at a moment has no manual
     *     clock, or refuses the tick
     * @throws IllegalStateException if the filter is closed
     */
    public boolean remove(UUID key) {
        return calls.key(Native.REMOVE, key, tick) == 1;
    }

    /**
     * Tests and inserts in one step, and returns how long ago a duplicate was last seen.
     *
     * @param key the key; no bytes are a key like any other
     * @return the verdict, and between which two moments a duplicate was seen
     * @throws LatelyException with {@link Status#UNSUPPORTED} of a kind without {@link Options.Builder#ageBits}; if a filter
     *     at a moment has no manual clock, or refuses the tick
     * @throws IllegalStateException if the filter is closed
     */
    public Sighting observeAge(byte[] key) {
        return calls.age(Native.OBSERVE, key, 0, key.length, tick);
    }

    /**
     * Tests and inserts in one step, and returns how long ago a duplicate was last seen.
     *
     * @param key the key, from position to limit, which stay as they are; a direct buffer is not copied
     * @return the verdict, and between which two moments a duplicate was seen
     * @throws LatelyException with {@link Status#UNSUPPORTED} of a kind without {@link Options.Builder#ageBits}; if a filter
     *     at a moment has no manual clock, or refuses the tick
     * @throws IllegalStateException if the filter is closed
     */
    public Sighting observeAge(ByteBuffer key) {
        return calls.age(Native.OBSERVE, key, tick);
    }

    /**
     * Tests and inserts in one step, and returns how long ago a duplicate was last seen.
     *
     * @param key the key, as its bytes in UTF-8; a lone surrogate is a question mark
     * @return the verdict, and between which two moments a duplicate was seen
     * @throws LatelyException with {@link Status#UNSUPPORTED} of a kind without {@link Options.Builder#ageBits}; if a filter
     *     at a moment has no manual clock, or refuses the tick
     * @throws IllegalStateException if the filter is closed
     */
    public Sighting observeAge(CharSequence key) {
        return age(Native.OBSERVE, Bytes.of(key));
    }

    /**
     * Tests and inserts in one step, and returns how long ago a duplicate was last seen.
     *
     * @param key the key, as 8 bytes little-endian
     * @return the verdict, and between which two moments a duplicate was seen
     * @throws LatelyException with {@link Status#UNSUPPORTED} of a kind without {@link Options.Builder#ageBits}; if a filter
     *     at a moment has no manual clock, or refuses the tick
     * @throws IllegalStateException if the filter is closed
     */
    public Sighting observeAge(long key) {
        return age(Native.OBSERVE, Bytes.of(key));
    }

    /**
     * Tests and inserts in one step, and returns how long ago a duplicate was last seen.
     *
     * @param key the key, as its 16 bytes in the order of its text
     * @return the verdict, and between which two moments a duplicate was seen
     * @throws LatelyException with {@link Status#UNSUPPORTED} of a kind without {@link Options.Builder#ageBits}; if a filter
     *     at a moment has no manual clock, or refuses the tick
     * @throws IllegalStateException if the filter is closed
     */
    public Sighting observeAge(UUID key) {
        return age(Native.OBSERVE, Bytes.of(key));
    }

    /**
     * What {@code observeAge} would tell. Changes nothing at all.
     *
     * @param key the key; no bytes are a key like any other
     * @return the verdict, and between which two moments a duplicate was seen
     * @throws LatelyException with {@link Status#UNSUPPORTED} of a kind without {@link Options.Builder#ageBits}; if a filter
     *     at a moment has no manual clock, or refuses the tick
     * @throws IllegalStateException if the filter is closed
     */
    public Sighting containsAge(byte[] key) {
        return calls.age(Native.CONTAINS, key, 0, key.length, tick);
    }

    /**
     * What {@code observeAge} would tell. Changes nothing at all.
     *
     * @param key the key, from position to limit, which stay as they are; a direct buffer is not copied
     * @return the verdict, and between which two moments a duplicate was seen
     * @throws LatelyException with {@link Status#UNSUPPORTED} of a kind without {@link Options.Builder#ageBits}; if a filter
     *     at a moment has no manual clock, or refuses the tick
     * @throws IllegalStateException if the filter is closed
     */
    public Sighting containsAge(ByteBuffer key) {
        return calls.age(Native.CONTAINS, key, tick);
    }

    /**
     * What {@code observeAge} would tell. Changes nothing at all.
     *
     * @param key the key, as its bytes in UTF-8; a lone surrogate is a question mark
     * @return the verdict, and between which two moments a duplicate was seen
     * @throws LatelyException with {@link Status#UNSUPPORTED} of a kind without {@link Options.Builder#ageBits}; if a filter
     *     at a moment has no manual clock, or refuses the tick
     * @throws IllegalStateException if the filter is closed
     */
    public Sighting containsAge(CharSequence key) {
        return age(Native.CONTAINS, Bytes.of(key));
    }

    /**
     * What {@code observeAge} would tell. Changes nothing at all.
     *
     * @param key the key, as 8 bytes little-endian
     * @return the verdict, and between which two moments a duplicate was seen
     * @throws LatelyException with {@link Status#UNSUPPORTED} of a kind without {@link Options.Builder#ageBits}; if a filter
     *     at a moment has no manual clock, or refuses the tick
     * @throws IllegalStateException if the filter is closed
     */
    public Sighting containsAge(long key) {
        return age(Native.CONTAINS, Bytes.of(key));
    }

    /**
     * What {@code observeAge} would tell. Changes nothing at all.
     *
     * @param key the key, as its 16 bytes in the order of its text
     * @return the verdict, and between which two moments a duplicate was seen
     * @throws LatelyException with {@link Status#UNSUPPORTED} of a kind without {@link Options.Builder#ageBits}; if a filter
     *     at a moment has no manual clock, or refuses the tick
     * @throws IllegalStateException if the filter is closed
     */
    public Sighting containsAge(UUID key) {
        return age(Native.CONTAINS, Bytes.of(key));
    }
}
