package dev.lately;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
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

    /** From position to limit, which stay as they are. */
    static byte[] of(ByteBuffer key) {
        byte[] bytes = new byte[key.remaining()];
        key.duplicate().get(bytes);
        return bytes;
    }
}
