//! The statistics of a filter for the crate `metrics`, whose recorders hand them to Prometheus and others.

use metrics::{Counter, Gauge, Unit, counter, describe_counter, describe_gauge, gauge};

use crate::error::Error;
use crate::filter::values::Stats;
use crate::handle::Filter;
use crate::num::real;
use crate::options::Options;

use super::{ASKED, Asked, Figure, Metric, STATS};

/// The metrics of one filter, which has the label `filter`. With the feature `metrics`.
///
/// Make it when the recorder is installed, and call [`record`](Self::record) at a steady interval: the crate `metrics` asks
/// for nothing by itself.
///
/// ```
/// use lately::{Metrics, Options, SharedFilter};
///
/// # fn main() -> Result<(), lately::Error> {
/// let options = Options::last(1_000_000);
/// let seen = SharedFilter::new(&options)?;
/// let metrics = Metrics::new("orders", &options)?;
/// seen.observe("order-17")?;
/// metrics.record(&seen.stats());
/// # Ok(())
/// # }
/// ```
pub struct Metrics {
    stats: Vec<(Handle, &'static Figure)>,
}

/// A metric of the recorder.
enum Handle {
    Counter(Counter),
    Gauge(Gauge),
}

impl Metrics {
    /// Describes the metrics of a filter that these options made to the recorder, and records what was asked for.
    ///
    /// # Errors
    ///
    /// The options are no request for a filter.
    pub fn new(filter: &str, options: &Options) -> Result<Self, Error> {
        let asked = Asked::of(options)?;
        for metric in &ASKED {
            metric.set_asked(filter, &asked);
        }
        Ok(Self { stats: STATS.iter().map(|metric| (metric.register(filter), &metric.figure)).collect() })
    }

    /// Records the statistics. A counter of the recorder never falls: after `stats_reset` it stays until the filter has
    /// counted as much again.
    pub fn record(&self, stats: &Stats) {
        for (handle, figure) in &self.stats {
            match (handle, figure) {
                (Handle::Counter(counter), Figure::Count(value)) => counter.absolute(value(stats)),
                (Handle::Gauge(gauge), Figure::Gauge(value)) => gauge.set(value(stats)),
                _ => {}
            }
        }
    }
}

impl std::fmt::Debug for Metrics {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Metrics").finish_non_exhaustive()
    }
}

impl Metric {
    /// Records the figures that were asked for; the others are absent.
    fn set_asked(&self, filter: &str, asked: &Asked) {
        let Figure::Asked(value) = self.figure else { return };
        let Some(value) = value(asked) else { return };
        if let Handle::Gauge(gauge) = self.register(filter) {
            gauge.set(value);
        }
    }

    fn register(&self, filter: &str) -> Handle {
        let (name, filter) = (self.name, filter.to_owned());
        if matches!(self.figure, Figure::Count(_)) {
            describe_counter!(name, self.help);
            return Handle::Counter(counter!(name, "filter" => filter));
        }
        match self.unit() {
            Some(unit) => describe_gauge!(name, unit, self.help),
            None => describe_gauge!(name, self.help),
        }
        Handle::Gauge(gauge!(name, "filter" => filter))
    }

    fn unit(&self) -> Option<Unit> {
        let units = [("_bytes", Unit::Bytes), ("_seconds", Unit::Seconds)];
        units.into_iter().find(|(ending, _)| self.name.ends_with(ending)).map(|(_, unit)| unit)
    }
}

impl Asked {
    fn of(options: &Options) -> Result<Self, Error> {
        let planned = Filter::plan(options)?.error_rate_worst;
        Ok(Self {
            memory: options.memory.map(real),
            window: options.window_ns.map(|ns| real(ns) / 1e9),
            error_rate: options.error_rate.or(Some(planned).filter(|rate| !rate.is_nan())),
        })
    }
}
