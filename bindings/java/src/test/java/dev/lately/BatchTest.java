package dev.lately;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every batch gives the verdicts of single calls, stops where they would, and refuses what does not fit. */
class BatchTest {
    private static final byte UNTOUCHED = 9;

    /** The glue has small batches on its stack and big ones in memory: sizes on both sides. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 255, 256, 257, 350, 400, 600, 1000, 20_000})
    void everyFormIsSingleCalls(int count) {
        Random random = new Random(count);
        long[] keys = random.longs(count, 0, Math.max(1, count / 2)).toArray();
        long[] ticks = random.longs(count, 0, 50_000_000L).toArray();
        for (Form form : Form.values()) {
            checkForm(form, keys, null);
            checkForm(form, keys, ticks);
        }
    }

    private static Filter filter() {
        return EitherHandle.SHARED.filter(Options.window(Duration.ofSeconds(10)).clock(ClockSource.MANUAL).errorRate(1e-9).build());
    }

    private static void empty(Filter filter) {
        filter.clear();
        filter.advance(0);
    }

    private static void checkForm(Form form, long[] numbers, long[] ticks) {
        try (Filter single = filter(); Filter batch = filter()) {
            int count = numbers.length;
            byte[] observed = new byte[count];
            byte[] removed = new byte[count];
            byte[] present = new byte[count];
            Arrays.fill(present, (byte) 1);
            for (int i = 0; i < count; i++) {
                byte[] key = key(numbers[i], form);
                observed[i] = (byte) (ticks == null ? single.observe(key) : single.at(ticks[i]).observe(key)).code();
            }
            Keys keys = form.keys(batch, numbers, ticks);
            assertEquals(count, keys.count());
            assertArrayEquals(observed, codes(batch.observeAll(keys)), form + " observe");
            assertArrayEquals(present, codes(batch.containsAll(keys)), form + " contains");
            assertEquals(single.stats().toString(), batch.stats().toString());
            for (int i = 0; i < count; i++) {
                removed[i] = (byte) (single.remove(key(numbers[i], form)) ? 1 : 0);
            }
            assertArrayEquals(removed, codes(batch.removeAll(keys)), form + " remove");
            assertEquals(single.stats().toString(), batch.stats().toString());
            empty(batch);
            assertArrayEquals(new byte[count], form.into(keys, batch::containsAll, batch::containsAll), form + " contains");
            assertArrayEquals(observed, form.into(keys, batch::observeAll, batch::observeAll), form + " observe");
            assertArrayEquals(removed, form.into(keys, batch::removeAll, batch::removeAll), form + " remove");
            empty(batch);
            batch.insertAll(keys);
            assertArrayEquals(present, form.into(keys, batch::containsAll, batch::containsAll), form + " insert");
            assertEquals(0, batch.stats().newCount());
        }
    }

    /** Forms with bytes use keys of different lengths, none at all among them. */
    private static byte[] key(long number, Form form) {
        byte[] word = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(number).array();
        switch (form) {
            case LONGS:
            case HASHES:
                return word;
            case TEXTS:
                return text(number).getBytes(StandardCharsets.UTF_8);
            default:
                return Arrays.copyOf(word, (int) (number % 11));
        }
    }

    private static String text(long number) {
        return "\u00e9\u20ac\ud83d\ude00".repeat((int) (number % 3)) + number % 7;
    }

    /** The ways to hand over many keys. */
    private enum Form {
        LONGS, HASHES, ARRAYS, TEXTS, PACKED, DIRECT, COLUMN32, COLUMN64;

        private boolean isDirect() {
            return ordinal() >= DIRECT.ordinal();
        }

        Keys keys(Filter filter, long[] numbers, long[] ticks) {
            Keys keys = keys(filter, numbers);
            if (ticks == null) {
                return keys;
            }
            return isDirect() ? keys.at(Try.direct(ticks)) : keys.at(ticks);
        }

