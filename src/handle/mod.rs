//! The filter with one owner, for Rust and behind the C ABI: a filter, its hasher, its clock.

mod batches;
mod claimed;

use std::fmt;
use std::io::{self, Read, Write};

use crate::claims::{Claims, Request, verbs};
use crate::clock::Watch;
use crate::edge::{Chunk, Edge, Stopped, When, expect_len, expect_no_hashes, no_hashes, stopped};
use crate::error::Error;
use crate::filter::any::{self, AnyFilter, each_kind};
use crate::filter::contract::Contract;
use crate::filter::glance::Glance;
use crate::filter::values::{Age, PlanSummary, Stats, Verdict};
use crate::hash::{Hasher, KeyHash};
use crate::keys::{AnyKeys, Keys};
use crate::options::Options;
use crate::secret::Secret;
use crate::snapshot::{self, LoadOptions, Written};
use crate::text::Text;
use crate::tick::Tick;

pub(crate) use batches::batch_verbs;

/// A filter with one owner at a time: answers "have I seen this key lately?" in bounded memory.
///
/// Without `memory` a filter with a window of time grows with its traffic. With it, [`OnLimit`](crate::OnLimit) decides
/// what gives way, and [`Stats`] reports by how much.
///
/// With the system clock (the default) every call reads the monotonic clock once. With a manual clock the `_at`
/// forms carry the time, and the plain forms use the clock as it is.
pub struct Filter {
    any: AnyFilter,
    edge: Edge,
    claims: Option<Box<Claims>>,
}

impl Filter {
    /// Builds the filter that the options ask for.
    ///
    /// # Errors
    /// An option is missing, out of range, or contradicts another, and the error names it; or there is no memory.
    pub fn new(options: &Options) -> Result<Self, Error> {
        let hasher = Hasher::new(options)?;
        let (any, request) = Request::with_claims(options, AnyFilter::new)?;
        let clock = Watch::new(any.has_time(), options.clock.unwrap_or_default());
        let claims = request.map(|request| Claims::new(request, clock)).transpose()?;
        Ok(Self { any, edge: Edge::new(hasher, clock), claims })
    }

    pub(crate) fn into_parts(self) -> (AnyFilter, Edge, Option<Box<Claims>>) {
        (self.any, self.edge, self.claims)
    }

    pub(crate) const fn from_parts(any: AnyFilter, edge: Edge, claims: Option<Box<Claims>>) -> Self {
        Self { any, edge, claims }
    }

    /// The integers that follow from the options. Allocates nothing.
    ///
    /// # Errors
    /// The same as [`Filter::new`], except for memory.
    pub fn plan(options: &Options) -> Result<PlanSummary, Error> {
        options.is_keyed()?;
        let (mut plan, request) = Request::with_claims(options, any::plan)?;
        if plan.bytes > 0 {
            plan.bytes += request.map_or(0, Request::bytes);
        }
        Ok(plan)
    }

    /// The options that make a filter like this one, with what its plan chose. No secret is among them.
    #[must_use]
    pub fn options(&self) -> Options {
        let mut options = each_kind!(&self.any, filter => filter.options());
        if let Some(claims) = &self.claims {
            claims.add_to_options(&mut options);
        }
        self.edge.add_to_options(&mut options);
        options
    }

    /// Asks whether `options` would make a filter like this one, whatever is in it and whatever its secret.
    ///
    /// # Errors
    /// `OPTIONS_DIFFER`, which names the first option that differs; otherwise as [`Filter::new`].
    pub fn expect_options(&self, options: &Options) -> Result<(), Error> {
        self.options().expect_same(&Self::new(options)?.options())
    }

    /// Tests and inserts in one step, now.
    ///
    /// # Errors
    /// The filter is then as it was. `FULL` if the filter is `removable` and the block of the key has no room left;
    /// nothing else can fail here. `FULL` is no sign of overload: far past its capacity such a filter calls nearly
    /// every key a duplicate and stores nothing. Watch [`Stats::error_rate`].
    #[inline]
    pub fn observe(&mut self, key: impl AsRef<[u8]>) -> Result<Verdict, Error> {
        if self.claims.is_some() {
            return self.call(key.as_ref(), When::Now(self.edge.clock), verbs::Observe);
        }
        self.observe_key(self.edge.key(key.as_ref()))
    }

