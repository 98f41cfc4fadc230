//! The pages do not rot: links lead somewhere, commands name what exists, tables are what the code computes.

use std::fs;
use std::path::Path;
use std::time::Duration;

mod languages;
mod options;
mod promises;

use lately::abi::Shape;
use lately::{Field, Filter, Kind, Options, PlanSummary};

use crate::tree::{ROOT, joined, pages_below, pages_in, text};

/// Every page at the top, below `docs/` and of a package that has its own: its path and its text.
fn pages() -> Vec<(String, String)> {
    let packages = ["bindings/go", "bindings/python", "engines/valkey", "engines/flink"];
    let mut paths: Vec<String> = packages.iter().flat_map(|folder| pages_in(folder)).collect();
    paths.extend(pages_in(""));
    paths.extend(indexed());
    paths.into_iter().map(|path| (path.clone(), text(&path))).collect()
}

/// The pages that [`INDEX`] leads to: those for users, and those that the evaluation writes.
fn indexed() -> Vec<String> {
    ["docs", "evaluation/docs"].into_iter().flat_map(pages_below).collect()
}

/// The text between `open` and the next `close`, at every place.
fn between<'a>(page: &'a str, open: &str, close: &str) -> Vec<&'a str> {
    page.split(open).skip(1).filter_map(|rest| rest.split(close).next()).collect()
}

#[test]
fn links_lead_to_files() {
    for (path, page) in pages() {
        let folder = Path::new(ROOT).join(&path);
        for link in between(&page, "](", ")").into_iter().filter(|link| !link.contains("://")) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { folder.clone() } else { folder.with_file_name(file) };
            assert!(target.exists(), "{path}: the link {link} leads nowhere");
            assert!(anchor.is_empty() || anchors(&target).iter().any(|a| a == anchor), "{path}: no heading for {link}");
        }
    }
}

/// The most characters and columns of a row that a reader can take in.
const WIDEST: (usize, usize) = (200, 7);

/// Pages whose tables are not for readers: the rows of all experiments, and the table that `tests/house/tidy/mod.rs` reads.
const FOR_MACHINES: [&str; 2] = ["evaluation/docs/README.md", "docs/explanation/architecture.md"];

#[test]
fn table_row_of_a_page_fits_a_screen() {
    for (path, page) in pages().into_iter().filter(|(path, _)| !FOR_MACHINES.contains(&path.as_str())) {
        let wide = wide_rows(&page);
        assert!(wide.is_empty(), "{path}: at most {WIDEST:?} characters and columns: {wide:#?}");
    }
    let long = format!("| a | {} |", "x".repeat(WIDEST.0));
    let rows = ["text | text", "| a | `\\|` | 3 | 4 | 5 | 6 | 7 |", "| 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 |", &long];
    assert_eq!(wide_rows(&rows.join("\n")), [(3, rows[2].len(), 8), (4, long.len(), 2)]);
}

/// Rows of tables above the limit: line, characters, columns.
fn wide_rows(page: &str) -> Vec<(usize, usize, usize)> {
    let rows = (1..).zip(page.lines()).filter(|(_, line)| line.starts_with('|'));
    let columns = |line: &str| line.replace("\\|", "").matches('|').count().saturating_sub(1);
    let sizes = rows.map(|(n, line)| (n, line.chars().count(), columns(line)));
    sizes.filter(|(_, characters, columns)| *characters > WIDEST.0 || *columns > WIDEST.1).collect()
}

/// Headings as they are linked to: small letters, digits and dashes, and a number if an earlier heading came to the same ("C", "C++").
fn anchors(page: &Path) -> Vec<String> {
    let page = fs::read_to_string(page).unwrap_or_default();
    let headings = page.lines().filter_map(|line| line.strip_prefix('#'));
    let slug = |heading: &str| heading.trim_matches(['#', ' ']).to_lowercase().replace(' ', "-");
    let slugs = headings.map(|h| slug(h).chars().filter(|c| c.is_alphanumeric() || "-_".contains(*c)).collect());
    let slugs: Vec<String> = slugs.collect();
    let numbered = |(at, slug): (usize, &String)| match slugs[..at].iter().filter(|earlier| *earlier == slug).count() {
        0 => slug.clone(),
        earlier => format!("{slug}-{earlier}"),
    };
    slugs.iter().enumerate().map(numbered).collect()
}

