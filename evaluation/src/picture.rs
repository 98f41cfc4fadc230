//! The picture of README.md: bytes a key over the rate of false duplicates, for light and for dark pages.
//!
//! The curve of lately is its plan, that of rotating Bloom filters is their formula. The two others make no mistakes and were
//! measured by `cargo bench -p lately -- memory` and `engines/valkey/figures.py`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use lately::{Filter, Options};
use plotters::backend::SVGBackend;
use plotters::prelude::*;

use crate::laws::bounds;
use crate::plot::told;
use crate::store;

const SIZE: (u32, u32) = (760, 330);

/// Colours that can be read on one background.
struct Theme {
    name: &'static str,
    /// Axes, words and the curves of others.
    ink: RGBColor,
    grid: RGBColor,
    ours: RGBColor,
}

const THEMES: [Theme; 2] = [
    Theme { name: "light", ink: RGBColor(60, 60, 60), grid: RGBColor(225, 225, 225), ours: RGBColor(0, 90, 190) },
    Theme { name: "dark", ink: RGBColor(200, 200, 200), grid: RGBColor(60, 60, 60), ours: RGBColor(100, 180, 255) },
];

/// Rates from 1e-2 to 1e-9, as powers of ten.
const POWERS: std::ops::RangeInclusive<i32> = 2..=9;

/// Bytes per key of a hash map with a ring, and of `SET k 1 EX NX`, with a million keys of 16 bytes.
const MAP: f64 = 68.6;
const REDIS: f64 = 128.9;

struct Curve {
    name: &'static str,
    /// The name is drawn at this multiple of the curve's height, where it crosses no curve.
    label: f64,
    points: Vec<(f64, f64)>,
}

/// Bytes a key of a window of time with a million keys.
fn ours(rate: f64) -> Result<f64, String> {
    let request = Options::window(Duration::from_secs(1000)).capacity(1_000_000).error_rate(rate);
    Filter::plan(&request).map(|plan| plan.bits_per_key / 8.0).map_err(|error| error.to_string())
}

/// Two Bloom filters that take turns: each has room for the keys of a window, and half of the rate.
fn rotating(rate: f64) -> f64 {
    2.0 * bounds::bloom(rate / 2.0) / 8.0
}

fn curves() -> Result<[Curve; 4], String> {
    let rates = || POWERS.map(|power| (f64::from(power), 0.1f64.powi(power)));
    let plan = rates().map(|(x, rate)| ours(rate).map(|bytes| (x, bytes))).collect::<Result<_, _>>()?;
    let blooms = rates().map(|(x, rate)| (x, rotating(rate))).collect();
    let flat = |bytes: f64| rates().map(|(x, _)| (x, bytes)).collect();
    Ok([
        Curve { name: "lately", label: 0.8, points: plan },
        Curve { name: "two rotating Bloom filters", label: 1.7, points: blooms },
        Curve { name: "hash map and ring, no mistakes", label: 1.28, points: flat(MAP) },
        Curve { name: "Redis SET NX EX, no mistakes", label: 1.28, points: flat(REDIS) },
    ])
}

/// The picture for one background.
fn draw(theme: &Theme) -> Result<String, String> {
    let Theme { ink, grid, ours, .. } = theme;
    let mut svg = String::new();
    let root = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
    let mut plane = ChartBuilder::on(&root)
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(56)
        .build_cartesian_2d(2.0..9.0, (2.0..200.0f64).log_scale())
        .map_err(told)?;
    let words = |size: u32| ("sans-serif", size).into_font().color(ink);
    plane
        .configure_mesh()
        .disable_x_mesh()
        .bold_line_style(grid)
        .light_line_style(TRANSPARENT)
        .axis_style(ink)
        .x_desc("rate of false duplicates")
        .y_desc("bytes a key")
        .x_label_formatter(&|power| format!("1e-{power:.0}"))
        .y_label_formatter(&|bytes| format!("{bytes:.0}"))
        .label_style(words(13))
        .axis_desc_style(words(14))
        .draw()
        .map_err(told)?;
    for (i, curve) in curves()?.into_iter().enumerate() {
        let color = if i == 0 { ours } else { ink };
        let style = color.stroke_width(if i == 0 { 3 } else { 1 });
        let (x, y) = curve.points.get(2).copied().unwrap_or_default();
        let label = Text::new(curve.name, (x, y * curve.label), ("sans-serif", 14).into_font().color(color));
        plane.draw_series(LineSeries::new(curve.points, style)).map_err(told)?;
        plane.draw_series(std::iter::once(label)).map_err(told)?;
    }
    root.present().map_err(told)?;
    drop((plane, root));
    Ok(svg)
}

fn file(docs: &Path, theme: &Theme) -> PathBuf {
    docs.join(format!("pictures/bytes-{}.svg", theme.name))
}

/// Draws both into `docs/pictures`.
pub(crate) fn write(docs: &Path) -> Result<(), String> {
    THEMES.iter().try_for_each(|theme| store::write(&file(docs, theme), draw(theme)?.as_bytes()))
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
            assert!(is_current, "cargo run -p evaluation -- picture draws {} again", file.display());
        }
    }

    /// What was measured stands in three places: here, on the page of its measurement and, rounded, on the first page.
    #[test]
    fn measured_figures_are_those_of_their_pages() {
        let says = |page: &str, want: &str| {
            assert!(text(&Path::new(ROOT).join(page)).contains(want), "{page} should say: {want}");
        };
        says("docs/reference/costs.md", &format!("| hash map and ring, `[u8; 16]` (hashbrown) | 83.2 | {MAP:.1} |"));
        says("README.md", &format!("| hash map and ring | {MAP:.0} |"));
        says("engines/valkey/README.md", &format!("| `SET k 1 EX NX` | {REDIS:.2} |"));
        says("README.md", &format!("| Redis, `SET k 1 EX NX` | {REDIS:.0} |"));
    }
}
