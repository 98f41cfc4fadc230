//! `lately`: the records of a stream that were not seen lately, in bounded memory.
//!
//! ```text
//!  args (filter) -> settings (secret) -+           args (filter) -> plan
//!                    +--------------+
//!                    v
//!  input (sniff, gzip) -> records (csv) -> key (json, time) -> judge (clock) -> output
//!    signals                           |            |      |
//!                                    notes         jobs  report, state, metrics
//!                                                 (exec)
//! ```

mod args;
mod bad;
mod book;
mod clock;
mod columns;
mod csv;
mod exec;
mod exit;
mod far;
mod fields;
mod figures;
mod filter;
mod fixed;
mod flag;
mod form;
mod generate;
mod gzip;
mod headers;
mod input;
mod jobs;
mod json;
mod json_text;
mod judge;
mod kept;
mod key;
mod kinds;
mod lock;
mod metrics;
mod misuse;
mod names;
mod notes;
mod number;
mod output;
mod page;
#[cfg(test)]
mod parser_properties;
mod patient;
mod plan;
mod promises;
#[cfg(test)]
#[allow(dead_code, unreachable_pub, reason = "the tests of the command share it")]
#[path = "../tests/common/random.rs"]
mod random;
mod record_options;
mod records;
mod report;
mod run;
mod scan;
mod secret;
mod sections;
mod seq;
mod settings;
mod shares;
#[cfg_attr(windows, path = "signals_windows.rs")]
mod signals;
mod sniff;
mod state;
mod stdio;
mod streams;
mod summary;
mod text_fields;
mod time;
mod top;
mod translate;
mod units;
mod unpack;
mod utf16;
mod waiting;

use std::io::{IsTerminal, Write, stderr, stdout};
use std::process::ExitCode;

use clap::FromArgMatches;
use clap::error::ErrorKind;

use args::{Args, Cli, Command, Form};
use exit::Exit;
use patient::{Patient, tell};
use plan::PlanArgs;
use report::Report;
use run::Run;
use signals::Watch;
use top::Counted;

/// Input or output failed, or `--strict` found something.
const FAILED: u8 = 3;
const UNDONE: u8 = 4;
/// The status of a run that a signal ended is this and its number.
const SIGNAL: u8 = 128;

fn main() -> ExitCode {
    let parsed = args::command().try_get_matches().and_then(|matches| Cli::from_arg_matches(&matches));
    let Cli { command, args, generate } = match parsed {
        Ok(parsed) => parsed,
        Err(said) => return answered(&said),
    };
    let is_plan = command.is_some();
    let ended = match (command, generate) {
        (Some(Command::Plan(args)), _) => plan(args),
        (None, Some(page)) => written(page.write(args::whole(), &mut Patient(stdout().lock()))),
        (None, None) => args.completed().and_then(Args::with_listed).and_then(|args| run(&args)),
    };
    match ended {
        Ok(status) => ExitCode::from(status),
        Err(Exit::ReaderGone) => ExitCode::SUCCESS,
        Err(Exit::Interrupted(signal)) => ExitCode::from(SIGNAL + signal),
        Err(Exit::Failed(why)) => {
            notes::say(why);
            ExitCode::from(FAILED)
        }
        Err(Exit::Usage(why)) => misused(is_plan, &why),
    }
}

/// Ends with the help or the version that was asked for, or with what is wrong with the command line.
fn answered(said: &clap::Error) -> ExitCode {
    let to_terminal = if said.use_stderr() { stderr().is_terminal() } else { stdout().is_terminal() };
    // Colours are for a terminal, and clap knows them.
    let shown = match (to_terminal, said.use_stderr(), said.render()) {
        (true, ..) => said.print(),
        (_, true, text) => Patient(stderr().lock()).write_all(text.to_string().as_bytes()),
        (_, false, text) => Patient(stdout().lock()).write_all(text.to_string().as_bytes()),
    };
    // A reader who has gone knows enough; so it is with clap itself.
    drop(shown);
    ExitCode::from(u8::try_from(said.exit_code()).unwrap_or(FAILED))
}

/// Ends with what is wrong, and with the usage of the command that was meant.
fn misused(is_plan: bool, why: &str) -> ExitCode {
    let mut whole = args::command();
    whole.build();
    match whole.find_subcommand_mut("plan").filter(|_| is_plan) {
        Some(plan) => answered(&plan.error(ErrorKind::ValueValidation, why)),
        None => answered(&whole.error(ErrorKind::ValueValidation, why)),
    }
}

fn plan(args: PlanArgs) -> Result<u8, Exit> {
    let (text, notes) = args.with_keys()?.run()?;
    notes.into_iter().for_each(notes::say);
    written(Patient(stdout().lock()).write_all(text.as_bytes()))
}

/// How the command ends when all that it had to do was to write to standard output.
fn written(result: std::io::Result<()>) -> Result<u8, Exit> {
    match result {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Err(Exit::ReaderGone),
        Err(error) => Err(Exit::failed("standard output", &error)),
        Ok(()) => Ok(0),
    }
}

/// Runs, and reports how it ended, unless the reader of the output has gone.
fn run(args: &Args) -> Result<u8, Exit> {
    let watch = Watch::install().map_err(|error| Exit::failed("signals", &error))?;
    let mut run = Run::new(args, watch)?;
    let asked = args.report.unwrap_or(Form::Text);
    let ended = run.all(|report| print(report, Some(asked)));
    if matches!(ended, Err(Exit::ReaderGone | Exit::Usage(_))) {
        return ended.map(|()| 0);
    }
    let report = run.report();
    run.notes.sum_up(&report.counts.times);
    report.latest().into_iter().chain(report.left_early()).chain(report.warning.clone()).for_each(notes::say);
    let interrupted = matches!(ended, Err(Exit::Interrupted(_))).then_some(Form::Text);
    print(&report, args.report.or(interrupted));
    print_top(&run, args);
    if ended.is_ok() && report.has_judged_none() {
        notes::say("no record could be judged");
        return Ok(FAILED);
    }
    ended.map(|()| match report.counts.failed.unwrap_or(0) {
        _ if run.lacks_input => FAILED,
        1.. => UNDONE,
        0 if args.strict && report.has_faults() => FAILED,
        0 => 0,
    })
}

fn print_top(run: &Run, args: &Args) {
    let Some(n) = args.top else { return };
    let top = run.top(n);
    let text = match args.report {
        Some(Form::Json) => serde_json::json!({ "top": top }).to_string() + "\n",
        _ => top.iter().map(Counted::line).collect(),
    };
    tell(text);
}

fn print(report: &Report, form: Option<Form>) {
    let text = match form {
        Some(Form::Text) => report.figures.text.clone(),
        Some(Form::Json) => report.figures.json(),
        None => return,
    };
    tell(text);
}
