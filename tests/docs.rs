//! The pages do not rot: links lead somewhere, commands name what exists, tables are what the code computes.

use std::fs;
use std::path::Path;
use std::time::Duration;

use lately::{Field, Filter, Kind, Options, PlanSummary};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn text(path: &str) -> String {
    fs::read_to_string(Path::new(ROOT).join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Every page at the top, in `docs/` and of a package that has its own: its path and its text.
fn pages() -> Vec<(String, String)> {
    let in_folder = |folder: &str| {
        let entries = fs::read_dir(Path::new(ROOT).join(folder)).expect("a folder of pages");
        let names = entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
        names.filter(|name| name.ends_with(".md")).map(|name| format!("{folder}{name}")).collect::<Vec<_>>()
    };
    let paths =
        [in_folder("./"), in_folder("docs/"), in_folder("bindings/go/"), in_folder("bindings/python/")].concat();
    paths.into_iter().map(|path| (path.clone(), text(&path))).collect()
}

/// What stands between `open` and the next `close`, at every place.
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

/// Headings as they are linked to: small letters, digits and dashes.
fn anchors(page: &Path) -> Vec<String> {
    let page = fs::read_to_string(page).unwrap_or_default();
    let headings = page.lines().filter_map(|line| line.strip_prefix('#'));
    let slug = |heading: &str| heading.trim_matches(['#', ' ']).to_lowercase().replace(' ', "-");
    headings.map(|h| slug(h).chars().filter(|c| c.is_alphanumeric() || "-_".contains(*c)).collect()).collect()
}

#[test]
fn commands_name_what_exists() {
    let presets = text("CMakePresets.json");
    for (path, page) in pages() {
        for name in names_after(&page, "--preset ") {
            assert!(presets.contains(&format!("\"{name}\"")), "{path}: no preset {name}");
        }
        for name in names_after(&page, "--test ") {
            assert!(Path::new(ROOT).join(format!("tests/{name}.rs")).exists(), "{path}: no test {name}");
        }
    }
}

/// `file::test` in the page of promises names a function of that file.
/// A promise says what its tests leave out.
#[test]
fn promises_say_what_is_not_tried() {
    let page = text("docs/RELIABILITY.md");
    let rows: Vec<_> = page.split("| promise |").skip(1).flat_map(|table| table.split("\n\n").next()).collect();
    let rows = rows.iter().flat_map(|table| table.lines().skip(2));
    let cells = |row: &str| row.split(" | ").filter(|cell| cell.trim_matches([' ', '|']).len() > 9).count();
    rows.clone().for_each(|row| assert_eq!(cells(row), 4, "promise, tests, tried, not tried: {row}"));
    assert!(rows.count() > 40, "the tables are elsewhere");
}

#[test]
fn promises_are_held_by_tests_that_exist() {
    let page = text("docs/RELIABILITY.md");
    let named: Vec<_> = between(&page, "`", "`").into_iter().filter_map(|item| item.split_once("::")).collect();
    assert!(named.len() > 60, "only {} tests are named", named.len());
    for (file, test) in named {
        let source = text(file);
        let is_there = source.contains(&format!("fn {test}(")) || source.contains(&format!("static void {test}("));
        assert!(is_there, "docs/RELIABILITY.md: no test {test} in {file}");
    }
}

fn names_after<'a>(page: &'a str, option: &str) -> Vec<&'a str> {
    let word = |rest: &'a str| rest.split(|c: char| !(c.is_alphanumeric() || "-_".contains(c))).next().unwrap_or(rest);
    page.split(option).skip(1).map(word).filter(|name| !name.is_empty()).collect()
}

#[test]
fn an_option_names_the_kinds_that_take_it() {
    let source = text("src/options.rs");
    let is_everybodys = |option: &Field| Kind::ALL.iter().all(|kind| kind.takes(*option));
    for option in Field::ALL.iter().filter(|option| !is_everybodys(option)) {
        let words = words_above(&source, &format!("pub const fn {option}(mut self"));
        for kind in Kind::ALL {
            let is_named = words.contains(&kind.name().replace('-', ""));
            assert_eq!(is_named, kind.takes(*option), "src/options.rs: what {option} says of {kind}");
        }
    }
}

/// What stands above a line of code up to an empty line, in small letters only.
fn words_above(source: &str, code: &str) -> String {
    let (above, _) = source.split_once(code).unwrap_or_else(|| panic!("no {code}"));
    let words = above.rsplit("\n\n").next().unwrap_or(above);
    words.to_lowercase().chars().filter(|c| c.is_alphabetic()).collect()
}

#[test]
fn the_handle_is_no_larger_than_the_page_says() {
    assert!(text("docs/COSTS.md").contains("the handle (at most 720 bytes"), "docs/COSTS.md names its size");
    assert!(size_of::<Filter>() <= 720, "{} bytes", size_of::<Filter>());
}

