//! Shows a stream to a rival, times it, and counts its mistakes.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use crate::line::Ran;
use crate::rival::{Entry, Rival};
use crate::stream::{self, Key, Workload};

/// What measures a run.
#[derive(Debug, Clone, Copy)]
pub struct Meter {
    /// Processor time so far, in nanoseconds.
    pub time: fn() -> u64,
    /// Bytes now and at most since `restart`, if they are counted.
    pub bytes: fn() -> Option<(u64, u64)>,
    /// Forgets the most.
    pub restart: fn(),
}

/// How often a run looks at the clock that it waits for.
const LOOK: usize = 64;

/// Waits for the moments of a stream. A thousand sleeps cost more than the work of a rival: their time is not part of its own.
struct Pace {
    begin: Instant,
    late: u64,
    time: fn() -> u64,
    waited: u64,
}

impl Pace {
    fn new(time: fn() -> u64) -> Self {
        Self { begin: Instant::now(), late: 0, time, waited: 0 }
    }

    fn wait(&mut self, tick: u64) {
        let before = (self.time)();
        let (moment, now) = (Duration::from_nanos(tick), self.begin.elapsed());
        match moment.checked_sub(now) {
            Some(rest) => thread::sleep(rest),
            None => self.late = self.late.max(nanoseconds(now - moment)),
        }
        self.waited += (self.time)() - before;
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// A stream and where it is.
struct Show<'a> {
    workload: &'a Workload,
    pace: Option<Pace>,
}

impl Show<'_> {
    /// Processor time of waiting.
    fn waited(&self) -> u64 {
        self.pace.as_ref().map_or(0, |pace| pace.waited)
    }

    fn section(&mut self, rival: &mut dyn Rival, first: u64, keys: &[Key], verdicts: &mut [bool]) {
        let mut i = first;
        for (keys, verdicts) in keys.chunks(LOOK).zip(verdicts.chunks_mut(LOOK)) {
            if let Some(pace) = &mut self.pace {
                pace.wait(self.workload.tick(i));
            }
            for (key, verdict) in keys.iter().zip(verdicts) {
                *verdict = rival.observe(key, self.workload.tick(i));
                i += 1;
            }
        }
    }
}

/// What a run came to, and each verdict of the counted records.
#[derive(Debug)]
pub struct Played {
    /// The line that is printed.
    pub ran: Ran,
    /// Whether each counted record was called a duplicate.
    pub verdicts: Vec<bool>,
}

/// Runs one rival on one workload.
#[must_use]
pub fn play(entry: &Entry, workload: &Workload, seed: u64, meter: &Meter) -> Played {
    play_made(entry, workload, seed, meter, entry.build)
}

/// The same with a rival that is made in another way.
#[must_use]
pub fn play_made(
    entry: &Entry,
    workload: &Workload,
    seed: u64,
    meter: &Meter,
    make: impl FnOnce(&Workload) -> Box<dyn Rival>,
) -> Played {
    let keys = workload.keys(seed);
    let (warm, counted) = keys.split_at(keys.len() - usize::try_from(workload.counted).expect("records in memory"));
    let mut verdicts = vec![false; keys.len()];
    let (first, second) = verdicts.split_at_mut(warm.len());
    (meter.restart)();
    let before = (meter.bytes)();
    let pace = (entry.is_real && workload.span > 0).then(|| Pace::new(meter.time));
    let mut show = Show { workload, pace };
    let mut rival = make(workload);
    show.section(rival.as_mut(), 0, warm, first);
    let begin = (meter.time)() - show.waited();
    show.section(rival.as_mut(), workload.warm, counted, second);
    let cpu_ns = (meter.time)() - show.waited() - begin;
    let bytes =
        before.zip((meter.bytes)()).map(|(before, after)| after.0.saturating_sub(before.0)).zip(peak(before, meter));
    drop(rival);
    let late = show.pace.map_or(0, |pace| pace.late);
    verdicts.drain(..warm.len());
    let ran = ran(entry, workload, seed, &keys, &verdicts);
    let (settled_bytes, peak_bytes) = bytes.unzip();
    Played { ran: Ran { cpu_ns, settled_bytes, peak_bytes, late_ns: late, ..ran }, verdicts }
}

