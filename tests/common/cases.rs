//! Small filters of every kind and variant, and a stream that fits each: what the tests of snapshots go through.

use lately::{ClockSource, Error, Filter, Kind, OnLimit, Options, Repeat, SharedFilter, Tick, Variant, Verdict};

use super::SECOND;
use super::rng::Rng;

/// A filter and how it is used.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) options: Options,
    /// Whether it takes ticks.
    pub(crate) ticks: bool,
    /// Whether it can remove.
    pub(crate) removes: bool,
    /// How many keys the stream has to choose from.
    pub(crate) keys: u64,
}

/// The secret of those that are keyed.
pub(crate) const SECRET: (u64, u64) = (0x0123_4567_89AB_CDEF, 0xFEDC_BA98_7654_3210);

impl Case {
    fn new(name: &'static str, options: Options) -> Self {
        let removes = name.contains("removable");
        Self { name, options, ticks: name.starts_with("time"), removes, keys: 400 }
    }

    pub(crate) fn build(&self) -> Filter {
        Filter::new(&self.options).unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }

    /// What it takes to load it.
    pub(crate) fn load_options(&self, elapsed: std::time::Duration) -> lately::LoadOptions {
        let options = lately::LoadOptions::new(elapsed);
        if self.name.contains("keyed") { options.secret(SECRET.0, SECRET.1) } else { options }
    }

    /// Loads it after no time.
    pub(crate) fn load(&self, bytes: &[u8]) -> Filter {
        Filter::load(bytes, &self.load_options(std::time::Duration::ZERO))
            .unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }
}

/// The window of those that have time.
pub(crate) const WINDOW: u64 = 10 * SECOND;

/// Every kind and variant.
pub(crate) fn cases() -> Vec<Case> {
    let timed = || Options::new(Kind::TimeLimited).window_ns(WINDOW).clock(ClockSource::Manual).error_rate(0.05);
    let recent = |keys| Options::age_partitioned(keys).error_rate(0.05);
    let set = || Options::tiny_set(150).error_rate(0.05);
    let table = || Options::new(Kind::WindowTable).error_rate(0.05);
    let tables = || table().window_ns(WINDOW).clock(ClockSource::Manual);
    let rows = |variant, k, s| Options::quotient(128).variant(variant).k(k).fingerprint_bits(s);
    vec![
        Case::new("time_limited", timed()),
        Case::new("time_limited_keep_first", timed().repeat(Repeat::KeepFirst).capacity(100).max_step_ns(WINDOW)),
        Case::new("time_limited_memory", timed().memory(160)),
        Case::new("time_limited_raise", timed().memory(160).on_limit(OnLimit::RaiseErrorRate)),
        Case::new("time_limited_keyed", timed().keyed(true).secret(SECRET.0, SECRET.1)),
        Case::new("time_limited_papers", timed_with_pair()),
        Case::new("age_partitioned", recent(100)),
        Case::new("age_partitioned_keep_first", recent(64).repeat(Repeat::KeepFirst).seed(9)),
        Case::new("age_partitioned_spare_columns", recent(100).k(3).l(9)),
        Case::new("age_partitioned_wide", Options::age_partitioned(60).k(1).l(40).fill(0.2)),
        Case::new("age_partitioned_keyed", recent(100).keyed(true).secret(SECRET.0, SECRET.1)),
        Case::new("tiny_set", set()),
        Case::new("tiny_set_small_blocks", set().block_bytes(32)),
        Case::new("tiny_set_removable", set().removable(true)),
        Case::new("tiny_set_removable_small_blocks", set().removable(true).block_bytes(32).seed(3)),
        Case::new("tiny_set_overfull", Options::tiny_set(20).error_rate(0.05)),
        Case::new("quotient_qht", rows(Variant::Qht, 4, 7)),
        Case::new("quotient_qhtd", rows(Variant::Qhtd, 5, 6)),
        Case::new("quotient_qqht", rows(Variant::Qqht, 8, 8)),
        Case::new("quotient_qqhtd", rows(Variant::Qqhtd, 3, 9)),
        Case::new("quotient_long_rows", rows(Variant::Qqhtd, 40, 7)),
        Case::new("quotient_long_rows_of_words", rows(Variant::Qqht, 16, 8)),
        Case::new("quotient_long_rows_unordered", rows(Variant::Qhtd, 30, 5)),
        Case::new("quotient_sorted", rows(Variant::Qht, 4, 7).semi_sort(true)),
        Case::new("quotient_sorted_duplicates", rows(Variant::Qhtd, 6, 4).semi_sort(true)),
        Case::new("quotient_planned", Options::new(Kind::Quotient).window_keys(50).error_rate(0.05).miss_rate(0.01)),
        Case::new("window_table", table().window_keys(100)),
        Case::new("window_table_one", table().window_keys(1).age_bits(5)),
        Case::new("window_table_keep_first", table().window_keys(60).repeat(Repeat::KeepFirst).age_bits(4).seed(9)),
        Case::new("window_table_keyed", table().window_keys(100).keyed(true).secret(SECRET.0, SECRET.1)),
        Case::new("timed_window_table", tables()),
        Case::new(
            "timed_window_table_keep_first",
            tables().repeat(Repeat::KeepFirst).capacity(100).max_step_ns(WINDOW),
        ),
        Case::new("timed_window_table_memory", tables().memory(128)),
        Case::new("timed_window_table_raise", tables().memory(128).on_limit(OnLimit::RaiseErrorRate)),
        Case::new("timed_window_table_keyed", tables().age_bits(2).keyed(true).secret(SECRET.0, SECRET.1)),
        Case::new("quotient_keyed", rows(Variant::Qht, 4, 7).keyed(true).secret(SECRET.0, SECRET.1).seed(5)),
    ]
}

