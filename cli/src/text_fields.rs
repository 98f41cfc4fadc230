//! The fields of a line of text, between separators.

use memchr::memmem::Finder;

pub(crate) enum Separator {
    Byte(u8),
    Text(Box<Finder<'static>>),
    /// Runs of spaces and tabs; those before the first field separate nothing.
    Blanks,
}

impl Separator {
    /// Where it begins first in `text`, and where it ends there.
    #[inline]
    fn find(&self, text: &[u8]) -> Option<(usize, usize)> {
        match self {
            Self::Byte(byte) => memchr::memchr(*byte, text).map(|at| (at, at + 1)),
            Self::Text(finder) => finder.find(text).map(|at| (at, at + finder.needle().len())),
            Self::Blanks => {
                let at = memchr::memchr2(b' ', b'\t', text)?;
                let rest = text[at..].iter().position(|byte| !matches!(byte, b' ' | b'\t'));
                // Behind the last field they separate nothing either.
                Some((at, at + rest.unwrap_or(text.len() - at)))
            }
        }
    }
}

/// Notes where the first `most` fields are. With `marks`, a field that opens with `[` or `"` ends at its closing
/// mark, or if it has none like any other.
pub(crate) fn split(body: &[u8], separator: &Separator, marks: bool, most: usize, places: &mut Vec<(usize, usize)>) {
    places.clear();
    let blanks = matches!(separator, Separator::Blanks);
    let leading = || body.iter().position(|byte| !matches!(byte, b' ' | b'\t')).unwrap_or(body.len());
    let mut begin = if blanks { leading() } else { 0 };
    while places.len() < most && !(blanks && begin == body.len()) {
        let closed = if marks { begin + closing_mark(&body[begin..]) } else { begin };
        let Some((end, next)) = separator.find(&body[closed..]) else {
            places.push((begin, body.len()));
            return;
        };
        places.push((begin, closed + end));
        begin = closed + next;
    }
}

/// The place of the mark that closes a field, 0 if it opens with none. A quote behind a backslash closes nothing.
fn closing_mark(field: &[u8]) -> usize {
    let found = match field.first() {
        Some(b'[') => memchr::memchr(b']', field),
        Some(b'"') => (1..field.len()).find(|&at| field[at] == b'"' && !is_escaped(field, at)),
        _ => None,
    };
    found.unwrap_or(0)
}

/// Whether an odd number of backslashes precedes `at`.
fn is_escaped(field: &[u8], at: usize) -> bool {
    field[..at].iter().rev().take_while(|&&byte| byte == b'\\').count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields<'a>(body: &'a str, separator: &str, marks: bool) -> Vec<&'a str> {
        let mut places = Vec::new();
        let finder = Separator::Text(Box::new(Finder::new(separator).into_owned()));
        split(body.as_bytes(), &finder, marks, 99, &mut places);
        if let [byte] = separator.as_bytes() {
            let mut by_byte = Vec::new();
            split(body.as_bytes(), &Separator::Byte(*byte), marks, 99, &mut by_byte);
            assert_eq!(by_byte, places);
        }
        places.iter().map(|&(begin, end)| &body[begin..end]).collect()
    }

    #[test]
    fn separators_part_fields() {
        assert_eq!(fields("", "\t", false), [""]);
        assert_eq!(fields("a\tb\t\tc\t", "\t", false), ["a", "b", "", "c", ""]);
        assert_eq!(fields("a::b:c::", "::", false), ["a", "b:c", ""]);
        assert_eq!(fields("[a b] c", " ", false), ["[a", "b]", "c"]);
    }

    #[test]
    fn runs_of_blanks_part_fields_as_in_awk() {
        for (body, want) in
            [("  a \t b  ", &["a", "b"][..]), ("a b", &["a", "b"]), ("", &[]), (" \t", &[]), ("a", &["a"])]
        {
            let mut places = Vec::new();
            split(body.as_bytes(), &Separator::Blanks, false, 99, &mut places);
            let fields: Vec<&str> = places.iter().map(|&(begin, end)| &body[begin..end]).collect();
            assert_eq!(fields, want, "{body:?}");
        }
    }

    #[test]
    fn separator_marks_join_fields_without_collisions() {
        let line = r#"::1 - [17/May/2015:10:05:03 +0000] "GET /a\"b c HTTP/1.1" 200 "" "x"#;
        let parts = ["::1", "-", "[17/May/2015:10:05:03 +0000]", r#""GET /a\"b c HTTP/1.1""#, "200", "\"\"", "\"x"];
        assert_eq!(fields(line, " ", true), parts);
        assert_eq!(fields(r#""a\\" b"#, " ", true), [r#""a\\""#, "b"]);
        assert_eq!(fields("[a b c", " ", true), ["[a", "b", "c"]);
        assert_eq!(fields("[a b]c d", " ", true), ["[a b]c", "d"]);
    }
}
