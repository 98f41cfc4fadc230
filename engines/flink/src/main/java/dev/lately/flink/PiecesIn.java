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
    private final byte[] apart = new byte[Pieces.MOST];
    /** A piece as it is in the checkpoint. */
    private final byte[] packed = new byte[Pieces.MOST + BitsIn.SPARE];
    private int packedLength;
    private int at;
    private int end;
    /** Pieces that were read. */
    private int before;
    private boolean sorted;

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

    /** Whether cells stand elsewhere in their lines than they did: the checksum of the filter is another. */
    boolean isSorted() {
        return sorted;
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
        int first = numbers.getInt();
        packedLength = numbers.getInt();
        int length = first & Pieces.LENGTH;
        expect(length > 0 && length <= Pieces.MOST && packedLength > 0 && packedLength <= length,
            "a piece of its filter has " + packedLength + " bytes for " + length);
        int read = in.readNBytes(packed, 0, packedLength);
        expect(read == packedLength, "a piece of its filter is cut off after " + read + " of " + packedLength + " bytes");
        expect(numbers.getInt() == Pieces.checksum(head, packed, packedLength, before++), "the checksum of a piece of its filter does not fit");
        unpack(length, first >>> Pieces.LENGTH_BITS);
        return length;
    }

    private void unpack(int length, int ageBits) {
        if (ageBits != 0) {
            unpackLines(length, ageBits);
        } else if (packedLength == length) {
            System.arraycopy(packed, 0, piece, 0, length);
        } else {
            int inflated = inflate(0, length);
            expect(inflated == length, "a piece of its filter has other bytes than it declares");
            Pieces.turnBack(apart, piece, length);
        }
    }

    private void unpackLines(int length, int ageBits) {
        expect(packedLength > Pieces.BEFORE_PRINTS, "a piece of its filter is cut off before its prints");
        ByteBuffer numbers = ByteBuffer.wrap(packed);
        long named = numbers.getLong();
        expect(Lines.exist(named, ageBits) && length % Lines.BYTES == 0, "a piece of its filter is said to be " + length
            + " bytes of lines of cells " + Long.toHexString(named) + " with ages of " + ageBits + " bits");
        sorted = true;
        long end = Pieces.BEFORE_PRINTS + Integer.toUnsignedLong(numbers.getInt());
        expect(end < packedLength, "the prints of a piece of its filter go beyond it");
        BitsIn prints = new BitsIn(packed, Pieces.BEFORE_PRINTS, (int) end);
        SortedLines lines = new SortedLines(new Lines(named, ageBits));
        int count = length / Lines.BYTES;
        int sides = inflate((int) end, Math.min(lines.mostSides(count), apart.length));
        expect(lines.together(apart, sides, prints, piece, count) && prints.isRead(),
            "the lines of a piece of its filter are other than it declares");
    }

    /** Inflates what there is from an index on; how many bytes that are, no more than `most`. */
    private int inflate(int from, int most) {
        inflater.reset();
        inflater.setInput(packed, from, packedLength - from);
        try {
            int inflated = inflater.inflate(apart, 0, most);
            expect(inflater.finished(), "a piece of its filter has more bytes than it declares");
            return inflated;
        } catch (DataFormatException e) {
            throw StateException.damaged("a piece of its filter is not deflated");
        }
    }

    private static void expect(boolean isTrue, String otherwise) {
        if (!isTrue) {
            throw StateException.damaged(otherwise);
        }
    }

    @Override
    public void close() {
        inflater.end();
    }
}
