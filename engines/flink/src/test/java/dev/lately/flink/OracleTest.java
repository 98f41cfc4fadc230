package dev.lately.flink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.flink.util.OutputTag;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

/** Whole streams against the exact answer. There is no cluster in it: the short form runs it on one Flink alone. */
@Tag("once")
class OracleTest {
    private static final double RATE = 1e-3;
    private static final long WINDOW = 60_000;
    private static final int WATERMARK_EVERY = 1000;
    /** How far the watermark is behind the latest record. */
    private static final long LAG = 2_000;

    private static final OutputTag<Event> DUPLICATES = new OutputTag<Event>("duplicates") { };
    private static final OutputTag<Event> LATE = new OutputTag<Event>("late") { };

    @Test
    void noDuplicateOfTwoMillionPassesAndFewOthersAreHeldBack() throws Exception {
        Oracle seen = run(Streams.generated(2_000_000, WINDOW));
        assertTrue(seen.repeats > 300_000, "repeats: " + seen.repeats);
        assertTrue(seen.unseen > 1_000_000, "unseen: " + seen.unseen);
        assertTrue(seen.late > 1_000, "late: " + seen.late);
    }

    /** Shows a stream to the operator and to the oracle. */
    private static Oracle run(List<Event> events) throws Exception {
        Deduplicate<Event> asked = Deduplicate.<Event>within(Duration.ofMillis(WINDOW)).keyString(Event::text).errorRate(RATE).eventTime()
            .duplicatesTo(DUPLICATES).lateTo(LATE);
        Oracle oracle = new Oracle(WINDOW);
        try (Subtask subtask = Subtask.alone(asked)) {
            long latest = Long.MIN_VALUE;
            int count = 0;
            for (Event event : events) {
                show(subtask, oracle, event);
                latest = Math.max(latest, event.time);
                if (++count % WATERMARK_EVERY == 0) {
                    subtask.watermark(latest - LAG);
                    oracle.watermark(latest - LAG);
                }
            }
        }
        assertEquals(0, oracle.missed, "duplicates that passed");
        assertTrue(oracle.heldBack <= oracle.most(RATE), oracle.heldBack + " of " + oracle.unseen + " were held back");
        return oracle;
    }

    private static void show(Subtask subtask, Oracle oracle, Event event) throws Exception {
        boolean passed = subtask.passes(event);
        boolean late = oracle.isLate(event.time);
        assertEquals(late ? 1 : 0, subtask.side(LATE));
        assertEquals(late || passed ? 0 : 1, subtask.side(DUPLICATES));
        if (late) {
            oracle.late++;
            assertTrue(!passed, "a late record passed");
        } else {
            oracle.judge(event.id, event.time, passed);
        }
    }
}
