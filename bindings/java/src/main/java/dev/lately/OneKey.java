package dev.lately;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/** The verbs on one key, by all that a key may be. Documented in {@link Filter}, which has them. */
abstract class OneKey extends Verbs {
    OneKey(Handle handle) {
        super(handle);
    }

    /**
     * Tests and inserts in one step, now: "have I seen this lately?"
     *
     * @param key the key; no bytes are a key like any other
     * @return whether the key was seen within the window
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict observe(byte[] key) {
        return Verdict.of(key(Native.OBSERVE, key, 0));
    }

    /**
     * Tests and inserts in one step, now: "have I seen this lately?"
     *
     * @param key the key, as its bytes in UTF-8
     * @return whether the key was seen within the window
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict observe(String key) {
        return Verdict.of(key(Native.OBSERVE, key.getBytes(StandardCharsets.UTF_8), 0));
    }

    /**
     * Tests and inserts in one step, now: "have I seen this lately?"
     *
     * @param key the key, as 8 bytes little-endian
     * @return whether the key was seen within the window
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict observe(long key) {
        return Verdict.of(key(Native.OBSERVE, key, 0));
    }

    /**
     * Tests and inserts in one step, now: "have I seen this lately?"
     *
     * @param key the key, from position to limit, which stay as they are; a direct buffer is not copied
     * @return whether the key was seen within the window
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict observe(ByteBuffer key) {
        return Verdict.of(key(Native.OBSERVE, key, 0));
    }

    /**
     * Tests and inserts in one step, now: "have I seen this lately?"
     *
     * @param key the array that holds the key
     * @param start where the key begins
     * @param length how many bytes it has
     * @return whether the key was seen within the window
     * @throws IndexOutOfBoundsException if the array has no such range
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict observe(byte[] key, int start, int length) {
        return Verdict.of(key(Native.OBSERVE, key, start, length, 0));
    }

    /**
     * Tests and inserts in one step, at a tick of a manual clock: "have I seen this lately?"
     *
     * @param key the key; no bytes are a key like any other
     * @param tick unsigned nanoseconds from an origin that the caller keeps; one below the clock counts as the clock
     * @return whether the key was seen within the window
     * @throws LatelyException with {@link Status#CLOCK} unless the clock is manual, with {@link Status#TICK} if the
     *     tick leads the clock by more than {@link Options.Builder#maxStep}
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict observeAt(byte[] key, long tick) {
        return Verdict.of(key(Native.OBSERVE_AT, key, tick));
    }

    /**
     * Tests and inserts in one step, at a tick of a manual clock: "have I seen this lately?"
     *
     * @param key the array that holds the key
     * @param start where the key begins
     * @param length how many bytes it has
     * @param tick unsigned nanoseconds from an origin that the caller keeps; one below the clock counts as the clock
     * @return whether the key was seen within the window
     * @throws LatelyException with {@link Status#CLOCK} unless the clock is manual, with {@link Status#TICK} if the
     *     tick leads the clock by more than {@link Options.Builder#maxStep}
     * @throws IndexOutOfBoundsException if the array has no such range
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict observeAt(byte[] key, int start, int length, long tick) {
        return Verdict.of(key(Native.OBSERVE_AT, key, start, length, tick));
    }

    /**
     * Tests and inserts in one step, at an instant of a manual clock: "have I seen this lately?"
     *
     * @param key the key; no bytes are a key like any other
     * @param when a date, which is the tick {@link Ticks#of(Instant)}
     * @return whether the key was seen within the window
     * @throws LatelyException as with a tick; also with {@link Status#TICK} if the instant is before 1970 or
     *     after 2554
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict observeAt(byte[] key, Instant when) {
        return observeAt(key, Ticks.of(when));
    }

    /**
     * Tests and inserts in one step, at a tick of a manual clock: "have I seen this lately?"
     *
     * @param key the key, as its bytes in UTF-8
     * @param tick unsigned nanoseconds from an origin that the caller keeps; one below the clock counts as the clock
     * @return whether the key was seen within the window
     * @throws LatelyException with {@link Status#CLOCK} unless the clock is manual, with {@link Status#TICK} if the
     *     tick leads the clock by more than {@link Options.Builder#maxStep}
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict observeAt(String key, long tick) {
        return Verdict.of(key(Native.OBSERVE_AT, key.getBytes(StandardCharsets.UTF_8), tick));
    }

    /**
     * Tests and inserts in one step, at an instant of a manual clock: "have I seen this lately?"
     *
     * @param key the key, as its bytes in UTF-8
     * @param when a date, which is the tick {@link Ticks#of(Instant)}
     * @return whether the key was seen within the window
     * @throws LatelyException as with a tick; also with {@link Status#TICK} if the instant is before 1970 or
     *     after 2554
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict observeAt(String key, Instant when) {
        return observeAt(key, Ticks.of(when));
    }

    /**
     * Tests and inserts in one step, at a tick of a manual clock: "have I seen this lately?"
     *
     * @param key the key, as 8 bytes little-endian
     * @param tick unsigned nanoseconds from an origin that the caller keeps; one below the clock counts as the clock
     * @return whether the key was seen within the window
     * @throws LatelyException with {@link Status#CLOCK} unless the clock is manual, with {@link Status#TICK} if the
     *     tick leads the clock by more than {@link Options.Builder#maxStep}
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict observeAt(long key, long tick) {
        return Verdict.of(key(Native.OBSERVE_AT, key, tick));
    }

    /**
     * Tests and inserts in one step, at an instant of a manual clock: "have I seen this lately?"
     *
     * @param key the key, as 8 bytes little-endian
     * @param when a date, which is the tick {@link Ticks#of(Instant)}
     * @return whether the key was seen within the window
     * @throws LatelyException as with a tick; also with {@link Status#TICK} if the instant is before 1970 or
     *     after 2554
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict observeAt(long key, Instant when) {
        return observeAt(key, Ticks.of(when));
    }

    /**
     * Tests and inserts in one step, at a tick of a manual clock: "have I seen this lately?"
     *
     * @param key the key, from position to limit, which stay as they are; a direct buffer is not copied
     * @param tick unsigned nanoseconds from an origin that the caller keeps; one below the clock counts as the clock
     * @return whether the key was seen within the window
     * @throws LatelyException with {@link Status#CLOCK} unless the clock is manual, with {@link Status#TICK} if the
     *     tick leads the clock by more than {@link Options.Builder#maxStep}
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict observeAt(ByteBuffer key, long tick) {
        return Verdict.of(key(Native.OBSERVE_AT, key, tick));
    }

    /**
     * Tests and inserts in one step, at an instant of a manual clock: "have I seen this lately?"
     *
     * @param key the key, from position to limit, which stay as they are; a direct buffer is not copied
     * @param when a date, which is the tick {@link Ticks#of(Instant)}
     * @return whether the key was seen within the window
     * @throws LatelyException as with a tick; also with {@link Status#TICK} if the instant is before 1970 or
     *     after 2554
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict observeAt(ByteBuffer key, Instant when) {
        return observeAt(key, Ticks.of(when));
    }

    /**
     * Inserts without a verdict, now. In the windowed kinds also under {@link Repeat#KEEP_FIRST}, so that the age is
     * renewed. A {@linkplain Options.Builder#removable removable} filter stores one more entry each time, so that two
     * insertions need two removals. Any other filter without a window does what {@code observe} would.
     *
     * <p>A removable set past its capacity takes on, and its error rate rises, up to where nearly every key is a duplicate
     * and nothing is stored any more: watch {@link Stats#errorRate}. {@link Status#FULL} is no sign of that; as a rule
     * it is one key inserted again and again.
     *
     * @param key the key; no bytes are a key like any other
     * @throws LatelyException with {@link Status#FULL} if a removable filter has no room left in the key's block
     * @throws IllegalStateException if the filter is closed
     */
    public void insert(byte[] key) {
        key(Native.INSERT, key, 0);
    }

