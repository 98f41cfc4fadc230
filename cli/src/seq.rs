//! Where one of many JSON values ends that follow each other without line feeds between them, or over several lines: `{..}{..}` as
//! Firehose writes it, and RFC 7464, which puts a separator before each. What is in a value is not looked at here.
//!
//! A separator always begins a record, so that one that was cut off costs no other.

use crate::scan::SEPARATOR;

/// The bytes where the search is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    Before,
    /// In a number or a word, or in what is no JSON.
    Word,
    Inside,
    String,
    Escape,
}

/// Searches the end of one value in bytes that come piece by piece.
pub(crate) struct EndOfValue {
    at: At,
    depth: usize,
}

impl EndOfValue {
    pub(crate) fn new() -> Self {
        Self { at: At::Before, depth: 0 }
    }

    pub(crate) fn begin(&mut self) {
        *self = Self::new();
    }

    /// The place behind the value, if it ends in these bytes, which follow those of the call before.
    pub(crate) fn find(&mut self, bytes: &[u8]) -> Option<usize> {
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            if byte == SEPARATOR && self.at != At::Before {
                return Some(at);
            }
            match (self.at, byte) {
                (At::String, _) => {
                    let plain = memchr::memchr3(b'"', b'\\', SEPARATOR, &bytes[at..]);
                    at += plain.unwrap_or(bytes.len() - at);
                    match bytes.get(at) {
                        Some(b'"') if self.depth == 0 => return Some(at + 1),
                        Some(b'"') => self.at = At::Inside,
                        Some(b'\\') => self.at = At::Escape,
                        _ => continue,
                    }
                }
                (At::Escape, _) => self.at = At::String,
                (At::Word, byte) if is_blank(byte) || b"{[\",".contains(&byte) => return Some(at),
                (At::Word, _) => {}
                (At::Before, byte) if is_blank(byte) || byte == SEPARATOR => {}
                (_, b'"') => self.at = At::String,
                (_, b'{' | b'[') => (self.at, self.depth) = (At::Inside, self.depth + 1),
                (At::Inside, b'}' | b']') if self.depth == 1 => return Some(at + 1),
                (At::Inside, b'}' | b']') => self.depth -= 1,
                (At::Inside, _) => {}
                (At::Before, b'}' | b']' | b',' | b':') => return Some(at + 1),
                (At::Before, _) => self.at = At::Word,
            }
            at += 1;
        }
        None
    }
}

pub(crate) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

/// Whether an input that begins so has several values on its first line, or the separators of RFC 7464; nothing while more bytes
/// are needed to know.
pub(crate) fn is_sequence(head: &[u8], ended: bool) -> Option<bool> {
    let head = &head[head.iter().position(|byte| !is_blank(*byte)).unwrap_or(head.len())..];
    let line = memchr::memchr(b'\n', head);
    let is_known = line.is_some() || ended || head.len() > MOST;
    let first = &head[..line.unwrap_or(head.len())];
    match first.first() {
        Some(&SEPARATOR) => Some(true),
        Some(b'{' | b'[') => {
            let rest = EndOfValue::new().find(first).map(|end| first[end..].trim_ascii_start());
            match rest.and_then(|rest| rest.first()) {
                Some(second) => Some(matches!(second, b'{' | b'[' | &SEPARATOR)),
                None => is_known.then_some(false),
            }
        }
        Some(_) => Some(false),
        None => is_known.then_some(false),
    }
}

/// A first line that is longer and has not ended is one value.
const MOST: usize = 1 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str, piece: usize) -> Vec<String> {
        let (mut values, mut end, mut value) = (Vec::new(), EndOfValue::new(), Vec::new());
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            let bytes = &rest[..rest.len().min(piece)];
            let found = end.find(bytes);
            let used = found.unwrap_or(bytes.len());
            value.extend_from_slice(&bytes[..used]);
            rest = &rest[used..];
            if found.is_some() || rest.is_empty() {
                let text = String::from_utf8(std::mem::take(&mut value)).unwrap();
                values.extend(Some(text.trim().to_owned()).filter(|text| !text.is_empty()));
                end.begin();
            }
        }
        values
    }

    #[test]
    fn values_end_where_they_end_however_the_bytes_come() {
        for (text, want) in [
            ("{\"a\":1}{\"a\":2}", &["{\"a\":1}", "{\"a\":2}"][..]),
            ("{\n \"a\": [1, {\"b\": \"}\\\"]\"}]\n}\n[]", &["{\n \"a\": [1, {\"b\": \"}\\\"]\"}]\n}", "[]"]),
            ("1 true\"x\"null", &["1", "true", "\"x\"", "null"]),
            (
                "\u{1e}{\"a\":1}\n\u{1e}{\"a\":\u{1e}\"cut\u{1e}2\n",
                &["\u{1e}{\"a\":1}", "\u{1e}{\"a\":", "\u{1e}\"cut", "\u{1e}2"],
            ),
            ("}{}", &["}", "{}"]),
            ("{\"a\":1", &["{\"a\":1"]),
        ] {
            for piece in [1, 2, 3, 7, 99] {
                assert_eq!(values(text, piece), want, "{piece}");
            }
        }
    }

    #[test]
    fn sequence_is_known_by_its_first_line() {
        for (head, ended, want) in [
            ("{\"a\":1}{", false, Some(true)),
            ("{\"a\":1} {\"a\":2}\n", false, Some(true)),
            ("\u{1e}", false, Some(true)),
            ("{\"a\":1}\n{", false, Some(false)),
            ("{\"a\":1}", false, None),
            ("{\"a\":1}", true, Some(false)),
            ("{\"a\":1} x", false, Some(false)),
            ("{\n", false, Some(false)),
            ("", false, None),
            ("\n\n", false, None),
            ("text", false, Some(false)),
        ] {
            assert_eq!(is_sequence(head.as_bytes(), ended), want, "{head:?}");
        }
    }
}
