//! `--state FILE`: a run resumes where the last one ended.
//!
//! ```text
//!  FILE        the filter's snapshot (docs/reference/format.md) | entries that wait, if there are any | a line of JSON: what made it,
//!              and how many bytes of entries, with their checksum | 16 hex digits: XXH3-64 of the line
//!  FILE.new    the next one, until it is whole and on the disk; then it takes the place of FILE
//!  FILE.lock   held while a run lasts, so that two do not write over each other; gone when it ends
//! ```
//! **Law.** A run that is killed at any moment leaves the old state or the new one, whole. A record is printed before it is in
//! a state: after a kill some records are printed again, and none is left out.
//!
//! **Time.** Ticks are nanoseconds since 1970, of the records or of the wall clock at their arrival, so that the ticks
//! themselves show the time between two runs.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufReader, BufWriter, ErrorKind, Read, Result, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use lately::{Filter, Kind, LoadOptions, hash64};
use memchr::memmem;

use crate::book::Book;
use crate::exit::{Exit, not_loaded};
use crate::lock::{Lock, replace};
use crate::signals::Watch;
use crate::units::{exact_size, show_time};
use crate::waiting::{Saved, Waiting};

/// What decides about keys and filter, by the name of its option: a state is of use to equal ones only.
pub(crate) type Made = BTreeMap<String, String>;

/// A limit, and no part of what decides.
pub(crate) const LIMIT: &str = "limit of --memory";

/// The record far ahead of the clock; no part of it either.
const FAR: &str = "record ahead of the clock";

/// Entries that wait; no part of it. Their number, bytes and checksum, and how many records were judged before.
const COUNTS: &str = "open counts";
const HELD: &str = "held records";

/// What a window of records or a set was planned for. A state keeps the one that it was made with.
pub(crate) const MEMORY: &str = "--memory";

/// A request that a state may have been made with.
pub(crate) struct Request {
    pub(crate) made: Made,
    /// The kind that it makes, if that is not the one that is asked for.
    pub(crate) older: Option<Kind>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Keeping<'a> {
    pub(crate) path: &'a Path,
    /// Nanoseconds from one saving to the next; 0 is never on the way.
    pub(crate) every: u64,
    /// How long to wait for another run that has locked it.
    pub(crate) wait: Duration,
}

/// More than the JSON of a state can have.
const MOST_JSON: u64 = 1 << 20;

/// Hex digits of the checksum of the JSON.
const DIGITS: usize = 16;

pub(crate) struct State {
    path: PathBuf,
    every: u64,
    made: Made,
    saved: Instant,
    is_old: bool,
    is_failing: bool,
    /// Entries that no part of this run takes: they stay.
    pub(crate) carried: Option<Waiting>,
    _lock: Lock,
}

pub(crate) struct Kept<'a> {
    pub(crate) filter: &'a Filter,
    pub(crate) far: Option<String>,
    pub(crate) waiting: Option<&'a Waiting>,
}

pub(crate) struct Found {
    pub(crate) filter: Filter,
    /// Its kind, if that is not the one that is asked for.
    pub(crate) older: Option<Kind>,
    /// The record far ahead of its clock that waits for the next one.
    pub(crate) far: Option<String>,
    pub(crate) saved: Option<Saved>,
}

impl State {
    /// Takes the file, and loads the filter that is in it, if there is one yet. It must have been made by one of the
    /// requests, and continues as that; a new one is made by the first of them.
    pub(crate) fn open(
        keeping: Keeping<'_>,
        requests: Vec<Request>,
        options: &LoadOptions,
        watch: &Watch,
    ) -> std::result::Result<(Self, Option<Found>), Exit> {
        let named = |why: &dyn std::fmt::Display| Exit::Failed(format!("{}: {why}", keeping.path.display()));
        let path = followed(keeping.path);
        if is_mounted(&path) {
            return Err(named(
                &"the file is mounted by itself, and a state is replaced by another file: mount its folder",
            ));
        }
        let lock = match Lock::take(&path, keeping.wait, || watch.stopped()) {
            Ok(lock) => lock,
            Err(error) => return Err(watch.stopped().map_or_else(|| named(&error), Exit::Interrupted)),
        };
        let (made, found) = match saved(&path) {
            Ok(None) => (requests.into_iter().next().map(|request| request.made).unwrap_or_default(), None),
            Ok(Some(file)) => {
                let (filter, then, saved) = read(file, options).map_err(|why| named(&why))?;
                let request = choose(&then, requests).map_err(|why| named(&why))?;
                (request.made, Some(Found { filter, older: request.older, far: then.get(FAR).cloned(), saved }))
            }
            Err(error) => return Err(named(&error)),
        };
        let now = Instant::now();
        let every = keeping.every;
        let state =
            Self { path, every, made, saved: now, is_old: false, is_failing: false, carried: None, _lock: lock };
        Ok((state, found))
    }

