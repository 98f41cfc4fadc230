//! Compiles the C test of threads and the races that are planted, with ThreadSanitizer if the Rust code has it.

use std::env;
use std::path::Path;

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for path in ["include", "c_tests/shared.c", "c_tests/check.h", "c_tests/handle.h", "tests/races/planted.c"] {
        println!("cargo:rerun-if-changed={}", root.join(path).display());
    }
    compile(&root, "c_tests/shared.c", "c_main");
    compile(&root, "tests/races/planted.c", "planted_main");
}

fn compile(root: &Path, file: &str, main: &str) {
    let mut build = cc::Build::new();
    if env::var("CARGO_CFG_SANITIZE").is_ok_and(|sanitizers| sanitizers.contains("thread")) {
        build.flag("-fsanitize=thread").flag("-g");
    }
    build.file(root.join(file)).include(root.join("include")).define("main", main).std("c11").compile(main);
}
