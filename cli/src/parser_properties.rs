//! What the parsers promise of any bytes, for the tests here and for the target `parsers` of `tests/fuzz/`.

use memchr::memmem::Finder;

use crate::csv::Dialect;
use crate::fields::FieldSpec;
use crate::form::Form;
use crate::json::Pointer;
use crate::key::{Extract, Layout, Parts};
use crate::records::{BOM, Flaw, Records};
use crate::text_fields::Separator;
use crate::time::TimeFormat;
use crate::units;

/// Checks the promises on `bytes`; the first one chooses which.
pub(crate) fn check(bytes: &[u8]) {
    let Some((&which, rest)) = bytes.split_first() else { return };
    let text = String::from_utf8_lossy(rest);
    match which % 8 {
        0 => numbers(&text),
        1 => times(rest),
        2 => formats(&text),
        3 => records(rest, b'\n', None),
        4 => records(rest, 0, None),
        5 => records(rest, b'\n', Some(Dialect::usual(b','))),
        6 => texts(rest),
        _ => csv_fields(rest),
    }
}

/// `number` (`12.5`) times `scale`, cut, digit by digit as on paper; `None` if it is no number or has no 64 bits.
fn on_paper(number: &[u8], scale: u64) -> Option<u64> {
    let point = number.iter().position(|&byte| byte == b'.');
    let (whole, fraction) = match point {
        Some(at) => (&number[..at], &number[at + 1..]),
        None => (number, &b"0"[..]),
    };
    let are_digits = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
    if !are_digits(whole) || !are_digits(fraction) {
        return None;
    }
    let (mut carry, mut product) = (0, Vec::new());
    for digit in fraction.iter().rev().chain(whole.iter().rev()) {
        carry += u128::from(digit - b'0') * u128::from(scale);
        product.push(carry % 10);
        carry /= 10;
    }
    while carry > 0 {
        product.push(carry % 10);
        carry /= 10;
    }
    let kept = product[fraction.len()..].iter().rev();
    kept.skip_while(|&&digit| digit == 0)
        .try_fold(0_u64, |sum, &digit| sum.checked_mul(10)?.checked_add(u64::try_from(digit).ok()?))
}

/// Every unit that a text may end with.
fn with_unit(text: &str, units: &[(&str, u64)]) -> Option<u64> {
    let (number, unit) = text.split_at(text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len()));
    let scale = units.iter().find(|(name, _)| *name == unit)?.1;
    on_paper(number.as_bytes(), scale)
}

/// Several numbers with units, the units falling.
fn in_units(text: &str, units: &[(&str, u64)], below: u64) -> Option<u64> {
    let unit = text.find(|c: char| c.is_ascii_alphabetic())?;
    let end = text[unit..].find(|c: char| !c.is_ascii_alphabetic()).map_or(text.len(), |n| unit + n);
    let scale = units.iter().find(|(name, _)| *name == &text[unit..end])?.1;
    let first = with_unit(&text[..end], units).filter(|_| scale < below)?;
    if end == text.len() { Some(first) } else { first.checked_add(in_units(&text[end..], units, scale)?) }
}

fn numbers(text: &str) {
    const S: u64 = 1_000_000_000;
    let times = [("w", 604_800 * S), ("d", 86_400 * S), ("h", 3600 * S), ("m", 60 * S), ("s", S)];
    let times = [&times[..], &[("ms", S / 1000), ("us", S / 1_000_000), ("ns", 1)]].concat();
    let sizes = [("G", 1 << 30), ("M", 1 << 20), ("K", 1 << 10), ("", 1), ("GiB", 1 << 30), ("MiB", 1 << 20)];
    let sizes = [&sizes[..], &[("KiB", 1 << 10), ("GB", S), ("MB", S / 1000), ("KB", S / 1_000_000)]].concat();
    let above = |value: Option<u64>| value.filter(|&value| value > 0);
    let window = above(in_units(text, &times, u64::MAX));
    assert_eq!(units::window(text).ok(), window, "window {text}");
    assert_eq!(units::memory(text).ok(), above(with_unit(text, &sizes)), "memory {text}");
    let step = if text == "0" { Some(0) } else { in_units(text, &times, u64::MAX) };
    assert_eq!(units::step(text).ok(), step, "step {text}");
    let count = units::count(text).ok();
    assert!(count.is_none_or(|count| count > 0 && units::count(&count.to_string()) == Ok(count)), "count {text}");
    for (rate, most) in [(units::error_rate(text), 0.5), (units::miss_rate(text), 1.0), (units::rate(text), 1e12)] {
        assert!(rate.is_err() || rate.is_ok_and(|rate| rate > 0.0 && rate <= most), "rate {text}");
    }
    if let Ok(ns) = units::window(text) {
        let shown = units::show_time(ns);
        let read = units::window(&shown).unwrap_or(0);
        assert!(read == ns || read == ns - ns % 1_000_000, "{text} is shown as {shown}");
    }
}

