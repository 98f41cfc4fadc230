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

/** The flight recorder gets the memory of open filters, and nothing where none is open. Some JVMs have no recorder. */
class FlightRecorderTest {
    private static final Options SMALL = Options.last(1_000).build();

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
