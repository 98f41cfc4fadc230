//! Numbers with units as people write them (`10m`, `1.5h`, `64M`), exactly: no floating point on the way.

use std::fmt;
use std::str::FromStr;

use crate::misuse::must_be;

/// Nanoseconds of the units of time, the largest first.
const TIMES: [(&str, u64); 8] = [
    ("w", 604_800_000_000_000),
    ("d", 86_400_000_000_000),
    ("h", 3_600_000_000_000),
    ("m", 60_000_000_000),
    ("s", 1_000_000_000),
    ("ms", 1_000_000),
    ("us", 1_000),
    ("ns", 1),
];

/// Bytes of the units of memory: a letter alone is one of 1024, as with `sort` and `head`.
const SIZES: [(&str, u64); 10] = [
    ("G", 1 << 30),
    ("M", 1 << 20),
    ("K", 1 << 10),
    ("GiB", 1 << 30),
    ("MiB", 1 << 20),
    ("KiB", 1 << 10),
    ("GB", 1_000_000_000),
    ("MB", 1_000_000),
    ("KB", 1_000),
    ("", 1),
];

/// `text` (`12`, `12.5`) times `scale`, cut to a whole number; `None` if it is no such number or does not fit.
pub(crate) fn decimal(text: &[u8], scale: u64) -> Option<u64> {
    wide_decimal(text, u128::from(scale))?.try_into().ok()
}

/// The same for a `scale` of 10^37 at most.
pub(crate) fn wide_decimal(text: &[u8], scale: u128) -> Option<u128> {
    let point = text.iter().position(|&byte| byte == b'.').unwrap_or(text.len());
    let fraction = match text.get(point + 1..) {
        Some(digits) => fraction(digits, scale)?,
        None => 0,
    };
    digits(&text[..point])?.checked_mul(scale)?.checked_add(fraction)
}

/// The digits after a point times `scale`, cut. From the last digit to the first: what is cut on the way is less than
/// one and stays so.
fn fraction(text: &[u8], scale: u128) -> Option<u128> {
    digits(text)?;
    Some(text.iter().rev().fold(0, |sum, byte| (sum + u128::from(byte - b'0') * scale) / 10))
}

/// One digit or more, as a number; what is too large to be of use saturates.
fn digits(text: &[u8]) -> Option<u128> {
    if text.is_empty() {
        return None;
    }
    text.iter().try_fold(0_u128, |sum, byte| {
        byte.is_ascii_digit().then(|| sum.saturating_mul(10).saturating_add(u128::from(byte - b'0')))
    })
}

pub(crate) fn window(text: &str) -> Result<u64, String> {
    match span(text) {
        Some(ns) if ns > 0 => Ok(ns),
        _ => Err(must_be(
            "a number above 0 with ns, us, ms, s, m, h, d or w, such as 90s, 10m, 1.5h or 1h30m, at most \
             213503d",
        )),
    }
}

/// A span of time in nanoseconds, or 0 for none.
pub(crate) fn step(text: &str) -> Result<u64, String> {
    let none = (text == "0").then_some(0);
    none.or_else(|| span(text))
        .ok_or_else(|| must_be("0 or a number with ns, us, ms, s, m, h, d or w, such as 24h, at most 213503d"))
}

pub(crate) fn memory(text: &str) -> Result<u64, String> {
    match with_unit(text, &SIZES) {
        Some(bytes) if bytes > 0 => Ok(bytes),
        _ => Err(must_be(
            "a number of bytes above 0, alone or with K, M or G (2^10, 2^20, 2^30; also KiB, MiB, GiB) or with \
             KB, MB or GB (powers of ten), such as 64M",
        )),
    }
}

/// A number for which this is true, or what it must be.
fn number<T: FromStr>(text: &str, is_one: impl Fn(&T) -> bool, range: &str) -> Result<T, String> {
    text.parse().ok().filter(is_one).ok_or_else(|| must_be(range))
}

pub(crate) fn error_rate(text: &str) -> Result<f64, String> {
    number(text, |rate| *rate > 0.0 && *rate <= 0.5, "a number above 0 and at most 0.5, such as 1e-4")
}

