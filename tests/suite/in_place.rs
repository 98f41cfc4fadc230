//! Batches of keys where they lie: slices, and columns in the layout of Apache Arrow, against single calls.

use crate::common;

use common::bytes::Owned;
use common::handle::{self, Handle, Verb};
use common::kinds::{self, Row};
use common::num::{index, wide};
use common::rng::Rng;
use common::{SECOND, build, manual};
use lately::Verdict::{AbsentKey, Duplicate, New};
use lately::{Code, Column, KeyBuffer, Keys, Offsets, Options, Secret, SharedFilter, Stopped, Tick, Validity, Verdict};

const VERBS: [Verb; 3] = [Verb::Contains, Verb::Observe, Verb::Insert];

/// What a batch came to. The verdicts beyond a failure stay what they were.
#[derive(Debug, PartialEq)]
struct Answers {
    verdicts: Vec<Verdict>,
    result: Result<(), Stopped>,
}

fn batch(filter: &mut dyn Handle, verb: Verb, keys: Keys<'_>, ticks: Option<&[Tick]>) -> Answers {
    let mut verdicts = vec![Duplicate; keys.len()];
    let result = filter.batch(verb, keys, ticks, &mut verdicts);
    Answers { verdicts, result }
}

fn slices(filter: &mut dyn Handle, verb: Verb, keys: &[impl AsRef<[u8]>], ticks: Option<&[Tick]>) -> Answers {
    let mut verdicts = vec![Duplicate; keys.len()];
    let keys: Vec<&[u8]> = keys.iter().map(AsRef::as_ref).collect();
    let result = filter.slices(verb, &keys, ticks, &mut verdicts);
    Answers { verdicts, result }
}

/// What a batch of these keys has to answer, from single calls. `None` is an absent key.
fn singly(filter: &mut dyn Handle, verb: Verb, keys: &[Option<&[u8]>], ticks: Option<&[Tick]>) -> Answers {
    let mut verdicts = vec![Duplicate; keys.len()];
    for (done, key) in keys.iter().enumerate() {
        let tick = ticks.map(|ticks| ticks[done]);
        match key.map_or(Ok(AbsentKey), |key| filter.single(verb, key, tick)) {
            Ok(verdict) => verdicts[done] = verdict,
            Err(error) => return Answers { verdicts, result: Err(Stopped { done, error }) },
        }
    }
    Answers { verdicts, result: Ok(()) }
}

/// Keys with repeats, of 0 to 9 bytes, one in `absent` of which is absent, and their ticks, some late.
fn stream(rng: &mut Rng, n: usize, absent: u64) -> (Vec<Option<Vec<u8>>>, Vec<Tick>) {
    let key = |rng: &mut Rng| rng.below(400).to_string().repeat(3).as_bytes()[..index(rng.below(4))].to_vec();
    let keys = (0..n).map(|_| (!rng.once_in(absent)).then(|| key(rng))).collect();
    let ticks = (0..n).map(|i| Tick(SECOND + wide(i) * 1000 - rng.below(500))).collect();
    (keys, ticks)
}

fn slices_of(keys: &[Option<Vec<u8>>]) -> Vec<Option<&[u8]>> {
    keys.iter().map(Option::as_deref).collect()
}

/// The requests of every kind, and one of them keyed.
fn requests() -> Vec<(Row, Options)> {
    let of = |row: Row| (row.clone(), row.for_keys(2000));
    let mut all: Vec<_> = kinds::rows().into_iter().map(of).collect();
    let (row, options) = all[0].clone();
    all.push((row, options.keyed(true).secret(Secret::new(3, 4))));
    all
}

