//! What an experiment found: tables, pictures, comparisons and sentences, as JSON lines and back.
//!
//! The JSON lines are the result; page and pictures are drawn from them alone.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use crate::check::{self, Check};
use crate::machine::Day;
use crate::sample::Sample;

/// Everything that one run of an experiment found.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Outcome {
    pub(crate) head: Head,
    pub(crate) tables: Vec<Table>,
    pub(crate) charts: Vec<Chart>,
    pub(crate) checks: Vec<Check>,
}

/// Which experiment, how it was run.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Head {
    pub(crate) name: String,
    pub(crate) title: String,
    /// `quick`, `default` or `full`.
    pub(crate) length: String,
    pub(crate) seed: u64,
    /// The chance of a false alarm of each comparison.
    pub(crate) alarm: f64,
    /// What was run.
    pub(crate) setting: String,
    /// Of an experiment with times: the day of the first run, and that of the second if there was one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) days: Vec<Day>,
}

/// How findings begin.
pub(crate) const FINDINGS: &str = "**What comes out.**";

/// A table of figures: each row has one cell per measure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Table {
    pub(crate) title: String,
    /// The names of the columns that say what a row is.
    pub(crate) labels: Vec<String>,
    pub(crate) measures: Vec<Measure>,
    /// What to make of it: sentences below the table.
    pub(crate) notes: Vec<String>,
    #[serde(skip)]
    pub(crate) rows: Vec<Row>,
}

/// What is measured, in which unit, shown with how many digits behind the point (or in the form 1.2e-3).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Measure {
    pub(crate) name: String,
    pub(crate) digits: usize,
    pub(crate) powers: bool,
    /// Shown with the interval of its runs in place of their spread.
    #[serde(default, skip_serializing_if = "is_not")]
    pub(crate) interval: bool,
}

/// One line of a table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    pub(crate) labels: Vec<String>,
    pub(crate) cells: Vec<Cell>,
}

/// One figure: the paper's, the formula's, ours.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Cell {
    pub(crate) paper: Option<f64>,
    pub(crate) formula: Option<f64>,
    pub(crate) ours: Option<Sample>,
    /// What a second run measured, apart from the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) again: Option<Sample>,
}

/// The least and the most of some figures; of none no number.
pub(crate) fn span(figures: impl IntoIterator<Item = f64>) -> [f64; 2] {
    figures.into_iter().fold([f64::NAN; 2], |[least, most], one| [least.min(one), most.max(one)])
}

/// The side of 1 on which the whole interval lies.
fn side(sample: &Sample) -> Option<Ordering> {
    let (low, high) = sample.interval();
    if high < 1.0 {
        return Some(Ordering::Less);
    }
    (low > 1.0).then_some(Ordering::Greater)
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "what serde asks for")]
const fn is_not(flag: &bool) -> bool {
    !*flag
}

/// A picture.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Chart {
    /// What the file is called: the experiment's name and this.
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    /// What to make of it.
    pub(crate) notes: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) inset: Option<Inset>,
    #[serde(skip)]
    pub(crate) series: Vec<Series>,
}

/// A part of a picture once more, with linear axes of its own: for what is flat in the whole.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Inset {
    /// The series whose names begin so.
    pub(crate) of: String,
    /// From where to where.
    pub(crate) x: (f64, f64),
}

/// An axis: its label with the unit, and whether its steps are powers of ten.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Axis {
    pub(crate) label: String,
    pub(crate) log: bool,
}

/// A curve or a set of points.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Series {
    pub(crate) name: String,
    /// Whether the points are joined.
    pub(crate) line: bool,
    pub(crate) points: Vec<(f64, f64)>,
    /// For each point where nearly all runs lie; none if it is no measurement.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) bars: Vec<(f64, f64)>,
}

/// One line of a result file. Rows belong to the table before them, series to the picture before them.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Line {
    Experiment(Head),
    Table(Table),
    Row(Row),
    Chart(Chart),
    Series(Series),
    Check(Check),
}

impl Measure {
    /// Shown with `digits` behind the point.
    pub(crate) fn new(name: &str, digits: usize) -> Self {
        Self { name: name.to_owned(), digits, powers: false, interval: false }
    }

    /// Shown as 1.2e-3.
    pub(crate) fn powers(name: &str) -> Self {
        Self { name: name.to_owned(), digits: 2, powers: true, interval: false }
    }

    /// A ratio of times: shown with the interval of its rounds.
    pub(crate) fn ratio(name: &str) -> Self {
        Self { interval: true, ..Self::new(name, 2) }
    }
}

impl Cell {
    pub(crate) fn paper(mut self, value: f64) -> Self {
        self.paper = Some(value);
        self
    }

    pub(crate) fn formula(mut self, value: f64) -> Self {
        self.formula = Some(value);
        self
    }

