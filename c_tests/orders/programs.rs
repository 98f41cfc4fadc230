//! What each thread calls, and the filters on which it does.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};

use shuttle::thread;

use super::abi::{FILTER, Keys, OK, Owned, RawLoad, RawOptions, RawSlice, Verb};
use super::replay::{Call, Event, KEYS, Key};

/// What a program needs of its filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Needs {
    Claims,
    Removal,
    /// A set does not count what was removed.
    CountedRemoval,
    Time,
}

/// One call of a thread: a verb, or those that a batch makes, one after the other.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Step {
    One(Call),
    ObserveMany(&'static [Key]),
}

pub(crate) struct Program {
    pub(crate) name: &'static str,
    pub(crate) needs: &'static [Needs],
    threads: &'static [&'static [Step]],
}

const A: Key = 0;
const B: Key = 1;
const OBSERVE_A: Step = Step::One(Call::Observe(A));
const OBSERVE_B: Step = Step::One(Call::Observe(B));
const INSERT_B: Step = Step::One(Call::Insert(B));
const HAS_A: Step = Step::One(Call::Contains(A));
const HAS_B: Step = Step::One(Call::Contains(B));
const REMOVE_A: Step = Step::One(Call::Remove(A));
const CLAIM_A: Step = Step::One(Call::Claim(A));
const COMMIT_A: Step = Step::One(Call::Commit(A));
const ABANDON_A: Step = Step::One(Call::Abandon(A));
const LATER: Step = Step::One(Call::Advance(1));
const STATS: Step = Step::One(Call::Stats);
const SNAPSHOT: Step = Step::One(Call::Snapshot);

pub(crate) const PROGRAMS: &[Program] = &[
    Program {
        name: "of threads that observe one key, one gets New",
        needs: &[],
        threads: &[&[OBSERVE_A, STATS], &[OBSERVE_A, HAS_A], &[OBSERVE_A]],
    },
    Program {
        name: "batches",
        needs: &[],
        threads: &[&[Step::ObserveMany(&[A, B])], &[Step::ObserveMany(&[B, A, B])], &[OBSERVE_A, INSERT_B, OBSERVE_B]],
    },
    Program {
        name: "snapshots and counters",
        needs: &[],
        threads: &[&[OBSERVE_A, OBSERVE_B, OBSERVE_A], &[SNAPSHOT, STATS], &[STATS, SNAPSHOT]],
    },
    Program {
        name: "a removal beside observations",
        needs: &[Needs::Removal],
        threads: &[&[OBSERVE_A, REMOVE_A, OBSERVE_A], &[OBSERVE_A, REMOVE_A], &[HAS_A, HAS_A, SNAPSHOT]],
    },
    Program {
        name: "three removals of one key",
        needs: &[Needs::CountedRemoval],
        threads: &[&[OBSERVE_A, REMOVE_A, HAS_A], &[REMOVE_A, Step::ObserveMany(&[B, A])], &[REMOVE_A, STATS]],
    },
    Program {
        name: "time passes",
        needs: &[Needs::Time],
        threads: &[&[OBSERVE_A, HAS_B, OBSERVE_A], &[LATER, Step::ObserveMany(&[A, B]), HAS_A], &[LATER, SNAPSHOT]],
    },
    Program {
        name: "of threads that claim one key, one gets New",
        needs: &[Needs::Claims],
        threads: &[&[CLAIM_A, COMMIT_A], &[CLAIM_A, COMMIT_A, STATS], &[CLAIM_A, HAS_A]],
    },
    Program {
        name: "a claim beside an observation",
        needs: &[Needs::Claims],
        threads: &[&[CLAIM_A, ABANDON_A, OBSERVE_A], &[CLAIM_A, COMMIT_A, SNAPSHOT], &[OBSERVE_A, SNAPSHOT]],
    },
    Program {
        name: "a claim beside a removal",
        needs: &[Needs::Claims, Needs::Removal],
        threads: &[
            &[CLAIM_A, COMMIT_A, REMOVE_A],
            &[CLAIM_A, REMOVE_A, COMMIT_A],
            &[Step::ObserveMany(&[A, B]), REMOVE_A],
        ],
    },
];

const WINDOW: u64 = 1_000_000;

fn of_kind(kind: u32) -> RawOptions {
    RawOptions { kind, seed: 1, error_rate: 1e-6, ..RawOptions::init() }
}

/// A window of time by a manual clock.
fn timed(kind: u32) -> RawOptions {
    RawOptions { window_ns: WINDOW, clock: 2, ..of_kind(kind) }
}

fn with_claims(options: RawOptions) -> RawOptions {
    RawOptions { lease_ns: WINDOW, max_claims: 4, ..options }
}

/// A window of time by the system's clock, which no order outlives.
fn by_system_with_claims(kind: u32) -> RawOptions {
    RawOptions { window_ns: 1 << 60, lease_ns: 1 << 50, max_claims: 4, ..of_kind(kind) }
}

