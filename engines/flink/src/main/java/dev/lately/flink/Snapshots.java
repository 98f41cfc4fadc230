package dev.lately.flink;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** The bytes of a filter's snapshot (docs/FORMAT.md), as far as a restore must know them. */
final class Snapshots {
    private static final int LENGTH_AT = 16;
    private static final int FIRST = 24;
    private static final int MEMORY_AT = 64;
    private static final int LEAST = 80;
    private static final int MOST = Integer.MAX_VALUE - 8;
    private static final int CHECKSUM = 8;

    private Snapshots() {
    }

    /** Reads one snapshot and no byte more. */
    static byte[] read(InputStream in) throws IOException {
        byte[] first = in.readNBytes(FIRST);
        if (first.length < FIRST) {
            throw StateException.damaged("its filter is cut off after " + first.length + " bytes");
        }
        long length = little(first).getLong(LENGTH_AT);
        if (length < LEAST || length > MOST) {
            throw StateException.damaged("its filter has " + Long.toUnsignedString(length) + " bytes: possible are " + LEAST
                + " to " + MOST);
        }
        byte[] rest = in.readNBytes((int) length - FIRST);
        if (rest.length < length - FIRST) {
            throw StateException.damaged("its filter is cut off after " + (FIRST + rest.length) + " of " + length + " bytes");
        }
        byte[] all = Arrays.copyOf(first, (int) length);
        System.arraycopy(rest, 0, all, FIRST, rest.length);
        return all;
    }

    /**
     * Gives a snapshot, which must be sound, another limit of memory. Loading can lower the limit that a filter had when it
     * was written, but not raise it; and a subtask that gets fewer key groups has more memory for each.
     */
    static void setMemory(byte[] snapshot, long memory) {
        ByteBuffer bytes = little(snapshot);
        if (bytes.getLong(MEMORY_AT) != memory) {
            int end = snapshot.length - CHECKSUM;
            bytes.putLong(MEMORY_AT, memory);
            bytes.putLong(end, NativeFilter.checksum(Arrays.copyOf(snapshot, end)));
        }
    }

    /** The limit of memory that a snapshot has, 0 for none. */
    static long memory(byte[] snapshot) {
        return little(snapshot).getLong(MEMORY_AT);
    }

    private static ByteBuffer little(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
