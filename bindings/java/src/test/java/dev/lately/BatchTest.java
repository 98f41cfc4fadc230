package dev.lately;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.jupiter.api.Test;

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

    private static void checkForm(Form form, long[] keys, long[] ticks) {
        try (Filter single = Try.filter(); Filter batch = Try.filter()) {
            byte[] expected = new byte[keys.length];
            for (int i = 0; i < keys.length; i++) {
                byte[] key = key(keys[i], form);
                expected[i] = (byte) (ticks == null ? single.observe(key) : single.observeAt(key, ticks[i])).code();
            }
            assertArrayEquals(expected, form.observe(batch, keys, ticks), form + " observe");
            assertEquals(single.stats().toString(), batch.stats().toString());
            byte[] present = new byte[keys.length];
            Arrays.fill(present, (byte) 1);
            assertArrayEquals(present, form.contains(batch, keys, ticks), form + " contains");
            batch.clear();
            assertArrayEquals(new byte[keys.length], form.contains(batch, keys, ticks), form + " contains after clear");
            form.insert(batch, keys, ticks);
            assertArrayEquals(present, form.contains(batch, keys, ticks), form + " contains after insert");
            assertEquals(0, batch.stats().newCount());
        }
    }

    /** Forms with bytes use keys of different lengths, none at all among them. */
    private static byte[] key(long number, Form form) {
        byte[] word = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(number).array();
        return form.isLongs() ? word : Arrays.copyOf(word, (int) (number % 11));
    }

    /** The ways to hand over many keys. */
    private enum Form {
        LONGS, HASHES, ARRAYS, PACKED, DIRECT;

        boolean isLongs() {
            return this == LONGS || this == HASHES;
        }

        byte[] observe(Filter f, long[] keys, long[] ticks) {
            byte[] out = new byte[keys.length];
            switch (this) {
                case LONGS:
                    if (ticks == null) {
                        return codes(f.observeAll(keys));
                    }
                    f.observeAllAt(keys, ticks, out);
                    return out;
                case HASHES:
                    if (ticks == null) {
                        return codes(f.observeHashes(hashes(f, keys)));
                    }
                    f.observeHashesAt(hashes(f, keys), ticks, out);
                    return out;
                case ARRAYS:
                    return codes(ticks == null ? f.observeAll(arrays(keys)) : f.observeAllAt(arrays(keys), ticks));
                case PACKED:
                    return packed(keys, out, (bytes, offsets) -> {
                        if (ticks == null) {
                            f.observeBatch(bytes, offsets, out);
                        } else {
                            f.observeBatchAt(bytes, offsets, ticks, out);
                        }
                    });
                default:
                    return direct(keys, (bytes, offsets, verdicts) -> {
                        if (ticks == null) {
                            f.observeBatch(bytes, offsets, verdicts);
                        } else {
                            f.observeBatchAt(bytes, offsets, Try.direct(ticks), verdicts);
                        }
                    });
            }
        }

        byte[] contains(Filter f, long[] keys, long[] ticks) {
            byte[] out = new byte[keys.length];
            switch (this) {
                case LONGS:
                    if (ticks == null) {
                        f.containsAll(keys, out);
                        assertArrayEquals(out, codes(f.containsAll(keys)));
                    } else {
                        f.containsAllAt(keys, ticks, out);
                    }
                    return out;
                case HASHES:
                    if (ticks == null) {
                        f.containsHashes(hashes(f, keys), out);
                        assertArrayEquals(out, codes(f.containsHashes(hashes(f, keys))));
                    } else {
                        f.containsHashesAt(hashes(f, keys), ticks, out);
                    }
                    return out;
                case ARRAYS:
                    return codes(ticks == null ? f.containsAll(arrays(keys)) : f.containsAllAt(arrays(keys), ticks));
                case PACKED:
                    return packed(keys, out, (bytes, offsets) -> {
                        if (ticks == null) {
                            f.containsBatch(bytes, offsets, out);
                        } else {
                            f.containsBatchAt(bytes, offsets, ticks, out);
                        }
                    });
                default:
                    return direct(keys, (bytes, offsets, verdicts) -> {
                        if (ticks == null) {
                            f.containsBatch(bytes, offsets, verdicts);
                        } else {
                            f.containsBatchAt(bytes, offsets, Try.direct(ticks), verdicts);
                        }
                    });
            }
        }

        void insert(Filter f, long[] keys, long[] ticks) {
            switch (this) {
                case LONGS:
                    if (ticks == null) {
                        f.insertAll(keys);
                    } else {
                        f.insertAllAt(keys, ticks);
                    }
                    break;
                case HASHES:
                    if (ticks == null) {
                        f.insertHashes(hashes(f, keys));
                    } else {
                        f.insertHashesAt(hashes(f, keys), ticks);
                    }
                    break;
                case ARRAYS:
                    if (ticks == null) {
                        f.insertAll(arrays(keys));
                    } else {
                        f.insertAllAt(arrays(keys), ticks);
                    }
                    break;
                case PACKED:
                    packed(keys, null, (bytes, offsets) -> {
                        if (ticks == null) {
                            f.insertBatch(bytes, offsets);
                        } else {
                            f.insertBatchAt(bytes, offsets, ticks);
                        }
                    });
                    break;
                default:
                    direct(keys, (bytes, offsets, verdicts) -> {
                        if (ticks == null) {
                            f.insertBatch(bytes, offsets);
                        } else {
                            f.insertBatchAt(bytes, offsets, Try.direct(ticks));
                        }
                    });
            }
        }

        private byte[][] arrays(long[] keys) {
            return LongStream.of(keys).mapToObj(number -> key(number, this)).toArray(byte[][]::new);
        }

        private byte[] packed(long[] keys, byte[] out, Heap call) {
            call.on(Packing.bytes(arrays(keys)), Packing.offsets(arrays(keys)));
            return out;
        }

        /** Every buffer begins past its start, so that positions count. */
        private byte[] direct(long[] keys, Direct call) {
            byte[] bytes = Packing.bytes(arrays(keys));
            ByteBuffer wide = ByteBuffer.allocateDirect(bytes.length + 3);
            wide.position(3);
            wide.put(bytes).position(3);
            long[] offsets = Packing.offsets(arrays(keys));
            LongBuffer wideOffsets = Try.direct(LongStream.concat(LongStream.of(-5), LongStream.of(offsets)).toArray());
            wideOffsets.position(1);
            ByteBuffer verdicts = ByteBuffer.allocateDirect(keys.length + 2);
            verdicts.position(2);
            call.on(wide, wideOffsets, verdicts);
            assertEquals(3, wide.position());
            byte[] out = new byte[keys.length];
            verdicts.get(out);
            return out;
        }
    }

    /** A call with packed arrays. */
    private interface Heap {
        void on(byte[] bytes, long[] offsets);
    }

    /** A call with direct buffers. */
    private interface Direct {
        void on(ByteBuffer bytes, LongBuffer offsets, ByteBuffer verdicts);
    }

    private static byte[] codes(Verdict[] verdicts) {
        byte[] codes = new byte[verdicts.length];
        for (int i = 0; i < codes.length; i++) {
            codes[i] = (byte) verdicts[i].code();
        }
        return codes;
    }

    private static long[] hashes(Filter filter, long[] keys) {
        return LongStream.of(keys).map(filter::hash).toArray();
    }

    @Test
    void intoAGivenArray() {
        try (Filter filter = Try.filter()) {
            byte[] verdicts = {UNTOUCHED, UNTOUCHED, UNTOUCHED};
            filter.observeAll(new long[] {5, 5}, verdicts);
            assertArrayEquals(new byte[] {0, 1, UNTOUCHED}, verdicts);
            filter.observeHashes(new long[] {5}, verdicts);
            assertArrayEquals(new byte[] {0, 1, UNTOUCHED}, verdicts);
        }
    }

    /** A refused tick stops a batch; what was done before it is told, and nothing after it is touched. */
    @Test
    void aFailureTellsWhatWasDone() {
        long[] ticks = {5, 6, Long.MAX_VALUE, 7};
        long[] keys = {1, 1, 2, 3};
        try (Filter filter = new Filter(Try.manual().maxStep(Duration.ofSeconds(1)).build())) {
            filter.advance(1);
            byte[] verdicts = {UNTOUCHED, UNTOUCHED, UNTOUCHED, UNTOUCHED};
            assertEquals(2, Try.fails(Status.TICK, () -> filter.observeAllAt(keys, ticks, verdicts)).done());
            assertArrayEquals(new byte[] {0, 1, UNTOUCHED, UNTOUCHED}, verdicts);
            assertEquals(2, Try.fails(Status.TICK, () -> filter.insertHashesAt(keys, ticks)).done());
            ByteBuffer out = Try.direct(new byte[] {UNTOUCHED, UNTOUCHED, UNTOUCHED});
            LatelyException error = Try.fails(Status.TICK, () -> filter.containsBatchAt(Try.direct(new byte[3]),
                Try.direct(new long[] {0, 1, 2, 3}), Try.direct(new long[] {5, 6, Long.MAX_VALUE}), out));
            assertEquals(2, error.done());
            assertEquals(UNTOUCHED, out.get(2));
            assertTrue(error.getMessage().contains("after 2 keys"), error.getMessage());
        }
    }

    /** Only the bytes of the keys are copied, wherever in the array they lie: the verdicts are those of keys at 0. */
    @ParameterizedTest
    @ValueSource(ints = {1, 7, 1000, 100_000})
    void theKeysMayBeginBehindTheStart(int start) {
        byte[][] keys = new Random(start).longs(1000, 0, 400).mapToObj(n -> key(n, Form.PACKED)).toArray(byte[][]::new);
        byte[] bytes = Packing.bytes(keys);
        long[] offsets = Packing.offsets(keys);
        byte[] wide = new byte[start + bytes.length + start];
        Arrays.fill(wide, UNTOUCHED);
        System.arraycopy(bytes, 0, wide, start, bytes.length);
        long[] behind = LongStream.of(offsets).map(offset -> offset + start).toArray();
        byte[] expected = new byte[keys.length];
        byte[] verdicts = new byte[keys.length];
        try (Filter front = Try.filter(); Filter filter = Try.filter()) {
            front.observeBatch(bytes, offsets, expected);
            filter.observeBatch(wide, behind, verdicts);
            assertArrayEquals(expected, verdicts);
            assertEquals(front.stats().toString(), filter.stats().toString());
            filter.containsBatch(bytes, offsets, verdicts);
            front.containsBatch(wide, behind, expected);
            assertArrayEquals(expected, verdicts);
            front.clear();
            front.insertBatch(wide, behind);
            front.containsBatch(bytes, offsets, expected);
            assertArrayEquals(verdicts, expected);
            Try.fails(Status.OFFSETS, () -> filter.insertBatch(wide, new long[] {start, start - 1, start + 1}));
            Try.fails(Status.OFFSETS, () -> filter.insertBatch(wide, new long[] {start, wide.length + 1}));
        }
    }

    @Test
    void wrongOffsetsAreFoundBeforeTheFirstKey() {
        for (long[] offsets : new long[][] {{0, 2, 1}, {0, 1, 5}, {0, -1, 4}, {-1, 0, 4}, {5, 5, 5}}) {
            try (Filter filter = Try.filter()) {
                byte[] verdicts = {UNTOUCHED, UNTOUCHED};
                LatelyException error =
                    Try.fails(Status.OFFSETS, () -> filter.observeBatch(new byte[4], offsets, verdicts));
                assertEquals(0, error.done());
                Try.fails(Status.OFFSETS, () -> filter.insertBatch(Try.direct(new byte[4]), Try.direct(offsets)));
                assertArrayEquals(new byte[] {UNTOUCHED, UNTOUCHED}, verdicts);
                assertEquals(0, filter.stats().items());
            }
        }
    }

    @Test
    void whatDoesNotFitIsRefused() {
        try (Filter filter = Try.filter()) {
            long[] two = {1, 2};
            refuses(() -> filter.observeAll(two, new byte[1]));
            refuses(() -> filter.observeAllAt(two, new long[1], new byte[2]));
            refuses(() -> filter.insertAllAt(two, new long[3]));
            refuses(() -> filter.containsHashes(two, new byte[1]));
            refuses(() -> filter.observeAllAt(new byte[2][1], new long[1]));
            refuses(() -> filter.insertBatch(new byte[1], new long[0]));
            refuses(() -> filter.observeBatch(new byte[1], new long[] {0, 1, 1}, new byte[1]));
            assertThrows(NullPointerException.class, () -> filter.observeAll(two, null));
            assertThrows(NullPointerException.class, () -> filter.observeAllAt(two, null, new byte[2]));
            assertThrows(NullPointerException.class, () -> filter.observeAll((long[]) null));
            assertThrows(NullPointerException.class, () -> filter.observeAll(new byte[][] {{1}, null}));
            assertThrows(NullPointerException.class, () -> filter.insertBatch(null, new long[1]));
            assertEquals(0, filter.stats().items());
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
            refuses(() -> filter.observeBatch(ByteBuffer.allocate(8), offsets, verdicts));
            refuses(() -> filter.observeBatch(bytes, LongBuffer.allocate(2), verdicts));
            refuses(() -> filter.observeBatch(bytes, swapped, verdicts));
            refuses(() -> filter.observeBatchAt(bytes, offsets, swapped, verdicts));
            refuses(() -> filter.observeBatchAt(bytes, offsets, Try.direct(new long[2]), verdicts));
            refuses(() -> filter.observeBatch(bytes, offsets, verdicts.asReadOnlyBuffer()));
            refuses(() -> filter.observeBatch(bytes, offsets, ByteBuffer.allocate(1)));
            refuses(() -> filter.observeBatch(bytes, offsets, ByteBuffer.allocateDirect(0)));
            refuses(() -> filter.observeBatch(bytes, Try.direct(new long[0]), verdicts));
            assertEquals(0, filter.stats().items());
        }
    }

    @Test
    void verdictsMustNotLieOnTheInput() {
        try (Filter filter = Try.filter()) {
            ByteBuffer all = ByteBuffer.allocateDirect(32).order(ByteOrder.nativeOrder());
            all.putLong(0, 0).putLong(8, 8);
            ByteBuffer bytes = part(all, 16, 24);
            refuses(() -> filter.observeBatch(bytes, native16(all), part(all, 23, 24)));
            refuses(() -> filter.observeBatch(bytes, native16(all), part(all, 15, 16)));
            filter.observeBatch(bytes, native16(all), part(all, 24, 25));
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
