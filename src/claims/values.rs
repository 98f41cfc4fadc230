//! The answers of claims. Public.

use crate::filter::values::Verdict;

/// Names a claim: a caller that has it can commit or abandon the claim. It is a number, which you can send elsewhere with the
/// record.
///
/// Equal filters that see equal calls give equal tokens. 0 is never one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Token(
    /// The number of the C ABI.
    pub u64,
);

/// The answer to a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[must_use = "a claim that is neither committed nor abandoned blocks its key for the lease"]
pub enum Claim {
    /// Not seen within the window, and yours now: commit it when its work is done, or abandon it.
    New(Token),
    /// Seen, or, with at most the error rate, believed to be.
    Duplicate,
    /// Claimed already, by another or by you: its work is not done.
    Pending,
}

impl Claim {
    /// The same without the token.
    #[must_use]
    pub const fn verdict(self) -> Verdict {
        match self {
            Self::New(_) => Verdict::New,
            Self::Duplicate => Verdict::Duplicate,
            Self::Pending => Verdict::Pending,
        }
    }

    /// The token that commits the claim, if it is yours.
    #[must_use]
    pub const fn token(self) -> Option<Token> {
        match self {
            Self::New(token) => Some(token),
            _ => None,
        }
    }
}

/// The state in which a commit found the claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Committed {
    /// The claim was open. The key is stored now.
    InTime = 0,
    /// The claim's lease had run out, or it had been closed, and no other caller had stored the key since. It is stored now.
    Late = 1,
    /// The claim was not open any more and the filter contains the key: another stored it. Nothing changed.
    Already = 2,
}

impl From<Committed> for u8 {
    /// The number of the C ABI.
    fn from(committed: Committed) -> Self {
        match committed {
            Committed::InTime => 0,
            Committed::Late => 1,
            Committed::Already => 2,
        }
    }
}
