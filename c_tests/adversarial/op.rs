//! A script: one request for a filter and calls on it, made of any bytes whatever.

use arbitrary::{Arbitrary, Unstructured};

use super::abi::{RawOptions, Verb};

/// A filter, and what is done with it.
#[derive(Debug)]
pub(crate) struct Script {
    pub(crate) shape: Shape,
    pub(crate) ops: Vec<Op>,
}

/// The most calls of a script.
const MOST_OPS: usize = 4000;

impl Script {
    /// Every byte string is a script: what is left over after the last whole call is ignored.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let mut rest = Unstructured::new(bytes);
        let shape = Shape::arbitrary(&mut rest).unwrap_or(Shape::TinySet { removable: false, small: false, rate: 0 });
        let mut ops = Vec::new();
        while let (false, true) = (rest.is_empty(), ops.len() < MOST_OPS) {
            let Ok(op) = Op::arbitrary(&mut rest) else { break };
            ops.push(op);
        }
        Self { shape, ops }
    }
}

/// A request that has a filter.
#[derive(Debug, Clone, Copy, Arbitrary)]
pub(crate) enum Shape {
    Timed {
        window: u8,
        rate: u8,
        capacity: u8,
        keep_first: bool,
        step: Option<u8>,
        memory: Option<u8>,
        raise: bool,
        papers_pair: bool,
        keyed: bool,
    },
    /// The system's clock, and a window that no test outlives.
    Clocked {
        keep_first: bool,
    },
    Aged {
        keys: u8,
        rate: u8,
        keep_first: bool,
        papers_pair: bool,
    },
    TinySet {
        removable: bool,
        small: bool,
        rate: u8,
    },
    Quotient {
        variant: u8,
        k: u8,
        bits: u8,
        sorted: bool,
        memory: u8,
    },
    /// A window table of time.
    Tables {
        window: u8,
        rate: u8,
        capacity: u8,
        keep_first: bool,
        step: Option<u8>,
        memory: Option<u8>,
        age_bits: u8,
        keyed: bool,
    },
    /// A window table of calls.
    Calls {
        keys: u8,
        rate: u8,
        keep_first: bool,
        age_bits: u8,
    },
}

/// Windows of one tick, of a few, of seconds, of a century, of all time.
pub(crate) const WINDOWS: [u64; 8] = [1, 7, 1000, 1 << 20, 10_000_000_000, HOUR, CENTURY, u64::MAX];

pub(crate) const HOUR: u64 = 3_600_000_000_000;
pub(crate) const CENTURY: u64 = 100 * 365 * 24 * HOUR;

/// Rates at which false duplicates are common, and rare.
const RATES: [f64; 4] = [0.5, 0.1, 0.01, 0.001];

fn one_of<T: Copy>(from: &[T], which: u8) -> T {
    from[usize::from(which) % from.len()]
}

impl Shape {
    pub(crate) fn options(self) -> RawOptions {
        let mut o = RawOptions::init();
        match self {
            Self::Timed { window, rate, capacity, keep_first, step, memory, raise, papers_pair, keyed } => {
                (o.kind, o.clock, o.repeat) = (1, 2, 1 + u32::from(keep_first));
                (o.window_ns, o.capacity) = (one_of(&WINDOWS, window), 10 * u64::from(capacity));
                (o.error_rate, o.on_limit) = (one_of(&RATES, rate), 1 + u32::from(raise));
                o.max_step_ns = step.map_or(0, |step| one_of(&[1, 1000, HOUR, 30 * HOUR], step));
                o.memory = memory.map_or(0, |memory| 2048 + 64 * u64::from(memory));
                if papers_pair {
                    (o.k, o.l, o.fill, o.error_rate) = (4, 3, 0.5, 0.0);
                }
                (o.keyed, o.secret_hi) = (u32::from(keyed), u64::from(keyed));
            }
            Self::Clocked { keep_first } => {
                (o.kind, o.clock, o.repeat) = (1, 1, 1 + u32::from(keep_first));
                // Room for every key there is in one generation, so that what is read of the clock decides nothing.
                (o.window_ns, o.capacity, o.k, o.l, o.fill) = (30 * HOUR, 16_000, 4, 3, 0.5);
            }
            Self::Aged { keys, rate, keep_first, papers_pair } => {
                (o.kind, o.repeat, o.window_keys) = (2, 1 + u32::from(keep_first), 1 + 3 * u64::from(keys));
                o.error_rate = one_of(&RATES, rate);
                if papers_pair {
                    (o.k, o.l, o.fill, o.error_rate) = (8, 14, 0.5, 0.0);
                }
            }
            Self::TinySet { removable, small, rate } => {
                (o.kind, o.removable, o.error_rate) = (3, u32::from(removable), one_of(&RATES, rate));
                (o.capacity, o.block_bytes) = if small { (40, 32) } else { (2000, 64) };
            }
            Self::Quotient { variant, k, bits, sorted, memory } => {
                (o.kind, o.variant) = (4, 1 + u32::from(variant % 4));
                (o.k, o.fingerprint_bits) = (1 + u32::from(k % 8), 2 + u32::from(bits % 14));
                // The queued ones have no sorted rows, and the others none that are long.
                let can_sort = o.variant <= 2 && o.k >= 3 && o.k * o.fingerprint_bits <= 64;
                o.semi_sort = u32::from(sorted && can_sort);
                o.memory = 256 + 16 * u64::from(memory);
                o.seed = u64::from(memory);
            }
            Self::Tables { window, rate, capacity, keep_first, step, memory, age_bits, keyed } => {
                let (raise, papers_pair) = (false, false);
                let like = Self::Timed { window, rate, capacity, keep_first, step, memory, raise, papers_pair, keyed };
                o = like.options();
                (o.kind, o.age_bits) = (5, 2 + u32::from(age_bits % 4));
            }
            Self::Calls { keys, rate, keep_first, age_bits } => {
                (o.kind, o.repeat, o.window_keys) = (5, 1 + u32::from(keep_first), 1 + 3 * u64::from(keys));
                (o.error_rate, o.age_bits) = (one_of(&RATES, rate), 2 + u32::from(age_bits % 4));
            }
        }
        o
    }
}

