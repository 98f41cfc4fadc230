//! The one list of experiments.

use crate::check::Check;
use crate::context::Context;
use crate::experiments as of;
use crate::outcome::Outcome;

/// A table, a figure, or several that belong together.
#[derive(Debug)]
pub(crate) struct Experiment {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    run: fn(&Context) -> Outcome,
}

/// All of them, in the order of the page.
pub(crate) const ALL: &[Experiment] = &[
    Experiment {
        name: "qht-table-1",
        title: "QHT, Table 1: the same asymptote, more cells",
        run: of::qht_table_1::run,
    },
    Experiment {
        name: "qht-tables-2-and-4",
        title: "QHT, Tables 2 and 4: the contest, as published and done right",
        run: of::qht_tables_2_and_4::run,
    },
    Experiment { name: "qht-table-3", title: "QHT, Table 3: time, as ratios in one run", run: of::qht_table_3::run },
    Experiment { name: "qht-table-5", title: "QHT, Table 5: QHT beside QQHTD", run: of::qht_table_5::run },
    Experiment {
        name: "qht-theorems",
        title: "QHT, the theorems: as printed, exact, measured",
        run: of::qht_theorems::run,
    },
    Experiment { name: "beyond", title: "Beyond the papers: all at equal memory", run: of::beyond::run },
];

impl Experiment {
    /// Runs it and judges its figures.
    pub(crate) fn run(&self, context: &Context) -> Outcome {
        let mut outcome = (self.run)(context);
        outcome.head.name = self.name.to_owned();
        outcome.head.title = self.title.to_owned();
        outcome.head.length = context.length.name().to_owned();
        outcome.head.seed = context.seed;
        outcome.settle(ALL.len());
        outcome
    }
}

/// The experiment of that name.
pub(crate) fn find(name: &str) -> Result<&'static Experiment, String> {
    let names = || ALL.iter().map(|experiment| experiment.name).collect::<Vec<_>>().join(", ");
    ALL.iter()
        .find(|experiment| experiment.name == name)
        .ok_or_else(|| format!("no experiment {name:?}: there are {}", names()))
}

/// A comparison in words.
pub(crate) fn told(check: &Check) -> String {
    let Check { what, law, ours, expected, tolerance, .. } = check;
    let (mean, spread, runs) = (ours.mean, ours.spread, ours.runs);
    format!("{what}: {mean:.6e} (spread {spread:.1e}, {runs} runs), {law:?} {expected:.6e} ± {tolerance:.1e}")
}
