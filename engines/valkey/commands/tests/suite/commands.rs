//! Every command, option and error, on a server made of a map.

use super::fake::{Fake, Stored, requests};
use lately_commands::{COMMANDS, Reply, Settings, Touch};

const MINUTE: u64 = 60_000;

fn ints(reply: Reply) -> Vec<u64> {
    let Reply::Array(answers) = reply else { panic!("{reply:?}") };
    answers.into_iter().map(|answer| if let Reply::Int(n) = answer { n } else { panic!("{answer:?}") }).collect()
}

#[test]
fn an_item_is_new_once_within_the_window() {
    let mut server = Fake::new();
    assert_eq!(server.say("LATELY.RESERVE k WINDOW 60000"), Reply::Ok);
    assert_eq!(server.say("LATELY.EXISTS k a"), Reply::Int(0));
    assert_eq!(server.say("lately.add k a"), Reply::Int(1));
    assert_eq!(server.say("Lately.Add k a"), Reply::Int(0));
    assert_eq!(server.say("LATELY.EXISTS k a"), Reply::Int(1));
    server.now_ms += MINUTE;
    assert_eq!(server.say("LATELY.ADD k a"), Reply::Int(0), "an age of just the window is inside");
    server.now_ms += 2 * MINUTE;
    assert_eq!(server.say("LATELY.EXISTS k a"), Reply::Int(0));
    assert_eq!(server.say("LATELY.ADD k a"), Reply::Int(1));
    assert_eq!(server.counted, (2, 2));
    assert_eq!(
        server.events,
        ["lately.reserve", "lately.add", "lately.add", "lately.add"],
        "not for the second of one moment"
    );
}

#[test]
fn many_items_are_answered_in_order() {
    let mut server = Fake::new();
    server.say("LATELY.RESERVE k LAST 1000");
    assert_eq!(ints(server.say("LATELY.MADD k ITEMS a b a AT")), [1, 1, 0, 1]);
    assert_eq!(ints(server.say("LATELY.MEXISTS k ITEMS a c AT")), [1, 0, 1]);
    assert_eq!(server.last(), "LATELY.MADD k ITEMS a b a AT");
    assert_eq!(ints(server.say("LATELY.MEXISTS nothing ITEMS a b")), [0, 0]);
    assert_eq!(server.counted, (3, 1));
}

#[test]
fn every_kind_is_made_by_its_name_and_every_measure_has_a_default() {
    let mut server = Fake::new();
    let mut removable = 0;
    for (i, (words, kind)) in requests().enumerate() {
        assert_eq!(server.say(&format!("LATELY.RESERVE k{i} {words}")), Reply::Ok, "{words}");
        assert_eq!(server.say(&format!("LATELY.INFO k{i} kind")), Reply::Text(kind.to_owned()));
        assert_eq!(ints(server.say(&format!("LATELY.MADD k{i} ITEMS a a"))), [1, 0], "{words}");
        if words.contains("REMOVABLE") || kind == "window-table" {
            removable += 1;
            let at = if words.contains("WINDOW") { format!(" AT {}", server.now_ms) } else { String::new() };
            assert_eq!(server.say(&format!("LATELY.REM k{i} a")), Reply::Int(1), "{words}");
            assert_eq!(server.last(), format!("LATELY.REM k{i} a{at}"));
            assert_eq!(server.say(&format!("LATELY.REM k{i} a")), Reply::Int(0));
            assert_eq!(server.say(&format!("LATELY.EXISTS k{i} a")), Reply::Int(0));
            assert_eq!(server.say(&format!("LATELY.ADD k{i} a")), Reply::Int(1), "new again");
        } else {
            assert!(
                server.error(&format!("LATELY.REM k{i} a")).contains("needs a window-table, or a set with REMOVABLE")
            );
        }
    }
    assert_eq!(removable, 8);
}

#[test]
fn removal_of_a_set_is_sent_if_something_went_and_that_of_a_window_always() {
    let mut server = Fake::new();
    server.say("LATELY.RESERVE s CAPACITY 500 REMOVABLE");
    server.say("LATELY.RESERVE w WINDOW 60000");
    server.say("LATELY.ADD w a");
    let (before, events) = (server.log.len(), server.events.len());
    assert_eq!(server.say("LATELY.REM s a"), Reply::Int(0));
    assert_eq!(server.log.len(), before);
    // A replica may know what its primary has forgotten.
    assert_eq!(server.say("LATELY.REM w b"), Reply::Int(0));
    assert_eq!((server.log.len(), server.events.len()), (before + 1, events), "nothing changed here");
    let late = server.now_ms + 60_000 + 60_000 / 7 + 1;
    assert_eq!(server.say(&format!("LATELY.REM w a AT {late}")), Reply::Int(0), "it is out of the window by then");
    assert_eq!(server.last(), format!("LATELY.REM w a AT {late}"));
    assert_eq!(server.say("LATELY.EXISTS w a"), Reply::Int(0), "and is forgotten");
    assert_eq!(server.say("LATELY.INFO w clock-ms"), Reply::Int(server.now_ms), "a removal moves no clock");
}

