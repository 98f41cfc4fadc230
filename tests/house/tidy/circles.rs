//! Files that name each other in a circle: neither can be read, or changed, alone.

use std::collections::{BTreeMap, BTreeSet};

use super::source::{code, crate_paths, without_tests};
use super::table::module_of_file;

/// Folders of sources whose files must not name each other in a circle.
pub(crate) const ROOTS: [&str; 8] = [
    "src/",
    "capi/src/",
    "cli/src/",
    "bindings/python/src/",
    "engines/valkey/module/src/",
    "engines/valkey/commands/src/",
    "packaging/src/",
    "evaluation/src/",
];

/// Below a module, its files and folders; of each those that it names.
type Names = BTreeMap<String, BTreeSet<String>>;

/// Circles among the files and folders of one folder, each as one line. A folder counts as one file.
pub(crate) fn circles(files: &[(String, String)]) -> Vec<String> {
    ROOTS.iter().flat_map(|root| circles_below(root, files)).collect()
}

fn circles_below(root: &str, files: &[(String, String)]) -> Vec<String> {
    let mut folders: BTreeMap<Vec<String>, Names> = BTreeMap::new();
    let modules = files.iter().filter_map(|(path, text)| Some((module_below(root, path)?, text)));
    let tests: BTreeSet<Vec<String>> = modules.clone().flat_map(|(module, text)| test_modules(&module, text)).collect();
    for (module, text) in modules.filter(|(module, _)| !tests.contains(module)) {
        for (_, named) in crate_paths(&without_tests(&code(text)), &module) {
            note(&mut folders, &module, &named);
        }
    }
    let found = folders.iter().flat_map(|(folder, names)| {
        circle(names).map(|circle| format!("{root}{}: {}", folder.join("/"), circle.join(" -> ")))
    });
    found.collect()
}

/// The module of a file below this root.
fn module_below(root: &str, path: &str) -> Option<Vec<String>> {
    let below = path.strip_prefix(root)?.strip_suffix(".rs")?;
    (!["lib", "main"].contains(&below)).then(|| module_of_file(&format!("src/{below}.rs")))
}

/// The modules of files that only tests compile: `#[cfg(test)] mod name;` in the file of their folder.
fn test_modules(module: &[String], text: &str) -> Vec<Vec<String>> {
    let names = text.split("#[cfg(test)]").skip(1).filter_map(|rest| rest.trim_start().strip_prefix("mod "));
    let names = names.filter_map(|rest| rest.split_once(';')).filter(|(name, _)| !name.contains('{'));
    names.map(|(name, _)| [module, &[String::from(name)]].concat()).collect()
}

/// Both lie in the folder where their paths part: there one names the other.
fn note(folders: &mut BTreeMap<Vec<String>, Names>, module: &[String], named: &[String]) {
    let is_module = |name: &&String| name.starts_with(|c: char| c.is_lowercase());
    let named: Vec<&String> = named.iter().take_while(is_module).collect();
    let common = module.iter().zip(&named).take_while(|(a, b)| a == *b).count();
    if let (Some(from), Some(to)) = (module.get(common), named.get(common)) {
        let names = folders.entry(module[..common].to_vec()).or_default();
        names.entry(from.clone()).or_default().insert((*to).clone());
    }
}

/// The first circle: what has no names is taken away until nothing changes; what is left has one.
fn circle(names: &Names) -> Option<Vec<String>> {
    let mut left = names.clone();
    loop {
        let before = left.len();
        let known: BTreeSet<String> = left.keys().cloned().collect();
        left.retain(|_, named| named.iter().any(|name| known.contains(name)));
        if left.len() == before {
            break;
        }
    }
    let mut path = vec![left.keys().next()?.clone()];
    loop {
        let next = left[path.last()?].iter().find(|name| left.contains_key(*name))?.clone();
        if let Some(first) = path.iter().position(|name| *name == next) {
            path.push(next);
            return Some(path.split_off(first));
        }
        path.push(next);
    }
}

#[test]
fn a_circle_is_found_and_a_chain_is_none() {
    let file = |path: &str, text: &str| (String::from(path), String::from(text));
    let chain = [file("src/a.rs", "use super::b::B;"), file("src/b.rs", "use crate::c::{C, D};"), file("src/c.rs", "")];
    assert!(circles(&chain).is_empty());
    let closed = [&chain[..2], &[file("src/c.rs", "fn f() { crate::a::g() }")]].concat();
    assert_eq!(circles(&closed), ["src/: a -> b -> c -> a"]);
    let in_tests = [&chain[..2], &[file("src/c.rs", "#[cfg(test)]\nmod tests { use crate::a::A; }")]].concat();
    assert!(circles(&in_tests).is_empty());
    let of_tests = [file("src/x/mod.rs", "#[cfg(test)]\nmod q;\nmod p;"), file("src/x/q.rs", "use super::p::P;")];
    assert!(circles(&[&of_tests[..], &[file("src/x/p.rs", "use super::q::Q;")]].concat()).is_empty());
    let folders = [file("src/x/p.rs", "use super::q::Q;"), file("src/x/q.rs", "use super::p::P;")];
    assert_eq!(circles(&folders), ["src/x: p -> q -> p"]);
    let above = [file("src/x/p.rs", "use crate::y;"), file("src/y.rs", "use crate::x::p::P;")];
    assert_eq!(circles(&above), ["src/: x -> y -> x"]);
}
