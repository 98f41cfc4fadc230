//! The promises of `docs/reference/promises.md`, four lines each:
//!
//! ```text
//! - **What is promised.**
//!   *Tests:* [file](../../file): `function`, `function`; [file](../../file): `function`
//!   *Tried:* what they try
//!   *Not tried:* what they leave out
//! ```

/// What is promised, its tests as (file, function), what they try and what they leave out.
#[derive(Default)]
pub(crate) struct Promise<'a> {
    pub(crate) sentence: &'a str,
    pub(crate) tests: Vec<(&'a str, &'a str)>,
    pub(crate) tried: &'a str,
    pub(crate) not_tried: &'a str,
}

/// Reads the list. A line of another form is an error, so that no promise gets lost.
pub(crate) fn read(list: &str) -> Result<Vec<Promise<'_>>, String> {
    let mut all: Vec<Promise<'_>> = Vec::new();
    for line in list.lines().filter(|line| !line.is_empty() && !line.starts_with("## ")) {
        let misplaced = || format!("{line:?} is misplaced");
        if let Some(sentence) = line.strip_prefix("- **").and_then(|rest| rest.strip_suffix("**")) {
            all.push(Promise { sentence, ..Promise::default() });
            continue;
        }
        let promise = all.last_mut().ok_or_else(misplaced)?;
        let (name, value) = line.strip_prefix("  *").and_then(|rest| rest.split_once(":* ")).ok_or_else(misplaced)?;
        match name {
            "Tests" => {
                promise.tests = value.split("; ").map(tests).collect::<Option<Vec<_>>>().ok_or_else(misplaced)?.concat()
            }
            "Tried" => promise.tried = value,
            "Not tried" => promise.not_tried = value,
            _ => return Err(misplaced()),
        }
    }
    Ok(all)
}

/// The tests of one file: `[file](../../file): `function`, ..`.
fn tests(part: &str) -> Option<Vec<(&str, &str)>> {
    let (link, names) = part.split_once("): ")?;
    let (file, target) = link.strip_prefix('[')?.split_once("](../../")?;
    let name = |name| Some((file, str::strip_prefix(name, '`')?.strip_suffix('`')?));
    if file == target { names.split(", ").map(name).collect() } else { None }
}