fn times(text: &[u8]) {
    let trimmed = text.trim_ascii();
    for scale in [1_000_000_000, 1_000_000, 1_000, 1] {
        let read = TimeFormat::Epoch(scale).read(text);
        let is_plain = !trimmed.iter().any(|byte| matches!(byte, b'e' | b'E'));
        assert!(!is_plain || read == on_paper(trimmed, scale));
    }
    for format in [TimeFormat::Rfc3339, TimeFormat::Clf] {
        let Some(ns) = format.read(text) else { continue };
        let time = jiff::Timestamp::from_nanosecond(i128::from(ns)).expect("a moment that was read");
        assert_eq!(TimeFormat::Rfc3339.read(time.to_string().as_bytes()), Some(ns), "{time}");
    }
}

/// A format and a text after it: a format that is taken reads what it writes.
fn formats(text: &str) {
    let (format, value) = text.split_once('\n').unwrap_or((text, ""));
    let named = format!("strptime:{format}");
    for name in [format, &named] {
        if let Ok(format) = TimeFormat::parse(name) {
            assert!(!format.name().is_empty());
            let _ = format.read(value.as_bytes());
        }
    }
}

/// Bytes that come in pieces of this many.
pub(crate) struct Pieces<'a>(pub(crate) &'a [u8], pub(crate) usize);

impl std::io::Read for Pieces<'_> {
    fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
        let most = self.1.min(to.len());
        self.0.read(&mut to[..most])
    }
}

/// The records of `bytes`, one after the other: together they are what came, and none that is whole is longer than
/// `longest`.
fn each_record(bytes: &[u8], form: Form, piece: usize, mut each: impl FnMut(&[u8], Flaw)) {
    let mut reader = Records::new(Pieces(bytes, piece), form);
    let (mut came, mut line) = (Vec::new(), 0);
    loop {
        while let Some(span) = reader.next() {
            let is_next = if span.flaw == Flaw::Further { span.line >= line } else { span.line > line };
            assert!(is_next, "line {} after {line}", span.line);
            let is_long = matches!(span.flaw, Flaw::TooLong | Flaw::Further);
            assert!(is_long || reader.body(&span).len() <= form.longest);
            line = span.line;
            came.extend_from_slice(reader.body(&span));
            came.extend_from_slice(reader.end(&span));
            each(reader.body(&span), span.flaw);
        }
        if !reader.fill().expect("bytes in memory can be read") {
            break;
        }
    }
    let mark = if reader.has_bom { BOM } else { &[] };
    assert_eq!([mark, &came].concat(), bytes, "nothing is lost");
}

fn form(end: u8, csv: Option<Dialect>) -> Form {
    Form { end, csv, json: None, longest: usize::MAX, skipped: 0, comment: None }
}

fn records(bytes: &[u8], end: u8, csv: Option<Dialect>) {
    let pointer = |text| Pointer::parse(text).expect("a pointer");
    let parts = Parts { key: vec![pointer("/a"), pointer("")], except: false, time: vec![pointer("/0")] };
    let mut json = Extract::new(Layout::json(parts, None, &[]), TimeFormat::Rfc3339, true);
    let mut whole = Extract::new(Layout::Whole, TimeFormat::Rfc3339, false);
    let mut bodies = Vec::new();
    each_record(bytes, form(end, csv), usize::MAX, |body, flaw| {
        assert!(matches!(whole.read(body), Ok((key, None)) if key == body));
        // No JSON, no such value, or a key: none of them ends the program.
        let _ = json.read(body);
        bodies.push((body.to_vec(), flaw));
    });
    let mut again = bodies.iter().cloned();
    each_record(bytes, form(end, csv), 1, |body, flaw| assert_eq!(again.next(), Some((body.to_vec(), flaw))));
    each_record(bytes, Form { longest: 2, ..form(end, csv) }, 3, |_, _| ());
}

