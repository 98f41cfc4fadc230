//! CSV columns that stand in another order than in the first file: its order is that of the output.

use crate::csv::{Dialect, Fields};

/// Where the columns of the first file stand in this one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Columns {
    pub(crate) places: Vec<usize>,
    dialect: Dialect,
    line: Vec<u8>,
    fields: Fields,
}

impl Columns {
    /// From the names of the first header and those of this one; nothing if they are not the same names.
    pub(crate) fn new(first: &[Vec<u8>], names: &[Vec<u8>], dialect: Dialect) -> Option<Self> {
        let mut taken = vec![false; names.len()];
        let places: Option<Vec<usize>> = first
            .iter()
            .map(|name| {
                let at = (0..names.len()).find(|&at| !taken[at] && names[at] == *name)?;
                taken[at] = true;
                Some(at)
            })
            .collect();
        let places = places.filter(|places| places.len() == names.len())?;
        Some(Self { places, dialect, line: Vec::new(), fields: Fields::default() })
    }

    /// The record with its fields in the order of the first file, each as it came.
    pub(crate) fn ordered(&mut self, body: &[u8]) -> &[u8] {
        self.fields.split_raw(body, self.dialect);
        self.line.clear();
        for (i, &at) in self.places.iter().enumerate() {
            if i > 0 {
                self.line.push(self.dialect.separator);
            }
            self.line.extend_from_slice(self.fields.get(at, body).unwrap_or_default());
        }
        &self.line
    }
}
