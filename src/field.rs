//! The one table of options: each with its number, its name in Rust and in C, its type, and what is said of it.
//!
//! ```text
//!   /// the sentences that every language shows
//!   29 LeaseNs lease_ns: u64 = Span 1;
//!   number, variant, name, type in Rust, shape, and the least value that a setter takes
//! ```
//! `options` makes the request from it, the C ABI its conversions, `packaging` the lists and comments of every other language.
//! Names of options, verbs and values stand in backticks, as Rust has them; kinds by their full names. Each language writes them
//! in its own way. Which kind takes an option is in `kind`. The groups: the kind, what is one number each, the secret, the rest.

use std::fmt;

/// What the value of an option is, which says how each language has it.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// One of some names, by its number.
    Choice,
    /// A small number.
    Count,
    /// A number of keys or claims.
    Size,
    /// A number of bytes of memory.
    Bytes,
    /// A span of time in nanoseconds.
    Span,
    /// A fraction.
    Rate,
    /// Yes or no.
    Flag,
    /// Any 64 bits.
    Word,
}

/// Hands the table to a macro: `option_table!([then] { arguments })` is `then! { { arguments } { rows } { rows } .. }`.
#[doc(hidden)]
#[macro_export]
macro_rules! option_table {
    ([$($then:tt)+] { $($arguments:tt)* }) => {
        $($then)+! {
            { $($arguments)* }
            {
                /// All kinds, required: which kind of filter.
                1 Kind kind: Kind = Choice 0;
            }
            {
                /// Window table with `window_ns`, time-limited: which clock is used; default: the system's.
                2 Clock clock: Clock = Choice 0;
                /// Window table, time-limited, age-partitioned: how a repeat is treated; default: it renews the age of its key.
                3 Repeat repeat: Repeat = Choice 0;
                /// Window table with `window_ns`, time-limited: what gives way at `memory`; default: the oldest keys, and a window
                /// table takes nothing else.
                4 OnLimit on_limit: OnLimit = Choice 0;
                /// Time-limited, required: the window, in nanoseconds. Window table: this or `window_keys`, and not both.
                5 WindowNs window_ns: u64 = Span 1;
                /// Window table: the window in observations and insertions, whatever their verdicts. Age-partitioned, required
                /// unless `memory` is given: the window in insertions. Quotient: the distance, in keys, to which `miss_rate`
                /// applies.
                6 WindowKeys window_keys: u64 = Size 1;
                /// Window table with `window_ns`, time-limited: keys expected in the first window; without it the filter finds out.
                /// TinySet, required unless `memory` is given: planned load.
                7 Capacity capacity: u64 = Size 1;
                /// All kinds: rate of false duplicates, in (0, 0.5]; default 1e-6 (quotient: 1e-3) where nothing else fixes it.
                8 ErrorRate error_rate: f64 = Rate 0;
                /// Quotient: rate of missed duplicates, in (0, 1).
                9 MissRate miss_rate: f64 = Rate 0;
                /// All kinds: the most bytes that the cells and the table of claims take, up to 2^56: more, such as -1, is an
                /// error. Without it a filter with a window of time grows with its traffic.
                10 Memory memory: u64 = Bytes 1;
                /// Window table and time-limited, with a manual clock: the most that a tick may lead the filter's clock by, in
                /// nanoseconds. After a longer pause every tick is refused until the caller calls `advance`. Without it one record
                /// from the far future moves the clock there, and later keys are judged at that time until real time catches up.
                11 MaxStepNs max_step_ns: u64 = Span 0;
                /// Time-limited, age-partitioned: bits per key. Quotient: cells per row.
                12 K k: u32 = Count 0;
                /// Time-limited, age-partitioned: full generations in the window. Time-limited, with fewer than `k`: the first two
                /// windows of a stream can be above `error_rate`, with 1 later ones too; no plan chooses that.
                13 L l: u32 = Count 0;
                /// Time-limited, age-partitioned: bound of the search on `k` + `l`, 2 to 1024, default 32; live slices can be more.
                14 MaxSlices max_slices: u32 = Count 0;
                /// Time-limited, age-partitioned: fill of a full slice, in [0.1, 0.9].
                15 Fill fill: f64 = Rate 0;
                /// Quotient: the member of the family; default: the queued one that stores duplicates.
                16 Variant variant: Variant = Choice 0;
                /// Quotient: bits of a fingerprint, 1 to 16.
                17 FingerprintBits fingerprint_bits: u32 = Count 0;
                /// Quotient: whether rows are sorted to save bits.
                18 SemiSort semi_sort: bool = Flag 0;
                /// TinySet: whether keys can be removed. Then the plan is for endless churn: at the planned load the mean rate
                /// stays within `error_rate`, as keys leave by chance or the oldest first, for 2.1 to 6.6 bits more per key (1e-2
                /// to 1e-6). Keys that never leave raise the rate: `Stats::error_rate` is the current one, and
                /// docs/reference/costs.md has the law.
                19 Removable removable: bool = Flag 0;
                /// TinySet: bytes of a block, 32 or 64 (default).
                20 BlockBytes block_bytes: u32 = Count 0;
                /// TinySet: chains of a block.
                21 Chains chains: u32 = Count 0;
                /// TinySet: keys per chain.
                22 Load load: f64 = Rate 0;
                /// All kinds: whether keys are hashed under a secret, so that no one can aim at collisions.
                23 Keyed keyed: bool = Flag 0;
                /// All kinds: seed of the hash, default 0: filters with the same seed are equal everywhere.
                24 Seed seed: u64 = Word 0;
            }
            {
                /// All kinds, keyed: low word of the secret; both words 0: one is drawn from the system.
                25 SecretLo secret_lo: u64 = Word 0;
                /// All kinds, keyed: high word of the secret.
                26 SecretHi secret_hi: u64 = Word 0;
            }
            {
                /// Window table: bits of the age of a key, 2 to 5, default 3, with `lateness_ns` 4 or 5. The window (and the
                /// lateness) is 2^`age_bits` - 1 generations, and a key is found one generation too long at most.
                27 AgeBits age_bits: u32 = Count 0;
                /// Window table with `window_ns` and a manual clock: how late a record may be, in nanoseconds, 0 to 24/7 of
                /// `window_ns`. A record that is at most this far below the clock is judged at its own time: never `New` if its key
                /// was seen within the window before that, or later. It takes the memory of a window that is longer by as much.
                28 LatenessNs lateness_ns: u64 = Span 0;
                /// Window table, time-limited, age-partitioned: how long a claim stays open, in nanoseconds, 1 to the window. With
                /// `window_keys` it is up to 365 days, by the system's clock. A filter without a lease takes no claims, one with it
                /// no hashes.
                29 LeaseNs lease_ns: u64 = Span 1;
                /// Window table, time-limited, age-partitioned, with `lease_ns`: the most open claims, 1 to 2^24, default 65,536.
                /// They take at most 40 bytes each, from the start and within `memory`.
                30 MaxClaims max_claims: u64 = Size 1;
            }
        }
    };
}

