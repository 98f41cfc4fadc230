package dev.lately;

/** What a filter says of a key. */
public enum Verdict {
    /** Not seen within the window. */
    NEW,
    /** Seen within the window, or, with at most the error rate, believed to be. */
    DUPLICATE,
    /** There was no key: a null among {@link Keys}, which was not observed. */
    ABSENT_KEY;

    /** The code of an absent key; the C header keeps 2 for a later release. */
    private static final int ABSENT = 3;

    /**
     * The verdict of a code, as batches write them.
     *
     * @param code 0 for {@link #NEW}, 1 for {@link #DUPLICATE}, 3 for {@link #ABSENT_KEY}
     * @return the verdict
     * @throws IllegalArgumentException if the code is another number
     */
    public static Verdict of(int code) {
        switch (code) {
            case 0:
                return NEW;
            case 1:
                return DUPLICATE;
            case ABSENT:
                return ABSENT_KEY;
            default:
                throw new IllegalArgumentException("verdict " + code + ": allowed is 0, 1 or 3");
        }
    }

    /**
     * The code of this verdict, as batches write it.
     *
     * @return 0 for {@link #NEW}, 1 for {@link #DUPLICATE}, 3 for {@link #ABSENT_KEY}
     */
    public int code() {
        return this == ABSENT_KEY ? ABSENT : ordinal();
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
