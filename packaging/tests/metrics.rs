//! One file, `packaging/metrics/metrics.tsv`, has every metric: the table of each exporter and of the page is made from it,
//! and Flink, the module, the dashboard and the alerts name no others. `BLESS=1` writes the tables again.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use packaging::metrics::{self, Metric};
use packaging::options::{camel, pascal};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn path(name: &str) -> PathBuf {
    Path::new(ROOT).join("..").join(name)
}

fn text(name: &str) -> String {
    fs::read_to_string(path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn rows() -> Vec<Metric> {
    metrics::read(&text("packaging/metrics/metrics.tsv")).unwrap_or_else(|why| panic!("metrics.tsv: {why}"))
}

fn names(place: &str) -> BTreeSet<String> {
    rows().into_iter().filter(|row| row.is_in(place)).map(|row| row.name).collect()
}

/// Every word of `text` that begins with `lately_`.
fn words(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.filter(|word| word.starts_with("lately_")).map(str::to_owned).collect()
}

/// Compares a file with what it should be, or writes it.
fn expect(name: &str, want: &str) {
    if std::env::var_os("BLESS").is_some() {
        fs::create_dir_all(path(name).parent().expect("a folder")).expect(name);
        fs::write(path(name), want).expect(name);
    }
    assert!(
        text(name) == want,
        "{name} is not what metrics.tsv makes of it: BLESS=1 cargo test -p packaging --test metrics"
    );
}

#[test]
fn every_table_is_made_from_the_file() {
    let (rows, fields) = (rows(), metrics::stats_fields(&text("include/lately.h")));
    expect("src/metrics/table.rs", &metrics::rust(&rows, &fields));
    expect("cli/src/metrics/table.rs", &metrics::shell(&rows, &fields));
    expect("bindings/go/prometheus/table.go", &metrics::go(&rows, &fields));
    expect("bindings/java-metrics/src/main/java/dev/lately/micrometer/Table.java", &metrics::java(&rows, &fields));
    expect("bindings/python/python/lately/_metrics.py", &metrics::python(&rows, &fields));
    let page = text("docs/reference/metrics.md");
    let (head, rest) = page.split_once("<!-- metrics -->\n").expect("the mark before the table");
    let (_, tail) = rest.split_once("<!-- /metrics -->").expect("the mark after the table");
    expect(
        "docs/reference/metrics.md",
        &format!("{head}<!-- metrics -->\n{}<!-- /metrics -->{tail}", metrics::page(&rows, &fields)),
    );
}

/// How a language writes the field that C calls by this name.
type Shown = fn(&str) -> String;

/// The statistics of each language, where the names of fields stand as they do in C or as the language writes them.
const STATS: [(&str, &str, Shown); 5] = [
    ("rust", "src/filter/values.rs", |field| format!("    pub {field}: ")),
    ("shell", "src/filter/values.rs", |field| format!("    pub {field}: ")),
    ("go", "bindings/go/stats.go", |field| format!("\n\t{} ", pascal(field.trim_end_matches("_ns")))),
    ("java", "bindings/java/src/main/java/dev/lately/Stats.java", |field| {
        format!(" {}() {{", camel(field.trim_end_matches("_ns")))
    }),
    ("python", "bindings/python/python/lately/_values.py", |field| format!("\n    {field}: ")),
];

#[test]
fn a_field_of_stats_is_a_metric_where_the_language_has_it() {
    let fields = metrics::stats_fields(&text("include/lately.h"));
    assert!(fields.len() >= 26, "{fields:?}");
    let rows = rows();
    for (place, file, shown) in STATS {
        let source = text(file);
        for field in fields.keys() {
            let has_row = rows.iter().filter(|row| row.source == *field && row.is_in(place)).count();
            let has_field = usize::from(source.contains(&shown(field)));
            assert_eq!(has_row, has_field, "{field}: rows of `{place}` in metrics.tsv, and fields of {file}");
        }
    }
}

#[test]
fn wrong_row_is_named_with_the_rule() {
    let refused = |row: &str| metrics::read(&format!("name\ttype\tsource\tdivisor\twhere\thelp\n{row}")).err();
    assert_eq!(refused("lately_new_total\tcounter\tnew_count\t1\tall\tOne."), None);
    for (row, why) in [
        ("lately_new\tcounter\tnew_count\t1\tall\tOne.", "line 2: lately_new: name: counters"),
        ("lately_items_total\tgauge\titems\t1\tall\tOne.", "name: counters"),
        ("lately_reach\tgauge\treach_ns\t1e9\tall\tOne.", "ends in _seconds"),
        ("lately_reach_seconds\tgauge\treach_ns\t1\tall\tOne.", "divided by 1e9"),
        ("lately_items\tgauge\titems\t1e9\tall\tOne.", "divided by 1e9"),
        ("lately_items\tgauge\titems\t7\tall\tOne.", "must be 1, 8"),
        ("lately_Items\tgauge\titems\t1\tall\tOne.", "must be lately_"),
        ("items\tgauge\titems\t1\tall\tOne.", "must be lately_"),
        ("lately_items\tgage\titems\t1\tall\tOne.", "must be counter or gauge"),
        ("lately_items\tgauge\titems\t1\tsomewhere\tOne.", "must be all, rust"),
        ("lately_items\tgauge\titems\t1\tall\tOne", "one sentence"),
        ("lately_items\tgauge\titems\t1\tOne.", "5 columns: must be 6"),
        (
            "lately_items\tgauge\ta\t1\tall\tOne.\nlately_items\tgauge\tb\t1\tall\tOne.",
            "line 3: lately_items is there twice",
        ),
    ] {
        let said = refused(row).unwrap_or_else(|| panic!("{row} is taken"));
        assert!(said.contains(why), "{row}: {said}");
    }
}

#[test]
fn flink_has_its_metrics_by_their_names() {
    let source = text("engines/flink/src/main/java/dev/lately/flink/DeduplicateMetrics.java");
    let made = |call: &str| {
        let calls = source.split(call).skip(1).filter_map(|rest| rest.split('"').next());
        calls.map(str::to_owned).collect::<BTreeSet<_>>()
    };
    let mut there = made("counter(\"");
    there.extend(made("gauge(\""));
    let want: BTreeSet<String> = rows().iter().filter(|row| row.is_in("flink")).map(Metric::of_flink).collect();
    assert_eq!(there, want, "the metrics of DeduplicateMetrics.java, and the rows `flink` of metrics.tsv");
    let page = text("engines/flink/README.md");
    let table = page.split("\n## Metrics\n").nth(1).and_then(|rest| rest.split("\n## ").next()).expect("its metrics");
    let unnamed: Vec<_> = want.iter().filter(|name| !table.contains(&format!("`{name}`"))).collect();
    assert!(unnamed.is_empty(), "engines/flink/README.md lacks {unnamed:?}");
}

#[test]
fn the_module_has_its_fields_by_their_names() {
    let source = text("engines/valkey/module/src/config.rs");
    let section = source.split("fn add_section").nth(1).and_then(|rest| rest.split("];").next()).expect("the section");
    let fields = section.split("(c\"").skip(1).filter_map(|rest| rest.split('"').next());
    let there: BTreeSet<String> = fields.map(|field| format!("lately_{field}")).collect();
    assert_eq!(there, names("module"), "the fields of config.rs, and the rows `module` of metrics.tsv");
    let page = text("engines/valkey/README.md");
    let unnamed: Vec<_> = there.iter().filter(|name| !page.contains(&format!("`{name}`"))).collect();
    assert!(unnamed.is_empty(), "engines/valkey/README.md lacks {unnamed:?}");
}

#[test]
fn dashboard_and_alerts_name_metrics_of_the_table() {
    let known: BTreeSet<String> = rows().into_iter().map(|row| row.name).collect();
    for file in ["dashboard.json", "alerts.yml", "alerts.test.yml"] {
        let named = words(&text(&format!("packaging/metrics/{file}")));
        assert!(named.len() > 5, "{file} names {named:?}");
        let unknown: Vec<_> = named.difference(&known).collect();
        assert!(unknown.is_empty(), "packaging/metrics/{file} names {unknown:?}, which metrics.tsv lacks");
    }
}

#[test]
fn page_of_metrics_has_the_expression_of_each_alert() {
    let (alerts, page) = (text("packaging/metrics/alerts.yml"), text("docs/reference/metrics.md"));
    let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let rules: Vec<&str> = alerts.split("- alert: ").skip(1).collect();
    assert!(rules.len() >= 7, "{} alerts", rules.len());
    for rule in rules {
        let name = rule.lines().next().unwrap_or_default();
        let (_, rest) = rule.split_once("expr: ").unwrap_or_else(|| panic!("{name}: no expression"));
        let end = ["\n        for: ", "\n        labels:"].iter().filter_map(|end| rest.find(end)).min();
        let expression = flat(rest[..end.expect("an end")].trim_start_matches('|'));
        let (_, item) =
            page.split_once(&format!("**`{name}`**")).unwrap_or_else(|| panic!("{name} is not on the page"));
        let item = flat(item.split("\n- **").next().unwrap_or(item));
        assert!(item.contains(&format!("`{expression}`")), "{name}: docs/reference/metrics.md lacks {expression}");
    }
}

#[test]
fn every_alert_has_a_test_that_fires_and_one_that_does_not() {
    let (alerts, tests) = (text("packaging/metrics/alerts.yml"), text("packaging/metrics/alerts.test.yml"));
    let names: Vec<&str> = alerts.lines().filter_map(|line| line.trim().strip_prefix("- alert: ")).collect();
    assert!(names.len() >= 6, "{names:?}");
    for name in names {
        let is_of = |case: &&str| case.contains(&format!("alertname: {name}"));
        let cases: Vec<&str> = tests.split("eval_time: ").filter(is_of).collect();
        let fires = |case: &&str| case.contains("exp_labels:");
        assert!(cases.iter().any(fires), "{name}: no test in which it fires");
        assert!(!cases.iter().all(fires), "{name}: no test in which it does not fire");
    }
}
