//! The library's errors on options in the words of the shell: its options, units and choices.

use lately::Kind;

use crate::misuse::invalid;
use crate::units::{exact_size, show_time, size_to_ask};

/// The options of the shell by the fields of the library's options.
const OPTIONS: [(&str, &str); 10] = [
    ("window_ns", "--window"),
    ("window_keys", "--last"),
    ("error_rate", "--error"),
    ("miss_rate", "--miss"),
    ("max_step_ns", "--max-step"),
    ("age_bits", "--age-bits"),
    ("lateness_ns", "--lateness"),
    ("on_limit", "--on-limit"),
    ("capacity", "--capacity"),
    ("memory", "--memory"),
];

/// `memory = 64 bytes: must be at least 128 bytes`, an error of the library on `field`, in the words of the shell.
pub(crate) fn of_library(field: &str, text: &str) -> String {
    let (value, why) = text.split_once(": ").unwrap_or((text, ""));
    let value = value.split_once(" = ").map_or(value, |(_, value)| value);
    let Some((_, option)) = OPTIONS.iter().find(|(name, _)| *name == field) else { return unmet(why) };
    let why = with_our_options(&without_most(why));
    let (value, why) = match field {
        "memory" => (with_units(value, "bytes", exact_size), with_units(&why, "bytes", size_to_ask)),
        "lateness_ns" => {
            (value.parse().map_or_else(|_| value.to_owned(), show_time), with_units(&why, "ns", show_time))
        }
        "on_limit" => (with_our_choices(value), with_our_choices(&why)),
        _ => (value.to_owned(), why),
    };
    if why.starts_with("required") { format!("'{option}' is {why}") } else { invalid(option, value, &why) }
}

/// The error on an option that the shell does not have: an error rate that the kind does not reach.
fn unmet(why: &str) -> String {
    let rate = why.split_once("error_rate = ").and_then(|(_, rest)| rest.split(';').next());
    let value = rate.map_or_else(String::new, |rate| format!(" '{rate}'"));
    format!("invalid value{value} for '--error': no filter of this kind reaches it; use a larger one")
}

/// The largest values that the library takes where it names no limit.
const MOST: [u64; 2] = [u64::MAX, 1 << 56];

/// A range without its upper bound, if no user needs that; and without advice on options that the shell does not have.
fn without_most(why: &str) -> String {
    let why = why.split(", or change k").next().unwrap_or_default();
    let cut = MOST.iter().find_map(|most| why.split_once(&format!(" to {most}")));
    match cut.map(|(low, rest)| (low.strip_prefix("must be "), rest)) {
        Some((Some(low), rest)) => format!("must be at least {low}{rest}"),
        _ => why.to_owned(),
    }
}

fn with_our_options(why: &str) -> String {
    OPTIONS.iter().fold(why.to_owned(), |why, (name, option)| why.replace(name, &format!("'{option}'")))
}

/// How a choice in a message of the library is spelled on the command line.
const CHOICES: [(&str, &str); 2] = [("ForgetOldest", "forget"), ("RaiseErrorRate", "raise")];

fn with_our_choices(text: &str) -> String {
    let text = CHOICES.iter().fold(text.to_owned(), |text, (theirs, ours)| text.replace(theirs, ours));
    Kind::ALL.iter().fold(text, |text, kind| text.replace(&format!("the kind {kind}"), &format!("'--algo {kind}'")))
}

/// A text with `5 bytes` and `5 to 9 bytes` as `show` writes such numbers.
fn with_units(text: &str, unit: &str, show: fn(u64) -> String) -> String {
    let words: Vec<&str> = text.split(' ').collect();
    let is_unit = |i: usize| words.get(i) == Some(&unit);
    let has_unit = |i: usize| is_unit(i + 1) || (words.get(i + 1) == Some(&"to") && is_unit(i + 3));
    let shown = |(i, word): (usize, &&str)| match word.parse() {
        Ok(number) if has_unit(i) => Some(show(number)),
        _ if is_unit(i) => None,
        _ => Some((*word).to_owned()),
    };
    words.iter().enumerate().filter_map(shown).collect::<Vec<_>>().join(" ")
}