#[test]
fn commands_name_what_exists() {
    let presets = text("CMakePresets.json");
    for (path, page) in pages() {
        for name in names_after(&page, "--preset ") {
            assert!(presets.contains(&format!("\"{name}\"")), "{path}: no preset {name}");
        }
        for name in names_after(&page, "--test ") {
            let programs = [format!("tests/{name}.rs"), format!("tests/{name}/main.rs")];
            assert!(programs.iter().any(|file| Path::new(ROOT).join(file).exists()), "{path}: no test {name}");
        }
        for program in ["suite", "house"] {
            let names = names_after(&page, &format!("--test {program} ")).into_iter();
            for name in names.filter(|name| !name.starts_with('-')) {
                let files = [format!("tests/{program}/{name}.rs"), format!("tests/{program}/{name}/mod.rs")];
                let is_there = files.iter().any(|file| Path::new(ROOT).join(file).exists());
                assert!(is_there, "{path}: no tests in {} or {}", files[0], files[1]);
            }
        }
    }
}

#[test]
fn every_promise_has_tests_and_their_limits() {
    let page = text("docs/reference/promises.md");
    let list = between(&page, "<!-- promises -->", "<!-- /promises -->");
    let all = promises::read(list[0]).expect("docs/reference/promises.md");
    assert!(all.len() > 75, "only {} promises", all.len());
    for promise in all {
        let words = [promise.sentence, promise.tried, promise.not_tried];
        assert!(words.iter().all(|words| words.len() > 3) && !promise.tests.is_empty(), "{}", promise.sentence);
        promise.tests.iter().for_each(|(file, test)| expect_test(file, test));
    }
    let named = between(&page, "`", "`").into_iter().filter_map(|item| item.split_once("::"));
    named.for_each(|(file, test)| expect_test(file, test));
}

#[test]
fn the_table_of_options_is_that_of_the_header() {
    expect_generated("docs/reference/options.md", "options", &options::table(&text("include/lately.h")));
    expect_generated("docs/reference/options.md", "values", &options::values(&text("include/lately.h")));
}

/// Where a reader begins.
const INDEX: &str = "docs/README.md";

/// Every such page is two clicks from the index at most; what is a list of records is one.
#[test]
fn no_page_is_an_orphan() {
    let first = links_of(INDEX);
    let second: Vec<String> =
        first.iter().filter(|path| path.ends_with("/README.md")).flat_map(|path| links_of(path)).collect();
    let known = |path: &str| path == INDEX || first.iter().chain(&second).any(|link| link == path);
    let orphans: Vec<String> = indexed().into_iter().filter(|path| !known(path)).collect();
    assert!(orphans.is_empty(), "{INDEX} leads to none of {orphans:#?}");
    assert!(links_of("README.md").iter().any(|link| link == INDEX), "README.md leads to {INDEX}");
}

/// The files that a page links to, by their path in the tree.
fn links_of(path: &str) -> Vec<String> {
    let page = text(path);
    let links = between(&page, "](", ")").into_iter().filter(|link| !link.contains("://"));
    let files = links.map(|link| link.split('#').next().unwrap_or(link)).filter(|file| !file.is_empty());
    files.map(|file| joined(path, file)).collect()
}

#[test]
fn first_line_of_a_page_names_its_reader() {
    for path in indexed() {
        let page = text(&path);
        let first = page.lines().skip(1).find(|line| !line.is_empty()).unwrap_or_default();
        assert!(
            page.starts_with("# ") && first.starts_with("For "),
            "{path} begins with {first:?}, not with its reader"
        );
    }
}

/// The file has a function of this name.
fn expect_test(file: &str, test: &str) {
    let source = text(file);
    let is_there = source.contains(&format!("fn {test}(")) || source.contains(&format!("static void {test}("));
    assert!(is_there, "no test {test} in {file}");
}

