//! Standard input and output that are not there at all (`<&-`, `>&-`): said, where the standard library puts the null
//! device in their place before `main` begins.

use std::io::{Error, Result};
use std::path::Path;

/// Whether standard output is there.
pub(crate) fn expect_output() -> Result<()> {
    expect(1)
}

/// Whether standard input is there.
pub(crate) fn expect_input() -> Result<()> {
    expect(0)
}

/// Whether the path is `-`, which means standard input.
pub(crate) fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

fn expect(number: usize) -> Result<()> {
    if before_main::was_closed(number) { Err(Error::other("it is closed")) } else { Ok(()) }
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
