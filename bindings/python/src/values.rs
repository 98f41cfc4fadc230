//! Statistics and plans of the library as dicts, from which Python makes `Stats` and `Plan`.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use lately::{PlanSummary, Stats};

/// A dict of these fields of a struct.
macro_rules! dict {
    ($py:expr, $from:expr, $($field:ident)+) => {{
        let dict = PyDict::new($py);
        $(dict.set_item(stringify!($field), $from.$field)?;)+
        dict
    }};
}

pub(crate) fn stats(py: Python<'_>, stats: &Stats) -> PyResult<Py<PyDict>> {
    let dict = dict!(py, stats,
        bytes bytes_peak slices newest_slice_bits items stored reach_ns error_rate shifts forgotten deferred new_count
        duplicate_count late_ticks refused_ticks rows_full miss_rate moved stashed max_lateness_ns open_claims max_claims
        expired_claims pending removed);
    dict.set_item("clock", stats.clock.0)?;
    dict.set_item("last_refused_tick", stats.last_refused_tick.0)?;
    Ok(dict.unbind())
}

pub(crate) fn plan(py: Python<'_>, plan: &PlanSummary) -> PyResult<Py<PyDict>> {
    let dict = dict!(py, plan,
        bytes bits_per_key bits_per_key_peak k l fill slices blocks rows load margin error_rate_worst error_rate_mean
        miss_rate window_keys cache_lines_per_observe fingerprint_bits chains block_bytes);
    Ok(dict.unbind())
}
