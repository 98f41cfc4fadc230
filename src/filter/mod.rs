//! The kinds of filter, and the one list of them.

pub(crate) mod any;
pub(crate) mod contract;
pub(crate) mod glance;
pub(crate) mod place;
pub(crate) mod quotient;
pub(crate) mod seen;
pub(crate) mod sliced;
pub(crate) mod striped;
pub(crate) mod tiny_set;
pub(crate) mod values;
pub(crate) mod window_table;
