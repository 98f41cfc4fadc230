//! A table that is divided at any moment of its life: each section keeps the promises by itself, all of them together keep to
//! the rate and to memory, and they are saved and loaded.

use super::exact::{AIMED, Exact, T, hash, new_table, observe};
use super::key::{SECTIONS, section_of};
use super::plan::Plan;
use super::position::{PARTS, When};
use super::snapshot::HEAD;
use super::{Time, WindowTable};
use crate::filter::contract::{Contract, Stored};
use crate::filter::seen::Seen;
use crate::hash::KeyHash;
use crate::num;
use crate::options::Repeat;
use crate::tick::Tick;

/// Keys of a window, about.
pub(super) const N: u64 = 10_000;

/// What keys of a window take once all is settled.
const SETTLED: u64 = 32 * N;

/// What a table went through, and what it looks like then.
type Life = fn(&mut Exact);
type Look = fn(&Exact) -> bool;

/// A moment in the life of a table.
struct Moment {
    name: &'static str,
    capacity: u64,
    memory: u64,
    live: Life,
    /// Whether it is that moment.
    is_there: Look,
}

const MOMENTS: [Moment; 6] = [
    Moment {
        name: "growing",
        capacity: 0,
        memory: 0,
        live: |exact| exact.stream(N / 2, T / 2),
        is_there: |exact| exact.table.state.course.need.grows && exact.table.state.counts.splits > 100,
    },
    Moment {
        name: "settled",
        capacity: 0,
        memory: 0,
        live: |exact| exact.stream(4 * N, 4 * T),
        is_there: |exact| !exact.table.state.course.need.grows,
    },
    Moment {
        name: "shrinking",
        capacity: 0,
        memory: 0,
        live: |exact| {
            exact.stream(2 * N, 2 * T);
            exact.stream(N / 20, T / 2);
        },
        is_there: |exact| exact.table.state.tally.all().cells < exact.table.state.course.limits.low,
    },
    Moment { name: "quiet", capacity: 0, memory: 0, live: until_quiet, is_there: |exact| is_stashed(exact, true) },
    Moment {
        name: "with a stash",
        capacity: N,
        memory: 0,
        live: |exact| {
            exact.stream(N / 2, T / 2);
            (0..800).for_each(|i| exact.observe(aimed(i)));
        },
        is_there: |exact| is_stashed(exact, false),
    },
    Moment {
        name: "at a limit of memory",
        capacity: 0,
        memory: SETTLED / 16,
        live: |exact| exact.stream(3 * N, 3 * T),
        is_there: |exact| exact.table.state.loss.forgotten > 1000,
    },
];

/// So few keys after a flood that no sweep meets all lines.
fn until_quiet(exact: &mut Exact) {
    exact.stream(12 * N, T / 2);
    while !exact.table.state.tend.is_quiet() {
        exact.stream(2, T / 20);
    }
    exact.stream(30, T / 20);
}

fn is_stashed(exact: &Exact, quiet: bool) -> bool {
    exact.table.state.tend.is_quiet() == quiet && exact.table.state.stash.len() >= 8
}

/// Keys of the same two lines for each phase, as long as lines are at most 8 deep: one string, and fingerprints that are equal
/// in their 5 lowest bits.
const fn aimed(i: u64) -> u64 {
    AIMED | ((i % PARTS) << 14) | (64 * (i / PARTS) + 1)
}

impl Moment {
    fn plan(&self) -> Plan {
        Plan::of_time(T, 1e-3, 3, self.capacity, self.memory).unwrap()
    }

    /// A table that has come there.
    fn reach(&self) -> Exact {
        let mut exact = Exact::new(self.plan(), 1e-3, 60, 3);
        (self.live)(&mut exact);
        assert!((self.is_there)(&exact), "{}: {:?} {:?}", self.name, exact.table.state.course, exact.table.state.tend);
        exact
    }

    /// What is promised at any moment.
    fn expect_promises(&self, exact: &Exact, at: &str) {
        let name = format!("{}, {at}", self.name);
        if self.memory == 0 {
            return exact.check(&name);
        }
        exact.check_tallies(&name);
        assert!(exact.table.bytes() <= self.memory, "{name}: {} bytes of {}", exact.table.bytes(), self.memory);
        assert!(exact.found.touched <= 64, "{name}: {} lines in one call", exact.found.touched);
        let reach = exact.reach_in_parts();
        assert!((10..56).contains(&reach), "{name}: {reach} parts");
        assert_eq!(exact.missed_within(reach * (T / 56)), 0, "{name}: missed within the reach");
    }
}

/// Bytes of all lines and of all stashes, one by one.
fn counted_bytes(exact: &Exact) -> u64 {
    exact.tables().iter().map(|table| table.grid.lines.counted_bytes() + table.state.stash.bytes()).sum()
}

/// Whatever a section continues with is its own share of what there was.
fn expect_shares(exact: &Exact, before: (u64, u64, u64)) {
    let sum = |of: fn(&super::table::Table) -> u64| exact.sections.iter().map(of).sum::<u64>();
    let cells = sum(|section| section.state.tally.all().cells);
    assert_eq!((cells, sum(|section| section.grid.shape.lines()), sum(|section| section.state.stash.len())), before);
    for (phase, section) in exact.sections.iter().enumerate() {
        assert!(section.state.stash.in_order().all(|(hash, _)| section_of(hash) == phase), "keys of section {phase}");
        assert!(section.grid.shape.spots().all(|spot| num::index(spot.phase()) == phase), "lines of section {phase}");
    }
}

