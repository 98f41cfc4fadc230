package dev.lately;

import java.lang.foreign.MemorySegment;

/**
 * The verbs on a key that lies in a memory segment. One in native memory is not copied, and its arena cannot be closed
 * during the call. Documented in docs/java.md: the class that the compiler of Java 11 sees has none of them.
 */
abstract class SegmentKeys extends OneKey {
    SegmentKeys(Handle handle) {
        super(handle);
    }

    private int segment(int verb, MemorySegment key, long tick) {
        int lane = handle.enter();
        try {
            return SingleCalls.segment(handle.address, verb, key, tick);
        } finally {
            leave(lane);
        }
    }

    /**
     * Tests and inserts in one step, now.
     *
     * @param key the key, all of its bytes
     * @return whether the key was seen within the window
     * @throws IllegalStateException if the filter or the arena of the key is closed
     */
    public Verdict observe(MemorySegment key) {
        return Verdict.of(segment(Native.OBSERVE, key, 0));
    }

    /**
     * Tests and inserts in one step, at a tick of a manual clock.
     *
     * @param key the key, all of its bytes
     * @param tick unsigned nanoseconds from an origin that the caller keeps
     * @return whether the key was seen within the window
     * @throws LatelyException as with a tick of any key
     * @throws IllegalStateException if the filter or the arena of the key is closed
     */
    public Verdict observeAt(MemorySegment key, long tick) {
        return Verdict.of(segment(Native.OBSERVE_AT, key, tick));
    }

    /**
     * Inserts without a verdict, now.
     *
     * @param key the key, all of its bytes
     * @throws IllegalStateException if the filter or the arena of the key is closed
     */
    public void insert(MemorySegment key) {
        segment(Native.INSERT, key, 0);
    }

    /**
     * Inserts without a verdict, at a tick of a manual clock.
     *
     * @param key the key, all of its bytes
     * @param tick unsigned nanoseconds from an origin that the caller keeps
     * @throws LatelyException as with a tick of any key
     * @throws IllegalStateException if the filter or the arena of the key is closed
     */
    public void insertAt(MemorySegment key, long tick) {
        segment(Native.INSERT_AT, key, tick);
    }

    /**
     * The verdict that {@code observe} would give now; changes nothing at all.
     *
     * @param key the key, all of its bytes
     * @return whether the key is present
     * @throws IllegalStateException if the filter or the arena of the key is closed
     */
    public Verdict contains(MemorySegment key) {
        return Verdict.of(segment(Native.CONTAINS, key, 0));
    }

    /**
     * The verdict that {@code observeAt} would give; changes nothing at all.
     *
     * @param key the key, all of its bytes
     * @param tick unsigned nanoseconds from an origin that the caller keeps
     * @return whether the key is present
     * @throws LatelyException as with a tick of any key
     * @throws IllegalStateException if the filter or the arena of the key is closed
     */
    public Verdict containsAt(MemorySegment key, long tick) {
        return Verdict.of(segment(Native.CONTAINS_AT, key, tick));
    }

    /**
     * Takes one entry that matches the key out of a removable filter.
     *
     * @param key the key, all of its bytes
     * @return whether there was one
     * @throws LatelyException with {@link Status#UNSUPPORTED} if the filter has no such verb
     * @throws IllegalStateException if the filter or the arena of the key is closed
     */
    public boolean remove(MemorySegment key) {
        return segment(Native.REMOVE, key, 0) == 1;
    }
}
