//! Where a filter lies: the kind that most are of in its handle, so that a call follows one pointer less; any other, which is larger, in memory
//! of its own, so that a handle is no larger than the first needs.
//!
//! ```text
//!  handle   [ kind | Here: the default kind | hasher, clock ]
//!           [ kind | Box ---------------> any other kind | hasher, clock ]
//! ```

use std::fmt::Debug;
use std::ops::{Deref, DerefMut};

use crate::error::Error;
use crate::raw::boxed;

/// Where a value lies.
pub(crate) trait Place: Debug + Sized + DerefMut<Target: Sized> {
    /// Puts it there; an error without memory.
    fn put(value: Self::Target) -> Result<Self, Error>;
    /// Takes it out.
    fn take(self) -> Self::Target;
}

/// In the handle itself.
#[derive(Debug)]
pub(crate) struct Here<T>(pub(crate) T);

impl<T> Deref for Here<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Here<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T: Debug> Place for Here<T> {
    fn put(value: T) -> Result<Self, Error> {
        Ok(Self(value))
    }

    fn take(self) -> T {
        self.0
    }
}

impl<T: Debug> Place for Box<T> {
    fn put(value: T) -> Result<Self, Error> {
        boxed(value)
    }

    fn take(self) -> T {
        *self
    }
}

/// A reference to a value by one to its place.
pub(crate) trait Held {
    type Value;
    fn held(self) -> Self::Value;
}

impl<'a, P: Deref> Held for &'a P {
    type Value = &'a P::Target;

    #[inline(always)]
    fn held(self) -> &'a P::Target {
        self
    }
}

impl<'a, P: DerefMut> Held for &'a mut P {
    type Value = &'a mut P::Target;

    #[inline(always)]
    fn held(self) -> &'a mut P::Target {
        self
    }
}
