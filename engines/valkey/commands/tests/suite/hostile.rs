//! Whatever bytes a user restores: an error or a filter that works, never a crash, never more memory than is allowed.

use super::fake::{Cases, Fake, requests, snapshot};
use lately_commands::{Held, Reply, Settings, Value};

fn filled(request: &str, items: u32) -> (String, Vec<u8>) {
    let mut server = Fake::new();
    server.say(&format!("LATELY.RESERVE k {request}"));
    (0..items).for_each(|i| drop(server.say(&format!("LATELY.ADD k {i}"))));
    // Some are claimed, where that is possible: open, committed, given up.
    for i in 0..items.min(30) {
        if let Reply::Array(answer) = server.say(&format!("LATELY.CLAIM k claimed{i}")) {
            let Reply::Text(token) = &answer[1] else { panic!("{answer:?}") };
            let line = ["LATELY.EXISTS k", "LATELY.COMMIT k", "LATELY.ABANDON k"][i as usize % 3];
            let token = if i % 3 == 0 { "" } else { token };
            server.say(format!("{line} claimed{i} {token}").trim_end());
        }
    }
    (server.value("k").request().text(), snapshot(server.value("k")))
}

/// What a server does with it afterwards.
fn use_it(value: Value) {
    let limit = 64 << 20;
    assert!(value.stats().bytes <= limit);
    let mut server = Fake::new();
    server.keep("k", Held::Filter(value));
    let lines = ["LATELY.ADD k a", "LATELY.MADD k ITEMS b c 5", "LATELY.EXISTS k a", "LATELY.INFO k", "LATELY.REM k a"];
    for line in lines.into_iter().chain(["LATELY.CLAIM k d", "LATELY.CLAIM k claimed0", "LATELY.COMMIT k claimed0 5"]) {
        let _ = server.say(line);
    }
    assert!(server.value("k").copy().is_ok());
    assert!(!server.digest("k").is_empty());
    assert!(server.value("k").stats().bytes <= limit);
    loads_again(server.value("k"));
}

/// What a load accepted is accepted again after any calls: else the server could not start from its own file.
fn loads_again(value: &Value) {
    let (text, bytes) = (value.request().text(), snapshot(value));
    let again = Value::load(text.as_bytes(), &bytes, None).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(snapshot(&again), bytes, "{text}");
}

/// The checksum that the format asks for, so that a change is found by what it means and not by its sum.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let end = bytes.len() - 8;
    let sum = lately::hash64(&bytes[..end], 0);
    bytes[end..].copy_from_slice(&sum.to_le_bytes());
    bytes
}

/// How many cases there are for each request: LATELY_CASES, or few.
fn cases() -> usize {
    std::env::var("LATELY_CASES").map_or(500, |cases| cases.parse().expect("LATELY_CASES is a number"))
}

#[test]
fn any_change_of_a_snapshot_is_an_error_or_a_filter() {
    let mut random = Cases(0x0123_4567_89AB_CDEF);
    let mut below = |n: usize| random.below(n as u64) as usize;
    let settings = Settings::default();
    let (mut good, mut bad) = (0, 0);
    for (request, _) in requests() {
        let some = [filled(&request, 700), filled(&request, 0)];
        for case in 0..cases() {
            let (text, snapshot) = &some[usize::from(case % 4 == 0)];
            let mut bytes = snapshot.clone();
            for _ in 0..=below(3) {
                let head = bytes.len().min(320);
                let at = if case % 2 == 0 { below(head) } else { below(bytes.len()) };
                bytes[at] = [0, 1, 0x7F, 0x80, 0xFF, below(256) as u8][below(6)];
            }
            if case % 7 == 0 {
                bytes.truncate(8 + below(bytes.len() - 8));
            }
            let bytes = if case % 3 == 0 { bytes } else { sealed(bytes) };
            match Value::load(text.as_bytes(), &bytes, Some(&settings)) {
                Ok(value) => {
                    good += 1;
                    use_it(value);
                }
                Err(_) => bad += 1,
            }
        }
    }
    assert!(good > 100 && bad > 1000, "{good} loaded, {bad} refused: the cases say nothing");
}

/// Every field of the head, of a filter that was never used and of one that was, at every edge of a number.
#[test]
fn every_field_is_refused_or_kept() {
    const EDGES: [u64; 9] = [0, 1, 2, 1 << 31, 1 << 32, 1 << 53, 1 << 62, u64::MAX - 1, u64::MAX];
    let mut kept = 0;
    for (request, _) in requests() {
        for (text, snapshot) in [filled(&request, 0), filled(&request, 700)] {
            for (at, edge) in (8..snapshot.len().min(320) - 8).step_by(4).flat_map(|at| EDGES.map(|edge| (at, edge))) {
                let mut bytes = snapshot.clone();
                bytes[at..at + 8].copy_from_slice(&edge.to_le_bytes());
                if let Ok(value) = Value::load(text.as_bytes(), &sealed(bytes), Some(&Settings::default())) {
                    kept += 1;
                    use_it(value);
                }
            }
        }
    }
    assert!(kept > 100, "{kept}: the cases say nothing");
}

