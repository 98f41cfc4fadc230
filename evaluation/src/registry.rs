//! The one list of experiments.

use crate::check::Check;
use crate::context::Context;
use crate::experiments as of;
use crate::machine::Day;
use crate::outcome::Outcome;
use crate::wrong;

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
    Experiment { name: "qht-table-5", title: "QHT, Table 5: QHT and QQHTD", run: of::qht_table_5::run },
    Experiment {
        name: "qht-theorems",
        title: "QHT, the theorems: as printed, exact, measured",
        run: of::qht_theorems::run,
    },
    Experiment {
        name: "qht-sections-3-and-4",
        title: "QHT, sections 3.2, 3.3 and 4.1.1: empty cells, sorted rows, uneven fingerprints",
        run: of::qht_sections_3_and_4::run,
    },
    Experiment {
        name: "qht-section-7",
        title: "QHT, section 7: an attacker without and with the secret",
        run: of::qht_section_7::run,
    },
    Experiment {
        name: "tiny-set-table-1",
        title: "TinySet, Table 1 and figure 10: space by keys per block",
        run: of::tiny_set_table_1::run,
    },
    Experiment {
        name: "tiny-set-speed",
        title: "TinySet, Table 2 and figure 11: time, as a ratio to a Bloom filter",
        run: of::tiny_set_speed::run,
    },
    Experiment {
        name: "tiny-set-tables-3-and-4",
        title: "TinySet, Tables 3 and 4: space without and with removal",
        run: of::tiny_set_tables_3_and_4::run,
    },
    Experiment {
        name: "tiny-set-tables-5-and-6",
        title: "TinySet, Tables 5 and 6 and figure 13: filters of one access",
        run: of::tiny_set_tables_5_and_6::run,
    },
    Experiment {
        name: "tiny-set-figure-12",
        title: "TinySet, figure 12: space and rate at a load of 0.625",
        run: of::tiny_set_figure_12::run,
    },
    Experiment {
        name: "tiny-set-figure-14",
        title: "TinySet, figure 14: more keys than planned",
        run: of::tiny_set_figure_14::run,
    },
    Experiment {
        name: "tiny-set-figure-15",
        title: "TinySet, figure 15: what removals cost",
        run: of::tiny_set_figure_15::run,
    },
    Experiment {
        name: "time-limited-figures-1-to-3",
        title: "Time-limited Bloom filter, figures 1 to 3: slices and space of ten filters",
        run: of::time_limited_figures_1_to_3::run,
    },
    Experiment {
        name: "time-limited-figures-4-and-5",
        title: "Time-limited Bloom filter, figures 4 and 5: rates of six filters",
        run: of::time_limited_figures_4_and_5::run,
    },
    Experiment {
        name: "time-limited-table-2",
        title: "Time-limited Bloom filter, Table 2: space by error rate, and plans",
        run: of::time_limited_table_2::run,
    },
    Experiment {
        name: "time-limited-beyond",
        title: "Time-limited Bloom filter, beyond its paper: bursts, pauses, age",
        run: of::time_limited_beyond::run,
    },
    Experiment { name: "contest", title: "The contest: every way to keep a window", run: of::contest::run },
    Experiment {
        name: "contest-time",
        title: "The contest: time, as ratios to an exact map in the same round",
        run: of::contest_time::run,
    },
    Experiment {
        name: "contest-traffic",
        title: "The contest: traffic that is never steady",
        run: of::contest_traffic::run,
    },
    Experiment {
        name: "contest-sizes",
        title: "The contest: how the cost grows with the window",
        run: of::contest_sizes::run,
    },
    Experiment {
        name: "table-error",
        title: "The window table: its error while it grows, by its law, by a census and by absent keys",
        run: of::table_error::run,
    },
    Experiment { name: "beyond", title: "Beyond the papers: all at equal memory", run: of::beyond::run },
    Experiment { name: "field", title: "The field: code that people run today", run: of::field::run },
];

impl Experiment {
    /// Runs it and judges its figures.
    pub(crate) fn run(&self, context: &Context) -> Outcome {
        let mut outcome = wrong::with(context.wrong, || (self.run)(context));
        outcome.head.name = self.name.to_owned();
        outcome.head.title = self.title.to_owned();
        outcome.head.length = context.length.name().to_owned();
        outcome.head.seed = context.seed;
        outcome.head.days = if outcome.is_timed() { vec![Day::now()] } else { Vec::new() };
        outcome.settle(ALL.len());
        outcome
    }
}

/// Findings are written when the figures are there: those of the source stand in place of those of the run.
pub(crate) fn conclude(outcome: &mut Outcome) {
    match outcome.head.name.as_str() {
        "contest" => of::contest::conclude(outcome),
        "contest-sizes" => of::contest_sizes::conclude(outcome),
        "contest-traffic" => of::contest_traffic::conclude(outcome),
        "beyond" => of::beyond::conclude(outcome),
        "table-error" => of::table_error::conclude(outcome),
        "field" => of::field_tables::conclude(outcome),
        _ => {}
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
