package dev.lately;

/**
 * Keys that only later versions of Java have. In Java 22 and later it is another class of this name in the jar
 * ({@code src/main/java22}), with the verbs on a {@code MemorySegment}.
 */
abstract class SegmentKeys extends OneKey {
    SegmentKeys(Handle handle) {
        super(handle);
    }
}
