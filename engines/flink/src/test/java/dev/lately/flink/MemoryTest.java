package dev.lately.flink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.flink.core.execution.JobClient;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Metric;
import org.apache.flink.util.ExceptionUtils;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** What the filters of a subtask may take of the memory that Flink knows of. */
@Tag("cluster")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class MemoryTest {
    private static final long MIB = 1 << 20;

    @TempDir
    Path folder;

    /** A task manager has two slots and 100 MiB: half of 50 MiB is for the filters of a subtask. */
    @Test
    void halfOfTheManagedMemoryIsForTheFilters() throws Exception {
        assertEquals(25 * MIB, memoryBytes(Cluster.asked()));
        assertEquals(7 * MIB, memoryBytes(Cluster.asked().memoryPerSubtask(7 * MIB)), "it is said");
        assertEquals(0, memoryBytes(Cluster.asked().memoryPerSubtask(0)), "no limit");
    }

    private long memoryBytes(Deduplicate<Event> asked) throws Exception {
        Committed.clear();
        try (Cluster cluster = new Cluster(folder, 4, "100 mb")) {
            JobClient job = cluster.start(Cluster.Way.of("hashmap", false), new Numbers(1000, 0), Long.MAX_VALUE - 1,
                new Committed(0), asked);
            while (Committed.ids().length == 0) {
                Thread.sleep(20);
            }
            Map<String, Metric> metrics = cluster.reporter.findMetrics(job.getJobID(), "lately.memoryLimitBytes");
            assertEquals(2, metrics.size(), metrics.toString());
            job.cancel().get();
            return (Long) ((Gauge<?>) metrics.values().iterator().next()).getValue();
        }
    }

    @Test
    void tooLittleManagedMemoryFailsTheJobWithWhatIsMissing() throws Exception {
        try (Cluster cluster = new Cluster(folder, 4, "0")) {
            JobClient job = cluster.start(Cluster.Way.of("hashmap", false), new Numbers(1000, 0), Long.MAX_VALUE - 1,
                new Committed(0));
            ExecutionException e = assertThrows(ExecutionException.class, () -> job.getJobExecutionResult().get());
            String text = ExceptionUtils.stringifyException(e);
            assertTrue(text.contains("managed memory = 0 bytes: must be at least 131072 bytes, which is 2 KiB for each of the 64 key groups"),
                text);
        }
    }

    /** More keys than there is room for: what the subtask takes stays below what Flink gave, copies for checkpoints with it. */
    @Test
    void aJobWithoutAWordOnMemoryStaysWithinItsShare() throws Exception {
        Committed.clear();
        try (Cluster cluster = new Cluster(folder, 4, "2 mb")) {
            JobClient job = cluster.start(Cluster.Way.of("hashmap", false), new Numbers(1_000_000, 0), Long.MAX_VALUE - 1,
                new Committed(0));
            Map<String, Metric> metrics = Map.of();
            while (metrics.isEmpty() || largest(metrics, "forgotten") == 0) {
                Thread.sleep(20);
                metrics = cluster.reporter.findMetrics(job.getJobID(), "lately");
                assertTrue(metrics.isEmpty() || largest(metrics, "memoryBytes") <= MIB / 2, "bytes");
            }
            assertEquals(MIB / 2, largest(metrics, "memoryLimitBytes"));
            job.cancel().get();
        }
    }

    private static long largest(Map<String, Metric> metrics, String name) {
        return metrics.entrySet().stream().filter(one -> one.getKey().endsWith("lately." + name))
            .mapToLong(one -> (Long) ((Gauge<?>) one.getValue()).getValue()).max().orElse(0);
    }
}
