//! Wrong implementations, on purpose: what the tolerances of the experiments must reject.
//!
//! A test runs an experiment with one of these in place of the filters of lately, and demands that a comparison fails.
//! Filters ask when they are built; outside the tests nothing is ever wrong.

use std::cell::Cell;

/// What is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wrong {
    /// A quotient filter of another variant: QHT poses as QQHTD, and the other way round.
    OtherVariant,
    /// Every fourth key brings another one with it.
    Crowded,
    /// An SQF with half of its rows.
    FewRows,
    /// One answer in 256 that should be `Duplicate` is `New`.
    Forgetful,
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
    inserted: u64,
    found: Cell<u64>,
}

impl Mistake {
    /// Those of filters that are built now.
    pub(crate) fn now() -> Self {
        Self { crowded: is(Wrong::Crowded), forgetful: is(Wrong::Forgetful), inserted: 0, found: Cell::new(0) }
    }

    /// The key that an inserted key brings with it.
    pub(crate) fn ghost(&mut self) -> Option<u64> {
        self.inserted += u64::from(self.crowded);
        (self.crowded && self.inserted % 4 == 0).then_some(!self.inserted)
    }

    /// What becomes of an answer.
    pub(crate) fn answer(&self, found: bool) -> bool {
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
    use crate::context::{Context, Length};
    use crate::progress::Progress;
    use crate::registry;

    /// One test for each: this experiment rejects this mistake, by a comparison whose name has this in it.
    macro_rules! rejects {
        ($($test:ident: $name:literal $wrong:ident $what:literal),* $(,)?) => {
            $(#[test] fn $test() {
                let (length, progress) = (Length::Quick, Progress::hidden());
                let context = Context { length, seed: 1, progress, wrong: Some(Wrong::$wrong), journal: None };
                let outcome = registry::find($name).expect("an experiment").run(&context);
                let broken: Vec<&str> = outcome.broken().iter().map(|check| check.what.as_str()).collect();
                assert!(broken.iter().any(|what| what.contains($what)), "{} hides {:?}: {broken:?}", $name, Wrong::$wrong);
            })*
        };
    }

    rejects! {
        qht_table_1: "qht-table-1" OtherVariant "by the exact law",
        qht_table_5: "qht-table-5" OtherVariant "by its law",
        qht_theorems: "qht-theorems" OtherVariant "",
        tiny_set_table_1: "tiny-set-table-1" Crowded "rate",
        tiny_set_figure_12: "tiny-set-figure-12" Crowded "rate",
        time_limited_table_2: "time-limited-table-2" Forgetful "missed",
        time_limited_beyond: "time-limited-beyond" Forgetful "missed",
        beyond: "beyond" Forgetful "misses",
        contest_crowded: "contest" Crowded "false duplicates",
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
        let mut right = Mistake::now();
        assert!(right.ghost().is_none() && (0..1000).all(|_| right.answer(true) && !right.answer(false)));
    }
}
