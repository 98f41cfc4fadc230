//! Holds `include/lately.h` to the sources: `BLESS=1 cargo test --test header` rewrites it.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn committed() -> PathBuf {
    root().join("include/lately.h")
}

/// The header as the sources have it now.
fn generated() -> String {
    let mut config = cbindgen::Config::from_file(root().join("cbindgen.toml")).unwrap();
    config.cpp_compat = true;
    let builder = cbindgen::Builder::new().with_config(config).with_src(root().join("src/ffi/mod.rs"));
    let mut bytes = Vec::new();
    builder.generate().unwrap().write(&mut bytes);
    String::from_utf8(bytes).unwrap()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn the_committed_header_is_what_the_sources_say() {
    let now = generated();
    if std::env::var_os("BLESS").is_some() {
        fs::write(committed(), &now).unwrap();
    }
    assert!(read(&committed()) == now, "include/lately.h differs: BLESS=1 cargo test --test header rewrites it");
}
