//! The metrics of `packaging/metrics/metrics.tsv`: read, checked, and written as the table of every exporter.
//!
//! Every exporter has a generated table, so that a name, a unit or a text of help is changed in one place.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::options::{camel, pascal};

/// One row of the file.
#[derive(Debug, Clone)]
pub struct Metric {
    /// Its name, in the convention of Prometheus.
    pub name: String,
    /// Whether it only grows, except at a reset.
    pub is_counter: bool,
    /// The field of `lately_stats`, or `options.` and an option, or what an exporter itself counts.
    pub source: String,
    /// What the source is divided by: 1, 8 for bits, 1e9 for nanoseconds, 1e3 for milliseconds.
    pub divisor: String,
    /// Where it is: `all` means every exporter of a language, and the shell.
    pub places: Vec<String>,
    /// One sentence.
    pub help: String,
}

/// The endings of names, and the units that they mean. Others count things, which are in the name.
const UNITS: [(&str, &str); 3] = [("_bytes", "bytes"), ("_seconds", "seconds"), ("_ratio", "0 to 1")];

/// The places that exist.
const PLACES: [&str; 8] = ["all", "rust", "go", "java", "python", "shell", "module", "flink"];

/// Those that `all` means: the exporters of `stats`.
const EXPORTERS: [&str; 5] = ["rust", "go", "java", "python", "shell"];

const HEAD: &str = "name\ttype\tsource\tdivisor\twhere\thelp";

/// The rows, or what is wrong with one.
pub fn read(text: &str) -> Result<Vec<Metric>, String> {
    let mut lines = text.lines();
    if lines.next() != Some(HEAD) {
        return Err(format!("line 1: must be {HEAD:?}"));
    }
    let rows: Vec<Metric> = lines.zip(2..).map(|(line, number)| row(line, number)).collect::<Result<_, _>>()?;
    match rows.iter().zip(2..).find(|(row, number)| rows.iter().take(number - 2).any(|other| other.name == row.name)) {
        Some((row, number)) => Err(format!("line {number}: {} is there twice", row.name)),
        None => Ok(rows),
    }
}

fn row(line: &str, number: usize) -> Result<Metric, String> {
    let cells: Vec<&str> = line.split('\t').collect();
    let &[name, kind, source, divisor, places, help] = cells.as_slice() else {
        return Err(format!("line {number}: {} columns: must be 6", cells.len()));
    };
    let places: Vec<String> = places.split(' ').map(str::to_owned).collect();
    let metric = Metric {
        name: name.to_owned(),
        is_counter: kind == "counter",
        source: source.to_owned(),
        divisor: divisor.to_owned(),
        places,
        help: help.to_owned(),
    };
    metric.check(kind).map_err(|why| format!("line {number}: {name}: {why}"))?;
    Ok(metric)
}

impl Metric {
    fn check(&self, kind: &str) -> Result<(), String> {
        let is_word = |c: char| c.is_ascii_lowercase() || c == '_';
        let is_span = ["_ns", "_tick"].iter().any(|end| self.source.ends_with(end)) || self.source == "clock";
        let faults = [
            (!["counter", "gauge"].contains(&kind), "type: must be counter or gauge"),
            (!self.name.starts_with("lately_") || !self.name.chars().all(is_word), "name: must be lately_ and words"),
            (self.is_counter != self.name.ends_with("_total"), "name: counters, and no others, end in _total"),
            (self.is_counter && self.divisor != "1", "divisor: must be 1 for a counter"),
            (!["1", "8", "1e3", "1e9"].contains(&self.divisor.as_str()), "divisor: must be 1, 8, 1e3 or 1e9"),
            (is_span != (self.divisor == "1e9"), "divisor: nanoseconds, and nothing else, are divided by 1e9"),
            (self.divisor == "1e9" && self.unit() != "seconds", "name: a span of time ends in _seconds"),
            (
                self.places.iter().any(|place| !PLACES.contains(&place.as_str())),
                "where: must be all, rust, go, java, python, shell, module or flink",
            ),
            (
                !self.help.ends_with('.') || self.help.contains(['"', '\\', '|', '`']),
                "help: one sentence without quotes",
            ),
        ];
        faults.iter().find(|(is_wrong, _)| *is_wrong).map_or(Ok(()), |(_, why)| Err((*why).to_owned()))
    }

