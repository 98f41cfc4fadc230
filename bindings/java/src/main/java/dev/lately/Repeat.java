package dev.lately;

/** How a repeat is treated. */
public enum Repeat {
    /** Every sighting is stored, so age counts from the last one (default). */
    REFRESH,
    /** Only what is new is stored, so age counts from the sighting that was answered {@link Verdict#NEW}. */
    KEEP_FIRST;

    /** The number of this value in the C header. */
    public int number() {
        return ordinal() + 1;
    }
}
