//! A filter in one line, for a log: kind, window, bytes, error rate. Never its cells, keys or secret.

use std::fmt;
use std::time::Duration;

use crate::filter::contract::Contract;
use crate::filter::values::Stats;
use crate::kind::Kind;
use crate::text::Text;

/// The figures of the line.
#[derive(Clone, Copy)]
pub(crate) struct Glance {
    kind: Kind,
    /// The window, and whether it is one of time; 0 where there is none.
    window: u64,
    timed: bool,
    bytes: u64,
    error_rate: f64,
}

impl Glance {
    /// The figures of a filter with these statistics.
    pub(crate) fn of<K: Contract>(filter: &K, stats: &Stats) -> Self {
        Self {
            kind: K::KIND,
            window: filter.window(),
            timed: filter.has_time(),
            bytes: stats.bytes,
            error_rate: stats.error_rate,
        }
    }

    /// The line in memory of fixed size, which has room for every one.
    pub(crate) fn line(self) -> Text<160> {
        Text::of(self)
    }
}

impl fmt::Display for Glance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.name())?;
        match (self.timed, self.window) {
            (_, 0) => {}
            (true, ns) => write!(f, ", window {:?}", Duration::from_nanos(ns))?,
            (false, keys) => write!(f, ", window {keys} keys")?,
        }
        write!(f, ", {} bytes, error rate {:.2e}", self.bytes, self.error_rate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_line_fits() {
        let most = Glance {
            kind: *Kind::ALL.iter().max_by_key(|kind| kind.name().len()).expect("there are kinds"),
            window: u64::MAX,
            timed: false,
            bytes: u64::MAX,
            error_rate: f64::MIN_POSITIVE,
        };
        for glance in [most, Glance { timed: true, ..most }] {
            assert_eq!(glance.line().as_str(), glance.to_string());
            assert!(glance.line().len() < 120, "{glance}");
        }
    }
}
