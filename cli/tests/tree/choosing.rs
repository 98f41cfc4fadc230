//! The tables of `docs/how-to/choose-a-kind.md` are the output of `lately plan`: `BLESS=1 cargo test -p lately-cli choosing` regenerates
//! them.

use crate::common;
use crate::named;

use std::fs;
use std::path::{Path, PathBuf};

use common::real;
use lately::Filter;
use serde_json::Value;

/// A million keys, by each kind: what to type except the error rate, and the rates.
const KINDS: [(&str, &[&str]); 6] = [
    ("--window 1000s --rate 1000", &RATES),
    ("--last 1e6", &RATES),
    ("--algo time-limited --window 1000s --rate 1000", &RATES),
    ("--algo age-partitioned --last 1e6", &RATES),
    ("--capacity 1e6", &RATES),
    ("--algo quotient --last 1e6 --miss 0.01", &["1e-2", "1e-3", "1e-4"]),
];

const RATES: [&str; 5] = ["1e-2", "1e-3", "1e-4", "1e-6", "1e-9"];

/// The rates of the table of kinds at a glance.
const SHOWN: [&str; 3] = ["1e-3", "1e-6", "1e-9"];

/// The worked cases: name, and what to type.
const CASES: [(&str, &str); 6] = [
    ("webhooks", "--window 24h --rate 50 --keyed hooks.secret"),
    ("ad frequency capping", "--window 24h --first --rate 2000 --error 1e-2 --memory 1G"),
    ("crawler, one crawl", "--capacity 1e8 --error 1e-3"),
    ("crawler, without end", "--algo quotient --last 1e8 --error 1e-2 --miss 0.01"),
    ("nonces", "--algo time-limited --window 6m --rate 10000 --error 1e-6 --on-limit raise --keyed nonce.secret"),
    ("packet dedup", "--last 65536 --rate 1e6 --error 1e-3"),
];

fn plan(request: &str) -> Value {
    common::plan(&request.split(' ').collect::<Vec<_>>())
}

/// The page's prose names the requests that miss duplicates, and their rate.
fn check_missed(request: &str, plan: &Value) {
    let most = if request.contains("--miss 0.01") { 0.01 } else { 0.0 };
    assert!(real(plan, "miss_rate") <= most && (most == 0.0 || real(plan, "miss_rate") > 0.009), "{request}: {plan}");
}

fn kinds() -> String {
    let mut table = String::from(
        "| `lately plan` | bits per key | cache lines per `observe` | false duplicates at worst | on average |\n\
         | --- | ---: | ---: | ---: | ---: |\n",
    );
    let requests =
        KINDS.iter().flat_map(|(kind, rates)| rates.iter().map(move |rate| format!("{kind} --error {rate}")));
    for request in requests {
        let plan = plan(&request);
        check_missed(&request, &plan);
        let [bits, lines] = ["bits_per_key", "cache_lines_per_observe"].map(|name| real(&plan, name));
        let [worst, mean] = ["error_rate_worst", "error_rate_mean"].map(|name| real(&plan, name));
        table += &format!("| `{request}` | {bits:.1} | {lines:.1} | {worst:.2e} | {mean:.2e} |\n");
    }
    table
}

/// False duplicates in the unit that the plan has.
fn expected(plan: &Value) -> String {
    match plan["false_duplicates_per_day"].as_f64() {
        Some(number) => format!("{number:.0} a day"),
        None => format!("{:.0} in a million", real(plan, "false_duplicates_per_million")),
    }
}

fn cases() -> String {
    let mut table = String::from(
        "| case | `lately plan` | bytes | bits per key | false duplicates |\n\
         | --- | --- | ---: | ---: | ---: |\n",
    );
    for (name, request) in CASES {
        let plan = plan(request);
        check_missed(request, &plan);
        let (bytes, bits, expected) = (&plan["bytes"], real(&plan, "bits_per_key"), expected(&plan));
        table += &format!("| {name} | `{request}` | {bytes} | {bits:.1} | {expected} |\n");
    }
    table
}

/// Bits per key of a request at these rates.
fn bits(request: &str) -> [String; 3] {
    SHOWN.map(|rate| {
        let plan = plan(&format!("{request} --error {rate}"));
        format!("{:.1}", real(&plan, "bits_per_key"))
    })
}

/// The same of sets with removal, which the shell does not have.
fn bits_with_removal() -> [String; 3] {
    SHOWN.map(|rate| {
        let rate = format!("error_rate={rate}");
        let plan = Filter::plan(&named::options(&["kind=3", "capacity=1000000", "removable=1", &rate]));
        format!("{:.1}", plan.expect("a plan").bits_per_key)
    })
}

fn page() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/how-to/choose-a-kind.md")
}

/// Compares the text between the marks of `name` with the table, or writes it.
fn check_or_bless(name: &str, table: &str) {
    let text = fs::read_to_string(page()).expect("docs/how-to/choose-a-kind.md");
    let (open, close) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
    let (before, rest) = text.split_once(&open).expect("the mark before the table");
    let (shown, after) = rest.split_once(&close).expect("the mark behind the table");
    if std::env::var_os("BLESS").is_some() {
        fs::write(page(), format!("{before}{open}{table}{close}{after}")).expect("docs/how-to/choose-a-kind.md");
    } else {
        assert_eq!(shown, table, "BLESS=1 cargo test -p lately-cli choosing regenerates the table");
    }
}

/// One test for both tables: they are on one page, which is written as a whole.
#[test]
fn choosing_has_the_figures_of_the_plan() {
    let (kinds, cases) = (kinds(), cases());
    assert!(kinds.lines().count() >= 2 + 2 * RATES.len() && cases.lines().count() >= 2 + 4, "{kinds}{cases}");
    check_or_bless("kinds", &kinds);
    check_or_bless("cases", &cases);
}

#[test]
fn the_kinds_at_a_glance_have_the_figures_of_the_plan() {
    let page = fs::read_to_string(page()).expect("docs/how-to/choose-a-kind.md");
    let pair = |[a3, a6, a9]: [String; 3], [b3, b6, b9]: [String; 3], words: [&str; 2]| {
        format!("| {}{a3}, {}{b3} | {a6}, {b6} | {a9}, {b9} |", words[0], words[1])
    };
    let cells = [
        pair(bits(KINDS[0].0), bits(KINDS[1].0), ["time: ", "N: "]),
        format!("| {} |", bits(KINDS[2].0).join(" | ")),
        format!("| {} |", bits(KINDS[3].0).join(" | ")),
        pair(bits(KINDS[4].0), bits_with_removal(), ["", "with removal "]),
    ];
    for cells in cells {
        assert!(page.contains(&cells), "the table of the kinds has the cells {cells}");
    }
}
