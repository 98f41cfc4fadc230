//! The tests of the tree itself, as one program: the rules of the sources, the header, the pages, the version. `cargo test --test
//! house tidy::` runs those of `tidy.rs`. They read files that no package has, so it is packed nowhere.

mod docs;
mod header;
mod readme;
mod tidy;
mod tree;
mod version;
