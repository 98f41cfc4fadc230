//! Claims: a key is observed in two steps, so that the record whose work failed is not lost.
//!
//! ```text
//!  claim ---> New: open, with a token --commit--> stored in the filter
//!         |                 |    \-----abandon--> no trace: the next claim is New
//!         |                 \--the lease runs out--> the same; a later commit of this token is Late, or Already
//!         \-> Duplicate: the filter contains the key        \-> Pending: open already
//! ```
//! **Law.** A key with an open claim is found by its identity of 128 bits and nothing else: `observe` and `contains` say
//! `Duplicate` of it, and nothing of it is in the filter before the commit. So a record whose work did not end is `New`
//! again after its lease, except where the filter takes it for another key.
//!
//! **Layout.** `table` has the open claims, `verbs` what each call makes of table and filter, whatever owns them, `saved` the
//! bytes of a snapshot.
//!
//! **Token.** 40 bits of a sequence that goes round, and 24 bits of check over the sequence and the identity: a token of
//! another key is refused without a memory of closed claims.

pub(crate) mod saved;
mod table;
pub(crate) mod values;
pub(crate) mod verbs;

use crate::clock::Watch;
use crate::error::Error;
use crate::field::Field;
use crate::filter::values::Stats;
use crate::hash::Identity;
use crate::num;
use crate::options::{Options, within};
use crate::raw;
use crate::tick::Tick;

use table::{MOST_CLAIMS, OpenClaim, Table};
use values::Token;

/// Open claims where `max_claims` is not given.
const DEFAULT_CLAIMS: u64 = 65_536;

/// The longest lease of a window that is no span of time: 365 days.
const MOST_LEASE: u64 = 365 * 24 * 3600 * 1_000_000_000;

/// Bits of a token that check it; the others are the sequence.
const CHECK_BITS: u32 = 24;

/// The sequence goes from 1 to this and begins again.
const LAST_SEQUENCE: u64 = (1 << (64 - CHECK_BITS)) - 1;

/// The request for the claims of a filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Request {
    lease: u64,
    most: u64,
}

impl Request {
    /// The claims that the options ask for, and the options of the filter, whose memory is what the table leaves.
    fn of(options: &Options) -> Result<Option<(Self, Options)>, Error> {
        // The plan of any other kind refuses these options.
        if !options.kind.takes(Field::LeaseNs) {
            return Ok(None);
        }
        let Some(lease) = options.lease_ns else {
            let refused = |most| Error::conflict(Field::MaxClaims, most, "needs lease_ns");
            return options.max_claims.map_or(Ok(None), |most| Err(refused(most)));
        };
        within(Field::LeaseNs, Some(lease), 1, options.window_ns.unwrap_or(MOST_LEASE))?;
        let most = within(Field::MaxClaims, options.max_claims, 1, MOST_CLAIMS)?.unwrap_or(DEFAULT_CLAIMS);
        let request = Self { lease, most };
        let mut rest = options.clone();
        rest.memory = options.memory.map(|memory| memory.saturating_sub(request.bytes()));
        Ok(Some((request, rest)))
    }

    /// The result of `make` for the options of the filter, and the request for its claims.
    pub(crate) fn with_claims<T>(
        options: &Options,
        make: impl FnOnce(&Options) -> Result<T, Error>,
    ) -> Result<(T, Option<Self>), Error> {
        let Some((request, rest)) = Self::of(options)? else { return Ok((make(options)?, None)) };
        let in_all = |error: Error| match options.memory {
            Some(memory) => error.with_table(memory, request.bytes()),
            None => error,
        };
        Ok((make(&rest).map_err(in_all)?, Some(request)))
    }

    /// Bytes of the table.
    pub(crate) const fn bytes(self) -> u64 {
        table::bytes_for(self.most)
    }
}

/// The counts since the last reset.
#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    /// Claims answered `New`.
    new: u64,
    /// Observations answered `Duplicate` because of an open claim.
    duplicate: u64,
    pending: u64,
    expired: u64,
}

/// The open claims of one filter.
#[derive(Debug)]
pub(crate) struct Claims {
    lease: u64,
    /// The clock of the leases, where the filter itself has no time.
    clock: Option<Watch>,
    /// The latest moment that was seen.
    now: Tick,
    /// The next number of a claim.
    next: u64,
    counts: Counts,
    table: Table,
}

