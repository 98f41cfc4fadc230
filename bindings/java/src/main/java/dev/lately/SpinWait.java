package dev.lately;

import java.util.concurrent.locks.LockSupport;

/** How a thread waits for something that does not wake it: it looks again at once, then every 20 us. */
final class SpinWait {
    private static final int SPINS = 100;
    private static final long PAUSE_NANOS = 20_000;

    private SpinWait() {
    }

    /** Before the next look; how many came before it. Whether the thread was interrupted, for {@link #end}. */
    static boolean pause(int looks) {
        if (looks < SPINS) {
            Thread.onSpinWait();
            return false;
        }
        LockSupport.parkNanos(PAUSE_NANOS);
        // Or every wait would end at once.
        return Thread.interrupted();
    }

    /** After the last look: an interruption on the way is still there for the thread. */
    static void end(boolean interrupted) {
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
