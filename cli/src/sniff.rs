//! What the first bytes of an input show: that it is compressed, UTF-16 or no text, or that its records end otherwise than is believed.

use std::fmt;

use crate::utf16::Order;

/// A form of compression that is undone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Packed {
    Gzip,
    Zstd,
    Xz,
    Bzip2,
    Lz4,
    /// Not compressed, and no bytes of UTF-8.
    Utf16(Order),
}

const PACKED: [(&[u8], Packed); 6] = [
    (b"\x1f\x8b\x08", Packed::Gzip),
    (b"\x28\xb5\x2f\xfd", Packed::Zstd),
    (b"\xfd7zXZ\0", Packed::Xz),
    (b"\x04\x22\x4d\x18", Packed::Lz4),
    (b"\xff\xfe", Packed::Utf16(Order::Little)),
    (b"\xfe\xff", Packed::Utf16(Order::Big)),
];

/// What bzip2 begins with: a level between the two, and its first block, or the end of an empty one.
const BZIP2: (&[u8], [&[u8]; 2]) = (b"BZh", [b"1AY&SY", b"\x17\x72\x45\x38\x50\x90"]);

/// Bytes that other forms begin with, and what they are called.
const OTHERS: [(&[u8], &str); 3] = [(b"PK\x03\x04", "zip"), (b"PAR1", "Parquet"), (b"Obj\x01", "Avro")];

const HEAD: usize = 1 << 16;

/// Those in which a NUL shows that this is no text.
const HEAD_OF_TEXT: usize = 8192;

/// Looks at the first bytes of an input, however they come.
pub(crate) struct Looker {
    head: Vec<u8>,
    /// LF or NUL.
    end: u8,
    is_json: bool,
    told: bool,
}

impl Looker {
    pub(crate) fn new(end: u8, is_json: bool) -> Self {
        Self { head: Vec::new(), end, is_json, told: false }
    }

    /// Takes the next bytes. Once they show something odd: what it is.
    pub(crate) fn look(&mut self, bytes: &[u8]) -> Option<Odd> {
        let room = HEAD - self.head.len();
        if room == 0 || self.told {
            return None;
        }
        self.head.extend_from_slice(&bytes[..bytes.len().min(room)]);
        let what = no_text(&self.head[..self.head.len().min(HEAD_OF_TEXT)], self.end).map(Odd::NoText);
        let is_full = self.head.len() == HEAD;
        let what = what.or_else(|| self.one_record().filter(|_| is_full));
        self.told = what.is_some();
        what
    }

    /// The input has ended: the same of one that is short.
    pub(crate) fn end(&self) -> Option<Odd> {
        let is_short = self.head.len() < HEAD && !self.told;
        self.one_record().filter(|_| is_short)
    }

    /// What looks like one record by mistake.
    fn one_record(&self) -> Option<Odd> {
        other_end(&self.head, self.end).or_else(|| (self.is_json && is_array(&self.head)).then_some(Odd::Array))
    }
}

/// An oddity of an input, worth a note to the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Odd {
    NoText(&'static str),
    /// Its records seem to end so; and what reads it.
    Ends(&'static str, &'static str),
    Array,
}

impl fmt::Display for Odd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoText(what) => write!(f, "this is {what}, not text, and is read as it is"),
            Self::Array => f.write_str(
                "this is one record so far, a JSON array of objects: `jq -c '.[]'` makes records of its values",
            ),
            Self::Ends(how, cure) => write!(f, "this is one record so far, whose lines end with {how}: {cure}"),
        }
    }
}

/// How records seem to end, if none ends as is believed and there are two ends of another kind.
fn other_end(head: &[u8], end: u8) -> Option<Odd> {
    let ends = |byte| memchr::memchr_iter(byte, head).take(2).count();
    match end {
        b'\n' if ends(b'\n') == 0 && ends(b'\r') == 2 => {
            Some(Odd::Ends("CR alone, as on old Macs", "`tr '\\r' '\\n'` makes lines of them"))
        }
        0 if ends(0) == 0 && ends(b'\n') == 2 => Some(Odd::Ends("a line feed", "without -z they are records")),
        _ => None,
    }
}

/// Whether all that is there is one line, which begins an array of objects: what an interface answers, and no record of a log.
fn is_array(head: &[u8]) -> bool {
    let line = head.trim_ascii();
    let values = line.strip_prefix(b"[").map(<[u8]>::trim_ascii_start);
    values.is_some_and(|values| values.starts_with(b"{")) && memchr::memchr(b'\n', line).is_none()
}

/// What compression an input is in that begins with `head`; `None` while more bytes are needed to know.
pub(crate) fn packed(head: &[u8]) -> Option<Option<Packed>> {
    let may_be = |magic: &[u8]| magic.len() > head.len() && magic.starts_with(head);
    match PACKED.iter().find(|(magic, _)| head.starts_with(magic)) {
        Some((_, packed)) => Some(Some(*packed)),
        None if PACKED.iter().any(|(magic, _)| may_be(magic)) => None,
        None => is_bzip2(head).map(|is| is.then_some(Packed::Bzip2)),
    }
}

