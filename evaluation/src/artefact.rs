//! `evaluation/docs/artefact.md`: how to run the evaluation elsewhere, what each experiment takes, and which claim rests on which
//! comparison and breaks by which mistake. Written from result files, as the page of figures is.

use crate::check::{Check, Law};
use crate::outcome::Outcome;
use crate::page;
use crate::wrong::Wrong;

/// What stands before the tables.
const PREFACE: &str = include_str!("artefact.md");

/// A sentence that a reader may quote, and what it rests on.
#[derive(Debug)]
pub(crate) struct Claim {
    says: &'static str,
    pub(crate) experiment: &'static str,
    /// The comparison, by its name in the results.
    pub(crate) check: &'static str,
    /// The test of `wrong` that breaks this comparison on purpose, and its mistake.
    pub(crate) mutant: &'static str,
    pub(crate) wrong: Wrong,
}

const fn claim(
    says: &'static str,
    experiment: &'static str,
    check: &'static str,
    mutant: &'static str,
    wrong: Wrong,
) -> Claim {
    Claim { says, experiment, check, mutant, wrong }
}

/// One at least of each experiment.
pub(crate) const CLAIMS: [Claim; 38] = [
    claim(
        "QHT's false duplicates are those of the exact law",
        "qht-table-1",
        "Table 1, s = 3, k = 2: FPR by the exact law",
        "qht_table_1",
        Wrong::OtherVariant,
    ),
    claim(
        "With the mistake of the benchmark SBF has 26 %, not the 2 % that it asks for",
        "qht-tables-2-and-4",
        "88.82 %, 8000000 bits, SBF as published: FPR by its law",
        "qht_tables_2_and_4_reading",
        Wrong::OtherReading,
    ),
    claim(
        "QHT is faster than SBF in the mean, on two days",
        "qht-table-3",
        "Table 3: QHT's time, SBF = 1, over 1",
        "qht_table_3",
        Wrong::Slow,
    ),
    claim(
        "A QQHTD forgets the oldest key of a row first",
        "qht-table-5",
        "Table 5, QQHTD, k = 4, s = 4: keys missed by the law of the queue",
        "qht_table_5_queue",
        Wrong::SecondOldest,
    ),
    claim(
        "Rows fill by the exact law",
        "qht-theorems",
        "Filling, k = 4, s = 4, m / (N k) = 2.625",
        "qht_theorems",
        Wrong::OtherVariant,
    ),
    claim(
        "Deriving again costs an eighth of a hash more",
        "qht-sections-3-and-4",
        "Section 3.2, 3: derived again: fingerprints of a key",
        "qht_sections_3_and_4_zero",
        Wrong::OtherZero,
    ),
    claim(
        "A secret stops the attacker of Theorem 7.2",
        "qht-section-7",
        "Theorem 7.2, under a secret (`keyed`): called duplicate",
        "qht_section_7",
        Wrong::Unkeyed,
    ),
    claim(
        "A TinySet's rate is that of section 4.3",
        "tiny-set-table-1",
        "L = 16, 1 %: rate",
        "tiny_set_table_1_left_over",
        Wrong::NoExtended,
    ),
    claim(
        "The sets that were timed have their rate",
        "tiny-set-speed",
        "lately, 64 bytes, 0.1 %: rate of the timed set",
        "tiny_set_speed",
        Wrong::Crowded,
    ),
    claim(
        "A set that keys leave keeps its rate",
        "tiny-set-tables-3-and-4",
        "lately, removable, 1 %: rate",
        "tiny_set_tables_3_and_4_removal",
        Wrong::Stays,
    ),
    claim(
        "Filters of one access have the rate of their law",
        "tiny-set-tables-5-and-6",
        "blocked, 32 bytes, 1 %: rate",
        "tiny_set_tables_5_and_6_half",
        Wrong::HalfBlock,
    ),
    claim(
        "Sets that keys leave keep their rate in blocks of 32 bytes too",
        "tiny-set-tables-5-and-6",
        "32 bytes, removable, planned for 1 %: rate",
        "tiny_set_tables_5_and_6_removal",
        Wrong::Stays,
    ),
    claim(
        "Figure 12 follows the formula",
        "tiny-set-figure-12",
        "TinySet, 8 bits: rate",
        "tiny_set_figure_12_left_over",
        Wrong::NoExtended,
    ),
    claim(
        "Past its plan a TinySet's rate climbs by the formula",
        "tiny-set-figure-14",
        "TinySet, model, 56000 keys: rate",
        "tiny_set_figure_14_left_over",
        Wrong::NoExtended,
    ),
    claim(
        "Removals lose no key",
        "tiny-set-figure-15",
        "the oldest leaves: keys lost",
        "tiny_set_figure_15",
        Wrong::Forgetful,
    ),
    claim(
        "What leaves a TinySet is gone",
        "tiny-set-figure-15",
        "the oldest leaves: entries for each key, at most",
        "tiny_set_figure_15_entries",
        Wrong::Stays,
    ),
    claim(
        "Ten turnovers of random keys leave its rate at what it was planned for",
        "tiny-set-figure-15",
        "a random one leaves, 10: rate, at most the planned one",
        "tiny_set_figure_15_rate",
        Wrong::Stays,
    ),
    claim(
        "A time-limited filter misses no key of its span",
        "time-limited-figures-1-to-3",
        "(4, 3), capacity 1000: keys of the span missed",
        "time_limited_figures_1_to_3_missed",
        Wrong::Forgetful,
    ),
    claim(
        "Its slices come back to k + l after a start with too few",
        "time-limited-figures-1-to-3",
        "(7, 28), capacity 1000: slices at the end",
        "time_limited_figures_1_to_3_slices",
        Wrong::Hoards,
    ),
    claim(
        "Nor does it once its rate has settled",
        "time-limited-figures-4-and-5",
        "0.01, capacity 1000: keys of the span missed",
        "time_limited_figures_4_and_5",
        Wrong::Forgetful,
    ),
    claim(
        "Its settled rate is at most that of its k, l and fill",
        "time-limited-figures-4-and-5",
        "0.01, capacity 1000: settled rate",
        "time_limited_figures_4_and_5_rate",
        Wrong::Overfull,
    ),
    claim(
        "Its statistics report the rate that it has",
        "time-limited-figures-4-and-5",
        "0.01, capacity 1000: measured less what stats say",
        "time_limited_figures_4_and_5_stats",
        Wrong::Overeager,
    ),
    claim(
        "The plan for 0.1 % with 64 slices misses no key",
        "time-limited-table-2",
        "planned for 0.001 with 64 slices: keys of the span missed",
        "time_limited_table_2",
        Wrong::Forgetful,
    ),
    claim(
        "With the pairs of Table 2 it has the bits that the formula asks for",
        "time-limited-table-2",
        "0.001: least bits of the law over ours",
        "time_limited_table_2_bits",
        Wrong::Overfull,
    ),
    claim(
        "That plan keeps its rate",
        "time-limited-table-2",
        "planned for 0.001 with 64 slices: rate",
        "time_limited_table_2_rate",
        Wrong::Overeager,
    ),
    claim(
        "A key that comes back counts from then on",
        "time-limited-beyond",
        "299.7 s after it came back: keys missed",
        "time_limited_beyond_renewal",
        Wrong::NotRenewed,
    ),
    claim(
        "Two spans after a burst of 100 times the usual rate its memory is given back",
        "time-limited-beyond",
        "x 100: memory afterwards over before",
        "time_limited_beyond_memory",
        Wrong::Hoards,
    ),
    claim(
        "A window table keeps the rate asked for",
        "contest",
        "window table, last n at 0.1 %: false duplicates, at most those asked for",
        "contest_overeager",
        Wrong::Overeager,
    ),
    claim(
        "A window table misses no key",
        "contest",
        "window table, last n at 0.1 %: misses",
        "contest_forgetful",
        Wrong::Forgetful,
    ),
    claim(
        "A window of time has at most the false duplicates of its layout",
        "contest",
        "window table, last T, n unknown at 1 %: false duplicates, at most its layout's",
        "contest_layout",
        Wrong::Overeager,
    ),
    claim("Growth from nothing misses no key", "contest-time", "growth: misses", "contest_growth", Wrong::Forgetful),
    claim(
        "A window of time keeps its keys through a burst of 20 times",
        "contest-traffic",
        "burst, window table: missed",
        "contest_traffic",
        Wrong::Hasty,
    ),
    claim(
        "A window of 10,000 keys keeps its rate",
        "contest-sizes",
        "window table, last n, 10000 keys: false duplicates",
        "contest_sizes_overeager",
        Wrong::Overeager,
    ),
    claim(
        "While it grows from nothing a window table misses no key",
        "table-error",
        "steady from nothing, fields of 8: missed",
        "table_error",
        Wrong::Hasty,
    ),
    claim(
        "Absent keys are called duplicates as often as the census says",
        "table-error",
        "doubling, fields of 8: absent keys called duplicates",
        "table_error_overeager",
        Wrong::Overeager,
    ),
    claim(
        "At equal memory an age-partitioned filter misses no key",
        "beyond",
        "age-partitioned on uniform over 2^17: misses",
        "beyond",
        Wrong::Forgetful,
    ),
    claim(
        "Among the code that people run it misses no key of a million",
        "field",
        "Rust, lately-1e-6, last-1000000: keys of the window missed",
        "field_forgetful",
        Wrong::Forgetful,
    ),
    claim(
        "There it has no more false duplicates than were asked for",
        "field",
        "Rust, lately-1e-3, last-1000000: false duplicates",
        "field_overeager",
        Wrong::Overeager,
    ),
];

