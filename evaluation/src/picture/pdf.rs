//! A drawing as a page of PDF, with the part of the font that it uses embedded: printers refuse a font that is only named.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use pdf_writer::types::{CidFontType, FontFlags, LineJoinStyle, SystemInfo, UnicodeCmap};
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, Str};

use super::font::{self, Subset};
use super::sheet::{Color, Ink, Pen, Place, Sheet};
use crate::num;

const FONT: Name<'_> = Name(b"F");
/// Six letters and the name, as a part of a font is called.
const NAME: Name<'_> = Name(b"LATELY+DejaVuSansCondensed");
const SYSTEM: SystemInfo<'_> = SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };

/// The objects of the file.
const CATALOG: Ref = Ref::new(1);
const TREE: Ref = Ref::new(2);
const PAGE: Ref = Ref::new(3);
const CONTENT: Ref = Ref::new(4);
const WHOLE_FONT: Ref = Ref::new(5);
const GLYPHS: Ref = Ref::new(6);
const DESCRIPTOR: Ref = Ref::new(7);
const FONT_FILE: Ref = Ref::new(8);
const UNICODE: Ref = Ref::new(9);

/// The bytes of the file.
pub(crate) fn file(sheet: &Sheet) -> Vec<u8> {
    let words =
        sheet.inks.iter().filter_map(|ink| if let Ink::Words { text, .. } = ink { Some(text.as_str()) } else { None });
    let subset = Subset::of(words);
    let mut pdf = Pdf::new();
    pdf.catalog(CATALOG).pages(TREE);
    pdf.pages(TREE).kids([PAGE]).count(1);
    let mut page = pdf.page(PAGE);
    page.media_box(Rect::new(0.0, 0.0, num::narrow(sheet.size.0), num::narrow(sheet.size.1)));
    page.parent(TREE).contents(CONTENT).resources().fonts().pair(FONT, WHOLE_FONT);
    page.finish();
    pdf.stream(CONTENT, &packed(&content(sheet, &subset))).filter(Filter::FlateDecode);
    embed(&mut pdf, &subset);
    pdf.finish()
}

fn embed(pdf: &mut Pdf, subset: &Subset) {
    let encoding = Name(b"Identity-H");
    pdf.type0_font(WHOLE_FONT)
        .base_font(NAME)
        .encoding_predefined(encoding)
        .descendant_font(GLYPHS)
        .to_unicode(UNICODE);
    let mut glyphs = pdf.cid_font(GLYPHS);
    glyphs.subtype(CidFontType::Type2).base_font(NAME).system_info(SYSTEM).font_descriptor(DESCRIPTOR);
    glyphs.cid_to_gid_map_predefined(Name(b"Identity"));
    let mut widths = glyphs.widths();
    subset.numbers.iter().for_each(|(&letter, &number)| {
        widths.consecutive(number, [num::narrow(font::advance(letter))]);
    });
    widths.finish();
    glyphs.finish();
    describe(pdf);
    let bytes = packed(&subset.bytes);
    let mut stream = pdf.stream(FONT_FILE, &bytes);
    stream.filter(Filter::FlateDecode).pair(Name(b"Length1"), i32::try_from(subset.bytes.len()).unwrap_or(0));
    stream.finish();
    let mut unicode = UnicodeCmap::new(NAME, SYSTEM);
    subset.numbers.iter().for_each(|(&letter, &number)| unicode.pair(number, letter));
    pdf.cmap(UNICODE, &unicode.finish());
}

fn describe(pdf: &mut Pdf) {
    let face = font::face();
    let bounds = face.global_bounding_box();
    let scaled = |units: i16| 1000.0 * f32::from(units) / f32::from(face.units_per_em());
    let [left, low, right, high] = [bounds.x_min, bounds.y_min, bounds.x_max, bounds.y_max].map(scaled);
    let mut descriptor = pdf.font_descriptor(DESCRIPTOR);
    descriptor.name(NAME).flags(FontFlags::NON_SYMBOLIC).bbox(Rect::new(left, low, right, high)).italic_angle(0.0);
    descriptor.ascent(scaled(face.ascender())).descent(scaled(face.descender())).stem_v(80.0);
    descriptor.cap_height(scaled(face.capital_height().unwrap_or_default())).font_file2(FONT_FILE);
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("memory takes every byte")
}

