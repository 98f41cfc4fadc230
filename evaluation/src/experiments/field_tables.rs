//! The tables and comparisons of the field.

use lately_field::line::{Documented, Law, Ran};
use lately_field::stream::Workload;

use crate::check::Check;
use crate::machine;
use crate::num;
use crate::outcome::{Cell, Measure, Outcome, Table};
use crate::sample::Sample;

use super::field_subject::{Found, Subject};

/// What to make of the tables: where another is the better choice.
const CHOICE: &str = include_str!("field.md");

pub(super) fn outcome(subjects: &[Subject], workloads: &[&Workload], rounds: u64, found: &Found) -> Outcome {
    let names: Vec<String> = workloads.iter().map(|workload| format!("`{}`", workload.name)).collect();
    let mut outcome = Outcome::new(format!(
        "{}; workloads {}, half of whose records repeat a key of the window; {rounds} rounds, each with its seed, every run in a \
         process of its own (the quick form: in one).",
        machine::processor(),
        names.join(", ")
    ));
    for workload in workloads {
        outcome.tables.push(measured(subjects, workload, found));
        hold(subjects, workload, found, &mut outcome.checks);
    }
    outcome.tables.push(who(subjects));
    outcome.tables.push(documented(subjects, found));
    conclude(&mut outcome);
    let figures = found.documented.iter().map(|(i, figure)| own_figure(&subjects[*i].name(), figure));
    outcome.checks.extend(figures);
    outcome
}

/// Where another is the better choice, below the last table.
pub(crate) fn conclude(outcome: &mut Outcome) {
    let last = outcome.tables.last_mut().expect("a table");
    last.notes = CHOICE.split("\n\n").map(|part| part.trim().replace('\n', " ")).collect();
}

/// The runs of one rival on one workload, by round.
fn runs<'a>(found: &'a Found, i: usize, workload: &'static str) -> &'a [Option<Ran>] {
    found.runs.get(&(i, workload)).map_or(&[], Vec::as_slice)
}

/// A figure of each run that there is.
fn figures(runs: &[Option<Ran>], figure: impl Fn(&Ran) -> f64) -> Vec<f64> {
    runs.iter().flatten().map(figure).collect()
}

fn base<'a>(subjects: &[Subject], found: &'a Found, i: usize, workload: &'static str) -> &'a [Option<Ran>] {
    let mine = &subjects[i].listed;
    let of =
        subjects.iter().position(|other| other.listed.rival == mine.base && other.listed.language == mine.language);
    of.map_or(&[], |of| runs(found, of, workload))
}

/// Processor time over that of lately in the same language and round.
fn ratio(mine: &[Option<Ran>], base: &[Option<Ran>]) -> Sample {
    let pairs = mine.iter().zip(base).filter_map(|(mine, base)| mine.as_ref().zip(base.as_ref()));
    let ratios: Vec<f64> = pairs.map(|(mine, base)| num::real(mine.cpu_ns) / num::real(base.cpu_ns)).collect();
    Sample::middle(&ratios)
}

fn measured(subjects: &[Subject], workload: &Workload, found: &Found) -> Table {
    let measures = vec![
        Measure::ratio("processor time, lately = 1"),
        Measure::new("ns a record", 0),
        Measure::new("bytes a record of the window", 1),
        Measure::new("the same, peak", 1),
        Measure::powers("false duplicates"),
        Measure::powers("missed"),
    ];
    let window = match workload.span {
        0 => format!("the last {} records", workload.records),
        span => format!("{} s, {} records", num::real(span) / 1e9, workload.records),
    };
    let title = format!("`{}`: a window of {window}", workload.name);
    let mut table = Table::new(&title, &["language", "rival", "clock"], measures);
    // What is written here in an hour and took less time is to be seen first.
    let wins = |i: &usize| {
        let is_simple = ["two-sets", "hash-to-time"].contains(&subjects[*i].listed.rival.as_str());
        is_simple && ratio(runs(found, *i, workload.name), base(subjects, found, *i, workload.name)).mean < 1.0
    };
    let (first, others): (Vec<usize>, Vec<usize>) = (0..subjects.len()).partition(wins);
    for i in first.into_iter().chain(others) {
        let (subject, mine) = (&subjects[i], runs(found, i, workload.name));
        if let Some(first) = mine.iter().flatten().next() {
            let labels = [subject.listed.language.as_str(), &subject.listed.rival, &first.clock];
            table.row(&labels, cells(mine, base(subjects, found, i, workload.name), workload));
        }
    }
    let left_out: Vec<&str> = found.left_out.iter().map(String::as_str).collect();
    if left_out.is_empty() { table } else { table.note(format!("Left out: {}.", left_out.join("; "))) }
}

