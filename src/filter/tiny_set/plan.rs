//! From a request to the integers of a TinySet. Allocates no cells.
//!
//! A request fixes all but one or two of chains (L), load (lambda), blocks and error rate; what is open is searched by
//! the exact expected rate of `rate`. "Densest" is the most keys per block within an error rate.

use crate::error::Error;
use crate::field::Field;
use crate::filter::values::PlanSummary;
use crate::num;
use crate::options::{DEFAULT_ERROR_RATE, Options, within};

use super::layout::Layout;
use super::rate::Rates;

/// The largest error rate that a plan may come to.
const MOST_ERROR_RATE: f64 = 0.5;

/// The most keys that can be planned for.
pub(super) const MOST_KEYS: u64 = 1 << 48;

/// Bytes of a cache line, in which memory is counted.
const LINE_BYTES: u64 = 64;

/// Everything that is fixed when a TinySet is built.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Plan {
    pub(super) removable: bool,
    pub(super) block_bytes: u64,
    pub(super) chains: u64,
    pub(super) blocks: u64,
    /// Keys that are planned for.
    pub(super) capacity: u64,
}

impl Plan {
    pub(crate) fn new(options: &Options) -> Result<Self, Error> {
        options.expect_taken()?;
        let request = Request::new(options)?;
        let (chains, keys_per_block) = request.shape()?;
        let plan = request.sized(chains, keys_per_block);
        match request.memory {
            Some(bytes) if plan.bytes() > bytes => Err(Error::option(
                Field::Memory,
                bytes,
                format!("{} or more for what the other options ask", plan.bytes()),
            )),
            _ => Ok(plan),
        }
    }

    pub(super) fn layout(&self) -> Layout {
        layout(self.block_bytes, self.chains, self.removable)
    }

    /// The most chains that blocks of this kind can have.
    pub(super) fn most_chains(&self) -> u64 {
        most_chains(self.block_bytes, self.removable)
    }

    pub(super) const fn lines(&self) -> u64 {
        (self.blocks.saturating_mul(self.block_bytes)).div_ceil(LINE_BYTES)
    }

    pub(super) const fn bytes(&self) -> u64 {
        self.lines().saturating_mul(LINE_BYTES)
    }

    /// What follows from the request, in the words of every kind.
    pub(crate) fn summary(&self) -> PlanSummary {
        let (capacity, rates) = (num::real(self.capacity), Rates::new(&self.layout()));
        let keys_per_block = capacity / num::real(self.blocks);
        PlanSummary {
            bytes: self.bytes(),
            bits_per_key: num::real(self.bytes()) * 8.0 / capacity,
            blocks: self.blocks,
            load: keys_per_block / num::real(self.chains),
            error_rate_worst: rates.worst(keys_per_block),
            error_rate_mean: rates.mean_while_filling(keys_per_block),
            window_keys: self.capacity,
            cache_lines_per_observe: 1.0,
            chains: self.chains,
            block_bytes: self.block_bytes,
            ..PlanSummary::default()
        }
    }
}

/// A request whose every field has been judged by itself.
#[derive(Debug, Clone, Copy)]
struct Request {
    capacity: Option<u64>,
    memory: Option<u64>,
    error_rate: Option<f64>,
    chains: Option<u64>,
    load: Option<f64>,
    removable: bool,
    block_bytes: u64,
}

impl Request {
    fn new(options: &Options) -> Result<Self, Error> {
        let block_bytes = match options.block_bytes {
            None | Some(64) => 64,
            Some(32) => 32,
            Some(other) => return Err(Error::option(Field::BlockBytes, other, "32 or 64")),
        };
        let capacity = within(Field::Capacity, options.capacity, 1, MOST_KEYS)?;
        let memory = within(Field::Memory, options.memory, LINE_BYTES, u64::MAX)?;
        if capacity.is_none() && memory.is_none() {
            return Err(Error::option(Field::Capacity, 0, "1 or more, or memory to fill"));
        }
        let (error_rate, removable) = (options.checked_error_rate()?, options.removable.unwrap_or(false));
        let request = Self { capacity, memory, error_rate, chains: None, load: None, removable, block_bytes };
        request.with_shape(options)
    }

    /// Takes the chains and the load that were asked for.
    fn with_shape(self, options: &Options) -> Result<Self, Error> {
        let most = most_chains(self.block_bytes, self.removable);
        let chains = within(Field::Chains, options.chains.map(u64::from), 1, most)?;
        // Even the least number of chains has room for that many keys on average.
        let room = num::real(num::wide(self.layout(chains.unwrap_or(1)).array())) / num::real(chains.unwrap_or(1));
        match options.load {
            Some(load) if !(load > 0.0 && load <= room) => {
                Err(Error::option(Field::Load, load, format!("more than 0, at most {room}")))
            }
            load => Ok(Self { chains, load, ..self }),
        }
    }

    fn layout(&self, chains: u64) -> Layout {
        layout(self.block_bytes, chains, self.removable)
    }
}

fn layout(block_bytes: u64, chains: u64, removable: bool) -> Layout {
    Layout::new(num::index(block_bytes * 8), num::index(chains), removable)
}

/// The most chains that leave as many bits for entries.
fn most_chains(block_bytes: u64, removable: bool) -> u64 {
    let holds = |&chains: &u64| num::wide(layout(block_bytes, chains, removable).array()) >= chains;
    (1..=block_bytes * 4).rev().find(holds).unwrap_or(1)
}