pub(crate) use option_table;

macro_rules! declare {
    ({} $({ $(
        $(#[doc = $doc:literal])+
        $number:literal $variant:ident $name:ident: $type:ident = $shape:ident $least:literal;
    )+ })+) => {
        /// An option. The number is `LATELY_FIELD_*` in C and never changes.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[repr(u32)]
        #[non_exhaustive]
        pub enum Field { $($($(#[doc = $doc])+ $variant = $number),+),+ }

        impl Field {
            /// Every option, in the order of its number.
            pub const ALL: &'static [Self] = &[$($(Self::$variant),+),+];

            /// The name of the option, the same in every language except for its case.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $($(Self::$variant => stringify!($name)),+),+ }
            }

            /// The number of the option in the C ABI.
            #[must_use]
            pub const fn number(self) -> u32 {
                match self { $($(Self::$variant => $number),+),+ }
            }

            /// What its value is.
            #[doc(hidden)]
            #[must_use]
            pub const fn shape(self) -> Shape {
                match self { $($(Self::$variant => Shape::$shape),+),+ }
            }

            /// The least value that a setter of another language takes: 1 where a computed 0 must not pass for "not given".
            #[doc(hidden)]
            #[must_use]
            pub const fn least(self) -> u64 {
                match self { $($(Self::$variant => $least),+),+ }
            }

            /// What is said of it, in lines.
            #[doc(hidden)]
            #[must_use]
            pub const fn about(self) -> &'static str {
                match self { $($(Self::$variant => concat!($($doc),+)),+),+ }
            }
        }
    };
}

option_table!([declare] {});

impl Field {
    /// The unit of its numbers in a range, with a space before it; empty if it has none.
    pub(crate) const fn unit(self) -> &'static str {
        match self.shape() {
            Shape::Bytes => " bytes",
            Shape::Span => " ns",
            _ => "",
        }
    }

    /// The same after a value, where the name of the option ends with its unit already.
    pub(crate) const fn unit_of_value(self) -> &'static str {
        if matches!(self.shape(), Shape::Bytes) { self.unit() } else { "" }
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_run_from_one_without_gaps() {
        for (i, field) in (1u32..).zip(Field::ALL) {
            assert_eq!(field.number(), i, "{field}");
        }
    }
}
