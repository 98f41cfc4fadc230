package dev.lately.flink;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.Deflater;

/**
 * Writes filters as {@link Pieces}: the head of a snapshot, its lines, its checksum.
 * {@link #end} ends a filter; closing gives memory back and leaves the stream open.
 */
final class PiecesOut extends OutputStream {
    private final OutputStream out;
    private final Deflater forBytes = new Deflater(Deflater.BEST_SPEED, true);
    /** Few bytes, and what is tried for them pays. */
    private final Deflater forSides = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
    private final byte[] piece = new byte[Pieces.MOST];
    private final byte[] apart = new byte[Pieces.MOST];
    private final byte[] packed = new byte[Pieces.MOST];
    private int filled;
    /** Pieces of this filter that are written. */
    private int before;
    /** Whether it is not known yet where the lines begin. */
    private boolean searching = true;
    /** Layout of the lines being written, null outside of them; and how many of their bytes are left. */
    private Lines lines;
    private long left;

    PiecesOut(OutputStream out) {
        this.out = out;
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int start, int length) throws IOException {
        for (int done = 0; done < length;) {
            int here = (int) Math.min(Math.min(length - done, piece.length - filled), lines == null ? Integer.MAX_VALUE : left);
            System.arraycopy(bytes, start + done, piece, filled, here);
            filled += here;
            left -= here;
            done += here;
            if (searching) {
                search();
            }
            if (filled == piece.length || lines != null && left == 0) {
                endPiece();
            }
        }
    }

    /** Looks for the beginning of the lines; the part that came already is written again. */
    private void search() throws IOException {
        Tables tables = new Tables(piece, filled);
        int begin = tables.begin();
        searching = begin == Tables.MORE && filled < piece.length;
        if (begin > 0) {
            byte[] rest = Arrays.copyOfRange(piece, begin, filled);
            filled = begin;
            endPiece();
            lines = tables.layout();
            left = tables.bytes();
            write(rest, 0, rest.length);
        }
    }

    /** Writes what is left of a filter. */
    void end() throws IOException {
        endPiece();
        lines = null;
        searching = true;
        before = 0;
    }

    private void endPiece() throws IOException {
        if (filled > 0) {
            int length = lines == null || filled % Lines.BYTES != 0 ? -1 : packLines();
            if (length > 0) {
                writePiece(packed, length, lines.ageBits);
            } else {
                length = deflateTurned();
                writePiece(length < filled ? packed : piece, length, 0);
            }
            filled = 0;
        }
        if (left == 0) {
            lines = null;
        }
    }

    /** How many bytes the piece comes to as lines, or -1 if they would be no fewer. */
    private int packLines() {
        Bits prints = new Bits(packed, Pieces.BEFORE_PRINTS, filled);
        int sides = new SortedLines(lines).apart(piece, filled / Lines.BYTES, apart, prints);
        int end = prints.end();
        if (sides < 0 || end >= filled) {
            return -1;
        }
        ByteBuffer.wrap(packed).putLong(lines.named).putInt(end - Pieces.BEFORE_PRINTS);
        return deflate(forSides, apart, sides, end);
    }

    /** How many bytes the piece comes to, turned and deflated; as many as it has if they would be no fewer. */
    private int deflateTurned() {
        Pieces.turn(piece, apart, filled);
        int length = deflate(forBytes, apart, filled, 0);
        return length < 0 ? filled : length;
    }

    /** Deflates bytes into the packed ones from an index on; where they end, or -1 if not before the end of the piece. */
    private int deflate(Deflater deflater, byte[] bytes, int length, int from) {
        deflater.reset();
        deflater.setInput(bytes, 0, length);
        deflater.finish();
        int deflated = deflater.deflate(packed, from, filled - from);
        return deflater.finished() && from + deflated < filled ? from + deflated : -1;
    }

    private void writePiece(byte[] bytes, int length, int ageBits) throws IOException {
        ByteBuffer head = ByteBuffer.allocate(Pieces.HEAD).putInt(ageBits << Pieces.LENGTH_BITS | filled).putInt(length);
        head.putInt(Pieces.checksum(head.array(), bytes, length, before++));
        out.write(head.array());
        out.write(bytes, 0, length);
    }

    @Override
    public void close() {
        forBytes.end();
        forSides.end();
    }
}
