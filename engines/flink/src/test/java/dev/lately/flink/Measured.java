package dev.lately.flink;

import dev.lately.Filter;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichFilterFunction;
import org.apache.flink.api.common.functions.RichFlatMapFunction;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.checkpoint.AbstractCheckpointStats;
import org.apache.flink.runtime.checkpoint.CheckpointStatsStatus;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.util.TestStreamEnvironment;
import org.apache.flink.test.util.MiniClusterWithClientResource;
import org.apache.flink.util.Collector;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * One deduplication of ids of 36 characters, a quarter of them repeats, measured; a program, so that its memory is its own. Arguments:
 * lately, lately-told, hashmap, rocksdb or none (the job alone); how many records; a folder.
 */
final class Measured {
    /** Seconds for which a restored job is waited for. */
    static final int PATIENCE = 60;

    private static final int PARALLELISM = 2;

    /** Checkpoints of a run, each after as many records, so that each store writes as many. */
    private static final int CHECKPOINTS = 8;

    /** Of this number of records one repeats one of the last million. */
    private static final int REPEATS = 4;
    private static final long BACK = 250_000;

    /** Records of a job that only begins and ends. */
    private static final int FEW = 100;

    /** Records that came out, and when the first did. */
    private static final AtomicLong OUT = new AtomicLong();
    private static final AtomicLong FIRST = new AtomicLong();

    private final String store;
    private final long count;
    private final Path folder;
    private final MiniClusterWithClientResource cluster;

    private Measured(String store, long count, Path folder) throws Exception {
        this.store = store;
        this.count = count;
        this.folder = folder;
        Configuration configuration = new Configuration();
        configuration.setString("taskmanager.memory.managed.size", "2 gb");
        configuration.setString("web.checkpoints.history", "1000");
        this.cluster = new MiniClusterWithClientResource(new MiniClusterResourceConfiguration.Builder()
            .setNumberTaskManagers(1).setNumberSlotsPerTaskManager(PARALLELISM).setConfiguration(configuration).build());
        cluster.before();
    }

    public static void main(String[] arguments) throws Exception {
        Measured measured = new Measured(arguments[0], Long.parseLong(arguments[1]), Path.of(arguments[2]));
        measured.run();
        System.exit(0);
    }

    private void run() throws Exception {
        start("", FEW).stop(null);
        double empty = start("", FEW).stop(null).startSeconds();
        long others = outsideOfTheHeap();
        long cpu = cpu();
        Pauses pauses = new Pauses();
        Job job = start("", count);
        double cpuMicros = (cpu() - cpu) / 1e3 / count;
        double pause = pauses.longestMillis();
        long[] checkpoints = checkpoints(job);
        double seconds = job.seconds();
        System.gc();
        long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        long outside = store.startsWith("lately") ? Filter.nativeBytes() : outsideOfTheHeap() - others;
        long begin = System.nanoTime();
        String savepoint = job.stop(SavepointFormatType.NATIVE).savepoint;
        double written = (System.nanoTime() - begin) / 1e9;
        double restored = restored(savepoint, empty);
        System.out.printf("FIGURES %s %.0f %d %.3f %d %d %.3f %.2f %d %d %d %.0f%n", store, count / seconds,
            size(Path.of(java.net.URI.create(savepoint))), written, heap, outside, restored, cpuMicros, checkpoints[0], checkpoints[1],
            checkpoints[2], pause);
    }

    /** How many checkpoints are complete, the bytes that they wrote in all, and those of the one that wrote the most. */
    private long[] checkpoints(Job job) throws Exception {
        long[] sizes = cluster.getMiniCluster().getExecutionGraph(job.client.getJobID()).get().getCheckpointStatsSnapshot().getHistory()
            .getCheckpoints().stream().filter(one -> one.getStatus() == CheckpointStatsStatus.COMPLETED)
            .mapToLong(AbstractCheckpointStats::getCheckpointedSize).toArray();
        return new long[] {sizes.length, LongStream.of(sizes).sum(), LongStream.of(sizes).max().orElse(0)};
    }

    /** Looks every millisecond whether a record came out, once the first did. */
    private static final class Pauses {
        private final Thread thread = new Thread(this::watch);
        private volatile long longest;

        Pauses() {
            thread.setDaemon(true);
            thread.start();
        }

