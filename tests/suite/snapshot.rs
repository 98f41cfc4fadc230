//! Snapshots continue: a filter that was written and read answers, counts and forgets as the one that was not.

use crate::common;

use std::io::{self, Read, Write};
use std::time::Duration;

use common::bytes::reloaded;
use common::cases::{Case, Player, WINDOW, cases};
use common::handle::snapshot;
use common::num::wide;
use common::{SECOND, build, finds, insert, manual, table};
use lately::{Code, Filter, LoadOptions, Options, Secret, Stats, Tick, Verdict};

const NO_TIME: Duration = Duration::ZERO;

/// Plays `steps` steps.
fn play(case: &Case, filter: &mut Filter, player: &mut Player, steps: u32) {
    for _ in 0..steps {
        let _ = player.step(case, filter);
    }
}

/// Plays the same steps on both, which must come to the same.
#[track_caller]
fn play_both(case: &Case, one: &mut Filter, other: &mut Filter, player: &mut Player, steps: u32) {
    for step in 0..steps {
        let mut twin = player.twin();
        assert_eq!(player.step(case, one), twin.step(case, other), "{} at step {step}", case.name);
        same_stats(case, &one.stats(), &other.stats(), &format!("step {step}"));
    }
}

/// A loaded filter has the figures of the original, except the largest lateness and the last refused tick, which a snapshot does
/// not have. The saved peak of a window table counts its lines alone, without those that were being given back at that moment.
#[track_caller]
fn same_stats(case: &Case, one: &Stats, loaded: &Stats, at: &str) {
    let unsaved = |stats: &Stats| (stats.max_lateness_ns, stats.last_refused_tick);
    assert!(unsaved(loaded) <= unsaved(one), "{} at {at}", case.name);
    let mut alike = *loaded;
    (alike.max_lateness_ns, alike.last_refused_tick) = unsaved(one);
    if case.name.contains("window_table") && loaded.bytes_peak < one.bytes_peak {
        alike.bytes_peak = one.bytes_peak;
    }
    // A claim moves the clock and gives less back than an observation would, which a loaded table never had.
    if case.claims && case.name.contains("window_table") && loaded.bytes < one.bytes {
        alike.bytes = one.bytes;
    }
    assert_eq!(*one, alike, "{} at {at}", case.name);
}

#[test]
fn a_restored_filter_goes_on_as_the_original() {
    for case in cases() {
        for (seed, cut) in [(1, 0), (2, 1), (3, 7), (4, 60), (5, 350), (6, 1200), (7, 4000)] {
            let (mut original, mut player) = (case.build(), Player::new(seed));
            play(&case, &mut original, &mut player, cut);
            let bytes = snapshot(&original);
            let mut copy = original.try_clone().unwrap();
            let mut restored = case.load(&bytes);
            same_stats(&case, &original.stats(), &restored.stats(), &format!("cut {cut}"));
            assert_eq!(snapshot(&restored), bytes, "{} cut at {cut}", case.name);
            let mut twin = player.twin();
            play_both(&case, &mut original, &mut restored, &mut player, 2000);
            play(&case, &mut copy, &mut twin, 2000);
            assert_eq!(snapshot(&original), snapshot(&restored), "{} cut at {cut}", case.name);
            assert_eq!(snapshot(&original), snapshot(&copy), "{} cut at {cut}", case.name);
        }
    }
}

/// A window table that shrank, by merging lines or in a silence, is loaded with the peak of its lines.
#[test]
fn a_loaded_filter_knows_how_large_it_was() {
    const KEYS: u64 = 20_000;
    let slower = (0..KEYS + KEYS / 10).scan(0, |tick, key| {
        *tick += if key < KEYS { WINDOW / KEYS } else { 10 * WINDOW / KEYS };
        Some(*tick)
    });
    let silent = (0..=KEYS).map(|key| if key < KEYS { 1 } else { 3 * WINDOW });
    for ticks in [slower.collect::<Vec<u64>>(), silent.collect()] {
        let mut filter = build(&table(WINDOW));
        let mut most = 0;
        for (key, tick) in (0..).zip(ticks) {
            insert(&mut filter, key, tick);
            most = most.max(filter.stats().bytes_peak);
        }
        let loaded = reloaded(&filter).stats();
        assert!(loaded.bytes < most / 2, "it shrank from {most} bytes: {loaded:?}");
        assert_eq!(loaded.bytes_peak, most);
    }
}

