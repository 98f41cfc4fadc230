//! The judge where new records have work: a record is claimed, and observed when its work is done.

use lately::{Error, Tick};

use super::{Judge, Ruled};

/// What is true of a record that is not observed before its work is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Claim {
    New,
    /// Likewise, before the next record: it is far ahead of the clock, which does not go there yet.
    NewFar,
    Duplicate,
    TooLate,
    Refused(u64),
}

impl Judge {
    /// Looks whether a record is new, and leaves it out of the filter until its work is done.
    pub(crate) fn claim(&mut self, key: &[u8], time: u64, line: u64) -> Result<Claim, Error> {
        let (is_far, is_new) = match self.rule(time, line)? {
            Ruled::Here => (false, !self.is_known(key, time)?),
            Ruled::FarAhead => (true, !self.is_known(key, time)?),
            Ruled::TooLate => return Ok(Claim::TooLate),
            Ruled::Refused(ahead) => return Ok(Claim::Refused(ahead)),
        };
        match (is_new, is_far) {
            (true, true) => return Ok(Claim::NewFar),
            (true, false) => return Ok(Claim::New),
            (false, true) => self.far = Some(self.far_key(key)),
            (false, false) => self.observe_one(key, time)?,
        }
        self.counts.1 += 1;
        Ok(Claim::Duplicate)
    }

    /// The work for a new record is done: its key was seen at its time.
    pub(crate) fn commit(&mut self, key: &[u8], time: u64, is_far: bool) -> Result<(), Error> {
        match is_far {
            true => self.far = Some(self.far_key(key)),
            false => self.observe_one(key, time)?,
        }
        self.counts.0 += 1;
        Ok(())
    }

    fn is_known(&self, key: &[u8], time: u64) -> Result<bool, Error> {
        if self.clock.is_none() {
            return Ok(self.filter.contains(key).is_duplicate());
        }
        let (verdict, _) = self.look(key, Tick(time))?;
        Ok(verdict.is_duplicate())
    }

    fn observe_one(&mut self, key: &[u8], time: u64) -> Result<(), Error> {
        let observed =
            if self.clock.is_some() { self.filter.observe_at(key, Tick(time)) } else { self.filter.observe(key) };
        observed.map(drop)
    }
}
