package dev.lately.flink;

import java.util.zip.CRC32;

/**
 * How the bytes of a filter stand in a checkpoint: in pieces, each smaller than it was. Numbers are big-endian.
 *
 * <pre>
 *  0   u8    C, if the piece is lines of a table with C cells, taken apart; else 0
 *  1   u24   bytes of the piece, 1 to 1 MiB
 *  4   u8    if it is such lines, bits of the age of a cell; else 0
 *  5   u24   bytes that follow
 *  8   u32   CRC-32 of the numbers before it and the bytes that follow
 *
 *  C is 0    as many bytes follow: they are the piece as it is. Fewer: it is turned, then deflated
 *  else      u32 bytes of the prints; the prints; the sides, deflated: see Lines
 * </pre>
 *
 * <p>A piece is turned so that bytes come together that stand at the same place in every 64. Before version 3 of the
 * {@link GroupHead} no piece is lines.
 */
final class Pieces {
    static final int HEAD = 12;
    static final int MOST = 1 << 20;
    /** Of the number of a length; those above say what the piece is. */
    static final int LENGTH_BITS = 24;
    static final int LENGTH = (1 << LENGTH_BITS) - 1;

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
