//! Wrong use of an option: a value out of its range, or a conflict with another option.

use std::fmt::Display;

/// What follows a value that is out of its range. For a value that it parses, clap writes what precedes this.
pub(crate) fn must_be(range: impl Display) -> String {
    format!("must be {range}")
}

pub(crate) fn out_of_range(option: &str, value: impl Display, range: impl Display) -> String {
    invalid(option, value, &must_be(range))
}

/// `option` was given in addition to `other`, and `why` the two do not go together.
pub(crate) fn conflict(option: &str, other: &str, why: impl Display) -> String {
    format!("the argument '{option}' cannot be used with '{other}': {why}")
}

/// `value` was given for `option`, and `why` it cannot be.
pub(crate) fn invalid(option: &str, value: impl Display, why: &str) -> String {
    format!("invalid value '{value}' for '{option}': {why}")
}
