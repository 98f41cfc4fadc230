//! Spans of time in the messages of the library, as people write them in Python: `lease = 1h: must be 1ns to 10m`.
//!
//! The library writes each as a number of nanoseconds: after the name of an option of time, or before `ns`.

/// The options of time, by their keywords.
const OPTIONS: [&str; 4] = ["window", "max_step", "lateness", "lease"];

/// Nanoseconds of the units, and their names.
const UNITS: [(u64, &str); 3] = [(86_400_000_000_000, "d"), (3_600_000_000_000, "h"), (60_000_000_000, "m")];

/// The message with its spans of time in units.
pub(crate) fn written(said: &str) -> String {
    let words: Vec<&str> = said.split(' ').collect();
    let mut made: Vec<String> = Vec::with_capacity(words.len());
    for (i, word) in words.iter().enumerate() {
        let is =
            |at: usize, text: &str| words.get(at).is_some_and(|word| word.trim_end_matches([':', ',', ';']) == text);
        let number = word.trim_end_matches([':', ',', ';']);
        let is_option = i >= 2 && is(i - 1, "=") && OPTIONS.contains(&words[i - 2]);
        let is_span = is_option || is(i + 1, "ns") || (is(i + 1, "to") && is(i + 3, "ns"));
        match number.parse::<u64>() {
            Ok(ns) if is_span => made.push(format!("{}{}", span(ns), &word[number.len()..])),
            _ => match (made.last_mut(), word.strip_prefix("ns")) {
                // The unit of the number before it, which has its own now.
                (Some(last), Some(rest)) if i > 0 && words[i - 1].parse::<u64>().is_ok() => last.push_str(rest),
                _ => made.push(String::from(*word)),
            },
        }
    }
    made.join(" ")
}

/// A span such as `1h30m`, `90.5s` or `250ms`, which is exact and can be read again.
pub(crate) fn span(ns: u64) -> String {
    let (mut left, mut text) = (ns, String::new());
    for (unit, name) in UNITS {
        if left >= unit {
            text += &format!("{}{name}", left / unit);
            left %= unit;
        }
    }
    match left {
        0 if !text.is_empty() => {}
        0 => text += "0s",
        1..1_000 => text += &format!("{left}ns"),
        1_000..1_000_000 => text += &decimal(left, 1_000, "us"),
        1_000_000..1_000_000_000 => text += &decimal(left, 1_000_000, "ms"),
        _ => text += &decimal(left, 1_000_000_000, "s"),
    }
    text
}

/// A number of units, with what is left of one as its fraction.
fn decimal(ns: u64, unit: u64, name: &str) -> String {
    let digits = unit.ilog10();
    let fraction = format!("{:0width$}", ns % unit, width = usize::try_from(digits).unwrap_or(9));
    let fraction = fraction.trim_end_matches('0');
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{}{point}{fraction}{name}", ns / unit)
}
