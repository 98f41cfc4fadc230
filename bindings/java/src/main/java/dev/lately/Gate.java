package dev.lately;

/**
 * Who may be inside of a native filter, and the end of it: every call enters and leaves, the end waits until no call is
 * inside and bars the way in. So a call never meets freed memory, whatever else runs. Neither way allocates.
 */
abstract class Gate {
    /** {@link #enter} returns this once the gate is closed. */
    static final int CLOSED = -1;

    /** Begins a call, unless the gate is closed: by which lane, for {@link #leave}. */
    abstract int enter();

    /** Ends the call that came by that lane. */
    abstract void leave(int lane);

    /** Lets no call in from now on, and returns when none is inside. */
    abstract void close();

    /** A new, open gate of the same sort. */
    abstract Gate another();
}
