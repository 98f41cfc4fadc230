//! What a claim costs: a key that is claimed and committed, compared with one that is observed. `cargo bench -p lately -- claims`.
//!
//! Each way has a shared filter for itself and sees the same distinct keys, one a tick, block by block in alternation. Times are CPU
//! times, so that other programs do not disturb them.

use std::time::Duration;

use lately::{Claim, Clock, Options, SharedFilter, Tick, Unit};

use crate::filters::RATE;
use crate::rounds::median;
use crate::{Effort, cpu};

/// One way of taking a key, which answers whether it was new.
struct Way {
    name: &'static str,
    has_lease: bool,
    take: fn(&SharedFilter, key: u64) -> bool,
}

const WAYS: [Way; 3] = [
    Way { name: "observe, no lease", has_lease: false, take: observed },
    Way { name: "observe, with lease", has_lease: true, take: observed },
    Way { name: "claim and commit", has_lease: true, take: committed },
];

fn observed(filter: &SharedFilter, key: u64) -> bool {
    filter.observe_at(key.to_le_bytes(), Tick(key)).expect("the filter takes this key").is_new()
}

fn committed(filter: &SharedFilter, key: u64) -> bool {
    let name = key.to_le_bytes();
    let Claim::New(token) = filter.claim_at(name, Tick(key)).expect("there is room for a claim") else { return false };
    filter.commit_at(name, token, Tick(key)).expect("the claim is open");
    true
}

/// A way with its filter, the next key, and the nanoseconds of a key in each round.
struct Runner {
    way: &'static Way,
    filter: SharedFilter,
    next: u64,
    rounds: Vec<f64>,
}

impl Runner {
    /// The filter of a window of `keys`, once the window is full.
    fn new(way: &'static Way, keys: u64) -> Self {
        let window = Duration::from_nanos(keys);
        let options = Options::window(window).clock(Clock::Manual(Unit::Nanoseconds)).capacity(keys).error_rate(RATE);
        let options = if way.has_lease { options.lease(window) } else { options };
        let filter = SharedFilter::new(&options).expect("a filter for this request");
        let mut new = Self { way, filter, next: 0, rounds: Vec::new() };
        new.take(keys + keys / 4);
        new
    }

    /// Takes `n` keys, of which nearly all have to be new.
    fn take(&mut self, n: u64) {
        let keys = self.next..self.next + n;
        let mistakes = keys.filter(|&key| !(self.way.take)(&self.filter, key)).count();
        assert!(
            u64::try_from(mistakes).is_ok_and(|mistakes| mistakes <= 10 + n / 100),
            "{}: {mistakes}",
            self.way.name
        );
        self.next += n;
    }

    fn round(&mut self, n: u64) {
        let start = cpu::nanoseconds();
        self.take(n);
        let taken = cpu::nanoseconds() - start;
        self.rounds.push(taken / f64::from(u32::try_from(n).expect("a block is small")));
    }
}

/// A line for each way and number of keys.
pub(crate) fn table(effort: &Effort) {
    println!("\nclaims: processor time of one key through the shared handle, by one thread");
    println!("{:34}{:>14}{:>10}{:>20}", "", "keys", "ns", "x observe");
    for &keys in effort.handles {
        let mut runners = WAYS.each_ref().map(|way| Runner::new(way, keys));
        for _ in 0..effort.rounds {
            runners.iter_mut().for_each(|runner| runner.round(effort.block.min(keys)));
        }
        for runner in &runners {
            let ratios = runner.rounds.iter().zip(&runners[0].rounds).map(|(own, observe)| own / observe);
            let (ns, ratio) = (median(runner.rounds.iter().copied()), median(ratios));
            println!("{:34}{keys:>14}{ns:>10.1}{ratio:>20.2}", runner.way.name);
        }
    }
    println!("medians of {} rounds in alternation", effort.rounds);
}
