//! Wrong implementations, on purpose: what the tolerances of the experiments must reject.
//!
//! A test runs an experiment with one of these in place of the filters of lately, and demands that a comparison fails; `evaluation run
//! NAME --full --mistake M` does the same at full length. Filters ask when they are built.

use std::cell::Cell;

use clap::ValueEnum;

/// What is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Wrong {
    /// A quotient filter of another variant: QHT poses as QQHTD, and the other way round.
    OtherVariant,
    /// Every fourth key brings another one with it.
    Crowded,
    /// The filters of QHT's contest read their descriptions the other way: as published, or right.
    OtherReading,
    /// A queue of a QQHTD whose full rows give up their second oldest fingerprint, not the oldest.
    SecondOldest,
    /// A quotient filter that gives a fingerprint of 0 to another key's, where it should derive one again.
    OtherZero,
    /// A TinySet whose first fingerprints do not get the bits that are left over.
    NoExtended,
    /// A blocked Bloom filter that uses half of each block.
    HalfBlock,
    /// A set that leaves one key in 64 where it should remove it.
    Stays,
    /// A window of time whose clock runs a sixteenth too fast.
    Hasty,
    /// A window of time that gives no memory back.
    Hoards,
    /// A time-limited filter whose slices take keys until 0.6 of their bits are set, where 1/2 was asked for.
    Overfull,
    /// A window filter that does not renew a key that comes back.
    NotRenewed,
    /// An SQF with half of its rows.
    FewRows,
    /// A keyed filter without its secret.
    Unkeyed,
    /// Every key is looked for 128 times more.
    Slow,
    /// One answer in 256 that should be `Duplicate` is `New`.
    Forgetful,
    /// One answer in 64 that should be `New` is `Duplicate`.
    Overeager,
}

impl Wrong {
    /// As `--mistake` takes it.
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

thread_local! {
    static NOW: Cell<Option<Wrong>> = const { Cell::new(None) };
}

/// Runs this with that mistake in all filters that are built meanwhile, on this thread.
pub(crate) fn with<T>(wrong: Option<Wrong>, run: impl FnOnce() -> T) -> T {
    let before = NOW.replace(wrong);
    let result = run();
    NOW.set(before);
    result
}

/// Whether filters that are built now have this mistake.
pub(crate) fn is(wrong: Wrong) -> bool {
    NOW.get() == Some(wrong)
}

/// The mistakes of one filter, as it was built.
#[derive(Debug)]
pub(crate) struct Mistake {
    crowded: bool,
    forgetful: bool,
    overeager: bool,
    slow: bool,
    stays: bool,
    removed: u64,
    inserted: u64,
    found: Cell<u64>,
    new: Cell<u64>,
}

impl Mistake {
    /// Those of filters that are built now.
    pub(crate) fn now() -> Self {
        let (crowded, forgetful, slow) = (is(Wrong::Crowded), is(Wrong::Forgetful), is(Wrong::Slow));
        let (stays, overeager) = (is(Wrong::Stays), is(Wrong::Overeager));
        let [found, new] = [0; 2].map(Cell::new);
        Self { crowded, forgetful, overeager, slow, stays, removed: 0, inserted: 0, found, new }
    }

    /// The key that an inserted key brings with it.
    pub(crate) fn ghost(&mut self) -> Option<u64> {
        self.inserted += u64::from(self.crowded);
        (self.crowded && self.inserted % 4 == 0).then_some(!self.inserted)
    }

    /// Whether a key that is removed stays.
    pub(crate) fn stays(&mut self) -> bool {
        self.removed += u64::from(self.stays);
        self.stays && self.removed % 64 == 0
    }

    /// How often a key is looked for in vain before it is observed.
    pub(crate) const fn looks(&self) -> u64 {
        if self.slow { 128 } else { 0 }
    }

