package dev.lately;

import java.time.Duration;
import java.util.Objects;
import java.util.StringJoiner;

/**
 * A request for a filter. Set what you know and the plan finds the rest; an option that you do not set is "not given", and so
 * is a 0, except that of a memory, capacity, window, lease or number of claims, which is an error. Nothing is clamped: a
 * value that is out of range, contradicts another, or is not an option of the kind is a {@link LatelyException} with {@link Status#OPTION} that names the {@link Field}. The native library judges, in
 * {@link #plan} and in {@link Filter#Filter(Options)}; the builder only refuses what it cannot pass on.
 */
public final class Options {
    /** The values by the number of their field; fractions as the bits of a double. */
    private final long[] words;

    Options(long[] words) {
        this.words = words;
    }

    /**
     * Starts from a kind.
     *
     * @param kind the kind of filter
     * @return a builder
     */
    public static Builder of(Kind kind) {
        return new Builder().kind(kind);
    }

    /**
     * Starts from the default for a window of time, a window table: no key seen within it is new.
     *
     * @param window how long a key is remembered
     * @return a builder
     */
    public static Builder window(Duration window) {
        return of(Kind.WINDOW_TABLE).window(window);
    }

    /**
     * Starts from the default for a window of keys, a window table: no key among the last ones is new.
     *
     * @param keys how many observations and insertions a key is remembered for
     * @return a builder
     */
    public static Builder last(long keys) {
        return of(Kind.WINDOW_TABLE).windowKeys(keys);
    }

    /**
     * Starts from a time-limited filter, whose window is the last stretch of time.
     *
     * @param window how long a key is remembered
     * @return a builder
     */
    public static Builder timeLimited(Duration window) {
        return of(Kind.TIME_LIMITED).window(window);
    }

    /**
     * Starts from an age-partitioned filter, whose window is a number of insertions.
     *
     * @param keys how many insertions a key is remembered for
     * @return a builder
     */
    public static Builder agePartitioned(long keys) {
        return of(Kind.AGE_PARTITIONED).windowKeys(keys);
    }

    /**
     * Starts from a TinySet, a set that keeps its keys; {@link Builder#removable} lets them be removed.
     *
     * @param keys how many keys to plan for
     * @return a builder
     */
    public static Builder tinySet(long keys) {
        return of(Kind.TINY_SET).capacity(keys);
    }

    /**
     * Starts from a quotient filter: fixed memory for an endless stream.
     *
     * @param bytes how much memory
     * @return a builder
     */
    public static Builder quotient(long bytes) {
        return of(Kind.QUOTIENT).memory(bytes);
    }

    /**
     * The plan of this request: no filter is built. It takes up to some milliseconds.
     *
     * @return the plan
     * @throws LatelyException with {@link Status#OPTION} and the field at fault
     */
    public Plan plan() {
        long[] plan = new long[Plan.WORDS];
        Native.plan(words, plan);
        return new Plan(plan);
    }

    /**
     * The window of time that is asked for.
     *
     * @return the window, zero if it is not given
     */
    public Duration window() {
        return Ticks.duration(words[Field.WINDOW_NS.number()]);
    }

    /**
     * The rate of false duplicates that is asked for.
     *
     * @return the rate, 0 if it is not given
     */
    public double errorRate() {
        return Double.longBitsToDouble(words[Field.ERROR_RATE.number()]);
    }

    /**
     * The most bytes that are asked for.
     *
     * @return a number of bytes, 0 if it is not given
     */
    public long memory() {
        return words[Field.MEMORY.number()];
    }

    boolean isManual() {
        return words[Field.CLOCK.number()] == ClockSource.MANUAL.number();
    }

    boolean isKeyed() {
        return words[Field.KEYED.number()] == 1;
    }

    Secret secret() {
        return new Secret(words[Field.SECRET_LO.number()], words[Field.SECRET_HI.number()]);
    }

    /** Room for all values; none is given. */
    static long[] noWords() {
        return new long[Field.values().length + 1];
    }

