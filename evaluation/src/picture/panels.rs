//! Which curves of a chart are drawn together, and what each is called there: six in a panel at most.
//!
//! A chart with more is cut into panels with the same axes: by what stands before or behind a curve's name where the names
//! have two parts, otherwise in the order of the chart.

use crate::outcome::{Chart, Series};

/// The most curves of a panel.
pub(crate) const MOST: usize = 6;

/// Curves that are drawn together.
#[derive(Debug, Clone)]
pub(crate) struct Panel {
    pub(crate) title: String,
    pub(crate) curves: Vec<Curve>,
    /// Shows only this part, with axes of its own.
    pub(crate) closer: Option<(f64, f64)>,
}

/// A curve or a set of marks.
#[derive(Debug, Clone)]
pub(crate) struct Curve {
    pub(crate) series: Series,
    /// What is written next to it; nothing if it has the place of another one, whose name is there.
    pub(crate) label: String,
    /// Curves and marks of one thing look alike.
    pub(crate) look: usize,
}

/// Names that are too long to be written next to a curve, and marks that lie on a curve: chart, name, label, and what it looks
/// like.
const NAMES: [(&str, &str, &str, &str); 25] = [
    ("tiny-set-figure-12-rates", "TinySet, analysis", "TinySet", ""),
    ("tiny-set-figure-12-rates", "TinySet, model", "", "TinySet"),
    ("tiny-set-figure-12-rates", "Bloom, ours", "", "Bloom"),
    ("tiny-set-figure-12-rates", "lately, 64 bytes", "lately", ""),
    ("tiny-set-figure-12-rates", "paper (break-even)", "paper", ""),
    ("tiny-set-figure-14-rates", "TinySet: formula", "TinySet", ""),
    ("tiny-set-figure-14-rates", "TinySet, model", "", "TinySet"),
    ("tiny-set-figure-14-rates", "Bloom: formula", "Bloom filter", ""),
    ("tiny-set-figure-14-rates", "Bloom", "", "Bloom filter"),
    ("tiny-set-figure-14-rates", "lately, 64 bytes", "lately", ""),
    ("tiny-set-figure-14-rates", "paper (3.3 % at its end)", "paper", ""),
    ("tiny-set-figure-15-removed", "the oldest leaves, 40 a block", "oldest, 40", ""),
    ("tiny-set-figure-15-removed", "the oldest leaves, 64 a block", "oldest, 64", ""),
    ("tiny-set-figure-15-removed", "a random one leaves, 40 a block", "random, 40", ""),
    ("tiny-set-figure-15-removed", "a random one leaves, 64 a block", "random, 64", ""),
    ("tiny-set-table-1-figure-10", "model", "", "model"),
    ("tiny-set-table-1-figure-10", "lately, 32 bytes", "lately, 32", ""),
    ("tiny-set-table-1-figure-10", "lately, 64 bytes", "lately, 64", ""),
    ("tiny-set-table-1-figure-10", "paper (Table 1)", "", "paper"),
    ("tiny-set-tables-5-and-6-figure-13", "lately", "", "lately"),
    ("tiny-set-tables-5-and-6-figure-13", "paper (TinySet)", "", "paper"),
    ("tiny-set-tables-5-and-6-figure-13", "paper (balanced, blocked)", "", "paper"),
    ("time-limited-beyond-past-the-span", "fill^j and the error rate", "law", ""),
    ("time-limited-figures-1-to-3-", "paper (its text)", "", "paper"),
    ("qht-theorems-forgetting", "ours", "", ""),
];

/// The panels of a chart.
pub(crate) fn of(experiment: &str, chart: &Chart) -> Vec<Panel> {
    let id = format!("{experiment}-{}", chart.name);
    let mut panels = match id.as_str() {
        "qht-theorems-filling" | "qht-theorems-at-rest" => before(chart, ": "),
        "qht-theorems-forgetting" => vec![joined(chart)],
        "time-limited-beyond-burst-rate" | "time-limited-beyond-burst-memory" => behind(chart, &["ours", "equations"]),
        id if id.starts_with("time-limited-figures-") => behind(chart, &["ours", "its equations"]),
        id => in_order(id, chart),
    };
    if let Some(inset) = &chart.inset {
        let closer = panels.clone().into_iter().map(|panel| closer(panel, &inset.of, inset.x));
        panels.extend(closer.collect::<Vec<_>>());
    }
    panels.into_iter().filter(|panel| panel.curves.iter().any(|curve| !curve.series.points.is_empty())).collect()
}