#[test]
fn the_name_of_a_kind_has_hyphens_or_none_and_any_case() {
    let mut server = Fake::new();
    for kind in lately::Kind::ALL {
        for name in [kind.name().to_owned(), kind.name().replace('-', ""), kind.name().to_uppercase()] {
            let error = server.error(&format!("LATELY.PLAN LAST 5 KIND {name} BANANA"));
            assert!(error.contains("unexpected 'BANANA'"), "{name}: {error}");
        }
    }
}

/// A line, and a part of its reply: `k` has a window of time, `n` one of items, `c` is a set, `s` a shard, `list` is none of ours.
const ERRORS: &[(&str, &str)] = &[
    ("LATELY.NOPE k", "unknown command"),
    ("LATELY.ADD k", "wrong number of arguments for 'lately.add' command"),
    ("LATELY.RESERVE k", "wrong number of arguments"),
    ("LATELY.RESERVE k WINDOW 60000", "the key exists already, with these options; NX makes that no error"),
    ("LATELY.RESERVE k WINDOW 600", "already, with WINDOW 60000 ms, and not WINDOW 600 ms;"),
    ("LATELY.RESERVE k WINDOW 1m FIRST ERROR 0.01", "with ERROR 1e-6 REFRESH, and not ERROR 0.01 FIRST;"),
    (
        "LATELY.RESERVE k MEMORY 64kb",
        "with WINDOW 60000 ms ERROR 1e-6 KIND window-table MAXSTEP 86400000 ms REFRESH, and not MEMORY 65536 bytes",
    ),
    ("LATELY.RESERVE k WINDOW 60000 SEED 9", "with SEED 0, and not SEED 9;"),
    ("LATELY.RESERVE s WINDOW 60000 SHARD 1 OF 8", "with SHARD 1 OF 4, and not SHARD 1 OF 8;"),
    ("LATELY.RESERVE x ERROR 0.1", "one of WINDOW time, LAST n, CAPACITY n, MEMORY size"),
    ("LATELY.RESERVE x WINDOW 0", "WINDOW '0': must be 1 to 18446744073709 ms; ms, s, m, h or d may follow the number"),
    ("LATELY.RESERVE x WINDOW", "wrong number of arguments"),
    ("LATELY.RESERVE x ERROR 0.1 WINDOW", "WINDOW takes a value"),
    ("LATELY.RESERVE x WINDOW 1 LAST 1", "LAST is given twice, or with another"),
    ("LATELY.RESERVE x WINDOW 1 SEED 1 SEED 2", "SEED is given twice"),
    ("LATELY.RESERVE x WINDOW 1 FIRST REFRESH", "REFRESH is given twice, or with"),
    ("LATELY.RESERVE x WINDOW 1 ERROR 0.7", "ERROR '0.7': must be"),
    ("LATELY.RESERVE x WINDOW 1 KIND bloom", "KIND 'bloom': must be one of"),
    ("LATELY.RESERVE x WINDOW 1 KIND", "KIND ''"),
    ("LATELY.RESERVE x WINDOW 1 SHARD 4 OF 4", "SHARD 4: must be 0 to 3"),
    ("LATELY.RESERVE x WINDOW 1 SHARD 4", "SHARD is written as SHARD i OF s"),
    ("LATELY.RESERVE x WINDOW 1 BANANA", "unexpected 'BANANA'"),
    ("LATELY.RESERVE x WINDOW 1 KEYED", "unexpected 'KEYED'"),
    ("LATELY.RESERVE x LAST 10 CAPACITY 5", "CAPACITY is given alone or with WINDOW"),
    ("LATELY.RESERVE x WINDOW 10 CAPACITY 5 CAPACITY 5", "CAPACITY is given twice"),
    ("LATELY.RESERVE x WINDOW 10 CAPACITY 5 STRICT", "STRICT: needs CAPACITY"),
    ("LATELY.RESERVE x LAST 10 SHARD 0 OF 2 TO 2", "TO 2: must be another number"),
    ("LATELY.RESERVE x LAST 10 MAXSTEP 5", "MAXSTEP: needs WINDOW"),
    ("LATELY.RESERVE x LAST 10 LATENESS 5", "LATENESS: needs WINDOW"),
    ("LATELY.RESERVE x CAPACITY 10 LATENESS 0", "LATENESS: needs WINDOW"),
    ("LATELY.RESERVE x WINDOW 10 KIND time-limited LATENESS 5", "LATENESS: cannot be combined with KIND time-limited"),
    ("LATELY.RESERVE x WINDOW 7000 LATENESS 24001", "LATENESS 24001: must be 0 to 24000 ms"),
    ("LATELY.RESERVE x WINDOW 7 LATENESS 1 LATENESS 1", "LATENESS is given twice"),
    ("LATELY.RESERVE x WINDOW 1 MAXBYTES 67108865", "lately.max-bytes-per-filter"),
    ("LATELY.RESERVE x LAST 1000000000", "bytes: MAXBYTES is 67108864"),
    ("LATELY.RESERVE x CAPACITY 1099511627776", "bytes: MAXBYTES is 67108864"),
    ("LATELY.RESERVE x MEMORY 1000000000", "bytes: MAXBYTES is 67108864"),
    ("LATELY.RESERVE x WINDOW 60000 REMOVABLE", "REMOVABLE: window-table does not take this option"),
    ("LATELY.RESERVE x CAPACITY 10 FIRST", "FIRST: tiny-set does not take this option"),
    ("LATELY.RESERVE x MEMORY 4096 KIND window-table", "WINDOW: required unless LAST is given"),
    ("LATELY.ADD missing a", "no such key"),
    ("LATELY.REM missing a", "no such key"),
    ("LATELY.INFO missing", "no such key"),
    ("LATELY.ADD list a", "WRONGTYPE"),
    ("LATELY.RESERVE list WINDOW 5", "WRONGTYPE"),
    ("LATELY.ADD k a AT", "AT takes a value"),
    ("LATELY.ADD k a AT 18446744073710", "must be 0 to 18446744073709"),
    ("LATELY.ADD k a b", "unexpected 'b'"),
    ("LATELY.ADD k a AT 1 AT 2", "unexpected 'AT'"),
    ("LATELY.MADD k a b", "unexpected 'a'"),
    ("LATELY.MADD k ITEMS", "wrong number of arguments"),
    ("LATELY.MADD k AT 5", "ITEMS item .. is needed"),
    ("LATELY.MADD k AT 5 ITEMS", "ITEMS takes one item at least"),
    ("LATELY.ADD n a AT 5", "AT: needs a filter with WINDOW"),
    ("LATELY.ADD s a OF 5", "OF 5: this is shard 1 of 4"),
    ("LATELY.ADD k a OF 5", "OF 5: this filter is no shard"),
    ("LATELY.EXISTS s a OF 3", "OF 3: this is shard 1 of 4"),
    ("LATELY.REM c a", "LATELY.REM: needs a window-table, or a set with REMOVABLE"),
    ("LATELY.REM k a b", "unexpected 'b'"),
    ("LATELY.REM k a OF 5", "OF 5: this filter is no shard"),
    ("LATELY.REM k a STORE", "STORE: needs LATELY.ADD or LATELY.MADD"),
    ("LATELY.REM n a AT 5", "AT: needs a filter with WINDOW"),
    ("LATELY.INFO k banana", "field 'banana': must be one of request, kind"),
    ("LATELY.INFO k kind x", "unexpected 'x'"),
    ("LATELY.PLAN WINDOW", "wrong number"),
    ("LATELY.LOADCHUNK k WINDOW 0 5 x", "internal"),
];