/// One of few keys, so that they meet again.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Key(pub(crate) u16);

/// How many there are, except those behind the last in a batch.
const KEYS: u16 = 4096;

impl<'a> Arbitrary<'a> for Key {
    fn arbitrary(u: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        u16::arbitrary(u).map(|key| Self(key % KEYS))
    }
}

impl Key {
    /// The key of 8 bytes that is so many of its sort behind this one.
    pub(crate) fn number_behind(self, i: u16) -> Self {
        Self((self.0 | 7) - 1 + 8 * i)
    }

    /// 0 to 9 bytes, different for different keys.
    pub(crate) fn bytes(self) -> Vec<u8> {
        if self.0 == 0 {
            return Vec::new();
        }
        let mut bytes = self.0.to_le_bytes().to_vec();
        bytes.resize(2 + usize::from(self.0 % 8), 0xAB);
        bytes
    }
}

/// A tick as a script says it.
#[derive(Debug, Clone, Copy, Arbitrary)]
pub(crate) enum Step {
    Same,
    /// That many 256ths of the window ahead.
    Ahead(u8),
    /// That many ticks ahead.
    Few(u8),
    /// At the edge of the window of this key, up to two ticks before or behind.
    Edge(Key, i8),
    Back(u16),
    HourBack,
    Century,
    /// The latest step that is allowed, and a little more.
    Limit(u8),
    /// So far from the end of time.
    End(u8),
    Any(u64),
}

/// A call. Those without a tick use the clock as it stands.
#[derive(Debug, Clone, Arbitrary)]
pub(crate) enum Op {
    Observe(Key, Option<Step>),
    Insert(Key, Option<Step>),
    Contains(Key, Option<Step>),
    /// A key and those behind it.
    Batch {
        verb: u8,
        first: Key,
        n: u8,
        step: Option<Step>,
        hashes: bool,
    },
    Remove(Key),
    Advance(Step),
    Storm(Key, u8),
    Clear,
    /// The filters are freed and their copies continue.
    Copy,
    /// The filters are freed and continue from their snapshots, each from that of the other, so much later.
    Restore(Step),
    Reset,
    Hash(Key),
    Secret,
    Bad(u8),
    /// Keys that were stored are asked for.
    AskAll(Step),
}

/// What the keys of a batch are given as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Bytes,
    Hashes,
    Numbers,
    Slices,
    /// One key in five is absent.
    Column,
}

/// The form of a batch that begins with this key, by what is left of the number of its verb.
pub(crate) fn form(number: u8, first: Key, hashes: bool) -> Form {
    match (number / 3 % 3, first.0 % 2) {
        _ if hashes => Form::Hashes,
        (0, 0) => Form::Bytes,
        (0, _) => Form::Numbers,
        (1, _) => Form::Slices,
        _ => Form::Column,
    }
}

/// The verb of a number.
pub(crate) fn verb(number: u8) -> Verb {
    one_of(&[Verb::Observe, Verb::Insert, Verb::Contains], number)
}
