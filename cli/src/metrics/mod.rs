//! `--metrics FILE`: the figures of a run in the text format of Prometheus, for node exporter's textfile collector.
//!
//! The file is replaced whole, by a rename. The statistics are those of the library's table; `table` has those of the run, made from
//! packaging/metrics/metrics.tsv as that is.

mod table;

use std::fmt::{Display, Write as _};
use std::io::Write as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use lately::Stats;
use lately::metrics::{ASKED, Asked, Figure, STATS};

use crate::args::Args;
use crate::clock::Counts as Times;
use crate::exit::Exit;
use crate::judge::Counts;
use crate::lock::replace;
use crate::misuse::out_of_range;
use crate::promises::Asked as AskedFor;
use crate::units::real;
use table::RUN;

/// From one writing to the next, if nothing else asks for one.
const EVERY: Duration = Duration::from_secs(10);

/// A metric of the run, which the library's table has not.
struct Metric {
    name: &'static str,
    figure: fn(&Run) -> f64,
    help: &'static str,
}

/// What the run has counted. By time it knows more than the filter, which sees no record that is refused or too late.
pub(crate) struct Run {
    counts: Counts,
    read: u64,
    bad: u64,
    too_late: u64,
    strays: u64,
    gaps: u64,
    resets: u64,
    early: u64,
    now_ns: u64,
}

impl Run {
    pub(crate) fn new(read: u64, bad: u64, counts: Counts, now_ns: u64) -> Self {
        let Times { too_late, strays, gaps, resets, .. } = counts.times;
        let early = counts.waiting.map_or(0, |waiting| waiting.early);
        Self { counts, read, bad, too_late, strays, gaps, resets, early, now_ns }
    }

    /// The statistics of the filter, with what the run counts in its place.
    fn complete(&self, mut stats: Stats) -> Stats {
        let Counts { new, duplicate, times, .. } = self.counts;
        (stats.new_count, stats.duplicate_count) = (new, duplicate);
        (stats.late_ticks, stats.refused_ticks) = (times.late, times.refused);
        stats.max_lateness_ns = times.max_lateness;
        stats
    }
}

pub(crate) struct MetricsFile {
    path: PathBuf,
    /// The value of the label.
    filter: String,
    pub(crate) due: Instant,
    is_failing: bool,
}

impl MetricsFile {
    /// The file that is asked for, if one is. It must be no other file of the run.
    pub(crate) fn of(args: &Args) -> Result<Option<Self>, String> {
        let Some(path) = &args.metrics else { return Ok(None) };
        args.expect_own("--metrics", path)?;
        let refused = |range: &str| Err(out_of_range("--metrics", path.display(), range));
        // A rename over a device or a pipe would take its place.
        if path.exists() && !path.is_file() {
            return refused("a regular file, or a name that no file has");
        }
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let filter = name.strip_suffix(".prom").unwrap_or(&name).to_owned();
        // Where a link leads, the file is replaced, and not the link.
        let path = path.canonicalize().unwrap_or_else(|_| path.clone());
        Ok(Some(Self { path, filter, due: Instant::now(), is_failing: false }))
    }

    pub(crate) fn write(&mut self, stats: Stats, asked: &AskedFor, run: &Run) -> Result<(), Exit> {
        self.due = Instant::now() + EVERY;
        let text = self.text(&run.complete(stats), &asked_for(asked), run);
        let written = replace(&self.path, |mut file| file.write_all(text.as_bytes()));
        written.map_err(|error| Exit::failed(&self.path.display().to_string(), &error))
    }

    /// What to say of a writing on the way: a failure when it begins.
    pub(crate) fn news(&mut self, written: Result<(), Exit>) -> Option<String> {
        let was_failing = std::mem::replace(&mut self.is_failing, written.is_err());
        match written {
            Err(Exit::Failed(why)) if !was_failing => {
                Some(format!("{why}; the run continues and tries again every 10s"))
            }
            _ => None,
        }
    }

    fn text(&self, stats: &Stats, asked: &Asked, run: &Run) -> String {
        let mut text = String::new();
        for metric in STATS.iter().chain(&ASKED) {
            let about = (metric.name, metric.help);
            match metric.figure {
                Figure::Count(value) => self.push(about, value(stats), &mut text),
                Figure::Gauge(value) => self.push(about, value(stats), &mut text),
                Figure::Asked(value) => {
                    value(asked).into_iter().for_each(|value| self.push(about, value, &mut text));
                }
            }
        }
        RUN.iter().for_each(|metric| self.push((metric.name, metric.help), (metric.figure)(run), &mut text));
        text
    }

    /// Appends a metric: its help, its type and its value.
    fn push(&self, (name, help): (&str, &str), value: impl Display, text: &mut String) {
        let kind = if name.ends_with("_total") { "counter" } else { "gauge" };
        let filter = escaped(&self.filter);
        let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}\n{name}{{filter=\"{filter}\"}} {value}");
    }
}

/// What was asked for, in the units of the metrics.
fn asked_for(asked: &AskedFor) -> Asked {
    Asked {
        memory: asked.memory.map(real),
        window: asked.window.map(|ns| real(ns) / 1e9),
        error_rate: Some(asked.error_rate),
    }
}

/// A label's value as it is written between quotes.
fn escaped(label: &str) -> String {
    label.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
