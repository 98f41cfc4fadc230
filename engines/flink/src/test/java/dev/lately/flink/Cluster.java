package dev.lately.flink;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.testutils.InMemoryReporter;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.util.TestStreamEnvironment;
import org.apache.flink.test.util.MiniClusterWithClientResource;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;

/** A cluster in this process, and the job that all its tests run. */
final class Cluster implements AutoCloseable {
    private static final int TASK_MANAGERS = 2;

    private final Path folder;
    final InMemoryReporter reporter = InMemoryReporter.create();
    private final MiniClusterWithClientResource cluster;

    Cluster(Path folder, int slots) throws Exception {
        this(folder, slots, "1 gb");
    }

    /** One whose task managers have this much managed memory each. */
    Cluster(Path folder, int slots, String managed) throws Exception {
        this.folder = folder;
        Configuration configuration = new Configuration();
        reporter.addToConfiguration(configuration);
        // A task manager that is gone refuses two heartbeats, and is noticed by that; one that a busy machine starves is only late.
        configuration.setString("heartbeat.interval", "1 s");
        configuration.setString("heartbeat.timeout", "60 s");
        configuration.setString("taskmanager.memory.managed.size", managed);
        cluster = new MiniClusterWithClientResource(new MiniClusterResourceConfiguration.Builder()
            .setNumberTaskManagers(TASK_MANAGERS).setNumberSlotsPerTaskManager(slots / TASK_MANAGERS)
            .setConfiguration(configuration).build());
        cluster.before();
    }

    MiniCluster mini() {
        return cluster.getMiniCluster();
    }

    /** What a job is to be run with. */
    static final class Way {
        final Configuration configuration = new Configuration();
        int parallelism = 2;

        /** Many restarts, but not without end: a job that cannot start must fail its test. */
        static Way of(String backend, boolean unaligned) {
            return new Way().set("state.backend.type", backend)
                .set("state.backend.rocksdb.memory.managed", "false")
                .set("execution.checkpointing.unaligned.enabled", Boolean.toString(unaligned))
                .set("execution.checkpointing.interval", "200 ms")
                .set("restart-strategy.type", "fixed-delay")
                .set("restart-strategy.fixed-delay.attempts", "2000")
                .set("restart-strategy.fixed-delay.delay", "0 ms");
        }

        Way set(String name, String value) {
            configuration.setString(name, value);
            return this;
        }

        Way from(String savepoint) {
            return set("execution.state-recovery.path", savepoint)
                .set("execution.state-recovery.ignore-unclaimed-state", "true");
        }

        Way parallelism(int of) {
            parallelism = of;
            return this;
        }
    }

    StreamExecutionEnvironment environment(Way way) {
        way.set("execution.checkpointing.dir", folder.resolve("checkpoints").toUri().toString());
        StreamExecutionEnvironment environment = new TestStreamEnvironment(mini(), way.configuration, way.parallelism,
            Collections.emptyList(), Collections.emptyList());
        environment.setMaxParallelism(Subtask.GROUPS);
        return environment;
    }

    /** What the jobs ask for: nothing leaves the window, and hardly anything is held back wrongly. */
    static Deduplicate<Event> asked() {
        return Deduplicate.<Event>within(Duration.ofHours(1)).keyString(Event::text).errorRate(1e-11).eventTime();
    }

    /** Jobs so far. Nothing but the state of the operator goes from one to the next: all else has a name of its own. */
    private int jobs;

    /** Numbers from 0 to `last` as events, deduplicated, into the transactional sink. */
    JobClient start(Way way, Numbers numbers, long last, Committed sink) throws Exception {
        return start(way, numbers, last, sink, asked());
    }

    JobClient start(Way way, Numbers numbers, long last, Committed sink, Deduplicate<Event> asked) throws Exception {
        StreamExecutionEnvironment environment = environment(way);
        jobs++;
        DataStream<Event> events = environment
            .fromSource(new NumberSequenceSource(0, last), WatermarkStrategy.noWatermarks(), "numbers")
            .uid("numbers " + jobs).setParallelism(1).flatMap(numbers).setParallelism(1).returns(Event.class)
            .assignTimestampsAndWatermarks(WatermarkStrategy.<Event>forBoundedOutOfOrderness(Duration.ofSeconds(1))
                .withTimestampAssigner((event, before) -> event.time)).setParallelism(1);
        asked.on(events).setParallelism(way.parallelism)
            .process(sink).uid("sink " + jobs).setParallelism(way.parallelism).sinkTo(new DiscardingSink<>()).setParallelism(way.parallelism);
        return environment.executeAsync("deduplicate");
    }

    String folder() {
        return folder.resolve("savepoints").toUri().toString();
    }

    @Override
    public void close() {
        cluster.after();
    }
}
