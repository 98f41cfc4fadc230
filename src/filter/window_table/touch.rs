//! The calls of the verbs, by the best instructions that the processor has.

use std::marker::PhantomData;

use crate::error::Error;
use crate::filter::contract::{Contract, Observing, Series};
use crate::filter::values::Verdict;
use crate::hash::KeyHash;
use crate::simd::{Instructions, Task};
use crate::tick::Tick;

use super::WindowTable;
use super::form::Form;
use super::position::When;
use super::table::{Table, Verb};

/// A key of an unshared filter that is observed now.
#[derive(Debug)]
pub(super) struct Observe<'a, F>(pub(super) &'a mut WindowTable, pub(super) PhantomData<F>);

impl<F: Form> Task for Observe<'_, F> {
    type Args = (KeyHash, Tick);
    type Result = Verdict;

    #[inline(always)]
    fn run<I: Instructions>(self, (key, now): (KeyHash, Tick)) -> Verdict {
        self.0.observe_now::<I, F>(key, now)
    }
}

/// Many observations of an unshared filter: values that do not depend on the key are computed once for all of them.
pub(super) struct ObserveEach<'a, S, F>(pub(super) &'a mut WindowTable, pub(super) S, pub(super) PhantomData<F>);

impl<S: Series<WindowTable>, F: Form> Task for ObserveEach<'_, S, F> {
    type Args = ();
    type Result = S::Result;

    #[inline(always)]
    fn run<I: Instructions>(self, (): ()) -> S::Result {
        self.1.run::<Vectorised<I, F>>(self.0)
    }
}

/// By these instructions, of a filter of this form.
struct Vectorised<I, F>(PhantomData<(I, F)>);

impl<I: Instructions, F: Form> Observing<WindowTable> for Vectorised<I, F> {
    #[inline(always)]
    fn observe(filter: &mut WindowTable, key: KeyHash, now: Tick, is_given: bool) -> Result<Verdict, Error> {
        if F::TIMED && is_given && !filter.time.is_usual(now) {
            return filter.observe_unusual(key, now);
        }
        if F::TIMED && now < filter.time.clock {
            return Ok(filter.touch(key, now, Verb::Observe));
        }
        // A call: in the loop of a batch the compiler would turn what no branch asks for into branches.
        Ok(I::run(Observe::<F>(filter, PhantomData), (key, now)))
    }

    #[inline(always)]
    fn prefetch(filter: &WindowTable, key: KeyHash) {
        match &filter.tables[..] {
            [table] => table.prefetch::<F>(key.mixed()),
            _ => Contract::prefetch(filter, key),
        }
    }
}

/// A key of any table, under the lock that owns it if there is one.
pub(super) struct Touch<'a>(pub(super) &'a mut Table, pub(super) Verb);

impl Task for Touch<'_> {
    type Args = (u64, When);
    type Result = Verdict;

    #[inline(always)]
    fn run<I: Instructions>(self, (hash, when): (u64, When)) -> Verdict {
        self.0.touch::<I>(hash, when, self.1)
    }
}
