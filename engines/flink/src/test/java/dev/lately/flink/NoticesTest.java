package dev.lately.flink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.throwable.ThrowableClassifier;
import org.apache.flink.runtime.throwable.ThrowableType;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.helpers.MessageFormatter;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What is written into the log, and which errors say that no restart is to be tried. */
class NoticesTest {
    private static final long NOON = Streams.BEGIN;
    private static final long SECOND = 1000;

    private final List<String> lines = new ArrayList<>();
    private OperatorClock clock;

    /** A logger that keeps its lines. */
    private Logger log() {
        return (Logger) Proxy.newProxyInstance(NoticesTest.class.getClassLoader(), new Class<?>[] {Logger.class},
            (proxy, method, arguments) -> lines.add(method.getName() + " " + MessageFormatter.arrayFormat((String) arguments[0],
                arguments.length == 2 && arguments[1] instanceof Object[] ? (Object[]) arguments[1]
                    : List.of(arguments).subList(1, arguments.length).toArray()).getMessage()));
    }

    private Notices notices(Duration lateness) {
        Settings.Asked asked = new Settings.Asked(Duration.ofMinutes(10));
        asked.eventTime = true;
        asked.lateness = lateness;
        Settings settings = new Settings(asked);
        clock = new OperatorClock(settings, () -> NOON);
        return new Notices(settings, clock, log());
    }

    private void meet(Notices notices, long time) {
        clock.meet(new StreamRecord<>(1, time));
        notices.look();
    }

    @Test
    void aSkewThatIsMoreThanAllowedIsWrittenAndAgainWhenItHasDoubled() {
        Notices notices = notices(Duration.ofSeconds(5));
        meet(notices, NOON);
        meet(notices, NOON - 5 * SECOND);
        assertEquals(List.of(), lines);
        for (long behind = 5 * SECOND + 1; behind < 25 * SECOND; behind++) {
            meet(notices, NOON - behind);
        }
        assertEquals(3, lines.size(), lines.toString());
        assertTrue(lines.get(0).startsWith("warn A record is PT5.001S behind the latest timestamp, and allowedLateness is PT5S"),
            lines.get(0));
        assertTrue(lines.get(2).contains("Set allowedLateness(PT20.007S) or more"), lines.get(2));
        assertEquals(25 * SECOND - 1, clock.mostBehind());
    }

    /** Streams are hardly ever in order to the millisecond: without a word on lateness, a hundredth of the window is quiet. */
    @Test
    void littleDisorderIsQuietWhereNoLatenessIsSaid() {
        Notices notices = notices(null);
        meet(notices, NOON);
        meet(notices, NOON - 6 * SECOND);
        assertEquals(List.of(), lines);
        meet(notices, NOON - 6 * SECOND - 1);
        assertEquals(1, lines.size());
        lines.clear();
        notices = notices(Duration.ZERO);
        meet(notices, NOON);
        meet(notices, NOON - 1);
        assertEquals(1, lines.size(), "zero that is said is zero");
    }

    /** A job that fails and continues has a line for what is worse than before, and none for the same once more. */
    @Test
    void aSkewThatWasWrittenIsNotWrittenAgainAfterARestart() throws Exception {
        Deduplicate<Event> asked = Deduplicate.<Event>within(Duration.ofMinutes(10)).keyLong(event -> event.id).eventTime()
            .allowedLateness(Duration.ofSeconds(5));
        OperatorSubtaskState state;
        try (Subtask subtask = Subtask.alone(asked)) {
            subtask.passes(1, NOON);
            subtask.passes(2, NOON - 20 * SECOND);
            assertEquals(40 * SECOND, subtask.operator.notices.behind());
            state = subtask.snapshot();
        }
        try (Subtask subtask = Subtask.alone(asked, state)) {
            assertEquals(40 * SECOND, subtask.operator.notices.behind());
            subtask.passes(3, NOON - 40 * SECOND);
            assertEquals(40 * SECOND, subtask.operator.notices.behind(), "no line");
            subtask.passes(4, NOON - 41 * SECOND);
            assertEquals(82 * SECOND, subtask.operator.notices.behind(), "a line");
        }
        try (Subtask half = new Subtask(asked, 2, 1).open(Subtask.part(state, 1, 2, 1))) {
            assertEquals(40 * SECOND, half.operator.notices.behind(), "rescaled");
        }
    }

    @Test
    void aTimeThatIsRefusedIsWritten() {
        Notices notices = notices(null);
        meet(notices, NOON);
        for (int i = 0; i < 100; i++) {
            meet(notices, NOON + 86_400_001);
        }
        assertEquals(6, lines.size(), lines.toString());
        assertTrue(lines.get(0).startsWith("warn Times refused so far: 1, the last of them 2026-01-06T14:00:00.001Z (1767708000001 ms)."),
            lines.get(0));
        assertTrue(lines.get(0).contains("by more than maxStep = PT24H"), lines.get(0));
    }

    @Test
    void keysThatWereForgottenAreWritten() throws Exception {
        Notices notices = notices(null);
        Deduplicate<Event> asked = Deduplicate.<Event>within(Duration.ofMinutes(10)).keyLong(event -> event.id).eventTime();
        try (Subtask subtask = Subtask.alone(asked.memoryPerSubtask(Subtask.GROUPS * 1024))) {
            notices.forgotten(subtask.operator.filters.figures());
            assertEquals(List.of(), lines);
            for (int id = 0; id < 200_000; id++) {
                subtask.passes(id, NOON + id);
            }
            notices.forgotten(subtask.operator.filters.figures());
            notices.forgotten(subtask.operator.filters.figures());
        }
        assertEquals(1, lines.size(), lines.toString());
        assertTrue(lines.get(0).matches("warn \\d+ keys were forgotten for lack of memory: .* of 131072 bytes.*"), lines.get(0));
    }

    @Test
    void aRestoreIsWrittenWithItsGroupsBytesAndClock() throws Exception {
        Notices notices = notices(null);
        clock.meet(new StreamRecord<>(1, NOON));
        Deduplicate<Event> asked = Deduplicate.<Event>within(Duration.ofMinutes(10)).keyLong(event -> event.id).eventTime();
        try (Subtask subtask = new Subtask(asked, 2, 1).open()) {
            notices.restored(subtask.operator.filters, 64, 12_345, 0);
        }
        assertEquals(List.of("info Restored 64 key groups, 64 to 127: 12345 bytes of state, 0 bytes of filters, clock "
            + "2026-01-05T14:00:00Z, watermark none"), lines);
    }

    /** A storage that read wrongly may heal. */
    @Test
    void onlyWhatARestartMayMendIsTriedAgain() {
        Exception[] lasting = {new SettingException("a"), StateException.other("window", 1, 2), StateException.newer("a"),
            StateException.newer("a").inGroup(1)};
        for (Exception e : lasting) {
            assertEquals(ThrowableType.NonRecoverableError, ThrowableClassifier.getThrowableType(e), e.toString());
        }
        for (Exception e : new Exception[] {StateException.damaged("a"), StateException.damaged("a").inGroup(1)}) {
            assertEquals(ThrowableType.RecoverableError, ThrowableClassifier.getThrowableType(e), e.toString());
        }
    }
}
