//! An interrupt (Ctrl-C) ends the run at the next read, so that the report is still printed. For Windows, where a wait
//! for a pipe cannot be ended from outside: with no more input only a second interrupt ends the process.

use std::fs::File;
use std::io::{Error, Result, stdin};
use std::os::windows::io::AsHandle;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::SIGINT;
use signal_hook::flag;

/// Knows whether the user has interrupted.
#[derive(Debug)]
pub(crate) struct Interrupt {
    raised: Arc<AtomicBool>,
}

impl Interrupt {
    /// Takes the interrupt over. A second one ends the process at once, whatever it waits for.
    pub(crate) fn install() -> Result<Self> {
        let raised = Arc::new(AtomicBool::new(false));
        flag::register_conditional_default(SIGINT, Arc::clone(&raised))?;
        flag::register(SIGINT, Arc::clone(&raised))?;
        Ok(Self { raised })
    }

    pub(crate) fn is_raised(&self) -> bool {
        self.raised.load(Ordering::Relaxed)
    }

    /// An error once interrupted; the read that follows waits by itself.
    pub(crate) fn wait_for(&self, _: &File) -> Result<()> {
        if self.is_raised() { Err(Error::other("interrupted")) } else { Ok(()) }
    }
}

/// Standard input, as bytes and without a buffer.
pub(crate) fn standard_input() -> Result<File> {
    Ok(File::from(stdin().as_handle().try_clone_to_owned()?))
}
