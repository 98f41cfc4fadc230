//! What the crate of the C ABI (`capi/`) needs of this one, in addition to the public names.
//!
//! No part of the public API: it changes with the C ABI and without notice.
//!
//! The C ABI has each verb twice, for [`Filter`] and for [`SharedFilter`], and writes it once, over the two traits here.
//! They take `self` by value, which is a reference: a verb that changes a filter needs `&mut` of the one, but only
//! `&` of the other.

use std::fmt;
use std::io::Write;

use crate::claims::values::{Claim, Committed, Token};
use crate::edge::Stopped;
use crate::error::Error;
use crate::field::Field;
use crate::filter::values::{Age, Stats, Verdict};
use crate::handle::Filter;
use crate::hash::KeyHash;
use crate::raw;
use crate::secret::Secret;
use crate::shared::SharedFilter;
use crate::tick::Tick;

pub use crate::keys::AnyKeys;
pub use crate::text::Text;

/// The error of an option that the C ABI itself refuses: a number that names no choice.
#[must_use]
pub fn out_of_range(field: Field, value: impl fmt::Display, range: impl fmt::Display) -> Error {
    Error::out_of_range(field, value, range)
}

/// A value in memory of its own.
///
/// # Errors
/// No memory.
pub fn boxed<T>(value: T) -> Result<Box<T>, Error> {
    raw::boxed(value)
}

/// Divides a filter among its locks, as threads do that wait for each other: for tests of one thread.
pub fn divide(filter: &SharedFilter) {
    filter.divide();
}

/// A trait of verbs, and its two implementations, each of which calls the method of the same name.
macro_rules! verbs {
    (
        $(#[$doc:meta])*
        $name:ident for $one:ty, $many:ty {
            $(fn $verb:ident ($($arg:ident: $type:ty),*) $(-> $output:ty)?;)+
        }
    ) => {
        $(#[$doc])*
        #[allow(missing_docs, reason = "each is the method of that name of Filter")]
        pub trait $name: Sized {
            $(fn $verb(self $(, $arg: $type)*) $(-> $output)?;)+
        }

        verbs!(@for $one, Filter, $name { $(fn $verb($($arg: $type),*) $(-> $output)?;)+ });
        verbs!(@for $many, SharedFilter, $name { $(fn $verb($($arg: $type),*) $(-> $output)?;)+ });
    };
    (@for $reference:ty, $filter:ident, $name:ident {
        $(fn $verb:ident($($arg:ident: $type:ty),*) $(-> $output:ty)?;)+
    }) => {
        impl $name for $reference {
            $(#[inline]
            fn $verb(self $(, $arg: $type)*) $(-> $output)? {
                $filter::$verb(self $(, $arg)*)
            })+
        }
    };
}

verbs! {
    /// The verbs that change a filter.
    Change for &mut Filter, &SharedFilter {
        fn observe(key: &[u8]) -> Result<Verdict, Error>;
        fn observe_at(key: &[u8], now: Tick) -> Result<Verdict, Error>;
        fn observe_age(key: &[u8]) -> Result<(Verdict, Option<Age>), Error>;
        fn observe_age_at(key: &[u8], now: Tick) -> Result<(Verdict, Option<Age>), Error>;
        fn observe_each(keys: AnyKeys<'_>, ticks: Option<&[Tick]>, emit: impl FnMut(usize, Verdict)) -> Result<(), Stopped>;
        fn observe_hash(hash: KeyHash) -> Result<Verdict, Error>;
        fn observe_hash_at(hash: KeyHash, now: Tick) -> Result<Verdict, Error>;
        fn insert(key: &[u8]) -> Result<(), Error>;
        fn insert_hash(hash: KeyHash) -> Result<(), Error>;
        fn insert_hash_at(hash: KeyHash, now: Tick) -> Result<(), Error>;
        fn insert_at(key: &[u8], now: Tick) -> Result<(), Error>;
        fn insert_each(keys: AnyKeys<'_>, ticks: Option<&[Tick]>) -> Result<(), Stopped>;
        fn remove(key: &[u8]) -> Result<bool, Error>;
        fn claim(key: &[u8]) -> Result<Claim, Error>;
        fn claim_at(key: &[u8], now: Tick) -> Result<Claim, Error>;
        fn commit(key: &[u8], token: Token) -> Result<Committed, Error>;
        fn commit_at(key: &[u8], token: Token, now: Tick) -> Result<Committed, Error>;
        fn abandon(key: &[u8], token: Token) -> Result<(), Error>;
        fn advance(now: Tick) -> Result<(), Error>;
        fn clear();
        fn stats_reset();
    }
}

verbs! {
    /// The verbs that leave a filter as it is.
    Look for &Filter, &SharedFilter {
        fn contains(key: &[u8]) -> Verdict;
        fn contains_at(key: &[u8], now: Tick) -> Result<Verdict, Error>;
        fn contains_hash(hash: KeyHash) -> Result<Verdict, Error>;
        fn contains_hash_at(hash: KeyHash, now: Tick) -> Result<Verdict, Error>;
        fn contains_age(key: &[u8]) -> Result<Option<Age>, Error>;
        fn contains_age_at(key: &[u8], now: Tick) -> Result<Option<Age>, Error>;
        fn contains_each(keys: AnyKeys<'_>, ticks: Option<&[Tick]>, emit: impl FnMut(usize, Verdict)) -> Result<(), Stopped>;
        fn hash(key: &[u8]) -> Result<KeyHash, Error>;
        fn secret() -> Result<Secret, Error>;
        fn stats() -> Stats;
        fn line() -> Text<160>;
        fn snapshot_size() -> u64;
        fn snapshot_into(have: usize, room: &mut dyn Write) -> Result<u64, Error>;
    }
}
