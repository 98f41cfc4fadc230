//! The claims in a snapshot, between its head and what the kind keeps: `docs/reference/format.md` draws them.
//!
//! Every claim of the table is written, its lease over or not, so that the number of bytes does not depend on the time. Loading
//! takes no byte on trust, and the next call closes the claims whose leases ran out meanwhile.

use std::io;

use crate::clock::Watch;
use crate::error::Error;
use crate::hash::Identity;
use crate::num;
use crate::options::Clock;
use crate::raw;
use crate::tick::Tick;
use crate::wire::{Refused, Sink, Source, count, expect_sound, within};

use super::table::{self, MOST_CLAIMS, OpenClaim, Table};
use super::{Claims, Counts, LAST_SEQUENCE, MOST_LEASE};

/// Bytes before the claims themselves.
const HEAD: u64 = 64;

/// Bytes of a claim.
const CLAIM: u64 = 32;

/// When a snapshot was written, and when it is loaded.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pause {
    /// The clock of the filter when it was written; `None` of one that has no time.
    pub(crate) then: Option<Tick>,
    /// How long ago that was.
    pub(crate) elapsed: u64,
}

impl Claims {
    /// Bytes that `save` writes.
    pub(crate) fn saved_bytes(&self) -> u64 {
        HEAD + CLAIM * num::wide(self.table.len())
    }

    /// Writes the claims of a filter that is at `now`.
    pub(crate) fn save(&self, now: Tick, sink: &mut Sink<'_>) -> io::Result<()> {
        let now = self.moment(now);
        let Counts { new, duplicate, pending, expired } = self.counts;
        sink.u64s(&[self.lease, num::wide(self.table.most()), self.next, num::wide(self.table.len())])?;
        sink.counts([new, duplicate, pending, expired])?;
        let words = |open: &OpenClaim| [open.id.0, open.id.1, open.sequence, now.since(open.since)];
        sink.words(self.table.iter().flat_map(words))
    }

    /// Reads the claims of a filter.
    pub(crate) fn load(source: &mut Source<'_>, pause: Pause) -> Result<Box<Self>, Refused> {
        let [lease, most, next, n] = source.u64s()?;
        let [new, duplicate, pending, expired] = source.u64s()?;
        within("lease_ns", lease, 1, if pause.then.is_some() { u64::MAX } else { MOST_LEASE })?;
        within("max_claims", most, 1, MOST_CLAIMS)?;
        within("next claim", next, 1, LAST_SEQUENCE)?;
        within("claims", n, 0, most)?;
        source.take_table(table::bytes_for(most))?;
        let counts = Counts {
            new: count("claims answered new", new)?,
            duplicate: count("claims answered duplicate", duplicate)?,
            pending: count("claims answered pending", pending)?,
            expired: count("claims expired", expired)?,
        };
        // Without a time of the filter the clock of the leases begins where no claim is before its origin.
        let now = pause.then.map_or(Tick(lease), |then| then.plus(pause.elapsed));
        let clock = if pause.then.is_some() { None } else { Some(Watch::resumed(Clock::System, now)) };
        let mut claims = Self { lease, clock, now, next, counts, table: Table::new(most)? };
        claims.load_open(source, n, pause)?;
        Ok(raw::boxed(claims)?)
    }

    /// Reads `n` claims, the oldest first.
    fn load_open(&mut self, source: &mut Source<'_>, n: u64, pause: Pause) -> Result<(), Refused> {
        let mut youngest = pause.then.map_or(u64::MAX, |then| then.0);
        for _ in 0..n {
            let [lo, hi, sequence, age] = source.u64s()?;
            within("claim", sequence, 1, LAST_SEQUENCE)?;
            youngest = within("age of a claim", age, 0, youngest)?;
            self.enter(Identity(lo, hi), sequence, age.saturating_add(pause.elapsed))?;
        }
        Ok(())
    }

    /// Enters a claim that is `age` old. Where the filter has no time, one whose lease is over began before the clock, and is counted.
    fn enter(&mut self, id: Identity, sequence: u64, age: u64) -> Result<(), Error> {
        expect_sound(!self.knows(id), format_args!("claim {sequence} is on a key that has an older claim"))?;
        match self.now.0.checked_sub(age) {
            Some(since) => self.table.push(OpenClaim { id, since: Tick(since), sequence }),
            None => self.counts.expired += 1,
        }
        Ok(())
    }

    pub(crate) const fn lease(&self) -> u64 {
        self.lease
    }
}