#[test]
fn slices_of_every_kind_are_single_calls() {
    let mut rng = Rng(34);
    for (row, options) in requests() {
        let (keys, ticks) = stream(&mut rng, 300, u64::MAX);
        let ticks = row.takes_ticks().then_some(&ticks[..]);
        for (filter, twin) in handle::all(&options).iter_mut().zip(&mut handle::all(&options)) {
            for verb in VERBS.into_iter().cycle().take(6) {
                let present: Vec<Vec<u8>> = keys.iter().flatten().cloned().collect();
                let want = singly(&mut **twin, verb, &slices_of(&keys), ticks);
                let have = slices(&mut **filter, verb, &present, ticks);
                assert_eq!(have.result, want.result, "{}", row.name);
                assert!(verb == Verb::Insert || have == want, "{}: {verb:?}", row.name);
                assert_eq!(filter.stats(), twin.stats(), "{}: {verb:?}", row.name);
            }
        }
    }
}

#[test]
fn gathered_keys_are_the_same_keys_again_after_clear() {
    let mut seen = build(&Options::last(100));
    let mut gathered: KeyBuffer = ["ab", "", "ab"].into_iter().collect();
    for want in [[New, New, Duplicate], [Duplicate; 3]] {
        let mut verdicts = [New; 3];
        seen.observe_batch(gathered.keys(), None, &mut verdicts).expect("taken");
        assert_eq!(verdicts, want);
        gathered.clear();
        assert!(gathered.keys().is_empty() && gathered == KeyBuffer::new());
        gathered.extend(["ab", "", "ab"]);
    }
}

/// Over every kind and handle, both widths of offsets, every bit that a bitmap can begin at.
#[test]
fn columns_with_gaps_are_single_calls() {
    let mut rng = Rng(35);
    for (row, options) in requests() {
        for bit in 0..16 {
            let absent = [2, 5, 40][bit % 3];
            let (keys, ticks) = stream(&mut rng, 150, absent);
            let (keys, ticks) = (slices_of(&keys), row.takes_ticks().then_some(&ticks[..]));
            let owned = Owned::new(&keys, bit * 3, Some(bit));
            for (filter, twin) in handle::all(&options).iter_mut().zip(&mut handle::all(&options)) {
                for (verb, small) in VERBS.into_iter().flat_map(|verb| [(verb, true), (verb, false)]) {
                    let want = singly(&mut **twin, verb, &keys, ticks);
                    let have = batch(&mut **filter, verb, owned.column(small), ticks);
                    assert_eq!(have.result, want.result, "{}", row.name);
                    assert!(verb == Verb::Insert || have == want, "{}: {verb:?}, bit {bit}", row.name);
                    assert_eq!(filter.stats(), twin.stats(), "{}: {verb:?}, bit {bit}", row.name);
                }
            }
        }
    }
}

/// Absent keys before the key that fails are done, those behind it are not.
#[test]
fn a_refused_tick_stops_a_column_behind_the_absent_keys() {
    for stop in 0..70 {
        let texts: Vec<String> = (0..70).map(|i| i.to_string()).collect();
        let is_present = |i: usize| i == stop || i % 3 == 1;
        let keys: Vec<Option<&[u8]>> = (0..70).map(|i| is_present(i).then_some(texts[i].as_bytes())).collect();
        let ticks: Vec<Tick> = (0..70).map(|i| Tick(if i == stop { u64::MAX } else { 10 })).collect();
        let (owned, options) = (Owned::new(&keys, 0, Some(2)), manual(SECOND).max_step_ns(100));
        for (filter, twin) in handle::all(&options).iter_mut().zip(&mut handle::all(&options)) {
            filter.observe_at(b"the first", Tick(9)).expect("taken");
            twin.observe_at(b"the first", Tick(9)).expect("taken");
            for verb in VERBS {
                let want = singly(&mut **twin, verb, &keys, Some(&ticks));
                let have = batch(&mut **filter, verb, owned.column(true), Some(&ticks));
                let stopped = have.result.as_ref().expect_err("a tick that is refused");
                assert_eq!((stopped.done, stopped.error.code()), (stop, Code::Tick));
                assert_eq!(have.result, want.result);
                assert!(verb == Verb::Insert || have == want, "{verb:?} stopped at {stop}");
                assert_eq!(filter.stats(), twin.stats());
            }
        }
    }
}

