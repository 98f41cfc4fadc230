//! The requests that the suites run through, from `tests/vectors`: the rows of `kinds.txt`, which every language reads,
//! and those of `cases.txt`. A suite asks a row for what it has and not for its kind, so that a new kind is a new row.

use lately::{Field, Kind, Options};

use super::named;

/// What a filter finds again for certain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Finds {
    /// What came within a span of time; it takes ticks.
    Time,
    /// The last insertions; a repeat that is not stored does not count.
    Keys,
    /// The last calls that observe or insert, whatever they came to.
    Calls,
    /// All that was stored and not removed.
    Ever,
    /// Nothing: its memory is fixed, and forgets.
    Nothing,
}

/// A request, and what the filter has.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) finds: Finds,
    pub(crate) removes: bool,
    /// The option that sizes the filter, and how much of it a key needs.
    size: Option<(String, u64)>,
    /// OPTION=NUMBER.
    pub(crate) words: Vec<String>,
}

impl Row {
    /// NAME time|keys|calls|ever|nothing removes|keeps [SIZE*UNITS] OPTION=NUMBER ...
    fn parse(words: &[&str]) -> Self {
        let finds = match words[1] {
            "time" => Finds::Time,
            "keys" => Finds::Keys,
            "calls" => Finds::Calls,
            "ever" => Finds::Ever,
            "nothing" => Finds::Nothing,
            other => panic!("{other}: time, keys, calls, ever or nothing"),
        };
        assert!(["removes", "forgets", "keeps"].contains(&words[2]), "{words:?}");
        let size = words[3].split_once('*').map(|(option, units)| (option.to_owned(), named::number(units)));
        let options = words[3 + usize::from(size.is_some())..].iter().map(|word| (*word).to_owned()).collect();
        Self { name: words[0].to_owned(), finds, removes: words[2] == "removes", size, words: options }
    }

    pub(crate) fn takes_ticks(&self) -> bool {
        self.finds == Finds::Time
    }

    /// Whether it has a window, and so says what becomes of a repeat.
    pub(crate) fn has_window(&self) -> bool {
        self.takes_ticks() || self.counts()
    }

    /// Whether it finds the last `window_keys`, of whatever it counts.
    pub(crate) fn counts(&self) -> bool {
        matches!(self.finds, Finds::Keys | Finds::Calls)
    }

    /// Whether the row says this option, such as `error_rate`.
    pub(crate) fn says(&self, option: &str) -> bool {
        self.words.iter().any(|word| word.split_once('=').is_some_and(|(name, _)| name == option))
    }

    /// The number of the kind.
    pub(crate) fn kind(&self) -> u64 {
        let word = self.words.iter().find_map(|word| word.strip_prefix("kind="));
        named::number(word.expect("every row says its kind"))
    }

    pub(crate) fn options(&self) -> Options {
        named::options(&self.words.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// The same in the size that many keys need.
    pub(crate) fn for_keys(&self, keys: u64) -> Options {
        let (option, units) = self.size.as_ref().expect("a row of kinds.txt");
        named::with(self.options(), option, &keys.checked_mul(*units).expect("a size").to_string())
    }

    /// The same with this error rate, where the row leaves the shape to the plan.
    pub(crate) fn for_keys_at(&self, keys: u64, error_rate: f64) -> Options {
        let options = self.for_keys(keys);
        if self.says("error_rate") { options.error_rate(error_rate) } else { options }
    }
}

/// The kinds that take an option, by the table of kinds.
pub(crate) fn taking(option: Field) -> impl Iterator<Item = Kind> {
    Kind::ALL.iter().copied().filter(move |kind| kind.takes(option))
}

/// Every kind: the rows of `kinds.txt`.
pub(crate) fn rows() -> Vec<Row> {
    parsed(include_str!("../vectors/kinds.txt"))
}

/// The rows of `cases.txt` for this suite.
pub(crate) fn cases(suite: &str) -> Vec<Row> {
    let text = include_str!("../vectors/cases.txt");
    let lines: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix(suite)?.strip_prefix(' ')).collect();
    assert!(!lines.is_empty(), "no rows for {suite}");
    parsed(&lines.join("\n"))
}

fn parsed(text: &str) -> Vec<Row> {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| Row::parse(&line.split(' ').collect::<Vec<_>>())).collect()
}