/// Each filter, and which programs it has the verbs for.
#[allow(clippy::type_complexity, reason = "a table")]
pub(crate) const FILTERS: [(&[Needs], fn() -> RawOptions); 10] = [
    (&[Needs::Time, Needs::Removal, Needs::CountedRemoval], || timed(5)),
    (&[Needs::Claims, Needs::Removal, Needs::CountedRemoval], || with_claims(timed(5))),
    (&[Needs::Claims, Needs::Removal, Needs::CountedRemoval], || RawOptions {
        lease_ns: 1 << 50,
        ..with_claims(RawOptions { window_keys: 100, ..of_kind(5) })
    }),
    (&[Needs::Time], || timed(1)),
    (&[Needs::Claims], || with_claims(timed(1))),
    (&[Needs::Claims], || by_system_with_claims(1)),
    (&[Needs::Claims, Needs::Removal, Needs::CountedRemoval], || by_system_with_claims(5)),
    (&[Needs::Claims], || RawOptions {
        lease_ns: 1 << 50,
        ..with_claims(RawOptions { window_keys: 100, ..of_kind(2) })
    }),
    (&[], || RawOptions { window_keys: 100, ..of_kind(2) }),
    (&[Needs::Removal], || RawOptions { capacity: 100, removable: 1, ..of_kind(3) }),
];

/// The time of the events of one run: the threads of the checker take turns, so that the counter of one run is that of all.
static TIME: AtomicU64 = AtomicU64::new(0);

fn name(key: Key) -> [u8; 1] {
    [u8::try_from(key).expect("few keys")]
}

impl Program {
    /// The events of each thread, on one handle.
    pub(crate) fn run(&'static self, filter: &Arc<Owned>) -> Vec<Vec<Event>> {
        let spawn = |steps: &'static [Step]| {
            let filter = filter.clone();
            thread::spawn(move || {
                let mut worker = Worker { filter: &filter, tokens: [None; KEYS], events: vec![] };
                steps.iter().for_each(|step| worker.make(*step));
                worker.events
            })
        };
        let running: Vec<_> = self.threads.iter().map(|steps| spawn(steps)).collect();
        running.into_iter().map(|thread| thread.join().unwrap()).collect()
    }
}

/// One thread: the claims that it has, and what it has called.
struct Worker<'a> {
    filter: &'a Owned,
    tokens: [Option<u64>; KEYS],
    events: Vec<Event>,
}

impl Worker<'_> {
    fn make(&mut self, step: Step) {
        let began = TIME.fetch_add(1, SeqCst);
        let answered = match step {
            Step::One(call) => self.answer(call).map(|answer| (call, answer)).into_iter().collect(),
            Step::ObserveMany(keys) => self.observe_many(keys),
        };
        let ended = TIME.fetch_add(1, SeqCst);
        self.events.extend(answered.into_iter().map(|(call, answer)| Event { call, answer, began, ended }));
    }

    /// The answer, unless there was nothing to call.
    fn answer(&mut self, call: Call) -> Option<Vec<u64>> {
        Some(match call {
            Call::Observe(key) => vec![self.verdict(Verb::Observe, key)],
            Call::Contains(key) => vec![self.verdict(Verb::Contains, key)],
            Call::Insert(key) => {
                assert_eq!(self.filter.one(Verb::Insert, &name(key), None).0, OK);
                vec![]
            }
            Call::Remove(key) => {
                let (status, removed) = self.filter.remove(&name(key));
                assert_eq!(status, OK);
                vec![removed.into()]
            }
            Call::Claim(key) => {
                let (verdict, token) = self.filter.claim(&name(key));
                self.tokens[key] = (verdict == 0).then_some(token);
                vec![verdict.into()]
            }
            Call::Commit(key) => vec![self.filter.commit(&name(key), self.tokens[key].take()?).into()],
            Call::Abandon(key) => {
                self.filter.abandon(&name(key), self.tokens[key].take()?);
                vec![]
            }
            Call::Advance(to) => {
                assert_eq!(self.filter.advance(to * 10 * WINDOW), OK);
                vec![]
            }
            Call::Stats => {
                let stats = self.filter.stats();
                vec![stats.new_count, stats.duplicate_count, stats.removed, stats.pending, stats.open_claims]
            }
            Call::Snapshot => self.snapshot(),
        })
    }

    fn verdict(&self, verb: Verb, key: Key) -> u64 {
        let (status, verdict) = self.filter.one(verb, &name(key), None);
        assert_eq!(status, OK);
        verdict.into()
    }

    fn observe_many(&self, keys: &'static [Key]) -> Vec<(Call, Vec<u64>)> {
        let names: Vec<_> = keys.iter().map(|key| name(*key)).collect();
        let slices: Vec<_> = names.iter().map(|name| RawSlice::of(name)).collect();
        let answers = self.filter.many(Verb::Observe, &Keys::Slices(&slices), None, keys.len());
        assert_eq!((answers.status, answers.done), (OK, keys.len()));
        keys.iter().zip(answers.verdicts).map(|(key, verdict)| (Call::Observe(*key), vec![verdict.into()])).collect()
    }

    /// What the filter has that is made of a snapshot.
    fn snapshot(&self) -> Vec<u64> {
        let (status, loaded) = Owned::load(&FILTER, &self.filter.snapshot_in_one_call(), 0, &RawLoad::init());
        assert_eq!(status, OK);
        let open_claims = loaded.stats().open_claims;
        (0..KEYS).map(|key| u64::from(loaded.one(Verb::Contains, &name(key), None).1)).chain([open_claims]).collect()
    }
}