    /** The values by the number of their field, for the glue; not to be changed. */
    long[] words() {
        return words;
    }

    /** The given options; a secret is not shown. */
    @Override
    public String toString() {
        StringJoiner text = new StringJoiner(", ", "Options[", "]");
        for (Field field : Field.values()) {
            if (words[field.number()] != 0 && (field != Field.SECRET_HI || words[Field.SECRET_LO.number()] == 0)) {
                text.add(field.option() + "=" + shown(field));
            }
        }
        return text.toString();
    }

    private String shown(Field field) {
        long word = words[field.number()];
        if (field == Field.SECRET_LO || field == Field.SECRET_HI) {
            return "hidden";
        }
        Enum<?>[] choices = field.choices();
        if (word >= 1 && word <= choices.length) {
            return choices[(int) word - 1].name();
        }
        if (field == Field.WINDOW_NS || field == Field.MAX_STEP_NS || field == Field.LATENESS_NS || field == Field.LEASE_NS) {
            return Ticks.duration(word).toString();
        }
        return field.isFraction() ? Double.toString(Double.longBitsToDouble(word)) : Long.toUnsignedString(word);
    }

    /** Sets options one by one. In brackets: the kinds that have the option. */
    public static final class Builder {
        private final long[] words = noWords();

        private Builder() {
        }

        /**
         * The kind of filter (all; required).
         *
         * @param kind the kind
         * @return this
         */
        public Builder kind(Kind kind) {
            return set(Field.KIND, Objects.requireNonNull(kind, "kind").number());
        }

        /**
         * Which clock is used (window table with a window of time, time-limited).
         *
         * @param clock the system, which is the default, or the caller
         * @return this
         */
        public Builder clock(ClockSource clock) {
            return set(Field.CLOCK, Objects.requireNonNull(clock, "clock").number());
        }

        /**
         * How a repeat is treated (window table, time-limited, age-partitioned).
         *
         * @param repeat the rule
         * @return this
         */
        public Builder repeat(Repeat repeat) {
            return set(Field.REPEAT, Objects.requireNonNull(repeat, "repeat").number());
        }

        /**
         * What gives way at the memory limit (window table with a window of time, which only forgets; time-limited).
         *
         * @param onLimit the rule
         * @return this
         */
        public Builder onLimit(OnLimit onLimit) {
            return set(Field.ON_LIMIT, Objects.requireNonNull(onLimit, "onLimit").number());
        }

        /**
         * How long a key is remembered (time-limited, required; window table, this or {@link #windowKeys}).
         *
         * @param window up to 2^64 - 1 ns, some 584 years
         * @return this
         * @throws LatelyException with {@link Field#WINDOW_NS} if it is nothing, negative or longer
         */
        public Builder window(Duration window) {
            return set(Field.WINDOW_NS, Ticks.of(Field.WINDOW_NS, window, 1));
        }

        /**
         * The window in insertions (age-partitioned), in observations and insertions, whatever their verdicts (window
         * table), or the distance, in keys, to which {@link #missRate} applies (quotient).
         *
         * @param keys a number of keys
         * @return this
         */
        public Builder windowKeys(long keys) {
            return size(Field.WINDOW_KEYS, keys);
        }

        /**
         * Keys expected in the first window of time (window table, time-limited; without it the filter finds out), or
         * the planned load (TinySet).
         *
         * @param keys a number of keys
         * @return this
         */
        public Builder capacity(long keys) {
            return size(Field.CAPACITY, keys);
        }

        /**
         * The rate of false duplicates (all).
         *
         * @param rate in (0, 0.5]; 1e-6 (quotient: 1e-3) where nothing else fixes it
         * @return this
         */
        public Builder errorRate(double rate) {
            return set(Field.ERROR_RATE, rate);
        }

        /**
         * The rate of missed duplicates (quotient).
         *
         * @param rate in (0, 1)
         * @return this
         */
        public Builder missRate(double rate) {
            return set(Field.MISS_RATE, rate);
        }

