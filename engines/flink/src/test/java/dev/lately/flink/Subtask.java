package dev.lately.flink;

import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.memory.MemCheckpointStreamFactory;
import org.apache.flink.streaming.api.operators.OperatorSnapshotFutures;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.util.OutputTag;
import org.apache.flink.util.concurrent.FutureUtils;

import java.util.Queue;

/** One subtask of the operator, without a cluster around it: Flink's harness, and what these tests ask it. */
final class Subtask implements AutoCloseable {
    static final int GROUPS = 128;

    final DeduplicateOperator<Event> operator;
    final KeyedOneInputStreamOperatorTestHarness<Integer, Event, Event> harness;

    /** One of several subtasks, not yet begun. */
    Subtask(Deduplicate<Event> asked, int parallelism, int index) throws Exception {
        operator = asked.operator();
        harness = new KeyedOneInputStreamOperatorTestHarness<>(operator, asked.keySelector(), Types.INT, GROUPS, parallelism,
            index);
    }

    /** The only one, running. */
    static Subtask alone(Deduplicate<Event> asked) throws Exception {
        return new Subtask(asked, 1, 0).open();
    }

    /** The only one, running on with the state of another. */
    static Subtask alone(Deduplicate<Event> asked, OperatorSubtaskState state) throws Exception {
        return new Subtask(asked, 1, 0).open(state);
    }

    Subtask open() throws Exception {
        harness.open();
        return this;
    }

    Subtask open(OperatorSubtaskState state) throws Exception {
        try {
            harness.initializeState(state);
            harness.open();
        } catch (Exception | Error e) {
            close();
            throw e;
        }
        return this;
    }

    /** Of a state of `before` subtasks, what subtask `index` of `after` gets. */
    static OperatorSubtaskState part(OperatorSubtaskState all, int before, int after, int index) {
        return AbstractStreamOperatorTestHarness.repartitionOperatorState(all, GROUPS, before, after, index);
    }

    /** Sends a record; whether it passed. */
    boolean passes(Event event) throws Exception {
        harness.processElement(new StreamRecord<>(event, event.time));
        return drained();
    }

    boolean passes(long id, long time) throws Exception {
        return passes(new Event(id, time));
    }

    private boolean drained() {
        boolean passed = false;
        for (Object sent = harness.getOutput().poll(); sent != null; sent = harness.getOutput().poll()) {
            passed |= sent instanceof StreamRecord;
        }
        return passed;
    }

    void watermark(long time) throws Exception {
        harness.processWatermark(new Watermark(time));
    }

    /** How many records went to a side output since the last time. */
    int side(OutputTag<Event> tag) {
        Queue<StreamRecord<Event>> sent = harness.getSideOutput(tag);
        int count = sent == null ? 0 : sent.size();
        if (sent != null) {
            sent.clear();
        }
        return count;
    }

    OperatorSubtaskState snapshot() throws Exception {
        OperatorSnapshotFutures futures = operator.snapshotState(1, 1, CheckpointOptions.forCheckpointWithDefaultLocation(),
            new MemCheckpointStreamFactory(1 << 30));
        FutureUtils.runIfNotDoneAndGet(futures.getKeyedStateManagedFuture());
        KeyedStateHandle groups = FutureUtils.runIfNotDoneAndGet(futures.getKeyedStateRawFuture()).getJobManagerOwnedSnapshot();
        return OperatorSubtaskState.builder().setRawKeyedState(groups).build();
    }

    @Override
    public void close() throws Exception {
        harness.close();
    }
}
