//! Golden files: snapshots that were written once and are read for ever. `tests/golden/README.md` is the recipe.
//!
//! A directory of them is never changed. While the format is the one it was written in, this version also regenerates it,
//! byte for byte: other bytes under the same number are a mistake, and a new number needs a new directory, which
//! `GOLDEN=0.2 cargo test --test suite format::` writes.

use crate::common;

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::time::Duration;

use common::handle::{Handle, snapshot};
use common::named::{number, options};
use lately::{Claim, Filter, LoadOptions, Options, Secret, SharedFilter, Tick, hash64};

/// The directories there are, and what was put into each: [`digest`]. A line here is never changed.
const KEPT: [(&str, u64); 1] = [("0.1", 0x4166_358B_CD7B_0F4B)];

/// The most bytes of a directory.
const ROOM: usize = 170_000;

/// What a new directory is filled by, which is for later formats to change: the list of the newest one.
const FILTERS: &str = include_str!("../golden/0.1/filters.tsv");

/// How many keys are asked for in a list of answers.
const ASKED: u64 = 700;

/// The times that pass until a filter with a window of time is asked: two of them around the end of a lease.
const PASSED: [u64; 4] = [0, 300_000_000, 300_000_001, 1_000_000_000];

/// How one golden file is made: a line of `filters.tsv`.
struct Recipe<'a> {
    name: &'a str,
    options: Vec<&'a str>,
    keys: u64,
    calls: u64,
    start: u64,
    step: u64,
    removed: u64,
    claimed: u64,
}

impl<'a> Recipe<'a> {
    fn of(line: &'a str) -> Self {
        let [name, options, numbers @ ..] = &line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}: no options")
        };
        let numbers: Vec<u64> = numbers.iter().map(|word| number(word)).collect();
        let [keys, calls, start, step, removed, claimed] = numbers[..] else {
            panic!("{line}: six numbers are wanted")
        };
        Self { name, options: options.split(' ').collect(), keys, calls, start, step, removed, claimed }
    }

    fn options(&self) -> Options {
        options(&self.options)
    }

    fn has_ticks(&self) -> bool {
        self.given("clock") == Some(2)
    }

    fn given(&self, option: &str) -> Option<u64> {
        self.options.iter().find_map(|word| word.strip_prefix(option)?.strip_prefix('=')).map(number)
    }

    fn load_options(&self, elapsed: u64) -> LoadOptions {
        let options = LoadOptions::new(Duration::from_nanos(elapsed));
        match (self.given("secret_lo"), self.given("secret_hi")) {
            (Some(lo), Some(hi)) => options.secret(Secret::new(lo, hi)),
            _ => options,
        }
    }

    fn load(&self, bytes: &[u8], elapsed: u64) -> Filter {
        let loaded = Filter::load(bytes, &self.load_options(elapsed));
        loaded.unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }

    fn load_shared(&self, bytes: &[u8]) -> SharedFilter {
        let loaded = SharedFilter::load(bytes, &self.load_options(0));
        loaded.unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }

    /// The life of the filter, up to its snapshot.
    fn follow(&self, filter: &mut dyn Handle) {
        for i in 0..self.calls {
            let key = key(i % self.keys);
            let told = match self.has_ticks() {
                true => filter.observe_at(&key, Tick(self.start + i * self.step)),
                false => filter.observe(&key),
            };
            assert!(told.is_ok(), "{}: call {i}: {told:?}", self.name);
        }
        for i in 0..self.removed {
            assert_eq!(filter.remove(&key(i)).ok(), Some(true), "{}: key {i}", self.name);
        }
        if self.claimed > 0 {
            self.claim(filter);
        }
    }

    /// Claims the keys behind those that were observed; the second is inserted then, and leaves a hole.
    fn claim(&self, filter: &mut dyn Handle) {
        let tick = |i| Tick(self.start + i * self.step);
        let (second, end) = (key(self.keys + 1), self.keys + self.claimed);
        for i in self.keys..end {
            assert!(filter.claim(&key(i), Some(tick(i))).is_ok_and(|claim| claim.token().is_some()), "{}", self.name);
        }
        assert_eq!(filter.claim(&second, None), Ok(Claim::Pending), "{}", self.name);
        filter.insert_at(&second, tick(end)).expect("stored");
    }

    fn written(&self) -> Vec<u8> {
        let mut filter = common::build(&self.options());
        self.follow(&mut filter);
        snapshot(&filter)
    }

    fn written_shared(&self) -> Vec<u8> {
        let mut filter = SharedFilter::new(&self.options()).expect("a shared filter of the recipe");
        self.follow(&mut filter);
        snapshot(&filter)
    }

    /// Which times pass before it is asked.
    fn passed(&self) -> &'static [u64] {
        if self.has_ticks() { &PASSED } else { &PASSED[..1] }
    }
}

