//! From a request to the integers of a TinySet. Allocates nothing.
//!
//! A request fixes all but one or two of chains (L), load (lambda), blocks and error rate; what is open is searched by
//! the exact expected rate of `rate`. "Densest" is the most keys per block within an error rate: by a table for the
//! powers of ten, else by climbing from between two rows of it.

use crate::error::Error;
use crate::field::Field;
use crate::filter::values::PlanSummary;
use crate::kind::Kind;
use crate::num;
use crate::options::{DEFAULT_ERROR_RATE, MOST_MEMORY, Options, within};
use crate::text::RoundedUp;

use super::layout::Shape;
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
    /// The options that come to this plan.
    pub(super) fn options(&self) -> Options {
        let [block_bytes, chains] = [self.block_bytes, self.chains].map(|n| u32::try_from(n).unwrap_or(u32::MAX));
        let options = Options::new(Kind::TinySet).capacity(self.capacity).removable(self.removable);
        // A little above what the blocks have, so that the division that finds their number rounds up to it.
        let load = num::real(self.capacity) / (num::real(self.blocks) * (1.0 - 1e-9)) / num::real(self.chains);
        options.block_bytes(block_bytes).chains(chains).load(load)
    }

    pub(crate) fn new(options: &Options) -> Result<Self, Error> {
        options.expect_taken()?;
        let request = Request::new(options)?;
        let (chains, keys_per_block) = request.shape()?;
        let plan = request.sized(chains, keys_per_block);
        match request.memory {
            Some(bytes) if plan.bytes() > bytes => Err(Error::out_of_range(
                Field::Memory,
                bytes,
                format_args!("at least {} bytes with these options", plan.bytes()),
            )),
            _ => Ok(plan),
        }
    }

    pub(super) fn shape(&self) -> Shape {
        shape(self.block_bytes, self.chains, self.removable)
    }

    pub(super) const fn lines(&self) -> u64 {
        (self.blocks.saturating_mul(self.block_bytes)).div_ceil(LINE_BYTES)
    }

    pub(super) const fn bytes(&self) -> u64 {
        self.lines().saturating_mul(LINE_BYTES)
    }

    /// What follows from the request, in the words of every kind.
    pub(crate) fn summary(&self) -> PlanSummary {
        let (capacity, mut rates) = (num::real(self.capacity), Rates::new(self.shape()));
        let keys_per_block = capacity / num::real(self.blocks);
        PlanSummary {
            bytes: self.bytes(),
            blocks: self.blocks,
            load: keys_per_block / num::real(self.chains),
            error_rate_worst: rates.worst(keys_per_block),
            error_rate_mean: rates.mean_while_filling(keys_per_block),
            window_keys: self.capacity,
            cache_lines_per_observe: 1.0,
            chains: self.chains,
            block_bytes: self.block_bytes,
            ..PlanSummary::sized(num::real(self.bytes()) * 8.0 / capacity)
        }
    }
}

/// A request whose every field has been judged by itself.
#[derive(Debug, Clone, Copy)]
pub(super) struct Request {
    capacity: Option<u64>,
    memory: Option<u64>,
    error_rate: Option<f64>,
    chains: Option<u64>,
    load: Option<f64>,
    removable: bool,
    block_bytes: u64,
}

impl Request {
    pub(super) fn new(options: &Options) -> Result<Self, Error> {
        let block_bytes = match options.block_bytes {
            None | Some(64) => 64,
            Some(32) => 32,
            Some(other) => return Err(Error::out_of_range(Field::BlockBytes, other, "32 or 64")),
        };
        let capacity = within(Field::Capacity, options.capacity, 1, MOST_KEYS)?;
        let memory = within(Field::Memory, options.memory, LINE_BYTES, MOST_MEMORY)?;
        if capacity.is_none() && memory.is_none() {
            return Err(Error::conflict(Field::Capacity, 0, "required unless memory is given"));
        }
        let (error_rate, removable) = (options.checked_error_rate()?, options.removable.unwrap_or(false));
        let request = Self { capacity, memory, error_rate, chains: None, load: None, removable, block_bytes };
        request.with_shape(options)
    }

    /// Takes the chains and the load that were asked for.
    fn with_shape(self, options: &Options) -> Result<Self, Error> {
        let most = most_chains(self.block_bytes);
        let chains = within(Field::Chains, options.chains.map(u64::from), 1, most)?;
        // Even the least number of chains has room for that many keys on average.
        let room = num::real(num::wide(self.of_chains(chains.unwrap_or(1)).array())) / num::real(chains.unwrap_or(1));
        match options.load {
            Some(load) if !(load > 0.0 && load <= room) => {
                Err(Error::out_of_range(Field::Load, load, format_args!("above 0 and at most {room}")))
            }
            load => Ok(Self { chains, load, ..self }),
        }
    }

