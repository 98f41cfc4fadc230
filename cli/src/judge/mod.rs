//! The filter behind the rules of time: keys gather, and are observed together.

mod claims;

use lately::{Age, Error, Filter, KeyHash, Keys, Stats, Tick, Verdict, hash64};

use crate::clock::{Clock, Counts as Times, Event, Ruling};
use crate::far::FarKey;
use crate::waiting::Figures;

/// Where a record is judged, which is known at once; the filter's verdict comes when the batch is finished.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ruled {
    Here,
    /// Far ahead of the clock, which does not go there yet.
    FarAhead,
    /// See [`Ruling`]: nowhere.
    TooLate,
    Refused(u64),
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) new: u64,
    pub(crate) duplicate: u64,
    /// New records whose work failed, where new records have work.
    pub(crate) failed: Option<u64>,
    pub(crate) waiting: Option<Figures>,
    pub(crate) times: Times,
}

/// The worst that samples of the filter's statistics have shown.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Extremes {
    pub(crate) reach: u64,
    pub(crate) error_rate: f64,
    /// Whether something had to be forgotten before its time.
    pub(crate) forgot: bool,
}

/// Keys that wait to be observed. A hash is all that a plain filter needs; the key itself is kept for one with a secret or a seed, and
/// for one that is asked about ages.
enum Waiting {
    Hashes(Vec<KeyHash>),
    Bytes { bytes: Vec<u8>, ends: Vec<u64> },
}

pub(crate) struct Judge {
    pub(crate) filter: Filter,
    /// There if the filter has a window of time.
    pub(crate) clock: Option<Clock>,
    waiting: Waiting,
    ticks: Vec<Tick>,
    pub(crate) verdicts: Vec<Verdict>,
    /// That of a record far ahead, which waits for the next one.
    far: Option<FarKey>,
    /// Of each verdict, if that is asked for.
    ages: Option<Vec<Option<Age>>>,
    counts: (u64, u64),
    extremes: Extremes,
    /// What had to be forgotten before this run.
    forgotten: u64,
    /// When there was a sample, in records, and when there is the next one, in new records.
    sampled: u64,
    next_sample: u64,
    /// The last sample, until it is asked for.
    sample: Option<Stats>,
}

/// New records from one sample of the statistics to the next, at least.
const SAMPLE_EVERY: u64 = 64;

/// A sample costs a million instructions where a filter is large, and its figures get worse with new keys alone: there is one whenever
/// these may have replaced a 16th of all.
const PARTS: u64 = 16;

impl Judge {
    pub(crate) fn new(filter: Filter, clock: Option<Clock>, window: Option<u64>, ages: bool) -> Self {
        let waiting = match filter.hash(b"") == Ok(plain_hash(b"")) && !ages {
            true => Waiting::Hashes(Vec::new()),
            false => Waiting::Bytes { bytes: Vec::new(), ends: vec![0] },
        };
        let extremes = Extremes { reach: window.unwrap_or(u64::MAX), error_rate: 0.0, forgot: false };
        Self {
            forgotten: filter.stats().forgotten,
            filter,
            clock,
            waiting,
            ticks: Vec::new(),
            verdicts: Vec::new(),
            far: None,
            ages: ages.then(Vec::new),
            counts: (0, 0),
            extremes,
            sampled: 0,
            next_sample: SAMPLE_EVERY,
            sample: None,
        }
    }

    pub(crate) fn begin(&mut self) {
        self.verdicts.clear();
        self.ages.iter_mut().for_each(Vec::clear);
    }

    /// Takes a key of the batch, at its time if the filter has one.
    #[inline]
    pub(crate) fn take(&mut self, key: &[u8], time: u64, line: u64) -> Result<Ruled, Error> {
        let ruled = self.rule(time, line)?;
        match ruled {
            Ruled::Here => self.push(key, time),
            Ruled::FarAhead => self.look_ahead(key, time)?,
            Ruled::TooLate | Ruled::Refused(_) => {}
        }
        Ok(ruled)
    }

