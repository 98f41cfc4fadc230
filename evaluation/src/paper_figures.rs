//! The figures that the text of the paper gives, compared with the results of a full run: whoever changes a result learns which words
//! follow. Figures of the contest, of traffic and of sizes, and the times of the field are compared where their findings are.

use crate::outcome::{Cell, Outcome, Row, Table};
use crate::store;

/// The text in one line, so that words are found across line ends.
fn text() -> String {
    include_str!("paper.md").split_whitespace().collect::<Vec<_>>().join(" ")
}

fn expect(words: &[String]) {
    let text = text();
    for words in words {
        assert!(text.contains(words), "paper.md must say: {words}");
    }
}

fn results(name: &str) -> Outcome {
    store::of_tree().outcome(name).expect("results")
}

/// The table whose title begins so.
fn table<'a>(outcome: &'a Outcome, title: &str) -> &'a Table {
    outcome.tables.iter().find(|table| table.title.starts_with(title)).unwrap_or_else(|| panic!("no table {title:?}"))
}

/// The figure of the first row with all these labels, of the measure that begins so.
fn cell(table: &Table, labels: &[&str], measure: &str) -> Cell {
    let place = table.measures.iter().position(|one| one.name.starts_with(measure)).expect("a measure of that name");
    let row = table.rows.iter().find(|row| labels.iter().all(|label| row.labels.iter().any(|one| one == label)));
    row.unwrap_or_else(|| panic!("no row {labels:?}")).cells[place]
}

fn ours(cell: Cell) -> f64 {
    cell.ours.expect("a measured figure").mean
}

fn paper(cell: Cell) -> f64 {
    cell.paper.expect("a printed figure")
}

fn law(cell: Cell) -> f64 {
    cell.formula.expect("a figure of a law")
}

/// The least and the most.
fn span(figures: impl IntoIterator<Item = f64>) -> [f64; 2] {
    figures.into_iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[least, most], one| [least.min(one), most.max(one)])
}

const SUM: &str = "FPR + FNR";

#[test]
fn leads_of_qht_are_those_of_tables_2_and_4() {
    let outcome = results("qht-tables-2-and-4");
    let (published, right) =
        (table(&outcome, "Tables 2 and 4, baselines as"), table(&outcome, "Tables 2 and 4, baselines c"));
    let lead = |duplicates: &str, rival: &str| {
        let sum = |table: &Table, filter: &str| cell(table, &[duplicates, "8000000", filter], SUM);
        let printed = paper(sum(published, rival)) - paper(sum(published, "QHT = QQHTD"));
        [printed, ours(sum(right, rival)) - ours(sum(right, "QHT = QQHTD"))]
    };
    let [many, few] = ["88.82 %", "39.79 %"].map(|duplicates| ["SQF", "Cuckoo"].map(|rival| lead(duplicates, rival)));
    let fall = |filter| {
        let of = |table| format!("{:.0}", ours(cell(table, &["39.79 %", "8000000", filter], "FPR, %")));
        [of(published), of(right)]
    };
    let (sbf, a2) = (fall("SBF"), fall("A2"));
    expect(&[
        format!(
            "QHT's lead over SQF at 8,000,000 bits falls from {:.1} and {:.1} points to {:.1}.",
            many[0][0], few[0][0], few[0][1]
        ),
        format!("SBF's false duplicates fall from {} to {} %, A2's from {} to {} %", sbf[0], sbf[1], a2[0], a2[1]),
        format!(
            "QHT is ahead of SQF by {:.1} points, not {:.1}, and of Cuckoo by {:.1}, not {:.1};",
            many[0][1], many[0][0], many[1][1], many[1][0]
        ),
        format!(
            "with 39.79 % by {:.1}, not {:.1}, and by {:.1}, not {:.1}.",
            few[0][1], few[0][0], few[1][1], few[1][0]
        ),
    ]);
}

#[test]
fn filters_of_1_000_000_bits_and_fewer_are_as_saturated_as_the_text_has_it() {
    let outcome = results("qht-tables-2-and-4");
    let small = |row: &&Row| row.labels[1].parse::<u64>().expect("bits") <= 1_000_000;
    let sum = |table: &Table| {
        span(table.rows.iter().filter(small).filter_map(|row| row.cells[2].ours).map(|one| one.mean))[0]
    };
    let least = span(outcome.tables[..2].iter().map(sum))[0];
    expect(&[format!("both rates add up to at least {least:.1} % for all")]);
}

