//! Pictures as PDF: a drawing backend that writes strokes and words on one page.
//!
//! The font is Helvetica, which every reader has; it is named and not embedded, so a page takes a few kilobytes.

use std::convert::Infallible;
use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use pdf_writer::types::LineJoinStyle;
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, Str};
use plotters::prelude::DrawingBackend;
use plotters::style::FontTransform;
use plotters::style::text_anchor::{HPos, VPos};
use plotters_backend::{BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingErrorKind};

use crate::num;

type Drawn = Result<(), DrawingErrorKind<Infallible>>;

const FONT: Name<'_> = Name(b"F");
/// What plotters calls the size of a font is the height of its line; SVG's size is this part of it.
const LINE: f32 = 1.24;
/// The height of a capital letter of Helvetica, over its size.
const CAPITAL: f32 = 0.718;

/// A page that is drawn on; pixels are points.
pub(crate) struct Sheet {
    content: Content,
    size: (u32, u32),
}

impl Sheet {
    pub(crate) fn new(size: (u32, u32)) -> Self {
        let mut content = Content::new();
        content.set_line_join(LineJoinStyle::RoundJoin);
        Self { content, size }
    }

    /// A place on the page, whose origin is below.
    fn at(&self, (x, y): BackendCoord) -> (f32, f32) {
        (num::single(x), num::single_of(self.size.1) - num::single(y))
    }

    fn stroke(&mut self, color: BackendColor, width: u32) {
        let [red, green, blue] = shares(color);
        self.content.set_stroke_rgb(red, green, blue).set_line_width(num::single_of(width));
    }

    fn fill(&mut self, color: BackendColor) {
        let [red, green, blue] = shares(color);
        self.content.set_fill_rgb(red, green, blue);
    }

    fn path(&mut self, points: impl IntoIterator<Item = BackendCoord>) {
        for (i, point) in points.into_iter().enumerate() {
            let (x, y) = self.at(point);
            if i == 0 {
                self.content.move_to(x, y)
            } else {
                self.content.line_to(x, y)
            };
        }
    }

    /// The bytes of the file.
    pub(crate) fn finish(self) -> Vec<u8> {
        let [catalog, tree, page, font, content] = [1, 2, 3, 4, 5].map(Ref::new);
        let (width, height) = (num::single_of(self.size.0), num::single_of(self.size.1));
        let mut pdf = Pdf::new();
        pdf.catalog(catalog).pages(tree);
        pdf.pages(tree).kids([page]).count(1);
        let mut one = pdf.page(page);
        one.media_box(Rect::new(0.0, 0.0, width, height)).parent(tree).contents(content);
        one.resources().fonts().pair(FONT, font);
        one.finish();
        pdf.type1_font(font).base_font(Name(b"Helvetica")).encoding_predefined(Name(b"WinAnsiEncoding"));
        pdf.stream(content, &packed(&self.content.finish())).filter(Filter::FlateDecode);
        pdf.finish()
    }
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("memory takes every byte")
}

fn shares(color: BackendColor) -> [f32; 3] {
    let (red, green, blue) = color.rgb;
    [red, green, blue].map(|byte| f32::from(byte) / 255.0)
}

impl DrawingBackend for &mut Sheet {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    fn present(&mut self) -> Drawn {
        Ok(())
    }