    /// Where a record is judged, once the clock is where it has to be.
    #[inline]
    fn rule(&mut self, time: u64, line: u64) -> Result<Ruled, Error> {
        while let Some(clock) = &mut self.clock {
            match clock.rule(time, line) {
                Ruling::Take => break,
                Ruling::TooLate => return Ok(Ruled::TooLate),
                Ruling::Refuse(ahead) => return Ok(Ruled::Refused(ahead)),
                Ruling::Far => return Ok(Ruled::FarAhead),
                Ruling::Follow(to) => self.follow_far(Tick(to))?,
                Ruling::Stray => self.far = None,
                Ruling::Gap(to) => {
                    self.finish()?;
                    self.filter.advance(Tick(to))?;
                }
                Ruling::Reset => {
                    self.finish()?;
                    self.filter.clear();
                }
            }
        }
        Ok(Ruled::Here)
    }

    fn far_key(&self, key: &[u8]) -> FarKey {
        match &self.waiting {
            Waiting::Hashes(_) => FarKey::Hash(plain_hash(key)),
            Waiting::Bytes { .. } => FarKey::Bytes(key.to_vec()),
        }
    }

    /// Judges a record at a time to which the clock does not go yet.
    fn look_ahead(&mut self, key: &[u8], time: u64) -> Result<(), Error> {
        self.finish()?;
        let (verdict, age) = self.look(key, Tick(time))?;
        self.verdicts.push(verdict);
        self.ages.iter_mut().for_each(|ages| ages.push(age));
        let is_new = u64::from(verdict == Verdict::New);
        self.counts = (self.counts.0 + is_new, self.counts.1 + 1 - is_new);
        self.far = Some(self.far_key(key));
        Ok(())
    }

    fn look(&self, key: &[u8], time: Tick) -> Result<(Verdict, Option<Age>), Error> {
        if self.ages.is_none() {
            return Ok((self.filter.contains_at(key, time)?, None));
        }
        let age = self.filter.contains_age_at(key, time)?;
        Ok((if age.is_some() { Verdict::Duplicate } else { Verdict::New }, age))
    }

    /// The record far ahead was right: it is in the filter from now on.
    fn follow_far(&mut self, time: Tick) -> Result<(), Error> {
        self.filter.advance(time)?;
        match self.far.take() {
            Some(FarKey::Hash(hash)) => self.filter.observe_hash_at(hash, time).map(drop),
            Some(FarKey::Bytes(key)) => self.filter.observe_at(&key, time).map(drop),
            None => Ok(()),
        }
    }

    /// The record far ahead that waits for the next one, as a state keeps it.
    pub(crate) fn far(&self) -> Option<String> {
        let time = self.clock.as_ref().and_then(Clock::far)?;
        self.far.as_ref().and_then(|key| key.written(time))
    }

    /// That of the state, which waits for the first record of this run.
    pub(crate) fn wait_for_next(&mut self, far: &str) {
        if let (Some((time, key)), Some(clock)) = (FarKey::read(far), &mut self.clock) {
            clock.wait_for_next(time);
            self.far = Some(key);
        }
    }

    /// Empties the filter: it continues from any time.
    pub(crate) fn restart(&mut self) {
        self.filter.clear();
        self.far = None;
        self.clock.iter_mut().for_each(Clock::restart);
    }

