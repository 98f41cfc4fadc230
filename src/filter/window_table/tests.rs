//! Tests of the parts, with their private state, and of the promise at its very edge.

use std::collections::HashMap;

use super::*;
use crate::kind::Kind;
use crate::num::real;
use crate::options::{ClockSource, Repeat};
use crate::simd::plain;

pub(super) fn build(options: &Options) -> WindowTable {
    WindowTable::new(options).unwrap()
}

pub(super) fn last(keys: u64) -> Options {
    Options::new(Kind::WindowTable).window_keys(keys)
}

pub(super) fn within(ns: u64) -> Options {
    Options::new(Kind::WindowTable).window_ns(ns).clock(ClockSource::Manual)
}

pub(super) fn key(i: u64) -> KeyHash {
    KeyHash(crate::hash::hash64(&i.to_le_bytes(), 0))
}

/// How often the long form of a test goes on.
fn effort(short: u64, long: u64) -> u64 {
    if std::env::var_os("LATELY_LONG").is_some() { long } else { short }
}

/// Cells of the newest table within the window, counted one by one: all, and the wide ones.
pub(super) fn cells(filter: &WindowTable) -> (u64, u64) {
    let (table, part) = (&filter.core.newest, filter.core.position.part);
    let layout = &table.shape.layout;
    let (mut all, mut wide) = (0, 0);
    for i in 0..table.lines.len() {
        let spot = table.shape.spot_of(i);
        let line = table.canonical(&spot, part, part, false);
        for cell in 0..layout.cells {
            let lane = (line[num(cell / 4)] >> (16 * (cell % 4))) & 0xFFFF;
            all += u64::from(lane != 0);
            wide += u64::from(lane != 0 && cell < layout.wider);
        }
    }
    (all, wide)
}

/// Numbers that look random.
pub(super) struct Draws(pub(super) u64, pub(super) u64);

impl Draws {
    pub(super) fn below(&mut self, n: u64) -> u64 {
        self.1 += 1;
        crate::num::spread(KeyHash(self.0).derive(self.1), n)
    }
}

pub(super) fn num(n: u64) -> usize {
    crate::num::index(n)
}

/// The last `n` observations exactly, and how many verdicts at the edge were checked.
struct Exact {
    seen: HashMap<u64, u64>,
    now: u64,
    edges: u64,
}

/// A key among the last n is never new: keys come back exactly n observations later, and at other distances.
pub(super) fn edges_of_keys(options: &Options, n: u64, checks: u64, seed: u64) {
    let mut filter = build(options);
    let mut exact = Exact { seen: HashMap::new(), now: 0, edges: 0 };
    let mut rng = Draws(seed, n);
    let mut history: Vec<u64> = Vec::new();
    let keeps_first = options.repeat == Some(Repeat::KeepFirst);
    while exact.edges < checks {
        let draw = rng.below(8);
        let i = match draw {
            // The key of exactly n observations ago.
            0..=2 if exact.now >= n => history[num((exact.now - n) % (n + 1))],
            3 if exact.now > 1 => history[num((exact.now - 1 - rng.below(exact.now.min(n))) % (n + 1))],
            _ => exact.now | (1 << 40),
        };
        let age = exact.seen.get(&i).map(|then| exact.now - then);
        let present = filter.contains(key(i), Tick(0));
        let verdict = filter.observe(key(i), Tick(0)).unwrap();
        assert_eq!(present, verdict, "contains says what observe says");
        if age.is_some_and(|age| age <= n) {
            exact.edges += 1;
            assert!(verdict.is_duplicate(), "missed at {}, age {age:?} of {n}: {options:?}", exact.now);
        }
        if !keeps_first || verdict.is_new() {
            exact.seen.insert(i, exact.now);
        }
        if history.len() <= num(n) {
            history.push(i)
        } else {
            history[num(exact.now % (n + 1))] = i
        }
        exact.now += 1;
        if exact.now % (8 * n + 1000) == 0 {
            let now = exact.now;
            exact.seen.retain(|_, then| now - *then <= 2 * n);
        }
    }
}

