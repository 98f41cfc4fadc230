//! When the n-th request for memory is refused, for every n: a plan, statistics and errors need none, and what needs some
//! is an error, after which all continues. A program of its own, whose allocator refuses when told.

mod common;

use std::cell::Cell;
use std::fmt::Write;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::thread;
use std::time::Duration;

use common::alloc::{Watched, counts, refuse};
use common::bytes::reloaded;
use common::cases::{Case, cases};
use common::handle::{Handle, Verb, WAYS, snapshot};
use common::kinds;
use common::{SECOND, build, manual, observe, table};
use lately::abi::AnyKeys;
use lately::{
    Code, Error, Field, Filter, Keys, Kind, LoadOptions, Options, Secret, SharedFilter, Tick, Variant, Verdict,
};

thread_local! {
    /// Requests of this thread that are still met before one is refused; none is once it is below 0.
    static LEFT: Cell<i64> = const { Cell::new(-1) };
    /// Whether every request of this thread is refused.
    static NONE_LEFT: Cell<bool> = const { Cell::new(false) };
    /// Whether every request behind the one that is refused is refused, too.
    static THEN_NONE: Cell<bool> = const { Cell::new(false) };
}

fn refuses(_: usize, _: bool) -> bool {
    let left = LEFT.get();
    LEFT.set((left - 1).max(-1));
    if left == 0 && THEN_NONE.get() {
        NONE_LEFT.set(true);
    }
    left == 0 || NONE_LEFT.get()
}

/// Whether every request of this thread is refused from now on.
fn none_left(is_so: bool) {
    refuse(refuses);
    NONE_LEFT.set(is_so);
}

#[global_allocator]
static ALLOCATOR: Watched = Watched;

/// Runs `body`, and says how often it asked for memory.
fn asks<T>(body: impl FnOnce() -> T) -> (T, u64) {
    let before = counts().asked;
    let result = body();
    let asked = counts().asked - before;
    (result, asked)
}

/// Refuses each request of `body` in turn: every time it is `NO_MEMORY`, and `after` looks at what is left.
fn each_refused<T>(name: &str, body: impl Fn() -> Result<T, Error>, mut after: impl FnMut()) {
    refuse_each(name, body, |refused, n| {
        assert_eq!(refused.map(drop).map_err(|error| error.code()), Err(Code::NoMemory), "{name}: request {n}");
        after();
    });
}

/// Refuses each request of `body` in turn, and hands on what it comes to.
fn refuse_each<T>(name: &str, body: impl Fn() -> Result<T, Error>, mut then: impl FnMut(Result<T, Error>, u64)) {
    let (result, requests) = asks(&body);
    assert!(result.is_ok(), "{name}");
    for n in 0..requests {
        refuse(refuses);
        LEFT.set(i64::try_from(n).expect("a small number"));
        let refused = body();
        LEFT.set(-1);
        then(refused, n);
    }
}

/// A text in memory that is there already.
struct Page {
    bytes: [u8; 512],
    len: usize,
}

impl Write for Page {
    fn write_str(&mut self, more: &str) -> std::fmt::Result {
        self.bytes[self.len..self.len + more.len()].copy_from_slice(more.as_bytes());
        self.len += more.len();
        Ok(())
    }
}

fn sliced() -> impl Iterator<Item = Options> {
    let timed = |rate: f64| Options::time_limited(Duration::from_secs(60)).error_rate(rate);
    let insertions = Kind::ALL.iter().copied().find(|kind| kind.takes(Field::WindowKeys) && kind.takes(Field::Fill));
    let insertions = insertions.expect("the sliced kind whose window is of keys");
    let recent = move |rate: f64| Options::new(insertions).window_keys(10_000).error_rate(rate);
    [1e-1, 1e-3, 3e-4, 1e-9].into_iter().flat_map(move |rate| {
        [timed(rate), timed(rate).capacity(1000), timed(rate).max_slices(1024), recent(rate), recent(rate).fill(0.2)]
    })
}

fn quotient() -> impl Iterator<Item = Options> {
    [Variant::Qht, Variant::Qhtd, Variant::Qqht, Variant::Qqhtd].into_iter().flat_map(|variant| {
        let options = Options::quotient(10_000).variant(variant);
        [options.clone(), options.clone().k(4).fingerprint_bits(9), options.error_rate(1e-2)]
    })
}

