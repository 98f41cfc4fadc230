//! What a filter promised and could not keep: the window, the error rate, the planned number of keys. It is reported once, when
//! it begins, and again at the end.

use lately::{Kind, Stats};

use crate::filter::EVERYTHING;
use crate::judge::Extremes;
use crate::kinds::{forgets, is_windowed};
use crate::units::{exact_size, real, show_time};

#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked {
    pub(crate) algo: Kind,
    pub(crate) window: Option<u64>,
    pub(crate) lateness: u64,
    /// The window, distance or capacity in keys, 0 if there is none.
    pub(crate) keys: u64,
    pub(crate) error_rate: f64,
    /// Whether that is a request, and not what the memory leaves.
    pub(crate) is_rate_asked: bool,
    pub(crate) miss_rate: Option<f64>,
    pub(crate) memory: Option<u64>,
    pub(crate) limited_by: LimitedBy,
    /// Whether the error rate gives way at the memory limit, and not the window.
    pub(crate) may_raise: bool,
}

/// Who said how much memory there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LimitedBy {
    Option,
    Default,
    State,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Broken {
    /// The filter does not reach back as far as its window.
    pub(crate) window: bool,
    pub(crate) rate: bool,
    pub(crate) keys: bool,
}

impl Broken {
    pub(crate) fn new(asked: &Asked, stats: &Stats, worst: Extremes) -> Self {
        let is_set = asked.keys > 0 && !is_windowed(asked.algo) && !forgets(asked.algo);
        Self {
            window: asked.window.is_some_and(|window| worst.forgot || worst.reach < window),
            rate: is_raised(asked, stats, worst) || is_above(asked, stats, worst),
            keys: is_set && stats.items > asked.keys,
        }
    }

    pub(crate) fn any(self) -> bool {
        self.window || self.rate || self.keys
    }

    /// Those that are broken here and not there. That too many keys raise the error rate is said with them.
    fn without(self, other: Self) -> Self {
        let Self { window, rate, keys } = other;
        Self { window: self.window && !window, rate: self.rate && !rate && !keys, keys: self.keys && !keys }
    }

    /// What is said of them, one line for all.
    pub(crate) fn say(self, asked: &Asked, stats: &Stats, worst: Extremes) -> Option<String> {
        let rate = || {
            let [from, to] = [show_rate(asked.error_rate), show_found(worst.error_rate)];
            format!("raised the error rate from {from} to {to}")
        };
        match self {
            Self { window: true, .. } => Some(format!("{} {}", limit(asked, stats, worst), shortened(asked, worst))),
            Self { keys: true, rate: true, .. } => Some(format!("{} {}", crowd(asked, stats), rate())),
            Self { keys: true, .. } => Some(format!("{} raise the error rate", crowd(asked, stats))),
            Self { rate: true, .. } if is_raised(asked, stats, worst) => {
                Some(format!("{} {}", limit(asked, stats, worst), rate()))
            }
            Self { rate: true, .. } => Some(format!("the keys that came {}", rate())),
            _ => None,
        }
    }
}

/// Whether the limit made the rate rise: the filter put shifts off, or its slices could not be as large as they should
/// be (it then fills most of the memory, and passes the rate that was asked for).
pub(crate) fn is_raised(asked: &Asked, stats: &Stats, worst: Extremes) -> bool {
    let most = asked.memory.unwrap_or(u64::MAX);
    let is_full = worst.error_rate > asked.error_rate && stats.bytes_peak > most / 2;
    asked.window.is_some() && asked.may_raise && (stats.deferred > 0 || is_full)
}

/// Whether the rate is above the one that was asked for by more than chance does.
fn is_above(asked: &Asked, stats: &Stats, worst: Extremes) -> bool {
    asked.is_rate_asked && worst.error_rate > asked.error_rate * chance(asked, stats)
}

/// How far the rate of a filter that is as full as planned can be above the plan by chance: the fewer keys it has, the
/// more its fill varies.
fn chance(asked: &Asked, stats: &Stats) -> f64 {
    let keys = if asked.keys > 0 { asked.keys } else { stats.items };
    1.1 + 10.0 / real(keys.max(1)).sqrt()
}

#[derive(Debug, Default)]
pub(crate) struct Promises {
    told: Broken,
}

impl Promises {
    /// What to say, if a promise is broken that was not before.
    pub(crate) fn news(&mut self, asked: &Asked, stats: &Stats, worst: Extremes) -> Option<String> {
        let broken = Broken::new(asked, stats, worst);
        let news = broken.without(self.told);
        self.told = broken;
        news.say(asked, stats, worst)
    }
}

fn shortened(asked: &Asked, worst: Extremes) -> String {
    let [window, shortest] = [asked.window.unwrap_or(0), worst.reach].map(show_time);
    if asked.window == Some(EVERYTHING) {
        return format!("could not contain the keys of all records: those older than {shortest} were forgotten");
    }
    format!("shortened the window from {window} to {shortest}")
}

fn crowd(asked: &Asked, stats: &Stats) -> String {
    format!("{} keys in a set planned for {}", stats.items, asked.keys)
}

/// What gave way to what. A window that is short without a loss in this run is one of an earlier run; far below its own
/// limit a filter met that of the system.
fn limit(asked: &Asked, stats: &Stats, worst: Extremes) -> String {
    let (allowed, peak) = (asked.memory.unwrap_or(0), stats.bytes_peak);
    let size = exact_size(allowed);
    match asked.limited_by {
        _ if !worst.forgot && worst.reach < asked.window.unwrap_or(0) => String::from("the memory of an earlier run"),
        _ if peak < allowed / 2 => format!("the system, which gave {} where {size} were allowed,", exact_size(peak)),
        LimitedBy::Option => format!("the limit --memory {size}"),
        LimitedBy::Default => format!("the limit --memory {size}, the default,"),
        LimitedBy::State => format!("the limit --memory {size} of the state"),
    }
}

/// A rate that was found: with an exponent where a decimal would be mostly zeros.
fn show_found(rate: f64) -> String {
    if rate < 1e-3 {
        return format!("{rate:.3e}");
    }
    let text = format!("{rate:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A rate as it was asked for, or, if a plan made it, with four digits.
pub(crate) fn show_rate(rate: f64) -> String {
    let [short, exact] = [format!("{rate:.3e}"), format!("{rate:e}")];
    if exact.len() < short.len() { exact } else { short }
}
