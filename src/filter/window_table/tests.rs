//! The promises of the table, in many traffics, for windows of time and of keys, at a limit of memory, and from both ends.

use super::allocator::exactly_allocated;
use super::directory::{Directory, LINE_BYTES, Most};
use super::exact::{Exact, One, T, hash, new_table, observe};
use super::key::{LineNumber, Section, Shape, Spot, generation_of};
use super::plan::Plan;
use super::policy::reserve;
use super::position::{PARTS, Part, When};
use super::table::{Table, Verb};
use crate::num::{self, real};
use crate::raw::arena::Account;
use crate::simd;

fn is_long() -> bool {
    std::env::var_os("LATELY_LONG").is_some()
}

#[test]
fn arena_of_any_number_of_runs_is_cut_to_a_size_of_allocators() {
    for runs in 1..10_000 {
        let cut = exactly_allocated(runs);
        let steps = cut >> cut.trailing_zeros();
        assert!(cut <= runs && 5 * cut >= 4 * runs && steps < 8, "{runs} runs are cut to {cut}");
    }
}

/// Up to a table of 256 MiB, whose lines nobody touches.
#[test]
fn a_line_more_takes_a_32nd_of_the_lines_and_two_mebibytes_at_most() {
    let account = Account::new(u64::MAX).unwrap();
    let mut shape = Shape::of(Section::WHOLE, 0);
    let mut lines = Directory::new(&shape, Most::Bytes(u64::MAX), &account).unwrap();
    let mut most = 0;
    while shape.lines() * LINE_BYTES < 256 << 20 {
        let (next, before) = (shape.next_split(), account.bytes());
        lines.reach(next.side, next.line.other_half(shape.depth)).unwrap();
        shape = shape.grown();
        let taken = account.bytes().saturating_sub(before);
        assert!(taken <= (before / 32).clamp(16 << 10, 2 << 20), "{taken} bytes with {before}");
        most = most.max(taken);
    }
    assert_eq!(most, 2 << 20);
}

/// Of a whole table and of a section, whatever the number of bytes: a last run that is short uses what no whole run fits into.
#[test]
fn a_table_at_its_limit_has_all_lines_that_memory_allows() {
    for (section, grain) in [(Section::WHOLE, PARTS), (Section::of(3), 1)] {
        for kib in (20..2000).step_by(37) {
            let most = (kib << 10) / LINE_BYTES / grain * grain;
            let lines_of_all = most << section.skip;
            let account = Account::new(u64::MAX).unwrap();
            let mut shape = Shape::of(section, 0);
            let mut lines = Directory::new(&shape, Most::Bytes(lines_of_all * LINE_BYTES), &account).unwrap();
            loop {
                let next = shape.next_split();
                if lines.reach(next.side, next.line.other_half(shape.depth)).is_err() {
                    break;
                }
                shape = shape.grown();
            }
            assert_eq!(account.bytes(), lines.counted_bytes());
            assert_eq!(account.bytes() / LINE_BYTES, most, "{shape:?}");
        }
    }
}

/// A cell must know a bit when its line is split, so looser rates save nothing; and part of the rate is for what comes unforeseen.
#[test]
fn windows_of_time_are_planned_with_a_reserve_and_with_cells_that_can_be_split() {
    for (rate, part) in [(1e-3, 0.75), (1e-6, 0.70), (1e-9, 0.65)] {
        assert!((reserve(rate) - part).abs() < 1e-9, "{rate}: {}", reserve(rate));
    }
    let cells = |rate: f64| Plan::of_time(T, rate, 3, 0, 0).unwrap().widths.named();
    [1e-1, 1e-2, 3e-3].into_iter().for_each(|rate| assert_eq!(cells(rate), cells(1e-3), "{rate}"));
    assert_ne!(cells(1e-4), cells(1e-3));
}

/// Part by part, and no part less: a cell of the same key would be found as long.
#[test]
fn a_stashed_key_is_kept_until_its_generation_has_passed() {
    let mut table = new_table(Plan::of_time(T, 1e-6, 3, 0, 0).unwrap());
    table.go_to(1);
    let (first, generations) = (table.state.position.part, table.grid.plan.span.parts / PARTS);
    let keys: Vec<u64> = (0..64).map(hash).collect();
    assert!(keys.iter().all(|key| table.state.remember(*key, first)));
    for _ in 0..PARTS * (generations + 2) {
        table.go_to(table.state.position.next);
        let part = table.state.position.part;
        for key in &keys {
            let is_needed = generation_of(*key, first) >= generation_of(*key, part).before(generations);
            assert_eq!(table.grid.stashed(&table.state, *key, part).is_some(), is_needed, "{part:?} after {first:?}");
        }
    }
}

