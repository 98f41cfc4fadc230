//! The examples of `README.md`, of the page of the shell, of the tutorials and of the how-to pages do what they say: each C and
//! shell example runs and prints the text below it.
//!
//! Rust examples are doctests of the crate. The C one is linked with the static library, those for the shell find the
//! built `lately` in their path; both are built here.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::tree::{ROOT, entries, joined, pages_below, path, text};

/// A fenced block: its language and its text.
struct Block<'a> {
    language: &'a str,
    text: &'a str,
}

fn readme() -> String {
    text("README.md")
}

fn blocks(page: &str) -> Vec<Block<'_>> {
    let fenced = page.split("```").skip(1).step_by(2);
    fenced.filter_map(|block| block.split_once('\n')).map(|(language, text)| Block { language, text }).collect()
}

/// Every example of a language with the output, which is in the block after it.
fn examples<'a>(page: &'a str, language: &str) -> Vec<(&'a str, &'a str)> {
    let blocks = blocks(page);
    let pairs = blocks.windows(2).filter(|pair| pair[0].language == language);
    pairs.filter(|pair| pair[1].language == "text").map(|pair| (pair[0].text, pair[1].text)).collect()
}

/// A folder for the files of one test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).expect("a folder for the files of a test");
    folder
}

/// Where `cargo build` puts what it makes.
fn built() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("debug")
}

fn succeed(what: &str, command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|error| panic!("{what}: {error}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{what} ended with {}: {said}", output.status);
    output
}

/// What has the C ABI is small. The command has many dependencies: it is built as for the tests of the workspace, with an example,
/// which makes cargo choose the features that tests have. In the check all of that is there.
const C_ABI: &[&str] = &["-p", "lately-capi"];
const COMMAND: &[&str] = &[
    "--profile",
    "test",
    "--workspace",
    "--exclude",
    "lately-module",
    "--features",
    "lately/serde,lately/metrics",
    "--bin",
    "lately",
    "--example",
    "demo",
];

fn cargo_build(what: &[&str]) {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target folder");
    let mut build = Command::new(env!("CARGO"));
    build.current_dir(ROOT).args(["build", "--locked", "--target-dir"]).arg(target).args(what);
    succeed("cargo build", &mut build);
}

fn prints(what: &str, output: &Output, want: &str) {
    assert_eq!(String::from_utf8_lossy(&output.stdout), want, "{what} prints what the page says");
}

#[test]
fn c_examples_print_the_output_of_the_page() {
    let (page, folder) = (readme(), folder("readme-c"));
    let examples = examples(&page, "c");
    assert!(!examples.is_empty(), "the page has an example in C");
    cargo_build(C_ABI);
    for (source, want) in examples {
        let (file, program) = (folder.join("example.c"), folder.join("example"));
        fs::write(&file, source).expect("the example as a file");
        let mut compile = Command::new("cc");
        compile.args(["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-o"]).arg(&program).arg(&file);
        compile.arg("-I").arg(path("include")).arg(built().join("liblately.a"));
        succeed("cc", compile.args(["-lpthread", "-ldl", "-lm"]));
        prints("the example in C", &succeed("the example in C", &mut Command::new(program)), want);
    }
}

/// Pages with examples for the shell, and for Rust.
fn pages() -> Vec<String> {
    let folders = ["docs/tutorial", "docs/how-to"].into_iter().flat_map(entries);
    folders.chain(["README.md", "docs/reference/shell.md"].map(String::from)).collect()
}

