//! The second half of the flow: records leave the batch with their verdicts, and the output in time.

use std::io::{Error, ErrorKind, Read};
use std::time::Instant;

use lately::{Age, Verdict};

use super::{HELD, Outcome, Run};
use crate::bad::show_key;
use crate::exit::Exit;
use crate::flag::Word;
use crate::output::Output;
use crate::records::{Records, Span};
use crate::state::State;

impl Run {
    /// Shows the batch with its verdicts, and empties it.
    pub(super) fn settle(&mut self, records: &Records<impl Read>) -> Result<(), Exit> {
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
        let lines = judged.zip(self.judge.verdicts.iter().map(|verdict| word(*verdict)));
        self.output.put_lines(records, lines).map_err(|error| self.stopped_writing(&error))
    }

    /// Counts the key of a record, if those that are repeated most often are asked for.
    #[inline]
    pub(super) fn note_top(&mut self, records: &Records<impl Read>, span: &Span, word: Word) {
        if let (Some(top), Word::Duplicate) = (&mut self.top, word) {
            let parts = self.extract.parts();
            if let Ok((key, _)) = self.extract.read(records.body(span)) {
                top.add(key, |key, text| show_key(key, parts, text));
            }
        }
    }

    #[inline]
    pub(super) fn show(
        &mut self,
        records: &Records<impl Read>,
        span: &Span,
        word: Word,
        age: Option<Age>,
    ) -> Result<(), Exit> {
        self.note_top(records, span, word);
        if let Err(error) = self.output.put(records, span, word, age) {
            return Err(self.stopped_writing(&error));
        }
        self.repeat(|repeats| repeats.put(records, span, word, age))
    }

    #[inline]
    pub(super) fn repeat(&mut self, with: impl FnOnce(&mut Output) -> Result<(), Error>) -> Result<(), Exit> {
        let Some((repeats, name)) = &mut self.repeats else { return Ok(()) };
        let Err(error) = with(repeats) else { return Ok(()) };
        self.lost = true;
        Err(self.watch.stopped().map_or_else(|| Exit::failed(name, &error), Exit::Interrupted))
    }

    pub(super) fn hand_on(&mut self) -> Result<(), Exit> {
        self.held_since = None;
        self.output.flush().map_err(|error| self.stopped_writing(&error))?;
        self.repeat(Output::flush)
    }

    /// Hands on what is held for long, and saves when it is time to.
    pub(super) fn hand_on_in_time(&mut self) -> Result<(), Exit> {
        let now = Instant::now();
        let is_held = self.output.is_held || self.repeats.as_ref().is_some_and(|(repeats, _)| repeats.is_held);
        self.held_since = self.held_since.or(Some(now)).filter(|_| is_held);
        if self.held_since.is_some_and(|since| now.duration_since(since) >= HELD) {
            self.hand_on()?;
        }
        if self.state.as_ref().is_some_and(|state| state.is_due(now)) {
            self.hand_on()?;
            self.save_on_the_way();
            self.write_metrics_on_the_way();
        }
        if self.metrics.as_ref().is_some_and(|metrics| now >= metrics.due) {
            self.write_metrics_on_the_way();
        }
        let held = self.held_since.map(|since| since + HELD);
        let due = self.metrics.as_ref().map(|metrics| metrics.due);
        let jobs = self.has_jobs().then(|| now + HELD);
        let waiting = self.next_to_leave().map(|after| now + after);
        let next = held.into_iter().chain(jobs).chain(due).chain(waiting);
        let next = next.chain(self.state.as_ref().and_then(State::due)).min();
        self.watch.set_patience(next.map(|next| next.saturating_duration_since(now)));
        Ok(())
    }

    pub(super) fn stopped_writing(&mut self, error: &Error) -> Exit {
        self.lost = true;
        match (self.watch.stopped(), error.kind()) {
            (Some(signal), _) => Exit::Interrupted(signal),
            (None, ErrorKind::BrokenPipe) => Exit::ReaderGone,
            _ => Exit::failed("standard output", error),
        }
    }
}

#[inline]
fn word(verdict: Verdict) -> Word {
    if verdict == Verdict::New { Word::New } else { Word::Duplicate }
}
