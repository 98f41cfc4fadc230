//! The growth of a table, in size and in the width of its lines, as a function of its known traffic. No code here has a
//! state or touches a line.
//!
//! ```text
//!  every instant of a window may use the same share of the error rate: a key that is stored while N keys come a window
//!  may weigh rate x fingerprints / N
//!
//!  keys        N: those that are there, or those of a window at the pace of the last part, whichever is more
//!  weight      what a cell may weigh on average: lines of depth d need cells that know log2(1 / weight) - d bits
//!  mix         two neighbouring widths, in that proportion, so that the mean is met exactly
//!  most        cells at which a line is split; low, far: cells at which two are merged, slowly or at once
//! ```
//! **Law.** At a constant rate the weights of a window sum to at most rate x fingerprints x (1 + 1 / 2 G), also while a table
//! grows from nothing: a small table has wider cells. What comes faster than foreseen costs (1 + ln g) / 480 of the rate for
//! each part in which the pace rises g-fold. `reserve` pays for both.
//!
//! **Constants.** Figures called [S] are of a sweep: one constant at a time, five traffics of `tests.rs` (from nothing, a sine, a burst
//! of 20, pulses, spikes) with 20,000 new keys a window; bits a key are medians at 1e-6, moves are of all keys, and the worst error
//! is 0.81 of the rate with the values here.

use crate::num;

use super::key::LineNumber;
use super::powers;
use super::width::{FILL, Widths};

/// A table is planned as if it had at least this number of keys: chance is large in small tables, and `tests.rs` at 1,000 keys and
/// `tests/suite/rates.rs` check their errors. With 256 or 8,192 the figures of [S] are the same within 1 %.
const FEW: f64 = 2048.0;

/// Cells are given their weight as if each section had this many standard deviations of keys more: the pace of few keys is
/// unsure, and so is what they weigh. The worst error over the rate, of 10,000 keys in pulses, half of them repeats: 1.015 at
/// 0, 1.006 at 3, 1.000 at 5, 0.993 at 8; of 4,400 in eight sections 1.013 at 0, in one run of ten, and 0.94 at 3.
const UNSURE: f64 = 8.0;

/// The room that a growing table keeps, since both lines of a key may not be split yet. Without it a third of all keys move a
/// cell: 30 % at 0, 21 % at 0.025, 11 % at 0.055, 1.5 % at 0.105 (100,000 new keys). [S] at 0.07, 0.10, 0.14, 0.18: 16.1, 12.4, 9.2,
/// 7.0 % move, at a peak of 41.8, 41.8, 44.5, 47.1 bits.
const EASE: f64 = 0.14;

/// How much less full lines may be for each cell that they have less than the narrowest open width: fewer are less even. [S] at 0,
/// 0.004, 0.008, 0.016: 9.9, 9.6, 9.2, 8.7 % move; pulses take 73.8 bits, at 0.016 78.9.
const SLOPE: f64 = 0.008;

/// How many lines of a table stay free: each phase has an eighth of the lines, and few lines are less even. [S] at 0, 1.5, 3, 6: 9.6,
/// 9.4, 9.2, 8.9 % move; at 0 two keys in 100,000 are stashed.
pub(super) const SMALL: f64 = 3.0;

/// The excess of lines at which a table shrinks slowly, and the part of its cells below which it shrinks at once. [S] of the first
/// at 0.01, 0.02, 0.035, 0.07: 11.1, 10.4, 9.2, 7.1 % move, a sine takes 44.0, 44.0, 44.4, 46.3 bits. Of the second at 0.4, 0.55, 0.7,
/// 0.8: 8.4, 9.2, 9.6, 14.7 % move, after a burst 40.4, 39.4, 39.4, 39.3 bits are left, and at 0.8 the error is 0.85 of the rate.
const SLACK: f64 = 0.035;
const FAR: f64 = 0.55;

/// The part of the rate that a table of one rate is planned with; the reserve is for what comes unforeseen. 0.75, 0.70 and 0.65 at
/// 1e-3, 1e-6 and 1e-9, on a line: with these `tests/suite/elastic/bounds.rs` finds no error above the rate in any traffic.
pub(super) fn reserve(rate: f64) -> f64 {
    let decades = powers::log10((1e-3 / rate).clamp(1.0, 1e9));
    (0.75 - 0.05 / 3.0 * decades).max(0.6)
}

