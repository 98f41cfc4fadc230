//! `--flag=age`: between how long ago, at least and at most, a duplicate was seen last, against the exact answer.

use crate::common;

use common::{lately, quiet};

/// Word and bracket of each record.
fn judged(args: &[&str], input: &str) -> Vec<(String, Option<(String, String)>)> {
    let ran = quiet(&[args, &["--flag=age"]].concat(), input);
    let line = |line: &str| {
        let fields: Vec<_> = line.rsplit('\t').take(3).map(str::to_owned).collect();
        let [most, least, word] = fields.try_into().expect("three fields are appended");
        let age = (!least.is_empty()).then_some((least, most));
        (word, age)
    };
    ran.text().lines().map(line).collect()
}

#[test]
fn age_in_a_window_of_records_is_in_records() {
    let between: String = (0..500).map(|i| format!("{i}\n")).collect();
    let said = judged(&["--last", "1000"], &["a\n", &between, "a\n"].concat());
    assert!(said[..501].iter().all(|(word, age)| word == "new" && age.is_none()), "{said:?}");
    let (word, age) = &said[501];
    let (least, most) = age.as_ref().expect("an age");
    let [least, most]: [u64; 2] = [least, most].map(|records| records.parse().unwrap());
    // A generation, and an eighth of it.
    const WIDE: u64 = 1000_u64.div_ceil(7) + 1000_u64.div_ceil(56) + 1;
    assert!(word == "duplicate" && least <= 501 && 501 <= most && most - least <= WIDE, "{least} to {most}");
}

#[test]
fn age_in_a_window_of_time_is_a_time() {
    let args = ["--window", "70s", "-k", "2", "--time-field", "1", "--time-format", "epoch"];
    let said = judged(&args, "100\ta\n130.5\ta\n130.5\ta\n131\tb\n");
    assert_eq!((said[0].0.as_str(), &said[0].1), ("new", &None));
    assert_eq!((said[3].0.as_str(), &said[3].1), ("new", &None));
    for (at, true_age) in [(1, 30.5), (2, 0.0)] {
        let (word, age) = &said[at];
        let (least, most) = age.as_ref().expect("an age");
        let [least, most] = [least, most].map(|time| match time.strip_suffix("ms") {
            Some(ms) => ms.parse::<f64>().unwrap() / 1000.0,
            None => time.strip_suffix('s').unwrap().parse().unwrap(),
        });
        assert_eq!(word, "duplicate");
        assert!(least <= true_age && true_age <= most && most - least <= 10.001, "{least} to {most}");
    }
}

/// In a member a time is a text, as `--window` takes it.
#[test]
fn age_in_a_member_is_a_text() {
    let json = "{\"a\":1,\"t\":1700000000}\n{\"a\":1,\"t\":1700006400.036}\n";
    let args = ["--window", "2h", "--json", "/a", "--time-field", "/t", "--time-format", "epoch", "--flag=age"];
    let record: serde_json::Value = serde_json::from_str(quiet(&args, json).text().lines().nth(1).unwrap()).unwrap();
    for end in ["lately_at_least", "lately_at_most"] {
        let age = record[end].as_str().unwrap();
        assert!(age.contains('h') && age.ends_with('s') && !age.ends_with("ms"), "{record}");
    }
}

#[test]
fn every_record_has_the_fields_and_so_has_a_csv_header() {
    let ran = lately(&["--window", "1h", "--csv", "-k", "b", "--flag=age"], "a,b\n1,x\n2,x\n3\n");
    let lines: Vec<_> = ran.text().lines().collect();
    assert_eq!(lines[..2], ["a,b,lately,lately_at_least,lately_at_most", "1,x,new,,"]);
    assert!(lines[2].starts_with("2,x,duplicate,0"), "{}", lines[2]);
    assert_eq!(lines[3], "3", "a bad record goes out as it came");
    let plain = ["--flag", "--flag=verdict"].map(|flag| quiet(&["--last", "9", flag], "a\na\n").text().to_owned());
    assert_eq!(plain, ["a\tnew\na\tduplicate\n"; 2].map(String::from));
}

#[test]
fn kinds_without_ages_refuse_the_flag() {
    let (_dir, path) = common::place("state");
    quiet(&["--algo", "time-limited", "--window", "1h", "--state", &path], "a\n");
    let ran = lately(&["--window", "1h", "--state", &path, "--flag=age"], "a\n");
    ran.refused(2, &["this state: it is time-limited"]);
}
