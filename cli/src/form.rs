//! How the records of an input are written.

use crate::csv::Dialect;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Form {
    /// LF or NUL.
    pub(crate) end: u8,
    pub(crate) csv: Option<Dialect>,
    /// Whether JSON values follow each other on a line, or over several, if records are JSON.
    pub(crate) json: Option<Sequence>,
    /// The most bytes of a record, without its end.
    pub(crate) longest: usize,
    /// Lines at the beginning of each input that are no records.
    pub(crate) skipped: u64,
    /// The first byte of lines that are no records.
    pub(crate) comment: Option<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sequence {
    /// If the first line has a second value.
    IfSo,
    Always,
}

impl Form {
    pub(crate) fn has_asides(&self) -> bool {
        self.skipped > 0 || self.comment.is_some()
    }
}
