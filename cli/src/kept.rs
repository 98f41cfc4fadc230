//! Options that a run with `--state` does not give are those of the state: an option that was given once need not be given again.
//!
//! **Law.** Only what is absent is filled in; what is said and differs is an error, which names both. The memory is no
//! part of what decides about a window of time, and can be another one from run to run.

use lately::{Filter, Kind, OnLimit};

use crate::args::Args;
use crate::exit::Exit;
use crate::filter::{EVERYTHING, FilterArgs, StateMemory, VARIANTS, chosen};
use crate::kinds::forgets;
use crate::misuse::conflict;
use crate::state::{self, LIMIT, MEMORY, Made};
use crate::units::{self, show_time};

impl Args {
    /// The same, completed by the state that is there.
    pub(crate) fn completed(mut self) -> Result<Self, Exit> {
        self.filter = self.filter.with_keys().map_err(Exit::Usage)?;
        if let (Some(late), Some(_)) = (self.late.allowed, self.filter.lateness) {
            let late = show_time(late);
            return Err(Exit::Usage(conflict("--lateness <TIME>", &format!("--late {late}"), "both are the lateness")));
        }
        self.filter.lateness = self.filter.lateness.or(self.late.allowed);
        self.filter.holds = self.hold.is_some();
        let then = self.state.as_deref().and_then(state::made);
        then.iter().for_each(|then| self.filter.complete(then));
        // Without a window, a number or a set, the command is `uniq` over the whole input.
        if self.filter.is_silent() && self.time_field.is_none() {
            self.filter.window = Some(EVERYTHING);
        }
        Ok(self)
    }
}

impl FilterArgs {
    fn complete(&mut self, then: &Made) {
        let value = |name: &str| then.get(name).map(String::as_str);
        let kind = value("--algo").and_then(|name| Kind::ALL.iter().copied().find(|kind| kind.name() == name));
        let Some(kind) = kind else { return };
        if !self.names_kind() {
            self.algo = Some(kind);
            self.window = value("--window").and_then(|text| units::window(text).ok());
            self.last = value("--last").and_then(|text| text.parse().ok());
            self.capacity = value("--capacity").and_then(|text| text.parse().ok());
            self.miss = value("--miss").and_then(|text| text.parse().ok());
            self.variant = value("--variant").and_then(|text| chosen(&VARIANTS, text));
            self.on_limit = self.on_limit.or(value("--on-limit").map(|_| OnLimit::RaiseErrorRate));
            self.age_bits = self.age_bits.or(value("--age-bits").and_then(|text| text.parse().ok()));
            self.lateness = self.lateness.or(value("--lateness").and_then(|text| units::step(text).ok()));
            self.first |= value("--first").is_some();
        }
        self.complete_memory(kind, then);
        self.complete_error(kind, value("--error").and_then(|text| text.parse().ok()));
    }

    /// A window of time takes another limit; a filter that forgets is its memory; any other keeps its size.
    fn complete_memory(&mut self, kind: Kind, then: &Made) {
        let is_timed = self.is_timed(kind);
        let of_state = then.get(if is_timed { LIMIT } else { MEMORY }).and_then(|bytes| bytes.parse().ok());
        match self.memory {
            None => (self.memory, self.kept) = (of_state, of_state.map_or(StateMemory::Asked, |_| StateMemory::Open)),
            Some(asked) if !is_timed && !forgets(kind) && of_state != Some(asked) => {
                (self.memory, self.kept) = (of_state, StateMemory::Fixed(asked));
            }
            Some(_) => {}
        }
    }

    /// A rate that is the one which comes without asking is no other request.
    fn complete_error(&mut self, kind: Kind, of_state: Option<f64>) {
        match (self.error, of_state) {
            (None, Some(_)) => self.error = of_state,
            (Some(_), None) if self.is_default_error(kind) => self.error = None,
            _ => {}
        }
    }

    fn is_default_error(&self, kind: Kind) -> bool {
        let silent = Self { error: None, ..self.clone() };
        let plans = [self, &silent].map(|args| Filter::plan(&args.options(kind)).ok());
        plans[0].is_some() && plans[0] == plans[1]
    }
}
