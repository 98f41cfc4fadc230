//! UTF-16, which Windows writes, as UTF-8. Half of a pair of code units, which is no letter, becomes the three bytes that it would have as
//! one: so different texts stay different, and nothing is lost.

use std::io::{Read, Result};

/// Appends half of a pair of code units.
pub(crate) fn push_half(unit: u16, to: &mut Vec<u8>) {
    let [high, low] = unit.to_be_bytes();
    to.extend_from_slice(&[0xe0 | (high >> 4), 0x80 | ((high & 0xf) << 2) | (low >> 6), 0x80 | (low & 0x3f)]);
}

/// The order of the two bytes of a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    Little,
    Big,
}

const AT_ONCE: usize = 1 << 16;

pub(crate) struct Utf16<R> {
    input: R,
    order: Order,
    /// Bytes that came and are no letters yet.
    came: Vec<u8>,
    text: Vec<u8>,
    /// How much of the text was read.
    read: usize,
}

impl<R: Read> Utf16<R> {
    pub(crate) fn new(input: R, order: Order) -> Self {
        Self { input, order, came: Vec::new(), text: Vec::new(), read: 0 }
    }

    /// Reads and converts once; returns whether the input had more. A read that fails changes nothing.
    fn fill(&mut self) -> Result<bool> {
        let kept = self.came.len();
        self.came.resize(kept + AT_ONCE, 0);
        let read = self.input.read(&mut self.came[kept..]);
        self.came.truncate(kept + *read.as_ref().unwrap_or(&0));
        let ended = read? == 0;
        (self.read, self.text) = (0, std::mem::take(&mut self.text));
        self.text.clear();
        let used = self.convert(ended);
        self.came.drain(..used);
        if ended {
            // Half of a unit, if the input was cut.
            self.text.append(&mut self.came);
        }
        Ok(!ended)
    }

    /// Converts all units but the first half of a pair whose other half may come; gives how many bytes were used.
    fn convert(&mut self, ended: bool) -> usize {
        let order = self.order;
        let unit = |pair: &[u8]| match order {
            Order::Little => u16::from_le_bytes([pair[0], pair[1]]),
            Order::Big => u16::from_be_bytes([pair[0], pair[1]]),
        };
        let mut units: Vec<u16> = self.came.chunks_exact(2).map(unit).collect();
        if !ended && units.last().is_some_and(|last| (0xd800..0xdc00).contains(last)) {
            units.pop();
        }
        for letter in char::decode_utf16(units.iter().copied()) {
            match letter {
                Ok(letter) => self.text.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes()),
                Err(half) => push_half(half.unpaired_surrogate(), &mut self.text),
            }
        }
        units.len() * 2
    }
}

impl<R: Read> Read for Utf16<R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let mut more = true;
        while self.read == self.text.len() && more {
            more = self.fill()?;
        }
        let n = buffer.len().min(self.text.len() - self.read);
        buffer[..n].copy_from_slice(&self.text[self.read..self.read + n]);
        self.read += n;
        Ok(n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parser_properties::Pieces;

    #[test]
    fn text_is_the_same_in_either_order_and_any_pieces() {
        let text = "id-1\r\né\u{20ac}\u{1f600}\n";
        for piece in [1, 2, 3, 5, 99] {
            for order in [Order::Little, Order::Big] {
                let bytes = |unit: u16| if order == Order::Big { unit.to_be_bytes() } else { unit.to_le_bytes() };
                let coded: Vec<u8> = text.encode_utf16().flat_map(bytes).collect();
                let mut read = String::new();
                Utf16::new(Pieces(&coded, piece), order).read_to_string(&mut read).unwrap();
                assert_eq!(read, text, "{piece}");
            }
        }
    }

    #[test]
    fn half_of_a_pair_stays_different() {
        let read = |bytes: &[u8]| {
            let mut read = Vec::new();
            Utf16::new(Pieces(bytes, 1), Order::Big).read_to_end(&mut read).unwrap();
            read
        };
        assert_eq!(read(b"\xd8\x3d\0x"), b"\xed\xa0\xbdx");
        assert_eq!(read(b"\xd8\x3d"), b"\xed\xa0\xbd");
        assert_eq!(read(b"\xde\0\0"), b"\xed\xb8\x80\0", "half of a unit is kept");
    }
}
