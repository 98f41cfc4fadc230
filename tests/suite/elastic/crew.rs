//! Four threads on one divided filter, each with keys and an exact map of its own, in step by slices of a window.
//!
//! Within a slice the order of the threads is open, so a key's age is known to two slices, and keys between the ages that
//! must be found and those that must not are left alone.

use std::collections::HashMap;
use std::sync::Barrier;
use std::time::Duration;

use lately::{Clock, Options, SharedFilter, Stats, Tick, Unit};

use super::num::{index, wide};
use super::rng::Rng;

pub(crate) const THREADS: u64 = 4;

/// Slices of a window, and ticks of a slice.
pub(crate) const SLICES: u64 = 100;
pub(crate) const TICKS: u64 = 6_000_000_007;

/// Usual slices after which a key is dead beyond doubt: the window, a generation, and what locks may be handed in advance.
const DEAD: u64 = 150;

/// Keys asked for by each thread in each slice, of the edge and of the dead.
const ASKED: u64 = 25;

/// The key that all threads share.
const STORM: u64 = 1 << 60;

/// A stretch of the run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Phase {
    pub(crate) slices: u64,
    /// Sightings of a slice as a multiple of the usual ones.
    pub(crate) rate: u64,
    /// Of a thousand sightings, those of the one key that all threads share.
    pub(crate) storm: u64,
    /// Of a thousand, those of a few keys of the thread.
    pub(crate) skew: u64,
}

const STEADY: Phase = Phase { slices: 200, rate: 1, storm: 0, skew: 0 };

/// A fill, a storm, silences, skew, and what comes after each.
pub(crate) const PHASES: [Phase; 8] = [
    STEADY,
    Phase { slices: 100, rate: 5, storm: 950, skew: 0 },
    Phase { slices: 50, ..STEADY },
    Phase { slices: 96, rate: 0, ..STEADY },
    Phase { slices: 150, ..STEADY },
    Phase { slices: 300, rate: 0, ..STEADY },
    Phase { slices: 150, skew: 900, ..STEADY },
    Phase { slices: 150, ..STEADY },
];

/// How the window is counted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Span {
    Time,
    Keys,
}

impl Span {
    pub(crate) fn options(self, size: u64, error_rate: f64) -> Options {
        match self {
            Self::Time => Options::window(Duration::from_nanos(SLICES * TICKS)).clock(Clock::Manual(Unit::Nanoseconds)),
            Self::Keys => Options::last(size),
        }
        .error_rate(error_rate)
    }
}

/// What came of a run.
#[derive(Debug, Default, Clone)]
pub(crate) struct Report {
    pub(crate) found: u64,
    pub(crate) missed: u64,
    pub(crate) dead: u64,
    pub(crate) dead_found: u64,
    pub(crate) new: u64,
    pub(crate) new_found: u64,
    pub(crate) stats: Vec<Stats>,
}

impl Report {
    fn add(mut self, other: Self) -> Self {
        self.found += other.found;
        self.missed += other.missed;
        self.dead += other.dead;
        self.dead_found += other.dead_found;
        self.new += other.new;
        self.new_found += other.new_found;
        self.stats.extend(other.stats);
        self
    }

    pub(crate) fn worst_error(&self) -> f64 {
        self.stats.iter().map(|stats| stats.error_rate).fold(0.0, f64::max)
    }

    pub(crate) fn most_bytes(&self) -> u64 {
        self.stats.iter().map(|stats| stats.bytes_peak).max().unwrap_or(0)
    }

    pub(crate) fn line(&self) -> String {
        format!(
            "missed {} of {}; dead keys found {} of {}; new keys found {} of {}; worst error {:.2e}; most bytes {}",
            self.missed,
            self.found,
            self.dead_found,
            self.dead,
            self.new_found,
            self.new,
            self.worst_error(),
            self.most_bytes()
        )
    }
}

/// One thread.
struct Hand<'a> {
    filter: &'a SharedFilter,
    span: Span,
    id: u64,
    rng: Rng,
    /// Where each slice begins and the last one ends, in usual slices: of sightings, a busy one counts for several.
    begins: Vec<u64>,
    fresh: u64,
    /// The slice of each key's last sighting, and the keys of each slice.
    last: HashMap<u64, usize>,
    seen: Vec<Vec<u64>>,
    report: Report,
}

