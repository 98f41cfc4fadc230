//! The rules of the house, held by reading the sources as text: who names whom, where `unsafe`, atomics and
//! clocks live, how files begin and how long they are, which words and paths stand nowhere.
//!
//! The import table is the one of `docs/explanation/architecture.md`, so the page cannot say one thing and the code another.
//! The canary at the end shows each rule a text that breaks it.

mod circles;
mod modules;
mod mutants;
mod source;
mod table;

use crate::tree;

use source::{code, crate_paths, is_word, without_tests, words};
use table::Table;

/// The most lines outside tests of a file of a filter or of the C ABI.
const MOST_LINES: usize = 400;

/// A word that may stand in some files of `src/` only.
struct Room {
    word: fn(&str) -> bool,
    files: &'static [&'static str],
    tests_too: bool,
    law: &'static str,
}

const ROOMS: [Room; 3] = [
    Room {
        word: |w| w == "unsafe" || w == "unsafe_code",
        files: &["src/raw/", "src/simd/", "src/shared/stripes.rs", "capi/src/"],
        tests_too: true,
        law: "unsafe code lives in src/raw/, src/simd/, src/shared/stripes.rs and capi/",
    },
    Room {
        word: |w| w.starts_with("Atomic") || w == "atomic",
        files: &["src/bits.rs", "src/raw/", "src/simd/", "src/sync.rs", "src/counters.rs", "src/shared/", "capi/src/"],
        tests_too: false,
        law: "below L3 only src/bits.rs, src/raw/, src/simd/, src/sync.rs and src/counters.rs name atomics",
    },
    Room {
        word: |w| w == "Instant",
        files: &["src/clock.rs"],
        tests_too: true,
        law: "only src/clock.rs reads a clock",
    },
];

/// Words of work that is not done, of tests that do not run, and of one machine. Spelt in halves, for this file is
/// read too.
const BANNED: [(&str, &str); 14] = [
    ("to", "do!("),
    ("unimple", "mented!("),
    ("db", "g!("),
    ("FIX", "ME"),
    ("TO", "DO"),
    ("#[ign", "ore"),
    ("t.Sk", "ip("),
    ("@Dis", "abled"),
    ("@Ign", "ore"),
    ("/wo", "rk/"),
    ("/ro", "ot/"),
    ("/ho", "me/"),
    ("/Use", "rs/"),
    ("\\Use", "rs\\"),
];

/// Words that were given up for the usual ones, whatever their case; in halves, too.
const RETIRED: [(&str, &str); 19] = [
    ("from he", "ll"),
    ("dealt wi", "th"),
    ("kind has n", "ot"),
    ("made an", "ew"),
    ("made_an", "ew"),
    ("write an", "ew"),
    ("writes an", "ew"),
    ("less the way he", "re"),
    ("ownership: not", "hing"),
    ("say_num", "bers"),
    ("tell_si", "ze"),
    ("slice0_b", "its"),
    ("_at_on", "ce"),
    ("for want", " of"),
    ("hangs", " on"),
    ("a like", " of"),
    ("stands in", " for"),
    ("does not say what", " to type"),
    ("allowed", " is"),
];

/// How a message gives a range. In halves, too.
const RANGE: (&str, &str) = (": must", " be ");

/// The files that make messages on a value out of its range, one in each language and product: the rest calls their constructors.
const MAKERS: [&str; 10] = [
    "src/error.rs",
    "capi/src/boundary.rs",
    "cli/src/misuse.rs",
    "bindings/cpp/include/lately.hpp",
    "bindings/go/fields.go",
    "bindings/java/src/main/java/dev/lately/Messages.java",
    "bindings/python/src/errors.rs",
    "bindings/python/python/lately/_units.py",
    "engines/valkey/commands/src/refusal.rs",
    "engines/flink/src/main/java/dev/lately/flink/SettingException.java",
];

/// The products: what is theirs says a range by a constructor only.
const WITH_MESSAGES: [&str; 6] = ["src/", "capi/src/", "cli/src/", "bindings/", "engines/valkey/", "engines/flink/"];

