//! `lately`: the records of a stream that were not seen within a window of time, in bounded memory.
//!
//! ```text
//!  args -> settings -+
//!                    v
//!  input -> records (csv) -> key (time) -> judge -> output
//!                                |          |
//!                              notes      report
//! ```

mod args;
mod csv;
mod input;
mod judge;
mod key;
mod notes;
mod output;
mod records;
mod report;
mod run;
mod settings;
mod signals;
mod stop;
mod time;
mod units;

use std::io::{Write, stderr};
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};

use args::{Args, Form};
use report::Report;
use run::Run;
use stop::Stop;

/// Input or output failed, or `--strict` found something.
const FAILED: u8 = 3;
/// 128 and the number of the signal.
const INTERRUPTED: u8 = 130;

fn main() -> ExitCode {
    let args = Args::parse();
    let ended = Run::new(&args).and_then(|mut run| run_to_end(&mut run, &args));
    match ended {
        Ok(status) => ExitCode::from(status),
        Err(Stop::ReaderGone) => ExitCode::SUCCESS,
        Err(Stop::Interrupted) => ExitCode::from(INTERRUPTED),
        Err(Stop::Failed(why)) => {
            notes::say(why);
            ExitCode::from(FAILED)
        }
        Err(Stop::Usage(why)) => Args::command().error(ErrorKind::ValueValidation, why).exit(),
    }
}

/// Runs, and reports however it ended, unless nobody is there to care.
fn run_to_end(run: &mut Run, args: &Args) -> Result<u8, Stop> {
    let ended = run.all(args);
    if matches!(ended, Err(Stop::ReaderGone | Stop::Usage(_))) {
        return ended.map(|()| 0);
    }
    let report = run.report(args);
    run.notes().sum_up(report.gaps);
    if let Some(warning) = report.warning(args.asked()) {
        notes::say(warning);
    }
    let interrupted = matches!(ended, Err(Stop::Interrupted)).then_some(Form::Text);
    print(&report, args.report.or(interrupted));
    ended.map(|()| if args.strict && report.bad + report.refused > 0 { FAILED } else { 0 })
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