/// The parts of a key that `key` was made of, each behind its length.
fn parts_of(mut key: &[u8]) -> Vec<&[u8]> {
    let mut parts = Vec::new();
    while let Some((len, rest)) = key.split_first_chunk() {
        let (part, rest) = rest.split_at(usize::from_le_bytes(*len));
        parts.push(part);
        key = rest;
    }
    parts
}

fn first_fields(n: usize) -> Parts<FieldSpec> {
    Parts { key: (0..n).map(FieldSpec::At).collect(), ..Parts::default() }
}

fn texts(bytes: &[u8]) {
    let (separator, rest) = bytes.split_at(bytes.len().min(1 + bytes.len() % 2));
    if separator.is_empty() || separator.contains(&b'\n') {
        return;
    }
    for (n, marks) in [(1, false), (3, false), (3, true)] {
        let by = Separator::Text(Box::new(Finder::new(separator).into_owned()));
        let layout = Layout::Text { separator: by, marks, parts: first_fields(n) };
        let mut extract = Extract::new(layout, TimeFormat::Rfc3339, false);
        each_record(rest, form(b'\n', None), usize::MAX, |body, _| {
            if let Ok((key, _)) = extract.read(body) {
                let joined = parts_of(key).join(separator);
                assert!(body.starts_with(&joined), "the fields are those of the record");
            }
        });
    }
}

fn csv_fields(bytes: &[u8]) {
    let mut extract =
        Extract::new(Layout::Csv { dialect: Dialect::usual(b','), parts: first_fields(2) }, TimeFormat::Rfc3339, false);
    each_record(bytes, form(b'\n', Some(Dialect::usual(b','))), usize::MAX, |body, _| {
        let is_plain = !body.iter().any(|byte| b"\"\r".contains(byte));
        if let (true, Ok((key, _))) = (is_plain, extract.read(body)) {
            let fields: Vec<&[u8]> = body.split(|&byte| byte == b',').take(2).collect();
            assert_eq!(parts_of(key), fields);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Pieces that parsers look for, so that random texts come close to being right.
    #[rustfmt::skip]
    const PIECES: [&str; 41] = [
        "0", "1", "9", "12", "999999999999999999999", ".", ".5", "e3", "e", "-", "+", "w", "d", "h", "m", "s", "ms", "us", "ns", "G", "M",
        "K", "GiB", "KB", " ", "\n", "\r\n", "\0", ",", "\"", "\t", "[", "]", "{\"a\":1}", "2015-05-17T10:05:03Z", "%Y-%m-%d", "%s",
        "17/May/2015:10:05:03 +0000", "\\", "\u{ff11}", "1431857103",
    ];

    fn sample(seed: u64) -> Vec<u8> {
        let mut random = Random::new(seed);
        let first = u8::try_from(random.below(8)).unwrap_or(0);
        let pieces: Vec<&str> = (0..random.below(12)).map(|_| *random.pick(&PIECES)).collect();
        [&[first], pieces.concat().as_bytes()].concat()
    }

    #[test]
    fn parsers_texts_of_fixed_seeds_pass() {
        (0..200_000).for_each(|seed| check(&sample(seed)));
    }

    #[test]
    fn parsers_the_corpus_passes() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/corpus/parsers");
        let files: Vec<_> = std::fs::read_dir(folder).expect("the corpus").collect();
        assert!(!files.is_empty());
        for file in files {
            check(&std::fs::read(file.expect("an entry").path()).expect("a file"));
        }
    }

    #[test]
    fn paper_is_exact() {
        assert_eq!(on_paper(b"1521911720.8657161239999", 1_000_000_000), Some(1_521_911_720_865_716_123));
        assert_eq!(on_paper(b"18446744073709551615", 1), Some(u64::MAX));
        assert_eq!(on_paper(b"18446744073709551616", 1), None);
        assert_eq!(on_paper(b"1.", 1), None);
    }
}
