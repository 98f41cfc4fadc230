//! The set and the quotient filter on the shell: which options make them, and what their reports have.

use crate::common;

use common::{lately, numbers, quiet};

#[test]
fn memory_alone_is_a_quotient_filter() {
    // Each number three times, a thousand records apart: fixed memory finds nearly all repeats so near.
    let input: String = (0..50).map(|i| numbers(i * 1000..(i + 1) * 1000).repeat(3)).collect();
    for variant in ["qht", "qhtd", "qqht", "qqhtd"] {
        let ran = lately(&["--memory", "64K", "--error", "1e-2", "--variant", variant, "--report", "json"], &input);
        assert_eq!((ran.code, ran.count("read")), (0, 150_000), "{variant}: {}", ran.err);
        assert!((48_000..56_000).contains(&ran.count("new")), "{variant}: {}", ran.err);
        assert!(ran.count("bytes") <= 65_536 && ran.report()["kind"] == "quotient", "{}", ran.err);
    }
}

#[test]
fn variants_are_different_filters_and_the_default_is_qqhtd() {
    let input = numbers(0..3000).repeat(4);
    // At this rate rows have two cells in every variant; in rows of one cell QHT and QHTD are alike.
    let out = |extra: &[&str]| quiet(&[&["--memory", "2K", "--error", "0.3"], extra].concat(), &input).out;
    let all = ["qht", "qhtd", "qqht", "qqhtd"].map(|variant| out(&["--variant", variant]));
    for (i, one) in all.iter().enumerate() {
        assert!(all[i + 1..].iter().all(|other| other != one), "variant {i}");
    }
    assert_eq!(out(&[]), all[3]);
    assert_eq!(out(&["--variant", "QHT"]), all[0], "as the paper spells it");
    assert_eq!(out(&[]), all[3], "victims are seeded");
}
