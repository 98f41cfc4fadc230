//! `docs/EVALUATION.md`, written from result files alone.

use std::fmt::Write;

use crate::outcome::{Cell, Chart, Measure, Outcome, Table};

/// The folder of pictures and results, seen from the page.
const FOLDER: &str = "evaluation";

/// The page: a preface, a table of contents, a chapter per experiment.
pub(crate) fn page(preface: &str, outcomes: &[Outcome]) -> String {
    let mut text = preface.to_owned();
    let _ = writeln!(text, "\n{}", summary(outcomes));
    for outcome in outcomes {
        let _ = writeln!(text, "\n## {}\n\n{}", outcome.head.title, chapter(outcome));
    }
    text.trim_end().to_owned() + "\n"
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
    if !outcome.checks.is_empty() {
        let _ = write!(text, " {}", held(outcome));
    }
    let _ = writeln!(text, " Results: [{0}.jsonl]({FOLDER}/{0}.jsonl).", head.name);
    outcome.tables.iter().for_each(|table| text += &shown(table));
    outcome.charts.iter().for_each(|chart| text += &pictured(&head.name, chart));
    text
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

/// A table with only the columns that have figures.
fn shown(table: &Table) -> String {
    let used: Vec<[bool; 3]> = (0..table.measures.len()).map(|i| sources(table, i)).collect();
    let mut text = format!("\n### {}\n\n| {} |", table.title, table.labels.join(" | "));
    for (measure, used) in table.measures.iter().zip(&used) {
        ["paper", "formula", "ours"].iter().zip(used).filter(|(_, used)| **used).for_each(|(source, _)| {
            let _ = write!(text, " {}: {source} |", measure.name);
        });
    }
    let columns = used.iter().flatten().filter(|used| **used).count();
    let _ = write!(text, "\n|{}{}\n", " --- |".repeat(table.labels.len()), " ---: |".repeat(columns));
    for row in &table.rows {
        let _ = write!(text, "| {} |", row.labels.join(" | "));
        let cells = row.cells.iter().zip(&table.measures).zip(&used);
        cells.for_each(|((cell, measure), used)| text += &written(cell, measure, *used));
        text.push('\n');
    }
    table.notes.iter().for_each(|note| {
        let _ = write!(text, "\n{note}\n");
    });
    text
}

/// Whether any row has the paper's, the formula's, our figure of a measure.
fn sources(table: &Table, i: usize) -> [bool; 3] {
    let any = |has: fn(&Cell) -> bool| table.rows.iter().any(|row| row.cells.get(i).is_some_and(has));
    [any(|cell| cell.paper.is_some()), any(|cell| cell.formula.is_some()), any(|cell| cell.ours.is_some())]
}

fn written(cell: &Cell, measure: &Measure, used: [bool; 3]) -> String {
    let plain = |value: Option<f64>| value.map_or(String::new(), |value| figure(value, measure));
    let ours = cell.ours.map_or(String::new(), |sample| match sample.runs {
        0 => "not measured".to_owned(),
        1 => figure(sample.mean, measure),
        runs => format!("{} ± {} ({runs})", figure(sample.mean, measure), figure(sample.spread, measure)),
    });
    let texts = [plain(cell.paper), plain(cell.formula), ours];
    texts.iter().zip(used).filter(|(_, used)| *used).map(|(text, _)| format!(" {text} |")).collect()
}

fn figure(value: f64, measure: &Measure) -> String {
    match measure.powers {
        true => format!("{value:.*e}", measure.digits),
        false => format!("{value:.*}", measure.digits),
    }
}

fn pictured(experiment: &str, chart: &Chart) -> String {
    let [screen, print] = ["svg", "pdf"].map(|form| picture_name(experiment, chart, form));
    let mut text = format!("\n![{}]({FOLDER}/{screen})\n\n[PDF]({FOLDER}/{print})\n", chart.title);
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
    use crate::sample::Sample;

    #[test]
    fn a_page_has_paper_formula_ours_and_why() {
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
        let page = page("# P\n", &[outcome]);
        for text in [
            "| s | FPR, %: paper | FPR, %: formula | FPR, %: ours |",
            "| 2 | 22.6 | 22.5 | 22.5 ± 0.1 (10) |",
            "They differ because.",
            "![Rates](evaluation/qht-table-1-rates.svg)\n\n[PDF](evaluation/qht-table-1-rates.pdf)",
            "1 of 1 comparisons are outside their tolerance: a promise.",
            "[QHT: Table 1](#qht-table-1)",
        ] {
            assert!(page.contains(text), "{text:?} is not in\n{page}");
        }
    }
}
