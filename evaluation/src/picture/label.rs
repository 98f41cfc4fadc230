//! Where the name of each curve is written: near one of its places, on no ink and no other name, with a thin line to the curve
//! where another one is as near.

use super::sheet::{Area, Place};
use crate::num;

/// A name, and the places of its curve.
#[derive(Debug)]
pub(crate) struct Wanted<'a> {
    pub(crate) text: &'a str,
    pub(crate) places: &'a [Place],
}

/// A name where it is written: the left end of its baseline, and the line to its curve.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Label {
    pub(crate) at: Place,
    pub(crate) leader: Option<[Place; 2]>,
    area: Area,
}

/// How far from its curve a name may be.
const DISTANCES: [f64; 9] = [2.5, 4.0, 6.0, 9.0, 13.0, 18.0, 25.0, 34.0, 46.0];
/// From here on a line leads to the curve.
const FAR: f64 = 9.0;
/// Costs, as distances: another curve is as near; the place is not an end of the curve; what a name in an empty quarter is worth.
const CONFUSING: f64 = 8.0;
const INSIDE: f64 = 1.5;
const EMPTY: f64 = 14.0;
/// Places of a curve that are tried.
const TRIED: usize = 25;

/// Finds a place for each name; none for one that has no room.
pub(crate) fn place(plane: Area, size: f64, wanted: &[Wanted<'_>], ink: &[Place]) -> Vec<Option<Label>> {
    let all = Grid::of(plane, ink);
    let mut placed: Vec<Label> = Vec::new();
    let one = |wanted: &Wanted<'_>| {
        let page = Page { plane, size, all: &all, own: Grid::of(plane, wanted.places), placed: &placed };
        let best = page.candidates(wanted).min_by(|a, b| a.1.total_cmp(&b.1)).map(|(label, _)| label);
        placed.extend(best.clone());
        best
    };
    wanted.iter().map(one).collect()
}

/// What a name must keep clear of.
struct Page<'a> {
    plane: Area,
    size: f64,
    all: &'a Grid,
    own: Grid,
    placed: &'a [Label],
}

impl Page<'_> {
    /// Every place that is free, with its cost.
    fn candidates<'a>(&'a self, wanted: &'a Wanted<'_>) -> impl Iterator<Item = (Label, f64)> + 'a {
        let step = wanted.places.len().div_ceil(TRIED).max(1);
        let last = wanted.places.len().saturating_sub(1);
        let anchors = (0..=last).rev().step_by(step).chain([0]).filter(move |_| !wanted.places.is_empty());
        let around =
            [(1.0, 0.0), (1.0, -1.0), (0.0, -1.0), (1.0, 1.0), (0.0, 1.0), (-1.0, -1.0), (-1.0, 1.0), (-1.0, 0.0)];
        anchors.flat_map(move |i| {
            let inside = if i == 0 || i == last { 0.0 } else { INSIDE };
            let places = DISTANCES.into_iter().flat_map(move |distance| around.map(|side| (distance, side)));
            places.filter_map(move |(distance, side)| {
                let (label, cost) = self.candidate(wanted, wanted.places[i], distance, side)?;
                Some((label, cost + inside))
            })
        })
    }

    fn candidate(&self, wanted: &Wanted<'_>, anchor: Place, distance: f64, (dx, dy): Place) -> Option<(Label, f64)> {
        let whole = Area::of_words(wanted.text, (0.0, 0.0), self.size);
        let left = anchor.0 + dx * distance + whole.width() * (dx - 1.0) / 2.0;
        let top = anchor.1 + dy * distance + whole.height() * (dy - 1.0) / 2.0;
        let at = (left, top - whole.top);
        let area = Area::of_words(wanted.text, at, self.size);
        if !self.is_free(&area) {
            return None;
        }
        let near = area.grown(distance + 1.0);
        let confusing = self.all.count(&near) > self.own.count(&near);
        let leader = (confusing || distance >= FAR).then(|| [anchor, nearest(&area, anchor)]);
        if leader.is_some_and(|line| self.placed.iter().any(|other| crosses(line, &other.area.grown(0.5)))) {
            return None;
        }
        let cost = distance + if confusing { CONFUSING } else { 0.0 } - if self.fills(&area) { EMPTY } else { 0.0 };
        Some((Label { at, leader, area }, cost))
    }

    fn is_free(&self, area: &Area) -> bool {
        let inside = [(area.left, area.top), (area.right, area.bottom)]
            .into_iter()
            .all(|corner| self.plane.grown(-1.0).has(corner));
        let clear = |other: &Label| {
            !other.area.grown(1.0).meets(area) && !other.leader.is_some_and(|line| crosses(line, &area.grown(0.5)))
        };
        inside && self.all.count(&area.grown(0.8)) == 0 && self.placed.iter().all(clear)
    }

    /// Whether it is in a quarter of the plane that has neither ink nor a name.
    fn fills(&self, area: &Area) -> bool {
        let middle = (area.left.midpoint(area.right), area.top.midpoint(area.bottom));
        let is_empty =
            |quarter: &Area| self.all.count(quarter) == 0 && !self.placed.iter().any(|label| label.area.meets(quarter));
        self.plane.quarters().iter().any(|quarter| quarter.has(middle) && is_empty(quarter))
    }
}