#[test]
fn a_key_among_the_last_n_is_never_new() {
    let checks = effort(1_000_000, 100_000_000) / 24;
    let run = || {
        for n in [1, 2, 3, 7, 10, 100, 1000, 20_000] {
            for (age_bits, repeat) in
                [(3, Repeat::Refresh), (4, Repeat::KeepFirst), (2 + u32::try_from(n % 4).unwrap(), Repeat::Refresh)]
            {
                edges_of_keys(&last(n).age_bits(age_bits).repeat(repeat), n, checks, n);
            }
        }
    };
    run();
    plain::run(|| edges_of_keys(&last(1000), 1000, 20_000, 5));
}

/// Distinct keys through count windows: moved, stashed, wrongly known, and how full it is.
#[test]
fn a_count_window_is_as_wrong_as_planned() {
    for (n, rate) in [(1000, 1e-2), (20_000, 1e-2), (100_000, 1e-3), (100_000, 1e-4)] {
        for age_bits in [3, 4] {
            let options = last(n).error_rate(rate).age_bits(age_bits);
            let mut filter = build(&options);
            let rounds = (n * 4).max(effort(1_000_000, 100_000_000));
            let mut wrong = 0u64;
            for i in 0..rounds {
                wrong += u64::from(filter.observe(key(i), Tick(0)).unwrap().is_duplicate());
            }
            let stats = filter.stats(Tick(0));
            let (live, _) = cells(&filter);
            let plan = WindowTable::plan(&options).unwrap();
            // Few windows of few keys are few draws of where keys fall: six deviations.
            let (found, real_rate) = (real(wrong) / real(rounds), stats.error_rate);
            let six = 6.0 * (plan.error_rate_worst / real(rounds)).sqrt();
            assert!((found - plan.error_rate_worst).abs() <= 0.05 * plan.error_rate_worst + six, "{found} {plan:?}");
            assert!(plan.error_rate_worst <= rate && (real_rate - plan.error_rate_worst).abs() <= 0.05 * rate);
            assert!((real(live) / real(stats.items) - 1.0).abs() <= 0.02, "{live} cells, {}", stats.items);
            assert!(filter.hand.stash.groups.is_empty() || real(filter.hand.tally.moved) < 0.1 * real(rounds));
            println!(
                "{n} {rate} t={age_bits}: bits {:.2} C {} fill {:.3} real {:.3} plan {:.3e} stats {:.3e} found {:.3e} moved {:.4} stash {:?}",
                plan.bits_per_key,
                plan.k,
                plan.fill,
                real(live) / real(filter.core.newest.shape.cells()),
                plan.error_rate_worst,
                stats.error_rate,
                real(wrong) / real(rounds),
                real(filter.hand.tally.moved) / real(rounds),
                filter.hand.stash.count(filter.core.position.part, &filter.core.plan.span, 1),
            );
        }
    }
}

/// A window of time against a map with times, at any rate: keys come back after exactly T, and after T - 1.
pub(super) struct Clocked {
    pub(super) filter: WindowTable,
    pub(super) seen: HashMap<u64, u64>,
    /// (when, key), to ask for again at the very edge.
    due: std::collections::VecDeque<(u64, u64)>,
    pub(super) now: u64,
    window: u64,
    next: u64,
    pub(super) edges: u64,
    keeps_first: bool,
    most_tables: usize,
}

impl Clocked {
    pub(super) fn new(options: &Options, start: u64) -> Self {
        Self {
            filter: build(options),
            seen: HashMap::new(),
            due: std::collections::VecDeque::new(),
            now: start,
            window: options.window_ns.unwrap(),
            next: 0,
            edges: 0,
            keeps_first: options.repeat == Some(Repeat::KeepFirst),
            most_tables: 0,
        }
    }