fn cells(mine: &[Option<Ran>], base: &[Option<Ran>], workload: &Workload) -> Vec<Cell> {
    let records = num::real(workload.records);
    let bytes = |bytes: Option<u64>| bytes.map_or(f64::NAN, num::real) / records;
    let half = |ran: &Ran| num::real(ran.keys) / 2.0;
    let samples = [
        ratio(mine, base),
        Sample::middle(&figures(mine, |ran| num::real(ran.cpu_ns) / num::real(ran.keys))),
        Sample::middle(&figures(mine, |ran| bytes(ran.settled_bytes))),
        Sample::middle(&figures(mine, |ran| bytes(ran.peak_bytes))),
        Sample::of(figures(mine, |ran| num::real(ran.wrong) / half(ran))),
        Sample::of(figures(mine, |ran| num::real(ran.missed) / half(ran))),
    ];
    samples.into_iter().map(|sample| Cell::default().ours(sample)).collect()
}

/// What every rival promises.
fn hold(subjects: &[Subject], workload: &Workload, found: &Found, checks: &mut Vec<Check>) {
    for (i, subject) in subjects.iter().enumerate() {
        let (mine, name) = (runs(found, i, workload.name), format!("{}, {}", subject.name(), workload.name));
        let Some(first) = mine.iter().flatten().next() else { continue };
        let half = num::real(first.keys) / 2.0;
        let wrong = Sample::of(figures(mine, |ran| num::real(ran.wrong) / half));
        let what = format!("{name}: false duplicates");
        match subject.listed.error {
            Some(0.0) => checks.push(Check::exactly(what, wrong.mean, 0.0, 0.0)),
            Some(error) => checks.push(Check::at_most(what, wrong, error).events(half)),
            None => {}
        }
        if !subject.listed.misses {
            let missed: f64 = figures(mine, |ran| num::real(ran.missed)).iter().sum();
            checks.push(Check::exactly(format!("{name}: keys of the window missed"), missed, 0.0, 0.0));
        }
    }
}

fn who(subjects: &[Subject]) -> Table {
    let mut table = Table::new("Who takes part", &["language", "rival", "version", "bytes", "what it is"], Vec::new());
    for subject in subjects {
        let listed = &subject.listed;
        table.row(&[&listed.language, &listed.rival, &listed.version, &listed.bytes, &listed.what], Vec::new());
    }
    table
}

/// Each rival's own figures.
fn documented(subjects: &[Subject], found: &Found) -> Table {
    let labels = ["language", "rival", "figure", "documented", "measured", "as documented", "where"];
    let mut table = Table::new("Documented and measured", &labels, Vec::new());
    for (i, figure) in &found.documented {
        let law = match figure.law {
            Law::Exactly => "",
            Law::About => "about ",
            Law::AtMost => "at most ",
            Law::AtLeast => "at least ",
        };
        let documented = format!("{law}{}", number(figure.documented));
        let is_met = if figure.is_met() { "yes" } else { "no" };
        let what = format!("{} ({})", figure.what, figure.unit);
        let language = &subjects[*i].listed.language;
        table.row(
            &[language, &figure.rival, &what, &documented, &number(figure.measured), is_met, &figure.source],
            Vec::new(),
        );
    }
    table
}

