//! Claims over a thousand turnovers of the window: in each, a filter that is loaded from its snapshot is used and saved again, by
//! both handles in turn, and compared with a map of times. What is open is exact, and so is what is within the window; a
//! key that is far past it may be a false duplicate, as rarely as the error rate says.

use crate::common;

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use common::SECOND;
use common::kinds::taking;
use common::rng::Rng;
use lately::{Claim, Clock, Committed, Field, Filter, Kind, LoadOptions, Options, SharedFilter, Tick, Token, Unit};

const WINDOW: u64 = 10 * SECOND;
const LEASE: u64 = 2 * SECOND;
const TURNOVERS: u64 = 1000;
/// Calls of a turnover, and time between two.
const CALLS: u64 = 128;
const STEP: u64 = WINDOW / CALLS;
/// Keys that come again and again; each other call has a key that never came.
const KEYS: u64 = 200;
const ERROR_RATE: f64 = 1e-6;

/// A loaded filter: the same calls on either handle.
enum Loaded {
    One(Filter),
    Many(SharedFilter),
}

macro_rules! on {
    ($loaded:expr, $filter:ident => $call:expr) => {
        match $loaded {
            Loaded::One($filter) => $call,
            Loaded::Many($filter) => $call,
        }
    };
}

impl Loaded {
    fn load(bytes: &[u8], elapsed: u64, shared: bool) -> Self {
        let options = LoadOptions::new(Duration::from_nanos(elapsed));
        match shared {
            true => Self::Many(SharedFilter::load(bytes, &options).expect("its own snapshot")),
            false => Self::One(Filter::load(bytes, &options).expect("its own snapshot")),
        }
    }
}

/// What claims have to say: when each key was stored last, and when each open claim began.
struct Model {
    stored: HashMap<u64, u64>,
    open: HashMap<u64, (u64, Token)>,
    given: HashSet<(u64, u64)>,
    now: u64,
    expired: u64,
    false_duplicates: u64,
    rng: Rng,
}

impl Model {
    fn new(seed: u64) -> Self {
        let (stored, open, given) = (HashMap::new(), HashMap::new(), HashSet::new());
        Self { stored, open, given, now: 1000 * WINDOW, expired: 0, false_duplicates: 0, rng: Rng(seed) }
    }

    /// Time passes, and the leases that are over by then end.
    fn pass(&mut self, ns: u64) {
        self.now += ns;
        let before = self.open.len();
        self.open.retain(|_, (since, _)| self.now - *since <= LEASE);
        self.expired += u64::try_from(before - self.open.len()).expect("a count");
    }

    fn is_within(&self, key: u64) -> bool {
        self.stored.get(&key).is_some_and(|stored| self.now - stored <= WINDOW)
    }

    /// Whether the key came so long ago that only an error can find it.
    fn is_past(&self, key: u64) -> bool {
        self.stored.get(&key).is_none_or(|stored| self.now - stored > 4 * WINDOW)
    }

    fn claim(&mut self, filter: &mut Loaded, key: u64) {
        match on!(filter, filter => filter.claim_at(key.to_le_bytes(), Tick(self.now))).expect("room") {
            Claim::Pending => assert!(self.open.contains_key(&key), "{key} at {} is not open", self.now),
            Claim::Duplicate => {
                assert!(!self.open.contains_key(&key), "{key} at {} is open", self.now);
                self.false_duplicates += u64::from(self.is_past(key));
                self.stored.insert(key, self.now);
            }
            Claim::New(token) => {
                assert!(!self.open.contains_key(&key) && !self.is_within(key), "{key} at {} is known", self.now);
                assert!(self.given.insert((key, token.0)), "{key}: a token is given out once");
                self.open.insert(key, (self.now, token));
            }
        }
    }

    /// Commits an open claim or one whose lease is over, or abandons one.
    fn end(&mut self, filter: &mut Loaded) {
        let mut open: Vec<(u64, Token)> = self.open.iter().map(|(key, (_, token))| (*key, *token)).collect();
        open.sort_unstable_by_key(|(key, _)| *key);
        if open.is_empty() {
            return;
        }
        let (key, token) = self.rng.pick(&open);
        if self.rng.below(4) == 0 {
            on!(filter, filter => filter.abandon(key.to_le_bytes(), token)).expect("its token");
        } else {
            let committed = on!(filter, filter => filter.commit_at(key.to_le_bytes(), token, Tick(self.now)));
            assert_eq!(committed.expect("its token"), Committed::InTime);
            self.stored.insert(key, self.now);
        }
        self.open.remove(&key);
    }

    fn turn_over(&mut self, filter: &mut Loaded, turnover: u64) {
        for call in 0..CALLS {
            let step = self.rng.below(2 * STEP);
            self.pass(step);
            let fresh = KEYS + turnover * CALLS + call;
            match self.rng.below(8) {
                0..=3 => self.claim(filter, fresh),
                4..=5 => {
                    let key = self.rng.below(KEYS);
                    self.claim(filter, key);
                }
                _ => self.end(filter),
            }
        }
    }

    fn check(&self, filter: &mut Loaded, what: &str) {
        let stats = on!(filter, filter => {
            filter.advance(Tick(self.now)).expect("a manual clock");
            filter.stats()
        });
        let open = u64::try_from(self.open.len()).expect("a count");
        assert_eq!((stats.open_claims, stats.expired_claims), (open, self.expired), "{what}");
        assert!(stats.error_rate <= ERROR_RATE, "{what}: {stats:?}");
    }
}

fn thousand_turnovers(kind: Kind) {
    let options = Options::new(kind).clock(Clock::Manual(Unit::Nanoseconds)).window_ns(WINDOW).error_rate(ERROR_RATE);
    let mut filter = Loaded::One(Filter::new(&options.lease_ns(LEASE).max_claims(256)).expect("a filter"));
    let (mut model, mut longest, mut early) = (Model::new(7), 0, 0);
    for turnover in 0..TURNOVERS {
        model.turn_over(&mut filter, turnover);
        let mut bytes = Vec::new();
        on!(&filter, filter => filter.write_snapshot(&mut bytes)).expect("a Vec takes all");
        longest = longest.max(bytes.len());
        early = if turnover < 50 { longest } else { early };
        let elapsed = model.rng.below(LEASE / 2);
        filter = Loaded::load(&bytes, elapsed, turnover % 2 == 0);
        model.pass(elapsed);
        model.check(&mut filter, &format!("{kind}, turnover {turnover}"));
    }
    assert!(model.false_duplicates <= 2, "{kind}: {} false duplicates", model.false_duplicates);
    assert!(longest <= 2 * early, "{kind}: snapshots grow from {early} to {longest} bytes");
    assert!(model.expired > TURNOVERS, "{kind}: leases ran out {} times", model.expired);
}

#[test]
fn claims_over_a_thousand_saved_turnovers_equal_a_map_with_times() {
    let mut kinds = taking(Field::WindowNs).filter(|kind| kind.takes(Field::LeaseNs)).peekable();
    assert!(kinds.peek().is_some());
    kinds.for_each(thousand_turnovers);
}