        private void watch() {
            long seen = OUT.get();
            long since = System.nanoTime();
            while (!Thread.currentThread().isInterrupted()) {
                LockSupport.parkNanos(1_000_000);
                long now = System.nanoTime();
                if (OUT.get() != seen || seen == 0) {
                    seen = OUT.get();
                    since = now;
                }
                longest = Math.max(longest, now - since);
            }
        }

        double longestMillis() {
            thread.interrupt();
            return longest / 1e6;
        }
    }

    /** How long a job takes until its first record came out, beyond one without a state. The end of the process ends it. */
    private double restored(String savepoint, double empty) throws Exception {
        FutureTask<Job> job = new FutureTask<>(() -> start(savepoint, FEW));
        new Thread(job).start();
        try {
            return job.get(PATIENCE, TimeUnit.SECONDS).startSeconds() - empty;
        } catch (TimeoutException e) {
            return PATIENCE;
        }
    }

    /** A job under way. */
    private static final class Job {
        private final MiniCluster cluster;
        private final JobClient client;
        private final long begin;
        private final Path folder;
        private final long end;
        private String savepoint;

        Job(MiniCluster cluster, JobClient client, long begin, long records, Path folder) throws Exception {
            this.cluster = cluster;
            this.client = client;
            this.begin = begin;
            this.folder = folder;
            // A few are held back wrongly, as the error rate allows.
            long expected = records - records / REPEATS;
            for (int checkpoint = 1; checkpoint <= CHECKPOINTS && records > FEW; checkpoint++) {
                await(expected * checkpoint / (CHECKPOINTS + 1));
                cluster.triggerCheckpoint(client.getJobID()).get();
            }
            await(expected - expected / 500 - 5);
            end = System.nanoTime();
        }

        private void await(long count) throws Exception {
            while (OUT.get() < count) {
                Thread.sleep(1);
                if (client.getJobStatus().get().isTerminalState()) {
                    client.getJobExecutionResult().get();
                }
            }
        }

        double seconds() {
            return (end - FIRST.get()) / 1e9;
        }

        double startSeconds() {
            return (FIRST.get() - begin) / 1e9;
        }

        Job stop(SavepointFormatType format) throws Exception {
            if (format == null) {
                client.cancel().get();
            } else {
                savepoint = client.stopWithSavepoint(false, folder.resolve("savepoints").toUri().toString(), format).get();
            }
            while (!client.getJobStatus().get().isTerminalState()) {
                Thread.sleep(5);
            }
            return this;
        }
    }

    /** A job that reads a number of records. One that continues is shown ids that it has not seen. */
    private Job start(String savepoint, long ids) throws Exception {
        Configuration configuration = new Configuration();
        configuration.setString("state.backend.type", store.equals("rocksdb") ? "rocksdb" : "hashmap");
        if (store.equals("rocksdb")) {
            tune(configuration);
        }
        configuration.setString("execution.checkpointing.interval", "10 h");
        configuration.setString("execution.checkpointing.dir", folder.resolve("checkpoints").toUri().toString());
        if (!savepoint.isEmpty()) {
            configuration.setString("execution.state-recovery.path", savepoint);
            configuration.setString("execution.state-recovery.ignore-unclaimed-state", "true");
        }
        StreamExecutionEnvironment environment = new TestStreamEnvironment(cluster.getMiniCluster(), configuration, PARALLELISM,
            Collections.emptyList(), Collections.emptyList());
        environment.getConfig().enableObjectReuse();
        long from = savepoint.isEmpty() ? 0 : count;
        DataStream<String> all = environment
            .fromSource(new NumberSequenceSource(from, Long.MAX_VALUE - 1), WatermarkStrategy.noWatermarks(), "numbers")
            .uid("numbers " + System.nanoTime()).flatMap(new Ids(ids)).returns(Types.STRING);
        OUT.set(0);
        FIRST.set(0);
        once(all).filter(new Counted()).sinkTo(new DiscardingSink<>());
        long begin = System.nanoTime();
        return new Job(cluster.getMiniCluster(), environment.executeAsync(store), begin, ids, folder);
    }

