//! A drawing in points, from the upper left corner: what both kinds of files are written from.

use super::font;

/// A place: across, down.
pub(crate) type Place = (f64, f64);
/// Red, green, blue.
pub(crate) type Color = [u8; 3];

/// How a stroke looks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Pen {
    pub(crate) color: Color,
    pub(crate) width: f64,
    /// Lengths of dashes and gaps; none for a whole stroke.
    pub(crate) dash: &'static [f64],
}

impl Pen {
    pub(crate) const fn new(color: Color, width: f64) -> Self {
        Self { color, width, dash: &[] }
    }
}

/// One thing that is drawn.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Ink {
    Line {
        path: Vec<Place>,
        pen: Pen,
    },
    /// An area with an outline.
    Area {
        edge: Vec<Place>,
        fill: Color,
        pen: Pen,
    },
    /// Words whose baseline begins here.
    Words {
        text: String,
        at: Place,
        size: f64,
        color: Color,
    },
}

/// A drawing.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sheet {
    pub(crate) title: String,
    pub(crate) size: Place,
    pub(crate) inks: Vec<Ink>,
    /// The planes that curves are drawn in.
    pub(crate) planes: Vec<Area>,
}

impl Sheet {
    pub(crate) fn new(title: &str, size: Place) -> Self {
        Self { title: title.to_owned(), size, inks: Vec::new(), planes: Vec::new() }
    }

    pub(crate) fn line(&mut self, path: Vec<Place>, pen: Pen) {
        self.inks.push(Ink::Line { path, pen });
    }

    /// Words at this share of their width left of a place: 0, 0.5 or 1.
    pub(crate) fn words(&mut self, text: &str, (x, y): Place, share: f64, size: f64, color: Color) {
        let at = (x - share * font::width(text, size), y);
        self.inks.push(Ink::Words { text: text.to_owned(), at, size, color });
    }
}

/// A rectangle: left, top, right, bottom.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Area {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) right: f64,
    pub(crate) bottom: f64,
}

impl Area {
    pub(crate) const fn width(&self) -> f64 {
        self.right - self.left
    }

    pub(crate) const fn height(&self) -> f64 {
        self.bottom - self.top
    }

    pub(crate) fn meets(&self, other: &Self) -> bool {
        self.left < other.right && other.left < self.right && self.top < other.bottom && other.top < self.bottom
    }

    pub(crate) fn has(&self, (x, y): Place) -> bool {
        (self.left..=self.right).contains(&x) && (self.top..=self.bottom).contains(&y)
    }

    /// Larger by this on each side.
    pub(crate) const fn grown(&self, by: f64) -> Self {
        Self { left: self.left - by, top: self.top - by, right: self.right + by, bottom: self.bottom + by }
    }

    /// The area of words whose baseline begins at a place.
    pub(crate) fn of_words(text: &str, (x, y): Place, size: f64) -> Self {
        Self {
            left: x,
            top: y - font::ASCENT * size,
            right: x + font::width(text, size),
            bottom: y + font::DESCENT * size,
        }
    }

    /// Its four quarters.
    pub(crate) fn quarters(&self) -> [Self; 4] {
        let (x, y) = (self.left.midpoint(self.right), self.top.midpoint(self.bottom));
        let half =
            |left, right| [(self.top, y), (y, self.bottom)].map(|(top, bottom)| Self { left, top, right, bottom });
        let ([a, b], [c, d]) = (half(self.left, x), half(x, self.right));
        [a, b, c, d]
    }

    /// The quarters that it is cut into from side to side, and from top to bottom.
    #[cfg(test)]
    pub(crate) fn strips(&self) -> [Self; 8] {
        let part = |from: f64, to: f64, share: f64| from + share * (to - from);
        let across = |low, high| Self {
            left: part(self.left, self.right, low),
            right: part(self.left, self.right, high),
            ..*self
        };
        let down = |low, high| Self {
            top: part(self.top, self.bottom, low),
            bottom: part(self.top, self.bottom, high),
            ..*self
        };
        let ends = [(0.0, 0.25), (0.25, 0.5), (0.5, 0.75), (0.75, 1.0)];
        let [[a, b, c, d], [e, f, g, h]] =
            [ends.map(|(low, high)| across(low, high)), ends.map(|(low, high)| down(low, high))];
        [a, b, c, d, e, f, g, h]
    }
}
