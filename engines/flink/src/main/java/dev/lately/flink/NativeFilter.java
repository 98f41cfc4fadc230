package dev.lately.flink;

import dev.lately.ClockSource;
import dev.lately.Filter;
import dev.lately.LoadOptions;
import dev.lately.Options;
import dev.lately.Repeat;
import dev.lately.Stats;
import dev.lately.Verdict;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;

/**
 * The filter of one key group, outside of Java's heap. The task thread uses it, the thread of a checkpoint writes a copy, and
 * those of the metrics ask for figures.
 */
final class NativeFilter implements AutoCloseable {
    private final Filter filter;

    private NativeFilter(Filter filter) {
        this.filter = filter;
    }

    /** A filter that has seen nothing; `memory` 0 is no limit. */
    static NativeFilter of(Settings settings, long memory) {
        return new NativeFilter(Filter.unshared(Options.window(Duration.ofNanos(settings.window))
            .errorRate(settings.errorRate)
            .clock(ClockSource.MANUAL)
            .repeat(settings.keepFirst ? Repeat.KEEP_FIRST : Repeat.REFRESH)
            .memory(memory)
            .build()));
    }

    /** A filter of the bytes of a snapshot. Its ticks tell how much time passed. */
    static NativeFilter of(byte[] snapshot, long memory) {
        return new NativeFilter(Filter.load(snapshot, Duration.ZERO, new LoadOptions().memory(memory).unshared()));
    }

    boolean isNew(byte[] key, long tick) {
        return filter.observeAt(key, tick) == Verdict.NEW;
    }

    boolean isNew(long key, long tick) {
        return filter.observeAt(key, tick) == Verdict.NEW;
    }

    /** Lets time pass, so that what is too old gives its memory back also where no records come. */
    void advance(long tick) {
        filter.advance(tick);
    }

    Stats stats() {
        return filter.stats();
    }

    NativeFilter copy() {
        return new NativeFilter(filter.copy());
    }

    long writeTo(OutputStream out) throws IOException {
        return filter.writeTo(out);
    }

    @Override
    public void close() {
        filter.close();
    }
}
