//! The table of options: each field of `lately_options` with its comment in the header, and the kinds that take it.

use std::fmt::Write;

use lately::{Field, Kind};

/// A field of the struct: its type, its name and its comment in one line.
struct Member {
    kind: String,
    name: String,
    comment: String,
}

/// The most characters of a row, which has a comment as a whole or its first sentence.
const MOST: usize = 180;

/// The table, of the text of `lately.h`, and below it the comments that are too long for a row.
pub(crate) fn table(header: &str) -> String {
    let mut table = String::from("| option | type in C | kinds | what it is |\n| --- | --- | --- | --- |\n");
    let mut notes = String::new();
    for member in members(header).iter().filter(|member| !is_of_the_struct(&member.name)) {
        let (name, comment) = (&member.name, member.comment.replace('|', "\\|"));
        let row = |words: &str| format!("| `{name}` | `{}` | {} | {words} |\n", member.kind, kinds(name));
        if row(&comment).len() <= MOST {
            table.push_str(&row(&comment));
        } else {
            let first = comment.split_inclusive(". ").next().unwrap_or(&comment);
            table.push_str(&row(&format!("{} [More](#more-about-some-options).", first.trim_end())));
            let _ = writeln!(notes, "- **`{name}`** {comment}");
        }
    }
    format!("{table}\n### More about some options\n\n{notes}")
}

/// The options whose values have names, by what the names in C begin with.
const NAMED: [(&str, &str); 5] = [
    ("kind", "LATELY_KIND_"),
    ("clock", "LATELY_CLOCK_"),
    ("repeat", "LATELY_REPEAT_"),
    ("on_limit", "LATELY_ON_LIMIT_"),
    ("variant", "LATELY_VARIANT_"),
];

/// The table of their values, of the text of `lately.h`.
pub(crate) fn values(header: &str) -> String {
    let mut table = String::from("| option | value in C | what it does |\n| --- | --- | --- |\n");
    for (option, prefix) in NAMED {
        let before = table.len();
        for (name, comment) in header.lines().filter_map(|line| value(line, prefix)) {
            let meaning = comment.strip_prefix(&format!("`{option}`: ")).unwrap_or(comment);
            let _ = writeln!(table, "| `{option}` | `{name}` | {meaning} |");
        }
        assert!(table.len() > before, "the header has no {prefix}*");
    }
    table
}

/// The name and the comment of a value that is defined in this line.
fn value<'a>(line: &'a str, prefix: &str) -> Option<(&'a str, &'a str)> {
    let (code, comment) = line.strip_prefix("#define ")?.split_once("/**<")?;
    let name = code.split(' ').next().filter(|name| name.starts_with(prefix))?;
    Some((name, comment.trim_end_matches("*/").trim()))
}

/// Fields that belong to the form of the struct.
fn is_of_the_struct(name: &str) -> bool {
    name == "struct_size" || name.starts_with("reserved_")
}

/// The initials of a kind, as the comments of the header have them.
fn initials(kind: &Kind) -> String {
    kind.name().split('-').filter_map(|word| word.chars().next()).map(|first| first.to_ascii_uppercase()).collect()
}

/// The kinds that take an option, or "all".
fn kinds(name: &str) -> String {
    let is_named = |field: &&Field| name == field.name() || name.strip_suffix("_lo") == Some(field.name());
    let is_half = |field: &&Field| name.strip_suffix("_hi") == Some(field.name());
    let field = Field::ALL.iter().find(|field| is_named(field) || is_half(field));
    let field = field.unwrap_or_else(|| panic!("no option is called {name}"));
    let takers: Vec<String> = Kind::ALL.iter().filter(|kind| kind.takes(*field)).map(initials).collect();
    if takers.len() == Kind::ALL.len() { String::from("all") } else { takers.join(", ") }
}

/// Reads the struct: a comment is above its field, or behind it.
fn members(header: &str) -> Vec<Member> {
    let (_, rest) = header.split_once("typedef struct lately_options {\n").expect("the struct");
    let (body, _) = rest.split_once("} lately_options;").expect("its end");
    let (mut members, mut comment) = (Vec::new(), String::new());
    for line in body.lines().map(str::trim) {
        let (code, said) =
            line.split_once("/**").unwrap_or(if line.starts_with('*') { ("", line) } else { (line, "") });
        let words = said.trim_end_matches("*/").trim_start_matches(['*', '<']).trim();
        if !words.is_empty() {
            let space = if comment.is_empty() { "" } else { " " };
            let _ = write!(comment, "{space}{words}");
        }
        if let Some((kind, name)) = code.trim().trim_end_matches(';').rsplit_once(' ') {
            members.push(Member { kind: kind.into(), name: name.into(), comment: std::mem::take(&mut comment) });
        }
    }
    members
}
