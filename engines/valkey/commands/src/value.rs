//! What lies under a key: a request and its filter. Time, the verbs, and both as bytes.

use std::io::{self, Write};
use std::time::Duration;

use lately::{Claim, Code, Committed, Field, Filter, LoadOptions, Stats, Tick, Token, Verdict};

use crate::refusal::Refusal;
use crate::request::{LAST_MS, Measure, NS_PER_MS, Request, Settings};

const START_OF_1980: u64 = 315_532_800_000;
const START_OF_2020: u64 = 1_577_836_800_000;

/// A filter and the request that made it.
#[derive(Debug)]
pub struct Value {
    request: Request,
    filter: Filter,
    /// The filter's clock, kept here so that asking costs nothing: 0 before the first tick.
    clock: Tick,
    /// Items of a set, kept here for the same reason.
    items: u64,
    /// Whether a repeat that leaves no trace is not replicated: every command asks.
    spares: bool,
    /// Whether the log has a line that it is overfull.
    warned: bool,
    /// Whether the log has a line that a time looks like seconds.
    warned_of_seconds: bool,
    /// Whether a claim for which there was no room moved the clock, here and not on replicas.
    is_ahead: bool,
    /// Times that were refused since the filter was made or loaded here, and the last of them, in ms.
    refused: (u64, u64),
    /// The moment of what was replicated last from here, in ms.
    sent: Option<u64>,
}

/// What came of an item that was added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Added {
    pub(crate) new: bool,
    /// Whether replicas must get it, to find the same keys or to be the same bit for bit.
    pub(crate) traced: bool,
}

/// The clauses of a command in addition to its items, or those that replicas get: the moment, and whether known items are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Told {
    pub(crate) at: Option<u64>,
    pub(crate) store: bool,
}

impl Value {
    /// An empty filter.
    ///
    /// # Errors
    /// Names what the request may not have.
    pub fn new(request: Request) -> Result<Self, Refusal> {
        request.plan()?;
        let filter = Filter::new(&request.options())?;
        Ok(Self::of(request, filter, Tick(0), 0))
    }

    fn of(request: Request, filter: Filter, clock: Tick, items: u64) -> Self {
        Self {
            spares: request.spares_repeats(),
            request,
            filter,
            clock,
            items,
            warned: false,
            warned_of_seconds: false,
            is_ahead: false,
            refused: (0, 0),
            sent: None,
        }
    }

    /// The request, resolved.
    #[must_use]
    pub const fn request(&self) -> &Request {
        &self.request
    }

