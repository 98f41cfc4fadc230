//! Why a run ends before its input does, and the exit status of each cause.

use std::io::Error;

use lately::Code;

#[derive(Debug)]
pub(crate) enum Exit {
    /// Wrong use of an option.
    Usage(String),
    /// Input or output failed, or there is no memory.
    Failed(String),
    /// Nobody reads the output any more.
    ReaderGone,
    /// By the signal of this number.
    Interrupted(u8),
}

impl Exit {
    pub(crate) fn failed(what: &str, error: &Error) -> Self {
        Self::Failed(format!("{what}: {error}"))
    }

    /// An error of the filter: its options carry the names of ours.
    pub(crate) fn filter(error: lately::Error) -> Self {
        match (error.code(), error.field()) {
            (Code::Option, Some(field)) => {
                Self::Usage(format!("invalid value for '--{}': {error}", option(field.name())))
            }
            _ => Self::Failed(error.to_string()),
        }
    }
}

/// The option that sets a field of the library's options.
fn option(field: &str) -> &str {
    match field {
        "window_ns" => "window",
        "window_keys" => "last",
        "error_rate" => "error",
        "miss_rate" => "miss",
        "max_step_ns" => "max-step",
        "age_bits" => "age-bits",
        field => field,
    }
}
