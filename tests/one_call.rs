//! What one call on a window of time takes from the system and gives back, however its traffic changes. A program of its own, whose
//! allocator counts.
#![allow(unsafe_code, reason = "a global allocator cannot be written without")]

mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::time::Duration;

use common::num::wide;
use lately::{ClockSource, Filter, Options, Tick};

thread_local! {
    /// Bytes that this thread has taken and given back.
    static TAKEN: Cell<u64> = const { Cell::new(0) };
    static GIVEN: Cell<u64> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: every request is passed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        TAKEN.set(TAKEN.get() + wide(layout.size()));
        // SAFETY: the caller keeps the same contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        TAKEN.set(TAKEN.get() + wide(layout.size()));
        // SAFETY: the caller keeps the same contract.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, start: *mut u8, layout: Layout) {
        GIVEN.set(GIVEN.get() + wide(layout.size()));
        // SAFETY: the caller keeps the same contract.
        unsafe { System.dealloc(start, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const WINDOW: u64 = 1 << 30;

/// Two runs of 16 KiB, when a short one becomes a whole one of each side; lists of runs and of a few keys without room.
const SMALL: u64 = 48 << 10;

/// A filter and its clock.
struct Stream {
    filter: Filter,
    now: u64,
    next: u64,
    /// The most bytes that a call took, and gave back.
    most: [u64; 2],
}

impl Stream {
    /// Observes `keys` new keys, evenly, in a time. A call takes at most a 32nd of what there is, and gives back as much.
    fn run(&mut self, keys: u64, ns: u64) {
        for _ in 0..keys {
            self.now += ns / keys;
            self.next += 1;
            let before = [TAKEN.get(), GIVEN.get()];
            self.filter.observe_at(self.next.to_le_bytes(), Tick(self.now)).expect("a tick");
            let call = [TAKEN.get() - before[0], GIVEN.get() - before[1]];
            let most = self.filter.stats().bytes_peak / 32 + SMALL;
            assert!(call.iter().all(|bytes| *bytes <= most), "key {}: {call:?} bytes of {most}", self.next);
            self.most = [0, 1].map(|i| self.most[i].max(call[i]));
        }
    }
}

/// Growth, a burst, a fall, and silences after which nothing is alive.
#[test]
fn a_call_takes_and_gives_back_an_arena_at_most() {
    for capacity in [0, 400_000] {
        let mut options = Options::window(Duration::from_nanos(WINDOW)).clock(ClockSource::Manual);
        if capacity > 0 {
            options = options.capacity(capacity);
        }
        let mut stream = Stream { filter: common::build(&options), now: 1, next: 0, most: [0; 2] };
        stream.run(400_000, 2 * WINDOW);
        stream.run(600_000, WINDOW / 10);
        let peak = stream.filter.stats().bytes;
        assert!(peak > 2 << 20, "only {peak} bytes");
        stream.run(2000, 3 * WINDOW);
        stream.run(200_000, WINDOW);
        for silence in [1, 2, 1000] {
            stream.now += silence * WINDOW;
            stream.run(300, WINDOW / 1000);
        }
        let left = stream.filter.stats().bytes;
        println!("capacity {capacity}: {peak} bytes, then {left}; a call took and gave back at most {:?}", stream.most);
        assert!(left < peak / 50, "{left} of {peak} bytes are left");
    }
}

/// Of the allocator, and not only by the statistics: room to align a table of 4 MB to large pages once doubled it.
#[test]
fn a_window_of_keys_requests_the_bytes_that_its_statistics_name() {
    for keys in [1000, 50_000, 1_000_000, 10_000_000] {
        let before = TAKEN.get() - GIVEN.get();
        let filter = common::build(&Options::last(keys));
        let (requested, named) = (TAKEN.get() - GIVEN.get() - before, filter.stats().bytes);
        println!("{keys} keys: {requested} bytes for {named}");
        assert!((named..=named + named / 50 + 4096).contains(&requested), "{keys} keys: {requested} bytes for {named}");
    }
}
