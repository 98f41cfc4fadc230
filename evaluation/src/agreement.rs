//! How far the figures of a table are from those of a paper and of a law, in one line a table, with the cause of every difference.

use crate::causes::CAUSES;
use crate::outcome::{Cell, Measure, Outcome, Table};
use crate::{num, page};

/// A table of experiments: each line one table of theirs.
pub(crate) fn table(outcomes: &[&Outcome]) -> Result<String, String> {
    let mut text = "| table | figures printed | the same here | farthest | figures of a law | the same here | farthest | cause of \
                    the differences |\n| --- | ---: | ---: | --- | ---: | ---: | --- | --- |\n"
        .to_owned();
    let mut errors = Vec::new();
    for (outcome, table) in outcomes.iter().flat_map(|outcome| outcome.tables.iter().map(move |table| (outcome, table)))
    {
        match line(outcome, table) {
            Ok(line) => text += &line,
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() { Ok(text.trim_end().to_owned()) } else { Err(errors.join("\n")) }
}

fn line(outcome: &Outcome, table: &Table) -> Result<String, String> {
    let [paper, law] = [paper_and_here, law_and_here].map(|pair| Tally::of(table, pair));
    if paper.all + law.all == 0 {
        return Ok(String::new());
    }
    let cause = cause(&outcome.head.name, table, paper.differ + law.differ > 0)?;
    Ok(format!("| {} | {} | {} | {cause} |\n", table.title, paper.told(), law.told()))
}

fn cause(experiment: &str, table: &Table, differs: bool) -> Result<&'static str, String> {
    let known = CAUSES.iter().find(|(name, title, _)| *name == experiment && table.title.starts_with(title));
    match (known, differs) {
        (Some((_, _, cause)), true) => Ok(cause),
        (None, false) => Ok(""),
        (None, true) => Err(format!("{experiment}, {}: figures differ and no cause is named", table.title)),
        (Some(_), false) => Err(format!("{experiment}, {}: a cause is named and no figure differs", table.title)),
    }
}

/// Two figures that should be one, and how far a figure may be from the other and count as the same.
struct Pair {
    theirs: f64,
    here: f64,
    within: f64,
}

/// A figure of a paper, and what was measured or, if nothing was, what the law gives.
fn paper_and_here(cell: &Cell, unit: f64) -> Option<Pair> {
    let measured = cell.ours.filter(|sample| sample.runs > 0);
    let here = measured.map(|sample| sample.mean).or(cell.formula)?;
    Some(Pair { theirs: cell.paper?, here, within: unit.max(2.0 * measured.map_or(0.0, |sample| sample.spread)) })
}

fn law_and_here(cell: &Cell, unit: f64) -> Option<Pair> {
    let measured = cell.ours.filter(|sample| sample.runs > 0)?;
    Some(Pair { theirs: cell.formula?, here: measured.mean, within: unit.max(2.0 * measured.spread) })
}

/// How many figures there are, how many differ, and the two that are farthest apart, as they are written.
#[derive(Debug, Default, PartialEq)]
struct Tally {
    all: usize,
    differ: usize,
    farthest: f64,
    told: String,
}

impl Tally {
    fn of(table: &Table, pair: fn(&Cell, f64) -> Option<Pair>) -> Self {
        let mut tally = Self::default();
        for (i, measure) in table.measures.iter().enumerate().filter(|(_, measure)| !measure.interval) {
            let cells =
                || table.rows.iter().filter_map(|row| row.cells.get(i).map(|cell| (row.labels.join(", "), cell)));
            let digits = cells().filter_map(|(_, cell)| cell.paper).map(|value| digits(value, measure)).max();
            for (row, cell) in cells() {
                let unit = |value: f64| unit(value, measure, digits.unwrap_or(measure.digits));
                let Some(pair) = pair(cell, unit(cell.paper.or(cell.formula).unwrap_or(0.0))) else { continue };
                tally.add(&pair, &row, measure);
            }
        }
        tally
    }

    fn add(&mut self, pair: &Pair, row: &str, measure: &Measure) {
        self.all += 1;
        if (pair.theirs - pair.here).abs() <= pair.within * (1.0 + 1e-9) {
            return;
        }
        self.differ += 1;
        let ratio = (pair.theirs / pair.here).max(pair.here / pair.theirs);
        if ratio.is_finite() && ratio > self.farthest {
            let [theirs, here] = [pair.theirs, pair.here].map(|value| page::figure(value, measure));
            (self.farthest, self.told) = (ratio, format!("{here} for {theirs} ({row})"));
        }
    }

    fn told(&self) -> String {
        match self.all {
            0 => " |  | ".to_owned(),
            all => format!("{all} | {} | {}", all - self.differ, self.told),
        }
    }
}

/// Digits behind the point that a printed figure needs: of a power, those of its mantissa and one at least.
fn digits(value: f64, measure: &Measure) -> usize {
    let value = if measure.powers && value != 0.0 { value / 10f64.powf(value.abs().log10().floor()) } else { value };
    let needed = |digits: &usize| {
        let scaled = value * 10f64.powi(num::power(num::wide(*digits)));
        (scaled - scaled.round()).abs() < 1e-6
    };
    let digits = (0..=6).find(needed).unwrap_or(6);
    if measure.powers { digits.max(1) } else { digits }
}

/// One unit of the last digit; half of one of a figure without digits behind the point, which may be a count.
fn unit(value: f64, measure: &Measure, digits: usize) -> f64 {
    let power = if measure.powers && value != 0.0 { value.abs().log10().floor() } else { 0.0 };
    10f64.powf(power - num::size(digits)) * if digits == 0 { 0.5 } else { 1.0 }
}

/// How many printed rates are within one unit of the last digit of what was measured (`ours`) or of the law (`formula`). Sums of
/// two columns do not count.
pub(crate) fn printed(table: &Table, source: &str) -> Result<String, String> {
    let (mut all, mut same) = (0, 0);
    for (i, measure) in table.measures.iter().enumerate().filter(|(_, measure)| !measure.name.contains(" + ")) {
        for cell in table.rows.iter().filter_map(|row| row.cells.get(i)) {
            let value = match source {
                "ours" => cell.ours.map(|sample| sample.mean),
                "formula" => cell.formula,
                _ => return Err(format!("{source:?} is neither ours nor formula")),
            };
            let Some((paper, value)) = cell.paper.zip(value) else { continue };
            all += 1;
            let rounded = page::figure(value, measure).parse::<f64>().unwrap_or(f64::NAN);
            same += usize::from((paper - rounded).abs() <= unit(paper, measure, measure.digits) * (1.0 + 1e-6));
        }
    }
    Ok(format!("{same} of {all}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::Sample;

    fn outcome(name: &str, ours: f64) -> Outcome {
        let mut outcome = Outcome::new("a");
        outcome.head.name = name.to_owned();
        let mut table = Table::new("T", &["s"], vec![Measure::new("FPR, %", 2)]);
        let sample = |mean: f64| Sample { mean, spread: 0.1, runs: 10 };
        table.row(&["2"], vec![Cell::default().paper(22.5).formula(22.5).ours(sample(22.65))]);
        table.row(&["3"], vec![Cell::default().paper(30.1).ours(sample(ours))]);
        outcome.tables.push(table);
        outcome
    }

    #[test]
    fn figure_within_its_unit_or_two_spreads_is_the_same() {
        let text = table(&[&outcome("x", 30.25)]).expect("no difference");
        assert!(text.ends_with("| 2 | 2 |  | 1 | 1 |  |  |"), "{text}");
    }

    #[test]
    fn difference_without_cause_is_an_error() {
        let error = table(&[&outcome("x", 31.0)]).expect_err("no cause");
        assert!(error.contains("x, T: figures differ and no cause is named"), "{error}");
        let of = Tally::of(&outcome("x", 31.0).tables[0], paper_and_here);
        assert_eq!((of.all, of.differ, of.told.as_str()), (2, 1, "31.00 for 30.10 (3)"));
    }

    #[test]
    fn cause_without_difference_is_an_error() {
        let (experiment, title, _) = CAUSES[0];
        assert!(cause(experiment, &Table::new(title, &[], Vec::new()), false).is_err());
    }

    #[test]
    fn unit_is_that_of_the_last_printed_digit() {
        let (plain, powers) = (Measure::new("x", 2), Measure::powers("y"));
        assert_eq!([22.57, 10.1, 9.0].map(|value| digits(value, &plain)), [2, 1, 0]);
        assert_eq!([1e-2, 2.5e-3, 2.225e-2].map(|value| digits(value, &powers)), [1, 1, 3]);
        assert!((unit(2.5e-3, &powers, 1) - 1e-4).abs() < 1e-12 && unit(9.0, &plain, 0) == 0.5);
    }

    #[test]
    fn printed_figures_are_counted_by_one_unit() {
        assert_eq!(printed(&outcome("x", 30.11).tables[0], "ours"), Ok("1 of 2".to_owned()));
        assert_eq!(printed(&outcome("x", 30.11).tables[0], "formula"), Ok("1 of 1".to_owned()));
        assert!(printed(&outcome("x", 30.1).tables[0], "paper").is_err());
    }
}
