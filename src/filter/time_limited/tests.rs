//! Tests of the parts; the promises are tested in `tests/`.