        /**
         * The most bytes that the cells take (all). <strong>A filter with a window of time grows with its
         * traffic without it</strong>; with it, {@link #onLimit} decides what gives way.
         *
         * @param bytes a number of bytes
         * @return this
         */
        public Builder memory(long bytes) {
            return size(Field.MEMORY, bytes);
        }

        /**
         * The most that a tick may lead the filter's clock by (window table and time-limited, with
         * {@link ClockSource#MANUAL}). After a longer pause every tick is refused until the caller calls
         * {@link Filter#advance(long)}. Without it one record from the far future moves the clock there, and later keys are
         * judged at that time until real time catches up.
         *
         * @param step up to 2^64 - 1 ns
         * @return this
         * @throws LatelyException with {@link Field#MAX_STEP_NS} if it is negative or longer
         */
        public Builder maxStep(Duration step) {
            return set(Field.MAX_STEP_NS, Ticks.of(Field.MAX_STEP_NS, step, 0));
        }

        /**
         * Bits per key (time-limited, age-partitioned) or cells per row (quotient).
         *
         * @param k a number
         * @return this
         */
        public Builder k(int k) {
            return count(Field.K, k);
        }

        /**
         * Full generations in the window (time-limited, age-partitioned).
         *
         * @param l a number
         * @return this
         */
        public Builder l(int l) {
            return count(Field.L, l);
        }

        /**
         * Bound of the search on k + l (time-limited, age-partitioned); it never bounds the live slices.
         *
         * @param slices 2 to 1024; 32 if it is not given
         * @return this
         */
        public Builder maxSlices(int slices) {
            return count(Field.MAX_SLICES, slices);
        }

        /**
         * Fill of a full slice (time-limited, age-partitioned).
         *
         * @param fill in [0.1, 0.9]
         * @return this
         */
        public Builder fill(double fill) {
            return set(Field.FILL, fill);
        }

        /**
         * The member of the family (quotient).
         *
         * @param variant the member
         * @return this
         */
        public Builder variant(Variant variant) {
            return set(Field.VARIANT, Objects.requireNonNull(variant, "variant").number());
        }

        /**
         * Bits of a fingerprint (quotient).
         *
         * @param bits 1 to 16
         * @return this
         */
        public Builder fingerprintBits(int bits) {
            return count(Field.FINGERPRINT_BITS, bits);
        }

        /**
         * Whether rows are sorted to save bits (quotient).
         *
         * @param semiSort true if they are
         * @return this
         */
        public Builder semiSort(boolean semiSort) {
            return set(Field.SEMI_SORT, semiSort ? 1 : 0);
        }

        /**
         * Whether keys can be removed (TinySet). It costs 2.1 to 6.6 bits a key more, and the error rate of its plan is
         * the mean under endless churn of random keys or the oldest. Keys that never leave raise it, to 1.6 to 5.3 times
         * as much after the others were replaced a hundred times, and more in blocks of 32 bytes; {@link Stats#errorRate} is
         * the present one.
         *
         * @param removable true if they can
         * @return this
         */
        public Builder removable(boolean removable) {
            return set(Field.REMOVABLE, removable ? 1 : 0);
        }

        /**
         * Bytes of a block (TinySet).
         *
         * @param bytes 32 or 64, which is the default
         * @return this
         */
        public Builder blockBytes(int bytes) {
            return count(Field.BLOCK_BYTES, bytes);
        }

        /**
         * Chains of a block (TinySet).
         *
         * @param chains a number
         * @return this
         */
        public Builder chains(int chains) {
            return count(Field.CHAINS, chains);
        }

        /**
         * Keys per chain (TinySet).
         *
         * @param load a fraction
         * @return this
         */
        public Builder load(double load) {
            return set(Field.LOAD, load);
        }

