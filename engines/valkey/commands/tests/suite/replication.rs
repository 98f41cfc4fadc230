//! A primary, its replica and a replay of its log are the same, bit for bit, whatever clock and configuration they have;
//! and so is what a file gives back. Window tables of time are spared repeats: their replicas find every item of the window.

use std::collections::HashMap;

use super::fake::{Cases, Fake, requests, snapshot};
use lately_commands::{Held, Reply, Settings};

/// When each item was seen, as a filter of a window of time must know it.
#[derive(Default)]
struct Oracle {
    clock: u64,
    seen: HashMap<u64, u64>,
    /// Tokens of claims that were neither committed nor given up.
    tokens: Vec<(u64, String)>,
}

impl Oracle {
    fn observe(&mut self, request: &str, (item, new): (u64, bool), at: u64) {
        let number = |word: &str| {
            request.split(word).nth(1).map_or(0, |rest| rest.trim().split(' ').next().unwrap().parse().unwrap())
        };
        let lateness: u64 = number("LATENESS");
        self.clock = self.clock.max(at);
        let own = if self.clock - at <= lateness { at } else { self.clock };
        if new || !request.contains("FIRST") {
            let latest = self.seen.get(&item).copied().unwrap_or(0);
            self.seen.insert(item, own.max(latest));
        }
    }

    /// Whether a server finds every item that was seen within the window.
    fn check(&self, server: &mut Fake, request: &str) {
        let window: u64 = request.split(' ').nth(1).unwrap().parse().unwrap();
        for (item, _) in self.seen.iter().filter(|(_, seen)| **seen + window >= self.clock) {
            let found = server.say(&format!("LATELY.EXISTS k {item} AT {}", self.clock));
            assert_eq!(found, Reply::Int(1), "{request}: {item}");
        }
    }
}

/// A window of time with a kind that says nothing of repeats.
fn of_the_paper() -> String {
    requests().map(|(request, _)| request).find(|request| request.contains("WINDOW 60000 KIND")).unwrap()
}

/// Whether a filter is a window table of time, whose replicas are spared repeats.
fn spares(request: &str) -> bool {
    request.contains("WINDOW") && !request.contains("KIND") && !request.contains("LEASE")
}

/// One command of a busy day.
fn next(cases: &mut Cases, server: &mut Fake, request: &str, oracle: &mut Oracle) {
    let has_time = request.contains("WINDOW");
    let removes = request.contains("REMOVABLE") || has_time && !request.contains("KIND") || request == "LAST 500";
    // Every other command is of the moment of the one before.
    server.now_ms = (server.now_ms + cases.below(2) * cases.below(800)).saturating_sub(cases.below(20) / 19 * 5000);
    // A silence, now and then.
    server.now_ms += cases.below(300) / 299 * cases.below(200_000);
    let often = if cases.below(2) == 0 { 20 } else { 3000 };
    let (a, b) = (cases.below(3000), cases.below(often));
    let at = server.now_ms - cases.below(3000) + cases.below(1000);
    if request.contains("LEASE") && cases.below(2) == 0 {
        return claim(cases, server, oracle, b);
    }
    let (line, items, at) = match cases.below(if removes { 7 } else { 6 }) {
        0 if has_time => (format!("LATELY.ADD k {b} AT {at}"), vec![b], at),
        1 if has_time => (format!("LATELY.MADD k AT {at} ITEMS {a} {b}"), vec![a, b], at),
        2 => (format!("LATELY.MADD k ITEMS {a} {b} {a}"), vec![a, b, a], 0),
        3 => (format!("LATELY.EXISTS k {a}"), vec![], 0),
        4 => ("LATELY.INFO k".to_owned(), vec![], 0),
        6 => {
            oracle.seen.remove(&b);
            (format!("LATELY.REM k {b}"), vec![], 0)
        }
        _ => (format!("LATELY.ADD k {b}"), vec![b], 0),
    };
    let at = if at > 0 { at } else { server.now_ms.max(oracle.clock) };
    let reply = server.say(&line);
    let answers = match reply {
        Reply::Array(all) => all,
        Reply::Error(refusal) => panic!("{line}: {refusal}"),
        one => vec![one],
    };
    for (item, answer) in items.into_iter().zip(answers) {
        oracle.observe(request, (item, answer == Reply::Int(1)), at);
    }
}

