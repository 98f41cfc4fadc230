package dev.lately;

import java.util.Objects;
import java.util.function.LongSupplier;

/**
 * A native filter behind its gate: what the cleaner frees once nothing refers to the {@link Filter}. Each filter in Java
 * owns one reference of its own, so two that share memory end apart.
 */
final class Handle implements Runnable {
    /** Whether handles remember where they were made, so that a filter that was not closed can be named. */
    private static final boolean NAMES_LEAKS = Boolean.getBoolean("lately.leakDetection");

    private final Gate gate;
    private final Throwable made = NAMES_LEAKS ? new Throwable("the filter was made here") : null;
    private volatile boolean closing;
    /** Good between {@link #enter} and {@link #leave}. */
    final long address;
    /** The same for every owner of one memory. */
    final Object memory;

    /** Takes over a native reference. All else is there before it, so that no lack of memory comes between. */
    private Handle(Gate gate, Object memory, long address) {
        this.gate = gate;
        this.memory = memory;
        this.address = address;
        try {
            OpenFilters.add(this);
        } catch (Throwable e) {
            Native.free(address);
            throw e;
        }
    }

    /** A native filter that is made now, for any number of threads or for one at a time. */
    static Handle of(boolean shared, LongSupplier make) {
        return new Handle(shared ? new SharedGate() : new UnsharedGate(), new Object(), make.getAsLong());
    }

    static Handle of(Options options, boolean shared) {
        return of(shared, () -> Native.create(Objects.requireNonNull(options, "options").words(), shared));
    }

    /** Another filter with the same content; to be called inside. */
    Handle copy() {
        return new Handle(gate.another(), new Object(), Native.copy(address));
    }

    /** Another owner of the same filter; to be called inside. */
    Handle retain() {
        return new Handle(gate.another(), memory, retained());
    }

    private long retained() {
        Native.retain(address);
        return address;
    }

    /** Begins a call; with what it returns the call ends. */
    int enter() {
        int lane = gate.enter();
        if (lane == Gate.CLOSED) {
            throw new IllegalStateException("the filter is closed");
        }
        return lane;
    }

    void leave(int lane) {
        gate.leave(lane);
    }

    /** The owner closes it: what runs next is no leak. */
    void closing() {
        closing = true;
    }

    /** Gives the native reference back after the calls that are under way; the cleaner calls it once. */
    @Override
    public void run() {
        gate.close();
        Native.free(address);
        try {
            nameLeak();
        } finally {
            OpenFilters.remove(this);
        }
    }

    private void nameLeak() {
        if (made != null && !closing) {
            System.getLogger("dev.lately").log(System.Logger.Level.WARNING,
                "a filter was never closed; its memory was held until the collector found it", made);
        }
    }

    /** The bytes of its cells; less than 0 if it is closed. */
    long bytes() {
        int lane = gate.enter();
        if (lane == Gate.CLOSED) {
            return -1;
        }
        try {
            long[] words = new long[Stats.WORDS];
            Native.stats(address, words);
            return new Stats(words).bytes();
        } finally {
            gate.leave(lane);
        }
    }

    /** Native references that are not freed, or whose leak is not named yet; tests count them. */
    static long live() {
        return OpenFilters.count();
    }
}