    fn observe(&mut self, i: u64) {
        let now = Tick(self.now);
        let known = self.seen.get(&i).is_some_and(|then| self.now - then <= self.window);
        self.filter.hand.touched = 0;
        let present = self.filter.contains(key(i), now);
        let verdict = self.filter.observe(key(i), now).unwrap();
        assert_eq!(present, verdict);
        assert!(self.filter.hand.touched <= 64, "{} lines", self.filter.hand.touched);
        if known {
            self.edges += 1;
            assert!(verdict.is_duplicate(), "missed {i} at {} of {}", self.now - self.seen[&i], self.window);
        }
        if !self.keeps_first || verdict.is_new() {
            self.seen.insert(i, self.now);
            self.due.push_back((self.now + self.window, i));
        }
    }

    /// Asks for all keys whose window ends up to `to`, at its very edge.
    fn ask_until(&mut self, to: u64) {
        while let Some(&(when, i)) = self.due.front().filter(|(when, _)| *when <= to) {
            self.due.pop_front();
            if self.seen.get(&i).is_some_and(|then| then + self.window == when) {
                self.edges += 1;
                self.now = self.now.max(when);
                assert!(self.filter.contains(key(i), Tick(when)).is_duplicate(), "missed {i} at the edge");
                self.seen.remove(&i);
            }
        }
        self.now = to;
    }

    fn new_key(&mut self) {
        self.next += 1;
        self.observe(self.next);
        let core = &self.filter.core;
        self.most_tables = self.most_tables.max(1 + core.sealed.len());
    }

    /// `keys` new keys, evenly, in a time.
    pub(super) fn stream(&mut self, keys: u64, ns: u64) {
        let start = self.now;
        for i in 0..keys {
            self.ask_until(start + crate::num::low_half(u128::from(ns) * u128::from(i) / u128::from(keys)));
            self.new_key();
            if i % 7 == 3 {
                let before = i % 1000;
                self.observe(self.next - before.min(self.next - 1));
            }
        }
        self.ask_until(start + ns);
    }

    fn print(&self, what: &str) {
        let stats = self.filter.stats(Tick(self.now));
        let held = self.seen.values().filter(|then| self.now - *then <= self.window).count();
        let core = &self.filter.core;
        println!(
            "{what}: {} tables {:?} bytes {} keys {held} = {:.1} bits a key, error {:.2e}, most tables {}",
            1 + core.sealed.len(),
            core.sealed
                .iter()
                .map(|s| s.table.shape.lines())
                .rev()
                .chain([core.newest.shape.lines()])
                .collect::<Vec<_>>(),
            stats.bytes,
            real(stats.bytes) * 8.0 / real(crate::num::wide(held.max(1))),
            stats.error_rate,
            self.most_tables,
        );
    }
}

#[test]
fn a_key_within_the_window_of_time_is_never_new() {
    const T: u64 = 1_000_000_000;
    for (options, start) in [
        (within(T), 0),
        (within(T).age_bits(4).capacity(1000), 1 << 63),
        (within(T).repeat(Repeat::KeepFirst).age_bits(2), 77),
        (within(T).age_bits(5).error_rate(1e-2), 1 << 40),
    ] {
        let mut clocked = Clocked::new(&options, start);
        clocked.stream(3000, 3 * T);
        clocked.print("3x 1000");
        clocked.stream(6000, 3 * T);
        clocked.print("x2");
        clocked.stream(60_000, 3 * T);
        clocked.print("x10");
        clocked.stream(400_000, T / 2);
        clocked.print("x40 in half a window");
        clocked.stream(20_000, 3 * T);
        clocked.print("back to 7000");
        clocked.stream(30, 3 * T);
        clocked.print("back to 10");
        clocked.now += 1000 * T;
        clocked.seen.clear();
        clocked.due.clear();
        clocked.stream(3000, 3 * T);
        clocked.print("after 1000 windows of silence");
        clocked.stream(60_000, 20 * T);
        clocked.print("20 windows of 3000");
        println!("{} edges", clocked.edges);
    }
}

