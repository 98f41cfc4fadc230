//! A chart as a drawing: panels with the same axes, one above the other, each curve with its name next to it.

use super::label::{self, Wanted};
use super::panels::{Curve, Panel};
use super::scale::{Scale, Tick};
use super::sheet::{Area, Color, Ink, Pen, Place, Sheet};
use super::{font, marks};
use crate::outcome::Chart;

/// How a picture looks: lengths in points.
#[derive(Debug, Clone)]
pub(crate) struct Style {
    pub(crate) width: f64,
    /// The height of a plane that is alone, of one of two or three, and of one of more.
    pub(crate) heights: [f64; 3],
    /// The size of words.
    pub(crate) size: f64,
    pub(crate) ink: Color,
    pub(crate) faint: Color,
    pub(crate) back: Color,
    /// The first curve, if it has a colour of its own.
    pub(crate) first: Option<Pen>,
}

/// A column of print, black on white.
pub(crate) const COLUMN: Style = Style {
    width: 240.0,
    heights: [128.0, 92.0, 70.0],
    size: 7.0,
    ink: [0; 3],
    faint: [225; 3],
    back: [255; 3],
    first: None,
};

/// The most marks, and the most intervals, on one curve.
const MARKS: usize = 12;

/// The part of an axis that a panel must fill to have it in common with others.
const FULL: f64 = 0.8;

/// A chart's panels as a drawing.
pub(crate) fn sheet(chart: &Chart, panels: &[Panel], style: &Style) -> Sheet {
    let mut sheet = Sheet::new(&chart.title, (style.width, 0.0));
    let (whole, parts): (Vec<&Panel>, Vec<&Panel>) = panels.iter().partition(|panel| panel.closer.is_none());
    let shared = scales(chart, &whole, false);
    let closer = scales(chart, &parts, true);
    let mut frame = Frame { chart, style, left: 0.0 };
    for (panels, scales) in [(&whole, &shared), (&parts, &closer)] {
        let ticks = panels.iter().map(|panel| widest(&frame.own(panel, &scales.1).ticks(), style.size));
        frame.left = ticks.fold(frame.left, |left, width| left.max(width + 4.0));
    }
    let mut top = 2.0;
    for (i, panel) in whole.iter().chain(&parts).enumerate() {
        let scales = if i < whole.len() { &shared } else { &closer };
        let is_last = i + 1 == panels.len() || i + 1 == whole.len();
        top = frame.panel(&mut sheet, panel, scales, Spot { top, is_first: i == 0, is_last, panels: panels.len() });
    }
    sheet.size.1 = top + 2.0;
    let (width, height) = sheet.size;
    let edge = vec![(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)];
    sheet.inks.insert(0, Ink::Area { edge, fill: style.back, pen: Pen::new(style.back, 0.0) });
    sheet
}

/// The axes that show all curves of some panels.
fn scales(chart: &Chart, panels: &[&Panel], is_closer: bool) -> (Scale, Scale) {
    let curves = || panels.iter().flat_map(|panel| &panel.curves).map(|curve| &curve.series);
    let log = !is_closer;
    let [mut x, mut y] = [&chart.x, &chart.y].map(Clone::clone);
    (x.log, y.log) = (x.log && log, y.log && log);
    // A logarithm shows no interval that reaches 0, and 0 would not be finite.
    let bars =
        curves().flat_map(|series| &series.bars).flat_map(|bar| [bar.0, bar.1]).filter(|value| !y.log || *value > 0.0);
    let heights =
        curves().flat_map(|series| &series.points).map(|point| point.1).filter(|value| !y.log || *value > 0.0);
    let high: Vec<f64> = if y.log { heights.collect() } else { heights.chain(bars).collect() };
    (Scale::of(&x, curves().flat_map(|series| &series.points).map(|point| point.0)), Scale::of(&y, high.into_iter()))
}

fn widest(ticks: &[Tick], size: f64) -> f64 {
    ticks.iter().map(|tick| font::width(&tick.1, size)).fold(0.0, f64::max)
}

/// Where a panel is.
struct Spot {
    top: f64,
    is_first: bool,
    is_last: bool,
    panels: usize,
}

/// What all panels of a picture have in common.
struct Frame<'a> {
    chart: &'a Chart,
    style: &'a Style,
    left: f64,
}

