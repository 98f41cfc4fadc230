//! The request of a user: one for every kind, read by the plan of each.
//!
//! `None` is "not given". The C ABI's 0 becomes `None` at its edge, so an explicit 0 from Rust is a value and is
//! judged as one. Nothing is clamped: a value out of range, or of another kind, is an error that names it.

#[cfg(feature = "serde")]
use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use crate::error::Error;
use crate::field::Field;
use crate::kind::Kind;
use crate::secret::Secret;
use crate::text::{Brief, Text};
use crate::unit::Unit;

/// How a repeat is treated in the windowed kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Repeat {
    /// Always inserted: age counts from the last sighting.
    #[default]
    Refresh,
    /// Inserted only when new: age counts from the sighting that was answered `New`.
    KeepFirst,
}

/// What gives way when the `memory` of a filter with a window of time is used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum OnLimit {
    /// The window shortens; `stats` reports to what.
    #[default]
    ForgetOldest,
    /// The window stays and the error rate rises; `stats` reports to what. Time-limited only: a window table refuses it.
    RaiseErrorRate,
}

/// Which clock is used. In a file (feature `serde`) it is `"system"`, or the unit of a manual clock: `"ns"`, `"us"`, `"ms"`, `"s"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(into = "&str", try_from = "Cow<'_, str>")
)]
pub enum Clock {
    /// The system's monotonic clock, read once per call or batch. On Linux it also counts the time that the machine is
    /// suspended; on macOS it does not, and for Windows this is not documented.
    #[default]
    System,
    /// The caller passes a tick with each call, in this unit.
    Manual(Unit),
}

impl Clock {
    /// Its name in files and in every language: `system`, or the unit of its ticks.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Manual(unit) => unit.name(),
        }
    }

    /// The clock of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|clock| clock.name() == name)
    }
}

#[cfg(feature = "serde")]
impl From<Clock> for &str {
    fn from(clock: Clock) -> Self {
        clock.name()
    }
}

#[cfg(feature = "serde")]
impl TryFrom<Cow<'_, str>> for Clock {
    type Error = Error;

    fn try_from(name: Cow<'_, str>) -> Result<Self, Error> {
        Self::named(&name).ok_or_else(|| Error::out_of_range(Field::Clock, name, "system, ns, us, ms or s"))
    }
}

/// The members of the quotient family.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Variant {
    /// Quotient Hash Table.
    Qht,
    /// The same, storing duplicates.
    Qhtd,
    /// Queued.
    Qqht,
    /// Queued, storing duplicates.
    #[default]
    Qqhtd,
}

impl Variant {
    /// Whether a row is a queue.
    pub(crate) const fn is_queued(self) -> bool {
        matches!(self, Self::Qqht | Self::Qqhtd)
    }

    /// Whether a key that is found is stored again.
    pub(crate) const fn renews(self) -> bool {
        matches!(self, Self::Qhtd | Self::Qqhtd)
    }
}

/// The choices of one option in the order of their numbers, which begin at 1 in the C ABI and in snapshots.
pub(crate) trait Choice: Copy + PartialEq + 'static {
    const ALL: &'static [Self];

    /// Its number.
    fn number(self) -> u32 {
        (1..).zip(Self::ALL).find(|(_, choice)| **choice == self).map_or(0, |(number, _)| number)
    }
}

impl Choice for Repeat {
    const ALL: &'static [Self] = &[Self::Refresh, Self::KeepFirst];
}

impl Choice for OnLimit {
    const ALL: &'static [Self] = &[Self::ForgetOldest, Self::RaiseErrorRate];
}

impl Choice for Clock {
    const ALL: &'static [Self] = &[
        Self::System,
        Self::Manual(Unit::Nanoseconds),
        Self::Manual(Unit::Microseconds),
        Self::Manual(Unit::Milliseconds),
        Self::Manual(Unit::Seconds),
    ];
}

impl Choice for Variant {
    const ALL: &'static [Self] = &[Self::Qht, Self::Qhtd, Self::Qqht, Self::Qqhtd];
}

