package dev.lately;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The gate of a filter for one thread at a time: others wait outside until the one that is in it is done. It is not
 * re-entrant and need not be: the library calls nothing back.
 *
 * <p>Price: one atomic step per call, to go in. A call leaves by a plain store and wakes no thread, so threads outside
 * look again and again: right, and dear where it happens often, for which there is {@link SharedGate}.
 */
final class UnsharedGate extends Gate {
    private static final int FREE = 0;
    private static final int TAKEN = 1;
    private static final int SHUT = 2;

    private static final VarHandle STATE = state();

    private volatile int state = FREE;

    @Override
    int enter() {
        return takes(TAKEN) || waits(TAKEN) ? 0 : CLOSED;
    }

    @Override
    void leave(int lane) {
        STATE.setRelease(this, FREE);
    }

    @Override
    void close() {
        if (!takes(SHUT)) {
            waits(SHUT);
        }
    }

    @Override
    Gate another() {
        return new UnsharedGate();
    }

    private boolean takes(int as) {
        return STATE.compareAndSet(this, FREE, as);
    }

    /** Until it has taken the gate; false if the gate is shut. */
    private boolean waits(int as) {
        boolean interrupted = false;
        boolean taken = takes(as);
        for (int looks = 0; !taken && state != SHUT; looks++) {
            interrupted |= SpinWait.pause(looks);
            taken = takes(as);
        }
        SpinWait.end(interrupted);
        return taken;
    }

    private static VarHandle state() {
        try {
            return MethodHandles.lookup().findVarHandle(UnsharedGate.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
