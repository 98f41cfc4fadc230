//! `lately plan`: what a request would cost and how often it would be wrong, without a filter and without a record.

use std::time::Duration;

use indicatif::HumanBytes;
use lately::{Filter, Kind, PlanSummary};

use crate::book::OVERHEAD;
use crate::exit::Exit;
use crate::figures::Figures;
use crate::filter::FilterArgs;
use crate::kinds::{Choice, forgets, has_both_windows, is_windowed};
use crate::misuse::out_of_range;
use crate::units::{self, exact_size, show_time};

/// Show what a filter would cost and how often it would be wrong.
///
/// Takes the options of the filter as a run does, reads nothing and prints the plan: bytes, the integers, the chance of
/// both errors, the cache lines that a record touches. A secret file is neither read nor made: it changes no figure.
#[derive(Debug, clap::Args)]
pub(crate) struct PlanArgs {
    #[command(flatten)]
    pub(crate) filter: FilterArgs,

    /// Records in a second: with --window it determines how many keys a window has [default: as many as fit into the memory]
    #[arg(short, long, value_name = "N", value_parser = units::rate, help_heading = "Plan", allow_hyphen_values = true)]
    pub(crate) rate: Option<f64>,

    /// The share of the records that repeat a key of the window, from 0 to below 1: the others are its keys. A key is
    /// kept once, however often it comes; only a Bloom filter without --first stores a repeat again in each generation,
    /// and its plan counts all records [default: 0]
    #[arg(long, value_name = "SHARE", value_parser = units::share, help_heading = "Plan", requires = "rate", allow_hyphen_values = true)]
    pub(crate) repeats: Option<f64>,

    /// Print one JSON object
    #[arg(long, help_heading = "Plan")]
    pub(crate) json: bool,
}

/// The length of a record in the plan of counts.
const RECORD: u64 = 100;

const SECONDS_A_DAY: f64 = 86_400.0;

impl PlanArgs {
    /// The same with what `--filter` names.
    pub(crate) fn with_keys(self) -> Result<Self, Exit> {
        Ok(Self { filter: self.filter.with_keys().map_err(Exit::Usage)?, ..self })
    }

    /// The plan as text, and what the user must know of it besides.
    pub(crate) fn run(&self) -> Result<(String, Vec<String>), Exit> {
        let choice = self.filter.choice().map_err(Exit::Usage)?;
        let asked = self.keys_of_rate(&choice)?;
        let options = self.filter.options(choice.algo);
        let options = if let Some(keys) = asked { options.capacity(keys) } else { options };
        let summary = Filter::plan(&options).map_err(Exit::filter)?;
        let plan = self.plan(choice.algo, &summary);
        let text = if self.json { plan.json() } else { plan.text };
        let warning = asked.and_then(|keys| self.warning(choice.algo, keys, &summary));
        Ok((text, self.filter.note().map(String::from).into_iter().chain(warning).collect()))
    }

    /// Keys that a window of time has at the rate: what `capacity` is to the library.
    fn keys_of_rate(&self, choice: &Choice) -> Result<Option<u64>, Exit> {
        const MOST: u64 = 1 << 48;
        let Some((rate, window)) = self.rate.zip(self.filter.window.filter(|_| self.filter.is_timed(choice.algo)))
        else {
            return Ok(None);
        };
        let stored = if self.stores_repeats(choice.algo) { 1.0 } else { 1.0 - self.repeats.unwrap_or(0.0) };
        match units::ceil(rate * stored * Duration::from_nanos(window).as_secs_f64()).max(1) {
            keys if keys <= MOST => Ok(Some(keys)),
            keys => {
                let range = format!("one at which '--window' has at most {MOST} records, not {keys}");
                Err(Exit::Usage(out_of_range("--rate", rate, range)))
            }
        }
    }

    /// Whether a repeat is stored again: by the kinds that a table of one cell for each key is not.
    fn stores_repeats(&self, kind: Kind) -> bool {
        !has_both_windows(kind) && !self.filter.first
    }

    /// The plan: what the kind does not have is left out.
    fn plan(&self, kind: Kind, summary: &PlanSummary) -> Figures {
        let mut figures = Figures::new(26);
        figures.both("kind", "kind", kind.name());
        self.window(&mut figures, kind, summary);
        figures.line("bytes", format_args!("{} ({})", summary.bytes, HumanBytes(summary.bytes)));
        figures.member("bytes", summary.bytes);
        price(&mut figures, summary);
        integers(&mut figures, kind, summary);
        let (worst, mean) = (summary.error_rate_worst, summary.error_rate_mean);
        figures.line("false duplicates", format_args!("{worst:.3e} at worst, {mean:.3e} on average"));
        figures.line("missed duplicates", missed(kind, summary));
        if has_both_windows(kind) {
            self.forgets_late(&mut figures, summary);
        }
        figures.member("error_rate_worst", worst);
        figures.member("error_rate_mean", mean);
        // Null where nothing fixes it.
        figures.member("miss_rate", summary.miss_rate);
        let lines = summary.cache_lines_per_observe;
        figures.line("cache lines per observe", format_args!("{lines:.1}"));
        figures.member("cache_lines_per_observe", lines);
        self.expected(&mut figures, mean);
        self.counts(&mut figures);
        figures
    }

