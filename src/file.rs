//! A filter in a file, from run to run.
//!
//! ```text
//!  open   no file, or an empty one: a new filter; otherwise that of the file, if the options make such a one
//!  save   the snapshot -> a draft in the same folder, on the disk -> renamed to the path
//!         the draft is FILE.RANDOM.new, where RANDOM is 16 hex digits, in every language
//! ```
//! **Law.** A program that is killed at any moment leaves the old file or the new one, whole. What could not be read is never
//! replaced. A snapshot does not say when it was written: the file does. The draft of a killed program goes with a later save.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::time::{Duration, SystemTime};

use crate::clock::date;
use crate::error::Error;
use crate::handle::Filter;
use crate::options::{Clock, Options};
use crate::shared::SharedFilter;
use crate::snapshot::{self, LoadOptions};

/// What [`Filter::open`] found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Opened {
    /// There was a file, and its filter continues.
    pub found: bool,
    /// The time since the file was written, by which every age grew; 0 with a manual clock, where the next tick shows what passed.
    pub elapsed: Duration,
    /// By how much the file is from the future, 0 if it is not: the machine's clock was set back, or the file is from another
    /// machine. `elapsed` is 0 then, and keys are kept for that much too long.
    pub ahead: Duration,
}

impl Filter {
    /// The filter that [`Filter::save`] wrote to a file, or a new one if there is no file or an empty one. It must be as the options
    /// make it. Nothing is written before `save`, and whatever the error, the file stays as it is.
    ///
    /// ```
    /// use lately::{Filter, Options};
    /// use std::time::Duration;
    ///
    /// let state = std::env::temp_dir().join(format!("orders-{}.lately", std::process::id()));
    /// let options = Options::window(Duration::from_secs(600));
    /// let (mut seen, _) = Filter::open(&state, &options)?;
    /// assert!(seen.observe(b"order-17").expect("no error").is_new());
    /// seen.save(&state)?;
    ///
    /// let (mut seen, opened) = Filter::open(&state, &options)?;
    /// assert!(opened.found && seen.observe(b"order-17").expect("no error").is_duplicate());
    /// # std::fs::remove_file(state)?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of the file, which name it, and [`Error`]s inside [`io::ErrorKind::InvalidData`]: as [`Filter::read_snapshot`];
    /// `OPTIONS_DIFFER`, whose field is the first option that differs; `OPTION` if the filter is keyed and its secret is not given,
    /// since one that is drawn is in no file.
    pub fn open(path: impl AsRef<Path>, options: &Options) -> io::Result<(Self, Opened)> {
        open(path.as_ref(), options).map_err(|error| named(path.as_ref(), error))
    }

    /// Saves the filter in a file, whole or not at all, where [`Filter::open`] finds it; returns how many bytes. What was there is
    /// replaced in one step, once the new file is on the disk. Its mode stays, and its owner as far as this user may give it; of a
    /// link the file behind it is replaced. A file that begins as no snapshot of this version is not replaced.
    ///
    /// A program that is killed meanwhile leaves a draft next to the file, `FILE.RANDOM.new`. Each save first removes the drafts of
    /// its file that were not written for ten minutes.
    ///
    /// # Errors
    /// Those of the file, which name it. A save that stalls for ten minutes may find its draft removed: the file
    /// stays as it is.
    pub fn save(&self, path: impl AsRef<Path>) -> io::Result<u64> {
        save(path.as_ref(), |file| self.write_snapshot(file)).map_err(|error| named(path.as_ref(), error))
    }
}

impl SharedFilter {
    /// As [`Filter::open`].
    ///
    /// # Errors
    /// As [`Filter::open`].
    pub fn open(path: impl AsRef<Path>, options: &Options) -> io::Result<(Self, Opened)> {
        open_shared(path.as_ref(), options).map_err(|error| named(path.as_ref(), error))
    }

    /// As [`Filter::save`].
    ///
    /// # Errors
    /// As [`Filter::save`], and [`SharedFilter::write_snapshot`].
    pub fn save(&self, path: impl AsRef<Path>) -> io::Result<u64> {
        save_shared(path.as_ref(), self).map_err(|error| named(path.as_ref(), error))
    }
}

/// [`SharedFilter::open`], whose errors of the system are as the system gave them.
///
/// # Errors
/// As there.
pub fn open_shared(path: &Path, options: &Options) -> io::Result<(SharedFilter, Opened)> {
    let (filter, opened) = open(path, options)?;
    Ok((SharedFilter::of(filter).map_err(of_error)?, opened))
}

