//! One traffic through one filter, compared with an exact map at every sighting, and sampled each twentieth of a window.

use std::collections::VecDeque;

use hashbrown::HashMap;
use lately::{Filter, Options, Stats};

use super::common::handle::{self, Handle};
use super::common::stride;
use super::limited::Limited;
use super::num::{real, wide};
use super::stream::{Sighting, Stream, Traffic, WINDOW};

/// How often a window `stats` is asked for the error, a thousand lines each time: ten times in each of its 56 parts, and twice in the check.
fn errors() -> f64 {
    560.0 / real(wide(stride()))
}

/// Absent keys asked for at each sample.
const ABSENT: u64 = 1000;

/// A request, and how its window is counted.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Span {
    Time,
    Keys,
}

/// What is run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Run {
    pub(crate) traffic: Traffic,
    pub(crate) span: Span,
    /// Sightings a window at rate 1.
    pub(crate) size: u64,
    /// The share of them that come again.
    pub(crate) repeats: f64,
    pub(crate) error_rate: f64,
    /// Whether the filter is divided among its locks; one thread calls it.
    pub(crate) is_divided: bool,
    pub(crate) memory: Option<u64>,
}

impl Run {
    pub(crate) fn options(&self) -> Options {
        let options = match self.span {
            Span::Time => of_time(self.error_rate),
            Span::Keys => Options::last(self.size).error_rate(self.error_rate),
        };
        self.memory.map_or(options.clone(), |memory| options.memory(memory))
    }

    /// Ticks of the window: sightings are the ticks of a window of keys.
    pub(crate) const fn window(&self) -> u64 {
        match self.span {
            Span::Time => WINDOW,
            Span::Keys => self.size,
        }
    }

    /// The age from which a key is not found: one generation beyond the window, of 7 in it.
    const fn dead_from(&self) -> u64 {
        self.window() + self.window().div_ceil(7)
    }

    pub(crate) fn name(&self) -> String {
        let span = match self.span {
            Span::Time => "",
            Span::Keys => "keys, ",
        };
        let handle = if self.is_divided { "divided, " } else { "" };
        format!(
            "{handle}{span}{} n={} repeats={:.1} e={:e}",
            self.traffic.name, self.size, self.repeats, self.error_rate
        )
    }
}

/// A window table of time, without capacity or limit.
pub(crate) fn of_time(error_rate: f64) -> Options {
    super::common::table(WINDOW).error_rate(error_rate)
}

/// How often something was asked, and how often the answer was the one to be counted.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Count {
    pub(crate) asked: u64,
    pub(crate) hits: u64,
}

impl Count {
    pub(crate) fn add(&mut self, hit: bool) {
        self.asked += 1;
        self.hits += u64::from(hit);
    }
}

/// What the filter and the map say at one moment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sample {
    /// In windows.
    pub(crate) at: f64,
    /// Keys seen within the window.
    pub(crate) live: u64,
    pub(crate) bytes: u64,
    /// In windows, what `stats` says.
    pub(crate) reach: f64,
    /// The worst since the last sample.
    pub(crate) error_rate: f64,
}

impl Sample {
    pub(crate) fn bits(&self) -> f64 {
        8.0 * real(self.bytes) / real(self.live.max(1))
    }
}

/// What came of a run.
#[derive(Debug, Clone)]
pub(crate) struct Report {
    pub(crate) run: Run,
    pub(crate) samples: Vec<Sample>,
    /// Keys seen within the window, its edge included: those called new.
    pub(crate) missed: Count,
    /// Keys older than the window and a generation: those called duplicates.
    pub(crate) late: Count,
    /// Sightings of keys that the map does not have: those called duplicates.
    pub(crate) fresh: Count,
    /// Keys that were never shown: those called duplicates, and how many `stats` expects.
    pub(crate) absent: Count,
    pub(crate) expected: f64,
    /// What a limit of memory made the filter forget.
    pub(crate) limited: Limited,
}

