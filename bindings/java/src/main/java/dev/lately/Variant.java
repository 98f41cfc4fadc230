package dev.lately;

/** The members of the quotient family. */
public enum Variant {
    /** Quotient hash table. */
    QHT(1),
    /** The same, storing duplicates. */
    QHTD(2),
    /** Queued. */
    QQHT(3),
    /** Queued, storing duplicates (default). */
    QQHTD(4);

    private final int number;

    Variant(int number) {
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
