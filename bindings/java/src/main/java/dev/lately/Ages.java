package dev.lately;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/** The verbs on one key that also tell how long ago it was seen. Documented in {@link Filter}, which has them. */
abstract class Ages extends MoreKeys {
    Ages(Handle handle) {
        super(handle);
    }

    /**
     * Tests and inserts in one step, now, and tells how long ago a duplicate was seen last.
     *
     * @param key the key; no bytes are a key like any other
     * @return the verdict, and between which two moments a duplicate was seen
     * @throws LatelyException with {@link Status#UNSUPPORTED} of another kind than {@link Kind#WINDOW_TABLE}
     * @throws IllegalStateException if the filter is closed
     */
    public Sighting observeAge(byte[] key) {
        return age(Native.OBSERVE, key, 0);
    }

    /**
     * Tests and inserts in one step, now, and tells how long ago a duplicate was seen last.
     *
     * @param key the array that holds the key
     * @param start where the key begins
     * @param length how many bytes it has
     * @return the verdict, and between which two moments a duplicate was seen
     * @throws LatelyException with {@link Status#UNSUPPORTED} of another kind than {@link Kind#WINDOW_TABLE}
     * @throws IndexOutOfBoundsException if the array has no such range
     * @throws IllegalStateException if the filter is closed
     */
    public Sighting observeAge(byte[] key, int start, int length) {
        return age(Native.OBSERVE, key, start, length, 0);
    }

    /**
     * Tests and inserts in one step, now, and tells how long ago a duplicate was seen last.
     *
     * @param key the key, as its bytes in UTF-8
     * @return the verdict, and between which two moments a duplicate was seen
     * @throws LatelyException with {@link Status#UNSUPPORTED} of another kind than {@link Kind#WINDOW_TABLE}
     * @throws IllegalStateException if the filter is closed
     */
    public Sighting observeAge(String key) {
        return age(Native.OBSERVE, key.getBytes(StandardCharsets.UTF_8), 0);
    }

    /**
     * Tests and inserts in one step, now, and tells how long ago a duplicate was seen last.
     *
     * @param key the key, as 8 bytes little-endian
     * @return the verdict, and between which two moments a duplicate was seen
     * @throws LatelyException with {@link Status#UNSUPPORTED} of another kind than {@link Kind#WINDOW_TABLE}
     * @throws IllegalStateException if the filter is closed
     */
    public Sighting observeAge(long key) {
        return age(Native.OBSERVE, word(key), 0);
    }

    /**
     * Tests and inserts in one step, now, and tells how long ago a duplicate was seen last.
     *
     * @param key the key, from position to limit, which stay as they are
     * @return the verdict, and between which two moments a duplicate was seen
     * @throws LatelyException with {@link Status#UNSUPPORTED} of another kind than {@link Kind#WINDOW_TABLE}
     * @throws IllegalStateException if the filter is closed
     */
    public Sighting observeAge(ByteBuffer key) {
        return age(Native.OBSERVE, key, 0);
    }

    /**
     * Tests and inserts in one step, at a tick of a manual clock, and tells how long ago a duplicate was seen last.
     *
     * @param key the key; no bytes are a key like any other
     * @param tick unsigned nanoseconds from an origin that the caller keeps; one below the clock counts as the clock
     * @return the verdict, and between which two moments a duplicate was seen
     * @throws LatelyException with {@link Status#CLOCK} unless the clock is manual, with {@link Status#TICK} if the
     *     tick leads the clock by more than {@link Options.Builder#maxStep}, with {@link Status#UNSUPPORTED} of another
     *     kind than {@link Kind#WINDOW_TABLE}
     * @throws IllegalStateException if the filter is closed
     */
    public Sighting observeAgeAt(byte[] key, long tick) {
        return age(Native.OBSERVE_AT, key, tick);
    }

    /**
     * Tests and inserts in one step, at a tick of a manual clock, and tells how long ago a duplicate was seen last.
     *
     * @param key the array that holds the key
     * @param start where the key begins
     * @param length how many bytes it has
     * @param tick unsigned nanoseconds from an origin that the caller keeps; one below the clock counts as the clock
     * @return the verdict, and between which two moments a duplicate was seen
     * @throws LatelyException with {@link Status#CLOCK} unless the clock is manual, with {@link Status#TICK} if the
     *     tick leads the clock by more than {@link Options.Builder#maxStep}, with {@link Status#UNSUPPORTED} of another
     *     kind than {@link Kind#WINDOW_TABLE}
     * @throws IndexOutOfBoundsException if the array has no such range
     * @throws IllegalStateException if the filter is closed
     */
    public Sighting observeAgeAt(byte[] key, int start, int length, long tick) {
        return age(Native.OBSERVE_AT, key, start, length, tick);
    }

