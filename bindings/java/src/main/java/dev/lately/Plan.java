package dev.lately;

/** The plan of a request, before anything is allocated. Fields that a kind does not have are 0. */
public final class Plan {
    /** How many figures there are. */
    static final int WORDS = 19;

    /** The figures in the order of the C header; fractions as the bits of a double. */
    private final long[] words;

    Plan(long[] words) {
        this.words = words;
    }

    /** Bytes of the cells at the planned number of keys; 0 when the request names none. */
    public long bytes() {
        return words[0];
    }

    /** Bits per key of the window, margin included. */
    public double bitsPerKey() {
        return Double.longBitsToDouble(words[1]);
    }

    /** Bits per key, or cells per row or line. */
    public long k() {
        return words[2];
    }

    /** Full generations in the window. */
    public long l() {
        return words[3];
    }

    /** Fill of a full slice, or of a table. */
    public double fill() {
        return Double.longBitsToDouble(words[4]);
    }

    /** Slices in the steady state, k + l; 1 table. */
    public long slices() {
        return words[5];
    }

    /** Blocks, or groups of lines. */
    public long blocks() {
        return words[6];
    }

    /** Rows, or lines; of a window of insertions in slices, bits of one. */
    public long rows() {
        return words[7];
    }

    /** Keys per chain. */
    public double load() {
        return Double.longBitsToDouble(words[8]);
    }

    /** The share of the size that allows for uneven arrivals. */
    public double margin() {
        return Double.longBitsToDouble(words[9]);
    }

    /** Rate of false duplicates at the worst instant. NaN if nothing fixes it. */
    public double errorRateWorst() {
        return Double.longBitsToDouble(words[10]);
    }

    /** Rate of false duplicates averaged over a generation. NaN if nothing fixes it. */
    public double errorRateMean() {
        return Double.longBitsToDouble(words[11]);
    }

    /** Rate of missed duplicates at {@link Options.Builder#windowKeys}; NaN when that is not given. */
    public double missRate() {
        return Double.longBitsToDouble(words[12]);
    }

    /** The window in keys, or the keys that fit into {@link Options.Builder#memory}; 0 when the request names neither. */
    public long windowKeys() {
        return words[13];
    }

    /** Cache lines that one observation of a new key touches, about. */
    public double cacheLinesPerObserve() {
        return Double.longBitsToDouble(words[14]);
    }

    /** Bits of a fingerprint (kinds with rows or lines). */
    public long fingerprintBits() {
        return words[15];
    }

    /** Chains of a block. */
    public long chains() {
        return words[16];
    }

    /** Bytes of a block, or of a line. */
    public long blockBytes() {
        return words[17];
    }

    /**
     * Bits per key of the window at the peak of growth: while the first window's keys come at a steady rate from nothing,
     * with no {@link Options.Builder#capacity} given (a window of time in lines, which grow). Of all others
     * {@link #bitsPerKey}.
     */
    public double bitsPerKeyPeak() {
        return Double.longBitsToDouble(words[18]);
    }

    /** Every figure by its name. */
    @Override
    public String toString() {
        return String.format("Plan[bytes=%s, bitsPerKey=%s, k=%s, l=%s, fill=%s, slices=%s, blocks=%s, rows=%s, load=%s, margin=%s, "
            + "errorRateWorst=%s, errorRateMean=%s, missRate=%s, windowKeys=%s, cacheLinesPerObserve=%s, "
            + "fingerprintBits=%s, chains=%s, blockBytes=%s, bitsPerKeyPeak=%s]",
            bytes(), bitsPerKey(), k(), l(), fill(), slices(), blocks(), rows(), load(), margin(), errorRateWorst(),
            errorRateMean(), missRate(), windowKeys(), cacheLinesPerObserve(), fingerprintBits(), chains(),
            blockBytes(), bitsPerKeyPeak());
    }
}
