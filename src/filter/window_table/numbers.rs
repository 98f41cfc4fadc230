//! A number of a table, named once with its range: one list of names writes a snapshot, reads it and counts its numbers.
//!
//! **Law.** What is written is read as it was, and what is read lies in its range or is refused by its name. Parts are kept as
//! how long ago they were, so a filter that runs for years has small numbers.

use std::ops::RangeInclusive;

use crate::wire::{MOST_COUNT, Refused, Sink, Source, within};

use super::position::{Part, START};

/// A pass over the numbers: each is written, or read and checked, or counted.
pub(super) trait Numbers {
    fn whole(&mut self, name: &'static str, value: &mut u64, allowed: RangeInclusive<u64>) -> Result<(), Refused>;

    fn real(&mut self, name: &'static str, value: &mut f64, allowed: RangeInclusive<f64>) -> Result<(), Refused> {
        let mut bits = value.to_bits();
        self.whole(name, &mut bits, 0..=u64::MAX)?;
        *value = f64::from_bits(bits);
        Ok(within(name, *value, *allowed.start(), *allowed.end()).map(drop)?)
    }

    fn flag(&mut self, name: &'static str, value: &mut bool) -> Result<(), Refused> {
        let mut bit = u64::from(*value);
        self.whole(name, &mut bit, 0..=1)?;
        *value = bit == 1;
        Ok(())
    }

    /// A counter: it continues after loading, and saturates at the largest value that a snapshot may have.
    fn count(&mut self, name: &'static str, value: &mut u64) -> Result<(), Refused> {
        *value = (*value).min(MOST_COUNT);
        self.whole(name, value, 0..=MOST_COUNT)
    }

    /// A part that is past, as how long ago it was; what is longer ago than any window needs is written as that.
    fn past(&mut self, name: &'static str, value: &mut Part, part: Part) -> Result<(), Refused> {
        let mut age = part.0.saturating_sub(value.0).min(START - 1);
        self.whole(name, &mut age, 0..=START - 1)?;
        *value = part.before(age);
        Ok(())
    }

    /// The same of one that there may not be: 0, or one more than its age.
    fn past_if_any(&mut self, name: &'static str, value: &mut Option<Part>, part: Part) -> Result<(), Refused> {
        let mut age = value.map_or(0, |value| 1 + part.0.saturating_sub(value.0).min(START - 2));
        self.whole(name, &mut age, 0..=START - 1)?;
        *value = age.checked_sub(1).map(|age| part.before(age));
        Ok(())
    }
}

/// Writes them.
pub(super) struct Writes<'a, 'b>(pub(super) &'a mut Sink<'b>);

impl Numbers for Writes<'_, '_> {
    fn whole(&mut self, _: &'static str, value: &mut u64, _: RangeInclusive<u64>) -> Result<(), Refused> {
        self.0.u64s(&[*value]).map_err(Refused::Unread)
    }
}

/// Reads them.
pub(super) struct Reads<'a, 'b>(pub(super) &'a mut Source<'b>);

impl Numbers for Reads<'_, '_> {
    fn whole(&mut self, name: &'static str, value: &mut u64, allowed: RangeInclusive<u64>) -> Result<(), Refused> {
        let [found] = self.0.u64s()?;
        *value = within(name, found, *allowed.start(), *allowed.end())?;
        Ok(())
    }
}

/// Counts them.
#[derive(Default)]
pub(super) struct Counted(pub(super) u64);

impl Numbers for Counted {
    fn whole(&mut self, _: &'static str, _: &mut u64, _: RangeInclusive<u64>) -> Result<(), Refused> {
        self.0 += 1;
        Ok(())
    }
}
