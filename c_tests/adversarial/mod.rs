//! Adversarial calls of the C ABI, shared by `c_tests/adversarial.rs` and the targets of `tests/fuzz/`: any bytes are a script, and every
//! call of it is judged by an exact oracle.
//!
//! **Law.** Both handles are told the same and must answer the same, status for status, verdict for verdict, count for
//! count. Every status is foretold. A key that the promise covers is found, one that cannot be there is not. Counters
//! are exact. A copy continues as the original would have. A bad call changes nothing. A key by its bytes, by its hash or as
//! a number is one key.

pub(crate) mod abi;
pub(crate) mod load;
pub(crate) mod model;
pub(crate) mod op;
pub(crate) mod request;

use abi::{
    Answers, CLOCK, ELAPSED, FILTER, FULL, Keys, NOW, OK, Owned, RawKeys, RawSlice, RawStats, SHARED, UNSUPPORTED, Verb,
};
use model::{Model, Must};
use op::{CENTURY, Form, HOUR, Key, Op, Script, Step};

/// What keeps a script short: repeats of a key, keys of a batch, keys that are asked for at once.
const MOST_REPEATS: u8 = 16;
const MOST_OF_BATCH: u8 = 64;

/// The verdict of an absent key.
const ABSENT: u8 = 3;
const MOST_ASKED: usize = 100;

/// Plays the script that `bytes` are, and says how many calls were judged.
pub(crate) fn play(bytes: &[u8]) -> u64 {
    Play::of(Script::of(bytes), 0)
}

/// The same with a promise that is a tick, or an insertion, too long: it must fail on what reaches the edge.
pub(crate) fn play_with_an_impossible_promise(bytes: &[u8]) -> u64 {
    Play::of(Script::of(bytes), 1)
}

/// Both handles and what they were told.
struct Play {
    pair: [Owned; 2],
    model: Model,
    /// The call with which shared handles begin to go by all their locks, if they do; before, one of them guards all.
    divides_at: Option<u64>,
    /// What was true before the present call.
    stats: RawStats,
    calls: u64,
}

impl Play {
    fn of(script: Script, excess: u64) -> u64 {
        let options = script.shape.options();
        // Half of the scripts divide: at once, in the middle or near the end.
        let ops = u64::try_from(script.ops.len()).expect("a short script");
        let divides_at = (ops % 2 == 1).then_some(ops * (ops / 2 % 4) / 4);
        let model = Model::new(options, excess);
        // Sections of a window table plan their growth by themselves, so an unshared one has other errors: both handles are shared.
        let first = if divides_at.is_some() && model.is_window_table() { &SHARED } else { &FILTER };
        let pair = [first, &SHARED].map(|verbs| {
            let (status, handle, error) = Owned::new(verbs, &options);
            assert_eq!(status, OK, "{:?}: {}", script.shape, error.text());
            handle
        });
        let stats = pair[0].stats();
        let mut play = Self { pair, model, divides_at, stats, calls: 0 };
        for op in script.ops {
            play.divide();
            play.stats = play.pair[0].stats();
            play.step(op);
            play.compare();
            play.calls += 1;
        }
        play.calls
    }

    /// Divides what is shared, or keeps it divided.
    fn divide(&self) {
        self.pair.iter().for_each(|handle| self.divide_one(handle));
    }

    fn divide_one(&self, handle: &Owned) {
        if handle.is_shared() && self.divides_at.is_some_and(|at| at <= self.calls) {
            handle.divide();
        }
    }

    /// The answer that both handles give.
    fn both<T: PartialEq + std::fmt::Debug>(&self, call: impl Fn(&Owned) -> T) -> T {
        let [one, other] = [call(&self.pair[0]), call(&self.pair[1])];
        assert_eq!(one, other, "lately_filter and lately_shared");
        one
    }

    /// The counts of both handles, and those of the oracle.
    fn compare(&mut self) {
        self.stats = self.pair[0].stats();
        self.model.check(&self.pair[1].stats());
        if self.is_exact() {
            self.both(Owned::stats);
            let figures = format!(", {} bytes, error rate {:.2e}", self.stats.bytes, self.stats.error_rate);
            assert!(self.both(Owned::describe).ends_with(&figures), "a line without {figures}");
        }
        self.model.check(&self.stats);
    }

