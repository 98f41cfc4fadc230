//! The shell compared with its rivals, in CPU seconds: `cargo bench -p lately-cli` makes the streams in a folder of its own, runs
//! all commands on them in alternation, and prints the table of `docs/reference/costs.md`. `-- --lines N` says how many lines a stream
//! has. Rivals that are not in the path are named as not installed: `cargo install huniq runiq`,
//! `apt-get install miller jq`, and qsv from its releases; `uniq`, `sort`, `awk` and `wc` are the system's. A rival that is
//! there and fails is named with its exit status.
//!
//! In the first round each output is compared with the exact answer.
//!
//! CPU seconds, user and system together, are what a busy machine disturbs least. The ratios are those of the same round,
//! and what is printed is their median. `cargo test` runs a small form, so that nothing here can rot.

#[path = "../tests/common/random.rs"]
#[allow(dead_code, unreachable_pub, reason = "shared with the tests")]
mod random;

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufWriter, Result, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use random::Random;

/// A command on a stream, and what it is compared with.
struct Row {
    name: &'static str,
    script: &'static str,
    /// Rows above it that its time is divided by, each with the goal.
    against: &'static [(usize, Option<f64>)],
}

/// What every run of the shell is asked for, whatever the default is.
const ERROR: &str = "--error 1e-3";

/// `$L` is the shell, `$E` the error rate. The streams: `plain`, the same with a time before each line (`timed`), the same
/// as JSON (`json`), lines of 100 bytes, of which 5 % are distinct (`long`), and 1,000 distinct lines (`few`).
const ROWS: [Row; 19] = [
    Row { name: "`huniq`", script: "huniq < plain", against: &[] },
    Row { name: "`runiq`", script: "runiq plain", against: &[] },
    Row { name: "`sort -u`", script: "LC_ALL=C sort -u plain", against: &[] },
    Row { name: "`awk '!seen[$0]++'`", script: "awk '!seen[$0]++' plain", against: &[] },
    Row { name: "`uniq`, which sees neighbours only", script: "uniq plain", against: &[] },
    Row {
        name: "**`lately --window 1h`**",
        script: "\"$L\" $E --window 1h plain",
        against: &[(0, Some(0.3)), (1, Some(0.3)), (4, Some(1.0))],
    },
    Row {
        name: "**`lately --last 1e6`**",
        script: "\"$L\" $E --last 1e6 plain",
        against: &[(0, Some(0.25)), (1, Some(0.25)), (4, Some(0.8))],
    },
    Row { name: "`lately --memory 16M`", script: "\"$L\" $E --memory 16M plain", against: &[(0, None), (1, None)] },
    Row {
        name: "`cat plain \\| lately --window 1h`",
        script: "cat plain | \"$L\" $E --window 1h",
        against: &[(0, Some(0.3)), (1, Some(0.3))],
    },
    Row {
        name: "`--window 1h -k 2 --time-field 1 --time-format epoch`",
        script: "\"$L\" $E --window 1h -k 2 --time-field 1 --time-format epoch timed",
        against: &[(5, Some(1.5))],
    },
    Row {
        name: "`--window 1h --json /id`",
        script: "\"$L\" $E --window 1h --json /id json",
        against: &[(5, Some(3.0))],
    },
    Row { name: "`wc -l`, lines of 100 bytes", script: "wc -l long", against: &[] },
    Row { name: "`lately --window 1h`, the same", script: "\"$L\" $E --window 1h long", against: &[(11, Some(6.0))] },
    Row {
        name: "`mlr`, the first of each group",
        script: "mlr --csv --implicit-csv-header --headerless-csv-output head -n 1 -g 1 plain",
        against: &[],
    },
    Row { name: "`qsv dedup`", script: "qsv dedup --no-headers --quiet plain", against: &[] },
    Row {
        name: "`jq`, the keys of an object",
        script: "jq -rRn 'reduce inputs as $line ({}; .[$line] = 1) | keys_unsorted[]' plain",
        against: &[],
    },
    Row {
        name: "`--window 1h --json /id --time-field /t --time-format epoch`",
        script: "\"$L\" $E --window 1h --json /id --time-field /t --time-format epoch json",
        against: &[(10, Some(1.5))],
    },
    Row {
        name: "`while read -r line; do sh -c :`, 1,000 lines",
        script: "while read -r line; do sh -c : && echo \"$line\"; done < few",
        against: &[],
    },
    Row {
        name: "`lately --window 1h --exec :`, the same",
        script: "\"$L\" $E --window 1h --exec : few",
        against: &[(17, None)],
    },
];

