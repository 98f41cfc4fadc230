//! Formulas: those that the papers print, and the exact ones beside them.

pub(crate) mod quotient;
pub(crate) mod uniform_stream;
