//! What can be said of the filter, which kind follows from it, and the library's options that it means.
//!
//! `--window`, `--last`, `--capacity` and `--memory` each name a kind, in this order; `--algo` says it outright. An
//! option that the kind does not have is an error that names both: nothing is silently left out.

use std::path::PathBuf;

use clap::ValueEnum;
use lately::{ClockSource, Kind, OnLimit, Options, Repeat, Variant};
use serde::Serialize;

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
    #[arg(long, value_name = "KIND", hide_possible_values = true, ignore_case = true)]
    pub(crate) algo: Option<Algo>,

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

/// The kinds of filter, by their names on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Algo {
    TimeLimited,
    AgePartitioned,
    #[value(alias = "tinyset")]
    TinySet,
    Quotient,
}

/// What a filter finds again for certain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Finds {
    /// What came within a span of time; its traffic is not bounded.
    Time,
    /// The last records.
    Records,
    /// All that it took in.
    Ever,
    /// Nothing: its memory is fixed, and forgets.
    Nothing,
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

/// The memory of a filter over time that names none: its traffic is not bounded.
const DEFAULT_MEMORY: u64 = 256 << 20;

/// The error rate of a filter over time that names none.
const DEFAULT_ERROR: f64 = 1e-3;

/// An option that not every kind has: whether it is given, and the kinds that have it.
struct KindOption {
    name: &'static str,
    given: fn(&FilterArgs) -> bool,
    kinds: &'static [Algo],
}

const KIND_OPTIONS: [KindOption; 8] = [
    KindOption { name: "--window", given: |args| args.window.is_some(), kinds: &[Algo::TimeLimited] },
    KindOption { name: "--last", given: |args| args.last.is_some(), kinds: &[Algo::AgePartitioned, Algo::Quotient] },
    KindOption { name: "--capacity", given: |args| args.capacity.is_some(), kinds: &[Algo::TinySet] },
    KindOption { name: "--variant", given: |args| args.variant.is_some(), kinds: &[Algo::Quotient] },
    KindOption { name: "--miss", given: |args| args.miss.is_some(), kinds: &[Algo::Quotient] },
    KindOption { name: "--on-limit", given: |args| args.on_limit.is_some(), kinds: &[Algo::TimeLimited] },
    KindOption { name: "--refresh", given: |args| args.refresh, kinds: &[Algo::TimeLimited, Algo::AgePartitioned] },
    KindOption { name: "--first", given: |args| args.first, kinds: &[Algo::TimeLimited, Algo::AgePartitioned] },
];

/// The kind, and the option that says so.
#[derive(Debug, Clone)]
pub(crate) struct Choice {
    pub(crate) algo: Algo,
    by: String,
}

impl Choice {
    /// An option was given that the kind does not have.
    pub(crate) fn refuse(&self, option: &str) -> String {
        let (by, kind) = (&self.by, self.algo.name());
        format!("the argument '{option}' cannot be used with '{by}': {kind} filters have no such option")
    }
}

impl Algo {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::TimeLimited => "time-limited",
            Self::AgePartitioned => "age-partitioned",
            Self::TinySet => "tiny-set",
            Self::Quotient => "quotient",
        }
    }

    pub(crate) fn finds(self) -> Finds {
        match self {
            Self::TimeLimited => Finds::Time,
            Self::AgePartitioned => Finds::Records,
            Self::TinySet => Finds::Ever,
            Self::Quotient => Finds::Nothing,
        }
    }

    fn kind(self) -> Kind {
        match self {
            Self::TimeLimited => Kind::TimeLimited,
            Self::AgePartitioned => Kind::AgePartitioned,
            Self::TinySet => Kind::TinySet,
            Self::Quotient => Kind::Quotient,
        }
    }
}

impl FilterArgs {
    /// The kind that is asked for; an error if none is, or if an option is given that it does not have.
    pub(crate) fn choice(&self) -> Result<Choice, String> {
        let choice = self.named().ok_or(
            "one of '--window <TIME>', '--last <N>', '--capacity <N>' and '--memory <SIZE>' is needed: it says which \
             records count",
        )?;
        match KIND_OPTIONS.iter().find(|option| (option.given)(self) && !option.kinds.contains(&choice.algo)) {
            Some(option) => Err(choice.refuse(option.name)),
            None => Ok(choice),
        }
    }

    fn named(&self) -> Option<Choice> {
        if let Some(algo) = self.algo {
            return Some(Choice { algo, by: format!("--algo {}", algo.name()) });
        }
        let of_option = KIND_OPTIONS.iter().find(|option| (option.given)(self) && option.names_a_kind());
        let of_memory = self.memory.map(|_| Choice { algo: Algo::Quotient, by: String::from("--memory") });
        of_option.map(|option| Choice { algo: option.kinds[0], by: option.name.into() }).or(of_memory)
    }

    /// The library's options, but for the secret.
    pub(crate) fn options(&self, algo: Algo) -> Options {
        let options = Options::new(algo.kind());
        let options = match algo.finds() {
            Finds::Time => self.timed(options),
            _ => set(set(options, self.error, Options::error_rate), self.memory, Options::memory),
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

    /// The error rate that a filter over time is asked for.
    pub(crate) fn timed_error(&self) -> f64 {
        self.error.unwrap_or(DEFAULT_ERROR)
    }

    /// The memory limit that the filter has, if it has one.
    pub(crate) fn limit(&self, algo: Algo) -> Option<u64> {
        self.memory.or((algo.finds() == Finds::Time).then_some(DEFAULT_MEMORY))
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
    /// Whether the option is enough to know the kind: how repeats are treated is not, nor what gives way.
    fn names_a_kind(&self) -> bool {
        !["--on-limit", "--refresh", "--first"].contains(&self.name)
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
