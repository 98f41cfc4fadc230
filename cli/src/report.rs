//! The figures at the end, as text or as one line of JSON. Figures that a kind does not have are left out.

use std::fmt::Write;
use std::time::Duration;

use lately::{Kind, Stats};
use serde::Serialize;

use crate::clock::Counts as Times;
use crate::filter::{self, forgets, has_both_windows, is_windowed};
use crate::judge::{Counts, Extremes};
use crate::promises::{Asked, Broken, is_raised, show_rate};
use crate::units::{round_up, show_time};
use crate::waiting::Figures;

/// What a run has shown.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    read: u64,
    new: u64,
    duplicate: u64,
    /// Records whose command failed, where there are commands.
    #[serde(skip_serializing_if = "Option::is_none")]
    failed: Option<u64>,
    #[serde(flatten)]
    waiting: Option<Waited>,
    #[serde(flatten)]
    time: Option<Time>,
    pub(crate) bad: u64,
    seconds: f64,
    records_per_second: u64,
    #[serde(serialize_with = "filter::name")]
    kind: Kind,
    bytes: u64,
    bytes_peak: u64,
    error_rate: f64,
    error_rate_highest: f64,
    error_rate_asked: f64,
    #[serde(flatten)]
    table: Option<Table>,
    #[serde(flatten)]
    keys: Option<Keys>,
    #[serde(skip_serializing_if = "Option::is_none")]
    miss_rate: Option<f64>,
    #[serde(skip)]
    broken: Broken,
    /// What is said of that.
    #[serde(skip)]
    warning: Option<String>,
    #[serde(skip)]
    times: Times,
}

/// What a filter has whose window is a span of time.
#[derive(Debug, Clone, Copy, Serialize)]
struct Time {
    late: u64,
    too_late: u64,
    max_lateness_ns: u64,
    lateness_ns: u64,
    refused: u64,
    strays: u64,
    gaps: u64,
    resets: u64,
    window_ns: u64,
    window_reached_ns: u64,
    window_shortest_ns: u64,
    memory_shortened_window: bool,
    memory_raised_error_rate: bool,
}

/// What came of counts, or of records that were held back.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(untagged)]
enum Waited {
    Counts { summaries: u64, summaries_early: u64, counts_open: u64 },
    Records { released: u64, released_early: u64, held: u64 },
}

/// What a filter has whose cells are in lines.
#[derive(Debug, Clone, Copy, Serialize)]
struct Table {
    /// Cells within the window.
    keys_stored: u64,
    /// Cells that made room in another line so far.
    cells_moved: u64,
    /// Keys that have no cell, and a record of their own.
    keys_stashed: u64,
}

/// What a filter has that is made for a number of keys.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(untagged)]
enum Keys {
    /// The window in records: it, and how much of it is held.
    Window {
        window_keys: u64,
        items: u64,
        #[serde(skip)]
        what: &'static str,
    },
    /// The planned number of keys in a set, and how many are in.
    Capacity { capacity: u64, items: u64 },
    /// The distance at which duplicates matter.
    Distance { window_keys: u64 },
}

impl Report {
    pub(crate) fn new(
        read: u64,
        bad: u64,
        counts: &Counts,
        (stats, worst): (Stats, Extremes),
        asked: Asked,
        took: Duration,
    ) -> Self {
        let broken = Broken::new(&asked, &stats, worst);
        Self {
            read,
            new: counts.new,
            duplicate: counts.duplicate,
            failed: counts.failed,
            waiting: counts.waiting.map(Waited::new),
            time: asked.window.map(|window| Time::new(window, &counts.times, &stats, worst, asked)),
            bad,
            seconds: took.as_secs_f64(),
            records_per_second: rate(read, took),
            kind: asked.algo,
            bytes: stats.bytes,
            bytes_peak: stats.bytes_peak,
            error_rate: stats.error_rate,
            error_rate_highest: worst.error_rate,
            error_rate_asked: asked.error_rate,
            table: has_both_windows(asked.algo).then(|| Table::new(&stats)),
            keys: Keys::new(asked, &stats),
            miss_rate: asked.miss_rate,
            broken,
            warning: broken.say(&asked, &stats, worst),
            times: counts.times,
        }
    }

