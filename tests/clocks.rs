//! Adversarial clocks: ticks that step back by an hour, forward by a century, stand still, and reach the end of time. Both
//! handles, with and without a limit on steps, against the exact oracle; and the work of a call, counted.

mod common;

use common::alloc::{Watched, counts};
use common::oracle::Oracle;
use common::rng::Rng;
use common::{SECOND, build, long_or, manual};
use lately::{Code, Filter, Observe, OnLimit, Options, Repeat, Tick, Verdict};

const HOUR: u64 = 3600 * SECOND;
const CENTURY: u64 = 36_525 * 24 * HOUR;

/// What the filter must have counted of the ticks that it was told.
#[derive(Debug, Default)]
struct Ticks {
    clock: u64,
    started: bool,
    late: u64,
    refused: u64,
}

impl Ticks {
    /// Whether a tick is taken, by the rules of ticks: the first is, and what leads by more than `max_step` is not.
    fn takes(&mut self, tick: u64, max_step: u64) -> bool {
        let lead = tick.saturating_sub(self.clock);
        if self.started && lead > max_step {
            self.refused += 1;
            return false;
        }
        self.late += u64::from(tick < self.clock);
        self.advance(tick);
        true
    }

    fn advance(&mut self, tick: u64) {
        self.started = true;
        self.clock = self.clock.max(tick);
    }
}

/// A clock that nobody should have: the next tick after `clock`, and what it is like.
fn wild_tick(rng: &mut Rng, clock: u64, window: u64, step: u64) -> u64 {
    match rng.below(40) {
        0 => clock.saturating_sub(HOUR),
        1 => clock.saturating_sub(rng.below(2 * HOUR)),
        2 => clock.saturating_add(CENTURY),
        3 => clock.saturating_add(window),
        4 => clock.saturating_add(window).saturating_add(1),
        5 => clock.saturating_add(step),
        6 => clock.saturating_add(step).saturating_add(1),
        7 if clock > u64::MAX / 2 || rng.once_in(200) => u64::MAX - rng.below(3),
        8 => rng.next() >> rng.below(64),
        9 => 0,
        10..20 => clock,
        _ => clock.saturating_add(rng.below(window / 100 + 2)),
    }
}

/// One handle with its oracle on a wild clock. `max_step` is `u64::MAX` where there is no limit.
struct Run<H> {
    handle: H,
    oracle: Oracle,
    ticks: Ticks,
    rng: Rng,
    window: u64,
    max_step: u64,
    last_stored: Option<u64>,
    checks: u64,
}

impl<H: Observe> Run<H> {
    fn new(handle: H, window: u64, max_step: u64, repeat: Repeat, seed: u64) -> Self {
        let (oracle, ticks, rng) = (Oracle::new(window, repeat), Ticks::default(), Rng(seed));
        Self { handle, oracle, ticks, rng, window, max_step, last_stored: None, checks: 0 }
    }

    fn steps(mut self, n: u64) -> u64 {
        for _ in 0..n {
            self.step();
            self.compare();
        }
        self.checks
    }

    fn step(&mut self) {
        let key = self.rng.below(300);
        let tick = wild_tick(&mut self.rng, self.ticks.clock, self.window, self.max_step);
        match self.rng.below(12) {
            0 => self.advance(tick),
            1 => self.insert(key, tick),
            2..5 => self.ask(key, tick),
            _ => self.observe(key, tick),
        }
    }

    /// The key must be found, or cannot be: an age of exactly T is inside, and a filter is empty T after its last key.
    fn judge(&mut self, key: u64, now: u64, verdict: Verdict) {
        let now = now.max(self.ticks.clock);
        if self.oracle.holds(key, now) {
            assert_eq!(verdict, Verdict::Duplicate, "key {key} of {:?} at {now}", self.oracle.since(key));
            self.checks += 1;
        }
        if self.last_stored.is_none_or(|last| now - last > self.window) {
            assert_eq!(verdict, Verdict::New, "key {key} at {now}, and nothing came since {:?}", self.last_stored);
            self.checks += 1;
        }
    }

