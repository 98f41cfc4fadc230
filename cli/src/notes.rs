//! What goes to standard error on the way: the first records that are bad or refused, with their line numbers.

use std::fmt::Display;
use std::io::{Write, stderr};
use std::path::Path;

use indicatif::ProgressBar;

use crate::input::is_stdin;
use crate::key::Bad;
use crate::units::show_time;

/// Records that are named one by one; more are counted only.
const NAMED: u64 = 10;

#[derive(Debug)]
pub(crate) struct Notes {
    bar: ProgressBar,
    /// The file that is read, with a colon behind it; nothing for standard input.
    place: String,
    bad: u64,
    refused: u64,
}

impl Notes {
    pub(crate) fn new(bar: ProgressBar) -> Self {
        Self { bar, place: String::new(), bad: 0, refused: 0 }
    }

    pub(crate) fn begin_file(&mut self, path: &Path) {
        self.place = if is_stdin(path) { String::new() } else { format!("{}: ", path.display()) };
    }

    pub(crate) fn bad(&mut self, line: u64, why: &Bad) {
        self.bad += 1;
        self.name(line, format_args!("{why}"));
    }

    pub(crate) fn refused(&mut self, line: u64, ahead: u64) {
        self.refused += 1;
        if self.bad + self.refused <= NAMED {
            self.name(line, format_args!("refused: {} ahead of the clock", show_time(ahead)));
        }
    }

    pub(crate) fn bad_count(&self) -> u64 {
        self.bad
    }

    pub(crate) fn bar(&self) -> &ProgressBar {
        &self.bar
    }

    pub(crate) fn end_progress(&self) {
        self.bar.finish_and_clear();
    }

    fn name(&self, line: u64, what: impl Display) {
        if self.bad + self.refused <= NAMED {
            self.bar.suspend(|| say(format_args!("{}line {line}: {what}", self.place)));
        }
    }

    /// Sums up what was bad and refused, if anything was.
    pub(crate) fn sum_up(&self, gaps: u64) {
        if self.bad + self.refused > 0 {
            let gaps = if gaps > 0 { format!("; {gaps} gaps in time were real") } else { String::new() };
            say(format_args!("{} bad and {} refused records{gaps}", self.bad, self.refused));
        }
    }
}

/// A line on standard error. If that is gone too there is nobody to tell.
pub(crate) fn say(what: impl Display) {
    let _ = writeln!(stderr(), "lately: {what}");
}
