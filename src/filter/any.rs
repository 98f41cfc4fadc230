//! One filter of any kind: a plain `match`, no `dyn`, made from the table of kinds.

use crate::error::Error;
use crate::field::Field;
use crate::filter::contract::{Contract, Stored};
use crate::filter::place::{Here, Place};
use crate::filter::quotient::Quotient;
use crate::filter::sliced::age_partitioned::AgePartitioned;
use crate::filter::sliced::time_limited::TimeLimited;
use crate::filter::striped::Striped;
use crate::filter::tiny_set::TinySet;
use crate::filter::values::PlanSummary;
use crate::filter::window_table::WindowTable;
use crate::kind::{Kind, kinds};
use crate::options::Options;
use crate::tick::Tick;
use crate::wire::{Refused, Source, expect, within};

/// The wrapping of a filter in a handle: none, or locks.
pub(crate) trait Holder {
    /// The holder of a filter of kind `K`.
    type Of<K: Striped>: Place;
}

/// The filter itself.
#[derive(Debug)]
pub(crate) struct Bare;

impl Holder for Bare {
    type Of<K: Striped> = K::Place;
}

/// One filter of any kind, with one owner.
pub(crate) type AnyFilter = Any<Bare>;

macro_rules! declare {
    ({} $($kind:ident $row:tt)+) => {
        /// One filter of any kind in its holder. Its kind is a separate number, which is read faster than one that shares
        /// bits with a field.
        #[derive(Debug)]
        #[repr(u8)]
        pub(crate) enum Any<H: Holder> { $($kind(H::Of<$kind>)),+ }

        $(const _: () = assert!(matches!(<$kind as Contract>::KIND, Kind::$kind), "a kind has its own row");)+
    };
}
kinds!([declare] {});

/// Calls the same method on whatever kind it is. With `->` the call gives a `Result`, and what is in it is of the same
/// kind as before and put into its place.
macro_rules! each_kind {
    ($any:expr, $filter:ident => $call:expr) => {
        $crate::kind::kinds!([$crate::filter::any::each_row] { $any, $filter => $call })
    };
    ($any:expr, $filter:ident -> $call:expr) => {
        $crate::kind::kinds!([$crate::filter::any::each_row] { $any, $filter -> $call })
    };
}
pub(crate) use each_kind;

/// The `match` of [`each_kind`] over the rows of the table.
macro_rules! each_row {
    ({ $any:expr, $filter:ident => $call:expr } $($kind:ident $row:tt)+) => {
        match $any {
            $($crate::filter::any::Any::$kind($filter) => {
                let $filter = $crate::filter::place::Held::held($filter);
                $call
            })+
        }
    };
    ({ $any:expr, $filter:ident -> $call:expr } $($kind:ident $row:tt)+) => {
        match $any {
            $($crate::filter::any::Any::$kind($filter) => {
                $call.and_then($crate::filter::place::Place::put).map($crate::filter::any::Any::$kind)
            })+
        }
    };
}
pub(crate) use each_row;

/// Calls a function of the type of a kind, as [`each_kind`] does a method.
macro_rules! of_kind {
    ({ $of:expr, $K:ident => $call:expr } $($kind:ident $row:tt)+) => {
        match $of { $(Kind::$kind => { type $K = $kind; $call }),+ }
    };
    ({ $of:expr, $K:ident -> $call:expr } $($kind:ident $row:tt)+) => {
        match $of { $(Kind::$kind => { type $K = $kind; $call.and_then(put_bare::<$kind, _>).map(Any::$kind) }),+ }
    };
}

fn put_bare<K: Striped, E: From<Error>>(filter: K) -> Result<K::Place, E> {
    Ok(K::Place::put(filter)?)
}

impl AnyFilter {
    /// Builds the filter that the options ask for.
    pub(crate) fn new(options: &Options) -> Result<Self, Error> {
        kinds!([of_kind] { options.kind, K -> K::new(options) })
    }

    /// The filter, if it is of the kind that most are of: one comparison, where a `match` over all is a table of jumps.
    #[inline(always)]
    pub(crate) const fn usual(&mut self) -> Option<&mut WindowTable> {
        if let Self::WindowTable(Here(filter)) = self { Some(filter) } else { None }
    }

    /// A copy of everything.
    pub(crate) fn try_clone(&self) -> Result<Self, Error> {
        each_kind!(self, filter -> filter.try_clone())
    }

    /// Reads a filter of the kind with this number.
    pub(crate) fn load(number: u32, source: &mut Source<'_>, then: Tick, now: Tick) -> Result<Self, Refused> {
        let unknown = || Error::corrupt_number("kind", number, Kind::numbers());
        let kind = Kind::numbered(number).ok_or_else(unknown)?;
        kinds!([of_kind] { kind, K -> K::load(source, then, now) })
    }

    /// An error unless a loaded filter can have claims with this lease.
    pub(crate) fn expect_claims(&self, lease: u64) -> Result<(), Error> {
        let (kind, window) = each_kind!(self, filter => (kind_of(filter), filter.window()));
        expect(kind.takes(Field::LeaseNs), "parts", 1, "0 for a kind without a window")?;
        let most = if self.has_time() { window } else { u64::MAX };
        within("lease_ns", lease, 1, most).map(|_| ())
    }

    /// [`Contract::has_time`].
    pub(crate) fn has_time(&self) -> bool {
        each_kind!(self, filter => filter.has_time())
    }
}

const fn kind_of<K: Contract>(_: &K) -> Kind {
    K::KIND
}

/// The integers that follow from the options; allocates nothing.
pub(crate) fn plan(options: &Options) -> Result<PlanSummary, Error> {
    kinds!([of_kind] { options.kind, K => K::plan(options) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_of_time_alone_have_time() {
        let requests = [
            (Options::new(Kind::TimeLimited).window_ns(1000), true),
            (Options::new(Kind::AgePartitioned).window_keys(1000), false),
            (Options::new(Kind::TinySet).capacity(1000), false),
            (Options::new(Kind::Quotient).memory(1000), false),
            (Options::new(Kind::WindowTable).window_ns(1000), true),
            (Options::new(Kind::WindowTable).window_keys(1000), false),
        ];
        for (options, has_time) in requests {
            let filter = AnyFilter::new(&options).unwrap();
            assert_eq!(filter.has_time(), has_time, "{options:?}");
            assert_eq!(filter.try_clone().unwrap().has_time(), has_time, "{options:?}");
            assert!(plan(&options).unwrap().bits_per_key >= 0.0, "{options:?}");
        }
    }
}