    /// The unit, as the table shows it; empty where the name has what is counted.
    pub fn unit(&self) -> &'static str {
        UNITS.iter().find(|(ending, _)| self.name.ends_with(ending)).map_or("", |(_, unit)| unit)
    }

    /// Whether it is exported in this place.
    pub fn is_in(&self, place: &str) -> bool {
        let is_all = EXPORTERS.contains(&place);
        self.places.iter().any(|own| own == place || is_all && own == "all")
    }

    /// The option that it shows, if it shows one.
    fn option(&self) -> Option<&str> {
        self.source.strip_prefix("options.")
    }

    /// The same without its unit, as most languages call it.
    fn asked(&self) -> &str {
        self.option().unwrap_or_default().trim_end_matches("_ns")
    }

    /// A figure of its source, in the unit of its name.
    fn over(&self, figure: &str) -> String {
        if self.divisor == "1" { figure.to_owned() } else { format!("{figure} / {}", self.divisor) }
    }

    /// Its name in Flink, whose metrics are in camel case and in milliseconds.
    pub fn of_flink(&self) -> String {
        let name = self.name.trim_start_matches("lately_").trim_end_matches("_total");
        let name = name.strip_suffix("_seconds").map_or(name.to_owned(), |span| format!("{span}_ms"));
        camel(&name)
    }

    /// Its name in Micrometer, which appends the unit and `_total` itself.
    pub fn of_micrometer(&self) -> String {
        let name = self.name.trim_end_matches("_total");
        let name = UNITS.iter().find_map(|(ending, _)| name.strip_suffix(ending)).unwrap_or(name);
        name.replace('_', ".")
    }
}

/// The fields of `lately_stats` by their names, and whether each is a fraction.
pub type Fields = BTreeMap<String, bool>;

/// Reads the fields of `lately_stats` from the text of the C header.
pub fn stats_fields(header: &str) -> Fields {
    let body =
        header.split("typedef struct lately_stats {").nth(1).and_then(|rest| rest.split("} lately_stats;").next());
    let words = |line: &str| {
        let line = line.trim();
        ["uint64_t ", "double "].iter().find_map(|kind| {
            let name = line.strip_prefix(kind)?.split(';').next()?;
            Some((name.to_owned(), *kind == "double "))
        })
    };
    body.unwrap_or_default().lines().filter_map(words).collect()
}

/// The metrics of an exporter, in two parts: those of the statistics, and those of what was asked for.
fn parts<'a>(metrics: &'a [Metric], fields: &Fields, place: &str) -> (Vec<&'a Metric>, Vec<&'a Metric>) {
    let of_filter = |metric: &&Metric| metric.option().is_some() || fields.contains_key(&metric.source);
    let of_place = metrics.iter().filter(|metric| metric.is_in(place)).filter(of_filter);
    of_place.partition(|metric| metric.option().is_none())
}

const MADE: &str = "Generated from packaging/metrics/metrics.tsv by `BLESS=1 cargo test -p packaging --test metrics`.";

/// A `&Stats` in Rust, as a number: a counter stays an integer.
fn rust_figure(metric: &Metric, is_fraction: bool) -> String {
    let ticks = ["clock", "last_refused_tick"].contains(&metric.source.as_str());
    let field = format!("s.{}{}", metric.source, if ticks { ".0" } else { "" });
    let real = if is_fraction { field.clone() } else { format!("real({field})") };
    if metric.is_counter {
        format!("Figure::Count(|s| {field})")
    } else {
        format!("Figure::Gauge(|s| {})", metric.over(&real).replace(" / 8", " / 8.0"))
    }
}

/// A table in Rust, whose rows are `Metric`s.
fn rust_table(about: &str, name: &str, rows: &[&Metric], figure: impl Fn(&Metric) -> String) -> String {
    let mut text = format!("\n/// {about}\n#[rustfmt::skip]\npub const {name}: [Metric; {}] = [\n", rows.len());
    for metric in rows {
        let (name, figure, help) = (&metric.name, figure(metric), &metric.help);
        let _ = writeln!(text, "    Metric {{ name: \"{name}\", figure: {figure}, help: \"{help}\" }},");
    }
    text + "];\n"
}

/// The tables in Rust, for the recorder of the library and for the shell.
pub fn rust(metrics: &[Metric], fields: &Fields) -> String {
    let (stats, asked) = parts(metrics, fields, "rust");
    let figure = |metric: &Metric| rust_figure(metric, fields.get(&metric.source) == Some(&true));
    let asked_for = |metric: &Metric| format!("Figure::Asked(|asked| asked.{})", metric.asked());
    format!(
        "//! The metrics of a filter: names, texts of help, and where each figure is.\n//! {MADE}\n\n\
         use super::{{Figure, Metric}};\nuse crate::num::real;\n"
    ) + &rust_table("The statistics of the filter.", "STATS", &stats, figure)
        + &rust_table("What was asked for.", "ASKED", &asked, asked_for)
}

/// The table in Rust of what the shell itself counts.
pub fn shell(metrics: &[Metric], fields: &Fields) -> String {
    let is_runs = |metric: &&Metric| metric.option().is_none() && !fields.contains_key(&metric.source);
    let own: Vec<&Metric> = metrics.iter().filter(|metric| metric.is_in("shell")).filter(is_runs).collect();
    let figure = |metric: &Metric| format!("|run| {}", metric.over(&format!("real(run.{})", metric.source)));
    let head = format!(
        "//! The metrics of a run: names, texts of help, and where each figure is.\n//! {MADE}\n\nuse super::Metric;\nuse crate::units::real;\n"
    );
    head + &rust_table("What the run has counted.", "RUN", &own, figure).replace("pub const", "pub(super) const")
}

