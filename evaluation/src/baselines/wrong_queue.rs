//! A QQHTD with one mistake: a full row gives up its second oldest fingerprint, not the oldest.
//!
//! On a uniform stream every key that is held is as good as another, so that rates over such a stream cannot show it.

use std::collections::VecDeque;

use crate::detector::Detector;
use crate::num;
use crate::rng;

pub(crate) struct WrongQueue {
    rows: Vec<VecDeque<u64>>,
    k: u64,
    s: u64,
    seed: u64,
}

impl WrongQueue {
    /// Rows of k cells of s bits in `memory` bits.
    pub(crate) fn new(memory: u64, k: u64, s: u64, seed: u64) -> Self {
        Self { rows: vec![VecDeque::new(); num::index(memory / (k * s))], k, s, seed }
    }
}

impl Detector for WrongQueue {
    fn observe(&mut self, key: u64) -> bool {
        let hash = |i| rng::hash(key ^ self.seed, i);
        let fingerprint = 1 + num::spread(hash(1), (1 << self.s) - 1);
        let row = num::index(num::spread(hash(0), num::wide(self.rows.len())));
        let row = &mut self.rows[row];
        let found = row.contains(&fingerprint);
        if num::wide(row.len()) == self.k {
            row.remove(1);
        }
        row.push_back(fingerprint);
        found
    }

    fn bits(&self) -> f64 {
        num::real(num::wide(self.rows.len()) * self.k * self.s)
    }

    fn lines(&self) -> f64 {
        1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_row_keeps_its_oldest_key() {
        // One row of two cells: the first key stays, the second goes when the third comes.
        let mut queue = WrongQueue::new(48, 2, 24, 1);
        assert!((0..3).all(|key| !queue.observe(key)));
        assert!(queue.observe(0) && !queue.observe(1));
        assert_eq!((queue.bits(), queue.lines()), (48.0, 1.0));
    }
}