        /**
         * Whether keys are hashed under a secret, so that an attacker cannot aim at collisions (all). Without
         * {@link #secret} one is drawn from the operating system, and {@link Filter#secret} returns it.
         *
         * @param keyed true if they are
         * @return this
         */
        public Builder keyed(boolean keyed) {
            return set(Field.KEYED, keyed ? 1 : 0);
        }

        /**
         * Seed of the hash: filters with the same seed are equal everywhere (all).
         *
         * @param seed any number
         * @return this
         */
        public Builder seed(long seed) {
            return set(Field.SEED, seed);
        }

        /**
         * The secret of a keyed filter (all, with {@link #keyed}).
         *
         * @param secret two words
         * @return this
         */
        public Builder secret(Secret secret) {
            Objects.requireNonNull(secret, "secret");
            return set(Field.SECRET_LO, secret.lo()).set(Field.SECRET_HI, secret.hi());
        }

        /**
         * Bits of the age of a key (window table). The window, and the lateness, is 2^bits - 1 generations,
         * and a key is forgotten at most one generation late.
         *
         * @param bits 2 to 5; 3 if it is not given, 4 or 5 with a lateness
         * @return this
         */
        public Builder ageBits(int bits) {
            return count(Field.AGE_BITS, bits);
        }

        /**
         * How late a record may be (window table with a window of time and {@link ClockSource#MANUAL}). A record that is at
         * most this far below the clock is judged at its own time: never {@link Verdict#NEW} if its key was seen within the
         * window before that, or later. It takes the memory of a window that is longer by as much.
         *
         * @param lateness 0, the default, to 24/7 of the window
         * @return this
         * @throws LatelyException with {@link Field#LATENESS_NS} if it is negative or longer than 2^64 - 1 ns
         */
        public Builder lateness(Duration lateness) {
            return set(Field.LATENESS_NS, Ticks.of(Field.LATENESS_NS, lateness, 0));
        }

        /**
         * How long a claim stays open (window table, time-limited, age-partitioned). Without it the filter takes no claims; with
         * it, no hashes. A window of keys takes the system's clock for it.
         *
         * @param lease 1 ns to the window; of a window of keys to 365 days
         * @return this
         * @throws LatelyException with {@link Field#LEASE_NS} if it is zero, negative or longer than 2^64 - 1 ns
         */
        public Builder lease(Duration lease) {
            return set(Field.LEASE_NS, Ticks.of(Field.LEASE_NS, lease, 1));
        }

        /**
         * The most open claims (with {@link #lease}), of at most 40 bytes each, from the start and within {@link #memory}.
         *
         * @param claims 1 to 2^24; 65,536 if it is not given
         * @return this
         * @throws LatelyException with {@link Field#MAX_CLAIMS} if it is not positive
         */
        public Builder maxClaims(long claims) {
            return size(Field.MAX_CLAIMS, claims);
        }

        /**
         * The options as set so far.
         *
         * @return the options
         */
        public Options build() {
            return new Options(words.clone());
        }

        /** A number that must not be negative, which C cannot be told. */
        private Builder count(Field field, long value) {
            if (value < 0) {
                throw new LatelyException(Status.OPTION, field,
                    Messages.outOfRange(field, value, "a positive number, or 0 for the default"));
            }
            return set(field, value);
        }

        private Builder size(Field field, long value) {
            return set(field, checkedSize(field, value));
        }

        /** A size that was set: one that overflowed to 0, such as {@code 4 << 30}, must not mean "no limit". */
        static long checkedSize(Field field, long value) {
            if (value <= 0) {
                throw new LatelyException(Status.OPTION, field,
                    Messages.outOfRange(field, value, "at least 1; leave it out if you have none"));
            }
            return value;
        }

        /** A number that no setter passes on; tests see the library's error for it. */
        Builder raw(Field field, long word) {
            return set(field, word);
        }

        private Builder set(Field field, double value) {
            return set(field, Double.doubleToRawLongBits(value));
        }

        private Builder set(Field field, long word) {
            words[field.number()] = word;
            return this;
        }
    }
}
