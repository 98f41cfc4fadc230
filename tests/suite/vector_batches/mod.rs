//! Batches in the file that every language reads: how they are written, carried out, and taken apart into single calls.

use std::fmt::Write;

use lately::{Error, Filter, Keys, Stopped, Tick, Verdict};

use super::vector_runs::SplitMix64;
use crate::common::bytes::{Owned, hex, unhex};
use crate::common::kinds::Row;
use crate::common::named::number;

/// Where the keys of a batch are.
enum Form {
    Slices,
    /// Offsets of so many bits, so many bytes before the first key, and the bit of the first key, if there is a bitmap.
    Column {
        bits: u64,
        before: usize,
        bit: Option<usize>,
    },
}

/// One line.
pub(crate) struct Batch<'a> {
    verb: &'a str,
    form: Form,
    ticks: Option<Vec<Tick>>,
    /// `None`: the key is absent.
    keys: Vec<Option<Vec<u8>>>,
}

/// How many words a batch with this verb asks with; `None` if it is no batch.
pub(crate) fn arguments(verb: &str) -> Option<usize> {
    match verb.split_once('_')?.1 {
        "slices" => Some(2),
        "column" => Some(5),
        _ => None,
    }
}

impl<'a> Batch<'a> {
    pub(crate) fn parse(words: &[&'a str]) -> Self {
        let (verb, form) = words[0].split_once('_').expect("a verb and a form");
        let last = arguments(words[0]).expect("a batch");
        let form = match form {
            "slices" => Form::Slices,
            _ => Form::Column { bits: number(words[1]), before: size(words[2]), bit: given(words[3]).map(size) },
        };
        let ticks = given(words[last - 1]).map(|all| all.split(',').map(|tick| Tick(number(tick))).collect());
        let keys = words[last].split(',').map(|key| (key != "null").then(|| unhex(key))).collect();
        Self { verb, form, ticks, keys }
    }

    /// What the filter answers: a digit for each verdict.
    pub(crate) fn ask(&self, filter: &mut Filter) -> Result<Vec<String>, Error> {
        let mut verdicts = vec![Verdict::New; self.keys.len()];
        let done = match self.form {
            Form::Slices => self.ask_slices(filter, &mut verdicts),
            Form::Column { bits, before, bit } => {
                self.ask_column(filter, Owned::new(&self.keys, before, bit).column(bits == 32), &mut verdicts)
            }
        };
        done.map_err(|stopped| stopped.error)?;
        let digits = verdicts.iter().map(|&verdict| u8::from(verdict).to_string()).collect();
        Ok(if self.verb == "insert" { vec![] } else { vec![digits] })
    }

    fn ask_slices(&self, filter: &mut Filter, verdicts: &mut [Verdict]) -> Result<(), Stopped> {
        let keys: Vec<&[u8]> = self.keys.iter().map(|key| key.as_deref().expect("a slice is no null")).collect();
        match self.verb {
            "observe" => filter.observe_slices(&keys, self.ticks.as_deref(), verdicts),
            "insert" => filter.insert_slices(&keys, self.ticks.as_deref()),
            _ => filter.contains_slices(&keys, self.ticks.as_deref(), verdicts),
        }
    }

    fn ask_column(&self, filter: &mut Filter, column: Keys<'_>, verdicts: &mut [Verdict]) -> Result<(), Stopped> {
        match self.verb {
            "observe" => filter.observe_batch(column, self.ticks.as_deref(), verdicts),
            "insert" => filter.insert_batch(column, self.ticks.as_deref()),
            _ => filter.contains_batch(column, self.ticks.as_deref(), verdicts),
        }
    }

    /// The lines of single calls that come to the same as this one with these verdicts.
    pub(crate) fn singles(&self, verdicts: Option<&str>) -> Vec<String> {
        let line = |(i, key): (usize, &Option<Vec<u8>>)| {
            let key = hex(key.as_deref()?);
            let answer = verdicts.map_or(String::new(), |digits| format!(" {}", &digits[i..=i]));
            Some(match &self.ticks {
                Some(ticks) => format!("{}_at {} {key}{answer}", self.verb, ticks[i].0),
                None => format!("{} {key}{answer}", self.verb),
            })
        };
        self.keys.iter().enumerate().filter_map(line).collect()
    }
}

/// What a word gives, if it is not -.
fn given(word: &str) -> Option<&str> {
    (word != "-").then_some(word)
}

fn size(word: &str) -> usize {
    word.parse().expect("a size")
}

/// The batches of one filter's life: each verb by slices and by columns, with each of some offsets of a bitmap.
pub(crate) fn write(lines: &mut String, life: &Row, mut now: u64) {
    // A separate generator, so that a further batch changes no run.
    let dice = &mut SplitMix64::new(34 + number(&life.name));
    for round in 0..6 {
        let verb = ["observe", "insert", "contains"][round % 3];
        let answer = if verb == "insert" { "" } else { " ?" };
        let n = 1 + dice.roll(12);
        let ticks = if life.takes_ticks() && dice.roll(3) > 0 { ticks(n, &mut now, dice) } else { String::from("-") };
        let form = form(round, number(&life.name), dice);
        let bitmap = form != "slices" && !form.ends_with('-');
        writeln!(lines, "{verb}_{form} {ticks} {}{answer}", keys(n, bitmap, dice)).unwrap();
    }
    write_refused(lines, life, now);
    writeln!(lines, "stats ?").unwrap();
}

/// Slices and columns by turns; of columns now those of 32 bits and now those of 64, a few without a bitmap.
fn form(round: usize, life: u64, dice: &mut SplitMix64) -> String {
    let bits = [32, 64][(round / 2 + usize::from(life % 2 == 0)) % 2];
    match dice.roll(6) {
        _ if round % 2 == 0 => String::from("slices"),
        0 => format!("column {bits} 0 -"),
        _ => format!("column {bits} {} {}", dice.roll(4), dice.roll(17)),
    }
}

/// With a bitmap about one key in three is absent.
fn keys(n: u64, bitmap: bool, dice: &mut SplitMix64) -> String {
    let one = |_| if bitmap && dice.roll(3) == 0 { String::from("null") } else { dice.key() };
    (0..n).map(one).collect::<Vec<_>>().join(",")
}

/// Ticks of which some are late.
fn ticks(n: u64, now: &mut u64, dice: &mut SplitMix64) -> String {
    let one = |_| {
        *now += dice.roll(200_000_000);
        (*now - dice.roll(2) * dice.roll(500_000_000)).to_string()
    };
    (0..n).map(one).collect::<Vec<_>>().join(",")
}

/// A batch that is refused: by the kind, or in its middle, where what came before counts.
fn write_refused(lines: &mut String, life: &Row, now: u64) {
    if !life.takes_ticks() {
        writeln!(lines, "fails ? ? observe_slices 1,2 61,62").unwrap();
    } else if life.says("max_step_ns") {
        let ticks = format!("{now},{now},{},{now}", now + 2_000_000_001);
        writeln!(lines, "fails ? ? observe_column 32 2 7 {ticks} 6100,null,6200,6300").unwrap();
        writeln!(lines, "contains 6100 ?\ncontains 6200 ?\ncontains 6300 ?").unwrap();
    }
}
