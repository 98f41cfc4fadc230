//! Tokens of claims as numbers of Python.

use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;

use lately::{Claim, Token};

use crate::key;

/// The number of a claim's token; 0 of one that is not new, as in C.
pub(crate) fn number(claim: Claim) -> u64 {
    claim.token().map_or(0, |token| token.0)
}

/// The token with this number.
pub(crate) fn token(number: &Bound<'_, PyAny>) -> PyResult<Token> {
    match number.extract() {
        Ok(number) => Ok(Token(number)),
        Err(error) if error.is_instance_of::<PyOverflowError>(number.py()) => Err(key::out_of_range("a token", 0)),
        Err(error) => Err(error),
    }
}
