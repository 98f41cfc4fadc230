//! The C ABI as a C program sees it: structs declared by hand, and one table of functions for both handles.
#![allow(unsafe_code, reason = "calls C functions")]

use std::ffi::{c_char, c_void};
use std::ptr::null_mut;

pub(crate) const OK: i32 = 0;
pub(crate) const NULL: i32 = 1;
pub(crate) const STRUCT_SIZE: i32 = 2;
pub(crate) const OPTION: i32 = 3;
pub(crate) const OFFSETS: i32 = 4;
pub(crate) const UNSUPPORTED: i32 = 5;
pub(crate) const CLOCK: i32 = 6;
pub(crate) const TICK: i32 = 7;
pub(crate) const FULL: i32 = 100;
pub(crate) const SHORT_BUFFER: i32 = 200;
pub(crate) const CHECKED: std::ops::RangeInclusive<i32> = 200..=207;
pub(crate) const ELAPSED: i32 = 207;
pub(crate) const NO_MEMORY: i32 = 901;

/// A verdict that no call gives.
pub(crate) const UNTOUCHED: u8 = 77;

/// A struct of the header with the names of its fields, which `c_tests/adversarial.rs` compares with the header's.
macro_rules! raw {
    ($(#[$doc:meta])* $name:ident { $($field:ident: $type:ty),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq)]
        #[repr(C)]
        pub(crate) struct $name {
            pub(crate) struct_size: usize,
            $(pub(crate) $field: $type),+
        }

        impl $name {
            pub(crate) const FIELDS: &'static [(&'static str, &'static str)] =
                &[("struct_size", "usize"), $((stringify!($field), stringify!($type))),+];

            /// All zeros.
            pub(crate) fn init() -> Self {
                Self { struct_size: size_of::<Self>(), $($field: Default::default()),+ }
            }
        }
    };
}

raw! {
    /// `lately_options`.
    RawOptions {
        kind: u32, clock: u32, repeat: u32, on_limit: u32,
        window_ns: u64, window_keys: u64, capacity: u64, error_rate: f64, miss_rate: f64, memory: u64, max_step_ns: u64,
        k: u32, l: u32, max_slices: u32, reserved_0: u32, fill: f64,
        variant: u32, fingerprint_bits: u32, semi_sort: u32, removable: u32, block_bytes: u32, chains: u32, load: f64,
        keyed: u32, reserved_1: u32, seed: u64, secret_lo: u64, secret_hi: u64, age_bits: u32, reserved_2: u32,
        lateness_ns: u64, lease_ns: u64, max_claims: u64,
    }
}

raw! {
    /// `lately_plan_result`.
    RawPlan {
        bytes: u64, bits_per_key: f64, k: u64, l: u64, fill: f64, slices: u64, blocks: u64, rows: u64, load: f64,
        margin: f64, error_rate_worst: f64, error_rate_mean: f64, miss_rate: f64, window_keys: u64,
        cache_lines_per_observe: f64, fingerprint_bits: u64, chains: u64, block_bytes: u64,
        bits_per_key_peak: f64,
    }
}

raw! {
    /// `lately_stats`.
    RawStats {
        bytes: u64, bytes_peak: u64, slices: u64, newest_slice_bits: u64, items: u64, stored: u64, reach_ns: u64,
        error_rate: f64, shifts: u64, forgotten: u64, deferred: u64, new_count: u64, duplicate_count: u64, late_ticks: u64,
        refused_ticks: u64, clock: u64, rows_full: u64, miss_rate: f64,
        moved: u64, stashed: u64, max_lateness_ns: u64, last_refused_tick: u64,
        open_claims: u64, max_claims: u64, expired_claims: u64, pending: u64,
    }
}

raw! {
    /// `lately_load_options`.
    RawLoad { memory: u64, secret_lo: u64, secret_hi: u64, new_memory: u64 }
}

raw! {
    /// `lately_column`.
    RawColumn {
        bytes: Place, bytes_len: usize, offsets: Place, validity: Bits, validity_offset: usize, offset_bits: u32,
        reserved: u32,
    }
}

/// A `const void *` in a struct, NULL unless it is set.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(transparent)]
pub(crate) struct Place(pub(crate) *const u8);

/// A `const uint8_t *` in a struct.
pub(crate) type Bits = Place;

impl Default for Place {
    fn default() -> Self {
        Self(std::ptr::null())
    }
}

/// `lately_slice`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(crate) struct RawSlice {
    pub(crate) data: *const u8,
    pub(crate) len: usize,
}

