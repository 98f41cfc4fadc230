//! `lately plan`: what a request would cost and how often it would be wrong, without a filter and without a record.

use std::fmt::Write;
use std::time::Duration;

use indicatif::HumanBytes;
use lately::{Filter, Kind, PlanSummary};
use serde::Serialize;

use crate::book::OVERHEAD;
use crate::exit::Exit;
use crate::filter::{self, Choice, FilterArgs, forgets, has_both_windows, is_windowed};
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

/// A plan in the words of the shell: what the kind does not have is left out.
#[derive(Debug, Serialize)]
struct Plan {
    #[serde(serialize_with = "filter::name")]
    kind: Kind,
    #[serde(skip_serializing_if = "Option::is_none")]
    window_ns: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lateness_ns: Option<u64>,
    #[serde(skip_serializing_if = "is_none")]
    window_keys: u64,
    #[serde(skip_serializing_if = "is_none")]
    capacity: u64,
    bytes: u64,
    bits_per_key: f64,
    /// The same at the peak of growth.
    bits_per_key_peak: f64,
    #[serde(flatten)]
    integers: Integers,
    /// How much longer than the window a key can be found, at most.
    #[serde(flatten)]
    late: Option<Late>,
    error_rate_worst: f64,
    error_rate_mean: f64,
    /// Null where nothing fixes it.
    miss_rate: f64,
    cache_lines_per_observe: f64,
    #[serde(flatten)]
    expected: Expected,
    /// With --count: the bytes of its entries.
    #[serde(skip_serializing_if = "is_none")]
    counts_bytes: u64,
    /// And how many of them fit, for records of 100 bytes.
    #[serde(skip_serializing_if = "is_none")]
    counts_keys: u64,
}

/// One generation, in the unit of the window.
#[derive(Debug, Clone, Copy, Serialize)]
enum Late {
    #[serde(rename = "late_ns")]
    Time(u64),
    #[serde(rename = "late_keys")]
    Keys(u64),
}

/// The integers of the kinds; 0 is one that the kind does not have.
#[derive(Debug, Serialize)]
struct Integers {
    #[serde(skip_serializing_if = "is_none")]
    k: u64,
    #[serde(skip_serializing_if = "is_none")]
    l: u64,
    #[serde(skip_serializing_if = "is_none")]
    slices: u64,
    #[serde(skip_serializing_if = "is_none")]
    rows: u64,
    #[serde(skip_serializing_if = "is_none")]
    fingerprint_bits: u64,
    #[serde(skip_serializing_if = "is_none")]
    blocks: u64,
    #[serde(skip_serializing_if = "is_zero")]
    fill: f64,
    #[serde(skip_serializing_if = "is_zero")]
    load: f64,
    #[serde(skip_serializing_if = "is_zero")]
    margin: f64,
}

/// False duplicates to expect if every record is new: the most that a stream can bring.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Expected {
    Rated {
        rate: f64,
        #[serde(skip_serializing_if = "is_zero")]
        repeats: f64,
        false_duplicates_per_day: f64,
    },
    Unrated {
        false_duplicates_per_million: f64,
    },
}

fn is_none(number: &u64) -> bool {
    *number == 0
}

