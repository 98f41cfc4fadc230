//! The single list of kinds: a plain `match`, no `dyn`. A new kind is a folder and a line in each table here.

use crate::error::Error;
use crate::filter::contract::{Contract, PlanSummary, Stored, Striped};
use crate::filter::quotient::{Quotient, plan::Plan as QuotientPlan};
use crate::filter::sliced::age_partitioned::{AgePartitioned, plan::Plan as AgePartitionedPlan};
use crate::filter::sliced::time_limited::{TimeLimited, plan::Plan as TimeLimitedPlan};
use crate::filter::tiny_set::{TinySet, plan::Plan as TinySetPlan};
use crate::options::{Kind, Options};
use crate::tick::Tick;
use crate::wire::{Refused, Source};

/// One filter of any kind.
#[derive(Debug)]
pub(crate) enum AnyFilter {
    TimeLimited(TimeLimited),
    AgePartitioned(AgePartitioned),
    TinySet(TinySet),
    Quotient(Quotient),
}

/// Calls the same method on whatever kind it is.
macro_rules! each_kind {
    ($any:expr, $filter:ident => $call:expr) => {
        match $any {
            $crate::filter::any::AnyFilter::TimeLimited($filter) => $call,
            $crate::filter::any::AnyFilter::AgePartitioned($filter) => $call,
            $crate::filter::any::AnyFilter::TinySet($filter) => $call,
            $crate::filter::any::AnyFilter::Quotient($filter) => $call,
        }
    };
}
pub(crate) use each_kind;

impl AnyFilter {
    /// Builds the filter that the options ask for.
    pub(crate) fn new(options: &Options) -> Result<Self, Error> {
        match options.kind {
            Kind::TimeLimited => TimeLimited::new(options).map(Self::TimeLimited),
            Kind::AgePartitioned => AgePartitioned::new(options).map(Self::AgePartitioned),
            Kind::TinySet => TinySet::new(options).map(Self::TinySet),
            Kind::Quotient => Quotient::new(options).map(Self::Quotient),
        }
    }

    /// A copy of everything.
    pub(crate) fn try_clone(&self) -> Result<Self, Error> {
        match self {
            Self::TimeLimited(filter) => filter.try_clone().map(Self::TimeLimited),
            Self::AgePartitioned(filter) => filter.try_clone().map(Self::AgePartitioned),
            Self::TinySet(filter) => filter.try_clone().map(Self::TinySet),
            Self::Quotient(filter) => filter.try_clone().map(Self::Quotient),
        }
    }

    /// [`Striped::part_bytes`].
    pub(crate) fn part_bytes(&self) -> u64 {
        each_kind!(self, filter => filter.part_bytes())
    }

    /// Reads a filter of the kind with this number.
    pub(crate) fn load(number: u32, source: &mut Source<'_>, then: Tick, now: Tick) -> Result<Self, Refused> {
        match number {
            TimeLimited::NUMBER => TimeLimited::load(source, then, now).map(Self::TimeLimited),
            AgePartitioned::NUMBER => AgePartitioned::load(source, then, now).map(Self::AgePartitioned),
            TinySet::NUMBER => TinySet::load(source, then, now).map(Self::TinySet),
            Quotient::NUMBER => Quotient::load(source, then, now).map(Self::Quotient),
            other => Err(Error::corrupt("kind", other, "1 to 4").into()),
        }
    }

    /// Whether this kind's window is a span of time.
    pub(crate) const fn has_time(&self) -> bool {
        match self {
            Self::TimeLimited(_) => true,
            Self::AgePartitioned(_) | Self::TinySet(_) | Self::Quotient(_) => false,
        }
    }
}

/// The integers that follow from the options; allocates nothing.
pub(crate) fn plan(options: &Options) -> Result<PlanSummary, Error> {
    match options.kind {
        Kind::TimeLimited => TimeLimitedPlan::new(options).map(|plan| plan.summary()),
        Kind::AgePartitioned => AgePartitionedPlan::new(options).map(|plan| plan.summary()),
        Kind::TinySet => TinySetPlan::new(options).map(|plan| plan.summary()),
        Kind::Quotient => QuotientPlan::new(options).map(|plan| plan.summary()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_kind_alone_has_time() {
        let requests = [
            (Options::new(Kind::TimeLimited).window_ns(1000), true),
            (Options::new(Kind::AgePartitioned).window_keys(1000), false),
            (Options::new(Kind::TinySet).capacity(1000), false),
            (Options::new(Kind::Quotient).memory(1000), false),
        ];
        for (options, has_time) in requests {
            let filter = AnyFilter::new(&options).unwrap();
            assert_eq!(filter.has_time(), has_time, "{options:?}");
            assert_eq!(filter.try_clone().unwrap().has_time(), has_time, "{options:?}");
            assert!(plan(&options).unwrap().bits_per_key >= 0.0, "{options:?}");
        }
    }
}