    /**
     * Inserts without a verdict, now; also under {@link Repeat#KEEP_FIRST}, so that the age is renewed.
     *
     * @param key the key, as its bytes in UTF-8
     * @throws IllegalStateException if the filter is closed
     */
    public void insert(String key) {
        key(Native.INSERT, key.getBytes(StandardCharsets.UTF_8), 0);
    }

    /**
     * Inserts without a verdict, now; also under {@link Repeat#KEEP_FIRST}, so that the age is renewed.
     *
     * @param key the key, as 8 bytes little-endian
     * @throws IllegalStateException if the filter is closed
     */
    public void insert(long key) {
        key(Native.INSERT, key, 0);
    }

    /**
     * Inserts without a verdict, now; also under {@link Repeat#KEEP_FIRST}, so that the age is renewed.
     *
     * @param key the key, from position to limit, which stay as they are; a direct buffer is not copied
     * @throws IllegalStateException if the filter is closed
     */
    public void insert(ByteBuffer key) {
        key(Native.INSERT, key, 0);
    }

    /**
     * Inserts without a verdict, now; also under {@link Repeat#KEEP_FIRST}, so that the age is renewed.
     *
     * @param key the array that holds the key
     * @param start where the key begins
     * @param length how many bytes it has
     * @throws IndexOutOfBoundsException if the array has no such range
     * @throws IllegalStateException if the filter is closed
     */
    public void insert(byte[] key, int start, int length) {
        key(Native.INSERT, key, start, length, 0);
    }

