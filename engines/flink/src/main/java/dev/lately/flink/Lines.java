package dev.lately.flink;

/**
 * Lines of a table (docs/FORMAT.md, kind 5), taken apart: what is alike comes together, what is random stays as it is, and a
 * free cell takes nothing but a bit that says so.
 *
 * <pre>
 *  a line   C lanes of age and fingerprint | extra bits of C cells | last byte
 *  sides    which cells are taken: first all first bytes of all lines, then all second ones, .. ; all last bytes;
 *           of each cell that is taken, the generations before its line's epoch
 *  prints   of each cell that is taken, its fingerprint and its extra bits, without gaps
 * </pre>
 */
final class Lines {
    static final int BYTES = 64;

    private static final int LEAST_CELLS = 10;
    private static final int MOST_CELLS = 31;
    private static final int LEAST_AGE_BITS = 2;
    private static final int MOST_AGE_BITS = 5;
    /** Bits that lanes and extra bits share, and the byte behind them. */
    private static final int ROOM = 504;
    private static final int LAST = 63;

    private final int cells;
    private final int printBits;
    private final long ages;
    /** Of each cell, eight bytes of its line that have its extra bits, where these begin there, and how many they are. */
    private final int[] from = new int[MOST_CELLS];
    private final int[] shift = new int[MOST_CELLS];
    private final int[] width = new int[MOST_CELLS];

    /** Lines of that many cells with that many bits for the age, which {@link #exist}. */
    Lines(int cells, int ageBits) {
        this.cells = cells;
        this.printBits = 16 - ageBits;
        this.ages = (1L << ageBits) - 1;
        int left = ROOM - 16 * cells;
        int at = 16 * cells;
        for (int i = 0; i < cells; i++) {
            from[i] = Math.min(at / 8, LAST - 7);
            shift[i] = at - 8 * from[i];
            width[i] = left / cells + (i < left % cells ? 1 : 0);
            at += width[i];
        }
    }

    static boolean exist(long cells, long ageBits) {
        return cells >= LEAST_CELLS && cells <= MOST_CELLS && ageBits >= LEAST_AGE_BITS && ageBits <= MOST_AGE_BITS;
    }

    /** Bytes of the sides of so many lines in which each cell is taken. */
    int mostSides(int lines) {
        return lines * (columns() + cells);
    }

    private int columns() {
        return (cells + 7) / 8 + 1;
    }

    /** Takes lines apart; how many bytes the sides have, or -1 if a cell that is free has extra bits, which no snapshot has. */
    int apart(byte[] lines, int length, byte[] sides, Bits prints) {
        int count = length / BYTES;
        int age = columns() * count;
        for (int line = 0; line < count; line++) {
            int taken = 0;
            for (int i = 0; i < cells; i++) {
                int lane = lane(lines, line, i);
                long extra = extra(lines, line, i);
                if (lane != 0) {
                    taken |= 1 << i;
                    sides[age++] = (byte) (lines[BYTES * line + LAST] - (lane >>> printBits) & ages);
                    prints.put(lane & (1 << printBits) - 1 | extra << printBits, printBits + width[i]);
                } else if (extra != 0) {
                    return -1;
                }
            }
            putColumns(lines, line, taken, sides, count);
        }
        return age;
    }

    private static int lane(byte[] lines, int line, int cell) {
        int at = BYTES * line + 2 * cell;
        return lines[at] & 0xFF | (lines[at + 1] & 0xFF) << 8;
    }

    private long extra(byte[] lines, int line, int cell) {
        long eight = (long) Bits.WORD.get(lines, BYTES * line + from[cell]);
        return eight >>> shift[cell] & (1L << width[cell]) - 1;
    }

    private void putColumns(byte[] lines, int line, int taken, byte[] sides, int count) {
        int last = columns() - 1;
        for (int column = 0; column < last; column++) {
            sides[column * count + line] = (byte) (taken >>> 8 * column);
        }
        sides[last * count + line] = lines[BYTES * line + LAST];
    }

    /** Puts so many lines together; whether the sides are so many bytes as they need. */
    boolean together(byte[] sides, int length, Bits prints, byte[] lines, int count) {
        int age = columns() * count;
        for (int line = 0; line < count; line++) {
            int taken = taken(sides, line, count);
            if (taken >>> cells != 0 || age + Integer.bitCount(taken) > length) {
                return false;
            }
            for (int word = 0; word < BYTES; word += 8) {
                Bits.WORD.set(lines, BYTES * line + word, 0L);
            }
            lines[BYTES * line + LAST] = sides[(columns() - 1) * count + line];
            for (int left = taken; left != 0; left &= left - 1) {
                put(lines, line, Integer.numberOfTrailingZeros(left), sides[age++], prints);
            }
        }
        return age == length;
    }

    private int taken(byte[] sides, int line, int count) {
        int taken = 0;
        for (int column = 0; column < columns() - 1; column++) {
            taken |= (sides[column * count + line] & 0xFF) << 8 * column;
        }
        return taken;
    }

    private void put(byte[] lines, int line, int cell, int age, Bits prints) {
        long print = prints.take(printBits + width[cell]);
        long tag = lines[BYTES * line + LAST] - age & ages;
        int lane = (int) (print & (1 << printBits) - 1 | tag << printBits);
        int at = BYTES * line + 2 * cell;
        lines[at] = (byte) lane;
        lines[at + 1] = (byte) (lane >>> 8);
        int eight = BYTES * line + from[cell];
        Bits.WORD.set(lines, eight, (long) Bits.WORD.get(lines, eight) | print >>> printBits << shift[cell]);
    }
}