/// [`SharedFilter::save`], likewise.
///
/// # Errors
/// As there.
pub fn save_shared(path: &Path, filter: &SharedFilter) -> io::Result<u64> {
    save(path, |file| filter.write_snapshot(file))
}

/// The filter of a file, or a new one.
fn open(path: &Path, options: &Options) -> io::Result<(Filter, Opened)> {
    options.expect_secret_given().map_err(of_error)?;
    let path = followed(path);
    expect_not_mounted(&path)?;
    let Some((file, written)) = saved(&path)? else {
        fs::metadata(folder_of(&path))?;
        return Ok((Filter::new(options).map_err(of_error)?, Opened::default()));
    };
    let opened = Opened::of(written, date(), options.clock.unwrap_or_default() == Clock::System);
    Ok((reopened(file, opened.elapsed, options)?, opened))
}

impl Opened {
    fn of(written: SystemTime, now: SystemTime, is_system_clock: bool) -> Self {
        let elapsed = now.duration_since(written);
        let ahead = elapsed.as_ref().err().map_or(Duration::ZERO, std::time::SystemTimeError::duration);
        let elapsed = elapsed.ok().filter(|_| is_system_clock).unwrap_or_default();
        Self { found: true, elapsed, ahead }
    }
}

/// The file, and when it was written; nothing if there is none, or an empty one, which has only its name.
fn saved(path: &Path) -> io::Result<Option<(File, SystemTime)>> {
    let file = match File::open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        opened => opened?,
    };
    let facts = file.metadata()?;
    if facts.is_file() && facts.len() == 0 { Ok(None) } else { Ok(Some((file, facts.modified()?))) }
}

/// The filter of a file, which has nothing else and is what the options make.
fn reopened(file: File, elapsed: Duration, options: &Options) -> io::Result<Filter> {
    let mut input = BufReader::new(file);
    let loading = LoadOptions::new(elapsed);
    let loading = options.secret.map_or(loading.clone(), |secret| loading.secret(secret));
    let filter = Filter::read_snapshot(&mut input, &loading)?;
    if input.read(&mut [0])? > 0 {
        let more =
            "bytes follow the filter, as in a state of the command lately: Filter::read_snapshot loads the filter";
        return Err(of_error(Error::corrupt_structure(more)));
    }
    filter.expect_options(options).map_err(of_error)?;
    Ok(filter)
}

/// Replaces the file by what `write` writes.
fn save(path: &Path, write: impl FnOnce(&mut BufWriter<File>) -> io::Result<u64>) -> io::Result<u64> {
    let path = followed(path);
    expect_not_mounted(&path)?;
    let old = replaceable(&path)?;
    remove_old_drafts(&path);
    let (draft, file) = created(|| draft_of(&path))?;
    let written = written(file, old.as_ref(), write).and_then(|bytes| rename(&draft, &path).map(|()| bytes));
    // What is not whole is of no use to anyone.
    let bytes = written.inspect_err(|_| drop(fs::remove_file(&draft)))?;
    sync_folder(&path)?;
    Ok(bytes)
}

/// Where a link leads, also where nothing is there yet.
fn followed(path: &Path) -> PathBuf {
    const MOST_LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(target) = fs::read_link(&path) else { break };
        path = path.parent().unwrap_or(Path::new("")).join(target);
    }
    path
}

/// An error if the file is a place where something is mounted, as a container has a single file of its host: no other file can
/// take its name.
fn expect_not_mounted(path: &Path) -> io::Result<()> {
    let Ok(path) = fs::canonicalize(path) else { return Ok(()) };
    let is_it =
        |line: &[u8]| line.split(|&byte| byte == b' ').nth(4).is_some_and(|name| unescaped(name) == path_bytes(&path));
    match fs::read("/proc/self/mountinfo") {
        Ok(mounts) if mounts.split(|&byte| byte == b'\n').any(is_it) => {
            let why = "the file is mounted by itself, and a saved filter replaces it: mount its folder";
            Err(io::Error::new(ErrorKind::ResourceBusy, why))
        }
        _ => Ok(()),
    }
}

fn path_bytes(path: &Path) -> &[u8] {
    path.as_os_str().as_encoded_bytes()
}

