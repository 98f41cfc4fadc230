//! What waits in a run: the counts of keys that came again (`--count`), or records that are held back (`--keep last`).
//!
//! ```text
//!  --count      new: printed      repeat: +1 in its entry, which is made at the first one     closed: a summary is printed
//!  --keep last  new: held         repeat: takes the place of the one that is held             --hold is over: it is printed
//! ```
//! **Law.** With `--count`, each duplicate is in one summary: all n - 1 together are the duplicates. An entry is closed when the
//! filter has forgotten its key for certain, or calls it new. With `--keep last`, each key that was new is printed once, in the order of
//! the first sightings. Both hold whatever leaves early because the book is full, which is counted, and however a run ends that
//! can still print or save.

use crate::book::{Book, Entry};
use crate::summary::Summary;

pub(crate) enum Aim {
    /// Counts, summed up so. `is_json` says that records are JSON.
    Count {
        form: Summary,
        is_json: bool,
    },
    Hold,
}

#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Leaving {
    /// How long an entry waits, in the unit of the clock: `None` is to the end.
    pub(crate) after: Option<u64>,
    /// Whether the time starts again with each sighting.
    pub(crate) renews: bool,
    /// Whether the clock is the system's, so that entries leave while nothing comes.
    pub(crate) by_arrival: bool,
}

/// A record at its time, and the clock that it was judged by.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sighting<'a> {
    pub(crate) key: &'a [u8],
    pub(crate) body: &'a [u8],
    pub(crate) end: &'a [u8],
    pub(crate) time: u64,
    pub(crate) now: u64,
}

/// What leaves: an entry, and whether that is before its time.
pub(crate) type Left = (Entry, bool);

pub(crate) struct Saved {
    pub(crate) are_counts: bool,
    /// Records that were judged, where the window is one of records.
    pub(crate) position: u64,
    pub(crate) entries: Vec<Entry>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Figures {
    pub(crate) are_counts: bool,
    pub(crate) left: u64,
    /// Those of them that left before their time.
    pub(crate) early: u64,
    pub(crate) open: u64,
}

pub(crate) struct Waiting {
    pub(crate) book: Book,
    pub(crate) aim: Aim,
    leaving: Leaving,
    /// The clock where the filter has none: records that were judged.
    pub(crate) position: u64,
    left: u64,
    early: u64,
}

impl Waiting {
    /// With room for this many bytes, and with what an earlier run saved.
    pub(crate) fn new(aim: Aim, leaving: Leaving, memory: u64, saved: Option<Saved>) -> Self {
        let mut book = Book::new(memory);
        let position = saved.as_ref().map_or(0, |saved| saved.position);
        for entry in saved.into_iter().flat_map(|saved| saved.entries) {
            book.put(entry);
        }
        Self { book, aim, leaving, position, left: 0, early: 0 }
    }

    pub(crate) fn are_counts(&self) -> bool {
        matches!(self.aim, Aim::Count { .. })
    }

    /// The clock for the next record that was judged: that of the filter, or of its arrival, or its number.
    pub(crate) fn clock(&mut self, of_filter: Option<u64>, arrival: u64) -> u64 {
        self.position += 1;
        match &self.aim {
            Aim::Hold => of_filter.unwrap_or(arrival),
            Aim::Count { .. } => of_filter.unwrap_or(self.position),
        }
    }

    /// Takes a record that was judged; gives what leaves for it.
    pub(crate) fn see(&mut self, sighting: Sighting<'_>, is_new: bool) -> Vec<Left> {
        let mut left = Vec::new();
        match (&self.aim, self.book.find(sighting.key)) {
            (Aim::Count { .. }, Some(place)) if is_new => {
                left.extend(self.book.remove(place).map(|entry| (entry, false)))
            }
            (Aim::Count { .. }, Some(place)) => self.count(place, sighting),
            (Aim::Hold, Some(place)) => self.renew_record(place, sighting),
            // The sighting that was new, and this one.
            (Aim::Count { .. }, None) if !is_new => left.extend(self.put(sighting, 2)),
            (Aim::Hold, None) if is_new => left.extend(self.put(sighting, 1)),
            (_, None) => {}
        }
        while self.book.is_full() {
            left.extend(self.book.pop().map(|entry| (entry, true)));
        }
        self.note(left)
    }

    fn put(&mut self, sighting: Sighting<'_>, n: u64) -> Option<Left> {
        let Sighting { key, body, end, time, now } = sighting;
        self.book.put(Entry::new(key, body, end, n, (time, now))).map(|entry| (entry, true))
    }

    fn count(&mut self, place: u64, Sighting { time, now, .. }: Sighting<'_>) {
        let Some(entry) = self.book.entry(place) else { return };
        (entry.n, entry.last) = (entry.n.saturating_add(1), entry.last.max(time));
        if self.leaving.renews {
            self.book.renew(place, now);
        }
    }

