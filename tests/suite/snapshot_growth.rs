//! What a snapshot of a filter with a window of time may make of the filter that is loaded from it: no more than it was
//! allowed, and no more than its traffic needs, forever.

use crate::common;

use std::time::Duration;

use common::bytes::{get, put};
use common::handle::snapshot;
use common::num::{index, real};
use common::{SECOND, build, manual, observe, table};
use lately::{Code, Field, Filter, LoadOptions, OnLimit, Options, SharedFilter, Tick};

const WINDOW: u64 = 3600 * SECOND;

/// Where the numbers of a snapshot stand: `docs/reference/format.md`, kind 1.
const MADE: usize = 152;
const COUNTS: [usize; 7] = [168, 176, 184, 192, 200, 208, 216];
const ROOM: usize = 136;
const SLICES: usize = 144;
const RECORDS: usize = 224;
const RECORD: usize = 40;
const CAPACITY: usize = 8;
const GENERATION: usize = 16;

fn load(bytes: &[u8], memory: Option<u64>) -> Result<Filter, Code> {
    let options = LoadOptions::new(Duration::ZERO);
    Filter::load(bytes, &memory.map_or(options.clone(), |bytes| options.memory(bytes))).map_err(|error| error.code())
}

fn shapes() -> [Options; 4] {
    let pair = |k, l| manual(WINDOW).k(k).l(l).fill(0.5);
    [pair(4, 3), pair(1, 9), pair(10, 7), manual(WINDOW).error_rate(1e-3)]
}

/// The same beside the default, whose snapshots are other ones.
fn windows() -> impl Iterator<Item = Options> {
    let table = || table(WINDOW);
    shapes().into_iter().chain([table(), table().error_rate(0.05), table().age_bits(5).capacity(2000)])
}

/// A filter with two windows of a calm stream behind it.
fn lived(options: &Options, keys: u64) -> Filter {
    let mut filter = build(options);
    for i in 0..2 * keys {
        observe(&mut filter, i, i * (WINDOW / keys));
    }
    filter
}

/// A lie about the slice at a place.
fn lie(bytes: &[u8], place: usize, part: usize, value: u64) -> Vec<u8> {
    let mut lie = bytes.to_vec();
    put(&mut lie, RECORDS + place * RECORD + part, value);
    lie
}

/// Observes 10,000 keys, of one tick or of `gap`, and holds the cells to `most` bytes at every one. Its own snapshot
/// loads at the end.
fn weigh(mut filter: Filter, gap: u64, most: u64, what: &str) {
    let start = filter.stats().clock.0;
    for i in 0..10_000 {
        filter.observe_at(&((1_u64 << 40) | i).to_le_bytes(), Tick(start + i * gap)).expect("a tick");
        let bytes = filter.stats().bytes;
        assert!(bytes <= most, "{what}: {bytes} bytes of {most} after {i} keys");
    }
    assert!(load(&snapshot(&filter), None).is_ok(), "{what}: its own snapshot");
}

/// What the keys of that many bytes of cells and 10,000 more need, eight times.
fn plenty(options: &Options, bytes: u64) -> u64 {
    let plan = Filter::plan(options).expect("a plan");
    let per_key = real(plan.k * plan.slices) / real(plan.l) / -(-plan.fill).ln_1p();
    let told = real(bytes) * 8.0 * -(-plan.fill).ln_1p() / real(plan.k);
    common::num::ceil(8.0 * ((told + 10_000.0) * per_key / 8.0 + real(plan.slices * 8)))
}

#[test]
fn no_generation_counts_more_keys_than_its_slice_has_room_for() {
    for options in shapes() {
        let filter = lived(&options, 500);
        let good = snapshot(&filter);
        let slices = index(get(&good, SLICES));
        assert!(load(&good, None).is_ok());
        for place in 0..slices {
            for keys in [1 << 12, 1 << 20, 1 << 50] {
                let lie = lie(&good, place, GENERATION, keys);
                assert_eq!(load(&lie, None).err(), Some(Code::Corrupt), "{options:?}: {keys} keys at {place}");
            }
            let lie = lie(&good, place, CAPACITY, 1 << 40);
            assert_eq!(load(&lie, None).err(), Some(Code::Corrupt), "{options:?}: room for 2^40 keys at {place}");
        }
        let mut room = good.clone();
        put(&mut room, ROOM, 1 << 30);
        assert_eq!(load(&room, None).err(), Some(Code::Corrupt), "{options:?}: a generation of 2^30 keys");
    }
}

