//! `FILE.lock`: locked by one run at a time, and gone when it ends.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{Error, Result};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use fs4::{FileExt, TryLockError};

/// How long to sleep between two tries.
const AGAIN: Duration = Duration::from_millis(20);

/// The file, locked for as long as this lives.
pub(crate) struct Lock {
    path: PathBuf,
    file: Option<File>,
}

impl Lock {
    /// Takes the lock of `path`. It waits for this time at most, and stops waiting when `stopped` returns something.
    pub(crate) fn take(path: &Path, wait: Duration, stopped: impl Fn() -> Option<u8>) -> Result<Self> {
        let (path, began) = (with_ending(path, ".lock"), Instant::now());
        loop {
            let file = File::options().create(true).truncate(false).write(true).open(&path)?;
            match FileExt::try_lock(&file) {
                // The run before may have taken the file away since it was opened: then this is the lock of nothing.
                Ok(()) if !is_at(&file, &path) => continue,
                Ok(()) => return Ok(Self { path, file: Some(file) }),
                Err(TryLockError::WouldBlock) if began.elapsed() < wait && stopped().is_none() => {
                    std::thread::sleep(AGAIN.min(wait));
                }
                Err(TryLockError::WouldBlock) => return Err(Error::other("another run uses this state")),
                Err(TryLockError::Error(error)) => return Err(error),
            }
        }
    }
}

/// The file goes while it is still locked: who opened it before finds that it is gone.
impl Drop for Lock {
    fn drop(&mut self) {
        if cfg!(unix) {
            let _ = fs::remove_file(&self.path);
        }
        drop(self.file.take());
    }
}

/// Whether the open file is the one that has this name.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let number = |data: Result<fs::Metadata>| data.ok().map(|data| (data.dev(), data.ino()));
    let open = number(file.metadata());
    open.is_some() && open == number(fs::metadata(path))
}

/// Where an open file keeps its name, it stays.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}

pub(crate) fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    PathBuf::from(name)
}

/// Replaces the file at `path`, whole or not at all: `write` has the new one, FILE.new, until that takes its place.
pub(crate) fn replace(path: &Path, write: impl FnOnce(File) -> Result<()>) -> Result<()> {
    let draft = with_ending(path, ".new");
    let made = File::create(&draft).and_then(|file| succeed(path, &file).and_then(|()| write(file)));
    // What could not be written whole is useless.
    made.and_then(|()| fs::rename(&draft, path)).inspect_err(|_| drop(fs::remove_file(&draft)))
}

/// Makes a new file one that can take the place of `path`: who may read it, its owner and its group stay, as far as this user may
/// give them. So a run as root does not take a file from its owner.
fn succeed(path: &Path, new: &File) -> Result<()> {
    let Ok(old) = fs::metadata(path) else { return Ok(()) };
    keep_owner(new, &old);
    new.set_permissions(old.permissions())
}

/// Only root may give a file away; others may give it a group of theirs.
#[cfg(unix)]
fn keep_owner(new: &File, old: &fs::Metadata) {
    use std::os::unix::fs::{MetadataExt, fchown};
    let owner = |data: fs::Metadata| (data.uid(), data.gid());
    if new.metadata().ok().map(owner) != Some(owner(old.clone())) {
        let _ = fchown(new, Some(old.uid()), Some(old.gid())).or_else(|_| fchown(new, None, Some(old.gid())));
    }
}

/// On systems whose files have no such owners.
#[cfg(not(unix))]
fn keep_owner(_: &File, _: &fs::Metadata) {}

#[cfg(test)]
mod tests {
    use super::*;

    /// Many threads take turns: never are two inside, though each takes the file away when it leaves.
    #[test]
    fn a_file_that_is_taken_away_locks_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let (path, inside) = (dir.path().join("state"), dir.path().join("inside"));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        let _lock = Lock::take(&path, Duration::from_secs(60), || None).unwrap();
                        File::create_new(&inside).expect("nobody else is inside");
                        fs::remove_file(&inside).unwrap();
                    }
                });
            }
        });
    }
}
