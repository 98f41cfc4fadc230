//! How a function of the server is called, and how a panic is kept from it.

use std::ffi::{CString, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};

use redis_module::raw;

pub(crate) const OK: c_int = 0;
pub(crate) const ERR: c_int = 1;

/// A function of the server. Those that are named in this crate exist since Redis 7.0.0; the three that do not are asked
/// for by `raw::` and may be missing.
macro_rules! api {
    ($name:ident) => {
        ::redis_module::raw::$name.unwrap()
    };
}
pub(crate) use api;

/// Runs `f`; a panic in it is a bug, and becomes `otherwise`.
pub(crate) fn guarded<T>(otherwise: T, f: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(f)).unwrap_or(otherwise)
}

/// The bytes of a string of the server.
///
/// # Safety
/// They are not used after the string is gone.
pub(crate) unsafe fn bytes<'a>(string: *const raw::RedisModuleString) -> &'a [u8] {
    let mut len = 0;
    // SAFETY: a string of the server.
    let start = unsafe { api!(RedisModule_StringPtrLen)(string, &raw mut len) };
    // SAFETY: the server says so.
    unsafe { slice(start, len) }
}

/// # Safety
/// `len` bytes from `start` on can be read as long as they are used, or `start` is null.
pub(crate) unsafe fn slice<'a>(start: *const std::ffi::c_char, len: usize) -> &'a [u8] {
    if start.is_null() {
        return &[];
    }
    // SAFETY: as the caller says.
    unsafe { std::slice::from_raw_parts(start.cast(), len) }
}

/// Writes a warning to the log of the server.
pub(crate) fn warn(ctx: *mut raw::RedisModuleCtx, text: &str) {
    let text = CString::new(text.replace(['\0', '\r', '\n'], "?")).unwrap_or_default();
    // SAFETY: a format and its text.
    unsafe { api!(RedisModule_Log)(ctx, c"warning".as_ptr(), c"%s".as_ptr(), text.as_ptr()) };
}
