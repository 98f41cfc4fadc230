//! `--generate`: the man pages and the completions, made from the options themselves, so that they cannot fall behind.

use std::io::{self, Write};

use clap::{Command, ValueEnum};
use clap_complete::Shell;
use clap_mangen::Man;

/// What can be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Page {
    Man,
    ManPlan,
    Bash,
    Zsh,
    Fish,
}

impl Page {
    /// Writes it for this command.
    pub(crate) fn write(self, command: Command, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Page::Man => man(command, out),
            Page::ManPlan => man(plan(command), out),
            Page::Bash => completions(Shell::Bash, command, out),
            Page::Zsh => completions(Shell::Zsh, command, out),
            Page::Fish => completions(Shell::Fish, command, out),
        }
    }
}

/// The command `lately plan` by itself, with the name and the version that its page bears.
fn plan(mut whole: Command) -> Command {
    whole.build();
    let plan = whole.find_subcommand("plan").cloned().unwrap_or(whole);
    plan.name("lately-plan").version(env!("CARGO_PKG_VERSION"))
}

/// Without a date: two builds of one version are the same bytes.
fn man(command: Command, out: &mut dyn Write) -> io::Result<()> {
    let source = concat!("lately ", env!("CARGO_PKG_VERSION"));
    let mut page = Vec::new();
    Man::new(command).section("1").date(" ").source(source).manual("User Commands").render(&mut page)?;
    out.write_all(bold(&String::from_utf8_lossy(&page)).as_bytes())
}

/// What stands between backticks, as roff has it.
fn bold(page: &str) -> String {
    let quoted = page.split('`').enumerate();
    quoted.map(|(i, piece)| if i % 2 == 1 { format!(r"\fB{piece}\fR") } else { piece.to_owned() }).collect()
}

fn completions(shell: Shell, mut command: Command, out: &mut dyn Write) -> io::Result<()> {
    // The generator panics when it cannot write, and memory always can be written to.
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut command, "lately", &mut text);
    out.write_all(&text)
}
