//! The six filters of the QHT paper's contest (section 6.1), as it set them up, with the law of each.
//!
//! At a scale of 1/n length, alphabet, memory and window shrink alike. Error rates depend on their ratios only, but for
//! the rounding of small integers.

use lately::{Options, Variant};

use crate::baselines::Reading;
use crate::baselines::a2::{self, A2};
use crate::baselines::block_decaying::{self, BlockDecaying};
use crate::baselines::cuckoo::{self, Cuckoo};
use crate::baselines::sqf::Sqf;
use crate::baselines::stable_bloom::{self, StableBloom};
use crate::detector::Detector;
use crate::laws::quotient::{Rates, Rows};
use crate::laws::uniform_stream::Uniform;
use crate::num;
use crate::ours::Ours;
use crate::wrong::{self, Wrong};

use super::qht_table_1::options;

/// One of the filters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Entrant {
    Sqf,
    Qht,
    Cuckoo,
    StableBloom,
    A2,
    BlockDecaying,
}

/// In the order of the paper's columns. Its QQHTD is its QHT: with one cell a row they are the same.
pub(crate) const ALL: [Entrant; 6] =
    [Entrant::Sqf, Entrant::Qht, Entrant::Cuckoo, Entrant::StableBloom, Entrant::A2, Entrant::BlockDecaying];

const STABLE_TARGET: f64 = 0.02;
const A2_TARGET: f64 = 0.1;
const FINGERPRINT: u32 = 3;

/// How large everything is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Setting {
    pub(crate) reading: Reading,
    pub(crate) memory: u64,
    /// The window of b_DBF in keys.
    pub(crate) window: u64,
}

impl Entrant {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Sqf => "SQF",
            Self::Qht => "QHT = QQHTD",
            Self::Cuckoo => "Cuckoo",
            Self::StableBloom => "SBF",
            Self::A2 => "A2",
            Self::BlockDecaying => "b_DBF",
        }
    }

    pub(crate) fn build(self, setting: &Setting, seed: u64) -> Box<dyn Detector> {
        let Setting { reading, memory, window } = *setting;
        let reading = if wrong::is(Wrong::OtherReading) { reading.other() } else { reading };
        match self {
            Self::Sqf => Box::new(Sqf::new(reading, memory, seed)),
            Self::Qht => Box::new(Ours::new(&qht(memory, seed))),
            Self::Cuckoo => Box::new(Cuckoo::new(reading, memory, FINGERPRINT, seed)),
            Self::StableBloom => Box::new(StableBloom::new(reading, memory, STABLE_TARGET, seed)),
            Self::A2 => Box::new(A2::new(a2::Shape::new(reading, memory, A2_TARGET), seed)),
            Self::BlockDecaying => {
                Box::new(BlockDecaying::new(block_decaying::Shape::new(reading, memory, window), seed))
            }
        }
    }

    /// The rates that the law of this filter gives over a whole uniform stream; NaN where there is none.
    pub(crate) fn law(self, setting: &Setting, stream: &Uniform) -> Rates {
        let Setting { reading, memory, window } = *setting;
        match self {
            Self::Sqf => single(sqf_rows(reading, memory), stream),
            Self::Qht => single(Rows::of_bits(memory / 8 * 8, 1, u64::from(FINGERPRINT)), stream),
            Self::Cuckoo => cuckoo_law(setting, stream),
            Self::StableBloom => stable_law(setting, stream),
            Self::A2 => a2_law(a2::Shape::new(reading, memory, A2_TARGET), stream),
            Self::BlockDecaying => decaying_law(&block_decaying::Shape::new(reading, memory, window), stream),
        }
    }
}

/// The paper's QHT: one cell of 3 bits a row.
pub(crate) fn qht(memory: u64, seed: u64) -> Options {
    options(Variant::Qht, memory / 8 * 8, 1, u64::from(FINGERPRINT), seed)
}

/// Two bits of weight and one of remainder: rows of 3 bits, of four fingerprints; as published a power of two of them.
fn sqf_rows(reading: Reading, memory: u64) -> Rows {
    let all = memory / 3;
    let n = if reading == Reading::Published { 2_u64.pow(all.ilog2()) } else { all };
    Rows { n: num::real(n), k: 1, s: 4.0 }
}

fn single(rows: Rows, stream: &Uniform) -> Rates {
    Rates {
        unseen: stream.over_unseen(|m| rows.single_false(m, stream.alphabet)),
        missed: stream.over_duplicates(|d| rows.single_missed(d, stream.alphabet)),
    }
}

/// Cells fill one by one, then the table is full. No law of its misses is known, nor how the last cells fill: where that
/// takes more than a twentieth of the alphabet there is no law at all.
fn cuckoo_law(setting: &Setting, stream: &Uniform) -> Rates {
    let full = cuckoo::full_rate(setting.reading, FINGERPRINT);
    let same = 1.0 - (1.0 - full).sqrt();
    let cells = Cuckoo::new(setting.reading, setting.memory, FINGERPRINT, 0).bits() / f64::from(FINGERPRINT);
    let unseen = stream.over_unseen(|m| 1.0 - (1.0 - same * (m / cells).min(1.0)).powi(2));
    Rates { unseen: if cells < 0.05 * stream.alphabet { unseen } else { f64::NAN }, missed: f64::NAN }
}

/// Cells as chains of their values, from empty and from just set.
fn stable_law(setting: &Setting, stream: &Uniform) -> Rates {
    let m = setting.memory / 2;
    let settled = num::index(30 * m / stable_bloom::lowered(m, STABLE_TARGET).max(1) + 100);
    let chain = |from| -> Vec<f64> { stable_bloom::above_zero(m, STABLE_TARGET, from).take(settled).collect() };
    let (empty, set) = (chain(0), chain(3));
    let at = |chain: &[f64], keys: f64| chain[num::index(num::floor(keys)).min(settled - 1)];
    Rates {
        unseen: stream.over_unseen(|m| stable_bloom::present(setting.reading, at(&empty, m))),
        missed: stream.over_duplicates(|d| 1.0 - stable_bloom::present(setting.reading, at(&set, d - 1.0))),
    }
}

/// A key is in one of the halves for one life for certain, and after two no more.
fn a2_law(shape: a2::Shape, stream: &Uniform) -> Rates {
    let (life, rate) = shape.law();
    let gone = |d: f64| (d / life - 1.0).clamp(0.0, 1.0);
    Rates {
        unseen: stream.over_unseen(|m| if m < life { shape.rate(m) } else { rate }),
        missed: stream.over_duplicates(|d| gone(d) * (1.0 - rate)),
    }
}

fn decaying_law(shape: &block_decaying::Shape, stream: &Uniform) -> Rates {
    let rate = shape.false_rate();
    Rates { unseen: rate, missed: stream.over_duplicates(|d| (1.0 - shape.kept(d)) * (1.0 - rate)) }
}