/// A request for a filter. Start from a kind and add what you know; the plan finds the rest.
///
/// ```
/// use lately::{Filter, Options, Verdict};
/// use std::time::Duration;
///
/// let mut seen = Filter::new(&Options::time_limited(Duration::from_secs(600)).error_rate(1e-4))?;
/// assert_eq!(seen.observe(b"order-17")?, Verdict::New);
/// assert_eq!(seen.observe(b"order-17")?, Verdict::Duplicate);
/// # Ok::<(), lately::Error>(())
/// ```
///
/// With the feature `serde` a request can be read from and written to files: each option under its own name, choices in
/// small letters, `{"kind": "window-table", "window_ns": 600000000000, "on_limit": "forget-oldest"}`. An option that does
/// not exist is an error; [`Filter::new`](crate::Filter::new) checks the values. The secret is never written, and a file that
/// contains one is an error: set it with [`Options::secret`].
#[derive(Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize), serde(deny_unknown_fields))]
pub struct Options {
    pub(crate) kind: Kind,
    pub(crate) window_ns: Option<u64>,
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) secret: Option<Secret>,
    /// A span of time whose nanoseconds fit into no number: every plan refuses it.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) too_long: Option<(Field, Duration)>,
    pub(crate) clock: Option<Clock>,
    pub(crate) repeat: Option<Repeat>,
    pub(crate) on_limit: Option<OnLimit>,
    pub(crate) window_keys: Option<u64>,
    pub(crate) capacity: Option<u64>,
    pub(crate) error_rate: Option<f64>,
    pub(crate) miss_rate: Option<f64>,
    pub(crate) memory: Option<u64>,
    pub(crate) max_step_ns: Option<u64>,
    pub(crate) k: Option<u32>,
    pub(crate) l: Option<u32>,
    pub(crate) max_slices: Option<u32>,
    pub(crate) fill: Option<f64>,
    pub(crate) variant: Option<Variant>,
    pub(crate) fingerprint_bits: Option<u32>,
    pub(crate) semi_sort: Option<bool>,
    pub(crate) removable: Option<bool>,
    pub(crate) block_bytes: Option<u32>,
    pub(crate) chains: Option<u32>,
    pub(crate) load: Option<f64>,
    pub(crate) keyed: Option<bool>,
    pub(crate) seed: Option<u64>,
    pub(crate) age_bits: Option<u32>,
    pub(crate) lateness_ns: Option<u64>,
    pub(crate) lease_ns: Option<u64>,
    pub(crate) max_claims: Option<u64>,
}

impl Options {
    /// A request for a filter of `kind`, without any other option.
    #[must_use]
    pub const fn new(kind: Kind) -> Self {
        Self {
            kind,
            window_ns: None,
            secret: None,
            too_long: None,
            clock: None,
            repeat: None,
            on_limit: None,
            window_keys: None,
            capacity: None,
            error_rate: None,
            miss_rate: None,
            memory: None,
            max_step_ns: None,
            k: None,
            l: None,
            max_slices: None,
            fill: None,
            variant: None,
            fingerprint_bits: None,
            semi_sort: None,
            removable: None,
            block_bytes: None,
            chains: None,
            load: None,
            keyed: None,
            seed: None,
            age_bits: None,
            lateness_ns: None,
            lease_ns: None,
            max_claims: None,
        }
    }

    /// The default for a window of time: no key seen within `window` is ever called new.
    #[must_use]
    pub fn window(window: Duration) -> Self {
        Self::new(Kind::WindowTable).span(Field::WindowNs, window, Self::window_ns)
    }

    /// The default for a window of keys: no key among the last `keys` observations and insertions is ever called new.
    #[must_use]
    pub const fn last(keys: u64) -> Self {
        Self::new(Kind::WindowTable).window_keys(keys)
    }

    /// A time-limited filter: no key seen within `window` is ever called new.
    #[must_use]
    pub fn time_limited(window: Duration) -> Self {
        Self::new(Kind::TimeLimited).span(Field::WindowNs, window, Self::window_ns)
    }

