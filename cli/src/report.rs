//! The figures at the end. Figures that a kind does not have are left out.

use std::time::Duration;

use lately::Stats;

use crate::clock::Counts as Times;
use crate::figures::Figures;
use crate::judge::{Counts, Extremes};
use crate::kinds::{forgets, has_both_windows, is_windowed};
use crate::promises::{Asked, Broken, is_raised, show_rate};
use crate::units::{round_up, show_time};
use crate::waiting::Figures as Waited;

pub(crate) struct Report {
    read: u64,
    pub(crate) bad: u64,
    pub(crate) counts: Counts,
    asked: Asked,
    broken: Broken,
    /// What is said of that, even without a report.
    pub(crate) warning: Option<String>,
    pub(crate) figures: Figures,
}

impl Report {
    pub(crate) fn new(
        read: u64,
        bad: u64,
        counts: Counts,
        (stats, worst): (Stats, Extremes),
        asked: Asked,
        took: Duration,
    ) -> Self {
        let broken = Broken::new(&asked, &stats, worst);
        let warning = broken.say(&asked, &stats, worst);
        let mut figures = Figures::new(16);
        of_records(&mut figures, read, &counts);
        if let Some(window) = asked.window {
            members_of_time(&mut figures, window, &counts.times, (&stats, worst), &asked);
        }
        figures.both("bad", "bad", bad);
        figures.member("seconds", took.as_secs_f64());
        figures.both("records/s", "records_per_second", rate(read, took));
        of_filter(&mut figures, &stats, worst, &asked);
        if let Some(window) = asked.window {
            lines_of_time(&mut figures, window, &counts.times, (&stats, worst), &asked);
        }
        Self { read, bad, counts, asked, broken, warning, figures }
    }

    /// Whether a record was bad or at a wrong time, or a promise of the filter is broken.
    pub(crate) fn has_faults(&self) -> bool {
        let Times { refused, too_late, strays, .. } = self.counts.times;
        let early = self.counts.waiting.map_or(0, |waited| waited.early);
        self.bad + refused + too_late + strays + early > 0 || self.broken.any()
    }

    /// What is said of what left before its time, if anything did.
    pub(crate) fn left_early(&self) -> Option<String> {
        let Waited { are_counts, early, .. } = self.counts.waiting.filter(|waited| waited.early > 0)?;
        let what = match (are_counts, early) {
            (true, 1) => "summary",
            (true, _) => "summaries",
            (false, 1) => "held record",
            (false, _) => "held records",
        };
        Some(format!("{early} {what} came before the time, because the quarter of --memory that is theirs was full"))
    }

    /// Whether there were records, and none of them could be judged.
    pub(crate) fn has_judged_none(&self) -> bool {
        self.read > 0 && self.read == self.bad + self.counts.times.refused
    }

    /// What is said of records that were later than allowed: what to ask for, if the filter can have it.
    pub(crate) fn latest(&self) -> Option<String> {
        let (window, Times { max_lateness: most, too_late, .. }) = (self.asked.window?, self.counts.times);
        let [late, ask] = [most, round_up(most)].map(show_time);
        let is_possible = has_both_windows(self.asked.algo) && most <= window;
        // Those that are later than the window are summed up elsewhere.
        (most > self.asked.lateness && too_late == 0).then(|| match is_possible {
            true => format!("the latest record was {late} late: --late {ask} judges it at its own time"),
            false => format!("the latest record was {late} late"),
        })
    }
}

fn of_records(figures: &mut Figures, read: u64, counts: &Counts) {
    figures.both("read", "read", read);
    figures.both("new", "new", counts.new);
    figures.both("duplicate", "duplicate", counts.duplicate);
    counts.failed.into_iter().for_each(|failed| figures.both("failed", "failed", failed));
    let Some(Waited { are_counts, left, early, open }) = counts.waiting else { return };
    let [name, name_early, name_open] = match are_counts {
        true => ["summaries", "summaries_early", "counts_open"],
        false => ["released", "released_early", "held"],
    };
    let what = if are_counts { "counts open" } else { "held" };
    figures.line(name, format_args!("{left} ({early} of them early, {open} {what})"));
    [(name, left), (name_early, early), (name_open, open)].into_iter().for_each(|(name, n)| figures.member(name, n));
}