    /**
     * Inserts without a verdict, at a tick of a manual clock; also under {@link Repeat#KEEP_FIRST}, so that the age
     * is renewed.
     *
     * @param key the key; no bytes are a key like any other
     * @param tick unsigned nanoseconds from an origin that the caller keeps; one below the clock counts as the clock
     * @throws LatelyException with {@link Status#CLOCK} unless the clock is manual, with {@link Status#TICK} if the
     *     tick leads the clock by more than {@link Options.Builder#maxStep}
     * @throws IllegalStateException if the filter is closed
     */
    public void insertAt(byte[] key, long tick) {
        key(Native.INSERT_AT, key, tick);
    }

    /**
     * Inserts without a verdict, at a tick of a manual clock; also under {@link Repeat#KEEP_FIRST}, so that the age
     * is renewed.
     *
     * @param key the array that holds the key
     * @param start where the key begins
     * @param length how many bytes it has
     * @param tick unsigned nanoseconds from an origin that the caller keeps; one below the clock counts as the clock
     * @throws LatelyException with {@link Status#CLOCK} unless the clock is manual, with {@link Status#TICK} if the
     *     tick leads the clock by more than {@link Options.Builder#maxStep}
     * @throws IndexOutOfBoundsException if the array has no such range
     * @throws IllegalStateException if the filter is closed
     */
    public void insertAt(byte[] key, int start, int length, long tick) {
        key(Native.INSERT_AT, key, start, length, tick);
    }

    /**
     * Inserts without a verdict, at an instant of a manual clock; also under {@link Repeat#KEEP_FIRST}, so that the
     * age is renewed.
     *
     * @param key the key; no bytes are a key like any other
     * @param when a date, which is the tick {@link Ticks#of(Instant)}
     * @throws LatelyException as with a tick; also with {@link Status#TICK} if the instant is before 1970 or
     *     after 2554
     * @throws IllegalStateException if the filter is closed
     */
    public void insertAt(byte[] key, Instant when) {
        insertAt(key, Ticks.of(when));
    }

    /**
     * Inserts without a verdict, at a tick of a manual clock; also under {@link Repeat#KEEP_FIRST}, so that the age
     * is renewed.
     *
     * @param key the key, as its bytes in UTF-8
     * @param tick unsigned nanoseconds from an origin that the caller keeps; one below the clock counts as the clock
     * @throws LatelyException with {@link Status#CLOCK} unless the clock is manual, with {@link Status#TICK} if the
     *     tick leads the clock by more than {@link Options.Builder#maxStep}
     * @throws IllegalStateException if the filter is closed
     */
    public void insertAt(String key, long tick) {
        key(Native.INSERT_AT, key.getBytes(StandardCharsets.UTF_8), tick);
    }

    /**
     * Inserts without a verdict, at an instant of a manual clock; also under {@link Repeat#KEEP_FIRST}, so that the
     * age is renewed.
     *
     * @param key the key, as its bytes in UTF-8
     * @param when a date, which is the tick {@link Ticks#of(Instant)}
     * @throws LatelyException as with a tick; also with {@link Status#TICK} if the instant is before 1970 or
     *     after 2554
     * @throws IllegalStateException if the filter is closed
     */
    public void insertAt(String key, Instant when) {
        insertAt(key, Ticks.of(when));
    }

    /**
     * Inserts without a verdict, at a tick of a manual clock; also under {@link Repeat#KEEP_FIRST}, so that the age
     * is renewed.
     *
     * @param key the key, as 8 bytes little-endian
     * @param tick unsigned nanoseconds from an origin that the caller keeps; one below the clock counts as the clock
     * @throws LatelyException with {@link Status#CLOCK} unless the clock is manual, with {@link Status#TICK} if the
     *     tick leads the clock by more than {@link Options.Builder#maxStep}
     * @throws IllegalStateException if the filter is closed
     */
    public void insertAt(long key, long tick) {
        key(Native.INSERT_AT, key, tick);
    }

