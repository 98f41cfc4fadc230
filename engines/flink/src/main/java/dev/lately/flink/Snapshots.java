package dev.lately.flink;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** The bytes of a filter's snapshot (docs/reference/format.md), as far as a restore must know them. */
final class Snapshots {
    private static final int LENGTH_AT = 16;
    private static final int FIRST = 24;
    private static final int LEAST = 80;
    private static final int CHECKSUM = 8;
    private static final int MOST = Integer.MAX_VALUE - 8;

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

    /** A snapshot with its checksum computed again. */
    static byte[] sealed(byte[] snapshot) {
        byte[] checked = Arrays.copyOf(snapshot, snapshot.length - CHECKSUM);
        long sum = (Long) Binding.call(Binding.type("Lately"), "hash64", new Class<?>[] {byte[].class, long.class}, checked, 0L);
        little(snapshot).putLong(checked.length, sum);
        return snapshot;
    }

    private static ByteBuffer little(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
