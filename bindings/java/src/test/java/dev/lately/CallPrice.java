package dev.lately;

import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.UUID;

/**
 * The fixed price of a call in nanoseconds, compared with an empty native call by the same road: the median of several rounds,
 * on a filter that stays in the nearest cache. It compares the figures with no bound.
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
    private final UUID uuid = new UUID(1, 2);
    private final byte[][] arrays = new byte[BATCH][16];
    private final List<String> texts = Collections.nCopies(BATCH, "sixteen bytes at");

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
        for (EitherHandle held : EitherHandle.values()) {
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
        print("observe(String of 40)", 1, () -> filter.observe("forty characters of a text, all of ASCII"));
        print("observe(UUID)", 1, () -> filter.observe(uuid));
        print("contains(byte[])", 1, () -> filter.contains(key));
    }

    private void batches(Filter filter) {
        Keys words = Keys.of(numbers);
        Keys hashes = Keys.ofHashes(numbers);
        Keys heap = Keys.packed(packed, offsets);
        Keys wideHeap = Keys.packed(wide, offsets);
        Keys directs = Keys.packed(directPacked, directOffsets);
        print("observeAll(256 numbers)", BATCH, () -> filter.observeAll(words, verdicts));
        print("observeAll(256 hashes)", BATCH, () -> filter.observeAll(hashes, verdicts));
        print("observeAll(256 packed)", BATCH, () -> filter.observeAll(heap, verdicts));
        print("observeAll(256 packed in 16 MiB)", BATCH, () -> filter.observeAll(wideHeap, verdicts));
        print("observeAll(256 in direct buffers)", BATCH, () -> filter.observeAll(directs, directVerdicts));
        print("observeAll(256 arrays)", BATCH, () -> filter.observeAll(Keys.of(arrays), verdicts));
        print("observeAll(256 texts)", BATCH, () -> filter.observeAll(Keys.of(texts), verdicts));
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
