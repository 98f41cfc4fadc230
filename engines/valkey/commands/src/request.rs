//! What `LATELY.RESERVE` asks for, resolved to its last number.
//!
//! A request is words: those that a user wrote, with every number that was left open put in. The same words are what is
//! replicated, what accompanies the filter in a file, and what `LATELY.PLAN` shows. So they are read by one parser.

use lately::{Clock, Field, Filter, Kind, Options, PlanSummary, Repeat};

use crate::refusal::Refusal;
use crate::words::{Unit, Words, shown};

/// The last millisecond that has a tick of 64 bits in nanoseconds: in the year 2554.
pub(crate) const LAST_MS: u64 = u64::MAX / NS_PER_MS;

pub(crate) const NS_PER_MS: u64 = 1_000_000;

/// How far a user's time may lead a filter's clock if nothing else is said: a day.
const MAX_STEP_MS: u64 = 86_400_000;

/// The range of `ERROR`.
const ERRORS: (f64, f64) = (1e-9, 0.5);

/// The error rate of a filter that forgets where none is given: it reaches no less than 1.6e-5, and pays with what it forgets.
const ERROR_WHERE_IT_FORGETS: f64 = 1e-3;

/// More shards than any cluster has slots for.
pub(crate) const MOST_SHARDS: u32 = 16_384;

/// The largest window or set that is named: the limit on bytes comes long before.
const MOST_KEYS: u64 = 1 << 40;

/// The most open claims of a filter, and those where nothing is said.
const MOST_CLAIMS: u64 = 1 << 24;
const DEFAULT_CLAIMS: u64 = 65_536;

/// The server's configuration.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// The most bytes of cells of one filter.
    pub max_bytes: u64,
    /// The error rate of a window or a set where none is given.
    pub default_error: f64,
    /// The words of the request for a key that an `ADD` does not find; empty: such an `ADD` is an error.
    pub auto_reserve: String,
}

impl Default for Settings {
    fn default() -> Self {
        Self { max_bytes: 64 << 20, default_error: 1e-6, auto_reserve: String::new() }
    }
}

impl Settings {
    /// The error rate of this kind where none is given.
    fn error_of(&self, kind: Kind) -> f64 {
        if kind.takes(Field::MissRate) { ERROR_WHERE_IT_FORGETS } else { self.default_error }
    }

    /// Whether a text is an error rate.
    ///
    /// # Errors
    /// The error, with the range.
    pub fn parse_error(text: &str) -> Result<f64, Refusal> {
        Words::new(&[text.as_bytes()], 0).number("lately.default-error", ERRORS)
    }

    /// Whether a text is a request.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn check_auto_reserve(&self, text: &str) -> Result<(), Refusal> {
        if text.trim().is_empty() { Ok(()) } else { Request::parse_text(text, self).map(|_| ()) }
    }
}

/// What is measured: the one thing that a request must say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Measure {
    Window(u64),
    Last(u64),
    Capacity(u64),
    Memory(u64),
}

impl Measure {
    const fn word_and_number(self) -> (&'static str, u64) {
        match self {
            Self::Window(n) => ("WINDOW", n),
            Self::Last(n) => ("LAST", n),
            Self::Capacity(n) => ("CAPACITY", n),
            Self::Memory(n) => ("MEMORY", n),
        }
    }

    /// The option that only the default kind for this measure has.
    fn default_kind(self) -> Kind {
        let marks = match self {
            Self::Window(_) | Self::Last(_) => Field::AgeBits,
            Self::Capacity(_) => Field::Removable,
            Self::Memory(_) => Field::MissRate,
        };
        Kind::ALL.iter().copied().find(|kind| kind.takes(marks)).unwrap_or(Kind::WindowTable)
    }
}

/// One of several filters that are one to their user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shard {
    pub(crate) index: u32,
    pub(crate) of: u32,
    /// How many the filter has now, since it grew: then this one takes no more items.
    pub(crate) grown: Option<u32>,
}

