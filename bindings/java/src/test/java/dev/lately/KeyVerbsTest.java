package dev.lately;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** All forms of the same bytes are the same key, in every verb. */
class KeyVerbsTest {
    private static final long WORD = 0x0102030405067788L;
    private static final byte[] BYTES = {(byte) 0x88, 0x77, 6, 5, 4, 3, 2, 1};

    @Test
    void aStringIsItsUtf8() {
        try (Filter filter = Try.filter()) {
            String text = "Grüße \uD83D\uDE00 \0";
            assertEquals(Verdict.NEW, filter.observe(text));
            assertEquals(Verdict.DUPLICATE, filter.contains(text.getBytes(StandardCharsets.UTF_8)));
            assertEquals(Lately.hash64(text.getBytes(StandardCharsets.UTF_8), 0), filter.hash(text));
        }
    }

    @Test
    void aNumberIsItsBytesFromTheLow() {
        try (Filter filter = Try.filter()) {
            assertEquals(Verdict.NEW, filter.observe(WORD));
            assertEquals(Verdict.DUPLICATE, filter.contains(BYTES));
            assertEquals(Verdict.NEW, filter.contains(Long.reverseBytes(WORD)));
            assertEquals(filter.hash(BYTES), filter.hash(WORD));
            assertEquals(filter.hash(new byte[8]), filter.hash(0L));
        }
    }

    @Test
    void everyBufferCountsFromPositionToLimit() {
        byte[] wide = new byte[20];
        System.arraycopy(BYTES, 0, wide, 5, 8);
        ByteBuffer sliced = ByteBuffer.wrap(wide).position(3).slice();
        ByteBuffer directSlice = Try.direct(wide).position(4).slice();
        try (Filter filter = Try.filter()) {
            filter.insert(BYTES);
            for (ByteBuffer buffer : new ByteBuffer[] {
                at(ByteBuffer.wrap(wide), 5), at(sliced, 2), at(ByteBuffer.wrap(wide).asReadOnlyBuffer(), 5),
                at(Try.direct(wide), 5), at(directSlice, 1), at(Try.direct(wide).asReadOnlyBuffer(), 5)}) {
                int position = buffer.position();
                assertEquals(Verdict.DUPLICATE, filter.contains(buffer), buffer.toString());
                assertEquals(filter.hash(WORD), filter.hash(buffer), buffer.toString());
                assertEquals(position, buffer.position());
                buffer.position(position + 1);
                assertEquals(Verdict.NEW, filter.contains(buffer), buffer.toString());
            }
        }
    }

    private static ByteBuffer at(ByteBuffer buffer, int start) {
        buffer.limit(start + 8).position(start);
        return buffer;
    }

    @Test
    void noBytesAreAKey() {
        try (Filter filter = Try.filter()) {
            assertEquals(Verdict.NEW, filter.observe(""));
            assertEquals(Verdict.DUPLICATE, filter.observe(new byte[0]));
            assertEquals(Verdict.DUPLICATE, filter.observe(ByteBuffer.allocateDirect(0)));
            assertEquals(Verdict.DUPLICATE, filter.observe(ByteBuffer.wrap(new byte[3], 3, 0)));
        }
    }

    /** The glue has the bytes of a key on its stack up to a size; both sides of it, and far past it. */
    @Test
    void longKeysAreWhole() {
        for (int length : new int[] {1023, 1024, 1025, 65_537, 3_000_000}) {
            byte[] key = new byte[length];
            Arrays.fill(key, (byte) 7);
            try (Filter filter = Try.filter()) {
                filter.insert(key);
                assertEquals(Verdict.DUPLICATE, filter.contains(Try.direct(key)));
                key[length - 1] = 8;
                assertEquals(Verdict.NEW, filter.contains(key));
                assertEquals(filter.hash(Try.direct(key)), Lately.hash64(key, 0));
            }
        }
    }