/// A generation that was put off may have counted more than its slice can hold. Nothing grows by that.
#[test]
fn a_generation_that_was_put_off_makes_nothing_grow() {
    for options in shapes() {
        let options = options.on_limit(OnLimit::RaiseErrorRate);
        let filter = lived(&options, 500);
        let good = snapshot(&filter);
        let (slices, k) = (index(get(&good, SLICES)), index(Filter::plan(&options).expect("a plan").k));
        for place in slices - (k - 1)..slices {
            let lie = lie(&good, place, GENERATION, 1 << 50);
            let most = plenty(&options, filter.stats().bytes);
            for gap in [0, WINDOW / 1000] {
                let loaded = load(&lie, None).expect("what may have been");
                weigh(loaded, gap, most, &format!("{options:?}: {place}"));
            }
        }
    }
}

#[test]
fn memory_of_a_load_binds_always() {
    let raising = shapes().map(|options| options.on_limit(OnLimit::RaiseErrorRate));
    for options in windows().chain(raising) {
        let filter = lived(&options, 200);
        let good = snapshot(&filter);
        let least = load(&good, None).expect("whole").stats().bytes;
        for most in [least, 4096.max(least), 1 << 16] {
            for gap in [0, WINDOW / 5000] {
                weigh(load(&good, Some(most)).expect("allowed"), gap, most, "loaded");
                let again = snapshot(&load(&good, Some(most)).expect("allowed"));
                weigh(load(&again, None).expect("its own"), gap, most, "loaded again");
                let shared = SharedFilter::load(&good, &LoadOptions::new(Duration::ZERO).memory(most));
                weigh(shared.expect("allowed").unshared().expect("memory"), gap, most, "shared");
            }
            let mut cleared = load(&good, Some(most)).expect("allowed");
            cleared.clear();
            weigh(cleared, 1, most, "cleared");
        }
        let short = load(&good, Some(least - 8));
        assert_eq!(short.err(), Some(Code::TooLarge));
    }
}

/// The least of the snapshot's own limit and of the one that loading gives.
#[test]
fn the_smaller_limit_counts() {
    let options = manual(WINDOW).error_rate(0.01).memory(5000);
    let good = snapshot(&lived(&options, 200));
    weigh(load(&good, Some(1 << 30)).expect("allowed"), 0, 5000, "its own limit");
    weigh(load(&good, Some(4000)).expect("allowed"), 0, 4000, "the one of loading");
}

/// What a caller asks of the loaded filter beside the bytes.
fn new_memory(bytes: u64) -> LoadOptions {
    LoadOptions::new(Duration::ZERO).new_memory(bytes)
}

/// Those that grow with every new key: what calls nearly all of them seen stores few.
fn growing_windows() -> impl Iterator<Item = Options> {
    windows().filter(|options| Filter::plan(options).expect("a plan").error_rate_worst < 0.5)
}

/// Two more windows of a calm stream, of keys that were not seen.
fn live_on(filter: &mut Filter, keys: u64) {
    let start = filter.stats().clock.0;
    for i in 1..=2 * keys {
        observe(filter, (1 << 41) | i, start + i * (WINDOW / keys));
    }
}

/// A window that did not fit into its memory fits into a new one, and the new limit is the one that its snapshots keep.
#[test]
fn a_new_limit_takes_the_place_of_a_smaller_one() {
    const OLD: u64 = 2048;
    const KEYS: u64 = 8000;
    for options in growing_windows() {
        let filter = lived(&options.clone().memory(OLD), KEYS);
        assert!(filter.stats().reach_ns < WINDOW && filter.stats().bytes <= OLD, "{options:?}: {:?}", filter.stats());
        let good = snapshot(&filter);
        for new in [1 << 20, u64::MAX] {
            let what = format!("{options:?}: {new}");
            let mut wide = Filter::load(&good, &new_memory(new)).expect("allowed");
            live_on(&mut wide, KEYS);
            let stats = wide.stats();
            assert!(stats.reach_ns == WINDOW && stats.bytes > OLD && stats.bytes <= new, "{what}: {stats:?}");
            let mut again = load(&snapshot(&wide), None).expect("its own");
            live_on(&mut again, 2 * KEYS);
            assert!(again.stats().reach_ns == WINDOW && again.stats().bytes <= new, "{what}: {:?}", again.stats());
            let shared = SharedFilter::load(&good, &new_memory(new)).expect("allowed").unshared().expect("memory");
            let alone = Filter::load(&good, &new_memory(new)).expect("allowed");
            // All but the most bytes ever: locks may have had more.
            let [one, other] = [snapshot(&shared), snapshot(&alone)]
                .map(|bytes| [&bytes[..168], &bytes[176..bytes.len() - 8]].concat());
            assert!(one == other, "{what}");
            wide.clear();
            live_on(&mut wide, KEYS);
            assert!(wide.stats().reach_ns == WINDOW && wide.stats().bytes > OLD, "{what}, cleared: {:?}", wide.stats());
        }
    }
}

