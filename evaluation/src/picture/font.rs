//! The font of all pictures: DejaVu Sans Condensed, from the package `dejavu`, which every file embeds as far as it uses it.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use subsetter::GlyphRemapper;
use ttf_parser::Face;

/// The name under which viewers of SVG may have it.
pub(crate) const FAMILY: &str = "DejaVu Sans Condensed";
/// The height of its capitals and the depth of its tails, over its size.
pub(crate) const ASCENT: f64 = 0.76;
pub(crate) const DESCENT: f64 = 0.21;

fn bytes() -> &'static [u8] {
    dejavu::sans_condensed::regular()
}

pub(crate) fn face() -> &'static Face<'static> {
    static FACE: OnceLock<Face<'static>> = OnceLock::new();
    FACE.get_or_init(|| Face::parse(bytes(), 0).expect("the package has a whole font"))
}

/// The glyph of a letter: a question mark for one that the font lacks.
fn glyph(letter: char) -> u16 {
    let find = |letter| face().glyph_index(letter).map(|glyph| glyph.0);
    find(letter).or_else(|| find('?')).unwrap_or(0)
}

/// The width of a letter, in thousandths of the size.
pub(crate) fn advance(letter: char) -> f64 {
    let units = face().glyph_hor_advance(ttf_parser::GlyphId(glyph(letter))).unwrap_or(0);
    1000.0 * f64::from(units) / f64::from(face().units_per_em())
}

/// The width of a text in points.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    text.chars().map(advance).sum::<f64>() * size / 1000.0
}

/// The part of the font that some texts need.
pub(crate) struct Subset {
    /// The number of each letter in the part.
    pub(crate) numbers: BTreeMap<char, u16>,
    pub(crate) bytes: Vec<u8>,
}

impl Subset {
    pub(crate) fn of<'a>(texts: impl Iterator<Item = &'a str>) -> Self {
        let mut mapper = GlyphRemapper::new();
        let letters: std::collections::BTreeSet<char> = texts.flat_map(str::chars).collect();
        let numbers = letters.into_iter().map(|letter| (letter, mapper.remap(glyph(letter)))).collect();
        let bytes = subsetter::subset(bytes(), 0, &mapper).expect("glyphs of the font");
        Self { numbers, bytes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_as_wide_as_its_letters() {
        assert_eq!(advance('0'), advance('1'), "digits have one width");
        assert!((width("10", 7.0) - 14.0 * advance('1') / 1000.0).abs() < 1e-9 && advance('i') < advance('m'));
        assert_eq!(advance('\u{10FFFF}'), advance('?'));
    }

    #[test]
    fn subset_is_small_and_numbers_its_letters() {
        let subset = Subset::of(["ab", "ba±"].into_iter());
        assert_eq!(subset.numbers.keys().copied().collect::<String>(), "ab±");
        assert_eq!(subset.numbers.values().copied().collect::<Vec<_>>(), [1, 2, 3]);
        assert!(subset.bytes.len() < 20_000 && bytes().len() > 500_000);
    }
}
