//! The order and the form of `include/lately.h`: what cbindgen writes, cut into its declarations, each with its comment,
//! and put together again as `capi/header.txt` says, in a form that is read from top to bottom.

use std::collections::BTreeMap;

/// The longest line of the header.
const WIDTH: usize = 120;

/// The line after which cbindgen writes the declarations.
const MARK: &str = "/* declarations */\n";

/// The pointers that carry a promise in the sources (`capi/src/growing.rs`), and what they are in C.
const POINTERS: [(&str, &str); 2] = [("In_", "const "), ("Out_", "")];

/// A declaration and the words of its comment.
struct Item {
    comment: String,
    code: String,
}

/// The header that `raw` comes to, in the order of `plan`. Every declaration stands there once.
pub(crate) fn laid_out(raw: &str, plan: &str, read: impl Fn(&str) -> String) -> String {
    let (top, rest) = raw.split_once(MARK).expect("capi/cbindgen.toml ends with the mark");
    let mut items: BTreeMap<String, Item> = rest.split("\n/**").skip(1).map(item).collect();
    items.retain(|name, _| !POINTERS.iter().any(|(promised, _)| name.starts_with(promised)));
    let mut out = top.trim_end().replace("\n\n\n", "\n\n") + "\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
    for line in plan.lines() {
        match line.split_at(line.len().min(2)) {
            ("", _) | ("# ", _) => {}
            ("= ", title) => out += &format!("\n/* ---- {title} {} */\n", "-".repeat(WIDTH - 13 - title.len())),
            ("@ ", file) => out += &format!("\n{}", read(file)),
            ("| ", text) => out += &format!("\n{text}"),
            ("+ ", text) => out += &format!("{text}\n"),
            _ => out += &group(line, plan, &mut items),
        }
    }
    assert!(items.is_empty(), "capi/header.txt has no place for {:?}", items.keys());
    out + "\n#ifdef __cplusplus\n}\n#endif\n\n#endif /* LATELY_H */\n"
}

/// The items that a line of the plan names, with nothing between them.
fn group(names: &str, plan: &str, items: &mut BTreeMap<String, Item>) -> String {
    let shown = names.split_whitespace().flat_map(|pattern| take(pattern, plan, items)).map(|item| show(&item));
    format!("\n{}", shown.collect::<String>())
}

/// The item of this name; of a pattern that ends in `*`, all whose names begin so, in the order of their numbers. One that ends in
/// `...` takes those that the plan does not name, and may find none.
fn take(pattern: &str, plan: &str, items: &mut BTreeMap<String, Item>) -> Vec<Item> {
    if let Some(start) = pattern.strip_suffix("...") {
        let others: Vec<&str> = plan.split_whitespace().collect();
        let is_new = |name: &&String| name.starts_with(start) && !others.contains(&name.as_str());
        let names: Vec<String> = items.keys().filter(is_new).cloned().collect();
        return names.iter().filter_map(|name| items.remove(name)).collect();
    }
    let Some(start) = pattern.strip_suffix('*') else {
        return vec![items.remove(pattern).unwrap_or_else(|| panic!("capi/header.txt: there is no {pattern}"))];
    };
    let names: Vec<String> = items.keys().filter(|name| name.starts_with(start)).cloned().collect();
    assert!(!names.is_empty(), "capi/header.txt: there is no {pattern}");
    let mut found: Vec<Item> = names.iter().filter_map(|name| items.remove(name)).collect();
    found.sort_by_key(|item| item.code.rsplit(' ').next().and_then(|number| number.parse::<i64>().ok()));
    found
}

/// The item that a comment and what follows it are, by its name.
fn item(text: &str) -> (String, Item) {
    let (comment, code) = text.split_once("*/").expect("a comment ends");
    let code = code.split("#ifdef __cplusplus").next().and_then(|code| code.split("\n#endif").next()).unwrap_or(code);
    let code = code.trim().replace("struct lately_", "lately_").replace("typedef lately_", "typedef struct lately_");
    (name(&code), Item { comment: words(comment), code: plain_pointers(in_parentheses(code)) })
}

/// The parameters of a function without the promises of the sources: `In_lately_keys keys` is `const lately_keys *keys`.
fn plain_pointers(mut code: String) -> String {
    for (promised, plain) in POINTERS {
        // The type's own declaration has no parameter.
        while let Some((before, (of, name))) =
            code.split_once(promised).and_then(|(a, b)| Some((a, b.split_once(' ')?)))
        {
            code = format!("{before}{plain}{of} *{name}");
        }
    }
    code
}

/// A macro that is a number below 0 is one operand wherever it is used.
fn in_parentheses(code: String) -> String {
    match code.split_once(" -").filter(|_| code.starts_with("#define")) {
        Some((define, number)) => format!("{define} (-{number})"),
        None => code,
    }
}

