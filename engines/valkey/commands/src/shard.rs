//! Which shard of a filter an item belongs to: frozen, for every client computes it (the formula is in README.md).
//!
//! It shares nothing with the hash inside the filters, so the items of one shard are as good as any. `shards.txt` next to
//! the clients has vectors.

/// The shard of `item` among `shards`, which is at least 1.
#[must_use]
pub fn shard_of(item: &[u8], shards: u32) -> u32 {
    let fnv =
        item.iter().fold(0xCBF2_9CE4_8422_2325_u64, |h, byte| (h ^ u64::from(*byte)).wrapping_mul(0x100_0000_01B3));
    let mixed = (fnv ^ (fnv >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let shard = (mixed ^ (mixed >> 32)) % u64::from(shards.max(1));
    u32::try_from(shard).unwrap_or_default()
}