/// Processor seconds of the quick form and of the full one, as `artefact.md` describes; none: not timed by itself.
pub(crate) const SECONDS: [(&str, f64, Option<f64>); 25] = [
    ("qht-table-1", 0.4, None),
    ("qht-tables-2-and-4", 7.0, None),
    ("qht-table-3", 0.6, None),
    ("qht-table-5", 3.7, Some(5.0)),
    ("qht-theorems", 0.3, None),
    ("qht-sections-3-and-4", 0.3, None),
    ("qht-section-7", 0.4, None),
    ("tiny-set-table-1", 0.3, None),
    ("tiny-set-speed", 0.6, None),
    ("tiny-set-tables-3-and-4", 1.2, None),
    ("tiny-set-tables-5-and-6", 0.7, Some(331.0)),
    ("tiny-set-figure-12", 0.3, None),
    ("tiny-set-figure-14", 0.3, None),
    ("tiny-set-figure-15", 0.6, None),
    ("time-limited-figures-1-to-3", 0.5, None),
    ("time-limited-figures-4-and-5", 1.4, None),
    ("time-limited-table-2", 0.7, Some(112.0)),
    ("time-limited-beyond", 1.0, Some(10.0)),
    ("contest", 1.5, None),
    ("contest-time", 0.3, None),
    ("contest-traffic", 1.7, None),
    ("contest-sizes", 0.4, None),
    ("table-error", 1.5, None),
    ("beyond", 1.5, None),
    ("field", 0.0, None),
];

