//! The part of the flow with `--exec`: new records wait for their commands, and leave in order.

use std::io::Read;
use std::sync::Arc;

use super::{HELD, Outcome, Run};
use crate::exec::Record;
use crate::exit::Exit;
use crate::flag::Word;
use crate::jobs::{Job, Jobs};
use crate::judge::Ruled;
use crate::records::{Records, Span};
use crate::state::State;

impl Run {
    /// Runs the command for a new record, once there is room for it and no record with the same key has one.
    pub(super) fn take_to_command(
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
            (ruled, true) => ruled == Ruled::FarAhead,
            (Ruled::Here | Ruled::FarAhead, false) => return Ok(Outcome::Word(Word::Duplicate)),
            (ruled, false) => return Ok(self.said(ruled, span.line)),
        };
        self.has_bom = records.has_bom;
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
        let _ = self.jobs.as_mut().map(|jobs| jobs.wait(HELD));
        self.collect()?;
        self.hand_on_in_time()?;
        self.watch.stopped().map_or(Ok(()), |signal| Err(Exit::Interrupted(signal)))
    }

    pub(super) fn wait_for_commands(&mut self) -> Result<(), Exit> {
        while self.has_jobs() {
            self.wait_for_command()?;
        }
        Ok(())
    }

    pub(super) fn has_jobs(&self) -> bool {
        self.jobs.as_ref().is_some_and(|jobs| !jobs.is_empty())
    }

    /// No command is begun any more; those that run are waited for, whatever ends the run, and what they have done counts.
    pub(super) fn end_commands(&mut self) -> Result<(), Exit> {
        let mut ended = Ok(());
        while self.has_jobs() {
            let _ = self.jobs.as_mut().map(|jobs| jobs.wait(HELD));
            ended = ended.and(self.collect()).and(self.hand_on_in_time());
        }
        ended
    }

    /// Prints and commits the records whose commands have ended, in order.
    pub(super) fn collect(&mut self) -> Result<(), Exit> {
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
}