#[test]
fn a_full_filter_stops_a_batch_where_it_stops_single_calls() {
    let removable = kinds::rows().into_iter().find(|row| row.removes).expect("a removable kind");
    let options = removable.for_keys(40);
    let texts: Vec<String> = (0..4000).map(|i| i.to_string()).collect();
    let keys: Vec<Option<&[u8]>> =
        texts.iter().enumerate().map(|(i, text)| (i % 7 != 0).then_some(text.as_bytes())).collect();
    let owned = Owned::new(&keys, 0, Some(0));
    for (filter, twin) in handle::all(&options).iter_mut().zip(&mut handle::all(&options)) {
        let want = singly(&mut **twin, Verb::Insert, &keys, None);
        let have = batch(&mut **filter, Verb::Insert, owned.column(true), None);
        assert_eq!(have.result.as_ref().map_err(|stopped| stopped.error.code()), Err(Code::Full));
        assert_eq!((have.result, filter.stats()), (want.result, twin.stats()));
    }
}

/// What is wrong with keys is found before the first of them, and said of a column.
#[test]
fn unsound_keys_change_nothing() {
    let (bytes, bits) = ([b'k'; 16], [0xff; 2]);
    let validity = |offset| Some(Validity { bits: &bits, offset });
    let unsound = [
        (Offsets::I32(&[]), None, "offsets[0] is missing: n keys have n + 1 offsets"),
        (Offsets::I64(&[]), None, "offsets[0] is missing: n keys have n + 1 offsets"),
        (Offsets::I32(&[-1, 0, 1]), None, "offsets[0] is below 0"),
        (Offsets::I64(&[i64::MIN, 0, 1]), None, "offsets[0] is below 0"),
        (Offsets::I32(&[0, -1, 1]), None, "offsets[1] is below the one before it"),
        (Offsets::I64(&[5, 6, 4]), None, "offsets[2] is below the one before it"),
        (Offsets::I32(&[0, 1, 17]), None, "offsets[2] is beyond the bytes"),
        (Offsets::I64(&[0, 1, i64::MAX]), None, "offsets[2] is beyond the bytes"),
        (Offsets::I32(&[17]), None, "offsets[0] is beyond the bytes"),
        (Offsets::I32(&[0, 1, 2]), validity(15), "validity has 1 entries for 2 keys"),
        (Offsets::I64(&[0, 1, 2]), validity(usize::MAX), "validity has 0 entries for 2 keys"),
    ];
    for mut filter in handle::all(&Options::last(100)) {
        filter.observe(b"a key").expect("taken");
        let before = filter.stats();
        for (offsets, validity, why) in unsound {
            for verb in VERBS {
                let keys = Keys::Column(Column { bytes: &bytes, offsets, validity });
                let stopped = batch(&mut *filter, verb, keys, None).result.expect_err("unsound");
                assert_eq!((stopped.done, stopped.error.code()), (0, Code::Offsets));
                assert_eq!(stopped.error.to_string(), why);
            }
        }
        assert_eq!(filter.stats(), before);
    }
}

#[test]
fn verdicts_and_ticks_are_as_many_as_the_slices() {
    let (keys, mut short) = (["a", "b"], [New]);
    let mut one = build(&manual(SECOND));
    let shared = SharedFilter::new(&manual(SECOND)).expect("memory");
    for stopped in [
        one.observe_slices(&keys, None, &mut short),
        one.contains_slices(&keys, None, &mut short),
        one.insert_slices(&keys, Some(&[Tick(1)])),
        shared.observe_slices(&keys, None, &mut short),
        shared.contains_slices(&keys, None, &mut short),
        shared.insert_slices(&keys, Some(&[Tick(1)])),
    ] {
        let stopped = stopped.expect_err("one is missing");
        assert_eq!((stopped.done, stopped.error.code()), (0, Code::Offsets));
    }
    assert_eq!((one.stats().items, shared.stats().items), (0, 0));
    let mut system = build(&Options::last(5));
    assert_eq!(system.insert_slices(&keys, Some(&[Tick(1); 2])).expect_err("no ticks").error.code(), Code::Clock);
}