    /**
     * Inserts without a verdict, at an instant of a manual clock; also under {@link Repeat#KEEP_FIRST}, so that the
     * age is renewed.
     *
     * @param key the key, as 8 bytes little-endian
     * @param when a date, which is the tick {@link Ticks#of(Instant)}
     * @throws LatelyException as with a tick; also with {@link Status#TICK} if the instant is before 1970 or
     *     after 2554
     * @throws IllegalStateException if the filter is closed
     */
    public void insertAt(long key, Instant when) {
        insertAt(key, Ticks.of(when));
    }

    /**
     * Inserts without a verdict, at a tick of a manual clock; also under {@link Repeat#KEEP_FIRST}, so that the age
     * is renewed.
     *
     * @param key the key, from position to limit, which stay as they are; a direct buffer is not copied
     * @param tick unsigned nanoseconds from an origin that the caller keeps; one below the clock counts as the clock
     * @throws LatelyException with {@link Status#CLOCK} unless the clock is manual, with {@link Status#TICK} if the
     *     tick leads the clock by more than {@link Options.Builder#maxStep}
     * @throws IllegalStateException if the filter is closed
     */
    public void insertAt(ByteBuffer key, long tick) {
        key(Native.INSERT_AT, key, tick);
    }

    /**
     * Inserts without a verdict, at an instant of a manual clock; also under {@link Repeat#KEEP_FIRST}, so that the
     * age is renewed.
     *
     * @param key the key, from position to limit, which stay as they are; a direct buffer is not copied
     * @param when a date, which is the tick {@link Ticks#of(Instant)}
     * @throws LatelyException as with a tick; also with {@link Status#TICK} if the instant is before 1970 or
     *     after 2554
     * @throws IllegalStateException if the filter is closed
     */
    public void insertAt(ByteBuffer key, Instant when) {
        insertAt(key, Ticks.of(when));
    }

