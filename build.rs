//! Names the shared library of `capi/` for the loader: link arguments, nothing else. `capi/Cargo.toml` names this file.

use std::env;

fn main() {
    println!("cargo:rerun-if-changed=../build.rs");
    // The number is LATELY_ABI_VERSION; a test of the built library holds the two together.
    match env::var("CARGO_CFG_TARGET_OS").as_deref() {
        Ok("linux") => println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,liblately.so.0"),
        // Untested: there is no such machine here.
        Ok("macos") => println!("cargo:rustc-cdylib-link-arg=-Wl,-install_name,@rpath/liblately.0.dylib"),
        _ => {}
    }
}
