//! Small filters of every kind and variant, and a stream that fits each: what the tests of snapshots go through.

use lately::{Committed, Error, Filter, Options, Secret, Tick, Token, Verdict};

use super::SECOND;
use super::handle::Handle;
use super::kinds::{self, Finds, Row};
use super::rng::Rng;

/// A filter and how it is used.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) options: Options,
    /// Whether it takes ticks.
    pub(crate) ticks: bool,
    /// Whether it can remove.
    pub(crate) removes: bool,
    /// Whether it has a secret.
    pub(crate) keyed: bool,
    /// Whether it takes claims.
    pub(crate) claims: bool,
    /// Whether its memory is planned for all that it stores.
    pub(crate) keeps_all: bool,
    /// How many keys the stream has to choose from.
    pub(crate) keys: u64,
}

/// The secret of those that are keyed.
pub(crate) const SECRET: (u64, u64) = (0x0123_4567_89AB_CDEF, 0xFEDC_BA98_7654_3210);

impl Case {
    fn new(row: Row) -> Self {
        Self {
            options: row.options(),
            ticks: row.takes_ticks(),
            removes: row.removes,
            keyed: row.says("keyed"),
            claims: row.says("lease_ns"),
            keeps_all: row.finds == Finds::Ever,
            keys: 400,
            name: row.name,
        }
    }

    pub(crate) fn build(&self) -> Filter {
        Filter::new(&self.options).unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }

    /// What it takes to load it.
    pub(crate) fn load_options(&self, elapsed: std::time::Duration) -> lately::LoadOptions {
        let options = lately::LoadOptions::new(elapsed);
        if self.keyed { options.secret(Secret::new(SECRET.0, SECRET.1)) } else { options }
    }

    /// Loads it after no time.
    pub(crate) fn load(&self, bytes: &[u8]) -> Filter {
        Filter::load(bytes, &self.load_options(std::time::Duration::ZERO))
            .unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }
}

/// The window of those that have time.
pub(crate) const WINDOW: u64 = 10 * SECOND;

/// Every kind and variant: the rows of `cases.txt`.
pub(crate) fn cases() -> Vec<Case> {
    cases_of("snapshot")
}

/// The rows of `cases.txt` for this suite.
pub(crate) fn cases_of(suite: &str) -> Vec<Case> {
    kinds::cases(suite).into_iter().map(Case::new).collect()
}

/// One step of a stream, drawn from a generator: the same generator, the same steps.
#[derive(Debug)]
pub(crate) struct Player {
    rng: Rng,
    now: u64,
    /// The last claims that were new, in memory of a fixed size: a suite refuses memory while it plays.
    tokens: [Option<([u8; 8], Token)>; 8],
}

/// What a step came to.
pub(crate) type Outcome = Result<Verdict, lately::Code>;

impl Player {
    pub(crate) fn new(seed: u64) -> Self {
        Self { rng: Rng(seed), now: 1000 * SECOND, tokens: [None; 8] }
    }

    /// The same steps again.
    pub(crate) fn twin(&self) -> Self {
        Self { rng: Rng(self.rng.0), now: self.now, tokens: self.tokens }
    }

    /// Tells the clock that time went by.
    pub(crate) fn wait(&mut self, ns: u64) {
        self.now += ns;
    }

    /// Mostly observes, at times inserts, removes, asks, advances, or gives a late tick.
    pub(crate) fn step(&mut self, case: &Case, filter: &mut dyn Handle) -> Outcome {
        let key = self.rng.below(case.keys).to_le_bytes();
        let (choice, gap) = (self.rng.below(40), self.rng.below(WINDOW / 40));
        self.now += if choice == 39 { 3 * WINDOW } else { gap };
        let tick = Tick(if choice == 38 { self.now - gap } else { self.now });
        let code = |error: Error| error.code();
        match choice {
            0..4 if case.removes => filter.remove(&key).map(verdict).map_err(code),
            11..20 if case.claims => self.claim(filter, key, tick).map_err(code),
            20..26 if case.claims => self.settle(filter, tick).map_err(code),
            4..7 if case.ticks => filter.insert_at(&key, tick).map(|()| Verdict::New).map_err(code),
            4..7 => filter.insert(&key).map(|()| Verdict::New).map_err(code),
            7..10 if case.ticks => filter.contains_at(&key, tick).map_err(code),
            7..10 => Ok(filter.contains(&key)),
            10 if case.ticks => filter.advance(tick).map(|()| Verdict::New).map_err(code),
            _ if case.ticks => filter.observe_at(&key, tick).map_err(code),
            _ => filter.observe(&key).map_err(code),
        }
    }
}

impl Player {
    fn claim(&mut self, filter: &mut dyn Handle, key: [u8; 8], now: Tick) -> Result<Verdict, Error> {
        let claim = filter.claim(&key, Some(now))?;
        if let Some(token) = claim.token() {
            self.tokens.rotate_right(1);
            self.tokens[0] = Some((key, token));
        }
        Ok(claim.verdict())
    }

    /// Commits or abandons one of the last eight claims, which may be over.
    fn settle(&mut self, filter: &mut dyn Handle, now: Tick) -> Result<Verdict, Error> {
        let (commits, back) = (self.rng.below(2) == 0, self.rng.below(8));
        let Some((key, token)) = self.tokens[super::num::index(back)] else { return Ok(Verdict::New) };
        match commits {
            true => filter.commit(&key, token, Some(now)).map(found),
            false => filter.abandon(&key, token).map(|()| Verdict::New),
        }
    }
}

/// The number of what a commit found, as a verdict.
fn found(committed: Committed) -> Verdict {
    [Verdict::New, Verdict::Duplicate, Verdict::Pending][usize::from(u8::from(committed))]
}

fn verdict(removed: bool) -> Verdict {
    if removed { Verdict::Duplicate } else { Verdict::New }
}
