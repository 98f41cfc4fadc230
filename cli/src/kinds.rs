//! The kind of filter that follows from the options, and what contradicts it.
//!
//! `--window`, `--last`, `--capacity` and `--memory` each name a kind, in this order; `--algo` names it. An option that the kind does
//! not have is an error that names both: nothing is silently left out. Both windows are the window table's; the kinds of the papers
//! are there under their names, and in states that were made with them.

use lately::{Field, Kind, OnLimit, Variant};

use crate::filter::FilterArgs;
use crate::misuse::conflict;

/// Whether the kind has a window of time or one of records, according to the request.
pub(crate) fn has_both_windows(kind: Kind) -> bool {
    kind.takes(Field::WindowNs) && kind.takes(Field::WindowKeys)
}

/// Whether there is a window, of time or of records.
pub(crate) fn is_windowed(kind: Kind) -> bool {
    kind.takes(Field::Repeat)
}

/// Whether duplicates are missed by design.
pub(crate) fn forgets(kind: Kind) -> bool {
    kind.takes(Field::MissRate)
}

/// An option that not every kind has: whether it is given, the library's option that it sets, and the kind that it
/// alone is enough to know.
struct KindOption {
    name: &'static str,
    given: fn(&FilterArgs) -> bool,
    sets: Field,
    kind: Option<Kind>,
}

const fn option(name: &'static str, sets: Field, kind: Option<Kind>, given: fn(&FilterArgs) -> bool) -> KindOption {
    KindOption { name, given, sets, kind }
}

const KIND_OPTIONS: [KindOption; 10] = [
    option("--window", Field::WindowNs, Some(Kind::WindowTable), |a| a.window.is_some()),
    option("--last", Field::WindowKeys, Some(Kind::WindowTable), |a| a.last.is_some()),
    option("--capacity", Field::Capacity, Some(Kind::TinySet), |a| a.capacity.is_some()),
    option("--variant", Field::Variant, Some(Kind::Quotient), |a| a.variant.is_some()),
    option("--miss", Field::MissRate, Some(Kind::Quotient), |a| a.miss.is_some()),
    option("--on-limit", Field::OnLimit, None, |a| a.on_limit.is_some()),
    option("--age-bits", Field::AgeBits, None, |a| a.age_bits.is_some()),
    option("--lateness", Field::LatenessNs, None, |a| a.lateness.is_some()),
    option("--refresh", Field::Repeat, None, |a| a.refresh),
    option("--first", Field::Repeat, None, |a| a.first),
];

/// The kind, and the option that names it.
#[derive(Debug, Clone)]
pub(crate) struct Choice {
    pub(crate) algo: Kind,
    by: String,
    /// Whether its window is one of time.
    timed: bool,
}

impl Choice {
    /// An option was given that the kind does not have.
    pub(crate) fn refuse(&self, option: &str) -> String {
        let (by, kind) = (&self.by, self.algo.name());
        let of = if has_both_windows(self.algo) && !self.timed { " of records" } else { "" };
        conflict(option, by, format_args!("{kind} filters{of} do not take this option"))
    }
}

impl FilterArgs {
    /// The kind that is asked for; an error if none is, or if an option is given that it does not have.
    pub(crate) fn choice(&self) -> Result<Choice, String> {
        let choice = self.named().ok_or(
            "one of '--window <TIME>', '--last <N>', '--capacity <N>' and '--memory <SIZE>' is required: it sets how far \
             back duplicates are found",
        )?;
        if has_both_windows(choice.algo) {
            self.expect_one_window(&choice)?;
        }
        if (self.variant, self.miss.is_some()) == (Some(Variant::Qqht), true) {
            let why = "it misses more of the keys that are seen more than twice; use '--variant qqhtd'";
            return Err(conflict("--miss <RATE>", "--variant qqht", why));
        }
        match KIND_OPTIONS.iter().find(|own| (own.given)(self) && !self.is_own(own, choice.algo)) {
            Some(own) => Err(choice.refuse(own.name)),
            None => Ok(choice),
        }
    }

    fn expect_one_window(&self, choice: &Choice) -> Result<(), String> {
        match (self.window, self.last) {
            (Some(_), Some(_)) => Err(conflict("--last <N>", "--window <TIME>", "a filter has one window")),
            (None, None) => Err(format!("one of '--window <TIME>' and '--last <N>' is required with '{}'", choice.by)),
            _ => Ok(()),
        }
    }

    /// Whether the kind has the option, with the window that is asked for. The keys of a window of time are no business
    /// of the shell but by `lately plan --rate`.
    fn is_own(&self, own: &KindOption, kind: Kind) -> bool {
        let of_time = matches!(own.sets, Field::OnLimit | Field::LatenessNs);
        let of_keys = matches!(own.sets, Field::Capacity) && kind.takes(Field::WindowNs);
        kind.takes(own.sets) && !of_keys && (!of_time || self.is_timed(kind))
    }

    /// The kind that the same request made before the window table was there: a state of it continues.
    pub(crate) fn older(&self, choice: &Choice) -> Option<Kind> {
        let older = if self.window.is_some() { Kind::TimeLimited } else { Kind::AgePartitioned };
        let meant = has_both_windows(choice.algo) && self.algo.is_none();
        Some(older).filter(|_| meant && self.age_bits.is_none() && self.allowed_lateness().is_none())
    }

    /// Whether an option names the kind of filter. The memory alone makes a quotient filter unless a state has another kind.
    pub(crate) fn names_kind(&self) -> bool {
        self.algo.is_some() || KIND_OPTIONS.iter().any(|own| own.kind.is_some() && (own.given)(self))
    }

    /// Whether nothing is said of what is to be remembered. How often a new key may be wrong, and a secret, say nothing of it.
    pub(crate) fn is_silent(&self) -> bool {
        let asks = self.first || self.memory.is_some() || self.on_limit.is_some() || self.age_bits.is_some();
        !asks && self.lateness.is_none() && !self.names_kind()
    }

    /// Whether `--on-limit raise` determines the kind: a window table cannot let its error rate rise.
    fn is_raised(&self) -> bool {
        self.algo.is_none() && self.window.is_some() && self.on_limit == Some(OnLimit::RaiseErrorRate)
    }

    /// The note for a kind that differs from the one that the window alone would give.
    pub(crate) fn note(&self) -> Option<&'static str> {
        self.is_raised().then_some(
            "--on-limit raise: the filter is time-limited (--algo time-limited), since a window table at its limit only \
             forgets",
        )
    }

    fn named(&self) -> Option<Choice> {
        if let Some(algo) = self.algo {
            return Some(self.choose(algo, &format!("--algo {}", algo.name())));
        }
        if self.is_raised() {
            return Some(self.choose(Kind::TimeLimited, "--on-limit raise"));
        }
        let of_own =
            KIND_OPTIONS.iter().filter(|own| (own.given)(self)).find_map(|own| own.kind.map(|algo| (algo, own.name)));
        let of_memory = self.memory.map(|_| (Kind::Quotient, "--memory"));
        of_own.or(of_memory).map(|(algo, by)| self.choose(algo, by))
    }

    fn choose(&self, algo: Kind, by: &str) -> Choice {
        Choice { algo, by: by.into(), timed: self.is_timed(algo) }
    }
}