/// A run on its way.
pub(crate) struct Judge {
    pub(crate) report: Report,
    pub(crate) filter: Box<dyn Handle>,
    pub(crate) last: HashMap<u64, u64>,
    /// Sightings within the window, and those that left it less than a generation ago.
    pub(crate) young: VecDeque<(u64, u64)>,
    old: VecDeque<(u64, u64)>,
    live: u64,
    next_sample: f64,
    next_error: f64,
    worst_error: f64,
    asked: u64,
}

/// Runs it.
pub(crate) fn judge(run: Run) -> Report {
    let mut judge = Judge::new(run);
    for (i, sighting) in Stream::new(run.traffic, run.size, run.repeats).enumerate() {
        let tick = match run.span {
            Span::Time => sighting.tick,
            Span::Keys => wide(i),
        };
        judge.take(&Sighting { tick, ..sighting });
    }
    judge.report
}

impl Judge {
    fn new(run: Run) -> Self {
        let filter = Filter::new(&run.options()).unwrap_or_else(|error| panic!("{}: {error}", run.name()));
        let filter = handle::of(filter, run.is_divided);
        let none = Count::default();
        let (samples, limited) = (Vec::new(), Limited::default());
        let report =
            Report { run, samples, missed: none, late: none, fresh: none, absent: none, expected: 0.0, limited };
        let (young, old) = (VecDeque::new(), VecDeque::new());
        let (next_sample, next_error) = (0.05, 0.0);
        let last = HashMap::new();
        Self { report, filter, last, young, old, live: 0, next_sample, next_error, worst_error: 0.0, asked: 0 }
    }

    /// A window of keys takes no tick.
    fn at(&self, tick: u64) -> Option<u64> {
        matches!(self.report.run.span, Span::Time).then_some(tick)
    }

    pub(crate) fn contains(&self, key: u64, tick: u64) -> bool {
        self.filter.found(key, self.at(tick)).is_duplicate()
    }

    fn observe(&mut self, key: u64, tick: u64) -> bool {
        let at = self.at(tick);
        self.filter.observed(key, at).is_duplicate()
    }

    fn take(&mut self, sighting: &Sighting) {
        let (key, tick) = (sighting.key, sighting.tick);
        self.ask_at_the_edge(tick);
        self.ask_for_the_dead(tick);
        if self.report.run.memory.is_some() {
            self.ask_within_memory(sighting);
        }
        let found = self.observe(key, tick);
        self.compare(key, tick, found);
        self.young.push_back((key, tick));
        if sighting.at >= self.next_error {
            self.worst_error = self.worst_error.max(self.filter.stats().error_rate);
            self.next_error = ((sighting.at * errors()).floor() + 1.0) / errors();
        }
        if sighting.at >= self.next_sample {
            self.sample(sighting);
        }
    }

    /// Keys that are exactly a window old by `tick` or before it: each is found at that moment.
    fn ask_at_the_edge(&mut self, tick: u64) {
        let window = self.report.run.window();
        while let Some(&(key, at)) = self.young.front().filter(|(_, at)| at + window <= tick) {
            self.young.pop_front();
            if self.last.get(&key) == Some(&at) {
                self.ask(key, window, at + window);
                self.live -= 1;
                self.old.push_back((key, at));
            }
        }
    }

    /// Keys that have been dead for a generation: none is found at that moment, except by the error rate.
    fn ask_for_the_dead(&mut self, tick: u64) {
        let dead = self.report.run.dead_from();
        while let Some(&(key, at)) = self.old.front().filter(|(_, at)| at + dead <= tick) {
            self.old.pop_front();
            if self.last.get(&key) == Some(&at) {
                let found = self.contains(key, at + dead);
                self.report.late.add(found);
                self.last.remove(&key);
            }
        }
    }

