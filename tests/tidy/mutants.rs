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
