//! What a divided window table of time must answer where that need not be what the unshared one answers: an exact map for each
//! handle, and the odds.

use lately::{Age, Repeat, Stats, Tick, Verdict};

use super::handle::Verb;
use super::num::real;
use super::odds;
use super::oracle::Oracle;

/// Both handles, the divided one first.
#[derive(Debug)]
pub(crate) struct Promised {
    oracles: [Oracle; 2],
    window: u64,
    error_rate: f64,
    /// Answers for keys that are not in the window, and those of them that were `Duplicate`.
    absent: u64,
    found: u64,
    /// Pairs of answers that only an error can make differ, and those that do.
    compared: u64,
    differ: u64,
}

impl Promised {
    pub(crate) fn new(window: u64, repeat: Repeat, error_rate: f64) -> Self {
        let oracles = [Oracle::new(window, repeat), Oracle::new(window, repeat)];
        Self { oracles, window, error_rate, absent: 0, found: 0, compared: 0, differ: 0 }
    }

    pub(crate) fn clear(&mut self) {
        let new = |oracle: &Oracle| oracle.emptied();
        self.oracles = [new(&self.oracles[0]), new(&self.oracles[1])];
    }

    /// The key was removed from both.
    pub(crate) fn forget(&mut self, key: u64) {
        self.oracles.iter_mut().for_each(|oracle| oracle.forget(key));
    }

    pub(crate) fn advance(&mut self, now: Tick) {
        for oracle in &mut self.oracles {
            oracle.tick(now.0);
        }
    }

    /// The latest tick.
    pub(crate) fn clock(&self) -> u64 {
        self.oracles[0].clock()
    }

    /// Whether the key must be found at a tick, and whether it is dead beyond a generation, for one handle.
    fn fate(&self, handle: usize, key: u64, now: u64, stats: Option<&Stats>) -> (bool, bool) {
        let oracle = &self.oracles[handle];
        let must = stats.map_or_else(|| oracle.holds(key, now), |stats| oracle.holds_by(stats, key, now));
        let beyond = self.window + self.window.div_ceil(7) + 1;
        (must, oracle.since(key).is_none_or(|since| now - since > beyond))
    }

    /// What both handles answered at a tick; `stats` were theirs before it, where memory is limited.
    pub(crate) fn judge(&mut self, key: u64, tick: u64, verdicts: [Verdict; 2], did: Verb, stats: Option<&[Stats; 2]>) {
        let now = tick.max(self.clock());
        let fates = [0, 1].map(|i| self.fate(i, key, now, stats.map(|stats| &stats[i])));
        if did != Verb::Insert {
            for i in [0, 1] {
                let since = self.oracles[i].since(key);
                assert!(
                    !fates[i].0 || verdicts[i].is_duplicate(),
                    "key {key} of {since:?} is missed at {now} by {i}, {did:?}: {stats:?}"
                );
            }
            let dead = fates[0].1 && fates[1].1;
            self.absent += u64::from(dead);
            self.found += u64::from(dead && verdicts[0].is_duplicate());
            if dead || fates[0].0 && fates[1].0 {
                self.compared += 1;
                self.differ += u64::from(verdicts[0] != verdicts[1]);
            }
        }
        if did == Verb::Contains {
            return;
        }
        for (oracle, verdict) in self.oracles.iter_mut().zip(verdicts) {
            oracle.tick(tick);
            if did == Verb::Insert {
                oracle.inserted(key);
            } else {
                oracle.observed(key, verdict);
            }
        }
    }

    /// Neither keys that are not there are found more often than the rate allows, nor do both handles differ more often.
    pub(crate) fn expect_within_the_rate(&self, comparisons: u32, name: &str) {
        assert!(self.absent > 0 && self.compared > 100, "{name}: {self:?}");
        let most = |answers: u64| real(answers) * self.error_rate;
        odds::expect_at_most(self.found, most(self.absent), comparisons, &format!("{name}: absent keys"));
        odds::expect_at_most(self.differ, most(self.compared), comparisons, &format!("{name}: answers that differ"));
    }
}

/// Whether two handles mean the same age of a key, known to so much: their generations begin at the same moments. Of a key that
/// found no room in its lines the part of the window is known in which it was seen, which lies in that generation; so one handle
/// may still find a key that is older than the window, and the other not.
pub(crate) fn ages_agree(ages: [Option<Age>; 2], window: u64, leeway: u64) -> bool {
    let part = window.div_ceil(56);
    let [Some(a), Some(b)] = ages else { return ages.iter().flatten().all(|age| age.at_most + leeway > window) };
    let near = a.at_least.abs_diff(b.at_least) <= leeway && a.at_most.abs_diff(b.at_most) <= leeway;
    let within = |a: Age, b: Age| {
        let is_part = a.at_most - a.at_least <= part;
        is_part && a.at_least + leeway >= b.at_least && a.at_most <= b.at_most + leeway
    };
    near || within(a, b) || within(b, a)
}
