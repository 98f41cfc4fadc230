//! Two threads: one shared filter beside two unshared ones of half the size, and what the lock costs a single thread.
//! `cargo bench -p lately -- threads`.
//!
//! Keys are distinct, and each thread has every second one. Within a round the rows take turns; the time of a row is
//! from the first thread's start to the last one's end, over all keys. Ratios are those of rates: above 1 is faster.

use std::sync::Barrier;
use std::thread;
use std::time::Instant;

use lately::{Error, Filter, Keys, SharedFilter, Stopped, Tick, Verdict};

use crate::contender::{Filling, Subject, Verb};
use crate::kinds::{KINDS, Kind};
use crate::rounds::Times;
use crate::workloads::{Block, Promise, Stream, Tally};
use crate::{Effort, MIB, roof, size_name};

const THREADS: u64 = 2;

/// A key for a single call, and for a batch.
const BATCHES: [usize; 2] = [1, 256];

/// What two threads on one shared filter must reach of what they reach on two of half the size.
const GOAL: f64 = 0.75;
const GOAL_FROM: u64 = 256 * MIB;

/// The rows of a table, in the order in which they take turns.
const ROOF: usize = 0;
const ALONE: usize = 1;
const ALONE_SHARED: usize = 2;
const APART: usize = 3;
const TOGETHER: usize = 4;

/// The filters of one kind and size, in their steady state, each with a stream of its own.
struct Bench {
    roof: Box<dyn Subject>,
    alone: (Filter, Stream),
    /// Half the size each, every one with its share of the keys.
    apart: (Vec<Filter>, Stream),
    shared: (SharedFilter, Stream),
    has_ticks: bool,
    filling: Filling,
    promise: Promise,
    tally: Tally,
}

impl Bench {
    fn new(kind: &Kind, bytes: u64) -> Self {
        let build = |bytes| Filter::new(&(kind.request)(bytes)).expect("a filter for this request");
        let plan = Filter::plan(&(kind.request)(bytes)).expect("a plan for this request");
        let half = Filter::plan(&(kind.request)(bytes / THREADS)).expect("a plan for this request");
        let (mut alone, stream) = (build(bytes), || Stream::new(plan.window_keys));
        let has_ticks = alone.advance(Tick(0)).is_ok();
        let shared = SharedFilter::new(&(kind.request)(bytes)).expect("a filter for this request");
        let mut new = Self {
            roof: roof::subject(bytes),
            alone: (alone, stream()),
            apart: ((0..THREADS).map(|_| build(bytes / THREADS)).collect(), stream()),
            shared: (shared, stream()),
            has_ticks,
            filling: kind.filling,
            promise: Promise { false_duplicates: plan.error_rate_worst.max(half.error_rate_worst), missed: 1.0 },
            tally: Tally::default(),
        };
        new.fill();
        new
    }

    /// To the steady state, or half full for a filter that cannot forget.
    fn fill(&mut self) {
        const BLOCK: u64 = 1 << 12;
        let quarters = if self.filling.endless { self.filling.quarters } else { 2 };
        for _ in 0..self.alone.1.blocks(quarters, BLOCK) {
            self.alone(256, BLOCK);
            self.apart(256, BLOCK);
            self.alone_on_shared(256, BLOCK);
        }
    }

    /// Nanoseconds of a key, by row.
    fn round(&mut self, batch: usize, n: u64) -> Vec<f64> {
        // Two rows share a filter, which is full first.
        if !self.filling.endless && self.shared.1.is_full(2 * n) {
            self.begin_anew();
        }
        let roof = self.roof(n);
        vec![roof, self.alone(batch, n), self.alone_on_shared(batch, n), self.apart(batch, n), self.together(batch, n)]
    }

    fn begin_anew(&mut self) {
        self.alone.0.clear();
        self.apart.0.iter_mut().for_each(Filter::clear);
        self.shared.0.clear();
        [&mut self.alone.1, &mut self.apart.1, &mut self.shared.1].into_iter().for_each(Stream::restart);
        self.fill();
    }