/// Room for chance in a window of keys whose memory is limited, in standard deviations of the keys of a phase, and for each cell
/// that a line has less than 20, which is less even. At 3.5 and 0 one of 100 tables of 1,000 keys loses a key, and 0.6 % are lost of
/// 100,000 keys at 1e-9; with these at most one in 50,000, of 400,000 keys at 1e-9.
const AT_LIMIT: f64 = 4.5;
const FOR_FEW_CELLS: f64 = 0.006;

/// Factor for the lines of a table of fixed size, whose fullest phase has more keys than the average, `of_phase`. With room for 1.5
/// standard deviations lines and stash together are smallest, for 5,000 to 100,000 keys (`tests/suite/bits_per_key.rs` has the bounds). Where memory is limited the stash has no
/// room of its own, so that all keys must find room in lines.
pub(super) fn of_fullest_phase(widths: &Widths, of_phase: f64, is_limited: bool) -> f64 {
    const DEVIATIONS: f64 = 1.5;
    if !is_limited {
        return 1.0 + DEVIATIONS / of_phase.sqrt();
    }
    let fewer = (20.0 - f64::from(widths.of(0).cells)).max(0.0);
    (1.0 + FOR_FEW_CELLS * fewer) * (1.0 + AT_LIMIT / of_phase.sqrt())
}

/// The requirements of a table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Target {
    /// The error rate, its reserve taken off.
    pub(super) rate: f64,
    /// Fingerprints.
    pub(super) prints: f64,
    /// Parts that a cell lives, on average.
    pub(super) parts: f64,
}

/// The known traffic.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Traffic {
    /// How many sections make a whole table: all counts are of one of them.
    pub(super) sections: f64,
    /// Cells within the window.
    pub(super) live: u64,
    /// Keys stored in the last part and in this one, and how much of this one is over.
    pub(super) last: u64,
    pub(super) now: u64,
    pub(super) over: f64,
    /// Keys that the request names, while it is all that is known.
    pub(super) planned: u64,
    /// The most cells that memory allows at once.
    pub(super) most: f64,
    /// The chance that an absent key is found now.
    pub(super) error: f64,
}

/// The requirements of the cells that are stored next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Need {
    /// The weight that a cell may have on average.
    pub(super) weight: f64,
    /// Bits that a cell and its line should know, so that it can stand for a key that matches it.
    pub(super) bits: u32,
    /// Whether lines may become narrower.
    pub(super) narrows: bool,
    /// Whether more keys come than go.
    pub(super) grows: bool,
}

/// A count less its chance: what it is at least, as a rule.
fn sure(count: f64) -> f64 {
    (count - count.sqrt()).max(0.0)
}

/// The most that an error above the plan counts for, and how strongly: [S] the worst error with the powers 0, 1, 2, 4 is 0.81, 0.76,
/// 0.74, 0.80 of the rate at 1e-6.
const EXCESS: (f64, i32) = (1.5, 2);

/// Below this part of the planned error full lines may become narrower: [S] at 0.8, 0.9, 1 the worst error is 0.74, 0.74, 0.79.
const NARROWS: f64 = 0.9;

/// More keys come than go above this ratio: [S] at 1, 1.03, 1.1 9.1, 9.2, 9.8 % move, and bits are the same within 2 %.
const GROWS: f64 = 1.03;

/// The requirements of the next cells.
pub(super) fn need(target: &Target, traffic: &Traffic) -> Need {
    let sections = traffic.sections;
    // The count of one section is unsure, but only the sum of all sections matters, and that is as sure as one table's.
    let last = sure(sections * num::real(traffic.last));
    let now = sections * sure(num::real(traffic.now)) / traffic.over.clamp(0.125, 1.0);
    let (pace, live) = (target.parts * last.max(now), sections * num::real(traffic.live));
    let keys = live.max(pace.min(traffic.most)).max(num::real(traffic.planned)).max(FEW);
    let keys = keys + UNSURE * (sections * keys).sqrt();
    let excess = sections * traffic.error / target.rate;
    let share = target.rate * target.prints / keys;
    Need {
        weight: share / excess.clamp(1.0, EXCESS.0).powi(EXCESS.1),
        bits: powers::floor_log2(share.recip() * std::f64::consts::SQRT_2),
        narrows: excess < NARROWS,
        grows: pace > GROWS * live,
    }
}

/// The least and the most that cells are corrected by: valve and moves cut bits of some, which weigh more than was allowed. A look
/// counts for a fifth, so that chance in a few cells does not; `saved` checks the range.
pub(super) const CORRECTION: (f64, f64) = (0.7, 3.0);