/// Whether it begins as bzip2 does; nothing while more bytes are needed to know. "BZh" alone may begin a word.
fn is_bzip2(head: &[u8]) -> Option<bool> {
    let (name, blocks) = BZIP2;
    let begins = |whole: &[u8], part: &[u8]| part.iter().zip(whole).all(|(one, other)| one == other);
    let block = head.get(4..).unwrap_or_default();
    let is_level = head.get(3).is_none_or(|level| (b'1'..=b'9').contains(level));
    match begins(name, head) && is_level && blocks.iter().any(|first| begins(first, block)) {
        false => Some(false),
        true if head.is_empty() => None,
        true => (head.len() >= name.len() + 1 + blocks[0].len()).then_some(true),
    }
}

/// What an input is that is no text, by its first bytes: text has no NUL in it, unless records end with one.
fn no_text(head: &[u8], end: u8) -> Option<&'static str> {
    let is_binary = end != 0 && memchr::memchr(0, head).is_some();
    let named = || OTHERS.iter().find(|(magic, _)| head.starts_with(magic)).map(|(_, name)| *name);
    is_binary.then(|| named().unwrap_or("binary"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_few_bytes_as_can_tell_are_waited_for() {
        assert_eq!([packed(b""), packed(b"\x1f"), packed(b"\x28\xb5\x2f"), packed(b"\xff"), packed(b"B")], [None; 5]);
        assert_eq!([packed(b"BZh9"), packed(b"BZh91AY&S"), packed(b"\xfd7z")], [None; 3]);
        assert_eq!([packed(b"a"), packed(b"\n"), packed(b"\x1f\n"), packed(b"(b")], [Some(None); 4]);
        assert_eq!([packed(b"BZhang\n"), packed(b"Bye"), packed(b"BZh91AY&X")], [Some(None); 3]);
        for (head, want) in [
            (&b"\x1f\x8b\x08rest"[..], Packed::Gzip),
            (b"\x28\xb5\x2f\xfd", Packed::Zstd),
            (b"\xfd7zXZ\0", Packed::Xz),
            (b"BZh91AY&SY", Packed::Bzip2),
            (b"BZh9\x17\x72\x45\x38\x50\x90", Packed::Bzip2),
            (b"\x04\x22\x4d\x18", Packed::Lz4),
            (b"\xff\xfea\0", Packed::Utf16(Order::Little)),
            (b"\xfe\xff", Packed::Utf16(Order::Big)),
        ] {
            assert_eq!(packed(head), Some(Some(want)), "{head:?}");
        }
    }

    #[test]
    fn array_of_objects_on_one_line_is_no_stream_of_records() {
        let said = |head: &[u8], is_json| {
            let mut looker = Looker::new(b'\n', is_json);
            looker.look(head).or_else(|| looker.end())
        };
        let array = [&b"[{\"id\":1},"[..], &b"{\"id\":2},".repeat(HEAD)].concat();
        for head in [&b"[{\"id\":1},{\"id\":2}]\n"[..], b" [ {}]", &array] {
            assert_eq!([said(head, true), said(head, false)], [Some(Odd::Array), None]);
        }
        for head in [&b"[1,2]\n"[..], b"[{}]\n[{}]\n", b"[\n{}]", b"{\"a\":[{}]}\n", b""] {
            assert_eq!(said(head, true), None, "{head:?}");
        }
    }

    #[test]
    fn binary_input_in_any_pieces_is_reported_once_from_its_head() {
        let mut looker = Looker::new(b'\n', false);
        let said: Vec<_> = b"PAR1\0\0\0".iter().filter_map(|byte| looker.look(&[*byte])).collect();
        assert_eq!(said, [Odd::NoText("Parquet")]);
        let mut looker = Looker::new(b'\n', false);
        assert_eq!([looker.look(&[b'a'; HEAD_OF_TEXT]), looker.look(b"\0")], [None; 2]);
        let last = [&[b'a'; HEAD_OF_TEXT - 1][..], b"\0"].concat();
        assert_eq!(Looker::new(b'\n', false).look(&last), Some(Odd::NoText("binary")));
    }

    #[test]
    fn records_that_end_otherwise_are_noticed() {
        let odd = |end, bytes: &[u8]| {
            let mut looker = Looker::new(end, false);
            let said = looker.look(bytes).or_else(|| looker.end());
            said.map(|odd| odd.to_string().contains("-z"))
        };
        assert_eq!([odd(b'\n', b"a\rb\r"), odd(b'\n', &b"a\r".repeat(HEAD))], [Some(false); 2]);
        assert_eq!([odd(0, b"a\nb\n"), odd(0, &b"a\n".repeat(HEAD))], [Some(true); 2]);
        assert_eq!([odd(b'\n', b"a\r"), odd(b'\n', b"a\rb\r\n"), odd(0, b"a\nb\n\0"), odd(0, b"a\n")], [None; 4]);
        let mut far = b"a\r".repeat(HEAD);
        far.push(b'\n');
        let mut looker = Looker::new(b'\n', false);
        assert!(looker.look(&far).is_some() && looker.end().is_none(), "once");
    }
}
