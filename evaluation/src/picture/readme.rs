//! The picture of README.md: bytes a key over the rate of false duplicates, for light and for dark pages.
//!
//! The curve of lately is its plan, that of rotating Bloom filters is their formula. The two others make no mistakes and were
//! measured by `cargo bench -p lately -- memory` and `engines/valkey/figures.py`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use lately::{Filter, Options};

use super::panels::{Curve, Panel};
use super::plot::{self, Style};
use super::sheet::{Color, Pen, Sheet};
use super::svg;
use crate::files;
use crate::laws::bounds;
use crate::outcome::{Axis, Chart};

/// Colours that can be read on one background.
struct Theme {
    name: &'static str,
    /// Axes, words and the curves of others.
    ink: Color,
    grid: Color,
    back: Color,
    ours: Color,
}

const THEMES: [Theme; 2] = [
    Theme { name: "light", ink: [60; 3], grid: [225; 3], back: [255; 3], ours: [0, 90, 190] },
    Theme { name: "dark", ink: [200; 3], grid: [60; 3], back: [13, 17, 23], ours: [100, 180, 255] },
];

/// Rates from 1e-2 to 1e-9, as powers of ten.
const POWERS: std::ops::RangeInclusive<i32> = 2..=9;

/// Bytes per key of a hash map with a ring, and of `SET k 1 EX NX`, with a million keys of 16 bytes.
const MAP: f64 = 68.8;
const REDIS: f64 = 128.91;

/// Bytes a key of a window of time with a million keys.
fn ours(rate: f64) -> Result<f64, String> {
    let request = Options::window(Duration::from_secs(1000)).capacity(1_000_000).error_rate(rate);
    Filter::plan(&request).map(|plan| plan.bits_per_key / 8.0).map_err(|error| error.to_string())
}

/// Two Bloom filters that take turns: each has room for the keys of a window, and half of the rate.
fn rotating(rate: f64) -> f64 {
    2.0 * bounds::bloom(rate / 2.0) / 8.0
}

fn chart() -> Result<Chart, String> {
    let rates = || POWERS.map(|power| 0.1f64.powi(power));
    let mut chart = Chart::new(
        "bytes",
        "Bytes a key, by the rate of false duplicates",
        Axis::log("rate of false duplicates"),
        Axis::log("bytes a key"),
    );
    let plan = rates().map(|rate| ours(rate).map(|bytes| (rate, bytes))).collect::<Result<_, _>>()?;
    chart.curve("lately", plan);
    chart.curve("two rotating Bloom filters", rates().map(|rate| (rate, rotating(rate))).collect());
    chart.curve("hash map and ring, no mistakes", rates().map(|rate| (rate, MAP)).collect());
    chart.curve("Redis SET NX EX, no mistakes", rates().map(|rate| (rate, REDIS)).collect());
    Ok(chart)
}

/// The picture for one background.
fn sheet(theme: &Theme) -> Result<Sheet, String> {
    let Theme { ink, grid, back, ours, .. } = *theme;
    let style = Style {
        width: 760.0,
        heights: [260.0; 3],
        size: 14.0,
        ink,
        faint: grid,
        back,
        first: Some(Pen::new(ours, 3.0)),
    };
    let chart = chart()?;
    let curve = |(look, series): (usize, &crate::outcome::Series)| Curve {
        series: series.clone(),
        label: series.name.clone(),
        look,
    };
    let panel =
        Panel { title: String::new(), curves: chart.series.iter().enumerate().map(curve).collect(), closer: None };
    Ok(plot::sheet(&chart, &[panel], &style))
}

/// Both, for what all pictures must keep.
#[cfg(test)]
pub(crate) fn sheets() -> Vec<Sheet> {
    THEMES.iter().map(|theme| sheet(theme).expect("a picture")).collect()
}

fn draw(theme: &Theme) -> Result<String, String> {
    Ok(svg::file(&sheet(theme)?, 1.0))
}

fn file(docs: &Path, theme: &Theme) -> PathBuf {
    docs.join(format!("pictures/bytes-{}.svg", theme.name))
}

/// Draws both into `docs/pictures`.
pub(crate) fn write(docs: &Path) -> Result<(), String> {
    THEMES.iter().try_for_each(|theme| files::write(&file(docs, theme), draw(theme)?.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

    fn text(path: &Path) -> String {
        std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    #[test]
    fn the_pictures_of_the_first_page_show_the_plan() {
        for theme in &THEMES {
            let file = file(&Path::new(ROOT).join("docs"), theme);
            let is_current = text(&file) == draw(theme).expect("a picture");
            assert!(is_current, "cargo evaluation picture draws {} again", file.display());
        }
    }

    /// What was measured stands in three places: here, on the page of its measurement and, rounded, on the first page.
    #[test]
    fn measured_figures_are_those_of_their_pages() {
        let says = |page: &str, want: &str| {
            assert!(text(&Path::new(ROOT).join(page)).contains(want), "{page} should say: {want}");
        };
        says("docs/reference/costs.md", &format!("| hash map and ring, `[u8; 16]` (hashbrown) | 84.5 | {MAP:.1} |"));
        says("README.md", &format!("| hash map and ring | {MAP:.0} |"));
        says("engines/valkey/README.md", &format!("| `SET k 1 EX NX` | {REDIS:.2} |"));
        says("README.md", &format!("| Redis, `SET k 1 EX NX` | {REDIS:.0} |"));
    }
}
