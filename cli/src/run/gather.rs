//! The first half of the flow: records gather in a batch on their way to the judge.

use std::io::Read;

use super::{BATCH, Outcome, Run, arrival};
use crate::bad::Bad;
use crate::exit::Exit;
use crate::flag::Word;
use crate::judge::Ruled;
use crate::records::{Flaw, Records, Span};

impl Run {
    /// Takes the records that are there, as many as a batch has.
    pub(super) fn gather(&mut self, name: &str, records: &mut Records<impl Read>) -> Result<(), Exit> {
        self.judge.begin();
        self.arrival = arrival(self.began_at, self.began);
        self.judge.clock.iter_mut().for_each(|clock| clock.wall = self.arrival);
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
            if self.headers.is_due {
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
        if self.headers.is_due && !is_left {
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
                self.judge.push(key, self.arrival);
            } else {
                let judged = self.judge.take(key, self.arrival, span.line).map_err(Exit::filter)?;
                said = self.said(judged, span.line);
            }
            self.batch.push((span, said));
        }
        Ok(())
    }

    #[inline]
    fn take(&mut self, records: &Records<impl Read>, span: &Span) -> Result<Outcome, Exit> {
        if self.hints_at_tsv && Self::has_odd_quotes(records, span) {
            self.hints_at_tsv = false;
            let hint = "quotes join lines here, or are no marks of a field: --tsv reads a file that has none";
            self.notes.at(span.line, hint);
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
                    if self.waiting.is_some() && matches!(judged, Ruled::Here | Ruled::FarAhead) {
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

    #[inline]
    pub(super) fn said(&mut self, judged: Ruled, line: u64) -> Outcome {
        match judged {
            Ruled::Here | Ruled::FarAhead => Outcome::Judged,
            Ruled::TooLate => self.too_late,
            Ruled::Refused(ahead) => {
                self.notes.refused(line, ahead);
                Outcome::Word(Word::Refused)
            }
        }
    }

    /// The header of a CSV file: the first one is printed.
    fn header(&mut self, name: &str, records: &Records<impl Read>, span: &Span) -> Result<(), Exit> {
        if span.flaw != Flaw::None {
            return Err(Exit::Failed(format!("{name}: its header is no whole record")));
        }
        let is_first = self.headers.read(name, records.body(span), &mut self.extract)?;
        let (order, columns) = (self.headers.order.clone(), self.headers.columns());
        self.repeats.iter_mut().for_each(|(repeats, _)| repeats.set_columns(order.clone(), columns));
        self.output.set_columns(order, columns);
        if !is_first {
            return Ok(());
        }
        let printed = self.output.header(records, span);
        printed.map_err(|error| self.stopped_writing(&error))?;
        self.repeat(|repeats| repeats.header(records, span))
    }
}
