package dev.lately;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The gate of a filter for any number of threads: a count of the calls inside, kept in lanes so that threads seldom
 * meet in one.
 *
 * <p>Law: a call raises its lane and then looks whether the gate is closed; the end closes the gate and then looks at
 * the lanes. All of these are in one order for everybody, so either the call sees the closed gate and turns back, or
 * the end sees the call and waits. A lane that was once seen empty after that never contains a call again, except those that
 * are about to turn back.
 *
 * <p>Price: two atomic additions per call, on a cache line of the thread's own as long as there are lanes enough; one
 * lock or count for all would go from core to core with every call. 128 bytes for a lane, four lanes for a processor,
 * 64 at most.
 */
final class SharedGate extends Gate {
    /** A power of two. */
    private static final int LANES =
        Integer.highestOneBit(Math.min(64, Math.max(2, 4 * Runtime.getRuntime().availableProcessors())));

    /** From lane to lane, in longs: two cache lines, which processors fetch together. */
    private static final int PITCH = 16;

    /** The first place is left out: the length of the array, which every call reads, is next to it. */
    private final AtomicLongArray inside = new AtomicLongArray((LANES + 1) * PITCH);
    private volatile boolean closed;

    @Override
    int enter() {
        if (closed) {
            return CLOSED;
        }
        int lane = lane();
        inside.getAndIncrement(lane);
        if (closed) {
            inside.getAndDecrement(lane);
            return CLOSED;
        }
        return lane;
    }

    @Override
    void leave(int lane) {
        inside.getAndDecrement(lane);
    }

    @Override
    void close() {
        closed = true;
        boolean interrupted = false;
        for (int lane = 1; lane <= LANES; lane++) {
            for (int looks = 0; inside.get(lane * PITCH) != 0; looks++) {
                interrupted |= SpinWait.pause(looks);
            }
        }
        SpinWait.end(interrupted);
    }

    @Override
    Gate another() {
        return new SharedGate();
    }

    /** Threads that began one after the other have lanes of their own. */
    private static int lane() {
        return (1 + ((int) Thread.currentThread().getId() & LANES - 1)) * PITCH;
    }
}