#[test]
fn best_filters_of_real_streams_are_those_of_the_table() {
    let outcome = results("qht-tables-2-and-4");
    let table = table(&outcome, "Table 2, real streams");
    let of = |stream: &str, bits: &str| -> Vec<(f64, String)> {
        let rows = table.rows.iter().filter(|row| row.labels[..3] == [stream, bits, "correct"]);
        rows.map(|row| (ours(row.cells[2]), row.labels[3].clone())).collect()
    };
    let best =
        |stream: &str, bits: &str| of(stream, bits).into_iter().min_by(|a, b| a.0.total_cmp(&b.0)).expect("a row").1;
    let streams = ["DNS queries", "web log", "object accesses"];
    let found = streams.map(|stream| ["100000", "10000"].map(|bits| best(stream, bits)));
    assert_eq!(found, [["SBF", "SBF"], ["A2", "QHT = QQHTD"], ["QHT = QQHTD", "A2"]]);
    let worst = span(streams.iter().flat_map(|stream| of(stream, "100000")).map(|(sum, _)| sum))[1];
    expect(&[
        format!("with 100,000 bits and the baselines done right, at most {:.0} %.", worst.ceil()),
        "SBF on the DNS queries, A2 on the web log at 100,000 bits and on the object accesses at 10,000, QHT otherwise.".to_owned(),
    ]);
}

#[test]
fn misses_of_sorted_rows_are_those_of_section_3_3() {
    let outcome = results("qht-sections-3-and-4");
    let table = table(&outcome, "Section 3.3: what sorting brings");
    let [plain, sorted] = ["plain", "sorted"].map(|rows| ours(cell(table, &[rows], "FNR")));
    expect(&[format!("bring the misses from {plain:.1} to {sorted:.1} %")]);
}

#[test]
fn sizes_of_tiny_sets_are_those_of_tables_1_to_4() {
    let (first, rest) = (results("tiny-set-table-1"), results("tiny-set-tables-3-and-4"));
    let printed = table(&first, "Table 1").rows.iter().map(|row| row.cells[0]).filter(|cell| cell.paper.is_some());
    let over = span(printed.map(|cell| 100.0 * (paper(cell) / law(cell) - 1.0)))[1];
    let third = table(&rest, "Table 3");
    let bits = |rate: &str, set: &str| law(cell(third, &[rate, set], "bits"));
    let meets = law(cell(table(&rest, "What the text says"), &["TinySet, 64 bytes, 64 chains"], "largest"));
    let removal = ["1 %", "0.1 %", "0.01 %"]
        .map(|rate| law(cell(table(&rest, "Table 4: with"), &[rate, "lately, removable"], "bits")));
    expect(&[
        format!("the printed ones are up to {over:.0} % larger"),
        format!("at 1 % ({:.2} for {:.2})", bits("1 %", "lately"), bits("1 %", "TinySet 64I")),
        format!("at 0.01 % ({:.2} for {:.2})", bits("0.01 %", "lately"), bits("0.01 %", "TinySet 64I")),
        format!("Below {meets:.1} % a set with blocks of 64 bytes and 64 chains"),
        format!("endless churn, {:.1}, {:.1} and {:.1} bits,", removal[0], removal[1], removal[2]),
    ]);
}

#[test]
fn filters_of_one_access_are_those_of_tables_5_and_6() {
    let outcome = results("tiny-set-tables-5-and-6");
    let printed = table(&outcome, "Tables 5 and 6: the printed");
    let below = span(printed.rows.iter().map(|row| 100.0 * (1.0 - law(row.cells[1]) / paper(row.cells[1]))));
    let planned = table(&outcome, "The same rates, planned");
    let gains = printed.rows.iter().map(|row| {
        let ours = law(cell(planned, &[&row.labels[0], &row.labels[3]], "bits"));
        let bits = law(row.cells[0]);
        // A bit of each fingerprint halves the rate.
        [100.0 * (1.0 - ours / bits), (paper(row.cells[1]) / law(row.cells[1])).log2() / (bits - ours)]
    });
    let gains: Vec<[f64; 2]> = gains.collect();
    let fewer = span(gains.iter().map(|gain| gain[0]));
    assert!(gains.iter().all(|gain| gain[1] > 0.5), "most of it comes from the rate: {gains:?}");
    let better = |set| cell(table(&outcome, "What the text says of figure 13"), &[set], "times better");
    let [small, large] = ["TinySet, 32 bytes", "TinySet, 64 bytes"].map(better);
    let removal = |block| {
        let table = table(&outcome, "The same rates with removal");
        let bits = ["1 %", "0.1 %", "0.01 %"].map(|rate| law(cell(table, &[block, rate], "bits")));
        format!("{:.1}, {:.1} and {:.1}", bits[0], bits[1], bits[2])
    };
    expect(&[
        format!("need {:.0} to {:.0} % fewer bits", fewer[0], fewer[1]),
        format!("are {:.0} to {:.0} % below theirs", below[0], below[1]),
        format!("and measured, it is {:.1} and {:.0} times.", ours(small), ours(large)),
        format!("it is {:.0} and {:.0} times more accurate", law(small), law(large)),
        format!("need {} bits in blocks of 64 bytes and {} in blocks of 32", removal("64"), removal("32")),
    ]);
}