    /** What guides to Flink advise for many small values: managed memory, Bloom filters, an index in parts, checkpoints of what is new. */
    private static void tune(Configuration configuration) {
        configuration.setString("state.backend.rocksdb.memory.managed", "true");
        configuration.setString("state.backend.rocksdb.use-bloom-filter", "true");
        configuration.setString("state.backend.rocksdb.memory.partitioned-index-filters", "true");
        configuration.setString("state.backend.rocksdb.predefined-options", "SPINNING_DISK_OPTIMIZED_HIGH_MEM");
        configuration.setString("execution.checkpointing.incremental", "true");
    }

    private DataStream<String> once(DataStream<String> all) {
        if (store.startsWith("lately")) {
            Deduplicate<String> asked = Deduplicate.<String>within(Duration.ofHours(24)).errorRate(1e-3).processingTime();
            asked = store.equals("lately-told") ? asked.expectedKeys(count) : asked;
            return asked.key(id -> id.getBytes(StandardCharsets.ISO_8859_1)).uid("once").on(all);
        }
        if (store.equals("none")) {
            return all.keyBy(id -> id).filter(id -> true).uid("once");
        }
        return all.keyBy(id -> id).filter(new FirstSeen()).uid("once");
    }

    /** What a job does without us: a state for each key, which expires. */
    private static final class FirstSeen extends RichFilterFunction<String> {
        private static final long serialVersionUID = 1;

        private transient ValueState<Boolean> seen;

        @Override
        public void open(OpenContext context) {
            ValueStateDescriptor<Boolean> descriptor = new ValueStateDescriptor<>("seen", Types.BOOLEAN);
            descriptor.enableTimeToLive(StateTtlConfig.newBuilder(Duration.ofHours(24)).build());
            seen = getRuntimeContext().getState(descriptor);
        }

        @Override
        public boolean filter(String id) throws IOException {
            boolean first = seen.value() == null;
            if (first) {
                seen.update(true);
            }
            return first;
        }
    }

    /**
     * Numbers as ids of 36 characters, `count` of them in all subtasks together; after them nothing, slowly. The last of each four is
     * replaced by the first of an earlier four, which this subtask sent.
     */
    private static final class Ids extends RichFlatMapFunction<Long, String> {
        private static final long serialVersionUID = 1;

        private static final byte[] DIGITS = "0123456789abcdef".getBytes(StandardCharsets.ISO_8859_1);

        private final long count;
        private transient long left;
        private transient long first;
        private transient byte[] id;

        Ids(long count) {
            this.count = count;
        }

        @Override
        public void open(OpenContext context) {
            left = count / PARALLELISM;
            first = -1;
            id = new byte[36];
        }

        @Override
        public void flatMap(Long number, Collector<String> out) throws InterruptedException {
            if (left == 0) {
                Thread.sleep(1);
                return;
            }
            left--;
            first = first < 0 ? number : first;
            long shown = number % REPEATS == REPEATS - 1 ? earlier(number) : number;
            write(shown * 0x9E3779B97F4A7C15L, 0, 16);
            id[16] = id[17] = id[18] = id[19] = '-';
            write((shown + 1) * 0xC2B2AE3D27D4EB4FL, 20, 16);
            out.collect(new String(id, StandardCharsets.ISO_8859_1));
        }

        private long earlier(long number) {
            long fours = Math.min(BACK, (number - first) / REPEATS);
            long back = fours == 0 ? 0 : (number * 0x9E3779B97F4A7C15L >>> 1) % fours;
            return number - (REPEATS - 1) - REPEATS * back;
        }

        private void write(long word, int at, int digits) {
            for (int i = 0; i < digits; i++) {
                id[at + i] = DIGITS[(int) (word >>> 4 * i) & 15];
            }
        }
    }

    private static final class Counted extends RichFilterFunction<String> {
        private static final long serialVersionUID = 1;

        @Override
        public boolean filter(String id) {
            if (OUT.getAndIncrement() == 0) {
                FIRST.set(System.nanoTime());
            }
            return false;
        }
    }

    /** Nanoseconds that all threads of this process have worked: the same on a busy machine, where time is not. */
    private static long cpu() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    /** Resident bytes that are not the heap's, all of which the JVM touches when it starts. */
    private static long outsideOfTheHeap() throws IOException {
        String pages = Files.readString(Path.of("/proc/self/statm")).split(" ")[1];
        return Long.parseLong(pages) * 4096 - ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getCommitted();
    }

    private static long size(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
        }
    }
}
