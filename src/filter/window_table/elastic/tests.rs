//! The table against an exact map with times, in many traffics.

use std::collections::{HashMap, VecDeque};

use super::super::touch::Verb;
use super::plan::Plan;
use super::table::Table;
use super::tally::real;
use crate::filter::values::Verdict;
use crate::hash::hash64;
use crate::num::{self, real as number};
use crate::simd::{self, Instructions, Task};

struct One<'a>(&'a mut Table);

impl Task for One<'_> {
    type Given = (u64, u64);
    type Result = Verdict;
    fn run<I: Instructions>(self, (hash, now): (u64, u64)) -> Verdict {
        self.0.go_to(now);
        self.0.touch::<I>(hash, Verb::Observe)
    }
}

fn hash(key: u64) -> u64 {
    crate::hash::KeyHash(hash64(&key.to_le_bytes(), 7)).mixed()
}

const T: u64 = 1_000_000_000;

/// A table and what is true.
struct Exact {
    table: Table,
    seen: HashMap<u64, u64>,
    due: VecDeque<(u64, u64)>,
    now: u64,
    rate: f64,
    next: u64,
    random: u64,
    /// Repeats, of 256 keys.
    repeats: u64,
    missed: u64,
    checks: u64,
    worst: f64,
    bits: Vec<f64>,
    most_touched: u64,
    sample_at: u64,
    probes: u64,
    wrong: u64,
}

impl Exact {
    fn new(plan: Plan, rate: f64, repeats: u64, seed: u64) -> Self {
        Self {
            table: Table::new(plan).unwrap(),
            seen: HashMap::new(),
            due: VecDeque::new(),
            now: T,
            rate,
            next: seed << 40,
            random: seed,
            repeats,
            missed: 0,
            checks: 0,
            worst: 0.0,
            bits: Vec::new(),
            most_touched: 0,
            sample_at: T,
            probes: 0,
            wrong: 0,
        }
    }

    fn draw(&mut self) -> u64 {
        self.random = self.random.wrapping_add(1);
        num::mix(self.random.wrapping_mul(num::STEP))
    }

    fn observe(&mut self, key: u64) {
        let known = self.seen.get(&key).is_some_and(|then| self.now - then <= T);
        let verdict = simd::run(One(&mut self.table), (hash(key), self.now));
        self.most_touched = self.most_touched.max(self.table.state.touched);
        if known {
            self.checks += 1;
            self.missed += u64::from(verdict.is_new());
        }
        self.seen.insert(key, self.now);
        self.due.push_back((self.now + T, key));
    }

    /// Asks for all keys whose window ends, at its very edge.
    fn ask_until(&mut self, to: u64) {
        while let Some(&(when, key)) = self.due.front().filter(|(when, _)| *when <= to) {
            self.due.pop_front();
            if self.seen.get(&key).is_some_and(|then| then + T == when) {
                self.checks += 1;
                self.missed += u64::from(self.table.contains(hash(key), when).is_new());
                self.seen.remove(&key);
            }
        }
        self.now = to;
        while self.sample_at <= to {
            self.sample();
            self.sample_at += T / 20;
        }
    }

    fn sample(&mut self) {
        let live = self.seen.len();
        if live > 0 {
            self.bits.push(number(self.table.grid.lines.bytes()) * 8.0 / number(num::wide(live)));
        }
        let w = real(self.table.state.tally.all.weight) / self.table.grid.plan.target.prints;
        self.worst = self.worst.max(w / self.rate);
        for _ in 0..200 {
            let absent = self.draw() | (1 << 63);
            self.probes += 1;
            self.wrong += u64::from(self.table.contains(hash(absent), self.now).is_duplicate());
        }
    }

    /// `keys` keys, evenly, in a time.
    fn stream(&mut self, keys: u64, ns: u64) {
        let start = self.now;
        for i in 0..keys {
            self.ask_until(start + num::low_half(u128::from(ns) * u128::from(i) / u128::from(keys)));
            let draw = self.draw();
            if draw % 256 < self.repeats && !self.due.is_empty() {
                let at = num::index((draw >> 8) % num::wide(self.due.len()));
                let key = self.due[at].1;
                self.observe(key);
            } else {
                self.next += 1;
                self.observe(self.next);
            }
        }
        self.ask_until(start + ns);
    }

    fn census(&self) -> (u64, f64) {
        let (grid, part) = (&self.table.grid, self.table.state.position.part);
        let (mut cells, mut weight) = (0, 0.0);
        for side in [0, 1] {
            for line in 0..grid.shape.lines_of(side) {
                let spot = grid.shape.numbered(side, line);
                grid.fresh(&spot, part);
                for (_, cell) in grid.plan.widths.cells(grid.line(&spot)) {
                    cells += 1;
                    weight += 0.5f64.powi(i32::try_from(spot.depth + cell.known).unwrap());
                }
            }
        }
        (cells, weight)
    }

