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
    private static final int[] LENGTHS = {0, 1, 1000, Pieces.MOST - 1, Pieces.MOST, Pieces.MOST + 1, 3 * Pieces.MOST + 7};

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    /** The bytes, and then those of another filter. */
    private static byte[] written(byte[] bytes, int step) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Pieces.Out pieces = new Pieces.Out(out);
        for (int at = 0; at < bytes.length; at += step) {
            pieces.write(bytes, at, Math.min(step, bytes.length - at));
        }
        pieces.end();
        pieces.write(7);
        pieces.end();
        return out.toByteArray();
    }

    @Test
    void whatIsWrittenIsReadAndNoByteMore() throws IOException {
        for (int length : LENGTHS) {
            byte[] bytes = bytes(length);
            byte[] written = written(bytes, 777);
            assertArrayEquals(written, written(bytes, Integer.MAX_VALUE), "it does not matter how they come");
            ByteArrayInputStream in = new ByteArrayInputStream(written);
            Pieces.In pieces = new Pieces.In(in);
            assertArrayEquals(bytes, pieces.readNBytes(length));
            pieces.expectEnd();
            assertEquals(-1, pieces.read());
            assertEquals(7, new Pieces.In(in).read(), "the next filter");
            int heads = Pieces.HEAD * (3 + (length + Pieces.MOST - 1) / Pieces.MOST);
            assertEquals(length + 1 + heads, written.length);
        }
    }

    @Test
    void whatWasCutOrChangedIsRefused() throws IOException {
        byte[] bytes = bytes(1000);
        byte[] written = Arrays.copyOf(written(bytes, 1000), 1000 + 2 * Pieces.HEAD);
        readAll(written);
        for (int at = 0; at < written.length; at++) {
            byte[] changed = written.clone();
            changed[at] ^= (byte) (1 << at % 8);
            byte[] cut = Arrays.copyOf(written, at);
            assertThrows(StateException.class, () -> readAll(changed), "changed at " + at);
            assertThrows(StateException.class, () -> readAll(cut), "cut to " + at);
        }
    }

    @Test
    void bytesBehindASnapshotAreRefused() throws IOException {
        Pieces.In pieces = new Pieces.In(new ByteArrayInputStream(written(bytes(10), 10)));
        pieces.readNBytes(9);
        StateException e = assertThrows(StateException.class, pieces::expectEnd);
        assertTrue(e.getMessage().contains("more bytes than its snapshot"), e.getMessage());
    }

    private static void readAll(byte[] written) throws IOException {
        Pieces.In pieces = new Pieces.In(new ByteArrayInputStream(written));
        pieces.readAllBytes();
        pieces.expectEnd();
    }
}