#[test]
fn a_snapshot_belongs_to_its_request() {
    let settings = Settings::default();
    let (text, snapshot) = filled("WINDOW 60000 MAXBYTES 65536", 700);
    let load = |text: &str| Value::load(text.as_bytes(), &snapshot, Some(&settings)).map(|_| ());
    assert!(load(&text).is_ok());
    for (from, to, part) in [
        ("WINDOW 60000", "WINDOW 60001", "another window"),
        ("KIND window-table", "KIND time-limited", "another kind"),
        ("SEED 0", "SEED 1", "another seed"),
        ("WINDOW", "window", "not as a server writes it"),
        ("SEED 0", "SEED 00", "not as a server writes it"),
        ("SEED 0", "SEED", "takes a value"),
        ("MAXBYTES 65536", "MAXBYTES 67108865", "lately.max-bytes-per-filter"),
        ("MAXBYTES 65536", "MAXBYTES 1", "memory = "),
    ] {
        let error = load(&text.replace(from, to)).unwrap_err();
        assert!(error.text().contains(part), "{to}: {error}");
    }
    let (late, late_snapshot) = filled("WINDOW 60000 LATENESS 30000", 700);
    for (text, snapshot) in [
        (late.replace(" LATENESS 30000", ""), &late_snapshot),
        (late.replace("LATENESS 30000", "LATENESS 30001"), &late_snapshot),
        (text.replace("MAXSTEP 86400000", "MAXSTEP 86400000 LATENESS 30000"), &snapshot),
    ] {
        let error = Value::load(text.as_bytes(), snapshot, None).unwrap_err();
        assert!(error.text().contains("another lateness"), "{text}: {error}");
    }
    assert!(Value::load(late.as_bytes(), &late_snapshot, None).is_ok());
    assert!(Value::load(&[0xFF; 9], &snapshot, None).is_err());
    assert!(Value::load(&[b' '; 9999], &snapshot, None).is_err());
    assert!(Value::load(text.as_bytes(), &[], None).is_err());
    assert!(Value::load(text.replace("65536", "67108865").as_bytes(), &snapshot, None).is_ok(), "the primary's word");
}

#[test]
fn a_keyed_or_self_timed_snapshot_is_refused() {
    use lately::{Clock, Filter, Options, Unit};
    let (text, _) = filled("WINDOW 60000 MAXBYTES 65536", 700);
    let window = std::time::Duration::from_secs(60);
    let manual = Options::window(window).clock(Clock::Manual(Unit::Nanoseconds));
    let cases = [
        (Options::window(window), "another clock"),
        (manual.clone().keyed(true), "secret"),
        (manual.max_step_ns(5), "another max_step_ns"),
    ];
    for (options, part) in cases {
        let filter = Filter::new(&options).unwrap();
        let mut bytes = Vec::new();
        filter.write_snapshot(&mut bytes).unwrap();
        let error = Value::load(text.as_bytes(), &bytes, None).unwrap_err();
        assert!(error.text().contains(part), "{part}: {error}");
    }
}

/// A part of a filter that a user restores is no larger than the bytes that came, whatever its words say.
#[test]
fn a_part_belongs_to_its_words() {
    let settings = Settings::default();
    let (text, snapshot) = filled("WINDOW 60000 MAXBYTES 65536", 700);
    let load = |words: &str| Held::load(format!("{words}{text}").as_bytes(), snapshot[..100].to_vec(), Some(&settings));
    assert!(load("PARTIAL 100 OF 5000 ").is_ok());
    let most = format!("PARTIAL 100 OF {} ", u64::MAX);
    assert_eq!(load(&most).unwrap().total(), u64::MAX);
    for (words, part) in [
        ("PARTIAL 101 OF 5000 ", "100 bytes of a part that has 101"),
        ("PARTIAL 99 OF 5000 ", "100 bytes of a part that has 99"),
        ("PARTIAL 100 OF 99 ", "OF '99': must be 100 to"),
        ("PARTIAL 100 IN 5000 ", "unexpected 'IN'"),
        ("PARTIAL -1 OF 5000 ", "PARTIAL '-1': must be 0 to"),
        ("PARTIAL 100 OF 5000 PARTIAL 100 OF 5000 ", "unexpected 'PARTIAL'"),
        ("PARTIAL 100 OF 5000  ", "not as a server writes it"),
        ("partial 100 OF 5000 ", "unexpected 'partial'"),
    ] {
        let error = load(words).unwrap_err();
        assert!(error.text().contains(part), "{words}: {error}");
    }
    let large = format!("PARTIAL 100 OF 5000 {}", text.replace("65536", "67108865"));
    let load = |limit| Held::load(large.as_bytes(), snapshot[..100].to_vec(), limit);
    assert!(load(Some(&settings)).unwrap_err().text().contains("lately.max-bytes-per-filter"));
    assert!(load(None).is_ok(), "the primary's word");
    for head in ["PARTIAL", "PARTIAL ", "PARTIAL 1", "PARTIAL 1 OF", "PARTIAL 1 OF 5"] {
        assert!(Held::load(head.as_bytes(), vec![0], None).is_err(), "{head}");
    }
}
