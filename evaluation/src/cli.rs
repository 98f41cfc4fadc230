//! The command: list the experiments, run some, write the page.

use std::path::PathBuf;
use std::time::Instant;

use clap::{Args, Parser, Subcommand};

use crate::context::{Context, Length};
use crate::journal::Journal;
use crate::outcome::Outcome;
use crate::progress::Progress;
use crate::registry::{self, Experiment};
use crate::store::Store;
use crate::wrong::Wrong;

/// The papers, reproduced: every table and figure, compared with what lately does.
#[derive(Debug, Parser)]
#[command(name = "evaluation", version, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Show the experiments
    List,
    /// Run one experiment, several, or `all`; print what came out
    Run(Run),
    /// Write the two pages, their pictures (SVG) and every table from the results
    Page(Place),
    /// Write every picture as PDF, as wide as a column and with its font embedded
    Print(Print),
    /// Draw the picture of README.md again, into docs/pictures
    Picture,
}

#[derive(Debug, Args)]
struct Run {
    /// Names of experiments, or `all`
    #[arg(required = true, value_name = "NAME")]
    names: Vec<String>,

    /// The papers' own lengths: hours in all
    #[arg(long, conflicts_with = "quick")]
    full: bool,

    /// The form that the tests run: seconds
    #[arg(long)]
    quick: bool,

    /// Print JSON lines instead of tables
    #[arg(long)]
    json: bool,

    /// Where all randomness comes from
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Make this mistake on purpose: the run must end with 1, since a comparison fails
    #[arg(long, value_name = "NAME", conflicts_with_all = ["keep", "journal"])]
    mistake: Option<Wrong>,

    /// Keep results and pictures, for `evaluation page`; of `all` write the pages, too
    #[arg(long)]
    keep: bool,

    /// Keep what comes out as the second day of the kept one, which must be of another date and hour: for times
    #[arg(long, requires = "keep")]
    again: bool,

    /// Note in this folder what is finished; a stopped run with it resumes there
    #[arg(long, value_name = "FOLDER")]
    journal: Option<PathBuf>,

    /// The drivers of `field`; without it those of the tree, and with --quick none
    #[arg(long, value_name = "FOLDER")]
    drivers: Option<PathBuf>,

    /// Where the drivers of `field` put the sources that they are built from: a folder outside the tree
    #[arg(long, value_name = "FOLDER")]
    sources: Option<PathBuf>,

    #[command(flatten)]
    place: Place,
}

#[derive(Debug, Args)]
struct Print {
    /// Where the files go
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,

    #[command(flatten)]
    place: Place,
}

#[derive(Debug, Args)]
struct Place {
    /// The folder of the two pages and their pictures
    #[arg(long, value_name = "FOLDER", default_value = "evaluation/docs")]
    docs: PathBuf,

    /// Where results, all pictures and all tables are kept
    #[arg(long, value_name = "FOLDER", default_value = "target/evaluation")]
    results: PathBuf,
}

impl Place {
    fn store(&self) -> Store {
        Store::new(self.docs.clone(), self.results.clone())
    }
}

impl Cli {
    /// Does what was asked; says whether every figure is within its tolerance.
    pub(crate) fn run(self) -> Result<bool, String> {
        match self.command {
            Command::List => Ok(list()),
            Command::Run(run) => run.run(),
            Command::Page(place) => place.store().write_page().map(|()| true),
            Command::Print(print) => print.place.store().print(&print.folder).map(|()| true),
            Command::Picture => crate::picture::readme::write("docs".as_ref()).map(|()| true),
        }
    }
}

fn list() -> bool {
    let width = registry::ALL.iter().map(|experiment| experiment.name.len()).max().unwrap_or(0);
    registry::ALL.iter().for_each(|experiment| println!("{:width$}  {}", experiment.name, experiment.title));
    true
}