#[test]
fn errors_name_the_word_the_value_and_the_range() {
    let mut server = Fake::new();
    server.say("LATELY.RESERVE k WINDOW 60000");
    server.say("LATELY.RESERVE n LAST 1000");
    server.say("LATELY.RESERVE c CAPACITY 1000");
    server.say("LATELY.RESERVE s WINDOW 60000 SHARD 1 OF 4");
    server.keys.insert(b"list".to_vec(), Stored::Other);
    let before = server.log.len();
    for (line, part) in ERRORS {
        let error = server.error(line);
        assert!(error.contains(part), "{line}: {error}");
        assert!(error.starts_with("ERR ") || error.starts_with("WRONGTYPE "), "{error}");
    }
    assert_eq!(server.log.len(), before, "an error changes nothing");
    assert_eq!(server.keys.len(), 5);
    assert_eq!(server.say("LATELY.ADD s a OF 4"), Reply::Int(1));
}

#[test]
fn refused_command_leaves_no_key() {
    for (words, line) in [
        ("LAST 100", "LATELY.ADD new a AT 5"),
        ("LAST 100", "LATELY.ADD new a OF 3"),
        ("LAST 100", "LATELY.MADD new OF 3 ITEMS a b"),
        ("WINDOW 60000", "LATELY.ADD new a AT 18446744073709"),
        ("WINDOW 60000 MAXBYTES 67108865", "LATELY.ADD new a"),
    ] {
        let mut server = Fake::new();
        server.settings.auto_reserve = words.to_owned();
        server.error(line);
        assert!(server.keys.is_empty() && server.log.is_empty() && server.events.is_empty(), "{line}");
    }
}

