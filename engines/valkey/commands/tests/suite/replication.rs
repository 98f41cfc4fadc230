//! A primary, its replica and a replay of its log are the same, bit for bit, whatever clock and configuration they have;
//! and so is what a file gives back.

use super::fake::{Fake, Held, requests};
use lately_commands::{Reply, Settings, Value};

/// A generator of cases, the same in each run.
struct Cases(u64);

impl Cases {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

/// One command of a busy day.
fn next(cases: &mut Cases, server: &mut Fake, key: &str, has_time: bool, removes: bool) {
    server.now_ms = (server.now_ms + cases.below(400)).saturating_sub(cases.below(20) / 19 * 5000);
    let (a, b) = (cases.below(3000), cases.below(3000));
    let at = server.now_ms - cases.below(3000) + cases.below(1000);
    let line = match cases.below(if removes { 7 } else { 6 }) {
        0 if has_time => format!("LATELY.ADD {key} {a} AT {at}"),
        1 if has_time => format!("LATELY.MADD {key} AT {at} ITEMS {a} {b}"),
        2 => format!("LATELY.MADD {key} ITEMS {a} {b} {a}"),
        3 => format!("LATELY.EXISTS {key} {a}"),
        4 => format!("LATELY.INFO {key}"),
        6 => format!("LATELY.REM {key} {a}"),
        _ => format!("LATELY.ADD {key} {a}"),
    };
    let reply = server.say(&line);
    assert!(!matches!(reply, Reply::Error(_)), "{line}: {reply:?}");
}

#[test]
fn what_is_replicated_makes_the_same_state() {
    for (i, (request, _)) in requests().enumerate() {
        let mut cases = Cases(i as u64 + 1);
        let mut primary = Fake::new();
        let key = format!("k{i}");
        primary.say(&format!("LATELY.RESERVE {key} {request}"));
        for _ in 0..5_000 {
            next(&mut cases, &mut primary, &key, request.contains("WINDOW"), request.contains("REMOVABLE"));
        }
        let elsewhere = Settings { max_bytes: 128, default_error: 0.5, auto_reserve: "LAST 7".to_owned() };
        for now_ms in [0, 1_900_000_000_000] {
            let replica = primary.replay(elsewhere.clone(), now_ms);
            assert_eq!(replica.digest(&key), primary.digest(&key), "{request}");
        }
    }
}

#[test]
fn no_command_is_replicated_with_an_open_time_or_number() {
    let mut primary = Fake::new();
    primary.say("LATELY.RESERVE k WINDOW 60000");
    primary.say("LATELY.ADD k a");
    primary.say("LATELY.MADD k ITEMS a b");
    let now = primary.now_ms;
    let log: Vec<String> = primary.log.iter().map(|c| String::from_utf8(c.join(&b' ')).unwrap()).collect();
    assert!(log[0].contains("ERROR 1e-6") && log[0].contains("SEED 0") && log[0].contains("MAXBYTES 67108864"));
    assert_eq!(log[1..], [format!("LATELY.ADD k a AT {now}"), format!("LATELY.MADD k AT {now} ITEMS a b")]);
}

#[test]
fn reading_changes_nothing() {
    let mut server = Fake::new();
    server.say("LATELY.RESERVE k WINDOW 60000");
    server.say("LATELY.ADD k a");
    let (before, sent) = (server.digest("k"), server.log.len());
    server.now_ms += 45_000;
    for line in ["LATELY.EXISTS k a", "LATELY.MEXISTS k ITEMS a b", "LATELY.INFO k", "LATELY.EXISTS k z AT 5"] {
        server.say(line);
    }
    assert_eq!((server.digest("k"), server.log.len()), (before, sent));
}

/// Writes a value and reads it, as a file does.
fn through_a_file(server: &mut Fake, key: &str) {
    let Some(Held::Filter(value)) = server.keys.remove(key.as_bytes()) else { panic!() };
    let (request, snapshot) = (value.request().text(), value.snapshot().unwrap());
    let loaded = Value::load(request.as_bytes(), &snapshot, Some(&Settings::default())).unwrap();
    server.keys.insert(key.as_bytes().to_vec(), Held::Filter(Box::new(loaded)));
}

#[test]
fn what_a_file_gives_back_goes_on_as_if_nothing_had_happened() {
    for (i, (request, _)) in requests().enumerate() {
        let mut cases = Cases(i as u64 + 100);
        let mut primary = Fake::new();
        primary.say(&format!("LATELY.RESERVE k {request}"));
        for round in 0..4_000 {
            next(&mut cases, &mut primary, "k", request.contains("WINDOW"), request.contains("REMOVABLE"));
            if round % 500 == 99 {
                through_a_file(&mut primary, "k");
            }
        }
        assert_eq!(primary.replay(Settings::default(), 9).digest("k"), primary.digest("k"), "{request}");
    }
}

#[test]
fn time_passes_on_disk() {
    let mut server = Fake::new();
    server.say("LATELY.RESERVE k WINDOW 60000");
    server.say("LATELY.ADD k a");
    server.now_ms += 60_000;
    through_a_file(&mut server, "k");
    assert_eq!(server.say("LATELY.EXISTS k a"), Reply::Int(1));
    server.now_ms += 30_000;
    through_a_file(&mut server, "k");
    assert_eq!(server.say("LATELY.EXISTS k a"), Reply::Int(0), "90 s old, though it lay on disk");
}

#[test]
fn a_file_in_pieces_makes_the_same_filter() {
    let mut primary = Fake::new();
    primary.say("LATELY.RESERVE k WINDOW 60000 SHARD 2 OF 3");
    (0..2000).for_each(|i| drop(primary.say(&format!("LATELY.ADD k {i}"))));
    let snapshot = primary.value("k").snapshot().unwrap();
    let request = primary.value("k").request().text();
    let mut other = Fake { obeys: true, ..Fake::default() };
    let total = snapshot.len().to_string();
    // Two at once, as of two slots that move here from two nodes.
    for (i, piece) in snapshot.chunks(1000).enumerate() {
        let offset = (i * 1000).to_string();
        for key in [b"k", b"l"] {
            let words: [&[u8]; 6] =
                [b"LATELY.LOADCHUNK", key, request.as_bytes(), offset.as_bytes(), total.as_bytes(), piece];
            assert_eq!(other.run(&words), Reply::Ok);
        }
    }
    assert_eq!(other.digest("k"), primary.digest("k"));
    assert_eq!(other.replay(Settings::default(), 5).digest("l"), primary.digest("k"), "who follows gets it too");
    other.obeys = false;
    assert!(other.error("LATELY.LOADCHUNK m WINDOW 0 5 hello").contains("internal"));
}

#[test]
fn a_copy_is_the_same_and_apart() {
    let mut server = Fake::new();
    server.say("LATELY.RESERVE k WINDOW 60000");
    server.say("LATELY.ADD k a");
    let copy = server.value("k").copy().unwrap();
    server.keys.insert(b"c".to_vec(), Held::Filter(Box::new(copy)));
    assert_eq!(server.digest("c"), server.digest("k"));
    server.say("LATELY.ADD c b");
    assert_eq!(server.say("LATELY.EXISTS k b"), Reply::Int(0));
    assert_ne!(server.digest("c"), server.digest("k"));
}