    /// Takes a key that is observed. That of a record which came together with the last one is, if that one was.
    #[inline]
    pub(crate) fn push(&mut self, key: &[u8], time: u64) {
        if self.clock.is_some() {
            self.ticks.push(Tick(time));
        }
        match &mut self.waiting {
            Waiting::Hashes(hashes) => hashes.push(plain_hash(key)),
            Waiting::Bytes { bytes, ends } => {
                bytes.extend_from_slice(key);
                ends.push(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
            }
        }
    }

    pub(crate) fn finish(&mut self) -> Result<(), Error> {
        let first = self.verdicts.len();
        if self.ages.is_some() {
            self.observe_ages()?
        } else {
            self.observe()?
        }
        self.waiting.clear();
        self.ticks.clear();
        let duplicates = self.verdicts[first..].iter().filter(|verdict| verdict.is_duplicate()).count();
        let duplicates = u64::try_from(duplicates).unwrap_or(u64::MAX);
        let all = u64::try_from(self.verdicts.len() - first).unwrap_or(u64::MAX);
        self.counts = (self.counts.0 + all - duplicates, self.counts.1 + duplicates);
        if self.counts.0 >= self.next_sample {
            self.sample();
        }
        Ok(())
    }

    fn observe(&mut self) -> Result<(), Error> {
        let (first, n) = (self.verdicts.len(), self.waiting.keys().len());
        self.verdicts.resize(first + n, Verdict::New);
        let ticks = self.clock.as_ref().map(|_| &self.ticks[..]);
        let observed = self.filter.observe_batch(self.waiting.keys(), ticks, &mut self.verdicts[first..]);
        observed.map_err(|stopped| stopped.error)
    }

    /// Ages are reported one by one.
    fn observe_ages(&mut self) -> Result<(), Error> {
        let Waiting::Bytes { bytes, ends } = &self.waiting else { return Ok(()) };
        for (i, pair) in ends.windows(2).enumerate() {
            let [begin, end] = [pair[0], pair[1]].map(|at| usize::try_from(at).unwrap_or(usize::MAX));
            let key = &bytes[begin..end];
            let (verdict, age) = match self.ticks.get(i) {
                Some(&tick) => self.filter.observe_age_at(key, tick)?,
                None => self.filter.observe_age(key)?,
            };
            self.verdicts.push(verdict);
            self.ages.iter_mut().for_each(|ages| ages.push(age));
        }
        Ok(())
    }

    /// Verdict `i` of the batch, and the age if that is asked for.
    #[inline]
    pub(crate) fn verdict(&self, i: usize) -> (Verdict, Option<Age>) {
        (self.verdicts[i], self.ages.as_ref().and_then(|ages| ages[i]))
    }

    pub(crate) fn now(&self) -> Option<u64> {
        self.clock.as_ref().and_then(|clock| clock.now)
    }

    /// What happened to the clock since the last call.
    pub(crate) fn events(&mut self) -> Vec<Event> {
        self.clock.as_mut().map(|clock| std::mem::take(&mut clock.events)).unwrap_or_default()
    }

    pub(crate) fn counts(&self) -> Counts {
        let times = self.clock.as_ref().map(|clock| clock.counts).unwrap_or_default();
        Counts { new: self.counts.0, duplicate: self.counts.1, failed: None, waiting: None, times }
    }

    fn sample(&mut self) -> Stats {
        self.sampled = self.counts.0 + self.counts.1;
        let stats = self.filter.stats();
        self.next_sample = self.counts.0 + SAMPLE_EVERY.max(stats.items / PARTS);
        self.extremes.reach = self.extremes.reach.min(stats.reach_ns);
        self.extremes.error_rate = self.extremes.error_rate.max(stats.error_rate);
        self.extremes.forgot |= stats.forgotten > self.forgotten;
        self.sample = Some(stats);
        stats
    }

    /// The statistics and the worst so far, if there is a new sample; with a pause there always is.
    #[inline]
    pub(crate) fn news(&mut self, is_pause: bool) -> Option<(Stats, Extremes)> {
        if is_pause && self.counts.0 + self.counts.1 > self.sampled {
            self.sample();
        }
        self.sample.take().map(|stats| (stats, self.extremes))
    }

    /// The filter's present statistics, and the worst so far.
    pub(crate) fn stats(&mut self) -> (Stats, Extremes) {
        (self.sample(), self.extremes)
    }
}

/// The hash of a filter that has no secret, nor a seed, which a state can have.
#[inline]
fn plain_hash(key: &[u8]) -> KeyHash {
    KeyHash(hash64(key, 0))
}

impl Waiting {
    fn keys(&self) -> Keys<'_> {
        match self {
            Self::Hashes(hashes) => Keys::Hashes(hashes),
            Self::Bytes { bytes, ends } => Keys::Bytes { bytes, offsets: ends },
        }
    }

    fn clear(&mut self) {
        match self {
            Self::Hashes(hashes) => hashes.clear(),
            Self::Bytes { bytes, ends } => {
                bytes.clear();
                ends.truncate(1);
            }
        }
    }
}