impl Frame<'_> {
    /// Draws a panel; returns where it ends.
    fn panel(&self, sheet: &mut Sheet, panel: &Panel, scales: &(Scale, Scale), spot: Spot) -> f64 {
        let Style { size, .. } = *self.style;
        let mut line = spot.top + size;
        if spot.is_first {
            sheet.words(&self.chart.y.label, (2.0, line), 0.0, size, self.style.ink);
            line += 1.3 * size;
        }
        if !panel.title.is_empty() {
            sheet.words(&panel.title, (self.left, line), 0.0, size, self.style.ink);
            line += 1.3 * size;
        }
        let (top, height) = (line - 0.62 * size, self.style.heights[if spot.panels > 3 { 2 } else { spot.panels / 2 }]);
        let plane = Plane {
            area: Area { left: self.left, top, right: self.style.width - 0.9 * size, bottom: top + height },
            scales: (scales.0.clone(), self.own(panel, &scales.1)),
        };
        sheet.planes.push(plane.area);
        self.axes(sheet, &plane, spot.is_last);
        self.curves(sheet, &plane, panel);
        if !spot.is_last {
            return plane.area.bottom + 4.0;
        }
        let below = plane.area.bottom + 2.6 * size;
        sheet.words(&self.chart.x.label, (plane.area.right, below), 1.0, size, self.style.ink);
        below + 0.6 * size
    }

    /// The axis of all panels, or one of its own if a quarter of that would be empty.
    fn own(&self, panel: &Panel, shared: &Scale) -> Scale {
        let own = scales(self.chart, &[panel], panel.closer.is_some()).1;
        if own.part_of(shared) < FULL { own } else { shared.clone() }
    }

    fn axes(&self, sheet: &mut Sheet, plane: &Plane, has_numbers: bool) {
        let (Area { left, top, right, bottom }, size) = (plane.area, self.style.size);
        let (grid, axis) = (Pen::new(self.style.faint, 0.4), Pen::new(self.style.ink, 0.5));
        for (share, number) in plane.scales.1.ticks() {
            let y = bottom - share * (bottom - top);
            sheet.line(vec![(left, y), (right, y)], grid);
            sheet.words(&number, (left - 2.5, y + 0.35 * size), 1.0, size, self.style.ink);
        }
        let mut end = 0.0;
        for (share, number) in plane.scales.0.ticks() {
            let x = left + share * (right - left);
            sheet.line(vec![(x, top), (x, bottom)], grid);
            sheet.line(vec![(x, bottom), (x, bottom + 2.0)], axis);
            let half = font::width(&number, size) / 2.0;
            if has_numbers && x - half > end && x + half < self.style.width - 1.0 {
                sheet.words(&number, (x, bottom + 1.3 * size), 0.5, size, self.style.ink);
                end = x + half + 3.0;
            }
        }
        sheet.line(vec![(left, top), (left, bottom), (right, bottom)], axis);
    }

    fn curves(&self, sheet: &mut Sheet, plane: &Plane, panel: &Panel) {
        let drawn: Vec<Vec<Place>> = panel.curves.iter().map(|curve| self.curve(sheet, plane, curve)).collect();
        let named = || panel.curves.iter().zip(&drawn).filter(|(curve, _)| !curve.label.is_empty());
        let wanted: Vec<Wanted<'_>> = named().map(|(curve, places)| Wanted { text: &curve.label, places }).collect();
        let labels = label::place(plane.area, self.style.size, &wanted, &drawn.concat());
        for ((curve, _), label) in named().zip(labels) {
            let Some(label) = label else { continue };
            if let Some(leader) = label.leader {
                sheet.line(leader.to_vec(), Pen::new(self.style.ink, 0.25));
            }
            let color = self.first(curve).map_or(self.style.ink, |pen| pen.color);
            sheet.words(&curve.label, label.at, 0.0, self.style.size, color);
        }
    }

    fn first(&self, curve: &Curve) -> Option<Pen> {
        self.style.first.filter(|_| curve.look == 0)
    }

    /// Draws a curve or its marks; returns the places that have ink.
    fn curve(&self, sheet: &mut Sheet, plane: &Plane, curve: &Curve) -> Vec<Place> {
        let Style { ink, back, .. } = *self.style;
        let places: Vec<Place> = curve.series.points.iter().filter_map(|&point| plane.at(point)).collect();
        let mut inked = Vec::new();
        let pen = self.first(curve).unwrap_or_else(|| marks::pen(curve.look, ink, back));
        if curve.series.line {
            inked.extend(label::samples(&places));
            sheet.line(places.clone(), pen);
        }
        for bar in self.bars(plane, curve) {
            inked.extend(label::samples(&bar));
            sheet.line(bar.to_vec(), Pen::new(pen.color, 0.5));
        }
        if !curve.series.line {
            let is_paper = curve.series.name.contains("paper");
            let reach = [-marks::REACH, 0.0, marks::REACH];
            sheet.inks.extend(places.iter().map(|&place| marks::mark(curve.look, is_paper, place, ink, back)));
            inked.extend(places.iter().flat_map(|(x, y)| reach.map(|dx| reach.map(|dy| (x + dx, y + dy))).concat()));
        }
        inked
    }

    /// The intervals of some of its points.
    fn bars(&self, plane: &Plane, curve: &Curve) -> Vec<[Place; 2]> {
        let series = &curve.series;
        let every = if series.line { series.points.len().div_ceil(MARKS).max(1) } else { 1 };
        let first = if every > 1 { curve.look * every / 7 % every } else { 0 };
        let bar = |(&(x, _), &(low, high)): (&Place, &Place)| {
            // The end that a logarithm cannot show is the lower end of the plane.
            let low = plane.at((x, low)).map_or((plane.at((x, high))?.0, plane.area.bottom), |place| place);
            let [low, high] = [low, plane.at((x, high))?].map(|(x, y)| (x, y.clamp(plane.area.top, plane.area.bottom)));
            Some([low, high])
        };
        series.points.iter().zip(&series.bars).skip(first).step_by(every).filter_map(bar).collect()
    }
}

/// A plane with its axes.
struct Plane {
    area: Area,
    scales: (Scale, Scale),
}

impl Plane {
    fn at(&self, (x, y): (f64, f64)) -> Option<Place> {
        let (across, up) = (self.scales.0.share(x)?, self.scales.1.share(y)?);
        Some((self.area.left + across * self.area.width(), self.area.bottom - up * self.area.height()))
    }
}
