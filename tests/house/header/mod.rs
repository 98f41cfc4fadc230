//! Holds `include/lately.h` to the sources: `BLESS=1 cargo test --test house header::` rewrites it. And what no compiler sees:
//! that its numbers are the crate's, that every comment says what it must, that every function is tested and listed.

mod layout;

use std::collections::BTreeMap;
use std::fs;

use crate::tree::{path, text as read};
use lately::abi::Shape;
use lately::{Clock, Code, Field, Kind, OnLimit, Options, Repeat, Secret, Unit, Variant};

/// The header that is committed, or, while it is being rewritten, the one that will be.
fn header() -> String {
    if blessing() { generated() } else { read("include/lately.h") }
}

fn blessing() -> bool {
    std::env::var_os("BLESS").is_some()
}

/// The header as the sources have it now.
fn generated() -> String {
    let config = cbindgen::Config::from_file(path("capi/cbindgen.toml")).unwrap();
    let builder = cbindgen::Builder::new().with_config(config).with_src(path("capi/src/lib.rs"));
    let mut bytes = Vec::new();
    builder.generate().unwrap().write(&mut bytes);
    layout::laid_out(&String::from_utf8(bytes).unwrap(), &read("capi/header.txt"), read)
}

#[test]
fn the_committed_header_is_what_the_sources_say() {
    if blessing() {
        fs::write(path("include/lately.h"), generated()).unwrap();
    }
    assert!(
        read("include/lately.h") == generated(),
        "include/lately.h differs: BLESS=1 cargo test --test house header:: rewrites it"
    );
}

#[test]
fn the_header_is_short_enough_to_be_read() {
    let header = header();
    assert!(header.lines().count() <= 800, "{} lines", header.lines().count());
    assert!(header.lines().all(|line| line.chars().count() <= 120));
}

/// The macros that are plain numbers or texts.
fn constants() -> BTreeMap<String, String> {
    let header = header();
    let defines = header.lines().filter_map(|line| line.strip_prefix("#define LATELY_")?.split_once(' '));
    let plain = defines.filter(|(name, _)| !name.ends_with("_INIT") && !["API", "NODISCARD"].contains(name));
    let value = |value: &str| value.split(" /**").next().unwrap().trim_matches(['"', '(', ')']).to_owned();
    plain.map(|(name, text)| (name.to_owned(), value(text))).collect()
}

fn number(name: &str) -> i64 {
    constants()[name].parse().unwrap_or_else(|error| panic!("LATELY_{name}: {error}"))
}

#[test]
fn every_choice_has_its_number_and_no_other_is_there() {
    let ask = || Options::new(Kind::ALL[0]);
    let choices = [
        ("CLOCK_SYSTEM", Field::Clock, ask().clock(Clock::System)),
        ("CLOCK_MANUAL_NS", Field::Clock, ask().clock(Clock::Manual(Unit::Nanoseconds))),
        ("CLOCK_MANUAL_US", Field::Clock, ask().clock(Clock::Manual(Unit::Microseconds))),
        ("CLOCK_MANUAL_MS", Field::Clock, ask().clock(Clock::Manual(Unit::Milliseconds))),
        ("CLOCK_MANUAL_S", Field::Clock, ask().clock(Clock::Manual(Unit::Seconds))),
        ("REPEAT_REFRESH", Field::Repeat, ask().repeat(Repeat::Refresh)),
        ("REPEAT_KEEP_FIRST", Field::Repeat, ask().repeat(Repeat::KeepFirst)),
        ("ON_LIMIT_FORGET_OLDEST", Field::OnLimit, ask().on_limit(OnLimit::ForgetOldest)),
        ("ON_LIMIT_RAISE_ERROR_RATE", Field::OnLimit, ask().on_limit(OnLimit::RaiseErrorRate)),
        ("VARIANT_QHT", Field::Variant, ask().variant(Variant::Qht)),
        ("VARIANT_QHTD", Field::Variant, ask().variant(Variant::Qhtd)),
        ("VARIANT_QQHT", Field::Variant, ask().variant(Variant::Qqht)),
        ("VARIANT_QQHTD", Field::Variant, ask().variant(Variant::Qqhtd)),
    ];
    for (name, field, options) in &choices {
        assert_eq!(number(name), i64::try_from(options.number_of(*field)).unwrap(), "{name}");
    }
    for kind in Kind::ALL {
        let name = format!("KIND_{}", kind.name().replace('-', "_").to_uppercase());
        assert_eq!(number(&name), i64::from(kind.number()), "{name}");
    }
    let begins = ["KIND_", "CLOCK_", "REPEAT_", "ON_LIMIT_", "VARIANT_"];
    let all = constants().keys().filter(|name| begins.iter().any(|begin| name.starts_with(begin))).count();
    assert_eq!(all, choices.len() + Kind::ALL.len());
}