/// The name that a declaration declares.
fn name(code: &str) -> String {
    if let Some((_, function)) = code.split_once("(*") {
        return function.split(')').next().unwrap_or(function).to_owned();
    }
    let line = code.split(['(', '{']).next().unwrap_or(code).trim().trim_end_matches(';');
    let mut parts = line.split([' ', '*', '\n']).filter(|part| !part.is_empty());
    let name = if line.starts_with("#define") { parts.nth(1) } else { parts.next_back() };
    name.expect("a declaration has a name").to_owned()
}

/// A comment without its frame: lines that belong together on one line, paragraphs and points of a list apart.
fn words(comment: &str) -> String {
    let mut out = String::new();
    for line in comment.lines().map(|line| line.trim().trim_start_matches('*')) {
        let starts = [" - ", " Status:", " Returns:"].iter().any(|start| line.starts_with(start));
        let apart = line.trim().is_empty();
        out += if starts || apart || out.ends_with('\n') { "\n" } else { " " };
        out += line.trim();
    }
    // What begins with a word of its own needs no empty line before it.
    let (mut last, mut shown) = (String::new(), String::new());
    for line in out.trim().lines() {
        let named = ["- ", "Status:", "Returns:", "Ownership:", "Cost:"].iter().any(|start| line.starts_with(start));
        shown += if last.is_empty() && !named && !shown.is_empty() { "\n" } else { "" };
        shown += &if line.is_empty() { String::new() } else { line.to_owned() + "\n" };
        last = line.to_owned();
    }
    shown.trim_end().to_owned()
}

fn show(item: &Item) -> String {
    if item.code.starts_with("#define") {
        let line = format!("{} /**< {} */", item.code, item.comment);
        return if line.len() <= WIDTH { line + "\n" } else { format!("{}{}\n", framed(&item.comment, 0), item.code) };
    }
    let code = match item.code.contains('{') {
        true => members(&item.code),
        false if item.code.contains('(') => function(&item.code),
        false => item.code.clone() + "\n",
    };
    framed(&item.comment, 0) + &code
}

/// A comment in its frame, on one line if it fits.
fn framed(words: &str, indent: usize) -> String {
    let pad = " ".repeat(indent);
    if !words.contains('\n') && indent + words.len() + 7 <= WIDTH {
        return format!("{pad}/** {words} */\n");
    }
    let mut out = String::new();
    for paragraph in words.lines() {
        // Room for the end of the comment behind its last line.
        for line in filled(paragraph, WIDTH - indent - 7, if paragraph.starts_with("- ") { "  " } else { "" }) {
            out += format!("{pad}{} {line}", if out.is_empty() { "/**" } else { " *" }).trim_end();
            out += "\n";
        }
    }
    out.trim_end().to_owned() + " */\n"
}

/// Words in lines of at most `width`, the later ones after `hang`.
fn filled(words: &str, width: usize, hang: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in words.split_whitespace() {
        let last = lines.last_mut().expect("there is one");
        if last.trim().is_empty() {
            *last += word;
        } else if last.len() + 1 + word.len() <= width {
            *last = format!("{last} {word}");
        } else {
            lines.push(format!("{hang}{word}"));
        }
    }
    lines
}

/// A struct, each member under its comment.
fn members(code: &str) -> String {
    let (front, rest) = code.split_once("{\n").expect("a struct has members");
    let (body, back) = rest.rsplit_once('}').expect("a struct ends");
    let mut out = format!("{front}{{\n");
    for member in body.split("/**").skip(1) {
        let (comment, code) = member.split_once("*/").expect("a member has a comment");
        let line = format!("    {} /**< {} */\n", code.trim(), words(comment));
        out += &if line.len() <= WIDTH + 1 {
            line
        } else {
            format!("{}    {}\n", framed(&words(comment), 4), code.trim())
        };
    }
    out + &format!("}}{back}\n")
}

/// A function in as few lines as it fits. A status must be looked at.
fn function(code: &str) -> String {
    let flat = code.split_whitespace().collect::<Vec<_>>().join(" ").replace("( ", "(");
    let flat = match flat.strip_prefix("LATELY_API lately_status ") {
        Some(rest) => format!("LATELY_NODISCARD LATELY_API lately_status {rest}"),
        None => flat,
    };
    // A parameter stays on one line.
    let (front, parameters) = flat.split_once('(').expect("a function has parameters");
    let front = front.replace(' ', "\u{a0}") + "(";
    let parameters: Vec<_> = parameters.split(", ").map(|parameter| parameter.replace(' ', "\u{a0}")).collect();
    let flat = front + &parameters.join(", ");
    let lines = flat.split(' ').fold(vec![String::new()], |mut lines, word| {
        let last = lines.last_mut().expect("there is one");
        match last.chars().count() + 1 + word.chars().count() <= WIDTH {
            _ if last.is_empty() => *last += word,
            true => *last = format!("{last} {word}"),
            false => lines.push(format!("    {word}")),
        }
        lines
    });
    lines.join("\n").replace('\u{a0}', " ") + "\n"
}
