package dev.lately;

import java.time.Instant;

/**
 * The verbs on one key that is hashed already, or that is text of another type than a {@link String}. Documented in
 * {@link Filter}, which has them.
 */
abstract class MoreKeys extends SegmentKeys {
    MoreKeys(Handle handle) {
        super(handle);
    }

    /**
     * Tests and inserts now, by a hash.
     *
     * @param hash what {@link Filter#hash(byte[])} or {@link Lately#hash64} made of the key
     * @return whether the key was seen within the window
     * @throws LatelyException with {@link Status#UNSUPPORTED} if the filter is keyed
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict observeHash(long hash) {
        return Verdict.of(hash(Native.OBSERVE, hash, 0));
    }

    /**
     * Tests and inserts at a tick of a manual clock, by a hash.
     *
     * @param hash what {@link Filter#hash(byte[])} or {@link Lately#hash64} made of the key
     * @param tick unsigned nanoseconds from an origin that the caller keeps; one below the clock counts as the clock
     * @return whether the key was seen within the window
     * @throws LatelyException with {@link Status#UNSUPPORTED} if the filter is keyed; as with a tick of a key
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict observeHashAt(long hash, long tick) {
        return Verdict.of(hash(Native.OBSERVE_AT, hash, tick));
    }

    /**
     * Tests and inserts at an instant of a manual clock, by a hash.
     *
     * @param hash what {@link Filter#hash(byte[])} or {@link Lately#hash64} made of the key
     * @param when a date, which is the tick {@link Ticks#of(Instant)}
     * @return whether the key was seen within the window
     * @throws LatelyException with {@link Status#UNSUPPORTED} if the filter is keyed; as with a tick of a key
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict observeHashAt(long hash, Instant when) {
        return observeHashAt(hash, Ticks.of(when));
    }

    /**
     * Inserts without a verdict now, by a hash.
     *
     * @param hash what {@link Filter#hash(byte[])} or {@link Lately#hash64} made of the key
     * @throws LatelyException with {@link Status#UNSUPPORTED} if the filter is keyed
     * @throws IllegalStateException if the filter is closed
     */
    public void insertHash(long hash) {
        hash(Native.INSERT, hash, 0);
    }

    /**
     * Inserts without a verdict at a tick of a manual clock, by a hash.
     *
     * @param hash what {@link Filter#hash(byte[])} or {@link Lately#hash64} made of the key
     * @param tick unsigned nanoseconds from an origin that the caller keeps; one below the clock counts as the clock
     * @throws LatelyException with {@link Status#UNSUPPORTED} if the filter is keyed; as with a tick of a key
     * @throws IllegalStateException if the filter is closed
     */
    public void insertHashAt(long hash, long tick) {
        hash(Native.INSERT_AT, hash, tick);
    }

    /**
     * Inserts without a verdict at an instant of a manual clock, by a hash.
     *
     * @param hash what {@link Filter#hash(byte[])} or {@link Lately#hash64} made of the key
     * @param when a date, which is the tick {@link Ticks#of(Instant)}
     * @throws LatelyException with {@link Status#UNSUPPORTED} if the filter is keyed; as with a tick of a key
     * @throws IllegalStateException if the filter is closed
     */
    public void insertHashAt(long hash, Instant when) {
        insertHashAt(hash, Ticks.of(when));
    }

