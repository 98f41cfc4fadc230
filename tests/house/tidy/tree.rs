//! The files of the repository: every text that people write, none that a tool makes.

use std::fs;
use std::path::Path;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Folders that tools fill; `build*` and `mutants.out*` too.
const MADE: [&str; 4] = [".git", "target", "artifacts", "corpus"];

/// One file of the repository.
pub(crate) fn text(path: &str) -> String {
    fs::read_to_string(Path::new(ROOT).join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Every file that is UTF-8, with its path relative to the repository, `/` between its parts.
pub(crate) fn sources() -> Vec<(String, String)> {
    let mut found = Vec::new();
    collect(Path::new(ROOT), "", &mut found);
    found.sort();
    found
}

fn collect(folder: &Path, prefix: &str, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.expect("an entry of a folder that can be read").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && !is_made(&name) {
            collect(&path, &format!("{prefix}{name}/"), found);
        } else if path.is_file() && name != ".git" {
            found.extend(fs::read_to_string(&path).ok().map(|text| (format!("{prefix}{name}"), text)));
        }
    }
}

fn is_made(folder: &str) -> bool {
    MADE.contains(&folder) || folder.starts_with("build") || folder.starts_with("mutants.out")
}
