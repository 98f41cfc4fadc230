//! The field: the same streams through code that people run today, each its own package, behind a driver of its language.
//!
//! In each round every rival runs each workload in a process of its own, one after the other, with lately in the same language among
//! them; a ratio of times is taken within a round, and the median of the rounds is shown. The drivers count what their rival says wrong; an
//! exact map counts it once more, and a driver that says something else is refused. What cannot be built or is refused is named.
//!
//! The quick form needs no package: lately, and what an engineer writes in an hour, in this process.

use std::collections::BTreeMap;
use std::sync::LazyLock;
use std::time::Instant;

use lately_field::line::{Documented, Listed, Ran};
use lately_field::play::{self, Meter};
use lately_field::rival::{Entry, Rival, SIMPLE};
use lately_field::stream::{Key, WORKLOADS, Workload};

use crate::context::{Context, Length};
use crate::num;
use crate::outcome::Outcome;
use crate::wrong::Mistake;

use super::field_drivers::{self, Driver};
use super::field_oracle::Oracle;
use super::field_tables;

/// Where drivers build, seen from the tree.
const BUILD: &str = "target/field";

/// How often a run is tried: other work on the machine makes a clock late.
const TRIES: usize = 3;

/// A rival, and how it is run.
pub(super) struct Subject {
    pub(super) listed: Listed,
    way: Way,
}

enum Way {
    /// In this process.
    Inside(Entry),
    Outside(Driver),
}

/// What was found.
#[derive(Default)]
pub(super) struct Found {
    /// By rival and workload: one run of each round, if it was not refused.
    pub(super) runs: BTreeMap<(usize, &'static str), Vec<Option<Ran>>>,
    pub(super) documented: Vec<(usize, Documented)>,
    /// What is not there, and why.
    pub(super) left_out: Vec<String>,
}

pub(crate) fn run(context: &Context) -> Outcome {
    let mut found = Found::default();
    let subjects = subjects(context, &mut found);
    let rounds = context.pick(1, 3, 7);
    let workloads = WORKLOADS.iter().filter(|workload| workload.is_short() == (context.length == Length::Quick));
    let workloads: Vec<&Workload> = workloads.collect();
    context.progress.expect(rounds * num::wide(workloads.len()));
    for round in 0..rounds {
        for workload in &workloads {
            one_round(context, round, workload, &subjects, &mut found);
            context.progress.done();
        }
    }
    for (i, subject) in subjects.iter().enumerate() {
        match subject.documented() {
            Ok(figures) => found.documented.extend(figures.into_iter().map(|figure| (i, figure))),
            Err(error) => found.leave_out(format!("{}, documented figures: {error}", subject.name())),
        }
    }
    field_tables::outcome(&subjects, &workloads, rounds, &found)
}

fn subjects(context: &Context, found: &mut Found) -> Vec<Subject> {
    // A mistake on purpose can only be made in this process.
    let Some(folder) = context.drivers.as_ref().filter(|_| context.wrong.is_none()) else {
        return SIMPLE.iter().map(|entry| Subject { listed: entry.listed(), way: Way::Inside(*entry) }).collect();
    };
    let mut subjects = Vec::new();
    match field_drivers::found(folder, BUILD.as_ref(), context.sources.as_deref()) {
        Err(error) => found.leave_out(error),
        Ok(drivers) => drivers.iter().for_each(|driver| match driver.list() {
            Err(error) => found.leave_out(format!("all of `{}`: {error}", driver.name)),
            Ok(all) => {
                subjects.extend(all.into_iter().map(|listed| Subject { listed, way: Way::Outside(driver.clone()) }));
            }
        }),
    }
    subjects
}

fn one_round(context: &Context, round: u64, workload: &'static Workload, subjects: &[Subject], found: &mut Found) {
    // Every language has integers below 2^53.
    let seed = context.seed_of(round) >> 11;
    let oracle = Oracle::new(workload, seed);
    for (i, subject) in subjects.iter().enumerate() {
        if !subject.listed.workloads.iter().any(|name| name == workload.name) {
            continue;
        }
        let ran = tried(|| subject.run(workload, seed, &oracle));
        let ran = ran.map_err(|error| {
            found.leave_out(format!("{}, {}, round {}: {error}", subject.name(), workload.name, round + 1));
        });
        found.runs.entry((i, workload.name)).or_default().push(ran.ok());
    }
}

/// Runs until it is right, a few times at most; then gives the last reason.
fn tried<T>(run: impl Fn() -> Result<T, String>) -> Result<T, String> {
    let mut last = run();
    for _ in 1..TRIES {
        if last.is_ok() {
            break;
        }
        last = run();
    }
    last
}

impl Found {
    fn leave_out(&mut self, why: String) {
        eprintln!("field: left out: {why}");
        self.left_out.push(why);
    }
}

impl Subject {
    pub(super) fn name(&self) -> String {
        format!("{}, {}", self.listed.language, self.listed.rival)
    }

    fn run(&self, workload: &Workload, seed: u64, oracle: &Oracle) -> Result<Ran, String> {
        match &self.way {
            Way::Inside(entry) => inside(entry, workload, seed, oracle),
            Way::Outside(driver) => driver.run(&self.listed.rival, workload, seed, oracle),
        }
    }

    fn documented(&self) -> Result<Vec<Documented>, String> {
        match &self.way {
            Way::Inside(entry) => Ok((entry.documented)()),
            Way::Outside(driver) => driver.documented(&self.listed.rival),
        }
    }
}

/// What measures in this process: the clock, for its processor time is that of all tests, and no bytes.
const METER: Meter = Meter {
    time: || {
        static BEGIN: LazyLock<Instant> = LazyLock::new(Instant::now);
        u64::try_from(BEGIN.elapsed().as_nanos()).unwrap_or(u64::MAX)
    },
    bytes: || None,
    restart: || {},
};

/// A rival with a mistake, if one is asked for.
struct Mistaken {
    rival: Box<dyn Rival>,
    mistake: Mistake,
}

impl Rival for Mistaken {
    fn observe(&mut self, key: &Key, tick: u64) -> bool {
        let found = self.rival.observe(key, tick);
        self.mistake.answer(found)
    }
}

fn inside(entry: &Entry, workload: &Workload, seed: u64, oracle: &Oracle) -> Result<Ran, String> {
    let make = |workload: &Workload| -> Box<dyn Rival> {
        Box::new(Mistaken { rival: (entry.build)(workload), mistake: Mistake::now() })
    };
    let played = play::play_made(entry, workload, seed, &METER, make);
    oracle.judge(&played.ran, &play::pack(&played.verdicts))?;
    Ok(played.ran)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn failed_run_is_tried_again_and_its_last_reason_is_kept() {
        let tries = |results: [Result<u8, &str>; 3]| {
            let next = Cell::new(0);
            let run = || results[next.replace(next.get() + 1)].map_err(str::to_owned);
            (tried(run), next.get())
        };
        assert_eq!(tries([Err("late"), Ok(1), Ok(2)]), (Ok(1), 2));
        assert_eq!(tries([Err("late"), Err("later"), Err("last")]), (Err("last".to_owned()), 3));
    }

    #[test]
    fn folder_without_drivers_is_named_in_what_is_left_out() {
        let context = Context { drivers: Some("nowhere".into()), ..Context::quick(None) };
        let outcome = run(&context);
        assert!(outcome.checks.is_empty());
        assert!(outcome.tables.iter().flat_map(|table| &table.notes).any(|note| note.contains("nowhere")));
    }
}