impl Claims {
    /// Adds the options of claims to those of the filter, whose memory is what the table leaves.
    pub(crate) fn add_to_options(&self, options: &mut Options) {
        let request = Request { lease: self.lease, most: num::wide(self.table.most()) };
        options.memory = options.memory.map(|memory| memory.saturating_add(request.bytes()));
        (options.lease_ns, options.max_claims) = (Some(request.lease), Some(request.most));
    }

    /// Builds the claims of a filter with the clock of its handle.
    pub(crate) fn new(request: Request, clock: Watch) -> Result<Box<Self>, Error> {
        raw::boxed(Self {
            lease: request.lease,
            clock: clock.of_leases(),
            now: Tick(0),
            next: 1,
            counts: Counts::default(),
            table: Table::new(request.most)?,
        })
    }

    /// A copy of everything.
    pub(crate) fn try_clone(&self) -> Result<Box<Self>, Error> {
        raw::boxed(Self { table: self.table.try_clone()?, ..*self })
    }

    /// Whether there is a claim on the key, its lease over or not.
    pub(crate) fn knows(&self, id: Identity) -> bool {
        self.table.find(id).is_some()
    }

    /// The open claim on the key; changes nothing.
    fn look(&self, id: Identity, now: Tick) -> Option<&OpenClaim> {
        self.table.find(id).filter(|open| !self.is_over(open, now))
    }

    /// The open claim on the key, once those whose leases have run out are closed.
    fn open(&mut self, id: Identity, now: Tick) -> Option<&OpenClaim> {
        self.expire(now);
        self.table.find(id)
    }

    /// A lease that has lasted exactly its length is not over, as a key of exactly the window's age is in it.
    fn is_over(&self, open: &OpenClaim, now: Tick) -> bool {
        now.since(open.since) > self.lease
    }

    /// Closes the claims whose leases have run out.
    fn expire(&mut self, now: Tick) {
        self.now = self.now.max(now);
        let (now, lease) = (self.now, self.lease);
        while self.table.close_oldest_if(|open| now.since(open.since) > lease) {
            self.counts.expired += 1;
        }
    }

    /// Opens a claim on a key that has none.
    fn claim(&mut self, id: Identity, now: Tick) -> Result<Token, Error> {
        self.expire(now);
        if self.table.is_full() {
            return Err(Error::full("max_claims claims are open"));
        }
        let sequence = self.next;
        self.next = if sequence == LAST_SEQUENCE { 1 } else { sequence + 1 };
        // Another thread may have seen a later moment: the order is that of the leases.
        self.table.push(OpenClaim { id, since: self.now, sequence });
        self.counts.new += 1;
        Ok(token(sequence, id))
    }

    fn close(&mut self, id: Identity) {
        self.table.close(id);
    }

    /// Forgets the open claims and what was counted. Numbers are not used again.
    pub(crate) fn clear(&mut self) {
        self.table.clear();
        (self.now, self.counts) = (Tick(0), Counts::default());
    }

    pub(crate) fn stats_reset(&mut self) {
        self.counts = Counts::default();
    }

    /// The moment of leases, for a filter that is at `now`.
    pub(crate) fn moment(&self, now: Tick) -> Tick {
        self.clock.and_then(|clock| clock.read()).unwrap_or(now)
    }

    /// Adds the counts of the claims to the statistics of the filter. `now` is not before the filter's clock.
    pub(crate) fn add_to(&self, stats: &mut Stats, now: Tick) {
        let now = self.moment(now).max(self.now);
        let over = num::wide(self.table.iter().take_while(|open| self.is_over(open, now)).count());
        stats.bytes += self.table.bytes();
        stats.bytes_peak += self.table.bytes();
        stats.open_claims = num::wide(self.table.len()) - over;
        stats.max_claims = num::wide(self.table.most());
        stats.expired_claims = self.counts.expired + over;
        stats.pending = self.counts.pending;
        stats.new_count += self.counts.new;
        stats.duplicate_count += self.counts.duplicate;
    }
}

/// The token of a claim.
fn token(sequence: u64, id: Identity) -> Token {
    let check = num::mix(num::mix(sequence ^ id.0).wrapping_add(id.1)) >> (64 - CHECK_BITS);
    Token((sequence << CHECK_BITS) | check)
}

/// The number of the claim on this key that the token names; an error if it was given out for none.
pub(crate) fn sequence(given: Token, id: Identity) -> Result<u64, Error> {
    let sequence = given.0 >> CHECK_BITS;
    if sequence != 0 && token(sequence, id) == given { Ok(sequence) } else { Err(Error::claim()) }
}

/// The error of a filter that takes no claims.
pub(crate) fn none() -> Error {
    Error::unsupported("claims: they need the option lease_ns, and a window")
}
