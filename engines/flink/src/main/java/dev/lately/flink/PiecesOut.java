package dev.lately.flink;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.zip.Deflater;

/** Writes filters as {@link Pieces}. {@link #end} ends a filter; closing gives memory back and leaves the stream open. */
final class PiecesOut extends OutputStream {
    private final OutputStream out;
    private final Deflater deflater = new Deflater(Deflater.BEST_SPEED, true);
    private final byte[] piece = new byte[Pieces.MOST];
    private final byte[] turned = new byte[Pieces.MOST];
    private final byte[] deflated = new byte[Pieces.MOST];
    private int filled;

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
            int here = Math.min(length - done, piece.length - filled);
            System.arraycopy(bytes, start + done, piece, filled, here);
            filled += here;
            done += here;
            if (filled == piece.length) {
                end();
            }
        }
    }

    /** Writes what is left of a filter. */
    void end() throws IOException {
        if (filled > 0) {
            int length = deflate();
            boolean pays = length < filled;
            write(pays ? deflated : piece, pays ? length : filled);
            filled = 0;
        }
    }

    /** How many bytes the piece comes to, turned and deflated; as many as it has if they would be no fewer. */
    private int deflate() {
        Pieces.turn(piece, turned, filled);
        deflater.reset();
        deflater.setInput(turned, 0, filled);
        deflater.finish();
        int length = deflater.deflate(deflated, 0, filled);
        return deflater.finished() ? length : filled;
    }

    private void write(byte[] bytes, int length) throws IOException {
        ByteBuffer head = ByteBuffer.allocate(Pieces.HEAD).putInt(filled).putInt(length);
        head.putInt(Pieces.checksum(head.array(), bytes, length));
        out.write(head.array());
        out.write(bytes, 0, length);
    }

    @Override
    public void close() {
        deflater.end();
    }
}