    /**
     * Tests and inserts in one step, at a tick of a manual clock, and tells how long ago a duplicate was seen last.
     *
     * @param key the key, as its bytes in UTF-8
     * @param tick unsigned nanoseconds from an origin that the caller keeps; one below the clock counts as the clock
     * @return the verdict, and between which two moments a duplicate was seen
     * @throws LatelyException with {@link Status#CLOCK} unless the clock is manual, with {@link Status#TICK} if the
     *     tick leads the clock by more than {@link Options.Builder#maxStep}, with {@link Status#UNSUPPORTED} of another
     *     kind than {@link Kind#WINDOW_TABLE}
     * @throws IllegalStateException if the filter is closed
     */
    public Sighting observeAgeAt(String key, long tick) {
        return age(Native.OBSERVE_AT, key.getBytes(StandardCharsets.UTF_8), tick);
    }

    /**
     * Tests and inserts in one step, at a tick of a manual clock, and tells how long ago a duplicate was seen last.
     *
     * @param key the key, as 8 bytes little-endian
     * @param tick unsigned nanoseconds from an origin that the caller keeps; one below the clock counts as the clock
     * @return the verdict, and between which two moments a duplicate was seen
     * @throws LatelyException with {@link Status#CLOCK} unless the clock is manual, with {@link Status#TICK} if the
     *     tick leads the clock by more than {@link Options.Builder#maxStep}, with {@link Status#UNSUPPORTED} of another
     *     kind than {@link Kind#WINDOW_TABLE}
     * @throws IllegalStateException if the filter is closed
     */
    public Sighting observeAgeAt(long key, long tick) {
        return age(Native.OBSERVE_AT, word(key), tick);
    }

    /**
     * Tests and inserts in one step, at a tick of a manual clock, and tells how long ago a duplicate was seen last.
     *
     * @param key the key, from position to limit, which stay as they are
     * @param tick unsigned nanoseconds from an origin that the caller keeps; one below the clock counts as the clock
     * @return the verdict, and between which two moments a duplicate was seen
     * @throws LatelyException with {@link Status#CLOCK} unless the clock is manual, with {@link Status#TICK} if the
     *     tick leads the clock by more than {@link Options.Builder#maxStep}, with {@link Status#UNSUPPORTED} of another
     *     kind than {@link Kind#WINDOW_TABLE}
     * @throws IllegalStateException if the filter is closed
     */
    public Sighting observeAgeAt(ByteBuffer key, long tick) {
        return age(Native.OBSERVE_AT, key, tick);
    }

    /**
     * Tests and inserts in one step, at an instant of a manual clock, and tells how long ago a duplicate was seen last.
     *
     * @param key the key; no bytes are a key like any other
     * @param when a date, which is the tick {@link Ticks#of(Instant)}
     * @return the verdict, and between which two moments a duplicate was seen
     * @throws LatelyException as with a tick; also with {@link Status#TICK} if the instant is before 1970 or
     *     after 2554
     * @throws IllegalStateException if the filter is closed
     */
    public Sighting observeAgeAt(byte[] key, Instant when) {
        return observeAgeAt(key, Ticks.of(when));
    }

    /**
     * Tests and inserts in one step, at an instant of a manual clock, and tells how long ago a duplicate was seen last.
     *
     * @param key the key, as its bytes in UTF-8
     * @param when a date, which is the tick {@link Ticks#of(Instant)}
     * @return the verdict, and between which two moments a duplicate was seen
     * @throws LatelyException as with a tick; also with {@link Status#TICK} if the instant is before 1970 or
     *     after 2554
     * @throws IllegalStateException if the filter is closed
     */
    public Sighting observeAgeAt(String key, Instant when) {
        return observeAgeAt(key, Ticks.of(when));
    }

    /**
     * Tests and inserts in one step, at an instant of a manual clock, and tells how long ago a duplicate was seen last.
     *
     * @param key the key, as 8 bytes little-endian
     * @param when a date, which is the tick {@link Ticks#of(Instant)}
     * @return the verdict, and between which two moments a duplicate was seen
     * @throws LatelyException as with a tick; also with {@link Status#TICK} if the instant is before 1970 or
     *     after 2554
     * @throws IllegalStateException if the filter is closed
     */
    public Sighting observeAgeAt(long key, Instant when) {
        return observeAgeAt(key, Ticks.of(when));
    }

    /**
     * Tests and inserts in one step, at an instant of a manual clock, and tells how long ago a duplicate was seen last.
     *
     * @param key the key, from position to limit, which stay as they are
     * @param when a date, which is the tick {@link Ticks#of(Instant)}
     * @return the verdict, and between which two moments a duplicate was seen
     * @throws LatelyException as with a tick; also with {@link Status#TICK} if the instant is before 1970 or
     *     after 2554
     * @throws IllegalStateException if the filter is closed
     */
    public Sighting observeAgeAt(ByteBuffer key, Instant when) {
        return observeAgeAt(key, Ticks.of(when));
    }

