//! What one call on a window of time takes from the system and gives back, however its traffic changes, and whether `stats` know
//! what all calls took. A program of its own, whose allocator counts.

mod common;

use common::alloc::{Watched, counts};
use common::handle::{self, Handle};
use lately::Options;

#[global_allocator]
static ALLOCATOR: Watched = Watched;

const WINDOW: u64 = 1 << 30;

/// Two runs of 16 KiB, when a short one becomes a whole one of each side; lists of runs and of a few keys without room.
const SMALL: u64 = 48 << 10;

/// The largest arena. It begins with a large page, so the allocator is asked for one page more, which nobody touches.
const ARENA: u64 = 2 << 20;

/// A filter and its clock.
struct Stream {
    filter: Box<dyn Handle>,
    now: u64,
    next: u64,
    /// The most bytes that a call took, and gave back.
    most: [u64; 2],
}

impl Stream {
    /// A window of time, with room for `capacity` keys if that is not 0.
    fn new(capacity: u64, is_divided: bool) -> Self {
        let mut options = common::table(WINDOW);
        if capacity > 0 {
            options = options.capacity(capacity);
        }
        let mut filter = handle::of(common::build(&options), is_divided);
        // A table of known size is divided with its first key: that takes lists of runs for each section, once.
        filter.observed(0, 1);
        Self { filter, now: 1, next: 0, most: [0; 2] }
    }

    /// The most that a call may take or give back: a 32nd of what there is.
    fn allowed(&self) -> u64 {
        let peak = self.filter.stats().bytes_peak;
        let arena = (peak / 32).min(ARENA);
        // Lists of runs and of groups double.
        arena + if arena == ARENA { ARENA } else { 0 } + peak / 64 + SMALL
    }

    /// Observes `keys` new keys, evenly, in a time.
    fn run(&mut self, keys: u64, ns: u64) {
        for _ in 0..keys {
            self.now += ns / keys;
            self.next += 1;
            let before = counts();
            self.filter.observed(self.next, self.now);
            let call = [counts().taken - before.taken, counts().given - before.given];
            if call.iter().any(|bytes| *bytes > SMALL) {
                let most = self.allowed();
                assert!(call.iter().all(|bytes| *bytes <= most), "key {}: {call:?} bytes of {most}", self.next);
            }
            self.most = [0, 1].map(|i| self.most[i].max(call[i]));
        }
    }
}

/// Growth, a burst, a fall, and silences after which nothing is alive. A table of a known size stays.
#[test]
fn a_call_takes_and_gives_back_an_arena_at_most() {
    for (capacity, is_divided) in [(0, false), (0, true), (400_000, false), (400_000, true)] {
        let mut stream = Stream::new(capacity, is_divided);
        let first = stream.filter.stats().bytes;
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
        let (left, most) = (stream.filter.stats().bytes, stream.most);
        println!("capacity {capacity}, divided {is_divided}: {peak} bytes, then {left}; in a call at most {most:?}");
        let most = if capacity > 0 { first + first / 32 } else { peak / 50 };
        assert!(left <= most && (capacity == 0 || left >= first), "{left} of {peak} bytes are left, {first} at first");
    }
}

/// All keys of a table of more than 64 MiB have died: its arenas are of 2 MiB, and a call gives one back.
#[test]
fn a_call_on_a_large_table_gives_back_the_largest_arena_at_most() {
    for is_divided in [false, true] {
        let mut stream = Stream::new(0, is_divided);
        // In its first window a key takes 36.4 bits, where nothing has died yet.
        stream.run(16_000_000, WINDOW);
        let peak = stream.filter.stats().bytes;
        assert!(peak > 64 << 20, "only {peak} bytes");
        stream.now += 3 * WINDOW;
        stream.run(2000, WINDOW / 1000);
        let left = stream.filter.stats().bytes;
        println!("divided {is_divided}: {peak} bytes, then {left}; in a call at most {:?}", stream.most);
        assert!(left < peak / 50 && stream.most[1] >= ARENA, "{left} of {peak} bytes are left, {:?}", stream.most);
    }
}

/// Growth, a burst and a fall, each looked at while it lasts: by the allocator, and not only by the statistics.
#[test]
fn allocated_bytes_of_a_window_of_time_are_those_of_stats() {
    let before = counts().held();
    let mut stream = Stream::new(0, false);
    let mut most = 0;
    for (keys, ns) in [(100_000, WINDOW), (300_000, WINDOW / 10), (50_000, WINDOW), (1000, 2 * WINDOW)] {
        for _ in 0..20 {
            stream.run(keys / 20, ns / 20);
            let (held, named) = (counts().held() - before, stream.filter.stats().bytes);
            // Lists of runs and generations of groups are no lines.
            assert!((named..=named + named / 40 + (16 << 10)).contains(&held), "{held} bytes for {named}");
            most = most.max(named);
        }
    }
    assert!(most > 1 << 20, "only {most} bytes");
}

/// Of the allocator, and not only by the statistics: room to align a table of 4 MB to large pages once doubled it.
#[test]
fn a_window_of_keys_requests_the_bytes_that_its_statistics_name() {
    for keys in [1000, 50_000, 1_000_000, 10_000_000] {
        let before = counts().held();
        let filter = common::build(&Options::last(keys));
        let (requested, named) = (counts().held() - before, filter.stats().bytes);
        println!("{keys} keys: {requested} bytes for {named}");
        assert!((named..=named + named / 50 + 4096).contains(&requested), "{keys} keys: {requested} bytes for {named}");
    }
}
