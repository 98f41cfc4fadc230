//! QHT, Tables 2 and 4: six filters on uniform streams far longer than their memory, as published and done right; and on
//! the real streams that are at hand.

use crate::baselines::Reading;
use crate::check::Check;
use crate::context::{Context, Length};
use crate::detector::{Mistakes, judge};
use crate::laws::uniform_stream::Uniform;
use crate::num;
use crate::outcome::{Cell, Measure, Outcome, Table};
use crate::sample::Sample;
use crate::{real, streams};

use super::qht_contest::{ALL, Entrant, Setting};

const LENGTH: u64 = 150_000_000;
const WINDOW: u64 = 6000;
const MEMORIES: [u64; 4] = [8_000_000, 1_000_000, 100_000, 10_000];
const ALPHABETS: [(u64, &str); 2] = [(1 << 24, "88.82 %"), (1 << 27, "39.79 %")];
const READINGS: [Reading; 2] = [Reading::Published, Reading::Correct];

/// What laws that neglect the repeats of other keys leave open, and what the rounding of scaled integers does, in points.
const LAW_SLACK: f64 = 0.4;
/// The same for Cuckoo and A2. Where their memory holds a good part of the alphabet, repeats that are found keep it emptier than
/// the law says: by 0.57 and 0.52 points at the paper's own length with 8,000,000 bits, where ours are the paper's.
const WIDE_LAW_SLACK: f64 = 0.7;
const PAPER_SLACK: f64 = 1.0;
/// The same at the paper's own length, where nothing is rounded: half a unit of its last digit, and the spread that it names
/// for its runs, 0.01 points, twice.
const AT_LENGTH_SLACK: f64 = 0.025;

/// Table 4 by stream, memory and filter: FPR and FNR in percent.
const PAPER: [[[(f64, f64); 6]; 4]; 2] = [
    [
        [(21.87, 64.62), (12.02, 70.74), (27.80, 69.14), (25.94, 71.85), (35.22, 52.84), (0.00, 99.96)],
        [(24.60, 73.67), (14.00, 83.80), (28.41, 71.19), (26.43, 73.30), (37.72, 60.77), (0.17, 99.79)],
        [(24.94, 74.84), (14.26, 85.53), (28.52, 71.44), (26.49, 73.49), (38.00, 61.83), (27.46, 72.51)],
        [(24.98, 74.99), (14.28, 85.69), (28.55, 71.47), (26.50, 73.50), (38.03, 61.97), (99.67, 0.31)],
    ],
    [
        [(24.42, 72.09), (13.86, 81.52), (28.39, 70.82), (26.40, 73.00), (37.54, 59.32), (0.00, 99.99)],
        [(24.92, 74.64), (14.24, 85.18), (28.50, 71.41), (26.47, 73.44), (38.00, 61.60), (0.17, 99.82)],
        [(24.99, 74.96), (14.29, 85.66), (28.51, 71.49), (26.49, 73.50), (38.05, 61.91), (27.46, 72.52)],
        [(25.00, 74.99), (14.28, 85.72), (28.52, 71.49), (26.49, 73.51), (38.02, 61.97), (99.69, 0.31)],
    ],
];

/// The same for the paper's crawl of 150 million URLs, 10.3 % of them duplicates; it is not at hand.
const PAPER_REAL: [[(f64, f64); 6]; 4] = [
    [(24.61, 26.64), (14.00, 29.78), (28.23, 38.26), (25.10, 28.98), (37.72, 21.21), (0.00, 45.22)],
    [(24.95, 30.22), (14.25, 34.14), (28.30, 40.65), (25.23, 31.94), (38.00, 24.11), (0.15, 45.16)],
    [(24.99, 33.22), (14.28, 37.94), (28.33, 43.51), (25.42, 34.03), (38.05, 26.83), (25.75, 33.64)],
    [(25.00, 41.45), (14.29, 44.46), (28.37, 50.49), (26.00, 50.29), (38.01, 28.41), (99.58, 0.20)],
];

