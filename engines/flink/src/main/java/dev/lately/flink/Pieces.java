package dev.lately.flink;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * How the snapshot of a filter is kept in a checkpoint: its own bytes (docs/reference/format.md), cut into pieces. Numbers are
 * big-endian.
 *
 * <pre>
 *  0   u32   bytes of the piece, 1 to 65,536; 0: the snapshot has ended
 *  4   u32   CRC-32 of that number and of the bytes
 *  8         the bytes
 * </pre>
 *
 * <p>So a byte that a storage has changed is known as damage before the library reads a length or a limit from it, and no
 * snapshot is read beyond its key group. Price: 8 bytes a piece, and 64 KiB of heap while there is one. The order of the pieces is
 * checked by the snapshot's own checksum.
 */
final class Pieces {
    static final int HEAD = 8;
    static final int MOST = 1 << 16;

    private Pieces() {
    }

    private static int checksum(byte[] bytes, int length) {
        CRC32 crc = new CRC32();
        crc.update(ByteBuffer.allocate(Integer.BYTES).putInt(length).array());
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }

    /** Writes snapshots; {@link #end} ends one. */
    static final class Out extends OutputStream {
        private final OutputStream out;
        private final byte[] piece = new byte[MOST];
        private int filled;

        Out(OutputStream out) {
            this.out = out;
        }

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int start, int length) throws IOException {
            for (int done = 0; done < length;) {
                int here = Math.min(length - done, MOST - filled);
                System.arraycopy(bytes, start + done, piece, filled, here);
                filled += here;
                done += here;
                if (filled == MOST) {
                    writePiece();
                }
            }
        }

        void end() throws IOException {
            if (filled > 0) {
                writePiece();
            }
            writePiece();
        }

        private void writePiece() throws IOException {
            out.write(ByteBuffer.allocate(HEAD).putInt(filled).putInt(checksum(piece, filled)).array());
            out.write(piece, 0, filled);
            filled = 0;
        }
    }

    /** Reads one snapshot, up to its end and no byte more. */
    static final class In extends InputStream {
        private final InputStream in;
        private final byte[] piece = new byte[MOST];
        private int at;
        private int end;
        private boolean ended;
        private long bytes;

        In(InputStream in) {
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

        /** The library has read its snapshot: nothing may be left. */
        void expectEnd() throws IOException {
            expect(!hasMore(), "its filter has more bytes than its snapshot");
        }

        /** Bytes that were read, heads of pieces among them. */
        long bytes() {
            return bytes;
        }

        private boolean hasMore() throws IOException {
            if (at == end && !ended) {
                next();
            }
            return at < end;
        }

        private void next() throws IOException {
            byte[] head = in.readNBytes(HEAD);
            expect(head.length == HEAD, "its filter is cut off between two pieces");
            ByteBuffer numbers = ByteBuffer.wrap(head);
            int length = numbers.getInt();
            expect(length >= 0 && length <= MOST, "a piece of its filter has " + Integer.toUnsignedString(length) + " bytes: possible are 0 to "
                + MOST);
            int read = in.readNBytes(piece, 0, length);
            expect(read == length, "a piece of its filter is cut off after " + read + " of " + length + " bytes");
            expect(numbers.getInt() == checksum(piece, length), "the checksum of a piece of its filter does not fit");
            at = 0;
            end = length;
            ended = length == 0;
            bytes += HEAD + length;
        }

        private static void expect(boolean isTrue, String otherwise) {
            if (!isTrue) {
                throw StateException.damaged(otherwise);
            }
        }
    }
}
