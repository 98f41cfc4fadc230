//! The options of the filter, and the library's options that they set.

use std::path::PathBuf;

use clap::Parser;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use lately::{Clock, Field, Kind, OnLimit, Options, Repeat, Unit, Variant};

use crate::misuse::out_of_range;
use crate::summary::Summary;
use crate::units;

/// The options of the filter, the same for a run and for a plan.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Filter")]
pub(crate) struct FilterArgs {
    /// Find duplicates within this time: a number with ns, us, ms, s, m, h, d or w, also several (1h30m)
    #[arg(short, long, value_name = "TIME", value_parser = units::window, allow_hyphen_values = true)]
    pub(crate) window: Option<u64>,

    /// Find duplicates among the last N records; with --algo quotient the distance that matters
    #[arg(long, value_name = "N", value_parser = units::count, allow_hyphen_values = true)]
    pub(crate) last: Option<u64>,

    /// Find duplicates among all records, planned for N different ones (TinySet)
    #[arg(long, value_name = "N", value_parser = units::count, allow_hyphen_values = true)]
    pub(crate) capacity: Option<u64>,

    /// The most memory that the filter may take: bytes, or with K, M or G [default with --window: 256M]. Alone: a
    /// filter of just this size for a stream without end (quotient)
    #[arg(short, long, value_name = "SIZE", value_parser = units::memory, allow_hyphen_values = true)]
    pub(crate) memory: Option<u64>,

    /// The chance that a key that was not seen is called a duplicate: above 0, at most 0.5 [default: 1e-6 (quotient:
    /// 1e-3), or what the other options leave]
    #[arg(short, long, value_name = "RATE", value_parser = units::error_rate, allow_hyphen_values = true)]
    pub(crate) error: Option<f64>,

    /// The chance that a duplicate --last records ago is called new (quotient): above 0, below 1
    #[arg(long, value_name = "RATE", value_parser = units::miss_rate, allow_hyphen_values = true)]
    pub(crate) miss: Option<f64>,

    /// The kind of filter, outright: window-table, time-limited, age-partitioned, tiny-set or quotient
    #[arg(long, value_name = "KIND", value_parser = kind_parser(), hide_possible_values = true, ignore_case = true)]
    pub(crate) algo: Option<Kind>,

    /// The member of the quotient family: qht, qhtd, qqht or qqhtd [default: qqhtd]
    #[arg(long, value_name = "NAME", value_parser = choice_parser(&VARIANTS), hide_possible_values = true, ignore_case = true)]
    pub(crate) variant: Option<Variant>,

    /// What gives way when the memory is used up: the window (forget) or the error rate (raise: the filter is
    /// time-limited) [default: forget]
    #[arg(long, value_name = "WHAT", value_parser = choice_parser(&LIMITS), hide_possible_values = true)]
    pub(crate) on_limit: Option<OnLimit>,

    /// Bits of the age of a key, 2 to 5 (window-table): a key is called a duplicate for at most
    /// window / (2^N - 1) too long; with --lateness, (window + lateness) / (2^N - 1) [default: 3, with --lateness 4 or 5]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub(crate) age_bits: Option<u32>,

    /// How late a record may be: one that is at most this far below the clock is judged at its own time. With --window and
    /// the times of the records; at most 24/7 of the window [default: 0]
    #[arg(long, value_name = "TIME", value_parser = units::step, allow_hyphen_values = true)]
    pub(crate) lateness: Option<u64>,

    /// The age of a key counts from its last sighting (default of the windows)
    #[arg(long, conflicts_with = "first")]
    pub(crate) refresh: bool,

    /// The age of a key counts from the sighting that was called new: a key that keeps coming is new once a window
    #[arg(long)]
    pub(crate) first: bool,

    /// Hash under the secret in this file, 32 hex digits; created, for its owner alone, if it does not exist
    #[arg(long, value_name = "FILE")]
    pub(crate) keyed: Option<PathBuf>,