    /// Whether a record was bad or at a wrong time, or a promise of the filter is broken.
    pub(crate) fn has_faults(&self) -> bool {
        let Times { refused, too_late, strays, .. } = self.times;
        self.bad + refused + too_late + strays + self.early() > 0 || self.broken.any()
    }

    /// What left before its time.
    fn early(&self) -> u64 {
        match self.waiting {
            Some(Waited::Counts { summaries_early: early, .. } | Waited::Records { released_early: early, .. }) => {
                early
            }
            None => 0,
        }
    }

    /// What is said of that, if anything left so.
    pub(crate) fn left_early(&self) -> Option<String> {
        let [one, many] = match self.waiting? {
            Waited::Counts { .. } => ["summary", "summaries"],
            Waited::Records { .. } => ["held record", "held records"],
        };
        let early = self.early();
        let what = if early == 1 { one } else { many };
        (early > 0).then(|| {
            format!("{early} {what} came before the time, because the quarter of --memory that is theirs was full")
        })
    }

    /// Records whose command failed.
    pub(crate) fn failed(&self) -> u64 {
        self.failed.unwrap_or(0)
    }

    /// Whether there were records, and none of them could be judged.
    pub(crate) fn has_judged_none(&self) -> bool {
        self.read > 0 && self.read == self.bad + self.times.refused
    }

    /// What is said of records that were later than allowed: what to ask for, if the filter can have it.
    pub(crate) fn latest(&self) -> Option<String> {
        let Time { max_lateness_ns: most, lateness_ns: allowed, window_ns, .. } = self.time?;
        let [late, ask] = [most, round_up(most)].map(show_time);
        let is_possible = has_both_windows(self.kind) && most <= window_ns;
        // Those that are later than the window are summed up elsewhere.
        (most > allowed && self.times.too_late == 0).then(|| match is_possible {
            true => format!("the latest record was {late} late: --late {ask} judges it at its own time"),
            false => format!("the latest record was {late} late"),
        })
    }

    /// What was counted by the rules of time.
    pub(crate) fn times(&self) -> &Times {
        &self.times
    }

    /// Lines for people.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        let mut line = |name: &str, value: String| writeln!(text, "{name:<16}{value}").unwrap_or(());
        line("read", self.read.to_string());
        line("new", self.new.to_string());
        line("duplicate", self.duplicate.to_string());
        self.failed.iter().for_each(|failed| line("failed", failed.to_string()));
        self.waiting.iter().for_each(|waited| line(waited.name(), waited.value()));
        self.time.iter().flat_map(Time::counts).for_each(|(name, count)| line(name, count.to_string()));
        line("bad", self.bad.to_string());
        line("records/s", self.records_per_second.to_string());
        line("kind", self.kind.name().into());
        line("bytes", format!("{} (at most {})", self.bytes, self.bytes_peak));
        line("error rate now", self.show_error_rate());
        self.table.iter().flat_map(Table::lines).for_each(|(name, value)| line(name, value));
        self.keys.iter().map(Keys::line).for_each(|(name, value)| line(name, value));
        self.miss_rate.iter().for_each(|rate| line("miss rate", format!("{rate:.3e} at that distance, by the plan")));
        self.time.iter().flat_map(Time::lines).for_each(|(name, value)| line(name, value));
        text
    }

    /// One line for programs.
    pub(crate) fn json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }

    fn show_error_rate(&self) -> String {
        let [now, highest] = [self.error_rate, self.error_rate_highest];
        format!("{now:.3e} (highest {highest:.3e}, asked {})", show_rate(self.error_rate_asked))
    }

    /// What the user must know even without a report.
    pub(crate) fn warning(&self) -> Option<&str> {
        self.warning.as_deref()
    }
}

