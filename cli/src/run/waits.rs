//! The part of the flow that waits: what is due leaves before each record, and while nothing comes.

use std::io::Read;
use std::time::Duration;

use super::{Run, arrival};
use crate::exit::Exit;
use crate::flag::Word;
use crate::records::{Records, Span};
use crate::state::State;
use crate::waiting::{Aim, Left, Sighting, Waiting};

impl Run {
    /// Shows record `i` of those that were judged, or holds it back.
    pub(super) fn show_waiting(
        &mut self,
        records: &Records<impl Read>,
        span: &Span,
        word: Word,
        i: usize,
    ) -> Result<(), Exit> {
        let Some(waiting) = &mut self.waiting else { return Ok(()) };
        let (time, clock) = self.times.get(i).copied().unwrap_or((self.arrival, None));
        let now = waiting.clock(clock, self.arrival);
        let due = waiting.close(now);
        let Ok((key, _)) = self.extract.read(records.body(span)) else { return Ok(()) };
        let is_count = waiting.are_counts();
        let (body, end) = (self.output.ordered(records.body(span)), records.end(span));
        let for_it = waiting.see(Sighting { key, body, end, time, now }, word == Word::New);
        self.print_left(due)?;
        self.print_left(for_it)?;
        if is_count {
            return self.show(records, span, word, None);
        }
        self.note_top(records, span, word);
        Ok(())
    }

    /// Prints what has waited long enough, if it waits by the clock of this machine.
    pub(super) fn let_go_by_arrival(&mut self) -> Result<(), Exit> {
        let now = arrival(self.began_at, self.began);
        let due = self.waiting.as_mut().filter(|waiting| waiting.due(now) == Some(0)).map(|waiting| waiting.close(now));
        self.print_left(due.unwrap_or_default())
    }

    /// How long until something leaves though nothing comes.
    pub(super) fn next_to_leave(&self) -> Option<Duration> {
        let waiting = self.waiting.as_ref()?;
        waiting.due(arrival(self.began_at, self.began)).map(Duration::from_nanos)
    }

    /// Prints all that waits; open counts stay in the state, if there is one.
    pub(super) fn end_waiting(&mut self) -> Result<(), Exit> {
        let has_state = self.state.is_some();
        let ends = self.waiting.as_mut().filter(|waiting| !(self.lost || has_state && waiting.are_counts()));
        let all = ends.map(Waiting::close_all);
        self.print_left(all.unwrap_or_default())
    }

    fn print_left(&mut self, left: Vec<Left>) -> Result<(), Exit> {
        for (entry, is_early) in left {
            self.state.iter_mut().for_each(State::note);
            let mut summary = Vec::new();
            let printed = match self.waiting.as_ref().map(|waiting| &waiting.aim) {
                Some(Aim::Count { form, is_json }) => {
                    form.write(&entry, *is_json, is_early, &mut summary);
                    self.output.put_between(&summary, &[self.form.end])
                }
                _ => self.output.put_between(entry.body(), entry.end()),
            };
            printed.map_err(|error| self.stopped_writing(&error))?;
        }
        Ok(())
    }
}
