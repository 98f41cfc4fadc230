//! The names of CSV columns, before a header has said where they are.

use crate::csv::{self, Dialect};
use crate::fields::FieldSpec;
use crate::key::Parts;
use crate::misuse::out_of_range;

pub(crate) type Names = Parts<Vec<u8>>;

impl Names {
    /// Where the columns are in `header`: by name, or, if no column has such a name, by number.
    pub(crate) fn find(&self, header: &[&[u8]]) -> Result<Parts<FieldSpec>, String> {
        let key = self.key.iter().map(|name| places("--key", name, header)).collect::<Result<Vec<_>, _>>()?;
        let time = self.time.iter().map(|name| times(name, header)).collect::<Result<Vec<_>, _>>()?;
        Ok(Parts { key: key.concat(), except: self.except, time: time.concat() })
    }
}

/// The columns that a time is in: the one with this name, or those of a list.
fn times(name: &[u8], header: &[&[u8]]) -> Result<Vec<FieldSpec>, String> {
    if header.contains(&name) {
        return place("--time-field", name, header).map(|pick| vec![pick]);
    }
    let parts = csv::split(name, Dialect::usual(b',')).into_iter().map(|part| places("--time-field", &part, header));
    parts.collect::<Result<Vec<_>, _>>().map(|parts| parts.concat())
}

/// The columns that an entry of a list means.
fn places(option: &str, name: &[u8], header: &[&[u8]]) -> Result<Vec<FieldSpec>, String> {
    match range(name).filter(|_| !header.contains(&name)) {
        Some(picks) if picks.iter().all(|pick| pick.places(header.len()).is_some()) => Ok(picks),
        _ => place(option, name, header).map(|pick| vec![pick]),
    }
}

fn range(name: &[u8]) -> Option<Vec<FieldSpec>> {
    FieldSpec::range(std::str::from_utf8(name).ok()?)
}

/// The one column with this name, or this number.
fn place(option: &str, name: &[u8], header: &[&[u8]]) -> Result<FieldSpec, String> {
    let mut named = (0..header.len()).filter(|&i| header[i] == name);
    let number =
        || std::str::from_utf8(name).ok().and_then(FieldSpec::one).filter(|pick| pick.places(header.len()).is_some());
    match (named.next(), named.next()) {
        (Some(place), None) => Ok(FieldSpec::At(place)),
        (None, _) if number().is_some() => Ok(number().unwrap_or(FieldSpec::At(0))),
        (first, _) => {
            let names = header.iter().map(|name| String::from_utf8_lossy(name)).collect::<Vec<_>>().join(", ");
            let how = if first.is_some() { "only once in" } else { "in" };
            let range = format!("a name that is {how} the header, or a number from 1 to {}: {names}", header.len());
            Err(out_of_range(option, String::from_utf8_lossy(name), range))
        }
    }
}
