//! Pictures as SVG, from results alone: black on white, each series with a mark of its own, so that no colour is needed.

use plotters::backend::SVGBackend;
use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

use crate::num;
use crate::outcome::{Axis, Chart as Picture, Series};

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Plane<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;
type Drawn = Result<(), String>;

const WIDTH: u32 = 860;
const HEIGHT: u32 = 440;
/// Where the legend begins.
const LEGEND: i32 = 610;
const LINE: i32 = 19;
/// The most marks on one curve.
const MARKS: usize = 12;
/// What a paper printed is drawn as solid dots.
const PAPER: &str = "paper";

/// The picture of a chart.
pub(crate) fn draw(picture: &Picture) -> Result<String, String> {
    let mut svg = String::new();
    let root = SVGBackend::with_string(&mut svg, (WIDTH, HEIGHT)).into_drawing_area();
    paint(picture, &root)?;
    drop(root);
    Ok(svg)
}

fn told(error: impl std::fmt::Display) -> String {
    error.to_string()
}

fn paint(picture: &Picture, root: &Area<'_>) -> Drawn {
    root.fill(&WHITE).map_err(told)?;
    let (left, right) = root.split_horizontally(LEGEND);
    let seen: Vec<Vec<(f64, f64)>> = picture.series.iter().map(|series| scaled(picture, series)).collect();
    let (x, y) =
        (range(&picture.x, seen.iter().flatten().map(|p| p.0)), range(&picture.y, seen.iter().flatten().map(|p| p.1)));
    let mut plane = ChartBuilder::on(&left)
        .caption(&picture.title, ("sans-serif", 15))
        .margin(10)
        .x_label_area_size(42)
        .y_label_area_size(64)
        .build_cartesian_2d(x.0..x.1, y.0..y.1)
        .map_err(told)?;
    mesh(picture, &mut plane, x, y)?;
    ticks(picture, &mut plane, x, y)?;
    for (i, (series, points)) in picture.series.iter().zip(&seen).enumerate() {
        trace(&mut plane, i, series, points)?;
        entry(&right, i, series)?;
    }
    root.present().map_err(told)
}

fn on_axis(axis: &Axis, value: f64) -> f64 {
    if axis.log { value.log10() } else { value }
}

/// The points in the coordinates of the axes; what a logarithm cannot show is left out.
fn scaled(picture: &Picture, series: &Series) -> Vec<(f64, f64)> {
    let points = series.points.iter().map(|&(x, y)| (on_axis(&picture.x, x), on_axis(&picture.y, y)));
    points.filter(|(x, y)| x.is_finite() && y.is_finite()).collect()
}

/// The ends of an axis: whole powers of ten, or a little more than what is shown, with 0 if that is near.
fn range(axis: &Axis, values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = values.fold((f64::MAX, f64::MIN), |(low, high), v| (low.min(v), high.max(v)));
    match axis.log {
        _ if low > high => (0.0, 1.0),
        true => (low.floor(), high.ceil().max(low.floor() + 1.0)),
        false => {
            let low = if low > 0.0 && low < 0.5 * high { 0.0 } else { low };
            let more = 0.04 * (high - low).max(high.abs() * 1e-3 + 1e-12);
            (if low == 0.0 { low } else { low - more }, high + more)
        }
    }
}

/// How a place on an axis is written.
fn written(axis: &Axis, value: f64) -> String {
    match (axis.log, value.abs()) {
        (true, _) if (value - value.round()).abs() < 1e-9 => format!("1e{}", value.round()),
        (true, _) => format!("{:.0e}", 10f64.powf(value)),
        (false, size) if size >= 1e6 => format!("{value:.1e}"),
        (false, _) => format!("{}", (value * 1e4).round() / 1e4),
    }
}

fn steps(axis: &Axis, (low, high): (f64, f64)) -> usize {
    if axis.log { num::index(num::floor(high - low + 1.5)).min(9) } else { 8 }
}

fn mesh(picture: &Picture, plane: &mut Plane<'_, '_>, x: (f64, f64), y: (f64, f64)) -> Drawn {
    let faint = RGBColor(225, 225, 225);
    plane
        .configure_mesh()
        .x_desc(&picture.x.label)
        .y_desc(&picture.y.label)
        .x_labels(steps(&picture.x, x))
        .y_labels(steps(&picture.y, y))
        .x_label_formatter(&|v| written(&picture.x, *v))
        .y_label_formatter(&|v| written(&picture.y, *v))
        .light_line_style(WHITE)
        .bold_line_style(faint)
        .label_style(("sans-serif", 12))
        .axis_desc_style(("sans-serif", 13))
        .draw()
        .map_err(told)
}

/// The places 2 .. 9 between the powers of ten of an axis.
fn between((low, high): (f64, f64)) -> impl Iterator<Item = f64> {
    let decades = (0..num::floor(high - low + 0.5)).map(move |i| low.floor() + num::real(i));
    decades
        .flat_map(|decade| (2..10).map(move |n| decade + f64::from(n).log10()))
        .filter(move |at| (low..high).contains(at))
}

/// Short strokes there, so that an axis of few powers of ten can be read.
fn ticks(picture: &Picture, plane: &mut Plane<'_, '_>, x: (f64, f64), y: (f64, f64)) -> Drawn {
    const LENGTH: i32 = 4;
    let below = between(x).filter(|_| picture.x.log).map(|at| ((at, y.0), vec![(0, 0), (0, -LENGTH)]));
    let beside = between(y).filter(|_| picture.y.log).map(|at| ((x.0, at), vec![(0, 0), (LENGTH, 0)]));
    for (place, stroke) in below.chain(beside) {
        let shape = EmptyElement::at(place) + PathElement::new(stroke, BLACK);
        plane.draw_series(std::iter::once(shape)).map_err(told)?;
    }
    Ok(())
}