/// Up to a silence after which nothing is left.
#[test]
fn counts_of_a_later_moment_are_those_that_a_call_would_find() {
    let mut exact = Exact::new(Plan::of_time(T, 1e-3, 3, 0, 0).unwrap(), 1e-3, 0, 2);
    exact.stream(3000, T);
    let (table, mut last) = (&exact.table, u64::MAX);
    for parts in 0..70 {
        let later = exact.now + T / 56 * parts;
        let told = table.count_at(table.part_at(later));
        let mut copy = table.try_clone(&Account::new(u64::MAX).unwrap()).unwrap();
        copy.go_to(later);
        assert_eq!(told, copy.state.tally.all(), "{parts} parts later");
        assert!(told.cells <= last);
        last = told.cells;
    }
    assert_eq!(last, 0);
}

/// Else the number of stores would pass that of the next look, and a snapshot of this moment would be refused.
#[test]
fn growth_is_looked_at_while_keys_go_to_the_stash() {
    let mut table = new_table(Plan::of_time(T, 1e-6, 3, 0, 0).unwrap());
    observe(&mut table, 0, 1);
    table.state.tend.quiet = Some(table.state.position.part);
    table.state.tend.wake();
    for i in 1..5000 {
        observe(&mut table, i, 1);
        let (stores, due) = (table.state.course.stores(), table.state.course.due);
        assert!(stores < due, "{stores} stores, and the next look is at {due}");
    }
    assert!(table.state.tend.is_quiet(), "keys went to the stash");
}

/// Lines are split in order, so one that could not be would stop all growth: of 13 cells that are all of one half, one must move, while
/// all other lines are full too.
#[test]
fn table_grows_past_a_line_whose_cells_are_all_of_one_half() {
    for n in [14_000, 19_000, 40_000, 69_000] {
        let mut table = new_table(Plan::of_time(T, 1e-9, 3, 0, 0).unwrap());
        let mut late = 0;
        for i in 0..2 * n {
            observe(&mut table, i, if i < n { i * (T / 10 / n) } else { T / 10 + (i - n) * (T / 10 * 9 / n) });
            late = if table.state.tally.all().cells > table.state.course.limits.most { late + 1 } else { 0 };
            assert!(late < 100, "key {i} of {n}: the table has been too full for {late} keys");
        }
    }
}

/// A table may shrink while a walk is near the end of its first side. Lines that no walk meets are behind by one generation more.
#[test]
fn walk_whose_next_line_is_gone_meets_the_other_side() {
    let mut table = new_table(Plan::of_time(T, 1e-6, 3, 0, 0).unwrap());
    for _ in 0..2 * PARTS {
        table.go_to(table.state.position.next);
        let (part, end) = (table.state.position.part, table.grid.shape.end_of(0));
        let walk = table.state.tend.walk.map(|spot| Spot { line: LineNumber(end.0 + spot.line.0), ..spot });
        table.state.tend.walk = walk;
        table.state.begin_call(table.state.now);
        table.tend();
        let grid = &table.grid;
        let of_phase = |spot: &Spot| walk.is_some_and(|walk| spot.phase() == walk.phase()) && spot.side == 1;
        let behind = grid
            .shape
            .spots()
            .filter(of_phase)
            .find(|spot| grid.plan.widths.lag(grid.line(spot), spot.generation(part)) > 0);
        assert_eq!(behind, None, "{part:?}");
    }
}

/// Lines come in runs of eight, and memory may end within the last one.
#[test]
fn table_is_built_in_any_memory_for_any_capacity() {
    for memory in (1024..40_000).step_by(61) {
        for capacity in [0, 1, 300, 1_000_000] {
            let plan = Plan::of_time(T, 1e-6, 3, capacity, memory).unwrap();
            let table = Table::new(plan, &Account::new(plan.most_bytes()).unwrap());
            let bytes = table.map(|table| table.bytes());
            assert!(bytes.as_ref().is_ok_and(|bytes| *bytes <= memory), "{memory} for {capacity} keys: {bytes:?}");
        }
    }
}

/// A stream of a number of keys a window.
type Stream = fn(&mut Exact, u64);

/// A traffic: its stream, and the most bits a live key at 1e-3 and at 1e-6, at a moment with a quarter of the keys or
/// more.
struct Traffic {
    name: &'static str,
    stream: Stream,
    bits: [f64; 2],
}