fn is_zero(number: &f64) -> bool {
    *number == 0.0
}

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
        let text = if self.json { serde_json::to_string(&plan).unwrap_or_default() + "\n" } else { plan.text() };
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

    fn plan(&self, kind: Kind, summary: &PlanSummary) -> Plan {
        let (window_keys, capacity) = match is_windowed(kind) || forgets(kind) {
            true => (summary.window_keys, 0),
            false => (0, summary.window_keys),
        };
        Plan {
            kind,
            window_ns: self.filter.window,
            lateness_ns: self.filter.allowed_lateness(),
            window_keys,
            capacity,
            bytes: summary.bytes,
            bits_per_key: bits_per_key(summary, summary.bits_per_key),
            bits_per_key_peak: bits_per_key(summary, summary.bits_per_key_peak),
            integers: Integers::new(summary),
            late: has_both_windows(kind).then(|| Late::new(self.filter.window, summary)),
            error_rate_worst: summary.error_rate_worst,
            error_rate_mean: summary.error_rate_mean,
            miss_rate: summary.miss_rate,
            cache_lines_per_observe: summary.cache_lines_per_observe,
            expected: Expected::new(self.rate, self.repeats.unwrap_or(0.0), summary.error_rate_mean),
            counts_bytes: self.filter.of_entries(),
            counts_keys: self.filter.of_entries() / (OVERHEAD + RECORD),
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

/// These bits of a key of the window, or those of a cell where the stream has no window.
fn bits_per_key(summary: &PlanSummary, bits: f64) -> f64 {
    let bits_of_cell = || units::real(summary.bytes) * 8.0 / units::real(cells(summary).max(1));
    if bits > 0.0 { bits } else { bits_of_cell() }
}

fn cells(summary: &PlanSummary) -> u64 {
    summary.rows.saturating_mul(summary.k)
}

impl Late {
    fn new(window: Option<u64>, summary: &PlanSummary) -> Self {
        match window {
            Some(window) => Self::Time(window.div_ceil(summary.l)),
            None => Self::Keys(summary.window_keys.div_ceil(summary.l)),
        }
    }

    fn text(self) -> String {
        match self {
            Self::Time(ns) => format!("by at most {}", show_time(ns)),
            Self::Keys(keys) => format!("by at most {keys} records"),
        }
    }
}

impl Integers {
    fn new(summary: &PlanSummary) -> Self {
        Self {
            k: summary.k,
            l: summary.l,
            slices: summary.slices,
            rows: summary.rows,
            fingerprint_bits: summary.fingerprint_bits,
            blocks: summary.blocks,
            fill: summary.fill,
            load: summary.load,
            margin: summary.margin,
        }
    }
}

impl Expected {
    fn new(rate: Option<f64>, repeats: f64, chance: f64) -> Self {
        match rate {
            Some(rate) => {
                let false_duplicates_per_day = rate * (1.0 - repeats) * SECONDS_A_DAY * chance;
                Self::Rated { rate, repeats, false_duplicates_per_day }
            }
            None => Self::Unrated { false_duplicates_per_million: 1e6 * chance },
        }
    }
}

impl Plan {
    /// Lines for people.
    fn text(&self) -> String {
        let mut text = String::new();
        let mut line = |name: &str, value: String| writeln!(text, "{name:<26}{value}").unwrap_or(());
        line("kind", self.kind.name().into());
        self.window().into_iter().for_each(|window| line("window", window));
        Some(self.capacity)
            .filter(|keys| *keys > 0)
            .iter()
            .for_each(|keys| line("planned for", format!("{keys} keys")));
        line("bytes", format!("{} ({})", self.bytes, HumanBytes(self.bytes)));
        line(self.price(), self.bits());
        self.integers.lines(&self.names()).into_iter().for_each(|(name, value)| line(name, value));
        line("false duplicates", self.error_rate());
        line("missed duplicates", self.missed());
        self.late.into_iter().for_each(|late| line("forgets late", late.text()));
        line("cache lines per observe", format!("{:.1}", self.cache_lines_per_observe));
        line("false duplicates expected", self.expected.text());
        Some(self.counts_bytes).filter(|bytes| *bytes > 0).iter().for_each(|bytes| line("counts", self.counts(*bytes)));
        text
    }

    fn window(&self) -> Option<String> {
        let keys = (self.window_keys > 0).then(|| format!("{} keys", self.window_keys));
        let lateness = self.lateness_ns.map(|ns| format!(", and {} of lateness", show_time(ns))).unwrap_or_default();
        match (self.window_ns.map(|ns| show_time(ns) + &lateness), keys) {
            (Some(time), Some(keys)) => Some(format!("{time}, {keys}")),
            (time, keys) => time.or(keys),
        }
    }

    fn counts(&self, bytes: u64) -> String {
        let (size, keys) = (HumanBytes(bytes), self.counts_keys);
        format!("{bytes} ({size}) besides: {keys} keys that repeat at once, with records of {RECORD} bytes")
    }

    fn price(&self) -> &'static str {
        if self.window_keys + self.capacity > 0 { "bits per key" } else { "bits per cell" }
    }

    /// Two figures of what grows; one of what has its size from the beginning.
    fn bits(&self) -> String {
        match self.bits_per_key_peak > self.bits_per_key {
            true => {
                format!("{:.1} when settled, {:.1} at the peak of growth", self.bits_per_key, self.bits_per_key_peak)
            }
            false => format!("{:.1}", self.bits_per_key),
        }
    }

    /// What its integers are called: k, l, slices, rows, fingerprint bits, blocks.
    fn names(&self) -> [&'static str; 6] {
        match has_both_windows(self.kind) {
            true => ["cells per line", "generations", "slices", "lines", "fingerprint bits", "blocks"],
            false => ["k", "l", "slices", "rows", "fingerprint bits", "blocks"],
        }
    }

    fn error_rate(&self) -> String {
        format!("{:.3e} at worst, {:.3e} on average", self.error_rate_worst, self.error_rate_mean)
    }

    fn missed(&self) -> String {
        match (forgets(self.kind), self.miss_rate.is_nan()) {
            (true, false) => format!("{:.3e} at the distance of the window", self.miss_rate),
            (true, true) => String::from("not fixed: --last N sets the distance that matters"),
            (false, _) if is_windowed(self.kind) => String::from("none within the window"),
            (false, _) => String::from("none"),
        }
    }
}

impl Integers {
    fn lines(&self, names: &[&'static str; 6]) -> Vec<(&'static str, String)> {
        let whole = [self.k, self.l, self.slices, self.rows, self.fingerprint_bits, self.blocks];
        let whole = names.iter().copied().zip(whole);
        let real = [("fill", self.fill), ("load", self.load), ("margin", self.margin)];
        let whole = whole.filter(|(_, n)| *n > 0).map(|(name, n)| (name, n.to_string()));
        let real = real.into_iter().filter(|(_, x)| *x > 0.0).map(|(name, x)| (name, format!("{x:.4}")));
        whole.chain(real).collect()
    }
}

impl Expected {
    fn text(&self) -> String {
        match self {
            Self::Rated { rate, repeats, false_duplicates_per_day: n } if *repeats > 0.0 => {
                format!("{n:.1} a day at {rate} records/s, {repeats} of them repeats")
            }
            Self::Rated { rate, false_duplicates_per_day: n, .. } => {
                format!("{n:.1} a day at {rate} records/s, if all are new")
            }
            Self::Unrated { false_duplicates_per_million: n } => {
                format!("{n:.1} in a million records, if all are new")
            }
        }
    }
}
