//! Why a run ends before its input does, and the exit status of each cause.

use std::io::Error;

use lately::Code;

use crate::units::{exact_size, show_time, size_to_ask};

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

    /// An error of the filter, in the words of the shell.
    pub(crate) fn filter(error: lately::Error) -> Self {
        match (error.code(), error.field()) {
            (Code::Option, Some(field)) => Self::Usage(in_our_words(field.name(), &error.to_string())),
            (Code::NoMemory, _) => Self::Failed(no_memory(&error.to_string())),
            _ => Self::Failed(error.to_string()),
        }
    }
}

/// `no memory for 1000 words of 8 bytes` as the shell says it.
fn no_memory(text: &str) -> String {
    const WORD: u64 = 8;
    let words = text.split(' ').find_map(|word| word.parse::<u64>().ok());
    match words.and_then(|words| words.checked_mul(WORD)) {
        Some(bytes) => format!("the system has no memory for {}", size_to_ask(bytes)),
        None => text.to_owned(),
    }
}

/// The options that fields of the library's options are.
const OPTIONS: [(&str, &str); 10] = [
    ("window_ns", "--window"),
    ("window_keys", "--last"),
    ("error_rate", "--error"),
    ("miss_rate", "--miss"),
    ("max_step_ns", "--max-step"),
    ("age_bits", "--age-bits"),
    ("lateness_ns", "--lateness"),
    ("on_limit", "--on-limit"),
    ("capacity", "--capacity"),
    ("memory", "--memory"),
];

/// `memory = 64: allowed is 128 or more` as the shell says it.
fn in_our_words(field: &str, text: &str) -> String {
    let (value, allowed) = text.split_once(": allowed is ").unwrap_or((text, ""));
    let value = value.split_once(" = ").map_or(value, |(_, value)| value);
    let named = OPTIONS.iter().find(|(name, _)| *name == field);
    let allowed = OPTIONS.iter().fold(allowed.to_owned(), |allowed, (name, option)| match *name {
        "memory" | "capacity" => allowed.replace(&format!("{name} "), &format!("{option} ")),
        _ => allowed.replace(name, option),
    });
    let allowed = MOST.iter().fold(allowed, |allowed, most| allowed.replace(&format!(" to {most}"), " or more"));
    // What follows is about options of the library that the shell has not.
    let allowed = allowed.split(", or another k").next().unwrap_or_default();
    let (value, allowed) = match field {
        "memory" => (in_bytes(value, exact_size), in_bytes(allowed, size_to_ask)),
        "lateness_ns" => (in_times(value), in_times(allowed)),
        "on_limit" => (chosen(value), chosen(allowed)),
        _ => (value.to_owned(), allowed.to_owned()),
    };
    match named {
        Some((_, option)) if value == "0" => format!("'{option}' is needed: allowed is {allowed}"),
        Some((_, option)) => format!("invalid value '{value}' for '{option}': allowed is {allowed}"),
        None => String::from("invalid value for '--error': no filter of this kind reaches it; try a larger one"),
    }
}

/// Choices of the library, and a kind that it names, as they are typed here.
const CHOICES: [(&str, &str); 3] =
    [("ForgetOldest", "forget"), ("RaiseErrorRate", "raise"), ("the kind time-limited", "--algo time-limited")];

fn chosen(text: &str) -> String {
    CHOICES.iter().fold(text.to_owned(), |text, (theirs, ours)| text.replace(theirs, ours))
}

/// What the library allows where it sets no limit of its own.
const MOST: [u64; 2] = [u64::MAX, 1 << 56];

/// A text whose numbers are nanoseconds, with units.
fn in_times(text: &str) -> String {
    let words = text.split(' ').map(|word| word.parse().map_or_else(|_| word.to_owned(), show_time));
    words.collect::<Vec<_>>().join(" ")
}

/// A text that begins with a number of bytes, with units.
fn in_bytes(text: &str, show: fn(u64) -> String) -> String {
    let (number, rest) =
        text.split_once(' ').map_or((text, String::new()), |(number, rest)| (number, format!(" {rest}")));
    number.parse().map_or_else(|_| text.to_owned(), |bytes| show(bytes) + &rest)
}

/// Why a state cannot be loaded.
pub(crate) fn not_loaded(error: &Error) -> String {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<lately::Error>());
    match inner.map(lately::Error::code) {
        Some(Code::Magic) => String::from("this is no state that lately saved"),
        Some(Code::Checksum | Code::Corrupt) => String::from("this state is damaged: it is not as lately saved it"),
        Some(Code::TooLarge) => {
            let need = inner.and_then(lately::Error::needed).map_or_else(String::new, size_to_ask);
            format!("this state takes {need}: allow it by --memory {need} or more")
        }
        Some(Code::NoMemory) => no_memory(&error.to_string()),
        Some(Code::Secret) => not_opened(&error.to_string()),
        Some(Code::Version) => format!(
            "this state is of another release of lately ({error}): go on with that release, or remove the file to begin with no key seen"
        ),
        _ => error.to_string(),
    }
}

/// What the library says of a secret, as the shell says it.
fn not_opened(text: &str) -> String {
    let said = [
        ("a secret for a filter that is not keyed", "this state was made without --keyed"),
        ("the filter is keyed: its secret is needed", "this state was made with --keyed: name the file of its secret"),
        (
            "the secret is not the one of this filter",
            "this state was made with another secret than this file's of --keyed",
        ),
    ];
    said.iter().find(|(theirs, _)| *theirs == text).map_or_else(|| text.to_owned(), |(_, ours)| (*ours).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_the_library_become_options() {
        for (field, text, want) in [
            (
                "memory",
                "memory = 64: allowed is 128 or more",
                "invalid value '64' for '--memory': allowed is 128 or more",
            ),
            (
                "memory",
                "memory = 1048576: allowed is 2801664 or more for this window",
                "invalid value '1M' for '--memory': allowed is 2.7M or more for this window",
            ),
            (
                "memory",
                "memory = 64: allowed is 128 to 72057594037927936",
                "invalid value '64' for '--memory': allowed is 128 or more",
            ),
            ("window_ns", "window_ns = 0: allowed is 1 or more", "'--window' is needed: allowed is 1 or more"),
            (
                "on_limit",
                "on_limit = RaiseErrorRate: allowed is ForgetOldest; the kind time-limited keeps the window",
                "invalid value 'raise' for '--on-limit': allowed is forget; --algo time-limited keeps the window",
            ),
            (
                "window_keys",
                "window_keys = 0: allowed is 1 or more, or memory to fill",
                "'--last' is needed: allowed is 1 or more, or --memory to fill",
            ),
            (
                "max_slices",
                "max_slices = 32: allowed is more",
                "invalid value for '--error': no filter of this kind reaches it; try a larger one",
            ),
        ] {
            assert_eq!(in_our_words(field, text), want);
        }
    }
}