/// The number of lines in the stream: the shell starts a command for each line.
const FEW: u64 = 1000;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let is_bench = arguments.iter().any(|argument| argument == "--bench");
    let named = arguments.iter().position(|argument| argument == "--lines").and_then(|at| arguments.get(at + 1));
    let lines = named.and_then(|lines| lines.parse().ok()).unwrap_or(if is_bench { 5_000_000 } else { 2_000 });
    let folder = tempfile::tempdir()?;
    make(folder.path(), lines)?;
    ROWS.iter().try_for_each(|row| check(folder.path(), row))?;
    let rounds: Vec<Vec<Outcome>> = (0..if is_bench { 3 } else { 1 })
        .map(|_| ROWS.iter().map(|row| seconds(folder.path(), row)).collect())
        .collect();
    println!(
        "| {lines} lines, `lately` with `{ERROR}` | CPU seconds | as a ratio | goal |\n| --- | ---: | --- | --- |"
    );
    for (i, row) in ROWS.iter().enumerate() {
        match (median(rounds.iter().filter_map(|round| took(&round[i]))), &rounds[0][i]) {
            (None, Err(why)) => println!("| {} | {why} | | |", row.name),
            (seconds, _) => {
                println!("| {} | {:.2} | {} |", row.name, seconds.unwrap_or_default(), ratios(row, i, &rounds))
            }
        }
    }
    let ran = |i: usize| rounds.iter().all(|round| round[i].is_ok());
    assert!((5..11).all(ran) && ran(12) && ran(16) && ran(18), "the shell ran over every stream");
    expect_outcomes(folder.path());
    Ok(())
}

/// The CPU seconds that a row's command took, or why it did not succeed.
type Outcome = std::result::Result<f64, String>;

fn took(outcome: &Outcome) -> Option<f64> {
    outcome.as_ref().ok().copied()
}

/// A program that fails is not taken for one that is missing, nor the other way round.
fn expect_outcomes(folder: &Path) {
    let outcome = |script| seconds(folder, &Row { name: "", script, against: &[] });
    let fails = |script, why: &str| assert_eq!(outcome(script), Err(why.to_owned()));
    fails("no-such-program plain", "not installed");
    fails("sh -c 'exit 7'", "failed with status 7");
    // A status alone does not say that it is missing.
    fails("sh -c 'exit 127'", "failed with status 127");
}

/// The ratios of a row, and whether its goals are met.
fn ratios(row: &Row, i: usize, rounds: &[Vec<Outcome>]) -> String {
    let ratio = |other: usize| {
        let pairs = rounds.iter().filter_map(|round| took(&round[i]).zip(took(&round[other])));
        median(pairs.map(|(own, other)| own / other.max(0.001)))
    };
    let found: Vec<_> = row.against.iter().filter_map(|&(other, goal)| Some((other, ratio(other)?, goal))).collect();
    let shown: Vec<_> = found.iter().map(|(other, ratio, _)| format!("{ratio:.2} of {}", ROWS[*other].name)).collect();
    let goals = found.iter().filter_map(|(_, ratio, goal)| Some((ratio, (*goal)?)));
    let goals: Vec<_> =
        goals.map(|(ratio, goal)| format!("{goal}: {}", if *ratio <= goal { "met" } else { "missed" })).collect();
    format!("{} | {}", shown.join(", "), goals.join(", "))
}

/// Compares what a row's command prints with the exact answer. The shell may leave out first sightings at its error rate,
/// and with `--memory` it forgets; it never prints another line, nor one twice while it remembers.
fn check(folder: &Path, row: &Row) -> Result<()> {
    if row.script.starts_with("wc") {
        return Ok(());
    }
    let Some(printed) = output(folder, row.script) else { return Ok(()) };
    let stream =
        ["plain", "timed", "json", "long", "few"].into_iter().find(|name| row.script.contains(name)).unwrap_or("plain");
    let input = std::fs::read_to_string(folder.join(stream))?;
    let exact = if row.script.starts_with("uniq") { unlike_neighbours(&input) } else { first_sightings(&input) };
    let printed: Vec<&str> = printed.lines().collect();
    if !row.script.contains("$L") {
        let sorted = |mut lines: Vec<_>| {
            lines.sort_unstable();
            lines
        };
        assert!(sorted(printed) == sorted(exact), "{} answers rightly", row.name);
    } else if !row.script.contains("--memory") {
        let mut rest = exact.iter();
        let is_part = printed.iter().all(|line| rest.any(|first| first == line));
        assert!(is_part, "{} prints first sightings, in order, and nothing else", row.name);
        let left_out = exact.len() - printed.len();
        assert!(left_out <= 10 + exact.len() / 500, "{} leaves out {left_out} first sightings", row.name);
    }
    Ok(())
}