/// Figures that were found not to be as documented, by rival and beginning: it is an error if they are so one day.
const REFUTED: [(&str, &str); 4] = [
    ("expiring-atomic-filter", "keys of 1.5 s ago that insert_unique"),
    ("apbf-", "age of the youngest key that it missed"),
    ("apbf-", "share that it missed"),
    ("timecache", "time that a key is kept past its 2 minutes"),
];

fn is_refuted(figure: &Documented) -> bool {
    REFUTED.iter().any(|(rival, what)| figure.rival.starts_with(rival) && figure.what.starts_with(what))
}

/// A comparison of a documented figure with the measured one.
fn own_figure(rival: &str, figure: &Documented) -> Check {
    let what = format!("{rival}: {}", figure.what);
    if is_refuted(figure) {
        return Check::exactly(format!("{what}, as documented"), f64::from(figure.is_met()), 0.0, 0.0);
    }
    let (documented, measured) = (figure.documented, figure.measured);
    match figure.law {
        Law::Exactly => Check::exactly(what, measured, documented, 0.0),
        Law::About => Check::exactly(what, measured, documented, figure.slack),
        Law::AtMost => Check::exactly(what, measured.max(documented), documented, figure.slack),
        Law::AtLeast => Check::exactly(what, measured.min(documented), documented, figure.slack),
    }
}

