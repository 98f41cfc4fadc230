//! Why a run ends before its input does, and the exit status of each cause.

use std::io::Error;

use lately::Code;

use crate::translate::of_library;
use crate::units::size_to_ask;

#[derive(Debug)]
pub(crate) enum Exit {
    Usage(String),
    /// Input or output failed, or there is no memory.
    Failed(String),
    ReaderGone,
    /// By the signal of this number.
    Interrupted(u8),
}

impl Exit {
    pub(crate) fn failed(what: &str, error: &Error) -> Self {
        Self::Failed(format!("{what}: {error}"))
    }

    pub(crate) fn filter(error: lately::Error) -> Self {
        match (error.code(), error.field()) {
            (Code::Option, Some(field)) => Self::Usage(of_library(field.name(), &error.to_string())),
            (Code::NoMemory, _) => Self::Failed(no_memory(&error.to_string())),
            _ => Self::Failed(error.to_string()),
        }
    }
}

/// `out of memory: 8000 bytes` as the shell writes it.
fn no_memory(text: &str) -> String {
    let bytes = text.split(' ').find_map(|word| word.parse::<u64>().ok());
    bytes.map_or_else(|| text.to_owned(), |bytes| format!("out of memory: {}", size_to_ask(bytes)))
}

pub(crate) fn not_loaded(error: &Error) -> String {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<lately::Error>());
    match inner.map(lately::Error::code) {
        Some(Code::Magic) => String::from("this is not a state that lately saved"),
        Some(Code::Checksum | Code::Corrupt) => {
            String::from("this state is damaged: its bytes are not those that lately saved")
        }
        Some(Code::TooLarge) => {
            let need = inner.and_then(lately::Error::needed).map_or_else(String::new, size_to_ask);
            format!("this state needs {need}: give --memory {need} or more")
        }
        Some(Code::NoMemory) => no_memory(&error.to_string()),
        Some(Code::Secret) => not_opened(&error.to_string()),
        Some(Code::Version) => format!(
            "this state is of another release of lately ({error}): continue with that release, or remove the file to start without any key"
        ),
        _ => error.to_string(),
    }
}

/// The library's errors about a secret, in the words of the shell.
fn not_opened(text: &str) -> String {
    let said = [
        ("the filter is not keyed: it takes no secret", "this state was made without --keyed"),
        ("the filter is keyed: its secret is needed", "this state was made with --keyed: name the file of its secret"),
        (
            "the secret is not the one that this filter was made with",
            "this state was made with another secret than that of the file of --keyed",
        ),
    ];
    said.iter().find(|(theirs, _)| *theirs == text).map_or_else(|| text.to_owned(), |(_, ours)| (*ours).to_owned())
}
