//! `evaluation`: reruns the experiments of the three papers with lately's filters and with fair baselines.
//!
//! | part | what it is |
//! | --- | --- |
//! | `cli` `registry` `context` `progress` | the command, the list of experiments, how long and from which seed they run |
//! | `journal` `machine` | what a stopped run had finished, the processor that times are of |
//! | `outcome` `sample` `check` | what an experiment found, the spread of its runs, the tolerance that follows from it |
//! | `store` `page` `paper` `picture` | results as JSON lines, the pages, the pictures, each from the one before |
//! | `agreement` `causes` | how far a table is from its paper and its law, and why |
//! | `paper_figures` | figures in the paper's text, compared with the results (a test with the feature `results`) |
//! | `artefact` | the page for reviewers: what to run, and which claim rests on which comparison |
//! | `streams` `real` `detector` | what flows, where the truth is known, and the one verb that every filter here keeps |
//! | `timely` `traffic` `cpu` | the same verb over time, streams that are never steady, the time of a thread |
//! | `wrong` | mistakes on purpose, which the tolerances must reject |
//! | `laws` | formulas of the papers, and the exact ones |
//! | `baselines` | the filters that ours are compared with, each with the test of its own formula |
//! | `experiments` | one file per experiment |
//!
//! It sees the library as a stranger does: by its public interface.

mod agreement;
mod artefact;
mod baselines;
mod causes;
mod census;
mod check;
mod cli;
mod context;
mod cpu;
mod detector;
mod experiments;
mod files;
mod journal;
mod laws;
mod machine;
mod num;
mod ours;
mod outcome;
mod page;
mod paper;
#[cfg(all(test, feature = "results"))]
mod paper_figures;
mod picture;
mod progress;
mod real;
mod registry;
mod rng;
mod sample;
mod sets;
mod store;
mod streams;
#[cfg(test)]
mod tests;
mod timely;
mod traffic;
mod wrong;

use std::process::ExitCode;

use clap::Parser;

/// 0: every figure within its tolerance; 1: one is not; 2: nothing was run.
fn main() -> ExitCode {
    match cli::Cli::parse().run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("evaluation: {error}");
            ExitCode::from(2)
        }
    }
}
