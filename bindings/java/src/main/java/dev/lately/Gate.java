package dev.lately;

/**
 * Who may be inside of a native filter, and the end of it: every call enters and leaves, the end waits until nobody is
 * inside and bars the way in. So a call never meets freed memory, whatever else runs. Neither way allocates.
 */
abstract class Gate {
    /** Begins a call, unless the gate is closed; whoever got in leaves, in the same thread. */
    abstract boolean enter();

    abstract void leave();

    /** Lets nobody in from now on, and returns when nobody is inside. */
    abstract void close();

    /** A new, open gate of the same sort. */
    abstract Gate another();
}
