//! The type of the values: files, copies, digests, freeing.
//!
//! In a file of the server a value is the words of its request, and the snapshot of its filter in strings of 64 KiB: the same
//! bytes that every binding of the library reads and writes. Or a part of them, of a filter that comes in pieces (`Held`).

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering::Relaxed};

use lately_commands::{Held, Refusal};
use redis_module::raw::{self, RedisModuleCtx, RedisModuleDigest, RedisModuleIO, RedisModuleString, RedisModuleType};

use crate::api::{self, api, guarded, slice};
use crate::config;
use crate::entry::Entry;
use crate::pieces;

/// Nine letters that no other module may use.
const NAME: &CStr = c"latelyflt";

/// The version of the bytes in files.
const VERSION: c_int = 1;

/// What the server frees by itself, and not in the background, is below this.
const BYTES_PER_EFFORT: usize = 4096;

static TYPE: AtomicPtr<RedisModuleType> = AtomicPtr::new(null_mut());

pub(crate) fn get() -> *mut RedisModuleType {
    TYPE.load(Relaxed)
}

pub(crate) fn register(ctx: *mut RedisModuleCtx) -> bool {
    // SAFETY: numbers and functions that may be missing.
    let mut methods: raw::RedisModuleTypeMethods = unsafe { std::mem::zeroed() };
    // What Redis 7.0 knows.
    methods.version = 4;
    methods.rdb_load = Some(rdb_load);
    methods.rdb_save = Some(rdb_save);
    methods.aof_rewrite = Some(aof_rewrite);
    methods.mem_usage = Some(mem_usage);
    methods.digest = Some(digest);
    methods.free = Some(free);
    methods.free_effort = Some(free_effort);
    methods.copy = Some(copy);
    // SAFETY: the server copies the methods.
    let made = unsafe { api!(RedisModule_CreateDataType)(ctx, NAME.as_ptr(), VERSION, &raw mut methods) };
    TYPE.store(made, Relaxed);
    !made.is_null()
}

/// # Safety
/// The server guarantees that it is a value of this type.
unsafe fn entry<'a>(value: *const c_void) -> &'a Entry {
    // SAFETY: every value of our type is an entry.
    unsafe { &*value.cast::<Entry>() }
}

// ---- files ----

unsafe extern "C" fn rdb_save(io: *mut RedisModuleIO, value: *mut c_void) {
    // SAFETY: the server hands out our values only, here and below.
    let held = unsafe { &entry(value).held };
    // SAFETY: a buffer and its length.
    let save = |bytes: &[u8]| unsafe { api!(RedisModule_SaveStringBuffer)(io, bytes.as_ptr().cast(), bytes.len()) };
    written("rdb_save", io, || {
        save(held.head().as_bytes());
        pieces::each(held, |_, piece| save(piece)).is_ok()
    });
}

/// Runs `write`, which returns whether it was complete. If it was not, the server must not keep the file. A read from a file that
/// is being written is an error of that file: this reads, and the server drops the file, keeps the previous one, and reports it.
fn written(name: &str, io: *mut RedisModuleIO, write: impl FnOnce() -> bool) {
    if guarded(name, false, write) {
        return;
    }
    // SAFETY: the server's.
    let ctx = unsafe { api!(RedisModule_GetContextFromIO)(io) };
    guarded("log", (), || api::warn(ctx, "lately: a filter could not be written: a bug in the module"));
    // SAFETY: the same. With HANDLE_IO_ERRORS an error of reading ends nothing.
    unsafe { api!(RedisModule_LoadUnsigned)(io) };
}

unsafe extern "C" fn rdb_load(io: *mut RedisModuleIO, version: c_int) -> *mut c_void {
    let loaded = guarded("rdb_load", Err(Refusal::new("a bug in the module")), || {
        if version != VERSION {
            return Err(Refusal::new(format_args!(
                "version {version} of a filter: this module reads version {VERSION}"
            )));
        }
        let head = Loaded::next(io)?;
        let settings = config::settings();
        let user_limit = (!obeys(io)).then_some(&settings);
        Entry::measured(|| {
            let bytes = pieces::gathered(head.as_ref(), || Loaded::next(io))?;
            Held::load(head.as_ref(), bytes, user_limit)
        })
    });
    match loaded {
        Ok(entry) => entry.hand_over().cast(),
        Err(refusal) => {
            guarded("log", (), || {
                let why = CString::new(refusal.text()).unwrap_or_default();
                // SAFETY: a format and its text.
                unsafe { api!(RedisModule_LogIOError)(io, c"warning".as_ptr(), c"lately: %s".as_ptr(), why.as_ptr()) };
            });
            null_mut()
        }
    }
}

