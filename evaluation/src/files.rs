//! Files that are whole, or as they were.

use std::fs;
use std::path::Path;

/// Writes a file that is there whole, or as it was.
pub(crate) fn write(path: &Path, text: &[u8]) -> Result<(), String> {
    let part = path.with_extension("part");
    fs::write(&part, text).and_then(|()| fs::rename(&part, path)).map_err(|error| {
        // What is left of it is of no use; the error is that of the writing.
        let _ = fs::remove_file(&part);
        format!("{}: {error}", path.display())
    })
}
