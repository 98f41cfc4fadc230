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

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &str) -> Vec<Vec<u8>> {
        crate::csv::split(list.as_bytes(), Dialect::usual(b','))
    }

    #[test]
    fn fields_come_in_the_order_of_the_first_file_as_they_came() {
        let mut columns = Columns::new(&names("a,b,c,b"), &names("b,c,b,a"), Dialect::usual(b',')).unwrap();
        assert_eq!(columns.ordered(b"1,\"x,\"\"\",,4"), b"4,1,\"x,\"\"\",");
        assert_eq!(columns.places, [3, 0, 1, 2]);
        for other in ["a,b", "a,b,c,d", "a,b,c,b,b", "a,a,b,c"] {
            assert_eq!(Columns::new(&names("a,b,c,b"), &names(other), Dialect::usual(b',')), None, "{other}");
        }
    }
}