/// A message on a range that no constructor made. Tests and pages show messages.
fn messages(path: &str, text: &str) -> Vec<Fault> {
    let is_shown = ["test", "example", ".md"].iter().any(|part| path.contains(part));
    if is_shown || MAKERS.contains(&path) || !WITH_MESSAGES.iter().any(|folder| path.starts_with(folder)) {
        return Vec::new();
    }
    let form = format!("{}{}", RANGE.0, RANGE.1);
    let product = text.split("#[cfg(test)]").next().unwrap_or_default();
    let found =
        (1..).zip(product.lines()).filter(|(_, line)| line.contains(&form) && !line.trim_start().starts_with("//"));
    found.map(|(n, _)| (n, String::from("the range of a value is said by the constructor of its language"))).collect()
}

/// Words that had several meanings each, and how often pages, comments and messages may have them: to grow is a fault, to shrink
/// is welcome. Use the one that is meant: "contains", "is checked by"; "with", "next to", "compared with"; "except"; "continues", "resumes";
/// "gets", "is reported"; "returns", "reports", "names"; the actor in place of "nobody", the thing in place of "what is".
const VOICE: [(&[&str], usize); 11] = [
    (&["holds", "held by"], 12),
    (&["beside"], 8),
    (&["stands", "stood"], 0),
    (&["so many"], 0),
    (&["but for"], 6),
    (&["for ever"], 2),
    (&["goes on", "go on", "went on"], 0),
    (&["is told", "are told", "was told", "were told"], 14),
    (&["says"], 150),
    (&["nobody"], 30),
    (&["what is"], 290),
];

/// Where readers meet these words.
const READ: [&str; 8] =
    ["README.md", "docs/", "evaluation/docs/", "include/lately.h", "cli/src/", "engines/", "bindings/", "src/"];

#[test]
fn words_of_several_meanings_do_not_come_back() {
    let is_read = |path: &str| READ.iter().any(|start| path.starts_with(start)) && !path.ends_with(".svg");
    let sources: Vec<_> = tree::sources().into_iter().filter(|(path, _)| is_read(path)).collect();
    let faults = VOICE.iter().filter_map(|(words, most)| {
        let found: usize =
            sources.iter().map(|(_, text)| words.iter().map(|word| times(text, word)).sum::<usize>()).sum();
        let places = || format!("{words:?}: {found} times, at most {most}: {:?}", where_most(&sources, words));
        (found > *most).then(places)
    });
    none("no word of several meanings is used more often than before", &faults.collect::<Vec<_>>());
    assert_eq!(times("Beside it; besides, beside_it, beside.", "beside"), 2);
}

/// Words that make a riddle of the name of a test, which is subject_condition_outcome.
const RIDDLES: [&str; 10] =
    ["told", "tells", "says", "holds", "stands", "beside", "held", "anew", "foretells", "nobody"];

#[test]
fn names_of_tests_have_no_riddles() {
    let sources = tree::sources().into_iter().filter(|(path, _)| path.ends_with(".rs"));
    let found: Vec<String> = sources
        .flat_map(|(path, text)| {
            riddles(&text).into_iter().map(move |name| format!("{path}: {name}")).collect::<Vec<_>>()
        })
        .collect();
    none("the name of a test is subject_condition_outcome", &found);
    assert_eq!(
        riddles("#[test]\nfn key_is_told() {}\nfn told() {}\n#[test]\n#[cfg(unix)]\nfn a_b() {}"),
        ["key_is_told"]
    );
}

/// The names of tests that have such a word.
fn riddles(text: &str) -> Vec<String> {
    let tests = text.split("#[test]\n").skip(1).filter_map(|rest| rest.split_once("fn ")?.1.split('(').next());
    let is_riddle = |name: &&str| name.split('_').any(|word| RIDDLES.contains(&word));
    tests.filter(is_riddle).map(str::to_owned).collect()
}

/// How often a text has a word by itself, whatever its case.
fn times(text: &str, word: &str) -> usize {
    text.lines().filter(|line| line.len() >= word.len()).map(|line| times_in(&line.to_lowercase(), word)).sum()
}

fn times_in(line: &str, word: &str) -> usize {
    let is_whole = |at: usize| !line[..at].ends_with(is_word) && !line[at + word.len()..].starts_with(is_word);
    line.match_indices(word).filter(|(at, _)| is_whole(*at)).count()
}

/// The files that have most of them.
fn where_most<'a>(sources: &'a [(String, String)], words: &[&str]) -> Vec<(usize, &'a str)> {
    let count = |text: &str| words.iter().map(|word| times(text, word)).sum::<usize>();
    let mut files: Vec<_> = sources.iter().map(|(path, text)| (count(text), path.as_str())).collect();
    files.sort_unstable_by(|a, b| b.cmp(a));
    files.truncate(5);
    files
}

