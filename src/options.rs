//! The request of a user: one for every kind, read by the plan of each.
//!
//! `None` is "not given". The C ABI's 0 becomes `None` at its edge, so an explicit 0 from Rust is a value and is
//! judged as one. Nothing is clamped: a value out of range, or of another kind, is an error that names it.

#[cfg(feature = "serde")]
use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use crate::error::Error;
use crate::field::{Field, Shape, option_table};
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

/// The request, its setters and its numbers, from the table: the kind and the secret are not as the others, which are `Option`s.
macro_rules! declare {
    ({ $(#[$about:meta])* } { $($kind:tt)* } { $($before:tt)+ } { $($secret:tt)* } { $($after:tt)+ }) => {
        declare! { [$(#[$about])*] $($before)+ $($after)+ }
    };
    ([$(#[$about:meta])*] $(
        $(#[doc = $doc:literal])+
        $number:literal $variant:ident $name:ident: $type:ident = $shape:ident $least:literal;
    )+) => {
        $(#[$about])*
        #[derive(Clone, PartialEq)]
        #[cfg_attr(feature = "serde", derive(serde::Deserialize), serde(deny_unknown_fields))]
        pub struct Options {
            pub(crate) kind: Kind,
            #[cfg_attr(feature = "serde", serde(skip))]
            pub(crate) secret: Option<Secret>,
            /// A span of time whose nanoseconds fit into no number: every plan refuses it.
            #[cfg_attr(feature = "serde", serde(skip))]
            pub(crate) too_long: Option<(Field, Duration)>,
            $(pub(crate) $name: Option<$type>),+
        }

        impl Options {
            /// A request for a filter of `kind`, without any other option.
            #[must_use]
            pub const fn new(kind: Kind) -> Self {
                Self { kind, secret: None, too_long: None, $($name: None),+ }
            }

            $(
                $(#[doc = $doc])+
                #[must_use]
                pub const fn $name(mut self, $name: $type) -> Self {
                    self.$name = Some($name);
                    if matches!(self.too_long, Some((Field::$variant, _))) {
                        self.too_long = None;
                    }
                    self
                }
            )+

            /// An option as the C ABI has it: a number, or the bits of a fraction; 0 if it is not given. A secret is not told.
            #[doc(hidden)]
            #[must_use]
            pub fn number_of(&self, field: Field) -> u64 {
                match field {
                    Field::Kind => self.kind.number().into(),
                    Field::SecretLo | Field::SecretHi => 0,
                    $(Field::$variant => self.$name.map_or(0, Value::number)),+
                }
            }

            /// Sets an option by its number, the reverse of [`Options::number_of`]; of a secret one word.
            ///
            /// # Errors
            /// No choice has this number.
            #[doc(hidden)]
            pub fn set_number(&mut self, field: Field, number: u64) -> Result<(), Error> {
                let (low, high) = self.secret.map_or((0, 0), Secret::words);
                match field {
                    Field::Kind => self.kind = kind_numbered(number)?,
                    Field::SecretLo => self.secret = secret_of(number, high),
                    Field::SecretHi => self.secret = secret_of(low, number),
                    $(Field::$variant => self.$name = given(field, number)?),+
                }
                Ok(())
            }

            /// The value of an option, if it was given; a secret is named and not shown.
            fn shown(&self, field: Field) -> Option<Shown<'_>> {
                match field {
                    Field::Kind | Field::SecretHi => None,
                    Field::SecretLo => self.secret.is_some().then_some(Shown::Plain(&"(secret)")),
                    $(Field::$variant => self.$name.as_ref().map(Value::shown)),+
                }
            }
        }
    };
}

option_table!([declare] {
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
});

fn kind_numbered(number: u64) -> Result<Kind, Error> {
    let kind = u32::try_from(number).ok().and_then(Kind::numbered);
    kind.ok_or_else(|| {
        Error::out_of_range(Field::Kind, number, format_args!("{}, one of LATELY_KIND_*", Kind::numbers()))
    })
}

/// The secret of two words; both 0 are none.
fn secret_of(low: u64, high: u64) -> Option<Secret> {
    ((low, high) != (0, 0)).then_some(Secret::new(low, high))
}

impl Options {
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

    /// The secret of a keyed filter, not all zeros; without it one is drawn from the operating system.
    #[must_use]
    pub const fn secret(mut self, secret: Secret) -> Self {
        self.secret = Some(secret);
        self
    }

    /// [`Options::max_step_ns`] as a [`Duration`].
    #[must_use]
    pub fn max_step(self, step: Duration) -> Self {
        self.span(Field::MaxStepNs, step, Self::max_step_ns)
    }

    /// [`Options::lateness_ns`] as a [`Duration`].
    #[must_use]
    pub fn lateness(self, lateness: Duration) -> Self {
        self.span(Field::LatenessNs, lateness, Self::lateness_ns)
    }

    /// [`Options::lease_ns`] as a [`Duration`].
    #[must_use]
    pub fn lease(self, lease: Duration) -> Self {
        self.span(Field::LeaseNs, lease, Self::lease_ns)
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

    /// Every option that was given, with its value, in the order of their numbers.
    fn given(&self) -> impl Iterator<Item = (Field, Shown<'_>)> {
        Field::ALL.iter().filter_map(|&field| Some((field, self.shown(field)?)))
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
        let of = |options: &Self, field| options.shown(field).map(Text::<40>::of);
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

/// What the value of an option is: a number of the C ABI, or the bits of a fraction, where 0 is "not given"; and a text.
trait Value: Copy + 'static {
    /// Its number.
    fn number(self) -> u64;

    /// The value with this number, which is not 0; an error that names the option if there is none.
    fn of(field: Field, number: u64) -> Result<Self, Error>;

    /// How a text has it.
    fn shown(&self) -> Shown<'_>;
}

impl<T: Choice + fmt::Debug> Value for T {
    fn number(self) -> u64 {
        Choice::number(self).into()
    }

    fn of(field: Field, number: u64) -> Result<Self, Error> {
        let found = T::ALL.iter().copied().find(|choice| u64::from(Choice::number(*choice)) == number);
        found.ok_or_else(|| Error::out_of_range(field, number, format_args!("0 to {}", T::ALL.len())))
    }

    fn shown(&self) -> Shown<'_> {
        Shown::Named(self)
    }
}

macro_rules! values {
    ($($type:ty, $most:expr, |$value:ident| $number:expr, |$from:ident| $of:expr;)+) => {
        $(impl Value for $type {
            fn number(self) -> u64 {
                let $value = self;
                $number
            }

            fn of(field: Field, number: u64) -> Result<Self, Error> {
                let $from = number;
                let found: Option<Self> = $of;
                found.ok_or_else(|| Error::out_of_range(field, number, format_args!("0 to {}", $most)))
            }

            fn shown(&self) -> Shown<'_> {
                Shown::Plain(self)
            }
        })+
    };
}

values! {
    u64, u64::MAX, |value| value, |number| Some(number);
    u32, u32::MAX, |value| value.into(), |number| number.try_into().ok();
    f64, f64::MAX, |value| value.to_bits(), |number| Some(f64::from_bits(number));
    bool, 1, |value| value.into(), |number| (number == 1).then_some(true);
}

/// The value of an option with this number; 0 is "not given", as a fraction too. NaN is given, and refused by name later.
fn given<T: Value>(field: Field, number: u64) -> Result<Option<T>, Error> {
    let is_zero = number == 0 || field.shape() == Shape::Rate && f64::from_bits(number) == 0.0;
    if is_zero { Ok(None) } else { T::of(field, number).map(Some) }
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
        assert_eq!(options.to_string(), "window-table repeat=KeepFirst window_ns=1000000000 keyed=true");
        let secret = options.secret(Secret::new(0x1234_5678, 77));
        for text in [format!("{secret}"), format!("{secret:?}"), format!("{secret:#?}")] {
            assert!(text.contains("(secret)") && !text.contains("305419896") && !text.contains("77"), "{text}");
        }
        assert_eq!(Options::new(Kind::TinySet).to_string(), "tiny-set");
    }
}
