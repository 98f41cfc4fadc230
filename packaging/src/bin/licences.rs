//! `licences ROOT PACKAGE TARGET ..`: the licences of the crates that are linked into a package, on any of the targets, each text once.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use packaging::{Shipped, shipped};

fn main() -> ExitCode {
    match run(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Ok(text) => print!("{text}"),
        Err(why) => {
            eprintln!("licences: {why}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn run(args: &[String]) -> Result<String, String> {
    let [root, package, targets @ ..] = args else {
        return Err("ROOT PACKAGE TARGET ..".to_owned());
    };
    let mut crates = Vec::new();
    for target in targets {
        crates.extend(shipped(Path::new(root), package, target)?);
    }
    crates.sort_by(|one, other| (&one.name, &one.version).cmp(&(&other.name, &other.version)));
    crates.dedup_by(|one, other| (&one.name, &one.version) == (&other.name, &other.version));
    let mut page = Page { text: heading(package), seen: HashMap::new() };
    for shipped in crates.iter().filter(|shipped| !shipped.ours) {
        page.add(shipped, &crates)?;
    }
    Ok(page.text)
}

fn heading(package: &str) -> String {
    format!(
        "What is linked into {package} and was written by others, with the terms of each.\n\
         Rust's own standard library is part of it too: MIT OR Apache-2.0, the texts of which are next to this file.\n"
    )
}

struct Page {
    text: String,
    /// A text, and where it is already.
    seen: HashMap<String, String>,
}

impl Page {
    fn add(&mut self, shipped: &Shipped, all: &[Shipped]) -> Result<(), String> {
        let name = format!("{} {}", shipped.name, shipped.version);
        let line = "=".repeat(80);
        self.text += &format!("\n{line}\n{name}: {}\n{}\n{line}\n", shipped.licence, shipped.repository);
        let files = texts_of(shipped, all)?;
        if shipped.licence.is_empty() || files.is_empty() {
            return Err(format!("{name} ({}) has no text of a licence in its sources", shipped.licence));
        }
        for (file, text) in files {
            self.quote(&format!("{file} of {name}"), text);
        }
        Ok(())
    }

    fn quote(&mut self, title: &str, text: String) {
        match self.seen.get(&text) {
            Some(first) => self.text += &format!("\n--- {title}: the same as {first}\n"),
            None => {
                self.text += &format!("\n--- {title}:\n\n{}\n", text.trim_end());
                self.seen.insert(text, title.to_owned());
            }
        }
    }
}

/// The texts in a crate; where there are none, those in a crate of the same sources and the same licence.
fn texts_of(shipped: &Shipped, all: &[Shipped]) -> Result<Vec<(String, String)>, String> {
    let own = texts(&shipped.folder)?;
    if !own.is_empty() || shipped.repository.is_empty() {
        return Ok(own);
    }
    let kin = all.iter().find(|other| {
        let same = other.repository == shipped.repository && other.licence == shipped.licence;
        same && texts(&other.folder).is_ok_and(|found| !found.is_empty())
    });
    kin.map_or(Ok(own), |kin| texts(&kin.folder))
}

/// The files of a crate that are licences by their names, sorted.
fn texts(folder: &Path) -> Result<Vec<(String, String)>, String> {
    let failed = |error| format!("{}: {error}", folder.display());
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if is_licence(&name) && entry.path().is_file() {
            found.push((name, fs::read_to_string(entry.path()).map_err(failed)?));
        }
    }
    found.sort();
    Ok(found)
}

fn is_licence(file: &str) -> bool {
    let name = file.to_uppercase();
    ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE"].iter().any(|word| name.starts_with(word))
}
