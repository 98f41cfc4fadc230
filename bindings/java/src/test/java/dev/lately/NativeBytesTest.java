package dev.lately;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The memory of all open filters, as a number and by the flight recorder. */
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

    private static List<RecordedEvent> recorded(Recording recording, Path file) throws Exception {
        recording.enable("dev.lately.NativeMemory").with("period", "endChunk");
        recording.start();
        recording.stop();
        recording.dump(file);
        return RecordingFile.readAllEvents(file).stream()
            .filter(event -> event.getEventType().getName().equals("dev.lately.NativeMemory"))
            .collect(Collectors.toList());
    }

    /** In a process of its own, where no other test has a filter. */
    public static final class Records {
        public static void main(String[] arguments) throws Exception {
            new Filter(SMALL).close();
            try (Recording none = new Recording()) {
                System.out.println(recorded(none, Path.of(arguments[0], "none.jfr")).size());
            }
            try (Filter filter = new Filter(SMALL); Recording one = new Recording()) {
                List<RecordedEvent> events = recorded(one, Path.of(arguments[0], "one.jfr"));
                System.out.println(events.size() + " " + (events.get(0).getLong("bytes") == filter.stats().bytes()) + " "
                    + events.get(0).getLong("filters"));
            }
        }
    }

    @Test
    void theFlightRecorderGetsItWhereAFilterIsOpen(@TempDir Path temp) throws Exception {
        List<Path> classes = List.of(Child.classesOf(Filter.class), Child.classesOf(Records.class));
        Child child = Child.java(classes, Records.class.getName(), temp.toString());
        assertEquals(List.of("0", "1 true 1"), child.output.lines().collect(Collectors.toList()), child.toString());
    }
}
