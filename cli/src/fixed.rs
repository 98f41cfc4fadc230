//! Times of fixed layout, read digit by digit: the forms that logs have, at a fraction of a general parser's price. What
//! is written otherwise gives nothing here, and is for the general parser.

const S: u64 = 1_000_000_000;

/// `2015-05-17T10:05:03`, with a fraction or without, in UTC (`Z`), without an offset or with one (`+02:00`).
pub(crate) fn rfc3339(text: &[u8]) -> Option<u64> {
    let (time, rest) = text.split_at_checked(19)?;
    let marks = [time[4], time[7], time[10], time[13], time[16]];
    if marks != *b"--T::" && marks != *b"-- ::" {
        return None;
    }
    let date = days(digits(&time[..4])?, digits(&time[5..7])?, digits(&time[8..10])?)?;
    let seconds = date * 86_400 + clock(&time[11..])?;
    let (fraction, rest) = fraction(rest, b".,")?;
    let ahead = match rest {
        b"" | b"Z" => 0,
        [sign @ (b'+' | b'-'), h1, h2, b':', m1, m2] => offset(*sign, &[*h1, *h2, *m1, *m2])?,
        _ => return None,
    };
    moment(seconds, ahead)?.checked_add(fraction)
}

const MONTHS: [&[u8; 3]; 12] =
    [b"Jan", b"Feb", b"Mar", b"Apr", b"May", b"Jun", b"Jul", b"Aug", b"Sep", b"Oct", b"Nov", b"Dec"];

/// `May 17 10:05:03` in UTC, in the year that `near` chooses; the day may have one digit, behind one blank or
/// two, and the seconds a fraction.
pub(crate) fn syslog(text: &[u8], near: Near) -> Option<u64> {
    let (name, rest) = text.split_at_checked(3)?;
    let month = (1..).zip(MONTHS).find(|(_, month)| name == &month[..])?.0;
    let rest = rest.strip_prefix(b" ")?.trim_ascii_start();
    let (day, time) = rest.split_at(rest.iter().position(|byte| *byte == b' ').filter(|n| (1..=2).contains(n))?);
    let time = time.trim_ascii_start();
    let (clock_of, behind) = time.split_at_checked(8).filter(|(clock, _)| [clock[2], clock[5]] == *b"::")?;
    let (fraction, rest) = fraction(behind, b".")?;
    let seconds = clock(clock_of).filter(|_| rest.is_empty())?;
    let in_year = |year| {
        let at = (days(year, month, digits(day)?)? * 86_400 + seconds).checked_mul(S)?;
        at.checked_add(fraction)
    };
    near.choose(in_year)
}

/// Chooses the year of a time that has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Near {
    /// The nearest to the time before.
    Time(u64),
    /// The last one that is not after now, or at most a day: clocks and zones differ.
    Now(u64),
    Year(u64),
}

impl Near {
    /// The time in the year that is meant, of those where it exists: 29 February is up to eight years away.
    #[inline]
    pub(crate) fn choose(self, mut in_year: impl FnMut(u64) -> Option<u64>) -> Option<u64> {
        const YEAR: u64 = 31_556_952 * S;
        const DAY: u64 = 86_400 * S;
        const CYCLE: u64 = 8;
        match self {
            Self::Year(year) => in_year(year),
            Self::Time(near) => {
                let year = 1970 + near / YEAR;
                let mut nearest = |by| {
                    let years = u64::max(1970, year.saturating_sub(by))..=year + by;
                    years.filter_map(&mut in_year).min_by_key(|at| at.abs_diff(near))
                };
                nearest(1).or_else(|| nearest(CYCLE))
            }
            Self::Now(now) => {
                let year = 1971 + now / YEAR;
                let years = (u64::max(1970, year.saturating_sub(CYCLE + 1))..=year).rev();
                years.filter_map(&mut in_year).find(|at| *at <= now.saturating_add(DAY))
            }
        }
    }
}

/// `17/May/2015:10:05:03 +0000`.
pub(crate) fn clf(text: &[u8]) -> Option<u64> {
    if text.len() != 26 || [text[2], text[6], text[11], text[14], text[17], text[20]] != *b"//::: " {
        return None;
    }
    let month = (1..).zip(MONTHS).find(|(_, name)| text[3..6] == name[..])?.0;
    let date = days(digits(&text[7..11])?, month, digits(&text[..2])?)?;
    moment(date * 86_400 + clock(&text[12..20])?, offset(text[21], &text[22..])?)
}

