//! Any bytes whatever into `load`: a filter or an error, never a panic, never more memory than allowed. A program of its
//! own, whose allocator counts what each thread holds and refuses what no small snapshot should ask for.
//!
//! The check tries a fifth of the places of each case; `LATELY_WHOLE=1` tries every one.

mod common;

use std::time::Duration;

use common::alloc::{Watched, counts, forget_peak, refuse};
use common::bytes::{mend, put};
use common::cases::{Case, Player};
use common::handle::snapshot;
use common::num::{index, wide};
use common::rng::Rng;
use common::{SECOND, manual, places, stride, table};
use lately::{Code, Error, Filter, LoadOptions, Options, SharedFilter, Tick};

/// Requests above this get nothing.
const MOST: usize = 16 << 20;

#[global_allocator]
static ALLOCATOR: Watched = Watched;

/// From now on this thread gets nothing above [`MOST`].
fn watch() {
    refuse(|size, _| size > MOST);
}

fn cases() -> Vec<Case> {
    watch();
    common::cases::cases()
}

/// The most memory that `body` holds at once, or asks for: what is refused counts too.
fn most_held<T>(body: impl FnOnce() -> T) -> (T, usize) {
    watch();
    forget_peak();
    let before = counts().peak;
    let result = body();
    (result, index(counts().peak - before))
}

/// A filter of this case that has seen something, and its bytes.
fn used(case: &Case, steps: u32) -> (Player, Vec<u8>) {
    let (mut filter, mut player) = (case.build(), Player::new(1));
    for _ in 0..steps {
        let _ = player.step(case, &mut filter);
    }
    (player, snapshot(&filter))
}

fn load(case: &Case, bytes: &[u8]) -> Result<Filter, Error> {
    Filter::load(bytes, &case.load_options(Duration::ZERO))
}

fn stream(case: &Case, bytes: &[u8]) -> Result<Filter, std::io::Error> {
    Filter::read_snapshot(bytes, &case.load_options(Duration::ZERO))
}

#[track_caller]
fn code_of(case: &Case, result: Result<Filter, Error>) -> Code {
    result.map(|_| format!("{}: loaded", case.name)).unwrap_err().code()
}

#[test]
fn every_length_but_the_right_one_is_refused() {
    for (n, case) in cases().into_iter().enumerate() {
        let (_, bytes) = used(&case, 300);
        for end in places(bytes.len(), n) {
            let want = if end < 8 { Code::Magic } else { Code::Corrupt };
            assert_eq!(code_of(&case, load(&case, &bytes[..end])), want, "{} cut at {end}", case.name);
            assert!(stream(&case, &bytes[..end]).is_err(), "{} cut at {end}", case.name);
            // Shorter, and honest about it.
            let mut shorter = bytes[..end].to_vec();
            if end >= 56 {
                put(&mut shorter, 16, wide(end));
                assert_eq!(code_of(&case, load(&case, &shorter)), Code::Corrupt, "{} cut at {end}", case.name);
                assert!(stream(&case, &shorter).is_err(), "{} cut at {end}", case.name);
            }
        }
        let mut longer = [&bytes[..], &[0; 64]].concat();
        assert_eq!(code_of(&case, load(&case, &longer)), Code::Corrupt, "{}", case.name);
        let end = longer.len();
        put(&mut longer, 16, wide(end));
        assert_eq!(code_of(&case, load(&case, &longer)), Code::Corrupt, "{}", case.name);
        assert!(stream(&case, &longer).is_err(), "{}", case.name);
    }
}

