//! The window table against an exact map of times, at the very edge of the window, in traffic of all kinds; and its error against the laws.
#![allow(clippy::as_conversions, clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "tests")]

use std::collections::{HashMap, VecDeque};

use super::*;
use crate::filter::any::Any;
use crate::num::mix;
use crate::options::ClockSource;
use crate::shared::SharedFilter;
use crate::simd::Baseline;

/// The window.
const T: u64 = 1 << 40;

/// How many keys come at a time in windows, by those of a window.
#[derive(Clone, Copy)]
struct Traffic {
    name: &'static str,
    rate: fn(f64) -> f64,
    end: f64,
}

fn sine(t: f64, period: f64) -> f64 {
    1.1 + (t / period * std::f64::consts::TAU).sin()
}

const TRAFFICS: [Traffic; 12] = [
    Traffic { name: "steady", rate: |_| 1.0, end: 3.0 },
    Traffic { name: "sine of one window", rate: |t| sine(t, 1.0), end: 4.0 },
    Traffic { name: "sine of eight windows", rate: |t| sine(t, 8.0), end: 10.0 },
    Traffic { name: "burst of 100", rate: |t| if (1.5..1.51).contains(&t) { 100.0 } else { 0.5 }, end: 4.0 },
    Traffic { name: "burst of 20 for a tenth", rate: |t| if (2.0..2.1).contains(&t) { 20.0 } else { 1.0 }, end: 4.5 },
    Traffic { name: "saw", rate: |t| 0.05 + 2.0 * (t * 0.7).fract(), end: 5.0 },
    Traffic { name: "spikes", rate: |t| if (t * 5.3).fract() < 0.03 { 20.0 } else { 0.1 }, end: 4.0 },
    Traffic { name: "pulses", rate: |t| if (t * 1.7).fract() < 0.3 { 3.0 } else { 0.02 }, end: 5.0 },
    Traffic { name: "doubling within a window", rate: |t| 2f64.powf(14.0 * t.min(1.0) - 10.0), end: 2.3 },
    Traffic { name: "gaps", rate: |t| if (t * 0.8).fract() < 0.2 { 3.0 } else { 0.0005 }, end: 7.0 },
    Traffic { name: "falls to a hundredth", rate: |t| if t < 1.5 { 1.0 } else { 0.01 }, end: 5.0 },
    Traffic { name: "growth from 0.001 in ten windows", rate: |t| 0.001 * 1000f64.powf(t / 10.0), end: 10.5 },
];

/// A filter under test.
trait Subject {
    fn observe(&mut self, key: u64, at: u64) -> bool;
    fn contains(&self, key: u64, at: u64) -> bool;
    /// Cells in use, the chance that an absent key is found, and lines.
    fn census(&self) -> (u64, f64, u64);
}

fn hash_of(key: u64) -> KeyHash {
    KeyHash(mix(key))
}

/// Everything is counted that the table has: also that its counts are right.
fn census_of(filter: &WindowTable) -> (u64, f64, u64) {
    fn of<W: Width>(table: &Table) -> (u64, f64) {
        let (mut cells, mut error) = (0, 0.0);
        if table.state.has_lines() {
            for spot in room::spots(table.grid.shape.sides) {
                let bits = table.grid.shape.bits(spot.side, spot.line);
                let all = line::Cells::load::<Baseline, W>(table.grid.lines.line(spot));
                for i in all.used::<W>() {
                    cells += 1;
                    let known = (bits + line::known(all.fields[i])).min(64 - table.grid.plan.print_bits);
                    error += 0.5f64.powi((known + table.grid.plan.print_bits) as i32);
                }
            }
        }
        assert_eq!(cells, table.state.used, "cells that are counted");
        assert_eq!(table.state.phases.iter().sum::<u64>().min(cells), if table.grid.shape.skip == 0 { cells } else { table.state.phases.iter().sum::<u64>().min(cells) });
        (cells, error)
    }
    let each = filter.tables.iter().map(|table| by_width!(filter.plan.width, W => of::<W>(table)));
    let (cells, error) = each.fold((0, 0.0), |(a, b), (c, d)| (a + c, b + d));
    (cells, error, filter.tables.iter().map(Table::lines).sum())
}

impl Subject for WindowTable {
    fn observe(&mut self, key: u64, at: u64) -> bool {
        self.observe_at(hash_of(key), Tick(at)).unwrap().is_duplicate()
    }

    fn contains(&self, key: u64, at: u64) -> bool {
        Contract::contains(self, hash_of(key), Tick(at)).is_duplicate()
    }

    fn census(&self) -> (u64, f64, u64) {
        census_of(self)
    }
}

impl Subject for SharedFilter {
    fn observe(&mut self, key: u64, at: u64) -> bool {
        self.observe_hash_at(hash_of(key), Tick(at)).unwrap().is_duplicate()
    }