/// A stream so fast that the table grows to its limit within a window; the worst of what it says of itself.
fn rush(filter: &mut Filter, first: u64, keys: u64) -> f64 {
    let (start, mut worst) = (filter.stats().clock.0, 0f64);
    for key in first..first + keys {
        observe(filter, key, start + 1);
        worst = if key % 997 == 0 { worst.max(filter.stats().error_rate) } else { worst };
    }
    worst.max(filter.stats().error_rate)
}

/// Cells of a crowded table know few bits in a larger one, so that a load makes the table larger, or its cells wider. Every key that was
/// found is found, and the error rate is kept from then on.
#[test]
fn the_error_rate_is_kept_when_the_limit_is_raised() {
    let limits = |rate| [1024, 4096, 1 << 17].map(|memory| (rate, memory));
    for (rate, memory) in [1e-2, 1e-3, 1e-4, 6e-5, 1e-6, 2e-7, 1e-10].into_iter().flat_map(limits) {
        let mut filter = build(&table(WINDOW).error_rate(rate).memory(memory));
        let (mut keys, mut limit) = (memory / 4, memory);
        rush(&mut filter, 0, keys);
        for times in [1, 8, 16, 64] {
            limit *= times;
            let good = snapshot(&filter);
            let found: Vec<u64> = (0..keys).filter(|key| filter.contains(key.to_le_bytes()).is_duplicate()).collect();
            filter = Filter::load(&good, &new_memory(limit)).unwrap_or_else(|error| panic!("{rate}, {limit}: {error}"));
            assert!(found.iter().all(|key| filter.contains(key.to_le_bytes()).is_duplicate()), "{rate}, {limit}");
            filter = load(&snapshot(&filter), None).expect("its own");
            let more = (limit / 4).min(100_000);
            let worst = rush(&mut filter, keys, more);
            assert!(worst <= rate && filter.stats().bytes <= limit, "{rate}, {limit}: {worst:e}, {:?}", filter.stats());
            keys += more;
        }
    }
}

/// An error rate that the cells of the former limit use up: a larger limit is refused, with those that are not.
#[test]
fn a_limit_with_which_the_rate_would_not_be_kept_is_refused() {
    let mut filter = build(&table(WINDOW).error_rate(4.6e-5).memory(4096));
    rush(&mut filter, 0, 2000);
    let good = snapshot(&filter);
    let error = Filter::load(&good, &new_memory(8192)).expect_err("between");
    assert_eq!((error.code(), error.field()), (Code::Option, Some(Field::Memory)));
    let text =
        "memory = 8192 bytes: must be at most 6080 or at least 12288 for this state with an error_rate of 0.000046";
    assert_eq!(error.to_string(), text);
    for limit in [6080, 12288] {
        let worst = rush(&mut Filter::load(&good, &new_memory(limit)).expect("named"), 2000, 40_000);
        assert!(worst <= 4.6e-5, "{worst:e}");
    }
}

#[test]
fn a_new_limit_takes_the_place_of_a_larger_one() {
    for options in windows() {
        let filter = lived(&options.clone().memory(1 << 20), 200);
        let good = snapshot(&filter);
        let least = load(&good, None).expect("whole").stats().bytes;
        for most in [least, 4096.max(least)] {
            for gap in [0, WINDOW / 5000] {
                weigh(Filter::load(&good, &new_memory(most)).expect("allowed"), gap, most, "less than before");
                let again = snapshot(&Filter::load(&good, &new_memory(most)).expect("allowed"));
                weigh(load(&again, None).expect("its own"), gap, most, "loaded again");
            }
        }
        let short = Filter::load(&good, &new_memory(least - 8)).expect_err("too little");
        assert_eq!((short.code(), short.needed()), (Code::TooLarge, Some(least)), "{options:?}");
    }
}