/// `1521911720`, `1521911720.865716`: a number of units of `scale` nanoseconds each, with so few digits that it fits in
/// a word and its fraction is whole.
#[inline]
pub(crate) fn epoch(text: &[u8], scale: u64) -> Option<u64> {
    let (mut sum, mut at) = (0_u64, 0);
    while let Some(digit) = text.get(at).map(|byte| byte.wrapping_sub(b'0')).filter(|digit| *digit < 10) {
        sum = sum.wrapping_mul(10).wrapping_add(u64::from(digit));
        at += 1;
    }
    if !(1..=MOST_DIGITS).contains(&at) {
        return None;
    }
    let (fraction, rest) = fraction(&text[at..], b".")?;
    let ns = sum.checked_mul(scale)?.checked_add(fraction / (S / scale))?;
    (rest.is_empty() && fraction % (S / scale) == 0).then_some(ns)
}

/// Any number of this many digits fits in a word.
const MOST_DIGITS: usize = 19;

/// Nanoseconds since 1970 of seconds at a place whose clock is ahead by a number of seconds.
fn moment(seconds: u64, ahead: i64) -> Option<u64> {
    seconds.checked_add_signed(-ahead)?.checked_mul(S)
}

fn digits(text: &[u8]) -> Option<u64> {
    text.iter().try_fold(0, |sum, byte| byte.is_ascii_digit().then(|| sum * 10 + u64::from(byte - b'0')))
}

/// `10:05:03`. A leap second is for the general parser.
fn clock(text: &[u8]) -> Option<u64> {
    let [hours, minutes, seconds] = [&text[..2], &text[3..5], &text[6..8]].map(digits);
    let (hours, minutes, seconds) = (hours?, minutes?, seconds?);
    (hours < 24 && minutes < 60 && seconds < 60).then_some(hours * 3600 + minutes * 60 + seconds)
}

/// Seconds ahead of UTC, of a sign and four digits.
fn offset(sign: u8, text: &[u8]) -> Option<i64> {
    let (hours, minutes) = (digits(&text[..2])?, digits(&text[2..])?);
    let seconds = i64::try_from(hours * 3600 + minutes * 60).ok()?;
    match sign {
        b'+' if hours < 24 && minutes < 60 => Some(seconds),
        b'-' if hours < 24 && minutes < 60 && seconds > 0 => Some(-seconds),
        _ => None,
    }
}

/// Nanoseconds of a fraction of one to nine digits behind any of these marks, if there is one, and what follows it.
fn fraction<'a>(text: &'a [u8], marks: &[u8]) -> Option<(u64, &'a [u8])> {
    let Some((_, rest)) = text.split_first().filter(|(mark, _)| marks.contains(mark)) else { return Some((0, text)) };
    let n = rest.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(rest.len());
    let scale = u32::try_from(n).ok().filter(|n| (1..=9).contains(n)).map(|n| 10_u64.pow(9 - n))?;
    Some((digits(&rest[..n])? * scale, &rest[n..]))
}

