//! `licences ROOT PACKAGE TARGET ..`: the licences of the crates that are linked into a package, on any of the targets: each crate
//! with its copyright notices, then each text once. Two texts are one if they differ in notices, line breaks and the s of https, or if one is a part
//! of the other, as a licence without its heading or appendix is.

use std::fs;
use std::path::Path;

use packaging::{Crates, Shipped, add_shipped};

fn main() -> Result<(), String> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [root, package, targets @ ..] = args.as_slice() else {
        return Err("ROOT PACKAGE TARGET ..".to_owned());
    };
    let mut crates = Crates::new();
    for target in targets {
        add_shipped(&mut crates, Path::new(root), &[package], target)?;
    }
    let mut page = Page { text: heading(package), quotes: Vec::new() };
    for shipped in crates.values().filter(|shipped| !shipped.ours) {
        page.add(shipped, &crates)?;
    }
    print!("{}", page.finish());
    Ok(())
}

fn heading(package: &str) -> String {
    format!(
        "What is linked into {package} and was written by others, with the copyright notices and the terms of each.\n\
         Rust's own standard library is part of it too: MIT OR Apache-2.0, the texts of which are next to this file.\n"
    )
}

struct Page {
    text: String,
    quotes: Vec<Quote>,
}

/// A text without its notices, and the files that have it.
struct Quote {
    text: String,
    words: String,
    of: Vec<String>,
}

impl Page {
    fn add(&mut self, shipped: &Shipped, all: &Crates) -> Result<(), String> {
        let name = format!("{} {}", shipped.name, shipped.version);
        self.text += &format!("\n{name}: {}\n{}\n", shipped.licence, shipped.repository);
        let files = texts_of(shipped, all)?;
        if shipped.licence.is_empty() || files.is_empty() {
            return Err(format!("{name} ({}) has no text of a licence in its sources", shipped.licence));
        }
        let mut notices: Vec<&str> = files.iter().flat_map(|(_, text)| text.lines().filter(is_notice)).collect();
        notices.dedup();
        for notice in notices {
            self.text += &format!("{}\n", notice.trim());
        }
        for (file, text) in &files {
            self.quote(format!("{file} of {name}"), text);
        }
        Ok(())
    }

    fn quote(&mut self, title: String, text: &str) {
        let text = text.lines().filter(|line| !is_notice(line)).collect::<Vec<_>>().join("\n");
        let text = text.trim_matches('\n').trim_end();
        // The place for a notice in an appendix is no difference.
        let said = text.lines().filter(|line| !line.trim().starts_with("Copyright ["));
        let words = said.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ").replace("https://", "http://");
        let (text, of) = (text.to_owned(), vec![title]);
        self.quotes.push(Quote { text, words, of });
    }

    /// The crates, then the texts, of which the longest comes first.
    fn finish(mut self) -> String {
        self.quotes.sort_by_key(|quote| std::cmp::Reverse(quote.words.len()));
        let mut texts: Vec<Quote> = Vec::new();
        for quote in self.quotes {
            match texts.iter_mut().find(|text| text.words.contains(&quote.words)) {
                Some(text) => text.of.extend(quote.of),
                None => texts.push(quote),
            }
        }
        let line = "=".repeat(80);
        for Quote { text, of, .. } in texts {
            self.text += &format!("\n{line}\n{}:\n{line}\n\n{text}\n", of.join("\n"));
        }
        self.text
    }
}

/// A line that names who holds the copyright.
fn is_notice(line: &&str) -> bool {
    let line = line.trim();
    line.starts_with("Copyright ") && !line.starts_with("Copyright [")
}

/// The texts in a crate; where there are none, those in a crate of the same sources and the same licence.
fn texts_of(shipped: &Shipped, all: &Crates) -> Result<Vec<(String, String)>, String> {
    let own = texts(&shipped.folder)?;
    if !own.is_empty() || shipped.repository.is_empty() {
        return Ok(own);
    }
    let kin = all.values().find(|other| {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn page(texts: &[&str]) -> String {
        let mut page = Page { text: String::new(), quotes: Vec::new() };
        for (i, text) in texts.iter().enumerate() {
            page.quote(format!("LICENSE of {i}"), text);
        }
        page.finish()
    }

    #[test]
    fn texts_that_differ_in_notices_and_breaks_are_quoted_once() {
        let text = page(&[
            "Copyright 2020 A\n\nYou may\nuse it.\n",
            "The Licence\n\n  You may use\n  it.\n\n  Copyright [yyyy]\n",
        ]);
        assert_eq!(text.matches("You may").count(), 1, "{text}");
        assert!(text.contains("LICENSE of 1\nLICENSE of 0:"), "{text}");
    }

    #[test]
    fn texts_with_another_word_are_quoted_both() {
        let text = page(&["You may use it.\n", "You may not use it.\n"]);
        assert_eq!(text.matches("You may").count(), 2, "{text}");
    }
}
