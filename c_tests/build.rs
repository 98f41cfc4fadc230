//! Compiles every C test beside this file, each with a `main` of its own name; those of a handle twice, for
//! `lately_filter` and for `lately_shared`; and writes the list of them.

use std::path::Path;
use std::{env, fs};

fn main() {
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("../include");
    println!("cargo:rerun-if-changed={}", include.display());
    println!("cargo:rerun-if-changed=.");
    println!("cargo:rerun-if-changed=../tests/vectors");
    let mut list = String::new();
    for name in tests() {
        compile(&name, "test", &include);
        list += &format!("{name} = test_{name},\n");
        if fs::read_to_string(format!("{name}.c")).unwrap().contains("lately_filter") {
            compile(&name, "shared", &include);
            list += &format!("of_shared_{name} = shared_{name},\n");
        }
    }
    let out = Path::new(&env::var_os("OUT_DIR").unwrap()).join("list.rs");
    fs::write(out, format!("c_tests! {{\n{list}}}\n")).unwrap();
}

fn tests() -> Vec<String> {
    let files = fs::read_dir(env!("CARGO_MANIFEST_DIR")).unwrap().map(|entry| entry.unwrap().path());
    let sources = files.filter(|path| path.extension().is_some_and(|extension| extension == "c"));
    sources.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect()
}

fn compile(name: &str, handle: &str, include: &Path) {
    let mut build = cc::Build::new();
    if handle == "shared" {
        build.define("SHARED", None);
    }
    build
        .file(format!("{name}.c"))
        .include(include)
        .define("main", format!("{handle}_{name}").as_str())
        .define("VECTORS", concat!("\"", env!("CARGO_MANIFEST_DIR"), "/../tests/vectors\""))
        .std("c11")
        .warnings(true)
        .extra_warnings(true)
        .flag("-Wpedantic")
        .warnings_into_errors(true)
        .compile(&format!("{handle}_{name}"));
}
