package dev.lately.flink;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * How the bytes of a filter stand in a checkpoint: in pieces, each smaller than it was. Numbers are big-endian.
 *
 * <pre>
 *  0   u8    0, or bits of the age of a cell, if the piece is lines of a table, taken apart
 *  1   u24   bytes of the piece, 1 to 1 MiB
 *  4   u32   bytes that follow
 *  8   u32   CRC-32 of the numbers before it and the bytes that follow; of lines also of the number of pieces before it, as a u32
 *
 *  no lines  as many bytes follow: they are the piece as it is. Fewer: it is turned, then deflated
 *  lines     u64 the cells of each code, as docs/reference/format.md has them; u32 bytes of the prints; the prints; the sides, deflated:
 *            see SortedLines
 * </pre>
 *
 * <p>A piece is turned so that bytes come together that stand at the same place in every 64. Where cells were sorted, the
 * filter's own checksum does not fit any more: it is computed again, and the numbers of the pieces keep them in their order.
 */
final class Pieces {
    static final int HEAD = 12;
    static final int MOST = 1 << 20;
    /** Bits of a length. The bits above are 0, or the bits of an age if the piece is lines. */
    static final int LENGTH_BITS = 24;
    static final int LENGTH = (1 << LENGTH_BITS) - 1;

    /** Bytes before the prints in a piece of lines: the cells of each code, and the length of the prints. */
    static final int BEFORE_PRINTS = Long.BYTES + Integer.BYTES;

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

    /** The checksum of a piece with that many before it. */
    static int checksum(byte[] head, byte[] bytes, int length, int before) {
        CRC32 crc = new CRC32();
        crc.update(head, 0, CHECKED);
        crc.update(bytes, 0, length);
        if (head[0] != 0) {
            crc.update(ByteBuffer.allocate(Integer.BYTES).putInt(before).array());
        }
        return (int) crc.getValue();
    }
}