    /**
     * The verdict that {@code observe} would give, now. Changes nothing at all.
     *
     * @param key the key; no bytes are a key like any other
     * @return {@link Verdict#DUPLICATE} if the key is present
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict contains(byte[] key) {
        return Verdict.of(key(Native.CONTAINS, key, 0));
    }

    /**
     * The verdict that {@code observe} would give, now. Changes nothing at all.
     *
     * @param key the key, as its bytes in UTF-8
     * @return {@link Verdict#DUPLICATE} if the key is present
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict contains(String key) {
        return Verdict.of(key(Native.CONTAINS, key.getBytes(StandardCharsets.UTF_8), 0));
    }

    /**
     * The verdict that {@code observe} would give, now. Changes nothing at all.
     *
     * @param key the key, as 8 bytes little-endian
     * @return {@link Verdict#DUPLICATE} if the key is present
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict contains(long key) {
        return Verdict.of(key(Native.CONTAINS, key, 0));
    }

    /**
     * The verdict that {@code observe} would give, now. Changes nothing at all.
     *
     * @param key the key, from position to limit, which stay as they are; a direct buffer is not copied
     * @return {@link Verdict#DUPLICATE} if the key is present
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict contains(ByteBuffer key) {
        return Verdict.of(key(Native.CONTAINS, key, 0));
    }

    /**
     * The verdict that {@code observe} would give, now. Changes nothing at all.
     *
     * @param key the array that holds the key
     * @param start where the key begins
     * @param length how many bytes it has
     * @return {@link Verdict#DUPLICATE} if the key is present
     * @throws IndexOutOfBoundsException if the array has no such range
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict contains(byte[] key, int start, int length) {
        return Verdict.of(key(Native.CONTAINS, key, start, length, 0));
    }

    /**
     * The verdict that {@code observe} would give, at a tick of a manual clock. Changes nothing at all.
     *
     * @param key the key; no bytes are a key like any other
     * @param tick unsigned nanoseconds from an origin that the caller keeps; one below the clock counts as the clock
     * @return {@link Verdict#DUPLICATE} if the key is present
     * @throws LatelyException with {@link Status#CLOCK} unless the clock is manual, with {@link Status#TICK} if the
     *     tick leads the clock by more than {@link Options.Builder#maxStep}
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict containsAt(byte[] key, long tick) {
        return Verdict.of(key(Native.CONTAINS_AT, key, tick));
    }

    /**
     * The verdict that {@code observe} would give, at a tick of a manual clock. Changes nothing at all.
     *
     * @param key the array that holds the key
     * @param start where the key begins
     * @param length how many bytes it has
     * @param tick unsigned nanoseconds from an origin that the caller keeps; one below the clock counts as the clock
     * @return {@link Verdict#DUPLICATE} if the key is present
     * @throws LatelyException with {@link Status#CLOCK} unless the clock is manual, with {@link Status#TICK} if the
     *     tick leads the clock by more than {@link Options.Builder#maxStep}
     * @throws IndexOutOfBoundsException if the array has no such range
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict containsAt(byte[] key, int start, int length, long tick) {
        return Verdict.of(key(Native.CONTAINS_AT, key, start, length, tick));
    }

    /**
     * The verdict that {@code observe} would give, at an instant of a manual clock. Changes nothing at all.
     *
     * @param key the key; no bytes are a key like any other
     * @param when a date, which is the tick {@link Ticks#of(Instant)}
     * @return {@link Verdict#DUPLICATE} if the key is present
     * @throws LatelyException as with a tick; also with {@link Status#TICK} if the instant is before 1970 or
     *     after 2554
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict containsAt(byte[] key, Instant when) {
        return containsAt(key, Ticks.of(when));
    }

    /**
     * The verdict that {@code observe} would give, at a tick of a manual clock. Changes nothing at all.
     *
     * @param key the key, as its bytes in UTF-8
     * @param tick unsigned nanoseconds from an origin that the caller keeps; one below the clock counts as the clock
     * @return {@link Verdict#DUPLICATE} if the key is present
     * @throws LatelyException with {@link Status#CLOCK} unless the clock is manual, with {@link Status#TICK} if the
     *     tick leads the clock by more than {@link Options.Builder#maxStep}
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict containsAt(String key, long tick) {
        return Verdict.of(key(Native.CONTAINS_AT, key.getBytes(StandardCharsets.UTF_8), tick));
    }

    /**
     * The verdict that {@code observe} would give, at an instant of a manual clock. Changes nothing at all.
     *
     * @param key the key, as its bytes in UTF-8
     * @param when a date, which is the tick {@link Ticks#of(Instant)}
     * @return {@link Verdict#DUPLICATE} if the key is present
     * @throws LatelyException as with a tick; also with {@link Status#TICK} if the instant is before 1970 or
     *     after 2554
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict containsAt(String key, Instant when) {
        return containsAt(key, Ticks.of(when));
    }

    /**
     * The verdict that {@code observe} would give, at a tick of a manual clock. Changes nothing at all.
     *
     * @param key the key, as 8 bytes little-endian
     * @param tick unsigned nanoseconds from an origin that the caller keeps; one below the clock counts as the clock
     * @return {@link Verdict#DUPLICATE} if the key is present
     * @throws LatelyException with {@link Status#CLOCK} unless the clock is manual, with {@link Status#TICK} if the
     *     tick leads the clock by more than {@link Options.Builder#maxStep}
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict containsAt(long key, long tick) {
        return Verdict.of(key(Native.CONTAINS_AT, key, tick));
    }

    /**
     * The verdict that {@code observe} would give, at an instant of a manual clock. Changes nothing at all.
     *
     * @param key the key, as 8 bytes little-endian
     * @param when a date, which is the tick {@link Ticks#of(Instant)}
     * @return {@link Verdict#DUPLICATE} if the key is present
     * @throws LatelyException as with a tick; also with {@link Status#TICK} if the instant is before 1970 or
     *     after 2554
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict containsAt(long key, Instant when) {
        return containsAt(key, Ticks.of(when));
    }

    /**
     * The verdict that {@code observe} would give, at a tick of a manual clock. Changes nothing at all.
     *
     * @param key the key, from position to limit, which stay as they are; a direct buffer is not copied
     * @param tick unsigned nanoseconds from an origin that the caller keeps; one below the clock counts as the clock
     * @return {@link Verdict#DUPLICATE} if the key is present
     * @throws LatelyException with {@link Status#CLOCK} unless the clock is manual, with {@link Status#TICK} if the
     *     tick leads the clock by more than {@link Options.Builder#maxStep}
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict containsAt(ByteBuffer key, long tick) {
        return Verdict.of(key(Native.CONTAINS_AT, key, tick));
    }

    /**
     * The verdict that {@code observe} would give, at an instant of a manual clock. Changes nothing at all.
     *
     * @param key the key, from position to limit, which stay as they are; a direct buffer is not copied
     * @param when a date, which is the tick {@link Ticks#of(Instant)}
     * @return {@link Verdict#DUPLICATE} if the key is present
     * @throws LatelyException as with a tick; also with {@link Status#TICK} if the instant is before 1970 or
     *     after 2554
     * @throws IllegalStateException if the filter is closed
     */
    public Verdict containsAt(ByteBuffer key, Instant when) {
        return containsAt(key, Ticks.of(when));
    }