    fn window(&self, figures: &mut Figures, kind: Kind, summary: &PlanSummary) {
        let (keys, lateness) = (summary.window_keys, self.filter.allowed_lateness());
        let (window, is_window) = (self.filter.window, is_windowed(kind) || forgets(kind));
        let time = window.map(|window| {
            let lateness = lateness.map(|ns| format!(", and {} of lateness", show_time(ns))).unwrap_or_default();
            show_time(window) + &lateness
        });
        let parts: Vec<String> =
            time.into_iter().chain((is_window && keys > 0).then(|| format!("{keys} keys"))).collect();
        if !parts.is_empty() {
            figures.line("window", parts.join(", "));
        }
        window.into_iter().for_each(|ns| figures.member("window_ns", ns));
        lateness.into_iter().for_each(|ns| figures.member("lateness_ns", ns));
        if is_window && keys > 0 {
            figures.member("window_keys", keys);
        } else if keys > 0 {
            figures.line("planned for", format_args!("{keys} keys"));
            figures.member("capacity", keys);
        }
    }

    /// How much longer than the window a key can be found, at most: one generation, in the unit of the window.
    fn forgets_late(&self, figures: &mut Figures, summary: &PlanSummary) {
        if let Some(window) = self.filter.window {
            let late = window.div_ceil(summary.l);
            figures.line("forgets late", format_args!("by at most {}", show_time(late)));
            figures.member("late_ns", late);
        } else {
            let late = summary.window_keys.div_ceil(summary.l);
            figures.line("forgets late", format_args!("by at most {late} records"));
            figures.member("late_keys", late);
        }
    }

    /// False duplicates to expect if every record is new: the most that a stream can bring.
    fn expected(&self, figures: &mut Figures, chance: f64) {
        let name = "false duplicates expected";
        let Some(rate) = self.rate else {
            let n = 1e6 * chance;
            figures.line(name, format_args!("{n:.1} in a million records, if all are new"));
            return figures.member("false_duplicates_per_million", n);
        };
        let repeats = self.repeats.filter(|repeats| *repeats > 0.0);
        let n = rate * (1.0 - repeats.unwrap_or(0.0)) * SECONDS_A_DAY * chance;
        let which =
            repeats.map_or_else(|| String::from("if all are new"), |repeats| format!("{repeats} of them repeats"));
        figures.line(name, format_args!("{n:.1} a day at {rate} records/s, {which}"));
        figures.member("rate", rate);
        repeats.into_iter().for_each(|repeats| figures.member("repeats", repeats));
        figures.member("false_duplicates_per_day", n);
    }

    /// With --count: the bytes of its entries, and how many of them fit.
    fn counts(&self, figures: &mut Figures) {
        let bytes = self.filter.of_entries();
        if bytes > 0 {
            let (size, keys) = (HumanBytes(bytes), bytes / (OVERHEAD + RECORD));
            figures.line(
                "counts",
                format_args!(
                    "{bytes} ({size}) besides: {keys} keys that repeat at once, with records of {RECORD} bytes"
                ),
            );
            figures.member("counts_bytes", bytes);
            figures.member("counts_keys", keys);
        }
    }

    /// Whether the memory is too small for what the rate brings.
    fn warning(&self, kind: Kind, asked: u64, summary: &PlanSummary) -> Option<String> {
        let held = summary.window_keys;
        let (memory, window) = (self.filter.limit(kind)?, self.filter.window?);
        let reached = u64::try_from(u128::from(window) * u128::from(held) / u128::from(asked)).unwrap_or(window);
        (held < asked).then(|| {
            let [window, reached] = [window, reached].map(show_time);
            let memory = exact_size(memory);
            format!("--memory {memory} keeps {held} of the {asked} keys of a window: {reached} of {window}")
        })
    }
}

/// Bits of a key of the window, or of a cell where the stream has no window: two figures of what grows, one of what has its
/// size from the beginning.
fn price(figures: &mut Figures, summary: &PlanSummary) {
    let cells = summary.rows.saturating_mul(summary.k).max(1);
    let or_of_cell = |bits: f64| if bits > 0.0 { bits } else { units::real(summary.bytes) * 8.0 / units::real(cells) };
    let [bits, peak] = [summary.bits_per_key, summary.bits_per_key_peak].map(or_of_cell);
    let name = if summary.window_keys > 0 { "bits per key" } else { "bits per cell" };
    match peak > bits {
        true => figures.line(name, format_args!("{bits:.1} when settled, {peak:.1} at the peak of growth")),
        false => figures.line(name, format_args!("{bits:.1}")),
    }
    figures.member("bits_per_key", bits);
    figures.member("bits_per_key_peak", peak);
}

/// The integers of the kinds; 0 is one that the kind does not have.
fn integers(figures: &mut Figures, kind: Kind, summary: &PlanSummary) {
    let names = match has_both_windows(kind) {
        true => ["cells per line", "generations", "lines"],
        false => ["k", "l", "rows"],
    };
    for (name, member, n) in [
        (names[0], "k", summary.k),
        (names[1], "l", summary.l),
        ("slices", "slices", summary.slices),
        (names[2], "rows", summary.rows),
        ("fingerprint bits", "fingerprint_bits", summary.fingerprint_bits),
        ("blocks", "blocks", summary.blocks),
    ] {
        if n > 0 {
            figures.both(name, member, n);
        }
    }
    for (name, x) in [("fill", summary.fill), ("load", summary.load), ("margin", summary.margin)] {
        if x > 0.0 {
            figures.line(name, format_args!("{x:.4}"));
            figures.member(name, x);
        }
    }
}

fn missed(kind: Kind, summary: &PlanSummary) -> String {
    match (forgets(kind), summary.miss_rate.is_nan()) {
        (true, false) => format!("{:.3e} at the distance of the window", summary.miss_rate),
        (true, true) => String::from("not fixed: --last N sets the distance that matters"),
        (false, _) if is_windowed(kind) => String::from("none within the window"),
        (false, _) => String::from("none"),
    }
}
