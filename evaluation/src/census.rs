//! A census of a window table: every cell of a snapshot, read by `docs/reference/format.md` and not by the library's own code.

use crate::num;

/// What the cells of one moment come to.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Census {
    /// Lines of both sides; 0 of a map.
    pub(crate) lines: u64,
    /// The bits in the number of a line that is not split.
    pub(crate) depth: u32,
    /// Cells that are found, and the chance that an absent key agrees with one of them.
    pub(crate) cells: u64,
    pub(crate) error: f64,
    /// Of those, how many have less than this many bits of a string, in their line's number and their field.
    pub(crate) short: u64,
}

/// Where the part of a window table begins; it has no claims.
const TAG_BITS: usize = 92;
const CLOCK: usize = 40;
const WINDOW: usize = 48;
const FIELD_BITS: usize = 144;
const SECTIONS: usize = 176;
const NUMBERS: usize = 184;
const STASH: usize = NUMBERS + 22 * 8;

/// Bytes that are read one after the other.
struct Bytes<'a> {
    all: &'a [u8],
    at: usize,
}

impl Bytes<'_> {
    fn take(&mut self, bytes: usize) -> u64 {
        let from = &self.all[self.at..self.at + bytes];
        self.at += bytes;
        from.iter().rev().fold(0, |number, byte| (number << 8) | u64::from(*byte))
    }
}

fn number(all: &[u8], at: usize) -> u64 {
    Bytes { all, at }.take(8)
}

/// What all lines have in common.
struct Table {
    tag_bits: u64,
    field_bits: usize,
    cells: u32,
    /// The position, and parts that passed since.
    position: u64,
    passed: u64,
}

impl Table {
    /// The generations of a window.
    const fn generations(&self) -> u64 {
        (1 << self.tag_bits) - 1
    }

    fn line(&self, bytes: &mut Bytes<'_>, depth: u32, (phase, behind): (u64, u64), least: u32, census: &mut Census) {
        let used = bytes.take(usize::try_from(self.cells.div_ceil(8)).expect("few"));
        let then = (self.position - behind + phase) / 8;
        let now = (self.position + self.passed + phase) / 8;
        for _ in 0..used.count_ones() {
            let (lane, field) = (bytes.take(2), bytes.take(self.field_bits / 8));
            let tag = lane >> (16 - self.tag_bits);
            let ago = then.wrapping_sub(tag) % (1 << self.tag_bits) + (now - then);
            if ago <= self.generations() {
                // A field without its closing 1 knows nothing.
                let bits = (depth + field.checked_ilog2().unwrap_or(0)).min(num::small(48 + self.tag_bits));
                let print = num::small(16 - self.tag_bits);
                census.cells += 1;
                census.short += u64::from(bits < least);
                census.error += 0.5_f64.powi(num::power(u64::from(bits + print)));
            }
        }
    }
}

/// Counts the cells of a snapshot, and those with fewer bits than `least`, by the depth of the table.
pub(crate) fn of(all: &[u8], least: impl Fn(u32) -> u32) -> Census {
    assert_eq!(number(all, SECTIONS), 1, "a filter of one owner");
    let numbers: Vec<u64> = (0..22).map(|i| number(all, NUMBERS + 8 * i)).collect();
    if numbers[4] == 0 {
        return Census::default();
    }
    let (tag_bits, field_bits) = (Bytes { all, at: TAG_BITS }.take(4), number(all, FIELD_BITS));
    let generations = (1_u64 << tag_bits) - 1;
    let since = u128::from(number(all, CLOCK) - numbers[3]) * u128::from(8 * generations) + u128::from(numbers[2]);
    let table = Table {
        tag_bits,
        field_bits: num::index(field_bits),
        cells: match field_bits {
            8 => 21,
            16 => 16,
            _ => 10,
        },
        position: numbers[1],
        passed: u64::try_from(since / u128::from(number(all, WINDOW))).expect("parts that passed"),
    };
    let depth = num::small(numbers[6]);
    let half = 1_u64 << depth;
    let sides = [half + numbers[7].min(half), half + numbers[7].saturating_sub(half)];
    let mut census = Census { lines: sides[0] + sides[1], depth, ..Census::default() };
    let mut bytes = Bytes { all, at: STASH + 16 * num::index(numbers[21] >> 32) };
    let mut behind = |lines: u64| -> Vec<u64> {
        let chunks = if numbers[16] == 0 { 0 } else { lines.div_ceil(32) };
        (0..chunks).map(|_| bytes.take(2)).collect()
    };
    let behind = sides.map(&mut behind);
    for (lines, behind) in sides.into_iter().zip(&behind) {
        for line in 0..lines {
            let is_split = line >= half || line + half < lines;
            let late = behind.get(num::index(line / 32)).copied().unwrap_or(0);
            let depth_here = depth + u32::from(is_split);
            table.line(&mut bytes, depth_here, (line % 8, late), least(depth), &mut census);
        }
    }
    assert_eq!(bytes.at + 8, all.len(), "all of a snapshot but its checksum");
    census
}

#[cfg(test)]
mod tests {
    use lately::{Clock, Kind, Options, Unit};

    use super::*;
    use crate::ours::Ours;
    use crate::rng::Rng;
    use crate::timely::Timely;

    /// The census counts every key once, and has the error that the library reports of itself, less what it adds for a sample.
    #[test]
    fn census_has_the_keys_and_the_error_of_the_statistics() {
        for error in [1e-3, 1e-6, 1e-9] {
            let options = Options::new(Kind::WindowTable).window_ns(1 << 20).error_rate(error);
            let options = options.clock(Clock::Manual(Unit::Nanoseconds)).seed(1);
            let (mut ours, mut rng) = (Ours::new(&options), Rng(1));
            (0..40_000).for_each(|i| {
                ours.observe_at(rng.next(), (1 << 30) + i);
            });
            let census = of(&ours.snapshot(), |_| 0);
            let stats = ours.stats();
            assert_eq!(census.lines, ours.table_lines());
            assert!((39_900..=40_100).contains(&(census.cells + stats.stashed)), "{census:?} {stats:?}");
            let over = stats.error_rate / census.error;
            assert!((0.98..1.12).contains(&over), "{error}: {over}");
        }
    }
}
