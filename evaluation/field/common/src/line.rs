//! What a driver prints: one JSON line per rival, run and documented figure. Every language prints these fields.

use serde::{Deserialize, Serialize};

/// A rival that a driver has.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Listed {
    /// Its name in commands and tables.
    pub rival: String,
    /// Its package and version.
    pub version: String,
    /// The language that calls it.
    pub language: String,
    /// The names of the workloads that it can do.
    pub workloads: Vec<String>,
    /// The rival whose time is 1 for it: lately in the same language.
    pub base: String,
    /// The promised chance that a new key is called a duplicate; none if nothing is promised.
    pub error: Option<f64>,
    /// Whether it may call a key of the window new, by its own design.
    pub misses: bool,
    /// How its bytes are measured.
    pub bytes: String,
    /// What it is and how it was set up.
    pub what: String,
}

/// A run of one rival on one workload.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ran {
    /// Which rival.
    pub rival: String,
    /// Its package and version.
    pub version: String,
    /// Which workload.
    pub workload: String,
    /// From which seed.
    pub seed: u64,
    /// The digest of its stream.
    pub stream: String,
    /// Records that were timed and counted.
    pub keys: u64,
    /// Processor time of these records.
    pub cpu_ns: u64,
    /// The most bytes that it had; none if that cannot be measured.
    pub peak_bytes: Option<u64>,
    /// The bytes that it had at the end; none if that cannot be measured.
    pub settled_bytes: Option<u64>,
    /// New keys that it called duplicates.
    #[serde(rename = "false")]
    pub wrong: u64,
    /// Repeats within the window that it called new.
    pub missed: u64,
    /// `none`, `manual` or `real`.
    pub clock: String,
    /// How late a record of a real clock was at most.
    pub late_ns: u64,
}

/// How a measured figure compares with the documented one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Law {
    /// Equal.
    #[serde(rename = "exactly")]
    Exactly,
    /// Not further apart than the slack.
    #[serde(rename = "about")]
    About,
    /// Not above it by more than the slack.
    #[serde(rename = "at most")]
    AtMost,
    /// Not below it by more than the slack.
    #[serde(rename = "at least")]
    AtLeast,
}

/// A figure that a rival's own documentation gives.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Documented {
    /// Which rival.
    pub rival: String,
    /// Which figure.
    pub what: String,
    /// In which unit.
    pub unit: String,
    /// The documented figure.
    pub documented: f64,
    /// The measured figure.
    pub measured: f64,
    /// How they compare.
    pub law: Law,
    /// How far apart they may be.
    pub slack: f64,
    /// Where it is documented.
    pub source: String,
}

impl Documented {
    /// Whether the rival has the figure that it documents.
    #[must_use]
    pub fn is_met(&self) -> bool {
        let over = self.measured - self.documented;
        match self.law {
            Law::Exactly => over == 0.0,
            Law::About => over.abs() <= self.slack,
            Law::AtMost => over <= self.slack,
            Law::AtLeast => over >= -self.slack,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RAN: &str = r#"{"rival":"a","version":"a 1","workload":"last-2000","seed":1,"stream":"00","keys":2,"cpu_ns":3,"peak_bytes":null,"settled_bytes":4,"false":5,"missed":6,"clock":"none","late_ns":0}"#;

    #[test]
    fn run_line_comes_back_as_it_was() {
        let ran: Ran = serde_json::from_str(RAN).expect("a line");
        assert_eq!((ran.wrong, ran.missed, ran.peak_bytes), (5, 6, None));
        assert_eq!(serde_json::to_string(&ran).expect("a line"), RAN);
    }

    #[test]
    fn run_line_with_another_field_is_an_error_that_names_it() {
        let odd = RAN.replace("\"missed\"", "\"mist\"");
        assert!(serde_json::from_str::<Ran>(&odd).expect_err("unknown").to_string().contains("mist"));
        let without = RAN.replace("\"keys\":2,", "");
        assert!(serde_json::from_str::<Ran>(&without).expect_err("missing").to_string().contains("keys"));
    }

    #[test]
    fn documented_figure_is_met_by_its_law() {
        let met = |law, measured| {
            let (documented, slack) = (10.0, 1.0);
            let [rival, what, unit, source] = [const { String::new() }; 4];
            Documented { rival, what, unit, documented, measured, law, slack, source }.is_met()
        };
        assert!(met(Law::Exactly, 10.0) && !met(Law::Exactly, 10.5));
        assert!(met(Law::About, 9.0) && !met(Law::About, 11.5));
        assert!(met(Law::AtMost, 0.0) && !met(Law::AtMost, 11.5));
        assert!(met(Law::AtLeast, 99.0) && !met(Law::AtLeast, 8.5));
    }
}
