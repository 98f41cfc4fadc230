//! The shared filter: one thread is told what the unshared filter says; of many that race on one key, one is told `New`;
//! window, counts and memory are those of one filter, whatever lock the keys go by.

use crate::common;

use std::sync::Barrier;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;

use common::handle::{Handle, Verb};
use common::kinds::{self, Finds, Row};
use common::num::{index, real, wide};
use common::promised::Promised;
use common::rng::Rng;
use common::streams::Wild;
use common::{absent, long_or, manual};
use lately::{Error, Filter, KeyHash, Keys, Kind, Options, Repeat, SharedFilter, Stats, Tick, Verdict, hash64};

const WINDOW: u64 = 1_000_000;

/// Every kind, and what makes it go another way: rows of `cases.txt`, whose window is this one.
fn requests() -> Vec<Row> {
    kinds::cases("shared")
}

/// A filter whose keys go by 64 locks from the beginning.
fn shared(options: &Options) -> SharedFilter {
    common::divided(common::started(options))
}

/// A filter that one lock guards as a whole, until threads have waited for each other.
fn undivided(options: &Options) -> SharedFilter {
    SharedFilter::of(common::started(options)).unwrap_or_else(|error| panic!("{options:?}: {error}"))
}

/// How the answers of a divided filter are to those of the unshared one.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Law {
    /// The same in all.
    Same,
    /// The same verdicts, from lines that are each in one of eight tables: a window table of keys.
    SameVerdicts,
    /// The same promise, and the same verdicts except for errors: a window table of time, whose sections grow by themselves.
    SamePromise,
}

fn law(row: &Row) -> Law {
    match (row.kind() == u64::from(Kind::WindowTable.number()), row.takes_ticks()) {
        (false, _) => Law::Same,
        (true, false) => Law::SameVerdicts,
        (true, true) => Law::SamePromise,
    }
}

/// Comparisons with an error rate in this file.
const COMPARISONS: u32 = 40;

/// The two handles of one request.
struct Pair {
    alone: Filter,
    shared: SharedFilter,
    law: Law,
    promised: Promised,
    /// What the request allows.
    error_rate: f64,
    memory: Option<u64>,
    is_divided: bool,
    has_time: bool,
    rng: Rng,
    now: Tick,
}

impl Pair {
    fn new(row: &Row, seed: u64, shared: fn(&Options) -> SharedFilter) -> Self {
        let options = row.options();
        let error_rate = Filter::plan(&options).expect("a plan").error_rate_worst;
        let repeat = if row.words.iter().any(|word| word == "repeat=2") { Repeat::KeepFirst } else { Repeat::Refresh };
        Self {
            alone: common::started(&options),
            shared: shared(&options),
            law: law(row),
            promised: Promised::new(WINDOW, repeat, error_rate),
            error_rate,
            memory: row.words.iter().find_map(|word| word.strip_prefix("memory=")).map(common::named::number),
            is_divided: true,
            has_time: row.takes_ticks(),
            rng: Rng(seed),
            now: Tick(0),
        }
    }

    /// Whether the answers may differ by errors.
    fn may_err(&self) -> bool {
        self.is_divided && self.law == Law::SamePromise
    }

    /// What both say of themselves, where the promise depends on it.
    fn reaches(&self) -> Option<[Stats; 2]> {
        (self.law == Law::SamePromise && self.memory.is_some()).then(|| [self.shared.stats(), self.alone.stats()])
    }

    /// One call of each handle, with the same answer, or the same promise.
    fn step(&mut self, key: u64, tick: u64) {
        let (now, reaches) = (Tick(tick), self.reaches());
        self.now = now;
        let (verb, has_tick) = match self.rng.below(200) {
            0..100 => (Verb::Observe, self.has_time),
            100..120 => (Verb::Observe, false),
            120..140 => (Verb::Insert, self.has_time),
            140..150 => (Verb::Insert, false),
            150..165 => (Verb::Contains, false),
            165..180 => (Verb::Contains, true),
            180..190 => return self.remove(key),
            190..196 => return self.batch(key),
            196 => return self.advance(now),
            _ => return self.compare(),
        };
        let (alone, shared): (&mut dyn Handle, &mut dyn Handle) = (&mut self.alone, &mut self.shared);
        let told = [shared, alone].map(|handle| handle.single(verb, &key.to_le_bytes(), has_tick.then_some(now)));
        self.told(key, if has_tick { tick } else { 0 }, told.into(), verb, reaches.as_ref());
    }

