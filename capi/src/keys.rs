//! The keys of a batch in C: one struct of six forms, and the verbs that take it.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ptr::NonNull;

use library::abi::AnyKeys;
use library::{Column, KeyHash, Keys, Offsets, Stopped, Tick, Validity, Verdict};

use crate::boundary::Fault;
use crate::growing::{Growing, In};
use crate::handle::{change, lately_filter, look};
use crate::pointers::{Place, room, slice};
use crate::status::{LATELY_ERR_NULL, lately_status};

/// `form`: byte strings back to back: `data` and `data_len` are the bytes, `offsets` has `count` + 1 uint64_t.
pub const LATELY_KEYS_PACKED: u32 = 1;
/// `form`: byte strings where they lie: `data` is an array of `count` lately_slice.
pub const LATELY_KEYS_SLICES: u32 = 2;
/// `form`: a column of Apache Arrow whose `offsets` are `count` + 1 int32_t, in which keys may be absent.
pub const LATELY_KEYS_COLUMN32: u32 = 3;
/// `form`: the same with int64_t.
pub const LATELY_KEYS_COLUMN64: u32 = 4;
/// `form`: numbers: `data` is an array of `count` uint64_t; a key is 8 bytes, the lowest first, on every machine.
pub const LATELY_KEYS_U64S: u32 = 5;
/// `form`: hashes of `lately_filter_hash` or `lately_hash64`: `data` is an array of `count` uint64_t.
pub const LATELY_KEYS_HASHES: u32 = 6;

/// A key where it lies. The shape of POSIX's `struct iovec`.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct lately_slice {
    /// Its first byte; NULL only if `len` is 0.
    pub data: *const c_void,
    /// How many bytes.
    pub len: usize,
}

/// The keys of a batch. `lately_keys_packed` and its neighbours make one; later versions append fields and change none.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct lately_keys {
    /// sizeof(lately_keys). A smaller one reads as 0 beyond its end.
    pub struct_size: usize,
    /// How many keys.
    pub count: usize,
    /// Bytes, slices, numbers or hashes; NULL only if there are none.
    pub data: *const c_void,
    /// PACKED, COLUMN*: the size of `data` in bytes.
    pub data_len: usize,
    /// PACKED, COLUMN*: `count` + 1 numbers, aligned for their type, that do not decrease, none below 0 or beyond `data_len`. Key i is
    /// the bytes from number i up to, not including, number i + 1. The first need not be 0.
    pub offsets: *const c_void,
    /// COLUMN*: the bitmap of present keys, the lowest bit of a byte first: key i is absent, and gets LATELY_ABSENT_KEY, if bit
    /// `validity_offset` + i is 0. NULL if all are present.
    pub validity: *const u8,
    /// COLUMN*: the bit of key 0.
    pub validity_offset: usize,
    /// One of LATELY_KEYS_*.
    pub form: u32,
    /// Must be 0.
    pub reserved: u32,
}

// SAFETY: size_t, pointers and integers, no padding, any bytes are a value.
unsafe impl Growing for lately_keys {
    const NAME: &'static str = "lately_keys";
}

/// A key that was found to be there.
#[repr(transparent)]
struct Present(lately_slice);

impl AsRef<[u8]> for Present {
    fn as_ref(&self) -> &[u8] {
        if self.0.len == 0 {
            return &[];
        }
        // SAFETY: only `slices` makes such a value, of a key that is not NULL and no longer than memory can be, and whose
        // bytes the caller keeps for the call.
        unsafe { std::slice::from_raw_parts(self.0.data.cast(), self.0.len) }
    }
}

/// Keys that were checked: what the library takes, or slices, which it takes by their own verb.
enum Given<'a> {
    Keys(Keys<'a>),
    Slices(&'a [Present]),
}

impl Given<'_> {
    fn any(&self) -> AnyKeys<'_> {
        match self {
            Self::Keys(keys) => AnyKeys::of(keys),
            Self::Slices(slices) => AnyKeys::of_slices(slices),
        }
    }
}

/// A struct of keys whose arrays its caller has promised: as its comments say, during `'a`.
struct Promised<'a>(lately_keys, PhantomData<&'a ()>);

