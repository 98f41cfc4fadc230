//! What a driver of the field should have found, by an exact map; a driver whose line says something else is refused.

use std::collections::HashMap;

use lately_field::line::Ran;
use lately_field::stream::{self, Key, Workload};

use crate::num;

/// What a record of a stream is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Truth {
    /// Never there before.
    New,
    /// There before, within the window.
    Within,
    /// There before, but before the window: either verdict is right.
    Older,
}

/// One stream with the truth of its counted records.
#[derive(Debug)]
pub(super) struct Oracle {
    workload: Workload,
    seed: u64,
    digest: String,
    truth: Vec<Truth>,
}

impl Oracle {
    pub(super) fn new(workload: &Workload, seed: u64) -> Self {
        let keys = workload.keys(seed);
        let truth = truth(workload, &keys).split_off(num::index(workload.warm));
        Self { workload: *workload, seed, digest: stream::digest(&keys), truth }
    }

    /// Whether a run was of this stream and says what its verdicts say.
    pub(super) fn judge(&self, ran: &Ran, verdicts: &[u8]) -> Result<(), String> {
        let same = |what: &str, said: &str, is: &str| {
            if said == is { Ok(()) } else { Err(format!("{what} = {said}: it is {is}")) }
        };
        let count = |what: &str, said: u64, is: u64| same(what, &said.to_string(), &is.to_string());
        same("workload", &ran.workload, self.workload.name)?;
        count("seed", ran.seed, self.seed)?;
        same("stream", &ran.stream, &self.digest)?;
        count("keys", ran.keys, self.workload.counted)?;
        count("bytes of verdicts", num::wide(verdicts.len()), self.workload.counted.div_ceil(8))?;
        let (wrong, missed) = self.mistakes(verdicts);
        count("false", ran.wrong, wrong)?;
        count("missed", ran.missed, missed)?;
        self.in_time(ran)
    }

    /// New keys that were called duplicates, and keys of the window that were called new.
    fn mistakes(&self, verdicts: &[u8]) -> (u64, u64) {
        let said = |i: usize| (verdicts[i / 8] >> (i % 8)) & 1 == 1;
        let count = |truth: Truth, verdict: bool| {
            let records = self.truth.iter().enumerate();
            num::wide(records.filter(|(i, one)| **one == truth && said(*i) == verdict).count())
        };
        (count(Truth::New, true), count(Truth::Within, false))
    }

    /// A quarter of the window lies between the oldest repeat and the end of the window: half of it is allowed.
    fn in_time(&self, ran: &Ran) -> Result<(), String> {
        let most = self.workload.span / 8;
        match ran.clock.as_str() {
            "real" if ran.late_ns > most => Err(format!("late_ns = {}: more than {most}", ran.late_ns)),
            "real" | "manual" if self.workload.span > 0 => Ok(()),
            "none" if self.workload.span == 0 => Ok(()),
            clock => Err(format!("clock = {clock:?}: {} has another", self.workload.name)),
        }
    }
}

/// By the last sighting of each key.
fn truth(workload: &Workload, keys: &[Key]) -> Vec<Truth> {
    let window = if workload.span == 0 { workload.records } else { workload.span };
    let mut last: HashMap<Key, u64> = HashMap::new();
    let one = |(i, key): (u64, &Key)| {
        let now = workload.tick(i);
        match last.insert(*key, now) {
            None => Truth::New,
            Some(then) if now - then <= window => Truth::Within,
            Some(_) => Truth::Older,
        }
    };
    (0..).zip(keys).map(one).collect()
}

#[cfg(test)]
mod tests {
    use lately_field::play::{self, Meter};
    use lately_field::rival::SIMPLE;

    use super::*;

    const STILL: Meter = Meter { time: || 0, bytes: || None, restart: || {} };

    fn oracle(name: &str) -> Oracle {
        Oracle::new(Workload::find(name).expect("a workload"), 5)
    }

    fn run(oracle: &Oracle) -> (Ran, Vec<u8>) {
        let played = play::play(&SIMPLE[0], &oracle.workload, 5, &STILL);
        (played.ran, play::pack(&played.verdicts))
    }

    #[test]
    fn truth_is_that_of_an_exact_map() {
        let workload = Workload { records: 3, ..*Workload::find("last-2000").expect("a workload") };
        let keys = [1_u64, 2, 1, 3, 4, 5, 2, 2].map(u64::to_le_bytes);
        use Truth::{New, Older, Within};
        assert_eq!(truth(&workload, &keys), [New, New, Within, New, New, New, Older, Within]);
    }

    #[test]
    fn streams_have_half_new_keys_and_repeats_of_the_window() {
        for name in ["last-2000", "time-2000"] {
            let oracle = oracle(name);
            let count = |truth| oracle.truth.iter().filter(|one| **one == truth).count();
            assert_eq!((count(Truth::New), count(Truth::Older)), (oracle.truth.len() / 2, 0), "{name}");
        }
    }

    #[test]
    fn honest_run_is_accepted() {
        for name in ["last-2000", "time-2000"] {
            let oracle = oracle(name);
            let (ran, verdicts) = run(&oracle);
            assert_eq!(oracle.judge(&ran, &verdicts), Ok(()), "{name}");
        }
    }

    #[test]
    fn lying_run_is_refused_with_what_it_said_and_what_is() {
        let oracle = oracle("last-2000");
        let (ran, verdicts) = run(&oracle);
        let refused = |ran: &Ran, verdicts: &[u8], what: &str| {
            let error = oracle.judge(ran, verdicts).expect_err(what);
            assert!(error.starts_with(what), "{error}");
        };
        refused(&Ran { wrong: ran.wrong + 1, ..ran.clone() }, &verdicts, "false = 1: it is 0");
        refused(&Ran { missed: 7, ..ran.clone() }, &verdicts, "missed = 7: it is 0");
        refused(&Ran { keys: 10, ..ran.clone() }, &verdicts, "keys = 10: it is 20000");
        refused(&Ran { seed: 6, ..ran.clone() }, &verdicts, "seed = 6: it is 5");
        refused(&Ran { stream: "00".to_owned(), ..ran.clone() }, &verdicts, "stream = 00");
        refused(&Ran { workload: "time-2000".to_owned(), ..ran.clone() }, &verdicts, "workload = time-2000");
        refused(&ran, &verdicts[1..], "bytes of verdicts = 2499: it is 2500");
        refused(&Ran { clock: "real".to_owned(), ..ran.clone() }, &verdicts, "clock = \"real\"");
        let mut others = verdicts;
        others[9] ^= 1;
        refused(&ran, &others, "false = 0: it is 1");
    }

    #[test]
    fn late_run_is_refused() {
        let oracle = oracle("time-2000");
        let (ran, verdicts) = run(&oracle);
        let late = |late_ns| Ran { clock: "real".to_owned(), late_ns, ..ran.clone() };
        assert_eq!(oracle.judge(&late(25_000_000), &verdicts), Ok(()));
        assert!(oracle.judge(&late(25_000_001), &verdicts).expect_err("late").starts_with("late_ns = 25000001"));
    }
}
