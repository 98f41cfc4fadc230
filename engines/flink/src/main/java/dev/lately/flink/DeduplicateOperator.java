package dev.lately.flink;

import org.apache.flink.annotation.Experimental;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.memory.MemoryReservationException;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.KeyGroupStatePartitionStreamProvider;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.streaming.api.graph.StreamConfig;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.OperatorSnapshotFutures;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.concurrent.RunnableFuture;

/**
 * Passes the first sighting of each key within a window. {@link Deduplicate} makes one.
 *
 * <pre>
 *  record --key--&gt; key group --&gt; its filter --&gt; new: passed on      seen: duplicatesTo, or dropped
 *     \--older than watermark - window--&gt; lateTo, or dropped           the key is null: nullKeysTo, or passed on
 *
 *  BATCH        key --&gt; the keys of its hash ({@link SortedKeys}); no filter, no checkpoint
 *
 *  checkpoint   under the barrier: a copy of every filter; then, while records pass: all key groups as raw keyed state
 *  restore      the key groups of this subtask, whichever subtasks wrote them
 * </pre>
 *
 * <p>The filters are outside of what Flink calls keyed state: there is no state backend between a record and its filter, and
 * it does not matter which one the job has. Flink moves raw keyed state by key groups, so the job may be rescaled.
 *
 * @param <T> the records
 */
@Experimental
public final class DeduplicateOperator<T> extends AbstractStreamOperator<T> implements OneInputStreamOperator<T, T> {
    private static final long serialVersionUID = 1;

    private final Settings settings;
    /** Whether a share of managed memory was asked for. */
    private final boolean hasShare;
    private final RecordKey<T> key;
    private final OutputTag<T> duplicatesTo;
    private final OutputTag<T> lateTo;
    private final OutputTag<T> nullKeysTo;

    // Tests see what is not private.
    private transient MemoryShare memory;
    transient FilterBank filters;
    transient OperatorClock clock;
    transient DeduplicateMetrics counts;
    transient Notices notices;
    /** Null: the input is not sorted, as in STREAMING. */
    private transient SortedKeys sorted;

    DeduplicateOperator(Settings settings, boolean hasShare, RecordKey<T> key, OutputTag<T> duplicatesTo, OutputTag<T> lateTo,
        OutputTag<T> nullKeysTo) {
        this.settings = settings;
        this.hasShare = hasShare;
        this.key = key;
        this.duplicatesTo = duplicatesTo;
        this.lateTo = lateTo;
        this.nullKeysTo = nullKeysTo;
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        TaskInfo task = getRuntimeContext().getTaskInfo();
        int maxParallelism = task.getMaxNumberOfParallelSubtasks();
        KeyGroupRange groups = KeyGroupRangeAssignment.computeKeyGroupRangeForOperatorIndex(
            maxParallelism, task.getNumberOfParallelSubtasks(), task.getIndexOfThisSubtask());
        clock = new OperatorClock(settings, getProcessingTimeService()::getCurrentProcessingTime);
        sorted = isInputSorted() ? new SortedKeys(settings.windowMillis(), settings.keepFirst) : null;
        memory = share(groups.getNumberOfKeyGroups());
        filters = new FilterBank(settings, clock, memory, groups, maxParallelism);
        notices = new Notices(settings, clock);
        if (sorted == null) {
            filters.tryOne();
        }
        restore(context);
        counts = new DeduplicateMetrics(getMetricGroup(), settings, filters, clock);
    }

    private MemoryShare share(int keyGroups) throws MemoryReservationException {
        if (sorted != null) {
            return MemoryShare.said(0);
        }
        return hasShare ? MemoryShare.managed(getOperatorConfig(), getContainingTask().getEnvironment(), keyGroups)
            : MemoryShare.said(settings.memory);
    }

    /** In BATCH Flink sorts the input of an operator with keys by the hash of the key, and then by time. */
    private boolean isInputSorted() {
        StreamConfig.InputConfig[] inputs = getOperatorConfig().getInputs(getUserCodeClassloader());
        return Arrays.stream(inputs).anyMatch(StreamConfig::requiresSorting);
    }

    private void restore(StateInitializationContext context) throws IOException {
        GroupReader reader = new GroupReader(settings, key.form(), filters);
        for (KeyGroupStatePartitionStreamProvider group : context.getRawKeyedStateInputs()) {
            try (InputStream in = group.getStream()) {
                reader.read(group.getKeyGroupId(), in);
            }
        }
        reader.restore(clock, notices);
        passTime();
    }

    /** The raw keyed state is ours: Flink must not look for timers in it. */
    @Override
    protected boolean isUsingCustomRawKeyedState() {
        return true;
    }

    /** The key that Flink would set is for a state backend, and there is none to ask. */
    @Override
    @SuppressWarnings("rawtypes")
    public void setKeyContextElement1(StreamRecord record) {
    }

    @Override
    public void processElement(StreamRecord<T> record) throws Exception {
        if (clock.isLate(record)) {
            counts.late.inc();
            side(lateTo, record);
            return;
        }
        switch (look(record)) {
            case NEW:
                counts.fresh.inc();
                output.collect(record);
                break;
            case SEEN:
                counts.duplicates.inc();
                side(duplicatesTo, record);
                break;
            default:
                counts.nullKeys.inc();
                passOrSide(record);
        }
    }

    /** A record without a key repeats none that is known. */
    private void passOrSide(StreamRecord<T> record) {
        if (nullKeysTo == null) {
            output.collect(record);
        } else {
            output.collect(nullKeysTo, record);
        }
    }

    private RecordKey.Found look(StreamRecord<T> record) throws Exception {
        if (sorted != null) {
            sorted.at(settings.eventTime ? OperatorClock.timeOf(record) : machine());
            return key.look(sorted, record.getValue());
        }
        if (settings.eventTime) {
            clock.meet(record);
            notices.look();
        } else {
            clock.meet(machine());
        }
        return key.look(filters, record.getValue());
    }

    private long machine() {
        return getProcessingTimeService().getCurrentProcessingTime();
    }

    private void side(OutputTag<T> tag, StreamRecord<T> record) {
        if (tag != null) {
            output.collect(tag, record);
        }
    }

    @Override
    public void processWatermark(Watermark mark) throws Exception {
        clock.watermark(mark.getTimestamp());
        notices.look();
        super.processWatermark(mark);
    }

    /** Time passes also where no record comes: the filters give back what is too old. */
    private void passTime() {
        if (!settings.eventTime) {
            clock.meet(machine());
        }
        if (clock.runs()) {
            filters.advance(clock.tick());
        }
    }

    @Override
    public OperatorSnapshotFutures snapshotState(long checkpoint, long timestamp, CheckpointOptions options,
        CheckpointStreamFactory factory) throws Exception {
        passTime();
        notices.forgotten(filters.figures());
        GroupWriter writer = new GroupWriter(settings, key.form(), clock, notices, filters, factory);
        RunnableFuture<SnapshotResult<KeyedStateHandle>> groups =
            writer.toAsyncSnapshotFutureTask(getContainingTask().getCancelables());
        try {
            OperatorSnapshotFutures futures = super.snapshotState(checkpoint, timestamp, options, factory);
            futures.setKeyedStateRawFuture(groups);
            return futures;
        } catch (Exception | Error e) {
            groups.cancel(true);
            throw e;
        }
    }

    @Override
    public void close() throws Exception {
        try {
            super.close();
        } finally {
            if (filters != null) {
                filters.close();
            }
            if (memory != null) {
                memory.close();
            }
        }
    }
}
