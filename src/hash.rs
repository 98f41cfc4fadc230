//! Keys become 64-bit hashes at the edge; below it there are only hashes.
//!
//! ```text
//!  bytes --XXH3-64(seed)----------------> KeyHash            (unkeyed, the default)
//!  bytes --SipHash-1-3(128-bit secret)--> KeyHash            (keyed: an attacker cannot aim)
//!
//!  KeyHash, i --finalised mix--> 64 bits --high word of (mix x m)--> a position in 0 .. m
//! ```
//! Every index `i` has a mix of its own. Double hashing (`a + i b`, also the "enhanced" form) correlates the
//! positions of one key and raises the error of a sliced filter 3 to 7 times when its slices are small.

use siphasher::sip::{SipHasher13, SipHasher24};
use siphasher::sip128;
use xxhash_rust::xxh3::{xxh3_64_with_seed, xxh3_128_with_seed};

use crate::error::Error;
use crate::num;
use crate::options::Options;
use crate::secret::Secret;

/// The 64-bit hash of a key. Equal bytes, seed and secret give equal hashes on every platform.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct KeyHash(pub u64);

/// XXH3-64 of `bytes` under `seed`: the hash of every unkeyed filter. Frozen; it never changes.
#[must_use]
#[inline]
pub fn hash64(bytes: &[u8], seed: u64) -> u64 {
    xxh3_64_with_seed(bytes, seed)
}

impl KeyHash {
    /// The hash with its bits spread, in a few instructions: numbers in order become even over all of its highest and lowest.
    #[inline(always)]
    pub(crate) const fn mixed(self) -> u64 {
        let x = (self.0 ^ (self.0 >> 32)).wrapping_mul(num::STEP);
        x ^ (x >> 32)
    }

    /// The `i`-th function of this key, uniform over 64 bits and independent of the others.
    #[inline]
    pub(crate) const fn derive(self, i: u64) -> u64 {
        // The key moved by i + 1 steps of a Weyl sequence, and mixed.
        num::mix(self.0.wrapping_add(i.wrapping_add(1).wrapping_mul(num::STEP)))
    }
}

/// 128 bits that stand for a key where another key must never be taken for it: the low and the high word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Identity(pub(crate) u64, pub(crate) u64);

impl Identity {
    const fn of(bits: u128) -> Self {
        Self(num::low_half(bits), num::low_half(bits >> 64))
    }

    /// A secret that the operating system draws.
    pub(crate) fn random() -> Result<Self, Error> {
        Ok(Self(random()?, random()?))
    }
}

/// A key by its hash, and by its identity.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Named {
    pub(crate) hash: KeyHash,
    pub(crate) id: Identity,
}

/// Turns bytes into [`KeyHash`]es, by the seed or under the secret of one filter.
#[derive(Clone)]
pub(crate) enum Hasher {
    Seeded(u64),
    Keyed(Secret),
}

impl Hasher {
    /// The hasher that the options ask for; an unnamed secret is drawn from the operating system.
    pub(crate) fn new(options: &Options) -> Result<Self, Error> {
        if !options.is_keyed()? {
            return Ok(Self::Seeded(options.seed.unwrap_or(0)));
        }
        match options.secret {
            Some(secret) => Ok(Self::Keyed(secret)),
            None => fresh_secret().map(Self::Keyed),
        }
    }

    #[inline]
    pub(crate) fn hash(&self, key: &[u8]) -> KeyHash {
        KeyHash(match self {
            Self::Seeded(seed) => hash64(key, *seed),
            Self::Keyed(secret) => SipHasher13::new_with_keys(secret.words().0, secret.words().1).hash(key),
        })
    }

    /// The hashes of numbers, each as 8 bytes, the lowest first. Their length is known here, which spares half of the work.
    pub(crate) fn hash_numbers(&self, keys: &[u64], hashes: &mut [KeyHash]) {
        let each = hashes.iter_mut().zip(keys);
        match self {
            Self::Seeded(seed) => each.for_each(|(hash, key)| *hash = KeyHash(hash64(&key.to_le_bytes(), *seed))),
            Self::Keyed(_) => each.for_each(|(hash, key)| *hash = self.hash(&key.to_le_bytes())),
        }
    }

    /// The hash and the identity of a key: XXH3-128 by the seed, or SipHash-1-3 of 128 bits under the secret.
    pub(crate) fn named(&self, key: &[u8]) -> Named {
        let id = match self {
            Self::Seeded(seed) => xxh3_128_with_seed(key, *seed),
            Self::Keyed(secret) => {
                let hash = sip128::SipHasher13::new_with_keys(secret.words().0, secret.words().1).hash(key);
                // As a number the crate gives it with its bytes swapped on a big-endian machine.
                u128::from_le_bytes(hash.as_bytes())
            }
        };
        Named { hash: self.hash(key), id: Identity::of(id) }
    }

    /// Refuses hashes that a caller made, if this hasher is keyed.
    pub(crate) fn expect_unkeyed(&self) -> Result<(), Error> {
        match self {
            Self::Seeded(_) => Ok(()),
            Self::Keyed(_) => Err(Error::unsupported("hashes of a keyed filter")),
        }
    }

