//! Files that a run has open already when it begins: its standard streams, and what they lead to.
//!
//! **Law.** An output that is open already is written where it is, and never opened a second time: that would cut it off (`> log`), or
//! write over what another stream writes there.

use std::fs::{File, Metadata};
use std::io::Result;
use std::path::Path;

pub(crate) struct Named {
    pub(crate) file: File,
    /// Whether standard output or standard error leads there too.
    pub(crate) is_shared: bool,
}

/// Opens an output: the stream that leads there (`/dev/stderr`, `/dev/fd/3`, the log that standard output is appended to), or a
/// file that begins empty.
pub(crate) fn create(path: &Path) -> Result<Named> {
    match on_unix::open_already(path)? {
        Some(named) => Ok(named),
        None => Ok(Named { file: File::create(path)?, is_shared: false }),
    }
}

/// Whether the path is a regular file that standard output or standard error goes to.
pub(crate) fn is_output(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|data| data.is_file() && on_unix::standard_output(&data).is_some())
}

/// Whether an input is the regular file that standard output goes to, and has something: to read it would not end.
pub(crate) fn is_read_and_written(input: &Metadata) -> bool {
    input.is_file() && input.len() > 0 && on_unix::is_standard_output(input)
}

#[cfg(unix)]
mod on_unix {
    use std::fs::{File, Metadata, metadata};
    use std::io::{Result, stderr, stdout};
    use std::os::fd::{AsFd, OwnedFd};
    use std::os::unix::fs::MetadataExt;
    use std::path::Path;

    use super::Named;

    pub(super) fn open_already(path: &Path) -> Result<Option<Named>> {
        let Ok(data) = metadata(path) else { return Ok(None) };
        if let Some(file) = standard_output(&data) {
            return Ok(Some(Named { file, is_shared: true }));
        }
        let names = ["/dev/fd/", "/proc/self/fd/"].into_iter();
        let number = names.filter_map(|folder| path.to_str()?.strip_prefix(folder)?.parse().ok()).next();
        number.map(|number| Ok(Named { file: numbered(number, path)?, is_shared: false })).transpose()
    }

    /// The standard stream that leads to this file, for writing.
    pub(super) fn standard_output(data: &Metadata) -> Option<File> {
        let streams = [stdout().as_fd().try_clone_to_owned(), stderr().as_fd().try_clone_to_owned()];
        streams.into_iter().filter_map(|stream| stream.ok().map(File::from)).find(|stream| is_same(stream, data))
    }

    pub(super) fn is_standard_output(data: &Metadata) -> bool {
        stdout().as_fd().try_clone_to_owned().is_ok_and(|stream| is_same(&File::from(stream), data))
    }

    fn is_same(stream: &File, data: &Metadata) -> bool {
        stream.metadata().is_ok_and(|of| (of.dev(), of.ino()) == (data.dev(), data.ino()))
    }

    /// The descriptor of this number as it is. Where the system cannot give it by its number, the file is opened again, and added to.
    fn numbered(number: i32, path: &Path) -> Result<File> {
        match copy_of(number) {
            Some(stream) => Ok(File::from(stream)),
            None => File::options().append(true).open(path),
        }
    }

    #[cfg(target_os = "linux")]
    fn copy_of(number: i32) -> Option<OwnedFd> {
        use rustix::process::{PidfdFlags, PidfdGetfdFlags, getpid, pidfd_getfd, pidfd_open};
        let own = pidfd_open(getpid(), PidfdFlags::empty()).ok()?;
        pidfd_getfd(own, number, PidfdGetfdFlags::empty()).ok()
    }

    #[cfg(not(target_os = "linux"))]
    fn copy_of(_: i32) -> Option<OwnedFd> {
        None
    }
}

/// Where a path never means a stream.
#[cfg(not(unix))]
mod on_unix {
    use std::fs::{File, Metadata};
    use std::io::Result;
    use std::path::Path;

    use super::Named;

    pub(super) fn open_already(_: &Path) -> Result<Option<Named>> {
        Ok(None)
    }

    pub(super) fn standard_output(_: &Metadata) -> Option<File> {
        None
    }

    pub(super) fn is_standard_output(_: &Metadata) -> bool {
        false
    }
}
