//! What waits in a run (`--count`, `--keep last`): how long, and how much of the memory it has.
//!
//! ```text
//!  --memory M      3/4 the filter       1/4 entries: key, record and some 256 bytes each
//! ```
//! Where the size of the filter follows from `--last` or `--capacity` and no memory is given, entries have a quarter of 256M
//! besides.

use lately::{Filter, Kind};

use crate::args::{Args, Which};
use crate::exit::Exit;
use crate::filter::{DEFAULT_MEMORY, FilterArgs};
use crate::kinds::{has_both_windows, is_windowed};
use crate::notes;
use crate::state::State;
use crate::summary::Summary;
use crate::units::counted;
use crate::waiting::{Aim, Leaving, Saved, Waiting};

/// Entries have one of this number of parts of the memory.
const PARTS: u64 = 4;

impl FilterArgs {
    /// The bytes of entries; 0 if none wait.
    pub(crate) fn of_entries(&self) -> u64 {
        if self.count.is_some() || self.holds { self.memory.unwrap_or(DEFAULT_MEMORY) / PARTS } else { 0 }
    }

    /// What the filter has of the memory that is asked for.
    pub(crate) fn of_filter(&self, memory: u64) -> u64 {
        memory - self.of_entries().min(memory / PARTS)
    }

    /// How long a count is open: until the filter has forgotten its key for certain, a generation after the window. `None` is to the end.
    fn open(&self, kind: Kind) -> Result<Option<u64>, Exit> {
        let l = Filter::plan(&self.options(kind)).map_err(Exit::filter)?.l.max(1);
        let window = if self.is_timed(kind) { self.window } else { self.last };
        // With --first a Bloom filter of records counts new ones only.
        let is_known = is_windowed(kind) && (has_both_windows(kind) || self.is_timed(kind) || !self.first);
        let lateness = self.allowed_lateness().unwrap_or(0);
        Ok(window.filter(|_| is_known).map(|window| window.saturating_add(window.div_ceil(l)).saturating_add(lateness)))
    }
}

impl Args {
    /// What waits in this run, with what an earlier one saved. What this run does not take stays in the state; records that were held
    /// back must come out, and this run could print them nowhere in their order.
    pub(crate) fn resume(
        &self,
        kind: Kind,
        saved: Option<Saved>,
        state: &mut Option<State>,
    ) -> Result<Option<Waiting>, Exit> {
        let path = self.state.as_deref().map(|path| path.display().to_string()).unwrap_or_default();
        let n = |saved: &Saved, what| counted(saved.entries.len(), what);
        match saved {
            Some(saved) if !saved.are_counts && self.hold.is_none() => Err(Exit::Failed(format!(
                "{path}: {} of a run that was killed: continue it with --keep last",
                n(&saved, "held record")
            ))),
            Some(saved) if saved.are_counts && self.hold.is_some() => Err(Exit::Failed(format!(
                "{path}: {} of a run with --count, which --keep last does not continue",
                n(&saved, "open count")
            ))),
            Some(saved) if saved.are_counts && self.filter.count.is_none() => {
                notes::say(format_args!(
                    "{path}: the state keeps {} of a run with --count: this run does not count",
                    n(&saved, "open count")
                ));
                let (aim, leaving) = (Aim::Count { form: Summary::Json, is_json: false }, Leaving::default());
                if let Some(state) = state {
                    state.carried = Some(Waiting::new(aim, leaving, u64::MAX, Some(saved)));
                }
                Ok(None)
            }
            saved => self.waiting(kind, saved),
        }
    }

    fn waiting(&self, kind: Kind, saved: Option<Saved>) -> Result<Option<Waiting>, Exit> {
        let aim = match (&self.filter.count, self.hold) {
            (Some(form), _) => Aim::Count { form: form.clone(), is_json: self.is_json() },
            (None, Some(_)) => Aim::Hold,
            (None, None) => return Ok(None),
        };
        // An entry is over when more than this has passed.
        let after = match self.hold {
            Some(hold) => Some(hold.saturating_sub(1)),
            None => self.filter.open(kind)?,
        };
        let is_of_time = self.hold.is_some() || self.filter.is_timed(kind);
        let leaving = Leaving {
            after,
            renews: self.hold.is_none() && !self.filter.first,
            by_arrival: is_of_time && self.time_field.is_none(),
        };
        Ok(Some(Waiting::new(aim, leaving, self.filter.of_entries(), saved)))
    }

    /// What of these options does not go together.
    pub(crate) fn expect_waiting(&self) -> Result<(), String> {
        match (self.keep, self.hold, &self.filter.count) {
            (Which::Last, None, _) => {
                Err(String::from("the argument '--keep last' needs '--hold <TIME>': how long a record is held back"))
            }
            (Which::First, Some(_), _) => Err(String::from(
                "the argument '--hold <TIME>' needs '--keep last': a first sighting is printed at once",
            )),
            (_, _, Some(Summary::Json)) if self.is_table() => Err(String::from(
                "the argument '--count' cannot be used with a table: a line of JSON is no row; give a template, such as --count='{n},{record}'",
            )),
            _ => Ok(()),
        }
    }
}