pub(crate) fn miss_rate(text: &str) -> Result<f64, String> {
    number(text, |rate| *rate > 0.0 && *rate < 1.0, "a number above 0 and below 1, such as 0.05")
}

pub(crate) fn share(text: &str) -> Result<f64, String> {
    number(text, |share| (0.0..1.0).contains(share), "a number of at least 0 and below 1, such as 0.5")
}

pub(crate) fn rate(text: &str) -> Result<f64, String> {
    let range = "a number of records a second above 0 and at most 1e12, such as 250 or 1e4";
    number(text, |rate| *rate > 0.0 && *rate <= MOST_RATE, range)
}

pub(crate) fn parallel(text: &str) -> Result<usize, String> {
    number(text, |n| (1..=1024).contains(n), "a whole number from 1 to 1024")
}

const MOST_RATE: f64 = 1e12;

pub(crate) fn count(text: &str) -> Result<u64, String> {
    let (number, zeros) = text.split_once('e').unwrap_or((text, "0"));
    let fraction = number.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    let zeros = digits(zeros.as_bytes()).and_then(|zeros| u32::try_from(zeros).ok());
    let zeros = zeros.filter(|zeros| usize::try_from(*zeros).is_ok_and(|zeros| fraction <= zeros));
    let scale = zeros.and_then(|zeros| 10_u64.checked_pow(zeros));
    match scale.and_then(|scale| decimal(number.as_bytes(), scale)) {
        Some(count) if count > 0 => Ok(count),
        _ => Err(must_be("a whole number above 0, such as 50000 or 1e6")),
    }
}

#[allow(clippy::as_conversions, reason = "beyond the ends the ends are meant")]
pub(crate) fn ceil(x: f64) -> u64 {
    x.ceil() as u64
}

#[allow(clippy::as_conversions, reason = "exact below 2^53, and a figure for people above")]
pub(crate) fn real(n: u64) -> f64 {
    n as f64
}

/// A span of time in one unit (`1.5h`), or in several, the larger ones first (`1h30m`).
fn span(text: &str) -> Option<u64> {
    let (mut rest, mut sum, mut scale) = (text, 0_u64, u64::MAX);
    while !rest.is_empty() || scale == u64::MAX {
        let letters = rest.find(|letter: char| letter.is_ascii_alphabetic())?;
        let end =
            rest[letters..].find(|letter: char| !letter.is_ascii_alphabetic()).map_or(rest.len(), |n| letters + n);
        let (_, unit) =
            TIMES.iter().find(|(name, _)| *name == &rest[letters..end]).filter(|(_, unit)| *unit < scale)?;
        sum = sum.checked_add(decimal(&rest.as_bytes()[..letters], *unit)?)?;
        (rest, scale) = (&rest[end..], *unit);
    }
    Some(sum)
}

fn with_unit(text: &str, units: &[(&str, u64)]) -> Option<u64> {
    let at = text.find(|letter: char| letter.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(at);
    let (_, scale) = units.iter().find(|(name, _)| *name == unit)?;
    decimal(number.as_bytes(), *scale)
}

/// A span of time for people, as `--window` takes it: `1h46m40s`, `1.5s`, `250ms`. Cut to milliseconds; what is less than
/// ten of them, exactly.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Span(pub(crate) u64);

const EXACT: u64 = 10_000_000;

const MILLISECOND: u64 = 1_000_000;

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const S: u64 = 1_000_000_000;
        let mut rest = if self.0 < EXACT { self.0 } else { self.0 - self.0 % MILLISECOND };
        if rest < S {
            let (unit, scale) = TIMES[5..].iter().find(|(_, scale)| rest >= *scale).unwrap_or(&("s", 1));
            return one(f, rest, *scale, unit);
        }
        for (unit, scale) in &TIMES[1..4] {
            if rest >= *scale {
                write!(f, "{}{unit}", rest / scale)?;
            }
            rest %= scale;
        }
        if rest > 0 { one(f, rest, S, "s") } else { Ok(()) }
    }
}

/// A number of one unit, with the digits behind the point that it needs.
fn one(f: &mut fmt::Formatter<'_>, ns: u64, scale: u64, unit: &str) -> fmt::Result {
    write!(f, "{}", ns / scale)?;
    let (mut rest, mut point) = (ns % scale, ".");
    while rest > 0 {
        // The scale is a power of ten, so that this ends.
        rest *= 10;
        write!(f, "{point}{}", rest / scale)?;
        (rest, point) = (rest % scale, "");
    }
    f.write_str(unit)
}