    /// The newest record of a key is the one that is held; one that is older by its own time is not the newest.
    fn renew_record(&mut self, place: u64, Sighting { key, body, end, time, .. }: Sighting<'_>) {
        let Some(entry) = self.book.entry(place) else { return };
        entry.n = entry.n.saturating_add(1);
        if time >= entry.last {
            let (n, first, touched) = (entry.n, entry.first, entry.touched);
            let mut newest = Entry::new(key, body, end, n, (time, touched));
            newest.first = first;
            self.book.replace(place, newest);
        }
    }

    /// What has waited long enough at this time.
    pub(crate) fn close(&mut self, now: u64) -> Vec<Left> {
        let mut left = Vec::new();
        while let Some((place, entry)) = self.book.oldest() {
            let (touched, last) = (entry.touched, entry.last);
            // A record that was ahead of the clock when it was judged counts from its own time.
            if self.leaving.renews
                && last > touched
                && last <= now
                && self.is_over(touched, now)
                && !self.is_over(last, now)
            {
                self.book.renew(place, last);
                continue;
            }
            // A clock that was set back has emptied the filter.
            if touched <= now && !self.is_over(touched, now) {
                break;
            }
            left.extend(self.book.pop().map(|entry| (entry, false)));
        }
        self.note(left)
    }

    fn is_over(&self, from: u64, now: u64) -> bool {
        self.leaving.after.is_some_and(|after| now.saturating_sub(from) > after)
    }

    pub(crate) fn close_all(&mut self) -> Vec<Left> {
        let left = std::iter::from_fn(|| self.book.pop()).map(|entry| (entry, false)).collect();
        self.note(left)
    }

    fn note(&mut self, left: Vec<Left>) -> Vec<Left> {
        let number = |n: usize| u64::try_from(n).unwrap_or(u64::MAX);
        self.left += number(left.len());
        self.early += number(left.iter().filter(|(_, is_early)| *is_early).count());
        left
    }

    /// How long after `now` the next one leaves though nothing comes.
    pub(crate) fn due(&self, now: u64) -> Option<u64> {
        let after = self.leaving.after.filter(|_| self.leaving.by_arrival)?;
        let (_, entry) = self.book.oldest()?;
        Some(entry.touched.saturating_add(after).saturating_add(1).saturating_sub(now))
    }

    pub(crate) fn figures(&self) -> Figures {
        let open = u64::try_from(self.book.len()).unwrap_or(u64::MAX);
        Figures { are_counts: self.are_counts(), left: self.left, early: self.early, open }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sighting<'a>(key: &'a str, body: &'a str, time: u64, now: u64) -> Sighting<'a> {
        Sighting { key: key.as_bytes(), body: body.as_bytes(), end: b"\n", time, now }
    }

    fn shown(left: &[Left]) -> Vec<(String, u64, bool)> {
        let shown = |(entry, is_early): &Left| (String::from_utf8_lossy(entry.body()).into_owned(), entry.n, *is_early);
        left.iter().map(shown).collect()
    }

    fn waiting(aim: Aim, renews: bool, memory: u64) -> Waiting {
        Waiting::new(aim, Leaving { after: Some(10), renews, by_arrival: true }, memory, None)
    }

    fn counts(renews: bool, memory: u64) -> Waiting {
        waiting(Aim::Count { form: Summary::Json, is_json: false }, renews, memory)
    }

    #[test]
    fn oldest_leaves_early_where_the_book_is_full() {
        let mut waiting = counts(true, 3 * (crate::book::OVERHEAD + 2));
        let left: Vec<_> = ["a", "b", "c", "a", "d"]
            .into_iter()
            .zip(1..)
            .flat_map(|(key, now)| waiting.see(sighting(key, key, now, now), false))
            .collect();
        assert_eq!(shown(&left), [("b".into(), 2, true)]);
        assert_eq!(
            shown(&waiting.close_all()),
            [("c".into(), 2, false), ("a".into(), 3, false), ("d".into(), 2, false)]
        );
        let Figures { left, early, open, .. } = waiting.figures();
        assert_eq!((left, early, open), (4, 1, 0));
        // A record that has no room at all is summed up at once.
        let mut none = counts(true, 1);
        assert_eq!(shown(&none.see(sighting("a", "a", 1, 1), false)), [("a".into(), 2, true)]);
    }

    #[test]
    fn clock_that_is_set_back_closes_what_was_ahead_of_it() {
        let mut waiting = counts(true, 1 << 20);
        waiting.see(sighting("a", "a", 1000, 1000), false);
        assert_eq!(shown(&waiting.close(50)), [("a".into(), 2, false)]);
    }

    /// The record is ahead of the clock, which follows it later.
    #[test]
    fn record_ahead_of_the_clock_waits_from_its_own_time() {
        let mut waiting = counts(true, 1 << 20);
        waiting.see(sighting("a", "a", 1000, 50), false);
        assert_eq!(shown(&waiting.close(1005)), []);
        assert_eq!(shown(&waiting.close(1011)), [("a".into(), 2, false)]);
    }
}
