package dev.lately.flink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.lately.LiveFilters;

import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.memory.MemCheckpointStreamFactory;
import org.apache.flink.streaming.api.operators.OperatorSnapshotFutures;
import org.apache.flink.util.concurrent.FutureUtils;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** No native filter outlives the subtask or the checkpoint that it was made for, however these end. */
@Tag("cluster")
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class RestartTest {
    private static final long NOON = Streams.BEGIN;

    @TempDir
    Path folder;

    private static Deduplicate<Event> asked() {
        return Deduplicate.<Event>within(Duration.ofMinutes(1)).keyLong(event -> event.id).eventTime();
    }

    @Test
    void restartsLeaveNoFilterBehind() throws Exception {
        restart(100);
    }

    @Test
    @Tag("long")
    void aThousandRestartsLeaveNoFilterBehind() throws Exception {
        restart(1000);
    }

    private static void restart(int times) throws Exception {
        long before = LiveFilters.count();
        OperatorSubtaskState state;
        try (Subtask subtask = Subtask.alone(asked())) {
            for (int id = 0; id < 1000; id++) {
                subtask.passes(id, NOON);
            }
            state = subtask.snapshot();
            assertEquals(Subtask.GROUPS, LiveFilters.count() - before, "the copies for the checkpoint are gone");
        }
        for (int restart = 0; restart < times; restart++) {
            try (Subtask subtask = Subtask.alone(asked(), state)) {
                subtask.passes(2000 + restart, NOON + restart);
                state = subtask.snapshot();
            }
        }
        assertEquals(before, LiveFilters.count());
    }

    @Test
    void aCheckpointThatIsCancelledOrFailsGivesItsCopiesBack() throws Exception {
        long before = LiveFilters.count();
        try (Subtask subtask = Subtask.alone(asked())) {
            for (int id = 0; id < 1000; id++) {
                subtask.passes(id, NOON);
            }
            futures(subtask, 1 << 30).cancel();
            assertEquals(Subtask.GROUPS, LiveFilters.count() - before, "cancelled before it began");
            OperatorSnapshotFutures tooSmall = futures(subtask, 100);
            assertThrows(ExecutionException.class, () -> FutureUtils.runIfNotDoneAndGet(tooSmall.getKeyedStateRawFuture()));
            assertEquals(Subtask.GROUPS, LiveFilters.count() - before, "failed while it was written");
        }
        assertEquals(before, LiveFilters.count());
    }

    private static OperatorSnapshotFutures futures(Subtask subtask, int most) throws Exception {
        return subtask.operator.snapshotState(1, 1, CheckpointOptions.forCheckpointWithDefaultLocation(),
            new MemCheckpointStreamFactory(most));
    }

    @Test
    void aRestoreThatFailsGivesBackWhatItHad() throws Exception {
        long before = LiveFilters.count();
        OperatorSubtaskState state;
        try (Subtask subtask = Subtask.alone(asked())) {
            for (int id = 0; id < 100_000; id++) {
                subtask.passes(id, NOON);
            }
            state = subtask.snapshot();
        }
        assertThrows(StateException.class, () -> Subtask.alone(asked().memoryPerSubtask(Subtask.GROUPS * 1024), state));
        assertEquals(before, LiveFilters.count());
    }

    @Test
    void jobsThatFailAndAreCancelledLeaveNoFilterBehind() throws Exception {
        jobs(15);
    }

    @Test
    @Tag("long")
    void jobsThatFailAThousandTimesLeaveNoFilterBehind() throws Exception {
        jobs(1000);
    }

    private void jobs(int failures) throws Exception {
        long before = LiveFilters.count();
        try (Cluster cluster = new Cluster(folder, 8)) {
            Numbers.fail(failures, 10);
            Committed.clear();
            JobClient job = cluster.start(Cluster.Way.of("hashmap", false), new Numbers(Long.MAX_VALUE, 20),
                Long.MAX_VALUE - 1, new Committed(0));
            // After its last failure the job has no filters for a moment.
            while (Numbers.FAILURES.get() > 0 || Committed.ids().length == 0 || LiveFilters.count() <= before) {
                Thread.sleep(20);
            }
            job.cancel().get();
            while (!job.getJobStatus().get().isGloballyTerminalState()) {
                Thread.sleep(20);
            }
            assertEquals(before, LiveFilters.count());
        }
    }
}
