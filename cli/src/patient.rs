//! A stream whose other end is slow. A pipe that another process made non-blocking (node, asyncio and ssh do that to one that they
//! share) has no room, or nothing to read, now and then: that is waited for, and is no error. So every byte passes, or a true error does.

use std::io::{self, ErrorKind, Read, Result, Write};

#[cfg(unix)]
use std::os::fd::AsFd as Stream;
#[cfg(windows)]
use std::os::windows::io::AsHandle as Stream;

/// A stream that is read or written whole.
pub(crate) struct Patient<W>(pub(crate) W);

impl<W: Write + Stream> Write for Patient<W> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        patiently(&mut self.0, For::Room, |stream| stream.write(bytes))
    }

    fn flush(&mut self) -> Result<()> {
        patiently(&mut self.0, For::Room, Write::flush)
    }
}

impl<R: Read + Stream> Read for Patient<R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        patiently(&mut self.0, For::Bytes, |stream| stream.read(buffer))
    }
}

#[derive(Clone, Copy)]
enum For {
    Room,
    Bytes,
}

/// Tries until the stream does not ask to be waited for.
fn patiently<S: Stream, T>(stream: &mut S, what: For, mut tried: impl FnMut(&mut S) -> Result<T>) -> Result<T> {
    loop {
        match tried(stream) {
            Err(error) if error.kind() == ErrorKind::WouldBlock => wait(stream, what)?,
            done => return done,
        }
    }
}

/// Writes a message to standard error. If that is gone there is nowhere to report to.
pub(crate) fn tell(message: impl AsRef<[u8]>) {
    let _ = Patient(io::stderr().lock()).write_all(message.as_ref());
}

#[cfg(unix)]
fn wait(stream: &impl Stream, what: For) -> Result<()> {
    use rustix::event::{PollFd, PollFlags, poll};
    let flags = if matches!(what, For::Room) { PollFlags::OUT } else { PollFlags::IN };
    match poll(&mut [PollFd::new(stream, flags)], None) {
        Err(rustix::io::Errno::INTR) | Ok(_) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// No stream of this system is non-blocking for a program that did not ask for it.
#[cfg(windows)]
fn wait(_: &impl Stream, _: For) -> Result<()> {
    Err(ErrorKind::WouldBlock.into())
}
