//! The flow: records gather in a batch on their way to the judge, and leave it with their verdicts.
//!
//! A batch refers to records that lie in the reader's buffer, so it is settled before more is read. When nothing comes for a
//! moment, what is held is handed on; so it is after a moment of work, so that no record waits for long.

use std::io::{Error, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use lately::{Age, Verdict};

use crate::args::{Args, Late};
use crate::exec::Record;
use crate::exit::Exit;
use crate::flag::Word;
use crate::headers::Headers;
use crate::input::{self, Input};
use crate::jobs::{Job, Jobs};
use crate::judge::{Claim, Counts, Judge, Judgement};
use crate::key::{Bad, Extract, show_key};
use crate::metrics::{MetricsFile, Run as Figures};
use crate::notes::{self, Notes};
use crate::output::{Output, Style};
use crate::promises::{Asked, Promises};
use crate::records::{Flaw, Form, Records, Span};
use crate::report::Report;
use crate::settings::Begun;
use crate::signals::Watch;
use crate::sniff::Looker;
use crate::state::{Kept, State};
use crate::stdio::is_stdin;
use crate::time::TimeFormat;
use crate::top::{Counted, Top};
use crate::units::show_time;
use crate::waiting::Waiting;

mod waits;

/// The most records of a batch.
const BATCH: usize = 512;

/// How long a record may be held once it is judged.
const HELD: Duration = Duration::from_millis(10);

/// Times that are looked at for their unit, the first ones of a run.
const FIRST_TIMES: u32 = 10;

/// A run over all inputs.
#[derive(Debug)]
pub(crate) struct Run {
    extract: Extract,
    judge: Judge,
    asked: Asked,
    promises: Promises,
    output: Output,
    /// New records whose command runs, if there is one.
    jobs: Option<Jobs>,
    /// The file that duplicates also go to, and its name.
    repeats: Option<(Output, String)>,
    notes: Notes,
    watch: Rc<Watch>,
    headers: Headers,
    files: Vec<PathBuf>,
    form: Form,
    batch: Vec<(Span, Outcome)>,
    /// The number of the file that is read.
    file: usize,
    /// Whether quotes that look like none have yet to be reported.
    hints_at_tsv: bool,
    /// What is said of records that are not judged because they are too late.
    too_late: Outcome,
    /// The keys that are repeated most often, if they are asked for.
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
    /// Whether the input began with the mark before UTF-8.
    has_bom: bool,
    /// What was judged did not all get out: it must not be in the state.
    lost: bool,
    /// Whether an input could not be read, or not to its end: the others are read all the same.
    lacks_input: bool,
    read: u64,
    /// How many more times are looked at for their unit.
    first_times: u32,
    format: TimeFormat,
    /// The line of the last record.
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

/// What becomes of a record of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    /// The meaning of the next verdict.
    Judged,
    /// This, at once.
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
        watch.stake().set(args.state.as_deref());
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
            notes: Notes::new(input::progress(&files), &files),
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
        let saved = match read {
            Err(Exit::ReaderGone) => Ok(()),
            _ => self.end_waiting().and_then(|()| self.hand_on()).and_then(|()| self.save()),
        };
        self.watch.stake().clear();
        let written = self.write_metrics();
        self.notes.end_progress();
        read.and(saved).and(written)
    }

    fn file(&mut self, number: usize, report: &mut impl FnMut(&Report)) -> Result<(), Exit> {
        let path = self.files[number].clone();
        let name = if is_stdin(&path) { String::from("standard input") } else { path.display().to_string() };
        let input = match input::open(&path, &self.watch, self.notes.bar(), self.form.end) {
            Ok(input) => input,
            Err(error) => return self.leave(&name, &error),
        };
        let mut records = Records::new(input, self.form);
        self.notes.begin_file(&path);
        self.file = number;
        self.judge.clock().into_iter().for_each(|clock| clock.file = number);
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
                    if !std::mem::replace(&mut is_begun, true) && records.input().is_utf16() {
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

    /// Takes the records that are there, as many as a batch has.
    fn gather(&mut self, name: &str, records: &mut Records<impl Read>) -> Result<(), Exit> {
        self.judge.begin();
        self.arrival = arrival(self.began_at, self.began);
        self.judge.clock().into_iter().for_each(|clock| clock.wall = self.arrival);
        if self.extract.takes_whole_lines() && self.jobs.is_none() && self.waiting.is_none() && !self.form.has_asides()
        {
            self.gather_lines(records)?;
        }
        // A command may take long: the records before its own are not kept waiting.
        let most = if self.jobs.is_some() { 1 } else { BATCH };
        while self.batch.len() < most {
            let Some(span) = records.next() else { break };
            if span.flaw == Flaw::None && self.extract.is_blank(records.body(&span)) {
                continue;
            }
            if span.flaw == Flaw::Aside {
                self.aside(records, &span)?;
                continue;
            }
            if self.headers.is_due() {
                self.header(name, records, &span)?;
                continue;
            }
            self.read += u64::from(span.flaw != Flaw::Further);
            let said = self.take(records, &span)?;
            self.batch.push((span, said));
        }
        self.judge.finish().map_err(Exit::filter)
    }

    /// What is no record goes out as it came, in its place: of the lines that are skipped those of the first file, as its header.
    fn aside(&mut self, records: &Records<impl Read>, span: &Span) -> Result<(), Exit> {
        let is_left = self.file > 0 && span.line <= self.form.skipped;
        if self.headers.is_due() && !is_left {
            return self.output.put(records, span, Word::Aside, None).map_err(|error| self.stopped_writing(&error));
        }
        self.batch.push((*span, if is_left { Outcome::Nothing } else { Outcome::Word(Word::Aside) }));
        Ok(())
    }

    /// Takes whole lines to the judge, where each is its own key: nothing about them has to be looked at one by one. It
    /// stops at the first record that is no such line.
    fn gather_lines(&mut self, records: &mut Records<impl Read>) -> Result<(), Exit> {
        let mut said = Outcome::Nothing;
        while self.batch.len() < BATCH {
            let Some(span) = records.next_line() else { break };
            let key = records.body(&span);
            self.read += 1;
            if said == Outcome::Judged {
                self.judge.take_with_last(key, self.arrival);
            } else {
                let judged = self.judge.take(key, self.arrival, span.line).map_err(Exit::filter)?;
                said = self.said(judged, span.line);
            }
            self.batch.push((span, said));
        }
        Ok(())
    }

    /// Takes a record to the judge.
    #[inline]
    fn take(&mut self, records: &Records<impl Read>, span: &Span) -> Result<Outcome, Exit> {
        if self.hints_at_tsv && Self::has_odd_quotes(records, span) {
            self.hints_at_tsv = false;
            self.notes.tsv(span.line);
        }
        let bad = match span.flaw {
            Flaw::None => match self.extract.read(records.body(span)) {
                Ok((key, time)) => {
                    if self.first_times > 0 {
                        let is_odd = self.notes.unit(span.line, time, &self.format);
                        self.first_times = if is_odd { 0 } else { self.first_times - 1 };
                    }
                    let time = time.unwrap_or(self.arrival);
                    if self.jobs.is_some() {
                        let key = key.to_vec();
                        return self.take_to_command(records, span, key, time);
                    }
                    let judged = self.judge.take(key, time, span.line).map_err(Exit::filter)?;
                    if self.waiting.is_some() && judged == Judgement::Observed {
                        self.times.push((time, self.judge.now()));
                    }
                    return Ok(self.said(judged, span.line));
                }
                Err(bad) => bad,
            },
            Flaw::TooLong => Bad::TooLong(self.form.longest),
            Flaw::OpenQuote => Bad::OpenQuote,
            Flaw::LongQuote => Bad::LongQuote(self.form.longest),
            Flaw::Text => Bad::Text,
            Flaw::Further => return Ok(Outcome::Word(Word::Bad)),
            Flaw::Aside => return Ok(Outcome::Word(Word::Aside)),
        };
        self.notes.bad(span.line, &bad);
        Ok(Outcome::Word(Word::Bad))
    }

    /// Whether quotes join lines, or are no marks of a field.
    fn has_odd_quotes(records: &Records<impl Read>, span: &Span) -> bool {
        match span.flaw {
            Flaw::None => memchr::memchr(b'\n', records.body(span)).is_some(),
            flaw => matches!(flaw, Flaw::OpenQuote | Flaw::LongQuote | Flaw::Text),
        }
    }

    /// Runs the command for a new record, once there is room for it and no record with the same key has one.
    fn take_to_command(
        &mut self,
        records: &Records<impl Read>,
        span: &Span,
        key: Vec<u8>,
        time: u64,
    ) -> Result<Outcome, Exit> {
        while self.jobs.as_ref().is_some_and(|jobs| !jobs.has_room() || jobs.has_key(&key)) {
            self.wait_for_command()?;
        }
        let is_far = match self.judge.claim(&key, time, span.line).map_err(Exit::filter)? {
            Claim::New => false,
            Claim::NewFar => true,
            Claim::Duplicate => return Ok(Outcome::Word(Word::Duplicate)),
            Claim::TooLate => return Ok(self.said(Judgement::TooLate, span.line)),
            Claim::Refused(ahead) => return Ok(self.said(Judgement::Refused(ahead), span.line)),
        };
        self.has_bom = records.has_bom();
        let record = Arc::new(Record::new(records.body(span), records.end(span), self.form.end));
        let job = Job { record, key, time, line: span.line, is_far };
        if let Some(jobs) = &mut self.jobs {
            jobs.start(job);
        }
        if is_far {
            self.wait_for_commands()?;
        }
        Ok(Outcome::Nothing)
    }

    /// Waits a moment for a command to end, and does what is to be done meanwhile.
    fn wait_for_command(&mut self) -> Result<(), Exit> {
        self.wait_a_moment();
        self.collect()?;
        self.hand_on_in_time()?;
        self.watch.stopped().map_or(Ok(()), |signal| Err(Exit::Interrupted(signal)))
    }

    /// Waits until no command runs.
    fn wait_for_commands(&mut self) -> Result<(), Exit> {
        while self.has_jobs() {
            self.wait_for_command()?;
        }
        Ok(())
    }

    fn wait_a_moment(&mut self) {
        if let Some(jobs) = &mut self.jobs {
            jobs.wait(HELD);
        }
    }

    fn has_jobs(&self) -> bool {
        self.jobs.as_ref().is_some_and(|jobs| !jobs.is_empty())
    }

    /// No command is begun any more; those that run are waited for, whatever ends the run, and what they have done counts.
    fn end_commands(&mut self) -> Result<(), Exit> {
        let mut ended = Ok(());
        while self.has_jobs() {
            self.wait_a_moment();
            ended = ended.and(self.collect()).and(self.hand_on_in_time());
        }
        ended
    }

    /// Prints and commits the records whose commands have ended, in order.
    fn collect(&mut self) -> Result<(), Exit> {
        while let Some((job, failure)) = self.jobs.as_mut().and_then(Jobs::next_ended) {
            let Job { record, key, time, line, is_far } = job;
            if let Some(why) = failure {
                self.notes.failed(line, &why, record.body());
            } else if !self.lost {
                let printed = self.output.put_record(self.has_bom, &record);
                printed.map_err(|error| self.stopped_writing(&error))?;
                self.judge.commit(&key, time, is_far).map_err(Exit::filter)?;
                self.state.iter_mut().for_each(State::note);
            }
        }
        Ok(())
    }

    #[inline]
    fn said(&mut self, judged: Judgement, line: u64) -> Outcome {
        match judged {
            Judgement::Observed => Outcome::Judged,
            Judgement::TooLate => self.too_late,
            Judgement::Refused(ahead) => {
                self.notes.refused(line, ahead);
                Outcome::Word(Word::Refused)
            }
        }
    }

    /// Shows the batch with its verdicts, and empties it.
    fn settle(&mut self, records: &Records<impl Read>) -> Result<(), Exit> {
        for event in self.judge.events() {
            self.notes.clock(event);
        }
        let batch = std::mem::take(&mut self.batch);
        let mut next = self.show_lines(records, &batch)?;
        for (span, said) in &batch[next..] {
            let (word, age) = match said {
                Outcome::Nothing => continue,
                Outcome::Word(word) => {
                    if *word != Word::Duplicate {
                        self.wait_for_commands()?;
                    }
                    (*word, None)
                }
                Outcome::Judged => {
                    let (verdict, age) = self.judge.verdict(next);
                    next += 1;
                    if self.waiting.is_some() {
                        self.show_waiting(records, span, word(verdict), next - 1)?;
                        continue;
                    }
                    (word(verdict), age)
                }
            };
            self.show(records, span, word, age)?;
        }
        self.batch = batch;
        self.output.end_batch(records).map_err(|error| self.stopped_writing(&error))?;
        self.repeat(|repeats| repeats.end_batch(records))?;
        self.line = self.batch.last().map_or(self.line, |(span, _)| span.line);
        self.batch.clear();
        self.times.clear();
        self.state.iter_mut().for_each(State::note);
        self.collect()?;
        self.tell_broken(false);
        self.hand_on_in_time()
    }

    /// Shows records from the first on, as long as they only have to be left out or handed on as they came; gives how many.
    fn show_lines(&mut self, records: &Records<impl Read>, batch: &[(Span, Outcome)]) -> Result<usize, Exit> {
        if self.top.is_some() || self.repeats.is_some() || self.waiting.is_some() {
            return Ok(0);
        }
        let judged = batch.iter().take_while(|(_, said)| *said == Outcome::Judged).map(|(span, _)| span);
        let lines = judged.zip(self.judge.verdicts().iter().map(|verdict| word(*verdict)));
        self.output.put_lines(records, lines).map_err(|error| self.stopped_writing(&error))
    }

    /// Counts the key of a record, if those that are repeated most often are asked for.
    #[inline]
    fn note_top(&mut self, records: &Records<impl Read>, span: &Span, word: Word) {
        if let (Some(top), Word::Duplicate) = (&mut self.top, word) {
            let parts = self.extract.parts();
            if let Ok((key, _)) = self.extract.read(records.body(span)) {
                top.add(key, |key, text| show_key(key, parts, text));
            }
        }
    }

    /// Shows a record where it belongs.
    #[inline]
    fn show(&mut self, records: &Records<impl Read>, span: &Span, word: Word, age: Option<Age>) -> Result<(), Exit> {
        self.note_top(records, span, word);
        if let Err(error) = self.output.put(records, span, word, age) {
            return Err(self.stopped_writing(&error));
        }
        self.repeat(|repeats| repeats.put(records, span, word, age))
    }

    /// Says which promise of the filter is broken, when that begins.
    fn tell_broken(&mut self, is_pause: bool) {
        let Some((stats, worst)) = self.judge.news(is_pause) else { return };
        if let Some(what) = self.promises.news(&self.asked, &stats, worst) {
            self.notes.broken(self.line, &what);
        }
    }

    /// Hands on what is held for long, and saves when it is time to.
    fn hand_on_in_time(&mut self) -> Result<(), Exit> {
        let now = Instant::now();
        self.held_since = self.held_since.or(Some(now)).filter(|_| self.is_held());
        if self.held_since.is_some_and(|since| now.duration_since(since) >= HELD) {
            self.hand_on()?;
        }
        if self.state.as_ref().is_some_and(|state| state.is_due(now)) {
            self.hand_on()?;
            self.save_on_the_way();
            self.write_metrics_on_the_way();
        }
        if self.metrics.as_ref().is_some_and(|metrics| metrics.is_due(now)) {
            self.write_metrics_on_the_way();
        }
        let held = self.held_since.map(|since| since + HELD);
        let due = self.metrics.as_ref().map(MetricsFile::due);
        let jobs = self.has_jobs().then(|| now + HELD);
        let waiting = self.next_to_leave().map(|after| now + after);
        let next = held.into_iter().chain(jobs).chain(due).chain(waiting);
        let next = next.chain(self.state.as_ref().and_then(State::due)).min();
        self.watch.set_patience(next.map(|next| next.saturating_duration_since(now)));
        Ok(())
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

    /// Hands on what was judged.
    fn hand_on(&mut self) -> Result<(), Exit> {
        self.held_since = None;
        self.output.flush().map_err(|error| self.stopped_writing(&error))?;
        self.repeat(Output::flush)
    }

    /// Does this with the file of the duplicates, if there is one.
    #[inline]
    fn repeat(&mut self, with: impl FnOnce(&mut Output) -> Result<(), Error>) -> Result<(), Exit> {
        let Some((repeats, name)) = &mut self.repeats else { return Ok(()) };
        let Err(error) = with(repeats) else { return Ok(()) };
        self.lost = true;
        Err(self.watch.stopped().map_or_else(|| Exit::failed(name, &error), Exit::Interrupted))
    }

    fn is_held(&self) -> bool {
        self.output.is_held() || self.repeats.as_ref().is_some_and(|(repeats, _)| repeats.is_held())
    }

    /// Saves the state, if all that was judged got out: no record is left out.
    fn save(&mut self) -> Result<(), Exit> {
        if self.lost {
            return Ok(());
        }
        let kept = Kept { filter: self.judge.filter(), far: self.judge.far(), waiting: self.waiting.as_ref() };
        self.state.iter_mut().try_for_each(|state| state.save(&kept))
    }

    /// The same during the run, when a failure is reported and does not end it.
    fn save_on_the_way(&mut self) {
        let kept = Kept { filter: self.judge.filter(), far: self.judge.far(), waiting: self.waiting.as_ref() };
        let state = self.state.as_mut().filter(|_| !self.lost);
        let said = state.and_then(|state| state.save_on_the_way(&kept));
        said.into_iter().for_each(|said| self.notes.say(said));
    }

    /// Writes the metrics, if they are asked for.
    fn write_metrics(&mut self) -> Result<(), Exit> {
        let Some(metrics) = &mut self.metrics else { return Ok(()) };
        let figures = Figures::new(self.read, self.notes.bad_count(), &self.judge.counts(), wall_clock().unwrap_or(0));
        metrics.write(self.judge.stats().0, &self.asked, &figures)
    }

    /// The same on the way, where a failure is reported once and does not end the run.
    fn write_metrics_on_the_way(&mut self) {
        let written = self.write_metrics();
        let said = self.metrics.as_mut().and_then(|metrics| metrics.news(written));
        said.into_iter().for_each(|said| self.notes.say(said));
    }

    /// The header of a CSV file: the first one is printed.
    fn header(&mut self, name: &str, records: &Records<impl Read>, span: &Span) -> Result<(), Exit> {
        if span.flaw != Flaw::None {
            return Err(Exit::Failed(format!("{name}: its header is no whole record")));
        }
        let is_first = self.headers.read(name, records.body(span), &mut self.extract)?;
        let (order, columns) = (self.headers.order(), self.headers.columns());
        self.repeats.iter_mut().for_each(|(repeats, _)| repeats.set_columns(order.clone(), columns));
        self.output.set_columns(order, columns);
        if !is_first {
            return Ok(());
        }
        let printed = self.output.header(records, span);
        printed.map_err(|error| self.stopped_writing(&error))?;
        self.repeat(|repeats| repeats.header(records, span))
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

    /// Whether an input could not be read, or not to its end.
    pub(crate) fn lacks_input(&self) -> bool {
        self.lacks_input
    }

    fn stopped_writing(&mut self, error: &Error) -> Exit {
        self.lost = true;
        match (self.watch.stopped(), error.kind()) {
            (Some(signal), _) => Exit::Interrupted(signal),
            (None, ErrorKind::BrokenPipe) => Exit::ReaderGone,
            _ => Exit::failed("standard output", error),
        }
    }

    /// The figures so far.
    pub(crate) fn report(&mut self) -> Report {
        let (counts, took) = (self.judge.counts(), self.began.elapsed());
        let waiting = self.waiting.as_ref().map(Waiting::figures);
        let counts = Counts { failed: self.jobs.as_ref().map(Jobs::failed), waiting, ..counts };
        Report::new(self.read, self.notes.bad_count(), &counts, self.judge.stats(), self.asked, took)
    }

    /// The `n` keys that were repeated most often.
    pub(crate) fn top(&self, n: u64) -> Vec<Counted> {
        self.top.iter().flat_map(|top| top.first(usize::try_from(n).unwrap_or(usize::MAX))).collect()
    }

    pub(crate) fn notes(&self) -> &Notes {
        &self.notes
    }
}

#[inline]
fn word(verdict: Verdict) -> Word {
    if verdict == Verdict::New { Word::New } else { Word::Duplicate }
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

/// From when on the times of arrival count: from now, or from the last one of a state that lies ahead of now. How long ago
/// its records came is not known, and the pause counts as 0; or the filter is emptied.
fn begin_arrival(judge: &mut Judge, args: &Args, now: u64) -> u64 {
    let last = judge.filter().stats().clock.0;
    let Some(path) = args.state.as_ref().filter(|_| args.time_field.is_none() && last > now) else { return now };
    let ahead = format!("{}: saved {} after now, by the clock of this machine", path.display(), show_time(last - now));
    if args.reset_clock {
        notes::say(format_args!("{ahead}: the filter was emptied"));
        judge.restart();
        return now;
    }
    notes::say(format_args!("{ahead}: the pause counts as 0; --reset-clock would empty the filter"));
    last
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::args::Cli;

    /// What a run over `records` asks of the allocator once it is ready.
    fn allocations(args: &[&str], records: &[u8]) -> u64 {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), records).unwrap();
        let all = [&["lately"], args, &[file.path().to_str().unwrap()]].concat();
        let args = Cli::try_parse_from(all).unwrap().args;
        let watch = Watch::install().unwrap();
        let nowhere = |style| Ok(Output::to(Box::new(std::io::sink()), style));
        let mut run = Run::with(&args, watch, nowhere).map_err(|error| format!("{error:?}")).unwrap();
        let asked = allocation_counter::measure(|| run.all(|_| ()).map_err(|error| format!("{error:?}")).unwrap());
        assert!(run.read >= 20_000, "{} records", run.read);
        asked.count_total
    }

    /// Twice as many records allocate no more, except that a table grows and shrinks now and then.
    fn expect_none(args: &[&str], head: &str, record: impl Fn(u64) -> String) {
        let records = |n: u64| [head.to_owned(), (0..n).map(&record).collect()].concat().into_bytes();
        let [once, twice] = [20_000, 40_000].map(|n| allocations(args, &records(n)));
        assert!(twice <= once + 40, "{args:?}: {once} allocations, and {twice} for twice as many records");
    }

    /// One after the other, again and again.
    fn pick<'a>(texts: &[&'a str], i: u64) -> &'a str {
        texts[usize::try_from(i).unwrap() % texts.len()]
    }

    const LAST: [&str; 2] = ["--last", "1000"];

    #[test]
    fn text_costs_no_allocation_per_record() {
        let line = |i: u64| format!("Name{} {} \"x \\\" y\" [z]\n", i % 3000, i % 7);
        for args in [
            &[][..],
            &["-i"],
            &["-t", " ", "-k", "2"],
            &["-t", " ", "-k", "2-", "-i"],
            &["-t", "blank", "-k", "-1,1"],
            &["-t", " \"", "-k", "1"],
            &["--mark"],
            &["--mark=age"],
            &["-d", "--top", "9"],
            &["-t", " ", "-k", "1,2", "--top", "9"],
            &["-t", " ", "-k", "9"],
            &["--max-record", "9"],
        ] {
            expect_none(&[&LAST[..], args].concat(), "", line);
        }
    }

    #[test]
    fn csv_costs_no_allocation_per_record() {
        let line = |i: u64| format!("{},\"a \"\"{}\"\"\",x\n", i % 3000, i % 7);
        for args in [&["-k", "a"][..], &["-k", "b,1"], &["-k", "b", "--mark=age", "--mark-name", "a,b"]] {
            expect_none(&[&LAST[..], &["--csv"], args].concat(), "a,b,c\n", line);
        }
        expect_none(&[&LAST[..], &["--csv", "--no-header", "-k", "4"]].concat(), "", line);
        // Columns in the order of the file before.
        let first = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(first.path(), "c,b,a\n").unwrap();
        expect_none(&[&LAST[..], &["--csv", "-k", "a", first.path().to_str().unwrap()]].concat(), "a,b,c\n", line);
    }

    #[test]
    fn json_costs_no_allocation_per_record() {
        let line = |i: u64| {
            format!(
                "{{\"n\\u0061me\":\"\\u00e9\\n{}\",\"o\":{{\"b\":[1.5E3,\"\\t\"],\"a\":{{\"d\":{i},\"c\":null}}}},\"x\":1e5}}\n",
                i % 3000
            )
        };
        for args in [
            &["--json", "/name"][..],
            &["--json", "/o", "--json", "/x", "-i"],
            &["--json", ""],
            &["--json", "/o/b/1", "--mark"],
            &["--json", "/o/a/d", "--mark=age", "--mark-name", "\"v\""],
            &["--json", "/name", "-d", "--top", "9"],
            &["--json", "/none"],
            &["--json", "/name", "--mark", "--mark-name", "x"],
        ] {
            expect_none(&[&LAST[..], args].concat(), "", line);
        }
        let broken = |i: u64| format!("{}\n", pick(&["{\"a\":", "[1,]", "\"\\ud800\"", "01", "{\"a\" 1}", "nul"], i));
        expect_none(&[&LAST[..], &["--json", ""]].concat(), "", broken);
    }

    #[test]
    fn times_cost_no_allocation_per_record() {
        let at = |i: u64| 1_700_000_000 + i / 100;
        let timed = |format: &'static str| ["--window", "10s", "-k", "2", "--time-field", "1", "--time-format", format];
        expect_none(&timed("epoch"), "", |i| format!("{}.{:03}\tkey{}\n", at(i), i % 1000, i % 700));
        expect_none(&timed("epoch_ms"), "", |i| format!("{}e3\tkey{}\n", at(i), i % 700));
        expect_none(&timed("rfc3339"), "", |i| {
            format!("2026-03-01T12:{:02}:{:02}Z\tkey{}\n", i / 6000 % 60, i / 100 % 60, i % 700)
        });
        expect_none(&timed("clf"), "", |i| {
            format!("[17/May/2015:10:{:02}:{:02} +0000]\tkey{}\n", i / 6000 % 60, i / 100 % 60, i % 700)
        });
        // Bad ones, late ones, and refused ones.
        expect_none(&timed("epoch"), "", |i| format!("{}\tkey\n", pick(&["", "x", "1e", "1.5.5"], i)));
        for format in ["clf", "rfc3339"] {
            expect_none(&timed(format), "", |i| format!("{}\tkey\n", pick(&["", "-", "none", "[17/May/20]"], i)));
        }
        let custom = timed("strptime:%Y-%m-%d %H:%M:%S%.f");
        expect_none(&custom, "", |i| {
            format!("2026-03-01 12:{:02}:{:02}.5\tkey{}\n", i / 6000 % 60, i / 100 % 60, i % 700)
        });
        let late = |i: u64| format!("{}\tkey{}\n", if i == 0 { 1_900_000_000 } else { at(i) }, i % 700);
        expect_none(&[&timed("epoch")[..], &["--late", "pass"]].concat(), "", late);
        let far = |i: u64| format!("{}\tkey\n", if i % 100 < 50 { at(i) } else { 1_900_000_000 });
        expect_none(&timed("epoch"), "", far);
    }
}
