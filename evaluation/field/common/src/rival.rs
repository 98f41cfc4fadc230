//! What a rival is, and the list of those that need no package.

use crate::line::{Documented, Listed};
use crate::simple;
use crate::stream::{Key, WORKLOADS, Workload};

/// Says whether it has seen a key, and remembers it by its own rules.
pub trait Rival {
    /// Whether `key`, at `tick`, is called a duplicate; then it is remembered. The tick is that of [`Workload::tick`]; a rival that
    /// reads the clock itself ignores it.
    fn observe(&mut self, key: &Key, tick: u64) -> bool;
}

/// A rival of the list: what it is, and how it is made.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// Its name in commands and tables.
    pub name: &'static str,
    /// Its package and version.
    pub version: fn() -> String,
    /// The rival whose time is 1 for it.
    pub base: &'static str,
    /// The promised chance that a new key is called a duplicate.
    pub error: Option<f64>,
    /// Whether it may call a key of the window new, by its own design.
    pub misses: bool,
    /// Whether it reads the clock of the system.
    pub is_real: bool,
    /// What it is and how it was set up.
    pub what: &'static str,
    /// Whether it can do a workload.
    pub takes: fn(&Workload) -> bool,
    /// A fresh one for a workload.
    pub build: fn(&Workload) -> Box<dyn Rival>,
    /// Its documented figures, measured.
    pub documented: fn() -> Vec<Documented>,
}

impl Entry {
    /// Its line of the list.
    #[must_use]
    pub fn listed(&self) -> Listed {
        let workloads = WORKLOADS.iter().filter(|workload| (self.takes)(workload));
        Listed {
            rival: self.name.to_owned(),
            version: (self.version)(),
            language: "Rust".to_owned(),
            workloads: workloads.map(|workload| workload.name.to_owned()).collect(),
            base: self.base.to_owned(),
            error: self.error,
            misses: self.misses,
            bytes: "requested of the allocator".to_owned(),
            what: self.what.to_owned(),
        }
    }
}

/// Those that need no package.
pub const SIMPLE: [Entry; 5] = simple::ENTRIES;

/// Lately with the clock of the system.
pub const REAL: [Entry; 2] = simple::REAL;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_base_is_in_the_list() {
        for entry in SIMPLE.iter().chain(&REAL) {
            assert!(SIMPLE.iter().chain(&REAL).any(|other| other.name == entry.base), "{}", entry.name);
        }
    }
}
