//! Time-limited Bloom filter, what its paper does not show: bursts, a pause, keys that linger, memory at a thousandfold.

use lately::Filter;

use super::time_limited::{Arrivals, PER_SECOND, SPAN, Timed, WINDOW, request};
use crate::check::Check;
use crate::context::Context;
use crate::laws::generations::Generations;
use crate::num;
use crate::outcome::{Axis, Cell, Chart, Measure, Outcome, Table};
use crate::sample::Sample;

const RATE: f64 = 1e-3;
/// The pair of the paper for the rate, with as many slices as lately's default plan may have.
const PAIR: (u64, u64) = (12, 14);
/// A burst begins here, that many seconds in.
const BEGIN: f64 = 2.0 * SPAN;
const FACTORS: [f64; 3] = [10.0, 100.0, 1000.0];

pub(crate) fn run(context: &Context) -> Outcome {
    let runs = context.pick(6, 10, 20);
    let length = context.pick(10.0, 60.0, 300.0);
    let mut outcome = Outcome::new(format!(
        "Span 300 s, error rate {RATE}, arrivals by Poisson's law at 10 a second, lately's own plan; bursts of {length} s; \
         {runs} runs."
    ));
    bursts(context, runs, length, &mut outcome);
    let pause = pauses(context, runs, &mut outcome.checks);
    outcome.tables.push(pause);
    let renewal = renewal(context, runs, &mut outcome.checks);
    outcome.tables.push(renewal);
    lingering(context, runs, &mut outcome);
    outcome
}

/// What a burst does: rates and bits over time.
#[derive(Default)]
struct Story {
    /// Seconds, rate by the fills, bits: ours, then the equations'.
    ours: Vec<(f64, f64, f64)>,
    printed: Vec<(f64, f64, f64)>,
    /// The most keys of the span.
    keys: u64,
    missed: u64,
}

/// Base rate, a burst, base rate again for two spans.
fn story(factor: f64, length: f64, seed: u64) -> Story {
    let (mut filter, mut paper) =
        (Timed::new(&request(WINDOW).error_rate(RATE), seed), Generations::new(PAIR, WINDOW, SPAN));
    let (mut arrivals, mut story) = (Arrivals::new(seed), Story::default());
    let (end, last) = (BEGIN + length, BEGIN + length + 2.0 * SPAN);
    // Twenty looks at each part, and more at the burst.
    for (until, rate, look) in [(BEGIN, 1.0, BEGIN / 20.0), (end, factor, length / 100.0), (last, 1.0, SPAN / 50.0)] {
        let mut next = 0.0;
        for now in arrivals.until(until, rate * PER_SECOND) {
            filter.insert(now);
            paper.insert(now);
            if now >= next {
                next = now + look;
                story.ours.push((now, filter.stats().error_rate, filter.bits()));
                story.printed.push((now, paper.rate(now), paper.bits()));
                story.keys = story.keys.max(filter.live(now));
                story.missed += filter.missed(now, num::index(filter.live(now) / 200 + 1));
            }
        }
    }
    story
}

/// The peak of the second or third of each.
fn peak(looks: &[(f64, f64, f64)], of: fn(&(f64, f64, f64)) -> f64) -> f64 {
    looks.iter().filter(|look| look.0 >= BEGIN).map(of).fold(0.0, f64::max)
}

