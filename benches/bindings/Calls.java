import dev.lately.Filter;
import dev.lately.Keys;
import dev.lately.Lately;
import dev.lately.Options;
import dev.lately.Verdict;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;

/** What a call costs, in Java: as calls.c, which says what goes in and out. */
class Calls {
    static final int KEYS = 1 << 16;
    static final int LENGTH = 16;

    static byte[] bytes() {
        ByteBuffer bytes = ByteBuffer.allocate(KEYS * LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        long state = 1;
        for (int i = 0; i < KEYS; i++) {
            state = state * 6364136223846793005L + 1442695040888963407L;
            long number = (state >>> 33) % 40000;
            bytes.putLong(number).putLong(~number);
        }
        return bytes.array();
    }

    /** The offsets of each batch, in turn. */
    static long[][] offsets(int size) {
        long[] all = new long[KEYS + 1];
        Arrays.setAll(all, i -> (long) i * LENGTH);
        long[][] offsets = new long[KEYS / size][];
        Arrays.setAll(offsets, i -> Arrays.copyOfRange(all, i * size, i * size + size + 1));
        return offsets;
    }

    static long singles(Filter filter, byte[] bytes) {
        long seen = 0;
        for (int i = 0; i < bytes.length; i += LENGTH) {
            seen += filter.observe(bytes, i, LENGTH) == Verdict.DUPLICATE ? 1 : 0;
        }
        return seen;
    }

    static long batches(Filter filter, byte[] bytes, long[][] offsets, byte[] verdicts) {
        long seen = 0;
        for (long[] batch : offsets) {
            filter.observeAll(Keys.packed(bytes, batch), verdicts);
            for (byte verdict : verdicts) {
                seen += verdict;
            }
        }
        return seen;
    }

    static long empty() {
        long sum = 0;
        for (int i = 0; i < KEYS; i++) {
            sum += Lately.abiVersion();
        }
        return sum;
    }

    /** Prints what a call took, for each key. */
    static long cell(LongSupplier call) {
        long start = System.nanoTime();
        long seen = call.getAsLong();
        System.out.printf(Locale.ROOT, "%.3f ", (System.nanoTime() - start) / (double) KEYS);
        return seen;
    }

    public static void main(String[] arguments) throws Exception {
        byte[] bytes = bytes();
        Options options = Options.last(20000).errorRate(1e-3).build();
        List<LongSupplier> calls = new ArrayList<>();
        for (boolean shared : new boolean[] {false, true}) {
            for (int size : new int[] {1, 32, 256}) {
                Filter filter = shared ? new Filter(options) : Filter.unshared(options);
                long[][] offsets = offsets(size);
                byte[] verdicts = new byte[size];
                calls.add(size == 1 ? () -> singles(filter, bytes) : () -> batches(filter, bytes, offsets, verdicts));
            }
        }
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        long duplicates = 0;
        while (in.readLine() != null) {
            for (LongSupplier call : calls) {
                duplicates += cell(call);
            }
            if (cell(Calls::empty) != (long) KEYS * Lately.abiVersion()) {
                throw new AssertionError("an empty call lies");
            }
            System.out.println(duplicates);
        }
    }
}