    /// The statistics of the filter.
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.filter.stats()
    }

    const fn has_time(&self) -> bool {
        self.request.window_ns().is_some()
    }

    /// The moment of a command in ms: the one that was given, or else the present, but never before the filter's clock.
    /// A filter without a window of time has none, and takes none.
    pub(crate) fn moment(&self, given: Option<u64>, now_ms: u64) -> Result<Option<u64>, Refusal> {
        match (self.has_time(), given) {
            (true, Some(at)) => Ok(Some(at)),
            (true, None) => Ok(Some(now_ms.max(self.clock.0.div_ceil(NS_PER_MS)).min(LAST_MS))),
            (false, None) => Ok(None),
            (false, Some(_)) => Err(Refusal::conflict("AT", "needs a filter with WINDOW")),
        }
    }

    /// An error if a user's moment leads both the filter's clock and the server's by more than the request allows: so a
    /// date far ahead freezes no filter, the first one neither, and a filter that nobody asked for days is open to the
    /// present.
    pub(crate) fn check_step(&mut self, at: u64, now_ms: u64) -> Result<(), Refusal> {
        let Some(lead) = self.lead(at, now_ms) else { return Ok(()) };
        self.refused = (self.refused.0 + 1, at);
        Err(Refusal::new(format_args!(
            "AT {at}: {lead} ms ahead of the filter's clock and the server's, over MAXSTEP {} ms",
            self.request.max_step_ms
        )))
    }

    /// By how many ms a moment leads both clocks, where that is more than the request allows.
    pub(crate) fn lead(&self, at: u64, now_ms: u64) -> Option<u64> {
        let clock = self.clock.0.max(now_ms.saturating_mul(NS_PER_MS));
        let lead = (at * NS_PER_MS).saturating_sub(clock).div_ceil(NS_PER_MS);
        (lead > self.request.max_step_ms).then_some(lead)
    }

    /// Whether a time that was given looks like seconds, the first time that one does: in ms it is before 1980, and the server's clock
    /// is after 2020.
    pub(crate) fn newly_looks_like_seconds(&mut self, at: u64, now_ms: u64) -> bool {
        let news = !self.warned_of_seconds && at < START_OF_1980 && now_ms > START_OF_2020;
        self.warned_of_seconds |= news;
        news
    }

    /// Whether the filter's clock is ahead of the server's by more than a second: items of now are judged at a later time.
    #[must_use]
    pub fn is_ahead_of(&self, now_ms: u64) -> bool {
        const TOLERATED_MS: u64 = 1000;
        self.has_time() && self.clock.0 / NS_PER_MS > now_ms.saturating_add(TOLERATED_MS)
    }

    /// How many times were refused here, and the last of them, in ms.
    pub(crate) const fn refused(&self) -> (u64, u64) {
        self.refused
    }

    /// Whether the filter that this is a shard of has another number of shards by now.
    pub(crate) fn has_grown(&self) -> bool {
        self.request.shard.is_some_and(|shard| shard.grown.is_some())
    }

    /// An error if it has: an item that is added here would be new once more there.
    pub(crate) fn expect_not_grown(&self) -> Result<(), Refusal> {
        let shard = self.request.shard;
        shard.and_then(|shard| shard.grown.map(|to| Refusal::grown(shard.of, to))).map_or(Ok(()), Err)
    }

    /// The same, except where it is to claim an item that is known or claimed here: who asks next must hear of that, and here alone
    /// it is known.
    pub(crate) fn expect_takes(&self, claimed: Option<&[u8]>, at: Option<u64>) -> Result<(), Refusal> {
        match claimed {
            Some(item) if self.has_grown() && self.contains(item, at)? => Ok(()),
            _ => self.expect_not_grown(),
        }
    }

    /// The filter that this is a shard of has `to` shards from now on; whether that is news.
    pub(crate) fn grow(&mut self, to: u32) -> Result<bool, Refusal> {
        let Some(shard) = &mut self.request.shard else {
            return Err(Refusal::new("this filter is no shard: LATELY.GROW takes one that has SHARD i OF s"));
        };
        match shard.grown {
            Some(grown) if grown != to => {
                Err(Refusal::out_of_range("shards", to, format_args!("{grown}, to which the filter has grown")))
            }
            _ if to == shard.of => Err(Refusal::out_of_range("shards", to, "another number than the filter has")),
            before => {
                shard.grown = Some(to);
                Ok(before.is_none())
            }
        }
    }

    /// How many items a set may hold.
    const fn capacity(&self) -> Option<u64> {
        match self.request.measure {
            Measure::Capacity(keys) => Some(keys),
            _ => None,
        }
    }

    /// Whether a set has more than it was made for: its error rises with every item.
    #[must_use]
    pub fn is_overfull(&self) -> bool {
        self.capacity().is_some_and(|keys| self.items > keys)
    }

    /// The same, the first time that it is asked.
    pub(crate) fn is_newly_overfull(&mut self) -> bool {
        let news = !self.warned && self.is_overfull();
        self.warned |= news;
        news
    }

    /// The answer of a set that refuses what is above its capacity: what it knows is seen, and the rest an error.
    fn refuse(&self, item: &[u8]) -> Result<bool, Refusal> {
        if self.filter.contains(item) == Verdict::Duplicate {
            return Ok(false);
        }
        let (items, most) = (self.items, self.capacity().unwrap_or_default());
        Err(Refusal::new(format_args!("overfull: it has {items} items, STRICT allows CAPACITY {most}")))
    }

    /// Tests and inserts in one step. A known item is inserted, too, if the caller wants it stored.
    pub(crate) fn add(&mut self, item: &[u8], at: Option<u64>, store: bool) -> Result<Added, Refusal> {
        if self.request.strict && self.capacity().is_some_and(|keys| self.items >= keys) {
            return self.refuse(item).map(|new| Added { new, traced: true });
        }
        let at = at.map(|at| Tick(at * NS_PER_MS));
        let (verdict, traced) = match at {
            None => (self.filter.observe(item)?, true),
            Some(at) => {
                let observed = self.filter.observe_at_traced(item, at)?;
                self.clock = self.clock.max(at);
                observed
            }
        };
        let new = verdict == Verdict::New;
        self.items += u64::from(new);
        if store && !new {
            match at {
                None => self.filter.insert(item)?,
                Some(at) => self.filter.insert_at(item, at)?,
            }
        }
        Ok(Added { new, traced: traced || store })
    }

    /// Adds an item of the moment of the command before, which replicas got: most items of a busy server are such. `None` where more is to
    /// be judged (`act`): in another ms, where ages count from the first sighting, by a shard that has grown.
    #[inline(always)]
    pub(crate) fn add_again(&mut self, item: &[u8], now_ms: u64) -> Option<Added> {
        let is_again = self.sent == Some(now_ms) && self.clock.0 == now_ms.wrapping_mul(NS_PER_MS);
        if !is_again || self.follower_stores() || self.has_grown() {
            return None;
        }
        let (verdict, traced) = self.filter.observe_at_traced(item, self.clock).ok()?;
        Some(Added { new: verdict == Verdict::New, traced })
    }

    /// An error if items are to be stored though they are known, and the filter does that anyway or never.
    pub(crate) fn expect_store(&self, store: bool) -> Result<(), Refusal> {
        if store && !self.request.keeps_first() {
            return Err(Refusal::conflict("STORE", "needs a filter with FIRST"));
        }
        Ok(())
    }

    /// What replicas get in addition to the items that were added at `at` by a command that said `said`. A window table of time spares
    /// them repeats, so their clock may be behind this one: they get the moment at which an item was judged. And what is new here may
    /// look known there: it is stored all the same.
    ///
    /// A moment that they have already is left out. They got it by the last command or by a file that was written since, so it is where
    /// the clock of their filter is: a command that they get without a moment is one of their clock ([`Self::follows`]).
    pub(crate) fn told(&mut self, at: Option<u64>, said: Told) -> Told {
        let behind = self.spares || std::mem::take(&mut self.is_ahead);
        let at = if behind { at.map(|at| self.judged(at)) } else { at };
        let before = std::mem::replace(&mut self.sent, at);
        if said.at.is_none() && at.is_some() && before == at {
            return said;
        }
        Told { at, store: if self.spares { self.request.keeps_first() } else { said.store } }
    }

    /// The moment at which an item of `at` was judged.
    fn judged(&self, at: u64) -> u64 {
        let late = self.clock.0.saturating_sub(at * NS_PER_MS);
        let own = late <= self.request.lateness_ms * NS_PER_MS;
        if own { at } else { self.clock.0.div_ceil(NS_PER_MS).min(LAST_MS) }
    }

    /// Whether a command without a moment means something else at `now` if it was replicated.
    pub(crate) fn follows(&self, now: u64) -> bool {
        self.has_time() && (self.follower_stores() || Tick(now.saturating_mul(NS_PER_MS)) != self.clock)
    }

    /// Whether a command that was replicated without a moment stores known items, too: only what left a trace was replicated.
    pub(crate) fn follower_stores(&self) -> bool {
        self.spares && self.request.keeps_first()
    }

    /// An error unless items can be claimed.
    fn expect_claims(&self) -> Result<(), Refusal> {
        if self.request.has_claims() {
            return Ok(());
        }
        Err(Refusal::conflict("claims", "the filter has no lease: reserve it with WINDOW and LEASE"))
    }

    /// Tests an item, and claims it if it is new.
    pub(crate) fn claim(&mut self, item: &[u8], at: Option<u64>) -> Result<Claim, Refusal> {
        self.expect_claims()?;
        let at = Tick(at.unwrap_or_default() * NS_PER_MS);
        let claim = self.filter.claim_at(item, at);
        // There is no room for one more: the time is taken all the same.
        if claim.as_ref().map_or_else(|error| error.code() == Code::Full, |_| true) {
            (self.clock, self.is_ahead) = (self.clock.max(at), claim.is_err());
        }
        claim.map_err(|error| Refusal::of_claim(&error))
    }

    /// Stores an item that was claimed.
    pub(crate) fn commit(&mut self, item: &[u8], token: u64, at: Option<u64>) -> Result<Committed, Refusal> {
        self.expect_claims()?;
        let at = Tick(at.unwrap_or_default() * NS_PER_MS);
        let committed = self.filter.commit_at(item, Token(token), at).map_err(|error| Refusal::of_claim(&error))?;
        self.clock = self.clock.max(at);
        Ok(committed)
    }

    /// Closes the claim of an item.
    pub(crate) fn abandon(&mut self, item: &[u8], token: u64) -> Result<(), Refusal> {
        self.expect_claims()?;
        self.filter.abandon(item, Token(token)).map_err(|error| Refusal::of_claim(&error))
    }

    /// Whether the item is present; changes nothing.
    pub(crate) fn contains(&self, item: &[u8], at: Option<u64>) -> Result<bool, Refusal> {
        let verdict = match at {
            None => self.filter.contains(item),
            Some(at) => self.filter.contains_at(item, Tick(at * NS_PER_MS))?,
        };
        Ok(verdict == Verdict::Duplicate)
    }

    /// Takes an item out; returns whether it was there at `at`, and whether replicas must get it.
    pub(crate) fn remove(&mut self, item: &[u8], at: Option<u64>) -> Result<(bool, bool), Refusal> {
        let removed = match at {
            None => self.filter.remove(item),
            Some(at) => self.filter.remove_at(item, Tick(at * NS_PER_MS)),
        };
        let removed = removed.map_err(|error| match error.code() {
            Code::Unsupported => Refusal::conflict("LATELY.REM", "needs a window-table, or a set with REMOVABLE"),
            _ => error.into(),
        })?;
        self.items = self.items.saturating_sub(u64::from(removed));
        Ok((removed, removed || self.request.kind.takes(Field::AgeBits)))
    }

    /// A copy of everything.
    ///
    /// # Errors
    /// No memory.
    pub fn copy(&self) -> Result<Self, Refusal> {
        Ok(Self { request: self.request.clone(), filter: self.filter.try_clone()?, sent: None, ..*self })
    }

    /// Bytes of the snapshot.
    #[must_use]
    pub fn snapshot_size(&self) -> u64 {
        self.filter.snapshot_size()
    }

    /// Writes the filter as bytes, the same for every binding of the library, and needs no memory for it.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_snapshot(&self, out: &mut dyn Write) -> io::Result<u64> {
        self.filter.write_snapshot(out)
    }

    /// The filter that a request and a snapshot were made of. Any bytes give a value or an error, and never more memory
    /// than in the request and, if a user sent them, than the settings allow. Ticks are dates, so that no time is added: a
    /// filter that lay on a disk for a minute is a minute older when it is asked.
    ///
    /// # Errors
    /// They are not what a server wrote.
    pub fn load(request: &[u8], snapshot: &[u8], user_limit: Option<&Settings>) -> Result<Self, Refusal> {
        let request = read_request(request)?;
        if let Some(settings) = user_limit {
            request.check_limit(settings)?;
        }
        let options = LoadOptions::new(Duration::ZERO).memory(request.max_bytes);
        let filter = Filter::load(snapshot, &options)?;
        expect_same(&request, &filter)?;
        let Stats { clock, items, .. } = filter.stats();
        Ok(Self::of(request, filter, clock, items))
    }
}