fn bursts(context: &Context, runs: u64, length: f64, outcome: &mut Outcome) {
    let plan = Filter::plan(&request(WINDOW).error_rate(RATE)).expect("a plan");
    let measures = vec![
        Measure::new("keys of the span, most", 0),
        Measure::powers("rate, peak"),
        Measure::new("bits per key at the peak of memory", 1),
        Measure::new("memory two spans later over that before", 2),
    ];
    let mut table = Table::new("A burst", &["times the usual rate"], measures).note(format!(
        "Formula: the paper's equations 3 to 8 with its pair {PAIR:?}, on the same arrivals. A burst takes more slices than \
         k + l for a while, each a chance more for an absent key, so that the rate climbs past {RATE}. The paper's filter fills \
         its old, small slices one after another; lately's new slices are larger and emptier while the stream climbs, but for a burst of a thousand times its peak is the higher one. Afterwards the paper's filter keeps the burst's memory for as long as the usual rate needs to fill \
         slices of the burst's size, since its generations end only when full; lately's end by time too. Bits per key: the most memory over the most keys of a span; the plan says {:.1}.",
        plan.bits_per_key
    ));
    let time = || Axis::linear("time since the burst began, s");
    let (rate, bits) = (Axis::linear("rate of false positives"), Axis::log("memory, bits"));
    let mut rates = Chart::new("burst-rate", "Time-limited: the rate through a burst", time(), rate);
    let mut memory = Chart::new("burst-memory", "Time-limited: memory through a burst", time(), bits);
    for factor in FACTORS {
        let stories = context.runs(runs, |seed| story(factor, length, seed));
        let name = format!("x {factor}");
        for (whose, looks) in SIDES {
            rates.measured_curve(format!("{name} {whose}"), through(&stories, looks, |look| look.1));
            memory.measured_curve(format!("{name} {whose}"), through(&stories, looks, |look| look.2));
        }
        row(&name, &stories, plan.bits_per_key, &mut table, &mut outcome.checks);
    }
    outcome.tables.push(table);
    let note = format!("A burst of {length} s; rates by the fills.");
    outcome.charts.extend([rates.note(note.clone()), memory.note(note)]);
}

type Look = (f64, f64, f64);

/// What one side of the comparison saw.
type Side = fn(&Story) -> &[Look];

const SIDES: [(&str, Side); 2] = [("ours", |story| &story.ours), ("equations", |story| &story.printed)];

/// A figure of all runs from half a span before the burst on. Keys come at random, and so do the looks: at each look of the
/// first run, the last one of every run.
fn through(stories: &[Story], looks: fn(&Story) -> &[Look], of: fn(&Look) -> f64) -> Vec<(f64, Sample)> {
    let last = |story: &Story, now: f64| {
        let seen = looks(story).partition_point(|look| look.0 <= now);
        seen.checked_sub(1).map_or(f64::NAN, |i| of(&looks(story)[i]))
    };
    let times = looks(&stories[0]).iter().map(|look| look.0).filter(|&now| now > BEGIN - SPAN / 2.0);
    times.map(|now| (now - BEGIN, Sample::of(stories.iter().map(|story| last(story, now))))).collect()
}

fn row(name: &str, stories: &[Story], planned: f64, table: &mut Table, checks: &mut Vec<Check>) {
    let sample = |of: &dyn Fn(&Story) -> f64| Sample::of(stories.iter().map(of));
    let per_key = |story: &Story, looks: &[(f64, f64, f64)]| peak(looks, |look| look.2) / num::real(story.keys);
    let before =
        |looks: &[(f64, f64, f64)]| looks.iter().rev().find(|look| look.0 < BEGIN).map_or(f64::NAN, |look| look.2);
    let after = |looks: &[(f64, f64, f64)]| looks.last().map_or(f64::NAN, |look| look.2) / before(looks);
    let rate = sample(&|story| peak(&story.ours, |look| look.1));
    let bits = sample(&|story| per_key(story, &story.ours));
    let back = sample(&|story| after(&story.ours));
    let cells = vec![
        Cell::default().ours(sample(&|story| num::real(story.keys))),
        Cell::default().formula(sample(&|story| peak(&story.printed, |look| look.1)).mean).ours(rate),
        Cell::default().formula(sample(&|story| per_key(story, &story.printed)).mean).ours(bits),
        Cell::default().formula(sample(&|story| after(&story.printed)).mean).ours(back),
    ];
    table.row(&[name], cells);
    let missed: u64 = stories.iter().map(|story| story.missed).sum();
    checks.push(Check::exactly(format!("{name}: keys of the span missed"), num::real(missed), 0.0, 0.0));
    // A burst costs at most the slices that its climb has more than k + l, and their room: twice the plan.
    checks.push(Check::at_most(format!("{name}: bits per key at the peak"), bits, 2.0 * planned));
    checks.push(Check::at_most(format!("{name}: peak of the rate"), rate, 2.0 * RATE));
    checks.push(Check::at_most(format!("{name}: the peak passes the usual rate"), rate.times(-1.0), -RATE));
    checks.push(Check::about(format!("{name}: memory afterwards over before"), back, 1.0).slack(0.25));
}