const fn traffic(name: &'static str, bits: [f64; 2], stream: Stream) -> Traffic {
    Traffic { name, stream, bits }
}

fn steady(exact: &mut Exact, n: u64) {
    exact.stream(4 * n, 4 * T);
}

fn sine(exact: &mut Exact, n: u64, windows: u64) {
    for i in 0..windows.max(4) * 40 {
        let x = (real(i) / real(windows * 40) * std::f64::consts::TAU).sin();
        exact.stream(num::floor((0.55 + 0.45 * x) * real(n) / 40.0), T / 40);
    }
}

/// A multiple of the usual rate for a tenth of a window.
fn burst(exact: &mut Exact, n: u64, times: u64) {
    exact.stream(2 * n, 2 * T);
    exact.stream(times * n / 10, T / 10);
    exact.stream(3 * n, 3 * T);
}

const TRAFFICS: [Traffic; 15] = [
    traffic("steady from nothing", [37.5, 52.0], steady),
    traffic("a window in a tenth, then steady", [48.0, 70.0], |exact, n| {
        exact.stream(n, T / 10);
        steady(exact, n);
    }),
    traffic("a rate that rises for ten windows", [48.0, 62.0], |exact, n| {
        (1..=100).for_each(|i| exact.stream(i * n / 1000, T / 10));
    }),
    traffic("a sine over one window", [42.0, 62.0], |exact, n| sine(exact, n, 1)),
    traffic("a sine over 24 windows", [37.0, 53.0], |exact, n| sine(exact, n, 24)),
    traffic("ten times the rate for a tenth", [48.0, 70.0], |exact, n| burst(exact, n, 10)),
    traffic("twenty times the rate for a tenth", [74.0, 110.0], |exact, n| burst(exact, n, 20)),
    traffic("a fall to a hundredth", [600.0, 2100.0], |exact, n| {
        exact.stream(2 * n, 2 * T);
        exact.stream(n / 25, 4 * T);
    }),
    traffic("all keys of a window in its first tenth", [55.0, 77.0], |exact, n| {
        for _ in 0..8 {
            exact.stream(n, T / 10);
            exact.go_to(exact.now + T / 10 * 9);
        }
    }),
    traffic("twice the rate and a fiftieth by turns", [44.0, 60.0], |exact, n| {
        for i in 0..56 * 4 {
            exact.stream(if i % 2 == 0 { n / 28 } else { n / 2800 }, T / 56);
        }
    }),
    traffic("spikes of fifty times the rate", [46.0, 58.0], |exact, n| {
        for _ in 0..56 * 3 {
            exact.stream(n / 56, T / 56);
            exact.stream(n / 56, T / 2800);
        }
    }),
    traffic("a rate that doubles with each fourteenth", [70.0, 100.0], |exact, n| {
        (0..14).for_each(|i| exact.stream((n << i) / (1 << 13), T / 14));
        exact.stream(2 * n, T / 7);
    }),
    traffic("silences just shorter than the window", [f64::MAX; 2], |exact, n| {
        for _ in 0..6 {
            exact.stream(n / 25, T / 25);
            exact.go_to(exact.now + T / 100 * 96);
            exact.stream(3, 7);
            exact.go_to(exact.now + T / 100 * 96);
        }
        for i in 0..40 {
            exact.go_to(exact.now + T / 100 * 96);
            exact.stream(i % 3, 7);
        }
    }),
    traffic("a trickle after a flood", [f64::MAX; 2], |exact, n| {
        exact.stream(4 * n, T / 2);
        (0..60).for_each(|_| exact.stream(7, T / 10));
        exact.stream(n, T);
        exact.go_to(exact.now + 1000 * T);
        exact.stream(n, T);
    }),
    traffic("one key again and again, among others", [f64::MAX; 2], |exact, n| {
        for i in 0..4 * n {
            exact.go_to(exact.now + T / n);
            exact.observe(if i % 8 == 0 { i } else { 42 });
        }
    }),
];

