//! Options by serde: what is read is what was written, in text and in bytes; the secret is in neither.

use std::time::Duration;

use lately::abi::Shape;
use lately::{Field, Filter, Kind, OnLimit, Options, Secret};

/// One request with every option, whether or not its kind takes it; without the secret, which no file has.
fn everything(kind: Kind) -> Options {
    let mut options = Options::new(kind);
    for &field in Field::ALL.iter().filter(|field| ![Field::Kind, Field::SecretLo, Field::SecretHi].contains(field)) {
        let value = match field.shape() {
            Shape::Choice => 2,
            Shape::Flag => 1,
            Shape::Rate => 0.1_f64.to_bits(),
            Shape::Count => u64::from(u32::MAX),
            Shape::Size | Shape::Bytes | Shape::Span | Shape::Word => u64::MAX - u64::from(field.number()),
        };
        options.set_number(field, value).expect("a value of its type");
        assert_eq!(options.number_of(field), value, "{field}");
    }
    options
}

fn requests() -> impl Iterator<Item = Options> {
    Kind::ALL.iter().flat_map(|kind| [Options::new(*kind), everything(*kind)])
}

#[test]
fn text_and_bytes_without_names_give_back_what_was_written() {
    for options in requests() {
        let text = serde_json::to_string(&options).expect("JSON");
        assert_eq!(serde_json::from_str::<Options>(&text).expect(&text), options);
        let bytes = postcard::to_stdvec(&options).expect("bytes");
        assert_eq!(postcard::from_bytes::<Options>(&bytes).expect("what was written"), options);
    }
}

#[test]
fn text_has_each_option_under_its_name_and_nothing_that_was_not_given() {
    let options = Options::window(Duration::from_secs(600)).on_limit(OnLimit::ForgetOldest).memory(64 << 20);
    let text = serde_json::to_string(&options).expect("JSON");
    assert_eq!(
        text,
        r#"{"kind":"window-table","on_limit":"forget-oldest","window_ns":600000000000,"memory":67108864}"#
    );
    let all = serde_json::to_value(everything(Kind::Quotient)).expect("JSON");
    let names = all.as_object().expect("an object").keys().map(String::as_str).collect::<Vec<_>>();
    let mut wanted: Vec<_> = Field::ALL.iter().map(|field| field.name()).collect();
    wanted.retain(|name| !name.starts_with("secret"));
    wanted.sort_unstable();
    assert_eq!(names, wanted);
}

#[test]
fn a_kind_is_called_as_in_the_shell() {
    for kind in Kind::ALL {
        assert_eq!(serde_json::to_value(kind).expect("JSON"), kind.name());
    }
}

#[test]
fn a_secret_is_never_written() {
    let (lo, hi) = (0x1234_5678_9abc_def0, 0x0fed_cba9_8765_4321);
    let (bare, keyed) = (everything(Kind::Quotient), everything(Kind::Quotient).secret(Secret::new(lo, hi)));
    assert_eq!(serde_json::to_string(&keyed).expect("JSON"), serde_json::to_string(&bare).expect("JSON"));
    assert_eq!(postcard::to_stdvec(&keyed).expect("bytes"), postcard::to_stdvec(&bare).expect("bytes"));
}

#[test]
fn a_secret_that_is_read_is_an_error_and_so_is_what_does_not_exist() {
    for name in ["secret", "secret_lo", "secret_hi", "windows", "error-rate"] {
        let said = serde_json::from_str::<Options>(&format!(r#"{{"kind": "window-table", "{name}": 1}}"#));
        let said = said.expect_err("there is no such option").to_string();
        assert!(said.contains(&format!("unknown field `{name}`")), "{said}");
    }
}

#[test]
fn wrong_choice_or_number_is_an_error_with_the_choices() {
    let said = |text| serde_json::from_str::<Options>(text).expect_err(text).to_string();
    let repeat = said(r#"{"kind": "window-table", "repeat": "sometimes"}"#);
    assert!(repeat.contains("`sometimes`") && repeat.contains("`refresh` or `keep-first`"), "{repeat}");
    let memory = said(r#"{"kind": "window-table", "memory": -1}"#);
    assert!(memory.contains("-1") && memory.contains("u64"), "{memory}");
    assert!(said("{}").contains("missing field `kind`"));
}

#[test]
fn options_read_are_judged_as_options_built() {
    let read: Options = serde_json::from_str(r#"{"kind": "window-table", "window_ns": 1, "memory": 0}"#).expect("JSON");
    let said = Filter::new(&read).expect_err("no memory at all").to_string();
    assert_eq!(
        said,
        Filter::new(&Options::window(Duration::from_nanos(1)).memory(0)).expect_err("the same").to_string()
    );
    assert!(said.contains("memory = 0"), "{said}");
}
