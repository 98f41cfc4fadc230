package dev.lately;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls with arrays, texts, numbers, direct buffers and batches allocate nothing on Java's heap, moments neither. */
class AllocationTest {
    private static final int CALLS = 20_000;
    /** On a busy machine the compiler takes its time. */
    private static final long PATIENCE_NANOS = 20_000_000_000L;
    private static final int BATCHES = 1_000;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final byte[] bytes = new byte[16];
    private final byte[] longKey = new byte[5_000];
    private final ByteBuffer direct = ByteBuffer.allocateDirect(16);
    private final long[] numbers = new long[256];
    private final long[] ticks = new long[256];
    private final byte[] verdicts = new byte[256];
    private final byte[] packed = new byte[256 * 16];
    private final long[] offsets = new long[257];
    private final ByteBuffer directPacked = ByteBuffer.allocateDirect(256 * 16);
    private final ByteBuffer directVerdicts = ByteBuffer.allocateDirect(256);
    private final LongBuffer directOffsets;
    private final String text = "text of more than sixteen characters";
    private final UUID uuid = new UUID(1, 2);

    AllocationTest() {
        Arrays.setAll(offsets, i -> 16L * i);
        Arrays.setAll(numbers, i -> i);
        directOffsets = Try.direct(offsets);
    }

    @ParameterizedTest
    @EnumSource(EitherHandle.class)
    void singleCallsAllocateNothing(EitherHandle held) {
        try (Filter filter = held.filter()) {
            check("observe(byte[])", CALLS, () -> filter.observe(bytes));
            check("observe(long byte[])", CALLS, () -> filter.observe(longKey));
            check("at, observe(byte[])", CALLS, () -> filter.at(5).observe(bytes));
            check("observe(String)", CALLS, () -> filter.observe(text));
            check("insert(String)", CALLS, () -> filter.insert(text));
            check("observe(UUID)", CALLS, () -> filter.observe(uuid));
            check("observe(long)", CALLS, () -> filter.observe(7L));
            check("observe(direct)", CALLS, () -> filter.observe(direct));
            check("insert(byte[])", CALLS, () -> filter.insert(bytes));
            check("contains(byte[])", CALLS, () -> filter.contains(bytes));
            check("hash(byte[])", CALLS, () -> filter.hash(bytes));
            check("advance", CALLS, () -> filter.advance(5));
        }
    }

    @ParameterizedTest
    @EnumSource(EitherHandle.class)
    void batchesAllocateNothing(EitherHandle held) {
        try (Filter filter = held.filter()) {
            Keys words = Keys.of(numbers);
            Keys timed = Keys.of(numbers).at(ticks);
            Keys hashes = Keys.ofHashes(numbers);
            Keys arrays = Keys.packed(packed, offsets);
            Keys directs = Keys.packed(directPacked, directOffsets);
            check("numbers", BATCHES, () -> filter.observeAll(words, verdicts));
            check("numbers with ticks", BATCHES, () -> filter.observeAll(timed, verdicts));
            check("hashes", BATCHES, () -> filter.observeAll(hashes, verdicts));
            check("insertAll", BATCHES, () -> filter.insertAll(words));
            check("packed", BATCHES, () -> filter.observeAll(arrays, verdicts));
            check("direct", BATCHES, () -> filter.observeAll(directs, directVerdicts));
            check("containsAll, direct", BATCHES, () -> filter.containsAll(directs, directVerdicts));
        }
    }

    /** The measure itself: a long string must be seen to cost something. */
    @Test
    void theMeasureSeesAllocations() {
        try (Filter filter = Try.filter()) {
            assertTrue(allocated(CALLS, () -> filter.observe(text.repeat(20))) >= 16 * CALLS);
        }
    }

    private static void check(String name, int calls, Runnable call) {
        assertEquals(0, perCall(calls, call), name + ": bytes per call");
    }

    /**
     * Bytes per call, rounded: the least of some runs, for what the interpreter and the compiler take now and then is not the
     * call's, and a moment is left out once its call is compiled with it.
     */
    private static long perCall(int calls, Runnable call) {
        long least = Long.MAX_VALUE;
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (least > 0 && System.nanoTime() < end) {
            least = Math.min(least, Math.round(allocated(calls, call) / (double) calls));
        }
        return least;
    }

    private static long allocated(int calls, Runnable call) {
        long id = Thread.currentThread().getId();
        long before = THREADS.getThreadAllocatedBytes(id);
        run(calls, call);
        return THREADS.getThreadAllocatedBytes(id) - before;
    }

    private static void run(int calls, Runnable call) {
        for (int i = 0; i < calls; i++) {
            call.run();
        }
    }
}
