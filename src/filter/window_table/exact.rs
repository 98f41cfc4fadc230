//! A table compared with an exact map with times: every verdict is compared, and every key is asked for at the edge of its window.

use std::collections::{HashMap, VecDeque};

use super::form::{OfKeys, OfTime};
use super::key::{Section, section_of};
use super::plan::Plan;
use super::position::When;
use super::table::{Table, Verb};
use super::tally::real;
use crate::filter::values::Verdict;
use crate::hash::{KeyHash, hash64};
use crate::num::{self, real as number};
use crate::raw::arena::Account;
use crate::simd::{self, Instructions, Task};

/// The window.
pub(super) const T: u64 = 1_000_000_000;

/// One key of a table.
pub(super) struct One<'a>(pub(super) &'a mut Table, pub(super) Verb);

impl Task for One<'_> {
    type Args = (u64, u64);
    type Result = Verdict;
    fn run<I: Instructions>(self, (hash, now): (u64, u64)) -> Verdict {
        // As the handles do: a table that is whole is one of the forms of one owner.
        match (self.0.grid.shape.section == Section::WHOLE, self.0.grid.plan.timed) {
            (true, true) => self.0.observe::<I, OfTime>(hash, now, self.1),
            (true, false) => self.0.observe::<I, OfKeys>(hash, now, self.1),
            (false, _) => self.0.touch::<I>(hash, When::at(now), self.1),
        }
    }
}

pub(super) fn observe(table: &mut Table, key: u64, now: u64) -> Verdict {
    simd::run(One(table, Verb::Observe), (hash(key), now))
}

/// The first four bits of a key that is its own hash, as one who knows the seed could choose it.
pub(super) const AIMED: u64 = 0xA << 60;

pub(super) fn hash(key: u64) -> u64 {
    if key & (0xF << 60) == AIMED { key } else { KeyHash(hash64(&key.to_le_bytes(), 7)).mixed() }
}

pub(super) fn new_table(plan: Plan) -> Table {
    Table::new(plan, &Account::new(plan.most_bytes()).unwrap()).unwrap()
}

/// The counts of a stream.
#[derive(Default)]
pub(super) struct Found {
    pub(super) missed: u64,
    pub(super) checks: u64,
    /// Keys that were found later than the window and a generation, and keys that were asked for then.
    pub(super) late: u64,
    pub(super) asked_late: u64,
    /// Absent keys that were found, and all that were asked for; the mean of what the tally said then.
    pub(super) wrong: u64,
    pub(super) probes: u64,
    pub(super) told: f64,
    /// The tally over the rate, at its worst.
    pub(super) worst: f64,
    pub(super) touched: u64,
    /// Bits a live key, each twentieth of a window, and how many keys there were.
    pub(super) bits: Vec<(f64, u64)>,
    /// The least part of the window within which no key had to go, from the second window on.
    pub(super) reach: u64,
}

/// See the module.
pub(super) struct Exact {
    pub(super) table: Table,
    /// The sections that it was divided into.
    pub(super) sections: Vec<Table>,
    pub(super) now: u64,
    pub(super) found: Found,
    rate: f64,
    seen: HashMap<u64, u64>,
    due: VecDeque<(u64, u64)>,
    gone: VecDeque<(u64, u64)>,
    next: u64,
    random: u64,
    /// Repeats of 256 keys.
    repeats: u64,
    sample_at: u64,
}

impl Exact {
    pub(super) fn new(plan: Plan, rate: f64, repeats: u64, seed: u64) -> Self {
        let table = new_table(plan);
        let found = Found { reach: u64::MAX, ..Found::default() };
        let (seen, due, gone) = (HashMap::new(), VecDeque::new(), VecDeque::new());
        Self {
            table,
            sections: Vec::new(),
            now: T,
            found,
            rate,
            seen,
            due,
            gone,
            next: seed << 40,
            random: seed,
            repeats,
            sample_at: T,
        }
    }

    /// From now on each section continues by itself.
    pub(super) fn divide(&mut self) {
        self.sections = self.table.divide().unwrap();
        self.table.state.stash.clear();
    }

    /// The table, or its sections.
    pub(super) fn tables(&self) -> &[Table] {
        if self.sections.is_empty() { std::slice::from_ref(&self.table) } else { &self.sections }
    }

    pub(super) fn contains(&self, key: u64, when: u64) -> bool {
        let tables = self.tables();
        tables[section_of(hash(key)) % tables.len()].contains(hash(key), When::at(when)).is_duplicate()
    }

    /// Keys that were seen so lately and are missed.
    pub(super) fn missed_within(&self, age: u64) -> usize {
        let within = self.seen.iter().filter(|(_, then)| self.now - **then <= age);
        within.filter(|(key, _)| !self.contains(**key, self.now)).count()
    }

    pub(super) fn draw(&mut self) -> u64 {
        self.random = self.random.wrapping_add(1);
        num::mix(self.random.wrapping_mul(num::STEP))
    }

