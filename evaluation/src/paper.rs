//! `evaluation/docs/README.md`: the paper, from its text (`paper.md`) and the results of all experiments.
//!
//! The text has directives, as `{{table contest; 0.1 %; bits per key: ours}}`, in place of every table, picture and figure that a
//! result gives. A directive that names what no result has is an error.

use std::cmp::Ordering;

use crate::outcome::{Outcome, Table};
use crate::{agreement, num, page};

/// The text of the paper.
const TEXT: &str = include_str!("paper.md");

/// The page with everything.
pub(crate) fn page(outcomes: &[Outcome]) -> Result<String, String> {
    let rest: Vec<&Outcome> = outcomes.iter().filter(|outcome| !TEXT.contains(&outcome.head.name)).collect();
    filled(TEXT, &Results { outcomes, rest })
}

/// A text with its directives carried out.
fn filled(text: &str, results: &Results<'_>) -> Result<String, String> {
    let mut parts = text.split("{{");
    let mut page = parts.next().unwrap_or_default().to_owned();
    let mut errors = Vec::new();
    for part in parts {
        let (directive, behind) = part.split_once("}}").ok_or_else(|| format!("paper.md: {part:.40}: no end"))?;
        match results.said(directive) {
            Ok(said) => page += &said,
            Err(error) => errors.push(format!("paper.md: {{{{{directive}}}}}: {error}")),
        }
        page += behind;
    }
    // A table without notes leaves an empty line where they would be.
    while page.contains("\n\n\n") {
        page = page.replace("\n\n\n", "\n\n");
    }
    if errors.is_empty() { Ok(page.trim_end().to_owned() + "\n") } else { Err(errors.join("\n")) }
}

struct Results<'a> {
    outcomes: &'a [Outcome],
    /// Experiments that the text does not name.
    rest: Vec<&'a Outcome>,
}

impl Results<'_> {
    fn said(&self, directive: &str) -> Result<String, String> {
        let (name, arguments) = directive.trim().split_once(' ').unwrap_or((directive.trim(), ""));
        let arguments: Vec<&str> = arguments.split(';').map(str::trim).collect();
        match (name, arguments.as_slice()) {
            ("agreement", names) => agreement::table(&self.named(names)?),
            ("table", [experiment, table, columns @ ..]) => {
                Ok(chosen(&self.table(experiment, table)?, columns)?.trim_end().to_owned())
            }
            ("notes", [experiment, table]) => Ok(self.table(experiment, table)?.notes.join("\n\n")),
            ("picture", [experiment, name]) => picture(self.outcome(experiment)?, name),
            ("apart", [experiment, words @ ..]) => apart(self.outcome(experiment)?, words),
            ("printed", [experiment, table, source]) => agreement::printed(&self.table(experiment, table)?, source),
            ("setting", [experiment]) => Ok(self.outcome(experiment)?.head.setting.clone()),
            ("days", [experiment]) => Ok(days(self.outcome(experiment)?)),
            ("conclusions", [experiment, table]) => {
                conclusions(self.outcome(experiment)?, &self.table(experiment, table)?)
            }
            ("comparisons", _) => {
                Ok(self.outcomes.iter().map(|outcome| outcome.checks.len()).sum::<usize>().to_string())
            }
            ("shorter", _) => Ok(shorter(self.outcomes)),
            ("experiments", _) => Ok(self.outcomes.len().to_string()),
            ("outside", _) => Ok(self.outcomes.iter().map(|outcome| outcome.broken().len()).sum::<usize>().to_string()),
            ("rest", _) => Ok(page::chapters(self.rest.iter().copied())),
            _ => Err("no such directive".to_owned()),
        }
    }

    fn outcome(&self, name: &str) -> Result<&Outcome, String> {
        self.outcomes.iter().find(|outcome| outcome.head.name == name).ok_or_else(|| format!("no experiment {name:?}"))
    }

    fn named(&self, names: &[&str]) -> Result<Vec<&Outcome>, String> {
        names.iter().map(|name| self.outcome(name)).collect()
    }

    /// The table whose title begins so.
    fn table(&self, experiment: &str, title: &str) -> Result<Table, String> {
        let tables = &self.outcome(experiment)?.tables;
        let table = tables.iter().find(|table| table.title.starts_with(title));
        table.cloned().ok_or_else(|| format!("no table {title:?} of {experiment}"))
    }
}