    /**
     * The verdict that {@code observe} would give; changes nothing at all, now, by a hash.
     *
     * @param hash what {@link Filter#hash(byte[])} or {@link Lately#hash64} made of the key
     * @return whether the key is present
     * @throws LatelyException with {@link Status#UNSUPPORTED} if the filter is keyed
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict containsHash(long hash) {
        return Verdict.of(hash(Native.CONTAINS, hash, 0));
    }

    /**
     * The verdict that {@code observe} would give; changes nothing at all, at a tick of a manual clock, by a hash.
     *
     * @param hash what {@link Filter#hash(byte[])} or {@link Lately#hash64} made of the key
     * @param tick unsigned nanoseconds from an origin that the caller keeps; one below the clock counts as the clock
     * @return whether the key is present
     * @throws LatelyException with {@link Status#UNSUPPORTED} if the filter is keyed; as with a tick of a key
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict containsHashAt(long hash, long tick) {
        return Verdict.of(hash(Native.CONTAINS_AT, hash, tick));
    }

    /**
     * The verdict that {@code observe} would give; changes nothing at all, at an instant of a manual clock, by a hash.
     *
     * @param hash what {@link Filter#hash(byte[])} or {@link Lately#hash64} made of the key
     * @param when a date, which is the tick {@link Ticks#of(Instant)}
     * @return whether the key is present
     * @throws LatelyException with {@link Status#UNSUPPORTED} if the filter is keyed; as with a tick of a key
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict containsHashAt(long hash, Instant when) {
        return containsHashAt(hash, Ticks.of(when));
    }

    /**
     * Tests and inserts in one step, now.
     *
     * @param key the key, as its bytes in UTF-8
     * @return whether the key was seen within the window
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict observe(CharSequence key) {
        return observe(key.toString());
    }

    /**
     * Tests and inserts in one step, now.
     *
     * @param key the key, a character: its bytes in UTF-8, and not its number
     * @return whether the key was seen within the window
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict observe(char key) {
        return observe(String.valueOf(key));
    }

    /**
     * Inserts without a verdict, now.
     *
     * @param key the key, as its bytes in UTF-8
     * @throws IllegalStateException if the filter is closed
     */
    public void insert(CharSequence key) {
        insert(key.toString());
    }

    /**
     * Inserts without a verdict, now.
     *
     * @param key the key, a character: its bytes in UTF-8, and not its number
     * @throws IllegalStateException if the filter is closed
     */
    public void insert(char key) {
        insert(String.valueOf(key));
    }

    /**
     * The verdict that {@code observe} would give now; changes nothing at all.
     *
     * @param key the key, as its bytes in UTF-8
     * @return whether the key is present
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict contains(CharSequence key) {
        return contains(key.toString());
    }

    /**
     * The verdict that {@code observe} would give now; changes nothing at all.
     *
     * @param key the key, a character: its bytes in UTF-8, and not its number
     * @return whether the key is present
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict contains(char key) {
        return contains(String.valueOf(key));
    }

    /**
     * Takes one entry that matches the key out of a removable filter.
     *
     * @param key the key, as its bytes in UTF-8
     * @return whether there was one
     * @throws LatelyException with {@link Status#UNSUPPORTED} if the filter has no such verb
     * @throws IllegalStateException if the filter is closed
     */
    public boolean remove(CharSequence key) {
        return remove(key.toString());
    }

    /**
     * Takes one entry that matches the key out of a removable filter.
     *
     * @param key the key, a character: its bytes in UTF-8, and not its number
     * @return whether there was one
     * @throws LatelyException with {@link Status#UNSUPPORTED} if the filter has no such verb
     * @throws IllegalStateException if the filter is closed
     */
    public boolean remove(char key) {
        return remove(String.valueOf(key));
    }

    /**
     * The hash that stands for the key in every unkeyed filter with this seed.
     *
     * @param key the key, as its bytes in UTF-8
     * @return the hash
     * @throws LatelyException with {@link Status#UNSUPPORTED} if the filter has no such verb
     * @throws IllegalStateException if the filter is closed
     */
    public long hash(CharSequence key) {
        return hash(key.toString());
    }

    /**
     * The hash that stands for the key in every unkeyed filter with this seed.
     *
     * @param key the key, a character: its bytes in UTF-8, and not its number
     * @return the hash
     * @throws LatelyException with {@link Status#UNSUPPORTED} if the filter has no such verb
     * @throws IllegalStateException if the filter is closed
     */
    public long hash(char key) {
        return hash(String.valueOf(key));
    }
}