/// The retired words of a file.
fn retired(text: &str) -> Vec<Fault> {
    let words = RETIRED.map(|(head, tail)| format!("{head}{tail}"));
    let lines = (1..).zip(text.lines()).map(|(n, line)| (n, line.to_lowercase()));
    let found = lines.flat_map(|(n, line)| {
        let words: Vec<String> = words.iter().filter(|word| line.contains(*word)).cloned().collect();
        words
            .into_iter()
            .map(move |word| (n, format!("{word:?} is retired: see the words of docs/explanation/architecture.md")))
    });
    found.collect()
}

/// Methods whose results differ in the last bit between C libraries, and between processors with one library.
const INEXACT: [&str; 8] = [".exp(", ".exp_m1(", ".ln(", ".ln_1p(", ".log(", ".log10(", ".log2(", ".powf("];

/// A window table that computes by such a method, so that its saved states would depend on the machine. Its test files may.
fn inexact(path: &str, text: &str) -> Vec<Fault> {
    let is_test = ["/tests", "/exact.rs"].iter().any(|part| path.contains(part));
    if is_test || !path.starts_with("src/filter/window_table/") {
        return Vec::new();
    }
    let product = without_tests(&code(text));
    let found = (1..).zip(product.lines()).filter(|(_, line)| INEXACT.iter().any(|method| line.contains(method)));
    found
        .map(|(n, _)| (n, String::from("a window table computes by `powers`, which is the same on every machine")))
        .collect()
}

/// What is wrong with one file, one line for each fault. `path` is relative to the repository.
fn faults(path: &str, text: &str, table: &Table) -> Vec<String> {
    let mut found = banned(text);
    found.extend(retired(text));
    found.extend(messages(path, text));
    found.extend(inexact(path, text));
    if path.ends_with(".rs") {
        found.extend(beginning(text));
    }
    if ["src/", "capi/", "tests/", "cli/tests/"].iter().any(|folder| path.starts_with(folder)) && path.ends_with(".rs")
    {
        found.extend(clock_reads(path, &code(text)));
    }
    if (path.starts_with("src/") || path.starts_with("capi/src/")) && path.ends_with(".rs") {
        let (all, product) = (code(text), without_tests(&code(text)));
        found
            .extend(ROOMS.iter().flat_map(|room| trespasses(path, room, if room.tests_too { &all } else { &product })));
        found.extend(length(path, &product));
        if path.starts_with("src/") && !path.ends_with("/tests.rs") {
            found.extend(imports(path, &product, table));
        }
    }
    if path.ends_with("Cargo.lock") {
        found.extend(sources(text));
    }
    found.into_iter().map(|(line, fault)| format!("{path}:{line}: {fault}")).collect()
}

type Fault = (usize, String);

fn banned(text: &str) -> Vec<Fault> {
    let words = BANNED.map(|(head, tail)| format!("{head}{tail}"));
    let lines = (1..).zip(text.lines());
    lines
        .flat_map(|(n, line)| words.iter().filter(|w| has(line, w)).map(move |w| (n, format!("{w:?} stands nowhere"))))
        .collect()
}

/// Whether `word` stands in `line` and is not a part of a longer word or of a longer path.
fn has(line: &str, word: &str) -> bool {
    let inner = |c: char| is_word(c) || c == '.';
    line.match_indices(word).any(|(at, _)| {
        let (before, after) = (&line[..at], &line[at + word.len()..]);
        let begins = !before.ends_with(inner) || word.starts_with(['#', '@']);
        begins && !(word.ends_with(is_word) && after.starts_with(is_word))
    })
}

fn beginning(text: &str) -> Option<Fault> {
    let said = ["//! ", "#![doc = include_str!("].iter().any(|begin| text.starts_with(begin));
    (!said).then(|| (1, "the first line says what the file is (//!)".to_owned()))
}

fn trespasses(path: &str, room: &Room, code: &str) -> Vec<Fault> {
    if room.files.iter().any(|file| path.starts_with(file)) {
        return Vec::new();
    }
    words(code).filter(|(_, w)| (room.word)(w)).map(|(n, w)| (n, format!("`{w}`: {}", room.law))).collect()
}

