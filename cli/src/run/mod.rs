//! The flow: records gather in a batch on their way to the judge, and leave it with their verdicts.
//!
//! A batch refers to records that lie in the reader's buffer, so it is settled before more is read. When nothing comes for a
//! moment, what is held is handed on; so it is after a moment of work, so that no record waits for long.

use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

use crate::args::{Args, Late};
use crate::exit::Exit;
use crate::flag::Word;
use crate::form::Form;
use crate::headers::Headers;
use crate::input::{self, Input};
use crate::jobs::Jobs;
use crate::judge::Judge;
use crate::key::Extract;
use crate::metrics::MetricsFile;
use crate::notes::Notes;
use crate::output::{Output, Style};
use crate::promises::{Asked, Promises};
use crate::records::{Records, Span};
use crate::report::Report;
use crate::settings::Begun;
use crate::signals::Watch;
use crate::sniff::Looker;
use crate::state::State;
use crate::stdio::is_stdin;
use crate::time::TimeFormat;
use crate::top::Top;
use crate::waiting::Waiting;

#[cfg(test)]
mod allocations;
mod arrival;
mod commands;
mod figures;
mod gather;
mod show;
mod waits;

use arrival::{arrival, begin_arrival, wall_clock};

const BATCH: usize = 512;

/// How long a record may be held once it is judged.
const HELD: Duration = Duration::from_millis(10);

/// Times that are looked at for their unit, the first ones of a run.
const FIRST_TIMES: u32 = 10;

pub(crate) struct Run {
    extract: Extract,
    judge: Judge,
    asked: Asked,
    promises: Promises,
    output: Output,
    jobs: Option<Jobs>,
    /// The file that duplicates also go to, and its name.
    repeats: Option<(Output, String)>,
    pub(crate) notes: Notes,
    watch: Rc<Watch>,
    headers: Headers,
    files: Vec<PathBuf>,
    form: Form,
    batch: Vec<(Span, Outcome)>,
    file: usize,
    /// Whether quotes that look like none have yet to be reported.
    hints_at_tsv: bool,
    /// What is said of records that are not judged because they are too late.
    too_late: Outcome,
    top: Option<Top>,
    began: Instant,
    /// When that was, in nanoseconds since 1970.
    began_at: u64,
    /// The time of arrival of the batch.
    arrival: u64,
    /// Since when the output has something.
    held_since: Option<Instant>,
    state: Option<State>,
    /// Counts or records that wait, if that is asked for; and of each record of the batch that is judged its time, and the clock then.
    waiting: Option<Waiting>,
    times: Vec<(u64, Option<u64>)>,
    metrics: Option<MetricsFile>,
    has_bom: bool,
    /// What was judged did not all get out: it must not be in the state.
    lost: bool,
    /// Whether an input could not be read, or not to its end: the others are read all the same.
    pub(crate) lacks_input: bool,
    read: u64,
    /// How many more times are looked at for their unit.
    first_times: u32,
    format: TimeFormat,
    line: u64,
}

type InAndOut = ((Extract, Style, Form), (Option<MetricsFile>, Option<Jobs>, Vec<PathBuf>));

/// How records are read and printed, and what is done with them besides.
fn in_and_out(args: &Args) -> Result<InAndOut, String> {
    let (extract, style, form) = (args.extract()?, args.style()?, args.form()?);
    args.repeats.as_deref().map_or(Ok(()), |path| args.expect_own("--repeats", path))?;
    args.expect_waiting()?;
    Ok(((extract, style, form), (MetricsFile::of(args)?, args.jobs()?, args.inputs())))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    /// The meaning of the next verdict.
    Judged,
    Word(Word),
    /// Nothing: it is left out.
    Nothing,
}

impl Run {
    pub(crate) fn new(args: &Args, watch: Watch) -> Result<Self, Exit> {
        Self::with(args, watch, Output::new)
    }

