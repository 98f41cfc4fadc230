//! Rust source as text: what is code, what is a test, which modules it names.

/// The source with comments and the insides of literals turned into spaces; lines stay where they are.
pub(crate) fn code(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let skip = blank_len(rest, out.chars().next_back());
        if skip > 0 {
            out.extend(rest[..skip].chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
            rest = &rest[skip..];
        } else if let Some(c) = rest.chars().next() {
            out.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    out
}

/// How many bytes at the start are a comment or a literal, 0 if none begins here. `before` is the character before.
fn blank_len(rest: &str, before: Option<char>) -> usize {
    if rest.starts_with("//") {
        return rest.find('\n').unwrap_or(rest.len());
    }
    if rest.starts_with("/*") {
        return block_comment_len(rest);
    }
    if rest.starts_with('"') {
        return quoted_len(rest, '"');
    }
    if rest.starts_with('r') && !before.is_some_and(|c| is_word(c) && c != 'b' && c != 'c') {
        return raw_string_len(rest);
    }
    if rest.starts_with('\'') { char_len(rest) } else { 0 }
}

/// Block comments nest.
fn block_comment_len(rest: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        let step = if rest[at..].starts_with("/*") {
            depth += 1;
            2
        } else if rest[at..].starts_with("*/") {
            depth -= 1;
            2
        } else {
            rest[at..].chars().next().map_or(1, char::len_utf8)
        };
        at += step;
        if depth == 0 {
            break;
        }
    }
    at
}

fn quoted_len(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

fn raw_string_len(rest: &str) -> usize {
    let hashes = rest[1..].chars().take_while(|&c| c == '#').count();
    if !rest[1 + hashes..].starts_with('"') {
        return 0;
    }
    let end = format!("\"{}", "#".repeat(hashes));
    rest[2 + hashes..].find(&end).map_or(rest.len(), |at| 2 + hashes + at + end.len())
}

/// A character literal, and not a lifetime.
fn char_len(rest: &str) -> usize {
    let mut after = rest[1..].chars();
    match (after.next(), after.next()) {
        (Some('\\'), _) => quoted_len(rest, '\''),
        (Some(c), Some('\'')) => 2 + c.len_utf8(),
        _ => 0,
    }
}

/// The code without the items that only tests see; lines stay where they are.
pub(crate) fn without_tests(code: &str) -> String {
    const MARKS: [&str; 2] = ["#[cfg(test)]", "#[cfg(all(test, not(shuttle)))]"];
    let mut out = code.to_owned();
    for mark in MARKS {
        while let Some(start) = out.find(mark) {
            let item = start + mark.len();
            let end = item + item_len(&out[item..]);
            let blank: String = out[start..end].chars().map(|c| if c == '\n' { '\n' } else { ' ' }).collect();
            out.replace_range(start..end, &blank);
        }
    }
    out
}

/// An item ends at its first semicolon, or where its first brace closes.
fn item_len(code: &str) -> usize {
    let mut depth = 0;
    for (at, c) in code.char_indices() {
        match c {
            ';' if depth == 0 => return at + 1,
            '{' => depth += 1,
            '}' if depth == 1 => return at + 1,
            '}' => depth -= 1,
            _ => {}
        }
    }
    code.len()
}

/// Words with the lines on which they stand, from 1.
pub(crate) fn words(code: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = (1..).zip(code.lines());
    lines.flat_map(|(line, text)| text.split(|c| !is_word(c)).filter(|w| !w.is_empty()).map(move |w| (line, w)))
}

pub(crate) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Every path that begins with `crate` or `super`, as segments below the crate, with its line. `module` is the
/// path of the module that the code belongs to.
pub(crate) fn crate_paths(code: &str, module: &[String]) -> Vec<(usize, Vec<String>)> {
    let mut found = Vec::new();
    for head in ["crate::", "super::"] {
        for (at, _) in code.match_indices(head) {
            let before = &code[..at];
            if before.ends_with(is_word) || before.ends_with("super::") {
                continue;
            }
            let line = before.matches('\n').count() + 1;
            let base = if head == "crate::" { &[][..] } else { module };
            let (base, tree) = climb(base, &code[at..]);
            found.extend(expand(tree).into_iter().map(|path| (line, [base.to_vec(), path].concat())));
        }
    }
    found
}

/// Takes `crate::` or the `super::`s off the front of a path, and as many modules off the base.
fn climb<'a>(mut base: &'a [String], path: &'a str) -> (&'a [String], &'a str) {
    let mut rest = path.strip_prefix("crate::").unwrap_or(path);
    while let Some(below) = rest.strip_prefix("super::") {
        base = &base[..base.len().saturating_sub(1)];
        rest = below;
    }
    (base, rest)
}

/// `a::{b, c::d}` as its paths.
fn expand(tree: &str) -> Vec<Vec<String>> {
    let tree = tree.trim_start();
    if let Some(group) = tree.strip_prefix('{') {
        return branches(group).into_iter().flat_map(expand).collect();
    }
    let name: String = tree.chars().take_while(|&c| is_word(c)).collect();
    let below = tree[name.len()..].strip_prefix("::").map(expand).unwrap_or_default();
    if below.is_empty() {
        return vec![vec![name]];
    }
    below.into_iter().map(|path| [vec![name.clone()], path].concat()).collect()
}

/// The parts of a group between its commas, up to the brace that closes it.
fn branches(group: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                parts.push(&group[start..at]);
                start = at + 1;
                if c == '}' {
                    break;
                }
            }
            _ => {}
        }
    }
    parts.retain(|part| !part.trim().is_empty());
    parts
}

#[test]
fn literals_and_comments_are_no_code() {
    let text = "a /* x /* y */ z */ b // c\n\"d\\\"e\" 'f' '\\'' &'g h r#\"i\"j\"# br\"k\" l";
    let left: Vec<_> = words(&code(text)).map(|(line, word)| (line, word.to_owned())).collect();
    let want = [(1, "a"), (1, "b"), (2, "g"), (2, "h"), (2, "b"), (2, "l")];
    assert_eq!(left, want.map(|(line, word)| (line, word.to_owned())));
}

#[test]
fn items_of_tests_are_left_out() {
    let text = "a;\n#[cfg(test)]\nmod t { fn b() {} }\nc; #[cfg(all(test, not(shuttle)))] mod d; e";
    assert_eq!(words(&without_tests(text)).map(|(_, w)| w).collect::<Vec<_>>(), ["a", "c", "e"]);
}

#[test]
fn paths_are_expanded() {
    let module = ["filter", "x"].map(String::from);
    let text = "use crate::{num, filter::{any::A, b}};\nlet y = super::any::f(super::super::tick);";
    let paths = crate_paths(text, &module).into_iter().map(|(line, path)| (line, path.join("::")));
    let want = [(1, "num"), (1, "filter::any::A"), (1, "filter::b"), (2, "filter::any::f"), (2, "tick")];
    assert_eq!(paths.collect::<Vec<_>>(), want.map(|(line, path)| (line, path.to_owned())));
}