/// A count, or a share with two digits.
fn number(value: f64) -> String {
    if value == 0.0 || value.abs() >= 1.0 { format!("{value:.0}") } else { format!("{value:.1e}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ran(cpu_ns: u64) -> Option<Ran> {
        let line = format!(
            r#"{{"rival":"a","version":"a 1","workload":"last-2000","seed":1,"stream":"0","keys":2,"cpu_ns":{cpu_ns},"peak_bytes":null,"settled_bytes":4000,"false":0,"missed":1,"clock":"none","late_ns":0}}"#
        );
        serde_json::from_str(&line).expect("a line")
    }

    #[test]
    fn ratio_is_the_median_of_ratios_within_a_round() {
        let (mine, base) = ([ran(10), ran(900), ran(40), None], [ran(10), ran(300), ran(20), ran(1)]);
        let ratio = ratio(&mine, &base);
        assert_eq!((ratio.mean, ratio.runs), (2.0, 3));
    }

    #[test]
    fn bytes_that_were_not_measured_are_said_to_be_so() {
        let workload = Workload::find("last-2000").expect("a workload");
        let cells = cells(&[ran(10)], &[], workload);
        let of = |i: usize| cells[i].ours.expect("a figure");
        assert_eq!((of(0).runs, of(2).mean, of(3).runs, of(5).mean), (0, 2.0, 0, 1.0));
    }

    /// A figure of all workloads, and the least and the most of it: language, rival and how the measure begins.
    #[cfg(feature = "results")]
    fn span(outcome: &Outcome, language: &str, rivals: &[&str], measure: &str) -> [f64; 2] {
        let clocks = ["none", "manual", "real"];
        let rows = rivals.iter().flat_map(|rival| clocks.map(|clock| [language, rival, clock]));
        let has = |row: &[&str; 3]| outcome.tables.iter().flat_map(|table| &table.rows).any(|one| one.labels == *row);
        let spans: Vec<[f64; 2]> = rows.filter(has).map(|row| outcome.span(&row, measure)).collect();
        assert!(!spans.is_empty(), "{rivals:?} take part");
        [
            spans.iter().map(|span| span[0]).fold(f64::INFINITY, f64::min),
            spans.iter().map(|span| span[1]).fold(0.0, f64::max),
        ]
    }

    /// What the text says of times and bytes, by the results of a full run.
    #[cfg(feature = "results")]
    #[test]
    fn figures_of_the_text_are_those_of_the_results() {
        let outcome = crate::store::of_tree().outcome("field").expect("results");
        let notes: Vec<String> = CHOICE.split("\n\n").map(|part| part.trim().replace('\n', " ")).collect();
        assert_eq!(outcome.tables.last().expect("a table").notes, notes);
        let text = notes.join(" ");
        let time = |language: &str, rivals: &[&str]| span(&outcome, language, rivals, "processor time");
        let bytes = |rival: &str| {
            [span(&outcome, "Rust", &[rival], "bytes")[0], span(&outcome, "Rust", &[rival], "the same")[1]]
        };
        let (sets, times, exact) = (bytes("two-sets"), bytes("hash-to-time"), bytes("exact"));
        let (hashes, whole) = (time("Rust", &["hash-to-time"]), time("Rust", &["exact"]));
        let (bitcoin, apbf) = (time("C++", &["bitcoin-1e-3", "bitcoin-1e-6"]), time("Go", &["apbf-1e-3", "apbf-1e-6"]));
        let (jetstream, cache) = (time("Go", &["jetstream"]), time("Go", &["timecache"]));
        let (nx, turns) = (time("server", &["set-nx"]), time("server", &["bf-turns-1e-3", "bf-turns-1e-6"]));
        let values = [time("Go", &["otter"])[0], time("Java", &["caffeine"])[1]];
        for words in [
            format!("They take {:.0} to {:.0} bytes a record of the window", sets[0], sets[1]),
            format!("takes {:.1} to {:.1} of the table's time", hashes[0], hashes[1]),
            format!("It takes {:.0} to {:.0} bytes a record, and its sweep", times[0], times[1]),
            format!(
                "{:.0} to {:.0} bytes a record, and {:.1} to {:.1} times the time.",
                exact[0], exact[1], whole[0], whole[1]
            ),
            format!("and {:.1} to {:.0} times the time, since it looks", bitcoin[0], bitcoin[1]),
            format!("and {:.1} to {:.1} times the time. Ask it for more", apbf[0], apbf[1]),
            format!("It takes {:.1} times the time.", cache[0]),
            format!("times the bytes and {:.0} to {:.0} times the time. JetStream", values[0], values[1]),
            format!("times the bytes and {:.0} times the time, which is that of a whole message", jetstream[0]),
            format!("times the bytes and {:.1} times the server's time. RedisBloom", nx[0]),
            format!("times the bytes and {:.1} to {:.1} times the server's time. **What", turns[0], turns[1]),
        ] {
            assert!(text.contains(&words), "{words}");
        }
    }

    #[test]
    fn choice_is_on_the_page() {
        let page = crate::store::committed("README.md");
        for part in CHOICE.split("\n\n").map(|part| part.trim().replace('\n', " ")) {
            assert!(page.contains(&part), "{part}");
        }
    }

    fn figure(rival: &str, what: &str, law: Law, measured: f64) -> Documented {
        let (documented, slack, text) = (10.0, 1.0, String::new());
        let (rival, what) = (rival.to_owned(), what.to_owned());
        Documented { rival, what, unit: text.clone(), documented, measured, law, slack, source: text }
    }

    fn holds(figure: &Documented) -> bool {
        let mut check = [own_figure("a", figure)];
        crate::check::settle(&mut check, 1);
        check[0].holds()
    }

    #[test]
    fn refuted_figure_that_is_as_documented_again_fails() {
        let missed =
            |measured| figure("apbf-1e-3", "age of the youngest key that it missed, at 10", Law::AtLeast, measured);
        assert!(holds(&missed(8.0)));
        assert!(!holds(&missed(10.0)));
        assert!(!holds(&figure("apbf-1e-3", "bytes", Law::AtLeast, 8.0)));
    }

    #[test]
    fn documented_figures_are_compared_by_their_law() {
        let subject = |law, measured| {
            let figure = figure("", "", law, measured);
            (holds(&figure), figure.is_met())
        };
        for law in [Law::Exactly, Law::About, Law::AtMost, Law::AtLeast] {
            for measured in [2.0, 9.5, 10.0, 10.5, 20.0] {
                let (holds, is_met) = subject(law, measured);
                assert_eq!(holds, is_met, "{law:?}, {measured}");
            }
        }
        assert_eq!([0.0, 1e-6, 539_168.4].map(number), ["0", "1.0e-6", "539168"]);
    }
}
