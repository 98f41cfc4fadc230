//! The deliberate mistakes of `tests/mutants/` are patches. One whose lines stand nowhere any more tests nothing.

/// The hunks of a patch whose old lines are not in the file, as `text` reads it.
pub(crate) fn misplaced(patch: &str, text: impl Fn(&str) -> String) -> Vec<String> {
    let (mut file, mut lost) = (String::new(), Vec::new());
    for part in
        patch.split("\n@@ ").flat_map(|part| part.split_once("\n--- a/").map_or(vec![part], |(a, b)| vec![a, b]))
    {
        match part.split_once("\n+++ ") {
            Some((name, _)) => file = text(name),
            None if part.contains('\n') && !file.is_empty() && !file.contains(&old(part)) => lost.push(old(part)),
            None => {}
        }
    }
    lost
}

/// What a hunk finds in its file: its lines but those that it adds.
fn old(hunk: &str) -> String {
    let lines = hunk.lines().skip(1).filter(|line| line.starts_with([' ', '-']));
    lines.map(|line| format!("{}\n", &line[1..])).collect()
}

/// The words that the name of the test has by which a mutant is killed; none if any test of a file may be it.
pub(crate) fn test_of(patch: &str) -> Option<&str> {
    let words: Vec<&str> = patch.lines().find_map(|line| line.strip_prefix("Killed by: "))?.split(' ').collect();
    let before = words.len().checked_sub(2).map_or("", |i| words[i]);
    let last = words.last()?;
    if before == "--test" || last.starts_with("--") { Some("") } else { last.rsplit("::").next() }
}

/// Whether a line begins a function with these words in its name.
pub(crate) fn begins_test(line: &str, words: &str) -> bool {
    line.trim_start()
        .strip_prefix("fn ")
        .and_then(|rest| rest.split('(').next())
        .is_some_and(|name| name.contains(words))
}