        private Keys keys(Filter filter, long[] numbers) {
            switch (this) {
                case LONGS:
                    return Keys.of(numbers);
                case HASHES:
                    return Keys.ofHashes(LongStream.of(numbers).map(filter::hash).toArray());
                case ARRAYS:
                    return Keys.of(arrays(numbers));
                case TEXTS:
                    return Keys.of(LongStream.of(numbers).mapToObj(BatchTest::text).collect(Collectors.toList()));
                case PACKED:
                    return Keys.packed(packed(arrays(numbers)), offsets(arrays(numbers)));
                default:
                    return direct(arrays(numbers));
            }
        }

        /** What a call writes into a room that is too long: an array from its start, a direct buffer from its position. */
        byte[] into(Keys keys, BiConsumer<Keys, byte[]> array, BiConsumer<Keys, ByteBuffer> direct) {
            byte[] room = new byte[keys.count() + 1];
            Arrays.fill(room, UNTOUCHED);
            if (isDirect()) {
                ByteBuffer outside = ByteBuffer.allocateDirect(room.length + 2).position(2).put(room).position(2);
                direct.accept(keys, outside);
                assertEquals(2, outside.position());
                outside.get(room);
            } else {
                array.accept(keys, room);
            }
            assertEquals(UNTOUCHED, room[keys.count()]);
            return Arrays.copyOf(room, keys.count());
        }

        private byte[][] arrays(long[] numbers) {
            return LongStream.of(numbers).mapToObj(number -> key(number, this)).toArray(byte[][]::new);
        }

        /** Every buffer begins past its start, so that positions count, and a bitmap has ones for the keys alone. */
        private Keys direct(byte[][] arrays) {
            byte[] bytes = packed(arrays);
            ByteBuffer wide = ByteBuffer.allocateDirect(bytes.length + 3).position(3).put(bytes).position(3);
            LongBuffer offsets = Try.direct(LongStream.concat(LongStream.of(-5), LongStream.of(offsets(arrays))).toArray());
            offsets.position(1);
            if (this == DIRECT) {
                return Keys.packed(wide, offsets);
            }
            BitSet present = new BitSet();
            present.set(8 + 5, 8 + 5 + arrays.length);
            ByteBuffer validity = Try.direct(Arrays.copyOf(present.toByteArray(), arrays.length / 8 + 3)).position(1);
            return this == COLUMN32 ? Keys.column(wide, ints(offsets), validity, 5) : Keys.column(wide, offsets, validity, 5);
        }

        private static IntBuffer ints(LongBuffer longs) {
            IntBuffer ints = ByteBuffer.allocateDirect(4 * longs.limit()).order(ByteOrder.nativeOrder()).asIntBuffer();
            for (int i = 0; i < longs.limit(); i++) {
                ints.put((int) longs.get(i));
            }
            return ints.position(longs.position());
        }
    }

