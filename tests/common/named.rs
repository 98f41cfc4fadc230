//! Options as the files that every language reads name them: `OPTION=NUMBER`, as the fields of `lately_options`.

use lately::abi::Shape;
use lately::{Field, Kind, Options};

/// The lines at the top of such a file, which say what the others are: `BLESS=1` keeps them.
pub(crate) fn head(file: &str) -> String {
    file.lines().take_while(|line| line.starts_with('#')).map(|line| format!("{line}\n")).collect()
}

/// A number of those files.
pub(crate) fn number(word: &str) -> u64 {
    word.parse().unwrap_or_else(|error| panic!("{word}: {error}"))
}

/// The options of a filter, from words like `k=4`.
pub(crate) fn options(words: &[&str]) -> Options {
    let pairs = words.iter().map(|word| word.split_once('=').expect("option=number"));
    pairs.fold(Options::new(Kind::ALL[0]), |options, (name, value)| with(options, name, value))
}

/// The options with one more: a number, or a fraction.
pub(crate) fn with(mut options: Options, name: &str, value: &str) -> Options {
    let field = *Field::ALL.iter().find(|field| field.name() == name).unwrap_or_else(|| panic!("no option {name}"));
    let value = match field.shape() {
        Shape::Rate => value.parse::<f64>().unwrap().to_bits(),
        _ => number(value),
    };
    options.set_number(field, value).unwrap_or_else(|error| panic!("{error}"));
    options
}