/// The experiments that are not shown at full length.
fn shorter(outcomes: &[Outcome]) -> String {
    let names = outcomes.iter().filter(|outcome| outcome.head.length != "full");
    let names: Vec<String> =
        names.map(|outcome| format!("`{}` ({} length)", outcome.head.name, outcome.head.length)).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

/// A table with some of its columns: `measure: source`, with the measure's beginning.
fn chosen(table: &Table, columns: &[&str]) -> Result<String, String> {
    let mut picked = Vec::new();
    for column in columns {
        let (measure, source) = column.rsplit_once(": ").ok_or_else(|| format!("{column:?} has no source"))?;
        let source = ["paper", "formula", "ours", "second day"].iter().position(|one| *one == source);
        let place = table.measures.iter().position(|one| one.name.starts_with(measure));
        let (Some(source), Some(place)) = (source, place) else { return Err(format!("no column {column:?}")) };
        if !page::sources(table, place)[source] {
            return Err(format!("no figure in column {column:?}"));
        }
        picked.push((place, source));
    }
    Ok(page::rows(table, &picked))
}

fn picture(outcome: &Outcome, name: &str) -> Result<String, String> {
    let chart = outcome.charts.iter().find(|chart| chart.name == name).ok_or_else(|| format!("no picture {name:?}"))?;
    Ok(page::pictured(&outcome.head.name, chart).trim().to_owned())
}

/// How far what was measured is from its law in the comparisons whose names have all these words, if all are on one side: "above it
/// by 0.10 to 0.14 (9.8 to 13.6 standard errors)".
fn apart(outcome: &Outcome, words: &[&str]) -> Result<String, String> {
    let named = outcome.checks.iter().filter(|check| words.iter().all(|word| check.what.contains(word)));
    let offs: Vec<(f64, f64)> = named
        .map(|check| {
            let off = check.ours.mean - check.expected;
            (off, off * num::real(check.ours.runs).sqrt() / check.ours.spread)
        })
        .collect();
    let side = match offs.iter().map(|(off, _)| *off > 0.0).collect::<Vec<_>>() {
        above if above.is_empty() => return Err(format!("no comparison of {words:?}")),
        above if above.iter().all(|above| *above) => "above",
        above if above.iter().all(|above| !*above) => "below",
        _ => return Err(format!("{words:?}: some are above their law and some below")),
    };
    let range = |of: fn(&(f64, f64)) -> f64| {
        let all = || offs.iter().map(|off| of(off).abs());
        [all().fold(f64::INFINITY, f64::min), all().fold(0.0, f64::max)]
    };
    let ([least, most], [few, many]) = (range(|off| off.0), range(|off| off.1));
    Ok(format!("{side} it by {least:.2} to {most:.2} points ({few:.1} to {many:.1} standard errors)"))
}

fn days(outcome: &Outcome) -> String {
    let days: Vec<String> = outcome.head.days.iter().map(ToString::to_string).collect();
    if days.is_empty() { "a day that was not recorded".to_owned() } else { days.join("; ") }
}

/// What two days say of the ratios of a table, measure by measure: nothing of a row in which they differ.
fn conclusions(outcome: &Outcome, table: &Table) -> Result<String, String> {
    if outcome.head.days.len() < 2 {
        return Ok("It was timed on one day only, so nothing is concluded from it.".to_owned());
    }
    let timed = table.measures.iter().enumerate().filter(|(_, measure)| measure.interval);
    let lines: Vec<String> = timed.map(|(i, measure)| format!("- {}: {}.", measure.name, sides(table, i))).collect();
    if lines.is_empty() { Err("no times".to_owned()) } else { Ok(lines.join("\n")) }
}

/// More rows without a conclusion than this are counted, and not named: they are in the page of tables.
const FEW: usize = 4;

/// The rows above 1, below 1, and of neither, in words.
fn sides(table: &Table, measure: usize) -> String {
    let of = |side: Option<Ordering>| {
        let rows =
            table.rows.iter().filter(|row| !row.cells[measure].is_unit() && row.cells[measure].conclusion() == side);
        rows.map(|row| row.labels.join(", ")).collect::<Vec<_>>()
    };
    let list = |names: Vec<String>| if names.is_empty() { "none".to_owned() } else { names.join("; ") };
    let [more, less, none] = [Some(Ordering::Greater), Some(Ordering::Less), None].map(of);
    let rest = if none.len() > FEW { format!("the other {}", none.len()) } else { list(none) };
    format!("above 1 on both days: {}. Below 1: {}. No conclusion: {rest}", list(more), list(less))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Check;
    use crate::machine::Day;
    use crate::outcome::{Cell, Measure};
    use crate::sample::Sample;

    fn outcome() -> Outcome {
        let sample = |mean: f64| Sample { mean, spread: 0.01, runs: 5 };
        let mut outcome = Outcome::new("It ran.");
        outcome.head.name = "one".to_owned();
        let mut table =
            Table::new("A table", &["set"], vec![Measure::ratio("time"), Measure::new("bits", 1)]).note("A note.");
        for (name, first, second) in [("base", 1.0, 1.0), ("slow", 2.0, 2.01), ("fast", 0.5, 0.51), ("apart", 2.0, 3.0)]
        {
            let spread = if name == "base" { 0.0 } else { 0.01 };
            let time = Cell {
                ours: Some(Sample { spread, ..sample(first) }),
                again: Some(Sample { spread, ..sample(second) }),
                ..Cell::default()
            };
            table.row(&[name], vec![time, Cell::default().formula(8.0)]);
        }
        outcome.tables.push(table);
        outcome
    }

    fn said(text: &str, outcome: &Outcome) -> Result<String, String> {
        filled(text, &Results { outcomes: std::slice::from_ref(outcome), rest: Vec::new() })
    }

    /// Whoever changes the text without results gets a page that has the old one.
    #[test]
    fn text_of_the_paper_is_on_its_page() {
        let page = crate::store::committed("README.md");
        let parts = TEXT.split("{{").map(|part| part.split_once("}}").map_or(part, |(_, behind)| behind));
        for part in parts.map(|part| part.split_whitespace().collect::<Vec<_>>().join(" ")) {
            assert!(page.contains(&part), "evaluation/docs/README.md has not: {part}");
        }
    }

    #[test]
    fn directives_are_replaced_by_results() {
        let page =
            said("{{setting one}} {{notes one; A}}\n\n{{table one; A; bits: formula}}", &outcome()).expect("a page");
        assert!(page.starts_with("It ran. A note.\n\n| set | bits: formula |\n"), "{page}");
        assert!(page.contains("| slow | 8.0 |") && !page.contains("2.0"), "{page}");
    }

    #[test]
    fn day_that_was_not_recorded_is_said_to_be_so() {
        assert_eq!(said("{{days one}}", &outcome()).expect("a page"), "a day that was not recorded\n");
    }

    #[test]
    fn experiment_that_is_not_full_is_named() {
        let mut one = outcome();
        one.head.length = "default".to_owned();
        assert_eq!(said("{{shorter}}", &one).expect("a page"), "`one` (default length)\n");
        one.head.length = "full".to_owned();
        assert_eq!(said("{{shorter}}", &one).expect("a page"), "none\n");
    }

    #[test]
    fn table_without_notes_leaves_one_empty_line() {
        let mut one = outcome();
        one.tables[0].notes.clear();
        assert_eq!(said("a\n\n{{notes one; A}}\n\nb", &one).expect("a page"), "a\n\nb\n");
    }

    #[test]
    fn directive_without_result_is_an_error() {
        for text in [
            "{{setting two}}",
            "{{table one; B}}",
            "{{table one; A; size: ours}}",
            "{{table one; A; bits: gold}}",
            "{{x}}",
            "{{setting",
        ] {
            let error = said(text, &outcome()).expect_err(text);
            assert!(error.contains("paper.md"), "{error}");
        }
    }

    #[test]
    fn column_without_figures_is_an_error() {
        let error = said("{{table one; A; bits: ours}}", &outcome()).expect_err("bits have a formula only");
        assert!(error.contains("no figure in column \"bits: ours\""), "{error}");
    }

    #[test]
    fn distance_from_a_law_is_said_of_one_side_only() {
        let mut one = outcome();
        let check = |mean: f64| Check::about("T, s = 2: rate", Sample { mean, spread: 0.1, runs: 100 }, 1.0);
        one.checks = vec![check(1.1), check(1.25), Check::exactly("other", 0.0, 1.0, 0.0)];
        let page = said("{{apart one; T; rate}}", &one).expect("a page");
        assert_eq!(page, "above it by 0.10 to 0.25 points (10.0 to 25.0 standard errors)\n");
        one.checks.push(check(0.9));
        assert!(said("{{apart one; T; rate}}", &one).expect_err("two sides").contains("some below"));
        assert!(said("{{apart one; speed}}", &one).expect_err("no such").contains("no comparison"));
    }

    #[test]
    fn nothing_is_concluded_from_one_day_or_from_days_that_differ() {
        let mut one = outcome();
        assert!(said("{{conclusions one; A}}", &one).expect("a page").contains("nothing is concluded"));
        let day = |date: &str| Day { date: date.to_owned(), hour: 1, processor: "A chip".to_owned() };
        one.head.days = vec![day("2026-11-22"), day("2026-11-25")];
        let page = said("{{conclusions one; A}}", &one).expect("a page");
        assert_eq!(page, "- time: above 1 on both days: slow. Below 1: fast. No conclusion: apart.\n");
    }

    #[test]
    fn many_rows_without_a_conclusion_are_counted() {
        let mut one = outcome();
        let apart = one.tables[0].rows[3].clone();
        one.tables[0].rows.extend(vec![apart; FEW]);
        let sides = sides(&one.tables[0], 0);
        assert_eq!(sides, "above 1 on both days: slow. Below 1: fast. No conclusion: the other 5");
    }
}