#[test]
fn claims_of_figures_12_and_14_are_those_of_the_tables() {
    let (twelve, fourteen) = (results("tiny-set-figure-12"), results("tiny-set-figure-14"));
    let claim = |row: usize| table(&twelve, "What the text says").rows[row].cells[0];
    let overflow = law(cell(table(&fourteen, "Section 4.4"), &["7"], "chance"));
    expect(&[
        format!("passes the Bloom filter at {:.1} bits a key; the paper drew {:.1},", law(claim(0)), paper(claim(0))),
        format!("our rank-indexed hashing: {:.1} times.", law(claim(2))),
        format!("the law gives {:.1} in 10^12", overflow * 1e12),
    ]);
    assert_eq!(format!("{:.0}", law(claim(1))), "4");
}

#[test]
fn times_of_tiny_sets_are_those_of_both_days() {
    let outcome = results("tiny-set-speed");
    let table = table(&outcome, "Table 2");
    let of = |verb: &str| {
        let places = table.measures.iter().enumerate().filter(|(_, one)| one.name.starts_with(verb)).map(|(i, _)| i);
        let places: Vec<usize> = places.collect();
        let sets = table.rows.iter().filter(|row| row.labels[1] != "Bloom");
        let both = |cell: &Cell| [cell.ours, cell.again].map(|day| day.expect("two days").mean);
        span(sets.flat_map(|row| places.iter().flat_map(move |&i| both(&row.cells[i]))).collect::<Vec<f64>>())
    };
    let (add, query) = (of("add"), of("query"));
    expect(&[
        format!("took {:.1} to {:.1} times the Bloom filter's time to add a key", add[0], add[1]),
        format!("and {:.1} to {:.1} times to look for one", query[0], query[1]),
        format!("ours took {:.1} to {:.1} times the time", add[0].min(query[0]), add[1].max(query[1])),
    ]);
}

#[test]
fn pairs_and_plans_are_those_of_table_2() {
    let outcome = results("time-limited-table-2");
    let pairs = table(&outcome, "The reference program's pairs");
    let over = pairs.rows.iter().map(|row| ours(row.cells[0]) / paper(row.cells[0]) - 1.0);
    let over: Vec<f64> = over.collect();
    assert!(over.iter().filter(|over| **over > 0.0).count() + 2 >= over.len(), "nearly all exceed it: {over:?}");
    let plans = table(&outcome, "lately's plans");
    let off = span(plans.rows.iter().map(|row| 100.0 * (ours(row.cells[0]) / paper(row.cells[0]) - 1.0)));
    expect(&[
        format!("at the worst instant, by up to {:.0} %", 100.0 * span(over)[1]),
        format!("they need up to {:.0} % fewer bits", -off[0]),
        format!("where they need up to {:.0} % more", off[1]),
    ]);
}

#[test]
fn bursts_and_old_keys_are_those_beyond_the_paper() {
    let outcome = results("time-limited-beyond");
    let burst = table(&outcome, "A burst");
    let peaks = ["x 10", "x 100", "x 1000"].map(|burst_of| cell(burst, &[burst_of], "rate, peak"));
    assert!(peaks.iter().all(|peak| ours(*peak) > 1e-3 && law(*peak) > 1e-3), "{peaks:?}");
    let kept = ["x 10", "x 100", "x 1000"].map(|burst_of| law(cell(burst, &[burst_of], "memory two spans")));
    let old = cell(table(&outcome, "Past the span"), &["8"], "keys still found");
    let (figures, start) = (results("time-limited-figures-1-to-3"), "Begun too large");
    let bits = law(cell(table(&figures, start), &["(4, 3)"], "bits per key, last span"));
    expect(&[
        format!("lately's peak ({:.1e} and {:.1e})", ours(peaks[0]), ours(peaks[1])),
        format!("above it ({:.1e}, not {:.1e})", ours(peaks[2]), law(peaks[2])),
        format!("the equations keep {:.1}, {:.0} and {:.0} times the memory", kept[0], kept[1], kept[2]),
        format!("({:.2} % for {:.2} % after eight generations)", ours(old), law(old)),
        format!("take up to {bits:.0} bits a key over the last span"),
    ]);
}

