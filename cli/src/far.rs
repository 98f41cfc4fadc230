//! A record far ahead of the clock that was judged and is not in the filter yet: the next record decides whether it will
//! be. The state keeps it between two runs.

use lately::KeyHash;

/// The key of such a record: its hash is enough for a filter without a secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FarKey {
    Hash(KeyHash),
    Bytes(Vec<u8>),
}

/// Longer keys are not kept between two runs: their record is then judged again as if it had not come.
const LONGEST: usize = 1 << 18;

impl FarKey {
    /// Time and key as a state keeps them.
    pub(crate) fn written(&self, time: u64) -> Option<String> {
        match self {
            Self::Hash(KeyHash(hash)) => Some(format!("{time} hash {hash:016x}")),
            Self::Bytes(bytes) if bytes.len() <= LONGEST => Some(format!("{time} key {}", hex(bytes))),
            Self::Bytes(_) => None,
        }
    }

    pub(crate) fn read(text: &str) -> Option<(u64, Self)> {
        let mut words = text.split(' ');
        let (time, form, digits) = (words.next()?.parse().ok()?, words.next()?, words.next()?);
        match form {
            "hash" => Some((time, Self::Hash(KeyHash(u64::from_str_radix(digits, 16).ok()?)))),
            "key" => Some((time, Self::Bytes(bytes(digits)?))),
            _ => None,
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn bytes(digits: &str) -> Option<Vec<u8>> {
    let pair = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    digits.as_bytes().chunks(2).map(|digits| pair(digits).filter(|_| digits.len() == 2)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn far_times_written_are_read_back() {
        for key in [FarKey::Hash(KeyHash(u64::MAX)), FarKey::Bytes(vec![]), FarKey::Bytes((0..=255).collect())] {
            assert_eq!(FarKey::read(&key.written(7).unwrap()), Some((7, key)));
        }
        assert_eq!(FarKey::Bytes(vec![0; LONGEST + 1]).written(7), None);
        for text in ["", "7", "7 hash", "7 hash x", "x hash 7", "7 key 0", "7 key 0g", "7 word 00"] {
            assert_eq!(FarKey::read(text), None, "{text}");
        }
    }
}
