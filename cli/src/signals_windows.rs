//! An interrupt (Ctrl-C) ends the run at the next read, with everything handed on and saved. For Windows, where a wait for
//! a pipe cannot be ended from outside: with no more input only a second interrupt, a second later or more, ends the process,
//! and what is held is handed on before a read instead of while it waits.

use std::cell::Cell;
use std::fs::File;
use std::io::{Error, Result, Stdout, stdin, stdout};
use std::os::windows::io::AsHandle;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use signal_hook::consts::SIGINT;
use signal_hook::flag;

use crate::notes::{self, Stake};

/// Interrupts that come so soon after the first one are the same request.
const SAME_REQUEST: Duration = Duration::from_secs(1);

/// From one look for an interrupt to the next: a handler cannot wake a thread here.
const LOOK: Duration = Duration::from_millis(50);

/// The status of a run that an interrupt ended.
const INTERRUPTED: i32 = 130;

#[derive(Debug)]
pub(crate) struct Watch {
    raised: Arc<AtomicBool>,
    /// Whether something is to be done before a wait that may be long.
    hurried: Cell<bool>,
    /// What is lost if a late signal ends the process now.
    pub(crate) stake: Arc<Stake>,
}

impl Watch {
    pub(crate) fn install() -> Result<Self> {
        let (raised, again) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        let stake = Arc::<Stake>::default();
        flag::register(SIGINT, Arc::clone(&raised))?;
        flag::register(SIGINT, Arc::clone(&again))?;
        let (first, lost) = (Arc::clone(&raised), Arc::clone(&stake));
        thread::Builder::new().spawn(move || end_at_late_interrupt(&first, &again, &lost))?;
        Ok(Self { raised, hurried: Cell::new(false), stake })
    }

    pub(crate) fn stopped(&self) -> Option<u8> {
        self.raised.load(Ordering::Relaxed).then_some(2)
    }

    /// Nothing asks for a report here.
    pub(crate) fn wants_report(&self) -> bool {
        false
    }

    /// How long the next waits may last; here a wait lasts as long as nothing comes, so that what has to be done within
    /// that time is done before it.
    pub(crate) fn set_patience(&self, patience: Option<Duration>) {
        self.hurried.set(patience.is_some());
    }

    /// False if something is to be done first, an error once interrupted; the read that follows waits by itself.
    pub(crate) fn wait_for(&self, _: &File) -> Result<bool> {
        if self.stopped().is_some() { Err(Error::other("interrupted")) } else { Ok(!self.hurried.take()) }
    }
}

/// Waits for an interrupt that is no part of the first request, and ends the process there.
fn end_at_late_interrupt(first: &AtomicBool, again: &AtomicBool, stake: &Stake) {
    let wait_for = |flag: &AtomicBool| {
        while !flag.load(Ordering::Relaxed) {
            thread::sleep(LOOK);
        }
    };
    wait_for(first);
    thread::sleep(SAME_REQUEST);
    again.store(false, Ordering::Relaxed);
    wait_for(again);
    stake.lost().into_iter().for_each(notes::say);
    std::process::exit(INTERRUPTED);
}

/// Standard input, as bytes and without a buffer.
pub(crate) fn standard_input() -> Result<File> {
    Ok(File::from(stdin().as_handle().try_clone_to_owned()?))
}

/// Standard output; by way of the standard library, which knows how a console takes text.
pub(crate) fn standard_output() -> Result<Stdout> {
    Ok(stdout())
}
