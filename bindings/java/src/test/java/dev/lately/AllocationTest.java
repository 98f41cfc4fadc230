package dev.lately;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls with arrays, numbers, direct buffers and batches allocate nothing on Java's heap. */
class AllocationTest {
    private static final int CALLS = 20_000;
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

    AllocationTest() {
        Arrays.setAll(offsets, i -> 16L * i);
        Arrays.setAll(numbers, i -> i);
        directOffsets = Try.direct(offsets);
    }

    @ParameterizedTest
    @EnumSource(Held.class)
    void singleCallsAllocateNothing(Held held) {
        try (Filter filter = held.filter()) {
            check("observe(byte[])", CALLS, () -> filter.observe(bytes));
            check("observe(long byte[])", CALLS, () -> filter.observe(longKey));
            check("observeAt(byte[])", CALLS, () -> filter.observeAt(bytes, 5));
            check("observe(long)", CALLS, () -> filter.observe(7L));
            check("observe(direct)", CALLS, () -> filter.observe(direct));
            check("insert(byte[])", CALLS, () -> filter.insert(bytes));
            check("contains(byte[])", CALLS, () -> filter.contains(bytes));
            check("hash(byte[])", CALLS, () -> filter.hash(bytes));
            check("advance", CALLS, () -> filter.advance(5));
        }
    }

    @ParameterizedTest
    @EnumSource(Held.class)
    void batchesAllocateNothing(Held held) {
        try (Filter filter = held.filter()) {
            check("observeAll", BATCHES, () -> filter.observeAll(numbers, verdicts));
            check("observeAllAt", BATCHES, () -> filter.observeAllAt(numbers, ticks, verdicts));
            check("observeHashes", BATCHES, () -> filter.observeHashes(numbers, verdicts));
            check("insertAll", BATCHES, () -> filter.insertAll(numbers));
            check("observeBatch(byte[])", BATCHES, () -> filter.observeBatch(packed, offsets, verdicts));
            check("observeBatch(direct)", BATCHES, () -> filter.observeBatch(directPacked, directOffsets, directVerdicts));
            check("containsBatch(direct)", BATCHES, () -> filter.containsBatch(directPacked, directOffsets, directVerdicts));
        }
    }

    /** The measure itself: a string must be seen to cost something. */
    @Test
    void theMeasureSeesAllocations() {
        try (Filter filter = Try.filter()) {
            assertTrue(perCall(CALLS, () -> filter.observe("a string that becomes bytes")) >= 16);
        }
    }

    private static void check(String name, int calls, Runnable call) {
        assertEquals(0, perCall(calls, call), name + ": bytes per call");
    }

    /**
     * Bytes per call, rounded: the least of three runs, for what the interpreter and the compiler take now and then is not
     * the call's.
     */
    private static long perCall(int calls, Runnable call) {
        run(calls, call);
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            least = Math.min(least, allocated(calls, call));
        }
        return Math.round(least / (double) calls);
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