/// The table in Go.
pub fn go(metrics: &[Metric], fields: &Fields) -> String {
    let (stats, asked) = parts(metrics, fields, "go");
    let mut text = format!(
        "// {MADE} DO NOT EDIT.\n\npackage prometheus\n\nimport (\n\t\"github.com/prometheus/client_golang/prometheus\"\n\n\t\
         \"github.com/lately/lately/bindings/go\"\n)\n"
    );
    let kind = |metric: &Metric| if metric.is_counter { "CounterValue" } else { "GaugeValue" };
    text += "\n// The statistics of the filter.\nvar stats = []metric{\n";
    for metric in stats {
        let kind = kind(metric);
        let figure = metric.over(&format!("float64(s.{})", pascal(metric.source.trim_end_matches("_ns"))));
        let value = format!("func(s *lately.Stats) float64 {{ return {figure} }}");
        let _ = writeln!(text, "\t{{\"{}\", prometheus.{kind}, {value}, \"{}\"}},", metric.name, metric.help);
    }
    text += "}\n\n// Options that were given; a 0 was not.\nvar asked = []limit{\n";
    for metric in asked {
        let option = camel(metric.asked());
        let value = format!("func(a *askedFor) float64 {{ return a.{option} }}");
        let _ = writeln!(text, "\t{{\"{}\", {value}, \"{}\"}},", metric.name, metric.help);
    }
    text + "}\n"
}

/// The table in Java.
pub fn java(metrics: &[Metric], fields: &Fields) -> String {
    let (stats, asked) = parts(metrics, fields, "java");
    let mut text = format!(
        "package dev.lately.micrometer;\n\nimport java.util.List;\n\n/** The metrics of a filter. {} */\nfinal class Table {{\n",
        MADE.replace('`', "")
    );
    let unit = |metric: &Metric| match metric.unit() {
        "" => "null".to_owned(),
        "0 to 1" => "\"ratio\"".to_owned(),
        unit => format!("\"{unit}\""),
    };
    let row = |metric: &Metric, value: &str| {
        let (name, unit) = (metric.of_micrometer(), unit(metric));
        let head = format!("        new Metric<>(\"{name}\", {}, {unit},", metric.is_counter);
        format!("{head}\n            {value},\n            \"{}\")", metric.help)
    };
    let figure = |metric: &&Metric| {
        let getter = camel(metric.source.trim_end_matches("_ns"));
        row(metric, &format!("stats -> {}", metric.over(&format!("Figures.number(stats.{getter}())"))))
    };
    let limit = |metric: &&Metric| row(metric, &format!("asked -> asked.{}", camel(metric.asked())));
    for (about, of, name, rows) in [
        ("The statistics of the filter.", "dev.lately.Stats", "STATS", stats.iter().map(figure).collect::<Vec<_>>()),
        ("Options that were given; a 0 was not.", "Asked", "ASKED", asked.iter().map(limit).collect()),
    ] {
        let rows = rows.join(",\n");
        let _ = writeln!(text, "    /** {about} */\n    static final List<Metric<{of}>> {name} = List.of(\n{rows});\n");
    }
    text + "    private Table() {\n    }\n}\n"
}

/// The table in Python.
pub fn python(metrics: &[Metric], fields: &Fields) -> String {
    let (stats, asked) = parts(metrics, fields, "python");
    let mut text = format!("\"\"\"The metrics of a filter. {MADE}\"\"\"\n");
    for (about, name, rows) in [
        ("The statistics of the filter: name, whether it is a counter, field, divisor, help.", "STATS", stats),
        ("What was asked for: the same, with an option in place of the field.", "ASKED", asked),
    ] {
        let _ = writeln!(text, "\n{name} = (");
        for metric in rows {
            let source = metric.option().unwrap_or(&metric.source);
            let is_counter = if metric.is_counter { "True" } else { "False" };
            let Metric { name, divisor, help, .. } = metric;
            let _ = writeln!(text, "    (\"{name}\", {is_counter}, \"{source}\", {divisor}, \"{help}\"),");
        }
        let _ = writeln!(text, ")\n\"\"\"{about}\"\"\"");
    }
    text
}

/// The table of the page.
pub fn page(metrics: &[Metric], fields: &Fields) -> String {
    let mut text = String::from("| metric | type | unit | from | where | |\n| --- | --- | --- | --- | --- | --- |\n");
    for metric in metrics {
        let kind = if metric.is_counter { "counter" } else { "gauge" };
        let from = match metric.option() {
            Some(option) => format!("`{option}` of the options"),
            None if fields.contains_key(&metric.source) => format!("`stats.{}`", metric.source),
            None if metric.is_in("shell") => String::from("the run"),
            None if metric.is_in("module") => String::from("the server"),
            None => String::from("the subtask"),
        };
        let flink = format!("Flink `{}`", metric.of_flink());
        let places: Vec<&str> =
            metric.places.iter().map(|place| if place == "flink" { &flink } else { place }.as_str()).collect();
        let (unit, places) = (metric.unit(), places.join(", "));
        let _ = writeln!(text, "| `{}` | {kind} | {unit} | {from} | {places} | {} |", metric.name, metric.help);
    }
    text
}
