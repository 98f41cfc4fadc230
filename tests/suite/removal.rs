//! Removal against an exact map: at the clock and at a tick, one key and many, in every handle.
//!
//! A batch is judged twice: by a twin of the same handle that gets the same removals one by one, and by a map of exact times. A key that
//! was seen within the window must be there, one that is older by more than a generation, or was removed, must not.

use crate::common;

use std::collections::HashMap;

use common::bytes::reloaded;
use common::handle::{Handle, Verb, WAYS, Way, snapshot};
use common::kinds;
use common::num::index;
use common::rng::Rng;
use common::table;
use lately::{
    Claim, Code, Column, Committed, KeyHash, Keys, Offsets, Options, Repeat, Stopped, Tick, Validity, Verdict,
};

/// A window of 56 parts of 1,000 ticks each.
const WINDOW: u64 = 56_000;

/// From this age on a key is dead: a window and a generation.
const DEAD: u64 = 64_001;

/// Where keys were seen last, exactly.
#[derive(Default)]
struct Exact {
    last: HashMap<u64, u64>,
    keeps_first: bool,
}

impl Exact {
    /// Whether the key is there: `None` within the generation in which it may be.
    fn has(&self, key: u64, at: u64) -> Option<bool> {
        match self.last.get(&key).map(|seen| at.saturating_sub(*seen)) {
            None => Some(false),
            Some(age) if age <= WINDOW => Some(true),
            Some(age) => (age >= DEAD).then_some(false),
        }
    }

    /// Under KeepFirst only a key that was new is stored.
    fn observed(&mut self, key: u64, at: u64, verdict: Verdict) {
        if let Some(has) = self.has(key, at) {
            assert_eq!(verdict.is_duplicate(), has, "key {key} at {at}");
        }
        if !self.keeps_first || verdict.is_new() {
            let seen = self.last.entry(key).or_insert(at);
            *seen = at.max(*seen);
            if verdict.is_new() {
                *seen = at;
            }
        }
    }

    fn removed(&mut self, key: u64, at: u64, was_there: bool) {
        if let Some(has) = self.has(key, at) {
            assert_eq!(was_there, has, "removal of key {key} at {at}");
        }
        self.last.remove(&key);
    }
}

/// One round of a run: some observations, then a batch of removals with keys that are given twice.
struct Run {
    many: Box<dyn Handle>,
    single: Box<dyn Handle>,
    exact: Exact,
    /// Whether `exact` holds: not where a limit of memory shortens the window.
    is_exact: bool,
    rng: Rng,
    now: u64,
    /// The filter's clock: the latest tick.
    clock: u64,
    removed: u64,
}

impl Run {
    fn round(&mut self, keys: u64, calls: u64) {
        for _ in 0..calls {
            self.now += self.rng.below(2 * WINDOW / (calls + 1) / 3 + 2);
            let (key, late) = (self.rng.below(keys), self.rng.below(3) * self.rng.below(WINDOW / 4));
            let at = if self.rng.once_in(5) { self.now.saturating_sub(late) } else { self.now };
            self.clock = self.clock.max(at);
            let verdict = self.many.observed(key, at);
            assert_eq!(verdict, self.single.observed(key, at), "key {key} at {at}");
            if self.is_exact {
                // Without lateness a late record counts as of the clock.
                self.exact.observed(key, self.clock, verdict);
            }
        }
        let n = index(self.rng.below(80));
        let mut batch: Vec<u64> = (0..n).map(|_| self.rng.below(keys + keys / 4)).collect();
        if n > 2 {
            batch[n - 1] = batch[0];
        }
        let with_ticks = self.rng.once_in(2);
        let ticks: Vec<Tick> = batch.iter().map(|_| Tick(self.now + self.rng.below(WINDOW))).collect();
        self.removals(&batch, with_ticks.then_some(&ticks));
    }

    fn removals(&mut self, batch: &[u64], ticks: Option<&Vec<Tick>>) {
        let (before, mut removed) = (self.many.stats(), vec![false; batch.len()]);
        self.many.remove_batch(Keys::U64s(batch), ticks.map(|ticks| &ticks[..]), &mut removed).expect("a sound batch");
        for (i, (key, was_there)) in batch.iter().zip(&removed).enumerate() {
            let at = ticks.map_or(self.clock, |ticks| ticks[i].0);
            let single = self.single.remove_at(&key.to_le_bytes(), Tick(at));
            assert_eq!(single, Ok(*was_there), "{i}: key {key} at {at}");
            if self.is_exact {
                self.exact.removed(*key, at, *was_there);
            }
            assert!(self.many.found(*key, self.clock).is_new(), "{i}: key {key} at {at}");
        }
        self.removed += removed.iter().map(|removed| u64::from(*removed)).sum::<u64>();
        let after = self.many.stats();
        assert_eq!(after.removed, self.removed);
        // A removal is no observation, and moves no clock.
        assert_eq!(
            (after.clock, after.new_count, after.duplicate_count, after.late_ticks, after.refused_ticks),
            (before.clock, before.new_count, before.duplicate_count, before.late_ticks, before.refused_ticks)
        );
    }