/// Whether the bytes come from a file or a primary, where the limit was judged, and not from a user.
fn obeys(io: *mut RedisModuleIO) -> bool {
    // SAFETY: the server's.
    let ctx = unsafe { api!(RedisModule_GetContextFromIO)(io) };
    // SAFETY: the context of the load.
    let flags = unsafe { api!(RedisModule_GetContextFlags)(ctx) } as u32;
    let elsewhere = raw::REDISMODULE_CTX_FLAGS_LOADING
        | raw::REDISMODULE_CTX_FLAGS_ASYNC_LOADING
        | raw::REDISMODULE_CTX_FLAGS_SLAVE;
    flags & elsewhere != 0
}

/// A string that the server read from a file.
struct Loaded {
    start: *mut c_char,
    len: usize,
}

impl Loaded {
    fn next(io: *mut RedisModuleIO) -> Result<Self, Refusal> {
        let mut len = 0;
        // SAFETY: the server writes the length.
        let start = unsafe { api!(RedisModule_LoadStringBuffer)(io, &raw mut len) };
        let loaded = Self { start, len };
        // SAFETY: the server's.
        if unsafe { api!(RedisModule_IsIOError)(io) } != 0 || start.is_null() {
            return Err(Refusal::new("the file ends too early, or has something else here"));
        }
        Ok(loaded)
    }
}

impl AsRef<[u8]> for Loaded {
    fn as_ref(&self) -> &[u8] {
        // SAFETY: the server guarantees it.
        unsafe { slice(self.start, self.len) }
    }
}

impl Drop for Loaded {
    fn drop(&mut self) {
        if !self.start.is_null() {
            // SAFETY: the server allocated it for us; its own allocator takes it back.
            unsafe { api!(RedisModule_Free)(self.start.cast()) };
        }
    }
}

unsafe extern "C" fn aof_rewrite(io: *mut RedisModuleIO, key: *mut RedisModuleString, value: *mut c_void) {
    // SAFETY: the server hands out our values only.
    let held = unsafe { &entry(value).held };
    written("aof_rewrite", io, || {
        let (request, total) = (held.request(), held.total() as i64);
        let emit = |before: usize, piece: &[u8]| {
            // SAFETY: a string, a buffer, two numbers, a buffer.
            unsafe {
                api!(RedisModule_EmitAOF)(
                    io,
                    c"LATELY.LOADCHUNK".as_ptr(),
                    c"sbllb".as_ptr(),
                    key,
                    request.as_ptr(),
                    request.len(),
                    before as i64,
                    total,
                    piece.as_ptr(),
                    piece.len(),
                );
            }
        };
        pieces::each(held, emit).is_ok()
    });
}

// ---- the rest ----

unsafe extern "C" fn mem_usage(value: *const c_void) -> usize {
    // SAFETY: the server hands out our values only, here and below.
    guarded("mem_usage", 0, || unsafe { entry(value) }.bytes())
}

unsafe extern "C" fn digest(digest: *mut RedisModuleDigest, value: *mut c_void) {
    // SAFETY: a buffer and its length.
    let add =
        |bytes: &[u8]| unsafe { api!(RedisModule_DigestAddStringBuffer)(digest, bytes.as_ptr().cast(), bytes.len()) };
    guarded("digest", (), || {
        // SAFETY: as above.
        let held = unsafe { &entry(value).held };
        add(held.head().as_bytes());
        // What cannot be written is another filter than any that can.
        pieces::each(held, |_, piece| add(piece)).unwrap_or_else(|_| add(b"unwritten"));
    });
    // SAFETY: the server's.
    unsafe { api!(RedisModule_DigestEndSequence)(digest) };
}

unsafe extern "C" fn free(value: *mut c_void) {
    // SAFETY: the server gives it back, once, from whatever thread.
    guarded("free", (), || drop(unsafe { Box::from_raw(value.cast::<Entry>()) }));
}

unsafe extern "C" fn free_effort(_key: *mut RedisModuleString, value: *const c_void) -> usize {
    // SAFETY: as above.
    guarded("free_effort", 1, || (unsafe { entry(value) }.bytes() / BYTES_PER_EFFORT).max(1))
}

unsafe extern "C" fn copy(
    _from: *mut RedisModuleString,
    _to: *mut RedisModuleString,
    value: *const c_void,
) -> *mut c_void {
    // SAFETY: as above.
    let held = unsafe { &entry(value).held };
    let copied = guarded("copy", Err(Refusal::new("a bug in the module")), || Entry::measured(|| held.copy()));
    copied.map_or(null_mut(), |entry| entry.hand_over().cast())
}
