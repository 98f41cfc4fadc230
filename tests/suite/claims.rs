//! Claims against an exact model: a map of open claims with their times, beside a twin filter without claims that is told only
//! what was stored. Every verdict, token and count is compared, for each windowed kind and each handle.

use crate::common;

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use common::SECOND;
use common::bytes::reloaded;
use common::handle::{self, Handle, Verb, WAYS, Way};
use common::kinds::{self, Row, taking};
use common::rng::Rng;
use lately::{
    Claim, Clock, Code, Committed, Error, Field, Filter, Kind, Options, Repeat, SharedFilter, Tick, Token, Unit,
    Verdict,
};

const WINDOW: u64 = 10 * SECOND;
const LEASE: u64 = 2 * SECOND;
const MOST: u64 = 4;

/// A key of 8 bytes, and a tick that is given.
const fn k(key: u64) -> [u8; 8] {
    key.to_le_bytes()
}

const fn at(ns: u64) -> Option<Tick> {
    Some(Tick(ns))
}

/// What claims have to be.
struct Model {
    twin: Box<dyn Handle>,
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
    fn new(way: Way, options: &Options, timed: bool) -> Self {
        let twin = way.build(options);
        Self { twin, open: HashMap::new(), timed, now: 0, expired: 0, pending: 0, new: 0, duplicate: 0 }
    }

    /// Time continues: the leases that are over by then are.
    fn pass(&mut self, now: Option<Tick>) {
        self.now = self.now.max(now.map_or(0, |now| now.0));
        let before = self.open.len();
        let now = self.now;
        self.open.retain(|_, (since, _)| now - *since <= LEASE);
        self.expired += u64::try_from(before - self.open.len()).expect("a count");
    }

    /// The same for a call that stores nothing and yet moves the clock.
    fn moved(&mut self, now: Option<Tick>) {
        self.pass(now);
        if self.timed {
            self.twin.advance(Tick(self.now)).expect("a manual clock");
        }
    }

    fn observe(&mut self, key: u64, now: Option<Tick>) -> Verdict {
        self.pass(now);
        if self.open.contains_key(&key) {
            self.duplicate += 1;
            self.moved(now);
            return Verdict::Duplicate;
        }
        self.twin.single(Verb::Observe, &k(key), now).expect("a verdict")
    }

    fn contains(&self, key: u64, now: Option<Tick>) -> Verdict {
        let moment = self.now.max(now.map_or(0, |now| now.0));
        match self.open.get(&key) {
            Some((since, _)) if moment - since <= LEASE => Verdict::Duplicate,
            _ => self.twin.found(key, now.map(|now| now.0)),
        }
    }

