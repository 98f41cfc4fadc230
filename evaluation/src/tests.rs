//! The quick form of every experiment, held to its tolerances.

use crate::context::Context;
use crate::registry;

fn passes(name: &str) {
    let experiment = registry::find(name).expect("an experiment");
    let context = Context::quick(None);
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
    qht_sections_3_and_4: "qht-sections-3-and-4",
    qht_section_7: "qht-section-7",
    tiny_set_table_1: "tiny-set-table-1",
    tiny_set_speed: "tiny-set-speed",
    tiny_set_tables_3_and_4: "tiny-set-tables-3-and-4",
    tiny_set_tables_5_and_6: "tiny-set-tables-5-and-6",
    tiny_set_figure_12: "tiny-set-figure-12",
    tiny_set_figure_14: "tiny-set-figure-14",
    tiny_set_figure_15: "tiny-set-figure-15",
    time_limited_figures_1_to_3: "time-limited-figures-1-to-3",
    time_limited_figures_4_and_5: "time-limited-figures-4-and-5",
    time_limited_table_2: "time-limited-table-2",
    time_limited_beyond: "time-limited-beyond",
    contest: "contest",
    contest_time: "contest-time",
    contest_traffic: "contest-traffic",
    contest_sizes: "contest-sizes",
    table_error: "table-error",
    beyond: "beyond",
    field: "field",
}
