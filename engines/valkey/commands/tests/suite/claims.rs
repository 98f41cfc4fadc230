//! Claims: new once, pending until the work is done, stored by the commit; the same on replicas and out of files.

use super::fake::{Fake, snapshot};
use lately_commands::{Reply, Settings, Value};

const LEASE: u64 = 5_000;

fn server() -> Fake {
    let mut server = Fake::new();
    assert_eq!(server.say("LATELY.RESERVE k WINDOW 60000 LEASE 5000 MAXCLAIMS 3"), Reply::Ok);
    server
}

/// The number and the token of an answer.
fn claim(server: &mut Fake, item: &str) -> (u64, String) {
    match server.say(&format!("LATELY.CLAIM k {item}")) {
        Reply::Array(answer) => match &answer[..] {
            [Reply::Int(number), Reply::Text(token)] => (*number, token.clone()),
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    }
}

fn commit(server: &mut Fake, item: &str, token: &str) -> String {
    match server.say(&format!("LATELY.COMMIT k {item} {token}")) {
        Reply::Text(text) => text,
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_item_is_claimed_by_one_and_stored_by_the_commit() {
    let mut server = server();
    let (new, token) = claim(&mut server, "a");
    assert_eq!(new, 1);
    assert_eq!(claim(&mut server, "a"), (2, "0".to_owned()), "its work is not done");
    assert_eq!(server.say("LATELY.EXISTS k a"), Reply::Int(1));
    assert_eq!(server.say("LATELY.ADD k a"), Reply::Int(0));
    assert_eq!(commit(&mut server, "a", &token), "IN-TIME");
    assert_eq!(commit(&mut server, "a", &token), "ALREADY");
    assert_eq!(claim(&mut server, "a"), (0, "0".to_owned()));
    server.now_ms += 2 * LEASE;
    assert_eq!(server.say("LATELY.EXISTS k a"), Reply::Int(1), "stored for the window, not for the lease");
    assert_eq!(server.events[1..], ["lately.claim", "lately.add", "lately.commit", "lately.commit", "lately.claim"]);
    assert_eq!(server.counted, (1, 2), "the add and the last claim were duplicates");
}

#[test]
fn work_that_did_not_end_is_new_again() {
    let mut server = server();
    let (_, first) = claim(&mut server, "a");
    assert_eq!(server.say(&format!("LATELY.ABANDON k a {first}")), Reply::Ok);
    assert_eq!(server.events.last(), Some(&"lately.abandon"));
    let (new, second) = claim(&mut server, "a");
    assert!(new == 1 && first != second);
    server.now_ms += LEASE;
    assert_eq!(claim(&mut server, "a").0, 2, "a lease of just its length is open");
    server.now_ms += 1;
    assert_eq!(server.say("LATELY.EXISTS k a"), Reply::Int(0));
    let (new, third) = claim(&mut server, "a");
    assert_eq!(new, 1);
    assert_eq!(commit(&mut server, "a", &second), "LATE", "stored all the same");
    assert_eq!(commit(&mut server, "a", &third), "ALREADY");
    let names = ["lease-ms", "max-claims", "open-claims", "expired-claims", "pending"];
    assert_eq!(names.map(|name| server.info("k", name)), [LEASE, 3, 0, 1, 1].map(Reply::Int));
}

#[test]
fn wrong_tokens_full_tables_and_filters_without_claims_are_errors() {
    let mut server = server();
    let tokens = ["a", "b", "c"].map(|item| claim(&mut server, item).1);
    let (sent, late) = (server.log.len(), server.now_ms - 1);
    server.say("LATELY.RESERVE none WINDOW 60000");
    let b = &tokens[1];
    for (line, part) in [
        ("LATELY.CLAIM k d".to_owned(), "FULL as many claims are open as MAXCLAIMS allows"),
        (format!("LATELY.COMMIT k a {b}"), "CLAIM the token was never given out for this item"),
        (format!("LATELY.ABANDON k a {b}"), "CLAIM the token was never given out for this item"),
        ("LATELY.COMMIT k a 0".to_owned(), "token '0': must be 1 to 18446744073709551615"),
        ("LATELY.COMMIT k a x".to_owned(), "token 'x': must be 1 to"),
        ("LATELY.COMMIT k a".to_owned(), "wrong number of arguments"),
        (format!("LATELY.COMMIT k a {} AT 18000000000000", tokens[0]), "MAXSTEP"),
        (format!("LATELY.COMMIT k a {} OF 2", tokens[0]), "OF 2: this filter is no shard"),
        (format!("LATELY.ABANDON k a {} AT {late}", tokens[0]), "unexpected 'AT'"),
        ("LATELY.COMMIT missing a 5".to_owned(), "no such key"),
        ("LATELY.ABANDON missing a 5".to_owned(), "no such key"),
        ("LATELY.CLAIM missing a".to_owned(), "no such key"),
        ("LATELY.CLAIM none a".to_owned(), "claims: the filter has no lease: reserve it with WINDOW and LEASE"),
        ("LATELY.COMMIT none a 5".to_owned(), "claims: the filter has no lease"),
        ("LATELY.CLAIM k a STORE".to_owned(), "STORE: needs"),
        ("LATELY.RESERVE x LAST 10 LEASE 5".to_owned(), "LEASE: needs WINDOW"),
        ("LATELY.RESERVE x WINDOW 10 LEASE 11".to_owned(), "LEASE 11: must be 1 to 10 ms, the WINDOW"),
        ("LATELY.RESERVE x WINDOW 10 LEASE 0".to_owned(), "LEASE '0': must be 1 to"),
        ("LATELY.RESERVE x WINDOW 10 MAXCLAIMS 5".to_owned(), "MAXCLAIMS: needs LEASE"),
        ("LATELY.RESERVE x WINDOW 10 LEASE 5 MAXCLAIMS 16777217".to_owned(), "must be 1 to 16777216"),
        ("LATELY.RESERVE x WINDOW 100 LEASE 5 LATENESS 5".to_owned(), "LEASE: cannot be combined with LATENESS"),
        ("LATELY.RESERVE x WINDOW 100 LEASE 5 MAXBYTES 1000".to_owned(), "MAXBYTES 1000: must be "),
    ] {
        let error = server.error(&line);
        assert!(error.contains(part), "{line}: {error}");
    }
    assert_eq!(server.log.len(), sent + 1, "only the other filter was made");
    // A lease that is over makes room.
    server.now_ms += LEASE + 1;
    assert_eq!(claim(&mut server, "d").0, 1);
}

#[test]
fn claim_made_on_a_primary_is_committed_on_its_heir() {
    let mut primary = server();
    let tokens = ["a", "b", "c"].map(|item| claim(&mut primary, item).1);
    primary.now_ms += LEASE / 2;
    // Nothing of it is replicated, but the next call has its time.
    let ahead = primary.now_ms + 1000;
    assert!(primary.error(&format!("LATELY.CLAIM k d AT {ahead}")).starts_with("FULL"));
    primary.say(&format!("LATELY.ADD k late AT {}", primary.now_ms));
    assert_eq!(primary.last(), format!("LATELY.ADD k late AT {ahead}"), "judged at the clock");
    primary.now_ms = ahead;
    assert_eq!(commit(&mut primary, "a", &tokens[0]), "IN-TIME");
    let (_, d) = claim(&mut primary, "d");
    assert_eq!(primary.last(), "LATELY.CLAIM k d", "its moment is that of the commit");
    assert_eq!(primary.with_moment()[1..], [true, false, false, true, false, false]);
    for mut heir in [primary.replay(Settings::default(), 0), primary.joined()] {
        (heir.obeys, heir.now_ms) = (false, primary.now_ms);
        assert_eq!(claim(&mut heir, "a").0, 0);
        assert_eq!([claim(&mut heir, "b").0, claim(&mut heir, "d").0], [2, 2]);
        assert_eq!(commit(&mut heir, "b", &tokens[1]), "IN-TIME");
        heir.now_ms += LEASE / 2 + 1;
        assert_eq!(commit(&mut heir, "c", &tokens[2]), "LATE");
        assert_eq!(commit(&mut heir, "d", &d), "IN-TIME");
        assert_eq!(["a", "b", "c", "d"].map(|item| claim(&mut heir, item).0), [0; 4]);
    }
}

#[test]
fn a_shard_that_has_grown_takes_commits_and_no_new_claims() {
    let mut server = Fake::new();
    server.say("LATELY.RESERVE k WINDOW 60000 LEASE 5000 SHARD 0 OF 2");
    let (_, token) = claim(&mut server, "a");
    server.say("LATELY.GROW k 4");
    assert!(server.error("LATELY.CLAIM k b").starts_with("GROWN 4 "));
    assert_eq!(claim(&mut server, "a").0, 2, "whoever claims here first leaves it alone");
    assert_eq!(commit(&mut server, "a", &token), "IN-TIME");
    assert_eq!(claim(&mut server, "a").0, 0);
    let (_, lost) = (server.now_ms += 60_000, server.error("LATELY.ADD k a"));
    assert!(lost.starts_with("GROWN 4 "), "an add is refused, known or not");
}

#[test]
fn a_claim_makes_a_filter_where_the_configuration_has_a_lease() {
    let mut server = Fake::new();
    server.settings.auto_reserve = "WINDOW 60000 LEASE 5000".to_owned();
    let (new, token) = claim(&mut server, "a");
    assert_eq!((new, commit(&mut server, "a", &token)), (1, "IN-TIME".to_owned()));
    server.settings.auto_reserve = "WINDOW 60000".to_owned();
    assert!(server.error("LATELY.CLAIM other a").contains("claims: the filter has no lease"));
    assert_eq!(server.keys.len(), 1, "what is refused leaves no key");
}

#[test]
fn a_snapshot_with_claims_belongs_to_its_request() {
    let mut server = server();
    claim(&mut server, "a");
    server.say("LATELY.ADD k b");
    let (text, bytes) = (server.value("k").request().text(), snapshot(server.value("k")));
    let load = |text: &str| Value::load(text.as_bytes(), &bytes, None).map(|_| ());
    assert!(load(&text).is_ok());
    for (from, to, part) in [
        ("LEASE 5000", "LEASE 5001", "another lease_ns"),
        ("MAXCLAIMS 3", "MAXCLAIMS 4", "another max_claims"),
        (" LEASE 5000 MAXCLAIMS 3", "", "another lease_ns"),
        ("WINDOW 60000", "WINDOW 60001", "another window"),
        ("LEASE 5000", "LEASE 60001", "LEASE 60001: must be 1 to 60000"),
    ] {
        let error = load(&text.replace(from, to)).unwrap_err();
        assert!(error.text().contains(part), "{to}: {error}");
    }
    server.say("LATELY.RESERVE plain WINDOW 60000");
    let plain = snapshot(server.value("plain"));
    let error = Value::load(text.as_bytes(), &plain, None).unwrap_err();
    assert!(error.text().contains("another lease_ns"), "{error}");
}
