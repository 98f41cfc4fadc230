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
import java.util.stream.Stream;

/**
 * One deduplication of distinct ids of 36 characters, measured; a program, so that its memory is its own.
 * Arguments: lately, lately-told, hashmap, rocksdb or none; how many ids; a folder.
 */
final class Measured {
    /** Seconds for which a restored job is waited for. */
    static final int PATIENCE = 120;

    private static final int PARALLELISM = 2;

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
        start("", 100).stop(null);
        double empty = start("", 100).stop(null).startSeconds();
        long others = outsideOfTheHeap();
        long cpu = cpu();
        Job job = start("", count);
        double seconds = job.seconds();
        double cpuMicros = (cpu() - cpu) / 1e3 / count;
        System.gc();
        long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        long outside = store.startsWith("lately") ? Filter.nativeBytes() : outsideOfTheHeap() - others;
        long begin = System.nanoTime();
        String savepoint = job.stop(SavepointFormatType.NATIVE).savepoint;
        double written = (System.nanoTime() - begin) / 1e9;
        double restored = restored(savepoint, empty);
        System.out.printf("FIGURES %s %.0f %d %.3f %d %d %.3f %.2f%n", store, count / seconds, size(Path.of(java.net.URI.create(savepoint))),
            written, heap, outside, restored, cpuMicros);
    }

    /** How long a job takes until its first record came out, beyond one without a state. The end of the process ends it. */
    private double restored(String savepoint, double empty) throws Exception {
        FutureTask<Job> job = new FutureTask<>(() -> start(savepoint, 100));
        new Thread(job).start();
        try {
            return job.get(PATIENCE, TimeUnit.SECONDS).startSeconds() - empty;
        } catch (TimeoutException e) {
            return PATIENCE;
        }
    }

    /** A job under way. */
    private static final class Job {
        private final JobClient client;
        private final long begin;
        private final Path folder;
        private final long end;
        private String savepoint;

        Job(JobClient client, long begin, long expected, Path folder) throws Exception {
            this.client = client;
            this.begin = begin;
            this.folder = folder;
            // A few are held back wrongly, as the error rate allows.
            while (OUT.get() < expected - expected / 500 - 2) {
                Thread.sleep(1);
                if (client.getJobStatus().get().isTerminalState()) {
                    client.getJobExecutionResult().get();
                }
            }
            end = System.nanoTime();
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

    /** A job that lets ids through until `ids` of them came out. One that goes on is shown ids that it has not seen. */
    private Job start(String savepoint, long ids) throws Exception {
        Configuration configuration = new Configuration();
        configuration.setString("state.backend.type", store.equals("rocksdb") ? "rocksdb" : "hashmap");
        configuration.setString("state.backend.rocksdb.memory.managed", "false");
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
        return new Job(environment.executeAsync(store), begin, ids, folder);
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
            seen.update(true);
            return first;
        }
    }

    /** Numbers as ids of 36 characters, `count` of them in all subtasks together; after them nothing, slowly. */
    private static final class Ids extends RichFlatMapFunction<Long, String> {
        private static final long serialVersionUID = 1;

        private static final byte[] DIGITS = "0123456789abcdef".getBytes(StandardCharsets.ISO_8859_1);

        private final long count;
        private transient long left;
        private transient byte[] id;

        Ids(long count) {
            this.count = count;
        }

        @Override
        public void open(OpenContext context) {
            left = count / PARALLELISM;
            id = new byte[36];
        }

        @Override
        public void flatMap(Long number, Collector<String> out) throws InterruptedException {
            if (left == 0) {
                Thread.sleep(1);
                return;
            }
            left--;
            write(number * 0x9E3779B97F4A7C15L, 0, 16);
            id[16] = id[17] = id[18] = id[19] = '-';
            write((number + 1) * 0xC2B2AE3D27D4EB4FL, 20, 16);
            out.collect(new String(id, StandardCharsets.ISO_8859_1));
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
