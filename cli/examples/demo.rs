//! The main job on a sample stream: an hour of webhook deliveries with retries, a burst, late and broken records goes
//! through the `lately` program, and every verdict is compared with the exact answer.
//!
//! `cargo build --release -p lately-cli && cargo run --release -p lately-cli --example demo`
//!
//! Fails if a promise is broken: a retry within the window that is called new, more false duplicates than were asked
//! for, more memory than was allowed, a record lost or out of order.

#[path = "../tests/common/oracle.rs"]
#[allow(dead_code, unreachable_pub, reason = "shared with the tests")]
mod oracle;
#[path = "../tests/common/random.rs"]
#[allow(dead_code, unreachable_pub, reason = "shared with the tests")]
mod random;

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, ExitCode, Stdio};

use oracle::{Oracle, Tally, Truth, upper};
use random::Random;

const MS: u64 = 1_000_000;
const MINUTE: u64 = 60_000;
const WINDOW_MINUTES: u64 = 10;
const ERROR: f64 = 1e-3;
const MEMORY: u64 = 4 << 20;
/// 2026-01-05 14:00:00 UTC in milliseconds since 1970.
const BEGIN: u64 = 1_767_621_600_000;
/// False duplicates may pass what the rate predicts by chance in one case of a thousand.
const TAIL: f64 = 1e-3;

type Failure = Box<dyn std::error::Error>;

/// One line of the log.
struct Delivery {
    line: String,
    /// Its event and its time in milliseconds; nothing if it is broken, or its clock is.
    truth: Option<(u64, u64)>,
}

fn main() -> ExitCode {
    match demo() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("\nFAILED: {error}");
            ExitCode::FAILURE
        }
    }
}

fn demo() -> Result<(), Failure> {
    let log = deliveries();
    println!(
        "Sample: one hour of webhook deliveries with retries, {} records, a burst at minute 30.",
        grouped(log.len())
    );
    println!("  $ {}\n", ["lately"].iter().chain(&arguments()).copied().collect::<Vec<_>>().join(" "));
    let mut child = start()?;
    let mut stdin = child.stdin.take().ok_or("no pipe to lately")?;
    let input: String = log.iter().map(|delivery| delivery.line.as_str()).collect();
    let feeder = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.stdout.take().ok_or("no pipe from lately")?;
    let compared = compare(&log, BufReader::new(output));
    let mut messages = String::new();
    child.stderr.take().ok_or("no pipe from lately")?.read_to_string(&mut messages)?;
    let status = child.wait()?;
    feeder.join().map_err(|_| "the feeder failed")??;
    if !status.success() {
        return Err(format!("lately ended with {status}: {messages}").into());
    }
    let report = messages.lines().find(|line| line.starts_with('{')).ok_or("no report")?;
    judge(&compared?, &serde_json::from_str(report)?)?;
    println!("\nEvery promise was kept.");
    Ok(())
}

fn arguments() -> [&'static str; 11] {
    ["--window", "10m", "--error", "1e-3", "--memory", "4M", "-k", "2", "--time-field", "1", "--flag"]
}

/// The program beside this example: `target/<profile>/lately`.
fn start() -> Result<Child, Failure> {
    let here = std::env::current_exe()?;
    let program: PathBuf =
        here.parent().and_then(|examples| examples.parent()).ok_or("no target folder")?.join("lately");
    if !program.is_file() {
        return Err(
            format!("{} is missing: build it with cargo build --release -p lately-cli", program.display()).into()
        );
    }
    let mut command = Command::new(program);
    command.args(arguments()).args(["--report", "json"]);
    Ok(command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?)
}

/// The log: 180 events a second, four times as many in minute 30; some of them delivered again after 5 s, 30 s, 2 min,
/// 5 min or past the window, as senders do that got no answer; some written down late; a few broken.
fn deliveries() -> Vec<Delivery> {
    let mut random = Random::new(2026);
    let (mut retries, mut log, mut event) = (BinaryHeap::<Reverse<(u64, u64)>>::new(), Vec::new(), 0);
    for now in 0..60 * MINUTE {
        let burst = now / MINUTE == 30;
        let arrivals =
            u64::from(random.below(1000) < 180) + if burst { u64::from(random.below(1000) < 540) } else { 0 };
        for _ in 0..arrivals {
            event += 1;
            log.push(delivery(event, now, &mut random));
            schedule(event, now, &mut random, &mut retries);
        }
        while retries.peek().is_some_and(|Reverse((due, _))| *due <= now) {
            let Some(Reverse((_, event))) = retries.pop() else { break };
            log.push(delivery(event, now, &mut random));
        }
    }
    log
}

