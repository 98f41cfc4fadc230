//! The secret of a keyed filter in a file: 32 hex digits, the 16 bytes of a SipHash key in their order.
//!
//! A file that is not there is made from the operating system's randomness, for its owner alone. A file that everybody
//! may read, or that others may change, is refused: a secret that is known protects nothing, and a warning in a pipe is
//! not seen. That a group may read it is its owner's choice. On Windows, which has no such modes, the file has the
//! rights of its folder and is not judged by them.

use std::fs::{self, File, OpenOptions};
use std::io::{Error, ErrorKind, Read, Write};
#[cfg(unix)]
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;
use std::time::Duration;

use crate::exit::Exit;
use crate::lock::{Lock, with_ending};

/// The low and the high word, as the library takes them.
pub(crate) type Secret = (u64, u64);

/// What others may not do: write (group), read, write or enter (everybody).
#[cfg(unix)]
const TOO_OPEN: u32 = 0o027;

/// More than a well-formed file has: what is longer need not be read to its end.
const MOST_BYTES: u64 = 64;

/// How long to wait for another run that makes the file, which takes it a moment.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// The secret in the file at `path`, which is made if it is not there.
pub(crate) fn open(path: &Path) -> Result<Secret, Exit> {
    let found = || File::open(path);
    let file = match found() {
        Err(error) if error.kind() == ErrorKind::NotFound => make(path).and_then(|()| found()),
        file => file,
    };
    let named = |why: String| Exit::Failed(format!("{}: {why}", path.display()));
    read(file.map_err(|error| named(error.to_string()))?).map_err(named)
}

fn read(file: File) -> Result<Secret, String> {
    expect_private(&file)?;
    let mut text = Vec::new();
    file.take(MOST_BYTES).read_to_end(&mut text).map_err(|error| error.to_string())?;
    parse(&text).ok_or_else(|| String::from("not a secret: it must be 32 hex digits, not all 0, and a line end"))
}

#[cfg(unix)]
fn expect_private(file: &File) -> Result<(), String> {
    let mode = file.metadata().map_err(|error| error.to_string())?.permissions().mode() & 0o777;
    if mode & TOO_OPEN != 0 {
        return Err(format!("its mode {mode:04o} lets others read the secret: it must be 0600 or 0640"));
    }
    Ok(())
}

#[cfg(not(unix))]
fn expect_private(_: &File) -> Result<(), String> {
    Ok(())
}

/// How a new file is opened, so that it is its owner's alone from the first byte.
fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    options.mode(0o600);
    options
}

/// Makes the file, whole or not at all, as a state is made: FILE.new becomes FILE, and FILE.lock is held meanwhile. Of two runs that
/// begin at once the second one waits, and reads the first one's; what a run that was killed left is taken away.
fn make(path: &Path) -> Result<(), Error> {
    let _lock = Lock::take(path, LONGEST_WAIT, || None)?;
    if path.exists() {
        return Ok(());
    }
    let draft = with_ending(path, ".new");
    match fs::remove_file(&draft) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = private().open(&draft)?;
    let made = file.write_all(draw()?.as_bytes()).and_then(|()| file.sync_all());
    made.and_then(|()| fs::rename(&draft, path)).inspect_err(|_| drop(fs::remove_file(&draft)))
}

fn draw() -> Result<String, Error> {
    let mut secret = [0; 16];
    while secret == [0; 16] {
        getrandom::fill(&mut secret)?;
    }
    let digits: String = secret.iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(digits + "\n")
}

fn parse(text: &[u8]) -> Option<Secret> {
    let text = std::str::from_utf8(text).ok()?.trim_ascii_end();
    if text.len() != 32 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let word = |digits: &str| u64::from_str_radix(digits, 16).ok().map(u64::swap_bytes);
    let secret = (word(&text[..16])?, word(&text[16..])?);
    (secret != (0, 0)).then_some(secret)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_the_bytes_of_the_key_in_order() {
        let words = Some((0x0706_0504_0302_0100, 0x0F0E_0D0C_0B0A_0908));
        for text in ["000102030405060708090a0b0c0d0e0f", "000102030405060708090A0B0C0D0E0F\r\n"] {
            assert_eq!(parse(text.as_bytes()), words);
        }
    }
}
