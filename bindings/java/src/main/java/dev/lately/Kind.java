package dev.lately;

/** The kinds of filter. */
public enum Kind {
    /** The window is the last stretch of time: {@link Options.Builder#window}. */
    TIME_LIMITED(1),
    /** The window is a number of insertions. Not built yet: {@link Status#UNSUPPORTED}. */
    AGE_PARTITIONED(2),
    /** A set with removal. Not built yet: {@link Status#UNSUPPORTED}. */
    TINY_SET(3),
    /** Fixed memory for an endless stream. Not built yet: {@link Status#UNSUPPORTED}. */
    QUOTIENT(4);

    private final int number;

    Kind(int number) {
        this.number = number;
    }

    /**
     * The number of this value in the C header.
     *
     * @return the number
     */
    public int number() {
        return number;
    }
}