/// Deliveries of one event that come again: none for three events of four, else some of the steps.
fn schedule(event: u64, now: u64, random: &mut Random, retries: &mut BinaryHeap<Reverse<(u64, u64)>>) {
    const STEPS: [u64; 4] = [5_000, 30_000, 2 * MINUTE, 5 * MINUTE];
    let steps = *random.pick(&[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 4]);
    for step in &STEPS[..steps] {
        retries.push(Reverse((now + step + random.below(1500), event)));
    }
    if random.once_in(200) {
        retries.push(Reverse((now + 10 * MINUTE + 20_000 + random.below(15 * MINUTE), event)));
    }
}

/// One line; one in a hundred carries a time up to 20 s old, one in 100,000 is broken, one has a clock of 2036.
fn delivery(event: u64, now: u64, random: &mut Random) -> Delivery {
    let late = if random.once_in(100) { random.below(20_000).min(now) } else { 0 };
    let kind = random.pick(&["payment.captured", "payment.failed", "order.shipped", "refund.created"]);
    let id = event.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let (at, year) = (now - late, if random.once_in(200_000) { 2036 } else { 2026 });
    let (minute, second, ms) = (at / MINUTE, at / 1000 % 60, at % 1000);
    if random.once_in(100_000) {
        return Delivery { line: format!("connection reset after {ms} ms\n"), truth: None };
    }
    let line = format!("{year}-01-05T14:{minute:02}:{second:02}.{ms:03}Z\tevt_{id:016x}\t{kind}\n");
    Delivery { line, truth: (year == 2026).then_some((id, BEGIN + at)) }
}

/// What the comparison gave.
#[derive(Default)]
struct Compared {
    tally: Tally,
    /// The most keys that any window held, looked at once a minute, and those of the last one.
    window_keys: u64,
    last_keys: u64,
    /// Records without a truth, and what was said of them.
    broken: u64,
}

/// Reads the verdicts and compares them, showing one record of each sort on the way.
fn compare(log: &[Delivery], output: impl BufRead) -> Result<Compared, Failure> {
    let mut oracle = Oracle::new(WINDOW_MINUTES * MINUTE * MS);
    let (mut compared, mut shown, mut minute) = (Compared::default(), Vec::new(), 0);
    let mut lines = output.lines();
    for delivery in log {
        let line = lines.next().ok_or("a record was lost")??;
        let (came, word) = line.rsplit_once('\t').ok_or("no verdict")?;
        if came != delivery.line.trim_end() {
            return Err(format!("out of order: {came}").into());
        }
        let what = match delivery.truth {
            Some((event, at)) => {
                let truth = oracle.see(event.to_le_bytes().to_vec(), at * MS);
                compared.tally.add(truth, word == "duplicate");
                if (at - BEGIN) / MINUTE > minute {
                    minute = (at - BEGIN) / MINUTE;
                    compared.window_keys = compared.window_keys.max(oracle.keys_in_window());
                }
                describe(truth, word)?
            }
            None => {
                compared.broken += 1;
                broken(word)?
            }
        };
        if !shown.contains(&what) {
            println!("  {word:<10}{:<66}{what}", came.replace('\t', "  "));
            shown.push(what);
        }
    }
    compared.last_keys = oracle.keys_in_window();
    lines.next().map_or(Ok(compared), |_| Err("records came from nowhere".into()))
}

fn describe(truth: Truth, word: &str) -> Result<&'static str, Failure> {
    match (truth, word) {
        (Truth::Never, "new") => Ok("first delivery"),
        (Truth::Never, "duplicate") => Ok("first delivery: a false duplicate, at the rate asked for"),
        (Truth::Within, "duplicate") => Ok("a retry within the window"),
        (Truth::Within, "new") => Ok("a retry within the window: MISSED"),
        (Truth::Past, "new") => Ok("delivered before, longer ago than the window"),
        (Truth::Past, "duplicate") => Ok("past the window, and still remembered"),
        _ => Err(format!("a sound record was called {word}").into()),
    }
}

