//! The statistics of a filter as metrics: their names, and where each figure is. The feature `metrics` has a recorder for them, and
//! the shell writes them to a file.
//!
//! `docs/reference/metrics.md` lists the metrics; `src/metrics/table.rs` is made from the same file.

#[cfg(feature = "metrics")]
mod recorder;
mod table;

use crate::filter::values::Stats;

#[cfg(feature = "metrics")]
pub use recorder::Metrics;
pub use table::{ASKED, STATS};

/// A metric of the table.
#[derive(Debug)]
pub struct Metric {
    /// Its name, in the convention of Prometheus.
    pub name: &'static str,
    /// Where its figure is.
    pub figure: Figure,
    /// One sentence.
    pub help: &'static str,
}

/// Where a figure is.
#[derive(Debug)]
pub enum Figure {
    /// A counter, of the statistics.
    Count(fn(&Stats) -> u64),
    /// A gauge, of the statistics.
    Gauge(fn(&Stats) -> f64),
    /// A gauge, of what was asked for; absent if it was not.
    Asked(fn(&Asked) -> Option<f64>),
}

/// The figures that were asked for, in the units of the metrics.
#[derive(Debug)]
pub struct Asked {
    /// Bytes.
    pub memory: Option<f64>,
    /// Seconds.
    pub window: Option<f64>,
    /// From 0 to 1.
    pub error_rate: Option<f64>,
}
