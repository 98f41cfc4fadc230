//! The window table against an exact map of times, at the very edge of the window, in traffic of all kinds; and its error against the laws.

use std::collections::{HashMap, VecDeque};

use super::*;
use crate::filter::any::Any;
use crate::handle::Filter;
use crate::num::{self, mix};
use crate::options::{Clock, Repeat};
use crate::shared::SharedFilter;
use crate::simd::Baseline;
use crate::snapshot::LoadOptions;
use crate::unit::Unit;

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
                    error += 0.5f64.powi((known + table.grid.plan.print_bits).try_into().unwrap());
                }
            }
        }
        assert_eq!(cells, table.state.used, "cells that are counted");
        assert!(table.grid.shape.skip > 0 || table.state.phases.iter().sum::<u64>() == cells, "cells by phase");
        (cells, error)
    }
    let each = filter.tables.iter().map(|table| by_width!(filter.plan.width, W => of::<W>(table)));
    let (cells, error) = each.fold((0, 0.0), |(a, b), (c, d)| (a + c, b + d));
    (cells, error, lines_of(filter))
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
        census_of(&table_in(self.unshared().unwrap()))
    }
}

fn table_in(filter: Filter) -> WindowTable {
    let (Any::WindowTable(table), ..) = filter.into_parts() else { panic!("another kind") };
    table.0
}

fn lines_of(filter: &WindowTable) -> u64 {
    filter.tables.iter().map(Table::lines).sum()
}