    /// Tests and inserts in one step, now: whether the key is new. The form of [`Filter::observe`] for `if`.
    ///
    /// ```
    /// use lately::{Filter, Options};
    ///
    /// let mut seen = Filter::new(&Options::last(1_000))?;
    /// let mut orders = vec!["order-17", "order-18", "order-17"];
    /// orders.retain(|order| seen.first(order).is_ok_and(|first| first));
    /// assert_eq!(orders, ["order-17", "order-18"]);
    /// # Ok::<(), lately::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Filter::observe`].
    #[inline]
    pub fn first(&mut self, key: impl AsRef<[u8]>) -> Result<bool, Error> {
        self.observe(key).map(Verdict::is_new)
    }

    /// [`Filter::observe`] of the key with this hash, which is that of [`Filter::hash`] or [`hash64`](crate::hash64).
    ///
    /// # Errors
    /// As [`Filter::observe`], and `UNSUPPORTED` if the filter is keyed.
    #[inline]
    pub fn observe_hash(&mut self, hash: KeyHash) -> Result<Verdict, Error> {
        self.observe_key(self.given(hash)?)
    }

    fn observe_key(&mut self, key: KeyHash) -> Result<Verdict, Error> {
        if self.edge.clock.is_system() {
            return self.observe_key_by_system(key);
        }
        each_kind!(&mut self.any, filter => observe_as_it_is(filter, key))
    }

    /// A separate function, so that its caller saves no registers for the call of the system.
    #[inline(never)]
    fn observe_key_by_system(&mut self, key: KeyHash) -> Result<Verdict, Error> {
        let now = self.now();
        each_kind!(&mut self.any, filter => observe(filter, key, now))
    }

    /// [`Filter::observe_at`], and whether it left a trace: whether a copy of this filter must observe or insert the key at `now`,
    /// too, to find every key that this one finds. A kind with `age_bits` spares the copies a repeat that it would not
    /// store (`KeepFirst`), or stored in this generation already; their counters then differ. For what replicates filters.
    ///
    /// # Errors
    /// As [`Filter::observe_at`].
    #[doc(hidden)]
    #[inline]
    pub fn observe_at_traced(&mut self, key: impl AsRef<[u8]>, now: Tick) -> Result<(Verdict, bool), Error> {
        if self.claims.is_some() {
            // The tokens of a copy are the same only after the same calls.
            return Ok((self.observe_at(key, now)?, true));
        }
        let key = self.edge.key(key.as_ref());
        match self.any.usual() {
            Some(filter) if self.edge.clock.counts_nanoseconds() => {
                filter.admit(now)?;
                filter.observe_traced(key, now)
            }
            _ => self.observe_in_any_at_traced(key, now),
        }
    }

    #[inline(never)]
    fn observe_in_any_at_traced(&mut self, key: KeyHash, now: Tick) -> Result<(Verdict, bool), Error> {
        let now = self.edge.moment(now)?;
        each_kind!(&mut self.any, filter => filter.admit(now).and_then(|()| filter.observe_traced(key, now)))
    }

    /// Tests and inserts in one step, at `now`. A tick below the clock counts as the clock, unless
    /// [`lateness_ns`](crate::Options::lateness_ns) covers it.
    ///
    /// # Errors
    /// `CLOCK` unless the clock is manual; `TICK` if `now` leads the clock by more than `max_step_ns`.
    #[inline]
    pub fn observe_at(&mut self, key: impl AsRef<[u8]>, now: Tick) -> Result<Verdict, Error> {
        if self.claims.is_some() {
            return self.call_at(key.as_ref(), now, verbs::Observe);
        }
        self.observe_key_at(self.edge.key(key.as_ref()), now)
    }

    /// [`Filter::observe_hash`] at `now`.
    ///
    /// # Errors
    /// As [`Filter::observe_at`], and `UNSUPPORTED` if the filter is keyed.
    #[inline]
    pub fn observe_hash_at(&mut self, hash: KeyHash, now: Tick) -> Result<Verdict, Error> {
        self.observe_key_at(self.given(hash)?, now)
    }