    /// An age-partitioned filter: no key among the last `keys` insertions is ever called new.
    #[must_use]
    pub const fn age_partitioned(keys: u64) -> Self {
        Self::new(Kind::AgePartitioned).window_keys(keys)
    }

    /// A TinySet planned for `keys` keys: none that is in it is ever called new.
    #[must_use]
    pub const fn tiny_set(keys: u64) -> Self {
        Self::new(Kind::TinySet).capacity(keys)
    }

    /// A quotient filter of `bytes` bytes, for a stream without end: it forgets, and the rates of both errors are
    /// known.
    #[must_use]
    pub const fn quotient(bytes: u64) -> Self {
        Self::new(Kind::Quotient).memory(bytes)
    }

    /// The window in nanoseconds, at least 1. Time-limited, required; window table: this or `window_keys`.
    #[must_use]
    pub const fn window_ns(mut self, window_ns: u64) -> Self {
        self.window_ns = Some(window_ns);
        if matches!(self.too_long, Some((Field::WindowNs, _))) {
            self.too_long = None;
        }
        self
    }

    /// The secret of a keyed filter, not all zeros; without it one is drawn from the operating system.
    #[must_use]
    pub const fn secret(mut self, secret: Secret) -> Self {
        self.secret = Some(secret);
        self
    }

    /// Which clock is used: the system's monotonic clock (default) or the caller, tick by tick in a unit. Window table with a
    /// window of time, time-limited.
    #[must_use]
    pub const fn clock(mut self, clock: Clock) -> Self {
        self.clock = Some(clock);
        self
    }

    /// How a repeat is treated; default [`Repeat::Refresh`]. Window table, time-limited, age-partitioned.
    #[must_use]
    pub const fn repeat(mut self, repeat: Repeat) -> Self {
        self.repeat = Some(repeat);
        self
    }

    /// What gives way when `memory` is used up; default [`OnLimit::ForgetOldest`], which is all that a window table takes.
    /// Window table with a window of time, time-limited.
    #[must_use]
    pub const fn on_limit(mut self, on_limit: OnLimit) -> Self {
        self.on_limit = Some(on_limit);
        self
    }

    /// The window in observations and insertions, whatever their verdicts (window table), or in insertions
    /// (age-partitioned); Quotient: the distance, in keys, to which `miss_rate` applies.
    #[must_use]
    pub const fn window_keys(mut self, window_keys: u64) -> Self {
        self.window_keys = Some(window_keys);
        self
    }

    /// How many keys to plan for: those of the first window of time (window table, time-limited; without it the filter
    /// finds out), or the planned load (TinySet).
    #[must_use]
    pub const fn capacity(mut self, capacity: u64) -> Self {
        self.capacity = Some(capacity);
        self
    }

    /// The rate of false duplicates, in (0, 0.5]; default 1e-6 (quotient: 1e-3) where nothing else fixes it.
    #[must_use]
    pub const fn error_rate(mut self, error_rate: f64) -> Self {
        self.error_rate = Some(error_rate);
        self
    }

    /// The rate of missed duplicates, in (0, 1). Quotient only.
    #[must_use]
    pub const fn miss_rate(mut self, miss_rate: f64) -> Self {
        self.miss_rate = Some(miss_rate);
        self
    }

    /// The most bytes that the cells and the table of claims may take; never exceeded. Up to 2^56; 0 is an error. Leave it out
    /// for no limit.
    #[must_use]
    pub const fn memory(mut self, memory: u64) -> Self {
        self.memory = Some(memory);
        self
    }

    /// The most that a tick may lead the filter's clock by, in nanoseconds; after a longer pause every tick is refused until
    /// the caller calls `advance`. Without it one record from the far future moves the clock there, and later keys are judged
    /// at that time until real time catches up. Window table and time-limited, with a manual clock.
    #[must_use]
    pub const fn max_step_ns(mut self, max_step_ns: u64) -> Self {
        self.max_step_ns = Some(max_step_ns);
        if matches!(self.too_long, Some((Field::MaxStepNs, _))) {
            self.too_long = None;
        }
        self
    }

