//! What the tests of the shell share: running it, samples, and the exact oracle.
#![allow(dead_code, unreachable_pub, reason = "every test file uses its own part of this")]

pub mod oracle;
pub mod random;
pub mod samples;

use std::io::Write;
use std::process::{Child, Command, Stdio};

/// What a run left behind.
pub struct Ran {
    pub out: Vec<u8>,
    pub err: String,
    pub code: i32,
}

impl Ran {
    /// Standard output as text.
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.out).expect("the test's records are text")
    }

    /// The report of `--report json`.
    pub fn report(&self) -> serde_json::Value {
        let line = self.err.lines().find(|line| line.starts_with('{')).expect("a report");
        serde_json::from_str(line).expect("the report is JSON")
    }

    /// One number of the report.
    pub fn count(&self, name: &str) -> u64 {
        self.report()[name].as_u64().unwrap_or_else(|| panic!("no count {name} in {}", self.err))
    }
}

/// The shell with these arguments and pipes for all three streams.
pub fn start(args: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_lately"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the shell starts")
}

/// Runs the shell over `input` to its end.
pub fn lately(args: &[&str], input: impl AsRef<[u8]>) -> Ran {
    let mut child = start(args);
    let (mut stdin, input) = (child.stdin.take().expect("a pipe"), input.as_ref().to_vec());
    let feeder = std::thread::spawn(move || stdin.write_all(&input));
    let done = child.wait_with_output().expect("the shell ends");
    // Whoever reads only a part, or nothing after a wrong option, closes the pipe: that is for the test to judge.
    let _ = feeder.join().expect("the feeder does not panic");
    let err = String::from_utf8(done.stderr).expect("messages are text");
    Ran { out: done.stdout, err, code: done.status.code().unwrap_or(-1) }
}

/// Runs and expects success and no word on standard error but the report.
pub fn quiet_report(args: &[&str], input: impl AsRef<[u8]>) -> serde_json::Value {
    let ran = lately(&[args, &["--report", "json"]].concat(), input);
    assert_eq!((ran.code, ran.err.lines().count()), (0, 1), "{args:?}: {}", ran.err);
    ran.report()
}

/// Judges the input among its last 99 records and returns what the command prints.
pub fn out(args: &[&str], input: impl AsRef<[u8]>) -> String {
    quiet(&[&["--last", "99"], args].concat(), input).text().to_owned()
}

/// Files of these texts, one after the other.
pub fn files<T: AsRef<[u8]>>(texts: &[T]) -> (tempfile::TempDir, Vec<String>) {
    let dir = tempfile::tempdir().unwrap();
    let paths = texts.iter().enumerate().map(|(i, text)| {
        let path = dir.path().join(i.to_string());
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    });
    let paths = paths.collect();
    (dir, paths)
}

/// Runs and expects success without a word on standard error.
pub fn quiet(args: &[&str], input: impl AsRef<[u8]>) -> Ran {
    let ran = lately(args, input);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{args:?}");
    ran
}