fn tiny_set() -> impl Iterator<Item = Options> {
    [false, true].into_iter().flat_map(|removable| {
        let options = Options::tiny_set(10_000).removable(removable);
        [options.clone(), options.clone().error_rate(3e-4), options.clone().memory(20_000), options.load(0.5)]
    })
}

fn window_table() -> impl Iterator<Item = Options> {
    let both = |options: Options| [options.clone(), options.clone().error_rate(3e-4), options.memory(1 << 20)];
    let timed = Options::window(Duration::from_secs(60));
    both(Options::last(10_000)).into_iter().chain(both(timed))
}

#[test]
fn a_plan_needs_no_memory() {
    for options in sliced().chain(quotient()).chain(tiny_set()).chain(window_table()) {
        let (plan, asked) = asks(|| Filter::plan(&options));
        assert!(plan.is_ok(), "{options:?}: {plan:?}");
        assert_eq!(asked, 0, "{options:?}");
    }
}

/// The law of misses of QQHT keeps lists, as long as queues take to settle: they can be refused.
#[test]
fn a_plan_of_misses_is_an_error_where_its_lists_are_refused() {
    let options = Options::quotient(10_000).variant(Variant::Qqht).window_keys(30);
    each_refused("misses", || Filter::plan(&options), || assert!(Filter::plan(&options).is_ok()));
}

#[test]
fn a_refusal_needs_no_memory_to_be_made_and_shown() {
    let kinds = Kind::ALL.iter().copied().map(Options::new);
    let wrong = |options: Options| {
        [
            options.clone(),
            options.clone().error_rate(1e-300).window_ns(1).window_keys(1).capacity(1),
            options.clone().window_keys(10).error_rate(-1.0),
            options.clone().window_ns(10).error_rate(f64::NAN),
            options.clone().window_ns(10).max_slices(8).error_rate(1e-300),
            options.clone().window_keys(10).memory(8),
            options.clone().memory(0),
            options.clone().capacity(10).fill(f64::MAX),
            options.clone().miss_rate(0.5).memory(100),
            options.memory(100).window_ns(7).keyed(true).secret(Secret::new(0, 0)),
        ]
    };
    let mut refused = 0;
    for options in kinds.flat_map(wrong) {
        let mut page = Page { bytes: [0; 512], len: 0 };
        let (error, asked) = asks(|| {
            let error = Filter::plan(&options).err()?;
            write!(page, "{error}").ok()?;
            Some(error)
        });
        if let Some(error) = error {
            let shown = String::from_utf8_lossy(&page.bytes[..page.len]);
            assert!(
                error.code() == Code::Option && shown.contains(" = ") && shown.contains(": "),
                "{options:?}: {shown}"
            );
            assert!(page.len < 255, "{shown}");
            assert_eq!(asked, 0, "{options:?}: {shown}");
            refused += 1;
        }
    }
    assert!(refused > 30, "only {refused}");
}

#[test]
fn every_request_of_building_copying_sharing_and_loading_can_be_refused() {
    for case in &cases() {
        each_refused(&case.name, || Filter::new(&case.options), || ());
        each_refused(&case.name, || SharedFilter::new(&case.options), || ());
        let (mut filter, mut twin) = (case.build(), case.build());
        for key in 0..200_u64 {
            let _ = (filter.observe(&key.to_le_bytes()), twin.observe(&key.to_le_bytes()));
        }
        let mut bytes = vec![0; usize::try_from(filter.snapshot_size()).expect("a small one")];
        let (written, asked) = asks(|| filter.snapshot_write(&mut bytes));
        assert!(written.is_ok() && asked == 0, "{}: {asked}", case.name);
        let options: LoadOptions = case.load_options(Duration::ZERO);
        each_refused(&case.name, || filter.try_clone(), || ());
        each_refused(&case.name, || Filter::load(&bytes, &options), || ());
        each_refused(&case.name, || SharedFilter::load(&bytes, &options), || ());
        goes_on(case, filter, &mut twin);
    }
}

/// What was refused has left no trace: 10,000 calls are those of a filter that was never short, and need no memory.
fn goes_on(case: &Case, mut filter: Filter, twin: &mut Filter) {
    for key in (0..5000_u64).map(|i| i * i % 613) {
        let (verdict, asked) = asks(|| filter.observe(&key.to_le_bytes()));
        assert_eq!(verdict, twin.observe(&key.to_le_bytes()), "{}: {key}", case.name);
        assert_eq!(filter.contains(&key.to_le_bytes()), twin.contains(&key.to_le_bytes()), "{}: {key}", case.name);
        // A window of time shifts and grows, and so does the map of a small window of keys; nothing else asks.
        assert!(asked == 0 || case.ticks || case.name.contains("window_table"), "{}: {key}", case.name);
    }
    let (stats, asked) = asks(|| filter.stats());
    assert!(stats == twin.stats() && asked == 0, "{}: {asked}", case.name);
}

