package dev.lately.field;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * What a rival is asked to do, and the stream for it: the same records in every language, from a seed. A window of zero
 * nanoseconds is one of the last records.
 */
record Workload(String name, long records, long window, long span, int warm, int counted) {
    private static final Workload[] ALL = {
        new Workload("last-2000", 2_000, 0, 1_000, 4_000, 20_000),
        new Workload("last-50000", 50_000, 0, 25_000, 100_000, 2_000_000),
        new Workload("last-1000000", 1_000_000, 0, 500_000, 2_000_000, 2_000_000),
        new Workload("time-2000", 2_000, 200_000_000, 750, 4_000, 8_000),
        new Workload("time-100000", 100_000, 4_000_000_000L, 37_500, 200_000, 400_000),
    };

    static Workload find(String name) {
        return Arrays.stream(ALL)
                .filter(workload -> workload.name.equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("workload " + name + ": allowed are " + names(true)));
    }

    /** The names of those with a window of time, and of the others if those are asked for. */
    static String names(boolean all) {
        return Arrays.stream(ALL)
                .filter(workload -> all || workload.timed())
                .map(workload -> Line.text(workload.name))
                .collect(Collectors.joining(","));
    }

    boolean timed() {
        return window > 0;
    }

    /** The time of a record in nanoseconds. */
    long tick(long record) {
        return record * window / records;
    }

    /** The keys of all records. */
    long[] keys(long seed) {
        long[] keys = new long[warm + counted];
        Arrays.setAll(keys, record -> key(seed, record));
        return keys;
    }

    static long digest(long[] keys) {
        long digest = 0;
        for (long key : keys) {
            digest = (digest ^ key) * 0x100000001B3L;
        }
        return digest;
    }

    /** Every second record is a new key; the others repeat one of the last new keys. */
    private long key(long seed, long record) {
        if (record % 2 == 0) {
            return mixed(seed + record / 2);
        }
        long made = (record + 1) / 2;
        long back = mixed((seed ^ 0x5555555555555555L) + record) >>> 33;
        return mixed(seed + made - 1 - back % Math.min(made, span));
    }

    private static long mixed(long x) {
        long z = x + 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
