//! The functions of `lately_shared` for many keys, and for keys that are hashed. A comment has only the differences.

use std::ffi::c_void;

use crate::batch::{self, Batch, RawKeys};
use crate::hashed;
use crate::shared::lately_shared;
use crate::status::lately_status;

/// As `lately_filter_observe_hash`, from any thread. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_observe_hash(
    filter: *mut lately_shared,
    hash: u64,
    verdict: *mut u8,
) -> lately_status {
    hashed::observe(filter, hash, None, verdict)
}

/// As `lately_filter_observe_hash_at`, from any thread. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_observe_hash_at(
    filter: *mut lately_shared,
    hash: u64,
    now: u64,
    verdict: *mut u8,
) -> lately_status {
    hashed::observe(filter, hash, Some(now), verdict)
}

/// As `lately_filter_insert_hash`, from any thread. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_insert_hash(filter: *mut lately_shared, hash: u64) -> lately_status {
    hashed::insert(filter, hash, None)
}

/// As `lately_filter_insert_hash_at`, from any thread. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_insert_hash_at(
    filter: *mut lately_shared,
    hash: u64,
    now: u64,
) -> lately_status {
    hashed::insert(filter, hash, Some(now))
}

/// As `lately_filter_contains_hash`, from any thread. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_contains_hash(
    filter: *const lately_shared,
    hash: u64,
    verdict: *mut u8,
) -> lately_status {
    hashed::contains(filter, hash, None, verdict)
}

/// As `lately_filter_contains_hash_at`, from any thread. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_contains_hash_at(
    filter: *const lately_shared,
    hash: u64,
    now: u64,
    verdict: *mut u8,
) -> lately_status {
    hashed::contains(filter, hash, Some(now), verdict)
}

/// As `lately_filter_observe_batch`, from any thread. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_observe_batch(
    filter: *mut lately_shared,
    bytes: *const c_void,
    bytes_len: usize,
    offsets: *const u64,
    ticks: *const u64,
    n: usize,
    verdicts: *mut u8,
    done: *mut usize,
) -> lately_status {
    batch::observe(
        filter,
        Batch { keys: RawKeys::Bytes { bytes: bytes.cast(), bytes_len, offsets }, ticks, n },
        verdicts,
        done,
    )
}

/// As `lately_filter_observe_hashes`, from any thread. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_observe_hashes(
    filter: *mut lately_shared,
    hashes: *const u64,
    ticks: *const u64,
    n: usize,
    verdicts: *mut u8,
    done: *mut usize,
) -> lately_status {
    batch::observe(filter, Batch { keys: RawKeys::Hashes(hashes), ticks, n }, verdicts, done)
}

/// As `lately_filter_observe_u64s`, from any thread. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_observe_u64s(
    filter: *mut lately_shared,
    keys: *const u64,
    ticks: *const u64,
    n: usize,
    verdicts: *mut u8,
    done: *mut usize,
) -> lately_status {
    batch::observe(filter, Batch { keys: RawKeys::U64s(keys), ticks, n }, verdicts, done)
}

/// As `lately_filter_insert_batch`, from any thread. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_insert_batch(
    filter: *mut lately_shared,
    bytes: *const c_void,
    bytes_len: usize,
    offsets: *const u64,
    ticks: *const u64,
    n: usize,
    done: *mut usize,
) -> lately_status {
    batch::insert(filter, Batch { keys: RawKeys::Bytes { bytes: bytes.cast(), bytes_len, offsets }, ticks, n }, done)
}

/// As `lately_filter_insert_hashes`, from any thread. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_insert_hashes(
    filter: *mut lately_shared,
    hashes: *const u64,
    ticks: *const u64,
    n: usize,
    done: *mut usize,
) -> lately_status {
    batch::insert(filter, Batch { keys: RawKeys::Hashes(hashes), ticks, n }, done)
}

/// As `lately_filter_insert_u64s`, from any thread. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_insert_u64s(
    filter: *mut lately_shared,
    keys: *const u64,
    ticks: *const u64,
    n: usize,
    done: *mut usize,
) -> lately_status {
    batch::insert(filter, Batch { keys: RawKeys::U64s(keys), ticks, n }, done)
}

/// As `lately_filter_contains_batch`, from any thread. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_contains_batch(
    filter: *const lately_shared,
    bytes: *const c_void,
    bytes_len: usize,
    offsets: *const u64,
    ticks: *const u64,
    n: usize,
    verdicts: *mut u8,
    done: *mut usize,
) -> lately_status {
    batch::contains(
        filter,
        Batch { keys: RawKeys::Bytes { bytes: bytes.cast(), bytes_len, offsets }, ticks, n },
        verdicts,
        done,
    )
}

/// As `lately_filter_contains_hashes`, from any thread. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_contains_hashes(
    filter: *const lately_shared,
    hashes: *const u64,
    ticks: *const u64,
    n: usize,
    verdicts: *mut u8,
    done: *mut usize,
) -> lately_status {
    batch::contains(filter, Batch { keys: RawKeys::Hashes(hashes), ticks, n }, verdicts, done)
}

/// As `lately_filter_contains_u64s`, from any thread. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_contains_u64s(
    filter: *const lately_shared,
    keys: *const u64,
    ticks: *const u64,
    n: usize,
    verdicts: *mut u8,
    done: *mut usize,
) -> lately_status {
    batch::contains(filter, Batch { keys: RawKeys::U64s(keys), ticks, n }, verdicts, done)
}
