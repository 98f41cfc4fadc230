//! What can be said of the filter, which kind follows from it, and the library's options that it means.
//!
//! `--window`, `--last`, `--capacity` and `--memory` each name a kind, in this order; `--algo` says it outright. An
//! option that the kind does not have is an error that names both: nothing is silently left out.

use std::path::PathBuf;

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use lately::{ClockSource, Field, Kind, OnLimit, Options, Repeat, Variant};
use serde::Serializer;

use crate::units;

/// The options of the filter, the same for a run and for a plan.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Filter")]
pub(crate) struct FilterArgs {
    /// Find duplicates within this time (time-limited): a number with ms, s, m, h or d
    #[arg(short, long, value_name = "TIME", value_parser = units::window, allow_hyphen_values = true)]
    pub(crate) window: Option<u64>,

    /// Find duplicates among the last N records (age-partitioned); with --algo quotient the distance that matters
    #[arg(long, value_name = "N", value_parser = units::count, allow_hyphen_values = true)]
    pub(crate) last: Option<u64>,

    /// Find duplicates among all records, planned for N different ones (TinySet)
    #[arg(long, value_name = "N", value_parser = units::count, allow_hyphen_values = true)]
    pub(crate) capacity: Option<u64>,

    /// The most memory that the filter may take: bytes, or with K, M or G [default with --window: 256M]. Alone: a
    /// filter of just this size for a stream without end (quotient)
    #[arg(short, long, value_name = "SIZE", value_parser = units::memory, allow_hyphen_values = true)]
    pub(crate) memory: Option<u64>,

    /// The chance that a key that was not seen is called a duplicate: above 0, at most 0.5 [default: 1e-3, or what
    /// the other options leave]
    #[arg(short, long, value_name = "RATE", value_parser = units::error_rate, allow_hyphen_values = true)]
    pub(crate) error: Option<f64>,

    /// The chance that a duplicate --last records ago is called new (quotient): above 0, below 1
    #[arg(long, value_name = "RATE", value_parser = units::miss_rate, allow_hyphen_values = true)]
    pub(crate) miss: Option<f64>,

    /// The kind of filter, outright: time-limited, age-partitioned, tiny-set or quotient
    #[arg(long, value_name = "KIND", value_parser = kind_parser(), hide_possible_values = true, ignore_case = true)]
    pub(crate) algo: Option<Kind>,

    /// The member of the quotient family: qht, qhtd, qqht or qqhtd [default: qqhtd]
    #[arg(long, value_name = "NAME", hide_possible_values = true, ignore_case = true)]
    pub(crate) variant: Option<Member>,

    /// What gives way when the memory is used up: the window (forget) or the error rate (raise) [default: forget]
    #[arg(long, value_name = "WHAT", hide_possible_values = true)]
    pub(crate) on_limit: Option<Limit>,

    /// The age of a key counts from its last sighting (default of the two windows)
    #[arg(long, conflicts_with = "first")]
    pub(crate) refresh: bool,

    /// The age of a key counts from the sighting that was called new: a key that keeps coming is new once a window
    #[arg(long)]
    pub(crate) first: bool,

    /// Hash under the secret in this file, 32 hex digits; made, for its owner alone, if it is not there
    #[arg(long, value_name = "FILE")]
    pub(crate) keyed: Option<PathBuf>,
}

/// What the long help says of the kinds.
pub(crate) const KINDS: &str = "\
Kinds of filter:
  --window T    time-limited: finds every duplicate within T of time
  --last N      age-partitioned: finds every duplicate among the last N records (with --first: the last N that were \
called new)
  --capacity N  TinySet: finds every duplicate of all time; past N keys its error rate climbs
  --memory M    quotient: M bytes for a stream without end; it forgets, and its plan says how fast
--algo says it outright: then --memory alone makes the largest window, or set, that fits, and --algo quotient takes \
--last N with --miss as the distance at which duplicates matter.
";

/// Reads the name of a kind, with its hyphens or without.
fn kind_parser() -> impl TypedValueParser<Value = Kind> {
    let bare = |name: &str| name.replace('-', "").to_ascii_lowercase();
    let names = Kind::ALL.iter().map(move |kind| PossibleValue::new(kind.name()).alias(bare(kind.name())));
    PossibleValuesParser::new(names).try_map(move |text| {
        let named = Kind::ALL.iter().find(|kind| bare(kind.name()) == bare(&text));
        named.copied().ok_or_else(|| format!("no kind is called {text}"))
    })
}

/// Writes the name of a kind.
pub(crate) fn name<S: Serializer>(kind: &Kind, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(kind.name())
}

/// Whether the window is a span of time.
pub(crate) fn is_timed(kind: Kind) -> bool {
    kind.takes(Field::WindowNs)
}

/// Whether there is a window, of time or of records.
pub(crate) fn is_windowed(kind: Kind) -> bool {
    kind.takes(Field::Repeat)
}

/// Whether duplicates are missed by design.
pub(crate) fn forgets(kind: Kind) -> bool {
    kind.takes(Field::MissRate)
}

/// The members of the quotient family.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Member {
    Qht,
    Qhtd,
    Qqht,
    Qqhtd,
}

/// What gives way at the memory limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Limit {
    Forget,
    Raise,
}

/// The memory of a time-limited filter that names none: its traffic is not bounded.
const DEFAULT_MEMORY: u64 = 256 << 20;

/// The error rate of a time-limited filter that names none.
const DEFAULT_ERROR: f64 = 1e-3;

