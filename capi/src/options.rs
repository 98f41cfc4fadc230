//! The request in C: one struct for every kind, where 0 means "not given".

use std::mem::offset_of;

use library::{Field, Kind, Options};

use crate::boundary::{Fault, boundary};
use crate::growing::{Growing, In, Out};
use crate::status::lately_status;

/// The last `window_ns` of time: no key seen within it is new.
pub const LATELY_KIND_TIME_LIMITED: u32 = 1;
/// The last `window_keys` insertions: none of them is new.
pub const LATELY_KIND_AGE_PARTITIONED: u32 = 2;
/// A set, with removal if `removable`: a key that is in is never new.
pub const LATELY_KIND_TINY_SET: u32 = 3;
/// Fixed memory for an endless stream: false and missed duplicates, at known rates.
pub const LATELY_KIND_QUOTIENT: u32 = 4;
/// The default: the last `window_ns`, or the last `window_keys` observations.
pub const LATELY_KIND_WINDOW_TABLE: u32 = 5;

/// `clock`: the system's monotonic clock, read once per call or batch (default).
pub const LATELY_CLOCK_SYSTEM: u32 = 1;
/// `clock`: the caller passes the time of each call as a tick, in nanoseconds.
pub const LATELY_CLOCK_MANUAL_NS: u32 = 2;
/// `clock`: the same, in microseconds.
pub const LATELY_CLOCK_MANUAL_US: u32 = 3;
/// `clock`: the same, in milliseconds.
pub const LATELY_CLOCK_MANUAL_MS: u32 = 4;
/// `clock`: the same, in seconds.
pub const LATELY_CLOCK_MANUAL_S: u32 = 5;

/// `repeat`: every sighting is stored, so age counts from the last one (default).
pub const LATELY_REPEAT_REFRESH: u32 = 1;
/// `repeat`: only what is new is stored: age counts from that sighting.
pub const LATELY_REPEAT_KEEP_FIRST: u32 = 2;

/// `on_limit`: the window shortens, to `stats.reach_ns` (default).
pub const LATELY_ON_LIMIT_FORGET_OLDEST: u32 = 1;
/// `on_limit`, TL only: the error rate rises, to `stats.error_rate`.
pub const LATELY_ON_LIMIT_RAISE_ERROR_RATE: u32 = 2;

/// `variant`: quotient hash table.
pub const LATELY_VARIANT_QHT: u32 = 1;
/// `variant`: the same, storing duplicates.
pub const LATELY_VARIANT_QHTD: u32 = 2;
/// `variant`: queued.
pub const LATELY_VARIANT_QQHT: u32 = 3;
/// `variant`: queued, storing duplicates (default).
pub const LATELY_VARIANT_QQHTD: u32 = 4;

