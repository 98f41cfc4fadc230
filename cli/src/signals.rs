//! Signals end a wait for input: SIGINT, SIGTERM and SIGHUP end the run, with everything handed on and saved, and SIGUSR1
//! asks for the report. For Unix; `signals_windows.rs` is the same for Windows.
//!
//! A signal seldom comes alone: `timeout` sends one to its child and one to the child's group, a closing terminal sends
//! SIGHUP twice. So those within a second of the first are the same request; a later one ends the process at once.

use std::cell::Cell;
use std::fs::File;
use std::io::{Error, ErrorKind, Read, Result, Write, stderr, stdin, stdout};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGXFSZ};
use signal_hook::flag;
use signal_hook::low_level::{emulate_default_handler, pipe};

use crate::notes::Stake;

const STOPS: [(i32, usize); 3] = [(SIGINT, 2), (SIGTERM, 15), (SIGHUP, 1)];

/// Signals that come so soon after the first one are the same request.
const SAME_REQUEST: Duration = Duration::from_secs(1);

/// The stack of the thread that waits for a late signal.
const STACK: usize = 1 << 16;

/// Knows which signals have come, and waits for input or for one of them.
pub(crate) struct Watch {
    /// The number of the signal that ends the run; 0 is none.
    stop: Arc<AtomicUsize>,
    report: Arc<AtomicBool>,
    /// Becomes readable with a signal: a flag alone can be set between its check and a wait.
    wake: UnixStream,
    /// How long a wait may last; without it for as long as nothing comes.
    patience: Cell<Option<Duration>>,
    /// What is lost if a late signal ends the process now.
    pub(crate) stake: Arc<Stake>,
}

impl Watch {
    /// Takes the signals over, except those that the parent process ignores (nohup).
    pub(crate) fn install() -> Result<Self> {
        let (stop, report, stake) = (Arc::default(), Arc::default(), Arc::<Stake>::default());
        let (wake, sender) = UnixStream::pair()?;
        let (late, to_late) = UnixStream::pair()?;
        wake.set_nonblocking(true)?;
        let ignored = ignored();
        for (signal, number) in STOPS.into_iter().filter(|(signal, _)| (ignored >> (signal - 1)) & 1 == 0) {
            flag::register_usize(signal, Arc::clone(&stop), number)?;
            pipe::register(signal, sender.try_clone()?)?;
            pipe::register(signal, to_late.try_clone()?)?;
        }
        flag::register(SIGUSR1, Arc::clone(&report))?;
        pipe::register(SIGUSR1, sender)?;
        // A file as large as `ulimit -f` allows is an error of the write, which is reported, and not the end of the process.
        flag::register(SIGXFSZ, Arc::default())?;
        let (last, lost) = (Arc::clone(&stop), Arc::clone(&stake));
        thread::Builder::new().stack_size(STACK).spawn(move || end_at_late_signal(late, &last, &lost))?;
        Ok(Self { stop, report, wake, patience: Cell::new(None), stake })
    }

    pub(crate) fn stopped(&self) -> Option<u8> {
        u8::try_from(self.stop.load(Ordering::Relaxed)).ok().filter(|number| *number > 0)
    }

    pub(crate) fn wants_report(&self) -> bool {
        self.report.swap(false, Ordering::Relaxed)
    }

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
            // Its contents add nothing to the flags.
            let _ = (&self.wake).read(&mut [0; 64]);
        }
        match self.stopped() {
            Some(_) => Err(Error::other("a signal ends the run")),
            None => Ok(came && input && !self.report.load(Ordering::Relaxed)),
        }
    }
}

/// Waits for signals, one byte each, and ends the process at the first one that is no part of the first request. A thread
/// does this, for the run itself may be blocked in a write.
fn end_at_late_signal(mut signals: UnixStream, last: &AtomicUsize, stake: &Stake) {
    let mut first: Option<Instant> = None;
    loop {
        match signals.read(&mut [0]) {
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Ok(1) => {}
            _ => return,
        }
        if first.get_or_insert_with(Instant::now).elapsed() >= SAME_REQUEST {
            stake.lost().into_iter().for_each(|lost| say_if_heard(&lost));
            let signal = i32::try_from(last.load(Ordering::Relaxed)).unwrap_or(SIGTERM);
            // It restores what the signal does by default, which is to end the process.
            let _ = emulate_default_handler(signal);
        }
    }
}

/// A line on standard error, unless that would have to wait for its reader.
fn say_if_heard(what: &str) {
    let (now, err) = (Timespec::default(), stderr());
    let mut out = [PollFd::new(&err, PollFlags::OUT)];
    if poll(&mut out, Some(&now)).is_ok_and(|ready| ready > 0) {
        let file = err.as_fd().try_clone_to_owned().map(File::from);
        let _ = file.and_then(|mut file| file.write_all(format!("lately: {what}\n").as_bytes()));
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