/// Claims an item, commits one, or gives one up.
fn claim(cases: &mut Cases, server: &mut Fake, oracle: &mut Oracle, item: u64) {
    oracle.clock = oracle.clock.max(server.now_ms);
    let open = cases.below(oracle.tokens.len().max(1) as u64) as usize;
    match (cases.below(3), oracle.tokens.get(open).cloned()) {
        (1, Some((item, token))) => {
            let reply = server.say(&format!("LATELY.COMMIT k {item} {token}"));
            assert!(matches!(&reply, Reply::Text(_)), "{reply:?}");
            oracle.tokens.swap_remove(open);
        }
        (2, Some((item, token))) => {
            assert_eq!(server.say(&format!("LATELY.ABANDON k {item} {token}")), Reply::Ok);
            oracle.tokens.swap_remove(open);
        }
        _ => match server.say(&format!("LATELY.CLAIM k {item}")) {
            Reply::Array(answer) => match &answer[..] {
                [Reply::Int(1), Reply::Text(token)] => oracle.tokens.push((item, token.clone())),
                [Reply::Int(0 | 2), Reply::Text(none)] => assert_eq!(none, "0"),
                other => panic!("{other:?}"),
            },
            Reply::Error(refusal) => assert!(refusal.text().starts_with("FULL"), "{refusal}"),
            other => panic!("{other:?}"),
        },
    }
}

/// The requests, with errors so rare that none is met.
fn rarely_wrong() -> impl Iterator<Item = String> {
    requests().map(|(request, _)| request.replace("ERROR 0.01", "ERROR 1e-9"))
}

/// A replica, bit for bit the same, or one that finds the same items.
fn check_replica(mut replica: Fake, primary: &Fake, request: &str, oracle: &Oracle) {
    if spares(request) {
        oracle.check(&mut replica, request);
    } else {
        assert_eq!(replica.digest("k"), primary.digest("k"), "{request}");
    }
}

/// It obeys what was replicated since it joined.
fn follow(replica: &mut Fake, primary: &Fake) {
    for command in &primary.log[replica.joined_at..] {
        let reply = replica.obey(command);
        assert!(!matches!(reply, Reply::Error(_)), "{reply:?}");
    }
}

#[test]
fn replicated_commands_make_the_same_state_or_find_the_same_items() {
    let mut spared = 0;
    for (i, request) in rarely_wrong().enumerate() {
        let (mut cases, mut oracle, mut primary) = (Cases(i as u64 + 1), Oracle::default(), Fake::new());
        primary.say(&format!("LATELY.RESERVE k {request}"));
        let elsewhere = Settings { max_bytes: 128, default_error: 0.5, auto_reserve: "LAST 7".to_owned() };
        let mut later = Fake::new();
        for round in 0..5_000 {
            next(&mut cases, &mut primary, &request, &mut oracle);
            if round == 2_500 {
                later = primary.joined();
            }
            if round % 1000 == 999 {
                check_replica(primary.replay(elsewhere.clone(), 1_900_000_000_000), &primary, &request, &oracle);
            }
        }
        check_replica(primary.replay(elsewhere.clone(), 0), &primary, &request, &oracle);
        let of_a_replica = primary.replay(elsewhere.clone(), 0).replay(elsewhere.clone(), 7);
        check_replica(of_a_replica, &primary, &request, &oracle);
        follow(&mut later, &primary);
        check_replica(later, &primary, &request, &oracle);
        if spares(&request) {
            spared += 1;
            oracle.check(&mut primary, &request);
            assert!(oracle.seen.len() > 1000 && primary.log.len() < 4_000, "{request}: {}", primary.log.len());
        }
    }
    assert_eq!(spared, 5);
}