    fn told(
        &mut self,
        key: u64,
        tick: u64,
        told: (Result<Verdict, Error>, Result<Verdict, Error>),
        did: Verb,
        reaches: Option<&[Stats; 2]>,
    ) {
        match told {
            (Ok(many), Ok(one)) if self.law == Law::SamePromise => {
                assert!(many == one || self.is_divided, "{key} at {tick}: {many:?}, {one:?}");
                self.promised.judge(key, tick, [many, one], did, reaches);
            }
            (many, one) => assert_eq!(many, one, "{key} at {tick}"),
        }
    }

    /// Whether the key was there is what both would have found.
    fn remove(&mut self, key: u64) {
        let (bytes, clock, reaches) = (key.to_le_bytes(), self.promised.clock(), self.reaches());
        match (self.shared.remove(&bytes), self.alone.remove(&bytes)) {
            (Ok(many), Ok(one)) if self.law == Law::SamePromise => {
                let verdict = |was_there: bool| if was_there { Verdict::Duplicate } else { Verdict::New };
                self.told(key, clock, (Ok(verdict(many)), Ok(verdict(one))), Verb::Contains, reaches.as_ref());
                self.promised.forget(key);
            }
            (many, one) => assert_eq!(many, one, "{key}"),
        }
    }

    fn advance(&mut self, now: Tick) {
        let told = self.shared.advance(now);
        assert_eq!(told, self.alone.advance(now));
        if told.is_ok() {
            self.promised.advance(now);
        }
    }

    fn batch(&mut self, key: u64) {
        let list: Vec<u64> = (key..key + self.rng.below(60)).collect();
        let bytes: Vec<u8> = list.iter().flat_map(|key| key.to_le_bytes()).collect();
        let offsets: Vec<u64> = (0..=wide(list.len())).map(|i| i * 8).collect();
        let keys = Keys::Bytes { bytes: &bytes, offsets: &offsets };
        let ticks: Vec<Tick> = (0..wide(list.len())).map(|i| Tick(self.now.0 + i * self.rng.below(300))).collect();
        let ticks = (self.has_time && self.rng.once_in(2)).then_some(&ticks[..]);
        let (mut one, mut other) = (vec![Verdict::New; list.len()], vec![Verdict::New; list.len()]);
        for did in [Verb::Contains, Verb::Observe, Verb::Insert] {
            let reaches = self.reaches();
            let many = Handle::batch(&mut self.shared, did, keys, ticks, &mut one);
            let alone = Handle::batch(&mut self.alone, did, keys, ticks, &mut other);
            assert_eq!(many, alone);
            let done = many.map_or_else(|stopped| stopped.done, |()| list.len());
            let present = self.promised.clock();
            for (i, key) in list.iter().enumerate().take(done) {
                let tick = ticks.map_or(present, |ticks| ticks[i].0);
                // Where memory is limited, keys of the same batch may have taken the place of this one.
                let judged = if reaches.is_some() && did == Verb::Observe { Verb::Insert } else { did };
                self.told(*key, tick, (Ok(one[i]), Ok(other[i])), judged, reaches.as_ref());
            }
        }
    }

    fn compare(&mut self) {
        self.compare_stats();
        if self.rng.once_in(20) {
            self.compare_copies();
            self.shared.stats_reset();
            self.alone.stats_reset();
        }
        if self.rng.once_in(200) {
            self.shared.clear();
            self.alone.clear();
            self.promised.clear();
        }
    }

    fn compare_stats(&self) {
        let (many, one) = (self.shared.stats(), self.alone.stats());
        match self.law {
            Law::SameVerdicts if self.is_divided => assert_same_but_for_places(&many, &one),
            Law::SamePromise if self.is_divided => self.expect_promised(&many, &one),
            _ => assert_eq!(show(&many), show(&one)),
        }
    }

    /// What sections together say of a window of time.
    fn expect_promised(&self, many: &Stats, one: &Stats) {
        let calls = |stats: &Stats| stats.new_count + stats.duplicate_count;
        let counts = |stats: &Stats| (calls(stats), stats.refused_ticks, stats.clock);
        assert_eq!(counts(many), counts(one));
        // A tick that is late within its part is late only to the section that saw the later one.
        assert!(many.late_ticks <= one.late_ticks, "{many:?} {one:?}");
        assert!(many.error_rate <= self.error_rate, "{many:?}");
        match self.memory {
            Some(memory) => assert!(many.bytes_peak <= memory, "{many:?}"),
            None => assert_eq!((many.reach_ns, many.forgotten, many.deferred), (WINDOW, 0, 0)),
        }
    }

