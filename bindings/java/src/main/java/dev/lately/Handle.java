package dev.lately;

import java.util.Objects;

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

    /** Builds a native filter for any number of threads. */
    static Handle shared(Options options) {
        return new Handle(new SharedGate(), new Object(), Native.create(Objects.requireNonNull(options, "options").words(), true));
    }

    /** Builds a native filter for one thread at a time. */
    static Handle unshared(Options options) {
        return new Handle(new UnsharedGate(), new Object(), Native.create(Objects.requireNonNull(options, "options").words(), false));
    }

    /** Builds a native filter of a snapshot. */
    static Handle loaded(Snapshot snapshot, long elapsed, LoadOptions options) {
        boolean shared = options.isShared();
        return new Handle(shared ? new SharedGate() : new UnsharedGate(), new Object(), snapshot.load(elapsed, options));
    }

    /** Builds a native filter for any number of threads of a file. */
    static Handle opened(byte[] path, Options options, long[] words) {
        return new Handle(new SharedGate(), new Object(), Native.open(path, options.words(), words));
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