    /// One key by its bytes or by its hash, which every filter but a keyed one takes.
    fn ask_as(&self, form: As, verb: Verb, bytes: &[u8], at: Option<u64>) -> (i32, u8) {
        let by_bytes = || self.both(|h| h.one(verb, bytes, at));
        let by_hash = || self.both(|h| h.one_hash(verb, abi::hash64(bytes, self.model.options.seed), at));
        match form {
            As::Bytes => by_bytes(),
            As::Hash if self.model.is_keyed() => {
                assert_eq!(by_hash(), (UNSUPPORTED, abi::UNTOUCHED), "a keyed filter takes no hashes");
                self.expect_unchanged();
                by_bytes()
            }
            As::Hash => by_hash(),
        }
    }

    fn step(&mut self, op: Op) {
        match op {
            Op::Observe(key, step) => self.one(Verb::Observe, key, step),
            Op::Insert(key, step) => self.one(Verb::Insert, key, step),
            Op::Contains(key, step) => self.one(Verb::Contains, key, step),
            Op::Batch { verb, first, n, step, hashes } => {
                self.batch(op::verb(verb), first, n, step, op::form(verb, first, hashes))
            }
            Op::Remove(key) => self.remove(key),
            Op::Advance(step) => self.advance(step),
            Op::Storm(key, n) => (0..n % MOST_REPEATS).for_each(|_| {
                self.one(Verb::Observe, key, None);
                self.compare();
            }),
            Op::Clear => {
                assert_eq!(self.both(Owned::clear), OK);
                self.model.cleared();
            }
            Op::Copy => {
                self.pair = [self.pair[0].copy(), self.pair[1].copy()];
            }
            Op::Restore(step) => self.restore(step),
            Op::Reset => {
                assert_eq!(self.both(Owned::stats_reset), OK);
                self.model.reset();
            }
            Op::Hash(key) => self.hash(key),
            Op::Secret => self.secret(),
            Op::Bad(which) => self.bad(which),
            Op::AskAll(step) => self.ask_all(step),
        }
    }

    fn tick(&self, step: Step) -> u64 {
        let (clock, window) = (self.model.clock, self.model.options.window_ns);
        // The last number of all is no tick but LATELY_NOW.
        (NOW - 1).min(match step {
            Step::Same => clock,
            Step::Ahead(part) => clock.saturating_add(window / 256 * u64::from(part)),
            Step::Few(n) => clock.saturating_add(u64::from(n)),
            Step::Edge(key, by) => {
                self.model.since(key.0).saturating_add(window).saturating_add_signed(i64::from(by % 3))
            }
            Step::Back(n) => clock.saturating_sub(u64::from(n)),
            Step::HourBack => clock.saturating_sub(HOUR),
            Step::Century => clock.saturating_add(CENTURY),
            Step::Limit(by) => clock.saturating_add(self.model.options.max_step_ns).saturating_add(u64::from(by % 3)),
            Step::End(by) => u64::MAX - u64::from(by),
            Step::Any(tick) => tick,
        })
    }

    /// One key by one verb: its status is foretold, and its verdict judged. `contains` foretells `observe`.
    fn one(&mut self, verb: Verb, key: Key, step: Option<Step>) {
        let (at, bytes) = (step.map(|step| self.tick(step)), key.bytes());
        let [asked, told_as] = if self.calls % 2 == 0 { [As::Hash, As::Bytes] } else { [As::Bytes, As::Hash] };
        let foretold = self.ask_as(asked, Verb::Contains, &bytes, at);
        self.expect_unchanged();
        let must = self.model.must(key.0, at, &self.stats);
        let (status, verdict) = self.ask_as(told_as, verb, &bytes, at);
        if verb != Verb::Insert {
            assert_eq!((status, verdict), self.unless_full(status, foretold), "contains foretells {verb:?}");
        }
        let told = self.model.status_at(at);
        if let Some(at) = at.filter(|_| model::stores(verb)) {
            self.model.told(at, told);
        }
        self.judge(verb, key, (status, verdict), told, must);
        // A repeat that is not stored again may leave the window with its own call.
        let stored = verb == Verb::Insert || verdict == 0 || !self.model.moves_on();
        if model::stores(verb) && status == OK && stored {
            let now = at.map(|_| self.model.clock);
            assert_eq!(self.both(|h| h.one(Verb::Contains, &bytes, now)), (OK, 1), "{key:?} was just stored");
        }
    }

