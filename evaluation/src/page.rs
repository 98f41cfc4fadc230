//! `tables.md` of a release, every table with every row, and the parts of pages that are made of results.

use std::fmt::Write;

use crate::outcome::{Cell, Chart, Head, Measure, Outcome, Row, Table};
use crate::sample::Sample;

/// What stands before the tables.
const PREFACE: &str = "# Tables of the evaluation

For you if you review the evaluation: every table with every row, and every picture.

\"Paper\" is the printed figure, \"formula\" what the law that is named below the table gives, \"ours\" what was measured: mean \u{b1} \
spread of one run (how many runs). A ratio of times has the interval of its rounds, two spreads each way, and a column for a second \
day. `cargo evaluation page` writes this page from the results.
";

/// The page: a preface, a table of contents, a chapter per experiment.
pub(crate) fn tables(outcomes: &[Outcome]) -> String {
    let text = format!("{PREFACE}\n{}{}", summary(outcomes), chapters(outcomes.iter()));
    text.trim_end().to_owned() + "\n"
}

/// A chapter per experiment.
pub(crate) fn chapters<'a>(outcomes: impl Iterator<Item = &'a Outcome>) -> String {
    outcomes.map(|outcome| format!("\n## {}\n\n{}", outcome.head.title, chapter(outcome))).collect()
}

fn summary(outcomes: &[Outcome]) -> String {
    let mut text =
        "| experiment | what | comparisons | outside their tolerance |\n| --- | --- | ---: | ---: |\n".to_owned();
    for outcome in outcomes {
        let head = &outcome.head;
        let (all, broken) = (outcome.checks.len(), outcome.broken().len());
        let _ = writeln!(text, "| `{}` | [{}](#{}) | {all} | {broken} |", head.name, head.title, anchor(&head.title));
    }
    text
}

/// A heading as it is linked to.
fn anchor(title: &str) -> String {
    let slug = title.to_lowercase().replace(' ', "-");
    slug.chars().filter(|c| c.is_alphanumeric() || "-_".contains(*c)).collect()
}

fn chapter(outcome: &Outcome) -> String {
    let head = &outcome.head;
    let mut text = format!("{} Length: {}; seed {}.", head.setting, head.length, head.seed);
    let _ = write!(text, " Command: `{}`.", command(head));
    let days: Vec<String> = head.days.iter().map(ToString::to_string).collect();
    if !days.is_empty() {
        let _ = write!(text, " Timed on: {}.", days.join("; "));
    }
    if !outcome.checks.is_empty() {
        let _ = write!(text, " {}", held(outcome));
    }
    let _ = writeln!(text, " Results: `{}.jsonl`.", head.name);
    outcome.tables.iter().for_each(|table| text += &shown(outcome, table));
    outcome.charts.iter().for_each(|chart| text += &pictured(&head.name, chart));
    text
}

/// The command that makes these figures.
pub(crate) fn command(head: &Head) -> String {
    format!("cargo evaluation {} --keep", short_command(head))
}

/// The same behind the name of the program.
pub(crate) fn short_command(head: &Head) -> String {
    let length = if head.length == "default" { String::new() } else { format!(" --{}", head.length) };
    let seed = if head.seed == 1 { String::new() } else { format!(" --seed {}", head.seed) };
    format!("run {}{length}{seed}", head.name)
}

fn held(outcome: &Outcome) -> String {
    let broken = outcome.broken();
    let all = outcome.checks.len();
    match broken.len() {
        0 => format!(
            "{all} comparisons, all within their tolerance (chance of a false alarm of each: {:.1e}).",
            outcome.head.alarm
        ),
        n => {
            let names: Vec<&str> = broken.iter().map(|check| check.what.as_str()).collect();
            format!("{n} of {all} comparisons are outside their tolerance: {}.", names.join("; "))
        }
    }
}

/// The heading of a table, which is unlike that of every other.
pub(crate) fn heading(outcome: &Outcome, table: &Table) -> String {
    format!("{} ({})", table.title, outcome.head.name)
}

/// A table with only the columns that have figures.
fn shown(outcome: &Outcome, table: &Table) -> String {
    let used = |i: usize| {
        sources(table, i).into_iter().enumerate().filter(|(_, used)| *used).map(move |(source, _)| (i, source))
    };
    let columns: Vec<(usize, usize)> = (0..table.measures.len()).flat_map(used).collect();
    let mut text = format!("\n### {}\n\n{}", heading(outcome, table), rows(table, &columns));
    text += &agreement(table);
    table.notes.iter().for_each(|note| {
        let _ = write!(text, "\n{note}\n");
    });
    text
}

/// Some columns of a table: which measure, and which of its sources.
pub(crate) fn rows(table: &Table, columns: &[(usize, usize)]) -> String {
    let mut text = format!("| {} |", table.labels.join(" | "));
    columns.iter().for_each(|&(i, source)| {
        let _ = write!(text, " {}: {} |", table.measures[i].name, SOURCES[source]);
    });
    let _ = write!(text, "\n|{}{}\n", " --- |".repeat(table.labels.len()), " ---: |".repeat(columns.len()));
    for row in &table.rows {
        let _ = write!(text, "| {} |", row.labels.join(" | "));
        let cell = |i: usize| row.cells.get(i).copied().unwrap_or_default();
        columns.iter().for_each(|&(i, source)| text += &written(&cell(i), &table.measures[i], source));
        text.push('\n');
    }
    text
}