    pub(super) fn observe(&mut self, key: u64) {
        let known = self.seen.get(&key).is_some_and(|then| self.now - then <= T);
        let table = if self.sections.is_empty() { &mut self.table } else { &mut self.sections[section_of(hash(key))] };
        let verdict = observe(table, key, self.now);
        self.found.touched = self.found.touched.max(table.state.touched);
        if known {
            self.found.checks += 1;
            self.found.missed += u64::from(verdict.is_new());
        }
        self.seen.insert(key, self.now);
        self.due.push_back((self.now + T, key));
    }

    /// Asks for all keys whose window ends, at its very edge, and once more a generation and a moment later.
    pub(super) fn go_to(&mut self, to: u64) {
        while let Some(&(when, key)) = self.due.front().filter(|(when, _)| *when <= to) {
            self.due.pop_front();
            if self.seen.get(&key).is_some_and(|then| then + T == when) {
                self.found.checks += 1;
                self.found.missed += u64::from(!self.contains(key, when));
                self.seen.remove(&key);
                self.gone.push_back((when + T / 7 + 2, key));
            }
        }
        while let Some(&(when, key)) = self.gone.front().filter(|(when, _)| *when <= to) {
            self.gone.pop_front();
            if !self.seen.contains_key(&key) {
                self.found.asked_late += 1;
                self.found.late += u64::from(self.contains(key, when.max(self.now)));
            }
        }
        self.now = to;
        while self.sample_at <= to {
            self.sample();
            self.sample_at += T / 20;
        }
    }

    /// Parts of the window within which no key had to go.
    pub(super) fn reach_in_parts(&self) -> u64 {
        self.tables().iter().map(|table| table.reach(self.now)).min().unwrap() * 56 / T
    }

    fn sample(&mut self) {
        let live = num::wide(self.seen.len());
        if live > 0 {
            self.found.bits.push((number(self.table.bytes()) * 8.0 / number(live), live));
        }
        let told = self.tables().iter().map(|table| table.error_at(table.part_at(self.now))).sum::<f64>();
        self.found.worst = self.found.worst.max(told / self.rate);
        if self.now >= 3 * T {
            self.found.reach = self.found.reach.min(self.reach_in_parts());
        }
        for _ in 0..200 {
            let absent = self.draw() | (1 << 63);
            self.found.probes += 1;
            self.found.told += told;
            self.found.wrong += u64::from(self.contains(absent, self.now));
        }
    }

    /// `keys` keys, evenly, in a time.
    pub(super) fn stream(&mut self, keys: u64, ns: u64) {
        let start = self.now;
        for i in 0..keys {
            self.go_to(start + num::low_half(u128::from(ns) * u128::from(i) / u128::from(keys)));
            let draw = self.draw();
            if draw % 256 < self.repeats && !self.due.is_empty() {
                let at = num::index((draw >> 8) % num::wide(self.due.len()));
                self.observe(self.due[at].1);
            } else {
                self.next += 1;
                self.observe(self.next);
            }
        }
        self.go_to(start + ns);
    }

    /// Cells and weights of a table, counted line by line.
    fn census(table: &Table) -> (u64, f64) {
        let (grid, part) = (&table.grid, table.state.position.part);
        let (mut cells, mut weight) = (0, 0.0);
        for spot in grid.shape.spots() {
            for (_, cell) in grid.plan.widths.cells(grid.fresh(&spot, part)) {
                cells += 1;
                weight += 0.5f64.powi(i32::try_from(spot.depth + cell.known).unwrap());
            }
        }
        (cells, weight)
    }

    /// The tally as it is counted by hand, of each section by itself.
    pub(super) fn check_tallies(&self, name: &str) {
        for table in self.tables() {
            let (tally, (cells, weight)) = (table.state.tally.all(), Self::census(table));
            assert_eq!(cells, tally.cells, "{name}: cells counted by hand");
            let told = real(tally.weight);
            assert!((weight - told).abs() <= 1e-6 * weight + 1e-12, "{name}: {weight} by hand, {told}");
        }
    }

    /// What must be so after any stream: no key missed, none found late but by chance, the tally as it is counted by hand and
    /// as absent keys find it, at most 64 lines a call.
    pub(super) fn check(&self, name: &str) {
        let found = &self.found;
        assert_eq!(found.missed, 0, "{name}: missed, of {}", found.checks);
        assert!(found.touched <= 64, "{name}: {} lines in one call", found.touched);
        let by_chance = number(found.asked_late) * self.rate;
        assert!(number(found.late) <= by_chance + 6.0 * by_chance.sqrt() + 1.0, "{name}: {} found late", found.late);
        self.check_tallies(name);
        let six = 6.0 * found.told.sqrt() + 1.0;
        assert!((number(found.wrong) - found.told).abs() <= six, "{name}: {} wrong, told {}", found.wrong, found.told);
    }
}
