package dev.lately;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every verb by every form of a key, at a moment: all forms of the same bytes are the same key, and a buffer stays as it is. */
class KeyVerbsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final byte[] UUID_BYTES = {0, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, (byte) 0x88, (byte) 0x99, (byte) 0xaa,
        (byte) 0xbb, (byte) 0xcc, (byte) 0xdd, (byte) 0xee, (byte) 0xff};
    private static final Options WINDOW = Options.window(Duration.ofSeconds(70)).clock(ClockSource.MANUAL)
        .lease(Duration.ofSeconds(30)).errorRate(1e-9).build();

    /** A key as a verb takes it, and the bytes that it is. */
    private static final class Form {
        private final Class<?> type;
        private final Object key;
        private final byte[] bytes;

        Form(Class<?> type, Object key, byte[] bytes) {
            this.type = type;
            this.key = key;
            this.bytes = bytes;
        }

        Object call(Object filter, String verb) throws ReflectiveOperationException {
            return filter.getClass().getMethod(verb, type).invoke(filter, key);
        }

        Object call(Object filter, String verb, long token) throws ReflectiveOperationException {
            return filter.getClass().getMethod(verb, type, long.class).invoke(filter, key, token);
        }

        @Override
        public String toString() {
            return type.getSimpleName() + " " + key;
        }
    }

    /** A buffer from a position to a limit. */
    private static Form part(ByteBuffer buffer, int start) {
        return new Form(ByteBuffer.class, buffer.limit(start + 8).position(start), Arrays.copyOfRange(UUID_BYTES, 3, 11));
    }

    private static Form text(CharSequence text) {
        return new Form(CharSequence.class, text, text.toString().getBytes(UTF_8));
    }

    static Stream<Form> forms() {
        byte[] whole = UUID_BYTES;
        return Stream.of(new Form(byte[].class, whole, whole), new Form(byte[].class, new byte[0], new byte[0]),
            new Form(byte[].class, new byte[3000], new byte[3000]),
            part(ByteBuffer.wrap(whole), 3), part(ByteBuffer.wrap(whole).position(2).slice(), 1),
            part(ByteBuffer.wrap(whole).asReadOnlyBuffer(), 3), part(Try.direct(whole), 3),
            part(Try.direct(whole).position(2).slice(), 1), part(Try.direct(whole).asReadOnlyBuffer(), 3),
            text("Gr\u00fc\u00dfe \ud83d\ude00 \0"), text(new StringBuilder("caf\u00e9")), text(""),
            new Form(long.class, 0x0102030405067788L, new byte[] {(byte) 0x88, 0x77, 6, 5, 4, 3, 2, 1}),
            new Form(UUID.class, UUID.fromString("00112233-4455-6677-8899-aabbccddeeff"), whole));
    }

    @ParameterizedTest
    @MethodSource("forms")
    void everyVerbOfEveryFormActsOnItsBytes(Form form) throws ReflectiveOperationException {
        for (EitherHandle held : EitherHandle.values()) {
            try (Filter filter = held.filter(WINDOW)) {
                FilterAt now = filter.at(SECOND);
                form.call(now, "insert");
                assertEquals(Verdict.DUPLICATE, filter.contains(form.bytes));
                assertEquals(true, form.call(now, "remove"));
                assertEquals(Verdict.NEW, filter.contains(form.bytes));
                assertEquals(Verdict.NEW, form.call(now, "contains"));
                assertEquals(Verdict.NEW, ((Sighting) form.call(now, "containsAge")).verdict());
                assertEquals(Verdict.NEW, form.call(now, "observe"));
                assertEquals(Verdict.DUPLICATE, filter.contains(form.bytes));
                assertEquals(Verdict.DUPLICATE, ((Sighting) form.call(now, "observeAge")).verdict());
                assertEquals("1 1", filter.stats().newCount() + " " + filter.stats().duplicateCount());
                assertTrue(filter.remove(form.bytes));
                long token = ((Claim) form.call(now, "claim")).token();
                assertEquals(Verdict.PENDING, filter.claim(form.bytes).verdict());
                form.call(now, "abandon", token);
                token = filter.claim(form.bytes).token();
                assertEquals(Committed.IN_TIME, form.call(filter.at(2 * SECOND), "commit", token));
                assertEquals("0 " + 2 * SECOND, filter.stats().openClaims() + " " + filter.stats().clock());
                assertEquals(Lately.hash64(form.bytes, 0), form.call(filter, "hash"));
            }
        }
    }

    /** A filter whose clock was never set has no other moment than the one of the call. */
    @ParameterizedTest
    @MethodSource("forms")
    void everyVerbOfEveryFormIsAtItsMoment(Form form) throws ReflectiveOperationException {
        for (String verb : List.of("observe", "insert", "contains", "remove", "observeAge", "containsAge", "claim")) {
            try (Filter unset = new Filter(WINDOW)) {
                form.call(unset.at(SECOND), verb);
                boolean moves = !verb.startsWith("contains") && !verb.equals("remove");
                assertEquals(moves ? SECOND : 0, unset.stats().clock(), verb);
            }
        }
    }

    @Test
    void hashesHaveVerbsOfTheirOwn() {
        Options options = Options.window(Duration.ofMinutes(1)).clock(ClockSource.MANUAL).build();
        try (Filter filter = new Filter(options)) {
            filter.at(5).insertHash(filter.hash("a"));
            assertEquals(Verdict.DUPLICATE, filter.contains("a"));
            assertEquals(Verdict.NEW, filter.at(7).observeHash(filter.hash("b")));
            assertEquals(Verdict.DUPLICATE, filter.containsHash(filter.hash("b")));
            assertEquals(Verdict.NEW, filter.containsHash(filter.hash("c")));
            assertEquals(7, filter.stats().clock());
        }
        for (Options noHashes : List.of(Options.last(5).keyed(true).build(), WINDOW)) {
            try (Filter filter = EitherHandle.SHARED.filter(noHashes)) {
                Try.fails(Status.UNSUPPORTED, () -> filter.observeHash(1));
                Try.fails(Status.UNSUPPORTED, () -> filter.insertHash(1));
                Try.fails(Status.UNSUPPORTED, () -> filter.containsHash(1));
                Try.fails(Status.UNSUPPORTED, () -> filter.observeAll(Keys.ofHashes(new long[] {1})));
            }
        }
    }

    @Test
    void aSightingIsABracketAroundTheAge() {
        try (Filter filter = EitherHandle.SHARED.filter(WINDOW)) {
            filter.insert("key");
            Sighting sighting = filter.at(25 * SECOND).observeAge("key");
            assertTrue(sighting.atLeast() <= 25 * SECOND && sighting.atMost() >= 25 * SECOND, sighting.toString());
            assertTrue(sighting.atMost() - sighting.atLeast() <= 10 * SECOND, sighting.toString());
            assertEquals(new Sighting(Verdict.NEW, 0, 0), filter.containsAge("other"));
            assertNotEquals(sighting, filter.containsAge("key"));
            assertNotEquals(sighting, filter.containsAge("other"));
        }
        Sighting sighting = new Sighting(Verdict.DUPLICATE, SECOND, -1L);
        assertEquals(sighting.hashCode(), new Sighting(Verdict.DUPLICATE, SECOND, -1L).hashCode());
        assertEquals(Duration.ofSeconds(1), sighting.atLeastTime());
        assertEquals(Duration.ofSeconds(18_446_744_073L, 709_551_615), sighting.atMostTime());
        assertEquals("Sighting[verdict=DUPLICATE, atLeast=1000000000, atMost=18446744073709551615]", sighting.toString());
    }

    /** The glue has the bytes of a key on its stack up to a size; both sides of it, and far past it. */
    @Test
    void longKeysAreWhole() {
        for (int length : new int[] {255, 256, 257, 1023, 1024, 1025, 65_537, 3_000_000}) {
            byte[] key = new byte[length];
            Arrays.fill(key, (byte) 7);
            try (Filter filter = EitherHandle.SHARED.filter(WINDOW)) {
                filter.insert(key);
                assertEquals(Verdict.DUPLICATE, filter.contains(Try.direct(key)));
                assertEquals(Verdict.DUPLICATE, filter.containsAge(key).verdict());
                assertEquals(filter.hash(Try.direct(key)), filter.hash(key));
                key[length - 1] = 8;
                assertEquals(Verdict.NEW, filter.contains(key));
                assertEquals(filter.hash(Try.direct(key)), Lately.hash64(key, 0));
                assertEquals(Committed.IN_TIME, filter.claim(key).commit());
                assertEquals(Verdict.DUPLICATE, filter.contains(key));
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
                        assertEquals(Verdict.DUPLICATE, filter.contains(key.getBytes(UTF_8)), length + tail);
                        assertEquals(Verdict.NEW, filter.contains(key + "y"), length + tail);
                    }
                }
            }
        }
    }
}
