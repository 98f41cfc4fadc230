//! An interrupt (SIGINT) ends a wait for input, so that the report is still printed. For Unix; `signals_windows.rs` is
//! the same for Windows.

use std::fs::File;
use std::io::{Error, Result, stdin};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use signal_hook::consts::SIGINT;
use signal_hook::{flag, low_level::pipe};

/// Knows whether the user has interrupted.
#[derive(Debug)]
pub(crate) struct Interrupt {
    raised: Arc<AtomicBool>,
    /// Becomes readable at the interrupt: a flag alone can be set between its check and a wait.
    wake: UnixStream,
}

impl Interrupt {
    /// Takes the interrupt over. A second one ends the process at once, whatever it waits for.
    pub(crate) fn install() -> Result<Self> {
        let raised = Arc::new(AtomicBool::new(false));
        let (wake, sender) = UnixStream::pair()?;
        flag::register_conditional_default(SIGINT, Arc::clone(&raised))?;
        flag::register(SIGINT, Arc::clone(&raised))?;
        pipe::register(SIGINT, sender)?;
        Ok(Self { raised, wake })
    }

    pub(crate) fn is_raised(&self) -> bool {
        self.raised.load(Ordering::Relaxed)
    }

    /// Waits until `input` has something to read (or has ended); an error once interrupted.
    pub(crate) fn wait_for(&self, input: &File) -> Result<()> {
        let mut both = [PollFd::new(input, PollFlags::IN), PollFd::new(&self.wake, PollFlags::IN)];
        match poll(&mut both, None) {
            Ok(_) | Err(Errno::INTR) if self.is_raised() => Err(Error::other("interrupted")),
            Err(Errno::INTR) => self.wait_for(input),
            result => result.map(|_| ()).map_err(Error::from),
        }
    }
}

/// Standard input, as bytes and without a buffer.
pub(crate) fn standard_input() -> Result<File> {
    Ok(File::from(stdin().as_fd().try_clone_to_owned()?))
}
