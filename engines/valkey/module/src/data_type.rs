//! The type of the values: files, copies, digests, freeing.
//!
//! In a file of the server a value is two strings: the words of its request, and the snapshot of its filter, the same bytes
//! that every binding of the library reads and writes.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering::Relaxed};

use lately_commands::{Refusal, Value};
use redis_module::raw::{self, RedisModuleCtx, RedisModuleDigest, RedisModuleIO, RedisModuleString, RedisModuleType};

use crate::api::{api, guarded, slice};
use crate::config;
use crate::entry::Entry;

/// Nine letters that no other module may use.
const NAME: &CStr = c"latelyflt";

/// The version of the bytes in files.
const VERSION: c_int = 1;

/// Bytes of a filter in one command of an append-only file: far below what a server takes.
const PIECE: usize = 1 << 20;

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
/// The server says that it is a value of ours.
unsafe fn entry<'a>(value: *const c_void) -> &'a Entry {
    // SAFETY: every value of our type is an entry.
    unsafe { &*value.cast::<Entry>() }
}

/// The two strings. Without memory for them nothing can be saved: a child of the server ends, and with it its file.
fn strings(value: *const c_void) -> (String, Vec<u8>) {
    // SAFETY: the server hands out our values only.
    let value = unsafe { &entry(value).value };
    match value.snapshot() {
        Ok(snapshot) => (value.request().text(), snapshot),
        Err(_) => std::process::abort(),
    }
}

// ---- files ----

unsafe extern "C" fn rdb_save(io: *mut RedisModuleIO, value: *mut c_void) {
    let (request, snapshot) = strings(value);
    for bytes in [request.as_bytes(), &snapshot] {
        // SAFETY: so many bytes.
        unsafe { api!(RedisModule_SaveStringBuffer)(io, bytes.as_ptr().cast(), bytes.len()) };
    }
}

unsafe extern "C" fn rdb_load(io: *mut RedisModuleIO, version: c_int) -> *mut c_void {
    let loaded = guarded(Err(Refusal::new("a bug in the module")), || {
        if version != VERSION {
            return Err(Refusal::new(format_args!("version {version} of a filter: allowed is {VERSION}")));
        }
        let request = Loaded::next(io)?;
        let snapshot = Loaded::next(io)?;
        let settings = config::settings();
        let user_limit = (!obeys(io)).then_some(&settings);
        Entry::measured(|| Value::load(request.bytes(), snapshot.bytes(), user_limit))
    });
    match loaded {
        Ok(entry) => Box::into_raw(entry).cast(),
        Err(refusal) => {
            let why = CString::new(refusal.text()).unwrap_or_default();
            // SAFETY: a format and its text.
            unsafe { api!(RedisModule_LogIOError)(io, c"warning".as_ptr(), c"lately: %s".as_ptr(), why.as_ptr()) };
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

    fn bytes(&self) -> &[u8] {
        // SAFETY: the server says so.
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
    let (request, snapshot) = strings(value);
    for (i, piece) in snapshot.chunks(PIECE).enumerate() {
        // SAFETY: a string, a buffer, two numbers, a buffer.
        unsafe {
            api!(RedisModule_EmitAOF)(
                io,
                c"LATELY.LOADCHUNK".as_ptr(),
                c"sbllb".as_ptr(),
                key,
                request.as_ptr(),
                request.len(),
                (i * PIECE) as i64,
                snapshot.len() as i64,
                piece.as_ptr(),
                piece.len(),
            );
        }
    }
}

// ---- the rest ----

unsafe extern "C" fn mem_usage(value: *const c_void) -> usize {
    // SAFETY: the server hands out our values only, here and below.
    unsafe { entry(value) }.bytes()
}

unsafe extern "C" fn digest(digest: *mut RedisModuleDigest, value: *mut c_void) {
    let (request, snapshot) = strings(value);
    for bytes in [request.as_bytes(), &snapshot] {
        // SAFETY: so many bytes.
        unsafe { api!(RedisModule_DigestAddStringBuffer)(digest, bytes.as_ptr().cast(), bytes.len()) };
    }
    // SAFETY: the server's.
    unsafe { api!(RedisModule_DigestEndSequence)(digest) };
}

unsafe extern "C" fn free(value: *mut c_void) {
    // SAFETY: the server gives it back, once, from whatever thread.
    drop(unsafe { Box::from_raw(value.cast::<Entry>()) });
}

unsafe extern "C" fn free_effort(_key: *mut RedisModuleString, value: *const c_void) -> usize {
    // SAFETY: as above.
    (unsafe { entry(value) }.bytes() / BYTES_PER_EFFORT).max(1)
}

unsafe extern "C" fn copy(
    _from: *mut RedisModuleString,
    _to: *mut RedisModuleString,
    value: *const c_void,
) -> *mut c_void {
    // SAFETY: as above.
    let value = unsafe { &entry(value).value };
    let copied = guarded(Err(Refusal::new("a bug in the module")), || Entry::measured(|| value.copy()));
    copied.map_or(null_mut(), |entry| Box::into_raw(entry).cast())
}