/// Key `i`.
fn key(i: u64) -> [u8; 8] {
    i.to_le_bytes()
}

/// The lines of a table, without its head.
fn lines(table: &str) -> impl Iterator<Item = &str> {
    table.lines().skip(1)
}

/// A digit for each of the first keys: 1 if it is present.
fn answers(filter: &Filter, asked: u64) -> String {
    (0..asked).map(|i| if filter.contains(&key(i)).is_duplicate() { '1' } else { '0' }).collect()
}

/// A directory of golden files, as it is on disk.
struct Golden {
    path: PathBuf,
}

impl Golden {
    fn named(name: &str) -> Self {
        Self { path: root().join(name) }
    }

    fn table(&self, name: &str) -> String {
        fs::read_to_string(self.path.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path.join(name).with_extension("lately")).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The names of its files, in order.
    fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.path).unwrap_or_else(|error| panic!("{}: {error}", self.path.display()));
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn everything(&self) -> Vec<u8> {
        let files = self.files();
        files
            .iter()
            .flat_map(|name| [name.as_bytes(), &[0], &fs::read(self.path.join(name)).unwrap()].concat())
            .collect()
    }

    /// The format that its files are in.
    fn version(&self) -> u32 {
        let filters = self.table("filters.tsv");
        let versions: Vec<u32> = lines(&filters).map(|line| version(&self.bytes(Recipe::of(line).name))).collect();
        assert!(versions.iter().all(|version| *version == versions[0]), "{versions:?} in {}", self.path.display());
        versions[0]
    }

    /// Fills a directory that is not there yet.
    fn write(&self) {
        let mut table = String::from("name\telapsed_ns\tanswers\n");
        let mut files = Vec::new();
        for recipe in lines(FILTERS).map(Recipe::of) {
            let bytes = recipe.written();
            for elapsed in recipe.passed() {
                let said = answers(&recipe.load(&bytes, *elapsed), ASKED);
                writeln!(table, "{}\t{elapsed}\t{said}", recipe.name).unwrap();
            }
            files.push((format!("{}.lately", recipe.name), bytes));
        }
        files.push(("answers.tsv".to_owned(), table.into_bytes()));
        files.push(("filters.tsv".to_owned(), FILTERS.into()));
        fs::create_dir(&self.path).unwrap_or_else(|error| panic!("{}: {error}", self.path.display()));
        for (name, bytes) in files {
            fs::write(self.path.join(name), bytes).unwrap();
        }
    }
}

/// The format of a snapshot: bytes 8 to 11.
fn version(bytes: &[u8]) -> u32 {
    u32::from_le_bytes(bytes[8..12].try_into().unwrap())
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden"))
}

/// Every directory; with GOLDEN a new one first.
fn kept() -> Vec<Golden> {
    static WRITTEN: Once = Once::new();
    WRITTEN.call_once(|| {
        if let Some(name) = std::env::var_os("GOLDEN") {
            Golden::named(name.to_str().expect("a name of ASCII")).write();
        }
    });
    KEPT.iter().map(|(name, _)| Golden::named(name)).collect()
}