    pub(crate) fn note(&mut self) {
        self.is_old = true;
    }

    /// When it is time to save; nothing if there is nothing to save, or not on the way.
    pub(crate) fn due(&self) -> Option<Instant> {
        let every = Duration::from_nanos(self.every);
        (self.is_old && self.every > 0).then(|| self.saved.checked_add(every)).flatten()
    }

    pub(crate) fn is_due(&self, now: Instant) -> bool {
        self.due().is_some_and(|due| now >= due)
    }

    pub(crate) fn save(&mut self, kept: &Kept<'_>) -> std::result::Result<(), Exit> {
        [FAR, COUNTS, HELD].into_iter().for_each(|name| drop(self.made.remove(name)));
        self.made.extend(kept.far.clone().map(|far| (String::from(FAR), far)));
        let path = self.path.clone();
        let saved = replace(&path, |file| self.write(file, kept)).and_then(|()| sync_folder(&path));
        (self.saved, self.is_old) = (Instant::now(), saved.is_err());
        saved.map_err(|error| Exit::Failed(format!("{}: not saved: {error}", path.display())))
    }

    /// Saves on the way, and gives what to say of it, where that is something new. A saving that fails is tried again at
    /// the next turn: what counts is the one at the end.
    pub(crate) fn save_on_the_way(&mut self, kept: &Kept<'_>) -> Option<String> {
        let saved = self.save(kept);
        let was_failing = std::mem::replace(&mut self.is_failing, saved.is_err());
        match saved {
            Err(Exit::Failed(why)) if !was_failing => {
                Some(format!("{why}; the run continues and tries again every {}", show_time(self.every)))
            }
            Ok(()) if was_failing => Some(format!("{}: saved again", self.path.display())),
            _ => None,
        }
    }

    fn write(&mut self, file: File, kept: &Kept<'_>) -> Result<()> {
        let mut out = BufWriter::new(file);
        kept.filter.write_snapshot(&mut out)?;
        if let Some(waiting) = kept.waiting.or(self.carried.as_ref()).filter(|waiting| waiting.book.len() > 0) {
            let (len, sum) = waiting.book.write(&mut out)?;
            let name = if waiting.are_counts() { COUNTS } else { HELD };
            let value = format!("{} {len} {sum} {}", waiting.book.len(), waiting.position);
            self.made.insert(name.into(), value);
        }
        out.write_all(trailer(&self.made).as_bytes())?;
        out.into_inner()?.sync_all()
    }
}

/// Where a link leads, so that all its names are one state; also where nothing is there yet.
fn followed(path: &Path) -> PathBuf {
    const MOST_LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(target) = fs::read_link(&path) else { break };
        path = path.parent().unwrap_or(Path::new("")).join(target);
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (fs::canonicalize(folder), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path,
    }
}

/// Whether the file is a place where something is mounted, as a container has a single file of its host: no other file can
/// take its name.
#[cfg(target_os = "linux")]
fn is_mounted(path: &Path) -> bool {
    use rustix::fs::{AtFlags, CWD, StatxAttributes, StatxFlags, statx};
    let found = statx(CWD, path, AtFlags::empty(), StatxFlags::empty());
    found.is_ok_and(|found| found.stx_attributes.contains(StatxAttributes::MOUNT_ROOT))
}

#[cfg(not(target_os = "linux"))]
fn is_mounted(_: &Path) -> bool {
    false
}

