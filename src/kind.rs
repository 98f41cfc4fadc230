//! The one table of kinds: each with its number, its name and the options that it takes.
//!
//! The number is `LATELY_KIND_*` in C and is part of snapshots; the name is the one of the shell and of plans. The plans
//! refuse every other option, the shell and the tests ask the table, and `filter/any` makes its `match` from it.

use std::fmt;

use crate::field::Field;
use crate::text::Text;

/// Hands the table to a macro: `kinds!([then] { arguments })` is `then! { { arguments } table }`.
macro_rules! kinds {
    ([$($then:tt)+] { $($arguments:tt)* }) => {
        $($then)+! {
            { $($arguments)* }
            TimeLimited {
                /// Window = the last T of time. Never misses a key inserted within it.
                1 "time-limited" WindowNs Clock Repeat OnLimit Capacity MaxStepNs K L MaxSlices Fill LeaseNs
                MaxClaims
            }
            AgePartitioned {
                /// Window = the last N insertions. Never misses a key among them.
                2 "age-partitioned" WindowKeys Repeat K L MaxSlices Fill LeaseNs MaxClaims
            }
            TinySet {
                /// A set with removal.
                3 "tiny-set" Capacity Removable BlockBytes Chains Load
            }
            Quotient {
                /// Fixed memory for an endless stream, forgetting by law.
                4 "quotient" WindowKeys MissRate K Variant FingerprintBits SemiSort
            }
            WindowTable {
                /// Window = the last T of time, or the last n observations. Never misses a key within it.
                5 "window-table" WindowNs WindowKeys Clock Repeat OnLimit Capacity MaxStepNs AgeBits LatenessNs
                LeaseNs MaxClaims
            }
        }
    };
}
pub(crate) use kinds;

/// The options that every kind takes.
const COMMON: [Field; 7] =
    [Field::Kind, Field::ErrorRate, Field::Memory, Field::Keyed, Field::Seed, Field::SecretLo, Field::SecretHi];

macro_rules! declare {
    ({} $($kind:ident { $(#[$doc:meta])* $number:literal $name:literal $($option:ident)+ })+) => {
        /// A kind of filter. The number is `LATELY_KIND_*` in C and never changes.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
        #[repr(u32)]
        #[non_exhaustive]
        pub enum Kind { $($(#[$doc])* $kind = $number),+ }

        impl Kind {
            /// Every kind, in the order of its number.
            pub const ALL: &'static [Self] = &[$(Self::$kind),+];

            /// The number of the kind in the C ABI and in snapshots.
            #[must_use]
            pub const fn number(self) -> u32 {
                match self { $(Self::$kind => $number),+ }
            }

            /// The name of the kind in the shell.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$kind => $name),+ }
            }

            /// The options that it takes in addition to those that every kind takes.
            const fn own_options(self) -> &'static [Field] {
                match self { $(Self::$kind => &[$(Field::$option),+]),+ }
            }
        }
    };
}

kinds!([declare] {});

impl Kind {
    /// The kind that can keep its window at the memory limit, so that the error rate rises instead.
    pub(crate) const KEEPS_WINDOW: Self = Self::TimeLimited;

    /// What a filter that cannot forget a key reports.
    pub(crate) const NO_REMOVAL: &str = "remove: only a window table and a filter with removable = 1 can";

    /// Whether every filter of this kind can forget a key: its cells are those of one key alone.
    pub(crate) const fn always_removes(self) -> bool {
        matches!(self, Self::WindowTable)
    }

    /// Whether filters of this kind have the option; every other is refused.
    #[must_use]
    pub fn takes(self, option: Field) -> bool {
        COMMON.contains(&option) || self.own_options().contains(&option)
    }

    /// The kind with this number.
    pub(crate) fn numbered(number: u32) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.number() == number)
    }

    /// The numbers that there are, in words.
    pub(crate) fn numbers() -> Text<16> {
        Text::of(format_args!("1 to {}", Self::ALL.len()))
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_run_from_one_without_gaps() {
        for (i, kind) in (1u32..).zip(Kind::ALL) {
            assert_eq!((kind.number(), Kind::numbered(i)), (i, Some(*kind)), "{kind}");
        }
        assert_eq!([0, 6].map(Kind::numbered), [None; 2]);
        assert_eq!(Kind::numbers().as_str(), "1 to 5");
    }

    #[test]
    fn no_kind_names_an_option_twice_and_every_option_has_a_kind() {
        for kind in Kind::ALL {
            let own = kind.own_options();
            assert!((1..own.len()).all(|i| !own[i..].contains(&own[i - 1])), "{kind}");
            assert!(own.iter().all(|option| !COMMON.contains(option)), "{kind}");
        }
        assert!(Field::ALL.iter().all(|option| Kind::ALL.iter().any(|kind| kind.takes(*option))));
    }
}
