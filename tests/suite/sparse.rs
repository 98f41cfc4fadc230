//! Sparse traffic: a filter that sees a key only now and then keeps the bytes of a few keys, for years.

use crate::common;

use common::{SECOND, build, divided, finds, observe, table};
use lately::Tick;
use lately::Verdict::New;

const WINDOW: u64 = 600 * SECOND;

/// What a table of a few keys takes.
const FEW: u64 = 1024;

/// Silences in hundredths of a window: shorter than the time a key may stay, about as long, and much longer.
const SILENCES: [u64; 5] = [99, 113, 115, 300, 100_000];

#[test]
fn one_key_after_each_silence_takes_constant_bytes() {
    for hundredths in SILENCES {
        for limit in [None, Some(64 << 10)] {
            let options = limit.map_or(table(WINDOW), |bytes| table(WINDOW).memory(bytes));
            let (mut filter, shared) = (build(&options), divided(build(&options)));
            // With so little memory all lines are made at once, and stay. The divided one begins with lines, and gives them back.
            let few = limit.unwrap_or(FEW);
            let first = shared.stats().bytes;
            for i in 0..5_000 {
                let tick = WINDOW + i * (WINDOW / 100 * hundredths);
                assert_eq!(observe(&mut filter, i, tick), New);
                assert!(finds(&filter, i, tick + WINDOW), "key {i}, silence {hundredths}");
                assert_eq!(shared.observe_at(&i.to_le_bytes(), Tick(tick)).expect("a tick that is taken"), New);
            }
            for (stats, peak) in [(filter.stats(), few), (shared.stats(), first.max(limit.unwrap_or(first + FEW)))] {
                let is_small = stats.bytes <= few && stats.bytes_peak <= peak;
                assert!(is_small, "silence {hundredths}, {limit:?}: {stats:?}");
                assert_eq!(stats.forgotten, 0, "silence {hundredths}, {limit:?}");
            }
        }
    }
}
