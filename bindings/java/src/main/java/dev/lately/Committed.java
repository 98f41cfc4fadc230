package dev.lately;

/** The outcome of a commit. */
public enum Committed {
    /** The claim was open. The key is stored now. */
    IN_TIME,
    /** The claim was over, and no other caller had stored the key. It is stored now. */
    LATE,
    /** The claim was over, and the filter contains the key: another did the same work. Nothing changed. */
    ALREADY;

    private static final Committed[] ALL = values();

    /** The number of this answer in the C header. */
    public int code() {
        return ordinal();
    }

    /** The answer with a number that the library wrote. */
    static Committed of(int code) {
        return ALL[code];
    }
}