/// The file, if a state was saved to it: an empty one has only its name.
fn saved(path: &Path) -> Result<Option<File>> {
    match File::open(path) {
        Ok(file) => Ok((!file.metadata()?.is_file() || file.metadata()?.len() > 0).then_some(file)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// That a file has this name now is on the disk too. Where the folder may not be read, or its system has no such call, the file
/// is whole under its name all the same.
#[cfg(unix)]
fn sync_folder(path: &Path) -> Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match File::open(folder.unwrap_or(Path::new("."))).and_then(|folder| folder.sync_all()) {
        Err(error) if [ErrorKind::PermissionDenied, ErrorKind::InvalidInput].contains(&error.kind()) => Ok(()),
        synced => synced,
    }
}

/// Where folders cannot be opened, the system sees to it.
#[cfg(not(unix))]
fn sync_folder(_: &Path) -> Result<()> {
    Ok(())
}

/// The filter, what made it, and what waited.
fn read(file: File, options: &LoadOptions) -> std::result::Result<(Filter, Made, Option<Saved>), String> {
    const DAMAGED: &str = "not a state that lately saved: the part behind the snapshot is damaged";
    let mut input = BufReader::new(file);
    let filter = Filter::read_snapshot(&mut input, options).map_err(|error| not_loaded(&error))?;
    let mut rest = Vec::new();
    input.read_to_end(&mut rest).map_err(|error| error.to_string())?;
    let (at, then) = last_line(&rest).ok_or(DAMAGED)?;
    let saved = read_entries(&rest[..at], &then).ok_or(DAMAGED)?;
    Ok((filter, then, saved))
}

/// The entries that the line behind them describes; none if it names none, and nothing if they are damaged.
fn read_entries(bytes: &[u8], then: &Made) -> Option<Option<Saved>> {
    let named = [(COUNTS, true), (HELD, false)].into_iter().find_map(|(name, is)| Some((then.get(name)?, is)));
    let Some((value, are_counts)) = named else { return bytes.is_empty().then_some(None) };
    let numbers: Vec<u64> = value.split(' ').filter_map(|number| number.parse().ok()).collect();
    let &[n, len, sum, position] = numbers.as_slice() else { return None };
    let entries = Book::read(bytes, sum)?;
    let is_whole = u64::try_from(bytes.len()) == Ok(len) && u64::try_from(entries.len()) == Ok(n);
    is_whole.then_some(Some(Saved { are_counts, position, entries }))
}

/// What made the state at `path`, if there is one: read from its end, without the filter and without its lock.
pub(crate) fn made(path: &Path) -> Option<Made> {
    let mut file = File::open(path).ok()?;
    let len = file.metadata().ok().filter(fs::Metadata::is_file)?.len();
    file.seek(SeekFrom::Start(len.saturating_sub(MOST_JSON))).ok()?;
    let mut tail = Vec::new();
    file.take(MOST_JSON).read_to_end(&mut tail).ok()?;
    last_line(&tail).map(|(_, made)| made)
}

/// What made a state that ends so, and where that begins: with the last of these that has the right checksum.
fn last_line(bytes: &[u8]) -> Option<(usize, Made)> {
    memmem::rfind_iter(bytes, b"{\"").find_map(|at| Some((at, parse(&bytes[at..])?)))
}

/// What follows the snapshot.
fn trailer(made: &Made) -> String {
    let line = serde_json::to_string(made).expect("texts are JSON") + "\n";
    let sum = hash64(line.as_bytes(), 0);
    format!("{line}{sum:0DIGITS$x}\n")
}

fn parse(trailer: &[u8]) -> Option<Made> {
    let made = serde_json::from_slice(trailer.split(|byte| *byte == b'\n').next()?).ok()?;
    (self::trailer(&made).as_bytes() == trailer).then_some(made)
}

/// The request that a state was made with. A key that is made otherwise, or another filter, would answer wrongly without
/// a word.
fn choose(then: &Made, mut requests: Vec<Request>) -> std::result::Result<Request, String> {
    let of_then = bare(then);
    match requests.iter().position(|request| bare(&request.made) == of_then) {
        Some(found) => Ok(requests.swap_remove(found)),
        None => Err(differences(&of_then, &requests.first().map(|request| bare(&request.made)).unwrap_or_default())),
    }
}

fn bare(made: &Made) -> Made {
    made.iter()
        .filter(|(name, _)| ![LIMIT, FAR, COUNTS, HELD].contains(&name.as_str()))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

/// What differs, one option a line, with both values.
fn differences(then: &Made, now: &Made) -> String {
    let said = |made: &Made, name: &String| match (made.get(name).map(String::as_str), name.as_str()) {
        (None, _) => String::from("nothing"),
        (Some(""), _) => name.clone(),
        (Some(bytes), MEMORY) => format!("{name} {}", bytes.parse().map_or_else(|_| bytes.to_owned(), exact_size)),
        (Some(value), _) => format!("{name} {value}"),
    };
    let names: std::collections::BTreeSet<&String> = then.keys().chain(now.keys()).collect();
    let differ = names.into_iter().filter(|name| then.get(*name) != now.get(*name));
    let lines = differ.map(|name| format!("\n  {}, now {}", said(then, name), said(now, name)));
    format!("this state was made with other options:{}", lines.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn state_that_is_mounted_by_itself_is_known() {
        let file = tempfile::NamedTempFile::new().unwrap();
        assert!(is_mounted(Path::new("/proc")) && !is_mounted(file.path()) && !is_mounted(Path::new("no/such/file")));
    }
}
