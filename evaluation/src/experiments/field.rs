//! The field: the same streams through code that people run today, each its own package, behind a driver of its language.
//!
//! In each round every rival runs each workload in a process of its own, one after the other, with lately in the same language among
//! them; a ratio of times is taken within a round, and the median of the rounds is shown. The drivers count what their rival says wrong; an
//! exact map counts it once more, and a driver that says something else is refused. What cannot be built or is refused is named.
//!
//! The quick form needs no package: lately, and what an engineer writes in an hour, in this process.

use lately_field::rival::SIMPLE;
use lately_field::stream::{WORKLOADS, Workload};

use crate::context::{Context, Length};
use crate::num;
use crate::outcome::Outcome;

use super::field_drivers;
use super::field_oracle::Oracle;
use super::field_subject::{Found, Subject, Way};
use super::field_tables;

/// Where drivers build, seen from the tree.
const BUILD: &str = "target/field";

/// How often a run is tried: other work on the machine makes a clock late.
const TRIES: usize = 3;

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
