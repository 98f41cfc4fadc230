//! Pictures as SVG and PDF, from results alone: black on white, each series with a mark of its own, so that no colour is
//! needed.

use plotters::backend::SVGBackend;
use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

use crate::num;
use crate::outcome::{Axis, Chart as Picture, Inset, Series};
use crate::pdf::Sheet;

type Area<B> = DrawingArea<B, Shift>;
type Plane<'a, B> = ChartContext<'a, B, Cartesian2d<RangedCoordf64, RangedCoordf64>>;
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

/// Where an inset begins, below the legend.
const INSET: i32 = 265;

/// The picture of a chart as SVG.
pub(crate) fn draw(picture: &Picture) -> Result<String, String> {
    let mut svg = String::new();
    let root = SVGBackend::with_string(&mut svg, (WIDTH, HEIGHT)).into_drawing_area();
    paint(picture, &root)?;
    drop(root);
    Ok(svg)
}

/// The same as a page of PDF.
pub(crate) fn print(picture: &Picture) -> Result<Vec<u8>, String> {
    let mut sheet = Sheet::new((WIDTH, HEIGHT));
    paint(picture, &(&mut sheet).into_drawing_area())?;
    Ok(sheet.finish())
}

/// The error of a drawing as a message.
pub(crate) fn told(error: impl std::fmt::Display) -> String {
    error.to_string()
}

fn paint<B: DrawingBackend>(picture: &Picture, root: &Area<B>) -> Drawn {
    root.fill(&WHITE).map_err(told)?;
    let (left, right) = root.split_horizontally(LEGEND);
    let (legend, below) = right.split_vertically(INSET);
    curves(picture, &left)?;
    for (i, series) in picture.series.iter().enumerate() {
        entry(if picture.inset.is_some() { &legend } else { &right }, i, series)?;
    }
    if let Some(inset) = &picture.inset {
        curves(&enlarged(picture, inset), &below)?;
    }
    root.present().map_err(told)
}

/// The plane with its axes and everything in it.
fn curves<B: DrawingBackend>(picture: &Picture, area: &Area<B>) -> Drawn {
    let seen: Vec<Seen> = picture.series.iter().map(|series| scaled(picture, series)).collect();
    let bars = seen.iter().flat_map(|seen| &seen.bars).flat_map(|bar| [bar.1, bar.2]);
    let heights = seen.iter().flat_map(|seen| &seen.points).map(|p| p.1).chain(bars);
    let x = range(&picture.x, seen.iter().flat_map(|seen| &seen.points).map(|p| p.0));
    let y = range(&picture.y, heights);
    let (size, below, beside) = if picture.x.label.is_empty() { (12, 20, 56) } else { (15, 42, 64) };
    let mut plane = ChartBuilder::on(area)
        .caption(&picture.title, ("sans-serif", size))
        .margin(10)
        .x_label_area_size(below)
        .y_label_area_size(beside)
        .build_cartesian_2d(x.0..x.1, y.0..y.1)
        .map_err(told)?;
    mesh(picture, &mut plane, x, y)?;
    ticks(picture, &mut plane, x, y)?;
    for (i, (series, seen)) in picture.series.iter().zip(&seen).enumerate() {
        if !series.points.is_empty() {
            trace(&mut plane, i, series, seen, y)?;
        }
    }
    Ok(())
}

/// The part that an inset shows, as a picture with linear axes; series keep their places, and so their marks.
fn enlarged(picture: &Picture, inset: &Inset) -> Picture {
    let title = if inset.of.is_empty() { "closer".to_owned() } else { format!("{}, closer", inset.of) };
    let mut part = Picture::new("inset", &title, Axis::linear(""), Axis::linear(""));
    part.series = picture.series.iter().map(|series| within(series, inset)).collect();
    part
}

fn within(series: &Series, inset: &Inset) -> Series {
    let shown = |x: f64| series.name.starts_with(&inset.of) && (inset.x.0..=inset.x.1).contains(&x);
    let chosen = |i: &usize| shown(series.points[*i].0);
    let places: Vec<usize> = (0..series.points.len()).filter(chosen).collect();
    Series {
        name: series.name.clone(),
        line: series.line,
        points: places.iter().map(|&i| series.points[i]).collect(),
        bars: places.iter().filter_map(|&i| series.bars.get(i).copied()).collect(),
    }
}

fn on_axis(axis: &Axis, value: f64) -> f64 {
    if axis.log { value.log10() } else { value }
}

/// A series in the coordinates of the axes: its points, and the intervals (place, from, to).
struct Seen {
    points: Vec<(f64, f64)>,
    bars: Vec<(f64, f64, f64)>,
}

