//! What values are as the bytes of a key: `tests/vectors/keys.txt`, which the tests of other languages read, too.

use crate::common::bytes::unhex;
use lately::hash64;

const KEYS: &str = include_str!("../vectors/keys.txt");

/// The bytes of a value such as `int:7`; `None` of a null.
fn bytes(value: &str) -> Option<Vec<u8>> {
    let (kind, text) = value.split_once(':').expect("a kind and a text");
    match kind {
        "str" => Some(text.as_bytes().to_vec()),
        "int" => Some(text.parse::<u64>().expect("a number").to_le_bytes().to_vec()),
        "uuid" => Some(unhex(&text.replace('-', ""))),
        "bytes" => Some(unhex(text)),
        "null" => None,
        _ => panic!("{value}"),
    }
}

/// Several values as one key.
fn packed(values: &[&str]) -> Vec<u8> {
    let part = |value: &&str| match bytes(value) {
        Some(bytes) => [&u64::try_from(bytes.len()).expect("a length").to_le_bytes(), &bytes[..]].concat(),
        None => vec![255; 8],
    };
    values.iter().flat_map(part).collect()
}

#[test]
fn keys_of_every_line_have_their_bytes_and_hash() {
    let lines: Vec<&str> = KEYS.lines().filter(|line| !line.starts_with('#')).collect();
    assert!(lines.len() >= 20, "the file is shorter");
    for line in lines {
        let words: Vec<&str> = line.split(' ').collect();
        let (values, said) = words.split_at(words.len() - 2);
        let key = if let [value] = values { bytes(value).expect("a value") } else { packed(values) };
        assert_eq!(key, unhex(said[0]), "{line}");
        assert_eq!(format!("{:016x}", hash64(&key, 0)), said[1], "{line}");
    }
}
