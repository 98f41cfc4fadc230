package dev.lately.flink;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.BiConsumer;

/** How the bytes of a filter stand in a checkpoint. */
@Tag("once")
class PiecesTest {
    private static final int[] LENGTHS = {0, 1, 63, 64, 65, 1000, Pieces.MOST - 1, Pieces.MOST, Pieces.MOST + 1, 3 * Pieces.MOST + 7};

    /** Bytes of which a share is random, and the others 0. */
    private static byte[] bytes(int length, double share) {
        Random random = new Random(length);
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = random.nextDouble() < share ? (byte) random.nextInt() : 0;
        }
        return bytes;
    }

    private static byte[] packed(byte[] bytes, int step) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (PiecesOut pieces = new PiecesOut(out)) {
            for (int at = 0; at < bytes.length; at += step) {
                pieces.write(bytes, at, Math.min(step, bytes.length - at));
            }
            pieces.end();
            pieces.write(7);
            pieces.end();
        }
        return out.toByteArray();
    }

    @Test
    void whatIsWrittenIsRead() throws IOException {
        for (int length : LENGTHS) {
            for (double share : new double[] {0, 0.5, 1}) {
                byte[] bytes = bytes(length, share);
                byte[] packed = packed(bytes, 777);
                try (PiecesIn pieces = new PiecesIn(new ByteArrayInputStream(packed))) {
                    assertArrayEquals(bytes, pieces.readNBytes(length));
                    assertEquals(7, pieces.read(), "the next filter");
                    assertEquals(-1, pieces.read());
                }
                int heads = Pieces.HEAD * (2 + (length + Pieces.MOST - 1) / Pieces.MOST);
                assertTrue(packed.length <= length + 1 + heads, length + " bytes are " + packed.length);
                assertTrue(share > 0 || length < 1000 || packed.length < length / 10, "zeros are " + packed.length);
            }
        }
    }

    @Test
    void itDoesNotMatterHowTheyCome() throws IOException {
        byte[] bytes = bytes(3 * Pieces.MOST + 7, 0.7);
        byte[] packed = packed(bytes, bytes.length);
        assertArrayEquals(packed, packed(bytes, 1));
        assertArrayEquals(packed, packed(bytes, 64));
    }

    /** The cells of each code that an error rate makes, from the lowest byte on. */
    private static final long[] NAMED = {0x1214_1516_1718_191BL, 0x0B0C_0D0E_0F10_1112L, 0x09_0A0B_0C0DL, 0x1F, 0x0A};

    /** How many cells of all codes of a layout. */
    private static int cells(long named, int code) {
        return (int) (named >>> 8 * code) & 0xFF;
    }

    private static int codes(long named) {
        return (71 - Long.numberOfLeadingZeros(named)) / 8;
    }

    /** Bits of the field of a cell. */
    private static int width(int cells, int ageBits, int cell) {
        int room = 507 - ageBits - 16 * cells;
        return room / cells + (cell < room % cells ? 1 : 0);
    }

    /** Random lines as a snapshot may have them, of every code: `taken` of the cells, in generations of the last window. */
    private static byte[] lines(long named, int ageBits, int count, double taken) {
        Random random = new Random(named * 31 + ageBits);
        byte[] lines = new byte[count * Lines.BYTES];
        for (int line = 0; line < count; line++) {
            int code = random.nextInt(codes(named));
            int cells = cells(named, code);
            BigInteger all = BigInteger.valueOf(code).shiftLeft(509);
            all = all.or(new BigInteger(ageBits + 2, random).shiftLeft(507 - ageBits));
            int field = 16 * cells;
            for (int i = 0; i < cells; i++) {
                if (random.nextDouble() < taken) {
                    all = all.or(BigInteger.valueOf(1 + random.nextInt(0xFFFF)).shiftLeft(16 * i));
                    all = all.or(new BigInteger(width(cells, ageBits, i), random).shiftLeft(field));
                }
                field += width(cells, ageBits, i);
            }
            for (int i = 0; i < Lines.BYTES; i++) {
                lines[line * Lines.BYTES + i] = all.shiftRight(8 * i).byteValue();
            }
        }
        return lines;
    }

    /** The cells of every line that are taken: whether they are wide, and all their bits, in order. */
    private static List<String> cells(byte[] lines, long named, int ageBits) {
        List<String> all = new ArrayList<>();
        for (int at = 0; at < lines.length; at += Lines.BYTES) {
            byte[] high = new byte[Lines.BYTES];
            for (int i = 0; i < high.length; i++) {
                high[i] = lines[at + 63 - i];
            }
            BigInteger line = new BigInteger(1, high);
            int cells = cells(named, field(line, 509, 3).intValue());
            int field = 16 * cells;
            for (int i = 0; i < cells; i++) {
                int width = width(cells, ageBits, i);
                if (field(line, 16 * i, 16).signum() != 0) {
                    all.add(at + " " + width + " " + field(line, 16 * i, 16) + " " + field(line, field, width));
                }
                field += width;
            }
            all.add(at + " ends with " + field(line, 507 - ageBits, 5 + ageBits));
        }
        Collections.sort(all);
        return all;
    }

    private static BigInteger field(BigInteger line, int at, int width) {
        return line.shiftRight(at).mod(BigInteger.ONE.shiftLeft(width));
    }

    /** Calls it for every layout, with lines of it that have few, some and all cells. */
    private static void forEachLayout(BiConsumer<Lines, byte[]> what) {
        for (long named : NAMED) {
            for (int ageBits = 2; ageBits <= 5; ageBits++) {
                for (double taken : new double[] {0.1, 0.6, 1}) {
                    what.accept(new Lines(named, ageBits), lines(named, ageBits, 40, taken));
                }
            }
        }
    }

    /** Puts lines together, also where the sides are said to be longer or shorter than they are, which it refuses. */
    private static byte[] together(SortedLines apart, byte[] sides, int length, byte[] bits, int end) {
        byte[] again = new byte[40 * Lines.BYTES];
        assertFalse(apart.together(sides, length - 1, new BitsIn(bits, 0, end), again, 40));
        assertFalse(apart.together(sides, length + 1, new BitsIn(bits, 0, end), again, 40));
        assertFalse(apart.together(sides, 1, new BitsIn(bits, 0, end), again, 40));
        Arrays.fill(again, (byte) -1);
        BitsIn prints = new BitsIn(bits, 0, end);
        assertTrue(apart.together(sides, length, prints, again, 40) && prints.isRead());
        BitsIn longer = new BitsIn(bits, 0, end + 1);
        assertTrue(apart.together(sides, length, longer, again, 40) && !longer.isRead(), "a byte is left");
        return again;
    }

    @Test
    void linesOfEveryLayoutAreTakenApartAndPutTogether() {
        forEachLayout((layout, lines) -> {
            SortedLines sorted = new SortedLines(layout);
            byte[] sides = new byte[sorted.mostSides(40) + 1];
            byte[] bits = new byte[lines.length + BitsIn.SPARE];
            Bits prints = new Bits(bits, 0, lines.length);
            int length = sorted.apart(lines, 40, sides, prints);
            byte[] again = together(sorted, sides, length, bits, prints.end());
            assertEquals(cells(lines, layout.named, layout.ageBits), cells(again, layout.named, layout.ageBits));
            prints = new Bits(bits, 0, lines.length);
            assertEquals(length, sorted.apart(again, 40, sides, prints));
            assertArrayEquals(again, together(sorted, sides, length, bits, prints.end()), "they are in order already");
        });
    }

    @Test
    void linesThatNoSnapshotHasAreSaidToBeOthers() {
        SortedLines sorted = new SortedLines(new Lines(0x0013_14L, 3));
        byte[] lines = new byte[Lines.BYTES];
        lines[62] = 1;
        assertEquals(-1, sorted.apart(lines, 1, new byte[64], new Bits(new byte[64], 0, 64)), "a bit of a free cell");
        lines[62] = 0;
        lines[63] = 2 << 5;
        assertEquals(-1, sorted.apart(lines, 1, new byte[64], new Bits(new byte[64], 0, 64)), "no such code");
        SortedLines wide = new SortedLines(new Lines(7, 3));
        assertEquals(-1, wide.apart(new byte[Lines.BYTES], 1, new byte[64], new Bits(new byte[64], 0, 64)), "long prints");
        for (long named : new long[] {0, 6, 32, 0x0600_0EL, 0x2010L}) {
            assertFalse(Lines.exist(named, 3), Long.toHexString(named));
        }
        assertFalse(Lines.exist(20, 1) || Lines.exist(20, 6) || !Lines.exist(20, 3));
    }

    @Test
    void moreCellsOrLargerPrintsThanALineHasAreRefused() {
        SortedLines sorted = new SortedLines(new Lines(20, 3));
        byte[] ones = new byte[64];
        Arrays.fill(ones, (byte) -1);
        byte[] lines = new byte[Lines.BYTES];
        assertFalse(sorted.together(new byte[] {5, 0, 0, 0, 0, 0, 0, 0, 0}, 9, new BitsIn(new byte[72], 0, 64), lines, 1));
        assertFalse(sorted.together(new byte[] {0, 17, 0, 0}, 21, new BitsIn(new byte[72], 0, 64), lines, 1));
        assertFalse(sorted.together(new byte[] {1, 0, 0, 0, 0}, 5, new BitsIn(ones, 0, 56), lines, 1));
        assertFalse(sorted.together(new byte[] {1, 0, 32, 0, 0}, 5, new BitsIn(new byte[72], 0, 64), lines, 1), "an epoch");
        assertFalse(sorted.together(new byte[] {1, 0, 0, 1, 0}, 5, new BitsIn(new byte[72], 0, 64), lines, 1), "a code");
        assertTrue(sorted.together(new byte[] {1, 0, 31, 0, 0}, 5, new BitsIn(new byte[72], 0, 64), lines, 1));
    }

    /** A snapshot with tables that grew unless it has its size, this many keys seen at a steady rate over some windows. */
    private static byte[] snapshot(int keys, double windows, long told) throws IOException {
        Settings.Asked asked = new Settings.Asked(Duration.ofSeconds(1));
        asked.errorRate = 1e-3;
        Settings settings = new Settings(asked);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (NativeFilter filter = NativeFilter.of(settings, 0, told)) {
            for (long key = 0; key < keys * Math.max(1, windows); key++) {
                filter.isNew(key, (long) (1e9 * windows * key / (keys * Math.max(1, windows))));
            }
            filter.writeTo(out);
        }
        return out.toByteArray();
    }

    @Test
    void aFilterTakesLittleMoreThanItsFingerprints() throws IOException {
        int keys = 40_000;
        for (double windows : new double[] {0.01, 1, 8}) {
            byte[] bytes = snapshot(keys, windows, 0);
            byte[] packed = packed(bytes, 1 << 16);
            assertArrayEquals(packed, packed(bytes, 1 << 20));
            assertArrayEquals(packed, packed(bytes, 1000));
            double bits = 8.0 * packed.length / keys;
            // Keys that come at a hundred times the rate know more bits, since a whole window may come so.
            assertTrue(bits < (windows < 1 ? 22.4 : windows == 1 ? 21.9 : 20.3), windows + " windows: " + bits + " bits a key");
            byte[] again = unpacked(packed, bytes.length);
            assertArrayEquals(packed, packed(again, 1 << 16), "its cells are in order already");
            assertAnswersAlike(bytes, Snapshots.sealed(again), (int) (keys * Math.max(1, windows)), (long) (1e9 * windows));
            byte[] cut = Arrays.copyOf(bytes, bytes.length - 30);
            byte[] cutAgain = unpacked(packed(cut, 1 << 16), cut.length);
            assertArrayEquals(Arrays.copyOfRange(cut, cut.length - 20, cut.length),
                Arrays.copyOfRange(cutAgain, cut.length - 20, cut.length), "also what ends within a line");
        }
    }

    private static byte[] unpacked(byte[] packed, int length) throws IOException {
        try (PiecesIn pieces = new PiecesIn(new ByteArrayInputStream(packed))) {
            byte[] bytes = pieces.readNBytes(length);
            assertEquals(7, pieces.read());
            return bytes;
        }
    }

    /** Whether a key that was shown or not is taken for new says the one as the other does. */
    private static void assertAnswersAlike(byte[] one, byte[] other, int keys, long tick) {
        try (NativeFilter first = NativeFilter.of(one, 0); NativeFilter second = NativeFilter.of(other, 0)) {
            int late = 0;
            for (long key = 0; key < 2L * keys; key++) {
                boolean isNew = first.isNew(key, tick);
                assertEquals(isNew, second.isNew(key, tick), "key " + key);
                late += isNew ? 0 : 1;
            }
            assertTrue(late > 30_000 && late < 2 * keys, late + " duplicates");
        }
    }

    @Test
    void piecesOfLinesInAnotherOrderAreRefused() throws IOException {
        byte[] packed = packed(snapshot(1_200_000, 0.01, 1_200_000), 1 << 16);
        int first = Pieces.HEAD + (ByteBuffer.wrap(packed).getInt(4) & Pieces.LENGTH);
        int second = first + Pieces.HEAD + (ByteBuffer.wrap(packed).getInt(first + 4) & Pieces.LENGTH);
        int third = second + Pieces.HEAD + (ByteBuffer.wrap(packed).getInt(second + 4) & Pieces.LENGTH);
        byte[] swapped = packed.clone();
        System.arraycopy(packed, second, swapped, first, third - second);
        System.arraycopy(packed, first, swapped, first + third - second, second - first);
        readAll(packed);
        StateException e = assertThrows(StateException.class, () -> readAll(swapped));
        assertTrue(e.getMessage().contains("the checksum of a piece"), e.getMessage());
    }

    @Test
    void whatWasCutOrChangedIsRefused() throws IOException {
        byte[] packed = packed(bytes(1000, 0.5), 1000);
        for (int at = 0; at < packed.length; at++) {
            byte[] changed = packed.clone();
            changed[at] ^= (byte) (1 << at % 8);
            byte[] cut = Arrays.copyOf(packed, at);
            assertThrows(StateException.class, () -> readAll(changed), "changed at " + at);
            // What ends between two filters is for whoever counts them.
            if (at > 0 && at != packed.length - Pieces.HEAD - 1) {
                assertThrows(StateException.class, () -> readAll(cut), "cut to " + at);
            }
        }
    }

    private static void readAll(byte[] packed) throws IOException {
        try (PiecesIn pieces = new PiecesIn(new ByteArrayInputStream(packed))) {
            pieces.readAllBytes();
        }
    }
}
