package dev.lately.flink;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Fields of bits one after the other in bytes, the lowest bit first. It writes or it reads. */
final class Bits {
    /** The eight bytes from an index on, as a number whose lowest byte is the first. */
    static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final byte[] bytes;
    private final int end;
    private int at;
    private long held;
    private int count;

    /** The bytes from `start` to `end`. */
    Bits(byte[] bytes, int start, int end) {
        this.bytes = bytes;
        this.at = start;
        this.end = end;
    }

    /** Writes a field of 1 to 56 bits, which has no others. What has no room is dropped: ask {@link #end}. */
    void put(long field, int width) {
        held |= field << count;
        count += width;
        for (; count >= 8; count -= 8) {
            give();
        }
    }

    private void give() {
        if (at < end) {
            bytes[at] = (byte) held;
        }
        at++;
        held >>>= 8;
    }

    /** Fills up the last byte; where the next one is, behind the end if there was no room. */
    int end() {
        if (count > 0) {
            give();
            count = 0;
        }
        return at;
    }

    /** Whether every byte was read. */
    boolean isRead() {
        return at == end;
    }

    /** Reads a field of 1 to 56 bits. Behind the end all bits are 0. */
    long take(int width) {
        for (; count < width; count += 8) {
            held |= (at < end ? bytes[at] & 0xFFL : 0) << count;
            at++;
        }
        long field = held & (1L << width) - 1;
        held >>>= width;
        count -= width;
        return field;
    }
}
