//! The exact answer: every key with the time of its last sighting, under the shell's rule of time (a record below
//! the clock is judged at the clock). And the bounds of chance that verdicts are held against.

use std::collections::HashMap;

/// What is true of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Truth {
    Never,
    Within,
    Past,
}

pub struct Oracle {
    window: u64,
    clock: u64,
    seen: HashMap<Vec<u8>, u64>,
}

impl Oracle {
    pub fn new(window: u64) -> Self {
        Self { window, clock: 0, seen: HashMap::new() }
    }

    /// Notes a sighting and says what was true of its key before.
    pub fn see(&mut self, key: Vec<u8>, time: u64) -> Truth {
        self.clock = self.clock.max(time);
        match self.seen.insert(key, self.clock) {
            None => Truth::Never,
            Some(last) if self.clock - last <= self.window => Truth::Within,
            Some(_) => Truth::Past,
        }
    }

    /// Keys that were seen within the window now. Looks at all of them.
    pub fn keys_in_window(&self) -> u64 {
        let within = self.seen.values().filter(|last| self.clock - **last <= self.window);
        u64::try_from(within.count()).expect("a count")
    }
}

/// How verdicts compare with the truth.
#[derive(Debug, Default)]
pub struct Tally {
    /// Keys never seen, and those of them that were called duplicates.
    pub never: u32,
    pub false_duplicates: u32,
    /// Repeats within the window, and those of them that were called new.
    pub within: u32,
    pub missed: u32,
    /// Repeats past the window, and those of them that were called duplicates.
    pub past: u32,
    pub stale: u32,
}

impl Tally {
    pub fn add(&mut self, truth: Truth, duplicate: bool) {
        let (all, odd) = match truth {
            Truth::Never => (&mut self.never, duplicate.then_some(&mut self.false_duplicates)),
            Truth::Within => (&mut self.within, (!duplicate).then_some(&mut self.missed)),
            Truth::Past => (&mut self.past, duplicate.then_some(&mut self.stale)),
        };
        *all += 1;
        if let Some(odd) = odd {
            *odd += 1;
        }
    }
}

/// The least q that a binomial of `n` trials with chance `p` passes in at most one case of `1 / tail`.
pub fn upper(n: u32, p: f64, tail: f64) -> u32 {
    let mut below = 0.0;
    for (q, mass) in (0..=n).zip(masses(n, p)) {
        below += mass;
        if below >= 1.0 - tail {
            return q;
        }
    }
    n
}

/// The chances of 0, 1, 2, ... successes, by logarithms: the first ones may be too small for a float.
fn masses(n: u32, p: f64) -> impl Iterator<Item = f64> {
    let (n, odds) = (f64::from(n), p.ln() - (-p).ln_1p());
    let first = n * (-p).ln_1p();
    (0_u32..).map(f64::from).scan(first, move |log, i| {
        let mass = log.exp();
        *log += odds + ((n - i) / (i + 1.0)).ln();
        Some(mass)
    })
}
