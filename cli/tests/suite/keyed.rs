//! `--keyed FILE`: the file is made for its owner alone, read, refused when it is open to others or malformed.

use crate::common;

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use common::{lately, quiet};

/// A folder, and the file in it that a test is about.
fn place() -> (tempfile::TempDir, PathBuf) {
    let (dir, path) = common::place("secret");
    (dir, path.into())
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn write(path: &Path, text: &str, mode: u32) {
    fs::write(path, text).unwrap();
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

/// Windows in which some dozens of ten thousand records are false duplicates, and which ones depends on the hash: two
/// secrets give the same output in one of more than 1e15 runs.
const LOOSE: [&str; 4] = ["--capacity", "10000", "--error", "0.5"];
/// By the time of each number, a second: by the machine's clock two runs are never the same.
const LOOSE_IN_TIME: [&str; 10] =
    ["--algo", "time-limited", "--window", "1h", "--error", "0.5", "--time-field", "1", "--time-format", "epoch"];

fn numbers() -> String {
    common::numbers(0..10_000)
}

fn with(args: &[&str], path: &Path) -> String {
    quiet(&[args, &["--keyed", path.to_str().unwrap()]].concat(), numbers()).text().to_owned()
}

#[test]
fn a_file_that_is_not_there_is_made_for_its_owner_alone() {
    let (dir, path) = place();
    with(&LOOSE, &path);
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!((text.len(), text.trim_end().len(), mode(&path)), (33, 32, 0o600));
    assert!(text.trim_end().bytes().all(|digit| digit.is_ascii_hexdigit()));
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "nothing else is left behind");
    with(&LOOSE, &path);
    assert_eq!(fs::read_to_string(&path).unwrap(), text, "it is made once");
    let other = dir.path().join("other");
    with(&LOOSE, &other);
    assert_ne!(fs::read_to_string(&other).unwrap(), text);
}

#[test]
fn the_secret_decides_the_hash_for_each_window() {
    let (dir, path) = place();
    let other = dir.path().join("other");
    for args in [&LOOSE[..], &LOOSE_IN_TIME, &["--memory", "64", "--error", "0.5"]] {
        let out = |path: Option<&Path>| {
            let keyed = path.map_or(vec![], |path| vec!["--keyed", path.to_str().unwrap()]);
            quiet(&[args, &keyed].concat(), numbers()).text().to_owned()
        };
        assert!(out(Some(&path)) == out(Some(&path)), "{args:?}: one secret, one output");
        assert!(out(Some(&path)) != out(Some(&other)), "{args:?}: two secrets");
        assert!(out(Some(&path)) != out(None), "{args:?}: a secret and none");
    }
}

/// Keys wait for their batch byte by byte: each begins where the one before it ends, in every batch.
#[test]
fn keys_are_whole_in_every_batch() {
    let (_dir, path) = place();
    let lines: String = ["", "a"].iter().flat_map(|head| (1000..6000).map(move |i| format!("{head}{i}\n"))).collect();
    let args = ["--last", "1e5", "--error", "1e-9", "--keyed", path.to_str().unwrap()];
    assert_eq!(quiet(&args, &lines).text(), lines);
    assert_eq!(quiet(&[&args[..], &["-d"]].concat(), lines.repeat(2)).text(), lines);
}

/// Status 3, nothing printed, and a message that begins with the file.
fn refused(path: &Path, words: &str) {
    let ran = lately(&["--last", "9", "--keyed", path.to_str().unwrap()], "a\n");
    ran.refused(3, &[words]);
    assert!(ran.err.starts_with(&format!("lately: {}: ", path.display())), "{}", ran.err);
}

#[test]
fn file_without_a_secret_is_refused_by_name() {
    let (dir, path) = place();
    for text in ["", "xyz", &"0".repeat(32), &"1".repeat(31), &"1".repeat(33), &"1\n".repeat(32), &"g".repeat(32)] {
        write(&path, text, 0o600);
        refused(&path, "32 hex digits");
        assert_eq!(fs::read_to_string(&path).unwrap(), text, "it is left as it was");
    }
    fs::set_permissions(dir.path(), Permissions::from_mode(0o700)).unwrap();
    refused(dir.path(), "directory");
    refused(&dir.path().join("no/such"), "No such file");
}

#[test]
fn a_file_that_is_open_to_others_is_refused() {
    let (_dir, path) = place();
    let text = "1".repeat(32);
    for mode in [0o644, 0o604, 0o602, 0o620, 0o666, 0o777] {
        write(&path, &text, mode);
        refused(&path, &format!("its mode {mode:04o}"));
    }
    for mode in [0o600, 0o400, 0o640, 0o440] {
        write(&path, &text, mode);
        quiet(&["--last", "9", "--keyed", path.to_str().unwrap()], "a\n");
    }
}

#[test]
fn no_file_is_made_for_a_request_that_is_wrong_or_for_a_plan() {
    let (_dir, path) = place();
    let keyed = ["--keyed", path.to_str().unwrap()];
    assert_eq!(lately(&[&["--last", "1e15"], &keyed[..]].concat(), "").code, 2);
    assert_eq!(lately(&[&["--last", "9", "-k", "0"], &keyed[..]].concat(), "").code, 2);
    quiet(&[&["plan", "--last", "9"], &keyed[..]].concat(), "");
    assert!(!path.exists());
}

/// A new secret opens no state, and a file of that name would only be in the way.
#[test]
fn state_with_another_secret_is_named_and_no_secret_is_made() {
    let (dir, path) = place();
    let [keyed, plain, other] = ["keyed", "plain", "other"].map(|name| dir.path().join(name).display().to_string());
    let secret = path.to_str().unwrap();
    quiet(&["--last", "9", "--keyed", secret, "--state", &keyed], "a\n");
    quiet(&["--last", "9", "--state", &plain], "a\n");
    let absent = |state: &str| format!("{other}: there is no such file, and a new secret does not open {state}");
    for (args, why) in [
        (&["--state", &keyed][..], format!("{keyed}: this state was made with --keyed: name the file of its secret")),
        (&["--state", &plain, "--keyed", secret], format!("{plain}: this state was made without --keyed")),
        (&["--state", &keyed, "--keyed", &other], absent(&keyed)),
        (&["--state", &plain, "--keyed", &other], absent(&plain)),
    ] {
        let ran = lately(args, "b\n");
        assert_eq!((ran.code, ran.text(), &*ran.err), (3, "", &*format!("lately: {why}\n")), "{args:?}");
    }
    assert!(!Path::new(&other).exists());
    write(Path::new(&other), &"1".repeat(32), 0o600);
    let ran = lately(&["--state", &keyed, "--keyed", &other], "b\n");
    assert!(ran.err.contains("another secret than that of the file of --keyed"), "{}", ran.err);
    assert_eq!(quiet(&["--state", &keyed, "--keyed", secret], "a\nb\n").text(), "b\n");
}

#[test]
fn two_that_begin_together_share_a_secret() {
    let (dir, path) = place();
    // What a run that was killed left.
    fs::write(dir.path().join("secret.new"), "00").unwrap();
    let all: Vec<_> = (0..8)
        .map(|_| {
            let path = path.clone();
            std::thread::spawn(move || with(&LOOSE, &path))
        })
        .collect();
    let outputs: Vec<String> = all.into_iter().map(|one| one.join().unwrap()).collect();
    assert!(outputs.iter().all(|out| *out == outputs[0]));
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
}