/// `SystemTime` is also the type of a date; reading it is the fault. A test may name a date, but one that takes the time
/// asks a machine how busy it is.
fn clock_reads(path: &str, code: &str) -> Vec<Fault> {
    let now = if path.starts_with("src/") || path.starts_with("capi/src/") { "SystemTime::now" } else { ".elapsed()" };
    let reads = (1..).zip(code.lines()).filter(|(_, line)| line.contains(now) || line.contains(".elapsed()"));
    let law = "only src/clock.rs reads a clock, and no test takes the time";
    reads.filter(|_| path != "src/clock.rs").map(|(n, _)| (n, law.to_owned())).collect()
}

fn length(path: &str, product: &str) -> Option<Fault> {
    let lines = product.trim_end().lines().count();
    let bound = path.starts_with("src/filter/") || path.starts_with("capi/src/");
    (bound && !path.ends_with("/tests.rs") && lines > MOST_LINES)
        .then(|| (lines, format!("{lines} lines: one idea per file, at most {MOST_LINES} lines outside tests")))
}

fn imports(path: &str, product: &str, table: &Table) -> Vec<Fault> {
    let unit = table::unit_of_file(path);
    if unit == "lib" {
        return Vec::new();
    }
    let Some(row) = table.row(&unit) else {
        return vec![(1, format!("`{unit}` has no row in the import table of docs/explanation/architecture.md"))];
    };
    let paths = crate_paths(product, &table::module_of_file(path)).into_iter();
    let named = paths.map(|(n, path)| (n, table::unit_of_path(&path)));
    let wrong = named.filter(|(_, other)| *other != unit && !row.allows(other));
    wrong
        .map(|(n, other)| (n, format!("`{unit}` may not name `{other}`: see docs/explanation/architecture.md")))
        .collect()
}

/// A lock file that names another registry works on one machine only.
fn sources(lock: &str) -> Vec<Fault> {
    const PUBLIC: &str = "source = \"registry+https://github.com/rust-lang/crates.io-index\"";
    let lines = (1..).zip(lock.lines()).filter(|(_, line)| line.starts_with("source = ") && *line != PUBLIC);
    lines.map(|(n, _)| (n, "a source that is not crates.io".to_owned())).collect()
}

#[test]
fn every_source_keeps_the_rules() {
    let table = Table::read(&tree::text("docs/explanation/architecture.md"));
    let files = tree::sources();
    assert!(files.iter().any(|(path, _)| path == "src/filter/any.rs"), "the sources were not found");
    let found: Vec<String> = files.iter().flat_map(|(path, text)| faults(path, text, &table)).collect();
    none("every source keeps the rules", &found);
}

/// A cause has one constructor, and a message is made where the constructors are.
#[test]
fn errors_of_the_core_have_one_constructor_each() {
    let text = tree::text("src/error.rs");
    let built: Vec<&str> =
        text.split("Self(Kind::").skip(1).filter_map(|rest| rest.split(|c| !is_word(c)).next()).collect();
    let twice: Vec<&&str> =
        built.iter().filter(|name| built.iter().filter(|other| other == name).count() > 1).collect();
    none("a cause has one constructor", &twice);
    assert!(
        ["OutOfRange", "Conflict", "CorruptNumber", "CorruptStructure"].iter().all(|name| built.contains(name)),
        "{built:?}"
    );
    let makers: Vec<&str> = MAKERS
        .into_iter()
        .filter(|path| !tree::text(path).contains(": must be ") && *path != "cli/src/misuse.rs")
        .collect();
    none("a maker makes messages", &makers);
}

#[test]
fn every_mistake_finds_its_place() {
    let list = tree::text("tests/mutants/mistakes.txt");
    let all = mutants::read(&list);
    assert!(all.len() > 30, "{} mistakes", all.len());
    let lost = all.iter().filter(|mistake| !mistake.is_in(&tree::text(mistake.file)));
    none("every mistake finds its place", &lost.map(|mistake| mistake.file).collect::<Vec<_>>());
    let canary = "# A\n\nMistake: x\nKilled by: y\nFile: f\n one\n-two\n+three\n";
    let is_in = |text| mutants::read(canary)[0].is_in(text);
    assert!(is_in("zero\none\ntwo\n") && !is_in("one\nthree\n") && !is_in("one\ntwo\none\ntwo\n"));
}

