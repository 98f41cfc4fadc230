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