/// A name of the list of mounts, whose blanks and backslashes are octal numbers.
fn unescaped(name: &[u8]) -> Vec<u8> {
    let mut parts = name.split(|&byte| byte == b'\\');
    let mut plain = parts.next().unwrap_or_default().to_vec();
    for part in parts {
        let (digits, rest) = part.split_at(part.len().min(3));
        plain.push(
            digits.iter().fold(0, |number: u8, digit| number.wrapping_mul(8).wrapping_add(digit.wrapping_sub(b'0'))),
        );
        plain.extend_from_slice(rest);
    }
    plain
}

/// The facts of the file at the path, if there is one. It must be empty, or begin as a snapshot that this library reads.
fn replaceable(path: &Path) -> io::Result<Option<Metadata>> {
    let facts = match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        facts => facts?,
    };
    if !facts.is_file() {
        return Err(io::Error::other("not replaced: not a file"));
    }
    if facts.len() > 0 {
        let start = snapshot::expect_start(&mut File::open(path)?);
        start.map_err(|error| io::Error::new(error.kind(), format!("not replaced: {error}")))?;
    }
    Ok(Some(facts))
}

/// Hex digits between the name of the file and the ending of its draft.
const DIGITS: usize = 16;

/// A name that hardly any other saver draws, next to that of the file. A fork has the random numbers of its parent, but another
/// number of its own.
fn draft_of(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(format!(".{:0DIGITS$x}.new", RandomState::new().hash_one(process::id())));
    PathBuf::from(name)
}

/// A file that is not there yet, of a name that is drawn. One that is there is the draft of another saver, and stays.
fn created(mut draw: impl FnMut() -> PathBuf) -> io::Result<(PathBuf, File)> {
    const MOST_TRIES: usize = 100;
    let mut tries = 1;
    loop {
        let draft = draw();
        match OpenOptions::new().write(true).create_new(true).open(&draft) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists && tries < MOST_TRIES => tries += 1,
            opened => return opened.map(|file| (draft, file)),
        }
    }
}

