//! What is done with a key, by the instructions that the processor has.

use std::marker::PhantomData;

use crate::error::Error;
use crate::filter::contract::{Observing, Series};
use crate::filter::values::Verdict;
use crate::hash::KeyHash;
use crate::simd::{Instructions, Task};
use crate::tick::Tick;

use super::WindowTable;
use super::position::When;
use super::table::{Table, Verb};

/// A key of an unshared filter.
#[derive(Debug)]
pub(super) struct Touch<'a>(pub(super) &'a mut WindowTable, pub(super) Verb);

impl Task for Touch<'_> {
    type Args = (KeyHash, Tick);
    type Result = Result<Verdict, Error>;

    #[inline(always)]
    fn run<I: Instructions>(self, (key, now): (KeyHash, Tick)) -> Result<Verdict, Error> {
        Ok(self.0.touch::<I>(key, now, self.1))
    }
}

/// Many observations of an unshared filter: what does not hang on a key is at hand for all of them.
pub(super) struct TouchEach<'a, S>(pub(super) &'a mut WindowTable, pub(super) S);

impl<S: Series<WindowTable>> Task for TouchEach<'_, S> {
    type Args = ();
    type Result = S::Result;

    #[inline(always)]
    fn run<I: Instructions>(self, (): ()) -> S::Result {
        self.1.run::<Vectorised<I>>(self.0)
    }
}

/// By these instructions.
struct Vectorised<I>(PhantomData<I>);

impl<I: Instructions> Observing<WindowTable> for Vectorised<I> {
    #[inline(always)]
    fn observe(filter: &mut WindowTable, key: KeyHash, now: Tick) -> Result<Verdict, Error> {
        Ok(filter.touch::<I>(key, now, Verb::Observe))
    }
}

/// A key under the lock that owns its table.
pub(super) struct TouchLocked<'a>(pub(super) &'a mut Table, pub(super) Verb);

impl Task for TouchLocked<'_> {
    type Args = (u64, When);
    type Result = Verdict;

    #[inline(always)]
    fn run<I: Instructions>(self, (hash, when): (u64, When)) -> Verdict {
        self.0.touch::<I>(hash, when, self.1)
    }
}