fn closer(mut panel: Panel, of: &str, x: (f64, f64)) -> Panel {
    panel.curves.retain(|curve| curve.label.starts_with(of));
    panel.curves.iter_mut().for_each(|curve| curve.series = within(&curve.series, x));
    panel.title += ", closer";
    Panel { closer: Some(x), ..panel }
}

/// The points of a series between two places.
fn within(series: &Series, (from, to): (f64, f64)) -> Series {
    let places: Vec<usize> = (0..series.points.len()).filter(|&i| (from..=to).contains(&series.points[i].0)).collect();
    Series {
        name: series.name.clone(),
        line: series.line,
        points: places.iter().map(|&i| series.points[i]).collect(),
        bars: places.iter().filter_map(|&i| series.bars.get(i).copied()).collect(),
    }
}

/// A panel for each word before a separator; the rest of the names are the labels.
fn before(chart: &Chart, separator: &str) -> Vec<Panel> {
    let parts = |series: &Series| series.name.split_once(separator).map(|(a, b)| (a.to_owned(), b.to_owned()));
    let mut panels: Vec<Panel> = Vec::new();
    for (series, (title, label)) in chart.series.iter().filter_map(|series| Some((series, parts(series)?))) {
        if panels.last().is_none_or(|panel| panel.title != title) {
            panels.push(Panel { title, curves: Vec::new(), closer: None });
        }
        let curves = &mut panels.last_mut().expect("one at least").curves;
        curves.push(Curve { series: series.clone(), label, look: curves.len() });
    }
    panels
}

/// A panel for each ending of the names; a paper's figures are in all of them.
fn behind(chart: &Chart, endings: &[&str]) -> Vec<Panel> {
    let panel = |&ending: &&str| {
        let mut curves = Vec::new();
        for series in &chart.series {
            let label = series.name.strip_suffix(ending).and_then(|label| label.strip_suffix(' '));
            if label.is_some() || series.name.contains("paper") {
                curves.push(Curve {
                    series: series.clone(),
                    label: label.unwrap_or_default().to_owned(),
                    look: curves.len(),
                });
            }
        }
        Panel { title: ending.to_owned(), curves, closer: None }
    };
    endings.iter().map(panel).collect()
}

/// One panel; measured marks lie on the exact curve of the same name and look like it.
fn joined(chart: &Chart) -> Panel {
    let mut panel = Panel { title: String::new(), curves: Vec::new(), closer: None };
    for (i, series) in chart.series.iter().enumerate() {
        let name = series.name.split(": ").next().unwrap_or_default();
        let label = if series.line { name.to_owned() } else { String::new() };
        panel.curves.push(Curve { series: series.clone(), label, look: i / 2 });
    }
    panel
}

/// One panel, or several of about as many curves.
fn in_order(id: &str, chart: &Chart) -> Vec<Panel> {
    let mut labels: Vec<String> = Vec::new();
    let mut curves = Vec::new();
    for series in &chart.series {
        let (label, like) = named(id, &series.name);
        let look = labels.iter().position(|other| *other == like).unwrap_or(labels.len());
        if look == labels.len() {
            labels.push(like);
        }
        curves.push(Curve { series: series.clone(), label, look });
    }
    let shown = curves.iter().filter(|curve| !curve.label.is_empty()).count();
    if shown <= MOST {
        return vec![Panel { title: String::new(), curves, closer: None }];
    }
    let each = curves.len().div_ceil(curves.len().div_ceil(MOST));
    let panel = |curves: &[Curve]| {
        let curves = curves.iter().enumerate().map(|(look, curve)| Curve { look, ..curve.clone() }).collect();
        Panel { title: String::new(), curves, closer: None }
    };
    curves.chunks(each).map(panel).collect()
}

/// The label of a series, and whose look it has.
fn named(id: &str, name: &str) -> (String, String) {
    let own = NAMES.iter().find(|(chart, other, ..)| id.starts_with(chart) && *other == name);
    let (label, like) = own.map_or((name, ""), |(_, _, label, like)| (*label, *like));
    (label.to_owned(), if like.is_empty() { label } else { like }.to_owned())
}