/// The correction of the next cells, which follows the weight of the last ones over the allowed weight slowly.
pub(super) fn corrected(correction: f64, weighed: f64, allowed: f64) -> f64 {
    // A saved table may claim that its cells were allowed nothing: 0 / 0 would be no number, and could not be saved again.
    let ratio = if allowed > 0.0 { (weighed / allowed).clamp(0.5, 2.0) } else { 1.0 };
    (correction * powers::fifth_root(ratio)).clamp(CORRECTION.0, CORRECTION.1)
}

/// Two neighbouring widths: `share` of 256 lines have the wider cells.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Mix {
    pub(super) code: usize,
    pub(super) share: u64,
    /// A bit for each of 64 neighbouring lines: whether it has the wider cells.
    wider: u64,
}

/// Of each share: which of 64 lines have the wider cells. They lie between the others.
static WIDER: [u64; 257] = {
    let mut all = [0; 257];
    let mut share = 0;
    while share < all.len() {
        let mut line = 0;
        while line < 64 {
            if (line * 165) % 256 < share {
                all[share] |= 1 << line;
            }
            line += 1;
        }
        share += 1;
    }
    all
};

impl Mix {
    /// `share` is 256 at most.
    pub(super) fn new(code: usize, share: u64) -> Self {
        Self { code, share, wider: WIDER[num::index(share.min(256))] }
    }

    /// The code of a line. Both halves of a line have the same one, so that a split changes no mean.
    #[inline(always)]
    pub(super) fn code_of(&self, line: LineNumber) -> usize {
        self.code + num::index((self.wider >> (line.0 % 64)) & 1)
    }

    /// Cells of a line, on average.
    pub(super) fn cells(&self, widths: &Widths) -> f64 {
        let [a, b] = [self.code, self.code + 1].map(|code| f64::from(widths.of(code.min(widths.codes - 1)).cells));
        a + (b - a) * num::real(self.share) / 256.0
    }
}

/// The widths whose cells weigh so much on average, in lines of a depth.
pub(super) fn mix(widths: &Widths, weight: f64, depth: u32) -> Mix {
    mix_of(widths, weight * num::real(1 << depth))
}

/// The widths for which the mean of 2^-(bits known) is this.
fn mix_of(widths: &Widths, mean: f64) -> Mix {
    let last = widths.codes - 1;
    let code = (0..last).find(|code| widths.of(*code).mean <= mean).unwrap_or(last);
    let Some(narrower) = code.checked_sub(1) else { return Mix::new(code, 0) };
    let [a, b] = [narrower, code].map(|code| widths.of(code).mean);
    let share = ((a - mean) / (a - b)).clamp(0.0, 1.0);
    Mix::new(narrower, num::floor(256.0 * share))
}

/// Cells at which a table changes its size.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Limits {
    /// More: a line is split.
    pub(super) most: u64,
    /// Fewer: two lines are merged now and then.
    pub(super) low: u64,
    /// Fewer: as many as a call may touch.
    pub(super) far: u64,
}

/// How many lines of each code there are, and how many cells a line should have on average.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lines<'a> {
    pub(super) sections: f64,
    pub(super) by_code: &'a [u64],
    pub(super) cells: f64,
    pub(super) narrows: bool,
    pub(super) grows: bool,
}

/// The limits of a table of these lines.
pub(super) fn limits(widths: &Widths, lines: &Lines<'_>, is_least: bool) -> Limits {
    // A line whose cells lack bits takes as many as the narrowest open width, and no more.
    let open = f64::from(widths.of(widths.narrowest_open()).cells);
    let capacity = |code: usize| {
        let own = f64::from(widths.of(code).cells);
        let cells = if own > lines.cells || lines.narrows { lines.cells } else { own };
        if code == 0 { cells } else { cells.min(open) }
    };
    let in_use = lines.by_code.iter().enumerate().filter(|(_, n)| **n > 0);
    let room: f64 = in_use.map(|(code, n)| num::real(*n) * capacity(code)).sum();
    let all: u64 = lines.by_code.iter().sum();
    let fill = FILL - SLOPE * (open - lines.cells).max(0.0) - SMALL / (lines.sections * num::real(all.max(1)));
    let fill = if lines.grows { fill - EASE } else { fill };
    let below = |fill: f64| if is_least { 0 } else { num::floor(fill * room) };
    Limits { most: num::floor(fill * room), low: below(fill - SLACK), far: below(FAR) }
}

