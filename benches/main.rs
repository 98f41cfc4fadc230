//! The registry of benchmarks: `cargo bench -p lately`, or with the names of tables behind it:
//! `cargo bench -p lately -- quotient 16MiB`, `-- window-table 100000000`, `-- rivals`, `-- threads`, `-- --quick`.
//!
//! A table's rows take turns, block by block, so that a change of the machine's speed meets all of them; what is
//! printed is the median time of an operation, and the median of its ratio to the roof of the same round. A row shows its
//! goal, met or missed; a run never fails for its time. Answers are checked: a wrong filter ends it.
//!
//! The quick form is small and asserts the answers only. `cargo test` runs it, so that nothing here can rot.

mod claims;
mod contender;
mod cpu;
mod faults;
mod filters;
mod handles;
mod kinds;
mod memory;
mod pause;
mod plans;
mod resident;
mod rivals;
mod roof;
mod rounds;
mod threads;
mod traffic;
mod window_table;
mod workloads;

/// A table of its own, by name.
struct Table {
    name: &'static str,
    run: fn(&Effort),
    /// Minutes long: only when it is named.
    long: bool,
}

/// The tables in addition to those of the kinds, which are called as their kind.
const TABLES: [Table; 10] = [
    Table { name: "roof", run: roof::table, long: false },
    Table { name: "rivals", run: rivals::table, long: false },
    Table { name: window_table::TITLE, run: window_table::table, long: true },
    Table { name: traffic::TITLE, run: traffic::table, long: true },
    Table { name: "memory", run: memory::table, long: false },
    Table { name: "plans", run: plans::table, long: false },
    Table { name: "claims", run: claims::table, long: false },
    Table { name: "handles", run: handles::table, long: true },
    Table { name: "threads", run: threads::table, long: true },
    Table { name: "pauses", run: pause::table, long: true },
];

/// How much is done.
pub(crate) struct Effort {
    /// Bytes of a filter, for the tables of the kinds.
    sizes: Vec<u64>,
    rounds: usize,
    block: u64,
    /// Keys of the window, for the table of rivals.
    rivals: u64,
    /// Keys of the windows, for the table of handles.
    handles: &'static [u64],
    memory: &'static [u32],
    /// Requests for each figure, for the table of plans.
    plans: u32,
    /// Keys of the windows, and keys up to which one grows, for the window table beside exact state.
    windows: Vec<u64>,
    growth: u64,
    /// Sightings of the windows, for the table of traffics.
    traffics: Vec<u64>,
    /// Keys of the window, for the table of pauses.
    pauses: u64,
}

pub(crate) const MIB: u64 = 1 << 20;

impl Effort {
    fn full() -> Self {
        Self {
            sizes: vec![MIB, 16 * MIB, 256 * MIB],
            rounds: 41,
            block: 1 << 16,
            rivals: 10_000_000,
            handles: &[10_000, 100_000, 1_000_000],
            memory: &[100_000, 1_000_000, 4_000_000],
            plans: 40,
            windows: vec![100_000, 1_000_000, 10_000_000],
            growth: 10_000_000,
            traffics: vec![100_000, 1_000_000],
            pauses: 100_000_000,
        }
    }

    fn quick() -> Self {
        Self {
            sizes: vec![MIB / 8],
            rounds: 3,
            block: 1 << 12,
            rivals: 20_000,
            handles: &[5000],
            memory: &[10_000],
            plans: 3,
            windows: vec![20_000],
            growth: 100_000,
            traffics: vec![2000],
            pauses: 20_000,
        }
    }

    /// The same in blocks of another size.
    pub(crate) fn in_blocks(&self, block: u64) -> Self {
        let (sizes, windows, traffics) = (self.sizes.clone(), self.windows.clone(), self.traffics.clone());
        Self { sizes, windows, traffics, block, ..*self }
    }

    /// The same in that many rounds.
    pub(crate) fn in_rounds(&self, rounds: usize) -> Self {
        Self { rounds, ..self.in_blocks(self.block) }
    }

    /// The sizes and windows that are named, or all.
    fn only(mut self, words: &[String]) -> Self {
        let named: Vec<u64> = self.sizes.iter().copied().filter(|&size| words.contains(&size_name(size))).collect();
        if !named.is_empty() {
            self.sizes = named;
        }
        let windows: Vec<u64> = words.iter().filter_map(|word| word.parse().ok()).collect();
        if !windows.is_empty() {
            self.windows = windows.clone();
            self.traffics = windows;
        }
        self
    }
}

/// 16MiB, as a heading and as an argument.
pub(crate) fn size_name(bytes: u64) -> String {
    if bytes < MIB { format!("{}KiB", bytes >> 10) } else { format!("{}MiB", bytes >> 20) }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let Some(at) = arguments.iter().position(|argument| argument == resident::CHILD) {
        return memory::child(&arguments[at + 1..]);
    }
    let given = |name: &str| arguments.iter().any(|argument| argument == name);
    let words: Vec<String> = arguments.iter().filter(|argument| !argument.starts_with("--")).cloned().collect();
    // cargo bench says --bench; cargo test does not, its words are names of tests, and only the answers matter.
    match (given("--bench"), given("--quick")) {
        (true, false) => run(&Effort::full().only(&words), &words),
        (true, true) => run(&Effort::quick(), &words),
        (false, _) => everything(&Effort::quick()),
    }
}

/// The tables that are named, or all that are not long.
fn run(effort: &Effort, words: &[String]) {
    let names = || kinds::KINDS.iter().map(|kind| kind.name).chain(TABLES.iter().map(|table| table.name));
    let is_size = |word: &str| word.ends_with("iB") || word.parse::<u64>().is_ok();
    if let Some(stranger) = words.iter().find(|word| !is_size(word) && !names().any(|name| name.contains(*word))) {
        eprintln!("no table is called {stranger}; there are: {}", names().collect::<Vec<_>>().join(", "));
        std::process::exit(2);
    }
    let all = words.iter().all(|word| is_size(word));
    let named = |name: &str| words.iter().any(|word| name.contains(word.as_str()));
    let kinds = kinds::KINDS.iter().filter(|kind| all || named(kind.name));
    kinds.for_each(|kind| kind.table(effort));
    let tables = TABLES.iter().filter(|table| (all && !table.long) || named(table.name));
    tables.for_each(|table| (table.run)(effort));
}

fn everything(effort: &Effort) {
    kinds::KINDS.iter().for_each(|kind| kind.table(effort));
    TABLES.iter().for_each(|table| (table.run)(effort));
}
