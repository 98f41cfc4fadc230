package dev.lately.flink;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Writes fields of bits one after the other into bytes, the lowest bit first. What has no room is dropped: ask {@link #end}. */
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

    /** Writes a field of 1 to 56 bits, which has no others. */
    void put(long field, int width) {
        held |= field << count;
        count += width;
        for (; count >= 8; count -= 8) {
            give();
        }
    }

    /** Writes a number below 32 &lt;&lt; low: what is above its low bits, up to 47, as that many ones and a 0, and then those. */
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
}
