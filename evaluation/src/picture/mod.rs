//! Pictures, from results alone: for the page as SVG, for print as PDF.
//!
//! | part | what it is |
//! | --- | --- |
//! | `sheet` | a drawing: strokes, areas and words in points |
//! | `svg` `pdf` `font` | a drawing as a file; the font, its widths, the part of it that a file embeds |
//! | `panels` | which curves of a chart are drawn together: six at most |
//! | `scale` | an axis: its ends, its ticks |
//! | `plot` `marks` | a chart as a drawing |
//! | `label` | where the name of each curve is written: next to it, on no other ink |
//! | `readme` | the picture of README.md |

mod font;
mod label;
mod marks;
mod panels;
mod pdf;
mod plot;
pub(crate) mod readme;
mod scale;
mod sheet;
mod svg;

use crate::outcome::Chart;

/// The picture of a chart for the page.
pub(crate) fn screen(experiment: &str, chart: &Chart) -> String {
    svg::file(&plot::sheet(chart, &panels::of(experiment, chart), &plot::COLUMN), 2.0)
}

/// The same for print, as wide as a column.
pub(crate) fn print(experiment: &str, chart: &Chart) -> Vec<u8> {
    pdf::file(&plot::sheet(chart, &panels::of(experiment, chart), &plot::COLUMN))
}

#[cfg(test)]
mod tests {
    use std::sync::OnceLock;

    use super::panels::{MOST, Panel};
    use super::sheet::{Area, Ink, Place, Sheet};
    use super::*;
    use crate::outcome::Outcome;

    /// A picture with its name and its panels, and whether a clock has measured it.
    type Drawn = (String, Vec<Panel>, Sheet, bool);

