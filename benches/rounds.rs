//! Rounds in which the rows of a table take turns, their figures, and the goals beside them.

use std::fmt::Write as _;

use crate::contender::{Contender, Verb};
use crate::{Effort, size_name};

/// The row that all others are multiples of.
pub(crate) const ROOF: usize = 0;

/// What one row times.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    pub(crate) name: String,
    /// Whose: its place among the contenders.
    contender: usize,
    verb: Verb,
    batch: usize,
    goals: Vec<Goal>,
}

/// At most `most` times the time of another row, at `from` bytes and above. Printed, never asserted.
#[derive(Debug, Clone)]
struct Goal {
    against: usize,
    most: f64,
    from: u64,
}

impl Row {
    pub(crate) fn new(name: &str, contender: usize, verb: Verb, batch: usize) -> Self {
        let suffix = if batch > 1 { format!(", {batch}") } else { String::new() };
        Self { name: format!("{name}{suffix}"), contender, verb, batch, goals: Vec::new() }
    }

    /// The same with a goal.
    pub(crate) fn at_most(mut self, most: f64, against: usize, from: u64) -> Self {
        self.goals.push(Goal { against, most, from });
        self
    }
}

/// Nanoseconds of an operation, by round and row.
pub(crate) struct Times(pub(crate) Vec<Vec<f64>>);

impl Times {
    /// The median time of a row.
    pub(crate) fn nanoseconds(&self, row: usize) -> f64 {
        self.median(|round| round[row])
    }

    /// The median of a row's ratio to another one in the same round.
    pub(crate) fn ratio(&self, row: usize, other: usize) -> f64 {
        self.median(|round| round[row] / round[other])
    }

    /// The median of something of a round.
    pub(crate) fn median(&self, of: impl Fn(&[f64]) -> f64) -> f64 {
        median(self.0.iter().map(|round| of(round)))
    }
}

/// Lets the rows take turns, and checks the answers.
pub(crate) fn measure(contenders: &mut [Contender], rows: &[Row], effort: &Effort) -> Times {
    let mut round = || -> Vec<f64> {
        rows.iter().map(|row| contenders[row.contender].time(row.verb, row.batch, effort.block)).collect()
    };
    round(); // the first meets cold caches
    let rounds = (0..effort.rounds).map(|_| round()).collect();
    contenders.iter().for_each(Contender::check);
    Times(rounds)
}

/// One table with a column for every size.
pub(crate) fn print_sizes(title: &str, effort: &Effort, rows: &[Row], build: impl Fn(u64) -> Vec<Contender>) {
    let columns: Vec<(u64, Times)> =
        effort.sizes.iter().map(|&size| (size, measure(&mut build(size), rows, effort))).collect();
    print!("\n{title}\n{:34}", "ns per operation (x roof)");
    columns.iter().for_each(|(size, _)| print!("{:>18}", size_name(*size)));
    for (at, row) in rows.iter().enumerate() {
        print!("\n{:34}", row.name);
        for (_, times) in &columns {
            print!("{:>18}", format!("{:.1} ({:.2})", times.nanoseconds(at), times.ratio(at, ROOF)));
        }
        print!("{}", goals(rows, at, &columns));
    }
    println!("\n{}", legend(effort));
}

/// How the figures came about, and what the goals say.
pub(crate) fn legend(effort: &Effort) -> String {
    format!(
        "medians of {} interleaved rounds of {} operations; a goal is the most that a row may take, as a multiple of \
         another row in the same round",
        effort.rounds, effort.block
    )
}

/// The goals of a row: for each, what it is and how it stands at every size that it is for.
pub(crate) fn goals(rows: &[Row], at: usize, columns: &[(u64, Times)]) -> String {
    let mut text = String::new();
    for goal in &rows[at].goals {
        let sizes = columns.iter().filter(|(size, _)| *size >= goal.from);
        let marks: Vec<String> = sizes.map(|(_, times)| mark(times.ratio(at, goal.against), goal.most)).collect();
        if !marks.is_empty() {
            let against = &rows[goal.against].name;
            write!(text, "   <= {:.2} {against}: {}", goal.most, marks.join(", ")).expect("a string has room");
        }
    }
    text
}

fn mark(ratio: f64, most: f64) -> String {
    format!("{ratio:.2} {}", if ratio <= most { "met" } else { "missed" })
}

pub(crate) fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