/// The page, from the results of all experiments.
pub(crate) fn page(outcomes: &[Outcome]) -> String {
    let mut text = PREFACE.to_owned();
    text += "| experiment | length | comparisons | quick form, s | full form, s | results, KB | pictures |\n\
             | --- | --- | ---: | ---: | ---: | ---: | ---: |\n";
    outcomes.iter().for_each(|outcome| text += &experiment(outcome));
    text += "\n## What is claimed\n\nEach claim has a comparison, which fails if the figure leaves its tolerance, and a mistake on \
             purpose, for which this very comparison must fail: with `--mistake` the command ends with status 1 and names it. The tests make the \
             mistake in the quick form: `cargo test --manifest-path evaluation/Cargo.toml wrong::tests::NAME`. The two figures are those of the comparison. Where a \
             name ends with \"over 1\", the figure is how far the ratio is above 1, and must be 0. At most -2 means at least 2.\n\n";
    CLAIMS.iter().for_each(|claim| text += &item(claim, outcomes));
    text
}

fn experiment(outcome: &Outcome) -> String {
    let head = &outcome.head;
    let timed = SECONDS.iter().find(|(name, ..)| *name == head.name);
    let quick = timed.map_or(f64::NAN, |(_, quick, _)| *quick);
    let full = timed.and_then(|(.., full)| *full).map_or_else(String::new, |full| format!("{full:.0}"));
    let (checks, size, pictures) =
        (outcome.checks.len(), outcome.to_lines().len().div_ceil(1000), outcome.charts.len());
    format!("| `{}` | {} | {checks} | {quick:.1} | {full} | {size} | {pictures} |\n", head.name, head.length)
}

fn item(claim: &Claim, outcomes: &[Outcome]) -> String {
    let outcome = outcomes.iter().find(|outcome| outcome.head.name == claim.experiment);
    let outcome = outcome.unwrap_or_else(|| panic!("{}: no such experiment", claim.experiment));
    let check = outcome.checks.iter().find(|check| check.what == claim.check);
    let check = check.unwrap_or_else(|| panic!("{}: no comparison {:?}", claim.experiment, claim.check));
    let Claim { says, check: what, mutant, wrong, .. } = claim;
    let (ours, expected, command) = (number(check.ours.mean), expected(check), page::short_command(&outcome.head));
    let figure = claim.experiment;
    format!(
        "- **{says}** (`{figure}`).\n  {what}: {ours}, expected {expected}.\n  `{command} --mistake {}`; test `{mutant}`.\n",
        wrong.name()
    )
}

