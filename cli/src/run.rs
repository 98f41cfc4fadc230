//! The flow: every record from input to output, by way of its key and the judge.

use std::io::{BufRead, Error};
use std::path::Path;
use std::rc::Rc;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use crate::args::Args;
use crate::exit::Exit;
use crate::input;
use crate::judge::{Judge, Judgement};
use crate::key::{Extract, Layout};
use crate::notes::Notes;
use crate::output::{Output, Word};
use crate::records::{Record, Records};
use crate::report::{Asked, Report};
use crate::settings::Columns;
use crate::signals::Interrupt;
use crate::state::State;
use crate::units::show_time;

/// A run over all inputs.
#[derive(Debug)]
pub(crate) struct Run {
    extract: Extract,
    judge: Judge,
    asked: Asked,
    output: Output,
    notes: Notes,
    interrupt: Rc<Interrupt>,
    columns: Columns,
    /// The header of the first CSV file, once it is known.
    header: Option<Vec<u8>>,
    began: Instant,
    /// When that was, in nanoseconds since 1970.
    began_at: u64,
    state: Option<State>,
    /// What was judged did not all get out: it must not be in the state.
    lost: bool,
    read: u64,
}

impl Run {
    pub(crate) fn new(args: &Args) -> Result<Self, Exit> {
        let interrupt = Interrupt::install().map_err(|error| Exit::failed("signals", &error))?;
        let extract = args.extract().map_err(Exit::Usage)?;
        let output = Output::new(args.style().map_err(Exit::Usage)?);
        let (judge, asked, state) = args.judge()?;
        let began_at = wall_clock()?;
        expect_past(&judge, args, began_at)?;
        Ok(Self {
            extract,
            output,
            judge,
            asked,
            notes: Notes::new(input::progress(&args.inputs())),
            interrupt: Rc::new(interrupt),
            columns: args.columns(),
            header: None,
            began: Instant::now(),
            began_at,
            state,
            lost: false,
            read: 0,
        })
    }

    /// Reads all inputs; what was judged before a stop is handed on too.
    pub(crate) fn all(&mut self, args: &Args) -> Result<(), Exit> {
        let read = args.inputs().iter().try_for_each(|path| self.file(path, args));
        let saved = if matches!(read, Err(Exit::ReaderGone)) { Ok(()) } else { self.hand_on() };
        self.notes.end_progress();
        read.and(saved)
    }

    /// Hands on what was judged, and then, if all of it got out, saves the state: no record is left out.
    fn hand_on(&mut self) -> Result<(), Exit> {
        self.output.flush().map_err(|error| self.stopped_writing(&error))?;
        if self.lost {
            return Ok(());
        }
        self.state.iter_mut().try_for_each(|state| state.save(self.judge.filter()))
    }

    fn file(&mut self, path: &Path, args: &Args) -> Result<(), Exit> {
        let name = path.display().to_string();
        let separator = args.csv_separator().map_err(Exit::Usage)?;
        let input =
            input::open(path, &self.interrupt, self.notes.bar()).map_err(|error| Exit::failed(&name, &error))?;
        let mut records = Records::new(input, args.end(), separator);
        self.notes.begin_file(path);
        if args.csv {
            self.csv_header(&name, &mut records)?;
        }
        self.records(&name, &mut records)
    }

    fn records(&mut self, name: &str, records: &mut Records<impl BufRead>) -> Result<(), Exit> {
        let mut record = Record::default();
        while records.next(&mut record).map_err(|error| self.stopped_reading(name, &error))? {
            self.read += 1;
            let Some(word) = self.word(&record)? else { continue };
            self.output.put(&record, word, self.judge.age).map_err(|error| self.stopped_writing(&error))?;
            if self.state.as_ref().is_some_and(State::is_due) {
                self.hand_on()?;
            }
        }
        Ok(())
    }

    /// What is said of a record; nothing if it is to be left out.
    fn word(&mut self, record: &Record) -> Result<Option<Word>, Exit> {
        self.judge.age = None;
        let (key, time) = match self.extract.read(record) {
            Ok(found) => found,
            Err(bad) => {
                self.notes.bad(record.line, &bad);
                return Ok(Some(Word::Bad));
            }
        };
        let time = time.unwrap_or_else(|| arrival(self.began_at, self.began));
        match self.judge.judge(key, time).map_err(Exit::filter)? {
            Judgement::New => Ok(Some(Word::New)),
            Judgement::Duplicate => Ok(Some(Word::Duplicate)),
            Judgement::TooLate => Ok(None),
            Judgement::Refused(ahead) => {
                self.notes.refused(record.line, ahead);
                Ok(Some(Word::Refused))
            }
        }
    }

    /// The header of a file: the first one is printed and says where the columns are, the others must be equal.
    fn csv_header(&mut self, name: &str, records: &mut Records<impl BufRead>) -> Result<(), Exit> {
        let mut header = Record::default();
        if !records.next(&mut header).map_err(|error| self.stopped_reading(name, &error))? {
            return Ok(());
        }
        match &self.header {
            Some(first) if first == header.body() => return Ok(()),
            Some(_) => return Err(Exit::Failed(format!("{name}: its header is not that of the first file"))),
            None => {}
        }
        self.extract.layout = Layout::Csv(self.columns.find(&header.fields.all()).map_err(Exit::Usage)?);
        self.header = Some(header.body().to_vec());
        self.output.header(&header).map_err(|error| self.stopped_writing(&error))
    }

    fn stopped_reading(&self, name: &str, error: &Error) -> Exit {
        if self.interrupt.is_raised() { Exit::Interrupted } else { Exit::failed(name, error) }
    }

    fn stopped_writing(&mut self, error: &Error) -> Exit {
        self.lost = true;
        match error.kind() {
            _ if self.interrupt.is_raised() => Exit::Interrupted,
            std::io::ErrorKind::BrokenPipe => Exit::ReaderGone,
            _ => Exit::failed("standard output", error),
        }
    }

    /// The figures so far.
    pub(crate) fn report(&mut self) -> Report {
        let (counts, took) = (self.judge.counts, self.began.elapsed());
        Report::new(self.read, self.notes.bad_count(), &counts, self.judge.stats(), self.asked, took)
    }

    pub(crate) fn notes(&self) -> &Notes {
        &self.notes
    }
}

/// The time of arrival: nanoseconds since 1970, by the wall clock when the run began and from then on by a clock that
/// never runs back.
fn arrival(began_at: u64, began: Instant) -> u64 {
    began_at.saturating_add(u64::try_from(began.elapsed().as_nanos()).unwrap_or(u64::MAX))
}

/// Nanoseconds since 1970.
fn wall_clock() -> Result<u64, Exit> {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).ok().map(|since| since.as_nanos());
    let now = since.and_then(|since| u64::try_from(since).ok());
    now.ok_or_else(|| Exit::Failed("the clock of this machine is not between 1970 and 2554".into()))
}

/// A state from the future: how long ago its records came is not known.
fn expect_past(judge: &Judge, args: &Args, now: u64) -> Result<(), Exit> {
    let ahead = judge.filter().stats().clock.0.saturating_sub(now);
    match &args.state {
        Some(path) if args.time_field.is_none() && ahead > 0 => Err(Exit::Failed(format!(
            "{}: its last record came {} after now, by the clock of this machine: what passed since is not known",
            path.display(),
            show_time(ahead)
        ))),
        _ => Ok(()),
    }
}
