//! The files of the repository: every text that people write, none that a tool makes.

use std::fs;
use std::path::{Path, PathBuf};

pub(crate) const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Folders that tools fill; `build*` and `mutants.out*` too.
const MADE: [&str; 4] = [".git", "target", "artifacts", "corpus"];

pub(crate) fn path(name: &str) -> PathBuf {
    Path::new(ROOT).join(name)
}

/// One file of the repository.
pub(crate) fn text(name: &str) -> String {
    fs::read_to_string(path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// What is in a folder, in order.
pub(crate) fn entries(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(path(folder)).expect("a folder of the tree");
    let names = entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
    let mut paths: Vec<String> =
        names.map(|name| if folder.is_empty() { name } else { format!("{folder}/{name}") }).collect();
    paths.sort();
    paths
}

pub(crate) fn pages_in(folder: &str) -> Vec<String> {
    entries(folder).into_iter().filter(|path| path.ends_with(".md")).collect()
}

/// The pages of a folder and of every folder in it.
pub(crate) fn pages_below(folder: &str) -> Vec<String> {
    let folders = entries(folder).into_iter().filter(|name| path(name).is_dir());
    pages_in(folder).into_iter().chain(folders.flat_map(|folder| pages_below(&folder))).collect()
}

/// A path relative to a page, from the root of the tree.
pub(crate) fn joined(page: &str, file: &str) -> String {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in file.split('/') {
        if part == ".." {
            parts.pop();
        } else if part != "." {
            parts.push(part);
        }
    }
    parts.join("/")
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