#[test]
fn every_mistake_names_a_test_that_is_there() {
    let sources = tree::sources();
    let rust: Vec<&str> = sources.iter().filter(|(path, _)| path.ends_with(".rs")).map(|(_, text)| &**text).collect();
    let is_there = |name: &str| rust.iter().any(|text| text.lines().any(|line| mutants::begins_test(line, name)));
    let list = tree::text("tests/mutants/mistakes.txt");
    let all = mutants::read(&list);
    let gone = all.iter().map(mutants::Mistake::test).filter(|name| !name.is_empty() && !is_there(name));
    none("every mistake names a test that is there", &gone.collect::<Vec<_>>());
    let test =
        |killer: &str| mutants::read(&format!("Mistake: x\nKilled by: {killer}\nFile: f\n"))[0].test().to_owned();
    assert_eq!(test("--test shared one"), "one");
    assert_eq!(test("--lib a::tests::two"), "two");
    assert_eq!(test("-p cli --test live"), "", "any test of that file");
    assert!(mutants::begins_test("fn one_more() {", "one") && !mutants::begins_test("fn none() {", "two"));
}

#[test]
fn package_of_the_shell_needs_no_file_of_the_tree() {
    let manifest = tree::text("cli/Cargo.toml");
    let left_out = manifest.lines().find(|line| line.starts_with("exclude = ")).expect("a list of what is not packed");
    let ways = ["#[path = \"../../../", "include_str!(\"../../../", "concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/../"];
    let reads = |text: &str| ways.iter().any(|way| text.contains(way));
    let is_packed = |path: &str| !between_quotes(left_out).any(|folder| path.starts_with(&format!("{folder}/")));
    let files = tree::sources();
    let readers: Vec<&str> =
        files.iter().filter_map(|(path, text)| path.strip_prefix("cli").filter(|_| reads(text))).collect();
    assert!(readers.contains(&"/tests/tree/main.rs"), "nothing reads files of the tree any more");
    let packed: Vec<_> = readers.into_iter().filter(|path| is_packed(path)).collect();
    none("what the shell is packed with needs no file of the tree", &packed);
}

/// The texts between quotes of a line of a manifest.
fn between_quotes(line: &str) -> impl Iterator<Item = &str> {
    line.split('"').skip(1).step_by(2)
}

#[test]
fn every_source_belongs_to_a_crate() {
    none("every source belongs to a crate", &modules::orphans(&tree::sources()));
    let file = |path: &str, text: &str| (String::from(path), String::from(text));
    let lost = [file("benches/main.rs", "mod found;"), file("benches/found.rs", ""), file("benches/lost.rs", "")];
    assert_eq!(modules::orphans(&lost), ["benches/lost.rs"]);
}

/// Whoever opens the tree sees all of it: the folders of the product, and two for tools. What a release and a build without a network make
/// is not of the tree.
#[test]
fn top_of_the_tree_has_at_most_16_folders() {
    let sources = tree::sources();
    let folders: std::collections::BTreeSet<&str> =
        sources.iter().filter_map(|(path, _)| path.split_once('/')).map(|(folder, _)| folder).collect();
    let folders: Vec<&&str> = folders.iter().filter(|folder| !["dist", "vendor"].contains(folder)).collect();
    assert!((10..=16).contains(&folders.len()), "{folders:?}");
}

#[test]
fn the_import_table_has_no_circle_and_no_empty_row() {
    let table = Table::read(&tree::text("docs/explanation/architecture.md"));
    let units = tree::sources().into_iter().filter(|(path, _)| path.starts_with("src/") && path.ends_with(".rs"));
    let units: Vec<String> = units.map(|(path, _)| table::unit_of_file(&path)).collect();
    none("a row names rows above it only", &table.circles());
    none("a row has files", &table.empty_rows(&units));
}

#[test]
fn no_files_name_each_other_in_a_circle() {
    let sources = tree::sources();
    let is_empty = |root: &&&str| !sources.iter().any(|(path, _)| path.starts_with(**root));
    assert_eq!(circles::ROOTS.iter().find(is_empty), None, "a folder without sources");
    none("no files name each other in a circle", &circles::circles(&sources));
}

/// A kind, its folder, and the most files outside it that name it: of any sort except the evaluation, what a tool writes and
/// the mutants, each of which names the file that it breaks. Pages and tests name the kinds that they are about.
const KINDS: [(&str, &str, usize); 5] = [
    ("agepartitioned", "src/filter/sliced/age_partitioned/", 40),
    ("tinyset", "src/filter/tiny_set/", 40),
    ("quotient", "src/filter/quotient/", 69),
    ("timelimited", "src/filter/sliced/time_limited/", 100),
    ("windowtable", "src/filter/window_table/", 108),
];

