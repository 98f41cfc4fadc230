//! QHT, Table 3: the time of one observe, as ratios to QHT in one run.
//!
//! Every round shows the same keys to each filter in turn, in short pieces, and takes the middle of their times: what else
//! the machine does falls on few of them. b_DBF's sweeps, one in 6144 keys, are not in that; so the mean of all pieces stands
//! beside it, as the paper has it. Absolute times are those of this machine and this minute, and are not kept.

use std::hint::black_box;
use std::time::Instant;

use lately::Variant;

use crate::baselines::Reading;
use crate::check::Check;
use crate::context::Context;
use crate::detector::Detector;
use crate::machine;
use crate::ours::Ours;
use crate::outcome::{Cell, Measure, Outcome, Table};
use crate::rng::Rng;
use crate::sample::Sample;

use super::qht_contest::{Entrant, Setting, qht};
use super::qht_table_1::options;

const MEMORY: u64 = 1_000_000;
const WINDOW: u64 = 6000;
/// Keys of a piece, and those that fill every filter before.
const PIECE: u64 = 512;
const FILL: u64 = 600_000;

/// Microseconds of an observe in the paper, in the order of `entrants`.
const PAPER: [(&str, f64); 7] = [
    ("QHT", 0.288),
    ("QQHTD", 0.330),
    ("SQF", 0.423),
    ("Cuckoo", 2.464),
    ("SBF", 1.578),
    ("A2", 1.280),
    ("b_DBF", 2.565),
];
const QHT: usize = 0;
const SBF: usize = 4;

pub(crate) fn run(context: &Context) -> Outcome {
    let (rounds, pieces) = context.pick((6, 101), (15, 401), (15, 4001));
    let mut outcome = Outcome::new(format!(
        "{}; {MEMORY} bits, full; correct baselines; {rounds} rounds of {pieces} pieces of {PIECE} keys of 8 bytes drawn from 2^24; \
         one thread.",
        machine::processor()
    ));
    let times = times(context, rounds, pieces);
    let mut table = Table::new("Table 3", &["filter"], vec![
        Measure::ratio("middle time of a piece, QHT = 1"),
        Measure::ratio("mean time, QHT = 1"),
    ]).note(
        "Ours hash bytes and pack their cells into words; the baselines mix an integer and keep each cell in a byte or two, \
         which is in their favour. A full Cuckoo filter moves 50 fingerprints for most keys. The sweeps of A2 and b_DBF \
         are too rare to be in a middle time; they are in the mean. No order is concluded where intervals meet, nor where two runs \
         differ.",
    );
    for (i, (name, paper)) in PAPER.iter().enumerate() {
        let cell =
            |one: fn(&Times) -> &Vec<f64>| Cell::default().paper(paper / PAPER[QHT].1).ours(ratio(&times, one, i, QHT));
        table.row(&[name], vec![cell(|times| &times.middle), cell(|times| &times.mean)]);
    }
    outcome.tables.push(table);
    // The usual round: one that the system stretched says nothing of the filters.
    let usual = middle(times.iter().map(|times| times.middle[QHT] / times.middle[SBF]).collect());
    outcome.checks.push(Check::exactly("Table 3: QHT's time, SBF = 1, over 1", (usual - 1.0).max(0.0), 0.0, 0.0));
    outcome
}

fn entrants() -> [Box<dyn Detector>; 7] {
    let setting = Setting { reading: Reading::Correct, memory: MEMORY, window: WINDOW };
    let build = |entrant: Entrant| entrant.build(&setting, 1);
    [
        Box::new(Ours::new(&qht(MEMORY, 1))),
        Box::new(Ours::new(&options(Variant::Qqhtd, MEMORY, 1, 3, 1))),
        build(Entrant::Sqf),
        build(Entrant::Cuckoo),
        build(Entrant::StableBloom),
        build(Entrant::A2),
        build(Entrant::BlockDecaying),
    ]
}

/// Seconds of a piece in one round, by filter.
struct Times {
    middle: Vec<f64>,
    mean: Vec<f64>,
}

/// Round by round.
fn times(context: &Context, rounds: u64, pieces: u64) -> Vec<Times> {
    let mut detectors = entrants();
    context.progress.expect(rounds);
    detectors.iter_mut().for_each(|detector| {
        time(detector.as_mut(), context.seed, FILL);
    });
    let round = |round| {
        let pieces: Vec<Vec<f64>> = (0..pieces)
            .map(|piece| context.seed_of(round * pieces + piece))
            .map(|seed| detectors.iter_mut().map(|detector| time(detector.as_mut(), seed, PIECE)).collect())
            .collect();
        context.progress.done();
        let of = |i: usize| pieces.iter().map(|times| times[i]).collect::<Vec<f64>>();
        Times {
            middle: (0..PAPER.len()).map(|i| middle(of(i))).collect(),
            mean: (0..PAPER.len()).map(|i| of(i).iter().sum::<f64>()).collect(),
        }
    };
    (0..rounds).map(round).collect()
}

/// The median.
fn middle(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// The time of one filter beside that of another.
fn ratio(times: &[Times], of: fn(&Times) -> &Vec<f64>, i: usize, base: usize) -> Sample {
    Sample::of(times.iter().map(|times| of(times)[i] / of(times)[base]))
}

fn time(detector: &mut dyn Detector, seed: u64, keys: u64) -> f64 {
    let (mut rng, begin) = (Rng(seed), Instant::now());
    let found = (0..keys).filter(|_| detector.observe(rng.below(1 << 24))).count();
    black_box(found);
    begin.elapsed().as_secs_f64()
}