fn run(traffic: &Traffic, rate: f64, n: u64, repeats: u64) {
    let name = format!("{}, {n} keys, rate {rate}, repeats {repeats}", traffic.name);
    let mut exact = Exact::new(Plan::of_time(T, rate, 3, 0, 0).unwrap(), rate, repeats, n + repeats);
    (traffic.stream)(&mut exact, n);
    exact.check(&name);
    let found = &exact.found;
    let most = traffic.bits[usize::from(rate < 1e-4)];
    let counts = found.bits.iter().filter(|(_, live)| *live >= n / 4).map(|(bits, _)| *bits);
    let peak = counts.fold(0.0, f64::max);
    let state = &exact.table.state;
    println!(
        "{name}: peak {peak:.1}, last {:.1} bits; weights {:.2} of the rate; {} checks, {} lines a call; {:?}",
        found.bits.last().map_or(0.0, |last| last.0),
        found.worst,
        found.checks,
        found.touched,
        state.counts
    );
    assert!(found.worst <= 1.0 || n < 5000, "{name}: {} of the rate", found.worst);
    // Repeats are half of the keys here: the table is for fewer, and its first run of lines is more of it.
    let slack = if n < 50_000 { 1.12 } else { 1.0 };
    assert!(peak <= most * slack, "{name}: {peak} bits");
}

#[test]
fn every_traffic_is_answered_rightly_and_within_its_price() {
    let sizes: &[u64] = if is_long() { &[1000, 20_000, 100_000, 1_000_000] } else { &[20_000] };
    for (n, rate) in sizes.iter().flat_map(|n| [1e-3, 1e-6].map(|rate| (*n, rate))) {
        for repeats in [0, 128] {
            TRAFFICS.iter().for_each(|traffic| run(traffic, rate, n, repeats));
        }
    }
}

/// Rates, bits of a tag, repeats: what the other tests leave out.
#[test]
fn every_rate_and_every_tag_keeps_the_window() {
    for (i, rate) in (0..).zip([1e-1, 1e-2, 1e-4, 1e-5, 1e-7, 1e-9]) {
        for tag_bits in 2..=5 {
            let n = 3000 + 1000 * i;
            let mut exact = Exact::new(Plan::of_time(T, rate, tag_bits, 0, 0).unwrap(), rate, 60 * i, i + 9);
            steady(&mut exact, n);
            burst(&mut exact, n, 8);
            if tag_bits == 3 {
                exact.check(&format!("rate {rate}"));
            }
            assert_eq!(exact.found.missed, 0, "rate {rate}, {tag_bits} bits of a tag");
            assert!(exact.found.worst <= 1.05, "rate {rate}, {tag_bits} bits of a tag: {}", exact.found.worst);
        }
    }
}

/// A capacity is the first size: nothing is split while the table fills, and afterwards it is what the keys need.
#[test]
fn a_capacity_is_the_first_size() {
    for rate in [1e-3, 1e-6] {
        let n = 30_000;
        let mut exact = Exact::new(Plan::of_time(T, rate, 3, n, 0).unwrap(), rate, 0, 3);
        let first = exact.table.grid.shape.lines();
        exact.stream(n / 2, T / 2);
        assert_eq!((exact.table.state.counts.splits, exact.table.state.counts.merges), (0, 0));
        exact.stream(n * 7 / 2, T / 2 * 7);
        exact.check("a capacity");
        let last = exact.table.grid.shape.lines();
        println!("{first} lines, {last} later; {:?}", exact.table.state.counts);
        assert!(last < first * 12 / 10 && last > first * 8 / 10);
        exact.stream(n / 5, 2 * T);
        assert!(exact.table.grid.shape.lines() < last / 4, "it shrinks all the same");
        exact.check("a capacity that was too large");
    }
}

/// Whether a key is found that is exactly a window and a generation old at the `i`-th observation, if there is one.
fn found_at_its_end(
    table: &Table,
    (history, last): (&[u64], &std::collections::HashMap<u64, u64>),
    i: u64,
    lifetime: u64,
) -> Option<bool> {
    let key = i.checked_sub(lifetime).map(|at| history[num::index(at)]).filter(|key| last[key] + lifetime == i)?;
    Some(table.contains(hash(key), When::at(i)).is_duplicate())
}

/// Six deviations at most.
fn is_chance(hits: u64, expected: f64) -> bool {
    real(hits) <= expected + 6.0 * expected.sqrt()
}

