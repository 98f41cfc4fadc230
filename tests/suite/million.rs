//! The bytes of a key that README.md names: what a loop over a million new keys shows, and a window of a million that has settled.
//!
//! Keys are 16 bytes from a seeded generator, the filter is the default one.

use crate::common;

use common::num::real;
use common::rng::Rng;
use common::{SECOND, build, table};
use lately::{Filter, Tick};

const KEYS: u64 = 1_000_000;
const WINDOW: u64 = 1000 * SECOND;
const README: &str = include_str!("../../README.md");

fn observe_new(filter: &mut Filter, rng: &mut Rng, now: u64) {
    let key = [rng.next(), rng.next()].map(u64::to_le_bytes).concat();
    filter.observe_at(&key[..], Tick(now)).expect("a tick of the window");
}

/// Bits a key of the window, if it contains a million.
fn bits(filter: &Filter) -> f64 {
    8.0 * real(filter.stats().bytes) / real(KEYS)
}

#[test]
fn loop_over_a_million_new_keys_takes_the_bytes_of_the_first_page() {
    let (mut filter, mut rng) = (build(&table(WINDOW)), Rng(52));
    (0..KEYS).for_each(|_| observe_new(&mut filter, &mut rng, 0));
    let bits = bits(&filter);
    eprintln!("{bits:.2} bits a key after the loop");
    assert!((40.4..41.4).contains(&bits), "{bits} bits a key");
    let want = format!("a loop over a million new keys takes {:.1}", bits / 8.0);
    assert!(README.contains(&want), "README.md should say: {want}");
}

#[test]
fn settled_window_of_a_million_keys_takes_the_bytes_of_the_first_page() {
    let (mut filter, mut rng) = (build(&table(WINDOW)), Rng(53));
    let (mut least, mut most) = (f64::MAX, 0.0_f64);
    for i in 0..4 * KEYS {
        observe_new(&mut filter, &mut rng, i * (WINDOW / KEYS));
        if i >= 2 * KEYS && i % 10_000 == 0 {
            (least, most) = (least.min(bits(&filter)), most.max(bits(&filter)));
        }
    }
    eprintln!("{least:.2} to {most:.2} bits a key when settled");
    assert!(40.5 < least && most < 41.0, "{least} to {most} bits a key");
    let want = format!("| **lately**, 1e-6 | {:.1} |", most / 8.0);
    assert!(README.contains(&want), "README.md should say: {want}");
}
