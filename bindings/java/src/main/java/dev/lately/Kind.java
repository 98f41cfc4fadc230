package dev.lately;

/** The kinds of filter. */
public enum Kind {
    /** The window is the last stretch of time, {@link Options.Builder#window}: no key seen within it is new. */
    TIME_LIMITED,
    /** The window is a number of insertions, {@link Options.Builder#windowKeys}: no key among them is new. */
    AGE_PARTITIONED,
    /** A set, with removal if {@link Options.Builder#removable}: no key that is in it is new. */
    TINY_SET,
    /** Fixed memory for an endless stream: false and missed duplicates, at known rates. */
    QUOTIENT,
    /**
     * The default for a window, which is the last stretch of time, {@link Options.Builder#window}, or a number of
     * observations and insertions, {@link Options.Builder#windowKeys}: no key within it is new. It can also tell how
     * long ago a key was seen. {@link Options#window} and {@link Options#last} ask for it.
     */
    WINDOW_TABLE;

    /** The number of this value in the C header. */
    public int number() {
        return ordinal() + 1;
    }
}