    /// What one owner gets from the shared one finds the same keys.
    fn compare_copies(&self) {
        if !self.may_err() {
            return assert_same(&self.shared, &self.alone);
        }
        let back = self.shared.unshared().expect("memory for a copy");
        for key in (0..2000_u64).map(u64::to_le_bytes) {
            assert_eq!(self.shared.contains(&key), back.contains(&key));
        }
        assert_copied(&back, &self.shared);
    }

    /// At the end.
    fn finish(&self, row: &Row) {
        self.compare_stats();
        if self.law == Law::SamePromise {
            self.promised.expect_within_the_rate(COMPARISONS, &format!("{row:?}"));
        }
    }
}

/// Both find the same keys, and so does what one owner gets from the shared one.
fn assert_same(shared: &SharedFilter, alone: &Filter) {
    let back = shared.unshared().expect("memory for a copy");
    for key in (0..2000_u64).map(u64::to_le_bytes) {
        assert_eq!((shared.contains(&key), back.contains(&key)), (alone.contains(&key), alone.contains(&key)));
    }
    assert_copied(&back, shared);
}

/// A copy takes no more than what it is a copy of; a window table grows by more lines than it needs, and its copy has no more.
fn assert_copied(copy: &Filter, of: &SharedFilter) {
    let (mut have, want) = (copy.stats(), of.stats());
    if format!("{of:?}").contains("window-table") && have.bytes <= want.bytes {
        have.bytes = want.bytes;
    }
    assert_eq!(show(&have), show(&want));
}

/// Where in its two lines a key is depends on the lines around, which are those of its section, as does who finds no room.
fn assert_same_but_for_places(many: &Stats, one: &Stats) {
    assert!((many.error_rate - one.error_rate).abs() <= 0.1 * one.error_rate, "{many:?} {one:?}");
    assert_stash_is_small(many);
    let mut like = *many;
    (like.bytes, like.bytes_peak, like.error_rate) = (one.bytes, one.bytes_peak, one.error_rate);
    (like.moved, like.stashed) = (one.moved, one.stashed);
    assert_eq!(show(&like), show(one));
}

/// Bytes beyond the lines are those of keys without room.
fn assert_stash_is_small(stats: &Stats) {
    let lines = stats.newest_slice_bits / 8;
    assert!(stats.bytes <= lines + lines / 8 + 8 * 512, "{stats:?}");
}

/// All fields; a rate that is no number is one.
fn show(stats: &Stats) -> String {
    format!("{stats:?}")
}

#[test]
fn one_thread_on_a_shared_filter_gets_the_verdicts_of_the_unshared() {
    for (seed, row) in (0..).zip(requests()) {
        let mut pair = Pair::new(&row, seed, shared);
        for arrival in Wild::new(seed, WINDOW).take(index(60_000 * long_or(20))) {
            pair.step(arrival.key, arrival.tick);
        }
        pair.finish(&row);
    }
}

/// Dividing a filter changes no verdict, wherever in a stream it comes.
#[test]
fn filter_has_equal_verdicts_before_and_after_it_is_divided() {
    for (seed, row) in (50..).zip(requests()) {
        let mut pair = Pair::new(&row, seed, undivided);
        pair.is_divided = false;
        let divided_at = [0, 1, 3000, 9000, 20_000][index(seed % 5)];
        for (i, arrival) in Wild::new(seed, WINDOW).take(index(20_000 * long_or(20))).enumerate() {
            if i == divided_at {
                lately::abi::divide(&pair.shared);
                pair.is_divided = true;
            }
            pair.step(arrival.key, arrival.tick);
        }
        pair.finish(&row);
    }
}

/// Keys that all go by lock 0 of the kinds that choose it by the key.
fn keys_of_one_lock() -> impl Iterator<Item = u64> {
    (0..).filter(|key: &u64| hash64(&key.to_le_bytes(), 0) >> 58 == 0)
}

#[test]
fn keys_of_one_lock_alone_get_the_same() {
    for (seed, row) in (100..).zip(requests()) {
        let keys: Vec<u64> = keys_of_one_lock().take(5000).collect();
        let mut pair = Pair::new(&row, seed, shared);
        for arrival in Wild::new(seed, WINDOW).take(30_000) {
            pair.step(keys[index(arrival.key % 5000)], arrival.tick);
        }
        pair.finish(&row);
    }
}

#[test]
fn a_key_that_never_rests_costs_nothing() {
    for options in requests().iter().map(Row::options) {
        let (filter, threads) = (shared(&options), 4);
        let new_count = AtomicU64::new(0);
        thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    let told = (0..50_000).filter(|_| filter.observe(b"hot").unwrap().is_new()).count();
                    new_count.fetch_add(wide(told), Relaxed);
                });
            }
        });
        let stats = filter.stats();
        assert_eq!((new_count.into_inner(), stats.new_count, stats.duplicate_count), (1, 1, 199_999), "{options:?}");
        assert!(stats.forgotten == 0 && stats.deferred == 0, "{options:?}: {stats:?}");
        assert!(stats.bytes <= shared(&options).stats().bytes, "{options:?}");
    }
}