#[test]
fn a_repeat_of_a_window_is_replicated_once_a_generation_or_not_at_all() {
    for (words, most) in [("REFRESH", 8), ("FIRST", 1)] {
        let mut primary = Fake::new();
        primary.say(&format!("LATELY.RESERVE k WINDOW 60000 {words}"));
        for _ in 0..1000 {
            primary.now_ms += 60;
            primary.say("LATELY.ADD k a");
        }
        assert_eq!((primary.log.len(), primary.events.len()), (1 + most, 1 + most), "{words}");
        assert_eq!(primary.counted, (1, 999), "what is not replicated is counted all the same");
        let before = primary.log.len();
        primary.say("LATELY.MADD k ITEMS a b a c");
        let word = if words == "FIRST" { "STORE " } else { "" };
        assert_eq!(primary.last(), format!("LATELY.MADD k AT {} {word}ITEMS b c", primary.now_ms));
        primary.say("LATELY.MADD k ITEMS a b a c");
        assert_eq!(primary.log.len(), before + 1, "nothing of it is news");
    }
    for words in ["LAST 1000", "CAPACITY 1000", "MEMORY 4096", &of_the_paper()] {
        let mut primary = Fake::new();
        primary.say(&format!("LATELY.RESERVE k {words}"));
        (0..5).for_each(|_| drop(primary.say("LATELY.ADD k a")));
        assert_eq!(primary.log.len(), 6, "{words}");
    }
}

#[test]
fn a_late_item_is_replicated_with_the_moment_at_which_it_was_judged() {
    let mut primary = Fake::new();
    let now = primary.now_ms;
    primary.say("LATELY.RESERVE k WINDOW 60000");
    primary.say("LATELY.RESERVE l WINDOW 60000 LATENESS 1000");
    primary.say(&format!("LATELY.RESERVE t {}", of_the_paper()));
    for (key, late, told) in [("k", 500, 0), ("k", 5000, 0), ("l", 500, 500), ("l", 1001, 0), ("t", 500, 500)] {
        primary.say(&format!("LATELY.ADD {key} x AT {now}"));
        primary.say(&format!("LATELY.ADD {key} y{late} AT {}", now - late));
        assert_eq!(primary.last(), format!("LATELY.ADD {key} y{late} AT {}", now - told));
    }
}

#[test]
fn store_renews_known_items_and_is_refused_without_first() {
    let mut server = Fake::new();
    for (key, words) in
        [("f", "WINDOW 60000 FIRST"), ("r", "WINDOW 60000"), ("l", "LAST 100 FIRST"), ("c", "CAPACITY 9")]
    {
        server.say(&format!("LATELY.RESERVE {key} {words}"));
        server.say(&format!("LATELY.ADD {key} a"));
    }
    server.now_ms += 50_000;
    assert_eq!(server.say("LATELY.ADD f a STORE"), Reply::Int(0));
    assert_eq!(server.last(), format!("LATELY.ADD f a AT {} STORE", server.now_ms));
    assert_eq!(server.say("LATELY.MADD l STORE ITEMS a"), Reply::Array(vec![Reply::Int(0)]));
    assert_eq!(server.last(), "LATELY.MADD l STORE ITEMS a");
    assert_eq!(server.say("LATELY.ADD l a STORE"), Reply::Int(0));
    assert_eq!(server.last(), "LATELY.ADD l a STORE");
    assert_eq!(server.replay(Settings::default(), 0).digest("l"), server.digest("l"));
    server.now_ms += 50_000;
    assert_eq!(server.say("LATELY.EXISTS f a"), Reply::Int(1), "its age counts from the time it was stored");
    for (line, part) in [
        ("LATELY.ADD r a STORE", "STORE: needs a filter with FIRST"),
        ("LATELY.ADD c a STORE", "STORE: needs a filter with FIRST"),
        ("LATELY.EXISTS f a STORE", "STORE: needs LATELY.ADD or LATELY.MADD"),
        ("LATELY.MEXISTS f STORE ITEMS a", "STORE: needs LATELY.ADD or LATELY.MADD"),
        ("LATELY.ADD f a STORE STORE", "unexpected 'STORE'"),
    ] {
        let error = server.error(line);
        assert!(error.contains(part), "{line}: {error}");
    }
}