/// The product files that name a kind: those that the recipe lists, and no other.
const PRODUCT_FILES: usize = 15;

/// The most product files that name a verb.
const MOST_OF_A_VERB: usize = 20;

const VERBS: [&str; 5] = ["observe_age", "contains_age", "observe_batch", "observe_hash", "observe_many"];

/// Lists and pages that `BLESS=1` writes, what is kept of each format, and the mutants.
fn is_generated(path: &str) -> bool {
    let pages = ["options", "promises"].map(|name| format!("docs/reference/{name}.md"));
    let folders = ["tests/golden/0.", "tests/mutants/", "cli/tests/wrong.txt"];
    pages.iter().any(|page| page == path) || folders.iter().any(|folder| path.starts_with(folder))
}

/// The experiments and their pages, and records of decisions, which name what they compare, and the titles of papers.
fn is_evaluation(path: &str) -> bool {
    let starts = ["CITATION.cff", "docs/explanation/decisions/", "evaluation/"];
    starts.iter().any(|start| path.starts_with(start))
}

/// Files that are built into a product.
fn is_product(path: &str) -> bool {
    let folders = ["src/", "capi/", "include/", "cli/", "bindings/"];
    let is_test = ["/tests/", "/tests.rs", "/test/", "_test.", "/bench/"].iter().any(|part| path.contains(part));
    folders.iter().any(|folder| path.starts_with(folder)) && !is_test
}

/// Whether a text names a kind: `TinySet`, `tiny_set`, `TINY_SET`, "tiny-set" and "tiny set" are one name.
fn names(text: &str, kind: &str) -> bool {
    let squeezed: String = text.chars().filter(|c| !" -_".contains(*c)).collect();
    squeezed.to_lowercase().contains(kind)
}

#[test]
fn the_recipe_lists_every_product_file_that_names_a_kind() {
    let page = tree::text("docs/explanation/architecture.md");
    let rows = page.lines().filter_map(|line| line.strip_prefix("   | `")?.split(" | ").next());
    let listed: Vec<&str> = rows.flat_map(|cell| cell.split('`').step_by(2)).collect();
    let sources = tree::sources();
    for (kind, own, _) in KINDS {
        let named = files_that_name(&sources, kind, own);
        let named: Vec<&str> = named.into_iter().filter(|path| is_product(path)).collect();
        let missing: Vec<&&str> = named.iter().filter(|path| !listed.contains(*path)).collect();
        none(&format!("the recipe lists every file that names {kind}"), &missing);
        assert_eq!(named.len(), PRODUCT_FILES, "{kind} is named in {named:#?}");
    }
    let idle = sources
        .iter()
        .filter(|(path, text)| listed.contains(&path.as_str()) && !KINDS.iter().any(|(kind, ..)| names(text, kind)));
    let idle: Vec<&String> = idle.map(|(path, _)| path).collect();
    none("a file of the recipe names a kind", &idle);
}

/// Files outside a kind's folder that name it.
fn files_that_name<'a>(sources: &'a [(String, String)], kind: &str, own: &str) -> Vec<&'a str> {
    let named = sources.iter().filter(|(path, text)| !path.starts_with(own) && names(text, kind));
    named.map(|(path, _)| path.as_str()).collect()
}

#[test]
fn no_more_files_name_a_kind_or_a_verb() {
    let sources = tree::sources();
    for (kind, own, most) in KINDS {
        let all = files_that_name(&sources, kind, own);
        // Lists of modules, whose names are those of their subjects.
        let all = all.into_iter().filter(|path| !path.ends_with("tests/suite/main.rs"));
        let all: Vec<&str> = all.filter(|path| !is_evaluation(path) && !is_generated(path)).collect();
        assert!((20..=most).contains(&all.len()), "{kind} is named in {} files: {all:#?}", all.len());
    }
    for verb in VERBS {
        let named =
            sources.iter().filter(|(path, text)| is_product(path) && text.split(|c| !is_word(c)).any(|w| w == verb));
        let named: Vec<&String> = named.map(|(path, _)| path).collect();
        assert!((1..=MOST_OF_A_VERB).contains(&named.len()), "{verb} is named in {named:#?}");
    }
}

