package dev.lately;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;

/**
 * The bytes of a snapshot on their way, outside of Java's heap: they may be more than an array can hold. In use within
 * one call, by one thread.
 */
final class Snapshot implements AutoCloseable {
    /** The largest array on every JVM. */
    private static final int MOST = Integer.MAX_VALUE - 8;

    private static final int PIECE = 1 << 16;

    /** Bytes up to and with the number of bytes in all, and where that is (docs/reference/format.md). */
    private static final int HEAD = 24;
    private static final int LENGTH_AT = 16;

    private final long block = Native.block();

    /** The snapshot of a filter; to be called inside. */
    Snapshot of(long filter) {
        Native.snapshot(filter, block);
        return this;
    }

    /** Takes bytes that are at hand. */
    Snapshot of(ByteBuffer bytes) {
        byte[] piece = new byte[Math.min(PIECE, bytes.remaining())];
        ByteBuffer rest = bytes.slice();
        while (rest.hasRemaining()) {
            int length = Math.min(piece.length, rest.remaining());
            rest.get(piece, 0, length);
            Native.blockAppend(block, piece, 0, length);
        }
        return this;
    }

    /** Takes one snapshot from a stream and no byte more; memory grows with what comes, not with what is announced. */
    Snapshot of(InputStream in, LoadOptions options) throws IOException {
        byte[] head = in.readNBytes(HEAD);
        if (head.length < HEAD) {
            throw new EOFException("the stream ends within the head of a snapshot");
        }
        Native.blockAppend(block, head, 0, HEAD);
        if (isRefused(options)) {
            return this;
        }
        long length = ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN).getLong(LENGTH_AT);
        expectRoom(length, options);
        take(in, length);
        return this;
    }

    /** Whether the head alone shows that this is no snapshot, or one of another version: then no more is read. */
    private boolean isRefused(LoadOptions options) {
        try {
            Native.free(load(0, options));
            return false;
        } catch (LatelyException e) {
            return e.status() == Status.MAGIC || e.status() == Status.VERSION;
        }
    }

    /** Cells and, at most as long, tables for them: what is longer would be refused when it is all there. */
    private static void expectRoom(long length, LoadOptions options) {
        long limit = options.limit();
        if (limit != 0 && Long.compareUnsigned(Long.divideUnsigned(length, 4), limit) > 0 && Long.compareUnsigned(length, 1 << 20) > 0) {
            throw new LatelyException(Status.TOO_LARGE, null, "a snapshot of " + Long.toUnsignedString(length)
                + " bytes: memory = " + Long.toUnsignedString(limit) + " bytes");
        }
    }

    private void take(InputStream in, long length) throws IOException {
        byte[] piece = new byte[PIECE];
        long left = length - HEAD;
        while (Long.compareUnsigned(left, 0) > 0 && Long.compareUnsigned(length, HEAD) > 0) {
            int want = (int) (Long.compareUnsigned(left, PIECE) < 0 ? left : PIECE);
            int got = in.readNBytes(piece, 0, want);
            Native.blockAppend(block, piece, 0, got);
            if (got < want) {
                throw new EOFException("the stream ends after " + Native.blockSize(block) + " of the "
                    + Long.toUnsignedString(length) + " bytes of a snapshot");
            }
            left -= got;
        }
    }

    /** The native filter that the bytes are. */
    long load(long elapsed, LoadOptions options) {
        Secret secret = options.secret();
        return Native.load(block, elapsed, options.memory(), options.newMemory(), secret.lo(), secret.hi(), options.isShared());
    }

    byte[] toArray() {
        long size = Native.blockSize(block);
        if (size > MOST) {
            throw new LatelyException(Status.TOO_LARGE, null,
                "a snapshot of " + size + " bytes: the largest array has " + MOST + "; save it to a stream");
        }
        byte[] bytes = new byte[(int) size];
        Native.blockRead(block, 0, bytes, bytes.length);
        return bytes;
    }

    long writeTo(OutputStream out) throws IOException {
        long size = Native.blockSize(block);
        byte[] piece = new byte[(int) Math.min(PIECE, size)];
        for (long at = 0; at < size; at += piece.length) {
            int length = (int) Math.min(piece.length, size - at);
            Native.blockRead(block, at, piece, length);
            out.write(piece, 0, length);
        }
        return size;
    }

    /** The time that passed in nanoseconds. */
    static long nanoseconds(Duration elapsed) {
        if (elapsed.isNegative()) {
            throw new LatelyException(Status.ELAPSED, null, Messages.outOfRange("elapsed", elapsed, "at least " + Duration.ZERO));
        }
        try {
            return elapsed.toNanos();
        } catch (ArithmeticException e) {
            throw new LatelyException(Status.ELAPSED, null,
                Messages.outOfRange("elapsed", elapsed, "at most " + Duration.ofNanos(Long.MAX_VALUE)));
        }
    }

    @Override
    public void close() {
        Native.blockFree(block);
    }
}