    /**
     * What {@code observeAge} would tell now; changes nothing at all.
     *
     * @param key the key; no bytes are a key like any other
     * @return the verdict, and between which two moments a duplicate was seen
     * @throws LatelyException with {@link Status#UNSUPPORTED} of another kind than {@link Kind#WINDOW_TABLE}
     * @throws IllegalStateException if the filter is closed
     */
    public Sighting containsAge(byte[] key) {
        return age(Native.CONTAINS, key, 0);
    }

    /**
     * What {@code observeAge} would tell now; changes nothing at all.
     *
     * @param key the array that holds the key
     * @param start where the key begins
     * @param length how many bytes it has
     * @return the verdict, and between which two moments a duplicate was seen
     * @throws LatelyException with {@link Status#UNSUPPORTED} of another kind than {@link Kind#WINDOW_TABLE}
     * @throws IndexOutOfBoundsException if the array has no such range
     * @throws IllegalStateException if the filter is closed
     */
    public Sighting containsAge(byte[] key, int start, int length) {
        return age(Native.CONTAINS, key, start, length, 0);
    }

    /**
     * What {@code observeAge} would tell now; changes nothing at all.
     *
     * @param key the key, as its bytes in UTF-8
     * @return the verdict, and between which two moments a duplicate was seen
     * @throws LatelyException with {@link Status#UNSUPPORTED} of another kind than {@link Kind#WINDOW_TABLE}
     * @throws IllegalStateException if the filter is closed
     */
    public Sighting containsAge(String key) {
        return age(Native.CONTAINS, key.getBytes(StandardCharsets.UTF_8), 0);
    }

    /**
     * What {@code observeAge} would tell now; changes nothing at all.
     *
     * @param key the key, as 8 bytes little-endian
     * @return the verdict, and between which two moments a duplicate was seen
     * @throws LatelyException with {@link Status#UNSUPPORTED} of another kind than {@link Kind#WINDOW_TABLE}
     * @throws IllegalStateException if the filter is closed
     */
    public Sighting containsAge(long key) {
        return age(Native.CONTAINS, word(key), 0);
    }

    /**
     * What {@code observeAge} would tell now; changes nothing at all.
     *
     * @param key the key, from position to limit, which stay as they are
     * @return the verdict, and between which two moments a duplicate was seen
     * @throws LatelyException with {@link Status#UNSUPPORTED} of another kind than {@link Kind#WINDOW_TABLE}
     * @throws IllegalStateException if the filter is closed
     */
    public Sighting containsAge(ByteBuffer key) {
        return age(Native.CONTAINS, key, 0);
    }

    /**
     * What {@code observeAge} would tell at a tick of a manual clock; changes nothing at all.
     *
     * @param key the key; no bytes are a key like any other
     * @param tick unsigned nanoseconds from an origin that the caller keeps; one below the clock counts as the clock
     * @return the verdict, and between which two moments a duplicate was seen
     * @throws LatelyException with {@link Status#CLOCK} unless the clock is manual, with {@link Status#TICK} if the
     *     tick leads the clock by more than {@link Options.Builder#maxStep}, with {@link Status#UNSUPPORTED} of another
     *     kind than {@link Kind#WINDOW_TABLE}
     * @throws IllegalStateException if the filter is closed
     */
    public Sighting containsAgeAt(byte[] key, long tick) {
        return age(Native.CONTAINS_AT, key, tick);
    }

    /**
     * What {@code observeAge} would tell at a tick of a manual clock; changes nothing at all.
     *
     * @param key the array that holds the key
     * @param start where the key begins
     * @param length how many bytes it has
     * @param tick unsigned nanoseconds from an origin that the caller keeps; one below the clock counts as the clock
     * @return the verdict, and between which two moments a duplicate was seen
     * @throws LatelyException with {@link Status#CLOCK} unless the clock is manual, with {@link Status#TICK} if the
     *     tick leads the clock by more than {@link Options.Builder#maxStep}, with {@link Status#UNSUPPORTED} of another
     *     kind than {@link Kind#WINDOW_TABLE}
     * @throws IndexOutOfBoundsException if the array has no such range
     * @throws IllegalStateException if the filter is closed
     */
    public Sighting containsAgeAt(byte[] key, int start, int length, long tick) {
        return age(Native.CONTAINS_AT, key, start, length, tick);
    }