    /// The seed of an unkeyed hasher.
    pub(crate) const fn seed(&self) -> Option<u64> {
        match self {
            Self::Seeded(seed) => Some(*seed),
            _ => None,
        }
    }

    /// The secret of a keyed hasher.
    pub(crate) const fn secret(&self) -> Option<Secret> {
        match self {
            Self::Seeded(_) => None,
            Self::Keyed(secret) => Some(*secret),
        }
    }
}

/// A hasher as a snapshot has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mark {
    /// Which function.
    pub(crate) id: u32,
    /// The seed, or what tells whether a secret is the right one.
    pub(crate) value: u64,
}

/// XXH3-64 under a seed.
const SEEDED: u32 = 1;
/// SipHash-1-3 under a secret.
const KEYED: u32 = 2;

impl Hasher {
    pub(crate) fn mark(&self) -> Mark {
        match self {
            Self::Seeded(seed) => Mark { id: SEEDED, value: *seed },
            Self::Keyed(secret) => Mark { id: KEYED, value: check_value(*secret) },
        }
    }

    /// The hasher with this mark; an error if the secret is not the one that it was marked with.
    pub(crate) fn marked(mark: Mark, secret: Option<Secret>) -> Result<Self, Error> {
        match (mark.id, secret) {
            (SEEDED, None) => Ok(Self::Seeded(mark.value)),
            (SEEDED, Some(_)) => Err(Error::secret("the filter is not keyed: it takes no secret")),
            (KEYED, None) => Err(Error::secret("the filter is keyed: its secret is needed")),
            (KEYED, Some(secret)) if secret.words() == (0, 0) => Err(Error::secret("the secret must not be all zeros")),
            (KEYED, Some(secret)) if check_value(secret) != mark.value => {
                Err(Error::secret("the secret is not the one that this filter was made with"))
            }
            (KEYED, Some(secret)) => Ok(Self::Keyed(secret)),
            (other, _) => Err(Error::corrupt_number("hash", other, "1 or 2")),
        }
    }
}

/// Distinguishes secrets, and reveals the hash of no key: keys are hashed by another function, SipHash-1-3.
fn check_value(secret: Secret) -> u64 {
    let (lo, hi) = secret.words();
    SipHasher24::new_with_keys(lo, hi).hash(b"lately: which secret is this")
}

/// Shows the kind of hash, never the secret.
impl std::fmt::Debug for Hasher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Seeded(seed) => f.debug_tuple("Seeded").field(seed).finish(),
            Self::Keyed(_) => f.write_str("Keyed(..)"),
        }
    }
}

fn random() -> Result<u64, Error> {
    getrandom::u64().map_err(|_| Error::no_randomness())
}

fn fresh_secret() -> Result<Secret, Error> {
    loop {
        let Identity(lo, hi) = Identity::random()?;
        if (lo, hi) != (0, 0) {
            return Ok(Secret::new(lo, hi));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_the_published_ones() {
        // XXH3-64 of the empty input (published test vector), and SipHash-1-3 of 00 .. 0e under 00 .. 0f.
        assert_eq!(hash64(b"", 0), 0x2D06_8005_38D3_94C2);
        let message: Vec<u8> = (0..15).collect();
        let keyed = Hasher::Keyed(Secret::new(0x0706_0504_0302_0100, 0x0F0E_0D0C_0B0A_0908));
        assert_eq!(keyed.hash(&message), KeyHash(0xD320_D86D_2A51_9956));
        assert_eq!(format!("{keyed:?}"), "Keyed(..)");
    }

    /// The first is published; the second was computed on x86-64, by the crate's own conversion.
    #[test]
    fn identities_are_the_same_on_every_machine() {
        let seeded = Hasher::Seeded(0).named(b"").id;
        assert_eq!(seeded, Identity(0x6001_C324_468D_497F, 0x99AA_06D3_0147_98D8));
        let keyed = Hasher::Keyed(Secret::new(1, 2)).named(b"key").id;
        assert_eq!(keyed, Identity(0x6EB7_3A25_4C3C_75BC, 0xA80E_24CC_AB3F_F9B2));
    }

    #[test]
    fn positions_of_one_key_are_independent() {
        // Pairs of functions over 64 x 64 cells: chi-squared with 4095 degrees of freedom; 4600 is 5.6 sigma away.
        for (i, j) in [(0, 1), (1, 2), (0, 7), (3, 31)] {
            let mut cells = vec![0u64; 4096];
            for key in 0..409_600u64 {
                let h = KeyHash(hash64(&key.to_le_bytes(), 0));
                let cell = num::spread(h.derive(i), 64) * 64 + num::spread(h.derive(j), 64);
                cells[num::index(cell)] += 1;
            }
            let chi: f64 = cells.iter().map(|&c| (num::real(c) - 100.0).powi(2) / 100.0).sum();
            assert!(chi < 4600.0, "functions {i} and {j}: {chi}");
        }
    }
}
