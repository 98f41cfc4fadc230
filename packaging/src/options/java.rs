//! Java: the names of options, and the setters of the builder.

use std::fmt::Write;

use lately::Field;
use lately::abi::Shape;

use super::{Part, Tongue, bare, camel, pascal, without_high_word, wrapped};

const TONGUE: Tongue = Tongue {
    option: |field| format!("{{@link #{}}}", name(field)),
    word: |word| {
        String::from(match word {
            "New" => "{@link Verdict#NEW}",
            "Stats::error_rate" => "{@link Stats#errorRate}",
            "advance" => "{@link Filter#advance(long)}",
            other => other,
        })
    },
    is_short: false,
    has_units: false,
};

/// The method of the builder. A unit is in the type of a span, and the secret is one.
fn name(field: Field) -> String {
    match field {
        Field::SecretLo | Field::SecretHi => String::from("secret"),
        other => camel(bare(other)),
    }
}

/// The constants of `Field`.
pub fn fields() -> Part {
    let constant = |field: &Field| {
        let (name, shape) = (name(*field), format!("{:?}", field.shape()).to_uppercase());
        let word = match field {
            Field::SecretLo => "The low word of ",
            Field::SecretHi => "The high word of ",
            _ => "",
        };
        let about = format!("    /** {word}{{@link Options.Builder#{name}}}. */\n");
        format!("{about}    {}({}, \"{name}\", Shape.{shape})", field.name().to_uppercase(), field.number())
    };
    let constants: Vec<String> = Field::ALL.iter().map(constant).collect();
    ("options", constants.join(",\n") + ";\n")
}

/// How a test says each option, from a word; the secret has two.
pub fn script() -> Part {
    let single = without_high_word().filter(|field| *field != Field::SecretLo);
    let entry = |field: Field| {
        let name = name(field);
        let value = match field.shape() {
            Shape::Choice if field == Field::Clock => String::from("choice(ClockSource.values(), w)"),
            Shape::Choice => format!("choice({}.values(), w)", pascal(field.name())),
            Shape::Count => String::from("Integer.parseInt(w)"),
            Shape::Rate => String::from("Double.parseDouble(w)"),
            Shape::Span => String::from("Duration.ofNanos(number(w))"),
            Shape::Flag => String::from("number(w) == 1"),
            _ => String::from("number(w)"),
        };
        format!("            Map.entry(Field.{}, (o, w) -> o.{name}({value}))", field.name().to_uppercase())
    };
    ("options", single.map(entry).collect::<Vec<_>>().join(",\n") + "\n")
}

/// How a setter takes its value: the type, and the code.
fn taken(field: Field) -> (String, String) {
    let (option, name) = (format!("Field.{}", field.name().to_uppercase()), name(field));
    let (of, code) = match field.shape() {
        _ if field == Field::SecretLo => {
            let code = r#"set(Field.SECRET_LO, Objects.requireNonNull(secret, "secret").lo()).set(Field.SECRET_HI, secret.hi())"#;
            ("Secret", code.to_owned())
        }
        Shape::Choice => {
            let of = if field == Field::Clock { String::from("ClockSource") } else { pascal(&name) };
            return (of, format!("set({option}, Objects.requireNonNull({name}, \"{name}\").number())"));
        }
        Shape::Count => ("int", format!("count({option}, {name})")),
        Shape::Size | Shape::Bytes => ("long", format!("size({option}, {name})")),
        Shape::Span => ("Duration", format!("set({option}, Ticks.of({option}, {name}, {}))", field.least())),
        Shape::Rate => ("double", format!("set({option}, {name})")),
        Shape::Flag => ("boolean", format!("set({option}, {name} ? 1 : 0)")),
        Shape::Word => ("long", format!("set({option}, {name})")),
    };
    (of.to_owned(), code)
}

/// The setters of the builder.
pub fn setters() -> Part {
    let mut text = String::new();
    for field in without_high_word() {
        let (name, (of, code)) = (name(field), taken(field));
        let extra = if field == Field::Keyed { " {@link Filter#secret} returns the secret." } else { "" };
        let said = wrapped(&format!("{}{extra}", TONGUE.says(field)), "         * ");
        let about = match said.trim_start_matches([' ', '*']).split_once('\n') {
            Some((line, "")) if line.len() < 105 => format!("        /** {line} */\n"),
            _ => format!("        /**\n{said}         */\n"),
        };
        let _ = write!(
            text,
            "{about}        public Builder {name}({of} {name}) {{\n            return {code};\n        }}\n\n"
        );
    }
    ("options", text)
}
