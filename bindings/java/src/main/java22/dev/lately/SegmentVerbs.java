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

    /** {@code observe} of the bytes of a segment; an {@link IllegalStateException} if its arena is closed. */
    public Verdict observe(MemorySegment key) {
        return Verdict.of(segment(KeyVerbs.OBSERVE, key));
    }

    /** {@code insert} of the bytes of a segment, as {@link #observe}. */
    public void insert(MemorySegment key) {
        segment(KeyVerbs.INSERT, key);
    }

    /** {@code contains} of the bytes of a segment, as {@link #observe}. */
    public Verdict contains(MemorySegment key) {
        return Verdict.of(segment(KeyVerbs.CONTAINS, key));
    }
}