#[test]
fn event_is_sent_only_for_a_changed_key() {
    let mut server = Fake::new();
    server.say("LATELY.RESERVE k CAPACITY 100 REMOVABLE SHARD 0 OF 2");
    server.say("LATELY.ADD k a");
    let before = server.events.len();
    for line in [
        "LATELY.ADD k a OF 3",
        "LATELY.ADD k a AT 5",
        "LATELY.REM k b",
        "LATELY.EXISTS k a",
        "LATELY.GROW k 2",
        "LATELY.RESERVE k LAST 5 NX",
    ] {
        server.say(line);
    }
    assert_eq!(server.events.len(), before);
    for line in ["LATELY.ADD k a", "LATELY.REM k a", "LATELY.GROW k 3"] {
        server.say(line);
    }
    assert_eq!(server.events[before..], ["lately.add", "lately.rem", "lately.grow"]);
}

#[test]
fn set_past_its_capacity_warns_once() {
    let mut server = Fake::new();
    server.say("LATELY.RESERVE k CAPACITY 100 ERROR 1e-6");
    for i in 0..100 {
        server.say(&format!("LATELY.ADD k {i}"));
    }
    assert_eq!((server.say("LATELY.INFO k overfull"), server.warnings.len()), (Reply::Int(0), 0));
    for i in 100..150 {
        server.say(&format!("LATELY.MADD k ITEMS {i} {i}"));
    }
    assert_eq!((server.say("LATELY.INFO k overfull"), server.warnings.len()), (Reply::Int(1), 1));
    assert!(server.warnings[0].contains("CAPACITY 100"), "{:?}", server.warnings);
}

#[test]
fn a_strict_set_refuses_what_it_has_no_room_for() {
    let mut server = Fake::new();
    server.say("LATELY.RESERVE k CAPACITY 100 ERROR 1e-6 STRICT");
    for i in 0..100 {
        assert_eq!(server.say(&format!("LATELY.ADD k {i}")), Reply::Int(1));
    }
    let before = server.digest("k");
    assert!(server.error("LATELY.ADD k 100").contains("overfull: it has 100 items"));
    assert_eq!(server.digest("k"), before);
    let Reply::Array(answers) = server.say("LATELY.MADD k ITEMS 5 100") else { panic!() };
    assert!(answers[0] == Reply::Int(0) && matches!(answers[1], Reply::Error(_)), "{answers:?}");
    assert_eq!(server.last(), "LATELY.MADD k ITEMS 5");
    assert_eq!(server.replay(Settings::default(), 5).digest("k"), server.digest("k"));
    assert!(server.warnings.is_empty());
    let loaded = server.out_of_a_file("k");
    server.keep("l", loaded);
    assert!(server.error("LATELY.ADD l 100").contains("overfull"));
}

#[test]
fn random_seed_reaches_replicas_and_files() {
    let mut server = Fake { random: 77, ..Fake::new() };
    server.say("LATELY.RESERVE k WINDOW 60000");
    server.say("LATELY.RESERVE own LAST 100 SEED 0");
    server.settings.auto_reserve = "LAST 100".to_owned();
    server.say("LATELY.ADD auto a");
    let seeds = ["k", "own", "auto"].map(|key| server.info(key, "seed"));
    assert_eq!(seeds, [77, 0, 77].map(Reply::Int));
    server.random = 78;
    let replica = server.replay(Settings::default(), 5);
    for key in ["k", "own", "auto"] {
        assert_eq!(replica.digest(key), server.digest(key));
    }
}

