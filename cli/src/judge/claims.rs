//! The judge where new records have work: a record is claimed, and observed when its work is done.

use lately::{Error, Tick};

use super::{Judge, Ruled};

impl Judge {
    /// Where a record is judged, and whether it is new there: then it is left out of the filter until its work is done.
    pub(crate) fn claim(&mut self, key: &[u8], time: u64, line: u64) -> Result<(Ruled, bool), Error> {
        let ruled = self.rule(time, line)?;
        if matches!(ruled, Ruled::TooLate | Ruled::Refused(_)) {
            return Ok((ruled, false));
        }
        let verdict = match self.clock {
            None => self.filter.contains(key),
            Some(_) => self.look(key, Tick(time))?.0,
        };
        let is_new = !verdict.is_duplicate();
        if !is_new {
            self.see(key, time, ruled == Ruled::FarAhead)?;
            self.counts.1 += 1;
        }
        Ok((ruled, is_new))
    }

    /// The work for a new record is done.
    pub(crate) fn commit(&mut self, key: &[u8], time: u64, is_far: bool) -> Result<(), Error> {
        self.see(key, time, is_far)?;
        self.counts.0 += 1;
        Ok(())
    }

    /// The key was seen at its time; one far ahead of the clock waits for the next record.
    fn see(&mut self, key: &[u8], time: u64, is_far: bool) -> Result<(), Error> {
        match &self.clock {
            _ if is_far => self.far = Some(self.far_key(key)),
            Some(_) => drop(self.filter.observe_at(key, Tick(time))?),
            None => drop(self.filter.observe(key)?),
        }
        Ok(())
    }
}
