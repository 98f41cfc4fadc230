//! Why a record is bad, and how what came from outside is shown: short, and harmless on a terminal.

use std::fmt;

use crate::fields::FieldSpec;
use crate::json::{self, Pointer};
use crate::json_text;
use crate::time::TimeFormat;
use crate::units::{counted, exact_size};

/// Why a record has no key or no time. It becomes words only if the record is named.
pub(crate) enum Bad<'a> {
    Field(FieldSpec),
    Value(&'a Pointer),
    Time {
        value: &'a [u8],
        format: &'a TimeFormat,
    },
    Json(&'a [u8]),
    /// How many fields it has, and how many it should have.
    Columns(usize, usize),
    NoObject,
    Member(&'a Pointer),
    TooLong(usize),
    OpenQuote,
    LongQuote(usize),
    Text,
}

impl fmt::Display for Bad<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(part) => write!(f, "no field {}", part.text()),
            Self::Value(pointer) => write!(f, "no value at \"{}\"", pointer.text),
            Self::Time { value, format } => {
                write!(f, "time \"{}\" is not {}, or not between 1970 and 2554", show(value), format.name())?;
                format
                    .likelier(value)
                    .map_or(Ok(()), |(name, time)| write!(f, ": with --time-format {name} it is {time}"))
            }
            Self::Json(body) => write!(f, "not JSON: {}", json::why(body)),
            Self::Columns(has, should) => write!(f, "{} where the header has {should}", counted(*has, "field")),
            Self::NoObject => f.write_str("not a JSON object, to which --mark could add a member"),
            Self::Member(pointer) => write!(f, "it has a value at \"{}\": see --mark-name", pointer.text),
            Self::TooLong(most) => write!(f, "longer than {}: see --max-record", length(*most)),
            Self::OpenQuote => f.write_str("a quote is open at the end of the input"),
            Self::LongQuote(most) => write!(f, "a quote is open for more than {}: see --max-record", length(*most)),
            Self::Text => f.write_str("a quote opens a field, and text follows the quote that closes it"),
        }
    }
}

/// A number of bytes as `--max-record` takes it.
fn length(bytes: usize) -> String {
    exact_size(u64::try_from(bytes).unwrap_or(u64::MAX))
}

/// Whether the parts of a key are JSON values.
#[derive(Debug, Clone, Copy)]
pub(crate) struct IsJson(pub(crate) bool);

/// The most characters of a text that a message shows.
const SHOWN: usize = 40;

/// Appends a key in readable form. A key of several parts has a space between them.
pub(crate) fn show_key(mut key: &[u8], parts: Option<IsJson>, text: &mut String) {
    let Some(IsJson(is_json)) = parts else {
        return show_in(text, key, SHOWN);
    };
    let mut room = SHOWN;
    while let Some((len, rest)) = key.split_first_chunk().filter(|_| room > 0) {
        let (part, rest) = rest.split_at(usize::from_le_bytes(*len).min(rest.len()));
        show_in(text, if is_json { json_text::shown(part) } else { part }, room);
        room = SHOWN.saturating_sub(text.chars().count() + 1);
        if rest.is_empty() || text.ends_with("...") {
            return;
        }
        text.push_str(if room > 0 { " " } else { "..." });
        key = rest;
    }
}

/// Text that came from outside, short and harmless on a terminal.
pub(crate) fn show(text: &[u8]) -> String {
    let mut shown = String::new();
    show_in(&mut shown, text, SHOWN);
    shown
}

fn show_in(shown: &mut String, text: &[u8], most: usize) {
    let mut letters = text.utf8_chunks().flat_map(|chunk| {
        chunk.valid().chars().chain((!chunk.invalid().is_empty()).then_some(char::REPLACEMENT_CHARACTER))
    });
    letters.by_ref().take(most).for_each(|letter| shown.extend(letter.escape_debug()));
    if most > 0 && letters.next().is_some() {
        shown.push_str("...");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::Key;

    #[test]
    fn values_are_shown_harmless() {
        assert_eq!(show(b"a\x1b[31m\"\xff"), "a\\u{1b}[31m\\\"\u{fffd}");
        assert_eq!(show("é".repeat(41).as_bytes()), "é".repeat(40) + "...");
    }

    #[test]
    fn keys_of_parts_are_shown_short_too() {
        for (parts, want) in [
            (&["a", "", "\"c"][..], "a  \\\"c".to_owned()),
            (&[&"x".repeat(41), "y"], "x".repeat(40) + "..."),
            (&[&"x".repeat(39), "y"], "x".repeat(39) + "..."),
            (&[&"x".repeat(37), "yz"], "x".repeat(37) + " yz"),
            (&["y"; 60], "y ".repeat(20).trim_end().to_owned() + "..."),
        ] {
            let (mut bytes, mut text) = (Vec::new(), String::new());
            parts.iter().for_each(|part| Key { bytes: &mut bytes, ignore_case: false }.push(part.as_bytes()));
            show_key(&bytes, Some(IsJson(false)), &mut text);
            assert_eq!(text, want);
        }
    }
}