    #[inline(always)]
    fn observe_key_at(&mut self, key: KeyHash, now: Tick) -> Result<Verdict, Error> {
        match self.any.usual() {
            Some(filter) if self.edge.clock.counts_nanoseconds() => filter.observe_at(key, now),
            _ => self.observe_in_any_at(key, now),
        }
    }

    /// The same of any kind and unit: a function of its own, so that the usual one saves no registers for it.
    #[inline(never)]
    fn observe_in_any_at(&mut self, key: KeyHash, now: Tick) -> Result<Verdict, Error> {
        let now = self.edge.moment(now)?;
        each_kind!(&mut self.any, filter => filter.observe_at(key, now))
    }

    /// Inserts without a verdict, now. With a window also under `KeepFirst`, so that the age is renewed. A `removable`
    /// filter stores one more entry each time, so that two insertions need two removals; any other without a window
    /// does what [`Filter::observe`] would.
    ///
    /// # Errors
    /// As [`Filter::observe`].
    #[inline]
    pub fn insert(&mut self, key: impl AsRef<[u8]>) -> Result<(), Error> {
        if self.claims.is_some() {
            return self.call(key.as_ref(), When::Now(self.edge.clock), verbs::Insert);
        }
        self.insert_key(self.edge.key(key.as_ref()))
    }

    /// [`Filter::insert`] of the key with this hash.
    ///
    /// # Errors
    /// As [`Filter::observe_hash`].
    #[inline]
    pub fn insert_hash(&mut self, hash: KeyHash) -> Result<(), Error> {
        self.insert_key(self.given(hash)?)
    }

    fn insert_key(&mut self, key: KeyHash) -> Result<(), Error> {
        let clock = self.edge.clock;
        each_kind!(&mut self.any, filter => time_of(clock, filter).and_then(|now| filter.insert(key, now)))
    }

    /// Inserts without a verdict, at `now`.
    ///
    /// # Errors
    /// As [`Filter::observe_at`].
    #[inline]
    pub fn insert_at(&mut self, key: impl AsRef<[u8]>, now: Tick) -> Result<(), Error> {
        if self.claims.is_some() {
            return self.call_at(key.as_ref(), now, verbs::Insert);
        }
        self.insert_key_at(self.edge.key(key.as_ref()), now)
    }

    /// [`Filter::insert_hash`] at `now`.
    ///
    /// # Errors
    /// As [`Filter::observe_hash_at`].
    #[inline]
    pub fn insert_hash_at(&mut self, hash: KeyHash, now: Tick) -> Result<(), Error> {
        self.insert_key_at(self.given(hash)?, now)
    }

    fn insert_key_at(&mut self, key: KeyHash, now: Tick) -> Result<(), Error> {
        let now = self.edge.moment(now)?;
        each_kind!(&mut self.any, filter => filter.admit(now).and_then(|()| filter.insert(key, now)))
    }

    /// The verdict that `observe` would give now. Changes nothing at all.
    #[must_use]
    #[inline]
    pub fn contains(&self, key: impl AsRef<[u8]>) -> Verdict {
        if let Some(claims) = &self.claims {
            return self.look(claims, key.as_ref(), self.now());
        }
        self.contains_key(self.edge.key(key.as_ref()))
    }

    /// [`Filter::contains`] of the key with this hash.
    ///
    /// # Errors
    /// `UNSUPPORTED` if the filter is keyed.
    #[inline]
    pub fn contains_hash(&self, hash: KeyHash) -> Result<Verdict, Error> {
        Ok(self.contains_key(self.given(hash)?))
    }

    fn contains_key(&self, key: KeyHash) -> Verdict {
        let clock = self.edge.clock;
        each_kind!(&self.any, filter => filter.contains(key, present(clock, filter)))
    }

    /// The verdict that `observe_at` would give at `now`. Changes nothing at all, not even the clock.
    ///
    /// # Errors
    /// As [`Filter::observe_at`].
    #[inline]
    pub fn contains_at(&self, key: impl AsRef<[u8]>, now: Tick) -> Result<Verdict, Error> {
        if let Some(claims) = &self.claims {
            let now = self.check_tick(now)?;
            return Ok(self.look(claims, key.as_ref(), now));
        }
        self.contains_key_at(self.edge.key(key.as_ref()), now)
    }