    /**
     * Takes one entry that matches the key out of a {@linkplain Options.Builder#removable removable} filter. Remove only
     * what {@code insert} took or {@code observe} called {@link Verdict#NEW}: another removal may take the entry of
     * another key.
     *
     * @param key the key; no bytes are a key like any other
     * @return true if one entry was taken, false if none matched
     * @throws LatelyException with {@link Status#UNSUPPORTED} of all other filters
     * @throws IllegalStateException if the filter is closed
     */
    public boolean remove(byte[] key) {
        return key(Native.REMOVE, key, 0) == 1;
    }

    /**
     * Takes one entry that matches the key out of a {@linkplain Options.Builder#removable removable} filter. Remove only
     * what {@code insert} took or {@code observe} called {@link Verdict#NEW}: another removal may take the entry of
     * another key.
     *
     * @param key the key, as its bytes in UTF-8
     * @return true if one entry was taken, false if none matched
     * @throws LatelyException with {@link Status#UNSUPPORTED} of all other filters
     * @throws IllegalStateException if the filter is closed
     */
    public boolean remove(String key) {
        return key(Native.REMOVE, key.getBytes(StandardCharsets.UTF_8), 0) == 1;
    }

    /**
     * Takes one entry that matches the key out of a {@linkplain Options.Builder#removable removable} filter. Remove only
     * what {@code insert} took or {@code observe} called {@link Verdict#NEW}: another removal may take the entry of
     * another key.
     *
     * @param key the key, as 8 bytes little-endian
     * @return true if one entry was taken, false if none matched
     * @throws LatelyException with {@link Status#UNSUPPORTED} of all other filters
     * @throws IllegalStateException if the filter is closed
     */
    public boolean remove(long key) {
        return key(Native.REMOVE, key, 0) == 1;
    }

    /**
     * Takes one entry that matches the key out of a {@linkplain Options.Builder#removable removable} filter. Remove only
     * what {@code insert} took or {@code observe} called {@link Verdict#NEW}: another removal may take the entry of
     * another key.
     *
     * @param key the key, from position to limit, which stay as they are; a direct buffer is not copied
     * @return true if one entry was taken, false if none matched
     * @throws LatelyException with {@link Status#UNSUPPORTED} of all other filters
     * @throws IllegalStateException if the filter is closed
     */
    public boolean remove(ByteBuffer key) {
        return key(Native.REMOVE, key, 0) == 1;
    }

    /**
     * The hash that stands for the key in this filter and in every other unkeyed one with the same seed.
     *
     * @param key the key; no bytes are a key like any other
     * @return the hash, for the batches of hashes
     * @throws LatelyException with {@link Status#UNSUPPORTED} if the filter is keyed:
     *     its hashes would tell what the secret hides
     * @throws IllegalStateException if the filter is closed
     */
    public long hash(byte[] key) {
        return hashOf(key);
    }

    /**
     * The hash that stands for the key in this filter and in every other unkeyed one with the same seed.
     *
     * @param key the key, as its bytes in UTF-8
     * @return the hash, for the batches of hashes
     * @throws LatelyException with {@link Status#UNSUPPORTED} if the filter is keyed:
     *     its hashes would tell what the secret hides
     * @throws IllegalStateException if the filter is closed
     */
    public long hash(String key) {
        return hashOf(key.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * The hash that stands for the key in this filter and in every other unkeyed one with the same seed.
     *
     * @param key the key, as 8 bytes little-endian
     * @return the hash, for the batches of hashes
     * @throws LatelyException with {@link Status#UNSUPPORTED} if the filter is keyed:
     *     its hashes would tell what the secret hides
     * @throws IllegalStateException if the filter is closed
     */
    public long hash(long key) {
        return hashOf(key);
    }

    /**
     * The hash that stands for the key in this filter and in every other unkeyed one with the same seed.
     *
     * @param key the key, from position to limit, which stay as they are; a direct buffer is not copied
     * @return the hash, for the batches of hashes
     * @throws LatelyException with {@link Status#UNSUPPORTED} if the filter is keyed:
     *     its hashes would tell what the secret hides
     * @throws IllegalStateException if the filter is closed
     */
    public long hash(ByteBuffer key) {
        return hashOf(key);
    }
}
