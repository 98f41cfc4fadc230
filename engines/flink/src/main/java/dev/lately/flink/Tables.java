package dev.lately.flink;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Where in a snapshot the lines of its table are, which its first bytes tell (docs/reference/format.md). */
final class Tables {
    /** More bytes are needed. */
    static final int MORE = 0;
    /** It is not a snapshot that has lines. */
    static final int NONE = -1;

    private static final long MAGIC = 0x1A0A0D594C544C89L;
    private static final int KIND_AT = 12;
    private static final int WINDOW_TABLE = 5;
    private static final int AGE_BITS_AT = 92;
    private static final int FLAGS_AT = 88;
    /** A flag: the lateness stands before the numbers from byte 104 on, and these are further on by as much. */
    private static final int LATE = 4;
    private static final int CELLS_AT = 144;
    private static final int COUNT_AT = 152;
    private static final int SECTION_AT = 160;
    private static final int NUMBERS = 44 * Long.BYTES;
    private static final int DEPTH_AT = 3 * Long.BYTES;
    private static final int SPLIT_AT = 4 * Long.BYTES;
    private static final int LEAST_DEPTH = 3;
    private static final int MOST_DEPTH = 40;
    private static final int STASH_KEY = 2 * Long.BYTES;

    private final ByteBuffer front;
    private Lines layout;
    private long lines;

    /** The first bytes of a snapshot, so many. */
    Tables(byte[] bytes, int length) {
        this.front = ByteBuffer.wrap(bytes, 0, length).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** How its lines are laid out, once {@link #begin} told where they begin. */
    Lines layout() {
        return layout;
    }

    /** How many bytes they have. */
    long bytes() {
        return lines * Lines.BYTES;
    }

    /** How many bytes stand before the lines, or {@link #MORE} or {@link #NONE}. */
    int begin() {
        if (front.limit() < Long.BYTES + SECTION_AT + NUMBERS + Long.BYTES) {
            return MORE;
        }
        int late = (front.getInt(FLAGS_AT) & LATE) == 0 ? 0 : Long.BYTES;
        long cells = front.getLong(late + CELLS_AT);
        int ageBits = front.getInt(AGE_BITS_AT);
        boolean isTable = front.getLong(0) == MAGIC && front.getInt(KIND_AT) == WINDOW_TABLE && Lines.exist(cells, ageBits);
        // A filter of the operator has one owner, and so it is not divided.
        return isTable && front.getLong(late + COUNT_AT) == 1 ? begin(new Lines(cells, ageBits), late + SECTION_AT) : NONE;
    }

    private int begin(Lines found, int section) {
        long depth = front.getLong(section + DEPTH_AT);
        long split = front.getLong(section + SPLIT_AT);
        if (depth < LEAST_DEPTH || depth > MOST_DEPTH || split < 0 || split >= 2L << depth) {
            return NONE;
        }
        layout = found;
        lines = (2L << depth) + split;
        long keys = front.getLong(section + NUMBERS);
        long end = section + NUMBERS + Long.BYTES;
        return keys >= 0 && keys <= (front.limit() - end) / STASH_KEY ? (int) (end + keys * STASH_KEY) : MORE;
    }
}