#[test]
fn a_line_that_is_no_part_of_a_promise_is_an_error() {
    for bad in
        ["  *Tried:* x", "- **A.**\n  *Hope:* y", "- **A.**\nx", "- **A.**\n  *Tests:* [a](../../b): `c`", "- A."]
    {
        assert!(promises::read(bad).is_err(), "{bad}");
    }
    let list =
        "\n## A\n\n- **P.**\n  *Tests:* [f](../../f): `t`, `u`; [g](../../g): `v`\n  *Tried:* 1\n  *Not tried:* 2\n";
    let one = &promises::read(list).expect("a promise")[0];
    assert_eq!((one.sentence, one.tried, one.not_tried), ("P.", "1", "2"));
    assert_eq!(one.tests, [("f", "t"), ("f", "u"), ("g", "v")]);
}

/// The part of a page between `<!-- name -->` and `<!-- /name -->` is `want`; `BLESS=1` writes it.
fn expect_generated(path: &str, name: &str, want: &str) {
    let (page, open, close) = (text(path), format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
    let shown = between(&page, &open, &close);
    assert_eq!(shown.len(), 1, "{path} has one part {name}");
    if std::env::var_os("BLESS").is_some() {
        let page = page.replace(&format!("{open}{}{close}", shown[0]), &format!("{open}{want}{close}"));
        fs::write(Path::new(ROOT).join(path), page).unwrap_or_else(|error| panic!("{path}: {error}"));
    } else {
        assert!(shown[0] == want, "BLESS=1 cargo test --test house docs:: regenerates this part of {path}");
    }
}

fn names_after<'a>(page: &'a str, option: &str) -> Vec<&'a str> {
    let word = |rest: &'a str| rest.split(|c: char| !(c.is_alphanumeric() || "-_".contains(c))).next().unwrap_or(rest);
    page.split(option).skip(1).map(word).filter(|name| !name.is_empty()).collect()
}

/// A paper that nobody reads to its end convinces nobody: the rows are on a page of their own.
#[test]
fn paper_has_at_most_12_000_words() {
    let words = text("evaluation/docs/README.md").split_whitespace().count();
    assert!(words <= 12_000, "evaluation/docs/README.md has {words} words");
}

#[test]
fn an_option_names_the_kinds_that_take_it() {
    for option in Field::ALL {
        let (about, everybodys) = (option.about().to_lowercase(), Kind::ALL.iter().all(|kind| kind.takes(*option)));
        assert_eq!(about.contains("all kinds"), everybodys, "src/field.rs: what is said of {option}");
        let plain = |text: &str| text.replace([' ', '-'], "");
        for kind in Kind::ALL.iter().filter(|_| !everybodys) {
            let is_named = plain(&about).contains(&plain(kind.name()));
            assert_eq!(is_named, kind.takes(*option), "src/field.rs: what {option} says of {kind}");
        }
    }
}

/// `1 to 16` or `1 to 2^24` in what is said of an option: the least and the most that it can be.
fn range(about: &str) -> Option<(u64, u64)> {
    let number = |word: &str| match word.trim_end_matches([',', '.', ';']).split_once('^') {
        Some((base, power)) => base.parse::<u64>().ok()?.checked_pow(power.parse().ok()?),
        None => word.trim_end_matches([',', '.', ';']).parse().ok(),
    };
    let words: Vec<&str> = about.split_whitespace().collect();
    words.windows(3).find_map(|three| match three {
        [low, "to", high] => Some((number(low)?, number(high)?)),
        _ => None,
    })
}

#[test]
fn range_of_an_option_is_the_one_that_its_error_names() {
    let ranged = Field::ALL.iter().filter(|field| field.shape() != Shape::Rate);
    let ranged: Vec<_> = ranged.filter_map(|field| Some((*field, range(field.about())?))).collect();
    assert!(ranged.len() >= 4, "{ranged:?}");
    for (field, (low, high)) in ranged {
        for kind in Kind::ALL.iter().filter(|kind| kind.takes(field)) {
            let mut options = Options::new(*kind);
            let given =
                [(Field::WindowKeys, 1000), (Field::Capacity, 1000), (Field::LeaseNs, 1), (Field::Memory, 1 << 40)];
            let given = given.into_iter().filter(|(other, _)| kind.takes(*other));
            // Of the two windows one: that of keys has no capacity.
            let given = given.filter(|(other, _)| *other != Field::Capacity || !kind.takes(Field::WindowKeys));
            for (other, value) in given.chain([(field, high + 1)]) {
                options.set_number(other, value).expect("a number of its type");
            }
            let window = if kind.takes(Field::WindowKeys) { options } else { options.window_ns(1_000_000_000) };
            let said = Filter::plan(&window).expect_err("beyond its range").to_string();
            assert_eq!(said, format!("{field} = {}: must be {low} to {high}", high + 1), "{kind}");
        }
    }
}

