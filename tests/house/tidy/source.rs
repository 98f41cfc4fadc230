//! Rust source as text: what is code, what is a test, which modules it names.

use proc_macro2::{TokenStream, TokenTree};

/// The source with comments and literals turned into spaces; lines stay where they are.
pub(crate) fn code(text: &str) -> String {
    let mut out: Vec<u8> = text.bytes().map(|byte| if byte == b'\n' { byte } else { b' ' }).collect();
    keep(text.parse().unwrap_or_else(|error| panic!("{error}: {text}")), text, &mut out);
    String::from_utf8(out).expect("whole tokens of a text")
}

/// Copies the tokens that are code to their places.
fn keep(tokens: TokenStream, text: &str, out: &mut [u8]) {
    for token in tokens {
        let place = token.span().byte_range();
        // A comment of documentation is an attribute, whose tokens are all where it is.
        if ["//", "/*"].iter().any(|begin| text[place.clone()].starts_with(begin)) {
            continue;
        }
        let places = match token {
            TokenTree::Literal(_) => vec![],
            TokenTree::Group(group) => {
                keep(group.stream(), text, out);
                [group.span_open(), group.span_close()].map(|span| span.byte_range()).to_vec()
            }
            _ => vec![place],
        };
        places.into_iter().for_each(|place| out[place.clone()].copy_from_slice(&text.as_bytes()[place]));
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