#[test]
fn shell_examples_print_the_output_of_the_page() {
    cargo_build(COMMAND);
    let path = std::env::join_paths([built(), "/usr/bin".into(), "/bin".into()]).expect("a path");
    let (mut pages_with_examples, mut count) = (0, 0);
    for name in pages() {
        let (page, folder) = (text(&name), folder(&format!("readme-shell-{}", name.replace('/', "-"))));
        fs::remove_dir_all(&folder).and_then(|()| fs::create_dir(&folder)).expect("an empty folder");
        let examples = examples(&page, "sh");
        pages_with_examples += usize::from(!examples.is_empty());
        count += examples.len();
        for (script, want) in examples {
            let mut shell = Command::new("/bin/sh");
            shell.current_dir(&folder).env("PATH", &path).args(["-eu", "-c", script]);
            prints(&format!("an example of {name}"), &succeed(&format!("an example of {name}"), &mut shell), want);
        }
    }
    assert!(pages_with_examples >= 7 && count >= 14, "{count} examples on {pages_with_examples} pages");
}

/// The crate's documentation has the examples of the pages as doctests: only if it includes a page are they run.
#[test]
fn rust_examples_are_doctests() {
    let lib = text("src/lib.rs");
    let has_rust = |name: &String| blocks(&text(name)).iter().any(|block| block.language == "rust");
    let with_rust: Vec<String> = pages().into_iter().filter(has_rust).collect();
    assert!(with_rust.len() >= 7, "{with_rust:?}");
    for name in with_rust {
        assert!(lib.contains(&format!("#[doc = include_str!(\"../{name}\")]\n")), "src/lib.rs does not run {name}");
    }
}

/// A page shows a program that is tested as a file: all of it, or from one line to another.
#[test]
fn middleware_on_its_page_is_the_one_that_is_tested() {
    let page = text("docs/how-to/answer-each-request-once.md");
    let tested = [
        ("go", "bindings/go/example_once_test.go", "// once is a middleware", "\n// A middleware that"),
        ("rust,ignore", "examples/axum/src/lib.rs", "use axum", "\u{0}"),
        ("java", "examples/spring/src/main/java/com/example/Once.java", "/** Handles each request once", "\u{0}"),
    ];
    for (language, file, first, end) in tested {
        let source = text(file);
        let program = source.find(first).and_then(|at| source[at..].split(end).next()).expect(file);
        let shown = blocks(&page).into_iter().find(|block| block.language == language).expect(language);
        assert!(shown.text == program, "docs/how-to/answer-each-request-once.md does not show {file} as it is");
    }
}

/// Each `lately plan` with options on a page: lines of its blocks, and code in its text.
fn plans(page: &str) -> Vec<String> {
    let parts: Vec<&str> = page.split("```").collect();
    let code = parts.iter().step_by(2).flat_map(|part| part.split('`').skip(1).step_by(2));
    let lines = parts.iter().skip(1).step_by(2).flat_map(|block| block.lines());
    let commands = code.chain(lines).map(|text| text.split(['#', '|']).next().unwrap_or_default());
    let commands = commands.map(|command| command.split_whitespace().collect::<Vec<_>>().join(" "));
    commands.filter(|command| command.starts_with("lately plan --")).collect()
}

/// A plan needs no input, so that each one can be tried.
#[test]
fn every_plan_of_a_page_is_accepted() {
    cargo_build(COMMAND);
    let mut count = 0;
    let engines = ["engines/valkey/README.md", "engines/flink/README.md", "README.md"].map(String::from);
    for name in pages_below("docs").into_iter().chain(engines) {
        for command in plans(&text(&name)) {
            let mut plan = Command::new(built().join("lately"));
            succeed(&format!("{name}: {command}"), plan.args(command.split(' ').skip(1)));
            count += 1;
        }
    }
    assert!(count >= 15, "{count} plans");
}

#[test]
fn plans_are_found_in_text_and_in_blocks() {
    let page = "a `lately plan --last\n1e6` b `lately plan`\n```console\nlately plan --memory 1M # c\n```\n";
    assert_eq!(plans(page), ["lately plan --last 1e6", "lately plan --memory 1M"]);
}

