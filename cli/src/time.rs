//! Event times: from the text of a field to nanoseconds since 1970-01-01 UTC, without rounding.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::fmt::rfc2822::DateTimeParser;
use jiff::fmt::strtime::{self, BrokenDownTime};
use jiff::tz::TimeZone;

use crate::fixed::{self, Near};
use crate::misuse::must_be;
use crate::units::{decimal, wide_decimal};

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum TimeFormat {
    Rfc3339,
    /// A number in units of this many nanoseconds.
    Epoch(u64),
    Clf,
    Rfc2822,
    /// Without a year.
    Syslog,
    Strptime(String),
    /// The same without a year.
    StrptimeNoYear(String),
}

/// The formats that are numbers of one unit, and its nanoseconds.
const EPOCHS: [(&str, u64); 4] =
    [("epoch", 1_000_000_000), ("epoch_ms", 1_000_000), ("epoch_us", 1_000), ("epoch_ns", 1)];

/// The years that times are believed to lie in, 1980 to 2100: a number outside may have been read in a wrong unit.
const BELIEVED: std::ops::Range<u64> = 315_532_800_000_000_000..4_102_444_800_000_000_000;

/// The Common Log Format's time, between its brackets.
const CLF: &str = "%d/%b/%Y:%H:%M:%S %z";

impl TimeFormat {
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let epoch = EPOCHS.iter().find(|(name, _)| *name == text);
        match (text, text.strip_prefix("strptime:")) {
            _ if epoch.is_some() => Ok(Self::Epoch(epoch.map_or(1, |(_, scale)| *scale))),
            ("rfc3339", _) => Ok(Self::Rfc3339),
            ("clf", _) => Ok(Self::Clf),
            ("rfc2822", _) => Ok(Self::Rfc2822),
            ("syslog", _) => Ok(Self::Syslog),
            (_, Some(format)) if reads_what_it_writes(format) => Ok(Self::Strptime(format.to_owned())),
            (_, Some(format)) if reads_without_year(format) => Ok(Self::StrptimeNoYear(format.to_owned())),
            (_, Some(format)) if format.contains("%Z") => Err(String::from(
                "%Z names a zone, of which one name can mean several: write the letters as they are (UTC), or %z for an offset",
            )),
            _ => Err(must_be(
                "rfc3339, rfc2822, epoch, epoch_ms, epoch_us, epoch_ns, clf, syslog or strptime:FORMAT with a whole \
                 date, such as 'strptime:%Y-%m-%d %H:%M:%S'",
            )),
        }
    }

    /// Whether a time is meant that is near another one: the year is not said.
    pub(crate) fn lacks_year(&self) -> bool {
        matches!(self, Self::Syslog | Self::StrptimeNoYear(_))
    }

    /// The same as [`Self::read`]; without a year it is in the one that `near` chooses.
    #[inline]
    pub(crate) fn read_near(&self, text: &[u8], near: Near) -> Option<u64> {
        match self {
            Self::Syslog => fixed::syslog(text.trim_ascii(), near),
            Self::StrptimeNoYear(format) => strptime_near(format, text.trim_ascii(), near),
            _ => self.read(text),
        }
    }

    /// Nanoseconds since 1970; `None` if `text` is not such a time, or one before 1970 or after 2554.
    pub(crate) fn read(&self, text: &[u8]) -> Option<u64> {
        let text = text.trim_ascii();
        match self {
            Self::Rfc3339 => fixed::rfc3339(text).or_else(|| rfc3339(may_be_date(text)?)),
            Self::Epoch(scale) => fixed::epoch(text, *scale).or_else(|| number(text, *scale)),
            Self::Clf => fixed::clf(unmark(text)).or_else(|| strptime(CLF, may_be_date(unmark(text))?)),
            Self::Rfc2822 => rfc2822(may_be_date(text)?),
            Self::Strptime(format) => strptime(format, text),
            Self::Syslog | Self::StrptimeNoYear(_) => self.read_near(text, Near::Time(0)),
        }
    }

    /// The format under which a number would be a time of our days, if it is none under this one; and that time.
    pub(crate) fn likelier(&self, text: &[u8]) -> Option<(&'static str, Timestamp)> {
        let Self::Epoch(_) = self else { return None };
        if self.read(text).is_some_and(|ns| BELIEVED.contains(&ns)) {
            return None;
        }
        EPOCHS.iter().find_map(|(name, scale)| {
            let ns = Self::Epoch(*scale).read(text).filter(|ns| BELIEVED.contains(ns))?;
            Some((*name, Timestamp::from_nanosecond(i128::from(ns)).ok()?))
        })
    }

    /// The same of a time that was read.
    pub(crate) fn likelier_than(&self, ns: u64) -> Option<(&'static str, Timestamp)> {
        let Self::Epoch(scale) = self else { return None };
        self.likelier((ns / scale).to_string().as_bytes())
    }

    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Rfc3339 => "an rfc3339 time",
            Self::Epoch(1) => "nanoseconds since 1970",
            Self::Epoch(1_000) => "microseconds since 1970",
            Self::Epoch(1_000_000) => "milliseconds since 1970",
            Self::Epoch(_) => "seconds since 1970",
            Self::Clf => "a clf time",
            Self::Rfc2822 => "an rfc2822 time",
            Self::Syslog => "a syslog time",
            Self::Strptime(format) | Self::StrptimeNoYear(format) => format,
        }
    }
}