#[test]
fn every_flipped_bit_is_found() {
    for (n, case) in cases().into_iter().enumerate() {
        let (_, mut bytes) = used(&case, 300);
        for bit in places(bytes.len() * 8, n) {
            bytes[bit / 8] ^= 1 << (bit % 8);
            let want = match bit / 8 {
                0..8 => Code::Magic,
                8..12 => Code::Version,
                16..24 => Code::Corrupt,
                _ => Code::Checksum,
            };
            assert_eq!(code_of(&case, load(&case, &bytes)), want, "{} bit {bit}", case.name);
            assert!(stream(&case, &bytes).is_err(), "{} bit {bit}", case.name);
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
        load(&case, &bytes).unwrap();
    }
}

/// Loads what may be a lie under a good checksum. What comes of it is used: it must not panic, and must be written as it
/// was read. Says whether something came of it.
fn survives(case: &Case, bytes: &[u8], player: &Player, steps: u32) -> bool {
    let loaded = load(case, bytes);
    let streamed = stream(case, bytes);
    assert_eq!(loaded.is_ok(), streamed.is_ok(), "{}", case.name);
    let Ok(mut filter) = loaded else { return false };
    // A system clock does not stand still.
    if bytes[28] != 1 {
        assert_eq!(snapshot(&filter), bytes, "{}", case.name);
    }
    use_for(case, &mut filter, player.twin(), steps);
    true
}

fn use_for(case: &Case, filter: &mut Filter, mut player: Player, steps: u32) {
    let before = filter.stats();
    assert!(before.error_rate >= 0.0 && before.items <= before.stored.max(before.items));
    for _ in 0..steps {
        let _ = player.step(case, filter);
    }
    let after = filter.stats();
    assert!(after.error_rate >= 0.0);
    let copy = filter.try_clone().unwrap();
    // It may have grown by now.
    assert_eq!(filter.write_snapshot(std::io::sink()).unwrap(), filter.snapshot_size());
    loads_again(case, filter);
    filter.stats_reset();
    filter.clear();
    loads_again(case, filter);
    for _ in 0..steps / 10 {
        let _ = player.step(case, filter);
    }
    loads_again(case, filter);
    drop(copy);
}

/// Whatever a load accepted is accepted again after any calls, and is the same: otherwise a service that took a snapshot
/// once could never start from its own file again.
fn loads_again(case: &Case, filter: &Filter) {
    // What a lie made grow beyond what this program's allocator gives is not written.
    if filter.snapshot_size() > wide(MOST / 4) {
        return;
    }
    let bytes = snapshot(filter);
    let again = load(case, &bytes).unwrap_or_else(|error| panic!("{}: after its use: {error}", case.name));
    // A system clock does not stand still.
    if bytes[28] != 1 {
        assert_eq!(snapshot(&again), bytes, "{}", case.name);
    }
}

#[test]
fn every_flipped_bit_under_a_good_checksum_is_survived() {
    for (n, case) in cases().into_iter().enumerate() {
        // One that keeps all takes a millisecond each time, for its plan's curve; and an empty one is mostly zeros.
        let played: &[u32] = if case.keeps_all { &[60] } else { &[0, 400] };
        for &played in played {
            let (player, mut bytes) = used(&case, played);
            let (mut taken, bits) = (0, (bytes.len() - 8) * 8);
            for bit in places(bits, n) {
                bytes[bit / 8] ^= 1 << (bit % 8);
                mend(&mut bytes);
                taken += usize::from(survives(&case, &bytes, &player, 60));
                bytes[bit / 8] ^= 1 << (bit % 8);
            }
            // Otherwise nothing was tried.
            assert!(taken > 50 / stride(), "{}: {taken} of {bits}", case.name);
        }
    }
}

#[test]
fn numbers_that_no_filter_has_are_survived() {
    for (n, case) in cases().into_iter().enumerate() {
        let (player, bytes) = used(&case, 200);
        numbers_are_survived((n, &case), &bytes, &player, bytes.len() - 8);
        // An untouched one, whose first call is still to come: what the cells hold is 0 anyway.
        let (player, bytes) = used(&case, 0);
        numbers_are_survived((n, &case), &bytes, &player, (bytes.len() - 8).min(320));
    }
}

/// Each number that no filter has, at every place before `end`.
fn numbers_are_survived((n, case): (usize, &Case), bytes: &[u8], player: &Player, end: usize) {
    const WIDES: [u64; 12] =
        [0, 1, 63, 64, 1 << 32, (1 << 32) - 1, 1 << 52, 1 << 62, (1 << 62) + 1, 1 << 63, u64::MAX - 7, u64::MAX];
    let lies =
        places((end - 8).div_ceil(4) * WIDES.len(), n).map(|i| (8 + i / WIDES.len() * 4, WIDES[i % WIDES.len()]));
    for (at, number) in lies {
        for size in [8, 4] {
            let mut lie = bytes.to_vec();
            if at + size <= bytes.len() - 8 {
                lie[at..at + size].copy_from_slice(&number.to_le_bytes()[..size]);
                mend(&mut lie);
                survives(case, &lie, player, 60);
            }
        }
    }
}

/// A clock that is the system's takes no steps: a snapshot that limits them would make a filter that refuses every call
/// after a pause, and that no option can ask for.
#[test]
fn a_limit_on_steps_belongs_to_a_clock_of_the_caller() {
    let window = Duration::from_secs(10);
    for (options, manual) in [
        (Options::window(window), false),
        (Options::time_limited(window), false),
        (table(10 * SECOND), true),
        (manual(10 * SECOND), true),
    ] {
        let mut bytes = snapshot(&Filter::new(&options).unwrap());
        put(&mut bytes, 72, 9);
        let loaded = Filter::load(&bytes, &LoadOptions::new(Duration::ZERO));
        assert_eq!(loaded.is_ok(), manual, "{options:?}");
        assert!(manual || loaded.unwrap_err().to_string().contains("max_step_ns"), "{options:?}");
    }
}

/// A table is asked for in many small requests. Where there is no memory for all of them the first is refused, not the one that
/// ends the process: this allocator refuses what is larger than 16 MiB, and the table takes 50.
#[test]
fn a_table_for_which_there_is_no_memory_is_not_begun() {
    let ask = || Filter::new(&Options::window(Duration::from_secs(60)).capacity(1 << 24).error_rate(1e-3));
    let (built, most) = most_held(|| ask().map(|_| ()).map_err(|error| error.code()));
    assert_eq!(built, Err(Code::NoMemory));
    assert!(most > MOST, "one request has the size of all: {most}");
}

/// A window table that says it has not begun, and has keys: their positions would be of another beginning. The key of the first
/// tick is at the very beginning, that of a later one is not.
#[test]
fn a_table_that_has_not_begun_has_no_keys() {
    for ticks in [&[0][..], &[5], &[5, 1_000_000_000]] {
        let mut filter = Filter::new(&table(10 * SECOND)).unwrap();
        for tick in ticks {
            filter.observe_at(tick.to_string(), Tick(*tick)).unwrap();
        }
        let mut bytes = snapshot(&filter);
        assert_eq!(bytes[184], 1, "it has begun");
        bytes[184] = 0;
        mend(&mut bytes);
        let error = Filter::load(&bytes, &LoadOptions::new(Duration::ZERO)).unwrap_err();
        assert!(error.to_string().contains("its window has not begun"), "{ticks:?}: {error}");
    }
}

/// Cells have one of three widths: with another every cell would be read from the wrong bits. A table never has fewer lines than
/// it began with.
#[test]
fn a_table_of_other_cells_or_of_fewer_lines_than_at_first_is_refused() {
    for case in cases().into_iter().filter(|case| case.name.contains("window_table")) {
        let (_, bytes) = used(&case, 300);
        // The lateness, where there is one, comes before them, and so do claims.
        let claims = if case.claims { 64 + 32 * usize::from(bytes[72]) } else { 0 };
        let behind = claims + if case.name.contains("late") { 8 } else { 0 };
        // A map has no lines yet.
        let has_lines = bytes[88 + claims] & 8 > 0;
        for (at, field) in (144..152).map(|at| (at, "field")).chain(has_lines.then_some((152, "lines"))) {
            let mut lie = bytes.clone();
            lie[at + behind] = if at == 152 { lie[at + behind] + 1 } else { lie[at + behind] ^ 1 };
            mend(&mut lie);
            let error = load(&case, &lie).unwrap_err();
            assert!(error.to_string().contains(field), "{} byte {at}: {error}", case.name);
        }
    }
}

/// A number out of its range is named with the range, and what no filter writes is named with its place.
#[test]
fn load_of_a_corrupt_structure_names_it() {
    let row = Options::quotient(8).k(4).fingerprint_bits(16).variant(lately::Variant::Qht);
    let (slices, set) = (Options::age_partitioned(100), Options::new(lately::Kind::TinySet));
    // Counted from the end of the file, behind which is a checksum of 8 bytes.
    for (options, from_end, byte, want) in [
        (row, 14, 7, "row 0 has gaps between its filled cells"),
        (set.memory(64), 72, 1, "the chains of block 0 do not match its entries"),
        (slices, 72, 0xFF, "an expired slice has bits that are set"),
    ] {
        let mut bytes = Vec::new();
        Filter::new(&options).unwrap().write_snapshot(&mut bytes).unwrap();
        let at = bytes.len() - from_end;
        bytes[at] = byte;
        mend(&mut bytes);
        let error = Filter::load(&bytes, &LoadOptions::new(Duration::ZERO)).unwrap_err();
        assert_eq!(
            (error.code(), error.to_string()),
            (Code::Corrupt, format!("corrupt snapshot: {want}")),
            "{options:?}"
        );
    }
}

/// Several lies at once, where each hides the other.
#[test]
fn random_lies_are_survived() {
    let mut rng = Rng(77);
    for case in cases() {
        let (player, bytes) = used(&case, 200);
        let mut taken = 0;
        for _ in 0..3000 * index(common::long_or(20)) / stride() {
            let mut lie = bytes.clone();
            for _ in 0..1 + rng.below(4) {
                let at = 48 + index(rng.below(wide(lie.len() - 56)));
                lie[at] = [0, 1, 0xFF, 0x80, lie[at].wrapping_add(1), lie[at] ^ 0x55][index(rng.below(6))];
            }
            mend(&mut lie);
            taken += usize::from(survives(&case, &lie, &player, 60));
        }
        assert!(taken > 100 / stride(), "{}: {taken}", case.name);
    }
}

/// What may be held beside the cells of 4 KiB that these tests allow: tables of 64 KiB, and a message or two.
const BESIDE: usize = (4 << 10) + (64 << 10) + 1024;

/// What 64 locks take beside that.
const LOCKS: usize = 280 << 10;

#[test]
fn no_more_memory_is_taken_than_is_allowed() {
    for (n, case) in cases().into_iter().enumerate() {
        let (_, bytes) = used(&case, 300);
        let cells = case.load(&bytes).stats().bytes;
        // Slots of 12 bytes are no words.
        let is_exact = case.name == "quotient_planned" || case.name.contains("window_table");
        let cells = if is_exact { cells } else { cells.next_multiple_of(8) };
        let limited = |bytes: &[u8], limit| Filter::load(bytes, &case.load_options(Duration::ZERO).memory(limit));
        limited(&bytes, cells).unwrap();
        let error = limited(&bytes, cells - 1).unwrap_err();
        assert_eq!((error.code(), error.needed()), (Code::TooLarge, Some(cells)), "{}", case.name);
        assert!(error.to_string().contains(&format!("takes {cells} bytes")), "{error}");
        // However large the lie, from bytes or from a stream, with a limit or without.
        for bit in places((bytes.len().min(400) - 16) * 8, n) {
            let (at, mut lie) = (16 + bit / 8, bytes.clone());
            lie[at] ^= 1 << (bit % 8);
            mend(&mut lie);
            hold_little(&case, &lie, &format!("{}: the bit {} of byte {at}", case.name, bit % 8));
            // Without a limit there is a table for as many claims as the snapshot says.
            if case.claims && (56..64).contains(&at) {
                continue;
            }
            let (_, most) = most_held(|| load(&case, &lie).is_ok());
            assert!(most <= BESIDE + 64 * bytes.len(), "{}: {most} bytes without a limit", case.name);
        }
    }
}

/// Every way to load it keeps to a limit of 4 KiB of cells.
fn hold_little(case: &Case, lie: &[u8], what: &str) {
    let options = case.load_options(Duration::ZERO).memory(4096);
    let (_, most) = most_held(|| Filter::load(lie, &options).is_ok());
    assert!(most <= BESIDE, "{most} bytes for {what}");
    let (_, most) = most_held(|| Filter::read_snapshot(lie, &options).is_ok());
    assert!(most <= BESIDE, "{most} bytes of a stream for {what}");
    let (_, most) = most_held(|| SharedFilter::load(lie, &options).is_ok());
    assert!(most <= BESIDE + LOCKS, "{most} bytes of a shared filter for {what}");
}

/// Slices that are said to be many, and to have been made: two numbers that agree, of which one alone is a contradiction.
#[test]
fn a_long_table_of_slices_takes_no_memory_before_it_is_there() {
    for case in cases().into_iter().filter(|case| case.ticks) {
        let (_, bytes) = used(&case, 300);
        for n in [1 << 11, 1 << 16, 1 << 20, 1 << 32, (1 << 52) - 1] {
            let mut lie = bytes.clone();
            // As long as it would have to be: a stream only says so.
            for (at, value) in [(144, n), (152, 1 << 61), (16, 224 + n * 48)] {
                put(&mut lie, at, value);
            }
            hold_little(&case, &lie, &format!("{n} slices of {}", case.name));
            let (read, most) = most_held(|| stream(&case, &lie).is_ok());
            assert!(!read && most <= BESIDE + 64 * bytes.len(), "{most} bytes for {n} slices of {}", case.name);
        }
    }
}

/// A quotient row of a million cells in one bit each needs a table of 8 bytes for each: the limit holds for that too.
#[test]
fn tables_are_limited_as_cells_are() {
    let options = Options::quotient(1 << 17).k(1 << 20).fingerprint_bits(1).variant(lately::Variant::Qhtd);
    let filter = Filter::new(&options).unwrap();
    let bytes = snapshot(&filter);
    let load = |limit| Filter::load(&bytes, &LoadOptions::new(Duration::ZERO).memory(limit)).map_err(|e| e.code());
    let (refused, most) = most_held(|| load(1 << 20).map(drop));
    assert_eq!(refused, Err(Code::TooLarge));
    assert!(most <= 1 << 11, "{most}");
    assert!(load(9 << 20).is_ok());
}

/// A row that is said to be long, in a stream that ends before it: what counts its cells, 64 times as long, is made after.
#[test]
fn a_long_row_takes_no_memory_before_it_is_there() {
    let filter = Filter::new(&Options::quotient(64).variant(lately::Variant::Qhtd)).unwrap();
    let bytes = snapshot(&filter);
    for k in [1_u32 << 12, 1 << 16, 1 << 20] {
        let row = u64::from(k).div_ceil(64) * 8;
        let mut lie = bytes[..632].to_vec();
        lie[80..92].copy_from_slice(&[k.to_le_bytes(), 1_u32.to_le_bytes(), 2_u32.to_le_bytes()].concat());
        for (at, value) in [(16, 632 + row), (48, 1), (56, row)] {
            put(&mut lie, at, value);
        }
        let options = LoadOptions::new(Duration::ZERO);
        let (refused, most) = most_held(|| Filter::read_snapshot(&lie[..], &options).is_err());
        assert!(refused && most <= index(row) + BESIDE, "{refused}, {most} bytes for a row of {k} cells");
    }
}
