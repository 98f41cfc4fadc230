//! The machine that times are of, and the day on which they were taken.

use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::num;

/// When and where times were taken: the date and the hour in UTC, and the processor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Day {
    /// As 2026-11-25.
    pub(crate) date: String,
    pub(crate) hour: u64,
    pub(crate) processor: String,
}

impl Day {
    pub(crate) fn now() -> Self {
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        Self { date: date(seconds / 86400), hour: seconds / 3600 % 24, processor: processor() }
    }

    /// Whether this is another day, at another hour: what one day's neighbours do to times is then not in both.
    pub(crate) fn is_apart_from(&self, other: &Self) -> bool {
        self.date != other.date && self.hour != other.hour
    }
}

impl std::fmt::Display for Day {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}, {:02} h UTC, {}", self.date, self.hour, self.processor)
    }
}

/// The date of a day after 1970-01-01.
fn date(mut day: u64) -> String {
    let is_leap = |year: u64| (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    let mut year = 1970;
    while day >= 365 + u64::from(is_leap(year)) {
        day -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let months = [31, 28 + u64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while day >= months[month] {
        day -= months[month];
        month += 1;
    }
    format!("{year}-{:02}-{:02}", num::wide(month) + 1, day + 1)
}

/// The processor by name and model, as the system reports it.
pub(crate) fn processor() -> String {
    named(&std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default())
}

/// A virtual machine may hide the name, so family, model and stepping are part of it.
fn named(all: &str) -> String {
    let field = |name: &str| {
        let value = |line: &str| {
            line.split_once(':').filter(|(key, _)| key.trim() == name).map(|(_, value)| value.trim().to_owned())
        };
        all.lines().find_map(value)
    };
    let name = field("model name").unwrap_or_else(|| "An unnamed processor".to_owned());
    match (field("cpu family"), field("model"), field("stepping")) {
        (Some(family), Some(model), Some(stepping)) => {
            format!("{name} (family {family}, model {model}, stepping {stepping})")
        }
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processor_has_name_and_model() {
        let chip =
            "processor\t: 0\ncpu family\t: 25\nmodel\t\t: 17\nmodel name\t: A chip\nstepping\t: 1\nmodel name\t: B\n";
        assert_eq!(named(chip), "A chip (family 25, model 17, stepping 1)");
        assert_eq!(named("model name: A chip\n"), "A chip");
        assert_eq!(named("Hardware : x"), "An unnamed processor");
        assert!(!processor().is_empty());
    }

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(
            [0, 58, 59, 789, 20_782].map(date),
            ["1970-01-01", "1970-02-28", "1970-03-01", "1972-02-29", "2026-11-25"]
        );
        assert_eq!(date(11_016), "2000-02-29");
    }

    #[test]
    fn another_day_has_another_date_and_another_hour() {
        let day = |date: &str, hour| Day { date: date.to_owned(), hour, processor: String::new() };
        let first = day("2026-11-22", 23);
        assert!(first.is_apart_from(&day("2026-11-23", 9)));
        assert!(!first.is_apart_from(&day("2026-11-22", 9)) && !first.is_apart_from(&day("2026-11-23", 23)));
    }
}
