//! How a function of the server is called, and how a panic is kept from it.

use std::ffi::{CString, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};

use redis_module::raw;

pub(crate) const OK: c_int = 0;
pub(crate) const ERR: c_int = 1;

/// A function of the server. Those that are named in this crate exist since Redis 7.0.0; the four that do not are asked
/// for by `raw::` and may be missing.
macro_rules! api {
    ($name:ident) => {
        ::redis_module::raw::$name.unwrap()
    };
}
pub(crate) use api;

/// Runs `f` for the function of this name that the server called; a panic in it is a bug, and becomes `otherwise`.
pub(crate) fn guarded<T>(name: &str, otherwise: T, f: impl FnOnce() -> T) -> T {
    let guarded = AssertUnwindSafe(|| {
        fault(name);
        f()
    });
    catch_unwind(guarded).unwrap_or(otherwise)
}

/// Panics where a test of the guards wants it: in a build with the feature `faults`, in the function that LATELY_FAULT names.
#[cfg(feature = "faults")]
fn fault(name: &str) {
    let wanted = std::env::var("LATELY_FAULT").unwrap_or_default();
    assert!(wanted != name, "the fault that LATELY_FAULT asks for: {name}");
}

#[cfg(not(feature = "faults"))]
const fn fault(_name: &str) {}

/// From now on a panic is a line of the server's log. The standard error, where it would be, may be closed.
pub(crate) fn log_panics() {
    std::panic::set_hook(Box::new(|panic| {
        // SAFETY: the server takes a log line from whatever thread, without a context, too.
        warn(std::ptr::null_mut(), &format!("lately: a bug in the module: {panic}"));
    }));
}

/// The bytes of a string of the server.
///
/// # Safety
/// They are not used after the string is gone.
pub(crate) unsafe fn bytes<'a>(string: *const raw::RedisModuleString) -> &'a [u8] {
    let mut len = 0;
    // SAFETY: a string of the server.
    let start = unsafe { api!(RedisModule_StringPtrLen)(string, &raw mut len) };
    // SAFETY: the server guarantees it.
    unsafe { slice(start, len) }
}

/// # Safety
/// `len` bytes from `start` on can be read as long as they are used, or `start` is null.
pub(crate) unsafe fn slice<'a>(start: *const std::ffi::c_char, len: usize) -> &'a [u8] {
    if start.is_null() {
        return &[];
    }
    // SAFETY: the caller guarantees it.
    unsafe { std::slice::from_raw_parts(start.cast(), len) }
}

/// Writes a warning to the log of the server.
pub(crate) fn warn(ctx: *mut raw::RedisModuleCtx, text: &str) {
    let text = CString::new(text.replace(['\0', '\r', '\n'], "?")).unwrap_or_default();
    // SAFETY: a format and its text.
    unsafe { api!(RedisModule_Log)(ctx, c"warning".as_ptr(), c"%s".as_ptr(), text.as_ptr()) };
}
