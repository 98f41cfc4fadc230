//! How curves and marks look without colour: dashes and greys, and shapes around a place.

use super::sheet::{Color, Ink, Pen, Place};

/// Dashes of a curve.
const DASHES: [&[f64]; 6] = [&[], &[4.0, 1.6], &[1.2, 1.4], &[6.0, 1.4, 1.2, 1.4], &[], &[2.4, 1.2]];
/// How much nearer to the background a curve is.
const TONES: [f64; 6] = [0.0, 0.0, 0.0, 0.0, 0.5, 0.5];

/// The pen of a curve.
pub(crate) fn pen(look: usize, ink: Color, back: Color) -> Pen {
    Pen { color: mixed(ink, back, TONES[look % TONES.len()]), width: 0.8, dash: DASHES[look % DASHES.len()] }
}

fn mixed(ink: Color, back: Color, share: f64) -> Color {
    let mix = |i: usize| f64::from(ink[i]) + share * (f64::from(back[i]) - f64::from(ink[i]));
    [0, 1, 2].map(|i| u8::try_from(crate::num::floor(mix(i))).unwrap_or(u8::MAX))
}

/// The reach of a mark in points.
pub(crate) const REACH: f64 = 1.9;

/// Corners around a place, over the reach: square, triangle, diamond, circle, triangle down, hourglass.
const SHAPES: [&[Place]; 6] = [
    &[(-0.8, -0.8), (0.8, -0.8), (0.8, 0.8), (-0.8, 0.8)],
    &[(-1.0, 0.8), (1.0, 0.8), (0.0, -1.0)],
    &[(-1.0, 0.0), (0.0, -1.0), (1.0, 0.0), (0.0, 1.0)],
    &[(1.0, 0.0), (0.7, 0.7), (0.0, 1.0), (-0.7, 0.7), (-1.0, 0.0), (-0.7, -0.7), (0.0, -1.0), (0.7, -0.7)],
    &[(-1.0, -0.8), (1.0, -0.8), (0.0, 1.0)],
    &[(-0.8, -1.0), (0.8, -1.0), (-0.8, 1.0), (0.8, 1.0)],
];

/// The mark of a measured figure, open; a paper's figures are full dots.
pub(crate) fn mark(look: usize, is_paper: bool, (x, y): Place, ink: Color, back: Color) -> Ink {
    let shape = if is_paper { SHAPES[3] } else { SHAPES[look % SHAPES.len()] };
    let edge = shape.iter().map(|(dx, dy)| (x + REACH * dx, y + REACH * dy)).collect();
    Ink::Area { edge, fill: if is_paper { ink } else { back }, pen: Pen::new(ink, 0.6) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_curves_and_six_marks_differ_without_colour() {
        let pens: Vec<Pen> = (0..6).map(|look| pen(look, [0; 3], [255; 3])).collect();
        assert!(pens.iter().enumerate().all(|(i, pen)| !pens[..i].contains(pen)));
        assert!(SHAPES.iter().enumerate().all(|(i, shape)| !SHAPES[..i].contains(shape)));
        assert_ne!(mark(3, true, (0.0, 0.0), [0; 3], [255; 3]), mark(3, false, (0.0, 0.0), [0; 3], [255; 3]));
    }
}
