//! A rival of the field, how it is run, and what was found.

use std::collections::BTreeMap;
use std::sync::LazyLock;
use std::time::Instant;

use lately_field::line::{Documented, Listed, Ran};
use lately_field::play::{self, Meter};
use lately_field::rival::{Entry, Rival};
use lately_field::stream::{Key, Workload};

use crate::wrong::Mistake;

use super::field_drivers::Driver;
use super::field_oracle::Oracle;

/// A rival, and how it is run.
pub(super) struct Subject {
    pub(super) listed: Listed,
    pub(super) way: Way,
}

pub(super) enum Way {
    /// In this process.
    Inside(Entry),
    Outside(Driver),
}

/// What was found.
#[derive(Default)]
pub(super) struct Found {
    /// By rival and workload: one run of each round, if it was not refused.
    pub(super) runs: BTreeMap<(usize, &'static str), Vec<Option<Ran>>>,
    pub(super) documented: Vec<(usize, Documented)>,
    /// What is not there, and why.
    pub(super) left_out: Vec<String>,
}

impl Found {
    pub(super) fn leave_out(&mut self, why: String) {
        eprintln!("field: left out: {why}");
        self.left_out.push(why);
    }
}

impl Subject {
    pub(super) fn name(&self) -> String {
        format!("{}, {}", self.listed.language, self.listed.rival)
    }

    pub(super) fn run(&self, workload: &Workload, seed: u64, oracle: &Oracle) -> Result<Ran, String> {
        match &self.way {
            Way::Inside(entry) => inside(entry, workload, seed, oracle),
            Way::Outside(driver) => driver.run(&self.listed.rival, workload, seed, oracle),
        }
    }

    pub(super) fn documented(&self) -> Result<Vec<Documented>, String> {
        match &self.way {
            Way::Inside(entry) => Ok((entry.documented)()),
            Way::Outside(driver) => driver.documented(&self.listed.rival),
        }
    }
}

/// What measures in this process: the clock, for its processor time is that of all tests, and no bytes.
const METER: Meter = Meter {
    time: || {
        static BEGIN: LazyLock<Instant> = LazyLock::new(Instant::now);
        u64::try_from(BEGIN.elapsed().as_nanos()).unwrap_or(u64::MAX)
    },
    bytes: || None,
    restart: || {},
};

/// A rival with a mistake, if one is asked for.
struct Mistaken {
    rival: Box<dyn Rival>,
    mistake: Mistake,
}

impl Rival for Mistaken {
    fn observe(&mut self, key: &Key, tick: u64) -> bool {
        let found = self.rival.observe(key, tick);
        self.mistake.answer(found)
    }
}

fn inside(entry: &Entry, workload: &Workload, seed: u64, oracle: &Oracle) -> Result<Ran, String> {
    let make = |workload: &Workload| -> Box<dyn Rival> {
        Box::new(Mistaken { rival: (entry.build)(workload), mistake: Mistake::now() })
    };
    let played = play::play_made(entry, workload, seed, &METER, make);
    oracle.judge(&played.ran, &play::pack(&played.verdicts))?;
    Ok(played.ran)
}