    /// [`Filter::contains_hash`] at `now`.
    ///
    /// # Errors
    /// As [`Filter::observe_hash_at`].
    #[inline]
    pub fn contains_hash_at(&self, hash: KeyHash, now: Tick) -> Result<Verdict, Error> {
        self.contains_key_at(self.given(hash)?, now)
    }

    fn contains_key_at(&self, key: KeyHash, now: Tick) -> Result<Verdict, Error> {
        let now = self.check_tick(now)?;
        Ok(each_kind!(&self.any, filter => filter.contains(key, now)))
    }

    /// As [`Filter::observe`], and returns how long ago a duplicate was seen last; `None` for a new key. It costs about twice
    /// as much.
    ///
    /// # Errors
    /// `UNSUPPORTED` for kinds without `age_bits`.
    pub fn observe_age(&mut self, key: impl AsRef<[u8]>) -> Result<(Verdict, Option<Age>), Error> {
        self.expect_ages()?;
        if self.claims.is_some() {
            return self.call(key.as_ref(), When::Now(self.edge.clock), verbs::ObserveAge);
        }
        let (key, clock) = (self.edge.key(key.as_ref()), self.edge.clock);
        each_kind!(&mut self.any, filter => time_of(clock, filter).and_then(|now| filter.observe_age(key, now)))
    }

    /// [`Filter::observe_age`] at `now`.
    ///
    /// # Errors
    /// As [`Filter::observe_at`], and `UNSUPPORTED` for kinds without `age_bits`.
    pub fn observe_age_at(&mut self, key: impl AsRef<[u8]>, now: Tick) -> Result<(Verdict, Option<Age>), Error> {
        let now = self.edge.moment(now)?;
        self.expect_ages()?;
        if self.claims.is_some() {
            return self.call(key.as_ref(), When::Given(now), verbs::ObserveAge);
        }
        let key = self.edge.key(key.as_ref());
        each_kind!(&mut self.any, filter => filter.admit(now).and_then(|()| filter.observe_age(key, now)))
    }

    /// How long ago the key was seen last, as [`Filter::observe_age`] would return it now. Changes nothing at all.
    ///
    /// # Errors
    /// `UNSUPPORTED` for kinds without `age_bits`.
    pub fn contains_age(&self, key: impl AsRef<[u8]>) -> Result<Option<Age>, Error> {
        self.expect_ages()?;
        let now = each_kind!(&self.any, filter => time_of(self.edge.clock, filter))?;
        Ok(self.age(key.as_ref(), now))
    }

    /// [`Filter::contains_age`] at `now`.
    ///
    /// # Errors
    /// As [`Filter::observe_at`], and `UNSUPPORTED` for kinds without `age_bits`.
    pub fn contains_age_at(&self, key: impl AsRef<[u8]>, now: Tick) -> Result<Option<Age>, Error> {
        let now = self.check_tick(now)?;
        self.expect_ages()?;
        Ok(self.age(key.as_ref(), now))
    }

    fn age(&self, key: &[u8], now: Tick) -> Option<Age> {
        let claimed = self.claims.as_ref().and_then(|claims| self.age_of_claim(claims, key, now));
        let key = self.edge.key(key);
        claimed.or_else(|| each_kind!(&self.any, filter => filter.age(key, now)))
    }

    /// The moment of a tick; an error unless the clock is manual and the moment is not too far ahead.
    fn check_tick(&self, tick: Tick) -> Result<Tick, Error> {
        let now = self.edge.moment(tick)?;
        each_kind!(&self.any, filter => filter.check_step(now))?;
        Ok(now)
    }

    /// An error if the clock is manual and was not set yet: there is no "now" then.
    #[doc(hidden)]
    pub fn expect_now(&self) -> Result<(), Error> {
        if !self.edge.clock.is_manual() || each_kind!(&self.any, filter => filter.has_started()) {
            return Ok(());
        }
        Err(Error::no_tick_yet())
    }

    /// A hash that the caller made.
    fn given(&self, hash: KeyHash) -> Result<KeyHash, Error> {
        if self.claims.is_some() { Err(no_hashes()) } else { self.edge.given(hash) }
    }

    fn expect_ages(&self) -> Result<(), Error> {
        each_kind!(&self.any, filter => expect_ages_of(filter))
    }

