//! Any request whatever: a plan or an error that names a field; what is built keeps to the plan and to its memory.

use arbitrary::{Arbitrary, Result, Unstructured};
use lately::{Field, Kind};

use super::abi::{
    FILTER, NO_MEMORY, OK, OPTION, Owned, RawError, RawOptions, RawPlan, SHARED, STRUCT_SIZE, Verb, plan,
};

/// The most bytes that are asked of the system here; plans may be for any number.
const MOST_BYTES: u64 = 1 << 24;

/// Asks for the request that `bytes` are. Says whether there was a plan.
pub(crate) fn ask(bytes: &[u8]) -> bool {
    let options = request(&mut Unstructured::new(bytes)).unwrap_or_else(|_| RawOptions::init());
    let (status, summary, error) = plan(&options);
    if status != OK {
        refused(&options, status, &error);
        return false;
    }
    planned(&options, &summary);
    true
}

/// A number that is not given, at an end of some range, small, or any.
fn number(u: &mut Unstructured<'_>) -> Result<u64> {
    Ok(match u8::arbitrary(u)? {
        0..130 => 0,
        130..170 => 1 << (8 + u8::arbitrary(u)? % 24),
        170..174 => u64::MAX,
        174..180 => 1 << (u8::arbitrary(u)? % 64),
        180..240 => u64::from(u16::arbitrary(u)?),
        _ => u64::arbitrary(u)?,
    })
}

fn word(u: &mut Unstructured<'_>, most: u32) -> Result<u32> {
    Ok(match u8::arbitrary(u)? {
        0..200 => 0,
        200..253 => u32::from(u16::arbitrary(u)?) % (most + 2),
        _ => u32::arbitrary(u)?,
    })
}

fn real(u: &mut Unstructured<'_>, least: f64) -> Result<f64> {
    Ok(match u8::arbitrary(u)? {
        0..160 => 0.0,
        160..240 => least.powf(f64::from(u8::arbitrary(u)?) / 255.0) / 2.0,
        240..246 => f64::from(u16::arbitrary(u)?) / 256.0,
        _ => f64::from_bits(u64::arbitrary(u)?),
    })
}

fn one_kind(which: u8) -> u32 {
    Kind::ALL[usize::from(which) % Kind::ALL.len()].number()
}

fn request(u: &mut Unstructured<'_>) -> Result<RawOptions> {
    let mut o = RawOptions::init();
    o.kind = one_kind(u8::arbitrary(u)?);
    (o.clock, o.repeat, o.on_limit) = (word(u, 2)?, word(u, 2)?, word(u, 2)?);
    (o.window_ns, o.window_keys, o.capacity) = (number(u)?, number(u)?, number(u)?);
    (o.memory, o.max_step_ns, o.lateness_ns) = (number(u)?, number(u)?, number(u)?);
    (o.error_rate, o.miss_rate, o.fill, o.load) = (real(u, 1e-9)?, real(u, 1e-9)?, real(u, 0.1)?, real(u, 0.5)?);
    (o.k, o.l, o.max_slices) = (word(u, 40)?, word(u, 60)?, word(u, 130)?);
    (o.variant, o.fingerprint_bits, o.semi_sort) = (word(u, 4)?, word(u, 16)?, word(u, 1)?);
    (o.removable, o.block_bytes, o.chains) = (word(u, 1)?, word(u, 64)?, word(u, 128)?);
    o.age_bits = word(u, 5)?;
    (o.lease_ns, o.max_claims) = (number(u)?, number(u)?);
    (o.keyed, o.seed, o.secret_lo, o.secret_hi) = (word(u, 1)?, number(u)?, number(u)?, number(u)?);
    (o.reserved_0, o.reserved_1) = (word(u, 1)? / 2, word(u, 1)? / 2);
    if u8::arbitrary(u)? < 240 {
        forget_foreign(&mut o);
    }
    if u8::arbitrary(u)? == 255 {
        o.kind = u32::arbitrary(u)?;
    }
    if u8::arbitrary(u)? == 255 {
        o.struct_size = usize::arbitrary(u)? % size_of::<RawOptions>();
    }
    Ok(o)
}

/// Zeroes the fields of options that the kind does not take.
macro_rules! forget {
    ($o:ident of $kind:ident: $($option:ident $field:ident),+ $(,)?) => {
        $(if !$kind.takes(Field::$option) {
            $o.$field = Default::default();
        })+
    };
}