fn options(error_rate: f64) -> Options {
    Options::new(Kind::WindowTable).window_ns(T).clock(Clock::Manual(Unit::Nanoseconds)).error_rate(error_rate)
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

impl Found {
    /// A key is found at the edge of its window; later than a generation after it nothing finds it except by chance.
    fn at_the_edge(&mut self, subject: &mut impl Subject, key: u64, at: u64) {
        self.checks += 1;
        self.missed += u64::from(!subject.contains(key, at + T));
        self.late += u64::from(subject.contains(key, at + T + T / 7 + T / 56 + 2));
    }
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
        let tick = num::floor(now * num::real(T));
        while ring.front().is_some_and(|(_, at)| at + T <= tick) {
            let Some((key, at)) = ring.pop_front() else { break };
            if last.get(&key) == Some(&at) {
                found.at_the_edge(subject, key, at);
                last.remove(&key);
            }
        }
        random = mix(random.wrapping_add(0x9E37_79B9_7F4A_7C15));
        let is_repeat = num::real(random >> 11) / num::real(1 << 53) <= repeats && !ring.is_empty();
        let pick = mix(random) % num::wide(ring.len().max(1));
        let key = if is_repeat {
            ring[num::index(if random % 2 == 0 { pick } else { pick / 8 })].0
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
    let found = run(subject, traffic, n, repeats, num::floor(n) + num::floor(repeats * 10.0));
    let name = traffic.name;
    println!("{name} {n} {repeats} {:?}: {found:?}, W0 {:.2e}", plan.width, plan.settled_error());
    assert_eq!(found.missed, 0, "{name}, {n} keys, {:?}", plan.width);
    assert!(found.worst <= plan.error_rate, "{name}, {n} keys, {:?}: {found:?}", plan.width);
    assert!(num::real(found.late) <= 3.0 + 3.0 * plan.error_rate * num::real(found.checks), "{name}: {found:?}");
}

#[test]
fn every_key_of_the_window_is_found_at_its_edge_in_every_traffic() {
    for traffic in &TRAFFICS {
        for (n, rate, repeats) in [
            (4000.0, 1e-6, 0.5),
            (20_000.0, 1e-3, 0.3),
            (9000.0, 1e-9, 0.0),
            (30_000.0, 1e-6, 0.1),
            (300.0, 1e-6, 0.5),
            (1300.0, 1e-6, 0.9),
        ] {
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

/// A filter, and the lines that its calls have touched: the most, and the mean of the last 10,000 or so.
struct Counted(WindowTable, usize, f64);

impl Subject for Counted {
    fn observe(&mut self, key: u64, at: u64) -> bool {
        let (verdict, lines) = directory::touched::count(|| Subject::observe(&mut self.0, key, at));
        self.1 = self.1.max(lines);
        self.2 += (num::real(num::wide(lines)) - self.2) / 10_000.0;
        verdict
    }

    fn contains(&self, key: u64, at: u64) -> bool {
        Subject::contains(&self.0, key, at)
    }

    fn census(&self) -> (u64, f64, u64) {
        self.0.census()
    }
}

/// Growing, shrinking, dying, at a limit of memory, after silences: a call does no work that grows with the table.
#[test]
fn a_call_touches_at_most_128_lines() {
    for traffic in &TRAFFICS {
        for (n, rate, memory) in
            [(30_000.0, 1e-6, None), (20_000.0, 1e-3, None), (9000.0, 1e-9, None), (20_000.0, 1e-6, Some(64 << 10))]
        {
            let mut request = options(rate);
            request.memory = memory;
            let mut filter = Counted(own(&request), 0, 2.0);
            run(&mut filter, traffic, n, 0.2, 7);
            println!("{} {n} {rate} {memory:?}: {} lines, {:.1}", traffic.name, filter.1, filter.2);
            assert!((2..=128).contains(&filter.1), "{} {n} {rate} {memory:?}: {} lines", traffic.name, filter.1);
            assert!(filter.2 < 12.0, "{} {n} {rate} {memory:?}: {} lines in the mean", traffic.name, filter.2);
        }
    }
}

/// In steady traffic lines stay: none are added and taken back from one generation to the next, whole or as sections.
#[test]
fn lines_stay_where_traffic_is_steady() {
    const KEYS: u64 = 20_000;
    for rate in [1e-3, 1e-6] {
        let (mut alone, divided) = (own(&options(rate)), SharedFilter::new(&options(rate)).unwrap());
        let (mut came, mut went, mut lines) = ([0; 2], [0; 2], [0; 2]);
        for key in 0..8 * KEYS {
            let at = key * (T / KEYS);
            Subject::observe(&mut alone, key, at);
            divided.observe_hash_at(hash_of(key), Tick(at)).unwrap();
            if key == KEYS {
                divided.divide();
            }
            if key % (KEYS / 56) != 0 {
                continue;
            }
            let now = [lines_of(&alone), divided.unshared().map(|filter| lines_of(&table_in(filter))).unwrap()];
            for i in (0..2).filter(|_| key > 4 * KEYS) {
                came[i] += now[i].saturating_sub(lines[i]);
                went[i] += lines[i].saturating_sub(now[i]);
            }
            lines = now;
        }
        println!("{rate}: {lines:?} lines, {came:?} came, {went:?} went");
        let few = |changes: [u64; 2]| changes.iter().zip(lines).all(|(changes, lines)| changes * 20 < lines);
        assert!(few(came) && few(went), "{rate}: of {lines:?} lines {came:?} came and {went:?} went in four windows");
    }
}

/// Two calls a window on a table of a million keys, for two thousand windows: each brings two or three chunks of 5,000 up to date, so that
/// the last wait for 70,000 parts. The key of two calls ago is found at its very edge, and no key that is older, also in lines that wait.
fn rare_calls(subject: &mut impl Subject, keys: u64) -> u64 {
    (0..keys).for_each(|key| assert!(!subject.observe(key, 1 + key)));
    let (mut now, mut found) = (T / 2, 0);
    for call in 0..4000 {
        now += T / 2;
        let [key, last, edge, older] = [0, 1, 2, 3].map(|ago| (1 << 40) + call - ago);
        found += u64::from(subject.observe(key, now));
        assert!(call < 1 || subject.contains(last, now), "call {call}");
        assert!(call < 2 || subject.contains(edge, now), "call {call}: at the edge");
        found += u64::from(subject.contains(older, now));
        if call > 3 {
            let dead = (0..20).filter(|i| subject.contains(mix(call * 20 + i) % keys, now));
            found += crate::num::wide(dead.count());
        }
    }
    found
}

#[test]
fn lines_that_wait_for_thousands_of_windows_find_what_they_should() {
    let keys = 1_000_000;
    let mut kept = own(&options(1e-6).capacity(keys));
    let lines = kept.census().2;
    assert_eq!((rare_calls(&mut kept, keys), kept.census().2), (0, lines), "a table of known size stays");
    let mut divided = SharedFilter::new(&options(1e-6).capacity(keys)).unwrap();
    divided.divide();
    assert_eq!(rare_calls(&mut divided, keys), 0);
    let mut grown = own(&options(1e-6));
    assert_eq!(rare_calls(&mut grown, keys), 0);
    assert!(grown.stats(Tick(0)).bytes <= 1024, "a table that grew goes back to a map: {:?}", grown.stats(Tick(0)));
}

/// A window of the last `n` keys: the key that came exactly n before is found, one a generation older is not.
#[test]
fn every_key_of_a_window_of_keys_is_found_at_its_edge() {
    for (n, rate) in
        [(1, 1e-6), (40, 1e-6), (1000, 1e-3), (1400, 1e-6), (1600, 1e-6), (9000, 1e-6), (20_000, 1e-4), (7000, 1e-10)]
    {
        let mut filter = own(&Options::new(Kind::WindowTable).window_keys(n).error_rate(rate));
        let (mut last, mut random): (HashMap<u64, u64>, u64) = (HashMap::new(), n);
        let mut seen = Vec::new();
        for i in 0..5 * n + 100 {
            random = mix(random);
            let key = if random % 3 == 0 && i > 2 { seen[num::index(i - 1 - random / 3 % i.min(n))] } else { i << 20 };
            if i >= n {
                let oldest: u64 = seen[num::index(i - n)];
                assert!(last[&oldest] != i - n || Subject::contains(&filter, oldest, 0), "{n}: {i}");
            }
            let duplicate = Contract::observe(&mut filter, hash_of(key), Tick(0)).unwrap().is_duplicate();
            let before = last.insert(key, i);
            assert!(before.is_none_or(|at| i - at > n) || duplicate, "{n}: {i}");
            assert!(before.is_some() || !duplicate || rate > 1e-5, "{n}: {i}, an absent key");
            seen.push(key);
        }
        let (_, worst, _) = filter.census();
        assert!(worst <= rate, "{n}: {worst}");
        let stats = filter.stats(Tick(0));
        assert!(stats.bytes <= filter.plan.summary().bytes, "{n}: {} {}", stats.bytes, filter.plan.summary().bytes);
        assert_eq!(stats.forgotten, 0);
    }
}

fn bytes_of(filter: &Filter) -> Vec<u8> {
    let mut bytes = vec![0; usize::try_from(filter.snapshot_size()).unwrap()];
    let written = filter.snapshot_write(&mut bytes).unwrap();
    assert_eq!(written, bytes.len());
    bytes
}

fn load(bytes: &[u8], options: &LoadOptions) -> Result<Filter, Error> {
    Filter::load(bytes, options)
}

const NOW: LoadOptions = LoadOptions::new(std::time::Duration::ZERO);

/// The same calls on a filter, a copy and a loaded one leave the same states, byte for byte.
#[test]
fn a_copy_and_a_loaded_filter_continue_as_the_filter_itself() {
    for (case, traffic) in (0u64..).zip(&TRAFFICS) {
        for (n, rate, lateness) in [(3000.0, 1e-6, 0), (400.0, 1e-6, T / 3), (6000.0, 1e-3, 0), (2000.0, 1e-9, T / 2)] {
            let base = options(rate).lateness_ns(lateness);
            let mut filters = vec![Filter::new(&base).unwrap()];
            let (mut now, mut key) = (0f64, 0);
            let mut next = 0.3;
            while now < traffic.end {
                now += 1.0 / ((traffic.rate)(now).max(1e-6) * n);
                key += 1;
                let random = mix(key + case);
                let key = if random % 2 == 0 { random % (key / 4 + 1) } else { key };
                let late = if lateness > 0 && random % 5 == 0 { (random >> 20) % lateness } else { 0 };
                let tick = Tick(num::floor(now * num::real(T)).saturating_sub(late));
                let verdicts: Vec<Verdict> =
                    filters.iter_mut().map(|filter| filter.observe_hash_at(hash_of(key), tick).unwrap()).collect();
                assert!(verdicts.iter().all(|verdict| *verdict == verdicts[0]), "{}", traffic.name);
                if now >= next {
                    next = now + traffic.end / 9.0;
                    let bytes = bytes_of(&filters[0]);
                    for filter in &filters {
                        let other = bytes_of(filter);
                        let differs = bytes.iter().zip(&other).position(|(a, b)| a != b);
                        assert!(
                            bytes == other,
                            "{} {n} {rate}: at {now}, {} and {} bytes, first {differs:?}",
                            traffic.name,
                            bytes.len(),
                            other.len()
                        );
                    }
                    filters.truncate(1);
                    filters.push(filters[0].try_clone().unwrap());
                    filters.push(load(&bytes, &NOW).unwrap());
                }
            }
        }
    }
}

/// Any change of a byte is refused, or gives a filter that works and whose own snapshots are accepted from then on.
#[test]
fn changed_bytes_are_refused_or_give_a_filter_that_can_be_saved_for_ever() {
    let (time, keys) = (options(1e-6), Options::last(2000));
    for (base, n, divides) in
        [(&time, 40, false), (&time, 2500, false), (&time, 2500, true), (&keys, 2500, false), (&keys, 2500, true)]
    {
        let shared = SharedFilter::new(base).unwrap();
        if divides {
            shared.divide();
        }
        for i in 0..n {
            let tick = Tick(T + i * (T / n / 2));
            shared.observe_hash_at(hash_of(i), tick).or_else(|_| shared.observe_hash(hash_of(i))).unwrap();
        }
        let bytes = bytes_of(&shared.unshared().unwrap());
        let (mut accepted, end) = (0, bytes.len() - 8);
        let places = (8..end.min(2400)).chain((2400..end).step_by(97));
        for at in places {
            let mut changed = bytes.clone();
            changed[at] ^= 1 << (mix(num::wide(at)) % 8);
            let sum = crate::hash::hash64(&changed[..end], 0);
            changed[end..].copy_from_slice(&sum.to_le_bytes());
            let Ok(mut filter) = load(&changed, &NOW.memory(1 << 22)) else { continue };
            accepted += 1;
            for round in 0..3 {
                let clock = Tick(T + T / 2 + round * (T / 3));
                for key in (0..60).map(|i| hash_of(i + (round << 30))) {
                    let _ = filter.observe_hash_at(key, clock).or_else(|_| filter.observe_hash(key));
                }
                assert!(filter.stats().bytes <= 1 << 22);
                filter = load(&bytes_of(&filter), &NOW).unwrap_or_else(|error| panic!("byte {at}: {error}"));
            }
            filter.clear();
            assert!(filter.stats().bytes <= 1 << 22, "byte {at}");
        }
        println!("{n} keys, divided {divides}: {accepted} of {end} accepted");
    }
}

/// Bytes with another word at a place, and the sum that belongs to them.
fn with_word(bytes: &[u8], at: usize, word: u64) -> Vec<u8> {
    let (mut changed, end) = (bytes.to_vec(), bytes.len() - 8);
    changed[at..at + 8].copy_from_slice(&word.to_le_bytes());
    let sum = crate::hash::hash64(&changed[..end], 0);
    changed[end..].copy_from_slice(&sum.to_le_bytes());
    changed
}

/// The count of observations is refused, or it and all that follow can be saved and loaded, in a map, a table and its sections.
#[test]
fn a_window_of_keys_counts_up_to_the_most_and_beyond() {
    for (keys, divides) in [(1000, false), (3000, false), (3000, true)] {
        let shared = SharedFilter::new(&Options::last(keys)).unwrap();
        (0..5000u64).for_each(|i| assert!(shared.observe_hash(hash_of(i % 2100)).is_ok()));
        if divides {
            shared.divide();
        }
        let bytes = bytes_of(&shared.unshared().unwrap());
        // The last word of the head that is so large: a map counted as many new keys before it.
        let at = (0..200).rev().find(|at| bytes[*at..*at + 8] == 5000u64.to_le_bytes()).unwrap();
        let mut loaded = 0;
        for count in [6000, (1 << 62) - 40, 1 << 62, (1 << 62) + 1, 1 << 63, u64::MAX - 40, u64::MAX] {
            let Ok(mut filter) = load(&with_word(&bytes, at, count), &NOW) else { continue };
            loaded += 1;
            for i in 0..3 * keys {
                filter.observe_hash(hash_of(i << 20)).unwrap();
                if i % 37 == 0 {
                    let mut again =
                        load(&bytes_of(&filter), &NOW).unwrap_or_else(|error| panic!("{count} + {i}: {error}"));
                    assert!(again.contains_hash(hash_of(i.saturating_sub(keys - 1) << 20)).unwrap().is_duplicate());
                    if i % 5 == 0 {
                        std::mem::swap(&mut filter, &mut again);
                    }
                }
            }
        }
        assert!(loaded >= 3, "{keys} keys: {loaded} counts are accepted");
    }
}

/// A removed key is new again, wherever it was; another key is not touched.
#[test]
fn removed_keys_are_new_again_and_others_stay() {
    for (n, lateness, repeat) in [
        (100, 0, Repeat::Refresh),
        (5000, 0, Repeat::Refresh),
        (5000, 0, Repeat::KeepFirst),
        (900, T / 4, Repeat::Refresh),
        (4000, T / 4, Repeat::KeepFirst),
    ] {
        for handle in 0..3 {
            let base = options(1e-9).lateness_ns(lateness).repeat(repeat);
            let shared = SharedFilter::new(&base).unwrap();
            if handle == 2 {
                shared.divide();
            }
            let mut removed = 0;
            for i in 0..3 * n {
                let now = Tick(T + i * (T / n));
                shared.observe_hash_at(hash_of(i), now).unwrap();
                if i % 7 == 3 {
                    let key = i - mix(i) % (i.min(n / 2) + 1);
                    let (hash, bytes) = (hash_of(key), shared.contains_hash_at(hash_of(key), now).unwrap());
                    let was = shared.remove_hash_at(hash, now).unwrap();
                    assert_eq!(was, bytes.is_duplicate(), "{n}: {i}");
                    removed += u64::from(was);
                    assert!(shared.contains_hash_at(hash, now).unwrap().is_new(), "{n}: {i}");
                    assert!(!shared.remove_hash_at(hash, now).unwrap());
                    if lateness > 0 {
                        let late = Tick(now.0 - lateness / 2);
                        assert!(shared.contains_hash_at(hash, late).unwrap().is_new());
                        assert!(shared.observe_hash_at(hash, late).unwrap().is_new(), "{n}: {i}");
                        assert!(shared.contains_hash_at(hash, late).unwrap().is_duplicate());
                        shared.remove_hash_at(hash, now).unwrap();
                        removed += 1;
                    }
                    assert!(key == i || shared.contains_hash_at(hash_of(i), now).unwrap().is_duplicate());
                }
            }
            assert_eq!(shared.stats().removed, removed);
            census_shared(&shared);
        }
    }
}

fn census_shared(shared: &SharedFilter) {
    Subject::census(shared);
}

fn advance(shared: &SharedFilter, to: Tick) {
    shared.advance(to).unwrap();
}

/// One key every three windows: no memory stays, whatever the handle.
#[test]
fn rare_keys_leave_a_thousand_bytes_at_most() {
    for before in [0, 30_000] {
        let mut filter = Filter::new(&options(1e-6)).unwrap();
        (0..before).for_each(|i| drop(filter.observe_hash_at(hash_of(i << 32), Tick(T + i * 1000))));
        for i in 0..5000 {
            filter.observe_hash_at(hash_of(i), Tick(T + (i + 1) * 3 * T)).unwrap();
            assert!(i < 20 || filter.stats().bytes <= 1024, "{i}: {}", filter.stats().bytes);
        }
    }
}

/// A storm of one key, or an advance: the memory of keys that are gone comes back, from sections without keys too.
#[test]
fn memory_of_dead_keys_comes_back_from_every_section() {
    for handle in 0..3 {
        let shared = SharedFilter::new(&options(1e-6)).unwrap();
        if handle == 2 {
            shared.divide();
        }
        let mut now = T;
        for i in 0..50_000 {
            shared.observe_hash_at(hash_of(i), Tick(now)).unwrap();
            now += T / 50_000;
        }
        if handle == 0 {
            advance(&shared, Tick(now + T + T / 7 + T / 56 + 2));
            assert!(shared.stats().bytes <= 1024, "{}", shared.stats().bytes);
        }
        for _ in 0..40_000 {
            shared.observe_hash_at(hash_of(1 << 40), Tick(now)).unwrap();
            now += T / 1000;
        }
        let stats = shared.stats();
        assert!(stats.bytes <= 4096, "{handle}: {} bytes, {} items", stats.bytes, stats.items);
        advance(&shared, Tick(now + 3 * T));
        assert!(shared.stats().bytes <= 1024, "{handle}: {}", shared.stats().bytes);
    }
}

/// Chance gives one phase of lines more keys than the others: also then what fits by the plan is whole. With three deviations in place of
/// four in `lines_for` 15 of these runs forget a key.
#[test]
fn what_fits_a_limit_of_memory_is_whole_whatever_the_keys_are() {
    for (n, rate) in
        [(1600, 1e-6), (2000, 1e-6), (3000, 1e-6), (2000, 1e-3), (5000, 1e-3), (20_000, 1e-6), (2000, 1e-9)]
    {
        let memory = <WindowTable as Contract>::plan(&options(rate).capacity(n)).unwrap().bytes;
        let fits = <WindowTable as Contract>::plan(&options(rate).memory(memory)).unwrap().window_keys;
        for run in 0..200 {
            let mut filter = own(&options(rate).memory(memory));
            for i in 0..6 * fits {
                Contract::observe_at(&mut filter, hash_of((run << 32) | i), Tick(T + i * (T / fits))).unwrap();
            }
            assert_eq!(
                filter.tables[0].state.counts.forgotten, 0,
                "{fits} keys at {rate} in {memory} bytes, run {run}"
            );
        }
    }
}

/// At a limit of memory: what fits by the plan is whole, half of it reaches at least 0.38 of the window back.
#[test]
fn a_limit_of_memory_shortens_the_window_as_far_as_it_must() {
    for n in [1, 10, 100, 500, 1000, 2000, 5000, 20_000] {
        for rate in [1e-3, 1e-6] {
            let plan = <WindowTable as Contract>::plan(&options(rate).capacity(n)).unwrap();
            let given = plan.bytes.max(1024);
            let fits = <WindowTable as Contract>::plan(&options(rate).memory(given)).unwrap().window_keys;
            for (n, options, part) in [
                (n, options(rate).memory(given).capacity(n), 1),
                (n.min(fits), options(rate).memory(given), 1),
                (fits, options(rate).memory(given), 1),
                (n, options(rate).memory((plan.bytes / 2).max(1024)), 2),
            ] {
                let mut filter = own(&options);
                let mut least = T;
                for i in 0..6 * n.max(1) {
                    let now = Tick(T + i * (T / n.max(1)));
                    Contract::observe_at(&mut filter, hash_of(i), now).unwrap();
                    if i % (n / 9 + 1) == 0 {
                        least = least.min(filter.stats(now).reach_ns);
                    }
                }
                let stats = filter.stats(Tick(T + 6 * T));
                println!(
                    "{n} keys {rate}, memory {}: reach {:.3}, forgotten {}, bytes {}",
                    filter.plan.memory,
                    num::real(least) / num::real(T),
                    stats.forgotten,
                    stats.bytes
                );
                assert!(stats.bytes_peak <= filter.plan.memory, "{n}: {stats:?}");
                if part == 1 {
                    assert!(least == T && stats.forgotten == 0, "{n} keys at {rate} in {given}: {least} {stats:?}");
                } else if plan.bytes / 2 >= 4096 {
                    assert!(num::real(least) >= 0.3 * num::real(T), "{n}: {}", num::real(least) / num::real(T));
                }
            }
        }
    }
}
