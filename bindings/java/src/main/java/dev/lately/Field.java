package dev.lately;

/** The options by name and number, so that an error can name the one at fault. */
public enum Field {
    // <options>
    /** {@link Options.Builder#kind}. */
    KIND(1, "kind", Shape.CHOICE),
    /** {@link Options.Builder#clock}. */
    CLOCK(2, "clock", Shape.CHOICE),
    /** {@link Options.Builder#repeat}. */
    REPEAT(3, "repeat", Shape.CHOICE),
    /** {@link Options.Builder#onLimit}. */
    ON_LIMIT(4, "onLimit", Shape.CHOICE),
    /** {@link Options.Builder#window}. */
    WINDOW_NS(5, "window", Shape.SPAN),
    /** {@link Options.Builder#windowKeys}. */
    WINDOW_KEYS(6, "windowKeys", Shape.SIZE),
    /** {@link Options.Builder#capacity}. */
    CAPACITY(7, "capacity", Shape.SIZE),
    /** {@link Options.Builder#errorRate}. */
    ERROR_RATE(8, "errorRate", Shape.RATE),
    /** {@link Options.Builder#missRate}. */
    MISS_RATE(9, "missRate", Shape.RATE),
    /** {@link Options.Builder#memory}. */
    MEMORY(10, "memory", Shape.BYTES),
    /** {@link Options.Builder#maxStep}. */
    MAX_STEP_NS(11, "maxStep", Shape.SPAN),
    /** {@link Options.Builder#k}. */
    K(12, "k", Shape.COUNT),
    /** {@link Options.Builder#l}. */
    L(13, "l", Shape.COUNT),
    /** {@link Options.Builder#maxSlices}. */
    MAX_SLICES(14, "maxSlices", Shape.COUNT),
    /** {@link Options.Builder#fill}. */
    FILL(15, "fill", Shape.RATE),
    /** {@link Options.Builder#variant}. */
    VARIANT(16, "variant", Shape.CHOICE),
    /** {@link Options.Builder#fingerprintBits}. */
    FINGERPRINT_BITS(17, "fingerprintBits", Shape.COUNT),
    /** {@link Options.Builder#semiSort}. */
    SEMI_SORT(18, "semiSort", Shape.FLAG),
    /** {@link Options.Builder#removable}. */
    REMOVABLE(19, "removable", Shape.FLAG),
    /** {@link Options.Builder#blockBytes}. */
    BLOCK_BYTES(20, "blockBytes", Shape.COUNT),
    /** {@link Options.Builder#chains}. */
    CHAINS(21, "chains", Shape.COUNT),
    /** {@link Options.Builder#load}. */
    LOAD(22, "load", Shape.RATE),
    /** {@link Options.Builder#keyed}. */
    KEYED(23, "keyed", Shape.FLAG),
    /** {@link Options.Builder#seed}. */
    SEED(24, "seed", Shape.WORD),
    /** The low word of {@link Options.Builder#secret}. */
    SECRET_LO(25, "secret", Shape.WORD),
    /** The high word of {@link Options.Builder#secret}. */
    SECRET_HI(26, "secret", Shape.WORD),
    /** {@link Options.Builder#ageBits}. */
    AGE_BITS(27, "ageBits", Shape.COUNT),
    /** {@link Options.Builder#lateness}. */
    LATENESS_NS(28, "lateness", Shape.SPAN),
    /** {@link Options.Builder#lease}. */
    LEASE_NS(29, "lease", Shape.SPAN),
    /** {@link Options.Builder#maxClaims}. */
    MAX_CLAIMS(30, "maxClaims", Shape.SIZE);
    // </options>

    private final int number;
    private final String option;
    private final Shape shape;

    Field(int number, String option, Shape shape) {
        this.number = number;
        this.option = option;
        this.shape = shape;
    }

    /** What the value of an option is: a fraction is held as the bits of a double, a span of time in nanoseconds. */
    enum Shape {
        CHOICE, COUNT, SIZE, BYTES, SPAN, RATE, FLAG, WORD
    }

    /** The number of this option in the C header. */
    public int number() {
        return number;
    }

    /** The name of the method of {@link Options.Builder} that sets this option. */
    public String option() {
        return option;
    }

    Shape shape() {
        return shape;
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