    /// [`Options::max_step_ns`] as a [`Duration`].
    #[must_use]
    pub fn max_step(self, step: Duration) -> Self {
        self.span(Field::MaxStepNs, step, Self::max_step_ns)
    }

    /// Sets a span of time by its nanoseconds.
    fn span(mut self, option: Field, span: Duration, set: fn(Self, u64) -> Self) -> Self {
        match u64::try_from(span.as_nanos()) {
            Ok(ns) => set(self, ns),
            Err(_) => {
                self.too_long = Some((option, span));
                self
            }
        }
    }

    /// Bits per key (time-limited, age-partitioned) or cells per row (Quotient).
    #[must_use]
    pub const fn k(mut self, k: u32) -> Self {
        self.k = Some(k);
        self
    }

    /// Full generations in the window. Time-limited, age-partitioned. Time-limited: with fewer than `k` the first two windows
    /// of a stream can be above the error rate, with 1 later ones too; no plan chooses that.
    #[must_use]
    pub const fn l(mut self, l: u32) -> Self {
        self.l = Some(l);
        self
    }

    /// The bound of the search on k + l, 2 to 1024; default 32. It never bounds the live slices. Time-limited,
    /// age-partitioned.
    #[must_use]
    pub const fn max_slices(mut self, max_slices: u32) -> Self {
        self.max_slices = Some(max_slices);
        self
    }

    /// The fill of a full slice, in [0.1, 0.9]. Time-limited, age-partitioned.
    #[must_use]
    pub const fn fill(mut self, fill: f64) -> Self {
        self.fill = Some(fill);
        self
    }

    /// The member of the family; default [`Variant::Qqhtd`]. Quotient only.
    #[must_use]
    pub const fn variant(mut self, variant: Variant) -> Self {
        self.variant = Some(variant);
        self
    }

    /// Bits of a fingerprint, 1 to 16. Quotient only.
    #[must_use]
    pub const fn fingerprint_bits(mut self, fingerprint_bits: u32) -> Self {
        self.fingerprint_bits = Some(fingerprint_bits);
        self
    }

    /// Whether rows are sorted to save bits. Quotient only.
    #[must_use]
    pub const fn semi_sort(mut self, semi_sort: bool) -> Self {
        self.semi_sort = Some(semi_sort);
        self
    }

    /// Whether keys can be removed. TinySet only. Then the plan is for endless churn: at the planned load, with random
    /// keys or the oldest ones making place for new ones, the mean rate stays within `error_rate`. It costs 2.1 to 6.6
    /// bits per key (1e-2 to 1e-6). Keys that never leave raise the rate above that, to 1.6 to 5.3 times it after the
    /// others were replaced a hundred times, 1.9 to 13 after a thousand; if you remove and insert them again every ten
    /// times, it stays within 1.7 times. In blocks of 32 bytes all of these are larger. [`Stats::error_rate`](crate::Stats::error_rate)
    /// is the present one.
    #[must_use]
    pub const fn removable(mut self, removable: bool) -> Self {
        self.removable = Some(removable);
        self
    }

    /// Bytes of a block: 32 or 64 (default). TinySet only.
    #[must_use]
    pub const fn block_bytes(mut self, block_bytes: u32) -> Self {
        self.block_bytes = Some(block_bytes);
        self
    }

    /// Chains of a block. TinySet only.
    #[must_use]
    pub const fn chains(mut self, chains: u32) -> Self {
        self.chains = Some(chains);
        self
    }

    /// Keys per chain. TinySet only.
    #[must_use]
    pub const fn load(mut self, load: f64) -> Self {
        self.load = Some(load);
        self
    }

    /// Whether keys are hashed under a secret (SipHash-1-3), so that no one can aim at collisions.
    #[must_use]
    pub const fn keyed(mut self, keyed: bool) -> Self {
        self.keyed = Some(keyed);
        self
    }