/// Pauses in spans.
const PAUSES: [f64; 5] = [0.0, 0.5, 0.9, 1.1, 2.0];

/// The share of the last span's keys that are found after a pause.
fn pauses(context: &Context, runs: u64, checks: &mut Vec<Check>) -> Table {
    let mut table = Table::new("A pause", &["pause, spans"], vec![Measure::new("keys still found, %", 1)]).note(
        "Nothing comes and nothing is inserted. Formula: the share of the keys that are not older than the span. No insertion is \
         needed for keys to age: a slice is left out as soon as its last insertion is older than the span, so that after a \
         span and one generation nothing is left but the error rate. The reference implementation of the paper stamps a \
         slice only when it stops filling, and its newest k slices then last as long as the pause (read in its source).",
    );
    let generation = 1.0 / num::real(Filter::plan(&request(WINDOW).error_rate(RATE)).expect("a plan").l);
    for pause in PAUSES {
        let found = context.runs(runs, |seed| {
            let mut filter = Timed::new(&request(WINDOW).error_rate(RATE), seed);
            Arrivals::new(seed).until(3.0 * SPAN, PER_SECOND).for_each(|now| filter.insert(now));
            let first = filter.times.partition_point(|&time| time < 2.0 * SPAN);
            let now = (3.0 + pause) * SPAN;
            let keys = first..filter.times.len();
            let found = keys.clone().filter(|&key| filter.has(num::wide(key), now)).count();
            (100.0 * num::size(found) / num::size(keys.len()), filter.missed(now, 1))
        });
        let (share, law) = (Sample::of(found.iter().map(|run| run.0)), 100.0 * (1.0 - pause).max(0.0));
        table.row(&[&format!("{pause}")], vec![Cell::default().formula(law).ours(share)]);
        // Keys linger for a generation, and then for ever less.
        let more = if pause > 1.0 { 100.0 * RATE } else { 300.0 * generation };
        checks.push(Check::at_most(format!("a pause of {pause} spans: keys found, %"), share, law + more));
        let missed = found.iter().map(|run| num::real(run.1)).sum();
        checks.push(Check::exactly(format!("a pause of {pause} spans: keys of the span missed"), missed, 0.0, 0.0));
    }
    table
}

/// Every so many keys one comes back, half a span after it came first.
const RETURNS: usize = 50;

/// A key that comes back counts from then on: it must be found for a whole span more.
fn renewal(context: &Context, runs: u64, checks: &mut Vec<Check>) -> Table {
    let mut table = Table::new("A key that comes back", &["seconds after it came back"], vec![Measure::new("keys missed", 0)]).note(
        "One key of fifty is observed again half a span after it came first. All of them must be found up to a span after that, when \
         they came first one span and a half before.",
    );
    let ages = [0.5, 0.9, 0.999].map(|part| part * SPAN);
    let missed = context.runs(runs, |seed| ages.map(|age| unrenewed(seed, age)));
    for (i, age) in ages.into_iter().enumerate() {
        let all = missed.iter().map(|run| num::real(run[i])).sum();
        table.row(&[&format!("{age:.1}")], vec![Cell::default().formula(0.0).ours(Sample::of([all]))]);
        checks.push(Check::exactly(format!("{age:.1} s after it came back: keys missed"), all, 0.0, 0.0));
    }
    table
}