/// The last n observations against a list, at their edge.
fn keys_of_a_count_window(n: u64, rate: f64, tag_bits: u32) {
    let mut table = new_table(Plan::of_keys(n, rate, tag_bits, 0).unwrap());
    let mut last: std::collections::HashMap<u64, u64> = std::collections::HashMap::new();
    let mut history: Vec<u64> = Vec::new();
    let (mut wrong, mut dead, mut late, mut touched) = (0u64, 0u64, 0u64, 0);
    let lifetime = n + n.div_ceil((1 << tag_bits) - 1);
    for i in 0..(5 * n).max(4000) {
        if let Some(found) = found_at_its_end(&table, (&history, &last), i, lifetime) {
            (dead, late) = (dead + 1, late + u64::from(found));
        }
        let draw = num::mix(i ^ (n << 32));
        let back = [n, n - 1, 1 + draw % n][num::index((draw >> 40) % 3)].max(1);
        let key = if (draw >> 8) % 4 == 0 && i >= back { history[num::index(i - back)] } else { i | (1 << 50) };
        let known = last.get(&key).is_some_and(|then| i - then <= n);
        assert_eq!(table.contains(hash(key), When::at(i)).is_duplicate(), observe(&mut table, key, i).is_duplicate());
        touched = touched.max(table.state.touched);
        assert!(!known || table.contains(hash(key), When::at(i)).is_duplicate(), "key {i} of {n}");
        last.insert(key, i);
        history.push(key);
        let absent = hash(draw | (1 << 60));
        wrong += u64::from(table.contains(absent, When::at(i + 1)).is_duplicate());
        table.go_to(i + 1);
    }
    let rounds = real((5 * n).max(4000));
    let found = real(wrong) / rounds;
    let bits = real(table.bytes()) * 8.0 / real(n);
    let counts = &table.state.counts;
    println!(
        "last {n}, rate {rate}: {bits:.1} bits, {found:.2e} found, {late} of {dead} dead, {touched} lines; {counts:?}"
    );
    assert!(is_chance(wrong, rounds * rate), "{found} of {rate}");
    assert!(is_chance(late, real(dead) * rate), "last {n}, rate {rate}: {late} of {dead} dead keys");
    assert!(touched <= 64, "last {n}: {touched} lines in one call");
    let most = table.state.course.stores() / if n < 3000 { 200 } else { 400 };
    assert!(n < 1000 || counts.stashed <= most, "{counts:?}");
    let stashed = table.state.stash.len();
    assert!(n < 3000 || stashed <= n / 100, "last {n}, rate {rate}: {stashed} keys without room");
}

#[test]
fn a_key_among_the_last_n_is_found_at_the_price_of_today() {
    for n in [1, 2, 7, 100, 1000, 3333, 20_000, 47_777] {
        for (rate, most) in [(1e-1, 19.6), (1e-2, 19.6), (1e-3, 23.4), (1e-4, 26.7), (1e-6, 34.4), (1e-9, f64::MAX)] {
            keys_of_a_count_window(n, rate, 3);
            let plan = Plan::of_keys(n, rate, 3, 0).unwrap();
            let bits = real(plan.first.lines()) * 512.0 / real(n);
            // A table of few lines has some to spare, and phases of few keys are less even.
            let spare = 1.0 + 1.5 / (real(n) / 7.0).sqrt();
            assert!(n < 1000 || bits <= (most + 2000.0 / real(n)) * spare, "{bits} bits at {rate}");
        }
    }
    (2..=5).for_each(|tag_bits| keys_of_a_count_window(2000, 1e-3, tag_bits));
}

/// The words of all lines, by side.
fn words(table: &Table) -> [Vec<[u64; 8]>; 2] {
    let (grid, shape) = (&table.grid, &table.grid.shape);
    let line = |side, i| std::array::from_fn(|word| grid.line(&shape.nth(side, i)).word(word));
    [0, 1].map(|side| (0..shape.lines_of(side)).map(|i| line(side, i)).collect())
}

/// Lines that are not what they were, and those that were not there or are there no more.
fn changed([before, after]: [&[Vec<[u64; 8]>; 2]; 2]) -> u64 {
    let in_side = |side: usize| {
        let (old, new) = (&before[side], &after[side]);
        let differ = old.iter().zip(new).filter(|(old, new)| old != new).count();
        num::wide(differ + old.len().abs_diff(new.len()))
    };
    in_side(0) + in_side(1)
}