/// Runs all phases with `size` sightings a window, the usual ones.
pub(crate) fn run(filter: &SharedFilter, span: Span, size: u64, phases: &[Phase]) -> Report {
    let barrier = Barrier::new(index(THREADS));
    let each = size / SLICES / THREADS;
    let reports = std::thread::scope(|scope| {
        let hand = |id| Hand::new(filter, span, id).work(phases, each, &barrier);
        let threads: Vec<_> = (0..THREADS).map(|id| scope.spawn(move || hand(id))).collect();
        threads.into_iter().map(|thread| thread.join().expect("a thread")).collect::<Vec<Report>>()
    });
    reports.into_iter().fold(Report::default(), Report::add)
}

impl<'a> Hand<'a> {
    fn new(filter: &'a SharedFilter, span: Span, id: u64) -> Self {
        let (last, seen, report) = (HashMap::new(), Vec::new(), Report::default());
        Self { filter, span, id, rng: Rng(id + 1), begins: vec![0], fresh: 0, last, seen, report }
    }

    fn work(mut self, phases: &[Phase], each: u64, barrier: &Barrier) -> Report {
        for phase in phases {
            for _ in 0..phase.slices {
                self.one_slice(phase, each * phase.rate);
                barrier.wait();
                if self.id == 0 && phase.rate > 0 {
                    self.report.stats.push(self.filter.stats());
                }
                barrier.wait();
            }
        }
        self.report
    }

    /// A slice without sightings passes in a window of time alone.
    fn one_slice(&mut self, phase: &Phase, sightings: u64) {
        let length = if self.span == Span::Time { 1 } else { phase.rate };
        let begin = self.begins[self.seen.len()];
        self.begins.push(begin + length);
        self.seen.push(Vec::new());
        for i in 0..sightings {
            let key = self.key(phase);
            let tick = (1000 + begin) * TICKS + i * TICKS / sightings;
            self.observe(key, tick);
            if i % 8 == 0 && i / 8 < ASKED {
                self.ask(self.oldest_of_the_window(), tick);
                let dead = self.dead();
                let among = self.rng.below(wide(dead).max(1));
                self.ask(index(among).min(dead.saturating_sub(1)), tick);
            }
        }
    }

    /// The slice that is running.
    fn now(&self) -> usize {
        self.seen.len() - 1
    }

    /// The oldest slice whose keys are all within the window until this one ends.
    fn oldest_of_the_window(&self) -> usize {
        let end = self.begins[self.now() + 1];
        self.begins.partition_point(|begin| begin + SLICES < end)
    }

    /// How many slices are dead.
    fn dead(&self) -> usize {
        let begin = self.begins[self.now()];
        self.begins[1..].partition_point(|end| end + DEAD <= begin)
    }

    /// Keys differ from thread to thread, except the one of a storm.
    fn key(&mut self, phase: &Phase) -> u64 {
        let draw = self.rng.below(1000);
        if draw < phase.storm {
            return STORM;
        }
        if draw < phase.skew {
            return (1 << 50) + self.rng.below(16) * THREADS + self.id;
        }
        if draw >= 700 && self.fresh > 0 {
            let back = self.rng.below(self.fresh.min(100_000));
            return (self.fresh - back) * THREADS + self.id;
        }
        self.fresh += 1;
        self.fresh * THREADS + self.id
    }

    fn observe(&mut self, key: u64, tick: u64) {
        let bytes = key.to_le_bytes();
        let verdict = match self.span {
            Span::Time => self.filter.observe_at(bytes, Tick(tick)),
            Span::Keys => self.filter.observe(bytes),
        };
        self.compare(key, verdict.expect("a tick").is_duplicate());
        let now = self.now();
        self.last.insert(key, now);
        self.seen[now].push(key);
    }

    fn compare(&mut self, key: u64, found: bool) {
        let (oldest, dead) = (self.oldest_of_the_window(), self.dead());
        let report = &mut self.report;
        match self.last.get(&key) {
            Some(&slice) if slice >= oldest => {
                report.found += 1;
                report.missed += u64::from(!found);
            }
            Some(&slice) if slice < dead && key < STORM => {
                report.dead += 1;
                report.dead_found += u64::from(found);
            }
            Some(_) => {}
            None => {
                report.new += u64::from(key < STORM);
                report.new_found += u64::from(found && key < STORM);
            }
        }
    }

    /// A key that was seen last in this slice.
    fn ask(&mut self, slice: usize, tick: u64) {
        let keys = &self.seen[slice];
        if keys.is_empty() {
            return;
        }
        let key = keys[index(self.rng.below(wide(keys.len())))];
        if self.last.get(&key) == Some(&slice) && key < STORM {
            let bytes = key.to_le_bytes();
            let found = match self.span {
                Span::Time => self.filter.contains_at(bytes, Tick(tick)).expect("a tick"),
                Span::Keys => self.filter.contains(bytes),
            };
            self.compare(key, found.is_duplicate());
        }
    }
}
