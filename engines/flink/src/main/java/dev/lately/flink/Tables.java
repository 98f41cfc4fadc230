package dev.lately.flink;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Where in a snapshot the lines of its table are, which its first bytes tell (docs/FORMAT.md). */
final class Tables {
    /** More bytes are needed. */
    static final int MORE = 0;
    /** It is not a snapshot that has lines. */
    static final int NONE = -1;

    private static final long MAGIC = 0x1A0A0D594C544C89L;
    private static final int KIND_AT = 12;
    private static final int WINDOW_TABLE = 5;
    private static final int AGE_BITS_AT = 92;
    private static final int CELLS_AT = 144;
    private static final int COUNT_AT = 152;
    private static final int SECTIONS_AT = 160;
    private static final int SECTIONS = 8;
    private static final int NUMBERS = 44 * Long.BYTES;
    private static final int DEPTH_AT = 3 * Long.BYTES;
    private static final int SPLIT_AT = 4 * Long.BYTES;
    /** Of the number of a line those bits that all lines of one of eight sections share. */
    private static final int SHARED = 3;
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
        if (front.limit() < SECTIONS_AT) {
            return MORE;
        }
        long cells = front.getLong(CELLS_AT);
        int ageBits = front.getInt(AGE_BITS_AT);
        long count = front.getLong(COUNT_AT);
        boolean isTable = front.getLong(0) == MAGIC && front.getInt(KIND_AT) == WINDOW_TABLE && Lines.exist(cells, ageBits);
        if (!isTable || count != 1 && count != SECTIONS) {
            return NONE;
        }
        layout = new Lines(cells, ageBits);
        int at = SECTIONS_AT;
        for (int section = 0; section < count && at > 0; section++) {
            at = pass(at, count == 1 ? 0 : SHARED);
        }
        return at;
    }

    /** Reads the section at this index; where the next one begins. */
    private int pass(int at, int shared) {
        if (front.limit() < at + NUMBERS + Long.BYTES) {
            return MORE;
        }
        long depth = front.getLong(at + DEPTH_AT);
        long split = front.getLong(at + SPLIT_AT);
        if (depth < SHARED || depth > MOST_DEPTH || split < 0 || split >= 2L << depth - shared) {
            return NONE;
        }
        lines += (2L << depth - shared) + split;
        long keys = front.getLong(at + NUMBERS);
        long end = at + NUMBERS + Long.BYTES;
        return keys >= 0 && keys <= (front.limit() - end) / STASH_KEY ? (int) (end + keys * STASH_KEY) : MORE;
    }
}