    fn compare(&mut self, key: u64, tick: u64, found: bool) {
        let window = self.report.run.window();
        let before = self.last.insert(key, tick);
        match before {
            None => self.report.fresh.add(found),
            Some(at) if at + window >= tick => self.report.missed.add(!found),
            Some(_) => {} // between the window and a generation more, either verdict is right
        }
        self.live += u64::from(before.is_none_or(|at| at + window <= tick));
    }

    fn sample(&mut self, sighting: &Sighting) {
        let stats: Stats = self.filter.stats();
        let (at, live) = (sighting.at, self.live);
        let error_rate = std::mem::take(&mut self.worst_error).max(stats.error_rate);
        let reach = real(stats.reach_ns) / real(WINDOW);
        self.report.samples.push(Sample { at, live, bytes: stats.bytes, reach, error_rate });
        if self.report.run.memory.is_some() {
            self.compare_reach(stats.reach_ns);
        }
        self.next_sample = (at * 20.0).floor() / 20.0 + 0.05;
        for _ in 0..ABSENT {
            let key = self.report.run.traffic.keys.absent(self.asked);
            self.asked += 1;
            let found = self.contains(key, sighting.tick);
            self.report.absent.add(found);
        }
        self.report.expected += real(ABSENT) * stats.error_rate;
    }
}

impl Report {
    /// The most bits a live key among samples from one time to another that have so many live keys, and more than so many bytes.
    pub(crate) fn most_bits(&self, from: f64, to: f64, live: u64, bytes: u64) -> Option<f64> {
        let among = self.samples.iter().filter(|sample| (from..to).contains(&sample.at) && sample.live >= live);
        among.filter(|sample| sample.bytes > bytes).map(Sample::bits).max_by(f64::total_cmp)
    }

    pub(crate) fn worst_error(&self) -> f64 {
        self.samples.iter().map(|sample| sample.error_rate).fold(0.0, f64::max)
    }

    /// Peak, median and last bits a live key, of samples with a twentieth of the size or more.
    pub(crate) fn bits(&self) -> [f64; 3] {
        let full = self.samples.iter().filter(|sample| sample.live * 20 >= self.run.size);
        let mut bits: Vec<f64> = full.map(Sample::bits).collect();
        bits.sort_by(f64::total_cmp);
        let last = self.samples.last().map_or(f64::NAN, Sample::bits);
        let at = |place: usize| bits.get(place).copied().unwrap_or(f64::NAN);
        [at(bits.len().saturating_sub(1)), at(bits.len() / 2), last]
    }

    /// One line of figures.
    pub(crate) fn line(&self) -> String {
        let [peak, median, last] = self.bits();
        let Count { asked, hits } = self.absent;
        format!(
            "{:66} bits peak {peak:7.1} median {median:6.1} last {last:7.1}; worst error {:5.3} of the target; missed {} \
             of {}; late {} of {}; fresh {} of {}; absent {hits} of {asked}, expected {:.1}",
            self.run.name(),
            self.worst_error() / self.run.error_rate,
            self.missed.hits,
            self.missed.asked,
            self.late.hits,
            self.late.asked,
            self.fresh.hits,
            self.fresh.asked,
            self.expected
        )
    }
}

/// Runs all of them on two threads, each taking the next that waits; the reports are in the order of the runs.
pub(crate) fn judge_all(runs: &[Run]) -> Vec<Report> {
    let next = std::sync::atomic::AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        while let Some(run) = runs.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed)) {
            done.push((run.name(), judge(*run)));
        }
        done
    };
    let done: HashMap<String, Report> = std::thread::scope(|scope| {
        let threads = [scope.spawn(work), scope.spawn(work)];
        threads.into_iter().flat_map(|thread| thread.join().expect("a run")).collect()
    });
    runs.iter().map(|run| done[&run.name()].clone()).collect()
}

/// Where a rate stands among others; behind them all if it does not.
pub(crate) fn place(rates: &[f64], rate: f64) -> usize {
    let near = |other: &f64| (other / rate - 1.0).abs() < 1e-9;
    rates.iter().position(near).unwrap_or(rates.len())
}
