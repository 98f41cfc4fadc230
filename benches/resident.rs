//! Resident bytes of one way of remembering, from a process of its own: what both tables of memory show.

use std::process::Command;

/// The argument that makes a process measure one way of remembering.
pub(crate) const CHILD: &str = "--resident";

/// Resident bytes per key in the way of this name, as text.
pub(crate) fn measured(name: &str, keys: u64) -> String {
    let program = std::env::current_exe().expect("the path of this program");
    let output = Command::new(program).args([CHILD, name, &keys.to_string()]).output().expect("a second process");
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    let gained = String::from_utf8_lossy(&output.stdout).trim().parse::<f64>();
    let keys = f64::from(u32::try_from(keys).expect("a number of keys that fit into memory"));
    gained.map_or_else(|_| "not measured".to_owned(), |bytes| format!("{:.1}", bytes / keys))
}
