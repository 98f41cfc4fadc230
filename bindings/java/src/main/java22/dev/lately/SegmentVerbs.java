package dev.lately;

import java.lang.foreign.MemorySegment;

/**
 * The verbs on a key that lies in a memory segment. One in native memory is not copied, and its arena cannot be closed
 * during the call. Documented in docs/reference/java.md: the class that the compiler of Java 11 sees has none of them.
 */
abstract class SegmentVerbs {
    final Calls calls;
    final long tick;

    SegmentVerbs(Calls calls, long tick) {
        this.calls = calls;
        this.tick = tick;
    }

    private int segment(int verb, MemorySegment key) {
        int lane = calls.handle.enter();
        try {
            return SingleCalls.segment(calls.handle.address, verb, key, tick);
        } finally {
            calls.leave(lane);
        }
    }

    /**
     * Tests and inserts in one step.
     *
     * @param key the key, all of its bytes
     * @return whether the key was seen within the window
     * @throws LatelyException if a filter at a moment has no manual clock, or refuses the tick
     * @throws IllegalStateException if the filter or the arena of the key is closed
     */
    public Verdict observe(MemorySegment key) {
        return Verdict.of(segment(Native.OBSERVE, key));
    }

    /**
     * Inserts without a verdict.
     *
     * @param key the key, all of its bytes
     * @throws LatelyException if a filter at a moment has no manual clock, or refuses the tick
     * @throws IllegalStateException if the filter or the arena of the key is closed
     */
    public void insert(MemorySegment key) {
        segment(Native.INSERT, key);
    }

    /**
     * The verdict that {@code observe} would give. Changes nothing at all.
     *
     * @param key the key, all of its bytes
     * @return whether the key is present
     * @throws LatelyException if a filter at a moment has no manual clock, or refuses the tick
     * @throws IllegalStateException if the filter or the arena of the key is closed
     */
    public Verdict contains(MemorySegment key) {
        return Verdict.of(segment(Native.CONTAINS, key));
    }
}
