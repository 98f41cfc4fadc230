package dev.lately.flink;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** Reads a filter that was written as {@link Pieces}, and no piece more than it is asked for. Any bytes are the filter's, or an error. */
final class PiecesIn extends InputStream {
    private final InputStream in;
    private final Inflater inflater = new Inflater(true);
    private final byte[] piece = new byte[Pieces.MOST];
    private final byte[] turned = new byte[Pieces.MOST];
    private int at;
    private int end;

    PiecesIn(InputStream in) {
        this.in = in;
    }

    @Override
    public int read() throws IOException {
        return hasMore() ? piece[at++] & 0xFF : -1;
    }

    @Override
    public int read(byte[] into, int start, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (!hasMore()) {
            return -1;
        }
        int here = Math.min(length, end - at);
        System.arraycopy(piece, at, into, start, here);
        at += here;
        return here;
    }

    private boolean hasMore() throws IOException {
        if (at == end) {
            at = 0;
            end = next();
        }
        return at < end;
    }

    /** Reads a piece; how many bytes it has, 0 if there is none. */
    private int next() throws IOException {
        byte[] head = in.readNBytes(Pieces.HEAD);
        if (head.length == 0) {
            return 0;
        }
        expect(head.length == Pieces.HEAD, "a piece of its filter is cut off in its head");
        ByteBuffer numbers = ByteBuffer.wrap(head);
        int length = numbers.getInt();
        int packed = numbers.getInt();
        expect(length > 0 && length <= Pieces.MOST && packed > 0 && packed <= length,
            "a piece of its filter has " + packed + " bytes for " + length);
        byte[] bytes = in.readNBytes(packed);
        expect(bytes.length == packed, "a piece of its filter is cut off after " + bytes.length + " of " + packed + " bytes");
        expect(numbers.getInt() == Pieces.checksum(head, bytes, packed), "the checksum of a piece of its filter does not fit");
        unpack(bytes, length);
        return length;
    }

    private void unpack(byte[] bytes, int length) {
        if (bytes.length == length) {
            System.arraycopy(bytes, 0, piece, 0, length);
            return;
        }
        inflater.reset();
        inflater.setInput(bytes);
        try {
            int inflated = inflater.inflate(turned, 0, length);
            expect(inflated == length && inflater.finished(), "a piece of its filter has other bytes than it says");
        } catch (DataFormatException e) {
            throw StateException.damaged("a piece of its filter is not deflated");
        }
        Pieces.turnBack(turned, piece, length);
    }

    private static void expect(boolean holds, String otherwise) {
        if (!holds) {
            throw StateException.damaged(otherwise);
        }
    }

    @Override
    public void close() {
        inflater.end();
    }
}
