//! The C ABI as a C program sees it: functions declared by hand, and the two ways to make a handle.
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
/// `LATELY_NOW`.
pub(crate) const NOW: u64 = u64::MAX;
pub(crate) const CHECKED: std::ops::RangeInclusive<i32> = 200..=207;
pub(crate) const ELAPSED: i32 = 207;
pub(crate) const NO_MEMORY: i32 = 901;

/// A verdict that no call gives.
pub(crate) const UNTOUCHED: u8 = 77;

pub(crate) use capi::{
    lately_keys as RawKeys, lately_load_options as RawLoad, lately_options as RawOptions,
    lately_plan_result as RawPlan, lately_stats as RawStats,
};

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

pub(crate) type Handle = *mut c_void;
type New = unsafe extern "C" fn(*const RawOptions, *mut Handle, *mut RawError) -> i32;
type Load = unsafe extern "C" fn(*const u8, usize, i64, *const RawLoad, *mut Handle, *mut RawError) -> i32;

/// How a handle is made; all else is the same for both.
pub(crate) struct Makers {
    pub(crate) new: New,
    pub(crate) load: Load,
}

pub(crate) static FILTER: Makers = Makers { new: lately_filter_new, load: lately_filter_load };
pub(crate) static SHARED: Makers = Makers { new: lately_shared_new, load: lately_shared_load };

unsafe extern "C" {
    fn lately_filter_new(options: *const RawOptions, filter: *mut Handle, error: *mut RawError) -> i32;
    fn lately_shared_new(options: *const RawOptions, filter: *mut Handle, error: *mut RawError) -> i32;
    fn lately_filter_load(_: *const u8, _: usize, _: i64, _: *const RawLoad, _: *mut Handle, _: *mut RawError) -> i32;
    fn lately_shared_load(_: *const u8, _: usize, _: i64, _: *const RawLoad, _: *mut Handle, _: *mut RawError) -> i32;
    fn lately_filter_free(filter: Handle);
    fn lately_filter_copy(filter: Handle, copy: *mut Handle) -> i32;
    fn lately_filter_observe(filter: Handle, key: *const u8, len: usize, tick: u64, verdict: *mut u8) -> i32;
    fn lately_filter_insert(filter: Handle, key: *const u8, len: usize, tick: u64) -> i32;
    fn lately_filter_contains(filter: Handle, key: *const u8, len: usize, tick: u64, verdict: *mut u8) -> i32;
    fn lately_filter_remove(filter: Handle, key: *const u8, len: usize, tick: u64, removed: *mut u8) -> i32;
    fn lately_filter_observe_many(_: Handle, _: *const RawKeys, _: *const u64, _: *mut u8, _: *mut usize) -> i32;
    fn lately_filter_insert_many(_: Handle, _: *const RawKeys, _: *const u64, _: *mut usize) -> i32;
    fn lately_filter_contains_many(_: Handle, _: *const RawKeys, _: *const u64, _: *mut u8, _: *mut usize) -> i32;
    fn lately_filter_advance(filter: Handle, tick: u64) -> i32;
    fn lately_filter_clear(filter: Handle) -> i32;
    fn lately_filter_stats(filter: Handle, stats: *mut RawStats) -> i32;
    fn lately_filter_stats_reset(filter: Handle) -> i32;
    fn lately_filter_describe(filter: Handle, text: *mut c_char, len: usize) -> i32;
    fn lately_filter_hash(filter: Handle, key: *const u8, len: usize, hash: *mut u64) -> i32;
    fn lately_filter_secret(filter: Handle, lo: *mut u64, hi: *mut u64) -> i32;
    fn lately_filter_snapshot_size(filter: Handle, size: *mut usize) -> i32;
    fn lately_filter_snapshot_write(filter: Handle, buffer: *mut u8, len: usize, written: *mut usize) -> i32;
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
    Column(&'a RawKeys),
}

impl Keys<'_> {
    /// `n` of them, as the header has them.
    pub(crate) fn raw(&self, n: usize) -> RawKeys {
        let with = |form, data: *const u8, len, offsets: *const u64| RawKeys {
            count: n,
            data: data.cast(),
            data_len: len,
            offsets: offsets.cast(),
            form,
            ..RawKeys::init()
        };
        match self {
            Self::Bytes(bytes, offsets) => with(1, bytes.as_ptr(), bytes.len(), offsets.as_ptr()),
            Self::Slices(slices) => with(2, slices.as_ptr().cast(), 0, std::ptr::null()),
            Self::Column(column) => RawKeys { count: n, ..**column },
            Self::Numbers(numbers) => with(5, numbers.as_ptr().cast(), 0, std::ptr::null()),
            Self::Hashes(hashes) => with(6, hashes.as_ptr().cast(), 0, std::ptr::null()),
        }
    }
}

