package dev.lately.flink;

/**
 * Where the cells of a table's lines are (docs/FORMAT.md, kind 5). The print of a cell is its fingerprint, with its extra bits
 * above; its age the generations since its tag, before its line's epoch.
 *
 * <pre>
 *  a line   C lanes of tag and fingerprint | extra bits of C cells, the first of which are wide | last byte
 * </pre>
 */
final class Lines {
    static final int BYTES = 64;
    static final int MOST_CELLS = 31;

    private static final int LEAST_CELLS = 10;
    private static final int LEAST_AGE_BITS = 2;
    private static final int MOST_AGE_BITS = 5;
    /** Bits that lanes and extra bits share, and the byte behind them. */
    private static final int ROOM = 504;
    private static final int LAST = 63;

    final int cells;
    /** How many of the cells have a bit more than the others. */
    final int wide;
    final int ageBits;
    private final int printBits;
    private final long ages;
    /** Of each cell, eight bytes of its line that have its extra bits, where these begin there, and how many they are. */
    private final int[] from = new int[MOST_CELLS];
    private final int[] shift = new int[MOST_CELLS];
    private final int[] width = new int[MOST_CELLS];

    /** Lines of that many cells with that many bits for the age, which {@link #exist}. */
    Lines(int cells, int ageBits) {
        this.cells = cells;
        this.ageBits = ageBits;
        this.printBits = 16 - ageBits;
        this.ages = (1L << ageBits) - 1;
        int left = ROOM - 16 * cells;
        this.wide = left % cells;
        int at = 16 * cells;
        for (int i = 0; i < cells; i++) {
            from[i] = Math.min(at / 8, LAST - 7);
            shift[i] = at - 8 * from[i];
            width[i] = left / cells + (i < wide ? 1 : 0);
            at += width[i];
        }
    }

    static boolean exist(long cells, long ageBits) {
        return cells >= LEAST_CELLS && cells <= MOST_CELLS && ageBits >= LEAST_AGE_BITS && ageBits <= MOST_AGE_BITS;
    }

    /** Bits of the print of a cell. */
    int printWidth(int cell) {
        return printBits + width[cell];
    }

    byte last(byte[] lines, int line) {
        return lines[BYTES * line + LAST];
    }

    /** Its tag and its fingerprint; 0 if it is free. */
    int lane(byte[] lines, int line, int cell) {
        int at = BYTES * line + 2 * cell;
        return lines[at] & 0xFF | (lines[at + 1] & 0xFF) << 8;
    }

    long extra(byte[] lines, int line, int cell) {
        long eight = (long) Bits.WORD.get(lines, BYTES * line + from[cell]);
        return eight >>> shift[cell] & (1L << width[cell]) - 1;
    }

    long print(byte[] lines, int line, int cell) {
        return lane(lines, line, cell) & (1 << printBits) - 1 | extra(lines, line, cell) << printBits;
    }

    int age(byte[] lines, int line, int cell) {
        return (int) (last(lines, line) - (lane(lines, line, cell) >>> printBits) & ages);
    }

    /** A line whose cells are all free. */
    void clear(byte[] lines, int line, byte last) {
        for (int word = 0; word < BYTES; word += 8) {
            Bits.WORD.set(lines, BYTES * line + word, 0L);
        }
        lines[BYTES * line + LAST] = last;
    }

    /** Fills a cell that is free. */
    void put(byte[] lines, int line, int cell, int age, long print) {
        long tag = last(lines, line) - age & ages;
        int lane = (int) (print & (1 << printBits) - 1 | tag << printBits);
        int at = BYTES * line + 2 * cell;
        lines[at] = (byte) lane;
        lines[at + 1] = (byte) (lane >>> 8);
        int eight = BYTES * line + from[cell];
        Bits.WORD.set(lines, eight, (long) Bits.WORD.get(lines, eight) | print >>> printBits << shift[cell]);
    }
}