    fn expect_equal(&self, name: &str) {
        assert!(snapshot(&*self.many) == snapshot(&*self.single), "{name}: as single removals leave it");
    }
}

fn run(options: &Options, way: Way, is_exact: bool, keeps_first: bool) -> Run {
    let (many, single) = (way.build(options), way.build(options));
    let exact = Exact { keeps_first, ..Exact::default() };
    Run { many, single, exact, is_exact, rng: Rng(47), now: DEAD, clock: 0, removed: 0 }
}

/// A map, a table, and a map again: batches remove what single calls in order would, a key that is given twice once.
#[test]
fn a_batch_removes_what_single_removals_in_order_would() {
    let plain = || table(WINDOW).error_rate(1e-11);
    for (options, keeps_first) in [(plain(), false), (plain().repeat(Repeat::KeepFirst), true)] {
        for way in WAYS {
            let mut run = run(&options, way, true, keeps_first);
            let name = format!("{way:?}, keeps the first: {keeps_first}");
            for (keys, calls, rounds) in [(50, 40, 30), (6000, 9000, 6), (40, 30, 40), (5000, 8000, 3)] {
                (0..rounds).for_each(|_| run.round(keys, calls));
                run.expect_equal(&name);
            }
            assert!(run.removed > 300, "{name}: {}", run.removed);
        }
    }
}

/// At a limit of memory nobody knows what is left; what is removed is gone, and the twins stay equal.
#[test]
fn batches_remove_at_a_limit_of_memory() {
    for way in WAYS {
        let mut run = run(&table(WINDOW).error_rate(1e-9).memory(200 << 10), way, false, false);
        (0..5).for_each(|_| run.round(30_000, 30_000));
        assert!(run.removed > 10, "{way:?}: {}", run.removed);
        run.expect_equal(&format!("{way:?}"));
    }
}

/// To the tick: a key of age T is there and one past a generation more is not, whatever the clock of the filter is.
#[test]
fn a_removal_is_judged_at_its_tick() {
    for way in WAYS {
        for others in [0, 5000] {
            let mut filter = way.build(&table(WINDOW).error_rate(1e-11));
            (0..others).for_each(|key| _ = filter.observed((1 << 32) | key, 999));
            for key in 0..30 {
                filter.observed(key, 1000);
            }
            for key in 0..30_u64 {
                let clock = filter.stats().clock;
                let at = Tick(1000 + if key % 2 == 0 { WINDOW } else { DEAD });
                assert_eq!(filter.remove_at(&key.to_le_bytes(), at), Ok(key % 2 == 0), "{key}");
                assert_eq!(filter.stats().clock, clock);
            }
            // Those that were too old at their tick are gone at the clock, too.
            assert!((0..30).all(|key| filter.found(key, 1000).is_new()), "{way:?}");
            assert_eq!(filter.stats().removed, 15);
        }
    }
}

/// A claim is no entry: it stays open, and its commit stores the key.
#[test]
fn an_open_claim_survives_a_removal() {
    for way in WAYS {
        let options = table(WINDOW).error_rate(1e-9).lease_ns(WINDOW / 2);
        let mut filter = way.build(&options);
        let key = 7_u64.to_le_bytes();
        let claimed = filter.claim(&key, Some(Tick(10))).expect("room");
        let Claim::New(token) = claimed else { panic!("{claimed:?}") };
        let mut removed = [true];
        filter.remove_batch(Keys::U64s(&[7]), None, &mut removed).expect("a sound batch");
        assert_eq!((removed, filter.stats().removed), ([false], 0), "nothing was stored");
        assert_eq!(filter.claim(&key, Some(Tick(10))), Ok(Claim::Pending));
        assert_eq!(filter.commit(&key, token, Some(Tick(11))), Ok(Committed::InTime));
        assert!(filter.found(7, 11).is_duplicate());
        filter.remove_batch(Keys::U64s(&[7]), Some(&[Tick(11)]), &mut removed).expect("a sound batch");
        assert!(removed[0] && filter.found(7, 11).is_new());
        let refused = filter.remove_batch(Keys::Hashes(&[KeyHash(1)]), None, &mut removed).expect_err("hashes");
        assert_eq!((refused.done, refused.error.code()), (0, Code::Unsupported));
    }
}

