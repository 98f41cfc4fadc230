//! The packages of others, one file each.

mod cuckoo_clock;
mod dedupe_cache;
mod deduper;
mod expiring_atomic;
mod moka;

use lately_field::rival::{Entry, REAL, SIMPLE};

/// All rivals of this program.
pub(crate) fn all() -> Vec<Entry> {
    let packages = [
        moka::ENTRY,
        dedupe_cache::ENTRY,
        deduper::ENTRY,
        cuckoo_clock::ENTRY,
        expiring_atomic::ENTRY,
        expiring_atomic::UNIQUE,
    ];
    SIMPLE.into_iter().chain(REAL).chain(packages).collect()
}

/// The lock file that this program is built from.
const LOCK: &str = include_str!("../../Cargo.lock");

/// A package and its version.
fn version_of(package: &str) -> String {
    let entry = LOCK.split_once(&format!("name = \"{package}\"\nversion = \""));
    let version = entry.and_then(|(_, rest)| rest.split('"').next()).unwrap_or("of no known version");
    format!("{package} {version}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_those_of_the_lock_file() {
        assert!(all().iter().all(|entry| !(entry.version)().contains("no known")));
        assert_eq!(version_of("no such package"), "no such package of no known version");
    }

    #[test]
    fn every_rival_has_a_name_and_a_base_of_the_list() {
        let names: Vec<&str> = all().iter().map(|entry| entry.name).collect();
        assert!(all().iter().all(|entry| names.contains(&entry.base)));
        assert!(names.iter().all(|name| names.iter().filter(|other| *other == name).count() == 1));
    }
}
