//! Standard input and output that are not there at all (`<&-`, `>&-`): said, where the standard library puts the null
//! device in their place before `main` begins.

use std::fs::File;
use std::io::{Error, Read, Result, stdin};
use std::path::{Path, PathBuf};

/// The numbers of the streams.
pub(crate) const INPUT: usize = 0;
pub(crate) const OUTPUT: usize = 1;

/// Whether the stream of this number is there.
pub(crate) fn expect(number: usize) -> Result<()> {
    if before_main::was_closed(number) { Err(Error::other("it is closed")) } else { Ok(()) }
}

/// The names in a list, each of which ends with NUL.
pub(crate) fn listed(list: &Path) -> Result<Vec<PathBuf>> {
    let mut names = Vec::new();
    match is_stdin(list) {
        true => expect(INPUT).and_then(|()| stdin().read_to_end(&mut names))?,
        false => File::open(list)?.read_to_end(&mut names)?,
    };
    let names = names.strip_suffix(&[0]).unwrap_or(&names);
    let has_none = names.is_empty();
    Ok(names.split(|byte| *byte == 0).filter(|_| !has_none).map(path).collect())
}

#[cfg(unix)]
fn path(name: &[u8]) -> PathBuf {
    PathBuf::from(<std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(name))
}

#[cfg(not(unix))]
fn path(name: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(name).into_owned())
}

pub(crate) fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

#[cfg(unix)]
mod before_main {
    use std::sync::atomic::{AtomicBool, Ordering};

    /// Of standard input and output.
    static CLOSED: [AtomicBool; 2] = [AtomicBool::new(false), AtomicBool::new(false)];

    pub(super) fn was_closed(number: usize) -> bool {
        CLOSED[number].load(Ordering::Relaxed)
    }

    /// Before the standard library begins. It does nothing but to ask the system about two numbers.
    #[ctor::ctor(unsafe)]
    fn look() {
        let streams = [rustix::stdio::stdin(), rustix::stdio::stdout()];
        for (closed, stream) in CLOSED.iter().zip(streams) {
            closed.store(rustix::io::fcntl_getfd(stream).is_err(), Ordering::Relaxed);
        }
    }
}

#[cfg(not(unix))]
mod before_main {
    pub(super) fn was_closed(_: usize) -> bool {
        false
    }
}