    /// An option of 'lately plan' that only some kinds have: algo=KIND, variant=NAME, miss=RATE, on-limit=WHAT or
    /// age-bits=N. It may repeat
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) filter: Vec<String>,

    /// Print each first sighting at once, and once the window of a key that repeated has closed a summary of it: a line of
    /// JSON, or TEMPLATE, with {n}, {first_repeat}, {last} and {record} in it. The entries have a quarter of --memory; the oldest is
    /// summed up early when that is full
    #[arg(
        long,
        value_name = "TEMPLATE",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "json",
        value_parser = Summary::parse,
        help_heading = "Output"
    )]
    pub(crate) count: Option<Summary>,

    /// Whether records are held back.
    #[arg(skip)]
    pub(crate) holds: bool,

    /// The memory of a state.
    #[arg(skip)]
    pub(crate) kept: StateMemory,
}

/// Which memory counts: that of a state, or the one that is asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum StateMemory {
    /// There is no state, or its memory is what is asked for.
    #[default]
    Asked,
    /// Nothing is asked for: that of the state stays.
    Open,
    /// This is asked for, and a filter of this kind cannot change its size.
    Fixed(u64),
}

/// The message of an error, without the usage that clap adds.
fn first_line(error: &clap::Error) -> String {
    let said = error.render().to_string();
    said.split("\n\n").next().unwrap_or_default().trim_start_matches("error: ").to_owned()
}

/// Reads the name of a kind, with its hyphens or without.
fn kind_parser() -> impl TypedValueParser<Value = Kind> {
    let bare = |name: &str| name.replace('-', "").to_ascii_lowercase();
    let names = Kind::ALL.iter().map(move |kind| PossibleValue::new(kind.name()).alias(bare(kind.name())));
    PossibleValuesParser::new(names).try_map(move |text| {
        let named = Kind::ALL.iter().find(|kind| bare(kind.name()) == bare(&text));
        named.copied().ok_or_else(|| format!("no kind is called {text}"))
    })
}

/// The library's choices by their names on the command line.
pub(crate) const VARIANTS: [(&str, Variant); 4] =
    [("qht", Variant::Qht), ("qhtd", Variant::Qhtd), ("qqht", Variant::Qqht), ("qqhtd", Variant::Qqhtd)];
const LIMITS: [(&str, OnLimit); 2] = [("forget", OnLimit::ForgetOldest), ("raise", OnLimit::RaiseErrorRate)];

/// The choice that has this name, whatever its case.
pub(crate) fn chosen<T: Copy>(choices: &[(&str, T)], name: &str) -> Option<T> {
    choices.iter().find(|(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, choice)| *choice)
}

fn choice_parser<T: Copy + Send + Sync>(choices: &'static [(&str, T)]) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(choices.iter().map(|(name, _)| *name))
        .try_map(move |text| chosen(choices, &text).ok_or_else(|| format!("no choice is called {text}")))
}

/// The memory of a window of time that names none: its traffic is not bounded.
pub(crate) const DEFAULT_MEMORY: u64 = 256 << 20;

/// The window where nothing is asked for: as long as any run.
pub(crate) const EVERYTHING: u64 = 36_500 * 86_400_000_000_000;

/// The bits of an age where none are asked for.
const AGE_BITS: u32 = 3;

/// The error rate of a window of time that names none.
const DEFAULT_ERROR: f64 = 1e-6;

/// The parser of `--filter`: the same options, by their names.
#[derive(Debug, Parser)]
#[command(name = "lately", no_binary_name = true)]
struct ByKey {
    #[command(flatten)]
    args: FilterArgs,
}

const KEYS: [&str; 5] = ["algo", "variant", "miss", "on-limit", "age-bits"];

impl FilterArgs {
    /// The same with what `--filter` names in the fields of its options.
    pub(crate) fn with_keys(mut self) -> Result<Self, String> {
        let mut options = Vec::new();
        for pair in &self.filter {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            if !KEYS.contains(&key) || value.is_empty() {
                return Err(out_of_range(
                    "--filter",
                    pair,
                    "algo=KIND, variant=NAME, miss=RATE, on-limit=WHAT or age-bits=N",
                ));
            }
            options.push(format!("--{key}={value}"));
        }
        let ByKey { args } = ByKey::try_parse_from(options).map_err(|error| first_line(&error))?;
        self.algo = self.algo.or(args.algo);
        self.variant = self.variant.or(args.variant);
        self.miss = self.miss.or(args.miss);
        self.on_limit = self.on_limit.or(args.on_limit);
        self.age_bits = self.age_bits.or(args.age_bits);
        Ok(self)
    }