    /// The seed of the hash; default 0, so that filters are equal everywhere.
    #[must_use]
    pub const fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// How late a record may be, in nanoseconds: 0 (the default) to 24/7 of the window. A record that is at most this far below the
    /// clock is judged at its own time: never `New` if its key was seen within the window before it, or at any later time. It
    /// takes the memory of a window that is longer by as much. Window table with a window of time and a manual clock.
    #[must_use]
    pub const fn lateness_ns(mut self, lateness_ns: u64) -> Self {
        self.lateness_ns = Some(lateness_ns);
        if matches!(self.too_long, Some((Field::LatenessNs, _))) {
            self.too_long = None;
        }
        self
    }

    /// [`Options::lateness_ns`] as a [`Duration`].
    #[must_use]
    pub fn lateness(self, lateness: Duration) -> Self {
        self.span(Field::LatenessNs, lateness, Self::lateness_ns)
    }

    /// How long a [`claim`](crate::Filter::claim) stays open without a commit, in nanoseconds: 1 to the window, of a window of
    /// keys to 365 days by the system's clock. Without it the filter takes no claims. Window table, time-limited,
    /// age-partitioned.
    #[must_use]
    pub const fn lease_ns(mut self, lease_ns: u64) -> Self {
        self.lease_ns = Some(lease_ns);
        if matches!(self.too_long, Some((Field::LeaseNs, _))) {
            self.too_long = None;
        }
        self
    }

    /// [`Options::lease_ns`] as a [`Duration`].
    #[must_use]
    pub fn lease(self, lease: Duration) -> Self {
        self.span(Field::LeaseNs, lease, Self::lease_ns)
    }

    /// The most claims that can be open at once, 1 to 2^24; default 65,536 where `lease_ns` is given, and an error without it.
    /// Their table takes at most 40 bytes for each, from the start; `memory` bounds it with the cells. Window table, time-limited,
    /// age-partitioned.
    #[must_use]
    pub const fn max_claims(mut self, max_claims: u64) -> Self {
        self.max_claims = Some(max_claims);
        self
    }

    /// Bits of the age of a key, 2 to 5; default 3, with a `lateness` 4 or 5. A window is 2^age_bits - 1 generations,
    /// and a key is found one generation too long at most; with a `lateness` they are shared by window and lateness. Window
    /// table only.
    #[must_use]
    pub const fn age_bits(mut self, age_bits: u32) -> Self {
        self.age_bits = Some(age_bits);
        self
    }

    /// An option as the C ABI has it: a number, or the bits of a fraction; 0 if it is not given. A secret is not told.
    #[doc(hidden)]
    #[must_use]
    pub fn number_of(&self, field: Field) -> u64 {
        let narrow = |value: Option<u32>| value.map(u64::from);
        let fraction = |value: Option<f64>| value.map(f64::to_bits);
        let yes = |value: Option<bool>| value.map(u64::from);
        let value = match field {
            Field::Kind => narrow(Some(self.kind.number())),
            Field::Clock => narrow(self.clock.map(Choice::number)),
            Field::Repeat => narrow(self.repeat.map(Choice::number)),
            Field::OnLimit => narrow(self.on_limit.map(Choice::number)),
            Field::WindowNs => self.window_ns,
            Field::WindowKeys => self.window_keys,
            Field::Capacity => self.capacity,
            Field::ErrorRate => fraction(self.error_rate),
            Field::MissRate => fraction(self.miss_rate),
            Field::Memory => self.memory,
            Field::MaxStepNs => self.max_step_ns,
            Field::K => narrow(self.k),
            Field::L => narrow(self.l),
            Field::MaxSlices => narrow(self.max_slices),
            Field::Fill => fraction(self.fill),
            Field::Variant => narrow(self.variant.map(Choice::number)),
            Field::FingerprintBits => narrow(self.fingerprint_bits),
            Field::SemiSort => yes(self.semi_sort),
            Field::Removable => yes(self.removable),
            Field::BlockBytes => narrow(self.block_bytes),
            Field::Chains => narrow(self.chains),
            Field::Load => fraction(self.load),
            Field::Keyed => yes(self.keyed),
            Field::Seed => self.seed,
            Field::SecretLo | Field::SecretHi => None,
            Field::AgeBits => narrow(self.age_bits),
            Field::LatenessNs => self.lateness_ns,
            Field::LeaseNs => self.lease_ns,
            Field::MaxClaims => self.max_claims,
        };
        value.unwrap_or(0)
    }