/// What a logarithm cannot show is left out, and the end of an interval that is not above 0 is that of its point.
fn scaled(picture: &Picture, series: &Series) -> Seen {
    let on = |(x, y)| (on_axis(&picture.x, x), on_axis(&picture.y, y));
    let shown = |(x, y): &(f64, f64)| x.is_finite() && y.is_finite();
    let bar = |(&point, &(low, high)): (&(f64, f64), &(f64, f64))| {
        let low = if picture.y.log && low <= 0.0 { point.1 } else { low };
        let (x, low) = on((point.0, low));
        (x, low, on_axis(&picture.y, high))
    };
    let bars = series.points.iter().zip(&series.bars).map(bar);
    Seen {
        points: series.points.iter().copied().map(on).filter(shown).collect(),
        bars: bars.filter(|(x, low, high)| x.is_finite() && low.is_finite() && high.is_finite()).collect(),
    }
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

fn mesh<B: DrawingBackend>(picture: &Picture, plane: &mut Plane<'_, B>, x: (f64, f64), y: (f64, f64)) -> Drawn {
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
fn ticks<B: DrawingBackend>(picture: &Picture, plane: &mut Plane<'_, B>, x: (f64, f64), y: (f64, f64)) -> Drawn {
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

fn trace<B: DrawingBackend>(plane: &mut Plane<'_, B>, i: usize, series: &Series, seen: &Seen, y: (f64, f64)) -> Drawn {
    if series.line {
        plane.draw_series(LineSeries::new(seen.points.iter().copied(), tone(i))).map_err(told)?;
    }
    let every = if series.line { seen.points.len().div_ceil(MARKS).max(1) } else { 1 };
    let first = if every > 1 { i * every / 7 % every } else { 0 };
    for &(x, y) in seen.points.iter().skip(first).step_by(every) {
        for stroke in strokes(i, series) {
            let shape = EmptyElement::at((x, y)) + PathElement::new(stroke, tone(i));
            plane.draw_series(std::iter::once(shape)).map_err(told)?;
        }
    }
    for &(x, low, high) in seen.bars.iter().skip(first).step_by(every) {
        bar(plane, i, x, (low.max(y.0), high.min(y.1)))?;
    }
    Ok(())
}

/// An interval: a stroke with a short end above and below.
fn bar<B: DrawingBackend>(plane: &mut Plane<'_, B>, i: usize, x: f64, (low, high): (f64, f64)) -> Drawn {
    const END: [(i32, i32); 2] = [(-3, 0), (3, 0)];
    plane.draw_series(std::iter::once(PathElement::new(vec![(x, low), (x, high)], tone(i)))).map_err(told)?;
    for end in [low, high] {
        let shape = EmptyElement::at((x, end)) + PathElement::new(END.to_vec(), tone(i));
        plane.draw_series(std::iter::once(shape)).map_err(told)?;
    }
    Ok(())
}

/// The line of a series in the legend.
fn entry<B: DrawingBackend>(area: &Area<B>, i: usize, series: &Series) -> Drawn {
    let y = 48 + LINE * i32::try_from(i).unwrap_or(0);
    if series.line {
        area.draw(&PathElement::new(vec![(4, y), (36, y)], tone(i))).map_err(told)?;
    }
    for stroke in strokes(i, series) {
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

/// What the marks of the eleventh and later series have in their middle.
const SECOND: [(i32, i32); 5] = [(-2, 0), (0, -2), (2, 0), (0, 2), (-2, 0)];

/// The mark of a series. When all forms were had they come again, with a small diamond in the middle.
fn strokes(i: usize, series: &Series) -> Vec<Vec<(i32, i32)>> {
    let form = mark(i, series);
    let mut strokes: Vec<Vec<(i32, i32)>> = FORMS[form].iter().map(|stroke| stroke.to_vec()).collect();
    if i + 1 >= FORMS.len() && form + 1 < FORMS.len() {
        strokes.push(SECOND.to_vec());
    }
    strokes
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::sample::Sample;

    fn picture(log: bool) -> Picture {
        let axis = |label: &str| Axis { label: label.to_owned(), log };
        let mut picture = Picture::new("p", "A title", axis("time, s"), axis("size, bits"));
        picture.curve("one", (1..100).map(|i| (num::real(i), num::real(i * i))).collect());
        picture.curve("two", vec![(1.0, 5.0), (0.0, 7.0), (3.0, 9.0)]);
        picture.points("paper", vec![(50.0, 2000.0)]);
        picture.measured("four", vec![(20.0, Sample { mean: 400.0, spread: 150.0, runs: 5 })]);
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
    fn the_printed_picture_has_the_same_words() {
        let page = print(&picture(true)).expect("a picture");
        assert!(page.starts_with(b"%PDF-") && page == print(&picture(true)).expect("a picture"));
    }

    #[test]
    fn an_interval_is_drawn_and_a_logarithm_ends_at_its_point() {
        let seen = scaled(&picture(false), &picture(false).series[3]);
        assert_eq!(seen.bars, [(20.0, 100.0, 700.0)]);
        let mut wide = picture(true);
        wide.series[3].bars = vec![(-1.0, 1000.0)];
        let seen = scaled(&wide, &wide.series[3]);
        assert_eq!((seen.bars[0].1, seen.bars[0].2), (400f64.log10(), 3.0));
        let without = |mut picture: Picture| {
            picture.series.iter_mut().for_each(|series| series.bars.clear());
            draw(&picture).expect("a picture")
        };
        assert_ne!(draw(&picture(false)).expect("a picture"), without(picture(false)));
    }

    #[test]
    fn an_inset_is_a_part_with_the_same_marks() {
        let whole = picture(true).inset("one", (10.0, 20.0));
        let part = enlarged(&whole, whole.inset.as_ref().expect("one"));
        assert_eq!(part.series.iter().map(|series| series.points.len()).collect::<Vec<_>>(), [11, 0, 0, 0]);
        assert!(draw(&whole).expect("a picture").contains("one, closer"));
    }

    #[test]
    fn series_differ_without_colour() {
        let marks: Vec<usize> = (0..10).map(|i| mark(i, &picture(false).series[0])).collect();
        assert!(marks.iter().enumerate().all(|(i, form)| !marks[..i].contains(form)));
        assert_eq!(mark(3, &picture(false).series[2]), FORMS.len() - 1);
        let all: Vec<_> = (0..20).map(|i| strokes(i, &picture(false).series[0])).collect();
        assert!(all.iter().enumerate().all(|(i, strokes)| !all[..i].contains(strokes)));
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