fn none<T: std::fmt::Display>(law: &str, faults: &[T]) {
    let lines: String = faults.iter().map(|fault| format!("\n{fault}")).collect();
    assert!(faults.is_empty(), "{law}; {} faults:{lines}", faults.len());
}

/// A table like the real one, for the canary.
const CANARY_TABLE: &str = "\
| module | layer | may name |
| --- | --- | --- |
| `num` `tick` | L0 | nothing |
| `filter/<kind>` | L2 | `num` |
| `filter/any` | L2 | `num` and every kind |
| `abi` | L4 | everything |
";

/// Each rule sees a text that breaks it, once.
#[test]
fn canary() {
    let table = Table::read(CANARY_TABLE);
    let long = format!("//! Long.\n{}", "fn f() {}\n".repeat(MOST_LINES));
    let halves = |first: &str, second: &str| format!("//! X.\n{first}{second}");
    let bad = [
        ("src/tick.rs", "use std::fmt;", "first line"),
        ("cli/src/main.rs", "fn main() {}", "first line"),
        ("src/tick.rs", "//! T.\nuse crate::num;", "`tick` may not name `num`"),
        ("src/filter/x/plan.rs", "//! X.\nuse super::super::{y::Z};", "`filter/x` may not name `filter/y`"),
        ("src/filter/x/mod.rs", "//! X.\nfn f() { crate::filter::any::g() }", "may not name `filter/any`"),
        ("src/filter/x/mod.rs", "//! X.\nfn f() -> crate::Filter {}", "may not name `lib`"),
        ("src/new.rs", "//! N.", "`new` has no row"),
        ("src/tick.rs", "//! T.\n#[cfg(test)]\nmod tests { fn f() { unsafe { g() } } }", "unsafe code lives in"),
        ("src/filter/x/mod.rs", "//! X.\nuse std::sync::atomic::Ordering;", "name atomics"),
        ("capi/src/lib.rs", "//! F.\nuse std::time::Instant;", "reads a clock"),
        ("src/tick.rs", "//! T.\nfn f() { std::time::SystemTime::now() }", "reads a clock"),
        ("tests/suite/window.rs", "//! T.\nfn f() { assert!(start.elapsed() < limit) }", "no test takes the time"),
        ("src/filter/x/mod.rs", &long, "401 lines"),
        ("c_tests/x.c", &halves("to", "do!()"), "stands nowhere"),
        ("bindings/go/x.md", &halves("see /wo", "rk/notes"), "stands nowhere"),
        ("tests/x.rs", &halves("#[ign", "ore = \"slow\"]"), "stands nowhere"),
        ("docs/x.md", &halves("Keys from He", "ll."), "is retired"),
        ("include/x.h", &halves("sizes that tell_si", "ze gives"), "is retired"),
        ("docs/x.md", &halves("k = 0: allowed", " is 1 or more"), "is retired"),
        ("bindings/go/x.go", &halves("\"k = %d: must", " be 1\""), "by the constructor"),
        ("cli/src/x.rs", &halves("f(\"k: must", " be 1\")"), "by the constructor"),
        ("src/filter/window_table/x.rs", "//! X.\nfn f(x: f64) -> f64 { x.powf(0.2) }", "the same on every machine"),
        ("evaluation/Cargo.lock", "source = \"registry+https://example.org/index\"", "not crates.io"),
    ];
    for (path, text, fault) in bad {
        let found = faults(path, text, &table);
        assert!(found.len() == 1 && found[0].contains(fault), "{path}: want one {fault:?}, found {found:?}");
    }
}

/// What looks like a fault and is none.
#[test]
fn canary_in_good_air() {
    let table = Table::read(CANARY_TABLE);
    let good = "//! G.\nuse crate::{num, filter::x};\n/* unsafe */ const A: &str = \"Instant as u64\";\n\
                #[allow(clippy::as_conversions, reason = \"shown\")]\nfn f<'a>(x: &'a u8) { x as *const u8; }";
    none("good", &faults("src/filter/any.rs", good, &table));
    none("good", &faults("capi/src/lib.rs", "//! F.\nfn f() { unsafe { library::Filter::new() } }", &table));
}

#[test]
fn canary_of_the_table() {
    let circle = Table::read("| `a` | L0 | `b` |\n| `b` | L1 | `a` |\n");
    assert_eq!((circle.circles().len(), circle.empty_rows(&["a".to_owned()]).len()), (1, 1));
}
