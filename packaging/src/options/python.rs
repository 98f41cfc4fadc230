//! Python: the fields of `Options`, the keyword arguments that are the same, and which of them are spans of time.

use std::fmt::Write;

use lately::Field;
use lately::abi::Shape;

use super::{Part, Tongue, bare, pascal, without_high_word, wrapped};

const TONGUE: Tongue = Tongue {
    option: |field| format!("``{}``", name(field)),
    word: |word| {
        String::from(match word {
            "New" => "``Verdict.NEW``",
            "Stats::error_rate" => "``Stats.error_rate``",
            "advance" => "``Filter.advance``",
            other => other,
        })
    },
    is_short: false,
    has_units: false,
};

/// The kind is not required: there is a default.
const KIND: &str =
    "The kind of filter; default: the one for windows. docs/how-to/choose-a-kind.md explains the choice.";

/// What Python has to say in addition: how a value is written.
const EXTRA: [(Field, &str); 4] = [
    (
        Field::Clock,
        "The unit of your own times, ``\"ns\"``, ``\"us\"``, ``\"ms\"`` or ``\"s\"``, makes it a manual clock.",
    ),
    (Field::WindowNs, "``\"10m\"``, ``\"1h30m\"`` or a ``timedelta``."),
    (Field::Memory, "``\"64MiB\"`` or a number."),
    (Field::SecretLo, "16 bytes, or 32 hexadecimal digits."),
];

/// The keyword. The library's glue has the same rule (`bindings/python/src/errors.rs`).
fn name(field: Field) -> &'static str {
    match field {
        Field::WindowKeys => "last",
        Field::SecretLo | Field::SecretHi => "secret",
        other => bare(other),
    }
}

fn kind_of(field: Field) -> String {
    let kind = match field.shape() {
        _ if field == Field::SecretLo => String::from("bytes | str"),
        Shape::Choice => pascal(name(field)),
        Shape::Count | Shape::Size | Shape::Word => String::from("int"),
        Shape::Bytes => String::from("str | int"),
        Shape::Span => String::from("str | timedelta"),
        Shape::Rate => String::from("float"),
        Shape::Flag => String::from("bool"),
    };
    kind + " | None"
}

/// The window, by time or by keys, comes first: those are given without a name.
fn in_order() -> impl Iterator<Item = Field> {
    let first = [Field::WindowNs, Field::WindowKeys];
    first.into_iter().chain(without_high_word().filter(move |field| !first.contains(field)))
}

/// `l` looks like another character.
fn excused(field: Field) -> &'static str {
    if field == Field::L { "  # noqa: E741" } else { "" }
}

/// The parts of `_options.py`.
pub fn parts() -> Vec<Part> {
    let (mut fields, mut keywords) = (String::new(), String::new());
    for field in in_order() {
        let (name, kind, excused) = (name(field), kind_of(field), excused(field));
        let default = match field {
            Field::SecretLo => String::from("dataclasses.field(default=None, repr=False)"),
            _ => String::from("None"),
        };
        let extra = EXTRA.iter().find(|(of, _)| *of == field).map_or(String::new(), |(_, said)| format!(" {said}"));
        let says = if field == Field::Kind { KIND.to_owned() } else { TONGUE.says(field) };
        let said = wrapped(&format!("\"\"\"{says}{extra}\"\"\""), "    ");
        let _ = write!(fields, "    {name}: {kind} = {default}{excused}\n{said}");
        if field != Field::WindowNs {
            let _ = writeln!(keywords, "    {name}: {kind}{excused}");
        }
    }
    let spans = in_order().filter(|field| field.shape() == Shape::Span);
    let spans: Vec<String> = spans.map(|field| format!("\"{}\": \"{field}\"", name(field))).collect();
    vec![("keywords", keywords), ("options", fields), ("spans", format!("_SPANS = {{{}}}\n", spans.join(", ")))]
}