/// What has too few digits for a date and a time is not worth a general parser, whose errors cost an allocation.
fn may_be_date(text: &[u8]) -> Option<&[u8]> {
    const LEAST: usize = 8;
    (text.iter().filter(|byte| byte.is_ascii_digit()).count() >= LEAST).then_some(text)
}

/// Any form of RFC 3339; without an offset it is UTC.
pub(crate) fn rfc3339(text: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(text).ok()?;
    let without = || TimeZone::UTC.to_timestamp(text.parse::<DateTime>().ok().filter(|_| text.contains(':'))?).ok();
    nanoseconds(text.parse().ok().or_else(without)?)
}

/// The zones that RFC 2822 defines by name, and UTC.
const ZONES: [&str; 12] = ["UT", "UTC", "GMT", "Z", "EST", "EDT", "CST", "CDT", "MST", "MDT", "PST", "PDT"];

/// A time as in the header of a mail; the zone may have one of its old names (GMT, EST).
fn rfc2822(text: &[u8]) -> Option<u64> {
    static PARSER: DateTimeParser = DateTimeParser::new();
    if !has_known_zone(text) {
        return None;
    }
    nanoseconds(PARSER.parse_timestamp(text).ok()?)
}

/// The parser takes any other name for UTC. A time that is hours off would move the clock for all records behind it.
fn has_known_zone(text: &[u8]) -> bool {
    let comment = text.iter().rposition(|byte| *byte == b'(').filter(|_| text.ends_with(b")"));
    let text = text[..comment.unwrap_or(text.len())].trim_ascii_end();
    let zone = text.rsplit(u8::is_ascii_whitespace).next().unwrap_or_default();
    let is_name = zone.iter().all(u8::is_ascii_alphabetic);
    !is_name || ZONES.iter().any(|known| zone.eq_ignore_ascii_case(known.as_bytes()))
}

fn number(text: &[u8], scale: u64) -> Option<u64> {
    match text.iter().position(|byte| matches!(byte, b'e' | b'E')) {
        None => decimal(text, scale),
        Some(at) => with_exponent(&text[..at], &text[at + 1..], scale),
    }
}

/// `1.7e9`, cut to whole nanoseconds.
fn with_exponent(number: &[u8], exponent: &[u8], scale: u64) -> Option<u64> {
    const MOST: u64 = 28;
    let (back, digits) = match exponent {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] | digits => (false, digits),
    };
    let by = decimal(digits, 1).filter(|by| *by <= MOST && !digits.contains(&b'.'))?;
    let shift = 10_u128.pow(u32::try_from(by).ok()?);
    // Cut twice is cut once: the second is by a whole number.
    let ns = match back {
        true => wide_decimal(number, u128::from(scale))? / shift,
        false => wide_decimal(number, u128::from(scale) * shift)?,
    };
    ns.try_into().ok()
}

