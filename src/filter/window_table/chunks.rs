//! Chunks of lines, and the part to which each is up to date.
//!
//! ```text
//!  side     [ 32 lines ][ 32 lines ] .. [ 1 to 32 lines ]       four lines of each phase in a chunk, or 32 of a section
//!  parts    [ part     ][ part     ] .. [ part          ]
//! ```
//! **Law.** There is a part for each chunk of lines that exist, in use or not. It never wraps.
//! **Price.** 8 bytes for 32 lines.

use crate::error::Error;
use crate::num;
use crate::raw::{boxed, vec_of};

use super::key::Side;
use super::position::{PARTS, Part};

/// Lines of a chunk: four of each phase, or 32 of a section.
pub(super) const CHUNK: u64 = 4 * PARTS;

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Walk {
    /// The part to which each chunk is up to date; nothing without lines.
    parts: Option<Box<[Vec<Part>; 2]>>,
    /// Chunks that are still to be looked at, and one: the call that finds no other ends the walk. And the last that was looked at.
    pub(super) left: u64,
    pub(super) cursor: u64,
}

impl Walk {
    pub(super) fn try_clone(&self) -> Result<Self, Error> {
        let mut copy = Self { parts: None, ..*self };
        let Some(parts) = &self.parts else { return Ok(copy) };
        for (to, from) in copy.parts()?.iter_mut().zip(&**parts) {
            *to = vec_of(from.len())?;
            to.extend_from_slice(from);
        }
        Ok(copy)
    }

    /// The parts, which are about to be written.
    fn parts(&mut self) -> Result<&mut [Vec<Part>; 2], Error> {
        let parts = match self.parts.take() {
            Some(parts) => parts,
            None => boxed([Vec::new(), Vec::new()])?,
        };
        Ok(self.parts.insert(parts))
    }

    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// All chunks are up to date.
    pub(super) fn restart(&mut self, part: Part) {
        self.parts.iter_mut().flat_map(|parts| &mut **parts).for_each(|parts| parts.fill(part));
        self.left = 0;
    }

    /// Room for the chunks of `lines` lines of a side.
    pub(super) fn reserve(&mut self, side: Side, lines: u64) -> Result<(), Error> {
        let (chunks, parts) = (num::index(lines.div_ceil(CHUNK)), &mut self.parts()?[side.index()]);
        let more = chunks.saturating_sub(parts.len());
        parts.try_reserve(more).map_err(|_| Error::no_memory_for::<Part>(more))
    }

    /// As many chunks as `lines` of a side have, and no others; new ones are up to date.
    pub(super) fn resize(&mut self, side: Side, lines: u64, part: Part) -> Result<(), Error> {
        self.reserve(side, lines)?;
        let parts = &mut self.parts()?[side.index()];
        parts.resize(num::index(lines.div_ceil(CHUNK)), part);
        crate::raw::shorten(parts);
        Ok(())
    }

    /// The part to which a chunk is up to date.
    pub(super) fn part(&self, side: Side, chunk: u64) -> Part {
        self.parts.as_ref().expect("a table has chunks")[side.index()][num::index(chunk)]
    }

    /// A chunk is up to date to `part`; returns to which it was.
    pub(super) fn set_part(&mut self, side: Side, chunk: u64, part: Part) -> Part {
        let parts = self.parts.as_mut().expect("a table has chunks");
        std::mem::replace(&mut parts[side.index()][num::index(chunk)], part)
    }
}