    /// What becomes of an answer.
    pub(crate) fn answer(&self, found: bool) -> bool {
        if self.overeager && !found {
            self.new.set(self.new.get() + 1);
            return self.new.get() % 64 == 0;
        }
        if !self.forgetful || !found {
            return found;
        }
        self.found.set(self.found.get() + 1);
        self.found.get() % 256 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::artefact::CLAIMS;
    use crate::context::Context;
    use crate::registry;

    /// What breaks when an experiment is run with this mistake.
    fn broken(name: &str, wrong: Wrong) -> Vec<String> {
        let context = Context::quick(Some(wrong));
        let outcome = registry::find(name).expect("an experiment").run(&context);
        outcome.broken().iter().map(|check| check.what.clone()).collect()
    }

    /// Each claim that names this test: its very comparison is among what breaks. The quick form of the field has another window.
    fn expect_claims(test: &str, broken: &[String]) {
        for claim in CLAIMS.iter().filter(|claim| claim.mutant == test) {
            let check = claim.check.replace("last-1000000", "last-2000");
            assert!(broken.contains(&check), "{claim:?} is not what breaks: {broken:?}");
        }
    }

    /// One test for each: this experiment rejects this mistake, by a comparison whose name has this in it. No experiment is
    /// without one.
    macro_rules! rejects {
        ($($test:ident: $name:literal $wrong:ident $what:literal),* $(,)?) => {
            $(#[test] fn $test() {
                let broken = broken($name, Wrong::$wrong);
                assert!(broken.iter().any(|what| what.contains($what)), "{} hides {:?}: {broken:?}", $name, Wrong::$wrong);
                expect_claims(stringify!($test), &broken);
            })*

            /// Test, experiment, and mistake.
            const MUTANTS: &[(&str, &str, Wrong)] = &[$((stringify!($test), $name, Wrong::$wrong)),*];

            #[test]
            fn every_experiment_has_a_mistake_to_reject() {
                for experiment in registry::ALL {
                    assert!([$($name),*].contains(&experiment.name), "{} has none", experiment.name);
                }
            }
        };
    }

    rejects! {
        qht_table_1: "qht-table-1" OtherVariant "by the exact law",
        qht_tables_2_and_4_crowded: "qht-tables-2-and-4" Crowded "QHT",
        qht_tables_2_and_4_reading: "qht-tables-2-and-4" OtherReading "FPR by its law",
        qht_table_3: "qht-table-3" Slow "SBF = 1",
        qht_table_5: "qht-table-5" OtherVariant "by its law",
        qht_table_5_in_the_paper: "qht-table-5" Crowded "by its law",
        qht_table_5_queue: "qht-table-5" SecondOldest "by the law of the queue",
        qht_theorems: "qht-theorems" OtherVariant "Filling, k = 4",
        qht_sections_3_and_4: "qht-sections-3-and-4" Crowded "Section 3.3",
        qht_sections_3_and_4_zero: "qht-sections-3-and-4" OtherZero "Section 3.2, 3",
        qht_section_7: "qht-section-7" Unkeyed "under a secret",
        tiny_set_table_1: "tiny-set-table-1" Crowded "lately",
        tiny_set_table_1_left_over: "tiny-set-table-1" NoExtended "L = ",
        tiny_set_speed_slow: "tiny-set-speed" Slow "over",
        tiny_set_speed: "tiny-set-speed" Crowded "rate of the timed set",
        tiny_set_tables_3_and_4: "tiny-set-tables-3-and-4" Crowded "lately",
        tiny_set_tables_3_and_4_removal: "tiny-set-tables-3-and-4" Stays "removable",
        tiny_set_tables_5_and_6_half: "tiny-set-tables-5-and-6" HalfBlock "blocked, 32 bytes",
        tiny_set_tables_5_and_6: "tiny-set-tables-5-and-6" Crowded "planned for",
        tiny_set_tables_5_and_6_removal: "tiny-set-tables-5-and-6" Stays "removable",
        tiny_set_figure_12: "tiny-set-figure-12" Crowded "lately",
        tiny_set_figure_12_left_over: "tiny-set-figure-12" NoExtended "TinySet, ",
        tiny_set_figure_14_left_over: "tiny-set-figure-14" NoExtended "TinySet, model",
        tiny_set_figure_14: "tiny-set-figure-14" Crowded "rate",
        tiny_set_figure_15: "tiny-set-figure-15" Forgetful "lost",
        tiny_set_figure_15_entries: "tiny-set-figure-15" Stays "entries for each key",
        tiny_set_figure_15_rate: "tiny-set-figure-15" Stays "rate, at most the planned one",
        time_limited_figures_1_to_3: "time-limited-figures-1-to-3" Crowded "bits per key",
        time_limited_figures_1_to_3_missed: "time-limited-figures-1-to-3" Forgetful "missed",
        time_limited_figures_1_to_3_slices: "time-limited-figures-1-to-3" Hoards "slices at the end",
        time_limited_figures_4_and_5: "time-limited-figures-4-and-5" Forgetful "missed",
        time_limited_figures_4_and_5_rate: "time-limited-figures-4-and-5" Overfull "settled rate",
        time_limited_figures_4_and_5_stats: "time-limited-figures-4-and-5" Overeager "measured less what stats say",
        time_limited_table_2: "time-limited-table-2" Forgetful "missed",
        time_limited_table_2_bits: "time-limited-table-2" Overfull "least bits of the law over ours",
        time_limited_table_2_rate: "time-limited-table-2" Overeager "slices: rate",
        time_limited_beyond: "time-limited-beyond" Forgetful "missed",
        time_limited_beyond_renewal: "time-limited-beyond" NotRenewed "after it came back",
        time_limited_beyond_memory: "time-limited-beyond" Hoards "memory afterwards over before",
        beyond: "beyond" Forgetful "misses",
        beyond_crowded: "beyond" Crowded "misses",
        contest_crowded: "contest" Crowded "false duplicates",
        contest_forgetful: "contest" Forgetful "misses",
        contest_window: "contest" Hasty "misses",
        contest_overeager: "contest" Overeager "at most those asked for",
        contest_layout: "contest" Overeager "at most its layout's",
        contest_traffic: "contest-traffic" Hasty "window table: missed",
        contest_traffic_memory: "contest-traffic" Hoards "bits at the peak",
        contest_traffic_crowded: "contest-traffic" Crowded "for the peak: false duplicates",
        contest_sizes: "contest-sizes" Slow "time, exact map = 1",
        contest_sizes_crowded: "contest-sizes" Crowded "10000 keys: false duplicates",
        contest_sizes_overeager: "contest-sizes" Overeager "window table, last n, 10000 keys: false duplicates",
        contest_time: "contest-time" Slow "time, exact map = 1",
        contest_growth: "contest-time" Forgetful "growth: misses",
        table_error: "table-error" Hasty "missed",
        table_error_overeager: "table-error" Overeager "absent keys",
        field_forgetful: "field" Forgetful "keys of the window missed",
        field_overeager: "field" Overeager "false duplicates",
    }

