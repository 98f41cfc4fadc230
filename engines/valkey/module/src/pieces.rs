//! A snapshot in pieces: what is written never needs memory for the whole of it, and what is read is put together.

use std::io::{self, Write};

use lately_commands::{Held, Refusal, bytes_of_part};

/// Bytes of a piece: far below what a server takes in one command, and no strain for a stack.
pub(crate) const PIECE: usize = 1 << 16;

/// Where the bytes of a snapshot say how many they are in all (docs/reference/format.md).
const TOTAL: std::ops::Range<usize> = 16..24;

/// Hands out the snapshot of a filter, or what there is of it, piece by piece, each with the number of bytes before it. A piece needs
/// no memory.
pub(crate) fn each(held: &Held, hand_out: impl FnMut(usize, &[u8])) -> io::Result<()> {
    let mut pieces = Pieces { piece: [0; PIECE], filled: 0, before: 0, hand_out };
    held.write(&mut pieces)?;
    pieces.flush()
}

struct Pieces<F> {
    piece: [u8; PIECE],
    filled: usize,
    before: usize,
    hand_out: F,
}

impl<F: FnMut(usize, &[u8])> Write for Pieces<F> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.filled == PIECE {
            self.flush()?;
        }
        let n = bytes.len().min(PIECE - self.filled);
        self.piece[self.filled..self.filled + n].copy_from_slice(&bytes[..n]);
        self.filled += n;
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.filled > 0 {
            (self.hand_out)(self.before, &self.piece[..self.filled]);
            self.before += self.filled;
            self.filled = 0;
        }
        Ok(())
    }
}

/// Puts pieces together until they have the number of bytes that their head or the first of them gives. That number is not trusted:
/// memory is only taken for what has come.
pub(crate) fn gathered<P: AsRef<[u8]>>(
    head: &[u8],
    mut next: impl FnMut() -> Result<P, Refusal>,
) -> Result<Vec<u8>, Refusal> {
    let of_part = bytes_of_part(head)?;
    let mut all = Vec::new();
    loop {
        let piece = next()?;
        let piece = piece.as_ref();
        all.try_reserve(piece.len()).map_err(Refusal::new)?;
        all.extend_from_slice(piece);
        let of_whole = || all.get(TOTAL).and_then(|bytes| bytes.try_into().ok()).map(u64::from_le_bytes);
        // A piece that is empty ends it too: what there is will be found wanting.
        if piece.is_empty() || of_part.or_else(of_whole).is_none_or(|total| all.len() as u64 >= total) {
            return Ok(all);
        }
    }
}