    private static byte[] packed(byte[][] keys) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] key : keys) {
            all.writeBytes(key);
        }
        return all.toByteArray();
    }

    private static long[] offsets(byte[][] keys) {
        long[] offsets = new long[keys.length + 1];
        for (int i = 0; i < keys.length; i++) {
            offsets[i + 1] = offsets[i] + keys[i].length;
        }
        return offsets;
    }

    private static byte[] codes(Verdict[] verdicts) {
        byte[] codes = new byte[verdicts.length];
        for (int i = 0; i < codes.length; i++) {
            codes[i] = (byte) verdicts[i].code();
        }
        return codes;
    }

    private static byte[] codes(boolean[] flags) {
        byte[] codes = new byte[flags.length];
        for (int i = 0; i < codes.length; i++) {
            codes[i] = (byte) (flags[i] ? 1 : 0);
        }
        return codes;
    }

    /** A refused tick stops a batch; what was done before it is reported, and nothing after it is touched. */
    @Test
    void aFailureTellsWhatWasDone() {
        long[] ticks = {5, 6, Long.MAX_VALUE, 7};
        long[] keys = {1, 1, 2, 3};
        try (Filter filter = new Filter(Options.window(Duration.ofSeconds(10)).clock(ClockSource.MANUAL)
            .maxStep(Duration.ofSeconds(1)).build())) {
            filter.advance(1);
            byte[] verdicts = {UNTOUCHED, UNTOUCHED, UNTOUCHED, UNTOUCHED};
            Keys absent = Keys.of(Arrays.asList("a", null, "b", "c")).at(new long[] {5, 0, Long.MAX_VALUE, 7});
            assertEquals(2, Try.fails(Status.TICK, () -> filter.observeAll(absent, verdicts)).done());
            assertArrayEquals(new byte[] {0, 3, UNTOUCHED, UNTOUCHED}, verdicts);
            assertEquals(2, Try.fails(Status.TICK, () -> filter.observeAll(Keys.of(keys).at(ticks), verdicts)).done());
            assertEquals(2, Try.fails(Status.TICK, () -> filter.removeAll(Keys.of(keys).at(ticks))).done());
            assertArrayEquals(new byte[] {0, 1, UNTOUCHED, UNTOUCHED}, verdicts);
            assertEquals(2, Try.fails(Status.TICK, () -> filter.insertAll(Keys.ofHashes(keys).at(ticks))).done());
            ByteBuffer out = Try.direct(new byte[] {UNTOUCHED, UNTOUCHED, UNTOUCHED});
            Keys direct = Keys.packed(Try.direct(new byte[3]), Try.direct(new long[] {0, 1, 2, 3}))
                .at(Try.direct(new long[] {5, 6, Long.MAX_VALUE}));
            LatelyException error = Try.fails(Status.TICK, () -> filter.containsAll(direct, out));
            assertEquals(2, error.done());
            assertEquals(UNTOUCHED, out.get(2));
            assertTrue(error.getMessage().contains("after 2 keys"), error.getMessage());
        }
    }

    /** Only the bytes of the keys are copied, wherever in the array they lie: the verdicts are those of keys at 0. */
    @ParameterizedTest
    @ValueSource(ints = {1, 7, 100_000})
    void theKeysMayBeginBehindTheStart(int start) {
        byte[][] keys = new Random(start).longs(1000, 0, 400).mapToObj(n -> key(n, Form.PACKED)).toArray(byte[][]::new);
        byte[] bytes = packed(keys);
        byte[] wide = new byte[start + bytes.length + start];
        Arrays.fill(wide, UNTOUCHED);
        System.arraycopy(bytes, 0, wide, start, bytes.length);
        Keys front = Keys.packed(bytes, offsets(keys));
        Keys behind = Keys.packed(wide, LongStream.of(offsets(keys)).map(offset -> offset + start).toArray());
        try (Filter one = filter(); Filter other = filter()) {
            assertArrayEquals(one.observeAll(front), other.observeAll(behind));
            assertEquals(one.stats().toString(), other.stats().toString());
            assertArrayEquals(other.containsAll(front), one.containsAll(behind));
            Try.fails(Status.OFFSETS, () -> one.insertAll(Keys.packed(wide, new long[] {start, start - 1, start + 1})));
            Try.fails(Status.OFFSETS, () -> one.insertAll(Keys.packed(wide, new long[] {start, wide.length + 1})));
        }
    }

    @Test
    void wrongOffsetsAreFoundBeforeTheFirstKey() {
        for (long[] offsets : new long[][] {{0, 2, 1}, {0, 1, 5}, {0, -1, 4}, {-1, 0, 4}, {5, 5, 5}}) {
            try (Filter filter = Try.filter()) {
                byte[] verdicts = {UNTOUCHED, UNTOUCHED};
                LatelyException error =
                    Try.fails(Status.OFFSETS, () -> filter.observeAll(Keys.packed(new byte[4], offsets), verdicts));
                assertEquals(0, error.done());
                Try.fails(Status.OFFSETS, () -> filter.insertAll(Keys.packed(Try.direct(new byte[4]), Try.direct(offsets))));
                assertArrayEquals(new byte[] {UNTOUCHED, UNTOUCHED}, verdicts);
                assertEquals(0, filter.stats().items());
            }
        }
    }

    @Test
    void whatDoesNotFitIsRefused() {
        try (Filter filter = Try.filter()) {
            long[] two = {1, 2};
            refuses(() -> filter.observeAll(Keys.of(two), new byte[1]));
            refuses(() -> filter.observeAll(Keys.of(two).at(new long[1]), new byte[2]));
            refuses(() -> filter.insertAll(Keys.of(two).at(new long[3])));
            refuses(() -> filter.containsAll(Keys.ofHashes(two), new byte[1]));
            refuses(() -> filter.observeAll(Keys.of(new byte[2][1]).at(new long[1])));
            refuses(() -> filter.insertAll(Keys.packed(new byte[1], new long[0])));
            refuses(() -> filter.observeAll(Keys.packed(new byte[1], new long[] {0, 1, 1}), new byte[1]));
            assertEquals("removed must have room for each key: 1 for 2",
                assertThrows(IllegalArgumentException.class, () -> filter.removeAll(Keys.of(two), new byte[1])).getMessage());
            assertThrows(NullPointerException.class, () -> filter.observeAll(Keys.of(two), (byte[]) null));
            assertThrows(NullPointerException.class, () -> Keys.of(two).at((long[]) null));
            assertThrows(NullPointerException.class, () -> filter.observeAll(Keys.of((long[]) null)));
            assertThrows(NullPointerException.class, () -> filter.insertAll(Keys.packed(null, new long[1])));
            refuses(() -> filter.observeAll(Keys.of(two), ByteBuffer.allocateDirect(2)));
            refuses(() -> Keys.of(two).at(Try.direct(two)));
            refuses(() -> Keys.packed(Try.direct(new byte[1]), Try.direct(two)).at(two));
            refuses(() -> filter.observeAll(Keys.packed(Try.direct(new byte[2]), Try.direct(two)), new byte[1]));
            assertEquals(0, filter.stats().items());
        }
    }

    /** A null is no key, in arrays and texts as in the columns of {@code vectors.txt}. */
    @Test
    void absentKeys_haveAVerdictAndAreNotObserved() {
        byte[][] arrays = {null, {1}, null, {1}, {}, null};
        List<String> texts = Arrays.asList(null, "a", null, "a", "", null);
        ByteBuffer validity = Try.direct(new byte[] {0b0001_1010});
        Keys column = Keys.column(Try.direct(new byte[] {1, 1}), Try.direct(new long[] {0, 0, 1, 1, 2, 2, 2}), validity, 0);
        for (Keys keys : new Keys[] {Keys.of(arrays), Keys.of(texts), column}) {
            try (Filter filter = filter()) {
                assertArrayEquals(new byte[] {3, 0, 3, 1, 0, 3}, codes(filter.observeAll(keys)));
                assertEquals("2 1", filter.stats().newCount() + " " + filter.stats().duplicateCount());
                assertArrayEquals(new byte[] {3, 1, 3, 1, 1, 3}, codes(filter.containsAll(keys)));
                assertArrayEquals(new byte[] {0, 1, 0, 0, 1, 0}, codes(filter.removeAll(keys)));
                filter.insertAll(keys);
                assertEquals(2, filter.stats().items());
            }
        }
    }

    /** Arrays and texts are copied when their keys are made; numbers are read by each call. */
    @Test
    void keys_readArraysOnceAndNumbersEachTime() {
        byte[][] arrays = {{1}};
        long[] numbers = {1};
        Keys copied = Keys.of(arrays);
        Keys seen = Keys.of(numbers);
        try (Filter filter = Try.filter()) {
            filter.insertAll(copied);
            filter.insertAll(seen);
            arrays[0][0] = 2;
            numbers[0] = 2;
            assertEquals(Verdict.DUPLICATE, filter.containsAll(copied)[0]);
            assertEquals(Verdict.NEW, filter.containsAll(seen)[0]);
        }
    }

    @Test
    void buffersThatCannotBeUsedInPlaceAreRefused() {
        try (Filter filter = Try.filter()) {
            ByteBuffer bytes = ByteBuffer.allocateDirect(8);
            LongBuffer offsets = Try.direct(new long[] {0, 8});
            ByteBuffer verdicts = ByteBuffer.allocateDirect(1);
            ByteOrder foreign = ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? ByteOrder.LITTLE_ENDIAN
                : ByteOrder.BIG_ENDIAN;
            LongBuffer swapped = ByteBuffer.allocateDirect(16).order(foreign).asLongBuffer();
            refuses(() -> filter.observeAll(Keys.packed(ByteBuffer.allocate(8), offsets), verdicts));
            refuses(() -> filter.observeAll(Keys.packed(bytes, LongBuffer.allocate(2)), verdicts));
            refuses(() -> filter.observeAll(Keys.packed(bytes, swapped), verdicts));
            refuses(() -> filter.observeAll(Keys.packed(bytes, offsets).at(swapped), verdicts));
            refuses(() -> filter.observeAll(Keys.packed(bytes, offsets).at(Try.direct(new long[2])), verdicts));
            refuses(() -> filter.observeAll(Keys.packed(bytes, offsets), verdicts.asReadOnlyBuffer()));
            refuses(() -> filter.observeAll(Keys.packed(bytes, offsets), ByteBuffer.allocate(1)));
            refuses(() -> filter.observeAll(Keys.packed(bytes, offsets), ByteBuffer.allocateDirect(0)));
            refuses(() -> filter.observeAll(Keys.packed(bytes, Try.direct(new long[0])), verdicts));
            ByteBuffer bits = Try.direct(new byte[1]);
            refuses(() -> Keys.column(bytes, Try.direct(new long[10]), bits, 0));
            refuses(() -> Keys.column(bytes, offsets, bits, 8));
            refuses(() -> Keys.column(bytes, offsets, bits, -1));
            refuses(() -> Keys.column(bytes, offsets, ByteBuffer.allocate(1), 0));
            refuses(() -> Keys.column(bytes, IntBuffer.allocate(5), null, 0));
            Keys column = Keys.column(bytes, offsets, bits, 0);
            refuses(() -> filter.observeAll(column, bits.duplicate()));
            bits.position(1);
            refuses(() -> filter.observeAll(column));
            assertEquals(0, filter.stats().items());
        }
    }

    @Test
    void verdictsMustNotLieOnTheInput() {
        try (Filter filter = Try.filter()) {
            ByteBuffer all = ByteBuffer.allocateDirect(32).order(ByteOrder.nativeOrder());
            all.putLong(0, 0).putLong(8, 8);
            ByteBuffer bytes = part(all, 16, 24);
            refuses(() -> filter.observeAll(Keys.packed(bytes, native16(all)), part(all, 23, 24)));
            refuses(() -> filter.observeAll(Keys.packed(bytes, native16(all)), part(all, 15, 16)));
            filter.observeAll(Keys.packed(bytes, native16(all)), part(all, 24, 25));
            assertEquals(1, filter.stats().newCount());
        }
    }

    private static LongBuffer native16(ByteBuffer all) {
        return part(all, 0, 16).order(ByteOrder.nativeOrder()).asLongBuffer();
    }

    private static ByteBuffer part(ByteBuffer all, int from, int to) {
        ByteBuffer part = all.duplicate();
        part.limit(to).position(from);
        return part.slice();
    }

    private static void refuses(Runnable call) {
        assertThrows(IllegalArgumentException.class, call::run);
    }
}
