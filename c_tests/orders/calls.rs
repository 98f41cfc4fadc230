//! The calls of the C ABI that only these tests make: holders and claims.
#![allow(unsafe_code, reason = "calls C functions")]

use super::abi::{Handle, NOW, OK, Owned, UNTOUCHED};

unsafe extern "C" {
    fn lately_filter_retain(filter: Handle) -> i32;
    fn lately_filter_claim(_: Handle, _: *const u8, _: usize, tick: u64, verdict: *mut u8, token: *mut u64) -> i32;
    fn lately_filter_commit(_: Handle, _: *const u8, _: usize, token: u64, tick: u64, found: *mut u8) -> i32;
    fn lately_filter_abandon(_: Handle, _: *const u8, _: usize, token: u64) -> i32;
    fn lately_filter_snapshot_write(_: Handle, buffer: *mut u8, len: usize, written: *mut usize) -> i32;
}

// SAFETY: a handle of `lately_shared_new`, which any thread may use and free.
unsafe impl Send for Owned {}
// SAFETY: the same.
unsafe impl Sync for Owned {}

impl Owned {
    /// One more holder of the same handle.
    pub(crate) fn retained(&self) -> Self {
        // SAFETY: a handle of this holder.
        assert_eq!(unsafe { lately_filter_retain(self.raw) }, OK, "a handle for threads");
        Self { verbs: self.verbs, raw: self.raw }
    }

    /// The verdict, and the token.
    pub(crate) fn claim(&self, key: &[u8]) -> (u8, u64) {
        let (mut verdict, mut token) = (UNTOUCHED, 0);
        let (out, name) = (&raw mut verdict, &raw mut token);
        // SAFETY: a handle, a key, and two places.
        assert_eq!(unsafe { lately_filter_claim(self.raw, key.as_ptr(), key.len(), NOW, out, name) }, OK, "a claim");
        (verdict, token)
    }

    /// What the commit found.
    pub(crate) fn commit(&self, key: &[u8], token: u64) -> u8 {
        let mut found = UNTOUCHED;
        let out = &raw mut found;
        // SAFETY: a handle, a key, and a place.
        assert_eq!(unsafe { lately_filter_commit(self.raw, key.as_ptr(), key.len(), token, NOW, out) }, OK, "a commit");
        found
    }

    /// A snapshot by one call, with room for all that it may have become by then.
    pub(crate) fn snapshot_in_one_call(&self) -> Vec<u8> {
        let (mut bytes, mut written) = (vec![0; 1 << 20], 0);
        let (room, len) = (bytes.as_mut_ptr(), bytes.len());
        // SAFETY: a handle, a buffer of `len` bytes, and a place for what was written.
        assert_eq!(unsafe { lately_filter_snapshot_write(self.raw, room, len, &raw mut written) }, OK, "a snapshot");
        bytes.truncate(written);
        bytes
    }

    pub(crate) fn abandon(&self, key: &[u8], token: u64) {
        // SAFETY: a handle and a key.
        assert_eq!(unsafe { lately_filter_abandon(self.raw, key.as_ptr(), key.len(), token) }, OK, "its own claim");
    }
}
