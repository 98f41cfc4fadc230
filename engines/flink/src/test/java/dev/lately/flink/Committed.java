package dev.lately.flink;

import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;

/**
 * A transactional sink: ids wait until the checkpoint that contains them is complete, and are committed then, once. A transaction
 * is a checkpoint and a subtask, then the ids.
 */
final class Committed extends ProcessFunction<Event, Long> implements CheckpointedFunction, CheckpointListener {
    private static final long serialVersionUID = 1;

    private static final Map<String, long[]> STORE = new ConcurrentHashMap<>();

    private final int sleepEvery;
    private transient List<Long> open;
    private transient List<long[]> waiting;
    private transient ListState<long[]> state;
    private transient long received;

    /** Sleeps a millisecond after that many records, to be slower than its input; 0: never. */
    Committed(int sleepEvery) {
        this.sleepEvery = sleepEvery;
    }

    static void clear() {
        STORE.clear();
    }

    /** All committed ids, sorted. */
    static long[] ids() {
        return STORE.values().stream().flatMapToLong(t -> LongStream.of(t).skip(2)).sorted().toArray();
    }

    @Override
    public void processElement(Event event, Context context, Collector<Long> out) throws Exception {
        open.add(event.id);
        if (sleepEvery > 0 && ++received % sleepEvery == 0) {
            Thread.sleep(1);
        }
    }

    @Override
    public void initializeState(FunctionInitializationContext context) throws Exception {
        state = context.getOperatorStateStore().getListState(
            new ListStateDescriptor<>("waiting", PrimitiveArrayTypeInfo.LONG_PRIMITIVE_ARRAY_TYPE_INFO));
        open = new ArrayList<>();
        waiting = new ArrayList<>();
        for (long[] transaction : state.get()) {
            commit(transaction);
        }
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) throws Exception {
        long subtask = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
        waiting.add(LongStream.concat(LongStream.of(context.getCheckpointId(), subtask),
            open.stream().mapToLong(Long::longValue)).toArray());
        open.clear();
        state.update(waiting);
    }

    @Override
    public void notifyCheckpointComplete(long checkpoint) {
        waiting.removeIf(transaction -> {
            if (transaction[0] <= checkpoint) {
                commit(transaction);
            }
            return transaction[0] <= checkpoint;
        });
    }

    private static void commit(long[] transaction) {
        STORE.putIfAbsent(transaction[0] + "/" + transaction[1], transaction);
    }
}
