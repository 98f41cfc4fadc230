//! The options by name and number, so that an error can say which one is at fault in every language.

use std::fmt;

macro_rules! fields {
    ($($(#[$doc:meta])* $variant:ident = $number:literal $name:literal),+ $(,)?) => {
        /// An option. The number is `LATELY_FIELD_*` in C and never changes.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[repr(u32)]
        #[non_exhaustive]
        pub enum Field { $($(#[$doc])* $variant = $number),+ }

        impl Field {
            /// Every option, in the order of its number.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The name of the option, the same in every language except for its case.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }

            /// The number of the option in the C ABI.
            #[must_use]
            pub const fn number(self) -> u32 {
                match self { $(Self::$variant => $number),+ }
            }
        }
    };
}

fields! {
    /// Which kind of filter.
    Kind = 1 "kind",
    /// Which clock is used.
    Clock = 2 "clock",
    /// How a repeat is treated.
    Repeat = 3 "repeat",
    /// What gives way at the memory limit.
    OnLimit = 4 "on_limit",
    /// The window in nanoseconds.
    WindowNs = 5 "window_ns",
    /// The window in insertions.
    WindowKeys = 6 "window_keys",
    /// How many keys to plan for.
    Capacity = 7 "capacity",
    /// The rate of false duplicates.
    ErrorRate = 8 "error_rate",
    /// The rate of missed duplicates.
    MissRate = 9 "miss_rate",
    /// The most bytes to use.
    Memory = 10 "memory",
    /// How far a tick may lead the clock.
    MaxStepNs = 11 "max_step_ns",
    /// Bits per key, or cells per row.
    K = 12 "k",
    /// Full generations in the window.
    L = 13 "l",
    /// The bound of the search on k + l.
    MaxSlices = 14 "max_slices",
    /// The fill of a full slice.
    Fill = 15 "fill",
    /// What a row does with a repeat, and which cell gives way.
    Variant = 16 "variant",
    /// Bits of a fingerprint.
    FingerprintBits = 17 "fingerprint_bits",
    /// Whether rows are sorted to save bits.
    SemiSort = 18 "semi_sort",
    /// Whether keys can be removed.
    Removable = 19 "removable",
    /// Bytes of a block.
    BlockBytes = 20 "block_bytes",
    /// Chains of a block.
    Chains = 21 "chains",
    /// Keys per chain.
    Load = 22 "load",
    /// Whether the hash has a secret.
    Keyed = 23 "keyed",
    /// The seed of the hash.
    Seed = 24 "seed",
    /// The low word of the secret.
    SecretLo = 25 "secret_lo",
    /// The high word of the secret.
    SecretHi = 26 "secret_hi",
    /// Bits of the age of a key.
    AgeBits = 27 "age_bits",
    /// How late a record may be and still be judged at its own time.
    LatenessNs = 28 "lateness_ns",
    /// How long a claim stays open.
    LeaseNs = 29 "lease_ns",
    /// The most open claims.
    MaxClaims = 30 "max_claims",
}

impl Field {
    /// The unit of its numbers in a range, with a space before it; empty if it has none.
    pub(crate) const fn unit(self) -> &'static str {
        match self {
            Self::Memory => " bytes",
            Self::WindowNs | Self::MaxStepNs | Self::LatenessNs | Self::LeaseNs => " ns",
            _ => "",
        }
    }

    /// The same after a value, where the name of the option ends with its unit already.
    pub(crate) const fn unit_of_value(self) -> &'static str {
        if matches!(self, Self::Memory) { self.unit() } else { "" }
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