/// Cells in use of a line when all is settled, by the cells of a key. Wider cells need more lines, which tell more
/// keys apart: a few rounds settle both.
pub(super) fn settled_cells(widths: &Widths, target: &Target, cells_a_key: f64) -> f64 {
    // An even number: at some rates two widths alternate, 5 % apart. After 2, 4, 6, 8 rounds cells are within 1.2, 0.6, 0.3, 0.1 % of
    // those after twelve, for all rates from 2e-3 to 2e-12 and all tags.
    const ROUNDS: u32 = 8;
    let fill = FILL - SLACK;
    let next = |cells: f64| {
        let lines_a_key = cells_a_key / (fill * cells);
        mix_of(widths, target.rate * target.prints * lines_a_key / 2.0).cells(widths)
    };
    fill * (0..ROUNDS).fold(f64::from(widths.of(0).cells), |cells, _| next(cells))
}

/// Bits for each key at the peak of a first window in which keys come at a steady rate, from a quarter of it on.
pub(super) fn growing_bits(widths: &Widths, target: &Target, keys: f64) -> f64 {
    let weight = target.rate * target.prints / keys.max(FEW);
    let open = f64::from(widths.of(widths.narrowest_open()).cells);
    let bits = |share: u32| {
        let live = keys * f64::from(share) / 20.0;
        let depth = powers::floor_log2((live / open / 2.0).max(8.0));
        let cells = mix(widths, weight, depth).cells(widths).min(open);
        512.0 / ((FILL - SLOPE * (open - cells).max(0.0) - EASE) * cells)
    };
    (5..=20).map(bits).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TARGET: Target = Target { rate: 0.75e-3, prints: 8191.0, parts: 60.0 };
    const CALM: Traffic = Traffic {
        sections: 1.0,
        live: 100_000,
        last: 1667,
        now: 800,
        over: 0.5,
        planned: 0,
        most: f64::MAX,
        error: 0.7e-3,
    };

    /// The policy as a table: traffic, bits that a cell and its line need, whether lines narrow, whether the table grows.
    #[test]
    fn the_need_follows_the_traffic() {
        let rows = [
            ("steady", CALM, 14, false, false),
            ("no error yet", Traffic { error: 0.0, ..CALM }, 14, true, false),
            ("the first keys", Traffic { live: 10, last: 0, now: 10, over: 0.01, error: 0.0, ..CALM }, 9, true, true),
            ("twenty times the pace", Traffic { now: 17_000, ..CALM }, 18, false, true),
            ("the same, an eighth of a part old", Traffic { now: 4200, over: 0.01, ..CALM }, 18, false, true),
            ("twenty times, in memory for no more", Traffic { now: 17_000, most: 110_000.0, ..CALM }, 14, false, true),
            ("silence", Traffic { last: 0, now: 0, ..CALM }, 14, false, false),
            (
                "a capacity",
                Traffic { live: 5, last: 0, now: 5, planned: 1_000_000, error: 0.0, ..CALM },
                17,
                true,
                true,
            ),
        ];
        for (name, traffic, bits, narrows, grows) in rows {
            let need = need(&TARGET, &traffic);
            assert_eq!((need.bits, need.narrows, need.grows), (bits, narrows, grows), "{name}: {need:?}");
            assert!((need.weight.recip().log2() - f64::from(bits)).abs() < 0.6, "{name}: {need:?}");
        }
        // Each of eight sections allows its cells what the whole table would, or a little less.
        let whole = need(&TARGET, &Traffic { live: 800, last: 80, now: 0, error: 0.0, ..CALM });
        let section = Traffic { sections: 8.0, live: 100, last: 10, now: 0, error: 0.0, ..CALM };
        let part = need(&TARGET, &section);
        assert_eq!((part.bits, part.narrows, part.grows), (whole.bits, whole.narrows, whole.grows));
        assert!(
            (0.7..0.9).contains(&(part.weight / whole.weight)),
            "few keys are unsure in each of them: {part:?} {whole:?}"
        );
        let steady = need(&TARGET, &CALM).weight;
        let over = need(&TARGET, &Traffic { error: 1.125e-3, ..CALM }).weight;
        assert!((steady / over - 2.25).abs() < 1e-9, "an excess of a half is paid back more than twice");
    }

    /// Cells that weigh twice what they were allowed make the next ones lighter, slowly and within bounds.
    #[test]
    fn correction_follows_what_cells_weighed() {
        let step = 2f64.powf(0.2);
        let rows = [
            (1.0, 1.0, 1.0),
            (1.0, 2.0, step),
            (1.0, 9.0, step),
            (1.0, 0.5, step.recip()),
            (1.0, 0.1, step.recip()),
            (2.9, 2.0, CORRECTION.1),
            (0.75, 0.1, CORRECTION.0),
        ];
        for (before, ratio, after) in rows {
            let found = corrected(before, ratio * 0.3, 0.3);
            assert!((found - after).abs() < 1e-9, "{before} after {ratio}: {found}, not {after}");
        }
    }

    /// The bits are the nearest whole number to those of the weight, at any pace; and a section has an eighth of the error.
    #[test]
    fn bits_are_those_of_the_weight_and_sections_share_the_error() {
        for live in (100..20_000_u64).map(|i| i * 50) {
            let need = need(&TARGET, &Traffic { live, error: 0.0, ..CALM });
            let bits = need.weight.recip().log2();
            assert!((bits - f64::from(need.bits)).abs() <= 0.5 + 1e-9, "{live} keys: {bits} bits, {}", need.bits);
        }
        let of = |sections: f64, error: f64| need(&TARGET, &Traffic { sections, error: error / sections, ..CALM });
        assert!(of(8.0, 0.7e-3).weight < of(8.0, 0.0).weight * 1.0001 && of(8.0, 0.6e-3).narrows);
        assert!(!of(8.0, 0.7e-3).narrows && of(8.0, 1.125e-3).weight < of(8.0, 0.7e-3).weight * 0.5);
    }

    #[test]
    fn a_correction_stays_a_number_whatever_was_allowed() {
        for (weighed, allowed) in [(0.0, 0.0), (1.0, 0.0), (0.0, f64::MIN_POSITIVE), (1e300, 1e-300)] {
            let found = corrected(1.0, weighed, allowed);
            assert!((CORRECTION.0..=CORRECTION.1).contains(&found), "{weighed} of {allowed}: {found}");
        }
    }

    /// Any mean between the narrowest and the widest cells is met.
    #[test]
    fn a_mix_has_the_mean_that_is_asked_for() {
        let widths = Widths::new(1e-3, 3, true);
        for depth in 0..20 {
            for step in 1..200 {
                let mean = 0.5f64.powf(f64::from(step) / 20.0 + 2.6);
                let mix = mix(&widths, mean / num::real(1 << depth), depth);
                let n = (0..64 * 16).filter(|line| mix.code_of(LineNumber(*line)) > mix.code).count();
                assert!((num::real(num::wide(n)) / 1024.0 - num::real(mix.share) / 256.0).abs() < 0.06);
                let [a, b] = [mix.code, (mix.code + 1).min(widths.codes - 1)].map(|code| widths.of(code).mean);
                let found = a + (b - a) * num::real(mix.share) / 256.0;
                let wanted = mean.clamp(widths.of(widths.codes - 1).mean, widths.of(0).mean);
                assert!((found / wanted - 1.0).abs() < 0.03, "{mean} {mix:?} {found}");
                assert!(mix.code_of(LineNumber(5)) == mix.code_of(LineNumber(5 + 64)) && mix.cells(&widths) <= 27.0);
            }
        }
    }

    #[test]
    fn a_table_splits_where_it_is_full_and_merges_well_below() {
        let widths = Widths::new(1e-3, 3, true);
        let calm = Lines { sections: 1.0, by_code: &[1000, 0, 0, 0], cells: 27.0, narrows: true, grows: false };
        let limits_of = |lines: &Lines<'_>| limits(&widths, lines, false);
        let still = limits_of(&calm);
        assert_eq!((still.most, still.low, still.far), (24354, 23409, 14850));
        let grows = limits_of(&Lines { grows: true, ..calm });
        assert!(grows.most < still.low && grows.most > 20_000, "{grows:?}");
        let open = limits_of(&Lines { by_code: &[0, 1000], ..calm });
        assert!(open.most < 25_000 * 91 / 100, "lines that lack bits take 25 cells: {open:?}");
        assert_eq!(limits(&widths, &calm, true).far, 0, "the least table stays");
        let few = limits_of(&Lines { cells: 20.0, ..calm });
        let fill = 1000.0 * 20.0 * (FILL - SLOPE * 5.0 - SMALL / 1000.0);
        assert_eq!(few.most, num::floor(fill), "lines of five cells less than the narrowest open width are less full");
    }
}
