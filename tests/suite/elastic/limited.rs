//! A window of time within `memory`: what is forgotten, compared with an exact map, and whether `stats` says so.

use std::collections::VecDeque;

use hashbrown::HashMap;
use lately::{Filter, Tick};

use super::common::handle::Handle;
use super::num::{index, real, wide};
use super::of_time;
use super::rng::Rng;
use super::stream::{Sighting, Stream, Traffic, WINDOW};

/// Ages are counted in so many parts of a window.
const AGES: usize = 20;

/// The least bytes, in steps of a hundredth, whose plan says that so many live keys fit: a 20th more than the lines of a capacity
/// take, as otherwise one in 400 goes while the first window fills.
pub(crate) fn planned(keys: u64, error_rate: f64) -> u64 {
    let lines = Filter::plan(&of_time(error_rate).capacity(keys)).expect("a plan").bytes;
    let fit = |bytes: u64| Filter::plan(&of_time(error_rate).memory(bytes)).expect("a plan").window_keys;
    (100..).map(|share| lines * share / 100).find(|bytes| fit(*bytes) >= keys).expect("a size")
}

/// The bytes of a filter without a limit once so many new keys a window have settled.
pub(crate) fn settled(keys: u64, error_rate: f64) -> u64 {
    let mut filter = Filter::new(&of_time(error_rate)).expect("a filter");
    let mut least = u64::MAX;
    for key in 0..6 * keys {
        filter.observe_at(key.to_le_bytes(), Tick(key * (WINDOW / keys))).expect("a tick");
        if key > 5 * keys && key % (keys / 20) == 0 {
            least = least.min(filter.stats().bytes);
        }
    }
    least
}

/// What is seen at one moment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sample {
    /// In windows.
    pub(crate) at: f64,
    pub(crate) bytes: u64,
    /// In windows.
    pub(crate) reach: f64,
    pub(crate) error_rate: f64,
}

/// What came of a run.
#[derive(Debug, Default)]
pub(crate) struct Report {
    pub(crate) samples: Vec<Sample>,
    /// Keys of the window that were asked for, and those that were forgotten.
    pub(crate) asked: u64,
    pub(crate) missed: u64,
    /// Keys that were forgotten although `stats` said that the reach includes them.
    pub(crate) broken: u64,
    /// The age of the youngest one forgotten, in windows.
    pub(crate) youngest: f64,
    /// The most by which the youngest key that is gone is older than the reach of that moment, in windows, and moments.
    pub(crate) beyond_reach: f64,
    pub(crate) reaches: u64,
    /// Keys asked for and forgotten by age, in the last two windows.
    pub(crate) ages: [[u64; 2]; AGES],
    /// New keys that were called duplicates in the last window, and all of them.
    pub(crate) dropped: [u64; 2],
}

impl Report {
    pub(crate) fn from(&self, at: f64) -> impl Iterator<Item = &Sample> {
        self.samples.iter().filter(move |sample| sample.at >= at)
    }

    /// The least reach from a moment on, in windows.
    pub(crate) fn least_reach(&self, from: f64) -> f64 {
        self.from(from).map(|sample| sample.reach).fold(f64::INFINITY, f64::min)
    }

    pub(crate) fn worst_error(&self, from: f64) -> f64 {
        self.from(from).map(|sample| sample.error_rate).fold(0.0, f64::max)
    }

    pub(crate) fn most_bytes(&self) -> u64 {
        self.samples.iter().map(|sample| sample.bytes).max().unwrap_or(0)
    }

    /// The share of keys that are lost at an age, and at younger ones.
    fn lost(&self, age: usize) -> f64 {
        let [asked, lost] = self.ages[age];
        real(lost) / real(asked.max(1))
    }

    /// The age by which half of those have gone that go before their time; a window if none go.
    pub(crate) fn median_victim(&self) -> f64 {
        let all = self.lost(AGES - 1);
        let by_then = (0..AGES).find(|&age| all > 0.0 && self.lost(age) >= all / 2.0);
        by_then.map_or(1.0, |age| (real(wide(age)) + 0.5) / real(wide(AGES)))
    }

    pub(crate) fn line(&self) -> String {
        format!(
            "least reach {:.3} after a window, {:.3} in the last; missed {} of {}, youngest {:.3}; median victim {:.3}; worst error \
             {:.2e}; most bytes {}; new keys dropped {} of {}; reach broken {}",
            self.least_reach(1.0),
            self.least_reach(self.samples.last().map_or(0.0, |sample| sample.at) - 1.0),
            self.missed,
            self.asked,
            self.youngest,
            self.median_victim(),
            self.worst_error(0.0),
            self.most_bytes(),
            self.dropped[0],
            self.dropped[1],
            self.broken
        )
    }
}

