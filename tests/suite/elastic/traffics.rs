//! The traffics that judge a window of time: steady, daily and hostile ones.
#![allow(dead_code, reason = "each program uses its own part of this")]

use std::f64::consts::TAU;

use super::stream::{Keys, Traffic};

const fn traffic(name: &'static str, windows: f64, rate: fn(f64) -> f64) -> Traffic {
    Traffic { name, rate, windows, keys: Keys::Scattered, storm: |_| 0.0, heap: 0.0 }
}

/// A wave between a tenth and the whole, from its lowest point.
fn wave(turns: f64) -> f64 {
    0.55 - 0.45 * (turns * TAU).cos()
}

/// `much` in the first part of each period, else `little`.
fn periodic(at: f64, share: f64, much: f64, little: f64) -> f64 {
    if at.fract() < share { much } else { little }
}

fn within(at: f64, from: f64, to: f64, much: f64) -> f64 {
    if (from..to).contains(&at) { much } else { 1.0 }
}

/// All of them. The bounds of each are in `bounds.rs`, by name.
pub(crate) const TRAFFICS: [Traffic; 22] = [
    traffic("steady from nothing", 4.0, |_| 1.0),
    traffic("steady for ten windows", 10.0, |_| 1.0),
    traffic("a window's keys in a tenth", 3.0, |at| within(at, 0.0, 0.1, 10.0)),
    traffic("rises for ten windows", 10.5, |at| (at / 10.0).clamp(0.001, 1.0)),
    traffic("sine over 24 windows", 30.0, |at| wave(at / 24.0)),
    traffic("sine over one window", 6.0, wave),
    traffic("burst of twenty", 5.5, |at| within(at, 3.0, 3.1, 20.0)),
    traffic("tenfold for a tenth", 5.5, |at| within(at, 3.0, 3.1, 10.0)),
    traffic("falls to a hundredth", 6.0, |at| if at < 3.0 { 1.0 } else { 0.01 }),
    traffic("falls to a tenth", 6.0, |at| if at < 3.0 { 1.0 } else { 0.1 }),
    traffic("pulses", 6.0, |at| periodic(at, 0.1, 10.0, 0.01)),
    traffic("pulses in silence", 40.0, |at| periodic(at, 0.1, 10.0, 0.0)),
    traffic("alternation", 4.0, |at| periodic(at * 28.0, 0.5, 2.0, 0.02)),
    traffic("spikes", 4.0, |at| periodic(at * 56.0, 0.02, 50.0, 0.01)),
    traffic("doubling", 1.3, |at| 20.0 * 2f64.powf((at - 1.0).min(0.0) * 14.0)),
    traffic("silences", 12.0, |at| periodic(at / 1.6, 0.4, 2.0, 4e-6)),
    traffic("ramps", 5.0, |at| (2.0 * (at * 2.0).fract()).max(0.01)),
    Traffic { keys: Keys::Counted, ..traffic("counters", 4.0, |_| 1.0) },
    Traffic { keys: Keys::Repeating(0.9), ..traffic("nine tenths repeats", 4.0, |_| 1.0) },
    Traffic {
        storm: |at| if (3.0..4.0).contains(&at) { 0.95 } else { 0.0 },
        ..traffic("storm of one key", 5.0, |at| within(at, 3.0, 4.0, 20.0))
    },
    Traffic { keys: Keys::Cycle(0.95), ..traffic("cycle of 0.95 window", 4.0, |_| 1.0) },
    Traffic { heap: 0.7, ..traffic("heaps at one tick", 5.0, |_| 1.0) },
];

/// One of them.
pub(crate) fn named(name: &str) -> Traffic {
    TRAFFICS.into_iter().find(|traffic| traffic.name == name).unwrap_or_else(|| panic!("no traffic is called {name}"))
}
