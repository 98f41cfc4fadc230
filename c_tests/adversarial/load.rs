//! Any bytes into `load`: a filter or a status, both handles agree, and what comes of it continues as a filter does.

use super::abi::{CHECKED, FILTER, FULL, OK, Owned, RawLoad, SHARED, Verb, hash64};

/// The most bytes that the cells of a loaded filter may take here.
const MEMORY: u64 = 1 << 16;

/// Where the size of the whole stands, and the least that a snapshot has: see `docs/reference/format.md`.
const SIZE: std::ops::Range<usize> = 16..24;
const LEAST: usize = 56;

/// Loads `bytes` behind the first one, which says whether their size and checksum are put right before. Says whether a
/// filter came of it.
pub(crate) fn any(bytes: &[u8]) -> bool {
    let Some((&first, rest)) = bytes.split_first() else { return false };
    let mut bytes = rest.to_vec();
    if first % 4 != 0 {
        mend(&mut bytes);
    }
    // One of a keyed filter asks for the secret, which is that of every script here.
    [0, 1].into_iter().any(|secret_hi| {
        let options = RawLoad { memory: MEMORY, secret_hi, ..RawLoad::init() };
        let [(one, alone), (other, shared)] = [&FILTER, &SHARED].map(|verbs| Owned::load(verbs, &bytes, 0, &options));
        assert_eq!(one, other, "lately_filter and lately_shared");
        assert!(one == OK || CHECKED.contains(&one), "status {one}");
        if one == OK {
            if first % 2 == 0 {
                shared.divide();
            }
            goes_on(&[alone, shared], secret_hi);
        }
        one == OK
    })
}

/// Puts size and checksum right: most lies are told by what lies between.
fn mend(bytes: &mut [u8]) {
    if bytes.len() >= LEAST {
        let (size, end) = (u64::try_from(bytes.len()).expect("a size"), bytes.len() - 8);
        bytes[SIZE].copy_from_slice(&size.to_le_bytes());
        let sum = hash64(&bytes[..end], 0);
        bytes[end..].copy_from_slice(&sum.to_le_bytes());
    }
}

/// Every verb works, what is stored is found, and a snapshot of it is loaded again.
fn goes_on(handles: &[Owned], secret_hi: u64) {
    for handle in handles {
        assert!(handle.stats().bytes <= MEMORY, "{:?}", handle.stats());
        handle.start();
        for key in 0..64_u64 {
            let key = key.to_le_bytes();
            let (status, _) = handle.one(Verb::Observe, &key, None);
            let found = handle.one(Verb::Contains, &key, None);
            // By the system's clock a short window may be over before it is asked.
            assert!(status == FULL || (status, found.0) == (OK, OK), "status {status}, then {found:?}");
        }
        let copy = handle.copy();
        let options = RawLoad { secret_hi, ..RawLoad::init() };
        let again = Owned::load(copy.verbs, &copy.snapshot(), 0, &options).0;
        assert_eq!(again, OK, "its own snapshot");
        assert_eq!(handle.clear(), OK);
        assert_eq!(handle.stats().items, 0);
    }
}

/// Keys that a loaded filter is weighed with.
const USES: u64 = 10_000;

/// Loads `bytes` as [`any`] does, uses what comes of it 10,000 times, by the tick that it stands at or by later ones, and
/// weighs it: never more cells than were allowed, and its own snapshot is loaded again. Says whether there was a filter.
pub(crate) fn weigh(bytes: &[u8]) -> bool {
    let Some((&first, rest)) = bytes.split_first() else { return false };
    let mut bytes = rest.to_vec();
    mend(&mut bytes);
    [0, 1].into_iter().any(|secret_hi| {
        let options = RawLoad { memory: MEMORY, secret_hi, ..RawLoad::init() };
        let handles = [&FILTER, &SHARED].map(|verbs| Owned::load(verbs, &bytes, 0, &options));
        if handles.iter().any(|(status, _)| *status != OK) {
            return false;
        }
        handles.iter().for_each(|(_, handle)| use_long(handle, u64::from(first) << 20, secret_hi));
        true
    })
}

/// Observes keys `gap` apart in time where the caller tells it, all at once where not.
fn use_long(handle: &Owned, gap: u64, secret_hi: u64) {
    let mut now = handle.stats().clock;
    for key in 0..USES {
        let key = key.to_le_bytes();
        now = now.saturating_add(gap);
        let (status, _) = handle.one(Verb::Observe, &key, Some(now));
        if status != OK {
            handle.one(Verb::Observe, &key, None);
        }
        assert!(key[0] % 16 != 0 || handle.stats().bytes <= MEMORY, "{:?}", handle.stats());
    }
    let options = RawLoad { secret_hi, ..RawLoad::init() };
    let again = Owned::load(handle.verbs, &handle.snapshot(), 0, &options).0;
    assert_eq!(again, OK, "its own snapshot");
}
