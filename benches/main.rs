//! The registry of benchmarks: `cargo bench -p lately`, or `cargo bench -p lately -- --quick`.
//!
//! Every bench is a row of `BENCHES`. For each size of table or filter the rows take turns, block by block, so that
//! a change of the machine's speed meets all of them; what is printed is the median time of an operation, and the
//! median of its ratio to the roof of the same round. Answers are checked: a wrong filter ends the run.
//!
//! The quick form is small and asserts the answers only. `cargo test` runs it, so that nothing here can rot.

mod memory;
mod roof;
mod time_limited;
mod workloads;

use std::hint::black_box;
use std::time::{Duration, Instant};

use roof::Roof;
use time_limited::Rig;
use workloads::Block;

/// A row of the table: where its keys come from and what is timed.
struct Bench {
    name: &'static str,
    source: Source,
    run: fn(&mut Subjects, &Block),
}

/// Sightings move the stream on; questions do not.
enum Source {
    Sightings,
    Questions,
}

/// What is measured at one size.
struct Subjects {
    roof: Roof,
    time_limited: Rig,
}

/// The roof is first: the other rows are multiples of it.
const BENCHES: [Bench; 6] = [
    Bench { name: "roof", source: Source::Questions, run: |s, block| s.roof.run(block) },
    Bench { name: "clock reading", source: Source::Questions, run: |_, block| read_clock(block) },
    Bench { name: "time-limited observe", source: Source::Sightings, run: |s, block| s.time_limited.observe(block) },
    Bench {
        name: "time-limited observe, batches",
        source: Source::Sightings,
        run: |s, block| s.time_limited.observe_batches(block),
    },
    Bench { name: "time-limited contains", source: Source::Questions, run: |s, block| s.time_limited.contains(block) },
    Bench {
        name: "time-limited contains, batches",
        source: Source::Questions,
        run: |s, block| s.time_limited.contains_batches(block),
    },
];

/// How much is done.
struct Effort {
    sizes: &'static [u64],
    rounds: usize,
    block: u64,
    memory_keys: &'static [u32],
}

const MIB: u64 = 1 << 20;
const FULL: Effort = Effort {
    sizes: &[MIB, 16 * MIB, 256 * MIB],
    rounds: 41,
    block: 1 << 16,
    memory_keys: &[100_000, 1_000_000, 4_000_000],
};
const QUICK: Effort = Effort { sizes: &[MIB / 8], rounds: 3, block: 1 << 12, memory_keys: &[10_000] };

/// What a single call with the system's clock pays on top: one reading.
fn read_clock(block: &Block) {
    for _ in 0..block.len() {
        black_box(Instant::now());
    }
}

/// One bench at one size: nanoseconds of an operation, and multiples of the roof.
struct Figure {
    nanoseconds: f64,
    roofs: f64,
}

/// All rows at one size, and what they measured.
fn measure(size: u64, effort: &Effort) -> (u64, Vec<Figure>) {
    let mut subjects = Subjects { roof: Roof::new(size), time_limited: Rig::new(size) };
    let mut rounds: Vec<Vec<f64>> = Vec::new();
    round(&mut subjects, effort.block); // the first meets cold caches
    for _ in 0..effort.rounds {
        rounds.push(round(&mut subjects, effort.block));
    }
    let figures = (0..BENCHES.len()).map(|row| Figure {
        nanoseconds: median(rounds.iter().map(|round| round[row])),
        roofs: median(rounds.iter().map(|round| round[row] / round[0])),
    });
    subjects.time_limited.check("time-limited");
    (subjects.time_limited.bytes(), figures.collect())
}

/// One block of every row in turn: nanoseconds of an operation.
fn round(subjects: &mut Subjects, n: u64) -> Vec<f64> {
    BENCHES.iter().map(|bench| subjects.time(bench, n)).collect()
}

impl Subjects {
    fn time(&mut self, bench: &Bench, n: u64) -> f64 {
        let stream = &mut self.time_limited.stream;
        let block = match bench.source {
            Source::Sightings => stream.sightings(n),
            Source::Questions => stream.questions(n),
        };
        self.time_limited.forget_verdicts();
        let start = Instant::now();
        (bench.run)(self, black_box(&block));
        let taken = start.elapsed();
        self.time_limited.count(&block);
        per_operation(taken, block.len())
    }
}

fn per_operation(taken: Duration, n: usize) -> f64 {
    taken.as_secs_f64() * 1e9 / f64::from(u32::try_from(n).expect("a block is small"))
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn speed(effort: &Effort) {
    let columns: Vec<(u64, (u64, Vec<Figure>))> =
        effort.sizes.iter().map(|&size| (size, measure(size, effort))).collect();
    print!("{:32}", "ns per operation (x roof)");
    columns.iter().for_each(|(size, _)| print!("{:>20}", format!("{} KiB", size / 1024)));
    for (row, bench) in BENCHES.iter().enumerate() {
        print!("\n{:32}", bench.name);
        for (_, (_, figures)) in &columns {
            print!("{:>20}", format!("{:.1} ({:.1})", figures[row].nanoseconds, figures[row].roofs));
        }
    }
    print!("\n{:32}", "bytes of the filter's cells");
    columns.iter().for_each(|(_, (bytes, _))| print!("{bytes:>20}"));
    println!("\nmedians of {} interleaved rounds of {} operations\n", effort.rounds, effort.block);
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let given = |name: &str| arguments.iter().any(|argument| argument == name);
    if let Some(at) = arguments.iter().position(|argument| argument == memory::CHILD) {
        return memory::child(&arguments[at + 1..]);
    }
    // cargo bench says --bench; cargo test does not, and then only the answers matter.
    let effort = if given("--quick") || !given("--bench") { QUICK } else { FULL };
    speed(&effort);
    memory::table(effort.memory_keys);
}