/// Whether a name is that of a draft of the file, from any language.
fn is_draft(name: &OsStr, file: &OsStr) -> bool {
    let rest = name.as_encoded_bytes().strip_prefix(file.as_encoded_bytes());
    let digits = rest.and_then(|rest| rest.strip_prefix(b".")?.strip_suffix(b".new"));
    digits.is_some_and(|digits| digits.len() == DIGITS && digits.iter().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')))
}

/// Removes the drafts of the file that were not written for ten minutes: their savers were killed. The save needs none of
/// this: what cannot be listed or removed stays.
fn remove_old_drafts(path: &Path) {
    let (Some(file), Ok(entries)) = (path.file_name(), fs::read_dir(folder_of(path))) else { return };
    for entry in entries.flatten().filter(|entry| is_draft(&entry.file_name(), file)) {
        if is_given_up(&entry.path()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether it is a file, and no link to one, that was not written for so long.
fn is_given_up(draft: &Path) -> bool {
    const GIVEN_UP: Duration = Duration::from_secs(600);
    let written = fs::symlink_metadata(draft).ok().filter(Metadata::is_file).and_then(|facts| facts.modified().ok());
    written.is_some_and(|written| date().duration_since(written).is_ok_and(|passed| passed > GIVEN_UP))
}

/// Gives the draft the name of the file.
fn rename(draft: &Path, path: &Path) -> io::Result<()> {
    fs::rename(draft, path).map_err(|error| match fs::symlink_metadata(draft) {
        Err(gone) if gone.kind() == ErrorKind::NotFound => {
            let why = "not saved: its draft is gone: a save removes drafts that were not written for ten minutes";
            io::Error::new(ErrorKind::NotFound, why)
        }
        _ => error,
    })
}

/// Writes a new file, with the mode and the owner of the old one, up to the disk.
fn written(
    file: File,
    old: Option<&Metadata>,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<u64>,
) -> io::Result<u64> {
    if let Some(old) = old {
        keep_owner(&file, old);
        file.set_permissions(old.permissions())?;
    }
    let mut out = BufWriter::new(file);
    let bytes = write(&mut out)?;
    out.flush()?;
    out.get_ref().sync_all()?;
    Ok(bytes)
}

/// The owner and the group of the old file, as far as this user may give them: a run as root does not take a file from its owner.
#[cfg(unix)]
fn keep_owner(new: &File, old: &Metadata) {
    use std::os::unix::fs::{MetadataExt, fchown};
    let owner = |facts: &Metadata| (facts.uid(), facts.gid());
    if new.metadata().ok().as_ref().map(owner) != Some(owner(old)) {
        let _ = fchown(new, Some(old.uid()), Some(old.gid())).or_else(|_| fchown(new, None, Some(old.gid())));
    }
}

/// On systems whose files have no such owners.
#[cfg(not(unix))]
fn keep_owner(_: &File, _: &Metadata) {}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The new name is on the disk too. Where the folder may not be read, or its system has no such call, the file is whole under its name.
#[cfg(unix)]
fn sync_folder(path: &Path) -> io::Result<()> {
    match File::open(folder_of(path)).and_then(|folder| folder.sync_all()) {
        Err(error) if [ErrorKind::PermissionDenied, ErrorKind::InvalidInput].contains(&error.kind()) => Ok(()),
        synced => synced,
    }
}

/// Where folders cannot be opened, the system sees to it.
#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

fn of_error(error: Error) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, error)
}

/// The same error, whose message begins with the file's name; one of the library stays what it is inside.
fn named(path: &Path, error: io::Error) -> io::Error {
    if error.get_ref().is_some_and(|inner| inner.is::<Error>()) {
        return error;
    }
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_not_be_written_whole_is_removed() {
        let folder = std::env::temp_dir().join(format!("lately-draft-{}", std::process::id()));
        fs::create_dir(&folder).expect("a folder");
        let refused = save(&folder.join("seen"), |_| Err(io::Error::other("the disk is full")));
        let names = fs::read_dir(&folder).expect("the folder").count();
        fs::remove_dir_all(&folder).expect("the folder goes");
        assert!(refused.is_err() && names == 0, "{refused:?}, {names} files");
    }

    /// Another saver comes meanwhile, before the first has written anything.
    #[test]
    fn a_saver_that_stalled_finds_its_draft_gone_and_the_file_as_it_was() {
        let folder = std::env::temp_dir().join(format!("lately-stalled-{}", std::process::id()));
        fs::create_dir(&folder).expect("a folder");
        let path = folder.join("seen");
        let other = |out: &mut BufWriter<File>| Filter::new(&Options::last(10)).map_err(of_error)?.write_snapshot(out);
        let refused = save(&path, |out| {
            out.get_ref().set_modified(date() - Duration::from_secs(601))?;
            save(&path, other)?;
            out.write_all(b"late").map(|()| 4)
        });
        let error = refused.expect_err("its draft is gone");
        let names = fs::read_dir(&folder).expect("the folder").count();
        let start = snapshot::expect_start(&mut File::open(&path).expect("the file"));
        fs::remove_dir_all(&folder).expect("the folder goes");
        assert_eq!((error.kind(), names), (ErrorKind::NotFound, 1), "{error}");
        assert!(error.to_string().starts_with("not saved: its draft is gone: ") && start.is_ok(), "{error}, {start:?}");
    }

    #[test]
    fn what_a_saver_draws_is_the_name_of_a_draft() {
        // One number in 16 begins with a zero.
        for _ in 0..200 {
            let draft = draft_of(Path::new("folder/seen"));
            assert!(is_draft(draft.file_name().expect("a name"), OsStr::new("seen")), "{draft:?}");
        }
    }

    #[test]
    fn draft_of_another_saver_stays_and_the_next_name_is_drawn() {
        let folder = std::env::temp_dir().join(format!("lately-drawn-{}", std::process::id()));
        fs::create_dir(&folder).expect("a folder");
        let (taken, free) = (folder.join("taken"), folder.join("free"));
        fs::write(&taken, "of another").expect("written");
        let mut names = [&taken, &free].into_iter().cloned();
        let (draft, _) = created(|| names.next().expect("two draws")).expect("created");
        let refused = created(|| taken.clone()).map(|(draft, _)| draft).map_err(|error| error.kind());
        let other = fs::read(&taken);
        fs::remove_dir_all(&folder).expect("the folder goes");
        assert_eq!((&draft, refused), (&free, Err(ErrorKind::AlreadyExists)));
        assert_eq!(other.expect("the draft of another"), b"of another");
    }

    #[test]
    fn names_of_the_list_of_mounts_have_octal_numbers() {
        assert_eq!(unescaped(br"/a\040b\134c\012"), b"/a b\\c\n");
        assert_eq!(unescaped(b"/plain"), b"/plain");
    }
}
