//! The sizes in which an allocator gives memory: how many runs fit without a spare byte, and whether the memory is really there.

use crate::error::Error;
use crate::num;
use crate::raw::Zeroed;
use crate::simd::Line;

/// The most runs up to a number for which an allocator gives no byte more. Between two powers of 2 it has four sizes
/// ([jemalloc](https://jemalloc.net/jemalloc.3.html), size classes), and rounds all others up, by a fifth at most.
pub(super) const fn exactly_allocated(runs: u64) -> u64 {
    if runs < 8 {
        return runs;
    }
    let dropped = runs.ilog2() - 2;
    runs >> dropped << dropped
}

/// Checks that the system grants the memory for all lines in one request. A system that overcommits grants each small arena, and
/// ends the process when they are touched.
pub(super) fn expect_memory(lines: u64) -> Result<(), Error> {
    // A choice: smaller requests are rarely refused.
    const MANY: u64 = (1 << 20) / num::wide(size_of::<Line>());
    if lines <= MANY {
        return Ok(());
    }
    // The compiler may remove an allocation that is not used.
    Zeroed::<Line>::new(num::index(lines), size_of::<Line>()).map(|all| drop(std::hint::black_box(all)))
}