/// What a thread does in a round that all threads begin together.
fn in_rounds(threads: usize, rounds: u64, each: impl Fn(usize, u64) + Sync) {
    let barrier = Barrier::new(threads);
    thread::scope(|scope| {
        for thread in 0..threads {
            let (barrier, each) = (&barrier, &each);
            scope.spawn(move || {
                for round in 0..rounds {
                    barrier.wait();
                    each(thread, round);
                }
            });
        }
    });
}

#[test]
fn one_of_many_threads_on_one_key_gets_new() {
    let rounds = 2000;
    // Roomy, so that a false duplicate or an early loss is not what decides.
    for roomy in kinds::rows().iter().map(|row| row.for_keys_at(100_000, 1e-4)) {
        for threads in [2, 3, 4, 8, 16] {
            // Half of them are divided by the threads themselves.
            let filter = if threads % 3 == 2 { undivided(&roomy) } else { shared(&roomy) };
            let new_count = (0..rounds).map(|_| AtomicU64::new(0)).collect::<Vec<_>>();
            in_rounds(threads, rounds, |_, round| {
                let new = filter.observe(&round.to_le_bytes()).unwrap().is_new();
                new_count[index(round)].fetch_add(u64::from(new), Relaxed);
            });
            let told: Vec<u64> = new_count.into_iter().map(AtomicU64::into_inner).collect();
            assert!(told.iter().all(|&n| n <= 1), "{threads} threads, {roomy:?}");
            // Rates of 1e-3 and less (16 bits and 4 cells of 64 KiB and more): 2000 keys give 2 on average at most.
            let silent = told.iter().filter(|&&n| n == 0).count();
            assert!(silent <= 12, "{threads} threads, {roomy:?}: {silent} keys were new to nobody");
        }
    }
}

#[test]
fn the_last_n_insertions_of_all_threads_are_found() {
    let n = 5000;
    for row in kinds::rows().iter().filter(|row| row.counts()) {
        let options = row.for_keys(n);
        let (many, one) = the_last_are_found(n, &options);
        assert_eq!(many.shifts, one.shifts, "{options:?}");
        // By chance a section adds a line that the whole table does not.
        let apart = many.newest_slice_bits.abs_diff(one.newest_slice_bits);
        let most = if row.kind() == u64::from(Kind::WindowTable.number()) { one.newest_slice_bits / 50 } else { 0 };
        assert!(apart <= most, "{options:?}: {many:?} {one:?}");
        if row.kind() == u64::from(Kind::WindowTable.number()) {
            assert_stash_is_small(&many);
        } else {
            assert_eq!(many.bytes, one.bytes, "{options:?}");
        }
        // Where insertions make generations, no order of the threads makes a difference.
        assert!(many.items == one.items || row.finds != Finds::Keys, "{} {}", many.items, one.items);
        assert!((many.error_rate / one.error_rate - 1.0).abs() < 0.2, "{} {}", many.error_rate, one.error_rate);
    }
}

/// What the shared filter says in the end, and one that took as many insertions alone.
fn the_last_are_found(n: u64, options: &Options) -> (Stats, Stats) {
    let (threads, per_round, rounds) = (4, 50, 120);
    let filter = shared(options);
    in_rounds(threads, rounds, |thread, round| {
        for i in 0..per_round {
            filter.insert(&key_of(thread, round, i)).unwrap();
        }
        // Whole rounds that lie within the last N, the present one, which others are still at, counted whole.
        let back = n / (per_round * wide(threads)) - 1;
        for earlier in round.saturating_sub(back - 1)..=round {
            assert!((0..per_round).all(|i| filter.contains(&key_of(thread, earlier, i)).is_duplicate()));
        }
    });
    let mut alone = common::started(options);
    let total = rounds * per_round * wide(threads);
    (0..total).for_each(|i| alone.insert(&absent(i).to_le_bytes()).unwrap());
    (filter.stats(), alone.stats())
}

fn key_of(thread: usize, round: u64, i: u64) -> [u8; 24] {
    let mut key = [0; 24];
    for (part, value) in key.chunks_exact_mut(8).zip([wide(thread), round, i]) {
        part.copy_from_slice(&value.to_le_bytes());
    }
    key
}