impl RawSlice {
    pub(crate) fn of(key: &[u8]) -> Self {
        Self { data: key.as_ptr(), len: key.len() }
    }
}

/// `lately_error`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(crate) struct RawError {
    pub(crate) struct_size: usize,
    pub(crate) code: i32,
    pub(crate) field: u32,
    pub(crate) message: [c_char; 256],
}

impl RawError {
    fn init() -> Self {
        Self { struct_size: size_of::<Self>(), code: 0, field: 0, message: [0; 256] }
    }

    /// The message up to its NUL.
    pub(crate) fn text(&self) -> String {
        let bytes = self.message.iter().map(|c| c.to_le_bytes()[0]).take_while(|&c| c != 0);
        String::from_utf8(bytes.collect()).expect("a message is UTF-8")
    }
}

/// The verbs of a handle; those of `lately_filter` and of `lately_shared` differ in their names alone.
macro_rules! verbs {
    ($($name:ident($($arg:ty),*)),+ $(,)?) => {
        pub(crate) struct Verbs {
            pub(crate) free: unsafe extern "C" fn(*mut c_void),
            $(pub(crate) $name: unsafe extern "C" fn($($arg),*) -> i32),+
        }

        verbs!(of FILTER "lately_filter_"; $($name($($arg),*)),+);
        verbs!(of SHARED "lately_shared_"; $($name($($arg),*)),+);
    };
    (of $table:ident $prefix:literal; $($name:ident($($arg:ty),*)),+) => {
        pub(crate) static $table: Verbs = {
            unsafe extern "C" {
                #[link_name = concat!($prefix, "free")]
                fn free(handle: *mut c_void);
                $(#[link_name = concat!($prefix, stringify!($name))]
                fn $name($(_: $arg),*) -> i32;)+
            }
            Verbs { free, $($name),+ }
        };
    };
}

type Handle = *mut c_void;

verbs! {
    new(*const RawOptions, *mut Handle, *mut RawError),
    copy(Handle, *mut Handle),
    observe(Handle, *const u8, usize, *mut u8),
    observe_at(Handle, *const u8, usize, u64, *mut u8),
    insert(Handle, *const u8, usize),
    insert_at(Handle, *const u8, usize, u64),
    contains(Handle, *const u8, usize, *mut u8),
    contains_at(Handle, *const u8, usize, u64, *mut u8),
    remove(Handle, *const u8, usize, *mut u8),
    advance(Handle, u64),
    clear(Handle),
    stats(Handle, *mut RawStats),
    stats_reset(Handle),
    observe_hash(Handle, u64, *mut u8),
    observe_hash_at(Handle, u64, u64, *mut u8),
    insert_hash(Handle, u64),
    insert_hash_at(Handle, u64, u64),
    contains_hash(Handle, u64, *mut u8),
    contains_hash_at(Handle, u64, u64, *mut u8),
    hash(Handle, *const u8, usize, *mut u64),
    secret(Handle, *mut u64, *mut u64),
    snapshot_size(Handle, *mut usize),
    snapshot_write(Handle, *mut u8, usize, *mut usize),
    load(*const u8, usize, i64, *const RawLoad, *mut Handle, *mut RawError),
    observe_batch(Handle, *const u8, usize, *const u64, *const u64, usize, *mut u8, *mut usize),
    insert_batch(Handle, *const u8, usize, *const u64, *const u64, usize, *mut usize),
    contains_batch(Handle, *const u8, usize, *const u64, *const u64, usize, *mut u8, *mut usize),
    observe_hashes(Handle, *const u64, *const u64, usize, *mut u8, *mut usize),
    insert_hashes(Handle, *const u64, *const u64, usize, *mut usize),
    contains_hashes(Handle, *const u64, *const u64, usize, *mut u8, *mut usize),
    observe_u64s(Handle, *const u64, *const u64, usize, *mut u8, *mut usize),
    insert_u64s(Handle, *const u64, *const u64, usize, *mut usize),
    contains_u64s(Handle, *const u64, *const u64, usize, *mut u8, *mut usize),
    observe_slices(Handle, *const RawSlice, *const u64, usize, *mut u8, *mut usize),
    insert_slices(Handle, *const RawSlice, *const u64, usize, *mut usize),
    contains_slices(Handle, *const RawSlice, *const u64, usize, *mut u8, *mut usize),
    observe_column(Handle, *const RawColumn, *const u64, usize, *mut u8, *mut usize),
    insert_column(Handle, *const RawColumn, *const u64, usize, *mut usize),
    contains_column(Handle, *const RawColumn, *const u64, usize, *mut u8, *mut usize),
    describe(Handle, *mut c_char, usize),
}