fn expected(check: &Check) -> String {
    let (expected, tolerance) = (number(check.expected), number(check.tolerance));
    match check.law {
        Law::AtMost => format!("at most {expected} + {tolerance}"),
        Law::Exactly if check.tolerance == 0.0 => format!("exactly {expected}"),
        Law::About | Law::Exactly => format!("{expected} ± {tolerance}"),
    }
}

/// Four digits that count.
fn number(value: f64) -> String {
    if value == 0.0 || (0.01..1e4).contains(&value.abs()) { format!("{value:.4}") } else { format!("{value:.3e}") }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;
    use crate::registry;

    fn text(path: &str) -> String {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    #[test]
    fn text_and_claims_are_on_the_page() {
        let page = crate::store::committed("artefact.md");
        assert!(page.contains(&PREFACE.split_whitespace().collect::<Vec<_>>().join(" ")));
        for Claim { says, check, wrong, mutant, .. } in &CLAIMS {
            let broken = format!("--mistake {}`; test `{mutant}`", wrong.name());
            assert!(
                [format!("**{says}** (").as_str(), check, &broken].iter().all(|words| page.contains(words)),
                "{says}"
            );
        }
    }

    #[test]
    fn every_experiment_has_a_claim_and_a_time() {
        for experiment in registry::ALL {
            let name = experiment.name;
            assert!(CLAIMS.iter().any(|claim| claim.experiment == name), "no claim of {name}");
            assert_eq!(SECONDS.iter().filter(|(one, ..)| *one == name).count(), 1, "no time of {name}");
        }
    }

    /// A sentence about times is claimed only if two days agree on it.
    #[cfg(feature = "results")]
    #[test]
    fn claim_of_time_is_concluded_from_two_days() {
        let outcome = crate::store::of_tree().outcome("qht-table-3").expect("a result");
        assert_eq!(outcome.head.days.len(), 2);
        let row = outcome.tables[0].rows.iter().find(|row| row.labels == ["SBF"]).expect("SBF");
        let mean =
            outcome.tables[0].measures.iter().position(|measure| measure.name.starts_with("mean")).expect("means");
        assert_eq!(row.cells[mean].conclusion(), Some(std::cmp::Ordering::Greater), "QHT is faster than SBF");
    }

    #[test]
    fn numbers_have_four_digits_or_a_power() {
        assert_eq!([0.0, 0.5, 22.57, 1e-3, 2e6].map(number), ["0.0000", "0.5000", "22.5700", "1.000e-3", "2.000e6"]);
    }

    /// The lines of a recipe with this word in front, without it.
    fn steps<'a>(recipe: &'a str, word: &str) -> Vec<&'a str> {
        recipe.lines().filter_map(|line| line.strip_prefix(word)?.strip_prefix(' ')).collect()
    }

    #[test]
    fn recipe_names_what_exists() {
        let (recipe, manifest) = (text("Containerfile"), text("evaluation/Cargo.toml"));
        let home = steps(&recipe, "WORKDIR")[0];
        let entry = steps(&recipe, "ENTRYPOINT")[0];
        assert_eq!(entry, format!("[\"{home}/evaluation/target/release/evaluation\"]"), "the program of the package");
        assert!(manifest.contains("[[bin]]\nname = \"evaluation\"\n"));
        assert_eq!(steps(&recipe, "COPY"), [". ."], "the whole tree, less what .dockerignore leaves out");
        let build = "cargo build --release --locked --manifest-path evaluation/Cargo.toml";
        assert!(steps(&recipe, "RUN").contains(&build) && PREFACE.contains(build));
        assert_eq!(steps(&recipe, "CMD"), ["[\"list\"]"]);
        for command in steps(&recipe, "RUN").iter().filter(|command| command.starts_with("cargo")) {
            assert!(command.contains("--locked"), "{command}");
        }
    }

    #[test]
    fn recipe_has_a_compiler_that_is_new_enough() {
        let (recipe, manifest) = (text("Containerfile"), text("Cargo.toml"));
        let minor = |text: &str, before: &str| -> u32 {
            let rest = text.split_once(before).unwrap_or_else(|| panic!("no {before}")).1;
            rest.chars().take_while(char::is_ascii_digit).collect::<String>().parse().expect("a number")
        };
        assert!(minor(&recipe, "/rust:1.") >= minor(&manifest, "\nrust-version = \"1."));
    }

    #[test]
    fn image_leaves_out_what_is_built_and_takes_what_is_vendored() {
        let (left_out, untracked, recipe) = (text(".dockerignore"), text(".gitignore"), text("Containerfile"));
        assert!(left_out.lines().any(|line| line == "/target"));
        for name in ["vendor", "vendor.toml"] {
            assert!(!left_out.contains(name) && untracked.lines().any(|line| line == format!("/{name}")), "{name}");
        }
        assert!(
            recipe.contains("vendor.toml >> .cargo/config.toml")
                && PREFACE.contains("cargo vendor --locked --manifest-path evaluation/Cargo.toml vendor > vendor.toml")
        );
    }

    /// The value of a field of a citation, without its quotes.
    fn value<'a>(block: &'a str, field: &str) -> Option<&'a str> {
        let line =
            block.lines().find_map(|line| line.trim_start_matches(['-', ' ']).strip_prefix(field)?.strip_prefix(':'));
        line.map(|value| value.trim().trim_matches('"'))
    }

    /// What version 1.2.0 of the Citation File Format asks of a reference: a type that it knows, a title, authors with names.
    fn expect_reference(block: &str) {
        let types = [
            "article",
            "book",
            "conference-paper",
            "conference",
            "generic",
            "proceedings",
            "report",
            "software",
            "thesis",
        ];
        assert!(value(block, "type").is_some_and(|kind| types.contains(&kind)), "no type that the format has: {block}");
        assert!(value(block, "title").is_some_and(|title| !title.is_empty()), "no title: {block}");
        let authors = block.split_once("authors:").expect("authors").1;
        let named = |line: &&str| ["family-names:", "name:"].iter().any(|name| line.contains(name));
        let people = authors.lines().filter(|line| line.trim_start().starts_with("- ")).collect::<Vec<_>>();
        assert!(!people.is_empty() && people.iter().all(named), "an author without a name: {block}");
    }

    /// Required by the format: its version, a message, a title, authors. And what a reader of a citation looks for.
    #[test]
    fn citation_has_the_required_fields_of_its_format() {
        let citation = text("CITATION.cff");
        assert_eq!(value(&citation, "cff-version"), Some("1.2.0"));
        for field in ["message", "title", "abstract", "repository-code", "url", "version"] {
            assert!(value(&citation, field).is_some_and(|value| !value.is_empty()), "CITATION.cff lacks {field}");
        }
        assert!(["software", "dataset"].contains(&value(&citation, "type").expect("a type")));
        let (software, rest) = citation.split_once("\npreferred-citation:\n").expect("a preferred citation");
        let (preferred, references) = rest.split_once("\nreferences:\n").expect("references");
        let authors =
            software.split_once("\nauthors:\n").expect("authors").1.split("\nkeywords:").next().unwrap_or_default();
        expect_reference(&format!("type: software\ntitle: x\nauthors:\n{authors}"));
        expect_reference(preferred);
        let papers: Vec<&str> = references.split("  - type: ").skip(1).collect();
        papers.iter().for_each(|paper| expect_reference(&format!("type: {paper}")));
        let year =
            |paper: &&&str| value(paper, "year").is_some_and(|year| year.len() == 4 && year.parse::<u32>().is_ok());
        assert_eq!((papers.len(), papers.iter().filter(year).count()), (4, 4), "the papers that the filters come from");
    }

    #[test]
    fn citation_has_the_version_and_the_repository_that_are_built() {
        let (citation, manifest) = (text("CITATION.cff"), text("Cargo.toml"));
        let version = format!("version: {}", env!("CARGO_PKG_VERSION"));
        let versions: Vec<&str> = citation.lines().map(str::trim).filter(|line| line.starts_with("version:")).collect();
        assert_eq!(versions, [version.as_str(), version.as_str()], "the software's, and the citation's");
        let field =
            |name: &str| manifest.lines().find_map(|line| line.strip_prefix(name)).map(|value| value.trim_matches('"'));
        assert_eq!(value(&citation, "repository-code"), field("repository = "));
        let licences = field("license = ").expect("a licence");
        assert!(licences.split(" OR ").all(|licence| citation.contains(&format!("  - {licence}\n"))), "{licences}");
    }
}