impl Shard {
    /// The same, grown as another one.
    fn as_grown(self, other: Option<Self>) -> Self {
        Self { grown: other.and_then(|other| other.grown), ..self }
    }
}

/// A request in which nothing is open.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    pub(crate) measure: Measure,
    pub(crate) kind: Kind,
    pub(crate) error: f64,
    pub(crate) max_bytes: u64,
    pub(crate) max_step_ms: u64,
    /// How late an item may be and still be judged at its own time; 0 without a window of time.
    pub(crate) lateness_ms: u64,
    /// How long a claim stays open; 0 if there are none.
    pub(crate) lease_ms: u64,
    /// The most open claims; 0 if there are none.
    pub(crate) max_claims: u64,
    pub(crate) repeat: Option<Repeat>,
    pub(crate) removable: bool,
    /// Open until the filter is made.
    pub(crate) seed: Option<u64>,
    /// Whether it refuses items above its capacity.
    pub(crate) strict: bool,
    pub(crate) shard: Option<Shard>,
    /// Items that are expected in the first window of time, so that the filter need not find out by growing.
    pub(crate) expected: Option<u64>,
}

/// What the words said; what they did not say is `None`.
#[derive(Default)]
struct Draft {
    measure: Option<Measure>,
    capacity: Option<u64>,
    kind: Option<Kind>,
    error: Option<f64>,
    max_bytes: Option<u64>,
    max_step_ms: Option<u64>,
    lateness_ms: Option<u64>,
    lease_ms: Option<u64>,
    max_claims: Option<u64>,
    repeat: Option<Repeat>,
    removable: Option<bool>,
    strict: Option<bool>,
    seed: Option<u64>,
    shard: Option<Shard>,
    nx: Option<bool>,
}

/// Puts a value where none is.
fn once<T>(slot: &mut Option<T>, name: &str, value: T) -> Result<(), Refusal> {
    match slot.replace(value) {
        None => Ok(()),
        Some(_) => Err(Refusal::syntax(format_args!("{name} is given twice, or with another of its sort"))),
    }
}

impl Draft {
    fn parse(mut words: Words<'_>) -> Result<Self, Refusal> {
        let mut draft = Self::default();
        while words.peek().is_some() {
            if !(draft.takes_measure(&mut words)? || draft.takes_number(&mut words)? || draft.takes_word(&mut words)?) {
                words.end()?;
            }
        }
        Ok(draft)
    }

