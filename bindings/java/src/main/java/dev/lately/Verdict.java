package dev.lately;

/** The answer of a filter for a key. */
public enum Verdict {
    /** Not seen within the window. */
    NEW,
    /** Seen within the window, or, with at most the error rate, believed to be. */
    DUPLICATE,
    /** Of a claim: the key is claimed already, and that claim is neither committed nor abandoned. */
    PENDING,
    /** There was no key: a null among {@link Keys}, which was not observed. */
    ABSENT_KEY;

    private static final Verdict[] ALL = values();

    /**
     * The verdict of a code, as batches write them.
     *
     * @param code 0 for {@link #NEW}, 1 for {@link #DUPLICATE}, 2 for {@link #PENDING}, 3 for {@link #ABSENT_KEY}
     */
    public static Verdict of(int code) {
        if (code < 0 || code >= ALL.length) {
            throw new IllegalArgumentException(Messages.outOfRange("verdict", code, "0 to 3"));
        }
        return ALL[code];
    }

    /** The code of this verdict, as batches write it and {@link #of} reads it. */
    public int code() {
        return ordinal();
    }

    /** The verdicts of codes that the library wrote. */
    static Verdict[] all(byte[] codes) {
        Verdict[] verdicts = new Verdict[codes.length];
        for (int i = 0; i < codes.length; i++) {
            verdicts[i] = of(codes[i]);
        }
        return verdicts;
    }
}