/// What is loaded may be held to less than what comes of it.
#[test]
fn a_new_limit_leaves_the_one_of_loading_to_the_bytes() {
    for options in growing_windows() {
        let filter = lived(&options.clone().memory(4096), 200);
        let good = snapshot(&filter);
        let cells = load(&good, None).expect("whole").stats().bytes;
        let both = |memory| Filter::load(&good, &new_memory(1 << 20).memory(memory));
        assert_eq!(both(cells - 8).expect_err("too little").code(), Code::TooLarge, "{options:?}");
        let mut filter = both(cells).expect("allowed");
        live_on(&mut filter, 8000);
        assert!(filter.stats().bytes > 4096 && filter.stats().bytes <= 1 << 20, "{options:?}: {:?}", filter.stats());
    }
}

/// What does not grow is held to a new limit when it is loaded, and is not changed by it.
#[test]
fn a_new_limit_changes_nothing_of_what_does_not_grow() {
    let cases = common::cases::cases().into_iter().filter(|case| !case.ticks);
    for case in cases {
        let good = snapshot(&case.build());
        let cells = case.load(&good).stats().bytes;
        let load = |bytes| Filter::load(&good, &case.load_options(Duration::ZERO).new_memory(bytes));
        for new in [cells.next_multiple_of(8), u64::MAX] {
            assert_eq!(snapshot(&load(new).expect("allowed")), good, "{}", case.name);
        }
        assert_eq!(load(cells - 1).expect_err("too little").code(), Code::TooLarge, "{}", case.name);
    }
}

#[test]
fn a_counter_at_its_bound_goes_on() {
    let options = manual(WINDOW).error_rate(0.01);
    for at in COUNTS.into_iter().chain([MADE]) {
        let filter = lived(&options, 300);
        let mut bytes = snapshot(&filter);
        // A number of creation that names the same functions.
        let k = Filter::plan(&options).expect("a plan").k;
        let bound = if at == MADE { (1 << 62) - ((1 << 62) - get(&bytes, MADE)) % k } else { 1 << 62 };
        put(&mut bytes, at, bound);
        let mut loaded = load(&bytes, None).expect("a count at its bound");
        assert!((300..600).all(|i: u64| loaded.contains(&i.to_le_bytes()).is_duplicate()));
        let start = loaded.stats().clock.0;
        for i in 0..2000u64 {
            let _ = loaded.observe_at(&(i / 2).to_le_bytes(), Tick(start + i * (WINDOW / 300))).expect("a tick");
            let _ = loaded.observe_at(&(i / 2).to_le_bytes(), Tick(start)).expect("a late tick");
        }
        assert!(load(&snapshot(&loaded), None).is_ok(), "its own snapshot, {at}");
    }
}

/// Any number of the head, or of the first records, at the bound of counts or one below: refused, or a filter that lives on
/// and reads what it wrote.
#[test]
fn a_number_at_its_bound_is_refused_or_goes_on() {
    for options in windows() {
        let good = snapshot(&lived(&options, 300));
        let mut loaded = 0;
        for at in (40..good.len().min(400) - 8).step_by(8) {
            for value in [1 << 62, (1 << 62) - 1] {
                let mut lie = good.clone();
                put(&mut lie, at, value);
                let Ok(mut filter) = load(&lie, None) else { continue };
                let start = filter.stats().clock.0;
                for i in 0..1000_u64 {
                    let now = start.saturating_add(i * (WINDOW / 300));
                    let _ = filter.observe_at(&(i / 2).to_le_bytes(), Tick(now));
                    let _ = filter.observe_at(&(i / 2).to_le_bytes(), Tick(start / 2));
                }
                let again = load(&snapshot(&filter), None);
                assert!(again.is_ok(), "{options:?}: {value} at {at}: {:?}", again.err());
                loaded += 1;
            }
        }
        assert!(loaded >= 8, "{options:?}: {loaded}");
    }
}
