//! Formulas: those that the papers print, and the exact ones beside them.

pub(crate) mod aging_cells;
pub(crate) mod bounds;
pub(crate) mod generations;
pub(crate) mod poisson;
pub(crate) mod quotient;
pub(crate) mod search;
pub(crate) mod sliced;
pub(crate) mod tiny_set;
pub(crate) mod turns;
pub(crate) mod uniform_stream;