/// The commands that grow a filter of 2 shards to 4, in the order of the clients.
#[test]
fn a_shard_that_has_grown_takes_no_more_items() {
    let mut server = Fake::new();
    server.say("LATELY.RESERVE k WINDOW 60000 SHARD 1 OF 2");
    server.say("LATELY.ADD k a OF 2");
    for line in ["LATELY.GROW k 2", "LATELY.GROW k 0", "LATELY.GROW k 16385", "LATELY.GROW k x", "LATELY.GROW k 4 5"] {
        server.error(line);
    }
    assert_eq!(server.say("LATELY.GROW k 4"), Reply::Ok);
    assert_eq!(server.last(), "LATELY.GROW k 4");
    let sent = server.log.len();
    assert_eq!(server.say("LATELY.GROW k 4"), Reply::Ok, "again is no error, and no news");
    assert!(server.error("LATELY.GROW k 8").contains("must be 4"));
    for line in ["LATELY.ADD k b", "LATELY.ADD k a OF 2", "LATELY.MADD k ITEMS a b", "LATELY.MADD k OF 2 ITEMS a"] {
        let error = server.error(line);
        assert!(error.starts_with("GROWN 4 this filter has grown from 2 to 4 shards"), "{line}: {error}");
    }
    assert!(server.error("LATELY.ADD k b OF 4").starts_with("ERR OF 4: this is shard 1 of 2"));
    assert_eq!(server.say("LATELY.EXISTS k a OF 2"), Reply::Int(1), "what it knows is asked for one window more");
    assert_eq!((server.log.len(), server.say("LATELY.INFO k grown")), (sent, Reply::Int(4)));
    assert_eq!(server.replay(Settings::default(), 5).digest("k"), server.digest("k"));
    let text = server.value("k").request().text();
    assert!(text.ends_with("SHARD 1 OF 2 TO 4"), "{text}");
    let loaded = server.out_of_a_file("k");
    server.keep("l", loaded);
    assert!(server.error("LATELY.ADD l b OF 2").starts_with("GROWN 4"));
    server.say("LATELY.RESERVE alone LAST 100");
    assert!(server.error("LATELY.GROW alone 4").contains("no shard"));
}

#[test]
fn nx_makes_an_existing_key_no_error() {
    let mut server = Fake::new();
    assert_eq!(server.say("LATELY.RESERVE k WINDOW 60000 NX"), Reply::Int(1));
    server.say("LATELY.ADD k a");
    let before = server.digest("k");
    assert_eq!(server.say("LATELY.RESERVE k LAST 5 NX"), Reply::Int(0));
    assert_eq!(server.digest("k"), before);
    assert_eq!(server.log.len(), 2);
}

#[test]
fn a_step_too_far_changes_nothing_and_the_present_may_always_come() {
    let mut server = Fake::new();
    server.say("LATELY.RESERVE k WINDOW 60000 MAXSTEP 1000");
    let (now, before) = (server.now_ms, server.digest("k"));
    let far = now + 1001;
    for (line, ahead) in
        [(format!("LATELY.ADD k b AT {far}"), 1001), (format!("LATELY.MADD k AT {} ITEMS b c", far + 1), 1002)]
    {
        let error = server.error(&line);
        let said = format!("{ahead} ms ahead of the filter's clock and the server's, over MAXSTEP 1000");
        assert!(error.contains(&said), "the first neither: {error}");
    }
    assert_eq!((server.digest("k"), server.log.len()), (before, 1));
    let told = ["refused", "last-refused-ms"].map(|name| server.info("k", name));
    assert_eq!(told, [2, far + 1].map(Reply::Int));
    assert_eq!(server.say(&format!("LATELY.ADD k a AT {}", now - 500_000)), Reply::Int(1));
    assert_eq!(server.say(&format!("LATELY.ADD k b AT {}", far - 1)), Reply::Int(1));
    assert_eq!(server.say(&format!("LATELY.ADD k c AT {}", far + 999)), Reply::Int(1), "1000 after the filter's clock");
    assert_eq!(server.say("LATELY.ADD k d"), Reply::Int(1), "the server's own time is no step");
    assert_eq!(server.say("LATELY.EXISTS k a"), Reply::Int(0));
}

