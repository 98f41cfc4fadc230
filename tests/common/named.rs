//! Options as the files that every language reads name them: `OPTION=NUMBER`, as the fields of `lately_options`.

use std::collections::HashMap;

use lately::{Clock, Kind, OnLimit, Options, Repeat, Secret, Unit, Variant};

const CLOCKS: [Clock; 5] = [
    Clock::System,
    Clock::Manual(Unit::Nanoseconds),
    Clock::Manual(Unit::Microseconds),
    Clock::Manual(Unit::Milliseconds),
    Clock::Manual(Unit::Seconds),
];

/// A number of those files.
pub(crate) fn number(word: &str) -> u64 {
    word.parse().unwrap_or_else(|error| panic!("{word}: {error}"))
}

/// The options of a filter, from words like `k=4`.
pub(crate) fn options(words: &[&str]) -> Options {
    let pairs: HashMap<&str, &str> = words.iter().map(|word| word.split_once('=').expect("option=number")).collect();
    let kind = Kind::ALL[choice(pairs["kind"])];
    let named = pairs.iter().filter(|(name, _)| !matches!(**name, "kind" | "secret_lo" | "secret_hi"));
    let options = named.fold(Options::new(kind), |options, (name, value)| with(options, name, value));
    match ["secret_lo", "secret_hi"].map(|name| pairs.get(name).map_or(0, |word| number(word))) {
        [0, 0] => options,
        [lo, hi] => options.secret(Secret::new(lo, hi)),
    }
}

/// Which of the values of an option, counted from 0.
fn choice(value: &str) -> usize {
    value.parse::<usize>().unwrap() - 1
}

/// The options with one more: a choice, or a number.
pub(crate) fn with(options: Options, name: &str, value: &str) -> Options {
    match name {
        "clock" => options.clock(CLOCKS[choice(value)]),
        "repeat" => options.repeat([Repeat::Refresh, Repeat::KeepFirst][choice(value)]),
        "on_limit" => options.on_limit([OnLimit::ForgetOldest, OnLimit::RaiseErrorRate][choice(value)]),
        "variant" => options.variant([Variant::Qht, Variant::Qhtd, Variant::Qqht, Variant::Qqhtd][choice(value)]),
        "error_rate" => options.error_rate(value.parse().unwrap()),
        "miss_rate" => options.miss_rate(value.parse().unwrap()),
        "fill" => options.fill(value.parse().unwrap()),
        "load" => options.load(value.parse().unwrap()),
        "window_ns" => options.window_ns(number(value)),
        "window_keys" => options.window_keys(number(value)),
        "capacity" => options.capacity(number(value)),
        "memory" => options.memory(number(value)),
        "max_step_ns" => options.max_step_ns(number(value)),
        "lateness_ns" => options.lateness_ns(number(value)),
        "lease_ns" => options.lease_ns(number(value)),
        "max_claims" => options.max_claims(number(value)),
        "seed" => options.seed(number(value)),
        _ => with_small(options, name, value.parse().unwrap()),
    }
}

/// The options of 32 bits.
fn with_small(options: Options, name: &str, value: u32) -> Options {
    match name {
        "k" => options.k(value),
        "l" => options.l(value),
        "max_slices" => options.max_slices(value),
        "fingerprint_bits" => options.fingerprint_bits(value),
        "semi_sort" => options.semi_sort(value == 1),
        "removable" => options.removable(value == 1),
        "block_bytes" => options.block_bytes(value),
        "chains" => options.chains(value),
        "age_bits" => options.age_bits(value),
        "keyed" => options.keyed(value == 1),
        _ => panic!("no such option: {name}"),
    }
}
