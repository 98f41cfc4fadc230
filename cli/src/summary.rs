//! `--count`: how a key that came again is summed up, as a line of JSON or by a template.

use serde::de::IgnoredAny;

use crate::book::Entry;
use crate::json_text;
use crate::misuse::must_be;
use crate::time::shown;

const PLACES: [&str; 4] = ["{n}", "{first_repeat}", "{last}", "{record}"];

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Summary {
    Json,
    /// Text in which some of the places stand.
    Text(String),
}

impl Summary {
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        match text {
            "json" => Ok(Self::Json),
            _ if PLACES.iter().any(|place| text.contains(place)) => {
                Ok(Self::Text(text.replace("\\t", "\t").replace("\\n", "\n")))
            }
            _ => Err(must_be(
                "json, or text with some of {n}, {first_repeat}, {last} and {record}, such as 'repeated {n} times: {record}'",
            )),
        }
    }

    /// Appends the summary of an entry, without an end. `is_json` says that records are JSON: then the record is a value in it.
    pub(crate) fn write(&self, entry: &Entry, is_json: bool, is_early: bool, to: &mut Vec<u8>) {
        match self {
            Self::Json => json(entry, is_json, is_early, to),
            Self::Text(template) => text(template, entry, to),
        }
    }
}

fn json(entry: &Entry, is_json: bool, is_early: bool, to: &mut Vec<u8>) {
    let [first, last] = [entry.first, entry.last].map(shown);
    let head = format!("{{\"lately\":\"repeated\",\"n\":{},\"first_repeat\":\"{first}\",\"last\":\"{last}\"", entry.n);
    to.extend_from_slice(head.as_bytes());
    to.extend_from_slice(if is_early { b",\"early\":true,\"record\":" } else { b",\"record\":" });
    // A record can be judged that no other reader takes for JSON: it is a text then.
    match is_json && serde_json::from_slice::<IgnoredAny>(entry.body()).is_ok() {
        true => to.extend_from_slice(entry.body().trim_ascii()),
        false => json_text::quote(String::from_utf8_lossy(entry.body()).as_bytes(), to),
    }
    to.push(b'}');
}

fn text(template: &str, entry: &Entry, to: &mut Vec<u8>) {
    let mut rest = template;
    while let Some((at, place)) = PLACES.iter().filter_map(|place| Some((rest.find(place)?, *place))).min() {
        to.extend_from_slice(&rest.as_bytes()[..at]);
        match place {
            "{n}" => to.extend_from_slice(entry.n.to_string().as_bytes()),
            "{first_repeat}" => to.extend_from_slice(shown(entry.first).as_bytes()),
            "{last}" => to.extend_from_slice(shown(entry.last).as_bytes()),
            _ => to.extend_from_slice(entry.body()),
        }
        rest = &rest[at + place.len()..];
    }
    to.extend_from_slice(rest.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summed_up(form: &str, record: &[u8], is_json: bool, is_early: bool) -> String {
        let entry = Entry::new(b"k", record, b"\n", 1 << 40, (1_431_857_103_000_000_000, 0));
        let mut text = Vec::new();
        Summary::parse(form).unwrap().write(&entry, is_json, is_early, &mut text);
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn summary_is_one_value_whatever_the_record_is() {
        let head = "{\"lately\":\"repeated\",\"n\":1099511627776,\"first_repeat\":\"2015-05-17T10:05:03Z\",\"last\":\"2015-05-17T10:05:03Z\"";
        for (record, is_json, is_early, rest) in [
            (&b"a \"b\"\t"[..], false, false, ",\"record\":\"a \\\"b\\\"\\t\"}"),
            (b"{\"a\":1} ", true, false, ",\"record\":{\"a\":1}}"),
            (b"{\"a\":NaN}", true, true, ",\"early\":true,\"record\":\"{\\\"a\\\":NaN}\"}"),
            (b"\xff", false, false, ",\"record\":\"\u{fffd}\"}"),
        ] {
            let text = summed_up("json", record, is_json, is_early);
            assert_eq!(text, [head, rest].concat());
            serde_json::from_str::<serde_json::Value>(&text).unwrap();
        }
    }

    #[test]
    fn template_has_its_places_filled_once() {
        assert_eq!(
            summed_up("{n} x {record}\\t{x}{last}", b"{n}", false, true),
            "1099511627776 x {n}\t{x}2015-05-17T10:05:03Z"
        );
        for wrong in ["", "text", "{N}", "{ n }"] {
            assert!(Summary::parse(wrong).is_err(), "{wrong}");
        }
    }
}
