//! The arguments of a command, taken one after the other.

use std::fmt;
use std::str::FromStr;

use crate::refusal::Refusal;

/// What is left of a command.
#[derive(Clone, Copy)]
pub(crate) struct Words<'a> {
    all: &'a [&'a [u8]],
    next: usize,
}

impl<'a> Words<'a> {
    pub(crate) const fn new(all: &'a [&'a [u8]], next: usize) -> Self {
        Self { all, next }
    }

    /// The next word, if it is this one, whatever its case, is taken.
    pub(crate) fn takes(&mut self, word: &str) -> bool {
        let is = self.peek().is_some_and(|next| next.eq_ignore_ascii_case(word.as_bytes()));
        self.next += usize::from(is);
        is
    }

    pub(crate) fn next(&mut self) -> Option<&'a [u8]> {
        let word = self.peek()?;
        self.next += 1;
        Some(word)
    }

    pub(crate) fn peek(&self) -> Option<&'a [u8]> {
        self.all.get(self.next).copied()
    }

    /// The index of the next word among all arguments.
    pub(crate) const fn place(&self) -> usize {
        self.next
    }

    pub(crate) fn rest(&self) -> &'a [&'a [u8]] {
        &self.all[self.next.min(self.all.len())..]
    }

    /// The number behind the option `name`.
    pub(crate) fn number<T: FromStr + fmt::Display + PartialOrd>(
        &mut self,
        name: &str,
        (low, high): (T, T),
    ) -> Result<T, Refusal> {
        let word = self.next().ok_or_else(|| Refusal::syntax(format_args!("{name} takes a value")))?;
        let number = std::str::from_utf8(word).ok().filter(|text| is_plain(text)).and_then(|text| text.parse().ok());
        number
            .filter(|number| *number >= low && *number <= high)
            .ok_or_else(|| Refusal::out_of_range(name, shown(word), format_args!("{low} to {high}")))
    }

    /// The whole number behind the option `name`: digits or `1e6`, and a unit that may follow it. A bare one is in the unit of the range.
    pub(crate) fn quantity(&mut self, name: &str, (low, high): (u64, u64)) -> Result<u64, Refusal> {
        let unit = Unit::of(name);
        let word = self.next().ok_or_else(|| Refusal::syntax(format_args!("{name} takes a value")))?;
        let number = std::str::from_utf8(word).ok().and_then(|text| unit.read(text));
        number
            .filter(|number| *number >= low && *number <= high)
            .ok_or_else(|| Refusal::out_of_range(name, shown(word), format_args!("{low} to {high}{}", unit.of_range())))
    }

    /// An error unless every word was taken.
    pub(crate) fn end(&self) -> Result<(), Refusal> {
        match self.peek() {
            None => Ok(()),
            Some(word) => Err(Refusal::syntax(format_args!("unexpected {}", shown(word)))),
        }
    }
}

/// The unit of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    /// Milliseconds.
    Ms,
    /// Bytes.
    Bytes,
    /// Items, and what else has no unit.
    Items,
}

/// The units that may follow a time, in ms, and a size: those of the server's own configuration.
const TIMES: [(&str, u64); 5] = [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000)];
const SIZES: [(&str, u64); 7] =
    [("b", 1), ("k", 1000), ("kb", 1 << 10), ("m", 1_000_000), ("mb", 1 << 20), ("g", 1_000_000_000), ("gb", 1 << 30)];

impl Unit {
    /// That of the number behind a word.
    pub(crate) fn of(word: &str) -> Self {
        match word {
            "WINDOW" | "MAXSTEP" | "LATENESS" | "LEASE" | "AT" => Self::Ms,
            "MEMORY" | "MAXBYTES" => Self::Bytes,
            _ => Self::Items,
        }
    }

    /// What follows a number in a message.
    pub(crate) const fn shown(self) -> &'static str {
        match self {
            Self::Ms => " ms",
            Self::Bytes => " bytes",
            Self::Items => "",
        }
    }

    fn read(self, text: &str) -> Option<u64> {
        let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let unit = &text[digits.len()..];
        let all: &[(&str, u64)] = match self {
            Self::Ms => &TIMES,
            Self::Bytes => &SIZES,
            Self::Items => &[],
        };
        let times = if unit.is_empty() { 1 } else { all.iter().find(|(name, _)| unit.eq_ignore_ascii_case(name))?.1 };
        whole(digits)?.checked_mul(times)
    }

    /// The words after a range in an error.
    const fn of_range(self) -> &'static str {
        match self {
            Self::Ms => " ms; ms, s, m, h or d may follow the number",
            Self::Bytes => " bytes; kb, mb or gb may follow the number",
            Self::Items => "",
        }
    }
}