#[test]
fn a_table_is_divided_at_any_moment_of_its_life() {
    for moment in &MOMENTS {
        let mut exact = moment.reach();
        let state = &exact.table.state;
        let before = (state.tally.all().cells, exact.table.grid.shape.lines(), state.stash.len());
        assert_eq!(exact.table.bytes(), counted_bytes(&exact), "{}: bytes", moment.name);
        exact.divide();
        expect_shares(&exact, before);
        let divided = counted_bytes(&exact);
        assert_eq!(exact.table.bytes(), divided, "{}: bytes of the sections", moment.name);
        moment.expect_promises(&exact, "divided");
        for (keys, ns) in [(2 * N, 2 * T), (N / 20, 2 * T), (3 * N, 2 * T)] {
            exact.stream(keys, ns);
            let (bytes, counted) = (exact.table.bytes(), counted_bytes(&exact));
            // Arenas that were divided go when all sections have given back their lines of them.
            assert!((counted..=counted + divided).contains(&bytes), "{}: {bytes} of {counted} bytes", moment.name);
            if keys > N || moment.memory == 0 {
                moment.expect_promises(&exact, &format!("{keys} keys more"));
            }
        }
        assert!(exact.found.worst <= 1.0, "{}: {} of the rate", moment.name, exact.found.worst);
    }
}

/// The same of a table that nobody divides.
#[test]
fn at_a_limit_no_key_within_the_reach_is_missed() {
    for moment in &MOMENTS {
        let mut exact = moment.reach();
        for _ in 0..20 {
            exact.stream(N / 10, T / 10);
            moment.expect_promises(&exact, "a tenth of a window more");
        }
    }
}

/// The filter whose sections these are.
fn filter_of(plan: Plan, exact: Exact) -> WindowTable {
    let account = exact.table.grid.lines.account().clone();
    let time = Time { clock: Tick(exact.now), leads: u64::MAX, count: 0 };
    let mut filter = WindowTable { plan, tables: exact.sections, account, time, seen: Seen::default(), route_bits: 0 };
    filter.go_to(exact.now);
    filter
}

pub(super) fn saved(filter: &WindowTable) -> Vec<u8> {
    let mut bytes = Vec::new();
    filter.save(filter.time.clock, &mut crate::wire::Sink::new(&mut bytes)).unwrap();
    assert_eq!(num::wide(bytes.len()), filter.saved_bytes());
    bytes
}

pub(super) fn loaded(bytes: &[u8], now: Tick) -> Result<WindowTable, crate::wire::Refused> {
    let mut input = bytes;
    let mut source = crate::wire::Source::new(&mut input, crate::wire::Room::default());
    source.expect_in_all(num::wide(bytes.len()));
    WindowTable::load(&mut source, now, now)
}

#[test]
fn eight_sections_are_loaded_as_they_were_saved() {
    for moment in &MOMENTS {
        let mut exact = moment.reach();
        exact.divide();
        exact.stream(N / 4, T / 4);
        let start = exact.now;
        let mut one = filter_of(moment.plan(), exact);
        // What is loaded finds out anew whether memory allows the next line.
        one.tables.iter_mut().for_each(|table| table.state.course.starved = false);
        let bytes = saved(&one);
        let mut other = loaded(&bytes, one.time.clock).unwrap();
        assert!(bytes == saved(&other), "{}: the same bytes", moment.name);
        assert_eq!(other.tables.len(), SECTIONS);
        for i in 0..if moment.memory == 0 { 2 * N } else { 0 } {
            let key = KeyHash(if i % 3 == 0 { num::mix(i) % 1000 } else { i | (1 << 55) });
            let now = Tick(start + i * (T / N));
            let verdicts = [&mut one, &mut other].map(|filter| filter.observe(key, now).unwrap());
            assert_eq!(verdicts[0], verdicts[1], "{} at {i}", moment.name);
        }
        // The head has the most bytes so far: what is loaded has no spare runs.
        let [one, other] = [&one, &other].map(|filter| saved(filter).split_off(num::index(HEAD)));
        let differs = one.iter().zip(&other).position(|(a, b)| a != b).map(|at| at / 8);
        assert!(one == other, "{}: word {differs:?}", moment.name);
    }
}

/// A repeat renews its key, or does not where the first sighting is kept; an insert always does.
#[test]
fn a_repeat_renews_its_key_unless_the_first_sighting_is_kept() {
    for (repeat, is_there) in [(Repeat::Refresh, true), (Repeat::KeepFirst, false)] {
        let mut table = new_table(Plan { repeat, ..Plan::of_time(T, 1e-6, 3, 0, 0).unwrap() });
        (0..2000).for_each(|key| assert!(observe(&mut table, key, T).is_new()));
        (0..2000).for_each(|key| assert!(observe(&mut table, key, T + T / 2).is_duplicate()));
        let found = (0..2000).filter(|key| table.contains(hash(*key), When::at(T + T / 8 * 11)).is_duplicate()).count();
        assert_eq!(found, if is_there { 2000 } else { 0 }, "{repeat:?}");
    }
}
