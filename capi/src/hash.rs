//! The hash of unkeyed filters, on its own, so that a caller can hash once and route.

use std::ffi::c_void;

use library::hash64;

use crate::boundary::catch;
use crate::pointers::slice;

/// The hash of every unkeyed filter: XXH3-64 under `seed`. Frozen; it never changes.
///
/// - `bytes` (in), `len` (in, bytes): what to hash; NULL only if `len` is 0.
/// - `seed` (in): any number; 0 is that of a filter without `seed`.
///
/// Returns: the hash; 0 if `bytes` is NULL and `len` is not 0, or `len` exceeds the address space. Never fails
/// otherwise.
/// Ownership: the bytes are not kept. Cost: some ns and a fraction of one per byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_hash64(bytes: *const c_void, len: usize, seed: u64) -> u64 {
    let body = || {
        // SAFETY: the caller's bytes are as documented.
        unsafe { slice("bytes", bytes.cast::<u8>(), len) }.map_or(0, |bytes| hash64(bytes, seed))
    };
    catch(body).unwrap_or(0)
}