/// A whole number, as digits or with an exponent: `1e6`, `2.5e6`.
fn whole(text: &str) -> Option<u64> {
    if !is_plain(text) {
        return None;
    }
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (before, after) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if !exponent.bytes().all(|c| c.is_ascii_digit()) || (after.is_empty() && mantissa.contains('.')) {
        return None;
    }
    let after = after.trim_end_matches('0');
    let zeros = exponent.parse::<u32>().ok()?.checked_sub(u32::try_from(after.len()).ok()?)?;
    let digits: u64 = format!("{before}{after}").parse().ok()?;
    digits.checked_mul(10u64.checked_pow(zeros)?)
}

/// Digits, a point and an exponent: no sign, no "inf", no "nan".
fn is_plain(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_digit()) && !text.ends_with(|last: char| !last.is_ascii_digit())
}

/// A word for an error: short, and without what would break a line.
pub(crate) fn shown(word: &[u8]) -> String {
    const MOST: usize = 40;
    let head = &word[..word.len().min(MOST)];
    let text: String = String::from_utf8_lossy(head).chars().map(|c| if c.is_control() { '?' } else { c }).collect();
    format!("'{text}{}'", if word.len() > MOST { ".." } else { "" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_plain_and_in_range() {
        let of = |text: &str| Words::new(&[text.as_bytes()], 0).number::<u64>("N", (1, 9));
        assert_eq!(of("7").unwrap(), 7);
        for bad in ["0", "10", "-1", "+1", "", "1.5", "x", "99999999999999999999", "7 ", "0x1"] {
            assert!(of(bad).unwrap_err().text().contains("must be 1 to 9"), "{bad}");
        }
        let of = |text: &str| Words::new(&[text.as_bytes()], 0).number::<f64>("E", (1e-12, 0.5));
        assert!(of("1e-3").unwrap() > 0.0 && of("0.001").unwrap() > 0.0);
        for bad in ["nan", "inf", "NaN", "1e400", "-0.1", "0", "0.6", ".5", "5."] {
            assert!(of(bad).is_err(), "{bad}");
        }
    }

    fn quantity(word: &str, text: &str) -> Result<u64, Refusal> {
        Words::new(&[text.as_bytes()], 0).quantity(word, (0, u64::MAX))
    }

    #[test]
    fn quantities_have_units() {
        for (word, text, want) in [
            ("WINDOW", "600", 600),
            ("WINDOW", "600ms", 600),
            ("WINDOW", "600S", 600_000),
            ("WINDOW", "10m", 600_000),
            ("WINDOW", "1h", 3_600_000),
            ("WINDOW", "2d", 172_800_000),
            ("WINDOW", "1.5e1m", 900_000),
            ("MAXSTEP", "1d", 86_400_000),
            ("LATENESS", "5s", 5000),
            ("LEASE", "2m", 120_000),
            ("AT", "1700000000s", 1_700_000_000_000),
            ("MEMORY", "64mb", 64 << 20),
            ("MAXBYTES", "1kb", 1024),
            ("MEMORY", "64M", 64_000_000),
            ("MEMORY", "1GB", 1 << 30),
            ("LAST", "1e6", 1_000_000),
            ("LAST", "2.50E3", 2500),
            ("LAST", "18446744073709551615", u64::MAX),
        ] {
            assert_eq!(quantity(word, text).unwrap(), want, "{text}");
        }
    }

    #[test]
    fn quantities_of_other_units_are_refused() {
        for (word, bad) in [
            ("WINDOW", "10mb"),
            ("WINDOW", "10 m"),
            ("WINDOW", "m"),
            ("WINDOW", "1e"),
            ("WINDOW", "-1m"),
            ("WINDOW", "1.5"),
            ("WINDOW", "1.5m"),
            ("MEMORY", "10s"),
            ("MEMORY", "18446744073709551615kb"),
            ("LAST", "10m"),
            ("LAST", "1e20"),
            ("LAST", "1e-1"),
            ("LAST", "1.55e1"),
            ("LAST", "1.e1"),
            ("LAST", "0x10"),
            ("LAST", ""),
        ] {
            assert!(quantity(word, bad).is_err(), "{bad}");
        }
        let error = Words::new(&[b"0"], 0).quantity("WINDOW", (1, 5)).unwrap_err();
        assert_eq!(error.text(), "ERR WINDOW '0': must be 1 to 5 ms; ms, s, m, h or d may follow the number");
    }

    #[test]
    fn errors_show_short_words_without_line_breaks() {
        assert_eq!(shown(b"a\r\nb"), "'a??b'");
        assert!(shown(&[b'x'; 400]).len() < 60);
        assert!(shown(&[0xFF; 400]).len() < 200);
    }
}