    /// Every option that was given, with its value as text; a secret is named and not shown.
    fn given(&self) -> impl Iterator<Item = (Field, Shown<'_>)> {
        let secret = self.secret.is_some().then_some(Shown::Plain(&"(secret)"));
        [
            (Field::WindowNs, plain(&self.window_ns)),
            (Field::Clock, named(&self.clock)),
            (Field::Repeat, named(&self.repeat)),
            (Field::OnLimit, named(&self.on_limit)),
            (Field::WindowKeys, plain(&self.window_keys)),
            (Field::Capacity, plain(&self.capacity)),
            (Field::ErrorRate, plain(&self.error_rate)),
            (Field::MissRate, plain(&self.miss_rate)),
            (Field::Memory, plain(&self.memory)),
            (Field::MaxStepNs, plain(&self.max_step_ns)),
            (Field::K, plain(&self.k)),
            (Field::L, plain(&self.l)),
            (Field::MaxSlices, plain(&self.max_slices)),
            (Field::Fill, plain(&self.fill)),
            (Field::Variant, named(&self.variant)),
            (Field::FingerprintBits, plain(&self.fingerprint_bits)),
            (Field::SemiSort, plain(&self.semi_sort)),
            (Field::Removable, plain(&self.removable)),
            (Field::BlockBytes, plain(&self.block_bytes)),
            (Field::Chains, plain(&self.chains)),
            (Field::Load, plain(&self.load)),
            (Field::Keyed, plain(&self.keyed)),
            (Field::Seed, plain(&self.seed)),
            (Field::SecretLo, secret),
            (Field::AgeBits, plain(&self.age_bits)),
            (Field::LatenessNs, plain(&self.lateness_ns)),
            (Field::LeaseNs, plain(&self.lease_ns)),
            (Field::MaxClaims, plain(&self.max_claims)),
        ]
        .into_iter()
        .filter_map(|(field, value)| value.map(|value| (field, value)))
    }

    /// An error unless the kind takes every option given, and each value fits its type.
    pub(crate) fn expect_taken(&self) -> Result<(), Error> {
        if let Some((field, span)) = self.too_long {
            return Err(Error::out_of_range(field, span.as_nanos(), format_args!("1 to {} ns", u64::MAX)));
        }
        match self.given().find(|(field, _)| !self.kind.takes(*field)) {
            Some((field, value)) => {
                Err(Error::conflict(field, value, format_args!("{:?} does not take this option", self.kind)))
            }
            None => Ok(()),
        }
    }

    /// An error that gives the reason if one of these options is given.
    pub(crate) fn expect_none_of(&self, refused: &[Field], why: &'static str) -> Result<(), Error> {
        match self.given().find(|(field, _)| refused.contains(field)) {
            Some((field, value)) => Err(Error::conflict(field, value, why)),
            None => Ok(()),
        }
    }

    /// An error that names the first option whose value is another one in `other`; one that was not given is 0.
    pub(crate) fn expect_same(&self, other: &Self) -> Result<(), Error> {
        if self.kind != other.kind {
            return Err(Error::differ(Field::Kind, self.kind, other.kind));
        }
        let of = |options: &Self, field| {
            options.given().find(|(given, _)| *given == field).map(|(_, value)| Text::<40>::of(value))
        };
        let differs = Field::ALL.iter().find(|&&field| of(self, field) != of(other, field));
        let shown = |value: Option<Text<40>>| value.unwrap_or_else(|| Text::of(0));
        match differs {
            Some(&field) => {
                Err(Error::differ(field, shown(of(self, field)).as_str(), shown(of(other, field)).as_str()))
            }
            None => Ok(()),
        }
    }

