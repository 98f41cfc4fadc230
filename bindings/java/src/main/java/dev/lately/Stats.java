package dev.lately;

import java.time.Duration;

/** The statistics of a filter. Fields that a kind does not have are 0. */
public final class Stats {
    /** How many figures there are. */
    static final int WORDS = 27;

    /** The figures in the order of the C header; fractions as the bits of a double. */
    private final long[] words;

    Stats(long[] words) {
        this.words = words;
    }

    /** Bytes of the cells now. A copy or a loaded filter has no spare lines, so its bytes may be fewer. */
    public long bytes() {
        return words[0];
    }

    /** The most bytes of the cells so far. A loaded filter with lines counts these alone. */
    public long bytesPeak() {
        return words[1];
    }

    /** Slices that are allocated; 1 of a kind with lines. */
    public long slices() {
        return words[2];
    }

    /** Bits of the newest slice or table (kinds with a window). */
    public long newestSliceBits() {
        return words[3];
    }

    /**
     * Keys that the generations within the window have counted, or its cells in use (kinds with lines); without a window,
     * entries or filled cells.
     */
    public long items() {
        return words[4];
    }

    /**
     * Keys that all allocated generations but the k oldest have counted: 8 x bytes / stored is the price of a key in
     * bits.
     */
    public long stored() {
        return words[5];
    }

    /** How far back the promise reaches now: the window, unless {@link Options.Builder#memory} shortened it. */
    public Duration reach() {
        return Ticks.duration(words[6]);
    }

    /** The chance that an absent key is called a duplicate now, from the real fills. */
    public double errorRate() {
        return Double.longBitsToDouble(words[7]);
    }

    /** Shifts so far (kinds with slices). */
    public long shifts() {
        return words[8];
    }

    /** Slices, or cells of lines, that {@link Options.Builder#memory} made the filter forget before their time. */
    public long forgotten() {
        return words[9];
    }

    /** Shifts that {@link Options.Builder#memory} made the filter put off, so that the error rate rises. */
    public long deferred() {
        return words[10];
    }

    /** Observations answered {@link Verdict#NEW} since the last reset. */
    public long newCount() {
        return words[11];
    }

    /** Observations answered {@link Verdict#DUPLICATE} since the last reset. */
    public long duplicateCount() {
        return words[12];
    }

    /** Ticks below the clock by more than {@link Options.Builder#lateness}, judged at the clock, since the last reset. */
    public long lateTicks() {
        return words[13];
    }

    /** Ticks refused by {@link Options.Builder#maxStep} since the last reset. */
    public long refusedTicks() {
        return words[14];
    }

    /** The filter's clock, as a tick. Unsigned. */
    public long clock() {
        return words[15];
    }

    /** Rows all of whose cells are filled (kinds with rows). */
    public long rowsFull() {
        return words[16];
    }

    /** The chance that a key seen very long ago is called new now (kinds with rows). */
    public double missRate() {
        return Double.longBitsToDouble(words[17]);
    }

    /** Cells that moved to their other line so far, to make room (kinds with lines). */
    public long moved() {
        return words[18];
    }

    /** Keys that found no room in their lines and are in the stash (kinds with lines). */
    public long stashed() {
        return words[19];
    }

    /**
     * The most that a tick was below the clock since the last reset: the {@link Options.Builder#lateness} that takes them
     * all.
     */
    public Duration maxLateness() {
        return Ticks.duration(words[20]);
    }

    /** The last tick refused by {@link Options.Builder#maxStep} since the last reset, 0 if none was. Unsigned. */
    public long lastRefusedTick() {
        return words[21];
    }

    /** Claims that are open now: neither committed nor abandoned, and their lease is not over. */
    public long openClaims() {
        return words[22];
    }

    /** The most claims that may be open; 0 without {@link Options.Builder#lease}. */
    public long maxClaims() {
        return words[23];
    }

    /** Claims whose lease ran out since the last reset. */
    public long expiredClaims() {
        return words[24];
    }

    /** Claims answered {@link Verdict#PENDING} since the last reset. */
    public long pending() {
        return words[25];
    }

    /** Keys that {@code remove} forgot so far (WT). */
    public long removed() {
        return words[26];
    }

    /** Every figure by its name. */
    @Override
    public String toString() {
        return String.format("Stats[bytes=%s, bytesPeak=%s, slices=%s, newestSliceBits=%s, items=%s, stored=%s, reach=%s, "
            + "errorRate=%s, shifts=%s, forgotten=%s, deferred=%s, newCount=%s, duplicateCount=%s, lateTicks=%s, "
            + "refusedTicks=%s, clock=%s, rowsFull=%s, missRate=%s, moved=%s, stashed=%s, maxLateness=%s, "
            + "lastRefusedTick=%s, openClaims=%s, maxClaims=%s, expiredClaims=%s, pending=%s, removed=%s]",
            bytes(), bytesPeak(), slices(), newestSliceBits(), items(), stored(), reach(), errorRate(), shifts(),
            forgotten(), deferred(), newCount(), duplicateCount(), lateTicks(), refusedTicks(),
            Long.toUnsignedString(clock()), rowsFull(), missRate(), moved(), stashed(), maxLateness(),
            Long.toUnsignedString(lastRefusedTick()), openClaims(), maxClaims(), expiredClaims(), pending(), removed());
    }
}
