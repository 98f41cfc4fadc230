package dev.lately;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Threads that do one thing at once; what any of them throws, the test throws. */
final class Crew {
    /** What each thread does; it knows its number, and where to wait for the others. */
    interface Work {
        void run(int thread, Crew crew) throws Exception;
    }

    private final int threads;
    private final AtomicInteger arrived = new AtomicInteger();
    private final AtomicReference<Throwable> wrong = new AtomicReference<>();

    private Crew(int threads) {
        this.threads = threads;
    }

    static void of(int threads, Work work) throws InterruptedException {
        Crew crew = new Crew(threads);
        List<Thread> members = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            int number = t;
            members.add(new Thread(() -> crew.guarded(number, work)));
        }
        members.forEach(Thread::start);
        for (Thread member : members) {
            member.join();
        }
        if (crew.wrong.get() != null) {
            throw new AssertionError("in a thread of " + threads, crew.wrong.get());
        }
    }

    private void guarded(int number, Work work) {
        try {
            work.run(number, this);
        } catch (Throwable thrown) {
            wrong.compareAndSet(null, thrown);
        }
    }

    /** Waits until all have come here for the n-th time, from 1; awake at first, so that they leave together. */
    void meet(int n) {
        arrived.incrementAndGet();
        waitFor(() -> arrived.get() >= n * threads);
    }

    /** Awake at first, asleep where that takes long; nobody waits for a thread that has failed. */
    void waitFor(BooleanSupplier come) {
        for (int looks = 0; !come.getAsBoolean(); looks++) {
            if (wrong.get() != null) {
                throw new AssertionError("another thread has failed");
            }
            if (looks < 50) {
                Thread.yield();
            } else {
                LockSupport.parkNanos(20_000);
            }
        }
    }
}
