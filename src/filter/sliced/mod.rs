//! The two kinds that keep a window in slices: k neighbouring slices in a row that all have a key's bit.

pub(crate) mod age_partitioned;
pub(crate) mod runs;
pub(crate) mod time_limited;