    /// Whether the window is a span of time.
    pub(crate) fn is_timed(&self, kind: Kind) -> bool {
        kind.takes(Field::WindowNs) && (self.window.is_some() || !kind.takes(Field::WindowKeys))
    }

    /// The library's options, except the secret.
    pub(crate) fn options(&self, algo: Kind) -> Options {
        let (options, is_timed) = (Options::new(algo), self.is_timed(algo));
        let options = set(options, is_timed.then_some(Clock::Manual(Unit::Nanoseconds)), Options::clock);
        let memory = self.limit(algo).map(|memory| self.of_filter(memory));
        let repeat = self.first.then_some(Repeat::KeepFirst).or(self.refresh.then_some(Repeat::Refresh));
        let options = set(options, self.rate(algo), Options::error_rate);
        let options = set(options, memory, Options::memory);
        let options = set(options, self.window.filter(|_| is_timed), Options::window_ns);
        let options = set(options, self.on_limit.filter(|_| is_timed), Options::on_limit);
        let options = set(options, self.last, Options::window_keys);
        let options = set(options, self.capacity, Options::capacity);
        let options = set(options, self.miss, Options::miss_rate);
        let options = set(options, self.variant, Options::variant);
        let options = set(options, repeat, Options::repeat);
        let options = set(options, self.age_bits, Options::age_bits);
        let options = set(options, self.allowed_lateness(), Options::lateness_ns);
        set(options, self.keyed.as_ref().map(|_| true), Options::keyed)
    }

    pub(crate) fn rate(&self, algo: Kind) -> Option<f64> {
        self.error.or(self.is_timed(algo).then_some(DEFAULT_ERROR))
    }

    pub(crate) fn limit(&self, algo: Kind) -> Option<u64> {
        self.memory.or(self.is_timed(algo).then_some(DEFAULT_MEMORY))
    }

    /// What decides about verdicts, in the words of the shell. The memory of a window of time is a limit only.
    pub(crate) fn made(&self, kind: Kind) -> Vec<(&'static str, String)> {
        let number = |n: Option<u64>| n.map(|n| n.to_string());
        let variant = self.variant.filter(|variant| *variant != Variant::Qqhtd);
        let all = [
            ("--algo", Some(kind.name().to_owned())),
            ("--window", self.window.map(units::exact_time)),
            ("--last", number(self.last)),
            ("--capacity", number(self.capacity)),
            ("--memory", number(self.memory.filter(|_| !self.is_timed(kind)))),
            ("--error", self.rate(kind).map(|rate| format!("{rate:e}"))),
            ("--miss", self.miss.map(|rate| format!("{rate:e}"))),
            ("--variant", variant.map(|variant| format!("{variant:?}").to_lowercase())),
            (
                "--on-limit",
                self.on_limit.filter(|limit| *limit == OnLimit::RaiseErrorRate).map(|_| String::from("raise")),
            ),
            ("--age-bits", self.age_bits.filter(|bits| !self.is_default(*bits)).map(|bits| bits.to_string())),
            ("--lateness", self.allowed_lateness().map(units::exact_time)),
            ("--first", self.first.then(String::new)),
            ("--keyed", self.keyed.as_ref().map(|_| String::from("FILE"))),
        ];
        all.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }

    pub(crate) fn allowed_lateness(&self) -> Option<u64> {
        self.lateness.filter(|ns| *ns > 0)
    }

    /// Whether an age has these bits where none are asked for. With a lateness they depend on it.
    fn is_default(&self, bits: u32) -> bool {
        bits == AGE_BITS && self.allowed_lateness().is_none()
    }
}

fn set<T>(options: Options, value: Option<T>, with: fn(Options, T) -> Options) -> Options {
    match value {
        Some(value) => with(options, value),
        None => options,
    }
}