impl<'a> Promised<'a> {
    /// The keys as the library takes them.
    fn given(&self) -> Result<Given<'a>, Fault> {
        if self.0.reserved != 0 {
            return Err(Fault::Option { name: "lately_keys.reserved", value: self.0.reserved, range: "0" });
        }
        let keys = match self.0.form {
            LATELY_KEYS_HASHES => Keys::Hashes(self.array::<KeyHash>()?),
            LATELY_KEYS_U64S => Keys::U64s(self.array()?),
            LATELY_KEYS_SLICES => return present(self.array()?).map(Given::Slices),
            LATELY_KEYS_PACKED => Keys::Bytes { offsets: self.offsets()?, bytes: self.bytes()? },
            LATELY_KEYS_COLUMN32 => self.column(Offsets::I32(self.offsets()?))?,
            LATELY_KEYS_COLUMN64 => self.column(Offsets::I64(self.offsets()?))?,
            value => {
                return Err(Fault::Option { name: "lately_keys.form", value, range: "1 to 6, one of LATELY_KEYS_*" });
            }
        };
        Ok(Given::Keys(keys))
    }

    fn array<T: Plain>(&self) -> Result<&'a [T], Fault> {
        Self::part("data", self.0.data.cast(), self.0.count)
    }

    fn offsets<T: Plain>(&self) -> Result<&'a [T], Fault> {
        Self::part("offsets", self.0.offsets.cast(), self.0.count.checked_add(1).ok_or(Fault::Length("offsets"))?)
    }

    fn bytes(&self) -> Result<&'a [u8], Fault> {
        Self::part("data", self.0.data.cast(), self.0.data_len)
    }

    fn column(&self, offsets: Offsets<'a>) -> Result<Keys<'a>, Fault> {
        let offset = self.0.validity_offset;
        let bits = offset.checked_add(self.0.count).ok_or(Fault::Length("validity"))?;
        let validity = match self.0.validity.is_null() {
            true => None,
            false => Some(Validity { bits: Self::part("validity", self.0.validity, bits.div_ceil(8))?, offset }),
        };
        Ok(Keys::Column(Column { bytes: self.bytes()?, offsets, validity }))
    }

    /// One of the arrays.
    fn part<T: Plain>(what: &'static str, start: *const T, count: usize) -> Result<&'a [T], Fault> {
        // C has no type that says so, and no compiler saw to it.
        if !start.is_aligned() {
            return Err(Fault::Unaligned(what));
        }
        // SAFETY: the promise of the struct: `count` aligned values of a type that has no invalid bytes.
        unsafe { slice(what, start, count) }
    }
}

/// A type of an array of keys: any bytes are a value.
trait Plain {}
impl Plain for u8 {}
impl Plain for u64 {}
impl Plain for i32 {}
impl Plain for i64 {}
impl Plain for KeyHash {}
impl Plain for Tick {}
impl Plain for lately_slice {}

/// The slices, each of which is there.
fn present(keys: &[lately_slice]) -> Result<&[Present], Fault> {
    for key in keys {
        if key.len != 0 && key.data.is_null() {
            return Err(Fault::Null("data of a key"));
        }
        if isize::try_from(key.len).is_err() {
            return Err(Fault::Length("a key"));
        }
    }
    // SAFETY: a `Present` is a `lately_slice` and nothing else, and each was found good.
    Ok(unsafe { std::slice::from_raw_parts(keys.as_ptr().cast(), keys.len()) })
}

/// A batch as the library takes it.
struct Batch<'a> {
    keys: Given<'a>,
    ticks: Option<&'a [Tick]>,
    count: usize,
}

impl Batch<'_> {
    fn read(keys: In<lately_keys>, ticks: *const u64) -> Result<Self, Fault> {
        let keys = Promised(keys.read()?, PhantomData);
        let (given, count) = (keys.given()?, keys.0.count);
        // A Tick is a u64 and nothing else.
        let ticks = if ticks.is_null() { None } else { Some(Promised::part("ticks", ticks.cast::<Tick>(), count)?) };
        Ok(Self { keys: given, ticks, count })
    }
}

/// One key that is a hash, which needs none of the machinery of batches.
#[inline(always)]
fn one_hash(keys: In<lately_keys>, ticks: *const u64) -> Option<(KeyHash, Option<Tick>)> {
    let keys = keys.as_known()?;
    if keys.form != LATELY_KEYS_HASHES || keys.count != 1 || keys.reserved != 0 {
        return None;
    }
    let hash = Promised::part("data", keys.data.cast::<KeyHash>(), 1).ok()?.first()?;
    let tick = if ticks.is_null() { None } else { Promised::part("ticks", ticks.cast::<Tick>(), 1).ok()?.first() };
    Some((*hash, tick.copied()))
}

/// The caller's count of keys processed, right at every moment, also if the next key panics.
struct Done<'a>(&'a mut usize);

impl<'a> Done<'a> {
    /// Starts at 0; `None` if there is no place.
    fn start(place: Place<'a, usize>) -> Option<Self> {
        place.map(|place| Self(place.write(0)))
    }

