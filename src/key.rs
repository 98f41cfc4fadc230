//! Values as keys: the bytes that a number, or several values together, have as a key in every language.
//!
//! ```text
//!  u8 to u64, i8 to i64     8 bytes, the lowest first; a negative one as its two's complement
//!  text and bytes           as they are
//!  (a, b, ..)               of each part its length in 8 bytes, the lowest first, and its bytes
//!  None, as a part          8 bytes of 255 and no more
//! ```
//!
//! Price: a copy of the bytes; memory only where a key has more than 48.

/// Bytes that a key has without memory of its own: three numbers as parts.
const INLINE: usize = 48;

/// A key made of a value by [`key`].
#[derive(Debug, Clone)]
pub struct Key(Bytes);

#[derive(Debug, Clone)]
enum Bytes {
    Inline([u8; INLINE], usize),
    Heap(Vec<u8>),
}

impl Key {
    fn append(&mut self, bytes: &[u8]) {
        match &mut self.0 {
            Bytes::Inline(room, len) if *len + bytes.len() <= INLINE => {
                room[*len..*len + bytes.len()].copy_from_slice(bytes);
                *len += bytes.len();
            }
            Bytes::Inline(room, len) => self.0 = Bytes::Heap([&room[..*len], bytes].concat()),
            Bytes::Heap(all) => all.extend_from_slice(bytes),
        }
    }
}

impl AsRef<[u8]> for Key {
    fn as_ref(&self) -> &[u8] {
        match &self.0 {
            Bytes::Inline(room, len) => &room[..*len],
            Bytes::Heap(all) => all,
        }
    }
}

/// The key that a number or a tuple is, for every verb that takes bytes.
///
/// ```
/// use lately::{Filter, Options, key};
///
/// let mut seen = Filter::new(&Options::last(1_000))?;
/// assert!(seen.first(key(17u64))?);
/// assert!(seen.first(key(("ada", 17u32)))?);
/// assert!(seen.first(key(("ada", None::<u32>)))?);
/// assert!(!seen.first(17u64.to_le_bytes())?);
/// # Ok::<(), lately::Error>(())
/// ```
pub fn key(value: impl KeyValue) -> Key {
    let mut key = Key(Bytes::Inline([0; INLINE], 0));
    value.write(&mut key);
    key
}

/// Private, so that only this crate says what a value is as a key.
mod sealed {
    pub trait Sealed {}
}

use sealed::Sealed;

/// A value that is a key: a number, text, bytes, or a tuple of two to four [`KeyPart`]s.
pub trait KeyValue: Sealed {
    #[doc(hidden)]
    fn write(&self, key: &mut Key);
}

/// A value that is a part of a key: a number, text, bytes, or an [`Option`] of them.
pub trait KeyPart {
    /// Hands the bytes to `with`; none of a value that is absent.
    #[doc(hidden)]
    fn part<T>(&self, with: impl FnOnce(Option<&[u8]>) -> T) -> T;
}

fn append_part(key: &mut Key, part: &impl KeyPart) {
    part.part(|bytes| {
        key.append(&bytes.map_or(u64::MAX, |bytes| crate::num::wide(bytes.len())).to_le_bytes());
        key.append(bytes.unwrap_or_default());
    });
}

/// Values that are whole keys and parts of keys.
macro_rules! values {
    ($($of:ty as |$value:ident| $bytes:expr),+ $(,)?) => {
        $(impl Sealed for $of {}

        impl KeyValue for $of {
            fn write(&self, key: &mut Key) {
                let $value = self;
                key.append($bytes);
            }
        }

        impl KeyPart for $of {
            fn part<T>(&self, with: impl FnOnce(Option<&[u8]>) -> T) -> T {
                let $value = self;
                with(Some($bytes))
            }
        })+
    };
}

values! {
    u8 as |n| &u64::from(*n).to_le_bytes(),
    u16 as |n| &u64::from(*n).to_le_bytes(),
    u32 as |n| &u64::from(*n).to_le_bytes(),
    u64 as |n| &n.to_le_bytes(),
    i8 as |n| &i64::from(*n).to_le_bytes(),
    i16 as |n| &i64::from(*n).to_le_bytes(),
    i32 as |n| &i64::from(*n).to_le_bytes(),
    i64 as |n| &n.to_le_bytes(),
    &str as |text| text.as_bytes(),
    String as |text| text.as_bytes(),
    &String as |text| text.as_bytes(),
    &[u8] as |bytes| bytes,
    Vec<u8> as |bytes| bytes,
    [u8; 16] as |bytes| bytes,
}

impl<P: KeyPart> KeyPart for Option<P> {
    fn part<T>(&self, with: impl FnOnce(Option<&[u8]>) -> T) -> T {
        match self {
            Some(part) => part.part(with),
            None => with(None),
        }
    }
}

/// Tuples, whose members are parts.
macro_rules! tuples {
    ($(($($part:ident $at:tt),+)),+ $(,)?) => {
        $(impl<$($part: KeyPart),+> Sealed for ($($part,)+) {}

        impl<$($part: KeyPart),+> KeyValue for ($($part,)+) {
            fn write(&self, key: &mut Key) {
                $(append_part(key, &self.$at);)+
            }
        })+
    };
}

tuples! { (A 0, B 1), (A 0, B 1, C 2), (A 0, B 1, C 2, D 3) }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_eight_bytes_of_any_width() {
        for made in [key(5u8), key(5u16), key(5u32), key(5u64), key(5i8), key(5i16), key(5i32), key(5i64)] {
            assert_eq!(made.as_ref(), 5u64.to_le_bytes());
        }
        for made in [key(-2i8), key(-2i16), key(-2i32), key(-2i64), key(u64::MAX - 1)] {
            assert_eq!(made.as_ref(), (-2i64).to_le_bytes());
        }
    }

    #[test]
    fn text_and_bytes_are_themselves_however_long() {
        for len in [0, 1, INLINE - 1, INLINE, INLINE + 1, 1000] {
            let text = "x".repeat(len);
            assert_eq!(key(&text[..]).as_ref(), text.as_bytes());
            assert_eq!(key(text.as_bytes()).as_ref(), text.as_bytes());
            assert_eq!(key(&text).as_ref(), key(text.clone()).as_ref());
        }
        assert_eq!(key([7; 16]).as_ref(), [7; 16]);
    }

    #[test]
    fn tuples_are_lengths_and_bytes_and_no_two_are_one() {
        let part = |bytes: &[u8]| [&crate::num::wide(bytes.len()).to_le_bytes(), bytes].concat();
        assert_eq!(key(("a", "bc")).as_ref(), [part(b"a"), part(b"bc")].concat());
        assert_eq!(key((1u64, "17")).as_ref(), [part(&1u64.to_le_bytes()), part(b"17")].concat());
        assert_eq!(key((None::<u8>, "a")).as_ref(), [vec![255; 8], part(b"a")].concat());
        let long = "y".repeat(50);
        assert_eq!(key((1u8, &long, 2i32, None::<&str>)).as_ref(), {
            [part(&1u64.to_le_bytes()), part(long.as_bytes()), part(&2u64.to_le_bytes()), vec![255; 8]].concat()
        });
        assert_eq!(key((1u8, 2u8, 3u8)).as_ref().len(), INLINE);
    }
}
