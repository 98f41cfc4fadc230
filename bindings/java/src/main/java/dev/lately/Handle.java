package dev.lately;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.StampedLock;

/**
 * The native filter with its lock: what the cleaner holds once nobody holds the {@link Filter}.
 *
 * <p>A call holds one side of the lock, the end holds the other: so the end waits for the call, and a call after the
 * end meets an exception and no freed memory. The lock is not re-entrant and need not be: the library calls nothing
 * back. It allocates nothing when nobody waits.
 */
final class Handle implements Runnable {
    /** Native filters that are not freed; tests count them. */
    private static final AtomicLong LIVE = new AtomicLong();

    private final Lock use;
    private final Lock end;
    private long address;

    /** Takes over a native filter that serves one thread at a time. */
    Handle(long address) {
        StampedLock lock = new StampedLock();
        this.end = lock.asWriteLock();
        // The native filter is for one caller at a time, so a call is alone. One to be shared will take the read lock.
        this.use = end;
        this.address = address;
        LIVE.incrementAndGet();
    }

    /** Begins a call: the address is good until {@link #leave}. */
    long enter() {
        use.lock();
        long open = address;
        if (open == 0) {
            use.unlock();
            throw new IllegalStateException("the filter is closed");
        }
        return open;
    }

    void leave() {
        use.unlock();
    }

    /** Frees the native filter, once, after the calls that are under way. */
    @Override
    public void run() {
        end.lock();
        try {
            if (address != 0) {
                Native.free(address);
                address = 0;
                LIVE.decrementAndGet();
            }
        } finally {
            end.unlock();
        }
    }

    static long live() {
        return LIVE.get();
    }
}
