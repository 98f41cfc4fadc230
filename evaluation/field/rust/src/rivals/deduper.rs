//! Solana's `Deduper`: a Bloom filter of two hashes that is emptied when it is older than its cycle or too full. It reads the clock
//! itself. What was seen just before it is emptied is forgotten: it misses by design.

use std::time::Duration;

use lately_field::line::{Documented, Law};
use lately_field::rival::{Entry, Rival};
use lately_field::stream::Key;
use rand::rngs::ThreadRng;
use solana_perf::deduper::Deduper;

/// The bits and the rate that Solana's own programs use.
const BITS: u64 = 63_999_979;
const RATE: f64 = 0.001;

/// Keys between two looks at the clock, as there is one for each batch of packets.
const BATCH: u32 = 64;

struct Solana {
    deduper: Deduper<2, Key>,
    rng: ThreadRng,
    cycle: Duration,
    count: u32,
}

impl Solana {
    fn new(span: u64) -> Self {
        let mut rng = rand::thread_rng();
        Self { deduper: Deduper::new(&mut rng, BITS), rng, cycle: Duration::from_nanos(span), count: 0 }
    }

    /// Whether it was too full.
    fn reset(&mut self) -> bool {
        self.deduper.maybe_reset(&mut self.rng, RATE, self.cycle)
    }
}

impl Rival for Solana {
    fn observe(&mut self, key: &Key, _tick: u64) -> bool {
        self.count = (self.count + 1) % BATCH;
        if self.count == 0 {
            self.reset();
        }
        self.deduper.dedup(key)
    }
}

pub(crate) const ENTRY: Entry = Entry {
    name: "solana-deduper",
    version: || super::version_of("solana-perf"),
    base: "lately-1e-3-real",
    error: Some(RATE),
    misses: true,
    is_real: true,
    what: "solana_perf::deduper::Deduper of 63,999,979 bits, emptied at a rate of 0.001 or after a window",
    takes: |workload| workload.span > 0,
    build: |workload| Box::new(Solana::new(workload.span)),
    documented,
};

fn documented() -> Vec<Documented> {
    // So long that it is emptied when it is full.
    let mut deduper = Solana::new(3_600_000_000_000);
    let (mut keys, mut wrong) = (0_u32, 0_u32);
    while keys % BATCH != 0 || keys == 0 || !deduper.reset() {
        keys += 1;
        wrong += u32::from(deduper.deduper.dedup(&u64::from(keys).to_le_bytes()));
    }
    let figure = |what: &str, documented: f64, measured: f64, law: Law, slack: f64, source: &str| Documented {
        rival: ENTRY.name.to_owned(),
        what: what.to_owned(),
        unit: "keys".to_owned(),
        documented,
        measured,
        law,
        slack,
        source: source.to_owned(),
    };
    // 2,023,857 bits are set by n keys with two places each: 2 n = -m ln(1 - bits / m).
    let bits = 63_999_979.0_f64;
    let capacity = -bits * (1.0 - 2_023_857.0 / bits).ln() / 2.0;
    let source = "perf/src/deduper.rs: 2,023,857 set bits of 63,999,979 are a rate of 0.001";
    let rate = "perf/src/deduper.rs: emptied before the rate exceeds 0.001";
    vec![
        figure("keys until it is emptied", capacity, keys.into(), Law::About, 0.01 * capacity, source),
        figure("new keys called duplicates until then", RATE * f64::from(keys), wrong.into(), Law::AtMost, 0.0, rate),
    ]
}
