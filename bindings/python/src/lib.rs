//! The native module `lately._lately`: what the Python package `lately` is built on. No part of the public API.

mod arrow;
mod batch;
mod buffer;
mod column;
mod core;
mod errors;
mod gate;
mod handle;
mod key;
mod list;
mod many;
mod mask;
mod moment;
mod options;
mod os_errors;
mod room;
mod snapshot;
mod spans;
mod state;
mod stream;
mod table;
mod values;

use pyo3::prelude::*;

/// What Python code of the package uses; `lately` itself is the page to read.
#[pymodule(gil_used = false)]
mod _lately {
    #[pymodule_export]
    use crate::core::{Core, hash64};
    #[pymodule_export]
    use crate::gate::{fork_child, fork_over, fork_soon};
    #[pymodule_export]
    use crate::handle::Built;
    #[pymodule_export]
    use crate::key::pack;
    #[pymodule_export]
    use crate::mask::arrow_of_mask;
    #[pymodule_export]
    use crate::options::{build, kinds, plan};
    #[pymodule_export]
    use crate::snapshot::{load_bytes, load_file, load_stream, open_file};
    use pyo3::prelude::*;

    #[pymodule_init]
    fn begin(module: &Bound<'_, PyModule>) -> PyResult<()> {
        crate::state::expect_one_interpreter(module.py())
    }
}

/// For GNU's linker on Windows, maturin asks for an export of this name in addition to that of the module. It is never called.
#[cfg(windows)]
#[allow(unsafe_code, reason = "a name for the linker")]
// SAFETY: no other library has this name.
#[unsafe(export_name = "PyInit_lately._lately")]
extern "C" fn asked_for_by_maturin() {}
