package dev.lately;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The memory of all open filters is reported. */
class NativeBytesTest {
    private static final Options SMALL = Options.last(1_000).build();
    private static final Options LARGE = Options.last(100_000).build();

    private static long growth(long before) {
        return Filter.nativeBytes() - before;
    }

    @Test
    void openFiltersAreCountedAndClosedOnesAreNot() {
        long before = Filter.nativeBytes();
        try (Filter small = new Filter(SMALL); Filter large = Filter.unshared(LARGE)) {
            assertEquals(small.stats().bytes() + large.stats().bytes(), growth(before));
        }
        assertEquals(0, growth(before));
    }

    @Test
    void oneMemoryWithTwoOwnersCountsOnceUntilBothAreClosed() {
        long before = Filter.nativeBytes();
        Filter first = new Filter(LARGE);
        long bytes = first.stats().bytes();
        try (Filter second = first.retain()) {
            assertEquals(bytes, growth(before));
            first.close();
            assertEquals(bytes, growth(before));
        }
        assertEquals(0, growth(before));
    }

    /** A runtime image may have been made without the module of the recorder. */
    @Test
    void noRecorderIsNoObstacle() throws Exception {
        List<Path> classes = List.of(Child.classesOf(Filter.class), Child.classesOf(Hello.class));
        Child child = Child.java(classes, "--limit-modules=java.base,java.logging", Hello.class.getName());
        assertEquals("NEW DUPLICATE", child.output.trim(), child.toString());
    }
}
