//! Runs in the file that every language reads: a thousand calls in a line, which every reader makes again from a seed.
//! The file's first lines are the law; the readers take a run apart into the lines of single calls, as is done here.

use std::fmt::Write;

use crate::common::kinds::Row;
use crate::common::named::number;
use crate::common::rng::Rng;

/// What a run draws from the generator of every reader.
pub(crate) struct SplitMix64(Rng);

impl SplitMix64 {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(Rng(seed))
    }

    pub(crate) fn roll(&mut self, sides: u64) -> u64 {
        self.0.next() % sides
    }

    /// One of 300 keys of 0 to 12 bytes, some oftener than others.
    pub(crate) fn key(&mut self) -> String {
        let n = self.roll(300).min(self.roll(300));
        let mut digits = Rng(n);
        let text = format!("{:016x}{:016x}", digits.next(), digits.next());
        String::from(if n == 0 { "-" } else { &text[..place(n % 12 + 1) * 2] })
    }
}

fn place(small: u64) -> usize {
    usize::try_from(small).expect("a small number")
}

/// The lines of single calls of `run SEED CALLS VERBS TICK STEP LATE`, without their answers.
pub(crate) fn calls(words: &[&str]) -> Vec<String> {
    let (mut dice, mut now) = (SplitMix64::new(number(words[1])), number(words[4]));
    let verbs: Vec<&str> = words[3].split(',').collect();
    let mut lines = Vec::new();
    for _ in 0..number(words[2]) {
        now += dice.roll(number(words[5]));
        let joined = verbs[place(dice.roll(verbs.len().try_into().expect("a few verbs")))];
        let tick = now - if dice.roll(16) == 0 { dice.roll(number(words[6])) } else { 0 };
        let key = dice.key();
        lines.extend(joined.split('+').map(|verb| match verb.ends_with("_at") {
            true => format!("{verb} {tick} {key}"),
            false => format!("{verb} {key}"),
        }));
    }
    lines
}

/// The lines of single calls with the answers that this line of a run has.
pub(crate) fn singles(words: &[&str]) -> Vec<String> {
    let mut answers = words[7].chars().flat_map(|digit| {
        let digit = digit.to_digit(16).expect("a digit");
        [8, 4, 2, 1].map(|bit| u8::from(digit & bit != 0))
    });
    let line = |call: String| match call.starts_with("insert") {
        true => call,
        false => format!("{call} {}", answers.next().expect("a verdict for each call")),
    };
    calls(words).into_iter().map(line).collect()
}

/// Digits 0 and 1 in hexadecimal, the first in the highest bit.
pub(crate) fn packed(digits: &str) -> String {
    let one =
        |four: &[u8]| four.iter().zip([8, 4, 2, 1]).map(|(digit, bit)| u8::from(*digit == b'1') * bit).sum::<u8>();
    digits.as_bytes().chunks(4).map(|four| format!("{:x}", one(four))).collect()
}

/// Some rounds of a filter's life.
pub(crate) fn write(lines: &mut String, life: &Row, now: &mut u64, rounds: u64) {
    let seed = 1000 * number(&life.name) + rounds;
    if life.takes_ticks() {
        let verbs = "observe_at,observe_at,observe_at,observe_at,observe,contains_at,contains,insert_at,insert";
        let run = format!("run {seed} {rounds} {verbs} {now} 10000000 2000000000");
        writeln!(lines, "{run} ?").unwrap();
        let calls = calls(&run.split(' ').collect::<Vec<_>>());
        let ticks = calls.iter().filter_map(|call| call.split_once("_at ")?.1.split(' ').next());
        *now = ticks.map(number).max().expect("a tick");
    } else {
        // Only what is surely there, or the entry of another key may go.
        let last = if life.removes { "insert+remove" } else { "insert" };
        writeln!(lines, "run {seed} {rounds} observe,observe,observe,contains,contains,{last} 0 1 1 ?").unwrap();
    }
}
