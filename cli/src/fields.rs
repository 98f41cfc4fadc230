//! Which fields are meant: `5`, `2-4`, `2-` (from the second to the last), `-1` (the last).

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum FieldSpec {
    /// Counted from the first, which is 0.
    At(usize),
    /// This one and all behind it.
    From(usize),
    /// Counted from the last, which is 1.
    Last(usize),
}

/// The last field that can be named: a bound on what a mistyped range makes us do.
const LAST_FIELD: usize = 65_536;

/// The range of a field number, for messages.
pub(crate) const RANGE: &str = "a field number from 1 to 65536, -1 for the last field";

impl FieldSpec {
    pub(crate) fn one(text: &str) -> Option<Self> {
        match text.strip_prefix('-') {
            Some(back) => number(back).map(Self::Last),
            None => number(text).map(|number| Self::At(number - 1)),
        }
    }

    pub(crate) fn range(text: &str) -> Option<Vec<Self>> {
        if let Some(pick) = Self::one(text) {
            return Some(vec![pick]);
        }
        let (first, last) = text.split_once('-')?;
        match (number(first)?, last) {
            (first, "") => Some(vec![Self::From(first - 1)]),
            (first, last) => {
                number(last).filter(|last| first <= *last).map(|last| (first - 1..last).map(Self::At).collect())
            }
        }
    }

    /// How many fields have to be found for it.
    pub(crate) fn needs(self) -> usize {
        match self {
            Self::At(at) => at + 1,
            Self::From(_) | Self::Last(_) => usize::MAX,
        }
    }

    /// The places that it means in a record of `n` fields, if they are there.
    #[inline]
    pub(crate) fn places(self, n: usize) -> Option<std::ops::Range<usize>> {
        match self {
            Self::At(at) => (at < n).then_some(at..at + 1),
            Self::From(at) => (at < n).then_some(at..n),
            Self::Last(back) => n.checked_sub(back).map(|at| at..at + 1),
        }
    }

    pub(crate) fn text(self) -> String {
        match self {
            Self::At(at) => (at + 1).to_string(),
            Self::From(at) => format!("{}-", at + 1),
            Self::Last(back) => format!("-{back}"),
        }
    }
}

fn number(text: &str) -> Option<usize> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|number| is_plain && (1..=LAST_FIELD).contains(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_counted_from_one_from_either_end() {
        assert_eq!(
            [FieldSpec::one("1"), FieldSpec::one("65536"), FieldSpec::one("-2")],
            [Some(FieldSpec::At(0)), Some(FieldSpec::At(65_535)), Some(FieldSpec::Last(2))]
        );
        for text in ["", "0", "65537", "-0", "+1", "a", "1 ", "2-", "--1"] {
            assert_eq!(FieldSpec::one(text), None, "{text}");
        }
        assert_eq!(FieldSpec::range("2-4"), Some(vec![FieldSpec::At(1), FieldSpec::At(2), FieldSpec::At(3)]));
        assert_eq!(FieldSpec::range("2-"), Some(vec![FieldSpec::From(1)]));
        for text in ["4-2", "-", "1-2-3", "2--1", "0-", "--"] {
            assert_eq!(FieldSpec::range(text), None, "{text}");
        }
    }
}
