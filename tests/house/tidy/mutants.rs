//! The deliberate mistakes of `tests/mutants/mistakes.txt`. One whose old lines are at no place, or at several, tests nothing.

/// A mistake: the arguments of `cargo test` that find it, its file, and the lines that it replaces.
pub(crate) struct Mistake<'a> {
    killer: &'a str,
    pub(crate) file: &'a str,
    old: Vec<&'a str>,
}

pub(crate) fn read(list: &str) -> Vec<Mistake<'_>> {
    list.split("\n\n").filter(|block| block.starts_with("Mistake: ")).map(one).collect()
}

fn one(block: &str) -> Mistake<'_> {
    let mut lines = block.lines().skip(1);
    let mut word = |name: &str| {
        lines.next().and_then(|line| line.strip_prefix(name)).unwrap_or_else(|| panic!("no {name:?} in {block}"))
    };
    let (killer, file) = (word("Killed by: "), word("File: "));
    let lines = lines.filter(|line| line.starts_with([' ', '-']));
    Mistake { killer, file, old: lines.map(|line| &line[1..]).collect() }
}

impl Mistake<'_> {
    /// Whether its old lines are at exactly one place of the file, whatever their number.
    pub(crate) fn is_in(&self, text: &str) -> bool {
        let lines: Vec<&str> = text.lines().collect();
        lines.windows(self.old.len().max(1)).filter(|found| *found == self.old).count() == 1
    }

    /// The words that the name of its test has; none if any test of a file may be it.
    pub(crate) fn test(&self) -> &str {
        let words: Vec<&str> = self.killer.split(' ').collect();
        let before = words.len().checked_sub(2).map_or("", |i| words[i]);
        let last = words.last().copied().unwrap_or_default();
        if before == "--test" || last.starts_with("--") { "" } else { last.rsplit("::").next().unwrap_or(last) }
    }
}

/// Whether a line begins a function with these words in its name.
pub(crate) fn begins_test(line: &str, words: &str) -> bool {
    line.trim_start()
        .strip_prefix("fn ")
        .and_then(|rest| rest.split('(').next())
        .is_some_and(|name| name.contains(words))
}