/// The lines with a key that no line before them has. Keys are the last 40 bytes of a line, or a long line.
fn first_sightings(input: &str) -> Vec<&str> {
    let mut seen = HashSet::new();
    let key = |line: &'_ str| {
        let line = line.trim_end_matches("\"}");
        line[if line.len() < 99 { line.len().saturating_sub(40) } else { 0 }..].to_owned()
    };
    input.lines().filter(|line| seen.insert(key(line))).collect()
}

fn unlike_neighbours(input: &str) -> Vec<&str> {
    let mut last = None;
    input.lines().filter(|&line| last.replace(line) != Some(line)).collect()
}

fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

/// CPU seconds of a row's command and all that it starts, by `times` of the shell.
fn seconds(folder: &Path, row: &Row) -> Outcome {
    let program = row.script.split(' ').find(|word| !word.contains('=')).unwrap_or_default();
    // A command that is there but fails says so on its first line: its status may be any.
    let script = format!(
        "command -v {program} >/dev/null || exit 0\n{{ {} ; }} >/dev/null || {{ echo failed $? ; exit ; }}\ntimes",
        row.script
    );
    let said = output(folder, &script).expect("the system's shell runs");
    if said.starts_with("failed ") {
        return Err(said.trim().replace("failed", "failed with status"));
    }
    let of_children = said.lines().nth(1).map(|times| times.split_whitespace().filter_map(minutes_and_seconds).sum());
    of_children.ok_or_else(|| String::from("not installed"))
}

/// What a script of the shell prints, if it succeeds.
fn output(folder: &Path, script: &str) -> Option<String> {
    let mut shell = Command::new("sh");
    shell
        .current_dir(folder)
        .env("L", env!("CARGO_BIN_EXE_lately"))
        .env("E", ERROR)
        .args(["-c", script])
        .stdin(Stdio::null());
    let done = shell.output().ok().filter(|done| done.status.success())?;
    Some(String::from_utf8_lossy(&done.stdout).into_owned())
}

/// `1m2.5s` in seconds.
fn minutes_and_seconds(text: &str) -> Option<f64> {
    let (minutes, seconds) = text.strip_suffix('s')?.split_once('m')?;
    Some(minutes.parse::<f64>().ok()? * 60.0 + seconds.parse::<f64>().ok()?)
}

/// Makes the streams: of the plain one 18.4 % of the lines repeat one of the half million before, 41 bytes each.
fn make(folder: &Path, lines: u64) -> Result<()> {
    let file = |name: &str| File::create(folder.join(name)).map(|file| BufWriter::with_capacity(1 << 16, file));
    let (mut plain, mut timed, mut json, mut long) = (file("plain")?, file("timed")?, file("json")?, file("long")?);
    let (mut random, mut keys) = (Random::new(1), 0_u64);
    for i in 0..lines {
        let repeats = keys > 0 && random.below(1000) < 184;
        let key = if repeats { keys - 1 - random.below(keys.min(500_000)) } else { keys };
        keys += u64::from(!repeats);
        let line = format!("{:016x} host-{:03} /items/{key:07}", mixed(key), key % 997);
        let second = 1_700_000_000 + i / 1400;
        writeln!(plain, "{line}")?;
        writeln!(timed, "{second}\t{line}")?;
        writeln!(json, "{{\"t\":{second},\"id\":\"{line}\"}}")?;
        writeln!(long, "{:016x}{:x<83}", mixed(random.below((lines / 20).max(1))), "")?;
    }
    let mut few = file("few")?;
    (0..FEW).try_for_each(|key| writeln!(few, "{:016x} host-{:03} /items/{key:07}", mixed(key), key % 997))?;
    [plain, timed, json, long, few].iter_mut().try_for_each(Write::flush)
}

fn mixed(key: u64) -> u64 {
    Random::new(key).next()
}