fn content(sheet: &Sheet, subset: &Subset) -> Vec<u8> {
    let mut content = Content::new();
    content.set_line_join(LineJoinStyle::RoundJoin);
    // The page has its origin below.
    let at = |(x, y): Place| (num::narrow(x), num::narrow(sheet.size.1 - y));
    for ink in &sheet.inks {
        match ink {
            Ink::Line { path, pen } => {
                trace(&mut content, path.iter().map(|&place| at(place)), pen);
                content.stroke();
            }
            Ink::Area { edge, fill, pen } => {
                paint(&mut content, *fill);
                trace(&mut content, edge.iter().map(|&place| at(place)), pen);
                content.close_fill_nonzero_and_stroke();
            }
            Ink::Words { text, at: place, size, color } => {
                paint(&mut content, *color);
                let ((x, y), bytes) = (at(*place), numbered(text, subset));
                content.begin_text().set_font(FONT, num::narrow(*size)).next_line(x, y).show(Str(&bytes)).end_text();
            }
        }
    }
    content.finish().to_vec()
}

fn numbered(text: &str, subset: &Subset) -> Vec<u8> {
    text.chars().flat_map(|letter| subset.numbers[&letter].to_be_bytes()).collect()
}

fn trace(content: &mut Content, places: impl Iterator<Item = (f32, f32)>, pen: &Pen) {
    let [red, green, blue] = shares(pen.color);
    content.set_stroke_rgb(red, green, blue).set_line_width(num::narrow(pen.width));
    content.set_dash_pattern(pen.dash.iter().map(|&length| num::narrow(length)), 0.0);
    for (i, (x, y)) in places.enumerate() {
        if i == 0 {
            content.move_to(x, y)
        } else {
            content.line_to(x, y)
        };
    }
}

fn paint(content: &mut Content, color: Color) {
    let [red, green, blue] = shares(color);
    content.set_fill_rgb(red, green, blue);
}

fn shares(color: Color) -> [f32; 3] {
    color.map(|byte| f32::from(byte) / 255.0)
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    fn sheet() -> Sheet {
        let mut sheet = Sheet::new("t", (240.0, 100.0));
        sheet.words("on ± it", (10.0, 20.0), 0.0, 7.0, [0; 3]);
        sheet.line(vec![(0.0, 0.0), (1.0, 2.0)], Pen { color: [255, 0, 0], width: 0.5, dash: &[2.0] });
        sheet
    }

    #[test]
    fn words_and_strokes_are_where_they_are_put() {
        let subset = Subset::of(["on ± it"].into_iter());
        let text = String::from_utf8_lossy(&content(&sheet(), &subset)).into_owned();
        for part in ["10 80 Td", "1 0 0 RG", "[2] 0 d", "0 100 m", "1 98 l"] {
            assert!(text.contains(part), "{part} is not in {text}");
        }
    }

    /// What `pdffonts` calls "emb yes": each descriptor of a font has a stream with the font in it, and the page is a column wide.
    #[test]
    fn font_is_embedded_and_page_is_a_column() {
        let (bytes, subset) = (file(&sheet()), Subset::of(["on ± it"].into_iter()));
        let text = String::from_utf8_lossy(&bytes);
        assert_eq!((text.matches("/Type /FontDescriptor").count(), text.matches("/FontFile2 8 0 R").count()), (1, 1));
        assert!(!text.contains("/Type1") && text.contains("/MediaBox [0 0 240 100]"), "{text}");
        assert!(bytes.windows(8).any(|window| window == &packed(&subset.bytes)[..8]), "the font's own bytes");
    }

    #[test]
    fn what_is_packed_comes_out_again() {
        let (bytes, mut back) = (b"0 0 m 10 10 l S ".repeat(50), Vec::new());
        flate2::read::ZlibDecoder::new(packed(&bytes).as_slice()).read_to_end(&mut back).expect("its own bytes");
        assert!(back == bytes && packed(&bytes).len() < bytes.len() / 4);
    }
}