/// A request for a filter: one struct for every kind. Fill it with `lately_options_init` (or LATELY_OPTIONS_INIT), then
/// set what you know; 0 means "not given" in every field, and the plan finds the rest. Nothing is clamped: an
/// option that is out of range, is not one of the kind, or contradicts another is LATELY_ERR_OPTION, and
/// `lately_error.field` names it. Later versions append fields and change none.
///
/// Kinds: WT window table, TL time-limited, AP age-partitioned, TS TinySet, Q quotient. `lately_options_window` and
/// `lately_options_last` ask for the default of a window, WT.
#[derive(Clone, Copy, Default)]
#[cfg_attr(feature = "testing", derive(Debug))]
#[repr(C)]
pub struct lately_options {
    /// sizeof(lately_options). A smaller one reads as 0 beyond its end.
    pub struct_size: usize,
    // <options>
    /// All kinds, required: one of LATELY_KIND_*.
    pub kind: u32,
    /// WT with `window_ns`, TL: one of LATELY_CLOCK_*.
    pub clock: u32,
    /// WT, TL, AP: one of LATELY_REPEAT_*.
    pub repeat: u32,
    /// WT with `window_ns`, TL: one of LATELY_ON_LIMIT_*.
    pub on_limit: u32,
    /// TL, required: the window, in nanoseconds. WT: this or `window_keys`, and not both.
    pub window_ns: u64,
    /// WT: the window in observations and insertions, whatever their verdicts. AP, required unless `memory` is given:
    /// the window in insertions. Q: the distance, in keys, to which `miss_rate` applies.
    pub window_keys: u64,
    /// WT with `window_ns`, TL: keys expected in the first window; without it the filter finds out. TS, required unless
    /// `memory` is given: planned load.
    pub capacity: u64,
    /// All kinds: rate of false duplicates, in (0, 0.5]; default 1e-6 (Q: 1e-3) where nothing else fixes it.
    pub error_rate: f64,
    /// Q: rate of missed duplicates, in (0, 1).
    pub miss_rate: f64,
    /// All kinds: the most bytes that the cells and the table of claims take, up to 2^56: more, such as -1, is an
    /// error. Without it a filter with a window of time grows with its traffic.
    pub memory: u64,
    /// WT and TL, with a manual clock: the most that a tick may lead the filter's clock by, in nanoseconds. After a
    /// longer pause every tick is refused until the caller calls `lately_filter_advance`. Without it one record from
    /// the far future moves the clock there, and later keys are judged at that time until real time catches up.
    pub max_step_ns: u64,
    /// TL, AP: bits per key. Q: cells per row.
    pub k: u32,
    /// TL, AP: full generations in the window. TL, with fewer than `k`: the first two windows of a stream can be above
    /// `error_rate`, with 1 later ones too; no plan chooses that.
    pub l: u32,
    /// TL, AP: bound of the search on `k` + `l`, 2 to 1024, default 32; live slices can be more.
    pub max_slices: u32,
    /// Must be 0.
    pub reserved_0: u32,
    /// TL, AP: fill of a full slice, in [0.1, 0.9].
    pub fill: f64,
    /// Q: one of LATELY_VARIANT_*.
    pub variant: u32,
    /// Q: bits of a fingerprint, 1 to 16.
    pub fingerprint_bits: u32,
    /// Q: 1 if rows are sorted to save bits.
    pub semi_sort: u32,
    /// TS: 1 if keys can be removed. Then the plan is for endless churn: at the planned load the mean rate stays within
    /// `error_rate`, as keys leave by chance or the oldest first, for 2.1 to 6.6 bits more per key (1e-2 to 1e-6). Keys
    /// that never leave raise the rate: `stats.error_rate` is the current one, and docs/reference/costs.md has the law.
    pub removable: u32,
    /// TS: bytes of a block, 32 or 64 (default).
    pub block_bytes: u32,
    /// TS: chains of a block.
    pub chains: u32,
    /// TS: keys per chain.
    pub load: f64,
    /// All kinds: 1 if keys are hashed under a secret, so that no one can aim at collisions.
    pub keyed: u32,
    /// Must be 0.
    pub reserved_1: u32,
    /// All kinds: seed of the hash, default 0: filters with the same seed are equal everywhere.
    pub seed: u64,
    /// All kinds, keyed: low word of the secret; both words 0: one is drawn from the system.
    pub secret_lo: u64,
    /// All kinds, keyed: high word of the secret.
    pub secret_hi: u64,
    /// WT: bits of the age of a key, 2 to 5, default 3, with `lateness_ns` 4 or 5. The window (and the lateness) is
    /// 2^`age_bits` - 1 generations, and a key is found one generation too long at most.
    pub age_bits: u32,
    /// Must be 0.
    pub reserved_2: u32,
    /// WT with `window_ns` and a manual clock: how late a record may be, in nanoseconds, 0 to 24/7 of `window_ns`. A
    /// record that is at most this far below the clock is judged at its own time: never LATELY_NEW if its key was seen
    /// within the window before that, or later. It takes the memory of a window that is longer by as much.
    pub lateness_ns: u64,
    /// WT, TL, AP: how long a claim stays open, in nanoseconds, 1 to the window. With `window_keys` it is up to 365
    /// days, by the system's clock. A filter without a lease takes no claims, one with it no hashes.
    pub lease_ns: u64,
    /// WT, TL, AP, with `lease_ns`: the most open claims, 1 to 2^24, default 65,536. They take at most 40 bytes each,
    /// from the start and within `memory`.
    pub max_claims: u64,
    // </options>
}

// SAFETY: size_t, integers and doubles, no padding, any bytes are a value.
unsafe impl Growing for lately_options {
    const NAME: &'static str = "lately_options";
}

/// The constants of the header, choice by choice in the order of their numbers: one that differs does not compile.
const _: () = {
    let choices: [&[u32]; 5] = [
        &[
            LATELY_KIND_TIME_LIMITED,
            LATELY_KIND_AGE_PARTITIONED,
            LATELY_KIND_TINY_SET,
            LATELY_KIND_QUOTIENT,
            LATELY_KIND_WINDOW_TABLE,
        ],
        &[
            LATELY_CLOCK_SYSTEM,
            LATELY_CLOCK_MANUAL_NS,
            LATELY_CLOCK_MANUAL_US,
            LATELY_CLOCK_MANUAL_MS,
            LATELY_CLOCK_MANUAL_S,
        ],
        &[LATELY_REPEAT_REFRESH, LATELY_REPEAT_KEEP_FIRST],
        &[LATELY_ON_LIMIT_FORGET_OLDEST, LATELY_ON_LIMIT_RAISE_ERROR_RATE],
        &[LATELY_VARIANT_QHT, LATELY_VARIANT_QHTD, LATELY_VARIANT_QQHT, LATELY_VARIANT_QQHTD],
    ];
    let mut of = 0;
    while of < choices.len() {
        let (mut i, mut number) = (0, 1);
        while i < choices[of].len() {
            assert!(choices[of][i] == number);
            (i, number) = (i + 1, number + 1);
        }
        of += 1;
    }
    assert!(choices[0].len() == Kind::ALL.len());
};

