//! The metrics that a recorder of the crate `metrics` hands to Prometheus are the figures of `stats`, name by name.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use lately::{Clock, Filter, Metrics, Options, Stats, Tick, Unit};
use metrics::{Counter, Gauge, Histogram, Key, KeyName, Metadata, Recorder, SharedString};

const TABLE: &str = include_str!("../packaging/metrics/metrics.tsv");

/// Rows of the table that every exporter has: name, type, source, divisor, help.
fn rows() -> Vec<[&'static str; 5]> {
    let cells = |line: &'static str| line.split('\t').collect::<Vec<_>>();
    let rows = TABLE
        .lines()
        .skip(1)
        .map(cells)
        .filter(|cells| cells[4].split(' ').any(|place| ["all", "rust"].contains(&place)));
    rows.map(|cells| [cells[0], cells[1], cells[2], cells[3], cells[5]]).collect()
}

/// The fields of the statistics by their names, as `Debug` shows them.
fn fields(stats: &Stats) -> BTreeMap<String, f64> {
    let shown = format!("{stats:?}").replace("Tick(", "").replace([')', '{', '}'], "");
    let pairs = shown.split([' ', ',']).filter(|word| !word.is_empty()).collect::<Vec<_>>();
    pairs[1..].chunks(2).map(|pair| (pair[0].replace(':', ""), pair[1].parse().expect(pair[0]))).collect()
}

/// A recorder that keeps what it is handed, as that of an exporter does: by name and label, and the texts of help by name.
#[derive(Debug, Default)]
struct Kept {
    counters: Mutex<BTreeMap<String, Arc<AtomicU64>>>,
    gauges: Mutex<BTreeMap<String, Arc<AtomicU64>>>,
    helps: Mutex<BTreeMap<String, (&'static str, String)>>,
}

/// The number of a metric, made when it is first asked for.
fn number(numbers: &Mutex<BTreeMap<String, Arc<AtomicU64>>>, key: &Key) -> Arc<AtomicU64> {
    let labels: Vec<String> = key.labels().map(|label| format!("{}=\"{}\"", label.key(), label.value())).collect();
    let name = format!("{}{{{}}}", key.name(), labels.join(","));
    Arc::clone(numbers.lock().expect("no panic").entry(name).or_default())
}

impl Kept {
    fn describe(&self, name: &KeyName, kind: &'static str, help: &SharedString) {
        self.helps.lock().expect("no panic").insert(name.as_str().to_owned(), (kind, help.to_string()));
    }

    /// Every value by its name.
    fn scrape(&self) -> BTreeMap<String, f64> {
        let (counters, gauges) = (self.counters.lock().expect("no panic"), self.gauges.lock().expect("no panic"));
        let count = |(name, value): (&String, &Arc<AtomicU64>)| (name.clone(), real(value.load(Relaxed)));
        let gauge = |(name, value): (&String, &Arc<AtomicU64>)| (name.clone(), f64::from_bits(value.load(Relaxed)));
        counters.iter().map(count).chain(gauges.iter().map(gauge)).collect()
    }
}

/// A count of the tests, which are small.
fn real(n: u64) -> f64 {
    u32::try_from(n).map_or(f64::NAN, f64::from)
}

impl Recorder for Kept {
    fn describe_counter(&self, name: KeyName, _: Option<metrics::Unit>, help: SharedString) {
        self.describe(&name, "counter", &help);
    }

    fn describe_gauge(&self, name: KeyName, _: Option<metrics::Unit>, help: SharedString) {
        self.describe(&name, "gauge", &help);
    }

    fn describe_histogram(&self, name: KeyName, _: Option<metrics::Unit>, help: SharedString) {
        self.describe(&name, "histogram", &help);
    }

    fn register_counter(&self, key: &Key, _: &Metadata<'_>) -> Counter {
        Counter::from_arc(number(&self.counters, key))
    }

    fn register_gauge(&self, key: &Key, _: &Metadata<'_>) -> Gauge {
        Gauge::from_arc(number(&self.gauges, key))
    }

    fn register_histogram(&self, _: &Key, _: &Metadata<'_>) -> Histogram {
        Histogram::noop()
    }
}

/// A filter with every count that a window table can have, and its options.
fn busy() -> (Filter, Options) {
    let options =
        Options::window(Duration::from_secs(600)).clock(Clock::Manual(Unit::Nanoseconds)).max_step_ns(1_000_000_000);
    let options = options.error_rate(1e-4).memory(4096).lateness_ns(1_000_000);
    let mut filter = Filter::new(&options).expect("a filter");
    for i in 0..20_000u64 {
        filter.observe_at((i % 15_000).to_le_bytes(), Tick(i * 1_000 + 5_000_000)).expect("a verdict");
    }
    filter.observe_at("late", Tick(1)).expect("a verdict");
    filter.observe_at("refused", Tick(u64::MAX)).expect_err("a tick too far ahead");
    (filter, options)
}

/// A recorder with the figures of these statistics.
fn record(name: &str, options: &Options, stats: &Stats) -> Kept {
    let kept = Kept::default();
    metrics::with_local_recorder(&kept, || Metrics::new(name, options).expect("metrics").record(stats));
    kept
}

#[test]
fn a_scrape_has_every_figure_of_stats() {
    let (filter, options) = busy();
    let stats = filter.stats();
    let mut figures = fields(&stats);
    for counted in ["new_count", "duplicate_count", "late_ticks", "refused_ticks", "forgotten", "max_lateness_ns"] {
        assert!(figures[counted] > 0.0, "{counted} is 0, and shows nothing");
    }
    figures.insert("options.memory".into(), 4096.0);
    figures.insert("options.window_ns".into(), 600e9);
    figures.insert("options.error_rate".into(), 1e-4);
    let kept = record("orders", &options, &stats);
    let (samples, helps) = (kept.scrape(), kept.helps.lock().expect("no panic"));
    assert_eq!(samples.len(), rows().len(), "{samples:?}");
    for [name, kind, source, divisor, help] in rows() {
        let want = figures[source] / divisor.parse::<f64>().expect(divisor);
        assert_eq!(samples[&format!("{name}{{filter=\"orders\"}}")], want, "{name} and {source}");
        assert_eq!(helps[name], (kind, help.to_owned()), "{name}");
    }
}

#[test]
fn limits_that_were_not_asked_for_are_absent() {
    let options = Options::last(1000);
    let samples = record("last", &options, &Filter::new(&options).expect("a filter").stats()).scrape();
    for absent in ["lately_window_seconds", "lately_memory_limit_bytes"] {
        assert!(!samples.contains_key(&format!("{absent}{{filter=\"last\"}}")), "{absent}: {samples:?}");
    }
    let planned = Filter::plan(&options).expect("a plan").error_rate_worst;
    assert_eq!(samples["lately_error_limit_ratio{filter=\"last\"}"], planned);
}

#[test]
fn options_of_no_filter_are_the_error_of_the_filter() {
    let options = Options::last(9).k(3);
    let refused = Metrics::new("none", &options).expect_err("no filter");
    assert_eq!(refused.to_string(), Filter::new(&options).expect_err("no filter").to_string());
}