impl Run {
    fn run(self) -> Result<bool, String> {
        let mut holds = true;
        for experiment in self.chosen()? {
            holds &= self.one(experiment)?;
        }
        if self.keep && self.names == ["all"] {
            self.place.store().write_page()?;
        }
        Ok(holds)
    }

    fn chosen(&self) -> Result<Vec<&'static Experiment>, String> {
        if self.names == ["all"] {
            return Ok(registry::ALL.iter().collect());
        }
        self.names.iter().map(|name| registry::find(name)).collect()
    }

    const fn length(&self) -> Length {
        match (self.full, self.quick) {
            (true, _) => Length::Full,
            (_, true) => Length::Quick,
            _ => Length::Default,
        }
    }

    fn drivers(&self) -> Option<PathBuf> {
        let of_the_tree = || (!self.quick).then(|| PathBuf::from("evaluation/field"));
        self.drivers.clone().or_else(of_the_tree)
    }

    fn one(&self, experiment: &Experiment) -> Result<bool, String> {
        let outcome = self.outcome(experiment)?;
        if self.json {
            print!("{}", outcome.to_lines());
        } else {
            println!("{}", crate::page::chapters(std::iter::once(&outcome)));
        }
        let broken = outcome.broken();
        broken.iter().for_each(|check| eprintln!("outside its tolerance: {}", registry::told(check)));
        if self.keep {
            self.store(outcome.clone())?;
        }
        Ok(broken.is_empty())
    }

    fn store(&self, outcome: Outcome) -> Result<(), String> {
        let store = self.place.store();
        if !self.again {
            return store.keep(&outcome);
        }
        let mut first = store.outcome(&outcome.head.name)?;
        first.second(&outcome)?;
        store.keep(&first)
    }

    /// Runs it, unless the journal has it; says how long it took.
    fn outcome(&self, experiment: &Experiment) -> Result<Outcome, String> {
        let name = format!("{}-{}-{}", experiment.name, self.length().name(), self.seed);
        let journal = self.journal.as_deref().map(|folder| Journal::open(folder, &name)).transpose()?;
        if let Some(outcome) = journal.as_ref().and_then(Journal::outcome) {
            eprintln!("{}: finished before", experiment.name);
            return Ok(outcome);
        }
        let (begin, progress) = (Instant::now(), Progress::new(experiment.name));
        let (length, seed, wrong) = (self.length(), self.seed, self.mistake);
        let (drivers, sources) = (self.drivers(), self.sources.clone());
        let context = Context { length, seed, progress, wrong, journal, drivers, sources };
        let outcome = experiment.run(&context);
        context.progress.end();
        context.journal.map_or(Ok(()), |journal| journal.finish(&outcome))?;
        eprintln!("{}: {:.0} s", experiment.name, begin.elapsed().as_secs_f64());
        Ok(outcome)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_those_of_the_page() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
        for line in [
            "list",
            "run qht-table-1 --full --json --seed 7",
            "run all --quick",
            "run all --full --journal j",
            "run qht-table-3 --keep --again",
            "run field --quick --drivers evaluation/field --sources s",
            "run qht-table-5 --full --mistake second-oldest",
            "page --docs d --results r",
            "print folder",
        ] {
            assert!(Cli::try_parse_from(std::iter::once("evaluation").chain(line.split(' '))).is_ok(), "{line}");
        }
        for line in [
            "run",
            "run x --seed -1",
            "run x --again",
            "run x --mistake y",
            "run x --mistake slow --keep",
            "run x --quick --full",
            "print",
            "walk",
        ] {
            assert!(Cli::try_parse_from(std::iter::once("evaluation").chain(line.split(' '))).is_err(), "{line}");
        }
    }

    #[test]
    fn unknown_name_is_an_error_with_the_known_ones() {
        let error = registry::find("qht-table-9").expect_err("no such experiment");
        assert!(error.contains("qht-table-9") && error.contains("qht-table-1"), "{error}");
    }
}