    #[test]
    fn claims_name_mutants_of_their_experiment() {
        for claim in &CLAIMS {
            let mutant = MUTANTS.iter().find(|(test, ..)| *test == claim.mutant).expect("a mutant of that name");
            assert_eq!((mutant.1, mutant.2), (claim.experiment, claim.wrong), "{claim:?}");
        }
    }

    /// Its law has its rows from the memory, not from the filter: so a filter of fewer rows fails by far more than one
    /// comparison.
    #[test]
    fn an_sqf_with_wrong_rows_fails_wherever_rows_matter() {
        let broken = broken("qht-tables-2-and-4", Wrong::FewRows);
        let of_sqf = broken.iter().filter(|what| what.contains("SQF")).count();
        assert!(of_sqf >= 4, "{broken:?}");
    }

    #[test]
    fn a_mistake_ends_with_what_it_was_for() {
        with(Some(Wrong::Crowded), || {
            assert!(is(Wrong::Crowded) && !is(Wrong::Forgetful));
            with(None, || assert!(!is(Wrong::Crowded)));
            assert!(is(Wrong::Crowded));
        });
        assert!(!is(Wrong::Crowded));
    }

    #[test]
    fn mistakes_are_as_often_as_they_say() {
        let mut mistake = with(Some(Wrong::Crowded), Mistake::now);
        assert_eq!((0..100).filter_map(|_| mistake.ghost()).count(), 25);
        let mistake = with(Some(Wrong::Forgetful), Mistake::now);
        assert_eq!((0..512).filter(|_| !mistake.answer(true)).count(), 2);
        let mistake = with(Some(Wrong::Overeager), Mistake::now);
        assert_eq!((0..128).filter(|_| mistake.answer(false)).count(), 2);
        let mut right = Mistake::now();
        assert!(right.ghost().is_none() && (0..1000).all(|_| right.answer(true) && !right.answer(false)));
    }
}
