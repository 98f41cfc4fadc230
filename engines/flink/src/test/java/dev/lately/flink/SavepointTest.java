package dev.lately.flink;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/** Jobs that are stopped with a savepoint at parallelism 2, and continue at another. */
@Tag("cluster")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class SavepointTest {
    private static final long BEFORE = 20_000;
    private static final long IN_ALL = 40_000;

    @TempDir
    Path folder;

    private Cluster cluster;

    @BeforeEach
    void start() throws Exception {
        // All key groups fit into one subtask, which is one slot of 64.
        cluster = new Cluster(folder, Subtask.GROUPS, "4 gb");
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    @Test
    void aJobGoesOnAtAnyParallelismFromBothFormats() throws Exception {
        rescale("hashmap", SavepointFormatType.CANONICAL, false, 1, 4);
        rescale("rocksdb", SavepointFormatType.NATIVE, true, 3);
    }

    @Test
    @Tag("long")
    void aJobGoesOnAtEveryParallelismWithEveryBackendInBothFormats() throws Exception {
        for (String backend : new String[] {"hashmap", "rocksdb"}) {
            for (SavepointFormatType format : SavepointFormatType.values()) {
                rescale(backend, format, false, 1, 3, 4, Subtask.GROUPS);
                rescale(backend, format, true, 1, 3, 4, Subtask.GROUPS);
            }
        }
    }

    /** Stops a job that saw the first numbers; jobs that see all of them from the beginning pass the others only. */
    private void rescale(String backend, SavepointFormatType format, boolean unaligned, int... parallelisms) throws Exception {
        Committed.clear();
        JobClient first = cluster.start(Cluster.Way.of(backend, unaligned), new Numbers(BEFORE, 0), Long.MAX_VALUE - 1,
            new Committed(0));
        long[] expected = ids(0, BEFORE);
        while (Committed.ids().length < expected.length) {
            Thread.sleep(20);
        }
        String savepoint = first.stopWithSavepoint(false, cluster.folder(), format).get();
        assertArrayEquals(expected, Committed.ids());
        for (int parallelism : parallelisms) {
            Committed.clear();
            cluster.start(Cluster.Way.of(backend, unaligned).parallelism(parallelism).from(savepoint),
                new Numbers(IN_ALL, 0), IN_ALL - 1, new Committed(0)).getJobExecutionResult().get();
            assertArrayEquals(ids(BEFORE, IN_ALL), Committed.ids(), backend + ", " + format + ", at " + parallelism);
        }
    }

    /** The ids of the numbers up to `to` that those up to `from` have not. */
    private static long[] ids(long from, long to) {
        java.util.Set<Long> before = new java.util.HashSet<>();
        LongStream.range(0, from).map(Numbers::id).forEach(before::add);
        return LongStream.range(from, to).map(Numbers::id).filter(id -> !before.contains(id)).distinct().sorted().toArray();
    }
}
