package dev.lately;

/**
 * The verbs on keys that only later versions of Java have, and what all verbs on one key share. In Java 22 and later it is
 * another class of this name in the jar ({@code src/main/java22}), with the verbs on a {@code MemorySegment}.
 */
abstract class SegmentVerbs {
    final Calls calls;
    /** What makes a verb one with a tick: {@link Native#AT}, or 0. */
    final int form;
    final long tick;

    SegmentVerbs(Calls calls, int form, long tick) {
        this.calls = calls;
        this.form = form;
        this.tick = tick;
    }
}
