//! The rows: k cells of s bits each, read, compared and written as words.
//!
//! ```text
//!  row r     bits r w .. (r + 1) w, w = k s (or the width of the sorted code); nothing between rows; row 0 begins a
//!            cache line, so that no row crosses one where w divides 512
//!  in a row  cell 0 lowest. QHT, QHTD: filled from cell 0 on. Queued: cell 0 is the head, empty cells before it leave
//!            first. Sorted: in order of value, so that empty cells (0) come first.
//! ```
//! A row of at most a word is one piece. A longer one is taken in pieces of as many whole cells as fit a word; if its
//! pieces are the words of memory themselves (s divides 64, and 64 divides w), as those. 64 rows are whole
//! words whatever w is.

use crate::bits::{Bits, WORD, mask};
use crate::cells::Cells;
use crate::error::Error;
use crate::wire::{Refused, Source};

use super::sorted::Code;

/// Bits of a cache line.
const LINE: usize = 512;

/// The most lines of a row that are asked for one by one.
const MOST_LINES: usize = 4;

/// Rows of equal shape.
pub(crate) struct Rows {
    bits: Bits,
    shape: RowLayout,
    piece: Piece,
}

/// Shows the rows as words.
impl std::fmt::Debug for Rows {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let words: Vec<u64> = self.words().collect();
        f.debug_struct("Rows").field("shape", &self.shape).field("words", &words).finish()
    }
}

/// The shape of every row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct RowLayout {
    /// Cells.
    k: u64,
    /// Bits of a cell.
    s: u64,
    /// Bits of a row.
    width: u64,
    code: Option<Code>,
    /// The cell that is filled last.
    edge: u64,
    /// Pieces except the last one.
    pieces: u64,
    /// Bits of such a piece.
    piece: u64,
    cells: Cells,
    /// Bits of the last piece, at least one cell.
    last: u64,
    last_cells: Cells,
}

impl RowLayout {
    fn new(k: u64, s: u64, code: Option<Code>, queued: bool) -> Self {
        let most = WORD / s;
        let pieces = (k - 1) / most;
        let rest = k - pieces * most;
        let width = code.map_or(k * s, |code| code.width());
        let edge = if queued || code.is_some() { 0 } else { k - 1 };
        let (cells, last_cells) = (Cells::new(s, most), Cells::new(s, rest));
        Self { k, s, width, code, edge, pieces, piece: most * s, cells, last: rest * s, last_cells }
    }

    /// Whether the pieces of a row are whole words of memory.
    const fn is_words(&self) -> bool {
        self.piece == WORD && self.width % WORD == 0 && self.code.is_none()
    }
}

impl Rows {
    /// `rows` rows of `k` cells of `s` bits, all empty.
    pub(crate) fn new(rows: u64, k: u64, s: u64, code: Option<Code>, queued: bool) -> Result<Self, Error> {
        let shape = RowLayout::new(k, s, code, queued);
        let edge = mask(s) << if shape.edge == 0 { 0 } else { shape.last - s };
        let piece = Piece { cells: shape.last_cells, k, edge, top: shape.last - s, s };
        Ok(Self { bits: Bits::in_lines((rows * shape.width).div_ceil(WORD))?, shape, piece })
    }

    pub(crate) fn try_clone(&self) -> Result<Self, Error> {
        Ok(Self { bits: self.bits.try_clone()?, ..*self })
    }

    /// The words of all rows.
    pub(super) fn words(&self) -> impl Iterator<Item = u64> {
        self.bits.run(0, self.bits.words())
    }

    /// Reads the words of all rows.
    pub(super) fn load(&mut self, source: &mut Source<'_>) -> Result<(), Refused> {
        let words = self.bits.words();
        source.fill(&mut self.bits, 0, words)
    }

    /// How many cells of a row are filled, if it is a row that observations can make.
    pub(super) fn checked(&self, row: u64) -> Option<u64> {
        let (shape, start) = (&self.shape, self.start(row));
        if let Some(code) = &shape.code {
            let packed = self.bits.field(start, shape.width);
            let plain = code.unpack(packed);
            // Packing sorts: what it does not give back was in no order, or a number that no row has.
            return (code.pack(plain, 0, plain & mask(shape.s)) == packed).then(|| self.filled(row));
        }
        let empty: u64 = self.pieces(row).map(|(cells, piece)| cells.empty(piece)).sum();
        if empty == 0 || empty == shape.k {
            return Some(shape.k - empty);
        }
        // Filled cells lie side by side at one end.
        let filled = |cell: u64| self.bits.field(start + cell * shape.s, shape.s) != 0;
        let mut run = if shape.edge == 0 { empty..shape.k } else { 0..shape.k - empty };
        run.all(filled).then_some(shape.k - empty)
    }

    /// Whether the bits past the last row are 0.
    pub(super) fn ends_clean(&self, rows: u64) -> bool {
        let past = self.bits.words() * WORD - rows * self.shape.width;
        past == 0 || self.bits.field(self.start(rows), past) == 0
    }

    /// Where a row begins, in bits.
    #[inline]
    const fn start(&self, row: u64) -> u64 {
        row * self.shape.width
    }

    pub(crate) fn clear(&mut self) {
        self.bits.clear();
    }

    /// Whether a row is one piece, as it is in memory: for [`Rows::update`].
    #[inline]
    pub(crate) const fn is_piece(&self) -> bool {
        self.shape.pieces == 0 && self.shape.code.is_none()
    }

