//! The contest in traffic that is never steady: bits a live key, time, and mistakes of everything that keeps a window of time.
//!
//! In each stretch, a twentieth of a window, every rival sees the same sightings, in an order that moves on; the time is that of the
//! thread and is compared with the exact map's of the same run. No key comes again after more than a window, so that every answer is
//! right or wrong. Bits are those allocated; they count where a twentieth of the size is live.

use std::time::Duration;

use crate::baselines::hashes::ExactWindow;
use crate::check::Check;
use crate::context::Context;
use crate::cpu;
use crate::detector::Mistakes;
use crate::machine;
use crate::num;
use crate::ours::MOST_WHILE_SMALL;
use crate::outcome::{Axis, Cell, Chart, Measure, Outcome, Table, span};
use crate::sample::Sample;
use crate::timely::Timely;
use crate::traffic::{self, STRETCHES, Stretch, WINDOW};

use super::contest_traffic_entrants::{
    self as entrants, CLOCK, EXACT, GENERATIONS, Load, Rival, SETS, TABLE, TARGET, TIMES,
};

/// A traffic of the tests, and what share of its keys come again.
struct Case {
    title: &'static str,
    picture: &'static str,
    traffic: &'static str,
    repeats: f64,
    /// Whether the peak is far above the mean, so that a plan for the mean must fail.
    uneven: bool,
}

const fn case(title: &'static str, picture: &'static str, traffic: &'static str, repeats: f64, uneven: bool) -> Case {
    Case { title, picture, traffic, repeats, uneven }
}

const CASES: [Case; 7] = [
    case("Growth from nothing", "growth", "steady from nothing", FEW, false),
    case("A sine of 10 to 1 over 24 windows", "sine-24", "sine over 24 windows", FEW, false),
    case("A sine of 10 to 1 over one window", "sine-1", "sine over one window", FEW, false),
    case("A burst of 20 times for a tenth of a window", BURST, "burst of twenty", FEW, true),
    case("All keys in the first tenth of each window", "pulses", "pulses in silence", FEW, true),
    case("Half of the keys come again", "half", "steady from nothing", 0.5, false),
    case("Nine tenths of the keys come again", "nine-tenths", "nine tenths repeats", 0.9, false),
];

/// A tenth of the sightings are of a key of the window, so that misses can be seen.
const FEW: f64 = 0.1;
const BURST: &str = "burst";

/// Those with a curve, and what they are planned for.
const DRAWN: [(&str, &str); 6] =
    [(TABLE, ""), ("time-limited", ""), (SETS, ""), (TIMES, ""), ("9 TinySets", "peak"), (CLOCK, "peak")];

/// The most points of a curve.
const POINTS: usize = 120;

/// What comes out, by the rows.
#[expect(clippy::too_many_lines, reason = "one text, with a line for each of its figures")]
fn findings(outcome: &Outcome) -> String {
    let median = |name: &str| outcome.span(&[name, ""], "median");
    let [sets, table, timed] = [SETS, TABLE, "time-limited"].map(median);
    let times = [SETS, TIMES, TABLE].map(|name| outcome.span(&[name, ""], "time"));
    let over = span(
        outcome
            .figures(&[TIMES, ""], "median")
            .iter()
            .zip(outcome.figures(&[SETS, ""], "median"))
            .map(|(map, sets)| map / sets),
    );
    let of = |case: usize, row: &[&str], measure: &str| {
        let table = outcome.tables.iter().find(|table| table.title == CASES[case].title);
        table.and_then(|table| table.figures(row, measure).first().copied()).unwrap_or(f64::NAN)
    };
    format!(
        "**What comes out.** Two sets of hashes are wrong about no key, need no plan, take {:.0} to {:.0} bits a live key (median) and {:.1} to {:.1} times the exact \
         map's time, where a window table takes {:.1} to {:.1}: for windows of some ten thousand keys they are what to write. A map of hash to time takes {:.1} to {:.1} times \
         their bits and {:.1} to {:.1} times the exact map's time, and finds no key past its window. No filter here misses a key of its window, in any traffic. The window \
         table keeps its rate and needs no plan of what comes, in {:.0} to {:.0} bits a live key (median); the time-limited filter takes {:.0} to {:.0}. What is planned for the peak \
         keeps its rate and pays for the peak at all times: with one burst of 20 times nine TinySets take {:.0} bits where a window table takes {:.0}. \
         Nine TinySets planned for the mean call {:.0} % of the new keys duplicates in that traffic, and {:.0} % in pulses. A clock sketch covers up to half a window more, \
         so that its rate in pulses is {:.1} times the one asked for even when planned for the peak. Where the number of keys is known and steady, nine Bloom filters \
         with shared places take fewer bits than a window table. Times are ratios within a run, on a machine with other work.",
        sets[0],
        sets[1],
        times[0][0],
        times[0][1],
        times[2][0],
        times[2][1],
        over[0],
        over[1],
        times[1][0],
        times[1][1],
        table[0],
        table[1],
        timed[0],
        timed[1],
        of(3, &["9 TinySets", "peak"], "median"),
        of(3, &[TABLE, ""], "median"),
        100.0 * of(3, &["9 TinySets", "mean"], "false"),
        100.0 * of(4, &["9 TinySets", "mean"], "false"),
        of(4, &[CLOCK, "peak"], "false") / TARGET
    )
}

