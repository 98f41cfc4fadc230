//! One table, `src/field.rs`, has every option: the parts of each language between its marks are made from it. `BLESS=1` writes
//! them again.
//!
//! ```text
//!   // <options>        the mark, as a comment of the language
//!   ..                  what the table says
//!   // </options>
//! ```

use std::fs;
use std::path::{Path, PathBuf};

use packaging::options::{Part, c, cpp, go, java, python};

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name)
}

/// A file of which parts are made from the table.
type Made = (&'static str, fn() -> Vec<Part>);

const MADE: [Made; 14] = [
    ("capi/src/options.rs", || vec![c::fields()]),
    ("capi/src/error.rs", || vec![c::numbers()]),
    ("bindings/java/src/main/native/lately_jni.c", || vec![c::glue()]),
    ("bindings/cpp/include/lately.hpp", cpp::parts),
    ("bindings/go/options.go", go::options),
    ("bindings/go/fields.go", go::fields),
    ("bindings/go/cgo.go", go::conversions),
    ("bindings/java/src/main/java/dev/lately/Field.java", || vec![java::fields()]),
    ("bindings/java/src/main/java/dev/lately/Options.java", || vec![java::setters()]),
    ("bindings/python/python/lately/_options.py", python::parts),
    ("c_tests/script.h", || vec![c::members()]),
    ("bindings/cpp/tests/script.hpp", || vec![cpp::script()]),
    ("bindings/go/kinds_test.go", go::script),
    ("bindings/java/src/test/java/dev/lately/Script.java", || vec![java::script()]),
];

/// The text with the part of this name replaced; the marks are lines of their own and stand there once.
fn replaced(file: &str, text: &str, (name, want): &Part) -> String {
    let line = |mark: String| {
        let mut found = text.split_inclusive('\n').scan(0, |at, line| {
            *at += line.len();
            Some((*at - line.len(), *at, line))
        });
        let marked = |line: &str| line.trim_end_matches(['\n', ' ', '*', '/']).ends_with(mark.as_str());
        found.find(|(_, _, line)| marked(line)).unwrap_or_else(|| panic!("{file}: no line ends in {mark}"))
    };
    let (open, close) = (line(format!("<{name}>")), line(format!("</{name}>")));
    assert!(open.1 <= close.0, "{file}: </{name}> stands before <{name}>");
    format!("{}{want}{}", &text[..open.1], &text[close.0..])
}

#[test]
fn every_list_of_options_is_made_from_the_table() {
    let mut differing = Vec::new();
    for (file, parts) in MADE {
        let have = fs::read_to_string(path(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        let want = parts().iter().fold(have.clone(), |text, part| replaced(file, &text, part));
        if have != want {
            differing.push(file);
            if std::env::var_os("BLESS").is_some() {
                fs::write(path(file), want).unwrap_or_else(|error| panic!("{file}: {error}"));
            }
        }
    }
    let is_blessing = std::env::var_os("BLESS").is_some();
    assert!(
        is_blessing || differing.is_empty(),
        "{differing:?}: not what src/field.rs makes of it: BLESS=1 cargo test -p packaging --test options"
    );
}