/// Table 2 by stream, memory and filter: the sums of both rates as they are printed, which are those of rates before rounding.
const PAPER_SUMS: [[[f64; 6]; 4]; 2] = [
    [
        [86.49, 82.76, 96.94, 97.79, 88.06, 99.96],
        [98.27, 97.80, 99.60, 99.74, 98.49, 99.96],
        [99.78, 99.79, 99.96, 99.98, 99.84, 99.96],
        [99.97, 99.97, 100.02, 99.99, 100.00, 99.98],
    ],
    [
        [96.51, 95.37, 99.21, 99.40, 96.86, 99.99],
        [99.56, 99.42, 99.91, 99.91, 99.60, 99.99],
        [99.94, 99.95, 100.00, 99.99, 99.96, 99.98],
        [100.00, 100.00, 100.00, 100.00, 99.99, 100.00],
    ],
];

/// The same for the paper's crawl.
const PAPER_REAL_SUMS: [[f64; 6]; 4] = [
    [51.25, 43.78, 66.48, 54.08, 58.94, 45.22],
    [55.18, 48.38, 68.96, 57.17, 62.12, 45.30],
    [58.21, 52.22, 71.83, 59.44, 64.88, 59.39],
    [66.45, 58.75, 78.86, 76.29, 66.42, 99.77],
];

/// The cells that are measured at the paper's own length, as published: the stream and the memory. The default length has
/// the first of them, the full one all: at five runs of every cell this experiment alone would take a day.
const AT_LENGTH: [(usize, usize); 3] = [(1, 1), (0, 0), (1, 0)];
/// Its runs; each takes minutes.
const RUNS_AT_LENGTH: u64 = 2;

/// One filter on one stream.
#[derive(Debug, Clone, Copy)]
struct Job {
    stream: usize,
    memory: usize,
    reading: Reading,
    run: u64,
    scale: u64,
    entrant: Entrant,
}

/// By what lengths, alphabets and memories are divided.
struct Scales {
    usual: u64,
    runs: u64,
    memories: usize,
    at_length: &'static [(usize, usize)],
}

impl Scales {
    fn new(context: &Context) -> Self {
        Self {
            usual: context.pick(256, 64, 16),
            runs: context.pick(1, 5, 5),
            memories: context.pick(3, 4, 4),
            at_length: &AT_LENGTH[..context.pick(0, 1, AT_LENGTH.len())],
        }
    }

    /// Of one cell, with its runs.
    fn of(&self, stream: usize, memory: usize, reading: Reading) -> (u64, u64) {
        if self.at_length.contains(&(stream, memory)) && reading == Reading::Published {
            (1, RUNS_AT_LENGTH)
        } else {
            (self.usual, self.runs)
        }
    }
}

pub(crate) fn run(context: &Context) -> Outcome {
    let scales = Scales::new(context);
    let mut outcome = Outcome::new(
        "Uniform streams over 2^24 and 2^27 keys, 150,000,000 long. Where the column says so, length, alphabet, memory and \
         b_DBF's window of 6000 are divided, which leaves the rates but for the rounding of small integers (b_DBF's steps; with 10,000 bits SBF's and A2's \
         cells).",
    );
    let jobs = jobs(&scales);
    let measured = context.each_noted(&jobs, |job| format!("{job:?}"), |job| play(context, job));
    for reading in READINGS {
        let mut table = table(reading);
        for stream in 0..ALPHABETS.len() {
            for memory in 0..scales.memories {
                let scale = scales.of(stream, memory, reading).0;
                let here = |job: &Job| job.stream == stream && job.memory == memory && job.reading == reading;
                let all: Vec<Mistakes> =
                    jobs.iter().zip(&measured).filter(|(job, _)| here(job)).map(|(_, mistakes)| *mistakes).collect();
                let mistakes: Vec<&[Mistakes]> = all.chunks_exact(ALL.len()).collect();
                let place = Place { stream, memory, setting: setting(memory, reading, scale), scale };
                place.rows(&mistakes, &mut table, &mut outcome.checks);
            }
        }
        outcome.tables.push(table);
    }
    if context.length != Length::Quick {
        outcome.tables.extend(real_table());
    }
    outcome
}

fn jobs(scales: &Scales) -> Vec<Job> {
    let mut jobs = Vec::new();
    for stream in 0..ALPHABETS.len() {
        for memory in 0..scales.memories {
            for reading in READINGS {
                let (scale, runs) = scales.of(stream, memory, reading);
                for run in 0..runs {
                    jobs.extend(ALL.map(|entrant| Job { stream, memory, reading, run, scale, entrant }));
                }
            }
        }
    }
    jobs
}

