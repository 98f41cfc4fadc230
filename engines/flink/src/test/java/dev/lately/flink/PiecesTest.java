package dev.lately.flink;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
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
