//! The driver: `list`, `run RIVAL WORKLOAD SEED FILE`, `documented RIVAL`.

mod rivals;

use std::path::Path;
use std::process::ExitCode;

use cpu_time::ProcessTime;
use lately_field::play::{self, Meter};
use lately_field::rival::Entry;
use lately_field::stream::Workload;
use peak_alloc::PeakAlloc;
use serde::Serialize;

#[global_allocator]
static ALLOCATED: PeakAlloc = PeakAlloc;

const METER: Meter = Meter {
    time: || u64::try_from(ProcessTime::now().as_duration().as_nanos()).unwrap_or(u64::MAX),
    bytes: || Some((wide(ALLOCATED.current_usage()), wide(ALLOCATED.peak_usage()))),
    restart: || ALLOCATED.reset_peak_usage(),
};

fn wide(bytes: usize) -> u64 {
    u64::try_from(bytes).unwrap_or(u64::MAX)
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match command(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("lately-field-rust: {error}");
            ExitCode::FAILURE
        }
    }
}

fn command(words: &[&str]) -> Result<(), String> {
    match words {
        ["list"] => rivals::all().iter().try_for_each(|entry| print(&entry.listed())),
        ["run", rival, workload, seed, file] => run(rival, workload, seed, Path::new(file)),
        ["documented", rival] => (find(rival)?.documented)().iter().try_for_each(print),
        _ => Err(format!("{words:?}: allowed are list, run RIVAL WORKLOAD SEED FILE, documented RIVAL")),
    }
}

fn find(name: &str) -> Result<Entry, String> {
    let all = rivals::all();
    let names = || all.iter().map(|entry| entry.name).collect::<Vec<_>>().join(", ");
    all.iter()
        .find(|entry| entry.name == name)
        .copied()
        .ok_or_else(|| format!("rival {name:?}: allowed are {}", names()))
}

fn run(rival: &str, workload: &str, seed: &str, file: &Path) -> Result<(), String> {
    let (entry, workload) = (find(rival)?, Workload::find(workload)?);
    if !(entry.takes)(workload) {
        return Err(format!("workload {:?}: {rival} cannot do it", workload.name));
    }
    let seed = seed.parse().map_err(|_| format!("seed {seed:?}: allowed are whole numbers below 2^64"))?;
    let played = play::play(&entry, workload, seed, &METER);
    play::write(file, &played.verdicts)?;
    print(&played.ran)
}

fn print(line: &impl Serialize) -> Result<(), String> {
    serde_json::to_string(line).map(|line| println!("{line}")).map_err(|error| error.to_string())
}
