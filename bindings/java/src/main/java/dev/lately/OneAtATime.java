package dev.lately;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.StampedLock;

/**
 * The gate of a filter for one thread at a time: others wait outside until the one that is in it is done. The lock is
 * not re-entrant and need not be: the library calls nothing back.
 */
final class OneAtATime extends Gate {
    private final Lock lock = new StampedLock().asWriteLock();
    private boolean closed;

    @Override
    int enter() {
        lock.lock();
        if (closed) {
            lock.unlock();
            return CLOSED;
        }
        return 0;
    }

    @Override
    void leave(int lane) {
        lock.unlock();
    }

    @Override
    void close() {
        lock.lock();
        closed = true;
        lock.unlock();
    }

    @Override
    Gate another() {
        return new OneAtATime();
    }
}
