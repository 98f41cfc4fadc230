//! Keys gathered for one call: the buffer and the offsets that [`Keys::Bytes`] shows.

use crate::keys::Keys;
use crate::num;

/// Keys gathered for one call, copied back to back. If you clear it and use it again, it allocates nothing.
///
/// ```
/// use lately::{Filter, KeyBuffer, Options, Verdict::{Duplicate, New}};
///
/// let mut seen = Filter::new(&Options::last(1_000))?;
/// let mut keys = KeyBuffer::new();
/// keys.push("order-1");
/// keys.push(b"order-1");
/// let mut verdicts = [New; 2];
/// seen.observe_batch(keys.keys(), None, &mut verdicts)?;
/// assert_eq!(verdicts, [New, Duplicate]);
/// keys.clear();
/// assert!(keys.keys().is_empty());
/// # Ok::<(), lately::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyBuffer {
    bytes: Vec<u8>,
    /// Where each key begins, and where the last ends.
    offsets: Vec<u64>,
}

impl KeyBuffer {
    /// No keys.
    #[must_use]
    pub fn new() -> Self {
        Self { bytes: Vec::new(), offsets: vec![0] }
    }

    /// Adds a copy of `key`.
    pub fn push(&mut self, key: impl AsRef<[u8]>) {
        self.bytes.extend_from_slice(key.as_ref());
        self.offsets.push(num::wide(self.bytes.len()));
    }

    /// The keys, as the verbs take them.
    #[must_use]
    pub fn keys(&self) -> Keys<'_> {
        Keys::Bytes { bytes: &self.bytes, offsets: &self.offsets }
    }

    /// Forgets the keys and keeps their memory.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.offsets.truncate(1);
    }
}

impl Default for KeyBuffer {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: AsRef<[u8]>> Extend<K> for KeyBuffer {
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        keys.into_iter().for_each(|key| self.push(key));
    }
}

impl<K: AsRef<[u8]>> FromIterator<K> for KeyBuffer {
    fn from_iter<I: IntoIterator<Item = K>>(keys: I) -> Self {
        let mut all = Self::new();
        all.extend(keys);
        all
    }
}
