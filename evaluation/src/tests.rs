//! The quick form of every experiment, held to its tolerances.

use crate::context::{Context, Length};
use crate::progress::Progress;
use crate::registry;

fn passes(name: &str) {
    let experiment = registry::find(name).expect("an experiment");
    let context = Context { length: Length::Quick, seed: 1, progress: Progress::hidden() };
    let outcome = experiment.run(&context);
    assert!(!outcome.tables.is_empty() || !outcome.charts.is_empty(), "{name} shows nothing");
    assert!(!outcome.checks.is_empty(), "{name} holds nothing");
    let broken: Vec<String> = outcome.broken().into_iter().map(registry::told).collect();
    assert!(broken.is_empty(), "{name}: outside their tolerance:\n{}", broken.join("\n"));
}

/// One test for each experiment of the list, and none is missing.
macro_rules! quick {
    ($($test:ident: $name:literal),* $(,)?) => {
        $(#[test] fn $test() { passes($name); })*

        #[test]
        fn every_experiment_has_a_quick_test() {
            let names: Vec<&str> = registry::ALL.iter().map(|experiment| experiment.name).collect();
            assert_eq!(names, [$($name),*]);
        }
    };
}

quick! {
    qht_table_1: "qht-table-1",
    qht_tables_2_and_4: "qht-tables-2-and-4",
    qht_table_3: "qht-table-3",
    qht_table_5: "qht-table-5",
    qht_theorems: "qht-theorems",
    beyond: "beyond",
}
