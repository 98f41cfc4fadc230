//! Writing to a stream whose other end is slow. A pipe that another process made non-blocking (node, asyncio and ssh do that to one
//! that they share) has no room now and then: that is waited for, and is no error. So every byte gets out, or a true error does.

use std::io::{self, ErrorKind, Result, Write};

#[cfg(unix)]
use std::os::fd::AsFd as Stream;
#[cfg(windows)]
use std::os::windows::io::AsHandle as Stream;

/// A stream that is written whole.
#[derive(Debug)]
pub(crate) struct Patient<W>(pub(crate) W);

impl<W: Write + Stream> Write for Patient<W> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        loop {
            match self.0.write(bytes) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => wait_for_room(&self.0)?,
                written => return written,
            }
        }
    }

    fn flush(&mut self) -> Result<()> {
        loop {
            match self.0.flush() {
                Err(error) if error.kind() == ErrorKind::WouldBlock => wait_for_room(&self.0)?,
                flushed => return flushed,
            }
        }
    }
}

/// Writes a message to standard error. If that is gone there is nowhere to report to.
pub(crate) fn tell(message: impl AsRef<[u8]>) {
    let _ = Patient(io::stderr().lock()).write_all(message.as_ref());
}

#[cfg(unix)]
fn wait_for_room(stream: &impl Stream) -> Result<()> {
    use rustix::event::{PollFd, PollFlags, poll};
    match poll(&mut [PollFd::new(stream, PollFlags::OUT)], None) {
        Err(rustix::io::Errno::INTR) | Ok(_) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// No stream of this system is non-blocking for a program that did not ask for it.
#[cfg(windows)]
fn wait_for_room(_: &impl Stream) -> Result<()> {
    Err(ErrorKind::WouldBlock.into())
}
