//! Go: the struct of options, their names, and what they are in C. The parts are as gofmt has them.

use std::fmt::Write;

use lately::Field;
use lately::abi::Shape;

use super::{Part, Tongue, bare, pascal, without_high_word, wrapped};

const TONGUE: Tongue = Tongue {
    option: name,
    word: |word| match word {
        "Stats::error_rate" => String::from("Stats.ErrorRate"),
        other => super::capital(other),
    },
    is_short: true,
    has_units: false,
};

/// What Go has to say in addition.
const EXTRA: [(Field, &str); 3] = [
    (
        Field::WindowNs,
        "A key past the window may still be a Duplicate for one generation (TL, AP: Window / l, of which the plan has l), \
         and now and then, TL, for one more.",
    ),
    (Field::LeaseNs, "[Filter.Claim] takes one."),
    (Field::SecretLo, "The zero Secret is none."),
];

/// The field of `Options`. A unit is in the type of a span, and the secret is one.
fn name(field: Field) -> String {
    match field {
        Field::SecretLo | Field::SecretHi => String::from("Secret"),
        other => pascal(bare(other)),
    }
}

fn kind_of(field: Field) -> String {
    match field.shape() {
        _ if field == Field::SecretLo => String::from("Secret"),
        Shape::Choice => name(field),
        Shape::Count => String::from("uint32"),
        Shape::Size | Shape::Bytes | Shape::Word => String::from("uint64"),
        Shape::Span => String::from("time.Duration"),
        Shape::Rate => String::from("float64"),
        Shape::Flag => String::from("bool"),
    }
}

/// The parts of `options.go`.
pub fn options() -> Vec<Part> {
    let mut fields = String::new();
    for field in without_high_word() {
        let extra = EXTRA.iter().find(|(of, _)| *of == field).map_or("", |(_, said)| said);
        fields += &wrapped(&format!("{} {extra}", TONGUE.says(field)), "\t// ");
        let _ = writeln!(fields, "\t{} {}", name(field), kind_of(field));
    }
    let bounds = |field: &Field| if field.least() > 0 { "above 0" } else { "at least 0" };
    let row = |field: Field| format!("\t\t{{\"{0}\", o.{0}, \"{1}\"}},\n", name(field), bounds(&field));
    vec![("options", fields), ("spans", spans().map(row).collect())]
}

fn spans() -> impl Iterator<Item = Field> {
    without_high_word().filter(|field| field.shape() == Shape::Span)
}

/// The parts of `fields.go`.
pub fn fields() -> Vec<Part> {
    let row =
        |field: &Field| format!("\t{:<4}{{\"{field}\", \"{}\"}},\n", format!("{}:", field.number()), name(*field));
    let spans: Vec<String> = spans().map(name).collect();
    let choice = |field: Field| format!("\tcase \"{0}\":\n\t\treturn o.{0}\n", name(field));
    let choices = without_high_word().filter(|field| field.shape() == Shape::Choice).map(choice);
    vec![
        ("options", Field::ALL.iter().map(row).collect()),
        ("spans", format!("const spanNames = `{}`\n\n", spans.join("|"))),
        ("choices", choices.collect()),
    ]
}

/// How a test says each option, from a number or a fraction.
pub fn script() -> Vec<Part> {
    let set = |field: Field| {
        let name = name(field);
        match (field, field.shape()) {
            (Field::SecretLo, _) => String::from("_, hi := o.Secret.Words(); o.Secret = SecretOf(n, hi)"),
            (Field::SecretHi, _) => String::from("lo, _ := o.Secret.Words(); o.Secret = SecretOf(lo, n)"),
            (_, Shape::Rate) => format!("o.{name} = x"),
            (_, Shape::Flag) => format!("o.{name} = n == 1"),
            (_, Shape::Size | Shape::Bytes | Shape::Word) => format!("o.{name} = n"),
            _ => format!("o.{name} = {}(n)", kind_of(field)),
        }
    };
    let width = Field::ALL.iter().map(|field| field.name().len() + 3).max().unwrap_or(0);
    let row = |field: &Field| {
        let (key, takes) =
            (format!("\"{field}\":"), if field.shape() == Shape::Rate { "_ uint64, x" } else { "n uint64, _" });
        format!("\t{key:width$} func(o *Options, {takes} float64) {{ {} }},\n", set(*field))
    };
    vec![("options", Field::ALL.iter().map(row).collect())]
}

/// The parts of `cgo.go`.
pub fn conversions() -> Vec<Part> {
    let mut to = String::new();
    let (mut from, mut width) = (Vec::new(), 0);
    for field in without_high_word() {
        if field == Field::SecretLo {
            to += "\tlo, hi := o.Secret.Words()\n\tc.secret_lo, c.secret_hi = C.uint64_t(lo), C.uint64_t(hi)\n";
            continue;
        }
        let (name, kind) = (name(field), kind_of(field));
        let in_c = match field.shape() {
            Shape::Choice | Shape::Count => "C.uint32_t",
            Shape::Size | Shape::Bytes | Shape::Word | Shape::Span => "C.uint64_t",
            Shape::Rate => "C.double",
            Shape::Flag => "flag",
        };
        let _ = writeln!(to, "\tc.{field} = {in_c}(o.{name})");
        let in_go = match field.shape() {
            Shape::Flag => format!("c.{field} != 0"),
            Shape::Span => format!("span(uint64(c.{field}))"),
            _ => format!("{kind}(c.{field})"),
        };
        width = width.max(name.len() + 1);
        from.push((name + ":", in_go));
    }
    let from = from.into_iter().map(|(name, value)| format!("\t\t{name:width$} {value},\n")).collect();
    vec![("to c", to), ("from c", from)]
}