/// A run on its way.
struct Run {
    report: Report,
    filter: Box<dyn Handle>,
    last: HashMap<u64, u64>,
    young: VecDeque<(u64, u64)>,
    rng: Rng,
    ends: f64,
    next_sample: f64,
}

/// Runs the traffic, sampled each twentieth of a window.
pub(crate) fn run(filter: Box<dyn Handle>, traffic: Traffic, size: u64, repeats: f64) -> Report {
    let mut run = Run::new(filter, traffic.windows);
    for sighting in Stream::new(traffic, size, repeats) {
        run.take(&sighting);
    }
    run.report
}

impl Run {
    fn new(filter: Box<dyn Handle>, ends: f64) -> Self {
        let report = Report { youngest: f64::INFINITY, ..Report::default() };
        let (last, young) = (HashMap::new(), VecDeque::new());
        Self { report, filter, last, young, rng: Rng(1), ends, next_sample: 0.05 }
    }

    fn take(&mut self, sighting: &Sighting) {
        let &Sighting { key, tick, at } = sighting;
        self.leave(tick);
        self.ask_at_random(tick, at);
        if let Some(&before) = self.last.get(&key) {
            self.ask(key, tick - before, tick);
        } else {
            self.drop_or_not(key, tick, at);
        }
        self.filter.observed(key, tick);
        self.last.insert(key, tick);
        self.young.push_back((key, tick));
        if at >= self.next_sample {
            self.next_sample = (at * 20.0).floor() / 20.0 + 0.05;
            self.sample(at);
        }
    }

    /// Keys that leave the window are asked for at its edge.
    fn leave(&mut self, tick: u64) {
        while let Some(&(key, at)) = self.young.front().filter(|(_, at)| at + WINDOW < tick) {
            self.young.pop_front();
            if self.last.get(&key) == Some(&at) {
                self.ask(key, WINDOW, at + WINDOW);
                self.last.remove(&key);
            }
        }
    }

    fn contains(&self, key: u64, tick: u64) -> bool {
        self.filter.found(key, tick).is_duplicate()
    }

    /// A key of the window: is it there, and if not, does `stats` say that it may have gone?
    fn ask(&mut self, key: u64, age: u64, tick: u64) -> bool {
        self.report.asked += 1;
        if self.contains(key, tick) {
            return true;
        }
        let reach = self.filter.stats().reach_ns;
        self.report.missed += 1;
        self.report.broken += u64::from(age < reach || reach == WINDOW);
        self.report.youngest = self.report.youngest.min(real(age) / real(WINDOW));
        false
    }

    /// One key of any age, at each eighth sighting.
    fn ask_at_random(&mut self, tick: u64, now: f64) {
        if !self.rng.once_in(8) || self.young.is_empty() {
            return;
        }
        let (key, at) = self.young[index(self.rng.below(wide(self.young.len())))];
        if self.last.get(&key) != Some(&at) {
            return;
        }
        let lost = !self.ask(key, tick - at, tick);
        if now >= self.ends - 2.0 {
            let age = index(wide(AGES) * (tick - at) / WINDOW).min(AGES - 1);
            self.report.ages[age][0] += 1;
            self.report.ages[age][1] += u64::from(lost);
        }
    }

    /// Whether a new key is lost, as it is called a duplicate.
    fn drop_or_not(&mut self, key: u64, tick: u64, at: f64) {
        if at >= self.ends - 1.0 {
            let dropped = self.contains(key, tick);
            self.report.dropped[0] += u64::from(dropped);
            self.report.dropped[1] += 1;
        }
    }

    fn sample(&mut self, at: f64) {
        let stats = self.filter.stats();
        let reach = real(stats.reach_ns) / real(WINDOW);
        self.compare_reach(stats.reach_ns);
        self.report.samples.push(Sample { at, bytes: stats.bytes, reach, error_rate: stats.error_rate });
    }
    /// Whether the youngest key that is gone is as old as the reach says, of those whose window is not over.
    fn compare_reach(&mut self, reach: u64) {
        let Some(&(_, tick)) = self.young.back() else { return };
        let latest = self.young.iter().rev().filter(|(key, at)| self.last.get(key) == Some(at));
        let gone = latest.clone().find(|(key, _)| !self.contains(*key, tick));
        let Some(age) = gone.map(|(_, at)| tick - at) else { return };
        let beyond = real(age.saturating_sub(reach)) / real(WINDOW);
        self.report.beyond_reach = self.report.beyond_reach.max(beyond);
        self.report.reaches += 1;
    }
}