/// The place of an area that is nearest to another place.
fn nearest(area: &Area, (x, y): Place) -> Place {
    (x.clamp(area.left, area.right), y.clamp(area.top, area.bottom))
}

fn crosses([from, to]: [Place; 2], area: &Area) -> bool {
    samples(&[from, to]).any(|place| area.has(place))
}

/// Places on a path, half a point apart.
pub(crate) fn samples(path: &[Place]) -> impl Iterator<Item = Place> + '_ {
    path.windows(2).flat_map(|ends| {
        let ((x, y), (to_x, to_y)) = (ends[0], ends[1]);
        let steps = num::ceil(2.0 * (to_x - x).hypot(to_y - y)).max(1);
        (0..=steps)
            .map(move |i| num::real(i) / num::real(steps))
            .map(move |share| (x + share * (to_x - x), y + share * (to_y - y)))
    })
}

/// How much ink there is above and left of each point of the plane.
struct Grid {
    plane: Area,
    across: usize,
    down: usize,
    sums: Vec<u32>,
}

impl Grid {
    fn of(plane: Area, ink: &[Place]) -> Self {
        let [across, down] = [plane.width(), plane.height()].map(|length| num::index(num::ceil(length)) + 1);
        let mut grid = Self { plane, across, down, sums: vec![0; across * down] };
        for &place in ink {
            let (x, y) = grid.cell(place);
            grid.sums[y * across + x] = 1;
        }
        for y in 0..down {
            for x in 0..across {
                let at = |x: usize, y: usize| grid.sums[y * across + x];
                let left = if x > 0 { at(x - 1, y) } else { 0 };
                let above = if y > 0 { at(x, y - 1) } else { 0 };
                let both = if x > 0 && y > 0 { at(x - 1, y - 1) } else { 0 };
                grid.sums[y * across + x] += left + above - both;
            }
        }
        grid
    }

    fn cell(&self, (x, y): Place) -> (usize, usize) {
        let cell = |length: f64, cells: usize| num::index(num::floor(length)).min(cells - 1);
        (cell(x - self.plane.left, self.across), cell(y - self.plane.top, self.down))
    }

    /// The cells of an area that have ink.
    fn count(&self, area: &Area) -> u32 {
        let (left, top) = self.cell((area.left, area.top));
        let (right, bottom) = self.cell((area.right, area.bottom));
        let at = |x: usize, y: usize| if x == 0 || y == 0 { 0 } else { self.sums[(y - 1) * self.across + x - 1] };
        at(right + 1, bottom + 1) + at(left, top) - at(left, bottom + 1) - at(right + 1, top)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLANE: Area = Area { left: 10.0, top: 10.0, right: 110.0, bottom: 90.0 };

    #[test]
    fn grid_counts_ink_in_an_area() {
        let grid = Grid::of(PLANE, &[(10.0, 10.0), (50.5, 50.5), (50.6, 50.6), (110.0, 90.0)]);
        assert_eq!(grid.count(&PLANE), 3);
        assert_eq!(grid.count(&Area { left: 50.0, top: 50.0, right: 51.0, bottom: 51.0 }), 1);
        assert_eq!(grid.count(&Area { left: 60.0, top: 10.0, right: 109.0, bottom: 89.0 }), 0);
    }

    #[test]
    fn names_are_on_no_ink_and_on_no_other_name() {
        let curves = [40.0, 44.0, 60.0].map(|y| samples(&[(12.0, y), (108.0, y)]).collect::<Vec<_>>());
        let wanted: Vec<Wanted<'_>> = curves.iter().map(|places| Wanted { text: "a name", places }).collect();
        let labels: Vec<Label> =
            place(PLANE, 7.0, &wanted, &curves.concat()).into_iter().map(|label| label.expect("room")).collect();
        for (i, label) in labels.iter().enumerate() {
            assert!(!curves.concat().iter().any(|&place| label.area.has(place)), "{label:?} is on ink");
            assert!(labels[..i].iter().all(|other| !other.area.meets(&label.area)), "{label:?} is on another");
        }
    }

    #[test]
    fn name_without_room_has_no_place() {
        let small = Area { left: 0.0, top: 0.0, right: 20.0, bottom: 20.0 };
        let places = [(10.0, 10.0)];
        assert_eq!(place(small, 7.0, &[Wanted { text: "a long name", places: &places }], &places), [None]);
    }
}