    fn of_chains(&self, chains: u64) -> Shape {
        shape(self.block_bytes, chains, self.removable)
    }
}

fn shape(block_bytes: u64, chains: u64, removable: bool) -> Shape {
    Shape { bits: num::index(block_bytes * 8), chains: num::index(chains), removable }
}

/// The most chains that leave as many bits for entries.
pub(super) const fn most_chains(block_bytes: u64) -> u64 {
    block_bytes * 4
}

/// A number of chains, behind its score.
type Scored = (f64, u64);

/// A row of the table: chains, and keys per block.
type Row = (u64, f64);

/// The densest plans by error rate: of blocks of 64 bytes add-only and removable, of blocks of 32 bytes alike.
pub(super) const DENSEST: [(f64, [Row; 4]); 6] = [
    (1e-1, [(140, 96.79767849580969), (124, 75.01839934745425), (72, 48.002747762046056), (64, 36.01726300892574)]),
    (1e-2, [(92, 57.50248237878907), (80, 46.31804166973643), (46, 27.845189412306297), (40, 21.474183611108487)]),
    (1e-3, [(68, 39.95190791089752), (62, 32.448570008070874), (36, 18.71593103398419), (35, 14.446544520425277)]),
    (1e-4, [(56, 29.780092850191465), (50, 24.181988509556504), (28, 13.394032858910265), (28, 10.286975425181481)]),
    (1e-5, [(47, 23.0809147468251), (47, 18.687994685506737), (25, 9.902868867396194), (22, 7.552624177313817)]),
    (1e-6, [(37, 18.3069511955473), (37, 14.778244265145105), (22, 7.4653453916808985), (18, 5.655265658036001)]),
];

/// Where climbs begin above the table, by its columns. For removable blocks the first is also where the top is passed by
/// the last number of chains, which is the densest at any higher rate and load.
pub(super) const HIGHER: [[(f64, Row); 2]; 4] = [
    [(MOST_ERROR_RATE, (245, 184.3)), (0.25, (197, 131.9))],
    [(0.41943043519017905, (173, 117.72322654723766)), (0.25, (161, 97.9))],
    [(MOST_ERROR_RATE, (122, 92.1)), (0.25, (98, 65.9))],
    [(0.3904953890189758, (88, 56.01988697052002)), (0.25, (79, 47.5))],
];

/// The search for the fields that the request leaves open.
impl Request {
    /// Chains and keys per block.
    pub(super) fn shape(&self) -> Result<(u64, f64), Error> {
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
        self.chains.map_or(1..=most_chains(self.block_bytes), |chains| chains..=chains)
    }

    /// Where blocks like these stand in the tables.
    fn column(&self) -> usize {
        usize::from(self.block_bytes != LINE_BYTES) * 2 + usize::from(self.removable)
    }

    /// The rows for such blocks from the highest rate to the lowest, each behind its rate.
    fn rows(&self) -> impl Iterator<Item = (f64, Row)> {
        let column = self.column();
        HIGHER[column].into_iter().chain(DENSEST.iter().map(move |(rate, rows)| (*rate, rows[column])))
    }

    /// About the chains of a plan: between those of the two rows where `distance` changes its sign, from below 0 on.
    fn about(&self, distance: impl Fn(f64, f64) -> f64) -> u64 {
        let (mut before, mut about) = (0.0, num::real(most_chains(self.block_bytes)));
        for (rate, (chains, keys)) in self.rows() {
            let (far, chains) = (distance(rate, keys), num::real(chains));
            if far < 0.0 {
                about += (chains - about) * before / (before - far);
                break;
            }
            (before, about) = (far, chains);
        }
        num::floor(about)
    }

    /// The one of every fourth number of chains with the highest score, which is climbed from `start`. A score gets the
    /// best so far, below which it may be anything.
    fn climb(&self, start: u64, score: impl Fn(&mut Rates, f64) -> f64) -> Scored {
        let mut top = self.rated(self.fourth(start), f64::NEG_INFINITY, &score);
        let step = |top: Scored, chains: u64| Some(self.higher(top, chains, &score)).filter(|next| next.1 != top.1);
        while let Some(next) = step(top, top.1 + 4).or_else(|| step(top, top.1.saturating_sub(4))) {
            top = next;
        }
        top
    }

    /// The number of chains with the highest score: of every fourth, then of all around the best of them. From `start` it
    /// only rises to the top. The best of the fourths stays unless another one is higher.
    fn best(&self, start: u64, score: impl Fn(&mut Rates, f64) -> f64) -> Scored {
        let fourth = self.climb(start, &score);
        let others = (fourth.1.saturating_sub(3)..=fourth.1 + 3).rev().filter(|&chains| chains != fourth.1);
        let top = others.fold(fourth, |top, chains| self.higher(top, chains, &score));
        if top.0 > fourth.0 { top } else { fourth }
    }