#[test]
fn the_prices_of_a_key_are_those_of_the_plan() {
    let prices = ["1e-2", "1e-3", "1e-4", "1e-5"].map(|rate| format!("{:.1}", plan(rate, 32).bits_per_key / 8.0));
    let want = format!("| 1e-2 / 1e-3 / 1e-4 / 1e-5 | {} |", prices.join(" / "));
    assert!(text("docs/COSTS.md").contains(&want), "docs/COSTS.md should say: {want}");
    let tables = ["1e-3", "1e-6", "1e-9"].map(|rate| {
        let options = Options::window(Duration::from_secs(1000)).capacity(1_000_000);
        Filter::plan(&options.error_rate(rate.parse().expect("a rate"))).expect("a plan")
    });
    let of_first_page = [("the default", &tables[1]), ("`--error 1e-3`", &tables[0])];
    for (name, plan) in of_first_page {
        let want = format!("| **lately**, {name} | {:.1} |", plan.bits_per_key / 8.0);
        assert!(text("README.md").contains(&want), "README.md should say: {want}");
    }
    let peak = format!("({:.1} at the peak of growth)", tables[1].bits_per_key_peak / 8.0);
    assert!(text("README.md").contains(&peak), "README.md should say: {peak}");
    for bits in [|plan: &PlanSummary| plan.bits_per_key, |plan: &PlanSummary| plan.bits_per_key_peak] {
        let prices = tables.each_ref().map(|plan| format!("{:.1}", bits(plan) / 8.0));
        let want = format!("| 1e-3 / 1e-6 / 1e-9 | {} |", prices.join(" / "));
        assert!(text("docs/COSTS.md").contains(&want), "docs/COSTS.md should say: {want}");
    }
}

/// Marks around the table that this file writes.
const TABLE: (&str, &str) = ("<!-- plan -->\n", "<!-- /plan -->");

#[test]
fn the_costs_are_those_of_the_plan() {
    let page = text("docs/COSTS.md");
    let shown = between(&page, TABLE.0, TABLE.1);
    let want = plan_table();
    if std::env::var_os("BLESS").is_some() {
        fs::write(Path::new(ROOT).join("docs/COSTS.md"), page.replace(&marked(shown[0]), &marked(&want)))
            .expect("docs/COSTS.md");
    } else {
        assert_eq!(shown, [want], "BLESS=1 cargo test --test docs regenerates the table");
    }
}

fn marked(table: &str) -> String {
    format!("{}{table}{}", TABLE.0, TABLE.1)
}

fn plan_table() -> String {
    let head = "\
| error rate | max_slices | k | l | fill | slices | bits per key | cache lines | worst error rate | mean |
| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
";
    let requests = ["1e-1", "1e-2", "1e-3", "1e-4", "1e-5"].map(|rate| [16, 32, 64, 128].map(|most| (rate, most)));
    let rows = requests.into_iter().flatten().map(|(rate, most)| row(rate, most));
    head.chars().chain(rows.collect::<String>().chars()).collect()
}

fn row(rate: &str, most: u32) -> String {
    let plan = plan(rate, most);
    let (k, l, fill, slices, bits) = (plan.k, plan.l, plan.fill, plan.slices, plan.bits_per_key);
    let (lines, worst, mean) = (plan.cache_lines_per_observe, plan.error_rate_worst, plan.error_rate_mean);
    format!(
        "| {rate} | {most} | {k} | {l} | {fill:.3} | {slices} | {bits:.1} | {lines:.1} | {worst:.2e} | {mean:.2e} |\n"
    )
}

/// The plan for a million keys in the window.
fn plan(rate: &str, most: u32) -> PlanSummary {
    let options = Options::time_limited(Duration::from_secs(600)).capacity(1_000_000).max_slices(most);
    Filter::plan(&options.error_rate(rate.parse().expect("a rate"))).expect("a plan")
}

/// Each file of the folder is named where its part is explained.
#[test]
fn the_design_page_of_the_window_table_names_each_of_its_files() {
    let (_, page) = pages().into_iter().find(|(path, _)| path.ends_with("WINDOW_TABLE.md")).expect("the page");
    let words = page.split(|c: char| !c.is_ascii_lowercase() && c != '_' && c != '.');
    let words: Vec<&str> = words.map(|word| word.trim_end_matches('.')).collect();
    let files = fs::read_dir(Path::new(ROOT).join("src/filter/window_table")).expect("the folder");
    let files = files.map(|file| file.expect("a file").file_name().into_string().expect("letters"));
    let (named, missing): (Vec<String>, Vec<String>) = files.partition(|name| words.contains(&name.as_str()));
    assert!(named.len() > 20 && missing.is_empty(), "not on the page: {missing:?}");
}