    /// Replaces a row of one piece by what `change` makes of it.
    #[inline]
    pub(crate) fn update<T>(&self, row: u64, change: impl FnOnce(&Piece, u64) -> (u64, T)) -> T {
        let (start, width, piece) = (self.start(row), self.shape.width, &self.piece);
        self.bits.update(start, width, |word| change(piece, word))
    }

    /// Whether a row contains `fingerprint`.
    #[inline]
    pub(crate) fn contains(&self, row: u64, fingerprint: u64) -> bool {
        let (shape, start) = (&self.shape, self.start(row));
        if shape.is_words() {
            let words = self.bits.run(start / WORD, shape.width / WORD);
            return words.fold(0, |hits, word| hits | shape.cells.equals(word, fingerprint)) != 0;
        }
        self.pieces(row).fold(0, |hits, (cells, piece)| hits | cells.equals(piece, fingerprint)) != 0
    }

    /// How many cells of a row are filled.
    #[inline]
    pub(crate) fn filled(&self, row: u64) -> u64 {
        let (shape, start) = (&self.shape, self.start(row));
        if shape.code.is_none() && self.bits.field(start + shape.edge * shape.s, shape.s) != 0 {
            return shape.k;
        }
        shape.k - self.pieces(row).map(|(cells, piece)| cells.empty(piece)).sum::<u64>()
    }

    /// The pieces of a row, the first cells first.
    #[inline]
    fn pieces(&self, row: u64) -> impl Iterator<Item = (&Cells, u64)> {
        let (shape, start) = (&self.shape, self.start(row));
        let whole =
            (0..shape.pieces).map(move |i| (&shape.cells, self.bits.field(start + i * shape.piece, shape.piece)));
        let last = match &shape.code {
            None => self.bits.field(start + shape.pieces * shape.piece, shape.last),
            Some(code) => code.unpack(self.bits.field(start, shape.width)),
        };
        whole.chain(std::iter::once((&shape.last_cells, last)))
    }

    /// Asks for the lines of a row, of a long one for the first: the processor sees by then where it goes.
    #[inline]
    pub(crate) fn prefetch(&self, row: u64) {
        let (start, last) = (self.start(row), self.shape.width - 1);
        (0..last).step_by(LINE).take(MOST_LINES).for_each(|bit| self.bits.prefetch(start + bit));
        self.bits.prefetch(start + last);
    }

    /// An empty cell of a row that has `filled` ones that are not.
    #[inline]
    pub(crate) const fn empty_cell(&self, filled: u64) -> u64 {
        if self.shape.edge == 0 { 0 } else { filled }
    }

    /// Writes one cell.
    #[inline]
    pub(crate) fn set(&self, row: u64, cell: u64, fingerprint: u64) {
        let (shape, start) = (&self.shape, self.start(row));
        match &shape.code {
            None => self.bits.put(start + cell * shape.s, shape.s, fingerprint),
            Some(code) => {
                let row = code.unpack(self.bits.field(start, shape.width));
                self.bits.put(start, shape.width, code.pack(row, cell, fingerprint));
            }
        }
    }

    /// Drops the head of a queue and appends `fingerprint`.
    #[inline]
    pub(crate) fn push(&self, row: u64, fingerprint: u64) {
        let (shape, mut p) = (self.shape, self.start(row));
        if shape.is_words() {
            return self.bits.shift(p / WORD, shape.width / WORD, shape.s, fingerprint);
        }
        for _ in 0..shape.pieces {
            let from_next = self.bits.field(p + shape.piece, shape.s);
            let top = shape.piece - shape.s;
            self.bits.update(p, shape.piece, |piece| ((piece >> shape.s) | (from_next << top), ()));
            p += shape.piece;
        }
        let top = shape.last - shape.s;
        self.bits.update(p, shape.last, |piece| ((piece >> shape.s) | (fingerprint << top), ()));
    }

    /// How far into a cache line a row begins, in bits.
    #[cfg(test)]
    pub(crate) fn offset_in_line(&self, row: u64) -> u64 {
        (self.start(row) + (8 - self.bits.unaligned_words()) * WORD) % 512
    }

    /// The cells of a row, the first one first.
    #[cfg(test)]
    pub(crate) fn cells(&self, row: u64) -> Vec<u64> {
        let pieces: Vec<(&Cells, u64)> = self.pieces(row).collect();
        let per_piece = WORD / self.shape.s;
        let place = |cell: u64| pieces[crate::num::index(cell / per_piece)];
        (0..self.shape.k).map(|cell| place(cell).0.get(place(cell).1, cell % per_piece)).collect()
    }
}

/// The numbers that an update of a row of one piece needs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Piece {
    cells: Cells,
    k: u64,
    /// The bits of the cell that is filled last.
    edge: u64,
    /// Where the last cell begins.
    top: u64,
    s: u64,
}

impl Piece {
    #[inline]
    pub(crate) const fn contains(&self, word: u64, fingerprint: u64) -> bool {
        self.cells.equals(word, fingerprint) != 0
    }

    #[inline]
    pub(crate) const fn is_full(&self, word: u64) -> bool {
        word & self.edge != 0
    }

    #[inline]
    pub(crate) fn filled(&self, word: u64) -> u64 {
        self.k - self.cells.empty(word)
    }

    #[inline]
    pub(crate) const fn set(&self, word: u64, cell: u64, fingerprint: u64) -> u64 {
        self.cells.with(word, cell, fingerprint)
    }

    /// Drops the head of a queue and appends `fingerprint`.
    #[inline]
    pub(crate) const fn push(&self, word: u64, fingerprint: u64) -> u64 {
        (word >> self.s) | (fingerprint << self.top)
    }
}
