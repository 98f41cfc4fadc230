//! How large the next table of a window of time is.
//!
//! ```text
//!  wanted    the keys of a window at the pace at which tables filled of late, and some room to spare
//!  room      2.5 times what the keys of the last window need, less all tables that there are
//!  wanted fits in room      it is made
//!  it does not              a bridge: the least table that lasts until it does, since sealed ones drain meanwhile
//!  no bridge does           all that there is room for, at least half of the newest; beyond ten tables as much as all
//! ```
//! **Law.** Up to ten tables together take at most 2.5 times what the most keys of any window since the oldest was made need, or
//! one and a half times the first table. Each has a share of the error rate: the first a half, the next one with n sealed
//! 1 / (1 + n) of what is left: 1/2, 1/4, 1/12, .., so that their sum is never above the rate, and no share vanishes.

use crate::num;

use super::plan::{FIRST_LINES, FIRST_SHARE};
use super::position::PARTS;
use super::{Core, WindowTable};

/// All tables together, as a multiple of what a window needs.
const MOST: f64 = 2.5;

/// Growth of a table that filled slowly; and what a table has beyond what its pace of filling asks for.
const SLOW: f64 = 1.10;
const SPARE: f64 = 1.085;

/// What a bridge has beyond what it is to last.
const BRIDGE_SPARE: f64 = 1.03;

/// From this many sealed tables on, growth doubles what there is, whatever a window needs.
const MANY: usize = 10;

impl WindowTable {
    /// The lines of the next table, for the pace at which the newest filled with `live` cells.
    pub(super) fn next_lines(&self, pace: f64, live: u64) -> u64 {
        let core = &self.core;
        let keys = (SPARE * pace * num::real(core.plan.span.parts)).max(SLOW * core.keys_of(live));
        self.within_bounds(keys, pace).max(FIRST_LINES)
    }

    /// Keys a part, at least: those of the newest table, or of as many of the youngest tables as half a window has made. Parts
    /// are whole, so that a table that filled in few says little. Cells live for a window and half a generation.
    pub(super) fn pace(&self, live: u64) -> f64 {
        let core = &self.core;
        let lives = core.plan.span.parts + PARTS / 2;
        let parts = |since: u64| (core.position.part - since + 1).min(lives);
        let (mut keys, mut pace) = (live, num::real(live) / num::real(parts(core.born)));
        for (sealed, before) in core.sealed.iter().zip(core.sealed.iter().skip(1)) {
            if 2 * parts(sealed.ended) > core.plan.span.parts {
                break;
            }
            keys += sealed.live(core.position.part).all;
            pace = pace.max(num::real(keys) / num::real(parts(before.ended)));
        }
        pace
    }

    /// The lines of a table for `keys` keys, if all tables together stay within what they may take. Else those of a bridge to
    /// the time when they would, or all that there is room for.
    fn within_bounds(&self, keys: f64, pace: f64) -> u64 {
        let core = &self.core;
        let (all, most) = (core.lines(), core.most(core.keys_of(self.cells_now())));
        // However much has yet to drain, tables must not become many: beyond some, each is as large as all others.
        let least = if core.sealed.len() < MANY { core.newest.shape.lines() / 2 } else { all };
        let room = most.saturating_sub(all).max(least);
        let wanted = core.plan.density(core.next_share()).lines(keys);
        // One that lacks some of its spare room is better than two.
        if is_enough(room, wanted) { wanted.min(room) } else { self.bridge(keys, pace, room).unwrap_or(room) }
    }

    /// The least table that lasts, at this many keys a part, until one for `keys` keys has room: sealed tables drain
    /// meanwhile, and a window that is not yet whole has more keys.
    fn bridge(&self, keys: f64, pace: f64, room: u64) -> Option<u64> {
        let core = &self.core;
        let (part, span) = (core.position.part, core.plan.span);
        let share = core.next_share();
        let density = core.plan.density(share);
        let window = core.keys_of(self.cells_now());
        let whole = window.max(pace * num::real(span.parts));
        let lasting = (1..=span.lifetime()).map(|parts| (parts, density.lines(pace * num::real(parts) * BRIDGE_SPARE)));
        let (_, lines) = lasting.take_while(|(_, lines)| *lines < room).find(|(parts, lines)| {
            let left = || core.sealed.iter().filter(|sealed| sealed.ended + span.lifetime() > part + parts);
            let others =
                core.newest.shape.lines() + lines + left().map(|sealed| sealed.table.shape.lines()).sum::<u64>();
            let taken = core.share + share + left().map(|sealed| sealed.share).sum::<f64>();
            let next = core.plan.density(share_beside(taken, left().count() + 2)).lines(keys);
            let room = core.most((window + pace * num::real(*parts)).min(whole)).saturating_sub(others);
            is_enough(room, next)
        })?;
        Some(lines)
    }

    /// Cells of all tables within the window, about.
    fn cells_now(&self) -> u64 {
        let part = self.core.position.part;
        self.live() + self.core.sealed.iter().map(|sealed| sealed.live(part).all).sum::<u64>()
    }
}

/// Whether there is room for a table, some of its spare lines left out: that is better than two tables.
fn is_enough(room: u64, wanted: u64) -> bool {
    wanted <= room + room / 25
}

/// What the next table may have of what that many sealed ones leave of the error rate.
fn share_beside(taken: f64, sealed: usize) -> f64 {
    (1.0 - taken).max(0.0) / num::real(1 + num::wide(sealed)).max(FIRST_SHARE.recip())
}

impl Core {
    /// Lines of all tables.
    pub(super) fn lines(&self) -> u64 {
        self.newest.shape.lines() + self.sealed.iter().map(|sealed| sealed.table.shape.lines()).sum::<u64>()
    }

    /// Keys of a window that has that many cells in use.
    pub(super) fn keys_of(&self, cells: u64) -> f64 {
        num::real(cells) / (1.0 + 0.5 * num::real(PARTS) / num::real(self.plan.span.parts))
    }

    /// What all tables together may take for a window of that many keys.
    fn most(&self, window: f64) -> u64 {
        num::floor(MOST * num::real(self.plan.density(FIRST_SHARE).lines(window)))
    }

    /// The share of the error rate of a table that would be made now.
    pub(super) fn next_share(&self) -> f64 {
        let taken = self.share + self.sealed.iter().map(|sealed| sealed.share).sum::<f64>();
        // The newest, which is to be sealed, is one of them.
        share_beside(taken, self.sealed.len() + usize::from(self.share > 0.0))
    }
}
