//! The workloads, and their keys from a seed. Every driver makes the same stream: [`digest`] shows that it does.
//!
//! A record of an even index is a new key. One of an odd index repeats a key whose first sighting is within the window, so that
//! a filter that counts from the last sighting and one that counts from the first must both call it a duplicate.

/// A key, as every rival gets it.
pub type Key = [u8; 8];

/// A stream and the window in which duplicates must be found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Workload {
    /// Its name, with the number of records of a window.
    pub name: &'static str,
    /// The records of a window.
    pub records: u64,
    /// The window in nanoseconds; 0: the last `records` records.
    pub span: u64,
    /// How many new keys back a repeat may be.
    pub reach: u64,
    /// Records that fill the filter, neither timed nor counted.
    pub warm: u64,
    /// Records that are timed and counted.
    pub counted: u64,
}

const fn last(name: &'static str, records: u64, counted: u64) -> Workload {
    Workload { name, records, span: 0, reach: records / 2, warm: 2 * records, counted }
}

/// Repeats end a quarter before the window does, so that a clock that is late misses nothing.
const fn time(name: &'static str, records: u64, span: u64) -> Workload {
    Workload { name, records, span, reach: records / 8 * 3, warm: 2 * records, counted: 4 * records }
}

/// All workloads: two short ones for tests.
pub const WORKLOADS: [Workload; 5] = [
    last("last-2000", 2_000, 20_000),
    last("last-50000", 50_000, 2_000_000),
    last("last-1000000", 1_000_000, 2_000_000),
    time("time-2000", 2_000, 200_000_000),
    time("time-100000", 100_000, 4_000_000_000),
];

/// One step of SplitMix64.
const fn split_mix(x: u64) -> u64 {
    let z = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// Sets the generator of repeats apart from that of keys.
const REPEATS: u64 = 0x5555_5555_5555_5555;

impl Workload {
    /// The workload of this name.
    ///
    /// # Errors
    /// There is none; the error lists them.
    pub fn find(name: &str) -> Result<&'static Self, String> {
        let names = || WORKLOADS.map(|workload| workload.name).join(", ");
        WORKLOADS
            .iter()
            .find(|workload| workload.name == name)
            .ok_or_else(|| format!("workload {name:?}: allowed are {}", names()))
    }

    /// Whether this is the short form, for tests.
    #[must_use]
    pub const fn is_short(&self) -> bool {
        self.records <= 2_000
    }

    /// Which new key record `i` has.
    #[must_use]
    pub const fn index(&self, seed: u64, i: u64) -> u64 {
        if i % 2 == 0 {
            return i / 2;
        }
        let new = i.div_ceil(2);
        let span = if new < self.reach { new } else { self.reach };
        new - 1 - (split_mix((seed ^ REPEATS).wrapping_add(i)) >> 33) % span
    }

    /// The keys of all records, those that warm first.
    #[must_use]
    pub fn keys(&self, seed: u64) -> Vec<Key> {
        (0..self.warm + self.counted).map(|i| split_mix(seed.wrapping_add(self.index(seed, i))).to_le_bytes()).collect()
    }

    /// The time of record `i` in nanoseconds; without a window of time, its index.
    #[must_use]
    pub const fn tick(&self, i: u64) -> u64 {
        if self.span == 0 { i } else { i * self.span / self.records }
    }
}

/// What two equal streams have in common, as 16 hexadecimal digits.
#[must_use]
pub fn digest(keys: &[Key]) -> String {
    let fold = |sum: u64, key: &Key| (sum ^ u64::from_le_bytes(*key)).wrapping_mul(0x100_0000_01B3);
    format!("{:016x}", keys.iter().fold(0, fold))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{HashMap, HashSet};

    #[test]
    fn repeats_are_within_the_window_of_the_first_sighting() {
        for name in ["last-2000", "time-2000"] {
            let workload = Workload::find(name).expect("a workload");
            let (mut first, keys) = (HashMap::new(), workload.keys(7));
            for (i, key) in (0..).zip(&keys) {
                let seen: u64 = *first.entry(key).or_insert(i);
                assert_eq!(seen == i, i % 2 == 0, "{name}: record {i}");
                assert!(i - seen < workload.records, "{name}: record {i} repeats {seen}");
            }
        }
    }

    #[test]
    fn digest_differs_with_seed_and_workload() {
        let digests: HashSet<String> = ["last-2000", "time-2000"]
            .iter()
            .flat_map(|name| [1, 2].map(|seed| digest(&Workload::find(name).expect("a workload").keys(seed))))
            .collect();
        assert_eq!(digests.len(), 4);
        assert_eq!(split_mix(0), 0xE220_A839_7B1D_CDAF, "the generator's published first value");
    }

    #[test]
    fn ticks_are_even_and_a_window_has_its_records() {
        let workload = Workload::find("time-2000").expect("a workload");
        assert_eq!((workload.tick(0), workload.tick(1), workload.tick(2_000)), (0, 100_000, workload.span));
        assert!(Workload::find("last-3").expect_err("no such workload").contains("time-100000"));
    }
}