fn broken(word: &str) -> Result<&'static str, Failure> {
    match word {
        "bad" => Ok("no record at all: named, counted, kept"),
        "refused" => Ok("a clock ten years ahead: the window is not moved by it"),
        _ => Err(format!("a broken record was called {word}").into()),
    }
}

/// Prints the figures and says whether every promise was kept.
fn judge(compared: &Compared, report: &serde_json::Value) -> Result<(), Failure> {
    let (tally, most) = (&compared.tally, upper(compared.tally.never, ERROR, TAIL));
    let n = |name: &str| report[name].as_u64().ok_or(format!("no {name} in the report"));
    let (bytes, peak, refused, bad) = (n("bytes")?, n("bytes_peak")?, n("refused")?, n("bad")?);
    let rate = f64::from(tally.false_duplicates) / f64::from(tally.never);
    let [speed, within, never] = [n("records_per_second")?, tally.within.into(), tally.never.into()].map(grouped);
    let (keys, burst) = (grouped(compared.window_keys), tenths(peak * 8, compared.window_keys));
    println!();
    show([
        ("read", grouped(n("read")?), format!("{speed} a second, event times parsed")),
        ("new, duplicate", format!("{}, {}", grouped(n("new")?), grouped(n("duplicate")?)), String::new()),
        ("late", grouped(n("late")?), "below the clock, and judged at the clock".into()),
        ("refused, bad", format!("{refused}, {bad}"), "printed as they came: nothing is lost".into()),
        ("missed duplicates", grouped(tally.missed), format!("of {within} retries within the window; promised: 0")),
        (
            "false duplicates",
            grouped(tally.false_duplicates),
            format!("of {never} first deliveries: {rate:.2e}; asked for {ERROR:e}, so at most {most}"),
        ),
        ("past the window", grouped(tally.past), format!("repeats, {} of them still remembered", tally.stale)),
        ("filter", format!("{} KiB", peak / 1024), format!("at its largest, of {} KiB allowed", MEMORY / 1024)),
        (
            "exact hash map",
            format!("{} KiB", compared.window_keys * EXACT_BYTES / 1024),
            format!("for the {keys} keys of its fullest window, {EXACT_BYTES} bytes each"),
        ),
        (
            "bits per key",
            tenths(bytes * 8, compared.last_keys),
            format!("at the end ({burst} at the peak of the burst); the map takes {}", EXACT_BYTES * 8),
        ),
    ]);
    expect([
        (tally.missed == 0, "a duplicate was missed"),
        (tally.false_duplicates <= most, "too many false duplicates"),
        (peak <= MEMORY, "too much memory"),
        (report["memory_shortened_window"] == false, "the window was shortened"),
        (refused + bad == compared.broken && compared.broken > 0, "broken records were miscounted"),
    ])
}

fn show<const N: usize>(figures: [(&str, String, String); N]) {
    for (name, value, remark) in figures {
        println!("  {name:<20}{value:>16}   {remark}");
    }
}

fn expect<const N: usize>(promises: [(bool, &str); N]) -> Result<(), Failure> {
    promises.into_iter().try_for_each(|(is_kept, otherwise)| if is_kept { Ok(()) } else { Err(otherwise.into()) })
}

/// What a hash map of boxed 20-byte ids and times takes for a key, at the least: a slot of 24 bytes and a control byte,
/// seven of eight slots in use, and a heap block of 32 bytes.
const EXACT_BYTES: u64 = 25 * 8 / 7 + 32;

/// A ratio with one digit after the point.
fn tenths(of: u64, to: u64) -> String {
    let tenths = of * 10 / to.max(1);
    format!("{}.{}", tenths / 10, tenths % 10)
}

/// 1234567 as 1,234,567.
fn grouped(number: impl TryInto<u64>) -> String {
    indicatif::HumanCount(number.try_into().unwrap_or(u64::MAX)).to_string()
}
