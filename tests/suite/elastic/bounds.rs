//! The most bits a live key, by bytes allocated: one table, for every traffic and moment that has a bound.

/// The error rates of the columns.
pub(crate) const RATES: [f64; 2] = [1e-3, 1e-6];

/// Samples of a traffic in a span of time, from so many live keys on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bound {
    pub(crate) traffic: &'static str,
    /// In windows.
    pub(crate) from: f64,
    pub(crate) to: f64,
    /// Fewer live keys have no bound; half of the size is enough in any case.
    pub(crate) live: u64,
    /// At the two rates.
    pub(crate) bits: [f64; 2],
    /// Whether it is promised, or only there so that the figure cannot grow unseen.
    pub(crate) promised: bool,
}

const ALWAYS: f64 = f64::INFINITY;
const MANY: u64 = 50_000;
const FEW: u64 = 900;

const fn promised(traffic: &'static str, from: f64, to: f64, bits: [f64; 2]) -> Bound {
    Bound { traffic, from, to, live: MANY, bits, promised: true }
}

const fn expected(traffic: &'static str, from: f64, to: f64, bits: [f64; 2]) -> Bound {
    Bound { promised: false, ..promised(traffic, from, to, bits) }
}

// Promised with cells of fixed width at 1e-6: 41 bits settled and 42 from nothing, and in changing traffic so many cells a live key. At
// 1e-3 a cell takes 31.5 / 41 of the bits of one at 1e-6, and there are as many.
const SETTLED: [f64; 2] = [31.5, 41.0];
const GROWTH: [f64; 2] = [32.3, 42.0];
const SINE_LONG: [f64; 2] = [40.0, 52.0];
const SINE_SHORT: [f64; 2] = [36.1, 47.0];
const TENFOLD: [f64; 2] = [52.2, 68.0];
/// In the first window of a filter, where lines are less full.
const FIRST_TENFOLD: [f64; 2] = [54.5, 71.0];
const BURST: [f64; 2] = [52.2, 68.0];
const DYING: [f64; 2] = [86.0, 112.0];
const PULSES: [f64; 2] = [56.9, 74.0];

// Measured, and without a promise: lines are merged with the calls that come, which are few after a fall, and where the keys of a
// storm come and go by chance the table grows for the larger pace.
const FALL_TO_A_TENTH: [f64; 2] = [46.0, 64.0];
// Half of the keys have died before the calls that could merge lines have come: twice what is settled.
const FALL_TO_A_HUNDREDTH: [f64; 2] = [63.0, 82.0];
const AFTER_A_TENTH: [f64; 2] = [39.0, 56.0];
const AFTER_A_HUNDREDTH: [f64; 2] = [47.0, 68.0];
const ALTERNATION: [f64; 2] = [52.0, 62.0];
const STORM: [f64; 2] = [28.5, 39.6];

/// A third of a window after the last cell of before a fall at 3 expired, a window and a generation later.
const AFTER_THE_FALL: f64 = 3.0 + 8.0 / 7.0 + 1.0 / 3.0;

/// When the keys of a burst at 3.0 to 3.1 die, in a generation each.
const DEATH: (f64, f64) = (4.0, 4.3);

/// The bounds. What no row names is printed and has none.
pub(crate) const BOUNDS: [Bound; 29] = [
    promised("steady from nothing", 0.0, ALWAYS, GROWTH),
    promised("steady from nothing", 2.5, ALWAYS, SETTLED),
    promised("steady for ten windows", 2.5, ALWAYS, SETTLED),
    promised("a window's keys in a tenth", 0.0, ALWAYS, FIRST_TENFOLD),
    expected("rises for ten windows", 0.0, ALWAYS, GROWTH),
    promised("sine over 24 windows", 0.0, ALWAYS, SINE_LONG),
    promised("sine over one window", 0.0, ALWAYS, SINE_SHORT),
    promised("burst of twenty", 0.0, DEATH.0, BURST),
    promised("burst of twenty", DEATH.0, DEATH.1, DYING),
    promised("burst of twenty", DEATH.1, ALWAYS, BURST),
    promised("tenfold for a tenth", 0.0, DEATH.0, TENFOLD),
    promised("tenfold for a tenth", DEATH.0, DEATH.1, DYING),
    promised("tenfold for a tenth", DEATH.1, ALWAYS, TENFOLD),
    expected("falls to a hundredth", 0.0, 4.0, FALL_TO_A_HUNDREDTH),
    Bound { live: FEW, ..expected("falls to a hundredth", AFTER_THE_FALL, ALWAYS, AFTER_A_HUNDREDTH) },
    expected("falls to a tenth", 0.0, 4.0, FALL_TO_A_TENTH),
    Bound { live: FEW, ..expected("falls to a tenth", AFTER_THE_FALL, ALWAYS, AFTER_A_TENTH) },
    promised("pulses", 0.0, ALWAYS, PULSES),
    promised("pulses in silence", 0.0, ALWAYS, PULSES),
    expected("alternation", 0.0, ALWAYS, ALTERNATION),
    expected("spikes", 0.0, ALWAYS, PULSES),
    expected("doubling", 0.0, ALWAYS, TENFOLD),
    expected("ramps", 0.0, ALWAYS, SINE_SHORT),
    promised("counters", 0.0, ALWAYS, GROWTH),
    promised("counters", 2.5, ALWAYS, SETTLED),
    promised("nine tenths repeats", 0.0, ALWAYS, GROWTH),
    promised("nine tenths repeats", 2.5, ALWAYS, SETTLED),
    expected("storm of one key", 2.5, 4.0, STORM),
    promised("cycle of 0.95 window", 2.5, ALWAYS, SETTLED),
];

/// The rates of windows of keys, whose size is known: at most what is settled in a window of time, and what a table of that size needs
/// so that no key has to go. Two of three widths.
pub(crate) const OF_KEYS: [(f64, f64); 4] = [(1e-2, 31.5), (1e-3, 31.5), (1e-4, 31.5), (1e-6, 41.0)];

/// The first table has 512 lines and never fewer, and it may stand beside the map that it grew from. So many bytes have no bound in bits.
pub(crate) const FIRST_TABLE: u64 = 512 * 64;

/// What a table of few runs may take more: the last run of each side may be nearly empty, and phases are less even. 43 bits are promised
/// for 100,000 keys where 41 are for a million.
pub(crate) const fn allowance(size: u64) -> f64 {
    match size {
        0..20_000 => 1.2,
        20_000..100_000 => 1.1,
        100_000..200_000 => 1.05,
        _ => 1.0,
    }
}

/// Bytes of small windows: keys, and bytes. A thousand keys should take 30 bits each; those of a window of time take 33.0: 28.7 for
/// 56 lines, and 544 bytes for the few keys that found no room in them.
pub(crate) const SMALL: [(u64, u64); 2] = [(1000, 24_000), (10, 640)];

/// Bytes of a table for ten live keys that was large once.
pub(crate) const AFTER_A_DEEP_FALL: u64 = 2048;