impl Time {
    fn new(window: u64, counts: &Times, stats: &Stats, worst: Extremes, asked: Asked) -> Self {
        Self {
            late: counts.late,
            too_late: counts.too_late,
            max_lateness_ns: counts.max_lateness,
            lateness_ns: asked.lateness,
            refused: counts.refused,
            strays: counts.strays,
            gaps: counts.gaps,
            resets: counts.resets,
            window_ns: window,
            window_reached_ns: stats.reach_ns,
            window_shortest_ns: worst.reach,
            memory_shortened_window: Broken::new(&asked, stats, worst).window,
            memory_raised_error_rate: is_raised(&asked, stats, worst),
        }
    }

    fn counts(&self) -> [(&'static str, u64); 6] {
        let Self { late, too_late, refused, strays, gaps, resets, .. } = *self;
        let [late, too_late] = [("late", late), ("too late", too_late)];
        [late, too_late, ("refused", refused), ("strays", strays), ("gaps", gaps), ("resets", resets)]
    }

    fn lines(&self) -> [(&'static str, String); 3] {
        let times = [self.window_reached_ns, self.window_shortest_ns, self.window_ns];
        let [now, shortest, asked] = times.map(show_time);
        let reached = format!("{now} (shortest {shortest}, asked {asked})");
        let [latest, allowed] = [self.max_lateness_ns, self.lateness_ns].map(show_time);
        let latest = format!("{latest} late (allowed {allowed})");
        [("latest record", latest), ("window reached", reached), ("memory limit", self.limit().into())]
    }

    fn limit(&self) -> &'static str {
        match (self.memory_shortened_window, self.memory_raised_error_rate) {
            (false, false) => "did not shorten the window",
            (true, _) => "shortened the window",
            (false, true) => "raised the error rate",
        }
    }
}

impl Waited {
    fn new(Figures { are_counts, left, early, open }: Figures) -> Self {
        match are_counts {
            true => Self::Counts { summaries: left, summaries_early: early, counts_open: open },
            false => Self::Records { released: left, released_early: early, held: open },
        }
    }

    fn name(&self) -> &'static str {
        if let Self::Counts { .. } = self { "summaries" } else { "released" }
    }

    fn value(&self) -> String {
        match self {
            Self::Counts { summaries: n, summaries_early: early, counts_open: open } => {
                format!("{n} ({early} of them early, {open} counts open)")
            }
            Self::Records { released: n, released_early: early, held } => {
                format!("{n} ({early} of them early, {held} held)")
            }
        }
    }
}

impl Table {
    fn new(stats: &Stats) -> Self {
        Self { keys_stored: stats.stored, cells_moved: stats.moved, keys_stashed: stats.stashed }
    }

    fn lines(&self) -> [(&'static str, String); 2] {
        let Self { keys_stored, cells_moved, keys_stashed } = self;
        [
            ("keys stored", keys_stored.to_string()),
            ("cells moved", format!("{cells_moved} ({keys_stashed} keys stashed)")),
        ]
    }
}

impl Keys {
    fn new(asked: Asked, stats: &Stats) -> Option<Self> {
        let (keys, items) = (asked.keys, stats.items);
        match asked.algo {
            _ if keys == 0 => None,
            kind if is_windowed(kind) => {
                let what = if has_both_windows(kind) { " keys" } else { "" };
                Some(Self::Window { window_keys: keys, items: items.min(keys), what })
            }
            kind if forgets(kind) => Some(Self::Distance { window_keys: keys }),
            _ => Some(Self::Capacity { capacity: keys, items }),
        }
    }

    fn line(&self) -> (&'static str, String) {
        match self {
            Self::Window { window_keys, items, what } => {
                ("window", format!("{window_keys} records ({items}{what} held)"))
            }
            Self::Capacity { capacity, items } => ("keys", format!("{items} (planned for {capacity})")),
            Self::Distance { window_keys } => ("distance", format!("{window_keys} records")),
        }
    }
}

/// Records in a second.
fn rate(records: u64, took: Duration) -> u64 {
    let per_second = u128::from(records) * 1_000_000_000 / took.as_nanos().max(1);
    u64::try_from(per_second).unwrap_or(u64::MAX)
}
