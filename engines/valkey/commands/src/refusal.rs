//! Errors, in the server's style: a code in capitals, then a sentence.

use std::fmt;

use lately::Code;

/// Why a command was refused. Nothing was changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal(String);

impl Refusal {
    /// The general error.
    #[must_use]
    pub fn new(why: impl fmt::Display) -> Self {
        Self(format!("ERR {why}"))
    }

    /// The argument `name` has `value`, which must be in `range`.
    pub(crate) fn out_of_range(name: &str, value: impl fmt::Display, range: impl fmt::Display) -> Self {
        Self::new(format_args!("{name} {value}: must be {range}"))
    }

    /// The argument `name` cannot be given here, and `why`.
    pub(crate) fn conflict(name: &str, why: impl fmt::Display) -> Self {
        Self::new(format_args!("{name}: {why}"))
    }

    /// The key has another type.
    #[must_use]
    pub fn wrong_type() -> Self {
        Self("WRONGTYPE Operation against a key holding the wrong kind of value".to_owned())
    }

    pub(crate) fn arity(command: &str) -> Self {
        Self::new(format_args!("wrong number of arguments for '{}' command", command.to_lowercase()))
    }

    pub(crate) fn syntax(why: impl fmt::Display) -> Self {
        Self::new(format_args!("syntax error: {why}"))
    }

    pub(crate) fn missing() -> Self {
        Self::new("no such key: LATELY.RESERVE makes one, or set lately.auto-reserve")
    }

    /// The shard of a filter that has grown takes no more items. Its code and the number behind it are for programs.
    pub(crate) fn grown(from: u32, to: u32) -> Self {
        Self(format!(
            "GROWN {to} this filter has grown from {from} to {to} shards: LATELY.GROW the other old ones, then add to the new"
        ))
    }

    /// Only a part of the filter has come, in pieces, out of a file or with a slot that moves here. Its code is for programs.
    pub(crate) fn moving(have: usize, total: u64) -> Self {
        Self(format!(
            "MOVING this filter is being moved here: {have} of its {total} bytes have come; if nothing moves, delete the key"
        ))
    }

    /// An error of a claim. Those that a program must tell apart have a code: a token that is none of the item's, and no room for
    /// one more claim.
    pub(crate) fn of_claim(error: &lately::Error) -> Self {
        match error.code() {
            Code::Claim => Self("CLAIM the token was never given out for this item".to_owned()),
            Code::Full => Self("FULL as many claims are open as MAXCLAIMS allows".to_owned()),
            _ => Self::new(error),
        }
    }

    /// The words, code included.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<lately::Error> for Refusal {
    fn from(error: lately::Error) -> Self {
        Self::new(error)
    }
}
