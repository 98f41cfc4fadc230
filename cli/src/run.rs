//! The flow: every record from input to output, by way of its key and the judge.

use std::io::{BufRead, Error};
use std::path::Path;
use std::rc::Rc;
use std::time::Instant;

use crate::args::Args;
use crate::input;
use crate::judge::{Judge, Judgement};
use crate::key::{Extract, Layout};
use crate::notes::Notes;
use crate::output::{Output, Word};
use crate::records::{Record, Records};
use crate::report::{Asked, Report};
use crate::settings::Columns;
use crate::signals::Interrupt;
use crate::stop::Stop;

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
    read: u64,
}

impl Run {
    pub(crate) fn new(args: &Args) -> Result<Self, Stop> {
        let interrupt = Interrupt::install().map_err(|error| Stop::failed("signals", &error))?;
        let extract = args.extract().map_err(Stop::Usage)?;
        let output = Output::new(args.style().map_err(Stop::Usage)?);
        let (judge, asked) = args.judge()?;
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
            read: 0,
        })
    }

    /// Reads all inputs; what was judged before a stop is handed on too.
    pub(crate) fn all(&mut self, args: &Args) -> Result<(), Stop> {
        let read = args.inputs().iter().try_for_each(|path| self.file(path, args));
        let flushed = self.output.flush().map_err(|error| self.stopped_writing(&error));
        self.notes.end_progress();
        read.and(flushed)
    }

    fn file(&mut self, path: &Path, args: &Args) -> Result<(), Stop> {
        let name = path.display().to_string();
        let separator = args.csv_separator().map_err(Stop::Usage)?;
        let input =
            input::open(path, &self.interrupt, self.notes.bar()).map_err(|error| Stop::failed(&name, &error))?;
        let mut records = Records::new(input, args.end(), separator);
        self.notes.begin_file(path);
        if args.csv {
            self.csv_header(&name, &mut records)?;
        }
        self.records(&name, &mut records)
    }

    fn records(&mut self, name: &str, records: &mut Records<impl BufRead>) -> Result<(), Stop> {
        let mut record = Record::default();
        while records.next(&mut record).map_err(|error| self.stopped_reading(name, &error))? {
            self.read += 1;
            let Some(word) = self.word(&record)? else { continue };
            self.output.put(&record, word).map_err(|error| self.stopped_writing(&error))?;
        }
        Ok(())
    }

    /// What is said of a record; nothing if it is to be left out.
    fn word(&mut self, record: &Record) -> Result<Option<Word>, Stop> {
        let (key, time) = match self.extract.read(record) {
            Ok(found) => found,
            Err(bad) => {
                self.notes.bad(record.line, &bad);
                return Ok(Some(Word::Bad));
            }
        };
        let time = time.unwrap_or_else(|| arrival(self.began));
        match self.judge.judge(key, time).map_err(Stop::filter)? {
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
    fn csv_header(&mut self, name: &str, records: &mut Records<impl BufRead>) -> Result<(), Stop> {
        let mut header = Record::default();
        if !records.next(&mut header).map_err(|error| self.stopped_reading(name, &error))? {
            return Ok(());
        }
        match &self.header {
            Some(first) if first == header.body() => return Ok(()),
            Some(_) => return Err(Stop::Failed(format!("{name}: its header is not that of the first file"))),
            None => {}
        }
        self.extract.layout = Layout::Csv(self.columns.find(&header.fields.all()).map_err(Stop::Usage)?);
        self.header = Some(header.body().to_vec());
        self.output.header(&header).map_err(|error| self.stopped_writing(&error))
    }

    fn stopped_reading(&self, name: &str, error: &Error) -> Stop {
        if self.interrupt.is_raised() { Stop::Interrupted } else { Stop::failed(name, error) }
    }

    fn stopped_writing(&self, error: &Error) -> Stop {
        match error.kind() {
            _ if self.interrupt.is_raised() => Stop::Interrupted,
            std::io::ErrorKind::BrokenPipe => Stop::ReaderGone,
            _ => Stop::failed("standard output", error),
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

/// The time of arrival: nanoseconds since the run began, on a clock that never runs back.
fn arrival(began: Instant) -> u64 {
    u64::try_from(began.elapsed().as_nanos()).unwrap_or(u64::MAX)
}