    pub(crate) fn ours(mut self, sample: Sample) -> Self {
        self.ours = Some(sample);
        self
    }

    /// Whether both runs say the same: the mean of each lies in the interval of the other. None if there was one run.
    pub(crate) fn agrees(&self) -> Option<bool> {
        let (first, second) = (self.ours?, self.again?);
        Some(first.holds(second.mean) && second.holds(first.mean))
    }

    /// Whether it is what the others are compared with: 1 by definition.
    pub(crate) fn is_unit(&self) -> bool {
        self.ours.is_some_and(|sample| sample.mean == 1.0 && sample.spread == 0.0)
    }

    /// How a ratio of times compares with 1. Two days must agree and the interval of each must lie on one side of 1: otherwise
    /// nothing is concluded.
    pub(crate) fn conclusion(&self) -> Option<Ordering> {
        let [first, second] = [self.ours?, self.again?].map(|sample| side(&sample));
        first.filter(|_| first == second && self.agrees() == Some(true))
    }
}

impl Table {
    pub(crate) fn new(title: &str, labels: &[&str], measures: Vec<Measure>) -> Self {
        let labels = labels.iter().map(|&label| label.to_owned()).collect();
        Self { title: title.to_owned(), labels, measures, notes: Vec::new(), rows: Vec::new() }
    }

    /// Puts what comes out of a table below it, in place of what stood there.
    pub(crate) fn conclude(&mut self, findings: &str) {
        self.notes.retain(|note| !note.starts_with(FINDINGS));
        self.notes.push(findings.to_owned());
    }

    /// What was measured of rows whose labels begin so, of measures whose names do.
    pub(crate) fn figures(&self, labels: &[&str], measure: &str) -> Vec<f64> {
        let rows = self.rows.iter().filter(|row| row.labels.iter().zip(labels).all(|(one, other)| one == other));
        let places = self.measures.iter().enumerate().filter(|(_, one)| one.name.starts_with(measure));
        let places: Vec<usize> = places.map(|(i, _)| i).collect();
        rows.flat_map(|row| places.iter().filter_map(|&i| row.cells[i].ours)).map(|sample| sample.mean).collect()
    }

    pub(crate) fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    pub(crate) fn row(&mut self, labels: &[&str], cells: Vec<Cell>) {
        self.rows.push(Row { labels: labels.iter().map(|&label| label.to_owned()).collect(), cells });
    }
}

impl Axis {
    pub(crate) fn linear(label: &str) -> Self {
        Self { label: label.to_owned(), log: false }
    }

    pub(crate) fn log(label: &str) -> Self {
        Self { label: label.to_owned(), log: true }
    }
}

impl Chart {
    pub(crate) fn new(name: &str, title: &str, x: Axis, y: Axis) -> Self {
        Self {
            name: name.to_owned(),
            title: title.to_owned(),
            x,
            y,
            notes: Vec::new(),
            inset: None,
            series: Vec::new(),
        }
    }

    pub(crate) fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// Shows the series whose names begin so once more, between two places.
    pub(crate) fn inset(mut self, of: &str, x: (f64, f64)) -> Self {
        self.inset = Some(Inset { of: of.to_owned(), x });
        self
    }

    /// Means of runs as marks, each with the interval of its runs.
    pub(crate) fn measured(&mut self, name: impl Into<String>, samples: Vec<(f64, Sample)>) {
        self.samples(name.into(), false, &samples);
    }

    /// The same as a curve.
    pub(crate) fn measured_curve(&mut self, name: impl Into<String>, samples: Vec<(f64, Sample)>) {
        self.samples(name.into(), true, &samples);
    }

    fn samples(&mut self, name: String, line: bool, samples: &[(f64, Sample)]) {
        let points = samples.iter().map(|(x, sample)| (*x, sample.mean)).collect();
        let bars = samples.iter().map(|(_, sample)| drawn(sample)).collect();
        self.series.push(Series { name, line, points, bars });
    }

    pub(crate) fn curve(&mut self, name: impl Into<String>, points: Vec<(f64, f64)>) {
        self.series.push(Series { name: name.into(), line: true, points, bars: Vec::new() });
    }

    pub(crate) fn points(&mut self, name: impl Into<String>, points: Vec<(f64, f64)>) {
        self.series.push(Series { name: name.into(), line: false, points, bars: Vec::new() });
    }
}

/// The interval of a sample as a picture needs it: five digits, and nothing below 0 of what cannot be below.
fn drawn(sample: &Sample) -> (f64, f64) {
    let digits = |x: f64| format!("{x:.4e}").parse().unwrap_or(x);
    let (low, high) = sample.interval();
    (digits(if sample.mean >= 0.0 { low.max(0.0) } else { low }), digits(high))
}

