package dev.lately.flink;

import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichFlatMapFunction;
import org.apache.flink.util.Collector;

import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Makes events of numbers: record i has the id i, or in three of ten that of one up to 5,000 before. It fails when told to. */
final class Numbers extends RichFlatMapFunction<Long, Event> {
    private static final long serialVersionUID = 1;

    /** How often it is still to fail, and when next, by System.nanoTime. All subtasks of a cluster see it. */
    static final AtomicInteger FAILURES = new AtomicInteger();
    static final AtomicLong NEXT = new AtomicLong();

    /** Milliseconds from one failure to the next: that number, and up to five times as many more. */
    private static final AtomicInteger PAUSE = new AtomicInteger();

    private static final Random RANDOM = new Random(20);

    private final long count;
    private final int perMillisecond;

    /** What comes after `count` is nothing, slowly, so that a job without end continues. */
    Numbers(long count, int perMillisecond) {
        this.count = count;
        this.perMillisecond = perMillisecond;
    }

    static long id(long i) {
        long mixed = (i * 0x9E3779B97F4A7C15L) >>> 33;
        return i % 10 < 3 && i > 0 ? i - mixed % Math.min(i, 5000) : i;
    }

    static void fail(int times) {
        fail(times, 100);
    }

    static void fail(int times, int pause) {
        PAUSE.set(pause);
        later();
        FAILURES.set(times);
    }

    private static void later() {
        synchronized (RANDOM) {
            NEXT.set(System.nanoTime() + (PAUSE.get() + RANDOM.nextInt(5 * PAUSE.get())) * 1_000_000L);
        }
    }

    @Override
    public void open(OpenContext context) {
    }

    @Override
    public void flatMap(Long i, Collector<Event> out) throws Exception {
        failIfDue();
        if (i >= count || perMillisecond > 0 && i % perMillisecond == 0) {
            Thread.sleep(1);
        }
        if (i < count) {
            out.collect(new Event(id(i), Streams.BEGIN + i / 100));
        }
    }

    private static void failIfDue() {
        if (FAILURES.get() > 0 && System.nanoTime() - NEXT.get() > 0 && FAILURES.getAndDecrement() > 0) {
            later();
            throw new IllegalStateException("a failure on purpose");
        }
    }
}
