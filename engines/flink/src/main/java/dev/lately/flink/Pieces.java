package dev.lately.flink;

import java.util.zip.CRC32;

/**
 * How the bytes of a filter stand in a checkpoint: in pieces, each smaller than it was. Numbers are big-endian.
 *
 * <pre>
 *  0   u32   bytes of the piece, 1 to 1 MiB       8   u32   CRC-32 of these two numbers and the bytes that follow
 *  4   u32   bytes that follow: as many if they are the piece as it is, else fewer: the piece turned, then deflated
 * </pre>
 *
 * <p>A filter is lines of 64 bytes, and what stands at the same place of two lines is alike: the age of a key, a cell that is
 * free. A piece is turned so that these bytes come together: first all first ones, then all second ones.
 */
final class Pieces {
    static final int HEAD = 12;
    static final int MOST = 1 << 20;

    private static final int CHECKED = 8;
    private static final int LINE = 64;

    private Pieces() {
    }

    /** Brings bytes of the same place together. */
    static void turn(byte[] lines, byte[] columns, int length) {
        int to = 0;
        for (int place = 0; place < LINE; place++) {
            for (int from = place; from < length; from += LINE) {
                columns[to++] = lines[from];
            }
        }
    }

    /** Undoes {@link #turn}. */
    static void turnBack(byte[] columns, byte[] lines, int length) {
        int from = 0;
        for (int place = 0; place < LINE; place++) {
            for (int to = place; to < length; to += LINE) {
                lines[to] = columns[from++];
            }
        }
    }

    static int checksum(byte[] head, byte[] bytes, int length) {
        CRC32 crc = new CRC32();
        crc.update(head, 0, CHECKED);
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }
}
