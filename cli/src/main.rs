//! `lately`: the records of a stream that were not seen lately, in bounded memory.
//!
//! ```text
//!  args (filter) -> settings (secret) -+           args (filter) -> plan
//!                    +--------------+
//!                    v
//!  input -> records (csv) -> key (time) -> judge -> output
//!                                |          |
//!                              notes      report, state
//! ```

mod args;
mod csv;
mod exit;
mod fields;
mod filter;
mod generate;
mod input;
mod judge;
mod key;
#[cfg(test)]
mod laws;
mod notes;
mod output;
mod plan;
mod records;
mod report;
mod run;
mod secret;
mod settings;
#[cfg_attr(windows, path = "signals_windows.rs")]
mod signals;
mod state;
mod time;
mod units;

use std::io::{Write, stderr, stdout};
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};

use args::{Args, Cli, Command, Form};
use exit::Exit;
use plan::PlanArgs;
use report::Report;
use run::Run;

/// Input or output failed, or `--strict` found something.
const FAILED: u8 = 3;
/// 128 and the number of the signal.
const INTERRUPTED: u8 = 130;

fn main() -> ExitCode {
    let Cli { command, args, generate } = Cli::parse();
    let ended = match (command, generate) {
        (Some(Command::Plan(args)), _) => plan(&args),
        (None, Some(page)) => written(page.write(Cli::command(), &mut stdout().lock())),
        (None, None) => Run::new(&args).and_then(|mut run| run_to_end(&mut run, &args)),
    };
    match ended {
        Ok(status) => ExitCode::from(status),
        Err(Exit::ReaderGone) => ExitCode::SUCCESS,
        Err(Exit::Interrupted) => ExitCode::from(INTERRUPTED),
        Err(Exit::Failed(why)) => {
            notes::say(why);
            ExitCode::from(FAILED)
        }
        Err(Exit::Usage(why)) => Cli::command().error(ErrorKind::ValueValidation, why).exit(),
    }
}

/// Prints the plan.
fn plan(args: &PlanArgs) -> Result<u8, Exit> {
    let (text, warning) = args.run()?;
    warning.into_iter().for_each(notes::say);
    written(stdout().write_all(text.as_bytes()))
}

/// How the command ends when all that it had to do was to write to standard output.
fn written(result: std::io::Result<()>) -> Result<u8, Exit> {
    match result {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Err(Exit::ReaderGone),
        Err(error) => Err(Exit::failed("standard output", &error)),
        Ok(()) => Ok(0),
    }
}

/// Runs, and reports however it ended, unless nobody is there to care.
fn run_to_end(run: &mut Run, args: &Args) -> Result<u8, Exit> {
    let ended = run.all(args);
    if matches!(ended, Err(Exit::ReaderGone | Exit::Usage(_))) {
        return ended.map(|()| 0);
    }
    let report = run.report();
    run.notes().sum_up(report.gaps());
    if let Some(warning) = report.warning() {
        notes::say(warning);
    }
    let interrupted = matches!(ended, Err(Exit::Interrupted)).then_some(Form::Text);
    print(&report, args.report.or(interrupted));
    ended.map(|()| if args.strict && report.bad + report.refused() > 0 { FAILED } else { 0 })
}

fn print(report: &Report, form: Option<Form>) {
    let text = match form {
        Some(Form::Text) => report.text(),
        Some(Form::Json) => report.json(),
        None => return,
    };
    // If standard error is gone there is nobody to tell.
    let _ = stderr().write_all(text.as_bytes());
}
