//! How many keys the files may bring, so that the tables of a window of time have room from the start and need not grow to
//! it step by step: as many as a key in 64 bytes makes, or fewer if lines of two places show that most of them come again.
//!
//! **Law.** Of D lines that come at random, a draws and then b more have a b / D in common. A line is no key, but equal
//! lines are equal keys, so that D is not below the number of keys. What is wrong here costs time and no verdict.

use std::collections::HashSet;
use std::fs::File;
use std::io::{ErrorKind, Read, Result, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use lately::hash64;

use crate::input::size;
use crate::stdio::is_stdin;

const BYTES_A_KEY: u64 = 64;

/// A table for so many is all that is worth its memory.
const MOST_KEYS: u64 = 4_000_000;

/// Keys that a pipe may bring, whose end is not known: 5 MiB at 1e-6.
pub(crate) const OF_A_PIPE: u64 = 1 << 20;

/// A table for so few is not worth a look at the lines.
const FEW_KEYS: u64 = 100_000;

/// Bytes that are looked at in each place.
const PIECE: u64 = 1 << 19;

/// Keys to have room for, if all inputs are files; records end with `end`.
pub(crate) fn keys(files: &[PathBuf], end: u8) -> Option<u64> {
    let most = (size(files)? / BYTES_A_KEY).min(MOST_KEYS);
    let seen = files.first().filter(|_| most > FEW_KEYS).and_then(|file| pieces(file).ok());
    // Twice as many: lines elsewhere may be others.
    let keys = seen.and_then(|pieces| distinct(&pieces, end)).map_or(u64::MAX, |keys| keys.saturating_mul(2));
    Some(most.min(keys.max(FEW_KEYS)))
}

/// The file, opened for a look. Standard input is opened anew by Linux alone: elsewhere the look would move the place
/// where its records are read.
fn look(path: &Path) -> Result<File> {
    match is_stdin(path) {
        false => File::open(path),
        true if cfg!(target_os = "linux") => File::open("/dev/stdin"),
        true => Err(ErrorKind::Unsupported.into()),
    }
}

/// Bytes from two places of a file that are far apart, so that what comes again soon is not in both.
fn pieces(path: &Path) -> Result<[Vec<u8>; 2]> {
    let mut file = look(path)?;
    let third = file.metadata()?.len() / 3;
    let mut piece = |at| -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(at))?;
        file.by_ref().take(PIECE.min(third)).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    Ok([piece(third)?, piece(2 * third)?])
}

/// How many lines there may be in all, by those that both pieces have in common; nothing if that is hardly any.
fn distinct(pieces: &[Vec<u8>; 2], end: u8) -> Option<u64> {
    const LEAST: usize = 10;
    let [first, second] = pieces
        .each_ref()
        .map(|piece| piece.split(|byte| *byte == end).map(|line| hash64(line, 0)).collect::<HashSet<u64>>());
    let common = first.intersection(&second).count();
    let pairs = first.len().saturating_mul(second.len());
    if common < LEAST { None } else { u64::try_from(pairs / common).ok() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random(n: u64, seed: &mut u64) -> u64 {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 33) % n
    }

    /// The pairs in common are Poisson with a mean of 100 at least: within half of it in all but one case of 10^6.
    #[test]
    fn the_number_of_different_lines_is_known_from_a_few() {
        let mut seed = 1;
        for (different, lines) in [(10_000, 10_000), (100_000, 10_000), (250_000, 20_000)] {
            let mut piece = || {
                let lines = (0..lines / 2).map(|_| format!("{:x<20}\n", random(different, &mut seed)));
                lines.collect::<String>().into_bytes()
            };
            let found = distinct(&[piece(), piece()], b'\n').unwrap();
            assert!(different / 2 < found && found < different * 2, "{found} of {different}");
        }
    }

    #[test]
    fn lines_that_do_not_come_again_say_nothing() {
        let pieces = |line: fn(u64) -> u64| {
            let piece = |from| (from..from + 10_000).map(|i| format!("{}\n", line(i))).collect::<String>().into_bytes();
            [piece(0), piece(10_000)]
        };
        assert_eq!(distinct(&pieces(|i| i), b'\n'), None);
        assert_eq!(distinct(&pieces(|i| i / 100), b'\n'), None, "in runs");
    }

    #[test]
    fn room_is_for_what_a_file_may_bring() {
        let file = |lines: &mut dyn Iterator<Item = u64>| {
            let file = tempfile::NamedTempFile::new().unwrap();
            std::fs::write(file.path(), lines.map(|i| format!("{i:x<63}\n")).collect::<String>()).unwrap();
            file
        };
        let room = |file: &tempfile::NamedTempFile| keys(&[file.path().to_owned()], b'\n').unwrap();
        let mut seed = 1;
        assert_eq!(room(&file(&mut (0..300_000))), 300_000);
        assert_eq!(room(&file(&mut (0..300_000).map(|_| random(1000, &mut seed)))), FEW_KEYS);
        let soon = |(i, n): (u64, u64)| i - n.min(i);
        let mut repeats = (0..300_000).map(|i| soon((i, random(2000, &mut seed))));
        assert_eq!(room(&file(&mut repeats)), 300_000, "what comes again soon is no sign");
        assert_eq!(room(&file(&mut (0..1000).map(|_| 1))), 1000);
        assert_eq!(keys(&[PathBuf::from("no/such/file")], b'\n'), None);
    }
}