/// An option that not every kind has: whether it is given, the library's option that it sets, and the kind that it
/// alone is enough to know.
struct KindOption {
    name: &'static str,
    given: fn(&FilterArgs) -> bool,
    sets: Field,
    says: Option<Kind>,
}

const KIND_OPTIONS: [KindOption; 8] = [
    KindOption {
        name: "--window",
        given: |a| a.window.is_some(),
        sets: Field::WindowNs,
        says: Some(Kind::TimeLimited),
    },
    KindOption {
        name: "--last",
        given: |a| a.last.is_some(),
        sets: Field::WindowKeys,
        says: Some(Kind::AgePartitioned),
    },
    KindOption {
        name: "--capacity",
        given: |a| a.capacity.is_some(),
        sets: Field::Capacity,
        says: Some(Kind::TinySet),
    },
    KindOption { name: "--variant", given: |a| a.variant.is_some(), sets: Field::Variant, says: Some(Kind::Quotient) },
    KindOption { name: "--miss", given: |a| a.miss.is_some(), sets: Field::MissRate, says: Some(Kind::Quotient) },
    KindOption { name: "--on-limit", given: |a| a.on_limit.is_some(), sets: Field::OnLimit, says: None },
    KindOption { name: "--refresh", given: |a| a.refresh, sets: Field::Repeat, says: None },
    KindOption { name: "--first", given: |a| a.first, sets: Field::Repeat, says: None },
];

/// The kind, and the option that says so.
#[derive(Debug, Clone)]
pub(crate) struct Choice {
    pub(crate) algo: Kind,
    by: String,
}

impl Choice {
    /// An option was given that the kind does not have.
    pub(crate) fn refuse(&self, option: &str) -> String {
        let (by, kind) = (&self.by, self.algo.name());
        format!("the argument '{option}' cannot be used with '{by}': {kind} filters have no such option")
    }
}

impl FilterArgs {
    /// The kind that is asked for; an error if none is, or if an option is given that it does not have.
    pub(crate) fn choice(&self) -> Result<Choice, String> {
        let choice = self.named().ok_or(
            "one of '--window <TIME>', '--last <N>', '--capacity <N>' and '--memory <SIZE>' is needed: it says which \
             records count",
        )?;
        match KIND_OPTIONS.iter().find(|own| (own.given)(self) && !own.is_of(choice.algo)) {
            Some(own) => Err(choice.refuse(own.name)),
            None => Ok(choice),
        }
    }

    fn named(&self) -> Option<Choice> {
        if let Some(algo) = self.algo {
            return Some(Choice { algo, by: format!("--algo {}", algo.name()) });
        }
        let of_own =
            KIND_OPTIONS.iter().filter(|own| (own.given)(self)).find_map(|own| own.says.map(|algo| (algo, own.name)));
        let of_memory = self.memory.map(|_| (Kind::Quotient, "--memory"));
        of_own.or(of_memory).map(|(algo, by)| Choice { algo, by: by.into() })
    }

    /// The library's options, but for the secret.
    pub(crate) fn options(&self, algo: Kind) -> Options {
        let options = Options::new(algo);
        let options = match is_timed(algo) {
            true => self.timed(options),
            false => set(set(options, self.error, Options::error_rate), self.memory, Options::memory),
        };
        let options = set(options, self.last, Options::window_keys);
        let options = set(options, self.capacity, Options::capacity);
        let options = set(options, self.miss, Options::miss_rate);
        let options = set(options, self.variant.map(Member::variant), Options::variant);
        let options = set(options, self.repeat(), Options::repeat);
        set(options, self.keyed.as_ref().map(|_| true), Options::keyed)
    }

    fn timed(&self, options: Options) -> Options {
        let options = options.clock(ClockSource::Manual).error_rate(self.timed_error());
        let options = options.memory(self.memory.unwrap_or(DEFAULT_MEMORY));
        set(set(options, self.window, Options::window_ns), self.on_limit.map(Limit::on_limit), Options::on_limit)
    }

    /// The error rate that a time-limited filter is asked for.
    pub(crate) fn timed_error(&self) -> f64 {
        self.error.unwrap_or(DEFAULT_ERROR)
    }

    /// The memory limit that the filter has, if it has one.
    pub(crate) fn limit(&self, algo: Kind) -> Option<u64> {
        self.memory.or(is_timed(algo).then_some(DEFAULT_MEMORY))
    }

    fn repeat(&self) -> Option<Repeat> {
        match (self.first, self.refresh) {
            (true, _) => Some(Repeat::KeepFirst),
            (_, true) => Some(Repeat::Refresh),
            _ => None,
        }
    }
}

impl KindOption {
    /// Whether the kind has it. The keys of a window of time are no business of the shell but by `lately plan --rate`.
    fn is_of(&self, kind: Kind) -> bool {
        kind.takes(self.sets) && !(self.sets == Field::Capacity && is_timed(kind))
    }
}

impl Member {
    fn variant(self) -> Variant {
        match self {
            Self::Qht => Variant::Qht,
            Self::Qhtd => Variant::Qhtd,
            Self::Qqht => Variant::Qqht,
            Self::Qqhtd => Variant::Qqhtd,
        }
    }
}

impl Limit {
    fn on_limit(self) -> OnLimit {
        match self {
            Self::Forget => OnLimit::ForgetOldest,
            Self::Raise => OnLimit::RaiseErrorRate,
        }
    }
}

/// Sets an option if its value is given.
fn set<T>(options: Options, value: Option<T>, with: fn(Options, T) -> Options) -> Options {
    match value {
        Some(value) => with(options, value),
        None => options,
    }
}