#[test]
fn no_snapshot_brings_a_removed_key_back() {
    for way in WAYS {
        for n in [100, 6000] {
            let mut filter = way.build(&table(WINDOW).error_rate(1e-11));
            let keys: Vec<u64> = (0..n).collect();
            keys.iter().for_each(|key| _ = filter.observed(*key, *key));
            let (gone, mut removed) = (&keys[..keys.len() / 2], vec![false; keys.len() / 2]);
            filter.remove_batch(Keys::U64s(gone), None, &mut removed).expect("a sound batch");
            assert!(removed.iter().all(|removed| *removed));
            let loaded = reloaded(&*filter);
            for key in keys {
                let verdict = loaded.contains_at(key.to_le_bytes(), Tick(n)).expect("a tick");
                assert_eq!(verdict.is_new(), key < n / 2, "{way:?} {n}: {key}");
            }
        }
    }
}

/// An absent key of a column is not there, and takes no part.
#[test]
fn absent_keys_are_not_there() {
    for way in WAYS {
        let mut filter = way.build(&table(WINDOW).error_rate(1e-9));
        for key in [&b"a"[..], b"", b"c"] {
            filter.insert_at(key, Tick(1)).expect("a tick");
        }
        let bits = [0b1101];
        let column = Column {
            bytes: b"abc",
            offsets: Offsets::I32(&[0, 1, 1, 2, 3]),
            validity: Some(Validity { bits: &bits, offset: 0 }),
        };
        let mut removed = [true; 4];
        filter.remove_batch(Keys::Column(column), None, &mut removed).expect("a sound batch");
        assert_eq!(removed, [true, false, false, true], "{way:?}");
        assert!(filter.contains(b"").is_duplicate());
    }
}

/// The errors of the other batches, and that of a kind without removal, which is there for no keys, too.
#[test]
fn unsound_batches_of_removals_are_refused() {
    for way in WAYS {
        let mut filter = way.build(&table(WINDOW).error_rate(1e-9).max_step_ns(WINDOW));
        let code = |result: Result<(), Stopped>| result.map_err(|stopped| (stopped.done, stopped.error.code()));
        assert_eq!(filter.remove(b"a").map_err(|error| error.code()), Err(Code::Clock), "{way:?}");
        assert_eq!(code(filter.remove_batch(Keys::U64s(&[1]), None, &mut [false])), Err((0, Code::Clock)));
        filter.observed(1, 5);
        filter.observed(2, 5);
        assert_eq!(code(filter.remove_batch(Keys::U64s(&[1, 2]), None, &mut [false])), Err((0, Code::Offsets)));
        assert_eq!(code(filter.remove_batch(Keys::U64s(&[1]), Some(&[]), &mut [false])), Err((0, Code::Offsets)));
        let unsound = Keys::Bytes { bytes: b"ab", offsets: &[0, 3] };
        assert_eq!(code(filter.remove_batch(unsound, None, &mut [false])), Err((0, Code::Offsets)));
        assert_eq!(code(filter.remove_batch(Keys::U64s(&[]), None, &mut [])), Ok(()));
        assert_eq!(filter.stats().removed, 0);
        let (mut removed, far) = ([false; 3], Tick(6 + WINDOW));
        let stopped = filter.remove_batch(Keys::U64s(&[1, 2, 2]), Some(&[Tick(5), far, Tick(5)]), &mut removed);
        assert_eq!((code(stopped), removed), (Err((1, Code::Tick)), [true, false, false]), "{way:?}");
        assert!(filter.found(2, 5).is_duplicate());
        let mut system = way.build(&Options::last(100));
        assert_eq!(code(system.remove_batch(Keys::U64s(&[1]), Some(&[Tick(1)]), &mut [false])), Err((0, Code::Clock)));
        let mut keyed = way.build(&Options::last(100).keyed(true));
        assert_eq!(
            code(keyed.remove_batch(Keys::Hashes(&[KeyHash(1)]), None, &mut [false])),
            Err((0, Code::Unsupported))
        );
    }
}

/// Every kind: the batch and the single verb are both there, or neither is.
#[test]
fn every_kind_removes_many_if_it_removes_one() {
    let mut removing = 0;
    for row in kinds::rows() {
        for way in WAYS {
            let mut filter = way.build(&row.options());
            filter.single(Verb::Insert, b"a", row.takes_ticks().then_some(Tick(1))).expect("room");
            let (single, mut removed) = (filter.remove(b"b"), [false; 2]);
            let many = filter.remove_slices(&[b"a", b"a"], &mut removed);
            let none = filter.remove_batch(Keys::U64s(&[]), None, &mut []);
            let Err(error) = single else {
                assert_eq!((many, none, removed), (Ok(()), Ok(()), [true, false]), "{row:?} {way:?}");
                removing += 1;
                continue;
            };
            assert_eq!(error.code(), Code::Unsupported, "{row:?}");
            for refused in [many, none] {
                assert_eq!(
                    refused.map_err(|stopped| (stopped.done, stopped.error)),
                    Err((0, error.clone())),
                    "{row:?} {way:?}"
                );
            }
        }
    }
    assert!(removing >= 6, "{removing}");
}
