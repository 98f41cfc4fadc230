package dev.lately.flink;

import java.util.Arrays;

/**
 * {@link Lines} taken apart: what is alike comes together, and what is random is sorted. Which of the cells of one width a key
 * is in carries no information; so those of a line are brought into the order of their prints, and how much each is above the one before
 * takes 2 to 3 bits less than the print itself. A free cell takes nothing.
 *
 * <pre>
 *  sides    how many wide cells are taken, of each line; how many others; all epochs; all codes; the age of each cell taken
 *  prints   of each cell that is taken, how much its print is above the one before: what {@link #low} leaves above, as so
 *           many ones and a 0, and then the low bits
 * </pre>
 */
final class SortedLines {
    private static final int COLUMNS = 4;
    private static final int EPOCH = 2;
    private static final int CODE = 3;
    private static final int AGE_BITS = 8;
    private static final int AGE = 0xFF;
    /** Longest print: with its age below it must fit into 63 bits. */
    private static final int MOST_BITS = 55;

    private final Lines layout;
    private final int agesInByte;
    /** The cells of one width of a line that are taken: their prints, and their ages below. */
    private final long[] held = new long[Lines.MOST_CELLS];

    SortedLines(Lines layout) {
        this.layout = layout;
        this.agesInByte = 8 / layout.ageBits;
    }

    /** Bytes of the sides of that number of lines in which each cell is taken. */
    int mostSides(int count) {
        return bytes(count, count * Lines.MOST_CELLS);
    }

    /** The cells of a kind, 0 the wide ones and 1 the others, begin with that of this number, and end before the next. */
    private static int begin(Lines.Width width, int kind) {
        return kind == 0 ? 0 : kind == 1 ? width.wide : width.cells;
    }

    /** Low bits of the differences of that number of numbers of that width: about what makes them the shortest. */
    private static int low(int width, int count) {
        return width - (31 - Integer.numberOfLeadingZeros(3 * (count + 1) / 2));
    }

    /** Takes lines apart. Returns the length of the sides, or -1 for a line that no snapshot contains or whose prints are too long. */
    int apart(byte[] lines, int count, byte[] sides, Bits prints) {
        Arrays.fill(sides, 0, mostSides(count), (byte) 0);
        int ages = 0;
        for (int line = 0; line < count && ages >= 0; line++) {
            int code = layout.code(lines, line);
            sides[EPOCH * count + line] = (byte) layout.epoch(lines, line);
            sides[CODE * count + line] = (byte) code;
            ages = apart(lines, line, layout.width(code), count, sides, prints, ages);
        }
        return ages < 0 ? -1 : bytes(count, ages);
    }

    /** Takes one line apart, after `before` cells. Returns the number of cells so far, or -1. */
    private int apart(byte[] lines, int line, Lines.Width width, int count, byte[] sides, Bits prints, int before) {
        if (width == null || layout.printWidth(width, 0) > MOST_BITS) {
            return -1;
        }
        int ages = before;
        for (int kind = 0; kind < 2; kind++) {
            int taken = hold(lines, line, width, begin(width, kind), begin(width, kind + 1));
            if (taken < 0) {
                return -1;
            }
            sides[kind * count + line] = (byte) taken;
            putPrints(taken, layout.printWidth(width, begin(width, kind)), prints);
            for (int i = 0; i < taken; i++, ages++) {
                putAge(sides, count, ages, (int) held[i] & AGE);
            }
        }
        return ages;
    }

    /** Keeps the cells of a range that are taken, in order; how many they are, or -1 if a free one has bits. */
    private int hold(byte[] lines, int line, Lines.Width width, int begin, int end) {
        int taken = 0;
        for (int cell = begin; cell < end; cell++) {
            if (layout.lane(lines, line, cell) != 0) {
                held[taken++] = layout.print(lines, line, width, cell) << AGE_BITS | layout.age(lines, line, cell);
            } else if (layout.field(lines, line, width, cell) != 0) {
                return -1;
            }
        }
        Arrays.sort(held, 0, taken);
        return taken;
    }

    private void putAge(byte[] sides, int count, int index, int age) {
        sides[COLUMNS * count + index / agesInByte] |= (byte) (age << index % agesInByte * layout.ageBits);
    }

    private int age(byte[] sides, int count, int index) {
        return sides[COLUMNS * count + index / agesInByte] >>> index % agesInByte * layout.ageBits & (1 << layout.ageBits) - 1;
    }

    /** Bytes of the sides, by the number of lines and of cells that are taken. */
    private int bytes(int count, int taken) {
        return COLUMNS * count + (taken + agesInByte - 1) / agesInByte;
    }

    private void putPrints(int taken, int width, Bits prints) {
        int low = low(width, taken);
        long before = 0;
        for (int i = 0; i < taken; i++) {
            long print = held[i] >>> AGE_BITS;
            prints.putSplit(print - before, low);
            before = print;
        }
    }

    /** Puts `count` lines together. Returns whether they are lines and the sides have exactly the bytes they need. */
    boolean together(byte[] sides, int length, BitsIn prints, byte[] lines, int count) {
        int ages = 0;
        for (int line = 0; line < count && ages >= 0 && bytes(count, ages) <= length; line++) {
            ages = together(sides, length, prints, lines, line, count, ages);
        }
        return ages >= 0 && bytes(count, ages) == length;
    }

    /** Puts one line together, after `before` cells. Returns the number of cells so far, or -1 if the bytes are not a line. */
    private int together(byte[] sides, int length, BitsIn prints, byte[] lines, int line, int count, int before) {
        int epoch = sides[EPOCH * count + line] & 0xFF;
        int code = sides[CODE * count + line] & 0xFF;
        Lines.Width width = code < Lines.CODES ? layout.width(code) : null;
        if (width == null || epoch >= 4 << layout.ageBits || layout.printWidth(width, 0) > MOST_BITS) {
            return -1;
        }
        layout.clear(lines, line, epoch, code);
        int ages = before;
        for (int kind = 0; kind < 2; kind++) {
            int begin = begin(width, kind);
            int taken = sides[kind * count + line] & 0xFF;
            boolean fits = taken <= begin(width, kind + 1) - begin && bytes(count, ages + taken) <= length;
            if (!fits || !take(taken, layout.printWidth(width, begin), prints)) {
                return -1;
            }
            for (int i = 0; i < taken; i++, ages++) {
                layout.put(lines, line, width, begin + i, age(sides, count, ages), held[i]);
            }
        }
        return ages;
    }

    /** Keeps the next prints; whether they are prints. */
    private boolean take(int taken, int width, BitsIn prints) {
        int low = low(width, taken);
        long print = 0;
        for (int i = 0; i < taken; i++) {
            print += prints.takeSplit(low);
            held[i] = print;
        }
        return print >>> width == 0;
    }
}