/// One handle, freed when it is dropped.
pub(crate) struct Owned {
    pub(crate) verbs: &'static Makers,
    pub(crate) raw: Handle,
}

impl Drop for Owned {
    fn drop(&mut self) {
        // SAFETY: the handle is this value's own, or NULL.
        unsafe { lately_filter_free(self.raw) }
    }
}

impl Owned {
    pub(crate) fn new(verbs: &'static Makers, options: &RawOptions) -> (i32, Self, RawError) {
        let (mut raw, mut error) = (null_mut(), RawError::init());
        // SAFETY: two structs that live here, and a place for the handle.
        let status = unsafe { (verbs.new)(options, &raw mut raw, &raw mut error) };
        assert_eq!(raw.is_null(), status != OK, "a handle is written on success alone");
        (status, Self { verbs, raw }, error)
    }

    pub(crate) fn copy(&self) -> Self {
        let mut raw = null_mut();
        // SAFETY: a handle, and a place for another.
        let status = unsafe { lately_filter_copy(self.raw, &raw mut raw) };
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
        let (f, p, len, tick, mut verdict) = (self.raw, key.as_ptr(), key.len(), at.unwrap_or(NOW), UNTOUCHED);
        let out = &raw mut verdict;
        let status = match verb {
            // SAFETY: a handle that no other call uses, a key, a place for the verdict.
            Verb::Observe => unsafe { lately_filter_observe(f, p, len, tick, out) },
            // SAFETY: the same.
            Verb::Insert => unsafe { lately_filter_insert(f, p, len, tick) },
            // SAFETY: the same.
            Verb::Contains => unsafe { lately_filter_contains(f, p, len, tick, out) },
        };
        (status, verdict)
    }

    /// One key by its hash, now or at a tick, as [`Owned::one`].
    pub(crate) fn one_hash(&self, verb: Verb, hash: u64, at: Option<u64>) -> (i32, u8) {
        let ticks = at.map(|at| [at]);
        let answers = self.many(verb, &Keys::Hashes(&[hash]), ticks.as_ref().map(|ticks| &ticks[..]), 1);
        assert_eq!(answers.done == 1, answers.status == OK, "one key");
        (answers.status, answers.verdicts[0])
    }

    /// Many keys, now or each at its tick.
    pub(crate) fn many(&self, verb: Verb, keys: &Keys<'_>, ticks: Option<&[u64]>, n: usize) -> Answers {
        let (f, keys, mut verdicts, mut done) = (self.raw, keys.raw(n), vec![UNTOUCHED; n], usize::MAX);
        let ticks = ticks.map_or(std::ptr::null(), <[u64]>::as_ptr);
        let (keys, out, count) = (&raw const keys, verdicts.as_mut_ptr(), &raw mut done);
        let status = match verb {
            // SAFETY: a handle that no other call uses, and arrays of `n` as the header asks for.
            Verb::Observe => unsafe { lately_filter_observe_many(f, keys, ticks, out, count) },
            // SAFETY: the same.
            Verb::Insert => unsafe { lately_filter_insert_many(f, keys, ticks, count) },
            // SAFETY: the same.
            Verb::Contains => unsafe { lately_filter_contains_many(f, keys, ticks, out, count) },
        };
        Answers { status, done, verdicts }
    }

    pub(crate) fn remove(&self, key: &[u8]) -> (i32, u8) {
        let mut removed = UNTOUCHED;
        // SAFETY: a handle that no other call uses, a key, a place for the answer.
        let status = unsafe { lately_filter_remove(self.raw, key.as_ptr(), key.len(), NOW, &raw mut removed) };
        (status, removed)
    }

    pub(crate) fn advance(&self, now: u64) -> i32 {
        // SAFETY: a handle that no other call uses.
        unsafe { lately_filter_advance(self.raw, now) }
    }

    /// Gives a manual clock that has had no tick its first, where it stands.
    pub(crate) fn start(&self) {
        if self.one(Verb::Contains, b"", None).0 == CLOCK {
            assert_eq!(self.advance(self.stats().clock.min(NOW - 1)), OK, "a manual clock");
        }
    }

    pub(crate) fn clear(&self) -> i32 {
        // SAFETY: a handle that no other call uses.
        unsafe { lately_filter_clear(self.raw) }
    }

    pub(crate) fn stats_reset(&self) -> i32 {
        // SAFETY: a handle that no other call uses.
        unsafe { lately_filter_stats_reset(self.raw) }
    }

