//! A drawing as SVG. Each text has its width in it, so that no viewer's font makes it larger than its place.

use std::fmt::Write;

use super::font;
use super::sheet::{Color, Ink, Pen, Place, Sheet};

/// The file; `zoom` pixels for a point.
pub(crate) fn file(sheet: &Sheet, zoom: f64) -> String {
    let (width, height) = sheet.size;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{:.0}\" height=\"{:.0}\" viewBox=\"0 0 {width:.2} {height:.2}\" \
         font-family=\"{}, Arial, sans-serif\">\n<title>{}</title>\n",
        width * zoom,
        height * zoom,
        font::FAMILY,
        plain(&sheet.title)
    );
    sheet.inks.iter().for_each(|ink| ink_of(&mut text, ink));
    text + "</svg>\n"
}

fn ink_of(text: &mut String, ink: &Ink) {
    let _ = match ink {
        Ink::Line { path, pen } => writeln!(text, "<path d=\"{}\" fill=\"none\" {}/>", steps(path), stroke(pen)),
        Ink::Area { edge, fill, pen } => {
            writeln!(text, "<path d=\"{}z\" fill=\"{}\" {}/>", steps(edge), hex(*fill), stroke(pen))
        }
        Ink::Words { text: words, at: (x, y), size, color } => writeln!(
            text,
            "<text x=\"{x:.2}\" y=\"{y:.2}\" font-size=\"{size}\" fill=\"{}\" textLength=\"{:.2}\" \
             lengthAdjust=\"spacingAndGlyphs\">{}</text>",
            hex(*color),
            font::width(words, *size),
            plain(words)
        ),
    };
}

fn steps(path: &[Place]) -> String {
    path.iter().enumerate().map(|(i, (x, y))| format!("{}{x:.2} {y:.2}", if i == 0 { "M" } else { "L" })).collect()
}

fn stroke(pen: &Pen) -> String {
    let dash: Vec<String> = pen.dash.iter().map(ToString::to_string).collect();
    let dash = if dash.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{}\"", dash.join(" ")) };
    format!("stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\"{dash}", hex(pen.color), pen.width)
}

fn hex([red, green, blue]: Color) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn plain(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_has_strokes_areas_and_words_of_their_width() {
        let pen = Pen { color: [0, 128, 255], width: 0.5, dash: &[2.0, 1.0] };
        let mut sheet = Sheet::new("a < b", (240.0, 100.0));
        sheet.line(vec![(0.0, 1.0), (2.0, 3.0)], pen);
        sheet.inks.push(Ink::Area {
            edge: vec![(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)],
            fill: [255; 3],
            pen: Pen::new([0; 3], 1.0),
        });
        sheet.words("x & y", (10.0, 20.0), 0.0, 7.0, [0; 3]);
        let text = file(&sheet, 2.0);
        for part in [
            "width=\"480\" height=\"200\" viewBox=\"0 0 240.00 100.00\"",
            "<title>a &lt; b</title>",
            "M0.00 1.00L2.00 3.00\" fill=\"none\" stroke=\"#0080ff\" stroke-width=\"0.5\" stroke-linejoin=\"round\" stroke-dasharray=\"2 1\"",
            "L0.00 1.00z\" fill=\"#ffffff\"",
            ">x &amp; y</text>",
        ] {
            assert!(text.contains(part), "{part} is not in\n{text}");
        }
        assert!(text.contains(&format!("textLength=\"{:.2}\"", font::width("x & y", 7.0))));
    }
}