/// A time-limited filter asks for the arrays of its slices, and now and then for a longer list of them.
#[test]
fn a_shift_asks_for_a_slice_and_no_more() {
    let mut filter = build(&manual(60 * SECOND).error_rate(0.01));
    let (mut asked, mut shifts) = (0, 0);
    for i in 0..3000 {
        let (_, now) = asks(|| observe(&mut filter, i, i * SECOND / 10));
        let shifted = filter.stats().shifts - shifts;
        shifts += shifted;
        asked += now;
        assert!(now <= 2 * shifted, "{now} requests at key {i}, {shifted} shifts");
    }
    assert!(shifts > 50 && asked < shifts + 8, "{asked} requests in {shifts} shifts");
}

/// Keys that a window table has to grow for, and from one to the next.
const GROWS: (u64, u64) = (6000, SECOND / 200);

/// Refuses request `n` of `body`, and all behind it if `all`.
fn refused_from<T>(n: u64, all: bool, body: impl FnOnce() -> T) -> T {
    THEN_NONE.set(all);
    refuse(refuses);
    LEFT.set(i64::try_from(n).expect("a small number"));
    let result = body();
    LEFT.set(-1);
    THEN_NONE.set(false);
    none_left(false);
    result
}

/// A window of time without a limit, at a rate at which error hides nothing.
fn growing() -> Options {
    table(60 * SECOND).error_rate(1e-9)
}

/// Observes and inserts so many keys, from the first on.
fn grow(filter: &mut dyn Handle, keys: Range<u64>) {
    for key in keys {
        let tick = SECOND + key * GROWS.1;
        let verb = if key % 4 == 0 { Verb::Insert } else { Verb::Observe };
        let done = filter.single(verb, &key.to_le_bytes(), Some(Tick(tick)));
        assert!(done.is_ok(), "key {key}: {done:?}");
    }
}

/// Nothing is lost without a word: what is within the reach is found, and if that is not the window, `forgotten` says so.
fn expect_told(filter: &dyn Handle, keys: u64, name: &str) {
    let (stats, now) = (filter.stats(), SECOND + (keys - 1) * GROWS.1);
    for key in (0..keys).filter(|key| (keys - 1 - key) * GROWS.1 < stats.reach_ns) {
        assert!(filter.found(key, now).is_duplicate(), "{name}: key {key} is lost, {stats:?}");
    }
    let whole = stats.reach_ns == 60 * SECOND;
    assert!(whole == (stats.forgotten == 0) || keys * GROWS.1 < stats.reach_ns, "{name}: {stats:?}");
    assert!(stats.error_rate <= 1e-9, "{name}: {stats:?}");
}

/// Every request that a table makes while it grows, unshared, shared and divided: that one alone, or that and all behind it.
#[test]
fn every_request_of_growth_can_be_refused() {
    for way in WAYS {
        let (new, name) = (|| way.build(&growing()), format!("{way:?}"));
        let requests = {
            let mut filter = new();
            asks(|| grow(&mut *filter, 0..GROWS.0)).1
        };
        assert!(requests > 20, "{name}: {requests}");
        let (mut refused, mut forgot) = (0, 0);
        for n in 0..requests {
            for all in [false, true] {
                let mut filter = new();
                refused_from(n, all, || grow(&mut *filter, 0..GROWS.0));
                let name = format!("{name}: request {n}, {}", if all { "and all behind it" } else { "alone" });
                expect_told(&*filter, GROWS.0, &name);
                refused += u64::from(filter.stats().deferred > 0);
                forgot += u64::from(filter.stats().forgotten > 0);
                grow(&mut *filter, GROWS.0..GROWS.0 + 200);
                expect_told(&*filter, GROWS.0 + 200, &name);
                assert_eq!(reloaded(&*filter).stats().reach_ns, filter.stats().reach_ns, "{name}");
                if n == 0 {
                    grow(&mut *filter, GROWS.0 + 200..8 * GROWS.0);
                    assert_eq!(filter.stats().reach_ns, 60 * SECOND, "{name}: memory was back for twice the window");
                }
            }
        }
        assert!(refused > 20 && forgot > 10, "{name}: {refused} deferred, {forgot} forgot");
    }
}