/// Each option can be set by its number, and has it then; 0 takes it away. The number is one of the type of its kind.
#[test]
fn an_option_set_by_its_number_has_it() {
    for &field in Field::ALL.iter().filter(|field| ![Field::SecretLo, Field::SecretHi].contains(field)) {
        let given = match field.shape() {
            Shape::Rate => 0.25_f64.to_bits(),
            Shape::Choice => 2,
            Shape::Flag => 1,
            Shape::Count => u64::from(u32::MAX),
            Shape::Size | Shape::Bytes | Shape::Span | Shape::Word => u64::MAX,
        };
        let mut options = Options::new(Kind::ALL[0]);
        options.set_number(field, given).unwrap();
        for &other in Field::ALL.iter().filter(|other| **other != Field::Kind || field == Field::Kind) {
            assert_eq!(options.number_of(other), if other == field { given } else { 0 }, "{field}: {other}");
        }
        let beyond = match field.shape() {
            Shape::Choice => 6,
            Shape::Flag => 2,
            Shape::Count => given + 1,
            _ => continue,
        };
        let error = options.set_number(field, beyond).unwrap_err();
        assert_eq!((error.code(), error.field()), (Code::Option, Some(field)), "{error}");
        assert!(error.to_string().starts_with(&format!("{field} = {beyond}: must be ")), "{error}");
    }
    let mut options = Options::new(Kind::ALL[0]);
    options.set_number(Field::SecretLo, 7).unwrap();
    options.set_number(Field::SecretHi, 9).unwrap();
    assert!(options == Options::new(Kind::ALL[0]).secret(Secret::new(7, 9)));
    options.set_number(Field::SecretLo, 0).unwrap();
    options.set_number(Field::SecretHi, 0).unwrap();
    assert!(options == Options::new(Kind::ALL[0]));
}

/// That its number is the crate's is asserted in `capi/src/status.rs`.
#[test]
fn every_status_is_frozen_in_the_c_tests() {
    let (frozen, constants) = (read("c_tests/header.c"), constants());
    let missing = constants.keys().filter_map(|name| name.strip_prefix("ERR_"));
    let missing: Vec<_> = missing.filter(|name| !frozen.contains(&format!(", {name});"))).collect();
    assert!(missing.is_empty(), "c_tests/header.c lacks {missing:?}");
}

/// A function of the header: the comment above it, its name, its parameters.
struct Function {
    comment: String,
    returns: String,
    name: String,
    parameters: Vec<String>,
}

fn functions() -> Vec<Function> {
    let header = header();
    header.split("/**").filter_map(function).collect()
}

/// The function that a comment and what follows it declare, if they do.
fn function(text: &str) -> Option<Function> {
    let (comment, code) = text.split_once("*/")?;
    let declaration =
        code.trim().trim_start_matches("LATELY_NODISCARD ").strip_prefix("LATELY_API")?.split_once(");")?.0;
    let (front, parameters) = declaration.split_once('(')?;
    let name = front.rsplit([' ', '*']).next()?.to_owned();
    let returns = front.trim().strip_suffix(&name)?.trim().to_owned();
    let parameters = parameters.split(',').map(|parameter| parameter.trim().to_owned());
    let parameters = parameters.filter(|parameter| parameter != "void").collect();
    Some(Function { comment: comment.to_owned(), returns, name, parameters })
}