    /// What a claim has to say, and whether the table is full.
    fn claim(&mut self, key: u64, now: Option<Tick>) -> Option<Verdict> {
        let moment = self.now.max(now.map_or(0, |now| now.0));
        let live = |since: &u64| moment - since <= LEASE;
        if self.open.get(&key).is_some_and(|(since, _)| live(since)) {
            self.moved(now);
            self.pending += 1;
            return Some(Verdict::Pending);
        }
        if self.twin.found(key, now.map(|now| now.0)).is_duplicate() {
            self.pass(now);
            self.twin.single(Verb::Observe, &k(key), now).expect("a verdict");
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

    fn commit(&mut self, key: u64, token: Token, now: Option<Tick>) -> Committed {
        let moment = self.now.max(now.map_or(0, |now| now.0));
        let open = self.open.get(&key).filter(|(since, _)| moment - since <= LEASE);
        let is_in_time = open.is_some_and(|(_, open)| *open == token);
        if !is_in_time && self.twin.found(key, now.map(|now| now.0)).is_duplicate() {
            self.moved(now);
            return Committed::Already;
        }
        self.pass(now);
        self.twin.single(Verb::Insert, &k(key), now).expect("stored");
        self.open.remove(&key);
        if is_in_time { Committed::InTime } else { Committed::Late }
    }
}

/// A filter beside its model, through random calls.
struct Trial {
    name: String,
    filter: Box<dyn Handle>,
    model: Model,
    rng: Rng,
    timed: bool,
    /// Every token that was ever given out.
    given: Vec<(u64, Token)>,
    unique: HashSet<(u64, u64)>,
    fulls: u64,
    seen: HashMap<&'static str, u64>,
}

impl Trial {
    fn new(name: &str, way: Way, plain: &Options, claiming: &Options, timed: bool, seed: u64) -> Self {
        Self {
            name: format!("{name}, {way:?}"),
            filter: way.build(claiming),
            model: Model::new(way, plain, timed),
            rng: Rng(seed),
            timed,
            given: Vec::new(),
            unique: HashSet::new(),
            fulls: 0,
            seen: HashMap::new(),
        }
    }

    /// The tick of the next call: a little on, now and then late, never far.
    fn tick(&mut self) -> Option<Tick> {
        if !self.timed {
            return None;
        }
        let step = match self.rng.below(20) {
            0 => LEASE - self.rng.below(2),
            1..=9 => 0,
            _ => self.rng.below(SECOND / 20),
        };
        let now = self.model.now + step;
        at(if self.rng.below(10) == 0 { now.saturating_sub(self.rng.below(SECOND)) } else { now })
    }

    fn claim(&mut self, key: u64, now: Option<Tick>) {
        let before = self.model.now;
        let want = self.model.claim(key, now);
        match self.filter.claim(&k(key), now) {
            Ok(claim) => {
                assert_eq!(Some(claim.verdict()), want, "{}: claim {key} at {now:?} after {before}", self.name);
                assert_eq!(claim.token().is_some(), claim.verdict() == Verdict::New);
                if let Some(token) = claim.token() {
                    assert!(token.0 != 0 && self.unique.insert((key, token.0)), "{}: a token is given once", self.name);
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

    fn commit(&mut self, now: Option<Tick>) {
        let Some((key, token)) = self.any_token() else { return };
        let want = self.model.commit(key, token, now);
        let have = self.filter.commit(&k(key), token, now).expect("a good token");
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
        self.filter.abandon(&k(key), token).expect("a good token");
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
            assert_eq!(self.filter.commit(&k(key), token, None).expect_err("a forgery").code(), Code::Claim);
            assert_eq!(self.filter.abandon(&k(key), token).expect_err("a forgery").code(), Code::Claim);
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
                self.filter.single(Verb::Observe, &k(key), now).expect("a verdict"),
                self.model.observe(key, now),
                "{}",
                self.name
            ),
            13 if self.rng.below(8) == 0 => {
                self.filter.single(Verb::Insert, &k(key), now).expect("stored");
                self.model.pass(now);
                self.model.open.remove(&key);
                self.model.twin.single(Verb::Insert, &k(key), now).expect("stored");
            }
            14 if self.timed && self.rng.below(40) == 0 => {
                let to = self.model.now + self.rng.below(2 * WINDOW);
                self.filter.advance(Tick(to)).expect("a manual clock");
                self.model.moved(at(to));
            }
            _ => {
                let have = self.filter.found(key, now.map(|now| now.0));
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

    /// Every so often the filter is saved, and loaded as either handle; no time passes meanwhile.
    fn run(mut self, steps: u64) {
        for i in 0..steps {
            self.step();
            if i % 500 == 499 {
                self.filter = self.rng.pick(&WAYS).of(reloaded(&*self.filter));
            }
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
fn rows() -> Vec<(String, Options, bool)> {
    let claiming = |window| taking(window).filter(|kind| kind.takes(Field::LeaseNs));
    let of_time = claiming(Field::WindowNs).map(|kind| {
        let options = Options::new(kind).clock(Clock::Manual(Unit::Nanoseconds)).window_ns(WINDOW);
        (format!("{kind} of time"), options, true)
    });
    let of_keys =
        claiming(Field::WindowKeys).map(|kind| (format!("{kind} of keys"), Options::new(kind).window_keys(40), false));
    of_time.chain(of_keys).collect()
}

fn claiming(options: &Options, timed: bool) -> Options {
    options.clone().lease_ns(if timed { LEASE } else { 3600 * SECOND }).max_claims(MOST)
}

#[test]
fn claims_of_either_handle_equal_the_model() {
    let rows = rows();
    assert_eq!(rows.len(), 4);
    for (name, plain, timed) in rows {
        for repeat in [Repeat::Refresh, Repeat::KeepFirst] {
            let plain = plain.clone().repeat(repeat);
            for (seed, way) in (1..).zip(WAYS) {
                Trial::new(&name, way, &plain, &claiming(&plain, timed), timed, seed).run(20_000);
            }
        }
    }
}

fn timed(kind: Kind) -> Options {
    Options::new(kind).clock(Clock::Manual(Unit::Nanoseconds)).window_ns(WINDOW).lease_ns(LEASE)
}

/// The default kind.
fn table() -> Options {
    common::table(WINDOW).lease_ns(LEASE)
}

fn refusal<T: std::fmt::Debug>(result: Result<T, Error>) -> (Code, String) {
    let error = result.expect_err("refused");
    (error.code(), error.to_string())
}

#[test]
fn options_of_claims_are_refused_by_name() {
    let cases = [
        (table().lease_ns(0), "lease_ns = 0: must be 1 to 10000000000 ns"),
        (table().lease_ns(WINDOW + 1), "lease_ns = 10000000001: must be 1 to 10000000000 ns"),
        (Options::last(10).lease_ns(u64::MAX), "lease_ns = 18446744073709551615: must be 1 to 31536000000000000 ns"),
        (table().max_claims(0), "max_claims = 0: must be 1 to 16777216"),
        (table().max_claims((1 << 24) + 1), "max_claims = 16777217: must be 1 to 16777216"),
        (Options::last(10).max_claims(5), "max_claims = 5: needs lease_ns"),
    ];
    for (options, want) in cases {
        assert_eq!(refusal(Filter::new(&options)), (Code::Option, want.to_owned()));
        assert_eq!(refusal(Filter::plan(&options)), (Code::Option, want.to_owned()));
    }
    for options in kinds::rows().iter().filter(|row| !row.has_window()).map(Row::options) {
        for options in [options.clone().lease_ns(5), options.max_claims(5)] {
            let (code, why) = refusal(Filter::new(&options));
            assert!(code == Code::Option && why.contains("does not take this option"), "{why}");
        }
    }
    for (kind, lease) in taking(Field::WindowNs).flat_map(|kind| [1, WINDOW].map(|lease| (kind, lease))) {
        assert!(Filter::new(&timed(kind).lease_ns(lease).max_claims(1)).is_ok());
    }
}

/// `memory` bounds cells and claims together, and the error names the least of both.
#[test]
fn memory_bounds_cells_and_claims() {
    let table = 40 * 1024;
    for kind in taking(Field::WindowNs) {
        let options = timed(kind).max_claims(1024);
        let error = Filter::new(&options.clone().memory(table)).expect_err("too little");
        assert_eq!(error.field(), Some(lately::Field::Memory));
        assert!(
            error.to_string().contains(&format!("memory = {table} bytes: must be {table} bytes for max_claims plus ")),
            "{error}"
        );
        let most = table + 30_000;
        let mut filter = Filter::new(&options.memory(most)).expect("room");
        let mut peak = 0;
        for i in 0..50_000_u64 {
            filter.observe_at(i.to_le_bytes(), Tick(i * 10_000)).expect("a verdict");
            peak = peak.max(filter.stats().bytes);
        }
        assert!(peak <= most && peak > table + 20_000, "{kind}: {peak} of {most}");
    }
    let plain = Filter::plan(&Options::last(1000)).expect("a plan").bytes;
    let claiming = Filter::plan(&Options::last(1000).lease_ns(5).max_claims(1024)).expect("a plan").bytes;
    assert_eq!(claiming, plain + table);
}

#[test]
fn a_step_that_is_refused_changes_nothing() {
    for kind in taking(Field::WindowNs) {
        for mut filter in handle::all(&timed(kind).max_step_ns(SECOND)) {
            let token = filter.claim(&k(1), at(5 * SECOND)).expect("the first tick is taken").token().expect("new");
            let far = at(6 * SECOND + 1);
            assert_eq!(refusal(filter.claim(&k(2), far)).0, Code::Tick);
            assert_eq!(refusal(filter.claim(&k(1), far)).0, Code::Tick);
            assert_eq!(refusal(filter.single(Verb::Observe, &k(1), far)).0, Code::Tick);
            assert_eq!(refusal(filter.single(Verb::Insert, &k(1), far)).0, Code::Tick);
            assert_eq!(refusal(filter.commit(&k(1), token, far)).0, Code::Tick);
            let stats = filter.stats();
            assert_eq!((stats.open_claims, stats.refused_ticks, stats.clock), (1, 5, Tick(5 * SECOND)));
            // A claim that stores nothing moves the clock, so that the next step is judged from there.
            assert_eq!(filter.claim(&k(2), at(6 * SECOND)).expect("a step").verdict(), Verdict::New);
            assert_eq!(filter.claim(&k(3), at(7 * SECOND)).expect("a step").verdict(), Verdict::New);
            assert_eq!(filter.commit(&k(1), token, at(7 * SECOND)).expect("its token"), Committed::InTime);
        }
    }
}

#[test]
fn hashes_are_refused_everywhere() {
    use lately::{KeyHash, Keys};
    let hash = KeyHash(7);
    let (mut one, many) = (common::build(&table()), common::divided(common::build(&table())));
    let codes = [
        refusal(one.observe_hash(hash)).0,
        refusal(one.observe_hash_at(hash, Tick(1))).0,
        refusal(one.insert_hash(hash)).0,
        refusal(one.insert_hash_at(hash, Tick(1))).0,
        refusal(one.contains_hash(hash)).0,
        refusal(one.contains_hash_at(hash, Tick(1))).0,
        refusal(many.observe_hash(hash)).0,
        refusal(many.insert_hash(hash)).0,
        refusal(many.contains_hash(hash)).0,
    ];
    assert_eq!(codes, [Code::Unsupported; 9]);
    for mut filter in handle::all(&table()) {
        for verb in [Verb::Observe, Verb::Insert, Verb::Contains] {
            let refused = filter.batch(verb, Keys::Hashes(&[hash]), None, &mut [Verdict::New]).map_err(Error::from);
            assert_eq!(refusal(refused).0, Code::Unsupported);
        }
    }
}

/// Keys of a batch in all their forms, some of them claimed, some absent: as single calls.
#[test]
fn batches_obey_open_claims() {
    use lately::Keys;
    for mut filter in handle::all(&table()) {
        let token = filter.claim(&k(1), at(SECOND)).expect("a claim").token().expect("new");
        let ticks = [Tick(SECOND), Tick(SECOND + LEASE), Tick(SECOND + LEASE + 1), Tick(SECOND + LEASE + 1)];
        let mut verdicts = [Verdict::New; 4];
        filter.batch(Verb::Contains, Keys::U64s(&[1, 1, 1, 2]), Some(&ticks), &mut verdicts).expect("ticks");
        assert_eq!(verdicts, [Verdict::Duplicate, Verdict::Duplicate, Verdict::New, Verdict::New]);
        filter.batch(Verb::Observe, Keys::U64s(&[1, 1, 1, 1]), Some(&ticks), &mut verdicts).expect("ticks");
        assert_eq!(verdicts, [Verdict::Duplicate, Verdict::Duplicate, Verdict::New, Verdict::Duplicate]);
        assert_eq!(filter.commit(&k(1), token, None).expect("its token"), Committed::Already);
        let token = filter.claim(&k(5), None).expect("a claim").token().expect("new");
        let (bytes, offsets) = ([6_u64, 5].map(u64::to_le_bytes).concat(), [0, 8, 16]);
        filter.batch(Verb::Insert, Keys::Bytes { bytes: &bytes, offsets: &offsets }, None, &mut []).expect("keys");
        assert_eq!(filter.commit(&k(5), token, None).expect("its token"), Committed::Already);
        let column = lately::Column {
            bytes: &bytes,
            offsets: lately::Offsets::I64(&[0, 8, 16]),
            validity: Some(lately::Validity { bits: &[0b10], offset: 0 }),
        };
        let mut verdicts = [Verdict::New; 2];
        filter.batch(Verb::Observe, Keys::Column(column), None, &mut verdicts).expect("keys");
        assert_eq!(verdicts, [Verdict::AbsentKey, Verdict::Duplicate]);
        filter.slices(Verb::Observe, &[&k(8), &k(8)], None, &mut verdicts).expect("keys");
        assert_eq!(verdicts, [Verdict::New, Verdict::Duplicate]);
    }
}

#[test]
fn the_age_of_an_open_claim_is_the_time_since_it() {
    for mut filter in handle::all(&table()) {
        filter.claim(&k(1), at(SECOND)).expect("a claim").token().expect("new");
        let key = k(1);
        let exact = |ns| Some(lately::Age { at_least: ns, at_most: ns });
        let seen = filter.observe_age(&key, at(SECOND + 7)).expect("ages");
        assert_eq!(seen, (Verdict::Duplicate, exact(7)));
        let ages = [filter.contains_age(&key, at(SECOND + LEASE)), filter.contains_age(&key, None)];
        assert_eq!(ages.map(|age| age.expect("ages")), [exact(LEASE), exact(7)]);
        let over = filter.observe_age(&key, at(SECOND + LEASE + 1)).expect("ages");
        assert_eq!(over, (Verdict::New, None));
    }
    for mut filter in handle::all(&Options::last(10).lease_ns(3600 * SECOND)) {
        filter.claim(&k(1), None).expect("a claim").token().expect("new");
        let seen = filter.observe_age(&k(1), None).expect("ages");
        assert_eq!(seen, (Verdict::Duplicate, Some(lately::Age { at_least: 0, at_most: u64::MAX })));
    }
}

#[test]
fn a_guard_abandons_unless_it_is_committed() {
    use lately::Guarded;
    let filter = SharedFilter::new(&table()).expect("a filter");
    let is_new = |key: &str| filter.contains(key) == Verdict::New;
    {
        let claim = Guarded::claim_at(&filter, "a", Tick(SECOND)).expect("a claim");
        assert_eq!((claim.verdict(), is_new("a")), (Verdict::New, false));
        assert_eq!(Guarded::claim(&filter, "a").expect("a claim").verdict(), Verdict::Pending);
    }
    assert!(is_new("a"));
    let thread = filter.clone();
    let died = std::thread::spawn(move || {
        let _claim = Guarded::claim(thread, "b").expect("a claim");
        panic!("the work failed");
    });
    assert!(died.join().is_err() && is_new("b"));
    let Guarded::New(claim) = Guarded::claim(&filter, "c").expect("a claim") else { panic!("c is new") };
    assert!(!format!("{claim:?}").contains("key"));
    assert_eq!(claim.commit_at(Tick(2 * SECOND)).expect("its token"), Committed::InTime);
    assert_eq!(Guarded::claim(&filter, "c").expect("a claim").verdict(), Verdict::Duplicate);
    let Guarded::New(claim) = Guarded::claim(&filter, "d").expect("a claim") else { panic!("d is new") };
    let token = claim.into_token();
    assert!(!is_new("d"));
    assert_eq!(filter.commit("d", token).expect("its token"), Committed::InTime);
}

#[test]
fn a_guard_is_a_method_and_an_owned_one_outlives_the_callers_filter() {
    use lately::Guarded;
    let filter = SharedFilter::new(&table()).expect("a filter");
    if let Guarded::New(claim) = filter.guard_at("a", Tick(SECOND)).expect("a claim") {
        assert_eq!(filter.guard("a").expect("a claim").verdict(), Verdict::Pending);
        assert_eq!(claim.commit().expect("its token"), Committed::InTime);
    }
    assert_eq!(filter.guard("a").expect("a claim").verdict(), Verdict::Duplicate);
    let owned = filter.guard_owned_at("b", Tick(SECOND)).expect("a claim");
    let task = std::thread::spawn(move || match owned {
        Guarded::New(claim) => claim.commit().expect("its token"),
        other => panic!("{other:?}"),
    });
    assert_eq!(task.join().expect("a task"), Committed::InTime);
    drop(filter.guard_owned("c").expect("a claim"));
    assert_eq!(filter.guard("c").expect("a claim").verdict(), Verdict::New);
}

#[test]
fn filters_without_a_lease_take_no_claims() {
    for kind in taking(Field::WindowNs) {
        for mut filter in handle::all(&Options::new(kind).clock(Clock::Manual(Unit::Nanoseconds)).window_ns(WINDOW)) {
            assert_eq!(refusal(filter.claim(&k(1), None)).0, Code::Unsupported);
            assert_eq!(refusal(filter.claim(&k(1), at(1))).0, Code::Unsupported);
            assert_eq!(refusal(filter.commit(&k(1), Token(1), None)).0, Code::Unsupported);
            assert_eq!(refusal(filter.commit(&k(1), Token(1), at(1))).0, Code::Unsupported);
            assert_eq!(refusal(filter.abandon(&k(1), Token(1))).0, Code::Unsupported);
            let stats = filter.stats();
            assert_eq!((stats.open_claims, stats.max_claims, stats.pending), (0, 0, 0));
        }
    }
    let mut by_system = Filter::new(&Options::window(Duration::from_secs(10)).lease_ns(5)).expect("a filter");
    assert_eq!(refusal(by_system.claim_at("a", Tick(1))).0, Code::Clock);
    assert_eq!(refusal(by_system.commit_at("a", Token(1), Tick(1))).0, Code::Clock);
}

/// Where a worker dies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Crash {
    BeforeClaim,
    BeforeWork,
    BeforeCommit,
    AfterCommit,
    Never,
}

impl Crash {
    /// Every place, and half as often again none.
    const ALL: [Self; 6] =
        [Self::BeforeClaim, Self::BeforeWork, Self::BeforeCommit, Self::AfterCommit, Self::Never, Self::Never];
}

/// A worker takes a record and dies at `crash`: whether it committed the record; `None` if that was called a duplicate.
fn work(filter: &mut dyn Handle, record: u64, clock: u64, crash: Crash) -> Option<bool> {
    if crash == Crash::BeforeClaim {
        return Some(false);
    }
    let Claim::New(token) = filter.claim(&k(record), at(clock)).expect("room") else { return None };
    let ends = matches!(crash, Crash::AfterCommit | Crash::Never);
    if ends {
        assert_eq!(filter.commit(&k(record), token, at(clock)).expect("its token"), Committed::InTime);
    }
    Some(ends)
}

/// Workers that die at every step, and a filter that is loaded again from the state that was saved then. A record whose work
/// did not end is `New` after its lease, except with the chance `error_rate`; one that was committed is a duplicate.
#[test]
fn a_record_whose_work_did_not_end_comes_back_after_its_lease() {
    const ERROR_RATE: f64 = 0.02;
    const RECORDS: u64 = 6000;
    for kind in taking(Field::WindowNs) {
        let options = timed(kind).error_rate(ERROR_RATE).capacity(3000).max_claims(1024);
        let mut filter = common::build(&options);
        let (mut rng, mut lost, mut unfinished, mut clock) = (Rng(3), 0_u64, 0_u64, 1000 * SECOND);
        for record in 0..RECORDS {
            let crash = rng.pick(&Crash::ALL);
            clock += WINDOW / 4000;
            let Some(stored) = work(&mut filter, record, clock, crash) else {
                // A false duplicate: the record is dropped, with the chance that was asked for.
                lost += 1;
                unfinished += 1;
                continue;
            };
            if crash != Crash::Never && record % 16 == 0 {
                filter = reloaded(&filter);
            }
            // The queue delivers it again, a lease later.
            let again = filter.contains_at(k(record), Tick(clock + LEASE + 1)).expect("a verdict");
            if stored {
                assert_eq!(again, Verdict::Duplicate, "{kind}: {record} after {crash:?}");
            } else {
                unfinished += 1;
                lost += u64::from(again.is_duplicate());
            }
        }
        // Six standard deviations.
        let mean = ERROR_RATE * common::num::real(unfinished);
        assert!(unfinished > RECORDS / 3, "{unfinished}");
        assert!(common::num::real(lost) < mean + 6.0 * mean.sqrt(), "{kind}: {lost} of {unfinished} lost");
        let is_sharper = Filter::plan(&options).expect("a plan").error_rate_worst < ERROR_RATE / 10.0;
        assert!(lost > 0 || is_sharper, "{kind}: the test sees no false duplicate, and so measures nothing");
    }
}
