//! `--generate`: the man pages and the completions, made from the options themselves, so that they cannot fall behind.

use std::io::{self, Write};

use clap::{Command, ValueEnum};
use clap_complete::Shell;
use clap_mangen::Man;

use crate::page;
use crate::sections::{PLAN_SECTIONS, PLAN_SYNOPSIS, SECTIONS, SYNOPSIS};

/// When this version was released, as in CHANGELOG.md. Not the day of the build: two builds of one version are the same
/// bytes.
const RELEASED: &str = "unreleased";

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Page {
    Man,
    ManPlan,
    Bash,
    Zsh,
    Fish,
}

impl Page {
    pub(crate) fn write(self, command: Command, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Page::Man => man(command, SYNOPSIS, &page::roff(&SECTIONS), out),
            Page::ManPlan => man(plan(command), PLAN_SYNOPSIS, &page::roff(&PLAN_SECTIONS), out),
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

fn man(command: Command, synopsis: &str, sections: &str, out: &mut dyn Write) -> io::Result<()> {
    let source = concat!("lately ", env!("CARGO_PKG_VERSION"));
    let man = Man::new(command).section("1").date(RELEASED).source(source).manual("User Commands");
    let [mut head, mut description, mut options] = [const { Vec::new() }; 3];
    man.render_title(&mut head)?;
    man.render_name_section(&mut head)?;
    man.render_description_section(&mut description)?;
    man.render_options_section(&mut options)?;
    let [head, description, options] = [head, description, options].map(|part| bold(&String::from_utf8_lossy(&part)));
    write!(out, "{head}.SH SYNOPSIS\n{synopsis}{description}{}{sections}", grouped(&options))
}

/// The groups of options as parts of their section.
fn grouped(options: &str) -> String {
    options.replace(".SH ", ".SS ").replacen(".SS OPTIONS", ".SH OPTIONS", 1)
}

/// Text between backticks, as roff has it.
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
