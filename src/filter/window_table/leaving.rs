//! Drained tables on their way back to the system: 2 MiB with each call, so that no call waits for the whole of a large one.
//!
//! ```text
//!  lines of a drained table    | back already ........ | next 2 MiB | still counted as bytes of the filter ....... |
//!                              0                      done                                                      len
//! ```
//! A table of 2 MiB or less goes at once.

use crate::num;
use crate::simd::Lanes;

use super::Core;

/// The lines of a drained table that the system has not yet got back.
#[derive(Debug)]
pub(super) struct Leaving {
    lines: Lanes,
    /// Lines that it has got.
    done: usize,
}

/// Lines that are given back with one call: 2 MiB.
const PIECE: usize = (2 << 20) / 64;

impl Core {
    /// Lets the lines of a drained table go.
    pub(super) fn leave(&mut self, lines: Lanes) {
        if lines.len() > PIECE && self.leaving.try_reserve(1).is_ok() {
            self.leaving.push(Leaving { lines, done: 0 });
        }
    }

    /// Lines that are on their way.
    pub(super) fn leaving(&self) -> u64 {
        num::wide(self.leaving.iter().map(|leaving| leaving.lines.len() - leaving.done).sum())
    }

    /// Gives 2 MiB of a drained table back.
    #[cold]
    #[inline(never)]
    pub(super) fn give_back(&mut self) {
        let Some(leaving) = self.leaving.last_mut() else { return };
        let to = (leaving.done + PIECE).min(leaving.lines.len());
        leaving.lines.give_back(leaving.done..to);
        leaving.done = to;
        if to == leaving.lines.len() {
            self.leaving.pop();
        }
    }
}