    /// Every picture of the quick forms that take no second, with the feature of the results; and those of the first page.
    fn all() -> &'static [Drawn] {
        static ALL: OnceLock<Vec<Drawn>> = OnceLock::new();
        ALL.get_or_init(|| {
            let outcomes = outcomes();
            let charts = outcomes
                .iter()
                .flat_map(|outcome| outcome.charts.iter().map(|chart| (outcome.head.name.as_str(), chart)));
            let results = charts.map(|(experiment, chart)| drawn(experiment, chart));
            results
                .chain(readme::sheets().into_iter().map(|sheet| ("README".to_owned(), Vec::new(), sheet, false)))
                .collect()
        })
    }

    #[cfg(feature = "results")]
    fn outcomes() -> Vec<Outcome> {
        crate::store::of_tree().outcomes().expect("results of every experiment")
    }

    /// Experiments with pictures whose quick form has curves where the full one has them.
    #[cfg(not(feature = "results"))]
    const DRAWN: [&str; 10] = [
        "qht-theorems",
        "tiny-set-table-1",
        "tiny-set-speed",
        "tiny-set-tables-5-and-6",
        "tiny-set-figure-12",
        "tiny-set-figure-14",
        "tiny-set-figure-15",
        "time-limited-figures-1-to-3",
        "contest-time",
        "contest-sizes",
    ];

    #[cfg(not(feature = "results"))]
    fn outcomes() -> Vec<Outcome> {
        let context = crate::context::Context::quick(None);
        DRAWN.map(|name| crate::registry::find(name).expect("an experiment").run(&context)).into()
    }

    fn drawn(experiment: &str, chart: &Chart) -> Drawn {
        let panels = panels::of(experiment, chart);
        let sheet = plot::sheet(chart, &panels, &plot::COLUMN);
        let is_timed = ["time", "ns"].iter().any(|unit| chart.y.label.starts_with(unit));
        (format!("{experiment}-{}", chart.name), panels, sheet, is_timed)
    }

    /// The areas of all words.
    fn words(sheet: &Sheet) -> Vec<(&str, Area)> {
        let mut words = Vec::new();
        for ink in &sheet.inks {
            if let Ink::Words { text, at, size, .. } = ink {
                words.push((text.as_str(), Area::of_words(text, *at, *size)));
            }
        }
        words
    }

    /// All whose height is known: a machine with other work gives a time of a quick run any height.
    fn steady() -> impl Iterator<Item = &'static Drawn> + Clone {
        all().iter().filter(|(.., is_timed)| cfg!(feature = "results") || !is_timed)
    }

    #[test]
    fn words_of_a_picture_never_meet_and_are_on_its_sheet() {
        let mut wrong = Vec::new();
        for (name, _, sheet, _) in steady() {
            let (words, page) = (words(sheet), Area { left: 0.0, top: 0.0, right: sheet.size.0, bottom: sheet.size.1 });
            for (i, (text, area)) in words.iter().enumerate() {
                if !page.has((area.left, area.top)) || !page.has((area.right, area.bottom)) {
                    wrong.push(format!("{name}: {text:?} is not on the sheet: {area:?}"));
                }
                let on = words[..i].iter().filter(|(_, there)| area.meets(there));
                wrong.extend(on.map(|(other, _)| format!("{name}: {text:?} is on {other:?}")));
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    #[test]
    fn panel_has_six_curves_at_most_and_each_has_its_name() {
        for (name, panels, sheet, _) in all() {
            let words = words(sheet);
            for panel in panels {
                let named: Vec<&str> =
                    panel.curves.iter().map(|curve| curve.label.as_str()).filter(|label| !label.is_empty()).collect();
                let lines = panel.curves.iter().filter(|curve| curve.series.line).count();
                assert!(lines <= MOST && named.len() <= MOST, "{name}: {named:?}");
                for label in named {
                    assert!(words.iter().any(|(text, _)| *text == label), "{name}: no room for {label:?}");
                }
            }
        }
    }

    /// The width of the lines of the grid, which say nothing of the data.
    const GRID: f64 = 0.4;

    /// Whether ink other than the grid's is inside an area.
    fn is_inked(sheet: &Sheet, area: &Area) -> bool {
        let inner = area.grown(-1.0);
        let on = |path: &[Place]| label::samples(path).any(|place| inner.has(place));
        sheet.inks.iter().skip(1).any(|ink| match ink {
            Ink::Line { path, pen } => pen.width > GRID && on(path),
            Ink::Area { edge, .. } => edge.iter().any(|&place| inner.has(place)),
            Ink::Words { text, at, size, .. } => Area::of_words(text, *at, *size).meets(&inner),
        })
    }

    /// Cut from side to side or from top to bottom: a curve that falls leaves corners empty, and no axis is longer than what it shows.
    #[test]
    fn no_quarter_of_a_plane_is_empty() {
        let mut wrong = Vec::new();
        // The gap is what these show: from a filter to an exact structure, and from what a table takes to its bound.
        const GAPS: [&str; 3] = ["README", "contest-sizes-bytes", "contest-time-growth-memory"];
        let drawn = steady().filter(|(name, ..)| !GAPS.contains(&name.as_str()));
        assert!(drawn.clone().count() > 8, "{} pictures", drawn.count());
        for (name, _, sheet, _) in drawn {
            for (i, plane) in sheet.planes.iter().enumerate() {
                let empty = (0..8).filter(|&strip| !is_inked(sheet, &plane.strips()[strip]));
                wrong.extend(empty.map(|strip| format!("{name}, panel {i}: quarter {strip} is empty")));
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    #[test]
    fn picture_is_a_column_wide_and_comes_back_with_the_same_bytes() {
        for (name, _, sheet, _) in all().iter().filter(|(name, ..)| name != "README") {
            assert_eq!(sheet.size.0, 240.0, "{name}");
            assert!(sheet.size.1 < 420.0, "{name} is {} high", sheet.size.1);
            assert!(pdf::file(sheet) == pdf::file(sheet), "{name}");
        }
    }
}