    fn roof(&mut self, n: u64) -> f64 {
        let block = Stream::new(n).fresh(n);
        timed(|| self.roof.run(Verb::Observe, 1, &block, &mut Vec::new())).0 / real(n)
    }

    fn alone(&mut self, batch: usize, n: u64) -> f64 {
        let (has_ticks, (filter, stream)) = (self.has_ticks, &mut self.alone);
        let block = stream.fresh(n);
        let (taken, verdicts) = timed(|| observe_unshared(filter, &block, batch, has_ticks));
        self.add(taken, &[block], &[verdicts])
    }

    fn alone_on_shared(&mut self, batch: usize, n: u64) -> f64 {
        let (has_ticks, (filter, stream)) = (self.has_ticks, &mut self.shared);
        let block = stream.fresh(n);
        let (taken, verdicts) = timed(|| observe_shared(filter, &block, batch, has_ticks));
        self.add(taken, &[block], &[verdicts])
    }

    fn apart(&mut self, batch: usize, n: u64) -> f64 {
        let (has_ticks, (filters, stream)) = (self.has_ticks, &mut self.apart);
        // A filter that sees every second key has a clock of its own, half as fast.
        let blocks = stream.fresh(n).dealt(THREADS, THREADS);
        let (taken, verdicts) = in_threads(filters.iter_mut().zip(&blocks), |(filter, block)| {
            observe_unshared(filter, block, batch, has_ticks)
        });
        self.add(taken, &blocks, &verdicts)
    }

    fn together(&mut self, batch: usize, n: u64) -> f64 {
        let (has_ticks, (filter, stream)) = (self.has_ticks, &mut self.shared);
        let (filter, blocks) = (&*filter, stream.fresh(n).dealt(THREADS, 1));
        let (taken, verdicts) = in_threads(blocks.iter(), |block| observe_shared(filter, block, batch, has_ticks));
        self.add(taken, &blocks, &verdicts)
    }

    /// Takes the verdicts, and gives the time of one key.
    fn add(&mut self, taken: f64, blocks: &[Block], verdicts: &[Vec<Verdict>]) -> f64 {
        blocks.iter().zip(verdicts).for_each(|(block, verdicts)| self.tally.add(block, verdicts));
        let keys: usize = blocks.iter().map(Block::len).sum();
        taken / real(u64::try_from(keys).expect("a number of keys"))
    }
}

fn real(n: u64) -> f64 {
    f64::from(u32::try_from(n).expect("keys of a round"))
}

/// Nanoseconds of a call, and what it gave.
fn timed<T>(call: impl FnOnce() -> T) -> (f64, T) {
    let start = Instant::now();
    let result = call();
    (start.elapsed().as_secs_f64() * 1e9, result)
}

