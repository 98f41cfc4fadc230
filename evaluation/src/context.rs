//! How long an experiment runs, from which seed, and how its runs are spread over the processors.

use std::path::PathBuf;

use rayon::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::journal::Journal;
use crate::progress::Progress;
use crate::rng;
use crate::wrong::{self, Wrong};

/// How long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Length {
    /// Seconds: inside the test command.
    Quick,
    /// Short enough for a coffee.
    Default,
    /// The papers' own lengths.
    Full,
}

impl Length {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Default => "default",
            Self::Full => "full",
        }
    }
}

/// What an experiment is run with.
#[derive(Debug)]
pub(crate) struct Context {
    pub(crate) length: Length,
    pub(crate) seed: u64,
    pub(crate) progress: Progress,
    /// A mistake in every filter, for the tests that demand that it is seen.
    pub(crate) wrong: Option<Wrong>,
    /// Where finished units are noted, if the run may be stopped.
    pub(crate) journal: Option<Journal>,
    /// Where the drivers of the field are; none: only what needs no package.
    pub(crate) drivers: Option<PathBuf>,
    /// Where drivers put what they are built from.
    pub(crate) sources: Option<PathBuf>,
}

impl Context {
    /// The form that the tests run.
    #[cfg(test)]
    pub(crate) fn quick(wrong: Option<Wrong>) -> Self {
        let progress = Progress::hidden();
        Self { length: Length::Quick, seed: 1, progress, wrong, journal: None, drivers: None, sources: None }
    }

    /// One of three, by the length.
    pub(crate) fn pick<T>(&self, quick: T, default: T, full: T) -> T {
        match self.length {
            Length::Quick => quick,
            Length::Default => default,
            Length::Full => full,
        }
    }

    /// `runs` independent runs, each with a seed of its own, on all processors; in order.
    pub(crate) fn runs<T: Send>(&self, runs: u64, run: impl Fn(u64) -> T + Sync) -> Vec<T> {
        self.each(&(0..runs).collect::<Vec<u64>>(), |&i| run(self.seed_of(i)))
    }

    /// Does the same to each of these, on all processors; in order.
    pub(crate) fn each<A: Sync, T: Send>(&self, of: &[A], run: impl Fn(&A) -> T + Sync) -> Vec<T> {
        self.progress.expect(crate::num::wide(of.len()));
        let one = |a: &A| {
            let result = wrong::with(self.wrong, || run(a));
            self.progress.done();
            result
        };
        of.par_iter().map(one).collect()
    }

    /// The same where each takes minutes: what a stopped run had finished is not done again. A unit's name is all that it
    /// depends on.
    pub(crate) fn each_noted<A: Sync, T: Send + Serialize + DeserializeOwned>(
        &self,
        of: &[A],
        name: impl Fn(&A) -> String + Sync,
        run: impl Fn(&A) -> T + Sync,
    ) -> Vec<T> {
        self.each(of, |a| match &self.journal {
            Some(journal) => journal.unit(&name(a), || run(a)),
            None => run(a),
        })
    }

    /// The seed of a run.
    pub(crate) fn seed_of(&self, run: u64) -> u64 {
        rng::hash(self.seed, run)
    }
}
