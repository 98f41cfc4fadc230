//! The verbs of a key as a trait, over both handles, so that a program can be written once for either.

use crate::error::Error;
use crate::filter::values::{Stats, Verdict};
use crate::handle::Filter;
use crate::hash::KeyHash;
use crate::shared::SharedFilter;
use crate::tick::Tick;

/// Private, so that only this crate implements [`Observe`].
mod sealed {
    pub trait Sealed {}
}

use sealed::Sealed;

/// The verbs of a filter, in any handle: [`Filter`], [`SharedFilter`] or a reference to that.
///
/// Only this crate implements it, so that a later version can add methods. Methods take `&mut self`: a thread calls them on
/// its own clone of a `SharedFilter`, or its own `&SharedFilter`. Each method is that of the same name of [`Filter`], with its errors.
///
/// ```
/// use lately::{Error, Filter, Observe, Options, SharedFilter, Verdict};
///
/// fn first_sightings(seen: &mut impl Observe, keys: &[&str]) -> Result<usize, Error> {
///     let mut count = 0;
///     for key in keys {
///         count += usize::from(seen.observe(key.as_bytes())? == Verdict::New);
///     }
///     Ok(count)
/// }
///
/// let shared = SharedFilter::new(&Options::last(1000))?;
/// assert_eq!(first_sightings(&mut &shared, &["a", "b", "a"])?, 2);
/// assert_eq!(first_sightings(&mut Filter::new(&Options::last(1000))?, &["a", "b", "a"])?, 2);
/// # Ok::<(), Error>(())
/// ```
pub trait Observe: Sealed {
    /// Tests and inserts in one step, now.
    fn observe(&mut self, key: &[u8]) -> Result<Verdict, Error>;
    /// Whether the key is new: [`Observe::observe`] as a condition.
    fn first(&mut self, key: &[u8]) -> Result<bool, Error> {
        self.observe(key).map(Verdict::is_new)
    }
    /// Tests and inserts in one step, at `now`.
    fn observe_at(&mut self, key: &[u8], now: Tick) -> Result<Verdict, Error>;
    /// Tests and inserts the key with this hash in one step, now.
    fn observe_hash(&mut self, hash: KeyHash) -> Result<Verdict, Error>;
    /// Inserts without a verdict, now.
    fn insert(&mut self, key: &[u8]) -> Result<(), Error>;
    /// Inserts without a verdict, at `now`.
    fn insert_at(&mut self, key: &[u8], now: Tick) -> Result<(), Error>;
    /// The verdict that `observe` would give now. Changes nothing at all.
    fn contains(&self, key: &[u8]) -> Verdict;
    /// The verdict that `observe_at` would give at `now`. Changes nothing at all.
    fn contains_at(&self, key: &[u8], now: Tick) -> Result<Verdict, Error>;
    /// Forgets the key; returns whether it was there.
    fn remove(&mut self, key: &[u8]) -> Result<bool, Error>;
    /// Forgets the key as of `now`; returns whether it was there then.
    fn remove_at(&mut self, key: &[u8], now: Tick) -> Result<bool, Error>;
    /// Moves a manual clock.
    fn advance(&mut self, now: Tick) -> Result<(), Error>;
    /// Empties the filter.
    fn clear(&mut self);
    /// The statistics of the filter now.
    fn stats(&self) -> Stats;
}

/// The trait for a holder of a filter of type `$filter`, whose own methods have the same names.
macro_rules! observe {
    ($($holder:ty: $filter:ident),+ $(,)?) => {
        $(impl Sealed for $holder {}

        impl Observe for $holder {
            fn observe(&mut self, key: &[u8]) -> Result<Verdict, Error> {
                $filter::observe(self, key)
            }

            fn observe_at(&mut self, key: &[u8], now: Tick) -> Result<Verdict, Error> {
                $filter::observe_at(self, key, now)
            }

            fn observe_hash(&mut self, hash: KeyHash) -> Result<Verdict, Error> {
                $filter::observe_hash(self, hash)
            }

            fn insert(&mut self, key: &[u8]) -> Result<(), Error> {
                $filter::insert(self, key)
            }

            fn insert_at(&mut self, key: &[u8], now: Tick) -> Result<(), Error> {
                $filter::insert_at(self, key, now)
            }

            fn contains(&self, key: &[u8]) -> Verdict {
                $filter::contains(self, key)
            }

            fn contains_at(&self, key: &[u8], now: Tick) -> Result<Verdict, Error> {
                $filter::contains_at(self, key, now)
            }

            fn remove(&mut self, key: &[u8]) -> Result<bool, Error> {
                $filter::remove(self, key)
            }

            fn remove_at(&mut self, key: &[u8], now: Tick) -> Result<bool, Error> {
                $filter::remove_at(self, key, now)
            }

            fn advance(&mut self, now: Tick) -> Result<(), Error> {
                $filter::advance(self, now)
            }

            fn clear(&mut self) {
                $filter::clear(self);
            }

            fn stats(&self) -> Stats {
                $filter::stats(self)
            }
        })+
    };
}

observe!(Filter: Filter, SharedFilter: SharedFilter, &SharedFilter: SharedFilter);
