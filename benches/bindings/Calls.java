import dev.lately.Filter;
import dev.lately.Keys;
import dev.lately.Lately;
import dev.lately.Options;
import dev.lately.Verdict;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;

/** What a call costs, in Java: as calls.c, which says what goes in and out. */
class Calls {
    static final int KEYS = 1 << 16;
    static final int BATCH = 256;
    static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    static final long[] WORDS = words();
    static final Stream PAIRS = new Stream(Calls::pair, 16);
    static final Stream TEXTS = new Stream(number -> text(number).getBytes(StandardCharsets.US_ASCII), 40);
    static final String[] STRINGS = Arrays.stream(WORDS).mapToObj(Calls::text).toArray(String[]::new);

    static long[] words() {
        long[] words = new long[KEYS];
        long state = 1;
        for (int i = 0; i < KEYS; i++) {
            state = state * 6364136223846793005L + 1442695040888963407L;
            words[i] = (state >>> 33) % 40000;
        }
        return words;
    }

    static byte[] pair(long number) {
        return ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN).putLong(number).putLong(~number).array();
    }

    static String text(long number) {
        return String.format(Locale.ROOT, "%040d", number);
    }

    /** The same numbers as keys of one length: back to back, and each an array. */
    static class Stream {
        final int length;
        final byte[] bytes;
        final byte[][] keys = new byte[KEYS][];

        Stream(Function<Long, byte[]> key, int length) {
            this.length = length;
            ByteBuffer all = ByteBuffer.allocate(KEYS * length);
            for (int i = 0; i < KEYS; i++) {
                keys[i] = key.apply(WORDS[i]);
                all.put(keys[i]);
            }
            bytes = all.array();
        }

        long single(Filter filter) {
            long seen = 0;
            for (byte[] key : keys) {
                seen += filter.observe(key) == Verdict.DUPLICATE ? 1 : 0;
            }
            return seen;
        }

        LongSupplier packed(Filter filter, int size) {
            long[][] offsets = new long[KEYS / size][size + 1];
            for (int i = 0; i < KEYS / size; i++) {
                int first = i * size;
                Arrays.setAll(offsets[i], j -> (long) (first + j) * length);
            }
            byte[] verdicts = new byte[size];
            return () -> {
                long seen = 0;
                for (long[] batch : offsets) {
                    filter.observeAll(Keys.packed(bytes, batch), verdicts);
                    seen += sum(verdicts);
                }
                return seen;
            };
        }
    }

    static long sum(byte[] verdicts) {
        long seen = 0;
        for (byte verdict : verdicts) {
            seen += verdict;
        }
        return seen;
    }

    static long numbers(Filter filter) {
        long seen = 0;
        for (long key : WORDS) {
            seen += filter.observe(key) == Verdict.DUPLICATE ? 1 : 0;
        }
        return seen;
    }

    static long strings(Filter filter) {
        long seen = 0;
        for (String key : STRINGS) {
            seen += filter.observe(key) == Verdict.DUPLICATE ? 1 : 0;
        }
        return seen;
    }

    static LongSupplier manyNumbers(Filter filter) {
        byte[] verdicts = new byte[BATCH];
        List<long[]> batches = parts(first -> Arrays.copyOfRange(WORDS, first, first + BATCH));
        return () -> {
            long seen = 0;
            for (long[] batch : batches) {
                filter.observeAll(Keys.of(batch), verdicts);
                seen += sum(verdicts);
            }
            return seen;
        };
    }

    static <T> List<T> parts(IntFunction<T> part) {
        List<T> parts = new ArrayList<>();
        for (int first = 0; first < KEYS; first += BATCH) {
            parts.add(part.apply(first));
        }
        return parts;
    }

    /** Keys that lie anywhere. */
    static LongSupplier apart(Filter filter, byte[][] keys) {
        List<byte[][]> batches = parts(first -> Arrays.copyOfRange(keys, first, first + BATCH));
        return () -> {
            long seen = 0;
            for (byte[][] batch : batches) {
                for (Verdict verdict : filter.observeAll(Keys.of(batch))) {
                    seen += verdict == Verdict.DUPLICATE ? 1 : 0;
                }
            }
            return seen;
        };
    }

    /** The calls of calls.c in its order, each on a filter of its own. */
    static List<LongSupplier> rows(Function<Options, Filter> build, Options options) {
        Filter[] f = new Filter[9];
        Arrays.setAll(f, i -> build.apply(options));
        return List.of(
            () -> numbers(f[0]), manyNumbers(f[1]),
            () -> PAIRS.single(f[2]), PAIRS.packed(f[3], 32), PAIRS.packed(f[4], BATCH), apart(f[5], PAIRS.keys),
            () -> strings(f[6]), TEXTS.packed(f[7], BATCH), apart(f[8], TEXTS.keys));
    }

    static long empty() {
        long sum = 0;
        for (int i = 0; i < KEYS; i++) {
            sum += Lately.abiVersion();
        }
        return sum;
    }

    /** Prints this thread's CPU time for each key. */
    static long row(LongSupplier call) {
        long start = THREADS.getCurrentThreadCpuTime();
        long seen = call.getAsLong();
        System.out.printf(Locale.ROOT, "%.3f ", (THREADS.getCurrentThreadCpuTime() - start) / (double) KEYS);
        return seen;
    }

    public static void main(String[] arguments) throws Exception {
        List<LongSupplier> calls = new ArrayList<>();
        for (Options.Builder window : List.of(Options.last(20000), Options.window(Duration.ofHours(1)))) {
            calls.addAll(rows(Filter::unshared, window.build()));
            calls.addAll(rows(Filter::new, window.build()));
        }
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        long duplicates = 0;
        while (in.readLine() != null) {
            for (LongSupplier call : calls) {
                duplicates += row(call);
            }
            if (row(Calls::empty) != (long) KEYS * Lately.abiVersion()) {
                throw new AssertionError("an empty call lies");
            }
            System.out.println(duplicates);
        }
    }
}