    /// Forgets `key`; returns whether it was within the window now, or in a `removable` set.
    ///
    /// It is forgotten altogether: it is `New` until it is seen again. That is no observation and moves no clock. An open claim
    /// stays open, and its `commit` stores the key. With a chance of at most the error rate another key is forgotten with it.
    ///
    /// A `removable` set takes one entry that matches out instead. Remove only what `insert` took or `observe` called `New` there: another
    /// removal may take the entry of another key.
    ///
    /// # Errors
    /// `UNSUPPORTED` for kinds that cannot; the message names those that can. `CLOCK` if a manual clock has had no tick.
    pub fn remove(&mut self, key: impl AsRef<[u8]>) -> Result<bool, Error> {
        self.expect_removal()?;
        let (key, clock) = (self.edge.key(key.as_ref()), self.edge.clock);
        each_kind!(&mut self.any, filter => time_of(clock, filter).and_then(|now| filter.remove(key, now)))
    }

    /// [`Filter::remove`] as of `now`, as [`Filter::contains_at`] would look for it: what the window has lost by then is not found.
    ///
    /// # Errors
    /// As [`Filter::remove`] and [`Filter::contains_at`].
    pub fn remove_at(&mut self, key: impl AsRef<[u8]>, now: Tick) -> Result<bool, Error> {
        self.remove_key_at(self.edge.key(key.as_ref()), now)
    }

    /// [`Filter::remove_at`] of the key with this hash.
    ///
    /// # Errors
    /// As [`Filter::remove_at`], and `UNSUPPORTED` if the filter is keyed or has claims.
    pub fn remove_hash_at(&mut self, hash: KeyHash, now: Tick) -> Result<bool, Error> {
        self.remove_key_at(self.given(hash)?, now)
    }

    fn remove_key_at(&mut self, key: KeyHash, now: Tick) -> Result<bool, Error> {
        self.expect_removal()?;
        let now = self.check_tick(now)?;
        each_kind!(&mut self.any, filter => filter.remove(key, now))
    }

    fn expect_removal(&self) -> Result<(), Error> {
        each_kind!(&self.any, filter => filter.expect_removal())
    }

    /// Moves a manual clock to `now`, however far; what has left the window is forgotten and its memory freed.
    ///
    /// # Errors
    /// `CLOCK` unless the clock is manual.
    pub fn advance(&mut self, now: Tick) -> Result<(), Error> {
        let now = self.edge.moment(now)?;
        each_kind!(&mut self.any, filter => filter.advance(now));
        Ok(())
    }

    /// Empties the filter and forgets clock and counters; options, seed and secret stay.
    pub fn clear(&mut self) {
        each_kind!(&mut self.any, filter => filter.clear());
        if let Some(claims) = &mut self.claims {
            claims.clear();
        }
    }

    /// A copy of everything, or an error where [`Clone`] would panic: when there is no memory.
    ///
    /// # Errors
    /// No memory.
    pub fn try_clone(&self) -> Result<Self, Error> {
        let claims = self.claims.as_ref().map(|claims| claims.try_clone()).transpose()?;
        Ok(Self { any: self.any.try_clone()?, edge: self.edge.clone(), claims })
    }

    /// Bytes of the snapshot of the filter as it is.
    #[must_use]
    pub fn snapshot_size(&self) -> u64 {
        let claims = self.claims.as_deref();
        each_kind!(&self.any, filter => snapshot::size(&Written { filter, claims }))
    }

    /// Writes a snapshot into `buffer`; returns how many bytes. `docs/reference/format.md` describes them. They are the same for
    /// the same state, except for the present reading of a system clock. No secret is among them.
    ///
    /// # Errors
    /// `SHORT_BUFFER` if there is not room for [`Filter::snapshot_size`] bytes; nothing is written then.
    pub fn snapshot_write(&self, buffer: &mut [u8]) -> Result<usize, Error> {
        self.snapshot_into(buffer.len(), &mut &mut *buffer).map(crate::num::index)
    }

    /// Writes a snapshot into memory that has room for `have` bytes, or nothing; returns how many.
    #[doc(hidden)]
    pub fn snapshot_into(&self, have: usize, room: &mut dyn Write) -> Result<u64, Error> {
        let claims = self.claims.as_deref();
        each_kind!(&self.any, filter => snapshot::write_within(&Written { filter, claims }, &self.edge, have, room))
    }

