package dev.lately.flink;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Queue;

/** Where in a snapshot the lines of its tables are, which its first bytes tell (docs/FORMAT.md). */
final class Tables {
    /** More bytes are needed. */
    static final int MORE = 0;
    /** It is not a snapshot that has lines. */
    static final int NONE = -1;

    private static final long MAGIC = 0x1A0A0D594C544C89L;
    private static final int KIND_AT = 12;
    private static final int WINDOW_TABLE = 5;
    private static final int AGE_BITS_AT = 92;
    private static final int COUNT_AT = 232;
    private static final int RECORDS_AT = 240;
    private static final int MOST_TABLES = 64;
    private static final int RECORD = 64;
    private static final int STASH_GROUP = 24;
    private static final int STASH_KEY = 32;
    private static final int MOST_STASH_KEYS = 64;

    private final ByteBuffer front;
    private int ageBits;
    private final Queue<Run> runs = new ArrayDeque<>();

    /** The lines of a table. */
    static final class Run {
        final int cells;
        final int ageBits;
        final long bytes;

        private Run(long cells, int ageBits, long lines) {
            this.cells = (int) cells;
            this.ageBits = ageBits;
            this.bytes = lines * Lines.BYTES;
        }
    }

    /** The first bytes of a snapshot, so many. */
    Tables(byte[] bytes, int length) {
        this.front = ByteBuffer.wrap(bytes, 0, length).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** The lines of each table, in their order, once {@link #begin} told where the first begin. */
    Queue<Run> runs() {
        return runs;
    }

    /** How many bytes stand before the lines, or {@link #MORE} or {@link #NONE}. */
    int begin() {
        if (front.limit() < RECORDS_AT) {
            return MORE;
        }
        long count = front.getLong(COUNT_AT);
        ageBits = front.getInt(AGE_BITS_AT);
        if (front.getLong(0) != MAGIC || front.getInt(KIND_AT) != WINDOW_TABLE || count < 1 || count > MOST_TABLES) {
            return NONE;
        }
        long at = RECORDS_AT;
        for (long table = 0; table < count && at > 0; table++) {
            at = pass((int) at);
        }
        return (int) at;
    }

    /** Reads the record at this index; where the one behind its stash begins. */
    private long pass(int at) {
        if (front.limit() < at + RECORD) {
            return MORE;
        }
        long lines = front.getLong(at) * front.getLong(at + 8) * 2;
        long cells = front.getLong(at + 16);
        if (!Lines.exist(cells, ageBits) || lines < 1 || lines > Long.MAX_VALUE / Lines.BYTES) {
            return NONE;
        }
        runs.add(new Run(cells, ageBits, lines));
        return passStash(at + RECORD, front.getLong(at + 40));
    }

    private long passStash(long at, long groups) {
        for (long group = 0; group < groups; group++) {
            if (at + STASH_GROUP > front.limit()) {
                return MORE;
            }
            at += STASH_GROUP + STASH_KEY * Math.max(0, Math.min(front.getLong((int) at + 8), MOST_STASH_KEYS));
        }
        return at <= front.limit() ? at : MORE;
    }
}