/// Does something with every recipe and its file.
fn for_each(check: impl Fn(&Golden, &Recipe<'_>, &[u8])) {
    for golden in kept() {
        for recipe in lines(&golden.table("filters.tsv")).map(Recipe::of) {
            check(&golden, &recipe, &golden.bytes(recipe.name));
        }
    }
}

#[test]
fn golden_files_answer_as_they_always_did() {
    for golden in kept() {
        let (filters, table) = (golden.table("filters.tsv"), golden.table("answers.tsv"));
        for recipe in lines(&filters).map(Recipe::of) {
            let bytes = golden.bytes(recipe.name);
            let mut asked = 0;
            for line in lines(&table) {
                let [name, elapsed, listed] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
                if name == recipe.name {
                    let said = answers(&recipe.load(&bytes, number(elapsed)), common::num::wide(listed.len()));
                    assert_eq!(said, listed, "{name} after {elapsed} ns");
                    asked += 1;
                }
            }
            assert!(asked > 0, "{} has no answers", recipe.name);
        }
    }
}

/// Only answers that may be either way say something, and only false duplicates depend on all of the hash.
#[test]
fn the_listed_answers_are_of_every_sort() {
    for golden in kept() {
        let filters = golden.table("filters.tsv");
        let named = |name: &str| lines(&filters).map(Recipe::of).find(|recipe| recipe.name == name).unwrap();
        let keys = |name: &str| named(name).keys + named(name).claimed;
        let (mut present, mut absent, mut false_duplicates) = (0, 0, 0);
        for line in lines(&golden.table("answers.tsv")) {
            let [name, _, listed] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
            let unseen = &listed[common::num::index(keys(name))..];
            present += listed.matches('1').count();
            absent += unseen.matches('0').count();
            false_duplicates += unseen.matches('1').count();
        }
        assert!(present > 3000 && absent > 3000 && false_duplicates > 300, "{present} {absent} {false_duplicates}");
    }
}

#[test]
fn golden_files_are_rewritten_to_the_same_bytes() {
    for_each(|_, recipe, bytes| {
        // What was written in an older format is written in the newest one.
        if version(bytes) == version(&recipe.written()) {
            assert!(snapshot(&recipe.load(bytes, 0)) == bytes, "{}", recipe.name);
            assert!(snapshot(&recipe.load_shared(bytes)) == bytes, "{}, shared", recipe.name);
        }
    });
}

#[test]
fn a_changed_format_has_a_new_number() {
    for_each(|golden, recipe, bytes| {
        let (fresh, shared) = (recipe.written(), recipe.written_shared());
        assert!(fresh == shared, "{}: the shared handle writes other bytes", recipe.name);
        if version(&fresh) == version(bytes) {
            let (name, path) = (recipe.name, golden.path.display());
            let first = fresh.iter().zip(bytes).position(|(one, other)| one != other);
            assert!(fresh == bytes, "{path}: {name}: other bytes at {first:?} in the same format");
        }
    });
}

#[test]
fn the_format_that_is_written_has_golden_files() {
    let format = version(&Recipe::of(lines(FILTERS).next().unwrap()).written());
    let versions: Vec<u32> = kept().iter().map(Golden::version).collect();
    assert!(
        versions.contains(&format),
        "format {format}: `GOLDEN=0.x cargo test --test suite format::` writes its files"
    );
}

#[test]
fn golden_files_are_never_changed() {
    for (golden, (name, digest)) in kept().iter().zip(KEPT) {
        let everything = golden.everything();
        let found = hash64(&everything, 0);
        assert_eq!(found, digest, "tests/golden/{name} is kept as it is; its digest is {found:#018X}");
        assert!(everything.len() < ROOM, "{} bytes in {name}", everything.len());
    }
}

#[test]
fn every_directory_is_listed() {
    let directories = fs::read_dir(root()).unwrap().filter(|entry| entry.as_ref().unwrap().path().is_dir());
    let mut found: Vec<_> = directories.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    found.sort();
    assert_eq!(found, KEPT.map(|(name, _)| name), "a new directory needs its line in KEPT");
}