    /// Asking, and bad calls, leave everything as it was.
    fn expect_unchanged(&self) {
        if self.is_exact() {
            self.pair.iter().for_each(|handle| self.expect_like(handle.stats()));
        }
    }

    /// Sections of a window table have lines of their own: the same keys, and an error that is a little different.
    fn expect_like(&self, mut stats: RawStats) {
        if self.model.is_window_table() {
            assert!((stats.error_rate - self.stats.error_rate).abs() <= 0.1 * self.stats.error_rate, "{stats:?}");
            stats.error_rate = self.stats.error_rate;
        }
        assert_eq!(stats, self.stats);
    }

    /// Whether time is told: two readings of the system's clock differ, and so may what follows from them.
    fn is_exact(&self) -> bool {
        self.model.is_manual() || !self.model.is_timed()
    }

    /// A removable set may be full; then nothing was done, and nothing else ever is.
    fn unless_full(&self, status: i32, foretold: (i32, u8)) -> (i32, u8) {
        if status == FULL && self.model.is_removable() && foretold == (OK, 0) {
            (FULL, abi::UNTOUCHED)
        } else {
            foretold
        }
    }

    fn judge(&mut self, verb: Verb, key: Key, (status, verdict): (i32, u8), told: i32, must: Must) {
        let may_be_full = told == OK && self.model.is_removable() && model::stores(verb);
        let want = if status == FULL && may_be_full { FULL } else { told };
        assert_eq!(status, want, "{verb:?} {key:?}");
        if status != OK {
            assert!(verdict == abi::UNTOUCHED, "a refused call has no verdict");
            return;
        }
        if verb != Verb::Insert {
            let right = match must {
                Must::Find => verdict == 1,
                Must::Miss => verdict == 0,
                Must::Either => verdict <= 1,
            };
            assert!(right, "{verb:?} {key:?}: verdict {verdict}, and the promise is {must:?}");
        }
        match verb {
            Verb::Observe => self.model.observed(key.0, verdict),
            Verb::Insert => self.model.inserted(key.0),
            Verb::Contains => {}
        }
    }

    /// A batch is its single calls on a copy, key for key.
    fn batch(&mut self, verb: Verb, first: Key, n: u8, step: Option<Step>, form: Form) {
        let key = |i| if form == Form::Numbers { first.number_behind(i) } else { Key(first.0 + i) };
        let is_absent = |key: Key| form == Form::Column && key.0 % 5 == 4;
        let keys = (0..u16::from(n % MOST_OF_BATCH)).map(key).map(|key| (!is_absent(key)).then_some(key));
        let keys: Vec<Option<Key>> = keys.collect();
        let ticks = step.map(|step| keys.iter().map(|_| self.tick(step)).collect::<Vec<u64>>());
        let single = self.pair[0].copy();
        self.divide_one(&single);
        let answers = self.both(|h| h.batch(verb, &keys, ticks.as_deref(), form));
        let takes_keys = form != Form::Hashes || !self.model.is_keyed();
        let told = if takes_keys { self.model.status_at(ticks.as_ref().map(|_| 0)) } else { UNSUPPORTED };
        if told != OK {
            assert_eq!((answers.status, answers.done), (told, 0));
            return;
        }
        self.follow(verb, &keys, ticks.as_deref(), &single, &answers);
        if self.is_exact() {
            let (mut one, batch) = (single.stats(), self.pair[0].stats());
            // A window table grows by more lines than it needs. A copy has no spare ones, and adds some when it grows.
            if self.model.is_window_table() {
                (one.bytes, one.bytes_peak) = (batch.bytes, batch.bytes_peak);
            }
            assert_eq!(one, batch, "single calls and a batch");
        }
    }

