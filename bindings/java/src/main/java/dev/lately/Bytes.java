package dev.lately;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** The bytes of a key, in an array of their own. */
final class Bytes {
    static final int OF_UUID = 2 * Long.BYTES;

    private Bytes() {
    }

    /** UTF-8; a lone surrogate becomes a question mark. */
    static byte[] of(CharSequence key) {
        return key.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** From the low byte. */
    static byte[] of(long key) {
        return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(key).array();
    }

    /** In the order of its text. */
    static byte[] of(UUID key) {
        return ByteBuffer.allocate(OF_UUID).putLong(key.getMostSignificantBits()).putLong(key.getLeastSignificantBits()).array();
    }

    /**
     * Looks into a buffer as Java does, for native code would not notice: one of an arena that was closed, or that another thread has
     * to itself, is an exception.
     */
    static void expectAlive(Buffer buffer) {
        if (buffer == null || !buffer.hasRemaining()) {
            return;
        }
        int at = buffer.position();
        if (buffer instanceof ByteBuffer) {
            ((ByteBuffer) buffer).get(at);
        } else if (buffer instanceof LongBuffer) {
            ((LongBuffer) buffer).get(at);
        } else {
            ((IntBuffer) buffer).get(at);
        }
    }

    /** From position to limit, which stay as they are. */
    static byte[] of(ByteBuffer key) {
        byte[] bytes = new byte[key.remaining()];
        key.duplicate().get(bytes);
        return bytes;
    }
}