    pub(crate) fn stats(&self) -> RawStats {
        let mut stats = RawStats::init();
        // SAFETY: a handle, and a struct with its size in front.
        let status = unsafe { lately_filter_stats(self.raw, &raw mut stats) };
        assert_eq!(status, OK, "stats");
        stats
    }

    pub(crate) fn hash(&self, key: &[u8]) -> (i32, u64) {
        let mut hash = 0;
        // SAFETY: a handle, a key, a place for the hash.
        let status = unsafe { lately_filter_hash(self.raw, key.as_ptr(), key.len(), &raw mut hash) };
        (status, hash)
    }

    /// The line for a log, into the room that is always enough.
    pub(crate) fn describe(&self) -> String {
        let mut text: [c_char; 128] = [1; 128];
        // SAFETY: a handle, and room for 128 bytes.
        let status = unsafe { lately_filter_describe(self.raw, text.as_mut_ptr(), text.len()) };
        assert_eq!(status, OK, "describe");
        let line: Vec<u8> = text.iter().map(|c| c.to_le_bytes()[0]).take_while(|&c| c != 0).collect();
        assert!(line.len() < text.len(), "a line ends in NUL");
        String::from_utf8(line).expect("a line is UTF-8")
    }

    pub(crate) fn secret(&self) -> (i32, (u64, u64)) {
        let (mut lo, mut hi) = (0, 0);
        // SAFETY: a handle, and two places.
        let status = unsafe { lately_filter_secret(self.raw, &raw mut lo, &raw mut hi) };
        (status, (lo, hi))
    }

    /// The bytes of a snapshot, into a buffer that is just long enough.
    pub(crate) fn snapshot(&self) -> Vec<u8> {
        let (mut size, mut written) = (0, 0);
        // SAFETY: a handle, and a place for the size.
        assert_eq!(unsafe { lately_filter_snapshot_size(self.raw, &raw mut size) }, OK, "a size");
        let mut bytes = vec![0; size];
        // SAFETY: a handle, a buffer of `size` bytes, and a place for what was written.
        let status = unsafe { lately_filter_snapshot_write(self.raw, bytes.as_mut_ptr(), size, &raw mut written) };
        assert_eq!((status, written), (OK, size), "a snapshot");
        bytes
    }

    /// The handle of a snapshot, of whichever of the two wrote it.
    pub(crate) fn load(verbs: &'static Makers, bytes: &[u8], elapsed: i64, options: &RawLoad) -> (i32, Self) {
        let (mut raw, mut error, len) = (null_mut(), RawError::init(), bytes.len());
        // SAFETY: a slice is what it says it is, and three places.
        let status = unsafe { (verbs.load)(bytes.as_ptr(), len, elapsed, options, &raw mut raw, &raw mut error) };
        assert_eq!((raw.is_null(), error.code), (status != OK, status), "{}", error.text());
        (status, Self { verbs, raw })
    }

    /// A bad call of each sort: the status that it came to, and the one that the header names. Nothing is written. All bad
    /// calls, of a filter in one state, are in null.c, filter.c and batch.c.
    #[allow(clippy::undocumented_unsafe_blocks, reason = "one comment for all of them")]
    pub(crate) fn spoiled(&self, which: u8) -> (i32, i32) {
        let (f, p, mut verdicts, mut done) = (self.raw, KEY.as_ptr(), [UNTOUCHED; 2], 0);
        let (out, count, none) = (verdicts.as_mut_ptr(), &raw mut done, std::ptr::null());
        let beyond = Keys::Bytes(&KEY, &BEYOND).raw(2);
        let no_form = RawKeys { form: 0, ..beyond };
        // SAFETY: every pointer is good or NULL, and every offset or length too large is refused before it is used.
        let answer = match which % 6 {
            0 => (unsafe { lately_filter_observe(f, p, 2, NOW, null_mut()) }, NULL),
            1 => (unsafe { lately_filter_insert(f, null_mut(), 2, 7) }, NULL),
            2 => (unsafe { lately_filter_contains(f, p, usize::MAX, NOW, out) }, OFFSETS),
            3 => (unsafe { lately_filter_advance(f, NOW) }, CLOCK),
            4 => (unsafe { lately_filter_observe_many(f, &raw const beyond, none, out, count) }, OFFSETS),
            _ => (unsafe { lately_filter_insert_many(f, &raw const no_form, none, count) }, OPTION),
        };
        assert_eq!((verdicts, done), ([UNTOUCHED; 2], 0), "bad call {which} wrote");
        answer
    }
}

/// The key of bad calls, and offsets that lead beyond it.
static KEY: [u8; 2] = [1, 2];
static BEYOND: [u64; 3] = [0, 1, 3];
