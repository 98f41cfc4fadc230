package dev.lately;

import java.time.Duration;
import java.util.Objects;
import java.util.StringJoiner;

/**
 * A request for a filter. Set what you know and the plan finds the rest; an option that you do not set is "not given", and so
 * is a 0, except that of a memory, capacity, window, lease or number of claims, which is an error. Nothing is clamped: a
 * value that is out of range, contradicts another, or is not an option of the kind is a {@link LatelyException} with {@link Status#OPTION} that names
 * the {@link Field}. The native library judges, in {@link #plan} and in {@link Filter#Filter(Options)}.
 */
public final class Options {
    /** Room for all values, by the number of their field. */
    static final int WORDS = Field.values().length + 1;

    /** The values by the number of their field; fractions as the bits of a double. */
    private final long[] words;

    Options(long[] words) {
        this.words = words;
    }

    /** Starts from a kind. */
    public static Builder of(Kind kind) {
        return new Builder().kind(kind);
    }

    /** Starts from the default for a window of time, a window table: no key seen within it is new. */
    public static Builder window(Duration window) {
        return of(Kind.WINDOW_TABLE).window(window);
    }

    /** Starts from the default for a window of keys, a window table: no key among the last observations and insertions is new. */
    public static Builder last(long keys) {
        return of(Kind.WINDOW_TABLE).windowKeys(keys);
    }

    /** Starts from a time-limited filter, whose window is the last stretch of time. */
    public static Builder timeLimited(Duration window) {
        return of(Kind.TIME_LIMITED).window(window);
    }

    /** Starts from an age-partitioned filter, whose window is a number of insertions. */
    public static Builder agePartitioned(long keys) {
        return of(Kind.AGE_PARTITIONED).windowKeys(keys);
    }

    /** Starts from a TinySet, a set that keeps its keys; {@link Builder#removable} lets them be removed. */
    public static Builder tinySet(long keys) {
        return of(Kind.TINY_SET).capacity(keys);
    }

    /** Starts from a quotient filter: fixed memory for an endless stream. */
    public static Builder quotient(long bytes) {
        return of(Kind.QUOTIENT).memory(bytes);
    }

    /**
     * The plan of this request: no filter is built. It takes up to some milliseconds.
     *
     * @throws LatelyException with {@link Status#OPTION} and the field at fault
     */
    public Plan plan() {
        long[] plan = new long[Plan.WORDS];
        Native.plan(words, plan);
        return new Plan(plan);
    }

    /** The window of time that is asked for. Zero if it is not given. */
    public Duration window() {
        return Ticks.duration(words[Field.WINDOW_NS.number()]);
    }

    /** The rate of false duplicates that is asked for. 0 if it is not given. */
    public double errorRate() {
        return Double.longBitsToDouble(words[Field.ERROR_RATE.number()]);
    }

    /** The most bytes that are asked for. 0 if it is not given. */
    public long memory() {
        return words[Field.MEMORY.number()];
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
        switch (field.shape()) {
            case SPAN:
                return Ticks.duration(word).toString();
            case RATE:
                return Double.toString(Double.longBitsToDouble(word));
            default:
                return Long.toUnsignedString(word);
        }
    }

    /**
     * Sets options one by one. Each names the kinds that have it. A setter throws a {@link LatelyException} that names the
     * {@link Field} for what cannot be passed on: a negative number, a size of 0, a span of time that is negative, longer
     * than 2^64 - 1 ns (some 584 years), or zero where at least 1 ns is needed.
     */
    public static final class Builder {
        private final long[] words = new long[WORDS];

        private Builder() {
        }

        // <options>
        /** All kinds, required: which kind of filter. */
        public Builder kind(Kind kind) {
            return set(Field.KIND, Objects.requireNonNull(kind, "kind").number());
        }

        /** Window table with {@link #window}, time-limited: which clock is used; default: the system's. */
        public Builder clock(ClockSource clock) {
            return set(Field.CLOCK, Objects.requireNonNull(clock, "clock").number());
        }

        /**
         * Window table, time-limited, age-partitioned: how a repeat is treated; default: it renews the age of its key.
         */
        public Builder repeat(Repeat repeat) {
            return set(Field.REPEAT, Objects.requireNonNull(repeat, "repeat").number());
        }

        /**
         * Window table with {@link #window}, time-limited: what gives way at {@link #memory}; default: the oldest keys,
         * and a window table takes nothing else.
         */
        public Builder onLimit(OnLimit onLimit) {
            return set(Field.ON_LIMIT, Objects.requireNonNull(onLimit, "onLimit").number());
        }

        /** Time-limited, required: the window. Window table: this or {@link #windowKeys}, and not both. */
        public Builder window(Duration window) {
            return set(Field.WINDOW_NS, Ticks.of(Field.WINDOW_NS, window, 1));
        }

        /**
         * Window table: the window in observations and insertions, whatever their verdicts. Age-partitioned, required
         * unless {@link #memory} is given: the window in insertions. Quotient: the distance, in keys, to which {@link
         * #missRate} applies.
         */
        public Builder windowKeys(long windowKeys) {
            return size(Field.WINDOW_KEYS, windowKeys);
        }

        /**
         * Window table with {@link #window}, time-limited: keys expected in the first window; without it the filter
         * finds out. TinySet, required unless {@link #memory} is given: planned load.
         */
        public Builder capacity(long capacity) {
            return size(Field.CAPACITY, capacity);
        }

        /**
         * All kinds: rate of false duplicates, in (0, 0.5]; default 1e-6 (quotient: 1e-3) where nothing else fixes it.
         */
        public Builder errorRate(double errorRate) {
            return set(Field.ERROR_RATE, errorRate);
        }