#[test]
fn within_the_window_no_thread_misses_what_another_observed() {
    let (threads, per_round, rounds) = (4, 20, 400);
    for steps in [1, 7, 40] {
        let filter = shared(&manual(WINDOW).error_rate(1e-3));
        let (step, misses) = (WINDOW / steps, AtomicU64::new(0));
        in_rounds(threads, rounds, |thread, round| {
            // Even rounds observe; odd ones ask, at the same tick, for what any thread observed up to T ago.
            let now = Tick(5 + round / 2 * step);
            for i in 0..per_round {
                if round % 2 == 0 {
                    filter.observe_at(&key_of(thread, round, i), now).unwrap();
                } else {
                    let first = (round - 1).saturating_sub(2 * steps);
                    let asked = (first..round).step_by(2).map(|earlier| key_of((thread + 1) % threads, earlier, i));
                    let missed = asked.filter(|key| filter.contains_at(key, now).unwrap().is_new()).count();
                    misses.fetch_add(wide(missed), Relaxed);
                }
            }
        });
        assert_eq!(misses.into_inner(), 0, "{steps} steps to the window");
        let stats = filter.stats();
        assert_eq!((stats.reach_ns, stats.forgotten), (WINDOW, 0));
    }
}

#[test]
fn memory_and_error_rate_are_those_of_one_filter() {
    let (threads, keys, windows) = (4, 20_000, 4);
    let options = manual(WINDOW).error_rate(1e-2);
    let (filter, mut alone) = (shared(&options), common::started(&options));
    let ticks = keys * windows / wide(threads);
    let tick = |round: u64| Tick(round * WINDOW * wide(threads) / keys);
    in_rounds(threads, ticks / 10, |thread, round| {
        for i in 0..10 {
            let now = tick(round * 10 + i);
            filter.observe_at(&key_of(thread, round, i), now).unwrap();
        }
    });
    for round in 0..ticks / 10 {
        for i in 0..10 {
            (0..threads).for_each(|thread| {
                alone.observe_at(&key_of(thread, round, i), tick(round * 10 + i)).unwrap();
            });
        }
    }
    let (many, one) = (filter.stats(), alone.stats());
    let near = |a: f64, b: f64, share: f64| (a / b - 1.0).abs() < share;
    assert!(near(real(many.bytes_peak), real(one.bytes_peak), 0.05), "{} {}", many.bytes_peak, one.bytes_peak);
    assert!(near(real(many.shifts), real(one.shifts), 0.05), "{} {}", many.shifts, one.shifts);
    assert!(near(many.error_rate, one.error_rate, 0.25) && many.error_rate < 1.05e-2, "{many:?} {one:?}");
    assert_eq!(many.new_count + many.duplicate_count, keys * windows);
}

#[test]
fn counts_of_many_threads_are_exact() {
    let (threads, each) = (8, 20_000_u64);
    for row in requests() {
        let options = row.options();
        let filter = undivided(&options);
        let new_count = AtomicU64::new(0);
        thread::scope(|scope| {
            for thread in 0..threads {
                let (filter, new_count) = (&filter, &new_count);
                scope.spawn(move || {
                    let mut rng = Rng(thread);
                    for _ in 0..each {
                        // A full block of a set with removal refuses a key; nothing else does.
                        match filter.observe(&rng.below(30_000).to_le_bytes()) {
                            Ok(verdict) => new_count.fetch_add(u64::from(verdict.is_new()), Relaxed),
                            Err(error) => {
                                new_count.fetch_add(u64::from(error.code() != lately::Code::Full) << 40, Relaxed)
                            }
                        };
                    }
                });
            }
        });
        let stats = filter.stats();
        assert_eq!(stats.new_count, new_count.into_inner(), "{options:?}");
        assert_copied(&filter.unshared().unwrap(), &filter);
        if !row.removes {
            assert_eq!(stats.new_count + stats.duplicate_count, threads * each, "{options:?}");
        }
    }
}

#[test]
fn the_system_clock_is_read_under_the_lock() {
    let filter = shared(&Options::window(std::time::Duration::from_secs(1 << 20)));
    let before = filter.stats().clock;
    assert_eq!(filter.observe(b"a"), Ok(Verdict::New));
    assert_eq!((filter.observe(b"a"), filter.contains(b"a")), (Ok(Verdict::Duplicate), Verdict::Duplicate));
    assert!(filter.observe_at(b"a", Tick(0)).is_err() && filter.contains_at(b"a", Tick(0)).is_err());
    assert!(filter.advance(Tick(1)).is_err() && filter.stats().clock >= before);
    assert_eq!(filter.hash(b"a").unwrap(), KeyHash(hash64(b"a", 0)));
    assert!(filter.secret().is_err());
}
