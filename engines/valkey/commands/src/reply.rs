//! What a command answers, before it is RESP2 or RESP3.

use crate::refusal::Refusal;

/// An answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// `OK`.
    Ok,
    /// A number.
    Int(u64),
    /// Yes or no; of RESP2 1 or 0.
    Bool(bool),
    /// A fraction; of RESP2 a text.
    Double(f64),
    /// A text.
    Text(String),
    /// One answer for each item.
    Array(Vec<Reply>),
    /// Names and values; of RESP2 an array of both in turn.
    Map(Vec<(&'static str, Reply)>),
    /// An error.
    Error(Refusal),
}

impl From<Result<Reply, Refusal>> for Reply {
    fn from(result: Result<Reply, Refusal>) -> Self {
        result.unwrap_or_else(Reply::Error)
    }
}

impl From<bool> for Reply {
    fn from(yes: bool) -> Self {
        Self::Bool(yes)
    }
}