/// Without memory for its lists a filter is not divided, answers as before, and is divided later.
#[test]
fn every_request_of_a_division_can_be_refused() {
    let known = 3000;
    let fill = || {
        let mut filter = build(&growing());
        grow(&mut filter, 0..known);
        filter
    };
    let shared = || SharedFilter::of(fill()).expect("memory for the locks");
    let requests = {
        let filter = shared();
        asks(|| lately::abi::divide(&filter)).1
    };
    assert!(requests > 16, "{requests}");
    let whole = snapshot(&fill());
    for n in 0..requests {
        for all in [false, true] {
            let (mut filter, name) = (shared(), format!("request {n}, all behind it: {all}"));
            refused_from(n, all, || lately::abi::divide(&filter));
            expect_told(&filter, known, &name);
            assert_eq!((filter.stats().reach_ns, filter.stats().forgotten), (60 * SECOND, 0), "{name}");
            grow(&mut filter, known..GROWS.0);
            expect_told(&filter, GROWS.0, &name);
            assert_eq!((filter.stats().reach_ns, filter.stats().forgotten), (60 * SECOND, 0), "{name}");
        }
    }
    let filter = shared();
    refused_from(0, true, || lately::abi::divide(&filter));
    let sealed = filter.unshared();
    assert_eq!(snapshot(&sealed.expect("memory")).len(), whole.len(), "it is not divided without memory");
}

/// Copies and loads of a filter that is divided, each request of them refused: an error, and nothing else changes.
#[test]
fn every_request_of_copies_and_loads_of_a_divided_filter_can_be_refused() {
    for options in [growing(), growing().memory(16 << 10), Options::last(2000)] {
        let filter = common::divided(build(&options));
        let bring = |key: &[u8]| match options.number_of(Field::WindowNs) {
            0 => filter.observe(key),
            _ => filter.observe_at(key, Tick(SECOND)),
        };
        (0..2501_u64).for_each(|key| assert_eq!(bring(&key.to_le_bytes()), Ok(Verdict::New), "{options:?}"));
        let bytes = snapshot(&filter);
        let load = LoadOptions::new(Duration::ZERO);
        let name = format!("{options:?}");
        each_refused(&name, || filter.unshared(), || ());
        each_refused(&name, || Filter::load(&bytes, &load), || ());
        each_refused(&name, || SharedFilter::load(&bytes, &load), || ());
        let again = snapshot(&filter);
        let differ: Vec<usize> = (0..bytes.len().min(again.len())).filter(|i| bytes[*i] != again[*i]).collect();
        assert!(bytes.len() == again.len() && differ.is_empty(), "{name}: bytes {differ:?}");
        none_left(true);
        filter.clear();
        none_left(false);
        assert_eq!((filter.stats().items, filter.contains(0_u64.to_le_bytes()).is_new()), (0, true), "{name}");
        assert_eq!(bring(b"lives on"), Ok(Verdict::New), "{name}");
    }
}

/// Keys that wait apart from the lines, since these were not met in time, are refused room at each request: what is not kept is
/// told by `forgotten` and the reach, and the rest is found.
#[test]
fn every_request_of_keys_without_room_can_be_refused() {
    let known = 200_000;
    let mut filled = build(&growing());
    // After the first window, in which lines are less full.
    let start = 100 * SECOND;
    observe(&mut filled, u64::MAX, 1);
    (0..known).for_each(|key| assert!(observe(&mut filled, key, start + key).is_new()));
    // Most of a window later, so that there is a line for many a call to look at first.
    let (later, all_keys) = (start + 55 * SECOND, known + 1000);
    let flood = |filter: &mut Filter| {
        (known..all_keys).for_each(|key| {
            let _ = observe(filter, key, later + key);
        });
    };
    let requests = {
        let mut filter = filled.try_clone().expect("memory");
        let asked = asks(|| flood(&mut filter)).1;
        assert!(filter.stats().stashed > 30, "{:?}", filter.stats());
        asked
    };
    assert!(requests > 2, "{requests}");
    let (now, mut told) = (later + all_keys - 1, 0);
    let age = |key: u64| if key < known { now - start - key } else { all_keys - 1 - key };
    for n in 0..requests {
        for all in [false, true] {
            let mut filter = filled.try_clone().expect("memory");
            refused_from(n, all, || flood(&mut filter));
            let stats = filter.stats();
            let lost: Vec<u64> = (0..all_keys).filter(|key| !common::finds(&filter, *key, now)).collect();
            assert!(lost.is_empty() || stats.forgotten > 0, "request {n}: {} lost, {stats:?}", lost.len());
            let within = lost.iter().filter(|key| age(**key) < stats.reach_ns).count();
            assert_eq!(within, 0, "request {n}: {stats:?}");
            told += u64::from(stats.forgotten > 0);
        }
    }
    assert!(told > 0, "{told} of {requests}");
}