/// Clearing forgets what the snapshot brought, and keeps what was asked for.
#[test]
fn a_restored_filter_clears_as_the_original() {
    for case in cases() {
        let (mut original, mut player) = (case.build(), Player::new(8));
        play(&case, &mut original, &mut player, 900);
        let mut restored = case.load(&snapshot(&original));
        original.clear();
        restored.clear();
        assert_eq!(original.stats(), restored.stats(), "{}", case.name);
        play_both(&case, &mut original, &mut restored, &mut player, 300);
        assert_eq!(snapshot(&original), snapshot(&restored), "{}", case.name);
    }
}

#[test]
fn every_way_of_writing_and_reading_is_the_same() {
    for case in cases() {
        let (mut filter, mut player) = (case.build(), Player::new(9));
        play(&case, &mut filter, &mut player, 500);
        let bytes = snapshot(&filter);
        assert_eq!(filter.snapshot_size(), wide(bytes.len()));
        let mut room = vec![0xAA; bytes.len() + 9];
        assert_eq!(filter.snapshot_write(&mut room), Ok(bytes.len()));
        assert_eq!((&room[..bytes.len()], &room[bytes.len()..]), (&bytes[..], &[0xAA; 9][..]), "{}", case.name);
        let mut short = vec![0xAA; bytes.len() - 1];
        let refused = filter.snapshot_write(&mut short).unwrap_err();
        assert_eq!(refused.code(), Code::ShortBuffer);
        assert!(refused.to_string().contains(&format!("takes {} bytes", bytes.len())), "{refused}");
        assert!(short.iter().all(|byte| *byte == 0xAA));
        let mut stream = Trickle { bytes: [&bytes[..], b"more"].concat(), at: 0, step: 0 };
        let streamed = Filter::read_snapshot(&mut stream, &case.load_options(NO_TIME)).unwrap();
        assert_eq!(snapshot(&streamed), bytes, "{}", case.name);
        assert_eq!(stream.at, bytes.len(), "read on behind the snapshot of {}", case.name);
    }
}

/// A stream that gives a few bytes at a time, and more to come behind.
struct Trickle {
    bytes: Vec<u8>,
    at: usize,
    step: usize,
}

impl Read for Trickle {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        self.step = self.step % 13 + 1;
        let n = self.step.min(room.len()).min(self.bytes.len() - self.at);
        room[..n].copy_from_slice(&self.bytes[self.at..self.at + n]);
        self.at += n;
        Ok(n)
    }
}

/// A stream that breaks after that many bytes.
struct Broken(usize);

impl Write for Broken {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = bytes.len().min(self.0);
        self.0 -= n;
        if n == 0 { Err(io::Error::other("broken")) } else { Ok(n) }
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other("broken"))
    }
}

#[test]
fn a_broken_stream_is_its_own_error() {
    let filter = build(&manual(WINDOW));
    for room in [0, 5, 30, 100] {
        assert_eq!(filter.write_snapshot(Broken(room)).unwrap_err().to_string(), "broken");
    }
    let bytes = snapshot(&filter);
    for at in [0, 3, 20, 100, bytes.len() - 1] {
        let stream = bytes[..at].chain(Broken(0));
        assert_eq!(Filter::read_snapshot(stream, &LoadOptions::new(NO_TIME)).unwrap_err().to_string(), "broken");
        let cut = Filter::read_snapshot(&bytes[..at], &LoadOptions::new(NO_TIME)).unwrap_err();
        let inner = cut.get_ref().and_then(|inner| inner.downcast_ref::<lately::Error>()).unwrap();
        assert_eq!(inner.code(), if at < 8 { Code::Magic } else { Code::Corrupt }, "{inner}");
    }
}