/// Counted by the lines, and not by what a call says.
#[test]
fn call_in_any_traffic_changes_64_lines_at_most() {
    for (rate, mut most) in [(1e-3, 0), (1e-6, 0)] {
        let mut table = new_table(Plan::of_time(T, rate, 3, 0, 0).unwrap());
        let (mut now, mut key, mut before) = (T, 0, words(&table));
        // From nothing, a burst, a fall, a trickle, a silence, and from nothing again.
        for (keys, ns) in [(3000, T), (3000, T / 10), (300, T), (12, 2 * T), (1, 9 * T), (2000, T / 2)] {
            for _ in 0..keys {
                (now, key) = (now + ns / keys, key + 1);
                observe(&mut table, key, now);
                let (after, touched) = (words(&table), table.state.touched);
                // A table that begins again has its 16 fewest lines, and gives the others back as they are.
                let began = after[0].len() == 8 && before[0].len() > 9;
                let lines = if began { 16 } else { changed([&before, &after]) };
                assert!(began || lines <= touched, "key {key}: {lines} lines, it says {touched}");
                (most, before) = (lines.max(most), after);
            }
        }
        assert!((20..=64).contains(&most), "{most} lines at most");
    }
}

/// At a limit of memory: what the plan says fits is whole from the first window on, whether keys repeat or not.
#[test]
fn window_that_fits_by_the_plan_is_never_cut() {
    for (rate, bits) in [(1e-3, 25.4), (1e-6, 38.0)] {
        let n = 30_000;
        let memory = num::floor(1.05 * bits * real(n) / 8.0);
        let plan = Plan::of_time(T, rate, 3, 0, memory).unwrap();
        let mut exact = Exact::new(plan, rate, 0, 5);
        // Each key comes ten times a window, for six windows.
        for i in 0..60 * n {
            exact.go_to(T + T / 10 / n * i);
            exact.observe(i % n);
        }
        assert!(exact.table.bytes() <= memory);
        assert_eq!((exact.table.state.loss.forgotten, exact.found.reach), (0, 56));
        exact.check("repeats at the limit");
        let mut exact = Exact::new(plan, rate, 0, 6);
        exact.stream(6 * n, 6 * T);
        println!("{:?} {:?}", exact.table.state.loss, exact.table.state.counts);
        assert!(exact.table.bytes() <= memory);
        assert!(exact.found.reach >= 54, "{} parts, {:?}", exact.found.reach, exact.table.state.loss);
        assert!(exact.found.missed * 10_000 <= exact.found.checks, "{} missed", exact.found.missed);
    }
}

/// Half of the memory that all keys need: the oldest go, the error stays, and what the reach says is never missed.
#[test]
fn with_half_of_the_memory_the_reach_is_more_than_a_third() {
    for (rate, bits) in [(1e-3, 25.0), (1e-6, 37.0)] {
        let n = 40_000;
        let memory = num::floor(0.5 * bits * real(n) / 8.0);
        let mut exact = Exact::new(Plan::of_time(T, rate, 3, 0, memory).unwrap(), rate, 0, 7);
        exact.stream(4 * n, 4 * T);
        let (found, state) = (&exact.found, &exact.table.state);
        println!("reach {} of 56, {:?}, error {:.2}, {:?}", found.reach, state.loss, found.worst, state.counts);
        assert!(exact.table.bytes() <= memory);
        assert!(found.worst <= 1.0, "the error is {} of the rate", found.worst);
        assert!(found.reach * 100 >= 35 * 56, "{} parts of 56", found.reach);
        assert!(state.loss.typical >= 26.0, "{:?}", state.loss);
        assert!(found.touched <= 64);
        // The load falls: within a window and a generation all is as it should be.
        exact.stream(n / 2, 2 * T);
        assert_eq!(exact.reach_in_parts(), 56);
    }
}

/// What was seen within the reach is found, and its age is known to a generation.
#[test]
fn ages_are_known_to_a_generation() {
    let mut table = new_table(Plan::of_time(T, 1e-6, 3, 0, 0).unwrap());
    let n = 20_000;
    for i in 0..3 * n {
        let now = T + T / n * i;
        observe(&mut table, i, now);
        for back in [0, 1, n / 7, n / 2, n] {
            let (Some(key), part) = (i.checked_sub(back), table.part_at(now)) else { continue };
            let (first, last) = table.sighting(hash(key), part).expect("within the window");
            let seen = Part::START.after(T / n * key * 56 / T);
            assert!((first..=last).contains(&seen) && last.since(first) <= 7, "{first:?} {seen:?} {last:?}");
            let (age, told) =
                (now - (T + T / n * key), table.age(hash(key), When::at(now)).expect("within the window"));
            assert!((told.at_least..=told.at_most).contains(&age), "{age} {told:?}");
            assert!(told.at_most - told.at_least <= T / 7 + 1, "{told:?}");
        }
    }
    let copy = table.try_clone(&Account::new(u64::MAX).unwrap()).unwrap();
    assert_eq!(copy.grid.shape, table.grid.shape);
}