    fn rated(&self, chains: u64, best: f64, score: impl Fn(&mut Rates, f64) -> f64) -> Scored {
        (score(&mut Rates::new(self.of_chains(chains)), best), chains)
    }

    /// A number of chains that may be if its score is higher, or as high with fewer chains; else the top so far.
    fn higher(&self, top: Scored, chains: u64, score: impl Fn(&mut Rates, f64) -> f64) -> Scored {
        if !self.candidates().contains(&chains) {
            return top;
        }
        let next = self.rated(chains, top.0, score);
        if next.0 > top.0 || next.0 == top.0 && next.1 < top.1 { next } else { top }
    }

    /// The one of every fourth number of chains that is next below.
    fn fourth(&self, chains: u64) -> u64 {
        let (first, last) = (*self.candidates().start(), *self.candidates().end());
        first + (chains.clamp(first, last) - first) / 4 * 4
    }

    /// The most keys per block within the error rate.
    fn densest(&self) -> Result<(u64, f64), Error> {
        let target = self.error_rate.unwrap_or(DEFAULT_ERROR_RATE);
        let row =
            DENSEST.iter().find(|(rate, _)| rate.to_bits() == target.to_bits()).map(|(_, rows)| rows[self.column()]);
        if let Some(row) = row.filter(|_| self.chains.is_none()) {
            return Ok(row);
        }
        self.search(target)
    }

    /// The same without the table.
    pub(super) fn search(&self, target: f64) -> Result<(u64, f64), Error> {
        let start = self.about(|rate, _| (rate / target).ln());
        let (least, chains) = self.best(start, |rates, best| rates.most_keys(target, 20, best.max(0.0)));
        let keys = Rates::new(self.of_chains(chains)).most_keys(target, 45, least);
        if keys < 1.0 {
            let (least, _) = self.best(start, |rates, best| -rates.worst_within(1.0, -best));
            return Err(Error::out_of_range(Field::ErrorRate, target, format_args!("at least {}", RoundedUp(-least))));
        }
        Ok((chains, keys))
    }

    /// That many keys in all of the memory, at the least error rate.
    fn tightest(&self, keys: u64, bytes: u64) -> Result<(u64, f64), Error> {
        let per_block = num::real(keys) / num::real(self.blocks_of(bytes));
        let start = self.about(|_, keys| keys - per_block);
        let (rate, chains) = self.best(start, |rates, best| -rates.worst_within(per_block, -best));
        if -rate > MOST_ERROR_RATE {
            return Err(Error::conflict(Field::Memory, bytes, format_args!("{keys} keys do not fit")));
        }
        Ok((chains, per_block))
    }

    /// The plan of blocks of that many chains at this load.
    fn loaded_rate(&self, load: f64, chains: u64) -> f64 {
        Rates::new(self.of_chains(chains)).worst(load * num::real(chains))
    }

    /// Chains of that many keys each, as many as the error rate allows: then there are the fewest blocks. The more
    /// chains, the higher the rate.
    fn loaded(&self, load: f64) -> Result<(u64, f64), Error> {
        let default = if self.chains.is_some() { MOST_ERROR_RATE } else { DEFAULT_ERROR_RATE };
        let target = self.error_rate.unwrap_or(default);
        let (first, last) = (*self.candidates().start(), *self.candidates().end());
        // Halving: below `chains` it is allowed, from `above` on it is not.
        let (mut chains, mut above) = (first, last + 1);
        while chains < above {
            let middle = u64::midpoint(chains, above);
            if self.loaded_rate(load, middle) <= target { chains = middle + 1 } else { above = middle }
        }
        if chains > first {
            return Ok((chains - 1, load * num::real(chains - 1)));
        }
        let least = self.loaded_rate(load, first);
        Err(match self.error_rate {
            Some(rate) => {
                Error::out_of_range(Field::ErrorRate, rate, format_args!("at least {} at this load", RoundedUp(least)))
            }
            None => Error::conflict(
                Field::Load,
                load,
                format_args!("the error rate would be {}; lower load", RoundedUp(least)),
            ),
        })
    }

    /// The fewest chains of that many keys that the memory has room for: the fewer, the lower the error rate.
    fn fewest_chains(&self, load: f64, keys: u64, bytes: u64) -> Result<(u64, f64), Error> {
        let fits = |chains: &u64| self.sized(*chains, load * num::real(*chains)).bytes() <= bytes;
        let more = || Error::conflict(Field::Memory, bytes, format_args!("{keys} keys do not fit at this load"));
        let chains = (1..=most_chains(self.block_bytes)).find(fits).ok_or_else(more)?;
        if self.loaded_rate(load, chains) <= MOST_ERROR_RATE {
            Ok((chains, load * num::real(chains)))
        } else {
            Err(more())
        }
    }
}
