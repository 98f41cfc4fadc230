package dev.lately.flink;

/**
 * Where the cells of a filter's lines are (docs/reference/format.md, kind 5). The print of a cell is its fingerprint, with its field above;
 * its age the generations since its tag, before its line's epoch.
 *
 * <pre>
 *  a line   C lanes of tag and fingerprint | C fields, the first of which are wide | epoch | code, which gives C
 * </pre>
 */
final class Lines {
    static final int BYTES = 64;
    static final int MOST_CELLS = 31;
    static final int CODES = 8;

    private static final int LEAST_CELLS = 7;
    private static final int LEAST_AGE_BITS = 2;
    private static final int MOST_AGE_BITS = 5;
    /** Bits that lanes and fields share with the age of a tag, and where the code begins in the last word. */
    private static final int ROOM = 507;
    private static final int CODE_AT = 61;
    private static final int LAST_WORD = 56;

    /** The cells of each code, a byte each, from the lowest on. */
    final long named;
    final int ageBits;
    private final int printBits;
    private final long ages;
    private final Width[] widths = new Width[CODES];

    /** The lines of one code. */
    static final class Width {
        final int cells;
        /** How many of the cells have a bit more than the others. */
        final int wide;
        /** Of each cell, eight bytes of its line that have its field, where this begins there, and how many bits it has. */
        private final int[] from = new int[MOST_CELLS];
        private final int[] shift = new int[MOST_CELLS];
        private final int[] width = new int[MOST_CELLS];

        private Width(int cells, int ageBits) {
            this.cells = cells;
            int left = ROOM - ageBits - 16 * cells;
            this.wide = left % cells;
            int at = 16 * cells;
            for (int i = 0; i < cells; i++) {
                from[i] = Math.min(at / 8, LAST_WORD);
                shift[i] = at - 8 * from[i];
                width[i] = left / cells + (i < wide ? 1 : 0);
                at += width[i];
            }
        }
    }

    /** Lines of those cells with that many bits for the age, which {@link #exist}. */
    Lines(long named, int ageBits) {
        this.named = named;
        this.ageBits = ageBits;
        this.printBits = 16 - ageBits;
        this.ages = (1L << ageBits) - 1;
        for (int code = 0; code < CODES; code++) {
            int cells = cells(named, code);
            widths[code] = cells == 0 ? null : new Width(cells, ageBits);
        }
    }

    private static int cells(long named, int code) {
        return (int) (named >>> 8 * code) & 0xFF;
    }

    static boolean exist(long named, long ageBits) {
        for (int code = 0; code < CODES; code++) {
            int cells = cells(named, code);
            if (cells > MOST_CELLS || cells < LEAST_CELLS && (cells != 0 || code == 0)) {
                return false;
            }
        }
        return ageBits >= LEAST_AGE_BITS && ageBits <= MOST_AGE_BITS;
    }

    private static long word(byte[] lines, int at) {
        return (long) Bits.WORD.get(lines, at);
    }

    int code(byte[] lines, int line) {
        return (int) (word(lines, BYTES * line + LAST_WORD) >>> CODE_AT);
    }

    /** The epoch of a line: its generation, modulo 2^(age bits + 2). */
    int epoch(byte[] lines, int line) {
        return (int) (word(lines, BYTES * line + LAST_WORD) >>> CODE_AT - epochBits()) & (1 << epochBits()) - 1;
    }

    private int epochBits() {
        return ageBits + 2;
    }

    /** The lines of a code, or null if there is no such code. */
    Width width(int code) {
        return widths[code];
    }

    /** Bits of the print of a cell. */
    int printWidth(Width width, int cell) {
        return printBits + width.width[cell];
    }

    /** Its tag and its fingerprint; 0 if it is free. */
    int lane(byte[] lines, int line, int cell) {
        int at = BYTES * line + 2 * cell;
        return lines[at] & 0xFF | (lines[at + 1] & 0xFF) << 8;
    }

    long field(byte[] lines, int line, Width width, int cell) {
        return word(lines, BYTES * line + width.from[cell]) >>> width.shift[cell] & (1L << width.width[cell]) - 1;
    }

    long print(byte[] lines, int line, Width width, int cell) {
        return lane(lines, line, cell) & (1 << printBits) - 1 | field(lines, line, width, cell) << printBits;
    }

    int age(byte[] lines, int line, int cell) {
        return (int) (epoch(lines, line) - (lane(lines, line, cell) >>> printBits) & ages);
    }

    /** A line whose cells are all free. */
    void clear(byte[] lines, int line, int epoch, int code) {
        for (int word = 0; word < LAST_WORD; word += 8) {
            Bits.WORD.set(lines, BYTES * line + word, 0L);
        }
        Bits.WORD.set(lines, BYTES * line + LAST_WORD, (long) code << CODE_AT | (long) epoch << CODE_AT - epochBits());
    }

    /** Fills a cell that is free. */
    void put(byte[] lines, int line, Width width, int cell, int age, long print) {
        long tag = epoch(lines, line) - age & ages;
        int lane = (int) (print & (1 << printBits) - 1 | tag << printBits);
        int at = BYTES * line + 2 * cell;
        lines[at] = (byte) lane;
        lines[at + 1] = (byte) (lane >>> 8);
        int eight = BYTES * line + width.from[cell];
        Bits.WORD.set(lines, eight, word(lines, eight) | print >>> printBits << width.shift[cell]);
    }
}