#[test]
fn handle_is_no_larger_than_the_page_promises() {
    assert!(
        text("docs/reference/costs.md").contains("the handle (at most 720 bytes"),
        "docs/reference/costs.md names its size"
    );
    assert!(size_of::<Filter>() <= 720, "{} bytes", size_of::<Filter>());
}

#[test]
fn the_prices_of_a_key_are_those_of_the_plan() {
    let default = Filter::plan(&Options::window(Duration::from_secs(1000)).capacity(1_000_000)).expect("a plan");
    let row = format!("| **lately**, 1e-6 | {:.1} |", default.bits_per_key / 8.0);
    let peak = format!("({:.1} at the peak of growth)", default.bits_per_key_peak / 8.0);
    for want in [row, peak] {
        assert!(text("README.md").contains(&want), "README.md should say: {want}");
    }
    let rates = ["1e-2", "1e-3", "1e-4"].map(|rate| (rate, String::from(rate)));
    let rates =
        rates.into_iter().chain([("1e-6", String::from("**1e-6**, the default")), ("1e-9", String::from("1e-9"))]);
    for (rate, name) in rates {
        let options = Options::window(Duration::from_secs(1000)).capacity(1_000_000);
        let plan = Filter::plan(&options.error_rate(rate.parse().expect("a rate"))).expect("a plan");
        let (page, want) =
            ("docs/how-to/choose-an-error-rate.md", format!("| {name} | {:.1} |", plan.bits_per_key / 8.0));
        assert!(text(page).contains(&want), "{page} should say: {want}");
    }
}

/// A kind, in the ways in which it can be asked for a million keys; the one with ages, the default, comes first. A filter that is asked for
/// by its `memory` has no price of a key.
fn requests() -> Vec<(String, Options)> {
    const KEYS: u64 = 1_000_000;
    let mut kinds = Kind::ALL.to_vec();
    kinds.sort_by_key(|kind| !kind.takes(Field::AgeBits));
    let of = |kind: Kind| {
        let (name, new) = (kind.name(), Options::new(kind));
        let mut ways = Vec::new();
        if kind.takes(Field::WindowNs) {
            ways.push((format!("`{name}`, a window of time"), new.clone().window_ns(1_000_000_000_000).capacity(KEYS)));
        }
        if kind.takes(Field::WindowKeys) && !kind.takes(Field::MissRate) {
            ways.push((format!("`{name}`, the last keys"), new.clone().window_keys(KEYS)));
        }
        if kind.takes(Field::Removable) {
            ways.push((format!("`{name}`"), new.clone().capacity(KEYS)));
            ways.push((format!("`{name}`, removable"), new.clone().capacity(KEYS).removable(true)));
        }
        ways
    };
    kinds.into_iter().flat_map(of).collect()
}

fn plan_of(options: &Options, rate: &str) -> PlanSummary {
    Filter::plan(&options.clone().error_rate(rate.parse().expect("a rate"))).expect("a plan")
}

#[test]
fn first_screen_of_costs_has_the_bytes_and_lines_of_the_plan() {
    let page = text("docs/reference/costs.md");
    let rows = requests().into_iter().map(|(name, options)| {
        let (loose, tight) = (plan_of(&options, "1e-3"), plan_of(&options, "1e-6"));
        let bytes = [&loose, &tight].map(|plan| format!("{:.1}", plan.bits_per_key / 8.0)).join(" | ");
        format!("| {name} | {bytes} | {:.0} |", tight.cache_lines_per_observe)
    });
    let missing: Vec<String> = rows.filter(|row| !page.contains(row)).collect();
    assert!(missing.is_empty(), "docs/reference/costs.md should say: {missing:#?}");
}