fn timed_with_pair() -> Options {
    Options::new(Kind::TimeLimited).window_ns(WINDOW).clock(ClockSource::Manual).k(4).l(3).fill(0.5).seed(77)
}

/// One step of a stream, drawn from a generator: the same generator, the same steps.
#[derive(Debug)]
pub(crate) struct Player {
    rng: Rng,
    now: u64,
}

/// What a step came to.
pub(crate) type Came = Result<Verdict, lately::Code>;

impl Player {
    pub(crate) fn new(seed: u64) -> Self {
        Self { rng: Rng(seed), now: 1000 * SECOND }
    }

    /// The same steps again.
    pub(crate) fn twin(&self) -> Self {
        Self { rng: Rng(self.rng.0), now: self.now }
    }

    /// Tells the clock that time went by.
    pub(crate) fn wait(&mut self, ns: u64) {
        self.now += ns;
    }

    /// Mostly observes, at times inserts, removes, asks, advances, or gives a late tick.
    pub(crate) fn step(&mut self, case: &Case, filter: &mut impl Handle) -> Came {
        let key = self.rng.below(case.keys).to_le_bytes();
        let (choice, gap) = (self.rng.below(40), self.rng.below(WINDOW / 40));
        self.now += if choice == 39 { 3 * WINDOW } else { gap };
        let tick = Tick(if choice == 38 { self.now - gap } else { self.now });
        let code = |error: Error| error.code();
        match choice {
            0..4 if case.removes => filter.remove(&key).map(verdict).map_err(code),
            4..7 if case.ticks => filter.insert_at(&key, tick).map(|()| Verdict::New).map_err(code),
            4..7 => filter.insert(&key).map(|()| Verdict::New).map_err(code),
            7..10 if case.ticks => filter.contains_at(&key, tick).map_err(code),
            7..10 => Ok(filter.contains(&key)),
            10 if case.ticks => filter.advance(tick).map(|()| Verdict::New).map_err(code),
            _ if case.ticks => filter.observe_at(&key, tick).map_err(code),
            _ => filter.observe(&key).map_err(code),
        }
    }
}

/// What a step does, for either handle.
pub(crate) trait Handle {
    fn observe(&mut self, key: &[u8]) -> Result<Verdict, Error>;
    fn observe_at(&mut self, key: &[u8], now: Tick) -> Result<Verdict, Error>;
    fn insert(&mut self, key: &[u8]) -> Result<(), Error>;
    fn insert_at(&mut self, key: &[u8], now: Tick) -> Result<(), Error>;
    fn contains(&mut self, key: &[u8]) -> Verdict;
    fn contains_at(&mut self, key: &[u8], now: Tick) -> Result<Verdict, Error>;
    fn remove(&mut self, key: &[u8]) -> Result<bool, Error>;
    fn advance(&mut self, now: Tick) -> Result<(), Error>;
    fn snapshot(&self) -> Vec<u8>;
}

macro_rules! handle {
    ($handle:ty) => {
        impl Handle for $handle {
            fn observe(&mut self, key: &[u8]) -> Result<Verdict, Error> {
                <$handle>::observe(self, key)
            }
            fn observe_at(&mut self, key: &[u8], now: Tick) -> Result<Verdict, Error> {
                <$handle>::observe_at(self, key, now)
            }
            fn insert(&mut self, key: &[u8]) -> Result<(), Error> {
                <$handle>::insert(self, key)
            }
            fn insert_at(&mut self, key: &[u8], now: Tick) -> Result<(), Error> {
                <$handle>::insert_at(self, key, now)
            }
            fn contains(&mut self, key: &[u8]) -> Verdict {
                <$handle>::contains(self, key)
            }
            fn contains_at(&mut self, key: &[u8], now: Tick) -> Result<Verdict, Error> {
                <$handle>::contains_at(self, key, now)
            }
            fn remove(&mut self, key: &[u8]) -> Result<bool, Error> {
                <$handle>::remove(self, key)
            }
            fn advance(&mut self, now: Tick) -> Result<(), Error> {
                <$handle>::advance(self, now)
            }
            fn snapshot(&self) -> Vec<u8> {
                let mut bytes = Vec::new();
                self.write_snapshot(&mut bytes).expect("a Vec takes all");
                bytes
            }
        }
    };
}

handle!(Filter);
handle!(SharedFilter);

fn verdict(removed: bool) -> Verdict {
    if removed { Verdict::Duplicate } else { Verdict::New }
}

/// The snapshot of a filter.
pub(crate) fn snapshot(filter: &impl Handle) -> Vec<u8> {
    filter.snapshot()
}
