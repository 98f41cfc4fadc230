package dev.lately;

/** What a row of a filter with rows does with a repeat, and which cell gives way to a new key. */
public enum Variant {
    /** A repeat changes nothing; a cell drawn at random gives way. */
    QHT,
    /** A repeat is stored again; a cell drawn at random gives way. */
    QHTD,
    /** A repeat changes nothing; the oldest cell gives way. */
    QQHT,
    /** A repeat is stored again; the oldest cell gives way (default). */
    QQHTD;

    /** The number of this value in the C header. */
    public int number() {
        return ordinal() + 1;
    }
}