fn peak(before: Option<(u64, u64)>, meter: &Meter) -> Option<u64> {
    before.zip((meter.bytes)()).map(|(before, after)| after.1.saturating_sub(before.0))
}

/// The line without what was measured.
fn ran(entry: &Entry, workload: &Workload, seed: u64, keys: &[Key], verdicts: &[bool]) -> Ran {
    let (wrong, missed) = mistakes(workload.warm, verdicts);
    let clock = match (workload.span, entry.is_real) {
        (0, _) => "none",
        (_, false) => "manual",
        (_, true) => "real",
    };
    Ran {
        rival: entry.name.to_owned(),
        version: (entry.version)(),
        workload: workload.name.to_owned(),
        seed,
        stream: stream::digest(keys),
        keys: workload.counted,
        cpu_ns: 0,
        peak_bytes: None,
        settled_bytes: None,
        wrong,
        missed,
        clock: clock.to_owned(),
        late_ns: 0,
    }
}

/// New keys that were called duplicates, and repeats that were called new.
fn mistakes(first: u64, verdicts: &[bool]) -> (u64, u64) {
    (first..).zip(verdicts).fold((0, 0), |(wrong, missed), (i, &said)| match (i % 2 == 0, said) {
        (true, true) => (wrong + 1, missed),
        (false, false) => (wrong, missed + 1),
        _ => (wrong, missed),
    })
}

/// Verdicts as a file has them: one bit each, the least significant first.
#[must_use]
pub fn pack(verdicts: &[bool]) -> Vec<u8> {
    verdicts.chunks(8).map(|byte| byte.iter().rev().fold(0, |bits, &said| (bits << 1) | u8::from(said))).collect()
}

/// Writes the verdicts.
///
/// # Errors
/// The file cannot be written.
pub fn write(path: &Path, verdicts: &[bool]) -> Result<(), String> {
    fs::write(path, pack(verdicts)).map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;
    use crate::rival::SIMPLE;

    const STILL: Meter = Meter { time: || 0, bytes: || None, restart: || {} };

    #[test]
    fn simple_rivals_are_right_on_the_short_streams() {
        for entry in &SIMPLE {
            for name in ["last-2000", "time-2000"] {
                let workload = Workload::find(name).expect("a workload");
                let played = play(entry, workload, 3, &STILL);
                assert_eq!(played.ran.missed, 0, "{}, {name}", entry.name);
                let most = entry.error.map_or(0, |error| if error > 1e-4 { 40 } else { 0 });
                assert!(played.ran.wrong <= most, "{}, {name}: {}", entry.name, played.ran.wrong);
                assert_eq!(played.verdicts.len(), usize::try_from(workload.counted).expect("few"));
            }
        }
    }

    #[test]
    fn mistakes_are_counted_by_what_a_record_is() {
        assert_eq!(mistakes(10, &[true, true, false, false, false, true]), (1, 1));
    }

    #[test]
    fn verdicts_are_packed_with_the_first_in_the_lowest_bit() {
        let mut verdicts = [false; 10];
        (verdicts[0], verdicts[3], verdicts[9]) = (true, true, true);
        assert_eq!(pack(&verdicts), [0b1001, 0b10]);
    }

    #[test]
    fn real_clock_is_waited_for() {
        let mut pace = Pace::new(STILL.time);
        pace.wait(3_000_000);
        let begin = pace.begin;
        assert!(Instant::now().duration_since(begin) >= Duration::from_millis(3));
        pace.wait(1_000_000);
        assert!(pace.late >= 2_000_000);
    }

    #[test]
    fn waiting_is_not_part_of_the_time() {
        static LOOKS: AtomicU64 = AtomicU64::new(0);
        let mut pace = Pace::new(|| LOOKS.fetch_add(1_000, Ordering::Relaxed));
        (0..5).for_each(|_| pace.wait(0));
        assert_eq!(pace.waited, 5_000);
    }
}
