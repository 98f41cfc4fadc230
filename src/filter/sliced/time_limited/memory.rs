//! Which slices leave the queue, and which ones the memory limit lets in.

use crate::bits::Bits;
use crate::options::OnLimit;

use crate::tick::Tick;

use super::slice::Slice;
use super::{Counts, Time, TimeLimited};

impl TimeLimited {
    /// Drops slices from the old end that are out of date.
    pub(super) fn retire(&mut self) {
        while self.slices.len() > self.plan.k && self.is_past(self.oldest_stamp(), self.time.clock) {
            self.drop_oldest();
        }
    }

    fn oldest_stamp(&self) -> Option<Tick> {
        self.stamp(self.slices.len() - 1, self.time.stamp)
    }

    pub(super) fn drop_oldest(&mut self) -> Option<Bits> {
        let bits = self.slices.pop()?.into_bits();
        self.words -= bits.words();
        Some(bits)
    }

    /// An array for a new slice. At the memory limit, or when the system has none, `on_limit` decides: the oldest
    /// slices go until it fits, or there is none and the shift is put off.
    pub(super) fn obtain(&mut self, words: u64) -> Option<Bits> {
        loop {
            // The record of the slice needs memory too, and must not be what ends the process.
            if self.words + words <= self.plan.most_words && self.slices.try_reserve(1).is_ok() {
                if let Ok(bits) = Bits::zeroed(words) {
                    return Some(bits);
                }
            }
            if self.plan.on_limit == OnLimit::RaiseErrorRate {
                return None;
            }
            let last_resort = self.slices.len() == self.plan.k;
            let mut forgotten = self.forget_oldest()?;
            if last_resort {
                // Only slices that fill are left: the one that would leave now comes back as the new one.
                forgotten.clear();
                return Some(forgotten);
            }
        }
    }

    pub(super) fn forget_oldest(&mut self) -> Option<Bits> {
        self.time.forgot = self.oldest_stamp();
        self.counts.forgotten += 1;
        self.drop_oldest()
    }

    /// Empties the k slices that are left, in place.
    pub(super) fn wipe(&mut self) {
        self.slices.iter_mut().for_each(Slice::clear);
        (self.time, self.counts) = (Time::default(), Counts { made: self.counts.made, ..Counts::default() });
        self.counts.words_peak = self.words;
        self.room = self.room_now();
    }
}
