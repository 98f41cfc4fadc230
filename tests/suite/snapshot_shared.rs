//! Snapshots of a shared filter: the bytes of one owner, for either handle; and while threads observe, all that was
//! done before is in them, and nothing half done.

use crate::common;

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::thread;
use std::time::Duration;

use common::cases::{Case, Player, cases};
use common::handle::{Handle, snapshot};
use common::kinds::{self, Finds, Row};
use common::num::index;
use common::{build, long_or};
use lately::{Code, Filter, LoadOptions, Options, Repeat, SharedFilter, Tick, Variant, Verdict};

fn shared(case: &Case) -> SharedFilter {
    common::divided(case.build())
}

fn load_shared(case: &Case, bytes: &[u8]) -> SharedFilter {
    SharedFilter::load(bytes, &case.load_options(Duration::ZERO)).unwrap_or_else(|e| panic!("{}: {e}", case.name))
}

fn play(case: &Case, filter: &mut dyn Handle, player: &mut Player, steps: u32) {
    for _ in 0..steps {
        let _ = player.step(case, filter);
    }
}

#[test]
fn one_thread_leaves_the_bytes_of_one_owner() {
    for case in cases() {
        for (seed, cut) in [(1, 0), (2, 1), (3, 40), (4, 700), (5, 3000)] {
            let (mut alone, mut together) = (case.build(), shared(&case));
            let mut player = Player::new(seed);
            let mut twin = player.twin();
            play(&case, &mut alone, &mut player, cut);
            play(&case, &mut together, &mut twin, cut);
            if case.name.contains("window_table") {
                // It is divided into sections, which the bytes tell. Those of a window of keys answer as the whole does.
                let (mut one, mut other) = (case.load(&snapshot(&alone)), case.load(&snapshot(&together)));
                for step in 0..500 {
                    let mut twin = player.twin();
                    let (came, too) = (player.step(&case, &mut one), twin.step(&case, &mut other));
                    let same = came == too || case.name.starts_with("timed");
                    assert!(same, "{} cut at {cut}, step {step}: {came:?} {too:?}", case.name);
                }
                continue;
            }
            assert_eq!(snapshot(&alone), snapshot(&together), "{} cut at {cut}", case.name);
        }
    }
}

#[test]
fn a_snapshot_of_either_handle_loads_into_either() {
    for case in cases() {
        let (mut alone, mut player) = (case.build(), Player::new(6));
        play(&case, &mut alone, &mut player, 900);
        let bytes = snapshot(&alone);
        let mut restored = load_shared(&case, &bytes);
        assert_eq!(snapshot(&restored), bytes, "{}", case.name);
        let streamed = SharedFilter::read_snapshot(&bytes[..], &case.load_options(Duration::ZERO)).unwrap();
        assert_eq!(snapshot(&streamed), bytes, "{}", case.name);
        let mut back = case.load(&snapshot(&restored));
        for step in 0..900 {
            let (mut second, mut third) = (player.twin(), player.twin());
            let came = player.step(&case, &mut alone);
            assert_eq!(came, second.step(&case, &mut restored), "{} at step {step}", case.name);
            assert_eq!(came, third.step(&case, &mut back), "{} at step {step}", case.name);
        }
        let after = [snapshot(&alone), snapshot(&restored), snapshot(&back)];
        assert!(after.iter().all(|bytes| *bytes == after[0]), "{}", case.name);
    }
}

/// A stream that uses the filter whose snapshot it takes.
struct Curious(SharedFilter);

impl Write for Curious {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.observe(b"while it is written").map_err(io::Error::other)?;
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// No lock is held while the stream takes its time, so it may even call back.
#[test]
fn no_thread_waits_for_the_stream_of_a_snapshot() {
    for case in cases() {
        let filter = common::divided(common::started(&case.options));
        filter.write_snapshot(Curious(filter.clone())).unwrap();
        assert_eq!(filter.contains(b"while it is written"), Verdict::Duplicate, "{}", case.name);
    }
}

const THREADS: u64 = 4;

/// What threads have done to one filter: how many calls each has begun, and how many are behind it.
struct Busy {
    filter: SharedFilter,
    ticks: bool,
    /// Keys of each thread.
    most: u64,
    stop: AtomicBool,
    begun: [AtomicU64; 4],
    done: [AtomicU64; 4],
}

impl Busy {
    fn new(filter: SharedFilter, ticks: bool, most: u64) -> Self {
        Self { filter, ticks, most, stop: AtomicBool::new(false), begun: Default::default(), done: Default::default() }
    }

    /// Key `i` of a thread: no other thread has it.
    fn key(thread: u64, i: u64) -> [u8; 8] {
        (i * THREADS + thread).to_le_bytes()
    }