#[test]
fn moment_that_replicas_have_is_left_out() {
    for words in ["WINDOW 60000", "WINDOW 60000 FIRST", "WINDOW 60000 LATENESS 1000", &of_the_paper()] {
        let mut primary = Fake::new();
        let now = primary.now_ms;
        primary.say(&format!("LATELY.RESERVE k {words} SHARD 0 OF 2"));
        primary.say("LATELY.ADD k a");
        primary.say("lately.add k b OF 2");
        assert_eq!(primary.last(), "lately.add k b OF 2", "{words}: as it was given");
        primary.say("LATELY.MADD k OF 2 ITEMS c d");
        // A late item, of its own moment or not, does not move the clock; the next has to say where that is.
        primary.say(&format!("LATELY.ADD k late AT {}", now - 900));
        primary.say("LATELY.ADD k e");
        primary.now_ms += 1;
        primary.say("LATELY.ADD k f");
        primary.say("LATELY.ADD k g");
        let late = words.contains("LATENESS") || words == of_the_paper();
        assert_eq!(primary.with_moment(), [false, true, false, false, true, late, true, false], "{words}");
        assert_eq!(primary.events.len(), primary.log.len(), "{words}: an event for each command that is replicated");
        let mut replica = primary.replay(Settings::default(), 0);
        assert_eq!(replica.say("LATELY.INFO k clock-ms"), Reply::Int(now + 1), "{words}: the clock of the primary");
        assert_eq!(replica.say("LATELY.INFO k items"), primary.say("LATELY.INFO k items"), "{words}");
    }
}

#[test]
fn filter_of_a_file_or_a_copy_begins_with_its_moment() {
    let mut primary = Fake::new();
    primary.say("LATELY.RESERVE k WINDOW 60000");
    (0..2).for_each(|i| drop(primary.say(&format!("LATELY.ADD k {i}"))));
    let copy = primary.value("k").copy().unwrap();
    primary.keep("c", Held::Filter(copy));
    through_a_file(&mut primary, "k");
    for key in ["c", "k"] {
        primary.say(&format!("LATELY.ADD {key} 2"));
        assert_eq!(primary.last(), format!("LATELY.ADD {key} 2 AT {}", primary.now_ms));
    }
}

#[test]
fn command_without_moment_under_first_stores_what_looks_known() {
    let mut primary = Fake::new();
    primary.say("LATELY.RESERVE k WINDOW 60000 FIRST");
    primary.say("LATELY.ADD k a");
    // What is new on a primary may look known on a replica, whatever its own clock says.
    primary.now_ms += 50_000;
    for own in [0, primary.now_ms] {
        let mut replica = primary.replay(Settings::default(), own);
        replica.say(&format!("LATELY.ADD k z AT {}", primary.now_ms));
        replica.say("LATELY.ADD k a");
        replica.obeys = false;
        replica.now_ms = primary.now_ms + 50_000;
        assert_eq!(replica.say("LATELY.EXISTS k a"), Reply::Int(1), "its age counts from the command that was obeyed");
    }
}

#[test]
fn moment_is_sent_once_more_if_a_repeat_that_is_spared_moved_the_clock() {
    let mut primary = Fake::new();
    primary.say("LATELY.RESERVE k WINDOW 60000");
    primary.say("LATELY.ADD k a");
    let later = primary.now_ms + 100;
    primary.say(&format!("LATELY.ADD k a AT {later}"));
    primary.say("LATELY.ADD k b");
    assert_eq!((primary.log.len(), primary.last()), (3, format!("LATELY.ADD k b AT {later}")));
}

/// Writes a value and reads it, as a file does.
fn through_a_file(server: &mut Fake, key: &str) {
    let loaded = server.out_of_a_file(key);
    server.keep(key, loaded);
}