impl Outcome {
    /// What was run, in a sentence.
    pub(crate) fn new(setting: impl Into<String>) -> Self {
        Self { head: Head { setting: setting.into(), ..Head::default() }, ..Self::default() }
    }

    /// Whether times are among the figures.
    pub(crate) fn is_timed(&self) -> bool {
        self.tables.iter().flat_map(|table| &table.measures).any(|measure| measure.interval)
    }

    /// Gives the comparisons their tolerances.
    pub(crate) fn settle(&mut self, experiments: usize) {
        self.head.alarm = check::settle(&mut self.checks, experiments);
    }

    /// Takes the times of a second run of the same experiment; all other figures come back as they were.
    pub(crate) fn second(&mut self, other: &Self) -> Result<(), String> {
        let shape = |outcome: &Self| -> Vec<Vec<Vec<String>>> {
            outcome.tables.iter().map(|table| table.rows.iter().map(|row| row.labels.clone()).collect()).collect()
        };
        if shape(self) != shape(other) {
            return Err(format!("{}: the second run has other rows than the first", self.head.name));
        }
        let first = self.head.days.first().ok_or_else(|| format!("{}: the first run has no day", self.head.name))?;
        let second = other.head.days.first().ok_or_else(|| format!("{}: the second run has no day", self.head.name))?;
        if !second.is_apart_from(first) {
            return Err(format!(
                "{}: the second run is of {second} and the first of {first}: date and hour must both differ",
                self.head.name
            ));
        }
        self.head.days = vec![first.clone(), second.clone()];
        for (table, other) in self.tables.iter_mut().zip(&other.tables) {
            let timed: Vec<bool> = table.measures.iter().map(|measure| measure.interval).collect();
            for (row, other) in table.rows.iter_mut().zip(&other.rows) {
                let cells = row.cells.iter_mut().zip(&other.cells).zip(&timed).filter(|(_, timed)| **timed);
                cells.for_each(|((cell, other), _)| cell.again = other.ours);
            }
        }
        Ok(())
    }

    /// What was measured of a row, in all tables that have it: how the row's labels begin, and how the measure does.
    pub(crate) fn figures(&self, labels: &[&str], measure: &str) -> Vec<f64> {
        self.tables.iter().flat_map(|table| table.figures(labels, measure)).collect()
    }

    /// The least and the most of them; of none no number.
    pub(crate) fn span(&self, labels: &[&str], measure: &str) -> [f64; 2] {
        span(self.figures(labels, measure))
    }

    /// The comparisons that do not hold.
    pub(crate) fn broken(&self) -> Vec<&Check> {
        self.checks.iter().filter(|check| !check.holds()).collect()
    }

    pub(crate) fn to_lines(&self) -> String {
        let mut lines = vec![Line::Experiment(self.head.clone())];
        for table in &self.tables {
            lines.push(Line::Table(table.clone()));
            lines.extend(table.rows.iter().cloned().map(Line::Row));
        }
        for chart in &self.charts {
            lines.push(Line::Chart(chart.clone()));
            lines.extend(chart.series.iter().cloned().map(Line::Series));
        }
        lines.extend(self.checks.iter().cloned().map(Line::Check));
        lines.iter().map(|line| serde_json::to_string(line).expect("numbers and texts") + "\n").collect()
    }

    pub(crate) fn from_lines(text: &str) -> Result<Self, String> {
        let mut outcome = Self::default();
        for (n, line) in (1..).zip(text.lines()) {
            let line = serde_json::from_str(line).map_err(|error| format!("line {n}: {error}"))?;
            outcome.take(line).ok_or_else(|| format!("line {n}: nothing that it belongs to"))?;
        }
        Ok(outcome)
    }