pub(crate) fn shown(ns: u64) -> String {
    Timestamp::from_nanosecond(i128::from(ns)).map_or_else(|_| ns.to_string(), |time| time.to_string())
}

fn nanoseconds(time: Timestamp) -> Option<u64> {
    time.as_nanosecond().try_into().ok()
}

/// A time without an offset is UTC.
fn strptime(format: &str, text: &[u8]) -> Option<u64> {
    moment(&BrokenDownTime::parse(format, text).ok()?)
}

/// The same without a year.
fn strptime_near(format: &str, text: &[u8], near: Near) -> Option<u64> {
    let mut parts = BrokenDownTime::parse(format, text).ok()?;
    near.choose(|year| {
        parts.set_year(Some(i16::try_from(year).ok()?)).ok()?;
        moment(&parts)
    })
}

/// Whether a format has all that a moment needs, except for its year.
fn reads_without_year(format: &str) -> bool {
    let moment = Timestamp::UNIX_EPOCH.to_zoned(TimeZone::UTC);
    let text = strtime::format(format, &moment).unwrap_or_default();
    let has_year = BrokenDownTime::parse(format, text.as_bytes()).is_ok_and(|parts| parts.year().is_some());
    !has_year && strptime_near(format, text.as_bytes(), Near::Year(1970)).is_some()
}

fn moment(parts: &BrokenDownTime) -> Option<u64> {
    let says_where = parts.timestamp().is_some() || parts.offset().is_some();
    let time = if says_where { parts.to_timestamp() } else { TimeZone::UTC.to_timestamp(parts.to_datetime().ok()?) };
    nanoseconds(time.ok()?)
}

/// Text between the marks that enclose a field of a log.
fn unmark(text: &[u8]) -> &[u8] {
    match text {
        [b'[', inner @ .., b']'] | [b'"', inner @ .., b'"'] => inner,
        _ => text,
    }
}

