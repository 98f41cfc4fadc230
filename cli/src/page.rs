//! The sections of the help after the options: for `--help` as text, for the man page as roff. And the one screen of `-h`.

use std::fmt::Write;

use clap::{Arg, Command};

use crate::sections::Block::{self, Code, Table, Text};
use crate::sections::{SECTIONS, Section};

/// Where the second column of `--help` begins, and where its lines end.
const COLUMNS: (usize, usize) = (26, 98);

/// What `--help` shows: the options in two columns, and the sections that a script needs. The rest is the man page.
pub(crate) fn help(command: &Command) -> String {
    let mut text = String::new();
    let mut headings: Vec<&str> = Vec::new();
    let options = || command.get_arguments().filter(|arg| !arg.is_positional() && !arg.is_hide_set());
    for heading in options().filter_map(Arg::get_help_heading) {
        if !headings.contains(&heading) {
            headings.push(heading);
        }
    }
    for heading in headings {
        let _ = writeln!(text, "{heading}:");
        options().filter(|arg| arg.get_help_heading() == Some(heading)).for_each(|arg| option(arg, &mut text));
        text.push('\n');
    }
    let shown = SECTIONS.iter().filter(|section| ["Exit status", "Examples"].contains(&section.title));
    let more = "Keys, times, states, bad records and files: man lately, or lately --generate man | man -l -\n";
    text + &shown.map(|section| self::text(std::slice::from_ref(section)) + "\n").collect::<String>() + more
}

/// An option in the first column, and what it does in the second.
fn option(arg: &Arg, text: &mut String) {
    let short = arg.get_short().map_or_else(|| String::from("   "), |short| format!("-{short},"));
    let value = match (arg.get_action().takes_values(), arg.is_require_equals_set(), arg.get_value_names()) {
        (true, false, Some([name, ..])) => format!(" {name}"),
        (true, true, Some([name, ..])) => format!("[={name}]"),
        _ => String::new(),
    };
    let mut line = format!("  {short} --{}{value}", arg.get_long().unwrap_or_default());
    let default = arg.get_default_values().first().filter(|_| !arg.is_hide_default_value_set() && !value.is_empty());
    let default = default.map(|value| format!(" [default: {}]", value.to_string_lossy())).unwrap_or_default();
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default() + &default;
    let (first, last) = COLUMNS;
    if line.len() + 2 > first {
        line.push('\n');
    }
    for word in help.split_whitespace() {
        let at = line.rsplit('\n').next().map_or(0, |line| line.chars().count());
        match at {
            _ if at < first => line.extend(std::iter::repeat_n(' ', first - at)),
            _ if at + 1 + word.chars().count() > last => line.extend(["\n", &" ".repeat(first)]),
            _ => line.push(' '),
        }
        line.push_str(word);
    }
    text.push_str(&line);
    text.push('\n');
}

/// The sections as `--help` shows them; lines are wrapped where they are shown.
pub(crate) fn text(sections: &[Section]) -> String {
    let mut text = String::new();
    for section in sections {
        let gap = if text.is_empty() { "" } else { "\n" };
        let _ = writeln!(text, "{gap}{}:", section.title);
        for (i, block) in section.blocks.iter().enumerate() {
            text.push_str(if i > 0 { "\n" } else { "" });
            block.text(&mut text);
        }
    }
    text
}

/// The same as the man page has them.
pub(crate) fn roff(sections: &[Section]) -> String {
    let mut page = String::new();
    for section in sections {
        let _ = writeln!(page, ".SH \"{}\"", section.title.to_uppercase());
        section.blocks.iter().for_each(|block| block.roff(&mut page));
    }
    page
}

impl Block {
    fn text(&self, to: &mut String) {
        let _ = match self {
            Text(text) => writeln!(to, "{text}"),
            Table(rows) => rows.iter().try_for_each(|(word, what)| writeln!(to, "  {word:<13} {what}")),
            Code(lines) => lines.iter().try_for_each(|line| writeln!(to, "  {line}")),
        };
    }

    fn roff(&self, to: &mut String) {
        let _ = match self {
            Text(text) => writeln!(to, ".PP\n{}", escaped(text)),
            Table(rows) => rows
                .iter()
                .try_for_each(|(word, what)| writeln!(to, ".TP\n\\fB{}\\fR\n{}", escaped(word), escaped(what))),
            Code(lines) => {
                let lines: String = lines.iter().map(|line| escaped(line) + "\n").collect();
                writeln!(to, ".PP\n.RS 2\n.nf\n{lines}.fi\n.RE")
            }
        };
    }
}

fn escaped(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-").replace('\'', "\\(aq");
    if text.starts_with('.') { format!("\\&{text}") } else { text }
}