/// A traffic with the truth.
struct Story {
    stretches: Vec<Stretch>,
    /// Whether each sighting is of a key of the window.
    truth: Vec<Vec<bool>>,
    /// Keys of the window after each stretch.
    live: Vec<u64>,
    size: u64,
}

/// What one rival did in one run, stretch by stretch.
#[derive(Default)]
struct Played {
    mistakes: Mistakes,
    time: Duration,
    bits: Vec<f64>,
}

pub(crate) fn run(context: &Context) -> Outcome {
    let (size, runs) = context.pick((20_000, 2), (20_000, 5), (100_000, 10));
    let mut outcome = Outcome::new(format!(
        "{}; {size} sightings a window where the rate of a traffic is 1, 10,000 of them in pulses; 0.1 % at the worst instant; {runs} runs, \
         one thread. A tenth of the keys come again within the window, if no other share is named.",
        machine::processor()
    ));
    for case in &CASES {
        let size = if case.picture == "pulses" { size.min(10_000) } else { size };
        let story = Story::new(case, size);
        let rivals = entrants::all(&story.loads());
        context.progress.expect(runs);
        let played: Vec<Vec<Played>> = (0..runs).map(|run| play(context, &story, &rivals, run)).collect();
        outcome.tables.push(table(case, &story, &rivals, &played));
        outcome.charts.push(chart(case, &story, &rivals, &played[0]));
        hold(case, &story, &rivals, &played, &mut outcome.checks);
    }
    conclude(&mut outcome);
    outcome
}

/// What comes out, below the last table.
pub(crate) fn conclude(outcome: &mut Outcome) {
    let findings = findings(outcome);
    if let Some(last) = outcome.tables.last_mut() {
        last.conclude(&findings);
    }
}

impl Story {
    fn new(case: &Case, size: u64) -> Self {
        let stretches = traffic::stretches(case.traffic, size, case.repeats);
        let (mut exact, mut truth, mut live) = (ExactWindow::new(WINDOW), Vec::new(), Vec::new());
        for stretch in &stretches {
            let mut found = Vec::new();
            exact.run(stretch, &mut found);
            truth.push(found);
            live.push(exact.live());
        }
        Self { stretches, truth, live, size }
    }

    /// When it begins, in ticks.
    fn first(&self) -> u64 {
        let first = self.stretches.iter().flatten().next().expect("a traffic has sightings");
        first.tick - num::floor(first.at * num::real(WINDOW))
    }

    /// Different keys of a span of this many ticks: the most at any sighting, and the mean over all ends of stretches.
    fn keys(&self, span: u64) -> [u64; 2] {
        let (mut exact, mut most, mut sum) = (ExactWindow::new(span), 1, 0);
        let mut now = self.first();
        for stretch in &self.stretches {
            for sighting in stretch {
                exact.observe_at(sighting.key, sighting.tick);
                most = most.max(exact.live());
            }
            now += WINDOW / STRETCHES;
            exact.expire(now);
            sum += exact.live();
        }
        [most, num::ceil(num::real(sum) / num::size(self.stretches.len())).max(1)]
    }

