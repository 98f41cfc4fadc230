//! `--exec CMD`: commands that run while records flow, each by `sh -c` and each for one record.
//!
//! ```text
//!  the record and its end --> standard input          exit status --> Ended
//!  the record             --> $LATELY_RECORD          standard output, standard error --> standard error of the run
//! ```
//! A thread starts each command, feeds it and waits for it: a record may be larger than a pipe, and a command need not read.

use std::ffi::OsStr;
use std::io::{Error, ErrorKind, Write, stderr};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use crate::units::show_time;

const VARIABLE: &str = "LATELY_RECORD";

/// A longer record is on standard input alone: systems limit what one variable may have, Linux to 128 KiB.
const LONGEST_VARIABLE: usize = 1 << 16;

/// The stack of a thread that waits for a command.
pub(crate) const STACK: usize = 1 << 17;

/// A record that has left the reader's buffer.
pub(crate) struct Record {
    bytes: Vec<u8>,
    body_end: usize,
    /// What a record ends with, for one that the input ended first.
    end: u8,
}

pub(crate) enum Ended {
    Status(ExitStatus),
    /// It took longer than these nanoseconds.
    TooLong(u64),
    /// There was no command, or none that could be waited for.
    NotRun(Error),
}

impl Record {
    pub(crate) fn new(body: &[u8], end: &[u8], usual_end: u8) -> Self {
        Self { bytes: [body, end].concat(), body_end: body.len(), end: usual_end }
    }

    pub(crate) fn body(&self) -> &[u8] {
        &self.bytes[..self.body_end]
    }

    /// Its end as it came, which may be nothing.
    pub(crate) fn end(&self) -> &[u8] {
        &self.bytes[self.body_end..]
    }

    /// What a command reads: the last record of an input gets the end that it lacks.
    fn fed(&self) -> [&[u8]; 2] {
        let lacks_end = self.end().is_empty();
        [&self.bytes, if lacks_end { std::slice::from_ref(&self.end) } else { &[] }]
    }

    /// The record as a variable, if it can be one.
    fn variable(&self) -> Option<&OsStr> {
        let body = self.body();
        (body.len() <= LONGEST_VARIABLE && !body.contains(&0)).then(|| text(body)).flatten()
    }
}

#[cfg(unix)]
#[allow(clippy::unnecessary_wraps, reason = "elsewhere not all bytes are a text")]
fn text(bytes: &[u8]) -> Option<&OsStr> {
    Some(std::os::unix::ffi::OsStrExt::from_bytes(bytes))
}

#[cfg(not(unix))]
fn text(bytes: &[u8]) -> Option<&OsStr> {
    std::str::from_utf8(bytes).ok().map(OsStr::new)
}

/// Runs the command for this record to its end, or to the end of its time in nanoseconds.
pub(crate) fn run(script: &str, record: &Record, limit: Option<u64>) -> Ended {
    let ended = start(script, record, limit.is_some()).and_then(|mut child| {
        let timer = limit.map(|limit| Timer::start(&child, Duration::from_nanos(limit))).transpose()?;
        let fed = feed(&mut child, record);
        let status = child.wait()?;
        fed.map(|()| match limit.filter(|_| timer.is_some_and(Timer::stop)) {
            Some(limit) => Ended::TooLong(limit),
            None => Ended::Status(status),
        })
    });
    ended.unwrap_or_else(Ended::NotRun)
}

/// How long a command has to end by itself after SIGTERM.
const GRACE: Duration = Duration::from_secs(5);

/// Ends a command, and what it has started, once its time is over.
struct Timer {
    stop: Sender<()>,
    thread: thread::JoinHandle<bool>,
}

impl Timer {
    fn start(child: &Child, limit: Duration) -> Result<Self, Error> {
        let (stop, stopped) = channel();
        let group = child.id();
        let thread = thread::Builder::new().stack_size(STACK).spawn(move || {
            let has_time = |limit| stopped.recv_timeout(limit) != Err(RecvTimeoutError::Timeout);
            if has_time(limit) {
                return false;
            }
            end_group(group, false);
            if !has_time(GRACE) {
                end_group(group, true);
            }
            true
        })?;
        Ok(Self { stop, thread })
    }