/// The request that a server wrote with a snapshot, in just these words.
pub(crate) fn read_request(bytes: &[u8]) -> Result<Request, Refusal> {
    const MOST: usize = 512;
    let text = std::str::from_utf8(bytes).ok().filter(|text| text.len() <= MOST);
    let text = text.ok_or_else(|| Refusal::new("the request of the snapshot is no text"))?;
    let request = Request::parse_text(text, &Settings::default())?;
    if request.text() != text {
        return Err(Refusal::new("the request of the snapshot is not as a server writes it"));
    }
    Ok(request)
}

/// The options that a filter must have as its request says. Not those which only size it: of them the loaded ones count.
const OF_A_REQUEST: [Field; 8] = [
    Field::Kind,
    Field::WindowNs,
    Field::Clock,
    Field::Seed,
    Field::LatenessNs,
    Field::LeaseNs,
    Field::MaxClaims,
    // None: steps are limited by MAXSTEP, on the primary alone.
    Field::MaxStepNs,
];

/// An error unless a filter out of a file is one of this request.
fn expect_same(request: &Request, filter: &Filter) -> Result<(), Refusal> {
    let (asked, there) = (request.options(), filter.options());
    let differs = |field: &&Field| asked.number_of(**field) != there.number_of(**field);
    match OF_A_REQUEST.iter().find(differs) {
        _ if request.seed.is_none() => Err(Refusal::new("the request of the snapshot has no SEED")),
        Some(field) => Err(Refusal::new(format_args!("the snapshot has another {} than its request", field.name()))),
        None => Ok(()),
    }
}