/// Grey of a series: neighbours differ.
fn tone(i: usize) -> RGBColor {
    let grey = [0, 95, 50, 130][i % 4];
    RGBColor(grey, grey, grey)
}

fn trace(plane: &mut Plane<'_, '_>, i: usize, series: &Series, points: &[(f64, f64)]) -> Drawn {
    if series.line {
        plane.draw_series(LineSeries::new(points.iter().copied(), tone(i))).map_err(told)?;
    }
    let every = if series.line { points.len().div_ceil(MARKS).max(1) } else { 1 };
    let first = if every > 1 { i * every / 7 % every } else { 0 };
    for &(x, y) in points.iter().skip(first).step_by(every) {
        for stroke in strokes(mark(i, series)) {
            let shape = EmptyElement::at((x, y)) + PathElement::new(stroke, tone(i));
            plane.draw_series(std::iter::once(shape)).map_err(told)?;
        }
    }
    Ok(())
}

/// The line of a series in the legend.
fn entry(area: &Area<'_>, i: usize, series: &Series) -> Drawn {
    let y = 48 + LINE * i32::try_from(i).unwrap_or(0);
    if series.line {
        area.draw(&PathElement::new(vec![(4, y), (36, y)], tone(i))).map_err(told)?;
    }
    for stroke in strokes(mark(i, series)) {
        let moved: Vec<(i32, i32)> = stroke.iter().map(|(dx, dy)| (20 + dx, y + dy)).collect();
        area.draw(&PathElement::new(moved, tone(i))).map_err(told)?;
    }
    area.draw(&Text::new(series.name.clone(), (44, y - 6), ("sans-serif", 12))).map_err(told)
}

/// Which mark: a paper's figures have one for themselves.
fn mark(i: usize, series: &Series) -> usize {
    if series.name.contains(PAPER) && !series.line { FORMS.len() - 1 } else { i % (FORMS.len() - 1) }
}

type Form = &'static [&'static [(i32, i32)]];

/// Marks as strokes around their middle, pixels: square, cross, triangle, plus, diamond, triangle down, star, hourglass,
/// bar, arrow, and a full dot.
const FORMS: [Form; 11] = [
    &[&[(-4, -4), (4, -4), (4, 4), (-4, 4), (-4, -4)]],
    &[&[(-4, -4), (4, 4)], &[(-4, 4), (4, -4)]],
    &[&[(-5, 4), (5, 4), (0, -5), (-5, 4)]],
    &[&[(-5, 0), (5, 0)], &[(0, -5), (0, 5)]],
    &[&[(-5, 0), (0, -5), (5, 0), (0, 5), (-5, 0)]],
    &[&[(-5, -4), (5, -4), (0, 5), (-5, -4)]],
    &[&[(-4, -4), (4, 4)], &[(-4, 4), (4, -4)], &[(0, -6), (0, 6)]],
    &[&[(-4, -4), (4, -4), (-4, 4), (4, 4), (-4, -4)]],
    &[&[(-5, -2), (5, -2)], &[(-5, 2), (5, 2)]],
    &[&[(-4, 3), (0, -4), (4, 3)]],
    &[&[
        (-3, -3),
        (3, -3),
        (3, -2),
        (-3, -2),
        (-3, -1),
        (3, -1),
        (3, 0),
        (-3, 0),
        (-3, 1),
        (3, 1),
        (3, 2),
        (-3, 2),
        (-3, 3),
        (3, 3),
    ]],
];

fn strokes(form: usize) -> impl Iterator<Item = Vec<(i32, i32)>> {
    FORMS[form].iter().map(|stroke| stroke.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(log: bool) -> Picture {
        let axis = |label: &str| Axis { label: label.to_owned(), log };
        let mut picture = Picture::new("p", "A title", axis("time, s"), axis("size, bits"));
        picture.curve("one", (1..100).map(|i| (num::real(i), num::real(i * i))).collect());
        picture.curve("two", vec![(1.0, 5.0), (0.0, 7.0), (3.0, 9.0)]);
        picture.points("paper", vec![(50.0, 2000.0)]);
        picture
    }

    #[test]
    fn a_picture_names_its_axes_and_series() {
        for log in [false, true] {
            let svg = draw(&picture(log)).expect("a picture");
            for text in ["A title", "time, s", "size, bits", "one", "two", "paper"] {
                assert!(svg.contains(text), "{text}");
            }
            assert_eq!(svg, draw(&picture(log)).expect("a picture"), "the same bytes each time");
        }
    }

    #[test]
    fn series_differ_without_colour() {
        let marks: Vec<usize> = (0..10).map(|i| mark(i, &picture(false).series[0])).collect();
        assert!(marks.iter().enumerate().all(|(i, form)| !marks[..i].contains(form)));
        assert_eq!(mark(3, &picture(false).series[2]), FORMS.len() - 1);
    }

    #[test]
    fn there_are_eight_places_between_two_powers_of_ten() {
        assert_eq!(between((-3.0, -1.0)).count(), 16);
        assert!(between((-3.0, -1.0)).all(|at| (-3.0..-1.0).contains(&at) && at.fract() != 0.0));
        assert_eq!(between((0.0, 0.4)).count(), 0);
    }

    #[test]
    fn an_empty_picture_is_one() {
        assert!(draw(&Picture::new("e", "Empty", Axis::log("x"), Axis::linear("y"))).is_ok());
    }
}
