package dev.lately;

/**
 * The verbs on keys that only later versions of Java have, and what all verbs on one key share. In Java 22 and later it is
 * another class of this name in the jar ({@code src/main/java22}), with the verbs on a {@code MemorySegment}.
 */
abstract class SegmentVerbs {
    final Calls calls;
    final long tick;

    SegmentVerbs(Calls calls, long tick) {
        this.calls = calls;
        this.tick = tick;
    }
}