/// A number of chains, behind its score and before its rates.
type Scored = (f64, u64, Rates);

/// What the fields leave open, searched.
impl Request {
    /// Chains and keys per block.
    fn shape(&self) -> Result<(u64, f64), Error> {
        match (self.load, self.error_rate, self.capacity, self.memory) {
            (Some(load), None, Some(keys), Some(bytes)) if self.chains.is_none() => {
                self.fewest_chains(load, keys, bytes)
            }
            (Some(load), ..) => self.loaded(load),
            (None, None, Some(keys), Some(bytes)) => self.tightest(keys, bytes),
            (None, ..) => self.densest(),
        }
    }

    /// The plan of that many chains and, about, that many keys per block.
    fn sized(&self, chains: u64, keys_per_block: f64) -> Plan {
        let whole = |blocks: u64| if self.block_bytes == LINE_BYTES { blocks } else { blocks.next_multiple_of(2) };
        let blocks = match (self.capacity, self.memory) {
            (Some(keys), _) => whole(num::ceil(num::real(keys) / keys_per_block).clamp(1, u64::MAX - 1)),
            (None, memory) => self.blocks_of(memory.unwrap_or(LINE_BYTES)),
        };
        let capacity = self.capacity.unwrap_or_else(|| num::floor(num::real(blocks) * keys_per_block).max(1));
        Plan { removable: self.removable, block_bytes: self.block_bytes, chains, blocks, capacity }
    }

    fn blocks_of(&self, bytes: u64) -> u64 {
        bytes / LINE_BYTES * (LINE_BYTES / self.block_bytes)
    }

    /// Every number of chains that may be.
    fn candidates(&self) -> std::ops::RangeInclusive<u64> {
        self.chains.map_or(1..=most_chains(self.block_bytes, self.removable), |chains| chains..=chains)
    }

    /// The number of chains with the highest score: every fourth is tried, then all around the best of them, for the
    /// score rises to one top.
    fn best(&self, score: impl Fn(&Rates) -> f64) -> (u64, Rates) {
        let rated = |chains| {
            let rates = Rates::new(&self.layout(chains));
            (score(&rates), chains, rates)
        };
        let all = self.candidates();
        let top = |best: Scored, next: Scored| if next.0 > best.0 { next } else { best };
        let first = all.clone().step_by(4).map(rated).fold(rated(*all.start()), top);
        let near = first.1.saturating_sub(3).max(*all.start())..=(first.1 + 3).min(*all.end());
        let (_, chains, rates) = near.map(rated).fold(first, top);
        (chains, rates)
    }

    /// The most keys per block within the error rate.
    fn densest(&self) -> Result<(u64, f64), Error> {
        let target = self.error_rate.unwrap_or(DEFAULT_ERROR_RATE);
        let (chains, rates) = self.best(|rates| rates.most_keys(target, 20));
        let keys = rates.most_keys(target, 45);
        if keys < 1.0 {
            let least = self.best(|rates| -rates.worst(1.0)).1.worst(1.0);
            return Err(Error::option(Field::ErrorRate, target, format!("{least:.2e} or more")));
        }
        Ok((chains, keys))
    }

    /// That many keys in all of the memory, at the least error rate.
    fn tightest(&self, keys: u64, bytes: u64) -> Result<(u64, f64), Error> {
        let per_block = num::real(keys) / num::real(self.blocks_of(bytes));
        let (chains, rates) = self.best(|rates| -rates.worst(per_block));
        if rates.worst(per_block) > MOST_ERROR_RATE {
            return Err(Error::option(Field::Memory, bytes, format!("more: {keys} keys do not fit")));
        }
        Ok((chains, per_block))
    }

    /// What blocks of that many chains come to at this load.
    fn loaded_rate(&self, load: f64, chains: u64) -> f64 {
        Rates::new(&self.layout(chains)).worst(load * num::real(chains))
    }

    /// Chains of that many keys each, as many as the error rate allows: then there are the fewest blocks. The more
    /// chains, the higher the rate.
    fn loaded(&self, load: f64) -> Result<(u64, f64), Error> {
        let default = if self.chains.is_some() { MOST_ERROR_RATE } else { DEFAULT_ERROR_RATE };
        let target = self.error_rate.unwrap_or(default);
        let fits = |chains: &u64| self.loaded_rate(load, *chains) <= target;
        if let Some(chains) = self.candidates().rev().find(fits) {
            return Ok((chains, load * num::real(chains)));
        }
        let least = self.loaded_rate(load, *self.candidates().start());
        Err(match self.error_rate {
            Some(rate) => Error::option(Field::ErrorRate, rate, format!("{least:.4e} or more at this load")),
            None => Error::option(Field::Load, load, format!("less: the error rate would be {least:.4e}")),
        })
    }

    /// The fewest chains of that many keys that the memory has room for: the fewer, the lower the error rate.
    fn fewest_chains(&self, load: f64, keys: u64, bytes: u64) -> Result<(u64, f64), Error> {
        let fits = |chains: &u64| self.sized(*chains, load * num::real(*chains)).bytes() <= bytes;
        let more = || Error::option(Field::Memory, bytes, format!("more: {keys} keys do not fit at this load"));
        let chains = (1..=most_chains(self.block_bytes, self.removable)).find(fits).ok_or_else(more)?;
        if self.loaded_rate(load, chains) <= MOST_ERROR_RATE {
            Ok((chains, load * num::real(chains)))
        } else {
            Err(more())
        }
    }
}
