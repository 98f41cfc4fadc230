//! The promises of `tests/promises.txt`: read, and written as the page for readers and the page for auditors.

use std::fmt::Write;

/// A heading, with the promises below it.
pub(crate) struct Section<'a> {
    pub(crate) title: &'a str,
    pub(crate) promises: Vec<Promise<'a>>,
}

/// What is promised, its tests as `file::function`, what they try and what they leave out.
#[derive(Default)]
pub(crate) struct Promise<'a> {
    pub(crate) sentence: &'a str,
    pub(crate) tests: Vec<&'a str>,
    pub(crate) tried: &'a str,
    pub(crate) not_tried: &'a str,
}

/// Reads the file. A line that is none of its five forms is an error, so that no promise gets lost.
pub(crate) fn read(text: &str) -> Result<Vec<Section<'_>>, String> {
    let mut sections: Vec<Section<'_>> = Vec::new();
    for (n, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.is_empty() && !line.starts_with("# ")) {
        let misplaced = || format!("line {n}: {line:?} is misplaced");
        if let Some(title) = line.strip_prefix("## ") {
            sections.push(Section { title, promises: Vec::new() });
            continue;
        }
        let promises = &mut sections.last_mut().ok_or_else(misplaced)?.promises;
        let (name, value) = line.split_once(": ").ok_or_else(misplaced)?;
        if name == "promise" {
            promises.push(Promise { sentence: value, ..Promise::default() });
            continue;
        }
        let promise = promises.last_mut().ok_or_else(misplaced)?;
        match name {
            "test" => promise.tests.push(value),
            "tried" => promise.tried = value,
            "not tried" => promise.not_tried = value,
            _ => return Err(misplaced()),
        }
    }
    Ok(sections)
}

/// The promises as a list of sentences, each with links to its tests; `root` leads from the page to the repository.
pub(crate) fn page(sections: &[Section<'_>], root: &str) -> String {
    let mut page = String::new();
    for section in sections {
        let _ = write!(page, "\n## {}\n\n", section.title);
        for promise in &section.promises {
            let links: Vec<String> = promise.tests.iter().map(|test| link(test, root)).collect();
            let _ = writeln!(page, "- {}\n  *Tests:* {}", promise.sentence, links.join(", "));
        }
    }
    page
}

/// The same for auditors: below each promise its tests, file by file, what they try and what they leave out.
pub(crate) fn audit(sections: &[Section<'_>], root: &str) -> String {
    let mut page = String::new();
    for section in sections {
        let _ = write!(page, "\n## {}\n", section.title);
        for promise in &section.promises {
            let (tests, tried, not_tried) = (by_file(&promise.tests, root), promise.tried, promise.not_tried);
            let _ = write!(page, "\n**{}**\n\n{tests}- *Tried:* {tried}\n", promise.sentence);
            let _ = writeln!(page, "- *Not tried:* {not_tried}");
        }
    }
    page
}

/// One line for each file, in the order of the promise, with the names that a reader searches for.
fn by_file(tests: &[&str], root: &str) -> String {
    let mut files: Vec<(&str, Vec<String>)> = Vec::new();
    for test in tests {
        let (file, function) = parts(test);
        let name = format!("`{function}`");
        match files.iter_mut().find(|(known, _)| *known == file) {
            Some((_, names)) => names.push(name),
            None => files.push((file, vec![name])),
        }
    }
    let line = |(file, names): &(&str, Vec<String>)| format!("- [{file}]({root}{file}): {}\n", names.join(", "));
    files.iter().map(line).collect()
}

fn link(test: &str, root: &str) -> String {
    let (file, function) = parts(test);
    format!("[`{function}`]({root}{file})")
}

fn parts(test: &str) -> (&str, &str) {
    test.split_once("::").unwrap_or((test, test))
}
