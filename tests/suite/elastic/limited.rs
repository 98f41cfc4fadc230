//! A window of time within `memory`: what is forgotten, compared with the exact map, and whether `stats` says so.

use lately::{Filter, Tick};

use super::judge::{Judge, Report, Sample, of_time};
use super::num::{index, real, wide};
use super::rng::Rng;
use super::stream::{Sighting, WINDOW};

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

/// What a limit made the filter forget.
#[derive(Debug, Clone)]
pub(crate) struct Limited {
    /// Keys that were forgotten although `stats` said that the reach includes them.
    pub(crate) broken: u64,
    /// The most by which the youngest key that is gone is older than the reach of that moment, in windows, and moments.
    pub(crate) beyond_reach: f64,
    pub(crate) reaches: u64,
    /// Keys asked for and forgotten by age, in the last two windows.
    ages: [[u64; 2]; AGES],
    rng: Rng,
}

impl Default for Limited {
    fn default() -> Self {
        Self { broken: 0, beyond_reach: 0.0, reaches: 0, ages: [[0; 2]; AGES], rng: Rng(1) }
    }
}

impl Limited {
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
}

impl Report {
    fn from(&self, at: f64) -> impl Iterator<Item = &Sample> {
        self.samples.iter().filter(move |sample| sample.at >= at)
    }

    /// The least reach from a moment on, in windows.
    pub(crate) fn least_reach(&self, from: f64) -> f64 {
        self.from(from).map(|sample| sample.reach).fold(f64::INFINITY, f64::min)
    }

    pub(crate) fn most_bytes(&self) -> u64 {
        self.samples.iter().map(|sample| sample.bytes).max().unwrap_or(0)
    }
}

impl Judge {
    /// A key of the window: is it there, and if not, does `stats` say that it may have gone? Where many are gone, one of them in eight asks:
    /// `stats` reads a thousand lines.
    pub(crate) fn ask(&mut self, key: u64, age: u64, tick: u64) -> bool {
        let found = self.contains(key, tick);
        self.report.missed.add(!found);
        let gone = self.report.missed.hits;
        if !found && (gone < 100 || gone % 8 == 0) {
            let reach = self.filter.stats().reach_ns;
            self.report.limited.broken += u64::from(age < reach || reach == self.report.run.window());
        }
        found
    }

    /// Before a sighting: its own key, and at each eighth one a key of any age.
    pub(crate) fn ask_within_memory(&mut self, &Sighting { key, tick, at: now }: &Sighting) {
        if let Some(age) = self.last.get(&key).map(|at| tick - at).filter(|age| *age <= WINDOW) {
            self.ask(key, age, tick);
        }
        let rng = &mut self.report.limited.rng;
        if !rng.once_in(8) || self.young.is_empty() {
            return;
        }
        let (key, at) = self.young[index(rng.below(wide(self.young.len())))];
        if self.last.get(&key) == Some(&at) {
            let lost = !self.ask(key, tick - at, tick);
            if now >= self.report.run.traffic.windows - 2.0 {
                let counted = &mut self.report.limited.ages[index(wide(AGES) * (tick - at) / WINDOW).min(AGES - 1)];
                counted[0] += 1;
                counted[1] += u64::from(lost);
            }
        }
    }

    /// Whether the youngest key that is gone is as old as the reach says, of those whose window is not over.
    pub(crate) fn compare_reach(&mut self, reach: u64) {
        let Some(&(_, tick)) = self.young.back() else { return };
        let mut latest = self.young.iter().rev().filter(|(key, at)| self.last.get(key) == Some(at));
        let Some(age) = latest.find(|(key, _)| !self.contains(*key, tick)).map(|(_, at)| tick - at) else { return };
        let limited = &mut self.report.limited;
        limited.beyond_reach = limited.beyond_reach.max(real(age.saturating_sub(reach)) / real(WINDOW));
        limited.reaches += 1;
    }
}
