//! The headers of CSV files: the first one is printed, and each one names the columns of its file.

use crate::columns::Columns;
use crate::csv;
use crate::exit::Exit;
use crate::fields::FieldSpec;
use crate::key::{Extract, Layout, Parts, Width};
use crate::misuse::out_of_range;
use crate::names::Names;

pub(crate) struct Headers {
    columns: Names,
    are_there: bool,
    first: Option<Vec<Vec<u8>>>,
    /// Whether the next record is a header.
    pub(crate) is_due: bool,
    /// The name of the column that is added, if one is.
    added: Option<String>,
    /// Whether a record that lacks columns is bad where one is added; else they are empty.
    is_strict: bool,
    /// The order of this file's columns, if it is another than the first one's.
    pub(crate) order: Option<Columns>,
}

impl Headers {
    pub(crate) fn new(columns: Names, are_there: bool, added: Option<String>, is_strict: bool) -> Self {
        Self { columns, are_there, first: None, is_due: false, added, is_strict, order: None }
    }

    pub(crate) fn begin_file(&mut self) {
        self.is_due = self.are_there;
    }

    /// Reads the header of the file `name`; returns whether it is the first one. A later one may have the same names in
    /// another order.
    pub(crate) fn read(&mut self, name: &str, header: &[u8], extract: &mut Extract) -> Result<bool, Exit> {
        self.is_due = false;
        let Layout::Csv { dialect, .. } = extract.layout else { return Ok(false) };
        let names = csv::split(header, dialect);
        self.expect_free(&names)?;
        let is_first = self.first.is_none();
        let first = self.first.get_or_insert(names.clone());
        let Some(columns) = Columns::new(first, &names, dialect) else {
            return Err(Exit::Failed(format!("{name}: its header is not that of the first file")));
        };
        let names_in = first.iter().map(Vec::as_slice).collect::<Vec<_>>();
        let parts = self.columns.find(&names_in).map_err(Exit::Usage)?;
        self.order = Some(columns).filter(|_| *first != names);
        let parts = self.order.as_ref().map_or(parts.clone(), |order| moved(&parts, order));
        extract.layout = Layout::Csv { dialect, parts };
        extract.width = self.width(names.len());
        extract.order = self.order.clone();
        Ok(is_first)
    }

    /// Where columns change places all must be there; where one is added it must stand under its name.
    fn width(&self, columns: usize) -> Width {
        match (&self.order, &self.added) {
            (Some(_), _) => Width::Exactly(columns),
            (None, Some(_)) if self.is_strict => Width::Exactly(columns),
            (None, Some(_)) => Width::UpTo(columns),
            (None, None) => Width::Any,
        }
    }

    /// How many columns a record has to have before one is added.
    pub(crate) fn columns(&self) -> usize {
        self.first.as_ref().map_or(0, Vec::len)
    }

    /// The column that is added must not be there.
    fn expect_free(&self, names: &[Vec<u8>]) -> Result<(), Exit> {
        match &self.added {
            Some(added) if names.iter().any(|name| name == added.as_bytes()) => {
                Err(Exit::Usage(out_of_range("--mark-name", added, "a name that is not in the header")))
            }
            _ => Ok(()),
        }
    }
}

/// Parts by their places in the first file, by their places in another one.
fn moved(parts: &Parts<FieldSpec>, order: &Columns) -> Parts<FieldSpec> {
    let places = |pick: &FieldSpec| pick.places(order.places.len()).unwrap_or(0..0);
    let moved = |pick: &FieldSpec| places(pick).map(|at| FieldSpec::At(order.places[at])).collect::<Vec<_>>();
    let all = (0..order.places.len()).map(FieldSpec::At);
    let is_left = |pick: &FieldSpec| parts.key.iter().any(|left| places(left).any(|at| FieldSpec::At(at) == *pick));
    // The key has the fields in the order of the first file.
    let key: Vec<FieldSpec> = match parts.except {
        true => all.filter(|pick| !is_left(pick)).collect(),
        false => parts.key.clone(),
    };
    Parts {
        key: key.iter().flat_map(moved).collect(),
        except: false,
        time: parts.time.iter().flat_map(moved).collect(),
    }
}
