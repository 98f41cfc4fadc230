package dev.lately.field;

import java.lang.ref.Reference;

/** One run: a rival, a workload and a seed. */
final class Play {
    private final Workload workload;
    private final long[] keys;
    private final byte[] verdicts;
    private final Line line = new Line();

    private Play(Workload workload, long seed) {
        this.workload = workload;
        keys = workload.keys(seed);
        verdicts = new byte[keys.length];
    }

    /** Plays the stream, and returns its line with the verdicts of the counted records. */
    static Play of(Rival rival, Workload workload, long seed) {
        Play play = new Play(workload, seed);
        play.line
                .with("rival", rival.name())
                .with("version", rival.version())
                .with("workload", workload.name())
                .raw("seed", seed)
                .with("stream", String.format("%016x", Workload.digest(play.keys)))
                .raw("keys", workload.counted());
        play.run(rival);
        play.line.with("clock", workload.timed() ? "manual" : "none").raw("late_ns", 0);
        return play;
    }

    private void run(Rival rival) {
        // Classes are loaded once, and are not what a rival takes for its keys.
        rival.make(workload).close();
        Meter.spent();
        long before = Meter.heap();
        try (Subject subject = rival.make(workload)) {
            records(subject, 0, workload.warm());
            long start = Meter.spent();
            records(subject, workload.warm(), keys.length);
            long end = Meter.spent();
            long settled = Math.max(Meter.heap() - before, 0) + subject.nativeBytes();
            line.raw("cpu_ns", end - start).raw("peak_bytes", subject.peakBytes()).raw("settled_bytes", settled);
            line.raw("false", wrong(0, 1)).raw("missed", wrong(1, 0));
            // The keys were in the heap before, and must not leave it in between.
            Reference.reachabilityFence(keys);
        }
    }

    private void records(Subject subject, int first, int end) {
        for (int i = first; i < end; i++) {
            verdicts[i] = (byte) (subject.observe(keys[i], workload.tick(i)) ? 1 : 0);
        }
    }

    /** How many counted records with this remainder by two have this verdict. The first one is even: a new key. */
    private long wrong(int remainder, int verdict) {
        long count = 0;
        for (int i = workload.warm() + remainder; i < verdicts.length; i += 2) {
            count += verdicts[i] == verdict ? 1 : 0;
        }
        return count;
    }

    Line line() {
        return line;
    }

    /** Bit i of the counted verdicts is bit i % 8 of byte i / 8. */
    byte[] packed() {
        byte[] bytes = new byte[(workload.counted() + 7) / 8];
        for (int i = 0; i < workload.counted(); i++) {
            bytes[i / 8] |= (byte) (verdicts[workload.warm() + i] << (i % 8));
        }
        return bytes;
    }
}