        /** Quotient: rate of missed duplicates, in (0, 1). */
        public Builder missRate(double missRate) {
            return set(Field.MISS_RATE, missRate);
        }

        /**
         * All kinds: the most bytes that the cells and the table of claims take, up to 2^56: more, such as -1, is an
         * error. Without it a filter with a window of time grows with its traffic.
         */
        public Builder memory(long memory) {
            return size(Field.MEMORY, memory);
        }

        /**
         * Window table and time-limited, with a manual clock: the most that a tick may lead the filter's clock by.
         * After a longer pause every tick is refused until the caller calls {@link Filter#advance(long)}. Without it
         * one record from the far future moves the clock there, and later keys are judged at that time until real time
         * catches up.
         */
        public Builder maxStep(Duration maxStep) {
            return set(Field.MAX_STEP_NS, Ticks.of(Field.MAX_STEP_NS, maxStep, 0));
        }

        /** Time-limited, age-partitioned: bits per key. Quotient: cells per row. */
        public Builder k(int k) {
            return count(Field.K, k);
        }

        /**
         * Time-limited, age-partitioned: full generations in the window. Time-limited, with fewer than {@link #k}: the
         * first two windows of a stream can be above {@link #errorRate}, with 1 later ones too; no plan chooses that.
         */
        public Builder l(int l) {
            return count(Field.L, l);
        }

        /**
         * Time-limited, age-partitioned: bound of the search on {@link #k} + {@link #l}, 2 to 1024, default 32; live
         * slices can be more.
         */
        public Builder maxSlices(int maxSlices) {
            return count(Field.MAX_SLICES, maxSlices);
        }

        /** Time-limited, age-partitioned: fill of a full slice, in [0.1, 0.9]. */
        public Builder fill(double fill) {
            return set(Field.FILL, fill);
        }

        /** Quotient: the member of the family; default: the queued one that stores duplicates. */
        public Builder variant(Variant variant) {
            return set(Field.VARIANT, Objects.requireNonNull(variant, "variant").number());
        }

        /** Quotient: bits of a fingerprint, 1 to 16. */
        public Builder fingerprintBits(int fingerprintBits) {
            return count(Field.FINGERPRINT_BITS, fingerprintBits);
        }

        /** Quotient: whether rows are sorted to save bits. */
        public Builder semiSort(boolean semiSort) {
            return set(Field.SEMI_SORT, semiSort ? 1 : 0);
        }

        /**
         * TinySet: whether keys can be removed. Then the plan is for endless churn: at the planned load the mean rate
         * stays within {@link #errorRate}, as keys leave by chance or the oldest first, for 2.1 to 6.6 bits more per
         * key (1e-2 to 1e-6). Keys that never leave raise the rate: {@link Stats#errorRate} is the current one, and
         * docs/reference/costs.md has the law.
         */
        public Builder removable(boolean removable) {
            return set(Field.REMOVABLE, removable ? 1 : 0);
        }

        /** TinySet: bytes of a block, 32 or 64 (default). */
        public Builder blockBytes(int blockBytes) {
            return count(Field.BLOCK_BYTES, blockBytes);
        }

        /** TinySet: chains of a block. */
        public Builder chains(int chains) {
            return count(Field.CHAINS, chains);
        }

        /** TinySet: keys per chain. */
        public Builder load(double load) {
            return set(Field.LOAD, load);
        }

        /**
         * All kinds: whether keys are hashed under a secret, so that no one can aim at collisions. {@link
         * Filter#secret} returns the secret.
         */
        public Builder keyed(boolean keyed) {
            return set(Field.KEYED, keyed ? 1 : 0);
        }

        /** All kinds: seed of the hash, default 0: filters with the same seed are equal everywhere. */
        public Builder seed(long seed) {
            return set(Field.SEED, seed);
        }

        /** All kinds, with {@link #keyed}: the secret; without it one is drawn from the operating system. */
        public Builder secret(Secret secret) {
            return set(Field.SECRET_LO, Objects.requireNonNull(secret, "secret").lo()).set(Field.SECRET_HI, secret.hi());
        }

        /**
         * Window table: bits of the age of a key, 2 to 5, default 3, with {@link #lateness} 4 or 5. The window (and the
         * lateness) is 2^{@link #ageBits} - 1 generations, and a key is found one generation too long at most.
         */
        public Builder ageBits(int ageBits) {
            return count(Field.AGE_BITS, ageBits);
        }

        /**
         * Window table with {@link #window} and a manual clock: how late a record may be, 0 to 24/7 of {@link #window}.
         * A record that is at most this far below the clock is judged at its own time: never {@link Verdict#NEW} if its
         * key was seen within the window before that, or later. It takes the memory of a window that is longer by as
         * much.
         */
        public Builder lateness(Duration lateness) {
            return set(Field.LATENESS_NS, Ticks.of(Field.LATENESS_NS, lateness, 0));
        }

        /**
         * Window table, time-limited, age-partitioned: how long a claim stays open, 1 to the window. With {@link
         * #windowKeys} it is up to 365 days, by the system's clock. A filter without a lease takes no claims, one with
         * it no hashes.
         */
        public Builder lease(Duration lease) {
            return set(Field.LEASE_NS, Ticks.of(Field.LEASE_NS, lease, 1));
        }

        /**
         * Window table, time-limited, age-partitioned, with {@link #lease}: the most open claims, 1 to 2^24, default
         * 65,536. They take at most 40 bytes each, from the start and within {@link #memory}.
         */
        public Builder maxClaims(long maxClaims) {
            return size(Field.MAX_CLAIMS, maxClaims);
        }

        // </options>

        /** The options as set so far. */
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
