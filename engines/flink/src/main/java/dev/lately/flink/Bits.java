package dev.lately.flink;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Fields of bits one after the other in bytes, the lowest bit first. It writes or it reads. */
final class Bits {
    /** The eight bytes from an index on, as a number whose lowest byte is the first. */
    static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final int MOST_ONES = 31;

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

    /** Writes a number below 32 &lt;&lt; low: what is above its low bits, up to 47, as so many ones and a 0, and then those. */
    void putSplit(long number, int low) {
        int ones = (int) (number >>> low);
        put((1L << ones) - 1, ones + 1);
        put(number & (1L << low) - 1, low);
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
        return at - count / 8 == end;
    }

    /** Reads a field of 1 to 56 bits. Behind the end all bits are 0. */
    long take(int width) {
        hold(width);
        long field = held & (1L << width) - 1;
        held >>>= width;
        count -= width;
        return field;
    }

    /** Reads what {@link #putSplit} wrote; of any other bits, any number up to 63 &lt;&lt; low and below that. */
    long takeSplit(int low) {
        hold(MOST_ONES + 1);
        int ones = Long.numberOfTrailingZeros(~held);
        take(Math.min(ones, MOST_ONES) + 1);
        return (long) ones << low | take(low);
    }

    private void hold(int width) {
        for (; count < width; count += 8) {
            held |= (at < end ? bytes[at] & 0xFFL : 0) << count;
            at++;
        }
    }
}