#[test]
fn an_item_in_time_is_judged_at_its_own_time() {
    let mut server = Fake::new();
    server.say("LATELY.RESERVE k WINDOW 60000 LATENESS 40000");
    server.say("LATELY.RESERVE none WINDOW 60000 LATENESS 0");
    let now = server.now_ms;
    for key in ["k", "none"] {
        server.say(&format!("LATELY.ADD {key} a AT {}", now - 95_000));
        server.say(&format!("LATELY.ADD {key} b AT {now}"));
    }
    // 40 s late, and 55 s after a: far more than a window and a generation before the clock.
    let late = now - 40_000;
    assert_eq!(server.say(&format!("LATELY.EXISTS none a AT {late}")), Reply::Int(0));
    assert_eq!(server.say(&format!("LATELY.EXISTS k a AT {late}")), Reply::Int(1));
    assert_eq!(server.say(&format!("LATELY.ADD k a AT {late}")), Reply::Int(0));
    assert_eq!(ints(server.say(&format!("LATELY.MADD k AT {late} ITEMS c b"))), [1, 0], "b was seen later");
    let told = ["lateness-ms", "late", "max-lateness-ms"].map(|name| server.info("k", name));
    assert_eq!(told, [40_000, 0, 40_000].map(Reply::Int));
    server.say(&format!("LATELY.ADD k d AT {}", late - 1));
    assert_eq!(["late", "max-lateness-ms"].map(|name| server.info("k", name)), [1, 40_001].map(Reply::Int));
    // Its age counts from its own time.
    server.now_ms = late + 70_000;
    assert_eq!([server.say("LATELY.EXISTS k c"), server.say("LATELY.EXISTS k d")], [0, 1].map(Reply::Int));
    let mut replica = server.replay(Settings::default(), 0);
    for line in ["b", "c", "d"].map(|item| format!("LATELY.EXISTS k {item} AT {}", late + 70_000)) {
        assert_eq!(replica.say(&line), server.say(&line), "{line}");
    }
    let request = server.say("LATELY.INFO k request");
    assert!(matches!(&request, Reply::Text(text) if text.contains("MAXSTEP 86400000 LATENESS 40000 ")), "{request:?}");
    let request = server.say("LATELY.INFO none request");
    assert!(matches!(&request, Reply::Text(text) if !text.contains("LATENESS")), "{request:?}");
}

#[test]
fn window_with_capacity_begins_at_that_size() {
    let mut server = Fake::new();
    assert_eq!(server.say("LATELY.RESERVE k WINDOW 60000 CAPACITY 100000"), Reply::Ok);
    assert_eq!(server.say("LATELY.INFO k capacity"), Reply::Int(100_000));
    let Reply::Int(bytes) = server.say("LATELY.INFO k bytes") else { panic!() };
    assert!((400_000..600_000).contains(&bytes), "{bytes}");
    assert!(server.last().contains("WINDOW 60000 ERROR 1e-6 KIND window-table MAXBYTES 67108864 CAPACITY 100000"));
}

#[test]
fn error_rate_not_given_is_the_configured_one_except_for_memory_filters() {
    let mut server = Fake::new();
    for (configured, error) in [(Settings::default().default_error, "1e-6"), (0.02, "0.02")] {
        server.settings.default_error = configured;
        for (words, error) in
            [("WINDOW 60000", error), ("LAST 1000", error), ("CAPACITY 1000", error), ("MEMORY 100000", "0.001")]
        {
            assert_eq!(server.say(&format!("LATELY.RESERVE {}:{error} {words}", words.replace(' ', ":"))), Reply::Ok);
            assert!(server.last().contains(&format!(" {words} ERROR {error} ")), "{}", server.last());
            server.keys.clear();
        }
    }
}

#[test]
fn a_clock_that_runs_back_does_not_take_the_filter_along() {
    let mut server = Fake::new();
    server.say("LATELY.RESERVE k WINDOW 60000");
    server.say("LATELY.ADD k a");
    let now = server.now_ms;
    server.now_ms -= 3_600_000;
    assert_eq!(server.say("LATELY.ADD k b"), Reply::Int(1));
    assert_eq!(server.last(), "LATELY.ADD k b", "at the clock, where replicas are");
    let mut replica = server.replay(Settings::default(), now + 3_600_000);
    assert_eq!(replica.say("LATELY.INFO k clock-ms"), Reply::Int(now));
    assert_eq!(server.say("LATELY.EXISTS k a"), Reply::Int(1));
    assert_eq!(server.say("LATELY.INFO k late"), Reply::Int(0));
}

#[test]
fn auto_reserve_makes_what_an_add_does_not_find() {
    let mut server = Fake::new();
    server.settings.auto_reserve = "WINDOW 60000 ERROR 0.01".to_owned();
    assert_eq!(server.say("LATELY.ADD k a"), Reply::Int(1));
    assert_eq!(ints(server.say("LATELY.MADD m ITEMS a a")), [1, 0]);
    assert_eq!(server.say("LATELY.EXISTS nothing a"), Reply::Int(0));
    assert_eq!(server.keys.len(), 2);
    let made = String::from_utf8(server.log[0].join(&b' ')).unwrap();
    assert_eq!(
        made,
        "LATELY.RESERVE k WINDOW 60000 ERROR 0.01 KIND window-table MAXBYTES 67108864 MAXSTEP 86400000 REFRESH SEED 0"
    );
    for (text, good) in [("", true), (" ", true), ("LAST 5 ERROR 0.1", true), ("LAST", false), ("LAST 5 NX", false)] {
        assert_eq!(Settings::default().check_auto_reserve(text).is_ok(), good, "{text}");
    }
    assert!(Settings::parse_error("0.01").is_ok() && Settings::parse_error("2").is_err());
}