/// Keys of each thread.
const OWN: u64 = 3000;

/// Observes the keys of a thread while it gets no memory, and returns those that were taken: what is not is `NO_MEMORY`.
fn observed_without_memory(filter: &SharedFilter, row: &kinds::Row, thread: u64) -> Vec<bool> {
    let mut taken: Vec<bool> = (0..OWN).map(|_| false).collect();
    none_left(true);
    let mut other = None;
    for (key, taken) in (thread * OWN..).zip(&mut taken) {
        let key = key.to_le_bytes();
        match if row.takes_ticks() { filter.observe_at(&key, Tick(SECOND)) } else { filter.observe(&key) } {
            Ok(_) => *taken = true,
            Err(error) if error.code() == Code::NoMemory => {}
            Err(error) => other = Some(error),
        }
    }
    none_left(false);
    assert!(other.is_none(), "{}: {other:?}", row.name);
    taken
}

/// Threads that get no memory wait for a lock, which a batch has for so long, and for each other until the filter is divided.
fn met_without_memory(filter: &SharedFilter, row: &kinds::Row, threads: u64, wait: Duration) -> Vec<Vec<bool>> {
    let held = AtomicBool::new(false);
    let ticks = row.takes_ticks().then_some([Tick(SECOND)]);
    thread::scope(|scope| {
        let each = |thread| {
            let held = &held;
            scope.spawn(move || {
                while !held.load(SeqCst) {
                    thread::yield_now();
                }
                observed_without_memory(filter, row, thread)
            })
        };
        let threads: Vec<_> = (0..threads).map(each).collect();
        let slowly = |_, _| {
            held.store(true, SeqCst);
            thread::sleep(wait);
        };
        let keys = Keys::U64s(&[u64::MAX]);
        filter.observe_each(AnyKeys::of(&keys), ticks.as_ref().map(|ticks| &ticks[..]), slowly).expect("no error");
        threads.into_iter().map(|thread| thread.join().expect("no thread panics")).collect()
    })
}

/// Nothing ends, and every key that was taken is found.
#[test]
fn threads_that_meet_where_no_memory_is_left_go_on() {
    for row in kinds::rows() {
        let filter = SharedFilter::new(&row.for_keys(8 * OWN)).expect("a filter");
        let taken = met_without_memory(&filter, &row, 4, Duration::from_millis(20));
        let keys = (0..).zip(taken.iter().flatten());
        let lost = keys.filter(|(key, taken): &(u64, _)| **taken && filter.contains(&key.to_le_bytes()).is_new());
        let lost = lost.count();
        let forgets = row.finds == kinds::Finds::Nothing || filter.stats().forgotten > 0;
        assert!(lost == 0 || forgets, "{}: {lost} keys are lost", row.name);
        assert!(taken.iter().flatten().any(|taken| *taken), "{}", row.name);
    }
}

/// How many threads wait in the process that the test below starts.
const WAIT: &str = "LATELY_THREADS_WAIT";

/// The one exception, docs/explanation/decisions/locks.md: a table of waiting threads that must grow and cannot ends the process, with the
/// standard library's message, and not with a broken filter.
#[test]
fn a_process_ends_when_more_threads_wait_than_its_table_has_room_for() {
    let row = kinds::rows().remove(0);
    if let Ok(threads) = std::env::var(WAIT) {
        let filter = SharedFilter::new(&row.for_keys(20 * OWN)).expect("a filter");
        met_without_memory(&filter, &row, threads.parse().expect("a number"), Duration::from_secs(1));
        return;
    }
    let name = "a_process_ends_when_more_threads_wait_than_its_table_has_room_for";
    for (threads, lives) in [("5", true), ("6", false)] {
        let mut child = std::process::Command::new(std::env::current_exe().expect("this program"));
        let ended = child.args(["--exact", name, "--nocapture"]).env(WAIT, threads).output().expect("it runs");
        let is_refused = String::from_utf8_lossy(&ended.stderr).contains("memory allocation of");
        assert_eq!((ended.status.success(), is_refused), (lives, !lives), "{threads}: {ended:?}");
    }
}