    /** Up to 16 bytes go into native code as two words: each of them counts, wherever the key lies, and no byte next to it. */
    @Test
    void shortKeysAreWhole() {
        byte[] wide = new byte[40];
        new Random(1).nextBytes(wide);
        for (int length = 0; length <= 20; length++) {
            for (int start : new int[] {0, 1, 7, 40 - length}) {
                byte[] key = Arrays.copyOfRange(wide, start, start + length);
                try (Filter filter = Try.filter()) {
                    filter.insert(ByteBuffer.wrap(wide, start, length));
                    assertEquals(Verdict.DUPLICATE, filter.contains(Try.direct(key)), length + " from " + start);
                    assertEquals(Verdict.DUPLICATE, filter.contains(key), length + " from " + start);
                    assertEachByteCounts(filter, key);
                }
            }
        }
    }

    private static void assertEachByteCounts(Filter filter, byte[] key) {
        for (int i = 0; i < key.length; i++) {
            key[i] ^= (byte) 0x80;
            assertEquals(Verdict.NEW, filter.contains(key), "byte " + i + " of " + key.length);
            key[i] ^= (byte) 0x80;
        }
    }

    /** Each form is one line of code, so each is called: it inserts what the others find. */
    @Test
    void everyFormOfEveryVerbActs() {
        ByteBuffer direct = Try.direct(BYTES);
        String text = "text";
        Instant when = Instant.ofEpochSecond(1);
        long tick = 1_000_000_000L;
        int insertions = 0;
        for (Insertion form : new Insertion[] {
            f -> f.observe(BYTES), f -> f.observe(WORD), f -> f.observe(direct),
            f -> f.at(tick).observe(BYTES), f -> f.at(tick).observe(WORD), f -> f.at(tick).observe(direct),
            f -> f.at(when).observe(BYTES), f -> f.at(when).observe(WORD), f -> f.at(when).observe(direct),
            f -> f.insert(BYTES), f -> f.insert(WORD), f -> f.insert(direct),
            f -> f.at(tick).insert(BYTES), f -> f.at(tick).insert(WORD), f -> f.at(tick).insert(direct),
            f -> f.at(when).insert(BYTES), f -> f.at(when).insert(WORD), f -> f.at(when).insert(direct)}) {
            try (Filter filter = Try.filter()) {
                form.into(filter);
                assertEveryQuery(Verdict.DUPLICATE, filter, direct, tick, when);
                filter.clear();
                filter.advance(0);
                assertEveryQuery(Verdict.NEW, filter, direct, tick, when);
                insertions++;
            }
        }
        assertEquals(18, insertions);
        try (Filter filter = Try.filter()) {
            assertEquals(Verdict.NEW, filter.at(tick).observe(text));
            filter.at(tick).insert(text + 1);
            filter.at(when).insert(text + 2);
            filter.insert(text + 3);
            assertEquals(Verdict.DUPLICATE, filter.at(when).observe(text));
            assertEquals(Verdict.DUPLICATE, filter.at(tick).contains(text + 1));
            assertEquals(Verdict.DUPLICATE, filter.at(when).contains(text + 2));
            assertEquals(Verdict.DUPLICATE, filter.contains(text + 3));
        }
    }

    private static void assertEveryQuery(Verdict verdict, Filter filter, ByteBuffer direct, long tick, Instant when) {
        assertEquals(verdict, filter.contains(BYTES));
        assertEquals(verdict, filter.contains(WORD));
        assertEquals(verdict, filter.contains(direct));
        assertEquals(verdict, filter.at(tick).contains(BYTES));
        assertEquals(verdict, filter.at(tick).contains(WORD));
        assertEquals(verdict, filter.at(tick).contains(direct));
        assertEquals(verdict, filter.at(when).contains(BYTES));
        assertEquals(verdict, filter.at(when).contains(WORD));
        assertEquals(verdict, filter.at(when).contains(direct));
    }

    /** A call that stores the key. */
    private interface Insertion {
        void into(Filter filter);
    }

    @Test
    void removalIsNotForWindows() {
        try (Filter filter = Try.filter()) {
            Try.fails(Status.UNSUPPORTED, () -> filter.remove(BYTES));
            Try.fails(Status.UNSUPPORTED, () -> filter.remove("text"));
            Try.fails(Status.UNSUPPORTED, () -> filter.remove(WORD));
            Try.fails(Status.UNSUPPORTED, () -> filter.remove(Try.direct(BYTES)));
        }
    }
}