/// A copy continues as its original does.
#[test]
fn a_copy_is_the_same_table() {
    let mut exact = Exact::new(Plan::of_time(T, 1e-3, 3, 0, 0).unwrap(), 1e-3, 128, 11);
    exact.stream(9000, T);
    let mut copy = exact.table.try_clone(&Account::new(u64::MAX).unwrap()).unwrap();
    for i in 0..30_000u64 {
        let now = exact.now + i * (T / 9000);
        let key = num::mix(i) % 20_000;
        let verb = if i % 5 == 0 { Verb::Insert } else { Verb::Observe };
        let [one, other] = [&mut exact.table, &mut copy].map(|table| simd::run(One(table, verb), (hash(key), now)));
        assert_eq!(one, other);
        exact.table.prefetch::<super::form::Any>(hash(key));
    }
    assert_eq!(exact.table.state.tally.all(), copy.state.tally.all());
}

fn saved(table: &Table) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut sink = crate::wire::Sink::new(&mut bytes);
    table.save_numbers(table.state.now, &mut sink).unwrap();
    table.save_lines(table.state.now, &mut sink).unwrap();
    assert_eq!(num::wide(bytes.len()), table.saved_bytes());
    bytes
}

fn loaded(plan: Plan, then: u64, bytes: &[u8]) -> Result<Table, crate::wire::Refused> {
    let mut input = bytes;
    let mut source = crate::wire::Source::new(&mut input, crate::wire::Room::default());
    source.expect_in_all(num::wide(bytes.len()));
    let account = Account::new(plan.most_bytes()).unwrap();
    let mut table = Table::load_numbers(plan, Section::WHOLE, then, &mut source, &account)?;
    source.expect_cells(table.grid.shape.lines() * 8)?;
    table.load_lines(&mut source)?;
    Ok(table)
}

/// Every traffic, saved on the way: what is loaded continues as the original does, and is saved as the same bytes.
#[test]
fn loaded_table_continues_as_the_saved_one() {
    for (rate, seed) in [(1e-3, 1), (1e-6, 2)] {
        for traffic in &TRAFFICS {
            let plan = Plan::of_time(T, rate, 3, 0, 0).unwrap();
            let mut exact = Exact::new(plan, rate, 100, seed);
            (traffic.stream)(&mut exact, 1500);
            let bytes = saved(&exact.table);
            let mut again = loaded(plan, exact.table.state.now, &bytes).unwrap();
            assert_eq!(exact.table.state.tally.all(), again.state.tally.all(), "{}", traffic.name);
            for i in 0..6000u64 {
                let now = exact.now + i * (T / 2000);
                let key = if i % 3 == 0 { num::mix(i) % 1000 } else { i | (1 << 55) };
                let [one, other] =
                    [&mut exact.table, &mut again].map(|table| simd::run(One(table, Verb::Observe), (hash(key), now)));
                assert_eq!(one, other, "{} at {i}", traffic.name);
                if i % 1000 == 999 {
                    let [one, other] = [&exact.table, &again].map(saved);
                    let differs = one.iter().zip(&other).position(|(a, b)| a != b).map(|at| at / 8);
                    assert!(one == other, "{} at {i}: word {differs:?}", traffic.name);
                }
            }
        }
    }
}

/// Any number of a saved table changed: it is refused, or what is loaded is used and loaded again.
#[test]
fn loaded_table_is_accepted_again_after_any_calls() {
    let plan = Plan::of_time(T, 1e-3, 3, 0, 0).unwrap();
    for keys in [0, 300] {
        let mut exact = Exact::new(plan, 1e-3, 0, 4);
        exact.stream(keys, T);
        let bytes = saved(&exact.table);
        let (mut accepted, mut refused) = (0, 0);
        for at in 0..bytes.len().min(60 * 8) / 8 {
            for value in [
                0,
                1,
                2,
                7,
                255,
                256,
                1 << 20,
                1 << 40,
                1 << 62,
                1 << 63,
                u64::MAX,
                1.0f64.to_bits(),
                f64::NAN.to_bits(),
            ] {
                let mut changed = bytes.clone();
                changed[8 * at..8 * at + 8].copy_from_slice(&value.to_le_bytes());
                let Ok(mut table) = loaded(plan, exact.table.state.now, &changed) else {
                    refused += 1;
                    continue;
                };
                accepted += 1;
                for i in 0..400u64 {
                    let now = exact.now + i * (T / 100);
                    observe(&mut table, i % 90, now);
                    table.contains(hash(i), When::at(now));
                }
                assert!(loaded(plan, table.state.now, &saved(&table)).is_ok(), "number {at} = {value}");
            }
        }
        println!("{accepted} accepted, {refused} refused");
        assert!(accepted > 20 && refused > 200);
    }
}