/// Reads the caller's struct into the crate's request.
pub fn request(options: In<lately_options>) -> Result<Options, Fault> {
    let c = options.read()?;
    c.expect_reserved()?;
    let mut request = Options::new(Kind::WindowTable);
    for &field in Field::ALL {
        request.set_number(field, c.number(field))?;
    }
    Ok(request)
}

/// A field of the struct as a number: of a fraction its bits.
trait Word: Sized {
    fn number(self) -> u64;
    fn of(number: u64) -> Self;
}

impl Word for u64 {
    fn number(self) -> u64 {
        self
    }

    fn of(number: u64) -> Self {
        number
    }
}

impl Word for u32 {
    fn number(self) -> u64 {
        self.into()
    }

    fn of(number: u64) -> Self {
        Self::try_from(number).unwrap_or(Self::MAX)
    }
}

impl Word for f64 {
    fn number(self) -> u64 {
        self.to_bits()
    }

    fn of(number: u64) -> Self {
        Self::from_bits(number)
    }
}

#[cfg(target_pointer_width = "64")]
const fn size_of_field<T>(_: fn(&lately_options) -> &T) -> usize {
    size_of::<T>()
}

/// The fields by their numbers, from the table of options.
macro_rules! numbers {
    ({} $({ $(
        $(#[$doc:meta])+
        $number:literal $variant:ident $name:ident: $type:ident = $shape:ident $least:literal;
    )+ })+) => {
        impl lately_options {
            fn number(&self, field: Field) -> u64 {
                match field {
                    $($(Field::$variant => self.$name.number(),)+)+
                    _ => 0,
                }
            }
        }

        impl From<Options> for lately_options {
            fn from(options: Options) -> Self {
                Self {
                    struct_size: size_of::<Self>(),
                    $($($name: Word::of(options.number_of(Field::$variant)),)+)+
                    ..Self::default()
                }
            }
        }

        // The sizes of all, and of what is reserved: there is nothing in between.
        #[cfg(target_pointer_width = "64")]
        const _: () = {
            let fields = 0 $($(+ size_of_field(|c| &c.$name))+)+;
            assert!(size_of::<lately_options>() == 8 + fields + 3 * size_of_field(|c| &c.reserved_0));
        };
    };
}

library::option_table!([numbers] {});

impl lately_options {
    fn expect_reserved(&self) -> Result<(), Fault> {
        let words = [(self.reserved_0, "reserved_0"), (self.reserved_1, "reserved_1"), (self.reserved_2, "reserved_2")];
        match words.iter().find(|(value, _)| *value != 0) {
            Some(&(value, name)) => Err(Fault::Reserved { name, value }),
            None => Ok(()),
        }
    }
}

/// Sets `options` to "nothing given", for a caller whose struct has `struct_size` bytes.
///
/// - `options` (out): not NULL.
/// - `struct_size` (in, bytes): sizeof(lately_options).
///
/// Status: LATELY_ERR_STRUCT_SIZE, nothing is written then.
/// Cost: one write of the struct.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_options_init(options: Out<lately_options>, struct_size: usize) -> lately_status {
    boundary(|| options.init(struct_size))
}

/// Asks for the default filter of a window of time, a window table: sets `kind` and `window_ns`, leaves `window_keys`
/// not given, and everything else as it is.
///
/// - `options` (in, out): not NULL, set up by `lately_options_init` (or LATELY_OPTIONS_INIT).
/// - `window_ns` (in, ns): the window. 0 is "not given", which `lately_filter_new` refuses by name.
///
/// Status: LATELY_ERR_STRUCT_SIZE, nothing is written then.
/// Cost: a few writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_options_window(options: Out<lately_options>, window_ns: u64) -> lately_status {
    boundary(|| ask_for_window(options, window_ns, 0))
}

/// As `lately_options_window`, for the last `keys` observations and insertions: sets `kind` and `window_keys`, and
/// leaves `window_ns` not given.
///
/// - `keys` (in, observations and insertions): the window. 0 is "not given", which `lately_filter_new` refuses by name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_options_last(options: Out<lately_options>, keys: u64) -> lately_status {
    boundary(|| ask_for_window(options, 0, keys))
}

fn ask_for_window(options: Out<lately_options>, window_ns: u64, window_keys: u64) -> Result<(), Fault> {
    let have = options.size()?;
    if have < offset_of!(lately_options, capacity) {
        return Err(Fault::Size { of: lately_options::NAME, have, range: "sizeof(lately_options)" });
    }
    options.write(&lately_options { kind: LATELY_KIND_WINDOW_TABLE, window_ns, window_keys, ..options.read()? })
}
