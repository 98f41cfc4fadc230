package dev.lately;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Hashes, numbers and text of any type are the same keys as their bytes. */
class MoreKeysTest {
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
            Verdict[] batch = numbers.observeAll(keys);
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
        try (Filter filter = new Filter(options)) {
            filter.insertHash(1);
            filter.insertHashAt(2, 5);
            filter.insertHashAt(3, Instant.ofEpochSecond(1));
            assertEquals(Verdict.DUPLICATE, filter.containsHash(1));
            assertEquals(Verdict.DUPLICATE, filter.containsHashAt(2, 5));
            assertEquals(Verdict.DUPLICATE, filter.containsHashAt(3, Instant.ofEpochSecond(1)));
            assertEquals(Verdict.DUPLICATE, filter.observeHashAt(3, 7));
            assertEquals(Verdict.NEW, filter.observeHashAt(4, Instant.ofEpochSecond(2)));
        }
        try (Filter filter = new Filter(Options.last(5).build())) {
            LatelyException error = assertThrows(LatelyException.class, () -> filter.observeHashAt(1, 5));
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
            assertEquals(Verdict.NEW, filter.observeAll(new long[] {1})[0]);
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

    /** A char would widen to a long: the number 55, and another key than "7". */
    @Test
    void aCharacterIsTextAndNoNumber() {
        try (Filter filter = new Filter(Options.last(100).build())) {
            assertEquals(Verdict.NEW, filter.observe('7'));
            assertEquals(Verdict.DUPLICATE, filter.observe("7"));
            assertEquals(Verdict.NEW, filter.contains(55L));
            assertEquals(Verdict.DUPLICATE, filter.contains('7'));
            assertEquals(filter.hash("7"), filter.hash('7'));
            filter.insert('8');
            assertEquals(Verdict.DUPLICATE, filter.contains("8"));
        }
        try (Filter filter = new Filter(Options.of(Kind.values()[2]).capacity(100).removable(true).build())) {
            filter.insert("9");
            assertEquals(true, filter.remove('9'));
            assertEquals(false, filter.remove(new StringBuilder("9")));
        }
    }
}
