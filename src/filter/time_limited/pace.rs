//! How many keys the next generation should take, and how many a new slice must have room for.
//!
//! Paper: section 6.2 and 6.3, equations 4 to 8, with readings 4 to 6 of DESIGN section 4.

use crate::num;

/// What the generations within the last T have counted, ending at the present shift.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Traffic {
    /// Keys of those generations.
    pub(crate) held: u64,
    /// The time they took.
    pub(crate) held_ns: u64,
    /// Keys of the generation that ends now.
    pub(crate) last: u64,
    /// The time it took.
    pub(crate) last_ns: u64,
}

/// How far one generation must be from what the last T predicts, in standard deviations, before its own rate is
/// believed instead.
const SURPRISE: f64 = 3.0;

impl Traffic {
    /// Keys that the next generation should take (equation 6).
    pub(crate) fn target(&self, window: u64, l: u64) -> u64 {
        self.window_keys(window).div_ceil(l).min(self.held).max(1)
    }

    /// Keys that the window will hold if they keep arriving as they do.
    ///
    /// The rate of one generation is a noisy estimate: that of the last T is taken, unless the last generation
    /// contradicts it by more than chance. The answer is bounded by what the last T really held, for a burst
    /// would otherwise be taken for a window's worth of traffic.
    pub(crate) fn window_keys(&self, window: u64) -> u64 {
        let (held, last) = (num::real(self.held), num::real(self.last));
        let (held_ns, last_ns) = (num::real(self.held_ns.max(1)), num::real(self.last_ns.max(1)));
        let expected = held / held_ns * last_ns;
        let surprising = (last - expected).abs() > SURPRISE * last.max(expected).sqrt();
        let rate = if surprising { last / last_ns } else { held / held_ns };
        num::ceil(rate * num::real(window))
    }
}

/// The keys that the next `generations` generations take when each takes `target`, or less where the slices that
/// are still filling allow less: the sum that equation 7 is after, and the room that a new slice needs.
///
/// `left[i]` is what the slice `i + 1` places behind the new one may still take; it stops `i + 1` generations
/// before the new one does, and what it may still take is spread over the generations until then (equation 4).
pub(crate) fn look_ahead(target: u64, left: &[u64], generations: usize) -> u64 {
    let mut total = 0;
    for to_go in (0..generations).rev() {
        let filling = left.iter().take(to_go).enumerate();
        let allowed = filling.map(|(i, room)| room.saturating_sub(total) / num::wide(to_go - i)).min();
        total += target.min(allowed.unwrap_or(u64::MAX));
    }
    total
}
