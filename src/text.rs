//! Text in memory of fixed size: the message of an error must not need memory, since there may be none.

use std::fmt::{self, Write};

/// At most `N` bytes of text, `N` up to 255. What does not fit is cut off at the end of a character.
#[derive(Clone, Copy, PartialEq)]
pub struct Text<const N: usize> {
    bytes: [u8; N],
    len: u8,
}

impl<const N: usize> Text<N> {
    /// The words of `said`.
    #[must_use]
    pub fn of(said: impl fmt::Display) -> Self {
        let mut text = Self { bytes: [0; N], len: 0 };
        // The formatter takes the cut for an error, and stops.
        let _ = write!(text, "{said}");
        text
    }

    /// Bytes of the words.
    pub(crate) const fn len(&self) -> u8 {
        self.len
    }

    /// The words.
    #[must_use]
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..usize::from(self.len)]).unwrap_or_default()
    }
}

impl<const N: usize> Write for Text<N> {
    fn write_str(&mut self, more: &str) -> fmt::Result {
        let start = usize::from(self.len);
        let fits = (0..=more.len().min(N - start)).rev().find(|&end| more.is_char_boundary(end)).unwrap_or(0);
        self.bytes[start..start + fits].copy_from_slice(&more.as_bytes()[..fits]);
        self.len = u8::try_from(start + fits).unwrap_or(u8::MAX);
        if fits == more.len() { Ok(()) } else { Err(fmt::Error) }
    }
}

impl<const N: usize> fmt::Display for Text<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl<const N: usize> fmt::Debug for Text<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().fmt(f)
    }
}

/// A value as it is shown. A number of more than 24 digits, which `f64` has up to hundreds of, or below 0.001 has an exponent.
pub(crate) struct Brief<T>(pub(crate) T);

impl<T: fmt::Display> fmt::Display for Brief<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole = Long::of(&self.0);
        match whole.number() {
            Some(number) => write!(f, "{number:e}"),
            None => self.0.fmt(f),
        }
    }
}

/// A number above 0 with three digits, rounded up: a bound that is shown is one that meets.
pub(crate) struct RoundedUp(pub(crate) f64);

impl fmt::Display for RoundedUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let near = Text::<24>::of(format_args!("{:.2e}", self.0));
        let exponent = near.as_str().split_once('e').and_then(|(_, exponent)| exponent.parse::<i32>().ok());
        match (near.as_str().parse::<f64>(), exponent) {
            (Ok(number), Some(exponent)) if number < self.0 => {
                write!(f, "{:.2e}", number + 10f64.powi(exponent - 2))
            }
            _ => f.write_str(near.as_str()),
        }
    }
}

/// Room for every digit that an `f64` is written with.
struct Long {
    bytes: [u8; 400],
    len: usize,
}

impl Long {
    const MOST_DIGITS: usize = 24;

    fn of(said: &impl fmt::Display) -> Self {
        let mut long = Self { bytes: [0; 400], len: 0 };
        let _ = write!(long, "{said}");
        long
    }

    /// The number that this is, if it is a long one or a small one.
    fn number(&self) -> Option<f64> {
        let text = std::str::from_utf8(&self.bytes[..self.len]).ok()?;
        if self.len > Self::MOST_DIGITS || text.starts_with("0.000") { text.parse().ok() } else { None }
    }
}

impl Write for Long {
    fn write_str(&mut self, more: &str) -> fmt::Result {
        let room = self.bytes.get_mut(self.len..self.len + more.len()).ok_or(fmt::Error)?;
        room.copy_from_slice(more.as_bytes());
        self.len += more.len();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_too_long_is_cut_between_characters() {
        assert_eq!(Text::<8>::of("12345678").as_str(), "12345678");
        assert_eq!(Text::<8>::of("1234567é").as_str(), "1234567");
        assert_eq!(Text::<8>::of(format_args!("{}-{}", 123, 45_678)).as_str(), "123-4567");
        assert_eq!(Text::<0>::of("a").as_str(), "");
        assert_eq!(Text::<255>::of("a".repeat(300)).as_str(), "a".repeat(255));
    }

    #[test]
    fn bounds_are_shown_with_three_digits_and_never_below_themselves() {
        for (value, shown) in
            [(0.000_015_259_021_896, "1.53e-5"), (1e-3, "1.00e-3"), (0.9991, "1.00e0"), (1.0001e-17, "1.01e-17")]
        {
            assert_eq!(RoundedUp(value).to_string(), shown);
        }
    }

    #[test]
    fn long_numbers_are_shown_with_their_exponent() {
        for (value, shown) in [
            (1e-300, "1e-300"),
            (f64::MIN_POSITIVE / 4.0, "5.562684646268003e-309"),
            (f64::MAX, "1.7976931348623157e308"),
            (0.001, "0.001"),
            (0.000_25, "2.5e-4"),
            (-1.5, "-1.5"),
            (f64::NAN, "NaN"),
        ] {
            assert_eq!(Brief(value).to_string(), shown);
        }
        assert_eq!(Brief("a value of many, many letters").to_string(), "a value of many, many letters");
        assert_eq!(Brief(u64::MAX).to_string(), "18446744073709551615");
    }
}
