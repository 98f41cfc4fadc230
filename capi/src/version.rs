//! Versions as constants and as functions, so that a program can see that header and library belong together.

use std::ffi::c_char;

/// Major version of the release that this header belongs to.
pub const LATELY_VERSION_MAJOR: u32 = 0;
/// Minor version of the release that this header belongs to.
pub const LATELY_VERSION_MINOR: u32 = 1;
/// Patch version of the release that this header belongs to.
pub const LATELY_VERSION_PATCH: u32 = 0;
/// The version as one number, major x 1,000,000 + minor x 1,000 + patch.
pub const LATELY_VERSION_NUMBER: u32 = 1_000;
/// Version of the binary interface: grows when programs must be rebuilt; also the number in the SONAME.
pub const LATELY_ABI_VERSION: u32 = 0;

const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");

const _: () = assert!(
    LATELY_VERSION_NUMBER == LATELY_VERSION_MAJOR * 1_000_000 + LATELY_VERSION_MINOR * 1_000 + LATELY_VERSION_PATCH
);

/// Returns the version of the running library, such as "0.1.0"; LATELY_VERSION_STRING is that of the header.
///
/// Returns: a string that ends in NUL and lives as long as the program; never NULL. Never fails.
/// Cost: none.
#[unsafe(no_mangle)]
pub extern "C" fn lately_version_string() -> *const c_char {
    VERSION.as_ptr().cast()
}

/// Returns: the version of the running library, as LATELY_VERSION_NUMBER is that of the header: major x 1,000,000 + minor x 1,000 + patch. Never fails.
/// Cost: none.
#[unsafe(no_mangle)]
pub extern "C" fn lately_version_number() -> u32 {
    LATELY_VERSION_NUMBER
}

/// Returns: the binary interface of the running library, as LATELY_ABI_VERSION is that of the header; a program whose
/// header has another one must not call anything else. Never fails.
/// Cost: none.
#[unsafe(no_mangle)]
pub extern "C" fn lately_abi_version() -> u32 {
    LATELY_ABI_VERSION
}
