//! An axis of a picture: its ends, close to what is shown, and its ticks.

use crate::num;
use crate::outcome::Axis;

/// An axis; on a logarithmic one `low` and `high` are powers of ten.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Scale {
    log: bool,
    low: f64,
    high: f64,
}

/// A tick: its share of the axis, and its number.
pub(crate) type Tick = (f64, String);

/// The most ticks with numbers.
const TICKS: f64 = 7.0;

impl Scale {
    /// With a little room on both sides of the values.
    pub(crate) fn of(axis: &Axis, values: impl Iterator<Item = f64>) -> Self {
        let values = values.map(|value| on(axis.log, value)).filter(|value| value.is_finite());
        let (low, high) = values.fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)));
        if low > high {
            return Self { log: axis.log, low: 0.0, high: 1.0 };
        }
        let room = if axis.log {
            (0.03 * (high - low)).max(0.02)
        } else {
            (0.03 * (high - low)).max(1e-9 + 1e-3 * high.abs())
        };
        let from_zero = !axis.log && low >= 0.0 && low < (0.15 * high).max(room);
        Self { log: axis.log, low: if from_zero { 0.0 } else { low - room }, high: high + room }
    }

    /// Where a value is, from 0 to 1 if it is on the axis; none if a logarithm cannot show it.
    pub(crate) fn share(&self, value: f64) -> Option<f64> {
        let share = (on(self.log, value) - self.low) / (self.high - self.low);
        share.is_finite().then_some(share)
    }

    /// How much of another axis this one covers.
    pub(crate) fn part_of(&self, other: &Self) -> f64 {
        (self.high - self.low) / (other.high - other.low)
    }

    pub(crate) fn ticks(&self) -> Vec<Tick> {
        let values = if self.log { self.powers() } else { steps(self.low, self.high) };
        let tick = |value: f64| {
            self.share(value).filter(|share| (0.0..=1.0).contains(share)).map(|share| (share, number(value)))
        };
        values.into_iter().filter_map(tick).collect()
    }

    /// Powers of ten; with 2 and 5 times them, or even steps, if there are fewer than two.
    fn powers(&self) -> Vec<f64> {
        let (first, last) = (self.low.ceil(), self.high.floor());
        if last - first >= 1.0 {
            let step = ((last - first + 1.0) / TICKS).ceil();
            return (0..=num::floor((last - first) / step)).map(|i| 10f64.powf(first + step * num::real(i))).collect();
        }
        let fine: Vec<f64> = [first - 1.0, first, first + 1.0]
            .into_iter()
            .flat_map(|power| [1.0, 2.0, 5.0].map(|n| n * 10f64.powf(power)))
            .filter(|value| (self.low..=self.high).contains(&value.log10()))
            .collect();
        if fine.len() > 2 { fine } else { steps(10f64.powf(self.low), 10f64.powf(self.high)) }
    }
}

fn on(log: bool, value: f64) -> f64 {
    if log { value.log10() } else { value }
}

/// Multiples of 1, 2 or 5 times a power of ten.
fn steps(low: f64, high: f64) -> Vec<f64> {
    let raw = (high - low) / TICKS;
    let power = 10f64.powf(raw.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|n| n * power).into_iter().find(|step| *step >= raw).unwrap_or(raw);
    let first = (low / step).ceil();
    (0..=num::floor(((high / step).floor() - first).max(0.0))).map(|i| step * (first + num::real(i))).collect()
}

/// A number without digits that say nothing.
fn number(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        size if !(1e-3..1e5).contains(&size) => format!("{value:.1e}").replace(".0e", "e"),
        _ => format!("{}", (value * 1e6).round() / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(axis: &Axis, values: &[f64]) -> Vec<String> {
        Scale::of(axis, values.iter().copied()).ticks().into_iter().map(|tick| tick.1).collect()
    }

    #[test]
    fn ticks_are_round_numbers() {
        assert_eq!(numbers(&Axis::linear("x"), &[0.0, 300.0]), ["0", "50", "100", "150", "200", "250", "300"]);
        assert_eq!(numbers(&Axis::linear("x"), &[9.0, 11.0]), ["9", "9.5", "10", "10.5", "11"]);
        assert_eq!(numbers(&Axis::log("x"), &[1e-4, 0.1]), ["1e-4", "0.001", "0.01", "0.1"]);
        assert_eq!(numbers(&Axis::log("x"), &[12.0, 80.0]), ["20", "40", "60", "80"]);
        assert_eq!(numbers(&Axis::log("x"), &[12.0, 15.0]), ["12", "13", "14", "15"]);
    }

    #[test]
    fn axis_begins_where_its_values_do() {
        let scale = Scale::of(&Axis::linear("x"), [1.0, 300.0].into_iter());
        assert_eq!(scale.share(0.0), Some(0.0));
        assert!(
            Scale::of(&Axis::linear("x"), [200.0, 300.0].into_iter()).share(200.0).is_some_and(|share| share < 0.05)
        );
        assert_eq!(Scale::of(&Axis::log("x"), [1.0, 10.0].into_iter()).share(0.0), None);
        assert_eq!(Scale::of(&Axis::log("x"), [0.0, f64::NAN].into_iter()).share(1.0), Some(0.0));
    }
}
