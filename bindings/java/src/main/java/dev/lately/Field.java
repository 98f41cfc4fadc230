package dev.lately;

/** The options by name and number, so that an error can name the one at fault. */
public enum Field {
    /** {@link Options.Builder#kind}. */
    KIND(1, "kind"),
    /** {@link Options.Builder#clock}. */
    CLOCK(2, "clock"),
    /** {@link Options.Builder#repeat}. */
    REPEAT(3, "repeat"),
    /** {@link Options.Builder#onLimit}. */
    ON_LIMIT(4, "onLimit"),
    /** {@link Options.Builder#window}. */
    WINDOW_NS(5, "window"),
    /** {@link Options.Builder#windowKeys}. */
    WINDOW_KEYS(6, "windowKeys"),
    /** {@link Options.Builder#capacity}. */
    CAPACITY(7, "capacity"),
    /** {@link Options.Builder#errorRate}. */
    ERROR_RATE(8, "errorRate"),
    /** {@link Options.Builder#missRate}. */
    MISS_RATE(9, "missRate"),
    /** {@link Options.Builder#memory}. */
    MEMORY(10, "memory"),
    /** {@link Options.Builder#maxStep}. */
    MAX_STEP_NS(11, "maxStep"),
    /** {@link Options.Builder#k}. */
    K(12, "k"),
    /** {@link Options.Builder#l}. */
    L(13, "l"),
    /** {@link Options.Builder#maxSlices}. */
    MAX_SLICES(14, "maxSlices"),
    /** {@link Options.Builder#fill}. */
    FILL(15, "fill"),
    /** {@link Options.Builder#variant}. */
    VARIANT(16, "variant"),
    /** {@link Options.Builder#fingerprintBits}. */
    FINGERPRINT_BITS(17, "fingerprintBits"),
    /** {@link Options.Builder#semiSort}. */
    SEMI_SORT(18, "semiSort"),
    /** {@link Options.Builder#removable}. */
    REMOVABLE(19, "removable"),
    /** {@link Options.Builder#blockBytes}. */
    BLOCK_BYTES(20, "blockBytes"),
    /** {@link Options.Builder#chains}. */
    CHAINS(21, "chains"),
    /** {@link Options.Builder#load}. */
    LOAD(22, "load"),
    /** {@link Options.Builder#keyed}. */
    KEYED(23, "keyed"),
    /** {@link Options.Builder#seed}. */
    SEED(24, "seed"),
    /** The low word of {@link Options.Builder#secret}. */
    SECRET_LO(25, "secret"),
    /** The high word of {@link Options.Builder#secret}. */
    SECRET_HI(26, "secret"),
    /** {@link Options.Builder#ageBits}. */
    AGE_BITS(27, "ageBits"),
    /** {@link Options.Builder#lateness}. */
    LATENESS_NS(28, "lateness"),
    /** {@link Options.Builder#lease}. */
    LEASE_NS(29, "lease"),
    /** {@link Options.Builder#maxClaims}. */
    MAX_CLAIMS(30, "maxClaims");

    private final int number;
    private final String option;

    Field(int number, String option) {
        this.number = number;
        this.option = option;
    }

    /**
     * The number of this option in the C header.
     *
     * @return the number
     */
    public int number() {
        return number;
    }

    /**
     * The name of the method of {@link Options.Builder} that sets this option.
     *
     * @return the name
     */
    public String option() {
        return option;
    }

    /** Whether the option is a fraction, held as the bits of a double. */
    boolean isFraction() {
        return this == ERROR_RATE || this == MISS_RATE || this == FILL || this == LOAD;
    }

    /** The choices of an option that is one of several names, in the order of their numbers from 1; else none. */
    Enum<?>[] choices() {
        switch (this) {
            case KIND:
                return Kind.values();
            case CLOCK:
                return ClockSource.values();
            case REPEAT:
                return Repeat.values();
            case ON_LIMIT:
                return OnLimit.values();
            case VARIANT:
                return Variant.values();
            default:
                return new Enum<?>[0];
        }
    }

    /** The field with this number, null if there is none: 0, or one of a newer library. */
    static Field of(int number) {
        return number >= 1 && number <= values().length ? values()[number - 1] : null;
    }
}