#[test]
fn plan_makes_nothing_and_has_the_cost() {
    let mut server = Fake::new();
    let Reply::Map(plan) = server.say("LATELY.PLAN LAST 1000000 ERROR 0.001") else { panic!() };
    let bytes = plan.iter().find(|(name, _)| *name == "bytes").unwrap().1.clone();
    server.say("LATELY.RESERVE k LAST 1000000 ERROR 0.001");
    assert_eq!(server.say("LATELY.INFO k bytes"), bytes);
    assert_eq!((server.keys.len(), server.log.len()), (1, 1));
    assert!(server.error("LATELY.PLAN LAST 1000000000").contains("MAXBYTES"));
}

#[test]
fn command_table_matches_the_commands() {
    for command in COMMANDS {
        assert!(command.summary.ends_with('.') && command.complexity.starts_with("O("));
        let mut server = Fake::new();
        if command.least() > 1 {
            let short = vec![command.name; command.least() - 1].join(" ");
            assert!(server.error(&short).contains("wrong number of arguments"), "{short}");
        }
    }
    assert_eq!(COMMANDS.iter().filter(|command| command.touch == Touch::NoKey).count(), 2);
}

#[test]
fn help_has_every_command_with_its_words() {
    let mut server = Fake::new();
    let Reply::Array(lines) = server.say("LATELY.HELP") else { panic!() };
    let lines: Vec<String> =
        lines.into_iter().map(|line| if let Reply::Text(text) = line { text } else { panic!() }).collect();
    assert_eq!(lines.len(), 2 * COMMANDS.len());
    for line in [
        "LATELY.RESERVE key (WINDOW window [CAPACITY capacity] | LAST last | CAPACITY capacity | MEMORY memory) [ERROR error] \
         [KIND kind] [MAXBYTES maxbytes] [MAXSTEP maxstep] [LATENESS lateness] [LEASE lease [MAXCLAIMS maxclaims]] \
         [FIRST | REFRESH] [REMOVABLE] [STRICT] [SEED seed] [SHARD shard OF shards] [NX]",
        "LATELY.MADD key [AT time] [OF shards] [STORE] ITEMS item ..",
        "LATELY.ABANDON key item token",
        "LATELY.INFO key [field]",
        "LATELY.HELP",
    ] {
        assert!(lines.contains(&line.to_owned()), "{line}: {lines:#?}");
    }
    assert!(server.error("LATELY.HELP me").contains("unexpected 'me'"));
}

#[test]
fn options_are_those_of_the_request_and_of_what_it_left_open() {
    let mut server = Fake::new();
    server.say("LATELY.RESERVE k WINDOW 10m FIRST LATENESS 1m CAPACITY 1e3 MAXBYTES 1mb SHARD 1 OF 4");
    let Reply::Map(options) = server.say("LATELY.OPTIONS k") else { panic!() };
    let want = [
        ("WINDOW", Reply::Int(600_000)),
        ("ERROR", Reply::Double(1e-6)),
        ("KIND", Reply::Text("window-table".to_owned())),
        ("MAXBYTES", Reply::Int(1 << 20)),
        ("CAPACITY", Reply::Int(1000)),
        ("MAXSTEP", Reply::Int(86_400_000)),
        ("LATENESS", Reply::Int(60_000)),
        ("FIRST", Reply::Int(1)),
        ("SEED", Reply::Int(0)),
        ("SHARD", Reply::Text("1 OF 4".to_owned())),
    ];
    assert_eq!(options, want);
    assert!(server.error("LATELY.OPTIONS none").contains("no such key"));
    assert!(server.error("LATELY.OPTIONS k x").contains("unexpected 'x'"));
    // What is shown makes the same filter.
    for (request, _) in requests() {
        let mut server = Fake::new();
        server.say(&format!("LATELY.RESERVE k {request}"));
        let error = server.error(&format!("LATELY.RESERVE k {}", server.value("k").request().text()));
        assert!(error.contains("with these options"), "{request}: {error}");
    }
}

