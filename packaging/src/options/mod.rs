//! The table of options (`src/field.rs`), written as the lists and comments of C and every other language.
//!
//! ```text
//!   table -> sentences in the words of a language -> a part of its file, between two marks
//! ```
//! A sentence of the table has names as Rust has them, in backticks. [`Tongue`] says how a language writes those, and whether it
//! names units; each language's module writes the parts.

pub mod cpp;
pub mod go;
pub mod java;
pub mod python;

use std::fmt::Write;

use lately::abi::Shape;
use lately::{Field, Kind};

/// How a language writes the sentences of the table.
pub struct Tongue {
    /// The name of an option.
    option: fn(Field) -> String,
    /// Anything else in backticks: a verdict, a verb, a figure of the statistics.
    word: fn(&str) -> String,
    /// Whether kinds are WT, TL, AP, TS and Q.
    is_short: bool,
    /// Whether an option of time is a number, so that its unit has to be said.
    has_units: bool,
}

/// What languages in which a secret is one value say of it, in place of its two words.
const SECRET: &str = "All kinds, with `keyed`: the secret; without it one is drawn from the operating system.";

impl Tongue {
    /// What the table says of an option, in one line.
    pub fn says(&self, field: Field) -> String {
        let about = match field {
            Field::SecretLo if (self.option)(field) == (self.option)(Field::SecretHi) => SECRET,
            _ => field.about(),
        };
        let about = about.trim().to_owned();
        let about = if self.has_units { about } else { about.replace(", in nanoseconds", "") };
        let parts = about.split('`').enumerate();
        parts.map(|(i, part)| if i % 2 == 1 { self.named(part) } else { self.plain(part) }).collect()
    }

    fn named(&self, name: &str) -> String {
        let option = Field::ALL.iter().find(|field| field.name() == name);
        option.map_or_else(|| (self.word)(name), |field| (self.option)(*field))
    }

    fn plain(&self, text: &str) -> String {
        if self.is_short { Kind::ALL.iter().fold(text.to_owned(), shortened) } else { text.to_owned() }
    }
}

/// The text with a kind by the first letters of its name, which the table writes with a hyphen, in words or as one.
fn shortened(text: String, kind: &Kind) -> String {
    let name = kind.name();
    let short: String = name.split('-').map(|word| word[..1].to_uppercase()).collect();
    let forms = [name.to_owned(), name.replace('-', " "), pascal(&name.replace('-', "_"))];
    forms.iter().fold(text, |text, form| text.replace(&capital(form), &short).replace(form, &short))
}

/// A part of a file: its name, and the text between its marks.
pub type Part = (&'static str, String);

/// The name of an option without its unit: `lease` of `lease_ns`.
fn bare(field: Field) -> &'static str {
    field.name().trim_end_matches("_ns")
}

fn capital(word: &str) -> String {
    word[..1].to_uppercase() + &word[1..]
}

/// `lease` as `Lease`, `max_claims` as `MaxClaims`.
pub fn pascal(name: &str) -> String {
    name.split('_').map(capital).collect()
}

/// `max_claims` as `maxClaims`.
pub fn camel(name: &str) -> String {
    let name = pascal(name);
    name[..1].to_lowercase() + &name[1..]
}

/// Words in lines of at most 120 characters that begin with `before`; `- 1` of a formula stays with what it is taken from.
fn wrapped(text: &str, before: &str) -> String {
    const WIDTH: usize = 120;
    const TIE: &str = "\u{a0}";
    let mut lines: Vec<String> = Vec::new();
    let text = text.trim().replace(" - 1 ", &format!("{TIE}-{TIE}1 "));
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= WIDTH => *line += &format!(" {word}"),
            _ => lines.push(format!("{before}{word}")),
        }
    }
    lines.into_iter().map(|line| line.replace(TIE, " ") + "\n").collect()
}

/// The options of a language in which a secret is one.
fn without_high_word() -> impl Iterator<Item = Field> {
    Field::ALL.iter().copied().filter(|field| *field != Field::SecretHi)
}

