//! What a window table must hold after every step, kept as a list: (line, lane, extra, generation), and the stash.
//!
//! It shares the hash and nothing else: where a key belongs, what a generation is and what becomes of a key without room
//! are written again from the page of the format, slowly and plainly, in numbers of 128 bits.

use std::collections::BTreeMap;

/// A cell: the fingerprint, the extra bits that it keeps, the generation.
type Cell = (u64, u64, u128);

pub(super) struct Oracle {
    pub(super) generations: u128,
    pub(super) window: u128,
    pub(super) cells: u64,
    pub(super) groups: u64,
    pub(super) half: u64,
    /// (line, lane) to cell.
    pub(super) list: BTreeMap<(u64, u64), Cell>,
    /// (home, fingerprint, extra) to the position.
    pub(super) stash: BTreeMap<(u64, u64, u64), u128>,
    /// A group that is closed, since which position.
    pub(super) closed: BTreeMap<u64, u128>,
}

impl Oracle {
    fn lines(&self) -> u64 {
        2 * self.half * self.groups
    }

    fn tag_bits(&self) -> u32 {
        (self.generations + 1).ilog2()
    }

    fn width(&self, lane: u64) -> u32 {
        let left = 504 - 16 * self.cells;
        u32::try_from(left / self.cells + u64::from(lane < left % self.cells)).unwrap()
    }

    pub(super) fn position(&self, observations: u64) -> u128 {
        8 * self.generations * u128::from(observations) / self.window
    }

    fn phase(&self, line: u64) -> u128 {
        let (group, within) = (line / (2 * self.half), line % (2 * self.half));
        u128::from((within / 2 + group) % 8)
    }

    fn generation(&self, line: u64, position: u128) -> u128 {
        (position + self.phase(line)) / 8
    }

    fn other(&self, line: u64, print: u64) -> u64 {
        let (first, within) = (line - line % (2 * self.half), line % (2 * self.half));
        let v = print * self.half / (1 << (16 - self.tag_bits()));
        first + (v + self.half - within / 2) % self.half * 2 + (1 - within % 2)
    }

    /// Home line, fingerprint, all extra bits.
    pub(super) fn place(&self, hash: u64) -> (u64, u64, u64) {
        let x = (hash ^ (hash >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let x = x ^ (x >> 32);
        let home = u64::try_from((u128::from(x) * u128::from(self.lines())) >> 64).unwrap();
        let prints = (1u64 << (16 - self.tag_bits())) - 1;
        (home, 1 + (x % (1 << 20)) * prints / (1 << 20), x >> 20)
    }

    pub(super) fn forget(&mut self, position: u128) {
        let (generations, half) = (self.generations, self.half);
        let phase = |line: u64| u128::from((line % (2 * half) / 2 + line / (2 * half)) % 8);
        self.list.retain(|(line, _), cell| (position + phase(*line)) / 8 - cell.2 <= generations);
        let old = |line: u64, then: u128| (position + phase(line)) / 8 - (then + phase(line)) / 8 > generations;
        self.stash.retain(|(home, ..), then| !old(*home, *then));
        self.closed.retain(|_, then| position - *then < 8 * (generations + 1));
    }

    fn low(bits: u64, width: u32) -> u64 {
        u64::try_from(u128::from(bits) % (1u128 << width)).unwrap()
    }

    fn find(&self, lines: [u64; 2], print: u64, extra: u64) -> Option<(u64, u64)> {
        let mine = |line: u64, lane: u64| {
            self.list
                .get(&(line, lane))
                .is_some_and(|cell| cell.0 == print && cell.1 == Self::low(extra, self.width(lane)))
        };
        lines
            .iter()
            .flat_map(|&line| (0..self.cells).map(move |lane| (line, lane)))
            .find(|&(line, lane)| mine(line, lane))
    }

    fn free(&self, line: u64) -> Vec<u64> {
        (0..self.cells).filter(|lane| !self.list.contains_key(&(line, *lane))).collect()
    }

    /// One observation at a position: whether the key is known, after which it is stored or renewed.
    pub(super) fn observe(&mut self, hash: u64, position: u128) -> bool {
        self.forget(position);
        let (home, print, extra) = self.place(hash);
        let lines = [home, self.other(home, print)];
        if let Some((line, lane)) = self.find(lines, print, extra) {
            let now = self.generation(line, position);
            self.list.get_mut(&(line, lane)).unwrap().2 = now;
            return true;
        }
        let widest = Self::low(extra, self.width(0));
        let group = home / (2 * self.half);
        let known = self.stash.remove(&(home, print, widest)).is_some() || self.closed.contains_key(&group);
        self.store(lines, print, extra, position);
        known
    }

    fn store(&mut self, lines: [u64; 2], print: u64, extra: u64, position: u128) {
        let free = lines.map(|line| self.free(line));
        let slot = match free.each_ref().map(Vec::len) {
            [0, 0] => self.move_one(lines, position),
            [home, other] => {
                let side = usize::from(other > home);
                Some((lines[side], free[side][0]))
            }
        };
        let Some((line, lane)) = slot else {
            let group = lines[0] / (2 * self.half);
            let held = self.stash.keys().filter(|(home, ..)| home / (2 * self.half) == group).count();
            if held < 64 {
                self.stash.insert((lines[0], print, Self::low(extra, self.width(0))), position);
            } else {
                self.closed.insert(group, position);
            }
            return;
        };
        let cell = (print, Self::low(extra, self.width(lane)), self.generation(line, position));
        self.list.insert((line, lane), cell);
    }

    /// Makes room in one of two full lines: the cell that stays longest where it belongs goes first.
    fn move_one(&mut self, lines: [u64; 2], position: u128) -> Option<(u64, u64)> {
        for later in 0..8 {
            for (line, lane) in lines.iter().flat_map(|&line| (0..self.cells).map(move |lane| (line, lane))) {
                let cell = self.list[&(line, lane)];
                let to = self.other(line, cell.0);
                if (8 + self.phase(line) - self.phase(to)) % 8 != later {
                    continue;
                }
                let fits = |slot: &u64| self.width(*slot) <= self.width(lane);
                if let Some(slot) = self.free(to).into_iter().find(fits) {
                    // The last position that belongs to its generation, or the present one.
                    let last = (cell.2 * 8 + 7 - self.phase(line)).min(position);
                    let there = if later == 0 { cell.2 } else { self.generation(to, last) };
                    self.list.remove(&(line, lane));
                    self.list.insert((to, slot), (cell.0, Self::low(cell.1, self.width(slot)), there));
                    return Some((line, lane));
                }
            }
        }
        None
    }
}