/// The table against a list of its cells, in lockstep, also where it is far too full; what differs is printed.
#[test]
fn every_cell_is_where_the_oracle_has_it() {
    let steps = effort(100_000, 10_000_000);
    let windows = [
        (1, 1e-3, 3, 1),
        (40, 1e-1, 3, 1),
        (300, 1e-2, 3, 3),
        (900, 1e-4, 4, 1),
        (2000, 1e-3, 2, 2),
        (700, 1e-6, 5, 4),
    ];
    for (n, rate, age_bits, crowd) in windows {
        lockstep(&last(n).error_rate(rate).age_bits(age_bits), n, crowd, steps);
    }
    plain::run(|| lockstep(&last(500), 500, 1, 5000));
}

/// `crowd` times fewer lines than planned: then cells move, keys are stashed, groups close.
fn lockstep(options: &Options, n: u64, crowd: u64, steps: u64) {
    let mut plan = Plan::new(options).unwrap();
    plan.first.half = (plan.first.half / crowd).max(1);
    let mut filter = WindowTable::empty(plan).unwrap();
    let shape = filter.core.newest.shape;
    let mut oracle = oracle::Oracle {
        generations: shape.layout.generations().into(),
        window: n.into(),
        cells: shape.layout.cells,
        groups: shape.groups,
        half: shape.half,
        list: Default::default(),
        stash: Default::default(),
        closed: Default::default(),
    };
    let mut draws = Draws(n, crowd);
    let base = u128::from(position::START);
    for step in 0..steps {
        let fresh = draws.below(3) > 0;
        let i = if fresh { step | (1 << 40) } else { draws.below(n * 2) };
        let at = base + oracle.position(step);
        let known = oracle.observe(key(i).0, at);
        let verdict = filter.observe(key(i), Tick(0)).unwrap();
        assert_eq!(verdict.is_duplicate(), known, "step {step} of {options:?}");
        if step % 512 == 0 || step + 1 == steps {
            // The position is that of the next observation already.
            let next = u128::from(filter.core.position.part);
            assert_eq!(next, base + oracle.position(step + 1));
            oracle.forget(next);
            compare(&filter, &oracle, step);
        }
    }
}

fn compare(filter: &WindowTable, oracle: &oracle::Oracle, step: u64) {
    let (table, part) = (&filter.core.newest, filter.core.position.part);
    let layout = &table.shape.layout;
    let mut mine = std::collections::BTreeMap::new();
    for i in 0..table.lines.len() {
        let spot = table.shape.spot_of(i);
        let words = table.canonical(&spot, part, part, false);
        let line = crate::simd::Line::default();
        (0..8).for_each(|word| line.set_word(word, words[word]));
        let now = spot.generation(part);
        for cell in (0..layout.cells).filter(|cell| line.lane(*cell) != 0) {
            let lane = line.lane(cell);
            let seen = u128::from(now - layout.age(lane, now));
            let entry = (u64::from(layout.print_of(lane)), layout.extra(&line, cell), seen);
            mine.insert((crate::num::wide(i), cell), entry);
        }
    }
    let wrong: Vec<_> = mine.iter().filter(|(at, cell)| oracle.list.get(at) != Some(cell)).take(5).collect();
    let lost: Vec<_> = oracle.list.iter().filter(|(at, cell)| mine.get(at) != Some(cell)).take(5).collect();
    assert!(wrong.is_empty() && lost.is_empty(), "step {step}: has {wrong:?}, lacks {lost:?}");
    let (keys, closed) = filter.hand.stash.count(part, &filter.core.plan.span, 1);
    assert_eq!((num(keys), num(closed)), (oracle.stash.len(), oracle.closed.len()), "step {step}");
}
