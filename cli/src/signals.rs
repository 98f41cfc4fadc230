//! Signals end a wait for input: SIGINT, SIGTERM and SIGHUP end the run, with everything handed on and saved, and SIGUSR1
//! asks for the report. For Unix; `signals_windows.rs` is the same for Windows.

use std::cell::Cell;
use std::fs::File;
use std::io::{Error, Read, Result, stdin, stdout};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGXFSZ};
use signal_hook::{flag, low_level::pipe};

/// Those that end the run.
const STOPS: [(i32, usize); 3] = [(SIGINT, 2), (SIGTERM, 15), (SIGHUP, 1)];

/// Knows which signals have come, and waits for input or for one of them.
#[derive(Debug)]
pub(crate) struct Watch {
    /// The number of the signal that ends the run; 0 is none.
    stop: Arc<AtomicUsize>,
    report: Arc<AtomicBool>,
    /// Becomes readable with a signal: a flag alone can be set between its check and a wait.
    wake: UnixStream,
    /// How long a wait may last; without it for as long as nothing comes.
    patience: Cell<Option<Duration>>,
}

impl Watch {
    /// Takes the signals over, but for those that whoever started the run wants ignored (nohup). A second one ends the
    /// process without further ado, whatever it waits for.
    pub(crate) fn install() -> Result<Self> {
        let (stop, second, report) = (Arc::default(), Arc::new(AtomicBool::new(false)), Arc::default());
        let (wake, sender) = UnixStream::pair()?;
        wake.set_nonblocking(true)?;
        let ignored = ignored();
        for (signal, number) in STOPS.into_iter().filter(|(signal, _)| (ignored >> (signal - 1)) & 1 == 0) {
            flag::register_conditional_default(signal, Arc::clone(&second))?;
            flag::register(signal, Arc::clone(&second))?;
            flag::register_usize(signal, Arc::clone(&stop), number)?;
            pipe::register(signal, sender.try_clone()?)?;
        }
        flag::register(SIGUSR1, Arc::clone(&report))?;
        pipe::register(SIGUSR1, sender)?;
        // A file as large as `ulimit -f` allows is an error of the write, which is told, and not the end of the process.
        flag::register(SIGXFSZ, Arc::default())?;
        Ok(Self { stop, report, wake, patience: Cell::new(None) })
    }

    /// The number of the signal that ends the run.
    pub(crate) fn stopped(&self) -> Option<u8> {
        u8::try_from(self.stop.load(Ordering::Relaxed)).ok().filter(|number| *number > 0)
    }

    /// Whether the report was asked for since the last call.
    pub(crate) fn wants_report(&self) -> bool {
        self.report.swap(false, Ordering::Relaxed)
    }

    /// How long the next waits may last.
    pub(crate) fn set_patience(&self, patience: Option<Duration>) {
        self.patience.set(patience);
    }

    /// Waits until `input` has something to read, or has ended; false if that takes too long or a report is asked for. An
    /// error once the run is to end.
    pub(crate) fn wait_for(&self, input: &File) -> Result<bool> {
        let mut both = [PollFd::new(input, PollFlags::IN), PollFd::new(&self.wake, PollFlags::IN)];
        let patience = self.patience.get().and_then(|patience| Timespec::try_from(patience).ok());
        let came = match poll(&mut both, patience.as_ref()) {
            Err(Errno::INTR) => false,
            came => came? > 0,
        };
        let (input, wake) = (!both[0].revents().is_empty(), !both[1].revents().is_empty());
        if wake {
            // What is in it says nothing that the flags do not say.
            let _ = (&self.wake).read(&mut [0; 64]);
        }
        match self.stopped() {
            Some(_) => Err(Error::other("a signal ends the run")),
            None => Ok(came && input && !self.report.load(Ordering::Relaxed)),
        }
    }
}

/// The signals that were ignored when the run began, one bit each. Known on Linux; elsewhere none is believed to be.
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    line.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok()).unwrap_or(0)
}

/// Standard input, as bytes and without a buffer.
pub(crate) fn standard_input() -> Result<File> {
    Ok(File::from(stdin().as_fd().try_clone_to_owned()?))
}

/// Standard output, likewise.
pub(crate) fn standard_output() -> Result<File> {
    Ok(File::from(stdout().as_fd().try_clone_to_owned()?))
}
