package dev.lately;

/** What a row of a filter with rows does with a repeat, and which cell gives way to a new key. */
public enum Variant {
    /** A repeat changes nothing; a cell drawn at random gives way. */
    QHT(1),
    /** A repeat is stored again; a cell drawn at random gives way. */
    QHTD(2),
    /** A repeat changes nothing; the oldest cell gives way. */
    QQHT(3),
    /** A repeat is stored again; the oldest cell gives way (default). */
    QQHTD(4);

    private final int number;

    Variant(int number) {
        this.number = number;
    }

    /** The number of this value in the C header. */
    public int number() {
        return number;
    }
}