    /// The most and the mean keys of a window and of a turn; only the most where they are near each other.
    fn loads(&self) -> Vec<Load> {
        let (windows, turns) = (self.keys(WINDOW), self.keys(WINDOW / GENERATIONS));
        let load = |name, i: usize| Load { name, window: windows[i], turn: turns[i] };
        let (peak, mean) = (load("peak", 0), load("mean", 1));
        let is_even = peak.window < mean.window * 3 / 2 && peak.turn < mean.turn * 3 / 2;
        if is_even { vec![peak] } else { vec![peak, mean] }
    }

    /// The bits a live key after each stretch where enough keys are live: when, and how many.
    fn bits(&self, played: &Played) -> Vec<(f64, f64)> {
        let at = |i: usize| (num::size(i) + 1.0) / num::real(STRETCHES);
        let all = self.live.iter().zip(&played.bits).enumerate();
        all.filter(|(_, (live, _))| **live * 20 >= self.size)
            .map(|(i, (live, bits))| (at(i), bits / num::real(*live)))
            .collect()
    }
}

/// One run of all rivals.
fn play(context: &Context, story: &Story, rivals: &[Rival], run: u64) -> Vec<Played> {
    let mut filters: Vec<_> = rivals.iter().map(|rival| (rival.build)(context.seed_of(run))).collect();
    let mut played: Vec<Played> = rivals.iter().map(|_| Played::default()).collect();
    let mut found = Vec::new();
    for (i, (stretch, truth)) in story.stretches.iter().zip(&story.truth).enumerate() {
        for place in 0..filters.len() {
            let place = (place + i) % filters.len();
            let (filter, played) = (&mut filters[place], &mut played[place]);
            let (time, ()) = cpu::timed(|| filter.run(stretch, &mut found));
            played.time += time;
            played.bits.push(filter.bits());
            truth.iter().zip(&found).for_each(|(truth, found)| played.mistakes.count(*found, *truth));
        }
    }
    context.progress.done();
    played
}

/// Peak and median of bits a live key.
fn bits(story: &Story, played: &Played) -> [f64; 2] {
    let mut bits: Vec<f64> = story.bits(played).into_iter().map(|(_, bits)| bits).collect();
    bits.sort_by(f64::total_cmp);
    bits.last().map_or([f64::NAN; 2], |&peak| [peak, bits[bits.len() / 2]])
}

/// A figure of one rival over all runs, by its run and that of the exact map.
fn over(played: &[Vec<Played>], rival: usize, of: impl Fn(&Played, &Played) -> f64) -> Sample {
    Sample::of(played.iter().map(|run| of(&run[rival], &run[0])))
}

fn table(case: &Case, story: &Story, rivals: &[Rival], played: &[Vec<Played>]) -> Table {
    let measures = vec![
        Measure::new("bits a live key, peak", 0),
        Measure::new("median", 0),
        Measure::ratio("time, exact map = 1"),
        Measure::powers("false duplicates"),
        Measure::new("missed, %", 2),
    ];
    let mut table = Table::new(case.title, &["filter", "planned for"], measures);
    // What an engineer writes in an hour is to be seen first.
    let (first, others): (Vec<_>, Vec<_>) =
        rivals.iter().enumerate().partition(|(_, rival)| [SETS, TIMES].contains(&rival.name.as_str()));
    for (i, rival) in first.into_iter().chain(others) {
        let mean = |of: &dyn Fn(&Played) -> f64| over(played, i, |played, _| of(played));
        let plain = |value: f64| Cell::default().ours(Sample::of([value]));
        table.row(
            &[&rival.name, rival.planned],
            vec![
                plain(mean(&|played| bits(story, played)[0]).mean),
                plain(mean(&|played| bits(story, played)[1]).mean),
                Cell::default().ours(over(played, i, |one, exact| one.time.as_secs_f64() / exact.time.as_secs_f64())),
                plain(mean(&|played| played.mistakes.false_rate()).mean),
                plain(100.0 * mean(&|played| played.mistakes.miss_rate()).mean),
            ],
        );
    }
    table
}

