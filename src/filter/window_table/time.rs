//! The moments that a filter remembers. None of them runs back.

use crate::tick::Tick;

/// See the module.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Time {
    pub(super) clock: Tick,
    /// A tick that leads the clock by fewer nanoseconds is taken without another look: 0 until the caller has passed one.
    pub(super) leads: u64,
    /// Observations so far, of a window of keys.
    pub(super) count: u64,
}

impl Time {
    /// Whether the caller has ever passed a tick; false for a window of keys.
    pub(super) const fn has_started(&self) -> bool {
        self.leads > 0
    }

    /// Whether a tick is neither late nor too far ahead, nor the first: as a rule it is.
    #[inline(always)]
    pub(super) fn is_usual(&self, now: Tick) -> bool {
        now >= self.clock && now.since(self.clock) < self.leads
    }
}