/// A line that is behind, or ahead, is no line of a saved table.
#[test]
fn a_line_of_another_epoch_is_refused() {
    let plan = Plan::of_time(T, 1e-3, 3, 0, 0).unwrap();
    let mut exact = Exact::new(plan, 1e-3, 0, 8);
    exact.stream(300, T);
    let bytes = saved(&exact.table);
    for bit in 56..61 {
        let mut changed = bytes.clone();
        let last = changed.len() - 8 + bit / 8;
        changed[last] ^= 1 << (bit % 8);
        assert!(loaded(plan, exact.table.state.now, &changed).is_err(), "bit {bit} of the last word");
    }
}

/// So few keys after a flood that no sweep meets all lines before their epochs mean two generations: what is dead stays dead.
#[test]
fn after_a_flood_a_few_keys_bring_nothing_back() {
    let mut table = new_table(Plan::of_time(T, 1e-6, 3, 0, 0).unwrap());
    let flood = 200_000;
    for i in 0..flood {
        observe(&mut table, i, T + i);
    }
    for i in 1..120u64 {
        let now = T + i * (T / 7);
        observe(&mut table, i | (1 << 50), now);
        assert!(table.state.touched <= 64, "{} lines", table.state.touched);
        assert!(
            i < 7 || table.contains(hash((i - 6) | (1 << 50)), When::at(now)).is_duplicate(),
            "a key of this window"
        );
        let dead =
            (0..flood).step_by(97).filter(|key| table.contains(hash(*key), When::at(now)).is_duplicate()).count();
        assert!(i < 9 || dead <= 1, "{dead} dead keys, {i} generations after the flood");
    }
    assert_eq!(table.grid.shape.lines(), 16);
}

/// One key comes all the time, and no other one meets the lines of those that are dead, for longer than an epoch tells apart.
#[test]
fn a_storm_of_one_key_lets_all_others_expire() {
    const KEYS: u64 = 4000;
    let of_keys = (Plan::of_keys(KEYS, 1e-6, 3, 0).unwrap(), 1);
    let of_time = (Plan::of_time(T, 1e-6, 3, KEYS, 0).unwrap(), T / KEYS);
    for (plan, step) in [of_keys, of_time] {
        let mut table = new_table(plan);
        (0..KEYS).for_each(|i| assert!(observe(&mut table, i, i * step).is_new()));
        for i in KEYS..12 * KEYS {
            observe(&mut table, KEYS, i * step);
            if i > KEYS * 9 / 4 && i % 100 == 0 {
                let dead =
                    (0..KEYS).filter(|key| table.contains(hash(*key), When::at(i * step)).is_duplicate()).count();
                assert!(dead <= 1, "{dead} dead keys after {i} sightings of one key");
            }
        }
    }
}

/// A rate below what 64 bits of a hash can tell apart is refused by name.
#[test]
fn a_rate_that_needs_more_bits_than_there_are_is_refused() {
    assert!(Plan::of_time(T, 1e-9, 3, 0, 0).is_ok());
    let refused = Plan::of_time(T, 1e-12, 3, 1 << 40, 0).unwrap_err().to_string();
    assert!(
        refused.contains("error_rate")
            && refused.contains("must be at least")
            && refused.contains("for this many keys"),
        "{refused}"
    );
    assert!(Plan::of_keys(1 << 40, 1e-12, 3, 0).is_err());
}

/// A capacity that is far too large, and a few keys that come again and again: the table becomes what they need.
#[test]
fn a_table_that_is_far_too_large_shrinks_while_all_keys_repeat() {
    for (rate, capacity) in [(1e-6, 1_200_000), (1e-3, 300_000)] {
        let n = 5000;
        let mut exact = Exact::new(Plan::of_time(T, rate, 3, capacity, 0).unwrap(), rate, 0, 3);
        for i in 0..40 * n {
            exact.go_to(T + T / 10 / n * i);
            exact.observe(i % n);
        }
        let bits = real(exact.table.bytes()) * 8.0 / real(n);
        assert!(bits <= if rate < 1e-4 { 46.0 } else { 33.0 }, "{bits} bits");
        exact.check("repeats in a table that was too large");
    }
}