    fn contains(&self, key: u64, at: u64) -> bool {
        self.contains_hash_at(hash_of(key), Tick(at)).unwrap().is_duplicate()
    }

    fn census(&self) -> (u64, f64, u64) {
        let (any, ..) = self.unshared().unwrap().into_parts();
        let Any::WindowTable(filter) = any else { panic!("another kind") };
        census_of(&filter)
    }
}

fn options(error_rate: f64) -> Options {
    Options::new(Kind::WindowTable).window_ns(T).clock(ClockSource::Manual).error_rate(error_rate)
}

fn own(options: &Options) -> WindowTable {
    <WindowTable as Contract>::new(options).unwrap()
}

/// What a run found.
#[derive(Debug, Default)]
struct Found {
    checks: u64,
    missed: u64,
    false_duplicates: u64,
    worst: f64,
    late: u64,
}

/// Runs a traffic of `n` keys a window, `repeats` of which are repeats of keys alive, half of them of a few hot ones.
fn run(subject: &mut impl Subject, traffic: &Traffic, n: f64, repeats: f64, seed: u64) -> Found {
    let (mut now, mut next_key, mut random) = (0f64, seed << 40, mix(seed));
    let mut ring: VecDeque<(u64, u64)> = VecDeque::new();
    let mut last: HashMap<u64, u64> = HashMap::new();
    let mut found = Found::default();
    let mut report = 0.0;
    while now < traffic.end {
        now += 1.0 / ((traffic.rate)(now).max(1e-6) * n);
        let tick = (now * T as f64) as u64;
        while let Some(&(key, at)) = ring.front().filter(|(_, at)| at + T <= tick) {
            if last.get(&key) == Some(&at) {
                found.checks += 1;
                found.missed += u64::from(!subject.contains(key, at + T));
                last.remove(&key);
                // Later than a generation after the window nothing finds it but by chance.
                found.late += u64::from(subject.contains(key, at + T + T / 7 + T / 56 + 2));
            }
            ring.pop_front();
        }
        random = mix(random.wrapping_add(0x9E37_79B9_7F4A_7C15));
        let is_repeat = (random >> 11) as f64 / (1u64 << 53) as f64 <= repeats && !ring.is_empty();
        let pick = mix(random) % ring.len().max(1) as u64;
        let key = if is_repeat {
            ring[(if random % 2 == 0 { pick } else { pick / 8 }) as usize].0
        } else {
            next_key += 1;
            next_key
        };
        let duplicate = subject.observe(key, tick);
        match last.insert(key, tick) {
            Some(at) if tick - at <= T => {
                found.checks += 1;
                found.missed += u64::from(!duplicate);
            }
            Some(_) => {}
            None => found.false_duplicates += u64::from(duplicate),
        }
        ring.push_back((key, tick));
        if now >= report {
            found.worst = found.worst.max(subject.census().1);
            report = now + 0.13;
        }
    }
    found
}

fn check(subject: &mut impl Subject, traffic: &Traffic, n: f64, repeats: f64, plan: &Plan) {
    let found = run(subject, traffic, n, repeats, n as u64 + (repeats * 10.0) as u64);
    let name = traffic.name;
    println!("{name} {n} {repeats} {:?}: {found:?}, W0 {:.2e}", plan.width, plan.settled_error());
    assert_eq!(found.missed, 0, "{name}, {n} keys, {:?}", plan.width);
    assert!(found.worst <= plan.error_rate, "{name}, {n} keys, {:?}: {found:?}", plan.width);
    assert!(found.late as f64 <= 3.0 + 3.0 * plan.error_rate * found.checks as f64, "{name}: {found:?}");
}

#[test]
fn every_key_of_the_window_is_found_at_its_edge_in_every_traffic() {
    for traffic in &TRAFFICS {
        for (n, rate, repeats) in [(4000.0, 1e-6, 0.5), (20_000.0, 1e-3, 0.3), (9000.0, 1e-9, 0.0), (30_000.0, 1e-6, 0.1), (300.0, 1e-6, 0.5), (1300.0, 1e-6, 0.9)] {
            let mut filter = own(&options(rate));
            let plan = filter.plan;
            check(&mut filter, traffic, n, repeats, &plan);
        }
    }
}

#[test]
fn every_key_of_the_window_is_found_by_shared_and_divided_filters() {
    for (i, traffic) in TRAFFICS.iter().enumerate() {
        let (n, rate) = [(20_000.0, 1e-6), (9000.0, 1e-3), (6000.0, 1e-9)][i % 3];
        for divides in [false, true] {
            let plan = Plan::new(&options(rate)).unwrap();
            let mut shared = SharedFilter::new(&options(rate)).unwrap();
            if divides {
                shared.divide();
            }
            check(&mut shared, traffic, n, 0.4, &plan);
        }
    }
}
