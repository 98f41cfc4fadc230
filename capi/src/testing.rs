//! What a test makes happen on request: a panic, to see it become a status, and a filter that is divided among its locks
//! without threads that meet; and structs to begin with. In no released artefact and not in the header.

use std::ptr::NonNull;

use library::abi::divide;

use crate::boundary::Fault;
use crate::handle::{Of, change, guard, lately_filter, no_handle};
use crate::keys::lately_keys;
use crate::options::lately_options;
use crate::plan::lately_plan_result;
use crate::snapshot::lately_load_options;
use crate::stats::lately_stats;
use crate::status::lately_status;

/// Panics inside the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_testing_panic(filter: Option<NonNull<lately_filter>>) -> lately_status {
    change!(filter, |filter| {
        let _ = filter;
        panic!("on request")
    })
}

/// Divides a filter for many threads among its locks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_testing_divide(filter: Option<&lately_filter>) -> lately_status {
    let Some(handle) = filter else { return no_handle() };
    guard(handle, |of| match of {
        Of::Shared { filter, .. } => {
            divide(filter);
            Ok(())
        }
        Of::Own(_) => Err(Fault::OneOwner),
    })
}

macro_rules! init {
    ($($type:ident)+) => {
        $(impl $type {
            /// Its size, and zeros.
            #[must_use]
            pub fn init() -> Self {
                // SAFETY: any bytes are a value of a struct that may grow.
                let zeros: Self = unsafe { std::mem::zeroed() };
                Self { struct_size: size_of::<Self>(), ..zeros }
            }
        })+
    };
}

init! { lately_options lately_plan_result lately_stats lately_load_options lately_keys }