    /// Writes a snapshot to a stream; returns how many bytes. Nothing of the filter is copied on the way.
    ///
    /// # Errors
    /// The errors of the stream.
    pub fn write_snapshot(&self, mut stream: impl Write) -> io::Result<u64> {
        let claims = self.claims.as_deref();
        each_kind!(&self.any, filter => snapshot::write(&Written { filter, claims }, &self.edge, &mut stream))
    }

    /// Loads a filter from the bytes of a snapshot. It continues as the saved one would have: a manual clock
    /// from its tick + elapsed, a system clock with every age grown by elapsed.
    ///
    /// Any bytes give a filter or an error, whatever they are, and never more memory than the options allow: the cells,
    /// and tables of no more than that (or 64 KiB).
    ///
    /// # Errors
    /// `MAGIC`, `VERSION`, `CHECKSUM` and `CORRUPT` (also when bytes are missing or left over), in this order;
    /// `SECRET` if the filter is keyed and the secret is missing or wrong, or if it is not keyed and there is one;
    /// `ELAPSED` if the clock would pass the last tick; `TOO_LARGE`, with what it needs, if that is more than allowed; `NO_MEMORY`.
    pub fn load(bytes: &[u8], options: &LoadOptions) -> Result<Self, Error> {
        snapshot::from_bytes(bytes, options).map(|(any, edge, claims)| Self { any, edge, claims })
    }

    /// [`Filter::load`] from a stream, which is read up to the last byte of the snapshot and no further, straight into
    /// the cells. Reads are small: pass a `BufReader` if each read is a system call.
    ///
    /// # Errors
    /// The errors of the stream, and [`Error`]s inside [`io::ErrorKind::InvalidData`]. The checksum comes last: changed bytes
    /// may have been found `CORRUPT` or `TOO_LARGE` before.
    pub fn read_snapshot(mut stream: impl Read, options: &LoadOptions) -> io::Result<Self> {
        snapshot::from_stream(&mut stream, options).map(|(any, edge, claims)| Self { any, edge, claims })
    }

    /// The statistics of the filter now, in O(slices).
    #[must_use]
    pub fn stats(&self) -> Stats {
        let now = self.now();
        let (mut stats, clock) = each_kind!(&self.any, filter => (filter.stats(now), filter.clock()));
        if let Some(claims) = &self.claims {
            claims.add_to(&mut stats, now.max(clock));
        }
        stats.clock = self.edge.tick(stats.clock);
        stats
    }

    /// The filter in one line.
    #[doc(hidden)]
    pub fn line(&self) -> Text<160> {
        let stats = self.stats();
        each_kind!(&self.any, filter => Glance::of(filter, &stats)).line()
    }

    /// Sets the counters of verdicts and of late and refused ticks to 0.
    pub fn stats_reset(&mut self) {
        each_kind!(&mut self.any, filter => filter.stats_reset());
        if let Some(claims) = &mut self.claims {
            claims.stats_reset();
        }
    }

    /// The hash of `key` in this filter and in every other with the same seed.
    ///
    /// # Errors
    /// `UNSUPPORTED` if the filter is keyed: its hashes would reveal to an attacker what the secret hides.
    pub fn hash(&self, key: impl AsRef<[u8]>) -> Result<KeyHash, Error> {
        self.edge.hash(key.as_ref())
    }

    /// The secret of a keyed filter: keep it to load a snapshot.
    ///
    /// # Errors
    /// `UNSUPPORTED` if the filter is not keyed.
    pub fn secret(&self) -> Result<Secret, Error> {
        self.edge.secret()
    }

    batch_verbs!(self: &mut self);

    /// [`Filter::observe_batch`] that hands each verdict to `emit`.
    #[doc(hidden)]
    pub fn observe_each(
        &mut self,
        keys: AnyKeys<'_>,
        ticks: Option<&[Tick]>,
        mut emit: impl FnMut(usize, Verdict),
    ) -> Result<(), Stopped> {
        let now = self.now_if_any();
        if self.claims.is_some() {
            return self.call_each((keys, ticks, now), &mut emit, verbs::Observe, |i, verdict, emit| emit(i, verdict));
        }
        let any = &mut self.any;
        self.edge.in_order(
            (keys, ticks, now),
            &mut emit,
            |chunk, emit| each_kind!(any, filter => chunk.observe(filter, emit)),
        )
    }

