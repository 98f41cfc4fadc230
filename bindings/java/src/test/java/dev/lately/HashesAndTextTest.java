package dev.lately;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Hashes, numbers, UUIDs and text of any type are the same keys as their bytes. */
class HashesAndTextTest {
    private static byte[] eight(long key) {
        return ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(key).array();
    }

    @Test
    void aHashOrANumberStandsForItsBytes() {
        Options options = Options.last(1000).build();
        try (Filter bytes = new Filter(options); Filter hashes = Filter.unshared(options);
            Filter numbers = new Filter(options)) {
            long[] keys = new long[300];
            for (int i = 0; i < keys.length; i++) {
                keys[i] = (long) i * i % 97 * 0x9e3779b97f4a7c15L;
            }
            Verdict[] batch = numbers.observeAll(Keys.of(keys));
            for (int i = 0; i < keys.length; i++) {
                Verdict want = bytes.observe(eight(keys[i]));
                long hash = bytes.hash(eight(keys[i]));
                assertEquals(want, hashes.containsHash(hash), "key " + i);
                assertEquals(want, hashes.observeHash(hash), "key " + i);
                assertEquals(want, batch[i], "key " + i);
                assertEquals(Verdict.DUPLICATE, numbers.contains(eight(keys[i])), "key " + i);
            }
            assertEquals(bytes.stats().toString(), numbers.stats().toString());
            assertEquals(bytes.stats().toString(), hashes.stats().toString());
        }
    }

    @Test
    void hashesTakeTicks() {
        Options options = Options.window(Duration.ofMinutes(1)).clock(ClockSource.MANUAL).build();
        try (Filter filter = EitherHandle.SHARED.filter(options)) {
            filter.insertHash(1);
            filter.at(5).insertHash(2);
            filter.at(Instant.ofEpochSecond(1)).insertHash(3);
            assertEquals(Verdict.DUPLICATE, filter.containsHash(1));
            assertEquals(Verdict.DUPLICATE, filter.at(5).containsHash(2));
            assertEquals(Verdict.DUPLICATE, filter.at(Instant.ofEpochSecond(1)).containsHash(3));
            assertEquals(Verdict.DUPLICATE, filter.at(7).observeHash(3));
            assertEquals(Verdict.NEW, filter.at(Instant.ofEpochSecond(2)).observeHash(4));
        }
        try (Filter filter = new Filter(Options.last(5).build())) {
            LatelyException error = assertThrows(LatelyException.class, () -> filter.at(5).observeHash(1));
            assertEquals(Status.CLOCK, error.status());
        }
    }

    @Test
    void aKeyedFilterTakesNoHash() {
        try (Filter filter = new Filter(Options.last(5).keyed(true).build())) {
            assertEquals(Status.UNSUPPORTED,
                assertThrows(LatelyException.class, () -> filter.observeHash(1)).status());
            assertEquals(Status.UNSUPPORTED, assertThrows(LatelyException.class, () -> filter.insertHash(1)).status());
            assertEquals(Status.UNSUPPORTED,
                assertThrows(LatelyException.class, () -> filter.containsHash(1)).status());
            assertEquals(Verdict.NEW, filter.observeAll(Keys.of(new long[] {1}))[0]);
        }
    }

    @Test
    void textOfAnyTypeIsItsBytes() {
        try (Filter filter = new Filter(Options.last(100).build())) {
            CharSequence text = new StringBuilder("caf\u00e9");
            assertEquals(Verdict.NEW, filter.observe(text));
            assertEquals(Verdict.DUPLICATE, filter.observe("caf\u00e9"));
            assertEquals(Verdict.DUPLICATE, filter.contains(text));
            assertEquals(filter.hash("caf\u00e9"), filter.hash(text));
            filter.insert(new StringBuilder("b"));
            assertEquals(Verdict.DUPLICATE, filter.contains("b"));
        }
    }

    /** Short and long ones go into native code by two ways, of ASCII alone by a third. */
    @Test
    void text_ofAnyLength_isItsUtf8() {
        String[] tails = {"", "z", "\0", "\u007f", "\u0080", "\u00e9", "\u07ff", "\u0800", "\u20ac", "\uffff", "\ud83d\ude00",
            "\udbff\udfff", "\ud83d", "\ude00", "\ude00\ud83d", "\ud83d\ud83d\ude00", "\ud83dz", "\u00e9\0"};
        for (int length : new int[] {0, 1, 7, 8, 15, 16, 39, 125, 126, 127, 128, 129, 509, 510, 511, 512, 513, 2000}) {
            for (String tail : tails) {
                for (String key : new String[] {"x".repeat(length) + tail, tail + "x".repeat(length)}) {
                    try (Filter filter = Try.filter()) {
                        filter.insert(key);
                        assertEquals(Verdict.DUPLICATE, filter.contains(key.getBytes(StandardCharsets.UTF_8)), length + tail);
                        assertEquals(Verdict.DUPLICATE, filter.contains(new StringBuilder(key)), length + tail);
                        assertEquals(Verdict.NEW, filter.contains(key + "y"), length + tail);
                    }
                }
            }
        }
    }

    /** Its 16 bytes in the order of its text, with every verb. */
    @Test
    void uuid_isItsBytesInTheOrderOfItsText() {
        UUID key = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");
        byte[] bytes = {0, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, (byte) 0x88, (byte) 0x99, (byte) 0xaa, (byte) 0xbb,
            (byte) 0xcc, (byte) 0xdd, (byte) 0xee, (byte) 0xff};
        Options options = Options.window(Duration.ofMinutes(1)).clock(ClockSource.MANUAL).build();
        try (Filter filter = EitherHandle.SHARED.filter(options); Filter set = new Filter(Options.of(Kind.values()[2]).capacity(100).removable(true).build())) {
            assertEquals(Verdict.NEW, filter.observe(key));
            assertEquals(Verdict.DUPLICATE, filter.contains(bytes));
            assertEquals(Verdict.DUPLICATE, filter.at(5).observe(key));
            assertEquals(Verdict.DUPLICATE, filter.observeAge(key).verdict());
            assertEquals(Verdict.DUPLICATE, filter.containsAge(key).verdict());
            assertEquals(filter.hash(bytes), filter.hash(key));
            assertEquals(Verdict.NEW, filter.contains(new UUID(key.getLeastSignificantBits(), key.getMostSignificantBits())));
            filter.clear();
            filter.advance(5);
            assertEquals(Verdict.NEW, filter.contains(key));
            filter.insert(key);
            assertEquals(Verdict.DUPLICATE, filter.contains(bytes));
            set.insert(key);
            assertEquals(true, set.remove(key));
            assertEquals(Verdict.NEW, set.contains(bytes));
        }
    }

    /** What a test puts in the place of a filter gets the bytes that a filter would have. */
    @Test
    void duplicateFilter_getsTheBytesOfEveryForm() {
        List<byte[]> keys = new ArrayList<>();
        DuplicateFilter spy = key -> {
            keys.add(key);
            return Verdict.NEW;
        };
        spy.observe(new UUID(1, 2));
        spy.observe(new StringBuilder("\u00e9"));
        spy.observe(7);
        spy.close();
        assertArrayEquals(new byte[][] {{0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2}, {(byte) 0xc3, (byte) 0xa9},
            {7, 0, 0, 0, 0, 0, 0, 0}}, keys.toArray());
    }
}
