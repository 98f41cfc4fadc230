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
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;

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

    /** Random lines as a snapshot may have them: `taken` of the cells, in generations of the last window. */
    private static byte[] lines(int cells, int ageBits, int count, double taken) {
        Random random = new Random(cells * 31 + ageBits);
        byte[] lines = new byte[count * Lines.BYTES];
        for (int line = 0; line < count; line++) {
            int at = line * Lines.BYTES;
            lines[at + 63] = (byte) random.nextInt();
            BigInteger all = BigInteger.ZERO;
            int extra = 16 * cells;
            for (int i = 0; i < cells; i++) {
                int width = (504 - 16 * cells) / cells + (i < (504 - 16 * cells) % cells ? 1 : 0);
                if (random.nextDouble() < taken) {
                    all = all.or(BigInteger.valueOf(1 + random.nextInt(0xFFFF)).shiftLeft(16 * i));
                    all = all.or(new BigInteger(width, random).shiftLeft(extra));
                }
                extra += width;
            }
            for (int i = 0; i < 63; i++) {
                lines[at + i] = all.shiftRight(8 * i).byteValue();
            }
        }
        return lines;
    }

    @Test
    void linesOfEveryLayoutAreTakenApartAndPutTogether() {
        int count = 40;
        for (int cells = 10; cells <= 31; cells++) {
            for (int ageBits = 2; ageBits <= 5; ageBits++) {
                byte[] lines = lines(cells, ageBits, count, 0.6);
                Lines layout = new Lines(cells, ageBits);
                byte[] sides = new byte[layout.mostSides(count)];
                byte[] bits = new byte[lines.length];
                Bits prints = new Bits(bits, 0, bits.length);
                int length = layout.apart(lines, lines.length, sides, prints);
                int end = prints.end();
                byte[] again = new byte[lines.length];
                Arrays.fill(again, (byte) -1);
                prints = new Bits(bits, 0, end);
                assertTrue(layout.together(sides, length, prints, again, count) && prints.isRead());
                assertArrayEquals(lines, again, cells + " cells, ages of " + ageBits + " bits");
                assertFalse(layout.together(sides, length - 1, new Bits(bits, 0, end), again, count));
                assertFalse(layout.together(sides, length + 1, new Bits(bits, 0, end), again, count));
            }
        }
    }

    @Test
    void linesThatNoSnapshotHasAreSaidToBeOthers() {
        byte[] lines = new byte[Lines.BYTES];
        lines[62] = 1;
        assertEquals(-1, new Lines(20, 3).apart(lines, lines.length, new byte[64], new Bits(new byte[64], 0, 64)));
    }

    /** A snapshot with tables that grew, so many keys seen at a steady rate over some windows. */
    private static byte[] snapshot(int keys, double windows) throws IOException {
        Settings settings = new Settings(Duration.ofSeconds(1), 1e-3, 0, 0, true, false);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (NativeFilter filter = NativeFilter.of(settings, 0, 0)) {
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
            byte[] bytes = snapshot(keys, windows);
            byte[] packed = packed(bytes, 1 << 16);
            try (PiecesIn pieces = new PiecesIn(new ByteArrayInputStream(packed))) {
                assertArrayEquals(bytes, pieces.readNBytes(bytes.length));
                assertEquals(7, pieces.read());
            }
            byte[] cut = Arrays.copyOf(bytes, bytes.length - 30);
            try (PiecesIn pieces = new PiecesIn(new ByteArrayInputStream(packed(cut, 1 << 16)))) {
                assertArrayEquals(cut, pieces.readNBytes(cut.length), "also what ends within a line");
            }
            assertArrayEquals(packed, packed(bytes, 1 << 20));
            assertArrayEquals(packed, packed(bytes, 1000));
            double bits = 8.0 * packed.length / keys;
            assertTrue(bits < (windows < 1 ? 22.4 : 23.4), windows + " windows: " + bits + " bits a key");
        }
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
