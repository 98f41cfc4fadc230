//! The headers of CSV files: the first one is printed, and each one says where the columns are.

use crate::csv;
use crate::exit::Exit;
use crate::key::{Extract, Layout, Parts};
use crate::settings::Columns;

/// The headers of the files so far.
#[derive(Debug)]
pub(crate) struct Headers {
    columns: Columns,
    /// Whether files have one.
    are_there: bool,
    /// The names of the first one.
    first: Option<Vec<Vec<u8>>>,
    is_due: bool,
}

impl Headers {
    pub(crate) fn new(columns: Columns, are_there: bool) -> Self {
        Self { columns, are_there, first: None, is_due: false }
    }

    pub(crate) fn begin_file(&mut self) {
        self.is_due = self.are_there;
    }

    /// Whether the next record is a header.
    #[inline]
    pub(crate) fn is_due(&self) -> bool {
        self.is_due
    }

    /// Reads the header of the file `name`; says whether it is the first one.
    pub(crate) fn read(&mut self, name: &str, header: &[u8], extract: &mut Extract) -> Result<bool, Exit> {
        self.is_due = false;
        let Layout::Csv { separator, .. } = extract.layout else { return Ok(false) };
        let names = csv::split(header, separator);
        match &self.first {
            Some(first) if *first == names => return Ok(false),
            Some(_) => return Err(Exit::Failed(format!("{name}: its header is not that of the first file"))),
            None => {}
        }
        let names_in = names.iter().map(Vec::as_slice).collect::<Vec<_>>();
        let parts: Parts<usize> = self.columns.find(&names_in).map_err(Exit::Usage)?;
        extract.layout = Layout::Csv { separator, parts };
        self.first = Some(names);
        Ok(true)
    }
}