unsafe extern "C" {
    fn lately_plan(options: *const RawOptions, plan: *mut RawPlan, error: *mut RawError) -> i32;
    fn lately_hash64(bytes: *const u8, len: usize, seed: u64) -> u64;
    fn lately_testing_divide(filter: Handle) -> i32;
}

/// `lately_plan`.
pub(crate) fn plan(options: &RawOptions) -> (i32, RawPlan, RawError) {
    let (mut plan, mut error) = (RawPlan::init(), RawError::init());
    // SAFETY: three structs that live here, each with its size in front.
    let status = unsafe { lately_plan(options, &raw mut plan, &raw mut error) };
    (status, plan, error)
}

/// `lately_hash64`.
pub(crate) fn hash64(key: &[u8], seed: u64) -> u64 {
    // SAFETY: a slice is what it says it is.
    unsafe { lately_hash64(key.as_ptr(), key.len(), seed) }
}

/// One verb of the three that take keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verb {
    Observe,
    Insert,
    Contains,
}

/// What a batch came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Answers {
    pub(crate) status: i32,
    pub(crate) done: usize,
    pub(crate) verdicts: Vec<u8>,
}

/// The keys of a batch.
pub(crate) enum Keys<'a> {
    Bytes(&'a [u8], &'a [u64]),
    Hashes(&'a [u64]),
    Numbers(&'a [u64]),
    Slices(&'a [RawSlice]),
    Column(&'a RawColumn),
}

/// One handle, freed when it is dropped.
pub(crate) struct Owned {
    verbs: &'static Verbs,
    raw: Handle,
}

impl Drop for Owned {
    fn drop(&mut self) {
        // SAFETY: the handle is this value's own, or NULL.
        unsafe { (self.verbs.free)(self.raw) }
    }
}

impl Owned {
    pub(crate) fn new(verbs: &'static Verbs, options: &RawOptions) -> (i32, Self, RawError) {
        let (mut raw, mut error) = (null_mut(), RawError::init());
        // SAFETY: two structs that live here, and a place for the handle.
        let status = unsafe { (verbs.new)(options, &raw mut raw, &raw mut error) };
        assert_eq!(raw.is_null(), status != OK, "a handle is written on success alone");
        (status, Self { verbs, raw }, error)
    }

    pub(crate) fn copy(&self) -> Self {
        let mut raw = null_mut();
        // SAFETY: a handle, and a place for another.
        let status = unsafe { (self.verbs.copy)(self.raw, &raw mut raw) };
        assert_eq!(status, OK, "a copy");
        Self { verbs: self.verbs, raw }
    }

    /// Whether it has locks.
    pub(crate) fn is_shared(&self) -> bool {
        std::ptr::eq(self.verbs, &raw const SHARED)
    }

    /// Divides a shared filter among its locks.
    pub(crate) fn divide(&self) {
        assert!(self.is_shared(), "the shared handle has locks");
        // SAFETY: a handle of `lately_shared`.
        assert_eq!(unsafe { lately_testing_divide(self.raw) }, OK);
    }

    /// One key, now or at a tick: the status and the verdict, if the verb writes one.
    pub(crate) fn one(&self, verb: Verb, key: &[u8], at: Option<u64>) -> (i32, u8) {
        let (v, p, len, mut verdict) = (self.verbs, key.as_ptr(), key.len(), UNTOUCHED);
        let out = &raw mut verdict;
        let status = match (verb, at) {
            // SAFETY: a handle that no other call uses, a key, a place for the verdict.
            (Verb::Observe, None) => unsafe { (v.observe)(self.raw, p, len, out) },
            // SAFETY: the same.
            (Verb::Observe, Some(now)) => unsafe { (v.observe_at)(self.raw, p, len, now, out) },
            // SAFETY: the same.
            (Verb::Insert, None) => unsafe { (v.insert)(self.raw, p, len) },
            // SAFETY: the same.
            (Verb::Insert, Some(now)) => unsafe { (v.insert_at)(self.raw, p, len, now) },
            // SAFETY: the same.
            (Verb::Contains, None) => unsafe { (v.contains)(self.raw, p, len, out) },
            // SAFETY: the same.
            (Verb::Contains, Some(now)) => unsafe { (v.contains_at)(self.raw, p, len, now, out) },
        };
        (status, verdict)
    }

    /// One key by its hash, now or at a tick, as [`Owned::one`].
    pub(crate) fn one_hash(&self, verb: Verb, hash: u64, at: Option<u64>) -> (i32, u8) {
        let (v, mut verdict) = (self.verbs, UNTOUCHED);
        let out = &raw mut verdict;
        let status = match (verb, at) {
            // SAFETY: a handle that no other call uses, a place for the verdict.
            (Verb::Observe, None) => unsafe { (v.observe_hash)(self.raw, hash, out) },
            // SAFETY: the same.
            (Verb::Observe, Some(now)) => unsafe { (v.observe_hash_at)(self.raw, hash, now, out) },
            // SAFETY: the same.
            (Verb::Insert, None) => unsafe { (v.insert_hash)(self.raw, hash) },
            // SAFETY: the same.
            (Verb::Insert, Some(now)) => unsafe { (v.insert_hash_at)(self.raw, hash, now) },
            // SAFETY: the same.
            (Verb::Contains, None) => unsafe { (v.contains_hash)(self.raw, hash, out) },
            // SAFETY: the same.
            (Verb::Contains, Some(now)) => unsafe { (v.contains_hash_at)(self.raw, hash, now, out) },
        };
        (status, verdict)
    }

    /// Many keys, now or each at its tick.
    pub(crate) fn many(&self, verb: Verb, keys: &Keys<'_>, ticks: Option<&[u64]>, n: usize) -> Answers {
        let (v, f, mut verdicts, mut done) = (self.verbs, self.raw, vec![UNTOUCHED; n], usize::MAX);
        let ticks = ticks.map_or(std::ptr::null(), <[u64]>::as_ptr);
        let (out, count) = (verdicts.as_mut_ptr(), &raw mut done);
        let status = match (verb, keys) {
            (Verb::Observe, Keys::Bytes(b, o)) => {
                // SAFETY: a handle that no other call uses, and arrays of `n` as the header asks for.
                unsafe { (v.observe_batch)(f, b.as_ptr(), b.len(), o.as_ptr(), ticks, n, out, count) }
            }
            // SAFETY: the same.
            (Verb::Observe, Keys::Hashes(h)) => unsafe { (v.observe_hashes)(f, h.as_ptr(), ticks, n, out, count) },
            // SAFETY: the same.
            (Verb::Observe, Keys::Numbers(k)) => unsafe { (v.observe_u64s)(f, k.as_ptr(), ticks, n, out, count) },
            (Verb::Insert, Keys::Bytes(b, o)) => {
                // SAFETY: the same.
                unsafe { (v.insert_batch)(f, b.as_ptr(), b.len(), o.as_ptr(), ticks, n, count) }
            }
            // SAFETY: the same.
            (Verb::Insert, Keys::Hashes(h)) => unsafe { (v.insert_hashes)(f, h.as_ptr(), ticks, n, count) },
            // SAFETY: the same.
            (Verb::Insert, Keys::Numbers(k)) => unsafe { (v.insert_u64s)(f, k.as_ptr(), ticks, n, count) },
            (Verb::Contains, Keys::Bytes(b, o)) => {
                // SAFETY: the same.
                unsafe { (v.contains_batch)(f, b.as_ptr(), b.len(), o.as_ptr(), ticks, n, out, count) }
            }
            // SAFETY: the same.
            (Verb::Contains, Keys::Hashes(h)) => unsafe { (v.contains_hashes)(f, h.as_ptr(), ticks, n, out, count) },
            // SAFETY: the same.
            (Verb::Contains, Keys::Numbers(k)) => unsafe { (v.contains_u64s)(f, k.as_ptr(), ticks, n, out, count) },
            // SAFETY: the same.
            (Verb::Observe, Keys::Slices(s)) => unsafe { (v.observe_slices)(f, s.as_ptr(), ticks, n, out, count) },
            // SAFETY: the same.
            (Verb::Insert, Keys::Slices(s)) => unsafe { (v.insert_slices)(f, s.as_ptr(), ticks, n, count) },
            // SAFETY: the same.
            (Verb::Contains, Keys::Slices(s)) => unsafe { (v.contains_slices)(f, s.as_ptr(), ticks, n, out, count) },
            // SAFETY: the same.
            (Verb::Observe, Keys::Column(c)) => unsafe { (v.observe_column)(f, *c, ticks, n, out, count) },
            // SAFETY: the same.
            (Verb::Insert, Keys::Column(c)) => unsafe { (v.insert_column)(f, *c, ticks, n, count) },
            // SAFETY: the same.
            (Verb::Contains, Keys::Column(c)) => unsafe { (v.contains_column)(f, *c, ticks, n, out, count) },
        };
        Answers { status, done, verdicts }
    }

    pub(crate) fn remove(&self, key: &[u8]) -> (i32, u8) {
        let mut removed = UNTOUCHED;
        // SAFETY: a handle that no other call uses, a key, a place for the answer.
        let status = unsafe { (self.verbs.remove)(self.raw, key.as_ptr(), key.len(), &raw mut removed) };
        (status, removed)
    }

    pub(crate) fn advance(&self, now: u64) -> i32 {
        // SAFETY: a handle that no other call uses.
        unsafe { (self.verbs.advance)(self.raw, now) }
    }

    pub(crate) fn clear(&self) -> i32 {
        // SAFETY: a handle that no other call uses.
        unsafe { (self.verbs.clear)(self.raw) }
    }

    pub(crate) fn stats_reset(&self) -> i32 {
        // SAFETY: a handle that no other call uses.
        unsafe { (self.verbs.stats_reset)(self.raw) }
    }

    pub(crate) fn stats(&self) -> RawStats {
        let mut stats = RawStats::init();
        // SAFETY: a handle, and a struct with its size in front.
        let status = unsafe { (self.verbs.stats)(self.raw, &raw mut stats) };
        assert_eq!(status, OK, "stats");
        stats
    }

    pub(crate) fn hash(&self, key: &[u8]) -> (i32, u64) {
        let mut hash = 0;
        // SAFETY: a handle, a key, a place for the hash.
        let status = unsafe { (self.verbs.hash)(self.raw, key.as_ptr(), key.len(), &raw mut hash) };
        (status, hash)
    }

    /// The line for a log, into the room that is always enough.
    pub(crate) fn describe(&self) -> String {
        let mut text: [c_char; 128] = [1; 128];
        // SAFETY: a handle, and room for 128 bytes.
        let status = unsafe { (self.verbs.describe)(self.raw, text.as_mut_ptr(), text.len()) };
        assert_eq!(status, OK, "describe");
        let line: Vec<u8> = text.iter().map(|c| c.to_le_bytes()[0]).take_while(|&c| c != 0).collect();
        assert!(line.len() < text.len(), "a line ends in NUL");
        String::from_utf8(line).expect("a line is UTF-8")
    }

    pub(crate) fn secret(&self) -> (i32, (u64, u64)) {
        let (mut lo, mut hi) = (0, 0);
        // SAFETY: a handle, and two places.
        let status = unsafe { (self.verbs.secret)(self.raw, &raw mut lo, &raw mut hi) };
        (status, (lo, hi))
    }

    /// The bytes of a snapshot, into a buffer that is just long enough.
    pub(crate) fn snapshot(&self) -> Vec<u8> {
        let (mut size, mut written) = (0, 0);
        // SAFETY: a handle, and a place for the size.
        assert_eq!(unsafe { (self.verbs.snapshot_size)(self.raw, &raw mut size) }, OK, "a size");
        let mut bytes = vec![0; size];
        // SAFETY: a handle, a buffer of `size` bytes, and a place for what was written.
        let status = unsafe { (self.verbs.snapshot_write)(self.raw, bytes.as_mut_ptr(), size, &raw mut written) };
        assert_eq!((status, written), (OK, size), "a snapshot");
        bytes
    }

    /// The handle of a snapshot, of whichever of the two wrote it.
    pub(crate) fn load(verbs: &'static Verbs, bytes: &[u8], elapsed: i64, options: &RawLoad) -> (i32, Self) {
        let (mut raw, mut error, len) = (null_mut(), RawError::init(), bytes.len());
        // SAFETY: a slice is what it says it is, and three places.
        let status = unsafe { (verbs.load)(bytes.as_ptr(), len, elapsed, options, &raw mut raw, &raw mut error) };
        assert_eq!((raw.is_null(), error.code), (status != OK, status), "{}", error.text());
        (status, Self { verbs, raw })
    }

    pub(crate) fn verbs(&self) -> &'static Verbs {
        self.verbs
    }

    /// Bad call number `which`: the status that it came to, and the one that the header names. Nothing is written.
    pub(crate) fn spoiled(&self, which: u8) -> (i32, i32) {
        let mut places = Untouched { verdicts: [UNTOUCHED; 2], done: usize::MAX, hash: 0, line: [1; 2] };
        let answer = match which % 43 {
            one @ (0..=12 | 19..=27 | 31..=34) => self.spoiled_call(one, &mut places),
            batch @ (13..=18 | 28..=30) => self.spoiled_batch(batch, &mut places),
            rows => self.spoiled_rows(rows, &mut places),
        };
        assert!(places.line == [1; 2] && places.verdicts == [UNTOUCHED; 2], "bad call {which} wrote");
        assert!(places.hash == 0 && (places.done == 0 || places.done == usize::MAX), "bad call {which} wrote");
        answer
    }

    #[allow(clippy::undocumented_unsafe_blocks, reason = "one comment for all of them")]
    fn spoiled_call(&self, which: u8, places: &mut Untouched) -> (i32, i32) {
        let (v, f, p) = (self.verbs, self.raw, KEY.as_ptr());
        let (out, hash, text) = (places.verdicts.as_mut_ptr(), &raw mut places.hash, places.line.as_mut_ptr());
        let count = &raw mut places.done;
        // SAFETY: every pointer is good or NULL, and every length too large is refused before it is used.
        match which {
            0 => (unsafe { (v.observe)(null_mut(), p, 2, out) }, NULL),
            1 => (unsafe { (v.observe)(f, null_mut(), 1, out) }, NULL),
            2 => (unsafe { (v.observe)(f, p, 2, null_mut()) }, NULL),
            3 => (unsafe { (v.observe)(f, p, usize::MAX, out) }, OFFSETS),
            4 => (unsafe { (v.insert)(f, p, usize::MAX / 2 + 1) }, OFFSETS),
            5 => (unsafe { (v.insert_at)(f, null_mut(), 2, 7) }, NULL),
            6 => (unsafe { (v.contains)(f, p, usize::MAX, out) }, OFFSETS),
            7 => (unsafe { (v.contains_at)(f, p, 2, 7, null_mut()) }, NULL),
            8 => (unsafe { (v.remove)(f, p, 2, null_mut()) }, NULL),
            9 => (unsafe { (v.copy)(f, null_mut()) }, NULL),
            10 => (unsafe { (v.stats)(f, null_mut()) }, NULL),
            11 => (unsafe { (v.hash)(f, null_mut(), 1, hash) }, NULL),
            12 => (unsafe { (v.secret)(f, null_mut(), hash) }, NULL),
            19 => (unsafe { (v.snapshot_size)(f, null_mut()) }, NULL),
            20 => (unsafe { (v.snapshot_write)(null_mut(), out, 2, count) }, NULL),
            21 => (unsafe { (v.observe_hash)(null_mut(), 1, out) }, NULL),
            22 => (unsafe { (v.observe_hash)(f, 1, null_mut()) }, NULL),
            23 => (unsafe { (v.observe_hash_at)(f, 1, 7, null_mut()) }, NULL),
            24 => (unsafe { (v.insert_hash)(null_mut(), 1) }, NULL),
            25 => (unsafe { (v.insert_hash_at)(null_mut(), 1, 7) }, NULL),
            26 => (unsafe { (v.contains_hash)(f, 1, null_mut()) }, NULL),
            27 => (unsafe { (v.contains_hash_at)(null_mut(), 1, 7, out) }, NULL),
            31 => (unsafe { (v.describe)(f, null_mut(), 128) }, NULL),
            32 => (unsafe { (v.describe)(f, text, 2) }, SHORT_BUFFER),
            33 => (unsafe { (v.describe)(f, text, usize::MAX) }, OFFSETS),
            _ => (unsafe { (v.advance)(null_mut(), 1) }, NULL),
        }
    }

    #[allow(clippy::undocumented_unsafe_blocks, reason = "one comment for all of them")]
    fn spoiled_batch(&self, which: u8, places: &mut Untouched) -> (i32, i32) {
        let (v, f, p, none) = (self.verbs, self.raw, KEY.as_ptr(), std::ptr::null::<u64>());
        let (out, count) = (places.verdicts.as_mut_ptr(), &raw mut places.done);
        // SAFETY: every pointer is good or NULL, and every offset or length too large is refused before it is used.
        match which {
            13 => (unsafe { (v.observe_batch)(f, p, 2, BEYOND.as_ptr(), none, 2, out, count) }, OFFSETS),
            14 => (unsafe { (v.insert_batch)(f, p, 2, BACK.as_ptr(), none, 2, count) }, OFFSETS),
            15 => (unsafe { (v.contains_batch)(f, p, 2, none, none, 2, out, count) }, NULL),
            16 => (unsafe { (v.observe_hashes)(f, none, none, 2, out, count) }, NULL),
            17 => (unsafe { (v.insert_batch)(f, p, 2, BACK.as_ptr(), none, usize::MAX, count) }, OFFSETS),
            18 => (unsafe { (v.observe_batch)(f, p, 2, BACK.as_ptr(), none, 2, out, null_mut()) }, NULL),
            28 => (unsafe { (v.observe_u64s)(f, none, none, 2, out, count) }, NULL),
            29 => (unsafe { (v.insert_u64s)(f, BACK.as_ptr(), none, usize::MAX, count) }, OFFSETS),
            _ => (unsafe { (v.contains_u64s)(f, BACK.as_ptr(), none, 2, null_mut(), count) }, NULL),
        }
    }

    #[allow(clippy::undocumented_unsafe_blocks, reason = "one comment for all of them")]
    fn spoiled_rows(&self, which: u8, places: &mut Untouched) -> (i32, i32) {
        let (v, f, p, none) = (self.verbs, self.raw, KEY.as_ptr(), std::ptr::null::<u64>());
        let (out, count) = (places.verdicts.as_mut_ptr(), &raw mut places.done);
        let slices =
            [RawSlice::of(&KEY), RawSlice { data: std::ptr::null(), len: 1 }, RawSlice { data: p, len: usize::MAX }];
        let column =
            RawColumn { bytes: Place(p), offsets: Place(BEYOND.as_ptr().cast()), offset_bits: 64, ..RawColumn::init() };
        let unsized_column = RawColumn { struct_size: 1, ..column };
        let (other_bits, reserved) = (RawColumn { offset_bits: 16, ..column }, RawColumn { reserved: 1, ..column });
        // SAFETY: every pointer is good or NULL, and every length too large is refused before it is used.
        match which {
            35 => (unsafe { (v.observe_slices)(f, slices[1..].as_ptr(), none, 1, out, count) }, NULL),
            36 => (unsafe { (v.insert_slices)(f, slices.as_ptr(), none, usize::MAX, count) }, OFFSETS),
            37 => (unsafe { (v.contains_slices)(f, slices[2..].as_ptr(), none, 1, out, count) }, OFFSETS),
            38 => (unsafe { (v.observe_slices)(f, slices.as_ptr(), none, 2, out, count) }, NULL),
            39 => (unsafe { (v.observe_column)(f, &raw const column, none, 1, out, count) }, OFFSETS),
            40 => (unsafe { (v.insert_column)(f, &raw const unsized_column, none, 1, count) }, STRUCT_SIZE),
            41 => (unsafe { (v.contains_column)(f, &raw const other_bits, none, 1, out, count) }, OPTION),
            _ => (unsafe { (v.insert_column)(f, &raw const reserved, none, 1, count) }, OPTION),
        }
    }
}

/// The key of bad calls, and offsets that lead beyond it and back.
static KEY: [u8; 2] = [1, 2];
static BEYOND: [u64; 3] = [0, 1, 3];
static BACK: [u64; 3] = [0, 2, 1];

/// Places that a bad call could write to.
struct Untouched {
    verdicts: [u8; 2],
    done: usize,
    hash: u64,
    line: [c_char; 2],
}
