//! The fields of one record, apart: what a reader of CSV fills and a record holds.

/// The fields of a CSV record, unquoted.
#[derive(Debug, Default)]
pub(crate) struct Fields {
    pub(crate) text: Vec<u8>,
    /// Where each begins and ends in `text`.
    pub(crate) places: Vec<(usize, usize)>,
}

impl Fields {
    /// Every field.
    pub(crate) fn all(&self) -> Vec<&[u8]> {
        self.places.iter().map(|&(begin, end)| &self.text[begin..end]).collect()
    }
}