fn setting(memory: usize, reading: Reading, scale: u64) -> Setting {
    Setting { reading, memory: MEMORIES[memory] / scale, window: WINDOW / scale }
}

fn play(context: &Context, job: &Job) -> Mistakes {
    let (seed, scale) = (context.seed_of(job.run), job.scale);
    let setting = setting(job.memory, job.reading, scale);
    let mut filter = [job.entrant.build(&setting, seed)];
    judge(&mut filter, streams::uniform(seed, ALPHABETS[job.stream].0 / scale, LENGTH / scale))[0]
}

fn table(reading: Reading) -> Table {
    let measures = ["FPR, %", "FNR, %", "FPR + FNR, %"].map(|name| Measure::new(name, 2)).to_vec();
    let title = format!("Tables 2 and 4, baselines {}", reading.name());
    let table = Table::new(&title, &["duplicates", "bits in the paper", "divided by", "filter"], measures);
    match reading {
        Reading::Published => table.note(
            "With the benchmark's mistakes the paper's column appears: SBF present if any cell is set (26.5 for a target \
             of 2 %, the footnote's unfound bug), A2 with ln for log2 (38 for 10 %), b_DBF with an unset cell present \
             while the running step is 0, Cuckoo with a fingerprint of 0 turned into 1 and 20 to 31 % of the memory, SQF \
             with rows rounded down to a power of two. QHT is lately's and has no such form. \
             Scaled down, b_DBF's window is cut into fewer steps: 27.7 at a sixteenth, where the paper has 27.5. \
             Where nothing is divided the printed figures appear to a few hundredths of a point.",
        ),
        Reading::Correct => table.note(
            "Done right and given the whole memory, the baselines are what their papers ask for: SBF 2 %, A2 8 % (10 asked \
             for). With 1,000,000 bits and fewer the sum of both rates is close to 100 % for all of them: every filter is saturated, as \
             Claim 4.1 says. With 8,000,000 QHT, SQF, Cuckoo and A2 are not yet. Where \
             memory is largest QHT is ahead of SQF by 0.2 points and of Cuckoo by 0.5 to 2, not by 4 and 14. \
             The paper's column is that of the published form and is repeated for comparison.",
        ),
    }
}

/// A place of the table: which stream, which memory.
struct Place {
    stream: usize,
    memory: usize,
    setting: Setting,
    scale: u64,
}

impl Place {
    fn rows(&self, mistakes: &[&[Mistakes]], table: &mut Table, checks: &mut Vec<Check>) {
        let (alphabet, duplicates) = ALPHABETS[self.stream];
        let stream = Uniform::new(alphabet / self.scale, LENGTH / self.scale);
        for (i, entrant) in ALL.iter().enumerate() {
            let law = entrant.law(&self.setting, &stream);
            let of = |rate: fn(&Mistakes) -> f64| Sample::of(mistakes.iter().map(|m| 100.0 * rate(&m[i])));
            let ours = [of(Mistakes::false_rate), of(Mistakes::miss_rate), of(|m| m.false_rate() + m.miss_rate())];
            let (unseen, missed) = PAPER[self.stream][self.memory][i];
            let laws = [law.unseen, law.missed, law.unseen + law.missed].map(|rate| 100.0 * rate);
            let cell = |((paper, law), ours): ((f64, f64), Sample)| Cell {
                paper: Some(paper),
                formula: law.is_finite().then_some(law),
                ours: Some(ours),
                ..Cell::default()
            };
            let sum = PAPER_SUMS[self.stream][self.memory][i];
            let cells = [unseen, missed, sum].into_iter().zip(laws).zip(ours).map(cell).collect();
            table
                .row(&[duplicates, &MEMORIES[self.memory].to_string(), &self.scale.to_string(), entrant.name()], cells);
            let one = &mistakes[0][i];
            let trials = [one.unseen, one.duplicates].map(|trials| num::real(trials) / 100.0);
            self.hold(*entrant, [unseen, missed], laws, ours, trials, checks);
        }
    }