/// What a filter has whose window is a span of time.
fn members_of_time(
    figures: &mut Figures,
    window: u64,
    times: &Times,
    (stats, worst): (&Stats, Extremes),
    asked: &Asked,
) {
    figures.both("late", "late", times.late);
    figures.both("too late", "too_late", times.too_late);
    figures.member("max_lateness_ns", times.max_lateness);
    figures.member("lateness_ns", asked.lateness);
    figures.both("refused", "refused", times.refused);
    figures.both("strays", "strays", times.strays);
    figures.both("gaps", "gaps", times.gaps);
    figures.both("resets", "resets", times.resets);
    figures.member("window_ns", window);
    figures.member("window_reached_ns", stats.reach_ns);
    figures.member("window_shortest_ns", worst.reach);
    figures.member("memory_shortened_window", Broken::new(asked, stats, worst).window);
    figures.member("memory_raised_error_rate", is_raised(asked, stats, worst));
}

fn lines_of_time(figures: &mut Figures, window: u64, times: &Times, (stats, worst): (&Stats, Extremes), asked: &Asked) {
    let [latest, allowed] = [times.max_lateness, asked.lateness].map(show_time);
    figures.line("latest record", format_args!("{latest} late (allowed {allowed})"));
    let [now, shortest, window] = [stats.reach_ns, worst.reach, window].map(show_time);
    figures.line("window reached", format_args!("{now} (shortest {shortest}, asked {window})"));
    let limit = match (Broken::new(asked, stats, worst).window, is_raised(asked, stats, worst)) {
        (false, false) => "did not shorten the window",
        (true, _) => "shortened the window",
        (false, true) => "raised the error rate",
    };
    figures.line("memory limit", limit);
}

fn of_filter(figures: &mut Figures, stats: &Stats, worst: Extremes, asked: &Asked) {
    figures.both("kind", "kind", asked.algo.name());
    figures.line("bytes", format_args!("{} (at most {})", stats.bytes, stats.bytes_peak));
    figures.member("bytes", stats.bytes);
    figures.member("bytes_peak", stats.bytes_peak);
    let (now, highest, asked_for) = (stats.error_rate, worst.error_rate, asked.error_rate);
    figures.line("error rate now", format_args!("{now:.3e} (highest {highest:.3e}, asked {})", show_rate(asked_for)));
    figures.member("error_rate", now);
    figures.member("error_rate_highest", highest);
    figures.member("error_rate_asked", asked_for);
    if has_both_windows(asked.algo) {
        figures.both("keys stored", "keys_stored", stats.stored);
        figures.line("cells moved", format_args!("{} ({} keys stashed)", stats.moved, stats.stashed));
        figures.member("cells_moved", stats.moved);
        figures.member("keys_stashed", stats.stashed);
    }
    if asked.keys > 0 {
        of_keys(figures, stats, asked);
    }
    if let Some(rate) = asked.miss_rate {
        figures.line("miss rate", format_args!("{rate:.3e} at that distance, by the plan"));
        figures.member("miss_rate", rate);
    }
}

/// What a filter has that is made for a number of keys.
fn of_keys(figures: &mut Figures, stats: &Stats, asked: &Asked) {
    let (keys, items) = (asked.keys, stats.items);
    if is_windowed(asked.algo) {
        let (held, what) = (items.min(keys), if has_both_windows(asked.algo) { " keys" } else { "" });
        figures.line("window", format_args!("{keys} records ({held}{what} held)"));
        figures.member("window_keys", keys);
        figures.member("items", held);
    } else if forgets(asked.algo) {
        figures.line("distance", format_args!("{keys} records"));
        figures.member("window_keys", keys);
    } else {
        figures.line("keys", format_args!("{items} (planned for {keys})"));
        figures.member("capacity", keys);
        figures.member("items", items);
    }
}

fn rate(records: u64, took: Duration) -> u64 {
    let per_second = u128::from(records) * 1_000_000_000 / took.as_nanos().max(1);
    u64::try_from(per_second).unwrap_or(u64::MAX)
}
