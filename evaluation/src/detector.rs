//! The one verb that every filter here keeps, and the counting of their mistakes.

use serde::{Deserialize, Serialize};

use crate::num;

/// Says whether it has seen a key, and remembers it by its own rules.
pub(crate) trait Detector {
    /// Whether `key` is called a duplicate; then it is remembered.
    fn observe(&mut self, key: u64) -> bool;
    /// The bits that its cells may take.
    fn bits(&self) -> f64;
    /// The bits that its cells take now, where they come and go.
    fn bits_now(&self) -> f64 {
        self.bits()
    }
    /// The cache lines of 64 bytes that one `observe` of a new key touches, about: random places, each a line.
    fn lines(&self) -> f64;
}

/// What a filter said wrong, and of how many keys.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Mistakes {
    pub(crate) unseen: u64,
    pub(crate) false_duplicates: u64,
    pub(crate) duplicates: u64,
    pub(crate) missed: u64,
}

impl Mistakes {
    /// One verdict beside the truth.
    pub(crate) const fn count(&mut self, said: bool, truth: bool) {
        match (said, truth) {
            (false, false) => self.unseen += 1,
            (true, false) => (self.unseen, self.false_duplicates) = (self.unseen + 1, self.false_duplicates + 1),
            (true, true) => self.duplicates += 1,
            (false, true) => (self.duplicates, self.missed) = (self.duplicates + 1, self.missed + 1),
        }
    }

    /// The share of unseen keys that were called duplicates; NaN if there were none.
    pub(crate) fn false_rate(&self) -> f64 {
        num::real(self.false_duplicates) / num::real(self.unseen)
    }

    /// The share of duplicates that were called new; NaN if there were none.
    pub(crate) fn miss_rate(&self) -> f64 {
        num::real(self.missed) / num::real(self.duplicates)
    }
}

/// Shows every key with its truth to every detector.
pub(crate) fn judge(detectors: &mut [Box<dyn Detector>], stream: impl Iterator<Item = (u64, bool)>) -> Vec<Mistakes> {
    let mut mistakes = vec![Mistakes::default(); detectors.len()];
    for (key, truth) in stream {
        for (detector, mistakes) in detectors.iter_mut().zip(&mut mistakes) {
            mistakes.count(detector.observe(key), truth);
        }
    }
    mistakes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_counted_over_what_could_be_mistaken() {
        let mut mistakes = Mistakes::default();
        [(false, false), (true, false), (true, true), (false, true), (false, true)]
            .iter()
            .for_each(|&(said, truth)| mistakes.count(said, truth));
        assert_eq!(mistakes, Mistakes { unseen: 2, false_duplicates: 1, duplicates: 3, missed: 2 });
        assert_eq!((mistakes.false_rate(), mistakes.miss_rate()), (0.5, 2.0 / 3.0));
    }
}
