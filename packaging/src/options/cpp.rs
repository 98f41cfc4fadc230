//! C++: the enumeration of options, their names, their setters, and what prints them.

use lately::Field;
use lately::abi::Shape;

use super::{Part, Tongue, bare, wrapped};

const TONGUE: Tongue = Tongue {
    option: |field| format!("`{}`", setter(field)),
    word: |word| match word {
        "New" => String::from("verdict::new_"),
        other => format!("`{}`", other.to_lowercase()),
    },
    is_short: false,
    has_units: false,
};

/// The method that sets an option. A unit is in the type of a span; `window` makes a request.
fn setter(field: Field) -> &'static str {
    if field == Field::WindowNs { field.name() } else { bare(field) }
}

/// The parts of `lately.hpp`.
pub fn parts() -> Vec<Part> {
    vec![fields(), names(), setters(), sizes(), printed()]
}

fn fields() -> Part {
    let numbers = Field::ALL.iter().map(|field| {
        (format!("    {field} = LATELY_FIELD_{},", field.name().to_uppercase()), format!("options::{}", setter(*field)))
    });
    let none = (String::from("    none = 0,"), String::from("No option is at fault."));
    let rows: Vec<(String, String)> = std::iter::once(none).chain(numbers).collect();
    let width = rows.iter().map(|(code, _)| code.len()).max().unwrap_or(0);
    ("fields", rows.iter().map(|(code, about)| format!("{code:width$} ///< {about}\n")).collect())
}

fn names() -> Part {
    let list: Vec<String> = Field::ALL.iter().map(|field| format!("\"{field}\"")).collect();
    let head = format!("    constexpr std::array<const char*, {}> names = {{\n", list.len() + 1);
    let list = wrapped(&format!("\"\", {}}};", list.join(", ")), "        ");
    ("names", head + &list)
}

fn setters() -> Part {
    let mut text = String::new();
    for &field in Field::ALL {
        text += &comment(&TONGUE.says(field));
        text += &pair(field);
        if field == Field::SecretHi {
            text += "    /** Keyed: both words. */\n    options& secret(lately::secret words) & noexcept ";
            text += "{ return secret_lo(words.lo).secret_hi(words.hi); }\n    [[nodiscard]] options secret(lately::secret words) && ";
            text += "noexcept { return this->secret(words); }\n";
        }
    }
    ("setters", text)
}

fn comment(said: &str) -> String {
    let line = format!("    /** {said} */\n");
    if line.len() <= 121 { line } else { format!("    /**\n{}     */\n", wrapped(said, "     * ")) }
}

/// The two forms of a setter: of a named request, and of a temporary.
fn pair(field: Field) -> String {
    let name = setter(field);
    let (of, call) = match field.shape() {
        Shape::Choice if field == Field::Clock => (String::from("clock_source"), "choose"),
        Shape::Choice => (format!("lately::{name}"), "choose"),
        Shape::Rate => (String::from("double"), "give"),
        Shape::Flag => (String::from("bool"), "put"),
        Shape::Word => (String::from("std::uint64_t"), "put"),
        Shape::Count | Shape::Size | Shape::Bytes => (String::from("detail::whole"), "set"),
        Shape::Span => (String::from("detail::time_span"), "set"),
    };
    let option = if call == "put" { String::new() } else { format!("field::{field}, ") };
    let mut text = String::new();
    let forms = [
        (format!("options& {name}({of} value) & noexcept"), format!("return {call}({option}raw_.{field}, value);")),
        (format!("[[nodiscard]] options {name}({of} value) && noexcept"), format!("return this->{name}(value);")),
    ];
    for (head, body) in forms {
        let line = format!("    {head} {{ {body} }}\n");
        let line = if line.len() <= 121 { line } else { format!("    {head} {{\n        {body}\n    }}\n") };
        text += &line;
    }
    text
}

/// Those of which a computed 0 must not pass for "not given".
fn sizes() -> Part {
    let sizes = Field::ALL.iter().filter(|field| field.least() > 0);
    let list: Vec<String> = sizes.map(|field| format!("option == field::{field}")).collect();
    let lines = wrapped(&format!("{};", list.join(" || ").replace(" == ", "_==_")), "               ");
    let lines = lines.replace("_==_", " == ");
    ("sizes", format!("        return {}", lines.trim_start()))
}

/// How a test says each option, from a word; the secret has two.
pub fn script() -> Part {
    let single = Field::ALL.iter().filter(|field| ![Field::SecretLo, Field::SecretHi].contains(field));
    let row = |field: &Field| {
        let value = match field.shape() {
            Shape::Choice if *field == Field::Clock => String::from("choice<lately::clock_source>(w)"),
            Shape::Choice => format!("choice<lately::{field}>(w)"),
            Shape::Rate => String::from("std::stod(w)"),
            Shape::Span => String::from("ns(w)"),
            Shape::Flag => String::from("number(w) == 1"),
            _ => String::from("number(w)"),
        };
        format!("    {{\"{field}\", [](auto& o, auto& w) -> auto& {{ return o.{}({value}); }}}},\n", setter(*field))
    };
    ("options", single.map(row).collect())
}

fn printed() -> Part {
    let row = |field: &Field| match (field, field.shape()) {
        (Field::SecretLo, _) => String::from("    given.add(secret{o.secret_lo, o.secret_hi});\n"),
        (Field::SecretHi, _) => String::new(),
        (Field::Clock, _) => format!("    given.choose<clock_source>(\"{field}\", o.{field});\n"),
        (_, Shape::Choice) => format!("    given.choose<{field}>(\"{field}\", o.{field});\n"),
        _ => format!("    given.add(\"{field}\", o.{field});\n"),
    };
    ("printed", Field::ALL.iter().map(row).collect())
}
