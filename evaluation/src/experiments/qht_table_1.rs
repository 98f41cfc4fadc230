//! QHT, Table 1: five tables of 65,536 bits with about the same asymptote k/S, 100,000 keys of an alphabet of 2^20.

use lately::{Options, Variant};

use crate::check::Check;
use crate::context::Context;
use crate::detector::{Detector, judge};
use crate::laws::quotient::Rows;
use crate::laws::uniform_stream::Uniform;
use crate::num;
use crate::ours::Ours;
use crate::outcome::{Cell, Measure, Outcome, Table};
use crate::sample::Sample;
use crate::streams;
use crate::wrong::{self, Wrong};

pub(crate) const MEMORY: u64 = 65_536;
pub(crate) const ALPHABET: u64 = 1 << 20;
pub(crate) const LENGTH: u64 = 100_000;

/// s, k, and the paper's FPR and FNR and their sum, as printed, in percent; its columns say S = 4, 8, 16, 32, 64.
const ROWS: [(u64, u64, [f64; 3]); 5] = [
    (2, 1, [22.57, 35.89, 58.45]),
    (3, 2, [23.25, 44.24, 67.49]),
    (4, 4, [23.53, 50.77, 74.30]),
    (5, 8, [23.62, 54.55, 78.17]),
    (6, 16, [23.50, 58.73, 82.23]),
];

/// Runs behind the paper's figures.
const PAPER_RUNS: u64 = 10;

/// Half a unit of the last printed digit, and the approximation of the laws of false duplicates and of missed keys, in
/// points.
const ROUNDING: f64 = 0.005;
const APPROXIMATION: [f64; 2] = [0.03, 0.3];

/// The s of the one printed rate that is off: the law says 23.71 % where the paper has 23.50 %. A hundred runs tell the two
/// apart, and so did a simulation that shares no code with ours (23.70 %).
const PAPER_IS_OFF: u64 = 6;

/// The filter of the family with these integers.
pub(crate) fn options(variant: Variant, memory: u64, k: u64, s: u64, seed: u64) -> Options {
    let variant = match variant {
        Variant::Qht if wrong::is(Wrong::OtherVariant) => Variant::Qqhtd,
        Variant::Qqhtd if wrong::is(Wrong::OtherVariant) => Variant::Qht,
        right => right,
    };
    let options = Options::quotient(memory.div_ceil(8)).variant(variant).seed(seed);
    options.k(num::small(k)).fingerprint_bits(num::small(s))
}

pub(crate) fn run(context: &Context) -> Outcome {
    let runs = context.pick(10, 20, 100);
    let mut outcome = Outcome::new(format!("{MEMORY} bits, {LENGTH} keys drawn from 2^20, {runs} runs."));
    let measures = ["FPR, %", "FNR, %", "FPR + FNR, %"].map(|name| Measure::new(name, 2)).to_vec();
    let mut table = Table::new("Table 1", &["paper's S", "s", "k", "S = 2^s - 1"], measures);
    for (s, k, paper) in ROWS {
        let (ours, law) =
            (measured(context, runs, s, k), Rows::of_bits(MEMORY, k, s).qht(&Uniform::new(ALPHABET, LENGTH)));
        let law = [law.unseen, law.missed, law.unseen + law.missed].map(|rate| 100.0 * rate);
        let cells = (0..3).map(|i| Cell::default().paper(paper[i]).formula(law[i]).ours(ours[i])).collect();
        table.row(&[&(1 << s).to_string(), &s.to_string(), &k.to_string(), &((1 << s) - 1).to_string()], cells);
        for (i, name) in [(0, "FPR"), (1, "FNR")] {
            let what = format!("Table 1, s = {s}, k = {k}: {name}");
            let name = ["the exact law", "the law of misses, an approximation"][i];
            let law = Check::about(format!("{what} by {name}"), ours[i], law[i]);
            outcome.checks.push(law.slack(APPROXIMATION[i]));
            if (s, i) != (PAPER_IS_OFF, 0) {
                let paper = Check::about(format!("{what} in the paper"), ours[i], paper[i]).runs_behind(PAPER_RUNS);
                outcome.checks.push(paper.slack(ROUNDING));
            }
        }
    }
    outcome.tables.push(table.note(
        "The columns of the paper say S = 2^s. With 0 as the empty cell there are S = 2^s - 1 fingerprints, and with these \
         the printed figures appear; with S = 4, k = 1 the rates would be 16.9 and 40.7 %. The formula of the \
         FPR is the exact one of rows that fill up, averaged over the stream; that of the FNR is an approximation, 0.1 to 0.3 points \
         below what is measured. Theorem 4.1 as printed is exact for k = 1 only. One printed rate is \
         off, the FPR at s = 6: 23.50 % where the law says 23.71 %, and it is not compared.",
    ));
    outcome
}

fn measured(context: &Context, runs: u64, s: u64, k: u64) -> [Sample; 3] {
    let mistakes = context.runs(runs, |seed| {
        let mut filter: [Box<dyn Detector>; 1] = [Box::new(Ours::new(&options(Variant::Qht, MEMORY, k, s, seed)))];
        judge(&mut filter, streams::uniform(seed, ALPHABET, LENGTH))[0]
    });
    let of =
        |rate: fn(f64, f64) -> f64| Sample::of(mistakes.iter().map(|m| 100.0 * rate(m.false_rate(), m.miss_rate())));
    [of(|unseen, _| unseen), of(|_, missed| missed), of(|unseen, missed| unseen + missed)]
}