#[test]
fn shard_that_has_grown_differs_from_no_request_for_it() {
    let mut server = Fake::new();
    server.say("LATELY.RESERVE k WINDOW 60000 SHARD 1 OF 2");
    server.say("LATELY.GROW k 4");
    assert!(server.error("LATELY.RESERVE k WINDOW 60000 SHARD 1 OF 2").contains("with these options"));
}

#[test]
fn answers_are_booleans_where_the_client_knows_such() {
    let mut server = Fake::new();
    let mut say = |line: &str| server.run_in_resp3(&line.split(' ').map(str::as_bytes).collect::<Vec<_>>());
    assert_eq!(say("LATELY.RESERVE k CAPACITY 100 REMOVABLE NX"), Reply::Bool(true));
    assert_eq!(say("LATELY.RESERVE k CAPACITY 100 REMOVABLE NX"), Reply::Bool(false));
    assert_eq!(say("LATELY.ADD k a"), Reply::Bool(true));
    assert_eq!(say("LATELY.MADD k ITEMS a b"), Reply::Array(vec![Reply::Bool(false), Reply::Bool(true)]));
    assert_eq!(say("LATELY.EXISTS k a"), Reply::Bool(true));
    assert_eq!(say("LATELY.MEXISTS k ITEMS c"), Reply::Array(vec![Reply::Bool(false)]));
    assert_eq!(say("LATELY.REM k a"), Reply::Bool(true));
    assert_eq!(say("LATELY.INFO k overfull"), Reply::Bool(false));
}

/// 1700000000 is a date of 2023 in seconds, and of January 1970 in ms: it is taken, and the log has a line, once for each filter.
#[test]
fn time_that_looks_like_seconds_is_logged_once() {
    let mut server = Fake::new();
    server.settings.auto_reserve = "WINDOW 60000".to_owned();
    server.say("LATELY.RESERVE k WINDOW 60000");
    for line in
        ["LATELY.ADD k a AT 1700000000", "LATELY.MADD k AT 1700000600 ITEMS a", "LATELY.ADD new a AT 1700000000"]
    {
        assert!(!matches!(server.say(line), Reply::Error(_)), "{line}");
    }
    assert_eq!(server.warnings.len(), 2, "{:?}", server.warnings);
    assert!(server.warnings[0].contains("AT 1700000000 is in ms") && server.warnings[0].contains("AT 1700000000s"));
    server.say("LATELY.RESERVE l WINDOW 60000");
    let now = server.now_ms;
    server.say(&format!("LATELY.ADD l a AT {}s", now / 1000));
    assert_eq!(server.say("LATELY.INFO l clock-ms"), Reply::Int(now / 1000 * 1000));
    assert_eq!(server.warnings.len(), 2);
    let replica = server.replay(Settings::default(), now);
    assert!(replica.warnings.is_empty(), "a replica says nothing");
    // A clock of the server that is in the seventies itself makes no such time odd.
    let mut early = Fake { now_ms: 5, ..Fake::new() };
    early.say("LATELY.RESERVE k WINDOW 60000");
    early.say("LATELY.ADD k a AT 7");
    assert!(early.warnings.is_empty());
}

/// A server rounds memory up to a size that it has: the request takes the one below, and replicas get that.
#[test]
fn memory_is_a_size_that_the_server_has() {
    let mut server = Fake::new();
    server.sizes = 4096;
    assert_eq!(server.say("LATELY.RESERVE k MEMORY 10000"), Reply::Ok);
    let words = |server: &Fake| server.value("k").request().text();
    assert!(words(&server).starts_with("MEMORY 8192 "), "{}", words(&server));
    assert!(server.error("LATELY.RESERVE k MEMORY 9000").contains("the key exists already, with these options"));
    assert!(
        server.error("LATELY.RESERVE k MEMORY 20000").contains("with MEMORY 8192 bytes, and not MEMORY 16384 bytes")
    );
    let Reply::Map(plan) = server.say("LATELY.PLAN MEMORY 10000") else { panic!() };
    assert!(matches!(&plan[0], ("request", Reply::Text(text)) if text.starts_with("MEMORY 8192 ")), "{plan:?}");
    server.settings.auto_reserve = "MEMORY 10000".to_owned();
    server.say("LATELY.ADD auto a");
    assert!(server.value("auto").request().text().starts_with("MEMORY 8192 "));
    let mut replica = Fake { sizes: 5000, obeys: true, ..Fake::new() };
    for command in &server.log {
        replica.obey(command);
    }
    assert_eq!(words(&replica), words(&server), "a replica has the filter of its primary, whatever its own sizes are");
    assert_eq!(replica.digest("k"), server.digest("k"));
}