    fn observe(&mut self, key: u64, tick: u64) {
        let told = self.handle.observe_at(&key.to_le_bytes(), Tick(tick));
        if !self.ticks.takes(tick, self.max_step) {
            assert_eq!(told.expect_err("too far").code(), Code::Tick);
            return;
        }
        let verdict = told.expect("a tick that is taken");
        self.judge(key, tick, verdict);
        self.oracle.tick(tick);
        if self.oracle.observed(key, verdict) {
            self.last_stored = Some(self.ticks.clock);
        }
    }

    fn insert(&mut self, key: u64, tick: u64) {
        let told = self.handle.insert_at(&key.to_le_bytes(), Tick(tick));
        if !self.ticks.takes(tick, self.max_step) {
            assert_eq!(told.expect_err("too far").code(), Code::Tick);
            return;
        }
        told.expect("a tick that is taken");
        self.oracle.tick(tick);
        self.oracle.inserted(key);
        self.last_stored = Some(self.ticks.clock);
    }

    /// Asking at any tick changes nothing: not even the count of refused ticks.
    fn ask(&mut self, key: u64, tick: u64) {
        let told = self.handle.contains_at(&key.to_le_bytes(), Tick(tick));
        if self.ticks.started && tick.saturating_sub(self.ticks.clock) > self.max_step {
            assert_eq!(told.expect_err("too far").code(), Code::Tick);
        } else {
            self.judge(key, tick, told.expect("a tick that is taken"));
        }
    }

    /// Never refused.
    fn advance(&mut self, tick: u64) {
        self.handle.advance(Tick(tick)).expect("a manual clock");
        self.ticks.advance(tick);
        self.oracle.tick(tick);
    }

    fn compare(&self) {
        let stats = self.handle.stats();
        assert_eq!(stats.clock, Tick(self.ticks.clock));
        assert_eq!((stats.late_ticks, stats.refused_ticks), (self.ticks.late, self.ticks.refused));
        assert_eq!((stats.reach_ns, stats.forgotten), (self.window, 0));
    }
}

/// Plays every window, limit and rule for repeats, with the handle that `make` makes.
fn play<H: Observe>(make: impl Fn(&Options) -> H) -> u64 {
    let mut checks = 0;
    for (seed, window) in (1..).zip([1, 1000, 10 * SECOND, HOUR, 24 * HOUR, 2 * CENTURY, u64::MAX]) {
        for limit in [None, Some(1), Some(HOUR), Some(2 * CENTURY)] {
            for repeat in [Repeat::Refresh, Repeat::KeepFirst] {
                let options = manual(window).repeat(repeat).error_rate(0.01);
                let options = limit.map_or_else(|| options.clone(), |limit| options.clone().max_step_ns(limit));
                let run = Run::new(make(&options), window, limit.unwrap_or(u64::MAX), repeat, seed);
                checks += run.steps(3000 * long_or(30));
            }
        }
    }
    checks
}

#[test]
fn a_wild_clock_keeps_every_promise() {
    let checks = play(build);
    println!("{checks} checks");
    assert!(checks > 40_000, "only {checks} checks");
}

#[test]
fn a_wild_clock_keeps_every_promise_of_the_shared_filter() {
    let checks = play(|options| common::divided(build(options)));
    println!("{checks} checks");
    assert!(checks > 40_000, "only {checks} checks");
}

/// Without a limit one tick of the far future is taken, and holds later keys until time has caught up with it.
#[test]
fn a_century_ahead_without_a_limit_is_the_clock() {
    fn holds<H: Observe>(mut handle: H) {
        let key = |i: u64| i.to_le_bytes();
        handle.observe_at(&key(1), Tick(SECOND)).expect("the first tick");
        handle.observe_at(&key(2), Tick(CENTURY)).expect("no limit");
        assert_eq!(handle.observe_at(&key(1), Tick(2 * SECOND)), Ok(Verdict::New), "a century has passed");
        for later in 3..100 {
            assert_eq!(handle.observe_at(&key(1), Tick(later * HOUR)), Ok(Verdict::Duplicate), "hour {later}");
        }
        assert_eq!((handle.stats().clock, handle.stats().late_ticks), (Tick(CENTURY), 98));
    }
    holds(build(&manual(10 * SECOND)));
    holds(common::divided(build(&manual(10 * SECOND))));
}

