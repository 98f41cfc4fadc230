package dev.lately.flink;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Metric;
import org.apache.flink.runtime.executiongraph.AccessExecutionVertex;
import org.apache.flink.util.ExceptionUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/** Jobs that fail and continue: what they commit is what a job without failures commits. */
@Tag("cluster")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class FailureTest {
    @TempDir
    Path folder;

    private Cluster cluster;

    @BeforeEach
    void start() throws Exception {
        cluster = new Cluster(folder, 8);
    }

    @AfterEach
    void stop() {
        Numbers.fail(0);
        cluster.close();
    }

    @Test
    void everyRecordIsCommittedOnceThroughTenFailures() throws Exception {
        run(Cluster.Way.of("hashmap", false), 10, true, 0);
    }

    @Test
    void everyRecordIsCommittedOnceUnderBackpressureWithUnalignedCheckpoints() throws Exception {
        run(Cluster.Way.of("rocksdb", true), 5, false, 20);
    }

    @Test
    @Tag("long")
    void everyRecordIsCommittedOnceInEveryWay() throws Exception {
        for (String backend : new String[] {"hashmap", "rocksdb"}) {
            for (boolean unaligned : new boolean[] {false, true}) {
                run(Cluster.Way.of(backend, unaligned), 20, true, 0);
                run(Cluster.Way.of(backend, unaligned), 20, true, 20);
            }
        }
    }

    private void run(Cluster.Way way, int failures, boolean kill, int slow) throws Exception {
        Committed.clear();
        long count = failures * 10_000L + 50_000;
        Numbers.fail(failures);
        JobClient job = cluster.start(way.parallelism(2), new Numbers(count, 40), count - 1, new Committed(slow));
        if (kill) {
            while (Numbers.FAILURES.get() > failures / 2) {
                Thread.sleep(10);
            }
            cluster.mini().terminateTaskManager(0).get();
            cluster.mini().startTaskManager();
        }
        job.getJobExecutionResult().get();
        assertTrue(Numbers.FAILURES.get() <= 0, "failures left: " + Numbers.FAILURES.get());
        assertArrayEquals(LongStream.range(0, count).map(Numbers::id).distinct().sorted().toArray(), Committed.ids());
    }

    /** A setting that cannot work, and a state of another window: neither is mended by a restart. */
    @Test
    void errorsThatNoRestartMendsFailTheJobTheFirstTime() throws Exception {
        Committed.clear();
        assertFailsTheFirstTime(Cluster.asked().memoryPerSubtask(1), Cluster.Way.of("hashmap", false),
            "memoryPerSubtask = 1 bytes: must be 0");
        JobClient job = cluster.start(Cluster.Way.of("hashmap", false), new Numbers(1000, 0), Long.MAX_VALUE - 1, new Committed(0));
        while (Committed.ids().length == 0) {
            Thread.sleep(20);
        }
        String savepoint = job.stopWithSavepoint(false, cluster.folder(), SavepointFormatType.CANONICAL).get();
        assertFailsTheFirstTime(Cluster.asked().keepFirst(), Cluster.Way.of("hashmap", false).from(savepoint),
            "Keep not keepFirst()");
    }

    private void assertFailsTheFirstTime(Deduplicate<Event> asked, Cluster.Way way, String text) throws Exception {
        JobClient job = cluster.start(way, new Numbers(1000, 0), Long.MAX_VALUE - 1, new Committed(0), asked);
        ExecutionException e = assertThrows(ExecutionException.class, () -> job.getJobExecutionResult().get());
        assertTrue(ExceptionUtils.stringifyException(e).contains(text), ExceptionUtils.stringifyException(e));
        for (AccessExecutionVertex subtask : cluster.mini().getExecutionGraph(job.getJobID()).get().getAllExecutionVertices()) {
            assertEquals(0, subtask.getCurrentExecutionAttempt().getAttemptNumber(), "restarts");
        }
    }

    @Test
    void metricsAreThereWhereFlinkShowsThem() throws Exception {
        Committed.clear();
        long count = 10_000;
        long expected = LongStream.range(0, count).map(Numbers::id).distinct().count();
        JobClient job = cluster.start(Cluster.Way.of("hashmap", false).parallelism(1), new Numbers(count, 0),
            Long.MAX_VALUE - 1, new Committed(0));
        while (Committed.ids().length < expected) {
            assertFalse(job.getJobStatus().get().isGloballyTerminalState(), "the job failed");
            Thread.sleep(20);
        }
        Map<String, Metric> metrics = cluster.reporter.findMetrics(job.getJobID(), "lately");
        assertEquals(expected, ((Counter) named(metrics, "new")).getCount());
        assertEquals(count - expected, ((Counter) named(metrics, "duplicates")).getCount());
        assertEquals(0, ((Counter) named(metrics, "tooLateRecords")).getCount());
        assertEquals(0L, gauge(metrics, "refusedTicks"));
        assertTrue((Long) gauge(metrics, "maxLeadMs") >= 0);
        assertEquals(0L, gauge(metrics, "maxLatenessMs"));
        assertTrue((Long) gauge(metrics, "memoryBytes") > 10_000);
        assertEquals(3_600_000L, gauge(metrics, "reachMs"));
        assertEquals(3_600_000L, gauge(metrics, "windowMs"));
        assertTrue((Long) gauge(metrics, "memoryLimitBytes") >= (Long) gauge(metrics, "memoryBytes"));
        assertEquals(1e-11, gauge(metrics, "errorLimitRatio"));
        assertTrue((Double) gauge(metrics, "errorRatio") <= 1e-11);
        assertEquals(0L, gauge(metrics, "forgotten"));
        job.cancel().get();
    }

    private static Object gauge(Map<String, Metric> metrics, String name) {
        return ((Gauge<?>) named(metrics, name)).getValue();
    }

    private static Metric named(Map<String, Metric> metrics, String name) {
        return metrics.entrySet().stream().filter(e -> e.getKey().endsWith("lately." + name)).findFirst()
            .orElseThrow(() -> new AssertionError("no " + name + " among " + metrics.keySet())).getValue();
    }
}