/// Whether the format can carry a moment: a directive that is unknown, or no whole date, is found here and not at
/// every record.
fn reads_what_it_writes(format: &str) -> bool {
    let moment = Timestamp::UNIX_EPOCH.to_zoned(TimeZone::UTC);
    strtime::format(format, &moment).is_ok_and(|text| strptime(format, text.as_bytes()).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    const S: u64 = 1_000_000_000;

    fn read(format: &str, text: &str) -> Option<u64> {
        TimeFormat::parse(format).unwrap().read(text.as_bytes())
    }

    #[test]
    fn every_format_reads_its_moment() {
        let moment = Some(1_431_857_103 * S);
        assert_eq!(read("rfc3339", "2015-05-17T10:05:03Z"), moment);
        assert_eq!(read("rfc3339", "2015-05-17T12:05:03+02:00"), moment);
        assert_eq!(read("epoch", "1431857103"), moment);
        assert_eq!(read("rfc3339", "2015-05-17T10:05:03"), moment, "without an offset it is UTC");
        assert_eq!(read("rfc3339", "2015-05-17 10:05:03.000"), moment);
        assert_eq!(read("epoch_ms", "1431857103000"), moment);
        assert_eq!(read("epoch_us", "1431857103000000"), moment);
        assert_eq!(read("epoch_ns", "1431857103000000000"), moment);
        for text in ["1.431857103e9", "1.431857103E+09", "1431857103000e-3", "0.001431857103e12"] {
            assert_eq!(read("epoch", text), moment, "{text}");
        }
        for text in
            ["0.0000000000000000001431857103e28", "14318571030000000000000000000e-19", "14318571039999999999e-10"]
        {
            assert_eq!(read("epoch", text).map(|ns| ns / S), moment.map(|ns| ns / S), "{text}");
        }
        assert_eq!(read("clf", "[17/May/2015:10:05:03 +0000]"), moment);
        assert_eq!(read("clf", "17/May/2015:03:05:03 -0700"), moment);
        assert_eq!(read("strptime:%Y-%m-%d %H:%M:%S", "2015-05-17 10:05:03"), moment);
        assert_eq!(read("strptime:%Y-%m-%d %H:%M:%S %z", "2015-05-17 12:05:03 +0200"), moment);
        assert_eq!(read("strptime:%s", "1431857103"), moment);
        assert_eq!(read("strptime:%Y-%m-%d_%H:%M:%S%.f", "2015-05-17_10:05:03.5"), moment.map(|ns| ns + S / 2));
        assert_eq!(read("strptime:%Y-%m-%d", "2015-05-17"), Some((1_431_857_103 - 36_303) * S));
    }

    #[test]
    fn a_number_in_a_wrong_unit_has_a_likelier_one() {
        let likelier = |format: &str, text: &str| {
            TimeFormat::parse(format).unwrap().likelier(text.as_bytes()).map(|(name, _)| name)
        };
        assert_eq!(likelier("epoch_ms", "1431857103"), Some("epoch"));
        assert_eq!(likelier("epoch", "1431857103000"), Some("epoch_ms"));
        assert_eq!(likelier("epoch", "1431857103000.5"), Some("epoch_ms"));
        assert_eq!(likelier("epoch_ms", "1431857103000000"), Some("epoch_us"));
        assert_eq!(likelier("epoch_us", "1431857103000000000"), Some("epoch_ns"));
        assert_eq!(likelier("epoch_ns", "1431857103000"), Some("epoch_ms"));
        for (format, text) in
            [("epoch", "1431857103"), ("epoch", "50"), ("epoch", "0"), ("epoch", "x"), ("rfc3339", "1431857103")]
        {
            assert_eq!(likelier(format, text), None, "{format} {text}");
        }
        let (name, time) = TimeFormat::Epoch(1_000_000).likelier_than(1_431_857_103_000_000).unwrap();
        assert_eq!((name, time.to_string().as_str()), ("epoch", "2015-05-17T10:05:03Z"));
    }

    #[test]
    fn text_that_is_no_time_is_refused() {
        for text in [
            "",
            "-",
            "ts",
            "2015-05-17",
            "2015-05-17T25:00:00",
            "1969-12-31T23:59:59Z",
            "2999-01-01T00:00:00Z",
            "\u{ff11}",
        ] {
            assert_eq!(read("rfc3339", text), None, "{text}");
        }
        for text in ["", "-1", "1e", "e9", "1e1.0", "1e99", "-1e9", "1e+-9", "1.e9", "NaN", "18446744074"] {
            assert_eq!(read("epoch", text), None, "{text}");
        }
        for text in ["", "[]", "[", "\"", "[32/May/2015:10:05:03 +0000]", "17/May/2015:10:05:03"] {
            assert_eq!(read("clf", text), None, "{text}");
        }
    }

    /// A name that RFC 2822 does not define would be read as UTC, hours off.
    #[test]
    fn mail_zone_of_unknown_name_is_no_time() {
        let moment = Some(1_431_857_103 * S);
        for zone in ["UT", "utc", "GMT", "Z", "+0000 (CEST)", "-0000", "GMT (a (nested) one)", "+0000(CEST)"] {
            assert_eq!(read("rfc2822", &format!("Sun, 17 May 2015 10:05:03 {zone}")), moment, "{zone}");
        }
        for (hour, zone) in [(5, "EST"), (4, "CST"), (5, "CDT"), (3, "MST"), (4, "MDT"), (2, "PST"), (3, "PDT")] {
            assert_eq!(read("rfc2822", &format!("17 May 2015 0{hour}:05:03 {zone}")), moment, "{zone}");
        }
        for zone in ["CEST", "MEZ", "A", "BST", "CEST (comment)"] {
            assert_eq!(read("rfc2822", &format!("Sun, 17 May 2015 10:05:03 {zone}")), None, "{zone}");
        }
    }
}
