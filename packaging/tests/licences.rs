//! The Python package carries the terms of what is linked into it, as a file that every wheel has. `BLESS=1` writes it again.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Those of `bindings/python/wheels.py`: one file is for them all.
const TARGETS: [&str; 5] = [
    "x86_64-unknown-linux-gnu",
    "aarch64-unknown-linux-gnu",
    "x86_64-unknown-linux-musl",
    "aarch64-unknown-linux-musl",
    "x86_64-pc-windows-gnu",
];

#[test]
fn python_wheels_have_the_licences_of_what_is_in_them() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../bindings/python");
    let file = folder.join("LICENSE-THIRD-PARTY.txt");
    let mut made = Command::new(env!("CARGO_BIN_EXE_licences"));
    made.arg(folder.as_os_str()).arg("lately-python").args(TARGETS);
    let made = made.output().expect("licences");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    if std::env::var_os("BLESS").is_some() {
        fs::write(&file, &made.stdout).expect("the file");
    }
    let has = fs::read(&file).expect("LICENSE-THIRD-PARTY.txt");
    assert!(has == made.stdout, "another list: BLESS=1 cargo test -p packaging --test licences");
}
