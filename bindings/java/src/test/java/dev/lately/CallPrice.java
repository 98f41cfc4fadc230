package dev.lately;

import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;

/**
 * The fixed price of a call in nanoseconds, beside an empty native call by the same road: the median of several rounds,
 * on a filter that stays in the nearest cache. It holds the figures against nothing.
 */
public final class CallPrice {
    private static final int ROUNDS = 15;
    private static final int CALLS = 400_000;
    private static final int BATCH = 256;

    private final byte[] key = new byte[16];
    private final ByteBuffer direct = ByteBuffer.allocateDirect(16);
    private final long[] numbers = new long[BATCH];
    private final byte[] verdicts = new byte[BATCH];
    private final byte[] packed = new byte[BATCH * 16];
    private final long[] offsets = new long[BATCH + 1];
    private final byte[] wide = new byte[16 << 20];
    private final ByteBuffer directPacked = ByteBuffer.allocateDirect(BATCH * 16);
    private final ByteBuffer directVerdicts = ByteBuffer.allocateDirect(BATCH);
    private final LongBuffer directOffsets;

    private CallPrice() {
        Arrays.setAll(offsets, i -> 16L * i);
        Arrays.setAll(numbers, i -> i);
        directOffsets = Try.direct(offsets);
    }

    /**
     * Prints one line for each way.
     *
     * @param args none
     */
    public static void main(String[] args) {
        System.out.printf("Java %s, keys of 16 bytes (long: 8), median of %d rounds, ns per key%n",
            Runtime.version(), ROUNDS);
        print("empty native call", 1, Native::abiVersion);
        for (Held held : Held.values()) {
            System.out.println(held);
            try (Filter filter = held.filter()) {
                new CallPrice().singles(filter);
                new CallPrice().batches(filter);
            }
        }
    }

    private void singles(Filter filter) {
        print("observe(byte[])", 1, () -> filter.observe(key));
        print("observe(long)", 1, () -> filter.observe(7L));
        print("observe(direct ByteBuffer)", 1, () -> filter.observe(direct));
        print("observe(String)", 1, () -> filter.observe("sixteen bytes at"));
        print("contains(byte[])", 1, () -> filter.contains(key));
    }

    private void batches(Filter filter) {
        print("observeAll(long[256])", BATCH, () -> filter.observeAll(numbers, verdicts));
        print("observeHashes(long[256])", BATCH, () -> filter.observeHashes(numbers, verdicts));
        print("observeBatch(byte[], 256 keys)", BATCH, () -> filter.observeBatch(packed, offsets, verdicts));
        print("observeBatch(byte[16 MiB], 256 keys)", BATCH, () -> filter.observeBatch(wide, offsets, verdicts));
        print("observeBatch(direct, 256 keys)", BATCH,
            () -> filter.observeBatch(directPacked, directOffsets, directVerdicts));
    }

    private static void print(String name, int keys, Runnable call) {
        double[] rounds = new double[ROUNDS];
        round(keys, call);
        for (int i = 0; i < ROUNDS; i++) {
            rounds[i] = round(keys, call);
        }
        Arrays.sort(rounds);
        System.out.printf("  %-32s %8.1f%n", name, rounds[ROUNDS / 2]);
    }

    private static double round(int keys, Runnable call) {
        int calls = Math.max(1, CALLS / keys);
        long start = System.nanoTime();
        for (int i = 0; i < calls; i++) {
            call.run();
        }
        return (System.nanoTime() - start) / ((double) calls * keys);
    }
}