    fn draw_pixel(&mut self, (x, y): BackendCoord, color: BackendColor) -> Drawn {
        self.draw_rect((x, y), (x + 1, y + 1), &color, true)
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> Drawn {
        self.draw_path([from, to], style)
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(&mut self, path: I, style: &S) -> Drawn {
        self.stroke(style.color(), style.stroke_width());
        self.path(path);
        self.content.stroke();
        Ok(())
    }

    fn draw_rect<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S, fill: bool) -> Drawn {
        let ((left, top), (right, bottom)) = (self.at(from), self.at(to));
        if fill {
            self.fill(style.color())
        } else {
            self.stroke(style.color(), style.stroke_width())
        }
        self.content.rect(left, bottom, right - left, top - bottom);
        if fill {
            self.content.fill_nonzero()
        } else {
            self.content.stroke()
        };
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(&mut self, edge: I, style: &S) -> Drawn {
        self.fill(style.color());
        self.path(edge);
        self.content.fill_nonzero();
        Ok(())
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, place: BackendCoord) -> Drawn {
        let size = num::narrow(style.size()) / LINE;
        let bytes: Vec<u8> = text.chars().map(byte).collect();
        let across = -size * width(&bytes) * share(style.anchor().h_pos);
        let up = -size * CAPITAL * height(style.anchor().v_pos);
        let (x, y) = self.at(place);
        let [a, b, c, d] = turned(&style.transform());
        self.fill(style.color());
        self.content.begin_text().set_font(FONT, size);
        self.content.set_text_matrix([a, b, c, d, x + a * across + c * up, y + b * across + d * up]);
        self.content.show(Str(&bytes)).end_text();
        Ok(())
    }
}

/// How much of a text is left of its place.
const fn share(place: HPos) -> f32 {
    match place {
        HPos::Left => 0.0,
        HPos::Center => 0.5,
        HPos::Right => 1.0,
    }
}

/// How much of a capital is below its place.
const fn height(place: VPos) -> f32 {
    match place {
        VPos::Top => 1.0,
        VPos::Center => 0.5,
        VPos::Bottom => 0.0,
    }
}

/// The turn of a text, clockwise on the screen, as the first four numbers of a matrix.
const fn turned(transform: &FontTransform) -> [f32; 4] {
    match transform {
        FontTransform::None => [1.0, 0.0, 0.0, 1.0],
        FontTransform::Rotate90 => [0.0, -1.0, 1.0, 0.0],
        FontTransform::Rotate180 => [-1.0, 0.0, 0.0, -1.0],
        FontTransform::Rotate270 => [0.0, 1.0, -1.0, 0.0],
    }
}

/// A letter of the encoding, which has those of Latin-1.
fn byte(letter: char) -> u8 {
    u8::try_from(u32::from(letter)).unwrap_or(b'?')
}

/// The width of a text over its size.
fn width(text: &[u8]) -> f32 {
    text.iter().map(|&letter| f32::from(advance(letter)) / 1000.0).sum()
}

/// Helvetica's widths in thousandths, from the space to the tilde.
const WIDTHS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
    722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
    556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
    260, 334, 584,
];

fn advance(letter: u8) -> u16 {
    WIDTHS.get(usize::from(letter.wrapping_sub(b' '))).copied().unwrap_or(556)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn words_have_their_width() {
        assert!((width(b"0.01") - 1.946).abs() < 1e-6 && (width("±".as_bytes()) - 1.112).abs() < 1e-6);
        assert_eq!(("é±€".chars().map(byte).collect::<Vec<u8>>(), advance(b'~')), (vec![0xE9, 0xB1, b'?'], 584));
    }

    #[test]
    fn a_text_stands_where_it_is_put() {
        use plotters::prelude::*;
        let mut sheet = Sheet::new((200, 100));
        let area = (&mut sheet).into_drawing_area();
        area.draw(&Text::new("on it", (10, 20), ("sans-serif", 10))).expect("a text");
        drop(area);
        let page = sheet.content.finish().to_vec();
        let text = String::from_utf8_lossy(&page).into_owned();
        assert!(text.contains("(on it) Tj") && text.contains("1 0 0 1 10 "), "{text}");
    }

    #[test]
    fn what_is_packed_comes_out_again() {
        let (bytes, mut back) = (b"0 0 m 10 10 l S ".repeat(50), Vec::new());
        flate2::read::ZlibDecoder::new(packed(&bytes).as_slice()).read_to_end(&mut back).expect("its own bytes");
        assert!(back == bytes && packed(&bytes).len() < bytes.len() / 4);
    }
}