#[test]
fn filter_read_from_a_file_continues_unchanged() {
    for (i, request) in rarely_wrong().enumerate() {
        let (mut cases, mut oracle, mut primary) = (Cases(i as u64 + 100), Oracle::default(), Fake::new());
        primary.say(&format!("LATELY.RESERVE k {request}"));
        for round in 0..4_000 {
            next(&mut cases, &mut primary, &request, &mut oracle);
            if round % 500 == 99 {
                through_a_file(&mut primary, "k");
            }
        }
        check_replica(primary.replay(Settings::default(), 9), &primary, &request, &oracle);
        if spares(&request) {
            oracle.check(&mut primary, &request);
        }
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

/// The words by which a filter comes in pieces of 1000 bytes.
fn pieces(server: &Fake, key: &str) -> Vec<[Vec<u8>; 6]> {
    let (value, name) = (server.value(key), key.as_bytes().to_vec());
    let snapshot = snapshot(value);
    let words = |(i, piece): (usize, &[u8])| {
        let [offset, total] = [i * 1000, snapshot.len()].map(|n| n.to_string().into_bytes());
        [b"LATELY.LOADCHUNK".to_vec(), name.clone(), value.request().text().into(), offset, total, piece.to_vec()]
    };
    snapshot.chunks(1000).enumerate().map(words).collect()
}

fn two_filters() -> Fake {
    let mut primary = Fake::new();
    for key in ["k", "l"] {
        primary.say(&format!("LATELY.RESERVE {key} WINDOW 60000 SHARD 2 OF 3"));
        (0..2000).for_each(|i| drop(primary.say(&format!("LATELY.ADD {key} {i}"))));
    }
    primary
}

#[test]
fn a_file_in_pieces_makes_the_same_filter() {
    let primary = two_filters();
    let mut other = Fake { obeys: true, ..Fake::default() };
    // Two at once, as of two slots that move here from two nodes.
    for (k, l) in pieces(&primary, "k").iter().zip(pieces(&primary, "l")) {
        assert_eq!([other.obey(k), other.obey(&l)], [Reply::Ok, Reply::Ok]);
    }
    for key in ["k", "l"] {
        assert_eq!(other.digest(key), primary.digest(key));
        assert_eq!(other.replay(Settings::default(), 5).digest(key), primary.digest(key), "who follows gets it too");
    }
    assert!(other.obey(&pieces(&primary, "k")[0]) != Reply::Ok, "the filter is there");
    other.obeys = false;
    assert!(other.error("LATELY.LOADCHUNK m WINDOW 0 5 hello").contains("internal"));
}

/// At each piece all that the server has goes to another: by a file of it, by a copy, or by the commands that a rewritten file has.
#[test]
fn a_part_of_a_filter_is_carried_at_every_piece() {
    let primary = two_filters();
    let all = pieces(&primary, "k");
    assert!(all.len() > 4, "{} pieces say little", all.len());
    for cut in 1..all.len() {
        let mut target = Fake { obeys: true, ..Fake::default() };
        all[..cut].iter().for_each(|words| assert_eq!(target.obey(words), Reply::Ok));
        let replica = target.replay(Settings::default(), 5);
        let copy = target.held("k").copy().unwrap();
        through_a_file(&mut target, "k");
        let mut copied = Fake { obeys: true, ..Fake::default() };
        copied.keep("k", copy);
        for mut server in [target, replica, copied] {
            let (part, whole) = (server.held("k"), primary.held("k"));
            assert_eq!((part.total(), part.request()), (whole.total(), whole.request()));
            all[cut..].iter().for_each(|words| assert_eq!(server.obey(words), Reply::Ok));
            assert_eq!(server.digest("k"), primary.digest("k"), "cut at {cut}");
        }
    }
}

#[test]
fn command_on_a_part_is_refused_as_moving() {
    let primary = two_filters();
    let all = pieces(&primary, "k");
    for obeys in [true, false] {
        let mut target = Fake { obeys: true, ..Fake::new() };
        target.obey(&all[0]);
        target.obeys = obeys;
        let sent = target.log.len();
        for line in [
            "LATELY.RESERVE k WINDOW 60000",
            "LATELY.RESERVE k WINDOW 60000 NX",
            "LATELY.ADD k a",
            "LATELY.MADD k ITEMS a b",
            "LATELY.EXISTS k a",
            "LATELY.MEXISTS k ITEMS a b",
            "LATELY.CLAIM k a",
            "LATELY.COMMIT k a 5",
            "LATELY.ABANDON k a 5",
            "LATELY.REM k a",
            "LATELY.GROW k 4",
            "LATELY.INFO k",
        ] {
            let error = target.error(line);
            assert!(error.starts_with("MOVING ") && error.contains("1000 of its"), "{line}: {error}");
        }
        assert_eq!((target.log.len(), target.events.len()), (sent, 0), "and nothing changed");
    }
}

#[test]
fn pieces_that_do_not_follow_each_other_change_nothing() {
    let primary = two_filters();
    let all = pieces(&primary, "k");
    let changed = |place: usize, word: &str| {
        let mut words = all[1].clone();
        words[place] = word.into();
        words
    };
    let mut target = Fake { obeys: true, ..Fake::new() };
    target.obey(&all[0]);
    let request = String::from_utf8(all[1][2].clone()).unwrap();
    for (words, why) in [
        (all[2].clone(), "the next piece begins at 1000"),
        (changed(2, &request.replace("60000", "60001")), "a piece of another filter"),
        (changed(4, "99999999"), "a piece of another filter"),
        (changed(3, "999"), "the next piece begins at 1000"),
    ] {
        let sent = target.log.len();
        let Reply::Error(refusal) = target.obey(&words) else { panic!("{why}") };
        assert!(refusal.text().contains(why), "{refusal}");
        assert_eq!(target.log.len(), sent);
    }
    // A transfer that begins anew does so, whatever came before.
    target.obey(&all[1]);
    all.iter().for_each(|words| assert_eq!(target.obey(words), Reply::Ok));
    assert_eq!(target.digest("k"), primary.digest("k"));
}

/// The key says so, on who follows too: a filter that went without a word would call everything new.
#[test]
fn a_piece_whose_predecessors_are_gone_leaves_an_error_under_the_key() {
    let primary = two_filters();
    let mut target = Fake { obeys: true, settings: auto(), ..Fake::new() };
    for words in &pieces(&primary, "k")[1..] {
        assert!(matches!(target.obey(words), Reply::Error(_)));
    }
    let mut replica = Fake { obeys: true, settings: auto(), ..Fake::new() };
    target.log.iter().for_each(|words| drop(replica.obey(words)));
    for server in [&mut target, &mut replica] {
        server.obeys = false;
        assert!(server.error("LATELY.ADD k a").starts_with("MOVING this filter is being moved here: 0 of its "));
    }
}

/// A server that makes a filter for a key that has none.
fn auto() -> Settings {
    Settings { auto_reserve: "WINDOW 60000".to_owned(), ..Settings::default() }
}

/// The key stays and answers with an error: a filter that vanished silently would call everything new.
#[test]
fn filter_that_cannot_be_loaded_stays_as_an_error() {
    let primary = two_filters();
    let mut all = pieces(&primary, "k");
    all[1][5][500] ^= 1;
    let mut target = Fake { obeys: true, ..Fake::new() };
    let last = all.pop().unwrap();
    all.iter().for_each(|words| assert_eq!(target.obey(words), Reply::Ok));
    assert!(matches!(target.obey(&last), Reply::Error(_)));
    assert_eq!(target.log.len(), all.len() + 1, "a replica tries by itself");
    target.obeys = false;
    target.settings = auto();
    assert!(target.error("LATELY.ADD k a").starts_with("MOVING "));
    through_a_file(&mut target, "k");
    assert!(target.error("LATELY.ADD k a").starts_with("MOVING "));
}