fn chart(case: &Case, story: &Story, rivals: &[Rival], played: &[Played]) -> Chart {
    let axes = (Axis::linear("time, windows"), Axis::log("bits a live key"));
    let title = format!("{}: bits a live key", case.title);
    let mut chart = Chart::new(case.picture, &title, axes.0, axes.1);
    for (name, planned) in DRAWN {
        let place = rivals.iter().position(|rival| rival.name == name && rival.planned == planned);
        let points = story.bits(&played[place.expect("a rival that takes part")]);
        let step = points.len().div_ceil(POINTS).max(1);
        chart.curve(name, points.into_iter().step_by(step).collect());
    }
    chart
}

/// Bits a live key of a window table at 0.1 % while traffic changes, at most; the library's tests have a bound for each traffic.
const MOST_BITS: f64 = 100.0;

/// As many live keys as this, or fewer, may take [`MOST_WHILE_SMALL`].
const SMALL: u64 = 4000;

/// The most bits of a window table beyond its bound.
fn over_the_bound(story: &Story, played: &Played) -> f64 {
    let bound = |live: u64| if live <= SMALL { num::real(8 * MOST_WHILE_SMALL) } else { MOST_BITS * num::real(live) };
    let over = |(live, bits): (&u64, &f64)| bits - bound(*live);
    story.live.iter().zip(&played.bits).map(over).fold(0.0, f64::max)
}

fn hold(case: &Case, story: &Story, rivals: &[Rival], played: &[Vec<Played>], checks: &mut Vec<Check>) {
    for (i, rival) in rivals.iter().enumerate() {
        let planned = if rival.planned.is_empty() { String::new() } else { format!(" for the {}", rival.planned) };
        let what = |text: &str| format!("{}, {}{planned}: {text}", case.picture, rival.name);
        let missed = over(played, i, |one, _| num::real(one.mistakes.missed));
        checks.push(Check::exactly(what("missed"), missed.mean, 0.0, 0.0));
        let (rate, unseen) = (over(played, i, |one, _| one.mistakes.false_rate()), played[0][i].mistakes.unseen);
        if rival.promises {
            checks.push(Check::at_most(what("false duplicates"), rate, TARGET).events(num::real(unseen)));
        }
        if case.uneven && rival.planned == "mean" {
            // What is planned for the mean breaks its promise.
            let check = Check::at_most(what("false duplicates, at least those asked for"), rate.times(-1.0), -TARGET);
            checks.push(check.events(num::real(unseen)));
        }
        if rival.name == TABLE {
            let over = over(played, i, |one, _| over_the_bound(story, one));
            checks.push(Check::exactly(what("bits at the peak, over the bound"), over.mean, 0.0, 0.0));
        }
    }
    debug_assert_eq!(rivals[0].name, EXACT);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loads_of_a_burst_are_its_peak_and_its_mean() {
        let story = Story::new(&CASES[3], 2000);
        let [peak, mean] = story.loads()[..] else { panic!("a burst has two loads") };
        // 4000 in the burst, 2000 a window otherwise, a tenth of them known.
        assert!((3500..3900).contains(&peak.turn) && (5000..5800).contains(&peak.window), "{peak:?}");
        assert!((250..450).contains(&mean.turn) && (2000..3000).contains(&mean.window), "{mean:?}");
    }

    #[test]
    fn findings_are_those_of_the_rows() {
        let context = Context { seed: 3, ..Context::quick(None) };
        let outcome = run(&context);
        let median = outcome.span(&[SETS, ""], "median");
        let notes = &outcome.tables[6].notes;
        assert!(
            notes.len() == 1
                && notes[0].contains(&format!("take {:.0} to {:.0} bits a live key", median[0], median[1]))
        );
        assert!(!notes[0].contains("NaN"), "{notes:?}");
    }

    #[test]
    fn steady_traffic_has_one_load() {
        let story = Story::new(&case("", "", "steady for ten windows", 0.0, false), 2000);
        let [peak] = story.loads()[..] else { panic!("steady traffic has one load") };
        assert!((248..253).contains(&peak.turn) && (1998..2003).contains(&peak.window), "{peak:?}");
    }
}
