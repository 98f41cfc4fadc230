package dev.lately.flink;

import java.util.Arrays;

/**
 * {@link Lines} taken apart: what is alike comes together, and what is random is sorted. Which of the cells of one width a key
 * is in says nothing; so those of a line are brought into the order of their prints, and how much each is above the one before
 * takes 2 to 3 bits less than the print itself. A free cell takes nothing.
 *
 * <pre>
 *  sides    how many wide cells are taken, of each line; how many others; all last bytes; the age of each cell that is taken
 *  prints   of each cell that is taken, how much its print is above the one before: what {@link #low} leaves above, as so
 *           many ones and a 0, and then the low bits
 * </pre>
 */
final class SortedLines implements LinesApart {
    private static final int COLUMNS = 3;
    private static final int LAST = 2;
    private static final int AGE_BITS = 8;
    private static final int AGE = 0xFF;

    private final Lines layout;
    private final int agesInByte;
    /** The cells of one width of a line that are taken: their prints, and their ages below. */
    private final long[] held = new long[Lines.MOST_CELLS];

    SortedLines(Lines layout) {
        this.layout = layout;
        this.agesInByte = 8 / layout.ageBits;
    }

    @Override
    public int mostSides(int count) {
        return bytes(count, count * layout.cells);
    }

    /** The cells of a width, 0 the wide ones and 1 the others, begin with that of this number, and end before the next. */
    private int begin(int kind) {
        return kind == 0 ? 0 : kind == 1 ? layout.wide : layout.cells;
    }

    /** Low bits of the differences of so many numbers of that width: about what makes them the shortest. */
    private static int low(int width, int count) {
        return width - (31 - Integer.numberOfLeadingZeros(3 * (count + 1) / 2));
    }

    /** Takes lines apart; how many bytes the sides have, or -1 if a cell that is free has extra bits, which no snapshot has. */
    int apart(byte[] lines, int count, byte[] sides, Bits prints) {
        Arrays.fill(sides, 0, mostSides(count), (byte) 0);
        int ages = 0;
        for (int line = 0; line < count; line++) {
            for (int kind = 0; kind < 2; kind++) {
                int taken = hold(lines, line, begin(kind), begin(kind + 1));
                if (taken < 0) {
                    return -1;
                }
                sides[kind * count + line] = (byte) taken;
                putPrints(taken, begin(kind), prints);
                for (int i = 0; i < taken; i++, ages++) {
                    putAge(sides, count, ages, (int) held[i] & AGE);
                }
            }
            sides[LAST * count + line] = layout.last(lines, line);
        }
        return bytes(count, ages);
    }

    /** Holds the cells of a range that are taken, in order; how many they are. */
    private int hold(byte[] lines, int line, int begin, int end) {
        int taken = 0;
        for (int cell = begin; cell < end; cell++) {
            if (layout.lane(lines, line, cell) != 0) {
                held[taken++] = layout.print(lines, line, cell) << AGE_BITS | layout.age(lines, line, cell);
            } else if (layout.extra(lines, line, cell) != 0) {
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

    /** Bytes of the sides of so many lines with so many cells that are taken. */
    private int bytes(int count, int taken) {
        return COLUMNS * count + (taken + agesInByte - 1) / agesInByte;
    }

    private void putPrints(int taken, int begin, Bits prints) {
        int low = low(layout.printWidth(begin), taken);
        long before = 0;
        for (int i = 0; i < taken; i++) {
            long print = held[i] >>> AGE_BITS;
            prints.putSplit(print - before, low);
            before = print;
        }
    }

    @Override
    public boolean together(byte[] sides, int length, BitsIn prints, byte[] lines, int count) {
        int ages = 0;
        for (int line = 0; line < count && bytes(count, ages) <= length; line++) {
            layout.clear(lines, line, sides[LAST * count + line]);
            for (int kind = 0; kind < 2; kind++) {
                int begin = begin(kind);
                int taken = sides[kind * count + line] & 0xFF;
                if (taken > begin(kind + 1) - begin || bytes(count, ages + taken) > length || !take(taken, begin, prints)) {
                    return false;
                }
                for (int i = 0; i < taken; i++, ages++) {
                    layout.put(lines, line, begin + i, age(sides, count, ages), held[i]);
                }
            }
        }
        return bytes(count, ages) == length;
    }

    /** Holds the next prints; whether they are prints. */
    private boolean take(int taken, int begin, BitsIn prints) {
        int width = layout.printWidth(begin);
        int low = low(width, taken);
        long print = 0;
        for (int i = 0; i < taken; i++) {
            print += prints.takeSplit(low);
            held[i] = print;
        }
        return print >>> width == 0;
    }
}
