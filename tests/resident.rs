//! What a filter occupies of the machine's memory: nothing before it is used, nothing again once it is cleared.
//!
//! A program of its own, of one test: the figures are those of the whole process.
#![cfg(target_os = "linux")]

mod common;

use common::build;
use lately::{Field, Filter, Kind, Options};

/// Bytes of this process that are in memory.
fn resident() -> u64 {
    const PAGE: u64 = 4096;
    let counts = std::fs::read_to_string("/proc/self/statm").expect("Linux says what is resident");
    counts.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok()).expect("a number of pages") * PAGE
}

/// What the plan, the list of counts and the C library may take beside the cells.
const FEW_PAGES: u64 = 512 << 10;

/// The kinds whose cells are all there from the start, each at `memory`.
fn of_fixed_kinds(memory: u64) -> impl Iterator<Item = Options> {
    Kind::ALL.iter().filter(|kind| !kind.takes(Field::WindowNs)).map(move |kind| Options::new(*kind).memory(memory))
}

fn grown(before: u64, what: &str, options: &Options) {
    let grown = resident().saturating_sub(before);
    assert!(grown <= FEW_PAGES, "{what}: {grown} bytes are resident, {options:?}");
}

#[test]
fn memory_that_is_not_used_is_not_there() {
    let gib = 1 << 30;
    for options in of_fixed_kinds(gib) {
        // A first filter lets the plan and the allocator take what they keep.
        drop(build(&options));
        let before = resident();
        let mut filter = build(&options);
        assert!(filter.stats().bytes > gib * 9 / 10, "{options:?}");
        grown(before, "new", &options);
        filter.clear();
        grown(before, "clear of a filter that was not used", &options);
        assert!(filter.observe(b"key").is_ok_and(lately::Verdict::is_new));
    }
    let large = 64 << 20;
    for options in of_fixed_kinds(large) {
        let before = resident();
        let mut filter: Filter = build(&options);
        (0..200_000_u64).for_each(|key| drop(filter.observe(&key.to_le_bytes())));
        assert!(resident() - before > large / 2, "{options:?}");
        filter.clear();
        grown(before, "clear", &options);
        assert!(filter.observe(&7_u64.to_le_bytes()).is_ok_and(lately::Verdict::is_new));
    }
}
