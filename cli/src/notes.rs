//! The notes on standard error during a run: the first records that are bad or refused, with their line numbers, and what
//! happens to the clock.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use indicatif::ProgressBar;

use crate::bad::Bad;
use crate::clock::{Counts as Times, Event, Mover};
use crate::patient::tell;
use crate::stdio::is_stdin;
use crate::time::{self, TimeFormat};
use crate::units::{Span, counted, show_time};

/// Records that are named one by one; more are counted only.
const NAMED: u64 = 10;

pub(crate) struct Notes {
    pub(crate) bar: ProgressBar,
    /// The file that is read, with a colon behind it; nothing for standard input.
    place: String,
    places: Vec<String>,
    pub(crate) bad: u64,
    refused: u64,
    /// What is said with a time that is far from the others.
    cure_of_years: &'static str,
}

impl Notes {
    /// `guesses_year` says that times have no year, and that none was given.
    pub(crate) fn new(bar: ProgressBar, files: &[PathBuf], guesses_year: bool) -> Self {
        let cure_of_years = if guesses_year { "; --year sets the year of the first time" } else { "" };
        let places = files.iter().map(|path| place(path)).collect();
        Self { bar, place: String::new(), places, bad: 0, refused: 0, cure_of_years }
    }

    pub(crate) fn begin_file(&mut self, path: &Path) {
        self.place = place(path);
    }

    /// What is odd about the input as a whole.
    pub(crate) fn input(&self, what: impl Display) {
        let place = if self.place.is_empty() { "standard input: " } else { &self.place };
        self.say(format_args!("{place}{what}"));
    }

    pub(crate) fn clock(&self, event: Event) {
        let below = "100 records in a row are below the clock by more than the window";
        match event {
            Event::Behind { clock, mover, line } => {
                let cure = "--reset-clock empties the filter there and resumes at the records' own time";
                self.at(line, format_args!("{below}: {}; {cure}{}", self.moved(clock, mover), self.cure_of_years));
            }
            Event::Reset { clock, mover, line } => {
                let done = "the filter was emptied and resumes at the records' own time";
                self.at(line, format_args!("{below}: {}; {done}", self.moved(clock, mover)));
            }
            Event::Jump { ahead, line } => {
                let ahead = show_time(ahead);
                self.at(line, format_args!("{ahead} after the last record of the state, more than the window"));
            }
            Event::Stray { ahead, mover } => self.say(format_args!(
                "{} {} ahead of the clock, and the next record is not: the clock stays where it was",
                self.named(mover),
                show_time(ahead)
            )),
        }
    }

    /// The record that moved the clock or would have.
    fn named(&self, mover: Mover) -> String {
        match mover {
            Mover::State => String::from("the last record of the state is"),
            Mover::Record { file, line } => format!("{}line {line}:", self.places.get(file).map_or("", String::as_str)),
        }
    }

    /// The record or state that moved the clock.
    fn moved(&self, clock: u64, mover: Mover) -> String {
        let by = match mover {
            Mover::State => String::from("the state"),
            Mover::Record { .. } => self.named(mover).trim_end_matches(':').to_owned(),
        };
        format!("{by} moved it to {}", time::shown(clock))
    }

    pub(crate) fn bad(&mut self, line: u64, why: &Bad<'_>) {
        self.bad += 1;
        self.name(line, format_args!("{why}"));
    }

    pub(crate) fn refused(&mut self, line: u64, ahead: u64) {
        self.refused += 1;
        self.name(line, format_args!("refused: {} ahead of the clock{}", Span(ahead), self.cure_of_years));
    }

    fn name(&self, line: u64, what: impl Display) {
        if self.bad + self.refused <= NAMED {
            self.at(line, what);
        }
    }

    pub(crate) fn at(&self, line: u64, what: impl Display) {
        self.say(format_args!("{}line {line}: {what}", self.place));
    }

    pub(crate) fn unit(&self, line: u64, time: Option<u64>, format: &TimeFormat) -> bool {
        let Some((time, (name, likelier))) = time.and_then(|time| Some((time, format.likelier_than(time)?))) else {
            return false;
        };
        let (time, read) = (time::shown(time), format.name());
        self.at(line, format_args!("{time} by {read}: with --time-format {name} it is {likelier}"));
        true
    }

    /// A record whose command failed: the whole record, as it came.
    pub(crate) fn failed(&self, line: u64, why: &str, record: &[u8]) {
        let said = [format!("lately: {}line {line}: --exec: {why}: ", self.place).as_bytes(), record, b"\n"].concat();
        self.bar.suspend(|| tell(said));
    }

    pub(crate) fn say(&self, what: impl Display) {
        self.bar.suspend(|| say(what));
    }

    pub(crate) fn sum_up(&self, times: &Times) {
        if self.bad + self.refused > 0 {
            let [bad, refused] =
                [(self.bad, "bad record"), (self.refused, "refused record")].map(|(n, what)| counted(n, what));
            say(format_args!("{bad} and {refused}{}", real_gaps(times.gaps)));
        }
        if times.too_late > 0 {
            let were = if times.too_late == 1 { "was" } else { "were" };
            let (records, latest) = (counted(times.too_late, "record"), show_time(times.max_lateness));
            say(format_args!("{records} {were} late by more than the window, the latest by {latest}"));
        }
        if times.strays > 1 {
            say(format_args!(
                "{} records were far ahead of the clock, and the records after them were not",
                times.strays
            ));
        }
        if times.resets > 0 {
            let times = if times.resets == 1 { String::from("once") } else { format!("{} times", times.resets) };
            say(format_args!("the filter was emptied {times}, because records fell far behind its clock"));
        }
    }
}

/// The report of gaps that a hundred refused records have shown.
fn real_gaps(n: u64) -> String {
    match n {
        0 => String::new(),
        1 => String::from("; 1 gap in time was real"),
        n => format!("; {n} gaps in time were real"),
    }
}

/// How a message begins that is about this input.
fn place(path: &Path) -> String {
    if is_stdin(path) { String::new() } else { format!("{}: ", path.display()) }
}

pub(crate) fn say(what: impl Display) {
    tell(format!("lately: {what}\n"));
}

/// What would be lost if the process ended now, in words; for a signal that does end it.
#[derive(Debug, Default)]
pub(crate) struct Stake(Mutex<Option<String>>);

impl Stake {
    /// The records on their way, and a state that is not saved since.
    pub(crate) fn set(&self, state: Option<&Path>) {
        let said = match state {
            Some(path) => format!("a further signal ended the run at once: {} was not saved", path.display()),
            None => String::from("a further signal ended the run at once: not all that was read was printed"),
        };
        self.put(Some(said));
    }

    pub(crate) fn clear(&self) {
        self.put(None);
    }

    fn put(&self, said: Option<String>) {
        if let Ok(mut lost) = self.0.lock() {
            *lost = said;
        }
    }

    pub(crate) fn lost(&self) -> Option<String> {
        self.0.lock().ok().and_then(|lost| lost.clone())
    }
}
