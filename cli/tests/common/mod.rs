//! What the tests of the shell share: running it, samples, and the exact oracle.
#![allow(dead_code, unreachable_pub, reason = "every test file uses its own part of this")]

pub mod oracle;
pub mod random;
pub mod samples;

use std::io::{Read, Write};
use std::ops::Range;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

pub struct Ran {
    pub out: Vec<u8>,
    pub err: String,
    pub code: i32,
}

impl Ran {
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.out).expect("the test's records are text")
    }

    pub fn report(&self) -> serde_json::Value {
        let line = self.err.lines().find(|line| line.starts_with('{')).expect("a report");
        serde_json::from_str(line).expect("the report is JSON")
    }

    pub fn count(&self, name: &str) -> u64 {
        self.report()[name].as_u64().unwrap_or_else(|| panic!("no count {name} in {}", self.err))
    }

    /// Expects this status, no record, and a message with all of these words.
    #[track_caller]
    pub fn refused(&self, code: i32, words: &[&str]) {
        assert_eq!((self.code, self.text()), (code, ""), "{}", self.err);
        assert!(words.iter().all(|word| self.err.contains(word)), "{words:?}: {}", self.err);
    }

    /// The last word of each line.
    pub fn words(&self) -> Vec<&str> {
        self.text().lines().map(|line| line.rsplit([' ', '\t']).next().unwrap_or_default()).collect()
    }
}

/// The shell as a command, with pipes for all three streams.
pub fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lately"));
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

pub fn start(args: &[&str]) -> Child {
    command(args).spawn().expect("the shell starts")
}

/// Feeds a run that was started, and waits for its end.
pub fn feed(mut child: Child, input: impl AsRef<[u8]>) -> Ran {
    let (mut stdin, input) = (child.stdin.take().expect("a pipe"), input.as_ref().to_vec());
    let feeder = std::thread::spawn(move || stdin.write_all(&input));
    let ran = end(child);
    // Whoever reads only a part, or nothing after a wrong option, closes the pipe: that is for the test to judge.
    let _ = feeder.join().expect("the feeder does not panic");
    ran
}

pub fn end(child: Child) -> Ran {
    let done = child.wait_with_output().expect("the shell ends");
    let err = String::from_utf8_lossy(&done.stderr).into_owned();
    Ran { out: done.stdout, err, code: done.status.code().unwrap_or(-1) }
}

/// Runs the shell over `input` to its end.
pub fn lately(args: &[&str], input: impl AsRef<[u8]>) -> Ran {
    feed(start(args), input)
}

/// A script of the system's shell in this folder, with the program as $0 and pipes for all three streams.
pub fn sh(folder: &Path, text: &str) -> Command {
    let mut sh = Command::new("sh");
    sh.current_dir(folder).args(["-c", text, env!("CARGO_BIN_EXE_lately")]);
    sh.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    sh
}

/// Runs it to its end, without input.
pub fn script(folder: &Path, text: &str) -> Ran {
    feed(sh(folder, text).spawn().expect("a shell"), "")
}

/// Judges the input among its last 99 records and returns what the command prints.
pub fn out(args: &[&str], input: impl AsRef<[u8]>) -> String {
    quiet(&[&["--last", "99"], args].concat(), input).text().to_owned()
}

/// Runs and expects success without a word on standard error.
pub fn quiet(args: &[&str], input: impl AsRef<[u8]>) -> Ran {
    let ran = lately(args, input);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{args:?}");
    ran
}

/// What `lately plan` says of a request.
pub fn plan(args: &[&str]) -> serde_json::Value {
    let ran = quiet(&[&["plan", "--json"], args].concat(), "");
    assert_eq!(ran.text().lines().count(), 1, "one object");
    serde_json::from_str(ran.text()).expect("a plan is JSON")
}

/// A figure of a plan or a report.
pub fn real(figures: &serde_json::Value, name: &str) -> f64 {
    figures[name].as_f64().unwrap_or_else(|| panic!("no {name} in {figures}"))
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

/// A folder, and the path of a file in it, which is not there yet.
pub fn place(name: &str) -> (tempfile::TempDir, String) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(name).to_str().unwrap().to_owned();
    (dir, path)
}

pub fn numbers(range: Range<u32>) -> String {
    range.map(|i| format!("{i}\n")).collect()
}

/// Reads `n` bytes while their source stays open; panics if they do not come within a minute.
pub fn bytes<R: Read + Send + 'static>(mut from: R, n: usize) -> (String, R) {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = vec![0; n];
        if from.read_exact(&mut bytes).is_ok() {
            // The test may have given up.
            let _ = sender.send((String::from_utf8(bytes).expect("text"), from));
        }
    });
    receiver.recv_timeout(Duration::from_secs(60)).expect("bytes within a minute")
}

/// Reads up to a line feed, likewise.
pub fn line<R: Read + Send + 'static>(mut from: R) -> (String, R) {
    let mut line = String::new();
    while !line.ends_with('\n') {
        let (byte, rest) = bytes(from, 1);
        (line, from) = (line + &byte, rest);
    }
    (line, from)
}

/// Expects these bytes from a run whose input stays open.
pub fn expect(child: &mut Child, output: &str) {
    let (came, stdout) = bytes(child.stdout.take().expect("a pipe"), output.len());
    assert_eq!(came, output);
    child.stdout = Some(stdout);
}

/// A run that was fed `input`, has shown `output`, and waits for more.
pub fn waiting(args: &[&str], input: &str, output: &str) -> (Child, ChildStdin) {
    let mut child = start(args);
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(input.as_bytes()).expect("the run reads");
    expect(&mut child, output);
    (child, stdin)
}

/// Waits until this file is there.
pub fn wait_for(path: impl AsRef<Path>) {
    let path = path.as_ref();
    for _ in 0..12_000 {
        if path.exists() {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("{} is not there within a minute", path.display());
}

pub fn kill(mut child: Child) {
    child.kill().expect("it runs");
    child.wait().expect("it ends");
}

#[cfg(unix)]
pub fn send(child: &Child, signal: rustix::process::Signal) {
    rustix::process::kill_process(rustix::process::Pid::from_child(child), signal).expect("it runs");
}