/// With one, the same tick changes nothing but a counter.
#[test]
fn a_century_ahead_with_a_limit_is_refused() {
    fn holds<H: Observe>(mut handle: H) {
        let key = |i: u64| i.to_le_bytes();
        handle.observe_at(&key(1), Tick(SECOND)).expect("the first tick");
        let error = handle.observe_at(&key(2), Tick(CENTURY)).expect_err("too far");
        let want = format!("the tick is {} ns ahead of the filter's clock: max_step_ns = {HOUR}", CENTURY - SECOND);
        assert_eq!((error.code(), error.to_string()), (Code::Tick, want));
        assert_eq!(handle.observe_at(&key(2), Tick(2 * SECOND)), Ok(Verdict::New), "the refused call stored nothing");
        assert_eq!(handle.observe_at(&key(1), Tick(11 * SECOND)), Ok(Verdict::Duplicate));
        assert_eq!((handle.stats().refused_ticks, handle.stats().late_ticks), (1, 0));
        handle.advance(Tick(CENTURY)).expect("the way over a true gap");
        assert_eq!(handle.observe_at(&key(1), Tick(CENTURY)), Ok(Verdict::New));
    }
    let options = manual(10 * SECOND).max_step_ns(HOUR);
    holds(build(&options));
    holds(common::divided(build(&options)));
}

#[global_allocator]
static ALLOCATOR: Watched = Watched;

/// The blocks that a call takes and gives back.
fn blocks(call: impl FnOnce()) -> u64 {
    let before = counts();
    call();
    (counts().asked - before.asked) + (counts().freed - before.freed)
}

/// A pause of any length costs what a pause of one window costs: k new slices at most, in one shift, and the old ones.
fn pauses_cost_slices<H: Observe>(make: impl Fn(&Options) -> H) {
    for on_limit in [OnLimit::ForgetOldest, OnLimit::RaiseErrorRate] {
        let options = manual(22_000).memory(1 << 20).on_limit(on_limit);
        let k = Filter::plan(&options).expect("a plan").k;
        for pause in [22_000, 23_000, 1 << 20, 1 << 40, 1 << 62] {
            let mut handle = make(&options);
            for key in 0..3000_u64 {
                handle.observe_at(&key.to_le_bytes(), Tick(key * 10)).expect("taken");
            }
            let (before, now) = (handle.stats(), Tick(30_000 + pause));
            let taken = blocks(|| assert!(handle.observe_at(b"next", now).is_ok()));
            let after = handle.stats();
            // A shift and, for each new slice, its list of what is left: a few blocks for every slice there is.
            let most = 4 * (k + before.slices) + 8;
            assert!(taken <= most, "{taken} blocks after a pause of {pause}: at most {most}");
            assert_eq!(after.shifts, before.shifts + 1, "shifts after a pause of {pause}");
            let standing = blocks(|| assert!(handle.observe_at(b"next", now).is_ok()));
            assert_eq!(standing, 0, "blocks at a clock that stands");
            assert!(after.slices <= before.slices + k, "{} slices after {}", after.slices, before.slices);
        }
    }
}

#[test]
fn a_pause_costs_slices_and_not_time() {
    pauses_cost_slices(build);
    pauses_cost_slices(|options| common::divided(build(options)));
}

/// A thousand leaps, back and forth: one shift for each leap forward, none for the way back.
#[test]
fn a_clock_that_leaps_shifts_once_for_each_leap() {
    let mut filter = build(&manual(10 * SECOND));
    for leap in 0..1000 {
        let before = filter.stats().shifts;
        let now = leap * HOUR * 24 + HOUR;
        for tick in [now, now - HOUR, now, 0] {
            filter.observe_at(b"k", Tick(tick)).expect("taken");
        }
        assert!(filter.stats().shifts <= before + 1, "leap {leap}");
    }
    assert_eq!(filter.stats().late_ticks, 2000);
    assert!(filter.stats().slices < 64);
}
