//! The secret of a keyed filter, as a type that nothing prints by accident.

use std::fmt;

/// The 128-bit secret of a keyed filter. Anyone who knows it can aim at collisions, so no text of this library shows it: `Debug`
/// writes `(secret)`, and only [`Secret::words`] returns it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Secret {
    low: u64,
    high: u64,
}

impl Secret {
    /// The secret of these two words. Two zeros are refused where the secret is used.
    #[must_use]
    pub const fn new(low: u64, high: u64) -> Self {
        Self { low, high }
    }

    /// Its low and its high word: keep them to load a snapshot.
    #[must_use]
    pub const fn words(self) -> (u64, u64) {
        (self.low, self.high)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(secret)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_shown_in_any_form_has_no_digit() {
        let secret = Secret::new(0x1234_5678, 77);
        for text in
            [format!("{secret:?}"), format!("{secret:#?}"), format!("{secret:x?}"), format!("{:?}", Some(secret))]
        {
            assert!(text.contains("(secret)") && !text.contains(|c: char| c.is_ascii_digit()), "{text}");
        }
        assert_eq!(secret.words(), (0x1234_5678, 77));
    }
}