    fn takes_measure(&mut self, words: &mut Words<'_>) -> Result<bool, Refusal> {
        type Make = fn(u64) -> Measure;
        if words.takes("CAPACITY") {
            once(&mut self.capacity, "CAPACITY", words.quantity("CAPACITY", (1, MOST_KEYS))?)?;
            return Ok(true);
        }
        let measures: [(&str, Make, u64); 3] = [
            ("WINDOW", Measure::Window, LAST_MS),
            ("LAST", Measure::Last, MOST_KEYS),
            ("MEMORY", Measure::Memory, MOST_KEYS),
        ];
        for (name, make, most) in measures {
            if words.takes(name) {
                let number = words.quantity(name, (1, most))?;
                once(&mut self.measure, name, make(number))?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn takes_number(&mut self, words: &mut Words<'_>) -> Result<bool, Refusal> {
        if words.takes("ERROR") {
            once(&mut self.error, "ERROR", words.number("ERROR", ERRORS)?)?;
        } else if words.takes("MAXBYTES") {
            once(&mut self.max_bytes, "MAXBYTES", words.quantity("MAXBYTES", (1, MOST_KEYS))?)?;
        } else if words.takes("MAXSTEP") {
            once(&mut self.max_step_ms, "MAXSTEP", words.quantity("MAXSTEP", (1, LAST_MS))?)?;
        } else if words.takes("LATENESS") {
            once(&mut self.lateness_ms, "LATENESS", words.quantity("LATENESS", (0, LAST_MS))?)?;
        } else if words.takes("LEASE") {
            once(&mut self.lease_ms, "LEASE", words.quantity("LEASE", (1, LAST_MS))?)?;
        } else if words.takes("MAXCLAIMS") {
            once(&mut self.max_claims, "MAXCLAIMS", words.quantity("MAXCLAIMS", (1, MOST_CLAIMS))?)?;
        } else if words.takes("SEED") {
            once(&mut self.seed, "SEED", words.number("SEED", (0, u64::MAX))?)?;
        } else if words.takes("SHARD") {
            once(&mut self.shard, "SHARD", shard(words)?)?;
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    fn takes_word(&mut self, words: &mut Words<'_>) -> Result<bool, Refusal> {
        if words.takes("KIND") {
            once(&mut self.kind, "KIND", kind(words.next().unwrap_or_default())?)?;
        } else if words.takes("FIRST") {
            once(&mut self.repeat, "FIRST", Repeat::KeepFirst)?;
        } else if words.takes("REFRESH") {
            once(&mut self.repeat, "REFRESH", Repeat::Refresh)?;
        } else if words.takes("REMOVABLE") {
            once(&mut self.removable, "REMOVABLE", true)?;
        } else if words.takes("STRICT") {
            once(&mut self.strict, "STRICT", true)?;
        } else if words.takes("NX") {
            once(&mut self.nx, "NX", true)?;
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    fn resolve(self, settings: &Settings) -> Result<Request, Refusal> {
        let (measure, expected) = self.measure()?;
        let kind = self.kind.unwrap_or_else(|| measure.default_kind());
        if self.max_step_ms.is_some() && !matches!(measure, Measure::Window(_)) {
            return Err(Refusal::conflict("MAXSTEP", "needs WINDOW"));
        }
        if self.lateness_ms.is_some() {
            expect_lateness(measure, kind)?;
        }
        let (lease_ms, max_claims) = self.claims(measure, kind)?;
        if self.strict.is_some() && !matches!(measure, Measure::Capacity(_)) {
            return Err(Refusal::conflict("STRICT", "needs CAPACITY without WINDOW"));
        }
        let repeat = self.repeat.or_else(|| kind.takes(Field::Repeat).then(Repeat::default));
        Ok(Request {
            measure,
            kind,
            error: self.error.unwrap_or_else(|| settings.error_of(kind)),
            max_bytes: self.max_bytes.unwrap_or(settings.max_bytes),
            max_step_ms: self.max_step_ms.unwrap_or(MAX_STEP_MS),
            lateness_ms: self.lateness_ms.unwrap_or(0),
            lease_ms,
            max_claims,
            repeat,
            removable: self.removable.unwrap_or(false),
            seed: self.seed,
            strict: self.strict.unwrap_or(false),
            shard: self.shard,
            expected,
        })
    }

    /// The lease of claims and how many may be open, 0 both if there are none. Replicas must judge leases as the primary does: by
    /// times that go with the commands and never back, so they need a window of time without late items.
    fn claims(&self, measure: Measure, kind: Kind) -> Result<(u64, u64), Refusal> {
        let Some(lease) = self.lease_ms else {
            let refused = |_| Err(Refusal::conflict("MAXCLAIMS", "needs LEASE"));
            return self.max_claims.map_or(Ok((0, 0)), refused);
        };
        let Measure::Window(window) = measure else {
            return Err(Refusal::conflict("LEASE", "needs WINDOW"));
        };
        if !kind.takes(Field::LeaseNs) {
            return Err(Refusal::conflict("LEASE", format_args!("cannot be combined with KIND {kind}")));
        }
        if self.lateness_ms.is_some_and(|lateness| lateness > 0) {
            return Err(Refusal::conflict("LEASE", "cannot be combined with LATENESS"));
        }
        if lease > window {
            return Err(Refusal::out_of_range("LEASE", lease, format_args!("1 to {window} ms, the WINDOW")));
        }
        Ok((lease, self.max_claims.unwrap_or(DEFAULT_CLAIMS)))
    }

    /// What is measured. With `WINDOW`, `CAPACITY` is what is expected; alone it is the measure.
    fn measure(&self) -> Result<(Measure, Option<u64>), Refusal> {
        match (self.measure, self.capacity) {
            (Some(measure @ Measure::Window(_)), expected) => Ok((measure, expected)),
            (Some(measure), None) => Ok((measure, None)),
            (Some(_), Some(_)) => Err(Refusal::syntax("CAPACITY is given alone or with WINDOW")),
            (None, Some(keys)) => Ok((Measure::Capacity(keys), None)),
            (None, None) => Err(Refusal::syntax("one of WINDOW time, LAST n, CAPACITY n, MEMORY size is needed")),
        }
    }
}

/// Only a window of time has late items, and not every kind judges them at their own time.
fn expect_lateness(measure: Measure, kind: Kind) -> Result<(), Refusal> {
    match measure {
        Measure::Window(_) if kind.takes(Field::LatenessNs) => Ok(()),
        Measure::Window(_) => Err(Refusal::conflict("LATENESS", format_args!("cannot be combined with KIND {kind}"))),
        _ => Err(Refusal::conflict("LATENESS", "needs WINDOW")),
    }
}

/// `i OF s`, and `TO t` once the filter has grown.
fn shard(words: &mut Words<'_>) -> Result<Shard, Refusal> {
    let index = words.number("SHARD", (0, MOST_SHARDS - 1))?;
    if !words.takes("OF") {
        return Err(Refusal::syntax("SHARD is written as SHARD i OF s"));
    }
    let of = words.number("OF", (1, MOST_SHARDS))?;
    if index >= of {
        return Err(Refusal::out_of_range("SHARD", index, format_args!("0 to {}", of - 1)));
    }
    let grown = if words.takes("TO") { Some(words.number("TO", (1, MOST_SHARDS))?) } else { None };
    if grown == Some(of) {
        return Err(Refusal::out_of_range("TO", of, format_args!("another number than OF {of}")));
    }
    Ok(Shard { index, of, grown })
}

/// The kind of this name, with hyphens or without.
fn kind(word: &[u8]) -> Result<Kind, Refusal> {
    let squeezed = |name: &[u8]| name.iter().filter(|c| **c != b'-').map(u8::to_ascii_lowercase).collect::<Vec<_>>();
    let found = Kind::ALL.iter().copied().find(|kind| squeezed(kind.name().as_bytes()) == squeezed(word));
    found.ok_or_else(|| {
        let names: Vec<&str> = Kind::ALL.iter().map(|kind| kind.name()).collect();
        Refusal::out_of_range("KIND", shown(word), format_args!("one of {}", names.join(", ")))
    })
}

impl Request {
    /// The request that words make, and whether they end in `NX`.
    pub(crate) fn parse(words: Words<'_>, settings: &Settings) -> Result<(Self, bool), Refusal> {
        let draft = Draft::parse(words)?;
        let nx = draft.nx.unwrap_or(false);
        Ok((draft.resolve(settings)?, nx))
    }

    /// The same of one text, words between blanks. It has no `NX`.
    pub(crate) fn parse_text(text: &str, settings: &Settings) -> Result<Self, Refusal> {
        let words: Vec<&[u8]> = text.split_ascii_whitespace().map(str::as_bytes).collect();
        match Self::parse(Words::new(&words, 0), settings)? {
            (_, true) => Err(Refusal::syntax("NX is for a command only")),
            (request, false) => Ok(request),
        }
    }

    /// Every word of the request.
    #[must_use]
    pub fn text(&self) -> String {
        let words = self.words().into_iter();
        let text =
            |(word, value): (&str, String)| if value.is_empty() { word.to_owned() } else { format!("{word} {value}") };
        words.map(text).collect::<Vec<_>>().join(" ")
    }

    /// Every option with its value, in order; one that has no value with an empty one.
    pub(crate) fn words(&self) -> Vec<(&'static str, String)> {
        let (measure, number) = self.measure.word_and_number();
        let mut words = vec![
            (measure, number.to_string()),
            ("ERROR", format!("{:?}", self.error)),
            ("KIND", self.kind.to_string()),
            ("MAXBYTES", self.max_bytes.to_string()),
        ];
        let has_time = matches!(self.measure, Measure::Window(_));
        let numbers = [
            ("CAPACITY", self.expected),
            ("MAXSTEP", has_time.then_some(self.max_step_ms)),
            ("LATENESS", (self.lateness_ms > 0).then_some(self.lateness_ms)),
            ("LEASE", self.has_claims().then_some(self.lease_ms)),
            ("MAXCLAIMS", self.has_claims().then_some(self.max_claims)),
        ];
        words.extend(numbers.into_iter().filter_map(|(word, number)| Some((word, number?.to_string()))));
        let flags = [
            ("REFRESH", self.repeat == Some(Repeat::Refresh)),
            ("FIRST", self.keeps_first()),
            ("REMOVABLE", self.removable),
            ("STRICT", self.strict),
        ];
        words.extend(flags.into_iter().filter(|(_, is)| *is).map(|(word, _)| (word, String::new())));
        words.extend(self.seed.map(|seed| ("SEED", seed.to_string())));
        words.extend(self.shard.map(|Shard { index, of, grown }| {
            let to = grown.map_or(String::new(), |grown| format!(" TO {grown}"));
            ("SHARD", format!("{index} OF {of}{to}"))
        }));
        words
    }

    /// What differs in this request and that of a filter that is there: each in the words of both with their units, or `None` if
    /// nothing does. A seed that is left open differs from none.
    pub(crate) fn differs(&self, there: &Self) -> Option<(String, String)> {
        let asked =
            Self { seed: self.seed.or(there.seed), shard: self.shard.map(|s| s.as_grown(there.shard)), ..self.clone() };
        let (asked, there) = (asked.words(), there.words());
        let apart = |some: &[(&str, String)], others: &[(&str, String)]| {
            let text = |(word, value): &(&str, String)| {
                format!("{word} {value}{}", Unit::of(word).shown()).trim_end().to_owned()
            };
            some.iter().filter(|word| !others.contains(word)).map(text).collect::<Vec<_>>().join(" ")
        };
        (asked != there).then(|| (apart(&asked, &there), apart(&there, &asked)))
    }

    /// The same with this seed, if it has none of its own.
    pub(crate) fn seeded(self, seed: u64) -> Self {
        Self { seed: self.seed.or(Some(seed)), ..self }
    }

    /// Whether items can be claimed.
    pub(crate) const fn has_claims(&self) -> bool {
        self.lease_ms > 0
    }

    /// Whether a repeat that leaves no trace is not replicated: of a window of time whose filter knows which those are. Claims need
    /// all: a replica gives the same tokens if it got the same calls.
    pub(crate) fn spares_repeats(&self) -> bool {
        self.window_ns().is_some() && self.kind.takes(Field::AgeBits) && !self.has_claims()
    }

    /// Whether ages count from the first sighting.
    pub(crate) fn keeps_first(&self) -> bool {
        self.repeat == Some(Repeat::KeepFirst)
    }

    pub(crate) const fn window_ns(&self) -> Option<u64> {
        match self.measure {
            Measure::Window(ms) => Some(ms * NS_PER_MS),
            _ => None,
        }
    }

    /// The request in the library's words.
    pub(crate) fn options(&self) -> Options {
        let common = Options::new(self.kind).seed(self.seed.unwrap_or(0)).error_rate(self.error);
        let measured = match self.measure {
            Measure::Window(ms) => self.of_time(common.window_ns(ms * NS_PER_MS)),
            Measure::Last(keys) => common.window_keys(keys),
            Measure::Capacity(keys) => common.capacity(keys),
            Measure::Memory(bytes) => common.memory(bytes),
        };
        let repeated = match self.repeat {
            Some(repeat) => measured.repeat(repeat),
            None => measured,
        };
        let told = match self.expected {
            Some(keys) => repeated.capacity(keys),
            None => repeated,
        };
        if self.removable { told.removable(true) } else { told }
    }

    fn of_time(&self, window: Options) -> Options {
        let window = window.clock(Clock::Manual(lately::Unit::Nanoseconds)).memory(self.max_bytes);
        let window = if self.lateness_ms > 0 { window.lateness_ns(self.lateness_ms * NS_PER_MS) } else { window };
        if self.has_claims() {
            return window.lease_ns(self.lease_ms * NS_PER_MS).max_claims(self.max_claims);
        }
        window
    }

    /// An error of the library's, in the words and units of the command.
    fn refusal(&self, error: lately::Error) -> Refusal {
        let text = error.to_string();
        let (Some(word), Some((_, why))) = (error.field().and_then(|field| self.word(field)), text.split_once(": "))
        else {
            return error.into();
        };
        let value = self.words().into_iter().find(|(name, _)| *name == word).map_or(String::new(), |(_, value)| value);
        let name = format!("{word} {value}");
        Refusal::conflict(name.trim_end(), self.in_words(why))
    }

    /// The word of an option of the library.
    fn word(&self, field: Field) -> Option<&'static str> {
        Some(match field {
            Field::Kind => "KIND",
            Field::Repeat if self.keeps_first() => "FIRST",
            Field::Repeat => "REFRESH",
            Field::WindowNs => "WINDOW",
            Field::WindowKeys => "LAST",
            Field::Capacity => "CAPACITY",
            Field::ErrorRate => "ERROR",
            Field::Memory if matches!(self.measure, Measure::Memory(_)) => "MEMORY",
            Field::Memory => "MAXBYTES",
            Field::MaxStepNs => "MAXSTEP",
            Field::LatenessNs => "LATENESS",
            Field::LeaseNs => "LEASE",
            Field::MaxClaims => "MAXCLAIMS",
            Field::Removable => "REMOVABLE",
            _ => return None,
        })
    }

    /// A sentence of the library in which options have their words, kinds their names, and times are in ms.
    fn in_words(&self, why: &str) -> String {
        let of_time = why.ends_with(" ns");
        let kind = format!("{:?}", self.kind);
        let in_words = |part: &str| {
            let (name, end) = part.split_at(part.trim_end_matches([' ', ',', ';']).len());
            let time = name.parse::<u64>().ok().filter(|_| of_time).map(|ns| (ns / NS_PER_MS).to_string());
            let field = || Field::ALL.iter().find(|field| field.name() == name).and_then(|field| self.word(*field));
            let other = || match name {
                "ns" => "ms",
                name if name == kind => self.kind.name(),
                name => field().unwrap_or(name),
            };
            time.unwrap_or_else(|| other().to_owned()) + end
        };
        why.split_inclusive(' ').map(in_words).collect()
    }

    /// An error if a user asks for more than the configuration allows.
    pub(crate) fn check_limit(&self, settings: &Settings) -> Result<(), Refusal> {
        let most = settings.max_bytes;
        if self.max_bytes <= most {
            return Ok(());
        }
        let range = format_args!("1 to {most} bytes, lately.max-bytes-per-filter");
        Err(Refusal::out_of_range("MAXBYTES", self.max_bytes, range))
    }

    /// The same with a `MEMORY` of a size that the server has: it would take the next one for another.
    pub(crate) fn fitted(mut self, size_within: impl FnOnce(u64) -> u64) -> Self {
        if let Measure::Memory(bytes) = &mut self.measure {
            *bytes = size_within(*bytes);
        }
        self
    }

    /// What the filter will cost; nothing is allocated.
    pub(crate) fn plan(&self) -> Result<PlanSummary, Refusal> {
        if let Measure::Memory(bytes) = self.measure {
            self.expect_room(bytes)?;
        }
        let plan = Filter::plan(&self.options()).map_err(|error| self.refusal(error))?;
        self.expect_room(plan.bytes)?;
        Ok(plan)
    }

    fn expect_room(&self, bytes: u64) -> Result<(), Refusal> {
        if bytes <= self.max_bytes {
            return Ok(());
        }
        Err(Refusal::new(format_args!("the filter takes {bytes} bytes: MAXBYTES is {} bytes", self.max_bytes)))
    }
}