#[test]
fn examples_are_found_with_their_output() {
    let page = "a\n```sh\nx\n```\nb\n```text\ny\n```\n```c\nz\n```\n";
    assert_eq!(examples(page, "sh"), [("x\n", "y\n")]);
    assert!(examples(page, "c").is_empty(), "no output, no example");
}

/// It is read by those who do not know yet whether they want to read.
#[test]
fn the_first_page_is_short() {
    let words = readme().split_whitespace().count();
    assert!(words <= 900, "{words} words");
}

/// The lines that fit a screen.
const SCREEN: usize = 24;

/// Who opens README.md or the page of the crate sees an example before scrolling.
#[test]
fn the_first_screen_has_an_example() {
    for name in ["README.md", PAGE] {
        let screen: String = text(name).lines().take(SCREEN).map(|line| format!("{line}\n")).collect();
        assert!(screen.matches("```").count() >= 2, "{name} begins without an example:\n{screen}");
        assert!(!screen.contains("| L0 |"), "{name} begins with what is for those who read the source");
    }
}

/// The page of the crate: on docs.rs, on the registry and in the tree.
const PAGE: &str = "docs/reference/rust.md";

#[test]
fn the_page_of_the_crate_is_one_file() {
    assert!(text("src/lib.rs").contains(&format!("\n#![doc = include_str!(\"../{PAGE}\")]\n")), "src/lib.rs shows it");
    assert!(text("Cargo.toml").contains(&format!("\nreadme = \"{PAGE}\"")), "Cargo.toml names it");
}

/// Its links lead to files of the tree; `src/lib.rs` leads each of them elsewhere on docs.rs, where no file of the tree is.
#[test]
fn the_page_of_the_crate_links_to_what_there_is() {
    let (page, lib) = (text(PAGE), text("src/lib.rs"));
    assert!(!page.contains("](") && !page.contains("https://"), "{PAGE} defines its links at its end, by their files");
    let links: Vec<(&str, &str)> = page.lines().filter_map(definition).collect();
    assert!(links.len() > 20, "{links:?}");
    for (label, target) in links {
        let file = joined(PAGE, target);
        let outside = lib.lines().filter_map(|line| definition(line.strip_prefix("//! ")?)).find(|(l, _)| *l == label);
        let (_, outside) = outside.unwrap_or_else(|| panic!("src/lib.rs does not define {label}"));
        assert!(path(&file).is_file(), "{label} leads nowhere: {file}");
        match outside.strip_prefix("crate::") {
            Some(item) => expect_item(item, &file),
            None => assert_eq!(outside, format!("https://github.com/lately/lately/blob/main/{file}"), "{label}"),
        }
    }
    for label in page.split("[`").skip(1).filter_map(|rest| rest.split_once("`]")).map(|(label, _)| label) {
        assert!(page.contains(&format!("\n[`{label}`]: ")), "{PAGE} does not define {label}");
    }
}

/// `[label]: target`.
fn definition(line: &str) -> Option<(&str, &str)> {
    line.strip_prefix('[')?.split_once("]: ")
}

/// The crate exports `Name` or the type of `Name::method`, as rustdoc sees; the file declares it.
fn expect_item(item: &str, file: &str) {
    let (name, method) = item.split_once("::").unwrap_or((item, ""));
    let begins = if method.is_empty() {
        ["struct", "enum", "trait"].map(|kind| format!("pub {kind} {name}"))
    } else {
        [""; 3].map(|_| format!("pub fn {method}("))
    };
    assert!(begins.iter().any(|begin| declares(file, begin)), "{file} does not declare {item}");
}

/// Whether a file of the library has a line that begins so.
fn declares(file: &str, begin: &str) -> bool {
    let ends = |rest: &str| begin.ends_with('(') || !rest.starts_with(|c: char| c.is_alphanumeric());
    let line = |line: &str| line.trim_start().replace("pub const fn", "pub fn");
    text(file).lines().any(|text| line(text).strip_prefix(begin).is_some_and(ends))
}