#[test]
fn time_goes_on_for_a_manual_clock() {
    for case in cases().into_iter().filter(|case| case.ticks) {
        for elapsed in [1, WINDOW / 3, WINDOW, 5 * WINDOW] {
            let (mut original, mut player) = (case.build(), Player::new(10));
            play(&case, &mut original, &mut player, 700);
            let now = original.stats().clock;
            let loading = case.load_options(Duration::from_nanos(elapsed));
            let mut restored = Filter::load(&snapshot(&original), &loading).unwrap();
            assert_eq!(restored.stats().clock, Tick(now.0 + elapsed), "{}", case.name);
            // The next tick is not before that: then both have seen the same.
            player.wait(5 * WINDOW);
            let tick = Tick(now.0 + elapsed.max(WINDOW / 2));
            let same = [&mut original, &mut restored].map(|filter| filter.observe_at(b"x", tick).map_err(|e| e.code()));
            if same[0].is_ok() {
                assert_eq!(same[0], same[1], "{}", case.name);
                play_both(&case, &mut original, &mut restored, &mut player, 1000);
            }
        }
    }
}

#[test]
fn window_on_disk_ages_by_the_elapsed_time() {
    let mut filter = build(&manual(WINDOW));
    insert(&mut filter, 1, 100 * SECOND);
    insert(&mut filter, 2, 104 * SECOND);
    let bytes = snapshot(&filter);
    let after = |seconds| Filter::load(&bytes, &LoadOptions::new(Duration::from_secs(seconds))).unwrap();
    assert!(finds(&after(0), 1, 0) && finds(&after(0), 2, 0));
    // Ticks below the clock count as the clock.
    assert!(finds(&after(6), 1, 0), "its age is the window");
    assert!(!finds(&after(60), 1, 0) && !finds(&after(60), 2, 0));
    assert_eq!(after(60).stats().clock, Tick(164 * SECOND));
}

#[test]
fn window_by_the_system_clock_ages_on_disk() {
    let mut filter = Filter::new(&Options::window(Duration::from_secs(1000))).unwrap();
    filter.observe(b"a").unwrap();
    let bytes = snapshot(&filter);
    let after = |seconds| Filter::load(&bytes, &LoadOptions::new(Duration::from_secs(seconds))).unwrap();
    assert_eq!(after(0).contains(b"a"), Verdict::Duplicate);
    assert_eq!(after(900).contains(b"a"), Verdict::Duplicate);
    assert_eq!(after(2500).contains(b"a"), Verdict::New);
    // Twice on disk: the ages add up.
    let again = snapshot(&after(600));
    let twice = Filter::load(&again, &LoadOptions::new(Duration::from_secs(2000))).unwrap();
    assert_eq!(twice.contains(b"a"), Verdict::New);
    let clock = twice.stats().clock.0 / SECOND;
    assert!((2600..2700).contains(&clock), "{clock}");
    assert_eq!(after(5).observe_at(b"a", Tick(9)).unwrap_err().code(), Code::Clock);
}

/// What passed while a filter with the system's clock lay idle in memory counts as well.
#[test]
fn a_snapshot_is_of_now() {
    for window in [Options::window, Options::time_limited] {
        let mut filter = Filter::new(&window(Duration::from_millis(30))).unwrap();
        filter.observe(b"a").unwrap();
        std::thread::sleep(Duration::from_millis(100));
        let restored = reloaded(&filter);
        assert_eq!((filter.contains(b"a"), restored.contains(b"a")), (Verdict::New, Verdict::New));
        assert!(restored.stats().clock.0 >= 100_000_000);
    }
}