/// One thread for each of `work`, all beginning at once: nanoseconds to the last one's end.
fn in_threads<W: Send, T: Send>(work: impl Iterator<Item = W>, each: impl Fn(W) -> T + Sync) -> (f64, Vec<T>) {
    let work: Vec<W> = work.collect();
    let start = Barrier::new(work.len());
    let run = |work| {
        start.wait();
        let begun = Instant::now();
        let result = each(work);
        (begun, Instant::now(), result)
    };
    let ended: Vec<(Instant, Instant, T)> = thread::scope(|scope| {
        let threads: Vec<_> = work.into_iter().map(|work| scope.spawn(|| run(work))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no thread panics")).collect()
    });
    let begun = ended.iter().map(|(begun, ..)| *begun).min().expect("a thread");
    let last = ended.iter().map(|(_, end, _)| *end).max().expect("a thread");
    ((last - begun).as_secs_f64() * 1e9, ended.into_iter().map(|(.., result)| result).collect())
}

fn observe_unshared(filter: &mut Filter, block: &Block, batch: usize, has_ticks: bool) -> Vec<Verdict> {
    if batch > 1 {
        return batches(block, batch, has_ticks, |keys, ticks, now| filter.observe_batch(keys, ticks, now));
    }
    singles(block, |key, tick| if has_ticks { filter.observe_at(key, tick) } else { filter.observe(key) })
}

fn observe_shared(filter: &SharedFilter, block: &Block, batch: usize, has_ticks: bool) -> Vec<Verdict> {
    if batch > 1 {
        return batches(block, batch, has_ticks, |keys, ticks, now| filter.observe_batch(keys, ticks, now));
    }
    singles(block, |key, tick| if has_ticks { filter.observe_at(key, tick) } else { filter.observe(key) })
}

fn singles(block: &Block, mut observe: impl FnMut(&[u8], Tick) -> Result<Verdict, Error>) -> Vec<Verdict> {
    block.singles().map(|(key, tick)| observe(key, tick).expect("the filter takes this key")).collect()
}

fn batches(
    block: &Block,
    batch: usize,
    has_ticks: bool,
    mut observe: impl FnMut(Keys<'_>, Option<&[Tick]>, &mut [Verdict]) -> Result<(), Stopped>,
) -> Vec<Verdict> {
    let mut verdicts = vec![Verdict::New; block.len()];
    for ((keys, ticks), now) in block.batches(batch).zip(verdicts.chunks_mut(batch)) {
        observe(keys, has_ticks.then_some(ticks), now).expect("the filter takes this batch");
    }
    verdicts
}

/// A table for every kind.
pub(crate) fn table(effort: &Effort) {
    println!("\nthreads: {THREADS} of them, distinct keys; rates, and what the lock costs one thread");
    println!(
        "{:34}{:>10}{:>16}{:>14}{:>14}{:>12}{:>22}",
        "", "size", "shared/apart", "shared/one", "one lock, ns", "in roofs", "ns of each: roof, one,"
    );
    println!("{:>126}", "one shared, two apart, two shared");
    for kind in &KINDS {
        for &size in effort.sizes.iter().filter(|&&size| size != MIB) {
            let mut bench = Bench::new(kind, size);
            for batch in BATCHES {
                print(kind.name, size, batch, &rounds(&mut bench, batch, effort));
            }
            bench.tally.check(kind.name, bench.promise);
        }
    }
    println!(
        "medians of {} interleaved rounds of {} keys; shared/apart: the rate of two threads on one shared filter, over \
         that on two unshared ones of half the size (goal: {GOAL} at {}); shared/one: over one thread's on an unshared one",
        effort.rounds,
        effort.block,
        size_name(GOAL_FROM)
    );
}

fn rounds(bench: &mut Bench, batch: usize, effort: &Effort) -> Times {
    bench.round(batch, effort.block); // the first meets cold caches
    Times((0..effort.rounds).map(|_| bench.round(batch, effort.block)).collect())
}

fn print(name: &str, size: u64, batch: usize, times: &Times) {
    let name = if batch > 1 { format!("{name}, {batch}") } else { name.to_owned() };
    let rate = times.ratio(APART, TOGETHER);
    let goal = match (size >= GOAL_FROM, rate >= GOAL) {
        (false, _) => "",
        (true, true) => " met",
        (true, false) => " missed",
    };
    let lock = |round: &[f64]| round[ALONE_SHARED] - round[ALONE];
    print!("{name:34}{:>10}{:>16}", size_name(size), format!("{rate:.2}{goal}"));
    print!("{:>14.2}", times.ratio(ALONE, TOGETHER));
    print!("{:>14.1}{:>12.2}    ", times.median(lock), times.median(|round| lock(round) / round[ROOF]));
    println!(
        "{}",
        [ROOF, ALONE, ALONE_SHARED, APART, TOGETHER].map(|row| format!("{:.1}", times.nanoseconds(row))).join(" ")
    );
}
