//! Claims against an exact model: a map of open claims with their times, beside a twin filter without claims that is told only
//! what was stored. Every verdict, token and count is compared, for each windowed kind and each handle.

mod common;

use std::collections::HashMap;

use common::SECOND;
use common::rng::Rng;
use lately::{
    Claim, ClockSource, Code, Committed, Error, Filter, Kind, Options, Repeat, SharedFilter, Stats, Tick, Token,
    Verdict,
};

const WINDOW: u64 = 10 * SECOND;
const LEASE: u64 = 2 * SECOND;
const MOST: u64 = 4;

/// Either handle.
enum Handle {
    One(Filter),
    Many(SharedFilter),
}

macro_rules! on {
    ($handle:expr, $filter:ident => $call:expr) => {
        match $handle {
            Handle::One($filter) => $call,
            Handle::Many($filter) => $call,
        }
    };
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Who {
    One,
    Many,
    Divided,
}

impl Handle {
    fn new(who: Who, options: &Options) -> Self {
        let filter = Filter::new(options).expect("a filter");
        match who {
            Who::One => Self::One(filter),
            Who::Many => Self::Many(SharedFilter::of(filter).expect("memory")),
            Who::Divided => {
                let filter = SharedFilter::of(filter).expect("memory");
                lately::abi::divide(&filter);
                Self::Many(filter)
            }
        }
    }

    fn claim(&mut self, key: u64, now: Option<u64>) -> Result<Claim, Error> {
        let key = key.to_le_bytes();
        on!(self, filter => match now {
            Some(now) => filter.claim_at(key, Tick(now)),
            None => filter.claim(key),
        })
    }

    fn commit(&mut self, key: u64, token: Token, now: Option<u64>) -> Result<Committed, Error> {
        let key = key.to_le_bytes();
        on!(self, filter => match now {
            Some(now) => filter.commit_at(key, token, Tick(now)),
            None => filter.commit(key, token),
        })
    }

    fn abandon(&mut self, key: u64, token: Token) -> Result<(), Error> {
        on!(self, filter => filter.abandon(key.to_le_bytes(), token))
    }

    fn observe(&mut self, key: u64, now: Option<u64>) -> Result<Verdict, Error> {
        let key = key.to_le_bytes();
        on!(self, filter => match now {
            Some(now) => filter.observe_at(key, Tick(now)),
            None => filter.observe(key),
        })
    }

    fn insert(&mut self, key: u64, now: Option<u64>) -> Result<(), Error> {
        let key = key.to_le_bytes();
        on!(self, filter => match now {
            Some(now) => filter.insert_at(key, Tick(now)),
            None => filter.insert(key),
        })
    }

    fn contains(&self, key: u64, now: Option<u64>) -> Result<Verdict, Error> {
        let key = key.to_le_bytes();
        on!(self, filter => match now {
            Some(now) => filter.contains_at(key, Tick(now)),
            None => Ok(filter.contains(key)),
        })
    }

    fn advance(&mut self, now: u64) {
        on!(self, filter => filter.advance(Tick(now))).expect("a manual clock");
    }

    fn stats(&self) -> Stats {
        on!(self, filter => filter.stats())
    }
}

/// What claims have to be.
struct Model {
    twin: Handle,
    /// The open claims: when, and which token.
    open: HashMap<u64, (u64, Token)>,
    timed: bool,
    now: u64,
    expired: u64,
    pending: u64,
    new: u64,
    duplicate: u64,
}

impl Model {
    fn new(who: Who, options: &Options, timed: bool) -> Self {
        let twin = Handle::new(who, options);
        Self { twin, open: HashMap::new(), timed, now: 0, expired: 0, pending: 0, new: 0, duplicate: 0 }
    }

    /// Time goes on: the leases that are over by then are.
    fn pass(&mut self, now: Option<u64>) {
        self.now = self.now.max(now.unwrap_or(0));
        let before = self.open.len();
        let now = self.now;
        self.open.retain(|_, (since, _)| now - *since <= LEASE);
        self.expired += u64::try_from(before - self.open.len()).expect("a count");
    }

    /// The same for a call that stores nothing and yet moves the clock.
    fn moved(&mut self, now: Option<u64>) {
        self.pass(now);
        if self.timed {
            self.twin.advance(self.now);
        }
    }

    fn observe(&mut self, key: u64, now: Option<u64>) -> Verdict {
        self.pass(now);
        if self.open.contains_key(&key) {
            self.duplicate += 1;
            self.moved(now);
            return Verdict::Duplicate;
        }
        self.twin.observe(key, now).expect("a verdict")
    }

    fn contains(&self, key: u64, now: Option<u64>) -> Verdict {
        let moment = self.now.max(now.unwrap_or(0));
        match self.open.get(&key) {
            Some((since, _)) if moment - since <= LEASE => Verdict::Duplicate,
            _ => self.twin.contains(key, now).expect("a verdict"),
        }
    }

    /// What a claim has to say, and whether the table is full.
    fn claim(&mut self, key: u64, now: Option<u64>) -> Option<Verdict> {
        let moment = self.now.max(now.unwrap_or(0));
        let live = |since: &u64| moment - since <= LEASE;
        if self.open.get(&key).is_some_and(|(since, _)| live(since)) {
            self.moved(now);
            self.pending += 1;
            return Some(Verdict::Pending);
        }
        if self.twin.contains(key, now).expect("a verdict").is_duplicate() {
            self.pass(now);
            self.twin.observe(key, now).expect("a verdict");
            return Some(Verdict::Duplicate);
        }
        let is_full =
            self.open.values().filter(|(since, _)| live(since)).count() == usize::try_from(MOST).expect("small");
        self.moved(now);
        if is_full {
            return None;
        }
        self.new += 1;
        Some(Verdict::New)
    }

    fn commit(&mut self, key: u64, token: Token, now: Option<u64>) -> Committed {
        let moment = self.now.max(now.unwrap_or(0));
        let open = self.open.get(&key).filter(|(since, _)| moment - since <= LEASE);
        let is_in_time = open.is_some_and(|(_, open)| *open == token);
        if !is_in_time && self.twin.contains(key, now).expect("a verdict").is_duplicate() {
            self.moved(now);
            return Committed::Already;
        }
        self.pass(now);
        self.twin.insert(key, now).expect("stored");
        self.open.remove(&key);
        if is_in_time { Committed::InTime } else { Committed::Late }
    }
}

/// A filter beside its model, through random calls.
struct Trial {
    name: String,
    filter: Handle,
    model: Model,
    rng: Rng,
    timed: bool,
    /// Every token that was ever given out.
    given: Vec<(u64, Token)>,
    fulls: u64,
    seen: HashMap<&'static str, u64>,
}

impl Trial {
    fn new(name: &str, who: Who, plain: &Options, claiming: &Options, timed: bool, seed: u64) -> Self {
        Self {
            name: format!("{name}, {who:?}"),
            filter: Handle::new(who, claiming),
            model: Model::new(who, plain, timed),
            rng: Rng(seed),
            timed,
            given: Vec::new(),
            fulls: 0,
            seen: HashMap::new(),
        }
    }

    /// The tick of the next call: a little on, now and then late, never far.
    fn tick(&mut self) -> Option<u64> {
        if !self.timed {
            return None;
        }
        let step = match self.rng.below(20) {
            0 => LEASE - self.rng.below(2),
            1..=9 => 0,
            _ => self.rng.below(SECOND / 20),
        };
        let now = self.model.now + step;
        Some(if self.rng.below(10) == 0 { now.saturating_sub(self.rng.below(SECOND)) } else { now })
    }

    fn claim(&mut self, key: u64, now: Option<u64>) {
        let before = self.model.now;
        let want = self.model.claim(key, now);
        match self.filter.claim(key, now) {
            Ok(claim) => {
                assert_eq!(Some(claim.verdict()), want, "{}: claim {key} at {now:?} after {before}", self.name);
                assert_eq!(claim.token().is_some(), claim.verdict() == Verdict::New);
                if let Some(token) = claim.token() {
                    assert_ne!(token.0, 0);
                    self.given.push((key, token));
                    self.model.open.insert(key, (self.model.now, token));
                }
                *self
                    .seen
                    .entry(["new", "duplicate", "pending"][usize::from(u8::from(claim.verdict()))])
                    .or_default() += 1;
            }
            Err(error) => {
                assert_eq!((error.code(), want), (Code::Full, None), "{}: {error}", self.name);
                self.fulls += 1;
            }
        }
    }

    fn commit(&mut self, now: Option<u64>) {
        let Some((key, token)) = self.any_token() else { return };
        let want = self.model.commit(key, token, now);
        let have = self.filter.commit(key, token, now).expect("a good token");
        assert_eq!(have, want, "{}: commit {key} at {now:?}", self.name);
        *self.seen.entry(["in time", "late", "already"][usize::from(u8::from(have))]).or_default() += 1;
    }

    /// One of the last tokens, which may be closed, committed or over.
    fn any_token(&mut self) -> Option<(u64, Token)> {
        let back = usize::try_from(1 + self.rng.below(16)).expect("small");
        self.given.len().checked_sub(back).map(|at| self.given[at])
    }

    fn abandon(&mut self) {
        let Some((key, token)) = self.any_token() else { return };
        self.filter.abandon(key, token).expect("a good token");
        self.model.pass(None);
        if self.model.open.get(&key).is_some_and(|(_, open)| *open == token) {
            self.model.open.remove(&key);
        }
    }

    /// Tokens of other keys, and tokens that were never given out.
    fn forge(&mut self) {
        let Some((key, token)) = self.any_token() else { return };
        for (key, token) in
            [(key + 1, token), (key, Token(token.0 ^ 1)), (key, Token(token.0 ^ (1 << 24))), (key, Token(0))]
        {
            assert_eq!(self.filter.commit(key, token, None).expect_err("a forgery").code(), Code::Claim);
            assert_eq!(self.filter.abandon(key, token).expect_err("a forgery").code(), Code::Claim);
        }
    }

    fn step(&mut self) {
        let (key, now) = (self.rng.below(40), self.tick());
        match self.rng.below(16) {
            0..=5 => self.claim(key, now),
            6..=8 => self.commit(now),
            9..=10 => self.abandon(),
            11 => self.forge(),
            12 => assert_eq!(
                self.filter.observe(key, now).expect("a verdict"),
                self.model.observe(key, now),
                "{}",
                self.name
            ),
            13 if self.rng.below(8) == 0 => {
                self.filter.insert(key, now).expect("stored");
                self.model.pass(now);
                self.model.open.remove(&key);
                self.model.twin.insert(key, now).expect("stored");
            }
            14 if self.timed && self.rng.below(40) == 0 => {
                let to = self.model.now + self.rng.below(2 * WINDOW);
                self.filter.advance(to);
                self.model.moved(Some(to));
            }
            _ => {
                let have = self.filter.contains(key, now).expect("a verdict");
                assert_eq!(have, self.model.contains(key, now), "{}: contains {key} at {now:?}", self.name);
            }
        }
    }

    fn check_stats(&self) {
        let (have, twin, model) = (self.filter.stats(), self.model.twin.stats(), &self.model);
        assert_eq!(have.open_claims, u64::try_from(model.open.len()).expect("a count"), "{}", self.name);
        let counts = (have.expired_claims, have.pending, have.new_count, have.duplicate_count, have.max_claims);
        let want =
            (model.expired, model.pending, twin.new_count + model.new, twin.duplicate_count + model.duplicate, MOST);
        assert_eq!(counts, want, "{}", self.name);
        assert_eq!(have.clock, twin.clock, "{}", self.name);
    }

    fn run(mut self, steps: u64) {
        for i in 0..steps {
            self.step();
            if i % 50 == 0 {
                self.model.pass(None);
                self.check_stats();
            }
        }
        let all = ["new", "duplicate", "pending", "in time", "late", "already"];
        let rare: Vec<_> = all.iter().filter(|what| self.seen.get(**what).is_none_or(|n| *n < 20)).collect();
        assert!(rare.is_empty() && self.fulls > 20, "{}: {:?}, full {}", self.name, self.seen, self.fulls);
    }
}

/// Each windowed kind, its options without claims, and whether it takes ticks.
fn rows() -> Vec<(&'static str, Options, bool)> {
    let timed = |kind| Options::new(kind).clock(ClockSource::Manual).window_ns(WINDOW);
    vec![
        ("time-limited", timed(Kind::TimeLimited), true),
        ("window table of time", timed(Kind::WindowTable), true),
        ("age-partitioned", Options::age_partitioned(40), false),
        ("window table of keys", Options::last(40), false),
    ]
}

fn claiming(options: &Options, timed: bool) -> Options {
    options.clone().lease_ns(if timed { LEASE } else { 3600 * SECOND }).max_claims(MOST)
}

#[test]
fn claims_of_either_handle_equal_the_model() {
    for (name, plain, timed) in rows() {
        for repeat in [Repeat::Refresh, Repeat::KeepFirst] {
            let plain = plain.clone().repeat(repeat);
            for (seed, who) in (1..).zip([Who::One, Who::Many, Who::Divided]) {
                Trial::new(name, who, &plain, &claiming(&plain, timed), timed, seed).run(20_000);
            }
        }
    }
}
