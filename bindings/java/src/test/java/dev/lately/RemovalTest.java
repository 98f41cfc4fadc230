package dev.lately;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Removal from a window: at a moment, many keys in one call, and the count of it. */
class RemovalTest {
    private static final long SECOND = 1_000_000_000L;

    private static Options.Builder window() {
        return Options.window(Duration.ofSeconds(10)).clock(ClockSource.MANUAL).errorRate(1e-9);
    }

    @ParameterizedTest
    @EnumSource
    void aRemovalIsJudgedAtItsMomentAndMovesNoClock(EitherHandle held) {
        try (Filter filter = held.filter(window().build())) {
            UUID uuid = new UUID(1, 2);
            byte[] bytes = {1, 2, 3};
            for (int i = 0; i < 2; i++) {
                filter.insert("a");
                filter.insert("b");
                filter.insert(7L);
                filter.insert(uuid);
                filter.insert(bytes);
            }
            FilterAt edge = filter.at(10 * SECOND);
            assertTrue(edge.remove("a"));
            assertFalse(filter.at(Instant.ofEpochSecond(12)).remove("b"));
            assertTrue(edge.remove(7L));
            assertTrue(edge.remove(uuid));
            assertTrue(edge.remove(ByteBuffer.wrap(bytes)));
            assertFalse(edge.remove(bytes));
            assertEquals(4, filter.stats().removed());
            assertEquals(0, filter.stats().clock());
            assertEquals(0, filter.stats().items());
            assertEquals(Verdict.NEW, filter.observe("b"));
            assertTrue(filter.remove("b"));
            assertEquals(5, filter.stats().removed());
        }
        try (Filter unset = held.make(window().build()); Filter system = held.make(Options.last(10).build())) {
            Try.fails(Status.CLOCK, () -> unset.remove("a"));
            Try.fails(Status.CLOCK, () -> system.at(1).remove("a"));
        }
    }

    /** The keys 1, 2, 1, 3 in every form, with and without ticks: a key that is given twice is there once. */
    @ParameterizedTest
    @EnumSource
    void aBatchIsSoManyRemovals(EitherHandle held) {
        long[] words = {1, 2, 1, 3};
        long[] ticks = {SECOND, 12 * SECOND, 2 * SECOND, 0};
        byte[] back = ByteBuffer.allocate(32).order(ByteOrder.LITTLE_ENDIAN).putLong(1).putLong(2).putLong(1).putLong(3).array();
        long[] offsets = {0, 8, 16, 24, 32};
        byte[][] arrays = new byte[4][];
        long[] hashes = new long[4];
        for (int i = 0; i < 4; i++) {
            arrays[i] = Arrays.copyOfRange(back, 8 * i, 8 * i + 8);
            hashes[i] = Lately.hash64(arrays[i], 0);
        }
        for (boolean timed : new boolean[] {false, true}) {
            boolean[] want = {true, !timed, false, false};
            for (Keys keys : List.of(Keys.of(words), Keys.ofHashes(hashes), Keys.of(arrays), Keys.packed(back, offsets))) {
                Keys given = timed ? keys.at(ticks) : keys;
                try (Filter filter = filled(held); Filter single = filled(held)) {
                    assertArrayEquals(want, filter.removeAll(given));
                    for (int i = 0; i < 4; i++) {
                        assertEquals(want[i], timed ? single.at(ticks[i]).remove(arrays[i]) : single.remove(arrays[i]));
                    }
                    assertEquals(timed ? 1 : 2, filter.stats().removed());
                    assertArrayEquals(single.snapshot(), filter.snapshot());
                }
                try (Filter filter = filled(held)) {
                    byte[] room = {9, 9, 9, 9, 9};
                    filter.removeAll(given, room);
                    assertArrayEquals(new byte[] {1, (byte) (timed ? 0 : 1), 0, 0, 9}, room);
                }
            }
            Keys keys = Keys.packed(Try.direct(back), Try.direct(offsets));
            Keys given = timed ? keys.at(Try.direct(ticks)) : keys;
            try (Filter filter = filled(held)) {
                assertArrayEquals(want, filter.removeAll(given));
            }
            try (Filter filter = filled(held)) {
                ByteBuffer room = Try.direct(new byte[] {9, 9, 9, 9});
                filter.removeAll(given, room);
                assertEquals(Try.direct(new byte[] {1, (byte) (timed ? 0 : 1), 0, 0}), room);
                assertEquals(timed ? 1 : 2, filter.stats().removed());
            }
        }
    }

    private static Filter filled(EitherHandle held) {
        Filter filter = held.filter(window().build());
        filter.insertAll(Keys.of(new long[] {1, 2}));
        return filter;
    }

    @ParameterizedTest
    @EnumSource
    void anAbsentKeyIsNotThere(EitherHandle held) {
        try (Filter filter = held.filter(window().build())) {
            filter.insertAll(Keys.of(List.of("", "a", "b")));
            assertArrayEquals(new boolean[] {false, true}, filter.removeAll(Keys.of(Arrays.asList(null, "a"))));
            IntBuffer offsets = ByteBuffer.allocateDirect(12).order(ByteOrder.nativeOrder()).asIntBuffer();
            offsets.put(new int[] {0, 0, 1}).flip();
            ByteBuffer b = Try.direct("b".getBytes(StandardCharsets.UTF_8));
            Keys column = Keys.column(b, offsets, Try.direct(new byte[] {2}), 0);
            assertArrayEquals(new boolean[] {false, true}, filter.removeAll(column));
            assertEquals(Verdict.DUPLICATE, filter.contains(""));
            assertEquals(2, filter.stats().removed());
        }
    }

    @ParameterizedTest
    @EnumSource
    void batchesOfRemovalsMustFitAndBeOfAFilterThatRemoves(EitherHandle held) {
        try (Filter filter = held.filter(window().maxStep(Duration.ofSeconds(1)).build()); Filter other = held.filter()) {
            filter.insertAll(Keys.of(new long[] {1, 2}));
            byte[] room = new byte[1];
            IllegalArgumentException unfit =
                assertThrows(IllegalArgumentException.class, () -> filter.removeAll(Keys.of(new long[] {1, 2}), room));
            assertEquals("removed must have room for each key: 1 for 2", unfit.getMessage());
            Keys late = Keys.of(new long[] {1, 2}).at(new long[] {0, 2 * SECOND});
            assertEquals(1, Try.fails(Status.TICK, () -> filter.removeAll(late)).done());
            assertEquals(1, filter.stats().removed());
            assertArrayEquals(new boolean[0], filter.removeAll(Keys.of(new long[0])));
            assertEquals(0, Try.fails(Status.UNSUPPORTED, () -> other.removeAll(Keys.of(new long[] {1}))).done());
            Try.fails(Status.UNSUPPORTED, () -> other.removeAll(Keys.of(new long[0])));
        }
    }

    @ParameterizedTest
    @EnumSource
    void anOpenClaimStaysOpen(EitherHandle held) {
        try (Filter filter = held.filter(window().lease(Duration.ofSeconds(5)).build())) {
            Claim claim = filter.claim("a");
            assertArrayEquals(new boolean[] {false}, filter.removeAll(Keys.of(List.of("a"))));
            assertEquals(Committed.IN_TIME, claim.commit());
            assertArrayEquals(new boolean[] {true}, filter.removeAll(Keys.of(List.of("a"))));
            assertEquals(1, filter.stats().removed());
        }
    }
}