/// The C ABI: its struct and the numbers of its fields, from which cbindgen makes the header.
pub mod c {
    use super::{Field, Part, Shape, Tongue, Write, wrapped};

    const TONGUE: Tongue = Tongue {
        option: |field| format!("`{field}`"),
        word: |word| match word {
            "New" => String::from("LATELY_NEW"),
            "Stats::error_rate" => String::from("`stats.error_rate`"),
            verb => format!("`lately_filter_{verb}`"),
        },
        is_short: true,
        has_units: true,
    };

    /// The type of a field, and its bytes.
    fn word(field: Field) -> (&'static str, usize) {
        match field.shape() {
            Shape::Choice | Shape::Count | Shape::Flag => ("u32", 4),
            Shape::Size | Shape::Bytes | Shape::Span | Shape::Word => ("u64", 8),
            Shape::Rate => ("f64", 8),
        }
    }

    /// What the header says: a choice names its constants, which say what they do, and yes is 1.
    fn says(field: Field) -> String {
        let said = TONGUE.says(field);
        match field.shape() {
            Shape::Choice => {
                let kinds = said.split(':').next().unwrap_or(&said);
                format!("{kinds}: one of LATELY_{}_*.", field.name().to_uppercase())
            }
            Shape::Flag => said.replacen("whether", "1 if", 1),
            _ => said,
        }
    }

    /// The fields of the struct; a word of 32 bits is followed by one, as no struct of the ABI has padding.
    pub fn fields() -> Part {
        let (mut text, mut bytes, mut reserved) = (String::new(), 0, 0);
        let mut pad = |text: &mut String, bytes: &mut usize| {
            let _ = write!(text, "    /// Must be 0.\n    pub reserved_{reserved}: u32,\n");
            (*bytes, reserved) = (*bytes + 4, reserved + 1);
        };
        for &field in Field::ALL {
            let (of, size) = word(field);
            if bytes % size != 0 {
                pad(&mut text, &mut bytes);
            }
            let _ = writeln!(text, "{}    pub {field}: {of},", wrapped(&says(field), "    /// "));
            bytes += size;
        }
        if bytes % 8 != 0 {
            pad(&mut text, &mut bytes);
        }
        ("options", text)
    }

    /// The numbers of the fields.
    pub fn numbers() -> Part {
        let names = || Field::ALL.iter().map(|field| (field, field.name().to_uppercase()));
        let constants = names().map(|(field, name)| {
            format!("/// `lately_options.{field}`.\npub const LATELY_FIELD_{name}: u32 = {};\n", field.number())
        });
        let list: String = names().map(|(_, name)| format!("        LATELY_FIELD_{name},\n")).collect();
        let check = format!("/// In the order of their numbers.\nconst FIELDS: [u32; {}] = [\n", names().count());
        let list = list.replace("        ", "    ");
        ("options", constants.collect::<String>() + &format!("\n{check}{list}];\n"))
    }

    /// The members by their names, as the C tests read them.
    pub fn members() -> Part {
        let row = |field: &Field| {
            let letter = match word(*field).0 {
                "u32" => 'u',
                "u64" => 'w',
                _ => 'd',
            };
            format!("    MEMBER({field}, '{letter}', {}),\n", field.name().to_uppercase())
        };
        ("options", Field::ALL.iter().map(row).collect())
    }

    /// The list in Java's glue: what each is in the struct, and how many there are.
    pub fn glue() -> Part {
        let entry = |field: &Field| {
            let of = match field.shape() {
                Shape::Rate => "FRACTION",
                Shape::Choice | Shape::Count | Shape::Flag => "SMALL",
                _ => "LARGE",
            };
            format!("    {of}({}, {field})", field.name().to_uppercase())
        };
        let list: Vec<String> = Field::ALL.iter().map(entry).collect();
        let words = Field::ALL.len() + 1;
        let head = "#define OPTIONS(SMALL, LARGE, FRACTION) \\\n";
        let tail = "/* How many words there are; the first is that of no option. */";
        ("options", format!("{head}{}\n\n{tail}\nenum {{ OPTION_WORDS = {words} }};\n", list.join(" \\\n")))
    }
}