    /// An error if the filter is keyed by a secret that is still to be drawn.
    pub(crate) fn expect_secret_given(&self) -> Result<(), Error> {
        if self.keyed != Some(true) || self.secret.is_some() {
            return Ok(());
        }
        Err(Error::conflict(Field::SecretLo, "(none)", "required to open a file: a secret that is drawn is not in it"))
    }

    /// Whether the filter is keyed; an error if a secret is given to one that is not, or a secret of all zeros.
    pub(crate) fn is_keyed(&self) -> Result<bool, Error> {
        match (self.keyed.unwrap_or(false), self.secret.map(Secret::words)) {
            (false, Some(_)) => Err(Error::conflict(Field::SecretLo, "(secret)", "needs keyed = 1")),
            (true, Some((0, 0))) => Err(Error::conflict(Field::SecretLo, 0, "the secret must not be all zeros")),
            (keyed, _) => Ok(keyed),
        }
    }
}

/// The value of an option, to be shown.
enum Shown<'a> {
    Plain(&'a dyn fmt::Display),
    Named(&'a dyn fmt::Debug),
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plain(value) => value.fmt(f),
            Self::Named(value) => value.fmt(f),
        }
    }
}

fn plain<T: fmt::Display>(value: &Option<T>) -> Option<Shown<'_>> {
    value.as_ref().map(|value| Shown::Plain(value))
}

fn named<T: fmt::Debug>(value: &Option<T>) -> Option<Shown<'_>> {
    value.as_ref().map(|value| Shown::Named(value))
}

/// The value, if given, when it lies in `low..=high`.
pub(crate) fn within<T>(field: Field, value: Option<T>, low: T, high: T) -> Result<Option<T>, Error>
where
    T: PartialOrd + fmt::Display + Copy,
{
    match value {
        Some(v) if !(v >= low && v <= high) => {
            Err(Error::out_of_range(field, v, format_args!("{} to {high}{}", Brief(low), field.unit())))
        }
        _ => Ok(value),
    }
}

/// The most memory that can be asked for: more than any machine has, so a number above it is a mistake, such as -1.
pub(crate) const MOST_MEMORY: u64 = 1 << 56;

/// The error rate of a request for a window or a set that fixes it neither itself nor by its other options. A program that
/// drops duplicates loses that share of the new keys; a tenth of it costs a window table 3.8 bits a key.
pub(crate) const DEFAULT_ERROR_RATE: f64 = 1e-6;

/// The largest error rate that can be asked for.
const MAX_ERROR_RATE: f64 = 0.5;

impl Options {
    /// The error rate, if given, when it lies in (0, 0.5].
    pub(crate) fn checked_error_rate(&self) -> Result<Option<f64>, Error> {
        match self.error_rate {
            Some(rate) if !(rate > 0.0 && rate <= MAX_ERROR_RATE) => {
                Err(Error::out_of_range(Field::ErrorRate, rate, "above 0 and at most 0.5"))
            }
            rate => Ok(rate),
        }
    }
}

/// The kind, and what was given under its name: `window-table window_ns=600000000000`; of the secret only that it was.
impl fmt::Display for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.name())?;
        for (field, value) in self.given() {
            write!(f, " {field}={value}")?;
        }
        Ok(())
    }
}

/// Shows what was given, and of the secret only that it was.
impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {{", self.kind)?;
        for (field, value) in self.given() {
            write!(f, " {field}: {value}")?;
        }
        f.write_str(" }")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_shown_have_what_was_given_and_no_secret() {
        let options = Options::window(Duration::from_secs(1)).repeat(Repeat::KeepFirst).keyed(true);
        assert_eq!(options.to_string(), "window-table window_ns=1000000000 repeat=KeepFirst keyed=true");
        let secret = options.secret(Secret::new(0x1234_5678, 77));
        for text in [format!("{secret}"), format!("{secret:?}"), format!("{secret:#?}")] {
            assert!(text.contains("(secret)") && !text.contains("305419896") && !text.contains("77"), "{text}");
        }
        assert_eq!(Options::new(Kind::TinySet).to_string(), "tiny-set");
    }
}
