//! Any bytes into the shell's parsers: numbers with units, times, records, keys.
#![no_main]
#![allow(dead_code, reason = "the shell uses more of its files")]

#[path = "../../../cli/src/bad.rs"]
mod bad;
#[path = "../../../cli/src/columns.rs"]
mod columns;
#[path = "../../../cli/src/csv.rs"]
mod csv;
#[path = "../../../cli/src/fields.rs"]
mod fields;
#[path = "../../../cli/src/fixed.rs"]
mod fixed;
#[path = "../../../cli/src/form.rs"]
mod form;
#[path = "../../../cli/src/json.rs"]
mod json;
#[path = "../../../cli/src/json_text.rs"]
mod json_text;
#[path = "../../../cli/src/key.rs"]
mod key;
#[path = "../../../cli/src/misuse.rs"]
mod misuse;
#[path = "../../../cli/src/number.rs"]
mod number;
#[path = "../../../cli/src/parser_properties.rs"]
mod parser_properties;
#[path = "../../../cli/src/records.rs"]
mod records;
#[path = "../../../cli/src/scan.rs"]
mod scan;
#[path = "../../../cli/src/seq.rs"]
mod seq;
#[path = "../../../cli/src/text_fields.rs"]
mod text_fields;
#[path = "../../../cli/src/time.rs"]
mod time;
#[path = "../../../cli/src/units.rs"]
mod units;
#[path = "../../../cli/src/utf16.rs"]
mod utf16;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| parser_properties::check(bytes));