    #[doc(hidden)]
    pub fn insert_each(&mut self, keys: AnyKeys<'_>, ticks: Option<&[Tick]>) -> Result<(), Stopped> {
        let now = self.now_if_any();
        if self.claims.is_some() {
            return self.call_each((keys, ticks, now), &mut |_, _| {}, verbs::Insert, |_, (), _| {});
        }
        let any = &mut self.any;
        let insert = |chunk: &Chunk<'_>, _: &mut _| each_kind!(any, filter => chunk.insert(filter));
        self.edge.in_order((keys, ticks, now), &mut |_, _| {}, insert)
    }

    /// [`Filter::contains_batch`] that hands each verdict to `emit`.
    #[doc(hidden)]
    pub fn contains_each(
        &self,
        keys: AnyKeys<'_>,
        ticks: Option<&[Tick]>,
        mut emit: impl FnMut(usize, Verdict),
    ) -> Result<(), Stopped> {
        if let Some(claims) = &self.claims {
            return self.look_each(claims, (keys, ticks, self.now_if_any()), &mut emit);
        }
        self.edge.in_order(
            (keys, ticks, self.now_if_any()),
            &mut emit,
            |chunk, emit| each_kind!(&self.any, filter => chunk.contains(filter, emit)),
        )
    }

    /// [`Filter::remove_batch`] that hands to `emit` the verdict that `contains` gave just before.
    #[doc(hidden)]
    pub fn remove_each(
        &mut self,
        keys: AnyKeys<'_>,
        ticks: Option<&[Tick]>,
        mut emit: impl FnMut(usize, Verdict),
    ) -> Result<(), Stopped> {
        self.expect_removal().map_err(stopped(0))?;
        if self.claims.is_some() {
            expect_no_hashes(keys).map_err(stopped(0))?;
        }
        let now = self.now_if_any();
        let any = &mut self.any;
        self.edge.in_order(
            (keys, ticks, now),
            &mut emit,
            |chunk, emit| each_kind!(any, filter => chunk.remove(filter, emit)),
        )
    }

    /// The present; none if a manual clock has had no tick.
    #[inline(always)]
    fn now_if_any(&self) -> Option<Tick> {
        each_kind!(&self.any, filter => time_of(self.edge.clock, filter).ok())
    }

    /// The present: the system's, or the manual clock as it is.
    #[inline(always)]
    fn now(&self) -> Tick {
        each_kind!(&self.any, filter => present(self.edge.clock, filter))
    }
}

/// A separate function for each kind, so that none saves the registers of another.
#[inline(never)]
fn observe<K: Contract>(filter: &mut K, key: KeyHash, now: Tick) -> Result<Verdict, Error> {
    filter.observe(key, now)
}

/// The same, by the clock as it is.
#[inline(never)]
fn observe_as_it_is<K: Contract>(filter: &mut K, key: KeyHash) -> Result<Verdict, Error> {
    let now = filter.present()?;
    filter.observe(key, now)
}

/// The present for a call that needs one: an error if a manual clock has had no tick.
#[inline(always)]
fn time_of(system: Watch, filter: &impl Contract) -> Result<Tick, Error> {
    system.read().map_or_else(|| filter.present(), Ok)
}

/// The present: the system's, or the clock of the filter as it is.
#[inline(always)]
fn present(system: Watch, filter: &impl Contract) -> Tick {
    system.read().unwrap_or_else(|| filter.clock())
}

fn expect_ages_of<K: Contract>(_: &K) -> Result<(), Error> {
    K::expect_ages()
}

/// One line for a log: kind, window, bytes and error rate, as they are now.
impl fmt::Debug for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Filter({})", self.line())
    }
}

/// Copies everything; panics when there is no memory ([`Filter::try_clone`] returns an error instead).
impl Clone for Filter {
    fn clone(&self) -> Self {
        self.try_clone().unwrap_or_else(|error| panic!("{error}"))
    }
}