    fn take(&mut self, line: Line) -> Option<()> {
        match line {
            Line::Experiment(head) => self.head = head,
            Line::Table(table) => self.tables.push(table),
            Line::Row(row) => self.tables.last_mut()?.rows.push(row),
            Line::Chart(chart) => self.charts.push(chart),
            Line::Series(series) => self.charts.last_mut()?.series.push(series),
            Line::Check(check) => self.checks.push(check),
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_replace_those_that_stood_there() {
        let mut table = Table::new("t", &[], Vec::new()).note("A note.");
        for findings in ["**What comes out.** One.", "**What comes out.** Two."] {
            table.conclude(findings);
            assert_eq!(table.notes, ["A note.", findings]);
        }
    }

    #[test]
    fn an_interval_is_drawn_with_few_digits() {
        assert_eq!(drawn(&Sample { mean: 1.0 / 3.0, spread: 1e-3, runs: 5 }), (0.331_33, 0.335_33));
        assert_eq!(drawn(&Sample { mean: 1.0, spread: 1.0, runs: 5 }), (0.0, 3.0));
    }

    #[test]
    fn second_run_is_kept_with_the_first() {
        let one = |mean: f64, label: &str| {
            let (mut outcome, mut table) = (Outcome::new("a"), Table::new("t", &["a"], vec![Measure::ratio("m")]));
            table.row(&[label], vec![Cell::default().ours(Sample { mean, spread: 0.5, runs: 3 })]);
            outcome.tables.push(table);
            outcome.head.days = vec![day("2026-11-23", 9)];
            outcome
        };
        let mut first = one(1.0, "x");
        first.head.days = vec![day("2026-11-22", 23)];
        first.second(&one(1.5, "x")).expect("the same rows");
        let cell = first.tables[0].rows[0].cells[0];
        assert!(cell.again.expect("a second run").mean == 1.5 && cell.agrees() == Some(true));
        first.second(&one(2.5, "x")).expect("the same rows");
        assert_eq!(first.tables[0].rows[0].cells[0].agrees(), Some(false));
        assert!(first.second(&one(1.0, "y")).is_err());
        assert_eq!(Outcome::from_lines(&first.to_lines()).expect("its own lines"), first);
    }

    #[test]
    fn second_run_gives_times_and_no_other_figure() {
        let one = |figure: f64, day: Day| {
            let measures = vec![Measure::ratio("time"), Measure::new("bits", 1)];
            let (mut outcome, mut table) = (Outcome::new("a"), Table::new("t", &["a"], measures));
            table.row(&["x"], vec![Cell::default().ours(Sample::of([figure])); 2]);
            outcome.tables.push(table);
            outcome.head.days = vec![day];
            outcome
        };
        let mut first = one(1.0, day("2026-11-22", 23));
        first.second(&one(2.0, day("2026-11-23", 9))).expect("the same rows");
        let cells = &first.tables[0].rows[0].cells;
        assert_eq!([cells[0].again, cells[1].again], [Some(Sample::of([2.0])), None]);
    }

    fn day(date: &str, hour: u64) -> Day {
        Day { date: date.to_owned(), hour, processor: "A chip".to_owned() }
    }

    #[test]
    fn second_run_of_the_same_day_or_hour_is_refused() {
        let of = |days: Vec<Day>| Outcome { head: Head { days, ..Head::default() }, ..Outcome::default() };
        for (first, second) in
            [("2026-11-23", 8), ("2026-11-22", 9)].map(|(date, hour)| (day(date, hour), day("2026-11-23", 9)))
        {
            let error = of(vec![first]).second(&of(vec![second])).expect_err("not another day");
            assert!(error.contains("2026-11-23, 09 h UTC, A chip") && error.contains("must both differ"), "{error}");
        }
        assert!(of(Vec::new()).second(&of(vec![day("2026-11-23", 9)])).is_err());
    }

    #[test]
    fn ratio_is_concluded_only_where_two_days_agree() {
        let sample = |mean: f64| Sample { mean, spread: 0.1, runs: 5 };
        let cell =
            |first: f64, second: f64| Cell { again: Some(sample(second)), ..Cell::default().ours(sample(first)) };
        assert_eq!(cell(2.0, 1.9).conclusion(), Some(Ordering::Greater));
        assert_eq!(cell(0.5, 0.6).conclusion(), Some(Ordering::Less));
        assert_eq!(cell(2.0, 3.0).conclusion(), None, "both are more than 1, and they differ");
        assert_eq!(cell(1.1, 1.2).conclusion(), None, "the interval of the first reaches 1");
        assert_eq!(Cell::default().ours(sample(2.0)).conclusion(), None, "one day");
    }

    #[test]
    fn lines_come_back_as_they_went() {
        let mut outcome = Outcome::new("a setting");
        let mut table = Table::new("t", &["a", "b"], vec![Measure::new("m, %", 1), Measure::powers("p")]).note("n");
        let sample = Sample { mean: 1.1, spread: 0.1, runs: 3 };
        table.row(&["x", "y"], vec![Cell::default().paper(1.0).formula(2.0).ours(sample), Cell::default()]);
        outcome.tables.push(table);
        let mut chart = Chart::new("c", "t", Axis::linear("x, s"), Axis::log("y, bits")).note("m");
        chart.curve("s", vec![(1.0, 0.1), (2.0, 1e-9)]);
        chart.points("p", vec![(1.0, 2.0)]);
        chart.measured("q", vec![(1.0, sample)]);
        let mut chart = chart.inset("s", (1.0, 2.0));
        chart.measured_curve("r", vec![(1.0, sample)]);
        outcome.charts.push(chart);
        outcome.checks.push(Check::about("x", sample, 1.0));
        outcome.settle(3);
        assert_eq!(Outcome::from_lines(&outcome.to_lines()).expect("its own lines"), outcome);
        assert!(
            Outcome::from_lines("{}").is_err()
                && Outcome::from_lines("{\"row\":{\"labels\":[],\"cells\":[]}}").is_err()
        );
    }
}
