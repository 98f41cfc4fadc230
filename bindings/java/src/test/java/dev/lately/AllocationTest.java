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
            check("observe(byte[])", () -> filter.observe(bytes));
            check("observe(long byte[])", () -> filter.observe(longKey));
            check("observeAt(byte[])", () -> filter.observeAt(bytes, 5));
            check("observe(long)", () -> filter.observe(7L));
            check("observe(direct)", () -> filter.observe(direct));
            check("insert(byte[])", () -> filter.insert(bytes));
            check("contains(byte[])", () -> filter.contains(bytes));
            check("hash(byte[])", () -> filter.hash(bytes));
            check("advance", () -> filter.advance(5));
        }
    }

    @ParameterizedTest
    @EnumSource(Held.class)
    void batchesAllocateNothing(Held held) {
        try (Filter filter = held.filter()) {
            check("observeAll", () -> filter.observeAll(numbers, verdicts));
            check("observeAllAt", () -> filter.observeAllAt(numbers, ticks, verdicts));
            check("observeHashes", () -> filter.observeHashes(numbers, verdicts));
            check("insertAll", () -> filter.insertAll(numbers));
            check("observeBatch(byte[])", () -> filter.observeBatch(packed, offsets, verdicts));
            check("observeBatch(direct)", () -> filter.observeBatch(directPacked, directOffsets, directVerdicts));
            check("containsBatch(direct)", () -> filter.containsBatch(directPacked, directOffsets, directVerdicts));
        }
    }

    /** The measure itself: a string must be seen to cost something. */
    @Test
    void theMeasureSeesAllocations() {
        try (Filter filter = Try.filter()) {
            assertTrue(perCall(() -> filter.observe("a string that becomes bytes")) >= 16);
        }
    }

    private static void check(String name, Runnable call) {
        assertEquals(0, perCall(call), name + ": bytes per call");
    }

    /** Bytes per call, rounded; warmed up first, since the interpreter and the compiler have costs of their own. */
    private static long perCall(Runnable call) {
        run(call);
        long id = Thread.currentThread().getId();
        long before = THREADS.getThreadAllocatedBytes(id);
        run(call);
        return Math.round((THREADS.getThreadAllocatedBytes(id) - before) / (double) CALLS);
    }

    private static void run(Runnable call) {
        for (int i = 0; i < CALLS; i++) {
            call.run();
        }
    }
}