    /// The place of each verdict, and then of the count.
    fn emit(self, verdicts: &'a mut [MaybeUninit<u8>]) -> impl FnMut(usize, Verdict) + 'a {
        move |i, verdict| {
            verdicts[i].write(verdict.into());
            *self.0 = i + 1;
        }
    }

    /// A batch of `n` keys without verdicts is over.
    fn after(self, n: usize, result: &Result<(), Stopped>) {
        *self.0 = result.as_ref().map_or_else(|stopped| stopped.done, |()| n);
    }
}

/// Tests and inserts every key in order: `count` single calls in one.
///
/// - `keys` (in): not NULL; of one of the functions `lately_keys_...`.
/// - `ticks` (in, unit of the clock): NULL, for one reading of the system's clock or the manual clock as it is; else a
///   tick of a manual clock for every key, applied in order by the rules of single calls.
/// - `verdicts` (out): room for `count`; NULL only if that is 0. The first `*done` are written, also on a failure.
/// - `done` (out): not NULL; how many keys were processed, written also on a failure.
///
/// Status: LATELY_ERR_OPTION for an unknown `form`; LATELY_ERR_OFFSETS for bad offsets, lengths or alignment, found
/// before the first key; LATELY_ERR_UNSUPPORTED for hashes, if the filter is keyed or takes claims; LATELY_ERR_CLOCK if
/// there are ticks and the clock is not manual, or none and it had none before; LATELY_ERR_TICK, `*done` is then the
/// index of the tick; LATELY_ERR_FULL as from a single call, `*done` is then the index of the key.
/// Cost: that of `count` single calls, minus per-call overhead.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_observe_many(
    filter: Option<NonNull<lately_filter>>,
    keys: In<lately_keys>,
    ticks: *const u64,
    verdicts: *mut u8,
    done: Option<&mut MaybeUninit<usize>>,
) -> lately_status {
    let Some(done) = Done::start(done) else { return LATELY_ERR_NULL };
    if let Some((hash, tick)) = one_hash(keys, ticks) {
        return change!(filter, |filter| {
            // SAFETY: the caller's place.
            let verdict = unsafe { verdicts.cast::<MaybeUninit<u8>>().as_mut() }.ok_or(Fault::Null("verdicts"))?;
            let said = match tick {
                Some(tick) => filter.observe_hash_at(hash, tick),
                None => filter.observe_hash(hash),
            };
            verdict.write(said?.into());
            *done.0 = 1;
            Ok(())
        });
    }
    change!(filter, |filter| {
        let batch = Batch::read(keys, ticks)?;
        // SAFETY: the caller's room.
        let verdicts = unsafe { room("verdicts", verdicts, batch.count) }?;
        Ok(filter.observe_each(batch.keys.any(), batch.ticks, done.emit(verdicts))?)
    })
}

/// As `lately_filter_observe_many`, but inserts as `lately_filter_insert` does, without verdicts. After
/// LATELY_ERR_PANIC `*done` is 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_insert_many(
    filter: Option<NonNull<lately_filter>>,
    keys: In<lately_keys>,
    ticks: *const u64,
    done: Option<&mut MaybeUninit<usize>>,
) -> lately_status {
    let Some(done) = Done::start(done) else { return LATELY_ERR_NULL };
    change!(filter, |filter| {
        let batch = Batch::read(keys, ticks)?;
        let result = filter.insert_each(batch.keys.any(), batch.ticks);
        done.after(batch.count, &result);
        Ok(result?)
    })
}

/// As `lately_filter_observe_many`, but the verdicts are those of `lately_filter_contains`. Changes nothing at all, and
/// never fails with LATELY_ERR_FULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_contains_many(
    filter: Option<&lately_filter>,
    keys: In<lately_keys>,
    ticks: *const u64,
    verdicts: *mut u8,
    done: Option<&mut MaybeUninit<usize>>,
) -> lately_status {
    let Some(done) = Done::start(done) else { return LATELY_ERR_NULL };
    look!(filter, |filter| {
        let batch = Batch::read(keys, ticks)?;
        // SAFETY: the caller's room.
        let verdicts = unsafe { room("verdicts", verdicts, batch.count) }?;
        Ok(filter.contains_each(batch.keys.any(), batch.ticks, done.emit(verdicts))?)
    })
}

/// As `lately_filter_observe_many`, but removes as `lately_filter_remove` does; a key given twice is there once.
///
/// - `removed` (out): room for `count`, NULL only if that is 0; as of `lately_filter_remove`, 0 for an absent key.
///
/// Status: also LATELY_ERR_UNSUPPORTED if the filter has no removal; LATELY_ERR_FULL never.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_remove_many(
    filter: Option<NonNull<lately_filter>>,
    keys: In<lately_keys>,
    ticks: *const u64,
    removed: *mut u8,
    done: Option<&mut MaybeUninit<usize>>,
) -> lately_status {
    let Some(done) = Done::start(done) else { return LATELY_ERR_NULL };
    change!(filter, |filter| {
        let batch = Batch::read(keys, ticks)?;
        // SAFETY: the caller's room.
        let removed = unsafe { room("removed", removed, batch.count) }?;
        Ok(filter.remove_each(batch.keys.any(), batch.ticks, |i, verdict| {
            removed[i].write(verdict.is_duplicate().into());
            *done.0 = i + 1;
        })?)
    })
}