fn table_of_bytes() -> String {
    const RATES: [&str; 6] = ["1e-2", "1e-3", "1e-4", "1e-5", "1e-6", "1e-9"];
    let row =
        |name: &str, bits: [f64; 6]| format!("| {name} | {} |\n", bits.map(|b| format!("{:.1}", b / 8.0)).join(" | "));
    let rows = requests().into_iter().map(|(name, options)| {
        let plans = RATES.map(|rate| plan_of(&options, rate));
        let (bits, peak) = (plans.each_ref().map(|p| p.bits_per_key), plans.each_ref().map(|p| p.bits_per_key_peak));
        let grows =
            if peak[0] > bits[0] { row("the same at the peak of growth from nothing", peak) } else { String::new() };
        row(&name, bits) + &grows
    });
    let head = format!("| bytes per key at | {} |\n| --- |{}\n", RATES.join(" | "), " ---: |".repeat(RATES.len()));
    head + &rows.collect::<String>()
}

#[test]
fn the_costs_are_those_of_the_plan() {
    expect_generated("docs/reference/costs.md", "bytes", &table_of_bytes());
    expect_generated("docs/reference/costs.md", "plan", &plan_table());
}

fn plan_table() -> String {
    let head = "\
| error rate | max_slices | k | l | bits per key | cache lines | mean rate |
| ---: | ---: | ---: | ---: | ---: | ---: | ---: |
";
    let requests = ["1e-1", "1e-2", "1e-3", "1e-4", "1e-5"].map(|rate| [16, 32, 64, 128].map(|most| (rate, most)));
    let rows = requests.into_iter().flatten().map(|(rate, most)| row(rate, most));
    head.chars().chain(rows.collect::<String>().chars()).collect()
}

fn row(rate: &str, most: u32) -> String {
    let plan = plan(rate, most);
    let (k, l, bits, lines, mean) =
        (plan.k, plan.l, plan.bits_per_key, plan.cache_lines_per_observe, plan.error_rate_mean);
    format!("| {rate} | {most} | {k} | {l} | {bits:.1} | {lines:.1} | {mean:.2e} |\n")
}

/// The plan for a million keys in the window.
fn plan(rate: &str, most: u32) -> PlanSummary {
    let options = Options::time_limited(Duration::from_secs(600)).capacity(1_000_000).max_slices(most);
    Filter::plan(&options.error_rate(rate.parse().expect("a rate"))).expect("a plan")
}

/// A window of keys has its size from the start, so its bits are those of its plan.
#[test]
fn the_design_page_of_the_window_table_has_the_bits_of_a_million_keys() {
    let page = text("docs/explanation/window-table.md");
    let bits = |rate: &str| plan_of(&Options::last(1_000_000), rate).bits_per_key;
    let rows = ["1e-2", "1e-3", "1e-4", "1e-6"].map(|rate| format!("| {rate} | {:.1} |", bits(rate)));
    let missing: Vec<&String> = rows.iter().filter(|row| !page.contains(*row)).collect();
    assert!(missing.is_empty(), "docs/explanation/window-table.md should say: {missing:?}");
}

/// Each file of the folder is named where its part is explained.
#[test]
fn the_design_page_of_the_window_table_names_each_of_its_files() {
    let (_, page) = pages().into_iter().find(|(path, _)| path.ends_with("window-table.md")).expect("the page");
    let words = page.split(|c: char| !c.is_ascii_lowercase() && c != '_' && c != '.');
    let words: Vec<&str> = words.map(|word| word.trim_end_matches('.')).collect();
    let files = fs::read_dir(Path::new(ROOT).join("src/filter/window_table")).expect("the folder");
    let files = files.map(|file| file.expect("a file").file_name().into_string().expect("letters"));
    let (named, missing): (Vec<String>, Vec<String>) = files.partition(|name| words.contains(&name.as_str()));
    assert!(named.len() > 10 && missing.is_empty(), "not on the page: {missing:?}");
}
