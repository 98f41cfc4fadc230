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

    /// An error unless every word was taken.
    pub(crate) fn end(&self) -> Result<(), Refusal> {
        match self.peek() {
            None => Ok(()),
            Some(word) => Err(Refusal::syntax(format_args!("unexpected {}", shown(word)))),
        }
    }
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

    #[test]
    fn errors_show_short_words_without_line_breaks() {
        assert_eq!(shown(b"a\r\nb"), "'a??b'");
        assert!(shown(&[b'x'; 400]).len() < 60);
        assert!(shown(&[0xFF; 400]).len() < 200);
    }
}
