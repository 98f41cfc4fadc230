//! What the experiments of TinySet share: filling a set, measuring it, and what a rate is worth in bits per key.

use lately::Options;

use crate::baselines::bloom;
use crate::baselines::paper_tiny_set::{PaperTinySet, Shape};
use crate::check::Check;
use crate::context::Context;
use crate::num;
use crate::rng::Rng;
use crate::sample::Sample;
use crate::sets::{self, Leaving, OurTinySet, Set};

/// The rates of the paper's tables.
pub(crate) const RATES: [f64; 3] = [1e-2, 1e-3, 1e-4];

/// How a rate is written in a table.
pub(crate) fn percent(rate: f64) -> String {
    format!("{} %", (rate * 1e6).round() / 1e4)
}

/// What a law of the first order leaves open: it does not know that a block's long fingerprints stand together.
pub(crate) const FIRST_ORDER: f64 = 0.02;

/// How often all keys make place for others in a set that is measured under churn.
const TURNOVERS: u64 = 10;

/// What becomes of sets that were filled.
#[derive(Debug, Clone)]
pub(crate) struct Measured {
    /// By run: the share of absent keys that are called present.
    rates: Vec<f64>,
    /// Keys that were taken and are not found.
    lost: u64,
    pub(crate) bits_per_key: f64,
    queries: u64,
}

/// How often, and with how many absent keys.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Effort {
    pub(crate) runs: u64,
    pub(crate) keys: u64,
    pub(crate) queries: u64,
}

impl Effort {
    /// The usual one.
    pub(crate) fn new(context: &Context) -> Self {
        let (runs, keys) = (context.pick(10, 20, 100), context.pick(16_000, 64_000, 64_000));
        Self { runs, keys, queries: context.pick(60_000, 300_000, 2_000_000) }
    }
}

/// Fills and asks sets of independent seeds.
pub(crate) fn measure(context: &Context, effort: Effort, build: impl Fn(u64) -> Box<dyn Set> + Sync) -> Measured {
    let Effort { keys, queries, .. } = effort;
    measured(context, effort, |seed| {
        let mut set = build(seed);
        let refused = sets::fill(&mut *set, keys);
        let lost = sets::missing(&*set, 0..keys).saturating_sub(refused);
        (sets::false_rate(&*set, queries), lost, set.bits())
    })
}

/// The same for a set of lately that keys can leave, once random ones have made place for others many times over.
pub(crate) fn measure_churned(context: &Context, effort: Effort, options: &Options) -> Measured {
    let Effort { keys, queries, .. } = effort;
    measured(context, effort, |seed| {
        let mut set = OurTinySet::new(&options.clone().seed(seed));
        assert_eq!(sets::fill(&mut set, keys), 0, "all keys find room");
        let (mut held, mut rng) = ((0..keys).collect::<Vec<_>>(), Rng(seed));
        for next in keys..(1 + TURNOVERS) * keys {
            let place = num::index(rng.below(keys));
            set.remove(std::mem::replace(&mut held[place], next));
            assert!(set.insert(next), "the room of the one serves the other");
        }
        (sets::false_rate(&set, queries), sets::missing(&set, held.into_iter()), set.bits())
    })
}

/// What each run has found: a rate, keys that were lost, bits.
fn measured(context: &Context, effort: Effort, run: impl Fn(u64) -> (f64, u64, f64) + Sync) -> Measured {
    let Effort { runs, keys, queries } = effort;
    let results = context.runs(runs, run);
    let bits_per_key = results[0].2 / num::real(keys);
    let lost = results.iter().map(|result| result.1).sum();
    Measured { rates: results.into_iter().map(|result| result.0).collect(), lost, bits_per_key, queries }
}

impl Measured {
    pub(crate) fn rate(&self) -> Sample {
        Sample::of(self.rates.iter().copied())
    }

    /// The bits per key at which each run would have met the target, `slope` halvings of the rate per bit.
    pub(crate) fn bits_at(&self, target: f64, slope: f64) -> Sample {
        Sample::of(self.rates.iter().map(|rate| self.bits_per_key + (rate / target).log2() / slope))
    }

    /// How many times the other's rate is that of this one: of all runs together, with the spread of counted events.
    pub(crate) fn over(&self, other: &Self) -> Sample {
        let (mine, others) = (self.rate(), other.rate());
        let events = |one: &Self| one.rates.iter().sum::<f64>() * num::real(one.queries);
        let runs = num::real(mine.runs);
        let relative = ((1.0 / events(self) + 1.0 / events(other)) * runs).sqrt();
        let mean = others.mean / mine.mean;
        Sample { mean, spread: mean * relative, runs: mine.runs }
    }

    /// Two comparisons: the rate with its law, and that no key was lost.
    pub(crate) fn hold(&self, what: &str, law: f64, slack: f64) -> [Check; 2] {
        let rate = Check::about(format!("{what}: rate"), self.rate(), law).slack(slack * law);
        let lost = Check::exactly(format!("{what}: keys lost"), num::real(self.lost), 0.0, 0.0);
        [rate.rate_of(num::real(self.queries)), lost]
    }
}

/// Halvings of the rate per bit, of a law of bits per key.
pub(crate) fn slope(law: impl Fn(f64) -> f64, bits: f64) -> f64 {
    (law(bits * 0.98) / law(bits * 1.02)).log2() / (bits * 0.04)
}

/// The paper's TinySet, as a set to measure.
pub(crate) fn paper(shape: Shape, blocks: u64) -> impl Fn(u64) -> Box<dyn Set> + Sync {
    move |seed| Box::new(PaperTinySet::new(shape, blocks, seed))
}

/// Ours.
pub(crate) fn ours(options: Options) -> impl Fn(u64) -> Box<dyn Set> + Sync {
    move |seed| Box::new(OurTinySet::new(&options.clone().seed(seed)))
}

/// The best Bloom filter with that many bits per key.
pub(crate) fn best_bloom(bits: f64, keys: u64) -> impl Fn(u64) -> Box<dyn Set> + Sync {
    move |seed| Box::new(bloom::Bloom::new(num::floor(bits * num::real(keys)), bloom::best(bits).0, seed))
}

/// Places on a logarithmic or linear scale, for curves.
pub(crate) fn grid(low: f64, high: f64, points: u64) -> Vec<f64> {
    (0..=points).map(|i| low + (high - low) * num::real(i) / num::real(points)).collect()
}
