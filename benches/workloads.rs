//! The stream that every bench sees: 16-byte keys, half of them repeats, with the truth known by construction.
//!
//! Even positions bring a fresh key; odd ones repeat the key of an earlier even position, at most half a window
//! back. So nothing has to be remembered to know the answer: a fresh key is `New` and a repeat is `Duplicate`, except
//! the rates at which a subject may be wrong.

use lately::{Keys, Tick, Verdict};

/// Bytes of a key.
const KEY: usize = 16;

/// Keys with their ticks, and whether each was shown before.
#[derive(Default)]
pub(crate) struct Block {
    bytes: Vec<u8>,
    offsets: Vec<u64>,
    ticks: Vec<Tick>,
    shown: Vec<bool>,
}

impl Block {
    fn with_room(n: u64) -> Self {
        let mut block = Self::default();
        block.offsets.push(0);
        let n = usize::try_from(n).expect("a block fits into memory");
        block.bytes.reserve(n * KEY);
        block.offsets.reserve(n);
        block
    }

    fn push(&mut self, id: u64, tick: u64, shown: bool) {
        self.append(&key(id), Tick(tick), shown);
    }

    fn append(&mut self, key: &[u8], tick: Tick, shown: bool) {
        self.bytes.extend(key);
        self.offsets.push(u64::try_from(self.bytes.len()).expect("a length fits into 64 bits"));
        self.ticks.push(tick);
        self.shown.push(shown);
    }

    pub(crate) fn len(&self) -> usize {
        self.shown.len()
    }

    /// The keys dealt out to `hands` in turn, each hand's ticks divided by `slower`.
    pub(crate) fn dealt(&self, hands: u64, slower: u64) -> Vec<Self> {
        let mut dealt: Vec<Self> = (0..hands).map(|_| Self::with_room(0)).collect();
        let hands = dealt.len();
        for (i, ((key, tick), shown)) in self.singles().zip(&self.shown).enumerate() {
            dealt[i % hands].append(key, Tick(tick.0 / slower), *shown);
        }
        dealt
    }

    /// Every key with its tick.
    pub(crate) fn singles(&self) -> impl Iterator<Item = (&[u8], Tick)> {
        self.bytes.chunks_exact(KEY).zip(self.ticks.iter().copied())
    }

    /// The same in batches of `size`.
    pub(crate) fn batches(&self, size: usize) -> impl Iterator<Item = (Keys<'_>, &[Tick])> {
        self.ticks.chunks(size).enumerate().map(move |(i, ticks)| {
            let offsets = &self.offsets[i * size..=i * size + ticks.len()];
            (Keys::Bytes { bytes: &self.bytes, offsets }, ticks)
        })
    }
}

/// What a subject may be wrong about, at most.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Promise {
    /// The rate of fresh keys that are called duplicates.
    pub(crate) false_duplicates: f64,
    /// The rate of repeats within the window that are called new.
    pub(crate) missed: f64,
}

/// How the verdicts of blocks compare with the truth.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Tally {
    fresh: u32,
    repeats: u32,
    false_duplicates: u32,
    missed: u32,
}

impl Tally {
    /// Takes the verdicts of a block; of one that was answered without verdicts there is nothing to take.
    pub(crate) fn add(&mut self, block: &Block, verdicts: &[Verdict]) {
        assert!(verdicts.is_empty() || verdicts.len() == block.len(), "one verdict for each key");
        for (shown, verdict) in block.shown.iter().zip(verdicts) {
            self.fresh += u32::from(!shown);
            self.repeats += u32::from(*shown);
            self.false_duplicates += u32::from(!shown && verdict.is_duplicate());
            self.missed += u32::from(*shown && verdict.is_new());
        }
    }

    /// A fast wrong filter cannot win: neither error is more frequent than was promised.
    pub(crate) fn check(&self, name: &str, promise: Promise) {
        let (most_false, most_missed) =
            (most(self.fresh, promise.false_duplicates), most(self.repeats, promise.missed));
        assert!(f64::from(self.false_duplicates) <= most_false, "{name}: {self:?}, at most {most_false:.0} false");
        assert!(f64::from(self.missed) <= most_missed, "{name}: {self:?}, at most {most_missed:.0} missed");
    }
}

/// Six standard deviations above what `rate` makes of `cases`; nothing at all if the rate is 0.
fn most(cases: u32, rate: f64) -> f64 {
    let expected = f64::from(cases) * rate;
    if rate == 0.0 { 0.0 } else { expected + 6.0 * expected.sqrt() + 6.0 }
}

/// One sighting a tick, from tick 0, for a window of `window` ticks.
pub(crate) struct Stream {
    window: u64,
    /// Where the present filling began.
    start: u64,
    position: u64,
    questions: u64,
}

impl Stream {
    pub(crate) const fn new(window: u64) -> Self {
        Self { window, start: 0, position: 0, questions: 0 }
    }

    /// Sightings in that many quarters of a window, an even number from 2 on.
    pub(crate) fn even(&self, quarters: u64) -> u64 {
        (self.window * quarters / 4).next_multiple_of(2).max(2)
    }

    /// Blocks of `n` sightings in that many quarters of a window.
    pub(crate) const fn blocks(&self, quarters: u64, n: u64) -> u64 {
        (self.window * quarters / 4).div_ceil(n)
    }

    /// Whether `n` sightings more are beyond the window.
    pub(crate) const fn is_full(&self, n: u64) -> bool {
        self.position - self.start + n > self.window
    }

    /// No key of before will come again.
    pub(crate) const fn restart(&mut self) {
        self.start = self.position;
    }

    /// The next `n` sightings, an even number.
    pub(crate) fn sightings(&mut self, n: u64) -> Block {
        let mut block = Block::with_room(n);
        for at in (self.position..self.position + n).step_by(2) {
            block.push(at, at, false);
            block.push(self.earlier(at + 1, at + 1), at + 1, true);
        }
        self.position += n;
        block
    }

    /// The next `n` sightings, all of fresh keys.
    pub(crate) fn fresh(&mut self, n: u64) -> Block {
        let mut block = Block::with_room(n);
        (self.position..self.position + n).for_each(|at| block.push(at, at, false));
        self.position += n;
        block
    }

    /// `n` questions, an even number, at the present tick: by turns for a key that was never shown and for one of
    /// the last half window.
    pub(crate) fn questions(&mut self, n: u64) -> Block {
        const NEVER: u64 = 1 << 63;
        let mut block = Block::with_room(n);
        for question in (self.questions..self.questions + n).step_by(2) {
            block.push(NEVER | question, self.position, false);
            block.push(self.earlier(self.position, NEVER | question), self.position, true);
        }
        self.questions += n;
        block
    }

    /// A fresh key's position before `at`, about half a window back at most.
    fn earlier(&self, at: u64, draw: u64) -> u64 {
        let reach = (self.window / 2).clamp(1, at - self.start);
        (at - 1 - mix(draw) % reach) & !1
    }
}

/// The bytes of a key, with nothing in common with those of its neighbours.
fn key(id: u64) -> [u8; KEY] {
    let (low, high) = (mix(id), mix(id ^ 0x5851_F42D_4C95_7F2D));
    ((u128::from(high) << 64) | u128::from(low)).to_le_bytes()
}

/// A bijection of 64 bits that looks random.
fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}
