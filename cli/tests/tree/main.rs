//! The tests of the command that read files of the tree, pages and tables, and so are packed nowhere: one program.

#[path = "../common/mod.rs"]
mod common;
#[path = "../../../tests/common/named.rs"]
#[allow(dead_code, reason = "each test program uses its own part of this")]
mod named;

mod choosing;
mod lateness;
mod metrics;
mod plan;