/// Days from 1970-01-01 to a date that is not before it.
fn days(year: u64, month: u64, day: u64) -> Option<u64> {
    const BEFORE: [u64; 12] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let index = usize::try_from(month.checked_sub(1)?).ok().filter(|month| *month < 12)?;
    let last = [31, 28 + u64::from(is_leap), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][index];
    if year < 1970 || !(1..=last).contains(&day) {
        return None;
    }
    let leaps = |year: u64| year / 4 - year / 100 + year / 400;
    let years = (year - 1970) * 365 + leaps(year - 1) - leaps(1969);
    Some(years + BEFORE[index] + u64::from(is_leap && month > 2) + day - 1)
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use jiff::fmt::strtime;
    use jiff::tz::{Offset, TimeZone};

    use super::*;
    use crate::random::Random;

    fn general(text: &str) -> Option<u64> {
        crate::time::rfc3339(text.as_bytes())
    }

    #[test]
    fn every_moment_is_that_of_the_general_parser() {
        let (mut random, zero) = (Random::new(3), b'0');
        for _ in 0..100_000 {
            let mut next = |n: u64| random.below(n);
            let at = Timestamp::from_nanosecond(i128::from(next(1 << 40) * 16_000_000)).unwrap();
            let minutes = i32::try_from(next(1439)).unwrap() - 719;
            let zoned = at.to_zoned(TimeZone::fixed(Offset::from_seconds(minutes * 60).unwrap()));
            for text in [at.to_string(), strtime::format("%Y-%m-%dT%H:%M:%S%.f%:z", &zoned).unwrap()] {
                assert_eq!(rfc3339(text.as_bytes()), general(&text), "{text}");
                // One byte changed: the same, or nothing.
                let mut bytes = text.clone().into_bytes();
                let place = usize::try_from(next(u64::try_from(bytes.len()).unwrap())).unwrap();
                bytes[place] = zero + u8::try_from(next(12)).unwrap();
                let changed = String::from_utf8(bytes).unwrap();
                let ours = rfc3339(changed.as_bytes());
                assert!(ours.is_none() || ours == general(&changed), "{changed}");
            }
            let text = strtime::format("%d/%b/%Y:%H:%M:%S %z", &zoned).unwrap();
            let want = u64::try_from(at.as_second()).unwrap() * S;
            assert!([Some(want), None].contains(&clf(text.as_bytes())), "{text}");
        }
    }

    #[test]
    fn numbers_are_those_of_the_general_reader_or_left_to_it() {
        let (mut random, mut read) = (Random::new(9), 0);
        for _ in 0..200_000 {
            let pieces = ["0", "1", "9", "5", "28", "7", "3", ".", "", "x"];
            let text: String = (0..random.below(24)).map(|_| *random.pick(&pieces)).collect();
            for scale in [S, 1_000_000, 1_000, 1] {
                if let Some(ns) = epoch(text.as_bytes(), scale) {
                    assert_eq!(Some(ns), crate::units::decimal(text.as_bytes(), scale), "{text} {scale}");
                    read += 1;
                }
            }
        }
        assert!(read > 100_000, "{read}");
        for (text, scale, ns) in [
            ("18446744073.709551615", S, Some(u64::MAX)),
            ("18446744073.709551616", S, None),
            ("9999999999999999999", 1, Some(9_999_999_999_999_999_999)),
            ("18446744073709551615", 1, None),
            ("1.5", 1, None),
            ("1.000001", 1_000_000, Some(1_000_001)),
            ("1.", S, None),
            ("", S, None),
            (".5", S, None),
        ] {
            assert_eq!(epoch(text.as_bytes(), scale), ns, "{text}");
        }
    }

    #[test]
    fn a_time_without_a_year_is_the_nearest_one() {
        let at = |text: &str| general(text).unwrap();
        let new_year = at("2016-01-01T00:00:00Z");
        for (text, near, want) in [
            ("Dec 31 23:59:59", new_year, "2015-12-31T23:59:59Z"),
            ("Jan  1 00:00:01", new_year - S, "2016-01-01T00:00:01Z"),
            ("Jan 1 00:00:01.5", new_year + S, "2016-01-01T00:00:01.5Z"),
            ("Jun 30 12:00:00", new_year, "2016-06-30T12:00:00Z"),
            ("Jul 10 12:00:00", new_year, "2015-07-10T12:00:00Z"),
            ("Feb 29 00:00:00", new_year, "2016-02-29T00:00:00Z"),
            ("Jan  1 00:00:00", 0, "1970-01-01T00:00:00Z"),
        ] {
            assert_eq!(syslog(text.as_bytes(), Near::Time(near)), Some(at(want)), "{text}");
        }
        for text in [
            "",
            "Mai  1 00:00:00",
            "May 00:00:00",
            "May 32 00:00:00",
            "May 1 24:00:00",
            "May 1 00:00:00 x",
            "May 1",
            "May1 00:00:00",
        ] {
            assert_eq!(syslog(text.as_bytes(), Near::Time(new_year)), None, "{text}");
        }
        for (near, want) in [
            (Near::Time(at("2017-01-01T00:00:00Z")), "2016-02-29T00:00:00Z"),
            (Near::Time(at("2018-03-01T00:00:00Z")), "2020-02-29T00:00:00Z"),
            (Near::Now(at("2019-12-01T00:00:00Z")), "2016-02-29T00:00:00Z"),
            (Near::Now(at("2020-02-28T01:00:00Z")), "2020-02-29T00:00:00Z"),
            (Near::Now(at("2103-12-01T00:00:00Z")), "2096-02-29T00:00:00Z"),
            (Near::Year(2024), "2024-02-29T00:00:00Z"),
        ] {
            assert_eq!(syslog(b"Feb 29 00:00:00", near), Some(at(want)), "{near:?}");
        }
        assert_eq!(syslog(b"Feb 29 00:00:00", Near::Year(2023)), None, "there is no such day");
        let now = Near::Now(at("2026-11-26T12:00:00Z"));
        assert_eq!(syslog(b"Nov 27 11:00:00", now), Some(at("2026-11-27T11:00:00Z")), "clocks differ");
        assert_eq!(syslog(b"Nov 28 11:00:00", now), Some(at("2025-11-28T11:00:00Z")));
    }

    #[test]
    fn dates_that_are_none_are_left_to_it() {
        for text in ["2015-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2015-13-01T00:00:00Z", "2015-00-01T00:00:00Z"] {
            assert_eq!(rfc3339(text.as_bytes()), None, "{text}");
        }
        for text in ["2015-05-17T24:00:00Z", "2015-05-17T10:05:60Z", "2015-05-17T10:05:03.Z", "2015-05-17"] {
            assert_eq!(rfc3339(text.as_bytes()), None, "{text}");
        }
        assert_eq!(rfc3339(b"2016-02-29T00:00:00Z"), Some(1_456_704_000 * S));
        assert_eq!(clf(b"17/May/2015:10:05:03 +0000"), Some(1_431_857_103 * S));
        assert_eq!(clf(b"17/Mai/2015:10:05:03 +0000"), None);
    }
}