/// Where the figures of a measure come from.
const SOURCES: [&str; 4] = ["paper", "formula", "ours", "second day"];

/// Whether any row has the paper's, the formula's, our figure of a measure.
pub(crate) fn sources(table: &Table, i: usize) -> [bool; 4] {
    let any = |has: fn(&Cell) -> bool| table.rows.iter().any(|row| row.cells.get(i).is_some_and(has));
    let ours = [any(|cell| cell.ours.is_some()), any(|cell| cell.again.is_some())];
    [any(|cell| cell.paper.is_some()), any(|cell| cell.formula.is_some()), ours[0], ours[1]]
}

fn written(cell: &Cell, measure: &Measure, source: usize) -> String {
    let plain = |value: Option<f64>| value.map_or(String::new(), |value| figure(value, measure));
    let ours = |sample: Option<Sample>| sample.map_or(String::new(), |sample| sampled(sample, measure));
    let texts = [plain(cell.paper), plain(cell.formula), ours(cell.ours), ours(cell.again)];
    format!(" {} |", texts[source])
}

fn sampled(sample: Sample, measure: &Measure) -> String {
    let [mean, spread] = [sample.mean, sample.spread].map(|value| figure(value, measure));
    match sample.runs {
        0 => "not measured".to_owned(),
        1 => mean,
        _ if measure.interval => {
            let (low, high) = sample.interval();
            format!("{mean} [{}, {}]", figure(low, measure), figure(high, measure))
        }
        runs => format!("{mean} ± {spread} ({runs})"),
    }
}

/// Whether a second day said the same as the first, where there was one.
fn agreement(table: &Table) -> String {
    let all: Vec<bool> = table.rows.iter().flat_map(|row| &row.cells).filter_map(Cell::agrees).collect();
    let apart = |row: &&Row| row.cells.iter().any(|cell| cell.agrees() == Some(false));
    let names: Vec<String> = table.rows.iter().filter(apart).map(|row| row.labels.join(", ")).collect();
    match (all.len(), names.len()) {
        (0, _) => String::new(),
        (n, 0) => format!(
            "\nThe second day agrees with the first in all {n} figures: each mean lies in the interval of the other.\n"
        ),
        (n, _) => {
            let same = all.iter().filter(|same| **same).count();
            format!(
                "\nThe second day agrees with the first in {same} of {n} figures, and not for: {}.\n",
                names.join("; ")
            )
        }
    }
}

pub(crate) fn figure(value: f64, measure: &Measure) -> String {
    match measure.powers {
        true => format!("{value:.*e}", measure.digits),
        false => format!("{value:.*}", measure.digits),
    }
}

pub(crate) fn pictured(experiment: &str, chart: &Chart) -> String {
    let mut text = format!("\n![{}]({})\n", chart.title, picture_name(experiment, chart, "svg"));
    chart.notes.iter().for_each(|note| {
        let _ = write!(text, "\n{note}\n");
    });
    text
}

/// The file of a picture, `svg` or `pdf`.
pub(crate) fn picture_name(experiment: &str, chart: &Chart, form: &str) -> String {
    format!("{experiment}-{}.{form}", chart.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Check;
    use crate::outcome::Axis;

    #[test]
    fn second_day_is_shown_and_compared() {
        let of = |mean: f64| Sample { mean, spread: 0.1, runs: 5 };
        let mut table = Table::new("T", &["set"], vec![Measure::ratio("time")]);
        for (name, again) in [("a", 1.1), ("b", 1.5)] {
            table.row(&[name], vec![Cell { again: Some(of(again)), ..Cell::default().ours(of(1.0)) }]);
        }
        let text = shown(&Outcome::new("a"), &table);
        assert!(text.contains("| set | time: ours | time: second day |"), "{text}");
        assert!(text.contains("| b | 1.00 [0.80, 1.20] | 1.50 [1.30, 1.70] |"), "{text}");
        assert!(text.contains("agrees with the first in 1 of 2 figures, and not for: b."), "{text}");
        table.rows.pop();
        assert!(shown(&Outcome::new("a"), &table).contains("agrees with the first in all 1 figures"));
    }

    #[test]
    fn page_has_paper_formula_ours_and_why() {
        let mut outcome = Outcome::new("Ran.");
        outcome.head.title = "QHT: Table 1".to_owned();
        outcome.head.name = "qht-table-1".to_owned();
        let mut table = Table::new("T", &["s"], vec![Measure::new("FPR, %", 1)]).note("They differ because.");
        let sample = Sample { mean: 22.51, spread: 0.14, runs: 10 };
        table.row(&["2"], vec![Cell::default().paper(22.57).formula(22.5).ours(sample)]);
        outcome.tables.push(table);
        outcome.charts.push(Chart::new("rates", "Rates", Axis::linear("x"), Axis::linear("y")));
        outcome.checks.push(Check::exactly("a promise", 1.0, 2.0, 0.1));
        outcome.settle(1);
        let page = tables(&[outcome]);
        for text in [
            "| s | FPR, %: paper | FPR, %: formula | FPR, %: ours |",
            "| 2 | 22.6 | 22.5 | 22.5 ± 0.1 (10) |",
            "They differ because.",
            "![Rates](qht-table-1-rates.svg)\n",
            "1 of 1 comparisons are outside their tolerance: a promise.",
            "[QHT: Table 1](#qht-table-1)",
        ] {
            assert!(page.contains(text), "{text:?} is not in\n{page}");
        }
    }
}