    /**
     * What {@code observeAge} would tell at a tick of a manual clock; changes nothing at all.
     *
     * @param key the key, as its bytes in UTF-8
     * @param tick unsigned nanoseconds from an origin that the caller keeps; one below the clock counts as the clock
     * @return the verdict, and between which two moments a duplicate was seen
     * @throws LatelyException with {@link Status#CLOCK} unless the clock is manual, with {@link Status#TICK} if the
     *     tick leads the clock by more than {@link Options.Builder#maxStep}, with {@link Status#UNSUPPORTED} of another
     *     kind than {@link Kind#WINDOW_TABLE}
     * @throws IllegalStateException if the filter is closed
     */
    public Sighting containsAgeAt(String key, long tick) {
        return age(Native.CONTAINS_AT, key.getBytes(StandardCharsets.UTF_8), tick);
    }

    /**
     * What {@code observeAge} would tell at a tick of a manual clock; changes nothing at all.
     *
     * @param key the key, as 8 bytes little-endian
     * @param tick unsigned nanoseconds from an origin that the caller keeps; one below the clock counts as the clock
     * @return the verdict, and between which two moments a duplicate was seen
     * @throws LatelyException with {@link Status#CLOCK} unless the clock is manual, with {@link Status#TICK} if the
     *     tick leads the clock by more than {@link Options.Builder#maxStep}, with {@link Status#UNSUPPORTED} of another
     *     kind than {@link Kind#WINDOW_TABLE}
     * @throws IllegalStateException if the filter is closed
     */
    public Sighting containsAgeAt(long key, long tick) {
        return age(Native.CONTAINS_AT, word(key), tick);
    }

    /**
     * What {@code observeAge} would tell at a tick of a manual clock; changes nothing at all.
     *
     * @param key the key, from position to limit, which stay as they are
     * @param tick unsigned nanoseconds from an origin that the caller keeps; one below the clock counts as the clock
     * @return the verdict, and between which two moments a duplicate was seen
     * @throws LatelyException with {@link Status#CLOCK} unless the clock is manual, with {@link Status#TICK} if the
     *     tick leads the clock by more than {@link Options.Builder#maxStep}, with {@link Status#UNSUPPORTED} of another
     *     kind than {@link Kind#WINDOW_TABLE}
     * @throws IllegalStateException if the filter is closed
     */
    public Sighting containsAgeAt(ByteBuffer key, long tick) {
        return age(Native.CONTAINS_AT, key, tick);
    }

    /**
     * What {@code observeAge} would tell at an instant of a manual clock; changes nothing at all.
     *
     * @param key the key; no bytes are a key like any other
     * @param when a date, which is the tick {@link Ticks#of(Instant)}
     * @return the verdict, and between which two moments a duplicate was seen
     * @throws LatelyException as with a tick; also with {@link Status#TICK} if the instant is before 1970 or
     *     after 2554
     * @throws IllegalStateException if the filter is closed
     */
    public Sighting containsAgeAt(byte[] key, Instant when) {
        return containsAgeAt(key, Ticks.of(when));
    }

    /**
     * What {@code observeAge} would tell at an instant of a manual clock; changes nothing at all.
     *
     * @param key the key, as its bytes in UTF-8
     * @param when a date, which is the tick {@link Ticks#of(Instant)}
     * @return the verdict, and between which two moments a duplicate was seen
     * @throws LatelyException as with a tick; also with {@link Status#TICK} if the instant is before 1970 or
     *     after 2554
     * @throws IllegalStateException if the filter is closed
     */
    public Sighting containsAgeAt(String key, Instant when) {
        return containsAgeAt(key, Ticks.of(when));
    }

    /**
     * What {@code observeAge} would tell at an instant of a manual clock; changes nothing at all.
     *
     * @param key the key, as 8 bytes little-endian
     * @param when a date, which is the tick {@link Ticks#of(Instant)}
     * @return the verdict, and between which two moments a duplicate was seen
     * @throws LatelyException as with a tick; also with {@link Status#TICK} if the instant is before 1970 or
     *     after 2554
     * @throws IllegalStateException if the filter is closed
     */
    public Sighting containsAgeAt(long key, Instant when) {
        return containsAgeAt(key, Ticks.of(when));
    }

    /**
     * What {@code observeAge} would tell at an instant of a manual clock; changes nothing at all.
     *
     * @param key the key, from position to limit, which stay as they are
     * @param when a date, which is the tick {@link Ticks#of(Instant)}
     * @return the verdict, and between which two moments a duplicate was seen
     * @throws LatelyException as with a tick; also with {@link Status#TICK} if the instant is before 1970 or
     *     after 2554
     * @throws IllegalStateException if the filter is closed
     */
    public Sighting containsAgeAt(ByteBuffer key, Instant when) {
        return containsAgeAt(key, Ticks.of(when));
    }

    private static byte[] word(long key) {
        return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(key).array();
    }
}
