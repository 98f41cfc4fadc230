package dev.lately.flink;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.RichFilterFunction;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
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

/**
 * As many keys as a large job has, on two subtasks, with checkpoints and a failure, and then on three: {@code -Dlately.keys=100000000}.
 */
@Tag("cluster")
@Tag("long")
@Timeout(value = 2, unit = TimeUnit.HOURS)
class ManyKeysTest {
    private static final long KEYS = Long.getLong("lately.keys");
    private static final double RATE = 1e-3;
    private static final int BEFORE = 2;
    private static final int AFTER = 3;
    /** A cell is 3 bytes; a line with 0.86 of its 21 cells in use has 3 that say which, and an eighth of its phase; heads are the rest. */
    private static final double MOST_BITS_OF_A_KEY = 8 * (3 + 3.125 / (0.86 * 21)) + 0.1;

    /** How many records passed in each subtask. */
    private static final AtomicLongArray PASSED = new AtomicLongArray(AFTER);
    private static final AtomicBoolean FAILED = new AtomicBoolean();

    @TempDir
    Path folder;

    /** Two sources send each key once: of the two records one passes, whichever comes first. */
    @Test
    void ofEachKeyOneRecordPassesThroughCheckpointsAFailureAndARescaling() throws Exception {
        FAILED.set(false);
        try (Cluster cluster = new Cluster(folder, 4, "4 gb")) {
            JobClient first = start(cluster, way(BEFORE));
            while (!FAILED.get() || passed() < KEYS * 2 / 3) {
                Thread.sleep(20);
            }
            String savepoint = first.stopWithSavepoint(false, cluster.folder(), SavepointFormatType.CANONICAL).get();
            assertTrue(FAILED.get() && passed() < KEYS, "it failed, continued, and has not ended: " + passed());
            report(cluster, first, "before");
            JobClient second = start(cluster, way(AFTER).from(savepoint));
            second.getJobExecutionResult().get();
            assertTrue(PASSED.get(AFTER - 1) > 0, "the last subtask had records, too");
            double bits = report(cluster, second, "after");
            assertTrue(passed() <= KEYS, "repeats passed: " + (passed() - KEYS));
            assertTrue(passed() >= KEYS * (1 - RATE), "held back: " + (KEYS - passed()));
            assertTrue(bits > 0 && bits <= MOST_BITS_OF_A_KEY, "bits of a key in a checkpoint: " + bits);
        }
    }

    private static Cluster.Way way(int parallelism) {
        return Cluster.Way.of("hashmap", false).parallelism(parallelism).set("execution.checkpointing.interval", "5 s");
    }

    private static JobClient start(Cluster cluster, Cluster.Way way) throws Exception {
        for (int subtask = 0; subtask < AFTER; subtask++) {
            PASSED.set(subtask, 0);
        }
        StreamExecutionEnvironment environment = cluster.environment(way);
        environment.getConfig().enableObjectReuse();
        long keys = KEYS;
        Deduplicate.<Long>within(Duration.ofDays(1)).keyLong(number -> number % keys).errorRate(RATE).processingTime()
            .on(environment.fromSource(new NumberSequenceSource(0, 2 * KEYS - 1), WatermarkStrategy.noWatermarks(), "numbers").uid("numbers"))
            .filter(new Passed()).uid("passed").sinkTo(new DiscardingSink<>());
        return environment.executeAsync("many keys");
    }

    private static long passed() {
        return LongStream.range(0, AFTER).map(subtask -> PASSED.get((int) subtask)).sum();
    }

    /** Says what its checkpoints were, and returns the bits of a key in the largest. */
    private static double report(Cluster cluster, JobClient job, String when) throws Exception {
        long[] sizes = cluster.mini().getExecutionGraph(job.getJobID()).get().getCheckpointStatsSnapshot().getHistory().getCheckpoints()
            .stream().filter(one -> one.getStatus() == CheckpointStatsStatus.COMPLETED)
            .mapToLong(AbstractCheckpointStats::getCheckpointedSize).toArray();
        long largest = LongStream.of(sizes).max().orElse(0);
        double bits = largest * 8.0 / passed();
        System.out.printf("%d keys, %s: %d passed, %d checkpoints are known, the largest %.1f MB, %.2f bits a key%n",
            KEYS, when, passed(), sizes.length, largest / 1e6, bits);
        return bits;
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
            if (count % 1024 == 0) {
                tell();
            }
            if (count > KEYS / 4 && saved && FAILED.compareAndSet(false, true)) {
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
            tell();
        }

        private void tell() {
            PASSED.set(getRuntimeContext().getTaskInfo().getIndexOfThisSubtask(), count);
        }
    }
}