    /// The command has ended; says whether its time was over.
    fn stop(self) -> bool {
        // If it waits no more it has its answer.
        let _ = self.stop.send(());
        self.thread.join().unwrap_or(false)
    }
}

/// A command that has a limit is the first of a group of its own.
#[cfg(unix)]
fn end_group(id: u32, at_once: bool) {
    use rustix::process::{Pid, Signal, kill_process_group};
    let group = i32::try_from(id).ok().and_then(Pid::from_raw);
    // If it has ended by itself there is nothing to end.
    let _ = group.map(|group| kill_process_group(group, if at_once { Signal::KILL } else { Signal::TERM }));
}

#[cfg(unix)]
fn in_own_group(command: &mut Command) {
    std::os::unix::process::CommandExt::process_group(command, 0);
}

/// There are no commands here.
#[cfg(not(unix))]
fn end_group(_: u32, _: bool) {}

#[cfg(not(unix))]
fn in_own_group(_: &mut Command) {}

/// A variable may be too large together with those that are there: then the record is on standard input alone.
fn start(script: &str, record: &Record, has_limit: bool) -> Result<Child, Error> {
    let mut command = Command::new("sh");
    if has_limit {
        in_own_group(&mut command);
    }
    command.args(["-c", script]).stdin(Stdio::piped()).stdout(stderr()).env_remove(VARIABLE);
    let Some(variable) = record.variable() else { return command.spawn() };
    match command.env(VARIABLE, variable).spawn() {
        Err(error) if error.kind() == ErrorKind::ArgumentListTooLong => command.env_remove(VARIABLE).spawn(),
        started => started,
    }
}

/// Writes the record to the command, which need not read it, and closes its input.
fn feed(child: &mut Child, record: &Record) -> Result<(), Error> {
    let Some(mut input) = child.stdin.take() else { return Ok(()) };
    match record.fed().into_iter().try_for_each(|part| input.write_all(part)) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error),
        _ => Ok(()),
    }
}

impl Ended {
    /// Why the work was not done; nothing if it was.
    pub(crate) fn failure(&self) -> Option<String> {
        match self {
            Self::Status(status) if status.success() => None,
            Self::Status(status) => {
                Some(status.code().map_or_else(|| status.to_string(), |code| format!("exit status {code}")))
            }
            Self::TooLong(limit) => Some(format!("not done within {}: ended by SIGTERM", show_time(*limit))),
            Self::NotRun(error) => Some(format!("not run: {error}")),
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn ended(script: &str, record: &Record) -> Option<String> {
        run(script, record, None).failure()
    }

    fn line(body: &[u8]) -> Record {
        Record::new(body, b"\n", b'\n')
    }

    #[test]
    fn record_too_long_for_a_variable_is_on_standard_input_alone() {
        let bare = "test -z \"${LATELY_RECORD+set}\" && test $(wc -c) = ";
        assert_eq!(ended(&format!("{bare}4"), &line(b"a\0b")), None);
        let long = vec![b'x'; LONGEST_VARIABLE + 1];
        assert_eq!(ended(&format!("{bare}{}", long.len() + 1), &line(&long)), None);
        assert_eq!(ended(&format!("test ${{#LATELY_RECORD}} = {LONGEST_VARIABLE}"), &line(&long[1..])), None);
    }

    /// More than a pipe has room for.
    #[test]
    fn command_that_does_not_read_its_input_is_not_failed() {
        assert_eq!(ended("exec <&-; sleep 0.1", &line(&vec![b'x'; 1 << 20])), None);
        assert_eq!(ended("exit 5", &line(&vec![b'x'; 1 << 20])).as_deref(), Some("exit status 5"));
    }
}