    fn with(args: &Args, watch: Watch, output: fn(Style) -> Result<Output, Error>) -> Result<Self, Exit> {
        let ((extract, style, form), (metrics, jobs, files)) = in_and_out(args).map_err(Exit::Usage)?;
        let mut output = output(style.clone()).map_err(|error| Exit::failed("standard output", &error))?;
        let Begun { mut judge, asked, state, waiting } = args.judge(&watch)?;
        watch.stake.set(args.state.as_deref());
        let repeats = args.repeats.as_deref().map(|path| open_repeats(path, &style, &mut output)).transpose()?;
        let began_at = begin_arrival(&mut judge, args, wall_clock()?);
        Ok(Self {
            extract,
            output,
            jobs,
            repeats,
            judge,
            asked,
            promises: Promises::default(),
            notes: Notes::new(input::progress(&files), &files, args.guesses_year()),
            watch: Rc::new(watch),
            headers: args.headers(),
            files,
            form,
            batch: Vec::with_capacity(BATCH),
            file: 0,
            hints_at_tsv: args.may_be_tsv(),
            too_late: if args.late.then == Late::Pass { Outcome::Word(Word::Late) } else { Outcome::Nothing },
            top: args.top.map(|_| Top::default()),
            began: Instant::now(),
            began_at,
            arrival: began_at,
            held_since: None,
            state,
            waiting,
            times: Vec::new(),
            metrics,
            has_bom: false,
            lost: false,
            lacks_input: false,
            read: 0,
            line: 0,
            first_times: if args.time_field.is_some() { FIRST_TIMES } else { 0 },
            format: args.time_format.clone(),
        })
    }

    /// Reads all inputs; what was judged before a stop is handed on too.
    pub(crate) fn all(&mut self, mut report: impl FnMut(&Report)) -> Result<(), Exit> {
        let begun = self.let_go_by_arrival().and_then(|()| self.hand_on_in_time());
        let read = begun.and_then(|()| (0..self.files.len()).try_for_each(|i| self.file(i, &mut report)));
        let read = read.and(self.end_commands());
        let saved = self.end_waiting().and_then(|()| self.hand_on()).and_then(|()| self.save());
        self.watch.stake.clear();
        let written = self.write_metrics();
        self.notes.bar.finish_and_clear();
        read.and(saved).and(written)
    }

    fn file(&mut self, number: usize, report: &mut impl FnMut(&Report)) -> Result<(), Exit> {
        let path = self.files[number].clone();
        let name = if is_stdin(&path) { String::from("standard input") } else { path.display().to_string() };
        let input = match input::open(&path, &self.watch, &self.notes.bar, self.form.end) {
            Ok(input) => input,
            Err(error) => return self.leave(&name, &error),
        };
        let mut records = Records::new(input, self.form);
        self.notes.begin_file(&path);
        self.file = number;
        self.judge.clock.iter_mut().for_each(|clock| clock.file = number);
        self.headers.begin_file();
        self.records(&name, &mut records, report)?;
        // The next file may have its columns in another order, and lines of the same numbers.
        self.wait_for_commands()
    }

    fn records(
        &mut self,
        name: &str,
        records: &mut Records<Input>,
        report: &mut impl FnMut(&Report),
    ) -> Result<(), Exit> {
        let mut looker = Looker::new(self.form.end, self.form.json.is_some());
        let mut is_begun = false;
        loop {
            self.gather(name, records)?;
            if !self.batch.is_empty() {
                self.settle(records)?;
                continue;
            }
            match records.fill() {
                Ok(true) => {
                    if !std::mem::replace(&mut is_begun, true) && records.input.is_utf16() {
                        self.notes.input("this is UTF-16, and is read and written as UTF-8");
                    }
                    looker.look(records.came()).into_iter().for_each(|odd| self.notes.input(odd));
                }
                Ok(false) => {
                    looker.end().into_iter().for_each(|odd| self.notes.input(odd));
                    return Ok(());
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => self.pause(report)?,
                Err(error) => return self.leave(name, &error),
            }
        }
    }

    /// Nothing comes, or a report is asked for.
    fn pause(&mut self, report: &mut impl FnMut(&Report)) -> Result<(), Exit> {
        if self.watch.wants_report() {
            report(&self.report());
            self.write_metrics_on_the_way();
        }
        self.collect()?;
        self.let_go_by_arrival()?;
        self.tell_broken(true);
        self.hand_on_in_time()
    }

    /// Reads no more of an input: it failed, which is reported and ends no run, or a signal ends the run.
    fn leave(&mut self, name: &str, error: &Error) -> Result<(), Exit> {
        if let Some(signal) = self.watch.stopped() {
            return Err(Exit::Interrupted(signal));
        }
        self.lacks_input = true;
        self.notes.say(format_args!("{name}: {error}"));
        Ok(())
    }
}

/// The file of the duplicates, and its name for messages. Where it is that of the output too, both write record by record, so that
/// each is whole and in its place.
fn open_repeats(path: &Path, style: &Style, output: &mut Output) -> Result<(Output, String), Exit> {
    let name = path.display().to_string();
    let (repeats, is_shared) = Output::of_repeats(path, style).map_err(|error| Exit::failed(&name, &error))?;
    if is_shared {
        output.hand_on_each();
    }
    Ok((repeats, name))
}