    fn hold(
        &self,
        entrant: Entrant,
        paper: [f64; 2],
        laws: [f64; 3],
        ours: [Sample; 3],
        trials: [f64; 2],
        checks: &mut Vec<Check>,
    ) {
        for (i, name) in [(0, "FPR"), (1, "FNR")] {
            let (memory, reading) = (MEMORIES[self.memory], self.setting.reading.name());
            let what = format!("{}, {memory} bits, {} {reading}: {name}", ALPHABETS[self.stream].1, entrant.name());
            if laws[i].is_finite() {
                checks.push(
                    Check::about(format!("{what} by its law"), ours[i], laws[i])
                        .slack(law_slack(entrant))
                        .events(trials[i]),
                );
            }
            if self.setting.reading == Reading::Published && self.is_like_the_papers(entrant) {
                let check = Check::about(format!("{what} in the paper"), ours[i], paper[i]).runs_behind(5);
                let slack = if self.scale == 1 { AT_LENGTH_SLACK } else { PAPER_SLACK };
                checks.push(check.slack(slack).events(trials[i]));
            }
        }
    }

    /// Whether the integers of the scaled filter are those of the paper, nearly: b_DBF cuts its window into few steps.
    fn is_like_the_papers(&self, entrant: Entrant) -> bool {
        self.setting.memory >= 1500 && (entrant != Entrant::BlockDecaying || self.setting.window >= 300)
    }
}

const fn law_slack(entrant: Entrant) -> f64 {
    match entrant {
        Entrant::Cuckoo | Entrant::A2 => WIDE_LAW_SLACK,
        _ => LAW_SLACK,
    }
}

/// The real streams at hand, in filters as much too small for them as the paper's.
fn real_table() -> Option<Table> {
    let measures = ["FPR, %", "FNR, %", "FPR + FNR, %"].map(|name| Measure::new(name, 2)).to_vec();
    let mut table = Table::new("Table 2, real streams", &["stream", "bits", "baselines", "filter"], measures).note(
        "The paper's crawl (150 million URLs, 10.3 % duplicates) is not at hand; its rows are repeated, in the form that \
         was published. The other streams are those next to this repository; one run each, since nothing is drawn but \
         victims. Keys that come back soon are found by every filter, so the sums are far below 100 %, but \
         for b_DBF with 10,000 bits, which calls most keys duplicates. Done right, SBF has \
         the smallest sum on the DNS queries and A2 on the web log at 100,000 bits and \
         on the object accesses at 10,000: which filter is best depends on how soon keys come back.",
    );
    for ((memory, row), sums) in MEMORIES.iter().zip(PAPER_REAL).zip(PAPER_REAL_SUMS) {
        for ((entrant, (unseen, missed)), sum) in ALL.iter().zip(row).zip(sums) {
            let cells = [unseen, missed, sum].map(|paper| Cell::default().paper(paper)).to_vec();
            table.row(&["the paper's crawl", &memory.to_string(), Reading::Published.name(), entrant.name()], cells);
        }
    }
    let streams = real::streams();
    for stream in &streams {
        for memory in [100_000, 10_000] {
            READINGS.iter().for_each(|&reading| real_rows(stream, memory, reading, &mut table));
        }
    }
    (!streams.is_empty()).then_some(table)
}

fn real_rows(stream: &real::Real, memory: u64, reading: Reading, table: &mut Table) {
    let setting = Setting { reading, memory, window: WINDOW };
    let mut detectors: Vec<_> = ALL.iter().map(|entrant| entrant.build(&setting, 1)).collect();
    let mistakes = judge(&mut detectors, streams::with_truth(&stream.keys).into_iter());
    for (entrant, mistakes) in ALL.iter().zip(mistakes) {
        let rates = [mistakes.false_rate(), mistakes.miss_rate(), mistakes.false_rate() + mistakes.miss_rate()];
        let cells = rates.map(|rate| Cell::default().ours(Sample::of([100.0 * rate]))).to_vec();
        table.row(&[stream.name, &memory.to_string(), reading.name(), entrant.name()], cells);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A printed sum is that of two printed rates, except what rounding each of the three does.
    #[test]
    fn printed_sums_are_those_of_printed_rates_but_for_rounding() {
        let rates = PAPER.iter().flatten().chain(&PAPER_REAL).flatten();
        let sums = PAPER_SUMS.iter().flatten().chain(&PAPER_REAL_SUMS).flatten();
        let apart: Vec<f64> = rates.zip(sums).map(|(rates, sum)| (rates.0 + rates.1 - sum).abs()).collect();
        assert!(apart.len() == 72 && apart.iter().all(|&apart| apart < 0.0151), "{apart:?}");
        assert_eq!(apart.iter().filter(|&&apart| apart > 0.005).count(), 18);
    }
}