/// What is said of a function: its own comment, and that of the function that it is "As", and so on.
fn said(function: &Function, all: &[Function]) -> String {
    let comment = function.comment.replace("\n * ", " ");
    let named: Vec<_> = comment.split("As `").chain(comment.split(", as `")).skip(1).collect();
    let names = named.iter().filter_map(|rest| rest.split_once('`').map(|(name, _)| name));
    let names = names.filter(|name| name.starts_with("lately_") && *name != function.name && !name.contains(' '));
    let others = names.map(|name| {
        all.iter()
            .find(|other| other.name == name)
            .unwrap_or_else(|| panic!("{} is as {name}, which is none", function.name))
    });
    others.fold(comment.clone(), |text, other| text + &said(other, all))
}

#[test]
fn comment_of_every_function_has_its_parts() {
    let all = functions();
    for function in &all {
        let said = said(function, &all);
        let has = |what: &str| said.contains(what);
        assert!(has("Status:") || has("Returns:") || can_fail(function), "{}: no status", function.name);
        assert!(has("Cost:"), "{}: no Cost:", function.name);
        // The conventions at the top say what a filter is.
        for parameter in function.parameters.iter().filter(|parameter| !parameter.ends_with("*filter")) {
            let name = parameter.rsplit([' ', '*']).next().unwrap();
            assert!(has(&format!("`{name}` (")), "{}: nothing about {name}", function.name);
        }
    }
}

/// What a function without a word on its status returns is among the conventions: only one that returns no status needs more.
fn can_fail(function: &Function) -> bool {
    function.returns == "lately_status" || function.comment.contains("Never fails")
}

/// A function that makes a filter for many threads is that for one owner: the same parameters, and a comment that says so.
#[test]
fn makers_for_threads_are_those_for_one_owner() {
    let all = functions();
    let shared: Vec<_> = all.iter().filter(|function| function.name.starts_with("lately_shared_")).collect();
    assert_eq!(shared.len(), 3);
    for function in shared {
        let twin = all.iter().find(|twin| twin.name == function.name.replace("_shared_", "_filter_")).unwrap();
        assert_eq!(function.parameters, twin.parameters, "{}", function.name);
        let start = format!("As `{}`, for any number of threads at once", twin.name);
        assert!(
            function.comment.trim_start_matches(['\n', ' ', '*']).starts_with(&start),
            "{}: {start}",
            function.name
        );
    }
}

#[test]
fn the_functions_can_be_counted() {
    assert!(functions().len() <= 50, "{} functions", functions().len());
}

#[test]
fn the_list_of_symbols_is_that_of_the_header() {
    let mut names: Vec<_> = functions().into_iter().map(|function| function.name).collect();
    names.sort();
    assert!(names.len() >= 29, "{names:?}");
    if blessing() {
        fs::write(path("tests/symbols.txt"), names.join("\n") + "\n").unwrap();
    }
    assert_eq!(read("tests/symbols.txt").lines().collect::<Vec<_>>(), names, "BLESS=1 rewrites it");
}

/// The C tests see NULL refused for every pointer of every function, most of them in `c_tests/null.c`; the optional ones are `ticks` and
/// `error`, and the functions without a status are called with NULL.
#[test]
fn every_pointer_is_tested_with_null() {
    let files = fs::read_dir(path("c_tests")).unwrap().map(|entry| entry.unwrap().path());
    let tests: String = files
        .filter(|file| file.extension().is_some_and(|e| e == "c"))
        .map(|file| fs::read_to_string(file).unwrap())
        .collect();
    // They are compiled for the other handle too.
    let tests = tests.clone() + &tests.replace("lately_filter_", "lately_shared_");
    for function in functions() {
        let required = function.parameters.iter().filter(|p| p.contains('*') && !p.ends_with("ticks"));
        let required = required.filter(|p| !p.ends_with("*error") && !p.ends_with("*context")).count();
        let calls = tests.lines().filter(|line| line.contains(&format!("{}(", function.name)));
        let without_status = ["lately_filter_free", "lately_hash64"].contains(&function.name.as_str());
        let refusing = calls.filter(|line| line.contains(if without_status { "(NULL" } else { "LATELY_ERR_NULL" }));
        let refusing = refusing.count();
        assert!(refusing >= required, "{}: {refusing} calls for {required} pointers", function.name);
    }
}
