package dev.lately.flink;

/** Reads what {@link Bits} wrote. Behind the end it reads anything: ask {@link #isRead}. */
final class BitsIn {
    /** Bytes that must be there behind the end, whatever they are. */
    static final int SPARE = 8;

    private static final int MOST_ONES = 31;

    private final byte[] bytes;
    private final int end;
    /** The next bit. */
    private int at;

    /** The bytes from `start` to `end`. */
    BitsIn(byte[] bytes, int start, int end) {
        this.bytes = bytes;
        this.at = 8 * start;
        this.end = end;
    }

    /** At least 57 bits from the next one on. */
    private long word() {
        return (long) Bits.WORD.get(bytes, Math.min(at / 8, end)) >>> at % 8;
    }

    /** Reads a field of 1 to 56 bits. */
    long take(int width) {
        long field = word() & (1L << width) - 1;
        at += width;
        return field;
    }

    /** Reads what {@link Bits#putSplit} wrote; of any other bits, one up to 65 &lt;&lt; low. */
    long takeSplit(int low) {
        int ones = Long.numberOfTrailingZeros(~word());
        at += Math.min(ones, MOST_ONES) + 1;
        return (long) ones << low | take(low);
    }

    /** Whether every byte was read, and none behind. */
    boolean isRead() {
        return (at + 7) / 8 == end;
    }
}