    /// Makes the single calls of a batch, judges each, and holds them against what the batch said.
    fn follow(&mut self, verb: Verb, keys: &[Option<Key>], ticks: Option<&[u64]>, single: &Owned, answers: &Answers) {
        for (i, key) in keys.iter().enumerate() {
            let Some(key) = key else {
                let want = if verb == Verb::Insert { abi::UNTOUCHED } else { ABSENT };
                assert_eq!(answers.verdicts[i], want, "verdict {i}, of an absent key");
                continue;
            };
            let at = ticks.map(|ticks| ticks[i]);
            let (must, told) = (self.model.must(key.0, at, &single.stats()), self.model.status_at(at));
            let (status, verdict) = single.one(verb, &key.bytes(), at);
            if let Some(at) = at.filter(|_| model::stores(verb)) {
                self.model.told(at, told);
            }
            self.judge(verb, *key, (status, verdict), told, must);
            assert_eq!(verdict, answers.verdicts[i], "verdict {i} of a batch");
            if status != OK {
                assert_eq!((answers.status, answers.done), (status, i), "where a batch stops");
                assert!(answers.verdicts[i..].iter().all(|&v| v == abi::UNTOUCHED), "verdicts beyond the stop");
                return;
            }
        }
        assert_eq!((answers.status, answers.done), (OK, keys.len()));
    }

    /// Of a set only what is in is removed: another removal would void the promise. A window may be asked for any key, and says what
    /// `contains` would.
    fn remove(&mut self, key: Key) {
        let bytes = key.bytes();
        if self.model.is_window_table() {
            let foretold = self.ask_as(As::Bytes, Verb::Contains, &bytes, None);
            assert_eq!(self.both(|h| h.remove(&bytes)), foretold, "contains foretells a removal");
            self.model.stored.remove(&key.0);
            let after = self.ask_as(As::Bytes, Verb::Contains, &bytes, None);
            assert!(foretold.0 != OK || after == (OK, 0), "{key:?} is there after it was removed: {after:?}");
        } else if !self.model.is_removable() {
            assert_eq!(self.both(|h| h.remove(&bytes)), (UNSUPPORTED, abi::UNTOUCHED));
        } else if self.model.stored.contains_key(&key.0) {
            assert_eq!(self.both(|h| h.remove(&bytes)), (OK, 1), "{key:?} has an entry");
            self.model.removed(key.0);
        }
    }

    fn advance(&mut self, step: Step) {
        let tick = self.tick(step);
        let want = if self.model.is_manual() { OK } else { CLOCK };
        assert_eq!(self.both(|h| h.advance(tick)), want);
        if want == OK {
            self.model.advanced(tick);
        }
    }

    /// What is written by either handle is read by the other, and time continues by what passed meanwhile.
    fn restore(&mut self, step: Step) {
        let [one, other] = [self.pair[0].snapshot(), self.pair[1].snapshot()];
        assert!(!self.is_exact() || one == other, "the bytes of both handles");
        let passed = if self.model.is_manual() { self.tick(step).saturating_sub(self.model.clock) } else { 0 };
        let passed = i64::try_from(passed).unwrap_or(i64::MAX);
        let load = |verbs, bytes: &[u8], passed| Owned::load(verbs, bytes, passed, &self.model.load_options());
        assert_eq!(load(&FILTER, &one, -1).0, ELAPSED);
        let verbs = [0, 1].map(|i| self.pair[i].verbs);
        let [(status, first), (again, second)] = [load(verbs[0], &other, passed), load(verbs[1], &one, passed)];
        assert_eq!((status, again), (self.model.load_status(passed), self.model.load_status(passed)));
        let alone = load(&FILTER, &one, passed);
        assert_eq!(alone.0, status, "an unshared handle, whatever wrote the bytes");
        if status == OK {
            self.pair = [first, second];
            self.divide();
            self.model.restored(passed);
            self.ask_alone(&alone.1);
        }
    }

    /// The promises of some keys, of a handle apart from both.
    fn ask_alone(&mut self, handle: &Owned) {
        let (keys, stats) = (self.model.keys(), handle.stats());
        for key in keys.iter().copied().step_by(1 + keys.len() / MOST_ASKED) {
            let must = self.model.must(key, None, &stats);
            self.judge(
                Verb::Contains,
                Key(key),
                handle.one(Verb::Contains, &Key(key).bytes(), None),
                self.model.status_at(None),
                must,
            );
        }
    }