/// What the note on filters at equal memory says of their order.
#[test]
fn order_at_equal_memory_is_that_of_the_note() {
    let outcome = results("beyond");
    let table = table(&outcome, "False duplicates");
    let rate = |filter: &str, stream: &str| ours(cell(table, &[filter], stream));
    let streams = ["uniform", "returns", "DNS queries", "web log", "object accesses"];
    for stream in streams {
        let sliced = ["time-limited", "age-partitioned"].map(|filter| rate(filter, stream));
        assert!(sliced.iter().all(|rate_of| rate("rotating TinySet", stream) <= *rate_of), "{stream}");
    }
    assert!(table.rows.iter().all(|row| row.labels[0] != "window table"), "it begins at 31 bits a key");
}

/// The bytes of a rival of the field over those of lately in the same table: the least and the most.
fn bytes_over(outcome: &Outcome, language: &str, [rival, base]: [&str; 2]) -> [f64; 2] {
    let bytes = |table: &Table, name: &str| {
        let row = table.rows.iter().find(|row| row.labels[..2] == [language, name])?;
        Some(row.cells.get(2)?.ours?.mean)
    };
    let ratios = outcome.tables.iter().filter_map(|table| Some(bytes(table, rival)? / bytes(table, base)?));
    let ratios: Vec<f64> = ratios.collect();
    assert!(!ratios.is_empty(), "{rival} and {base} take part");
    span(ratios)
}

/// The same at both rates.
fn at_both_rates(outcome: &Outcome, language: &str, rival: &str) -> [f64; 2] {
    let of = |rate| bytes_over(outcome, language, [&format!("{rival}-{rate}"), &format!("lately-{rate}")]);
    span(["1e-3", "1e-6"].map(of).concat())
}

#[test]
fn bytes_of_the_field_are_those_of_its_tables() {
    let outcome = results("field");
    assert_eq!(outcome.tables[0].measures[2].name, "bytes a record of the window");
    let of = |language: &str, rival: &str, base: &str| bytes_over(&outcome, language, [rival, base]);
    let (core, turns) = (at_both_rates(&outcome, "C++", "bitcoin"), at_both_rates(&outcome, "server", "bf-turns"));
    let [three, six] = ["1e-3", "1e-6"].map(|rate| of("Go", &format!("apbf-{rate}"), &format!("lately-{rate}"))[1]);
    let values = [of("Java", "caffeine", "lately-1e-6")[0], of("Go", "otter", "lately-1e-6")[1]];
    let (stream, nx) = (of("Go", "jetstream", "lately-1e-6-real")[0], of("server", "set-nx", "lately-1e-6")[0]);
    let choice = outcome.tables.last().expect("a table").notes.join(" ");
    for words in [
        format!("It takes {:.1} to {:.1} times the bytes and", core[0], core[1]),
        format!("It takes {three:.1} times the bytes at 1e-3 and {six:.1} times at 1e-6"),
        format!("They take {:.0} to {:.0} times the bytes", values[0], values[1]),
        format!("It takes {stream:.0} times the bytes and"),
        format!("It takes {nx:.0} times the bytes and"),
        format!("({:.0} times the bytes after 42 windows)", of("server", "bf-add-1e-3", "lately-1e-3")[1]),
        format!("{:.1} to {:.1} times the bytes and", turns[0], turns[1]),
    ] {
        assert!(choice.contains(&words), "field.md must say: {words}");
    }
    let bitcoin = ["1e-3", "1e-6"].map(|rate| {
        let name = format!("bitcoin-{rate}");
        let row = outcome.tables[0].rows.iter().find(|row| row.labels[..2] == ["C++", name.as_str()]).expect("a row");
        ours(row.cells[2])
    });
    expect(&[format!(
        "Bitcoin Core's filter takes {:.1} bytes a key at 1e-3 and {:.1} at 1e-6.",
        bitcoin[0], bitcoin[1]
    )]);
}

#[test]
fn abstract_on_the_field_is_that_of_its_tables() {
    let outcome = results("field");
    let rust = |rival: &'static str, measure: &str| {
        let place = outcome.tables[0].measures.iter().position(|one| one.name.starts_with(measure)).expect("a measure");
        let rows = outcome.tables[..3].iter().flat_map(|table| &table.rows);
        let rows = rows.filter(|row| row.labels[0] == "Rust" && row.labels[1] == rival);
        span(rows.map(|row| ours(row.cells[place])).collect::<Vec<f64>>())
    };
    let sets = [rust("two-sets", "bytes")[0], rust("two-sets", "the same, peak")[1]];
    expect(&[
        format!("take {:.0} to {:.0} bytes a key, and on the day of the run", sets[0], sets[1]),
        format!("missed keys of its window: {:.0} %.", 100.0 * rust("solana-deduper", "missed")[1]),
    ]);
}
