//! What the first bytes of an input say that it is: compressed, text, or neither.

/// A form of compression that is undone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Packed {
    Gzip,
    Zstd,
}

/// The bytes that those begin with.
const PACKED: [(&[u8], Packed); 2] = [(b"\x1f\x8b\x08", Packed::Gzip), (b"\x28\xb5\x2f\xfd", Packed::Zstd)];

/// Bytes that other forms begin with, and what they are called.
const OTHERS: [(&[u8], &str); 8] = [
    (b"\xfd7zXZ\0", "xz"),
    (b"BZh", "bzip2"),
    (b"\x04\x22\x4d\x18", "lz4"),
    (b"PK\x03\x04", "zip"),
    (b"PAR1", "Parquet"),
    (b"Obj\x01", "Avro"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
];

/// Bytes that are looked at.
const HEAD: usize = 8192;

/// Looks at the first bytes of an input, however they come.
#[derive(Debug)]
pub(crate) struct Looker {
    head: Vec<u8>,
    /// LF or NUL.
    end: u8,
    told: bool,
}

impl Looker {
    /// For records that end so.
    pub(crate) fn new(end: u8) -> Self {
        Self { head: Vec::new(), end, told: false }
    }

    /// Takes the next bytes. Once they show that the input is no text: what it is.
    pub(crate) fn look(&mut self, bytes: &[u8]) -> Option<&'static str> {
        let room = HEAD - self.head.len();
        if room == 0 || self.told {
            return None;
        }
        self.head.extend_from_slice(&bytes[..bytes.len().min(room)]);
        let what = no_text(&self.head, self.end);
        self.told = what.is_some();
        what
    }
}

/// What compression an input is in that begins with `head`; `None` while more bytes are needed to know.
pub(crate) fn packed(head: &[u8]) -> Option<Option<Packed>> {
    let may_be = |magic: &[u8]| magic.len() > head.len() && magic.starts_with(head);
    match PACKED.iter().find(|(magic, _)| head.starts_with(magic)) {
        Some((_, packed)) => Some(Some(*packed)),
        None if PACKED.iter().any(|(magic, _)| may_be(magic)) => None,
        None => Some(None),
    }
}

/// What an input is that is no text, by its first bytes: text has no NUL in it, unless records end with one.
fn no_text(head: &[u8], end: u8) -> Option<&'static str> {
    let is_binary = end != 0 && memchr::memchr(0, head).is_some();
    let named = || OTHERS.iter().find(|(magic, _)| head.starts_with(magic)).map(|(_, name)| *name);
    let is_packed = head.starts_with(b"BZh") && head.get(4..10) == Some(b"1AY&SY");
    (is_binary || is_packed).then(|| named().unwrap_or("binary"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_few_bytes_as_can_tell_are_waited_for() {
        assert_eq!([packed(b""), packed(b"\x1f"), packed(b"\x28\xb5\x2f")], [None; 3]);
        assert_eq!([packed(b"a"), packed(b"\n"), packed(b"\x1f\n"), packed(b"(b")], [Some(None); 4]);
        assert_eq!(packed(b"\x1f\x8b\x08rest"), Some(Some(Packed::Gzip)));
        assert_eq!(packed(b"\x28\xb5\x2f\xfd"), Some(Some(Packed::Zstd)));
    }

    #[test]
    fn binary_input_has_a_name() {
        assert_eq!(no_text(b"\xfd7zXZ\0...", b'\n'), Some("xz"));
        assert_eq!(no_text(b"BZh91AY&SY", b'\n'), Some("bzip2"));
        assert_eq!(no_text(b"\xff\xfea\0", b'\n'), Some("UTF-16"));
        assert_eq!(no_text(b"\x7fELF\0", b'\n'), Some("binary"));
        assert_eq!([no_text(b"BZhang\n", b'\n'), no_text(b"\xff\xfe\n", b'\n'), no_text(b"a\0b\0", 0)], [None; 3]);
    }

    #[test]
    fn binary_input_in_any_pieces_is_reported_once_from_its_head() {
        let mut looker = Looker::new(b'\n');
        let said: Vec<_> = b"\xfd7zXZ\0\0\0".iter().filter_map(|byte| looker.look(&[*byte])).collect();
        assert_eq!(said, ["xz"]);
        let mut looker = Looker::new(b'\n');
        assert_eq!([looker.look(&[b'a'; HEAD]), looker.look(b"\0")], [None; 2]);
        assert_eq!(Looker::new(b'\n').look(&[&[b'a'; HEAD - 1][..], b"\0"].concat()), Some("binary"));
    }
}
