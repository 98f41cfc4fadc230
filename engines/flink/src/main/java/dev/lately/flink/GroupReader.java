package dev.lately.flink;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** Reads key groups of a checkpoint into the filters of a subtask, one after the other, whichever subtask wrote them. */
final class GroupReader {
    private final Settings settings;
    private final int keyForm;
    private final FilterBank filters;
    private int groups;
    private long bytes;
    private long clock = OperatorClock.NONE;
    private long earliestWatermark = Long.MAX_VALUE;
    private long logged;

    GroupReader(Settings settings, int keyForm, FilterBank filters) {
        this.settings = settings;
        this.keyForm = keyForm;
        this.filters = filters;
    }

    void read(int group, InputStream in) throws IOException {
        try {
            GroupHead head = GroupHead.read(in);
            head.expect(settings, keyForm);
            groups++;
            clock = Math.max(clock, head.clock);
            earliestWatermark = Math.min(earliestWatermark, head.watermark);
            logged = Math.max(logged, head.logged);
            if (head.hasSnapshot) {
                load(group, new Pieces.In(in));
            }
            bytes += GroupHead.BYTES;
        } catch (StateException e) {
            throw e.inGroup(group);
        }
    }

    private void load(int group, Pieces.In pieces) throws IOException {
        try {
            filters.load(group, pieces);
            pieces.expectEnd();
            bytes += pieces.bytes();
        } catch (EOFException e) {
            throw StateException.damaged("the pieces of its filter are fewer than its snapshot: " + e.getMessage());
        } catch (RuntimeException e) {
            throw StateException.of(e, filters.memory());
        }
    }

    /** All groups were read: divides the memory over them, and brings the clock to where they were. */
    void restore(OperatorClock operator, Notices notices) {
        filters.loaded();
        if (earliestWatermark != Long.MAX_VALUE) {
            operator.restore(clock, earliestWatermark);
            notices.restored(filters, groups, bytes, logged);
        }
    }
}
