package dev.lately.flink;

/**
 * {@link Lines} as version 3 of the state has them taken apart: each cell is put where it stood. They are read, and no longer
 * written.
 *
 * <pre>
 *  sides    which cells are taken: first all first bytes of all lines, then all second ones, .. ; all last bytes;
 *           the age of each cell that is taken
 *  prints   the print of each cell that is taken, without gaps
 * </pre>
 */
final class PlacedLines implements LinesApart {
    private final Lines layout;

    PlacedLines(Lines layout) {
        this.layout = layout;
    }

    @Override
    public int mostSides(int count) {
        return count * (columns() + layout.cells);
    }

    private int columns() {
        return (layout.cells + 7) / 8 + 1;
    }

    @Override
    public boolean together(byte[] sides, int length, BitsIn prints, byte[] lines, int count) {
        int age = columns() * count;
        for (int line = 0; line < count; line++) {
            int taken = taken(sides, line, count);
            if (taken >>> layout.cells != 0 || age + Integer.bitCount(taken) > length) {
                return false;
            }
            layout.clear(lines, line, sides[(columns() - 1) * count + line]);
            for (int left = taken; left != 0; left &= left - 1) {
                int cell = Integer.numberOfTrailingZeros(left);
                layout.put(lines, line, cell, sides[age++], prints.take(layout.printWidth(cell)));
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
}
