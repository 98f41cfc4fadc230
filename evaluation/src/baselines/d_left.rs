//! d-left counting (Bonomi, Mitzenmacher, Panigrahy, Singh, Varghese 2006): four tables of buckets, a key's fingerprint in
//! the emptiest of its four, with a counter of its own.
//!
//! A key is one fingerprint of bucket and remainder; each table permutes it, so that keys that meet in one table meet in
//! all and a removal finds the one it means. Eight cells a bucket for six keys on average, a counter of two bits. Law: 24
//! cells are looked at, so the rate is 1 - (1 - 2^-r)^24 for (4/3)(r + 2) bits per key.

use crate::num;
use crate::rng;
use crate::sets::{Leaving, Set};

const TABLES: u64 = 4;
const CELLS: u64 = 8;
/// Keys of a bucket on average.
const LOAD: u64 = 6;
const COUNTER: u32 = 2;
const MOST: u8 = (1 << COUNTER) - 1;

/// One cell in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Cell {
    remainder: u64,
    count: u8,
}

pub(crate) struct DLeft {
    /// By table and bucket.
    buckets: Vec<Vec<Cell>>,
    log_buckets: u32,
    remainder_bits: u32,
    seed: u64,
}

impl DLeft {
    /// With 2^`log_buckets` buckets in each table.
    pub(crate) fn new(log_buckets: u32, remainder_bits: u32, seed: u64) -> Self {
        let buckets = vec![Vec::new(); num::index(TABLES << log_buckets)];
        Self { buckets, log_buckets, remainder_bits, seed }
    }

    /// The keys that it is meant for.
    pub(crate) const fn capacity(&self) -> u64 {
        (TABLES << self.log_buckets) * LOAD
    }

    /// The bucket of a key in each table, and what is stored there.
    fn places(&self, key: u64) -> [(usize, u64); 4] {
        let bits = self.log_buckets + self.remainder_bits;
        let print = rng::hash(key ^ self.seed, 0) >> (64 - bits);
        [0, 1, 2, 3].map(|table| {
            let permuted = permute(print, table, bits);
            let bucket = permuted >> self.remainder_bits;
            let place = num::index((table << self.log_buckets) + bucket);
            (place, permuted & ((1 << self.remainder_bits) - 1))
        })
    }

    fn find(&self, key: u64) -> Option<(usize, usize)> {
        let within = |(bucket, remainder): (usize, u64)| {
            let slot = self.buckets[bucket].iter().position(|cell| cell.remainder == remainder);
            slot.map(|slot| (bucket, slot))
        };
        self.places(key).into_iter().find_map(within)
    }
}

/// A bijection of numbers of that many bits for each table: odd factors and a shift.
const fn permute(x: u64, table: u64, bits: u32) -> u64 {
    let mask = (1 << bits) - 1;
    let x = x.wrapping_mul(rng::mix(table) | 1) & mask;
    let x = x ^ (x >> bits.div_ceil(2));
    x.wrapping_mul(rng::mix(!table) | 1) & mask
}

impl Set for DLeft {
    fn insert(&mut self, key: u64) -> bool {
        if let Some((bucket, slot)) = self.find(key) {
            let count = &mut self.buckets[bucket][slot].count;
            *count = (*count + 1).min(MOST);
            return true;
        }
        let places = self.places(key);
        let (bucket, remainder) = places.into_iter().min_by_key(|place| self.buckets[place.0].len()).expect("four");
        let bucket = &mut self.buckets[bucket];
        let room = num::wide(bucket.len()) < CELLS;
        if room {
            bucket.push(Cell { remainder, count: 1 });
        }
        room
    }

    fn contains(&self, key: u64) -> bool {
        self.find(key).is_some()
    }

    fn bits(&self) -> f64 {
        let cells = num::wide(self.buckets.len()) * CELLS;
        num::real(cells * u64::from(self.remainder_bits + COUNTER))
    }
}

impl Leaving for DLeft {
    fn remove(&mut self, key: u64) {
        let (bucket, slot) = self.find(key).expect("a key that was inserted");
        let cell = &mut self.buckets[bucket][slot];
        match cell.count {
            MOST => {} // it may stand for more keys than it can count
            1 => drop(self.buckets[bucket].swap_remove(slot)),
            _ => cell.count -= 1,
        }
    }
}

/// The rate with the load that it is meant for.
pub(crate) fn rate(remainder_bits: u32) -> f64 {
    let looked_at = num::real(TABLES * LOAD);
    -(looked_at * (-0.5f64.powi(num::power(u64::from(remainder_bits)))).ln_1p()).exp_m1()
}

/// Bits per key; real numbers of remainder bits, as papers do.
pub(crate) fn bits_for(target: f64) -> f64 {
    num::real(CELLS) / num::real(LOAD) * ((num::real(TABLES * LOAD) / target).log2() + f64::from(COUNTER))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sets;

    /// Measured within five standard deviations of the formula, before and after a turnover of all keys.
    #[test]
    fn the_rate_is_that_of_the_formula() {
        for bits in [9, 12] {
            let (mut set, law) = (DLeft::new(12, bits, 1), rate(bits));
            let keys = set.capacity();
            assert_eq!(sets::fill(&mut set, keys) + sets::missing(&set, 0..keys), 0);
            let interval = 5.0 * (law / 4e5).sqrt() + 0.02 * law;
            let before = sets::false_rate(&set, 400_000);
            assert!((before - law).abs() < interval, "{bits}: {before} {law}");
            for key in 0..keys / 2 {
                set.remove(key);
                assert!(set.insert(keys + key));
            }
            assert_eq!(sets::missing(&set, keys / 2..keys + keys / 2), 0);
            assert!((sets::false_rate(&set, 400_000) - law).abs() < interval, "{bits} after");
        }
    }

    #[test]
    fn sizes_are_those_of_the_paper() {
        for (target, bits) in [(1e-2, 17.6), (1e-3, 22.3), (1e-4, 26.4)] {
            assert!((bits_for(target) - bits).abs() < 0.25, "{}", bits_for(target));
        }
    }

    #[test]
    fn tables_permute() {
        for table in 0..4 {
            let mut all: Vec<u64> = (0..1 << 10).map(|x| permute(x, table, 10)).collect();
            all.sort_unstable();
            assert!((0..1 << 10).eq(all));
        }
    }
}