    fn hash(&mut self, key: Key) {
        let bytes = key.bytes();
        let (status, hash) = self.both(|h| h.hash(&bytes));
        let want =
            if self.model.is_keyed() { (UNSUPPORTED, 0) } else { (OK, abi::hash64(&bytes, self.model.options.seed)) };
        assert_eq!((status, hash), want);
    }

    fn secret(&mut self) {
        let want = if self.model.is_keyed() { (OK, (0, 1)) } else { (UNSUPPORTED, (0, 0)) };
        assert_eq!(self.both(Owned::secret), want);
    }

    fn bad(&mut self, which: u8) {
        let (have, want) = self.both(|h| h.spoiled(which));
        assert_eq!(have, want, "bad call {which}");
        self.expect_unchanged();
    }

    /// The promises at one tick, of keys spread over all of them, and each at the edge of its own window.
    fn ask_all(&mut self, step: Step) {
        let at = self.model.is_manual().then(|| self.tick(step));
        let keys = self.model.keys();
        let last = keys.iter().copied().find(|&key| self.model.is_last_of_window(key));
        for key in keys.iter().copied().step_by(1 + keys.len() / MOST_ASKED).chain(last) {
            self.ask(key, at);
            self.model.edge(key).into_iter().for_each(|edge| self.ask(key, Some(edge)));
        }
    }

    fn ask(&mut self, key: u16, at: Option<u64>) {
        let told = self.model.status_at(at);
        let must = self.model.must(key, at, &self.stats);
        let answer = self.both(|h| h.one(Verb::Contains, &Key(key).bytes(), at));
        self.judge(Verb::Contains, Key(key), answer, told, must);
    }
}

/// What one key is given as.
#[derive(Clone, Copy)]
enum As {
    Bytes,
    Hash,
}

impl Owned {
    /// The keys in this form; hashes are those that the handle itself makes.
    fn batch(&self, verb: Verb, keys: &[Option<Key>], ticks: Option<&[u64]>, form: Form) -> Answers {
        let keys_of: Vec<Vec<u8>> = keys.iter().map(|key| key.map_or(b"absent".to_vec(), Key::bytes)).collect();
        let (n, many) = (keys.len(), |keys: Keys<'_>| self.many(verb, &keys, ticks, keys_of.len()));
        let mut ends = vec![0u64];
        keys_of.iter().for_each(|key| ends.push(ends[ends.len() - 1] + u64::try_from(key.len()).expect("a short key")));
        let bytes = keys_of.concat();
        match form {
            Form::Bytes => many(Keys::Bytes(&bytes, &ends)),
            Form::Hashes => many(Keys::Hashes(&keys_of.iter().map(|key| self.hash(key).1).collect::<Vec<_>>())),
            Form::Numbers => {
                let number = |key: &Vec<u8>| u64::from_le_bytes(key[..].try_into().expect("8 bytes"));
                many(Keys::Numbers(&keys_of.iter().map(number).collect::<Vec<_>>()))
            }
            Form::Slices => many(Keys::Slices(&keys_of.iter().map(|key| RawSlice::of(key)).collect::<Vec<_>>())),
            Form::Column => {
                let small: Vec<i32> = ends.iter().map(|&end| i32::try_from(end).expect("a short batch")).collect();
                // A bitmap that begins at a bit of its own for every number of keys.
                let mut bits = vec![0u8; n / 4 + 1];
                (0..n).filter(|&i| keys[i].is_some()).for_each(|i| bits[(n % 8 + i) / 8] |= 1 << ((n % 8 + i) % 8));
                many(Keys::Column(&RawKeys {
                    data: bytes.as_ptr().cast(),
                    data_len: bytes.len(),
                    offsets: if verb == Verb::Insert { ends.as_ptr().cast() } else { small.as_ptr().cast() },
                    validity: bits.as_ptr(),
                    validity_offset: n % 8,
                    form: if verb == Verb::Insert { 4 } else { 3 },
                    ..RawKeys::init()
                }))
            }
        }
    }
}
