//! Filters that ours are compared with, each small, from its description, with a test of its own formula.
//!
//! Cells lie in whole bytes where that is simpler; the bits that count are those of the description. A key's hashes are
//! `rng::hash(key ^ seed, i)`: a different seed is a different filter.

pub(crate) mod a2;
pub(crate) mod balanced_bloom;
pub(crate) mod block_decaying;
pub(crate) mod blocked_bloom;
pub(crate) mod bloom;
pub(crate) mod by_turns;
pub(crate) mod cuckoo;
pub(crate) mod d_left;
pub(crate) mod exact_map;
pub(crate) mod hashes;
pub(crate) mod paper_tiny_set;
pub(crate) mod plain_quotient;
pub(crate) mod rank_indexed;
pub(crate) mod shared_places;
pub(crate) mod she;
pub(crate) mod sqf;
pub(crate) mod stable_bloom;
pub(crate) mod swamp;
pub(crate) mod swept_bloom;
pub(crate) mod vi_cbf;
pub(crate) mod wrong_queue;

/// Whether a baseline is as its own paper describes it, or as the benchmark of the QHT paper ran it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reading {
    /// With the mistakes of that benchmark, so that its printed column appears.
    Published,
    /// As described, with the whole memory.
    Correct,
}

impl Reading {
    pub(crate) const fn other(self) -> Self {
        match self {
            Self::Published => Self::Correct,
            Self::Correct => Self::Published,
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Published => "as published",
            Self::Correct => "correct",
        }
    }
}