pub(crate) fn show_time(ns: u64) -> String {
    Span(ns).to_string()
}

/// The least time that is shown exactly, and is no shorter.
pub(crate) fn round_up(ns: u64) -> u64 {
    if ns < EXACT { ns } else { ns.div_ceil(MILLISECOND).saturating_mul(MILLISECOND) }
}

pub(crate) fn counted(n: impl TryInto<u64>, what: &str) -> String {
    let n = n.try_into().unwrap_or(u64::MAX);
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// A size, exactly: in the largest unit of 1024 that divides it.
pub(crate) fn exact_size(bytes: u64) -> String {
    let whole = SIZES[..3].iter().find(|(_, scale)| bytes >= *scale && bytes % scale == 0);
    whole.map_or_else(|| bytes.to_string(), |(unit, scale)| format!("{}{unit}", bytes / scale))
}

/// A size to ask for that is enough: with one digit behind the point, rounded up.
pub(crate) fn size_to_ask(bytes: u64) -> String {
    let Some((unit, scale)) = SIZES[..3].iter().find(|(_, scale)| bytes >= *scale) else { return bytes.to_string() };
    let tenths = u128::from(bytes) * 10;
    let tenths = tenths.div_ceil(u128::from(*scale));
    if tenths % 10 == 0 { format!("{}{unit}", tenths / 10) } else { format!("{}.{}{unit}", tenths / 10, tenths % 10) }
}

/// A span of time, exactly: in the largest unit that divides it.
pub(crate) fn exact_time(ns: u64) -> String {
    let whole = TIMES[1..].iter().find(|(_, scale)| ns % scale == 0);
    whole.map_or_else(|| format!("{ns}ns"), |(unit, scale)| format!("{}{unit}", ns / scale))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_whole() {
        assert_eq!([count("7"), count("1e6"), count("2.5e3")], [Ok(7), Ok(1_000_000), Ok(2500)]);
        for text in ["", "0", "-1", "+1", "1.5", "1.25e1", "1e", "e3", "1e30", "1e-3", "10K", "1e+3", "1e1.5"] {
            assert!(count(text).is_err(), "{text}");
        }
        assert_eq!((rate("1e4"), rate("0.5"), miss_rate("0.05")), (Ok(1e4), Ok(0.5), Ok(0.05)));
        for text in ["0", "-1", "NaN", "inf", "2e12", ""] {
            assert!(rate(text).is_err() && miss_rate(text).is_err(), "{text}");
        }
        assert!(miss_rate("1").is_err());
        assert_eq!((ceil(0.1), ceil(7.0), ceil(1e300)), (1, 7, u64::MAX));
    }

    #[test]
    fn spans_are_shown_as_they_are_typed() {
        for (ns, want) in [
            (0, "0s"),
            (7, "7ns"),
            (500_000, "500us"),
            (1_500_000, "1.5ms"),
            (9_999_999, "9.999999ms"),
            (10_000_001, "10ms"),
            (250_000_000, "250ms"),
            (1_500_000_000, "1.5s"),
            (1_234_567_890, "1.234s"),
            (90_000_000_000, "1m30s"),
            (600_000_000_000, "10m"),
            (6_400_000_000_000, "1h46m40s"),
            (6_400_036_000_000, "1h46m40.036s"),
            (3_600_500_000_000, "1h0.5s"),
            (86_400_000_000_000, "1d"),
            (129_600_000_000_000, "1d12h"),
            (87_634_567_890_000, "1d20m34.567s"),
            (384_378_400_000_000_000, "4448d19h46m40s"),
        ] {
            assert_eq!(show_time(ns), want);
        }
    }

    #[test]
    fn sizes_are_shown_with_units() {
        assert_eq!([2_801_664, 1024, 1025, 64 << 20, 7].map(size_to_ask), ["2.7M", "1K", "1.1K", "64M", "7"]);
        assert_eq!([64 << 20, 1536, 1 << 30, 1000, 7].map(exact_size), ["64M", "1536", "1G", "1000", "7"]);
    }
}
