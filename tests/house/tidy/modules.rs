//! Sources that no crate has: a file that no `mod` names is not compiled, and its tests and benchmarks run nowhere.

/// Folders whose files are each a crate of their own.
const CRATES: [&str; 4] = ["tests", "examples", "src/bin", "fuzz_targets"];

/// The Rust files that no crate has.
pub(crate) fn orphans(files: &[(String, String)]) -> Vec<&str> {
    let ending = |end| files.iter().filter(move |(path, _)| path.ends_with(end));
    let manifests: String = ending("Cargo.toml").map(|(_, text)| &**text).collect();
    let lonely = ending(".rs").filter(|(path, _)| {
        let (home, name) = place(path);
        let named = |text: &str| text.contains(&format!("mod {name};"));
        let pointed_at = |text: &str| text.contains("path = \"") && text.contains(&format!("{name}.rs\""));
        !is_root(home, name)
            && !manifests.contains(&format!("\"{name}\""))
            && !manifests.contains(&format!("path = \"{name}.rs\""))
            && !ending(".rs").any(|(other, text)| (other.starts_with(home) && named(text)) || pointed_at(text))
    });
    lonely.map(|(path, _)| &**path).collect()
}

/// The folder that a module is named in, and its name.
fn place(path: &str) -> (&str, &str) {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    match file.trim_end_matches(".rs") {
        "mod" => folder.rsplit_once('/').unwrap_or(("", folder)),
        name => (folder, name),
    }
}

fn is_root(home: &str, name: &str) -> bool {
    let is_crate = |end| home == end || home.ends_with(&format!("/{end}"));
    ["lib", "main", "build"].contains(&name) || CRATES.into_iter().any(is_crate)
}