    fn report(&mut self, name: &str) {
        let mut bits = self.bits.clone();
        bits.sort_unstable_by(f64::total_cmp);
        let (median, peak) = (bits[bits.len() / 2], bits[bits.len() - 1]);
        let last = self.bits[self.bits.len() - 1];
        let (cells, weight) = self.census();
        let state = &self.table.state;
        assert_eq!(cells, state.tally.all.cells, "{name}: counted by hand");
        assert!((weight - real(state.tally.all.weight)).abs() < 1e-6 * weight.max(1e-9), "{name}: {weight}");
        println!(
            "{name:28} bits {median:5.1} {peak:5.1} {last:5.1}  W/e {:.2} found {:.2e} missed {} of {}  touched {} lines {} moved {:.3} stashed {} copied {} splits {} merges {} forgotten {}",
            self.worst,
            number(self.wrong) / number(self.probes),
            self.missed,
            self.checks,
            self.most_touched,
            self.table.grid.shape.lines(),
            number(state.counts.moved) / number(state.course.stores.max(1)),
            state.counts.stashed,
            state.counts.copied,
            state.counts.splits,
            state.counts.merges,
            state.loss.forgotten,
        );
    }
}

fn run(name: &str, rate: f64, n: u64, repeats: u64, stream: impl Fn(&mut Exact, u64)) {
    let plan = Plan::of_time(T, rate, 3, 0, 0).unwrap();
    let mut exact = Exact::new(plan, rate, repeats, n + repeats);
    stream(&mut exact, n);
    exact.report(name);
    assert_eq!(exact.missed, 0, "{name}");
    assert!(exact.most_touched <= 64, "{name}: {}", exact.most_touched);
}

#[test]
fn traffics() {
    let n: u64 = std::env::var("N").ok().and_then(|n| n.parse().ok()).unwrap_or(10_000);
    let rates: Vec<f64> = std::env::var("RATE").ok().map_or(vec![1e-3, 1e-6], |r| vec![r.parse().unwrap()]);
    for rate in rates {
        for repeats in [0, 128] {
            println!("rate {rate} n {n} repeats {repeats}");
            run("steady", rate, n, repeats, |e, n| e.stream(4 * n, 4 * T));
            run("a window in 0.1", rate, n, repeats, |e, n| {
                e.stream(n, T / 10);
                e.stream(4 * n, 4 * T);
            });
            run("rises for 10 windows", rate, n, repeats, |e, n| {
                (1..=100).for_each(|i| e.stream(i * n / 1000, T / 10));
                e.stream(2 * n, 2 * T);
            });
            for windows in [1, 24] {
                run(&format!("sine, {windows}"), rate, n, repeats, |e, n| {
                    for i in 0..windows.max(4) * 40 {
                        let x = (number(i) / number(windows * 40) * std::f64::consts::TAU).sin();
                        e.stream(num::floor((0.55 + 0.45 * x) * number(n) / 40.0), T / 40);
                    }
                });
            }
            run("x20 for a tenth", rate, n, repeats, |e, n| {
                e.stream(2 * n, 2 * T);
                e.stream(2 * n, T / 10);
                e.stream(3 * n, 3 * T);
            });
            run("x10 for a tenth", rate, n, repeats, |e, n| {
                e.stream(2 * n, 2 * T);
                e.stream(n, T / 10);
                e.stream(3 * n, 3 * T);
            });
            run("falls to 1/100", rate, n, repeats, |e, n| {
                e.stream(2 * n, 2 * T);
                e.stream(n / 25, 4 * T);
            });
            run("pulses", rate, n, repeats, |e, n| {
                for _ in 0..8 {
                    e.stream(n, T / 10);
                    e.ask_until(e.now + T / 10 * 9);
                }
            });
            run("2.0 and 0.02 by turns", rate, n, repeats, |e, n| {
                for i in 0..56 * 4 {
                    e.stream(if i % 2 == 0 { n / 28 } else { n / 2800 }, T / 56);
                }
            });
            run("spikes of 50", rate, n, repeats, |e, n| {
                for _ in 0..56 * 3 {
                    e.stream(n / 56, T / 56);
                    e.stream(n / 56, T / 2800);
                }
            });
            run("doubles", rate, n, repeats, |e, n| {
                (0..14).for_each(|i| e.stream((n << i) / (1 << 13), T / 14));
                e.stream(2 * n, T / 7);
                e.ask_until(e.now + T / 2);
                e.stream(n / 10, T);
            });
            run("silences of 0.96", rate, n, repeats, |e, n| {
                for _ in 0..6 {
                    e.stream(n / 25, T / 25);
                    e.ask_until(e.now + T / 100 * 96);
                    e.stream(3, 7);
                    e.ask_until(e.now + T / 100 * 96);
                }
                for i in 0..40 {
                    e.ask_until(e.now + T / 100 * 96);
                    e.stream(i % 3, 7);
                }
            });
        }
    }
}