#[test]
fn elapsed_is_known_and_not_negative() {
    assert_eq!(LoadOptions::after_ns(0), Ok(LoadOptions::new(NO_TIME)));
    assert_eq!(LoadOptions::after_ns(i64::MAX), Ok(LoadOptions::new(Duration::from_nanos(i64::MAX.unsigned_abs()))));
    for unknown in [-1, i64::MIN] {
        let error = LoadOptions::after_ns(unknown).unwrap_err();
        assert_eq!(error.code(), Code::Elapsed);
        assert_eq!(error.to_string(), format!("elapsed = {unknown} ns: must be at least 0 ns"));
    }
    let mut filter = build(&manual(WINDOW));
    insert(&mut filter, 1, 100);
    let bytes = snapshot(&filter);
    let last = Duration::from_nanos(u64::MAX - 100);
    assert_eq!(Filter::load(&bytes, &LoadOptions::new(last)).unwrap().stats().clock, Tick(u64::MAX));
    for beyond in [last + Duration::from_nanos(1), Duration::MAX] {
        assert_eq!(Filter::load(&bytes, &LoadOptions::new(beyond)).unwrap_err().code(), Code::Elapsed);
    }
}

#[test]
fn a_filter_without_time_is_not_changed_by_it() {
    for case in cases().into_iter().filter(|case| !case.ticks) {
        let (mut filter, mut player) = (case.build(), Player::new(11));
        play(&case, &mut filter, &mut player, 300);
        let bytes = snapshot(&filter);
        let later = Filter::load(&bytes, &case.load_options(Duration::MAX)).unwrap();
        assert_eq!(snapshot(&later), bytes, "{}", case.name);
    }
}

#[test]
fn the_secret_is_asked_for_and_not_in_the_bytes() {
    let (lo, hi) = common::cases::SECRET;
    for case in cases() {
        let (mut filter, mut player) = (case.build(), Player::new(12));
        play(&case, &mut filter, &mut player, 100);
        let bytes = snapshot(&filter);
        let load = |options: LoadOptions| Filter::load(&bytes, &options).map_err(|error| error.code()).map(drop);
        let bare = LoadOptions::new(NO_TIME);
        let keyed = case.keyed;
        assert_eq!(load(bare.clone()), if keyed { Err(Code::Secret) } else { Ok(()) }, "{}", case.name);
        assert_eq!(
            load(bare.clone().secret(Secret::new(lo, hi))),
            if keyed { Ok(()) } else { Err(Code::Secret) },
            "{}",
            case.name
        );
        for (lo, hi) in [(hi, lo), (lo ^ 1, hi), (lo, hi ^ (1 << 63)), (0, 0), (lo, 0)] {
            assert_eq!(load(bare.clone().secret(Secret::new(lo, hi))), Err(Code::Secret), "{}", case.name);
        }
        for word in [lo, hi].map(u64::to_le_bytes) {
            assert!(!bytes.windows(4).any(|part| part == &word[..4] || part == &word[4..]), "{}", case.name);
        }
        let shown = format!("{:?}", bare.secret(Secret::new(lo, hi)));
        assert!(shown.contains("secret: Some((secret))") && !shown.contains(&lo.to_string()), "{shown}");
    }
}

/// The hash of no key is in the bytes, not even that of the text that the secret is checked by.
#[test]
fn the_check_of_a_secret_is_no_hash_of_a_key() {
    let case = cases().into_iter().find(|case| case.name == "quotient_keyed").unwrap();
    let bytes = snapshot(&case.build());
    let (lo, hi) = common::cases::SECRET;
    let hash = |text: &[u8]| siphasher::sip::SipHasher13::new_with_keys(lo, hi).hash(text).to_le_bytes();
    for text in [&b"lately: which secret is this"[..], b"", b"lately"] {
        assert!(!bytes.windows(8).any(|part| part == hash(text)));
    }
    let check = siphasher::sip::SipHasher24::new_with_keys(lo, hi).hash(b"lately: which secret is this");
    assert_eq!(bytes[32..40], check.to_le_bytes());
}
