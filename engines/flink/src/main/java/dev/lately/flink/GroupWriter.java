package dev.lately.flink;

import org.apache.flink.runtime.state.AsyncSnapshotCallable;
import org.apache.flink.runtime.state.CheckpointStateOutputStream;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.CheckpointedStateScope;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeOffsets;
import org.apache.flink.runtime.state.KeyGroupsStateHandle;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.StreamStateHandle;

import java.io.IOException;

/**
 * Writes the key groups of a subtask, every one of them, while the subtask continues. What it writes are copies of the filters,
 * made in native memory under the barrier, and given back at the end, however that comes.
 */
final class GroupWriter extends AsyncSnapshotCallable<SnapshotResult<KeyedStateHandle>> {
    private final Settings settings;
    private final int keyForm;
    private final long clock;
    private final long watermark;
    private final long logged;
    private final KeyGroupRange groups;
    private final NativeFilter[] copies;
    private final CheckpointStreamFactory factory;

    GroupWriter(Settings settings, int keyForm, OperatorClock clock, Notices notices, FilterBank filters,
        CheckpointStreamFactory factory) {
        this.settings = settings;
        this.keyForm = keyForm;
        this.clock = clock.now();
        this.watermark = clock.watermark();
        this.logged = notices.behind();
        this.groups = filters.groups;
        this.copies = new NativeFilter[groups.getNumberOfKeyGroups()];
        this.factory = factory;
        copy(filters);
    }

    /** All copies, or none and an exception. */
    private void copy(FilterBank filters) {
        boolean done = false;
        try {
            for (int i = 0; i < copies.length; i++) {
                NativeFilter filter = filters.ofGroup(groups.getKeyGroupId(i));
                copies[i] = filter == null ? null : filter.copy();
            }
            done = true;
        } finally {
            if (!done) {
                cleanupProvidedResources();
            }
        }
    }

    @Override
    protected SnapshotResult<KeyedStateHandle> callInternal() throws Exception {
        CheckpointStateOutputStream out = factory.createCheckpointStateOutputStream(CheckpointedStateScope.EXCLUSIVE);
        snapshotCloseableRegistry.registerCloseable(out);
        long[] offsets = write(out);
        if (!snapshotCloseableRegistry.unregisterCloseable(out)) {
            throw new IOException("the checkpoint was cancelled");
        }
        StreamStateHandle handle = out.closeAndGetHandle();
        return SnapshotResult.of(new KeyGroupsStateHandle(new KeyGroupRangeOffsets(groups, offsets), handle));
    }

    private long[] write(CheckpointStateOutputStream out) throws IOException {
        long[] offsets = new long[copies.length];
        Pieces.Out pieces = new Pieces.Out(out);
        for (int i = 0; i < copies.length; i++) {
            offsets[i] = out.getPos();
            NativeFilter filter = copies[i];
            out.write(new GroupHead(settings, keyForm, clock, watermark, logged, filter != null).bytes());
            if (filter != null) {
                filter.writeTo(pieces);
                filter.close();
                pieces.end();
            }
        }
        return offsets;
    }

    @Override
    protected void cleanupProvidedResources() {
        for (NativeFilter copy : copies) {
            if (copy != null) {
                copy.close();
            }
        }
    }
}