    /// Observes the keys of a thread, once and again, until it is stopped.
    fn observe(&self, thread: u64) {
        let (begun, done) = (&self.begun[index(thread)], &self.done[index(thread)]);
        for call in 0.. {
            if self.stop.load(SeqCst) && call >= self.most {
                return;
            }
            begun.store(call + 1, SeqCst);
            let (key, now) = (Self::key(thread, call % self.most), Tick(call.min(self.most)));
            if self.ticks { self.filter.observe_at(&key, now) } else { self.filter.observe(&key) }.unwrap();
            done.store(call + 1, SeqCst);
        }
    }

    fn read(counts: &[AtomicU64; 4]) -> [u64; 4] {
        [0, 1, 2, 3].map(|thread: usize| counts[thread].load(SeqCst))
    }

    /// One snapshot beside the threads: all that was done is in it, and no more calls than had begun.
    fn check(&self) -> u64 {
        // Room is made before, for asking how much takes all locks as well.
        let mut bytes = vec![0; 1 << 24];
        let done = Self::read(&self.done);
        let n = self.filter.snapshot_write(&mut bytes).unwrap();
        let begun = Self::read(&self.begun);
        let restored = Filter::load(&bytes[..n], &LoadOptions::new(Duration::ZERO)).unwrap();
        for (thread, done) in (0..).zip(done) {
            for i in 0..done.min(self.most) {
                assert_eq!(restored.contains(&Self::key(thread, i)), Verdict::Duplicate, "key {i} of {thread}");
            }
        }
        let stats = restored.stats();
        let seen = stats.new_count + stats.duplicate_count;
        assert!(seen >= done.iter().sum() && seen <= begun.iter().sum(), "{done:?} {seen} {begun:?}");
        seen
    }
}

/// Filters that forget nothing while these tests last, however often a key comes, but begin new generations.
fn patient(most: u64) -> Vec<(Options, bool)> {
    let all = most * THREADS;
    let of_fixed_memory = |variant| Options::quotient(all * 12).variant(variant).k(8).fingerprint_bits(12);
    let patient = |row: &Row| match row.finds {
        Finds::Time => Some((row.options().window_ns(2 * most), true)),
        Finds::Keys => Some((row.for_keys(2 * all).repeat(Repeat::KeepFirst), false)),
        // A set with removal keeps room in every block.
        Finds::Ever => Some((row.for_keys(if row.removes { 2 * all } else { all }), false)),
        // Repeats drive keys out of the last calls.
        Finds::Calls | Finds::Nothing => None,
    };
    let roomy = [Variant::Qht, Variant::Qqht].map(|variant| (of_fixed_memory(variant), false));
    kinds::rows().iter().filter_map(patient).chain(roomy).collect()
}

#[test]
fn snapshot_while_threads_observe_has_every_earlier_key() {
    let most = 6000 * long_or(20);
    for (options, ticks) in patient(most) {
        let busy = Busy::new(common::divided(build(&options)), ticks, most);
        let (first, last) = thread::scope(|scope| {
            for thread in 0..THREADS {
                let busy = &busy;
                scope.spawn(move || busy.observe(thread));
            }
            let _stop = Stop(&busy.stop);
            let first = (0..).map(|_| busy.check()).find(|seen| *seen > 0).unwrap();
            // Twenty of them, and on until the threads were seen to be running beside them.
            let last = (0..).map(|i| (i, busy.check())).find(|(i, seen)| *i >= 20 && *seen > first).unwrap().1;
            (first, last)
        });
        // Otherwise nothing was written beside anything.
        assert!(first < last && last < busy.check(), "{first} {last} {options:?}");
        assert!((0..THREADS).all(|thread| (0..most).all(|i| finds(&busy.filter, thread, i))), "{options:?}");
    }
}

/// Stops the threads, also when a check has failed.
struct Stop<'a>(&'a AtomicBool);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.store(true, SeqCst);
    }
}

fn finds(filter: &SharedFilter, thread: u64, i: u64) -> bool {
    filter.contains(&Busy::key(thread, i)) == Verdict::Duplicate
}

/// Each of 64 locks keeps a count for every cell of a row: what locks may take holds for a loaded filter too.
#[test]
fn bytes_of_the_locks_are_limited() {
    let load = |k: u32| {
        let options = Options::quotient(1 << 17).k(k).fingerprint_bits(1).variant(Variant::Qhtd);
        SharedFilter::load(&snapshot(&build(&options)), &LoadOptions::new(Duration::ZERO)).map(drop)
    };
    assert_eq!(load(4095), Ok(()));
    assert_eq!(load(4096).map_err(|refused| refused.code()), Err(Code::Option));
}
