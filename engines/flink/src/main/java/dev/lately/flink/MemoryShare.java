package dev.lately.flink;

import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.core.memory.ManagedMemoryUseCase;
import org.apache.flink.runtime.execution.Environment;
import org.apache.flink.runtime.memory.MemoryManager;
import org.apache.flink.runtime.memory.MemoryReservationException;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.graph.StreamConfig;
import org.apache.flink.streaming.api.transformations.WithBoundedness;

/**
 * How much memory the filters of a subtask may take, and where that comes from.
 *
 * <pre>
 *  memoryPerSubtask is said        as many bytes, which are not counted by Flink
 *  Deduplicate.on(stream)          half of the operator's share of Flink's managed memory; the other half is for the copies
 *                                  that a checkpoint writes
 *  Deduplicate.operator() alone    no limit: nothing was asked of Flink
 *  BATCH                           none is needed; the share is that of Flink's sort
 * </pre>
 *
 * <p>Managed memory is only counted here: the filters ask the system for theirs.
 */
final class MemoryShare implements AutoCloseable {
    /** As much as each operator of a streaming table has: with more, these would have too little to start. */
    private static final int STREAMING_WEIGHT = 1;

    private static final int COPIES = 2;

    private final MemoryManager manager;
    /** Bytes; 0: no limit. */
    final long limit;
    /** What sets the limit, for messages. */
    final String name;

    private MemoryShare(MemoryManager manager, long limit, String name) {
        this.manager = manager;
        this.limit = limit;
        this.name = name;
    }

    /**
     * What is asked of Flink for the operator of this stream, against the other operators of a slot. In BATCH it is the weight that
     * Flink gives the sort of the operator's input, in MiB: Flink refuses a job in which the two differ.
     */
    static int weight(DataStream<?> stream) {
        ReadableConfig config = stream.getExecutionEnvironment().getConfiguration();
        RuntimeExecutionMode mode = config.get(ExecutionOptions.RUNTIME_MODE);
        boolean batch = mode == RuntimeExecutionMode.BATCH || mode == RuntimeExecutionMode.AUTOMATIC && isBounded(stream);
        return batch ? config.get(ExecutionOptions.SORTED_INPUTS_MEMORY).getMebiBytes() : STREAMING_WEIGHT;
    }

    /** Whether every source of the stream ends. */
    private static boolean isBounded(DataStream<?> stream) {
        return stream.getTransformation().getTransitivePredecessors().stream()
            .filter(WithBoundedness.class::isInstance)
            .allMatch(source -> ((WithBoundedness) source).getBoundedness() == Boundedness.BOUNDED);
    }

    /** The limit that the job sets; 0: no limit. */
    static MemoryShare said(long memory) {
        return new MemoryShare(null, memory, "memoryPerSubtask");
    }

    /** What Flink gives to an operator that asked for it; it is reserved until this is closed. */
    static MemoryShare managed(StreamConfig config, Environment task, int keyGroups) throws MemoryReservationException {
        double fraction = config.getManagedMemoryFractionOperatorUseCaseOfSlot(ManagedMemoryUseCase.OPERATOR,
            task.getJobConfiguration(), task.getTaskManagerInfo().getConfiguration(), task.getUserCodeClassLoader().asClassLoader());
        long managed = fraction > 0 ? task.getMemoryManager().computeMemorySize(fraction) : 0;
        expect(managed, COPIES * Shares.LEAST * keyGroups, keyGroups);
        MemoryShare share = new MemoryShare(task.getMemoryManager(), managed / COPIES, "half of the managed memory of a subtask");
        share.manager.reserveMemory(share, managed);
        return share;
    }

    private static void expect(long managed, long least, int keyGroups) {
        if (managed < least) {
            throw SettingException.outOfRange("the operator's share of Flink's managed memory", managed + " bytes", "at least "
                + least + " bytes, which is 2 KiB for each of the " + keyGroups + " key groups of this subtask. Raise "
                + "taskmanager.memory.managed.size (or .fraction), or call memoryPerSubtask(bytes) and add twice as much for "
                + "each slot to taskmanager.memory.task.off-heap.size");
        }
    }

    @Override
    public void close() {
        if (manager != null) {
            manager.releaseAllMemory(this);
        }
    }
}