/// Leaves what the kind takes: requests that are full of what others have all end the same way.
fn forget_foreign(o: &mut RawOptions) {
    let Some(kind) = Kind::ALL.iter().find(|kind| kind.number() == o.kind) else { return };
    forget!(o of kind:
        Clock clock, Repeat repeat, OnLimit on_limit, WindowNs window_ns, WindowKeys window_keys, Capacity capacity,
        MissRate miss_rate, MaxStepNs max_step_ns, K k, L l, MaxSlices max_slices, Fill fill, Variant variant,
        FingerprintBits fingerprint_bits, SemiSort semi_sort, Removable removable, BlockBytes block_bytes, Chains chains,
        Load load, AgeBits age_bits, LatenessNs lateness_ns, LeaseNs lease_ns, MaxClaims max_claims,
    );
    // Of the two windows one, and with the one of keys nothing of time.
    if kind.takes(Field::WindowNs) && kind.takes(Field::WindowKeys) {
        if o.window_keys % 2 == 0 {
            o.window_keys = 0;
        } else {
            (o.window_ns, o.capacity, o.clock, o.on_limit, o.max_step_ns, o.lateness_ns) = (0, 0, 0, 0, 0, 0);
        }
    }
    // A window table does not raise its error rate.
    if kind.takes(Field::AgeBits) && o.on_limit == 2 {
        o.on_limit = 1;
    }
    if o.clock < 2 {
        (o.max_step_ns, o.lateness_ns) = (0, 0);
    }
    // Without a lease there are no claims to bound.
    if o.lease_ns == 0 {
        o.max_claims = 0;
    }
    if o.keyed != 1 {
        (o.secret_lo, o.secret_hi) = (0, 0);
    }
}

/// Whether the window is a span of time, so that memory follows the traffic.
fn is_timed(options: &RawOptions) -> bool {
    options.window_ns != 0
}

/// A refusal names its field and what is allowed; `new` of both handles says the same.
fn refused(options: &RawOptions, status: i32, error: &RawError) {
    let text = error.text();
    assert!(status == error.code && !text.is_empty(), "{status}: {text}");
    match status {
        OPTION => {
            let field = Field::ALL.iter().find(|field| field.number() == error.field);
            let name = field.unwrap_or_else(|| panic!("no field {}: {text}", error.field)).name();
            assert!(
                text.starts_with(&format!("{name} = "))
                    && text.split_once(": ").is_some_and(|(_, rest)| rest.len() > 5),
                "{text}"
            );
        }
        STRUCT_SIZE => assert!(text.contains("struct_size") || text.starts_with("reserved_"), "{text}"),
        _ => panic!("status {status} of a plan: {text}"),
    }
    for verbs in [&FILTER, &SHARED] {
        let (have, _, other) = Owned::new(verbs, options);
        assert_eq!((have, other.field, other.text()), (status, error.field, text.clone()));
    }
}

/// A plan is a finite one; what is built of it, if that is not too large to try, is what it says.
fn planned(options: &RawOptions, plan: &RawPlan) {
    let rates = [plan.error_rate_worst, plan.error_rate_mean, plan.miss_rate];
    assert!(rates.iter().all(|rate| rate.is_nan() || (0.0..=1.0).contains(rate)), "{plan:?}");
    assert!(plan.error_rate_mean.is_nan() || plan.error_rate_mean <= plan.error_rate_worst * (1.0 + 1e-9), "{plan:?}");
    let figures = [plan.bits_per_key, plan.margin, plan.cache_lines_per_observe];
    assert!(figures.iter().all(|figure| figure.is_nan() || (figure.is_finite() && *figure >= 0.0)), "{plan:?}");
    if options.kind == 1 {
        assert!((0.1..=0.9).contains(&plan.fill) && plan.slices == plan.k + plan.l && plan.slices <= 1024, "{plan:?}");
    }
    assert!(options.memory == 0 || is_timed(options) || plan.bytes <= options.memory, "{plan:?} of {options:?}");
    if plan.bytes > MOST_BYTES {
        return;
    }
    for verbs in [&FILTER, &SHARED] {
        let (status, handle, error) = Owned::new(verbs, options);
        assert!(status == OK || status == NO_MEMORY, "{status}: {}, and there is a plan: {plan:?}", error.text());
        if status == OK {
            used(options, plan, &handle);
        }
    }
}

/// A few hundred keys later it is still within its memory, and has found what it was just given.
fn used(options: &RawOptions, plan: &RawPlan, handle: &Owned) {
    let built = handle.stats().bytes;
    handle.start();
    assert!(is_timed(options) || built == plan.bytes, "{built} bytes of {plan:?}");
    for key in 0..300_u64 {
        let key = key.to_le_bytes();
        let (status, _) = handle.one(Verb::Observe, &key, None);
        // A removable set that was asked to be tiny is full at once.
        let full = status == super::abi::FULL && options.removable == 1;
        // By the system's clock a short window may be over before it is asked.
        let over = is_timed(options) && options.clock < 2 && status == OK;
        let found = handle.one(Verb::Contains, &key, None);
        assert!(full || over || (status, found) == (OK, (OK, 1)), "status {status}, then {found:?}, for {options:?}");
    }
    let stats = handle.stats();
    assert!(options.memory == 0 || stats.bytes_peak <= options.memory, "{stats:?} of {options:?}");
}
