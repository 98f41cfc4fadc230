//! Snapshots of a shared filter: those of the filter behind the locks, as it is while all of them are held.
//!
//! The bytes contain nothing about locks: a snapshot of either handle loads into either. Every call that returned before the
//! snapshot began is in it, and none of those that begin after it; of those that run meanwhile, each is in it whole or
//! not at all, a batch key by key.

use std::io::{self, Read, Write};

use super::SharedFilter;
use crate::error::Error;
use crate::filter::any::each_kind;
use crate::handle::Filter;
use crate::num;
use crate::snapshot::{self, LoadOptions, Written};

impl SharedFilter {
    /// Bytes of the snapshot of the filter as it is now. A filter with a window of time grows and shrinks, also
    /// before the caller has made room for that many. Takes all locks.
    #[must_use]
    pub fn snapshot_size(&self) -> u64 {
        each_kind!(&self.parts.any, stripes => stripes.all(|filter| {
            let claims = self.locked_claims();
            snapshot::size(&Written { filter: &*filter, claims: claims.as_deref() })
        }))
    }

    /// Writes a snapshot into `buffer`; returns how many bytes. They are those that one owner of the filter would get
    /// from [`Filter::snapshot_write`]. Takes all locks while it copies.
    ///
    /// # Errors
    /// `SHORT_BUFFER` if there is not room for [`SharedFilter::snapshot_size`] bytes; nothing is written then.
    pub fn snapshot_write(&self, buffer: &mut [u8]) -> Result<usize, Error> {
        self.snapshot_into(buffer.len(), &mut &mut *buffer).map(num::index)
    }

    /// Writes a snapshot into memory that has room for `have` bytes, or nothing; returns how many.
    #[doc(hidden)]
    pub fn snapshot_into(&self, have: usize, room: &mut dyn Write) -> Result<u64, Error> {
        let edge = &self.parts.edge;
        each_kind!(&self.parts.any, stripes => stripes.all(|filter| {
            let claims = self.locked_claims();
            snapshot::write_within(&Written { filter: &*filter, claims: claims.as_deref() }, edge, have, room)
        }))
    }

    /// Writes a snapshot to a stream; returns how many bytes. The filter is copied first, so that other threads wait for
    /// memory and never for the stream: it takes the filter's memory once more.
    ///
    /// # Errors
    /// The errors of the stream; [`io::ErrorKind::OutOfMemory`] without memory for the copy.
    pub fn write_snapshot(&self, stream: impl Write) -> io::Result<u64> {
        let copy = self.unshared().map_err(|error| io::Error::new(io::ErrorKind::OutOfMemory, error))?;
        copy.write_snapshot(stream)
    }

    /// As [`Filter::load`], of a snapshot of either handle.
    ///
    /// # Errors
    /// As [`Filter::load`]; `OPTION` if the locks would take more than 2 MiB and more than the cells: rows of four
    /// thousand cells and more in a small filter do.
    pub fn load(bytes: &[u8], options: &LoadOptions) -> Result<Self, Error> {
        Filter::load(bytes, options).and_then(Self::of)
    }

    /// As [`Filter::read_snapshot`], of a snapshot of either handle.
    ///
    /// # Errors
    /// As [`Filter::read_snapshot`] and [`SharedFilter::load`].
    pub fn read_snapshot(stream: impl Read, options: &LoadOptions) -> io::Result<Self> {
        let filter = Filter::read_snapshot(stream, options)?;
        Self::of(filter).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
    }
}