/// Keys that came back this long ago and are not found.
fn unrenewed(seed: u64, age: f64) -> u64 {
    let mut filter = Timed::new(&request(WINDOW).error_rate(RATE), seed);
    let (mut back, mut asked, mut missed) = (Vec::new(), 0, 0);
    for now in Arrivals::new(seed).until(4.0 * SPAN, PER_SECOND) {
        filter.insert(now);
        while filter.times[RETURNS * back.len()] < now - SPAN / 2.0 {
            filter.again(num::wide(RETURNS * back.len()), now);
            back.push(now);
        }
        while back.get(asked).is_some_and(|&then| then < now - age) {
            // Arrivals are some tenths of a second apart: one that came late may be too old.
            let is_young = now - back[asked] < SPAN;
            missed += u64::from(is_young && !filter.has(num::wide(RETURNS * asked), now));
            asked += 1;
        }
    }
    missed
}

/// Generations past the span.
const AGES: [f64; 9] = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0];

/// How long keys are found that are older than the span.
fn lingering(context: &Context, runs: u64, outcome: &mut Outcome) {
    let plan = Filter::plan(&request(WINDOW).error_rate(RATE)).expect("a plan");
    let generation = SPAN / num::real(plan.l);
    // Slices have the margin, so that they are a little emptier than planned.
    let fill = -((-plan.fill).ln_1p() / (1.0 + plan.margin)).exp_m1();
    let mut table =
        Table::new("Past the span", &["age past the span, generations"], vec![Measure::new("keys still found, %", 2)]).note(
            "Formula: a key is found with certainty to the end of the generation in which it turns older than the span; j \
             generations later j of its slices are gone, and j others must have the bits by chance: fill^j, and the error \
             rate. A key that must be found again with certainty is younger; one that must not be found is eight generations, a good third of a \
             span, older. At 0 a key has just turned older than the span (younger ones were all found), and the last of a \
             generation is gone.",
        );
    let queries = context.pick(4, 10, 20);
    let found = context.runs(runs, |seed| AGES.map(|age| linger(age * generation, seed, queries)));
    let (mut ours, mut law) = (Vec::new(), Vec::new());
    for (i, age) in AGES.into_iter().enumerate() {
        let (j, part) = (age.floor(), age - age.floor());
        let chance = 100.0 * ((1.0 - part) * fill.powf(j) + part * fill.powf(j + 1.0) + plan.error_rate_mean);
        let share = Sample::of(found.iter().map(|run| 100.0 * run[i]));
        table.row(&[&format!("{age}")], vec![Cell::default().formula(chance.min(100.0)).ours(share)]);
        // Generations end early where keys crowd, so that ages in generations are known to a tenth.
        let check = Check::about(format!("{age} generations past the span: keys found, %"), share, chance.min(100.0));
        outcome.checks.push(check.slack(0.5 + 0.1 * chance));
        ours.push((age, share));
        law.push((age, chance));
    }
    let (x, y) = (Axis::linear("age past the span, generations"), Axis::log("keys still found, %"));
    let mut chart = Chart::new("past-the-span", "Time-limited: keys past the span", x, y)
        .note(format!("A generation is {generation:.1} s of a span of {SPAN} s."));
    chart.curve("fill^j and the error rate", law);
    chart.measured("ours", ours);
    outcome.charts.push(chart);
    outcome.tables.push(table);
}

/// The share of keys of just this age past the span that are found, over some generations.
fn linger(past: f64, seed: u64, spans: u64) -> f64 {
    let mut filter = Timed::new(&request(WINDOW).error_rate(RATE), seed);
    let (mut arrivals, mut found, mut asked) = (Arrivals::new(seed), 0, 0);
    let end = num::real(2 + spans) * SPAN;
    let mut oldest = 0;
    for now in arrivals.until(end, PER_SECOND) {
        filter.insert(now);
        while filter.times[oldest] < now - SPAN - past {
            // Asked once, as it comes of age.
            if now > 2.0 * SPAN {
                (found, asked) = (found + u64::from(filter.has(num::wide(oldest), now)), asked + 1);
            }
            oldest += 1;
        }
    }
    num::real(found) / num::real(asked)
}
