package dev.lately.flink;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.RichFilterFunction;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.checkpoint.AbstractCheckpointStats;
import org.apache.flink.runtime.checkpoint.CheckpointStatsStatus;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.LongStream;

/** As many keys as a large job has, on two subtasks, with checkpoints and a failure: {@code -Dlately.keys=100000000}. */
@Tag("cluster")
@Tag("long")
@Timeout(value = 2, unit = TimeUnit.HOURS)
class ManyKeysTest {
    private static final long KEYS = Long.getLong("lately.keys");
    private static final double RATE = 1e-3;
    private static final int SUBTASKS = 2;
    private static final int MOST_BITS_OF_A_KEY = 32;

    /** How many records passed in each subtask, when it ended. */
    private static final AtomicLongArray PASSED = new AtomicLongArray(SUBTASKS);
    private static final AtomicBoolean FAILED = new AtomicBoolean();

    @TempDir
    Path folder;

    /** Two sources send each key once: of the two records one passes, whichever comes first. */
    @Test
    void ofEachKeyOneRecordPassesThroughCheckpointsAndAFailure() throws Exception {
        FAILED.set(false);
        try (Cluster cluster = new Cluster(folder, 2 * SUBTASKS, "4 gb")) {
            StreamExecutionEnvironment environment = cluster.environment(Cluster.Way.of("hashmap", false).parallelism(SUBTASKS)
                .set("execution.checkpointing.interval", "5 s"));
            environment.getConfig().enableObjectReuse();
            long keys = KEYS;
            Deduplicate.<Long>within(Duration.ofDays(1)).keyLong(number -> number % keys).errorRate(RATE).processingTime()
                .on(environment.fromSource(new NumberSequenceSource(0, 2 * KEYS - 1), WatermarkStrategy.noWatermarks(), "numbers"))
                .filter(new Passed()).sinkTo(new DiscardingSink<>());
            JobClient job = environment.executeAsync("many keys");
            job.getJobExecutionResult().get();
            assertTrue(FAILED.get(), "it failed, and continued");
            check(cluster, job);
        }
    }

    private static void check(Cluster cluster, JobClient job) throws Exception {
        long passed = PASSED.get(0) + PASSED.get(1);
        long[] sizes = cluster.mini().getExecutionGraph(job.getJobID()).get().getCheckpointStatsSnapshot().getHistory().getCheckpoints()
            .stream().filter(one -> one.getStatus() == CheckpointStatsStatus.COMPLETED)
            .mapToLong(AbstractCheckpointStats::getCheckpointedSize).toArray();
        long largest = LongStream.of(sizes).max().orElse(0);
        System.out.printf("%d keys: %d passed, %d checkpoints are known, the largest %.1f MB%n", KEYS, passed, sizes.length, largest / 1e6);
        assertTrue(passed <= KEYS, "repeats passed: " + (passed - KEYS));
        assertTrue(passed >= KEYS * (1 - RATE), "held back: " + (KEYS - passed));
        assertTrue(sizes.length > 0 && largest * 8 <= KEYS * MOST_BITS_OF_A_KEY, "bytes of a checkpoint: " + largest);
    }

    /** Counts what passes, over failures too, and fails once. */
    private static final class Passed extends RichFilterFunction<Long> implements CheckpointedFunction {
        private static final long serialVersionUID = 1;

        private transient long count;
        /** Whether a checkpoint was taken that has keys. */
        private transient boolean saved;
        private transient ListState<Long> state;

        @Override
        public boolean filter(Long number) {
            count++;
            if (count > KEYS / 3 && saved && FAILED.compareAndSet(false, true)) {
                throw new IllegalStateException("a failure on purpose");
            }
            return false;
        }

        @Override
        public void initializeState(FunctionInitializationContext context) throws Exception {
            state = context.getOperatorStateStore().getListState(new ListStateDescriptor<>("count", Types.LONG));
            for (long before : state.get()) {
                count += before;
            }
        }

        @Override
        public void snapshotState(FunctionSnapshotContext context) throws Exception {
            saved |= count > 0;
            state.clear();
            state.add(count);
        }

        @Override
        public void close() {
            PASSED.set(getRuntimeContext().getTaskInfo().getIndexOfThisSubtask(), count);
        }
    }
}
