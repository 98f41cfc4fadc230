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

/// How a setter takes its value: the type, what is said of it, when it throws, and the code.
struct Taken {
    of: String,
    about: &'static str,
    throws: Option<&'static str>,
    code: String,
}

fn taken(field: Field) -> Taken {
    let (option, name) = (format!("Field.{}", field.name().to_uppercase()), name(field));
    let taken = |of: &str, about, throws, code| Taken { of: of.to_owned(), about, throws, code };
    match field.shape() {
        _ if field == Field::SecretLo => {
            let code = r#"set(Field.SECRET_LO, Objects.requireNonNull(secret, "secret").lo()).set(Field.SECRET_HI, secret.hi())"#;
            taken("Secret", "two words, not both 0", None, code.to_owned())
        }
        Shape::Choice => {
            let of = if field == Field::Clock { String::from("ClockSource") } else { pascal(&name) };
            let code = format!("set({option}, Objects.requireNonNull({name}, \"{name}\").number())");
            taken(&of, "the choice", None, code)
        }
        Shape::Count => {
            let about = "a number; 0 is the default";
            taken("int", about, Some("it is negative"), format!("count({option}, {name})"))
        }
        Shape::Size => {
            taken("long", "a number, at least 1", Some("it is not positive"), format!("size({option}, {name})"))
        }
        Shape::Bytes => {
            let about = "a number of bytes, at least 1";
            taken("long", about, Some("it is not positive"), format!("size({option}, {name})"))
        }
        Shape::Span => {
            let (about, throws) = match field.least() {
                0 => ("up to 2^64 - 1 ns", "it is negative or longer"),
                _ => ("1 ns to 2^64 - 1 ns, some 584 years", "it is zero, negative or longer"),
            };
            let code = format!("set({option}, Ticks.of({option}, {name}, {}))", field.least());
            taken("Duration", about, Some(throws), code)
        }
        Shape::Rate => taken("double", "a fraction", None, format!("set({option}, {name})")),
        Shape::Flag => taken("boolean", "true if so", None, format!("set({option}, {name} ? 1 : 0)")),
        Shape::Word => taken("long", "any number", None, format!("set({option}, {name})")),
    }
}

/// The setters of the builder.
pub fn setters() -> Part {
    let mut text = String::new();
    for field in without_high_word() {
        let (name, Taken { of, about, throws, code }) = (name(field), taken(field));
        let extra = if field == Field::Keyed { " {@link Filter#secret} returns the secret." } else { "" };
        let said = wrapped(&format!("{}{extra}", TONGUE.says(field)), "         * ");
        let _ =
            write!(text, "        /**\n{said}         *\n         * @param {name} {about}\n         * @return this\n");
        if let Some(throws) = throws {
            let option = field.name().to_uppercase();
            let _ = writeln!(text, "         * @throws LatelyException with {{@link Field#{option}}} if {throws}");
        }
        let _ = write!(
            text,
            "         */\n        public Builder {name}({of} {name}) {{\n            return {code};\n        }}\n\n"
        );
    }
    ("options", text)
}
