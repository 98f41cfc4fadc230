//! The time of the contest: one observe of a new key, over that of an exact map in the same round.
//!
//! Rounds are paired: in each, every filter is shown the same keys in short pieces, in turn, so that what else the machine
//! does falls on all of them. The figure of a round is the mean, with all sweeps, turns and growth in it; the ratio is taken
//! within the round, and its spread is that of rounds. Times are held to nothing but one order of magnitude. Growth from nothing
//! (`contest_growth`) comes after it.

use std::hint::black_box;
use std::time::Instant;

use crate::check::Check;
use crate::context::Context;
use crate::detector::Detector;
use crate::machine;
use crate::num;
use crate::outcome::{Cell, Measure, Outcome, Table};
use crate::rng::Rng;
use crate::sample::Sample;

use super::contest_entrant::Entrant;
use super::contest_entrants;
use super::contest_growth;
use super::contest_turns::QUEUING;

const TARGET: f64 = 1e-3;
const PIECE: u64 = 1024;
/// No filter here takes a fifth of this; one that takes more is broken.
pub(super) const SLOWEST: f64 = 30.0;
/// What all others are compared with.
pub(super) const EXACT: &str = "exact map";

pub(crate) fn run(context: &Context) -> Outcome {
    let (window, rounds, pieces) = context.pick((1 << 13, 4, 16), (1 << 20, 15, 512), (1 << 20, 15, 2048));
    let mut outcome = Outcome::new(format!(
        "{}; a window of {window} keys of 8 bytes at 0.1 %; {rounds} paired rounds of {pieces} pieces of {PIECE} new keys, one \
         thread.",
        machine::processor()
    ));
    let entrants: Vec<Entrant> =
        contest_entrants::all(window, TARGET).into_iter().filter(|entrant| timed(&entrant.name)).collect();
    let times = times(context, &entrants, window, rounds, pieces);
    let base = entrants.iter().position(|entrant| entrant.name == EXACT).expect("the exact map takes part");
    let measures = vec![Measure::ratio("time, exact map = 1"), Measure::new("cache lines per observe", 1)];
    let mut table = Table::new("One observe of a new key", &["filter"], measures).note(
        "Means, with sweeps, turns and growth. The exact map's hash is one multiplication chain of an integer, as that of the \
         other baselines; ours hash bytes. Rotating TinySets hash a key once for all of them. The baselines are plain Rust and are not tuned: their ratio says what such a program \
         costs, not what is possible. No order is concluded where intervals meet.",
    );
    for (i, entrant) in entrants.iter().enumerate() {
        let ratio = Sample::of(times.iter().map(|round| mean(&round[i]) / mean(&round[base])));
        let lines = (entrant.build)(1).lines();
        table.row(&[&entrant.name], vec![Cell::default().ours(ratio), Cell::default().formula(lines)]);
        let what = format!("{}: time, exact map = 1, over {SLOWEST}", entrant.name);
        let usual = middle(&times, i) / middle(&times, base);
        outcome.checks.push(Check::exactly(what, (usual - SLOWEST).max(0.0), 0.0, 0.0));
    }
    outcome.tables.push(table);
    contest_growth::run(context, &mut outcome);
    outcome
}

/// SWAMP's table of counts is a stand-in, two QQHT say the same, and eight sets in a queue cost what nine do.
fn timed(name: &str) -> bool {
    name != "SWAMP" && name != "QQHT" && !name.ends_with(QUEUING)
}

/// Seconds of each piece, by filter.
type Round = Vec<Vec<f64>>;

fn mean(pieces: &[f64]) -> f64 {
    pieces.iter().sum::<f64>() / num::size(pieces.len())
}

/// The middle piece of all rounds: what else the machine does falls on few pieces, so that no load makes it ten times as long.
fn middle(rounds: &[Round], filter: usize) -> f64 {
    let mut pieces: Vec<f64> = rounds.iter().flat_map(|round| &round[filter]).copied().collect();
    pieces.sort_by(f64::total_cmp);
    pieces[pieces.len() / 2]
}

/// Round by round.
fn times(context: &Context, entrants: &[Entrant], window: u64, rounds: u64, pieces: u64) -> Vec<Round> {
    context.progress.expect(rounds);
    let mut filters: Vec<_> = entrants.iter().map(|entrant| (entrant.build)(context.seed)).collect();
    let mut rng = Rng(context.seed);
    let warm: Vec<u64> = (0..2 * window).map(|_| rng.next()).collect();
    filters.iter_mut().for_each(|filter| {
        time(filter.as_mut(), &warm);
    });
    let mut round = |_| {
        let mut times = vec![Vec::new(); filters.len()];
        for _ in 0..pieces {
            let keys: Vec<u64> = (0..PIECE).map(|_| rng.next()).collect();
            filters.iter_mut().zip(&mut times).for_each(|(filter, times)| times.push(time(filter.as_mut(), &keys)));
        }
        context.progress.done();
        times
    };
    (0..rounds).map(&mut round).collect()
}

fn time(filter: &mut dyn Detector, keys: &[u64]) -> f64 {
    let begin = Instant::now();
    black_box(keys.iter().filter(|&&key| filter.observe(key)).count());
    begin.elapsed().as_secs_f64()
}
