//! The filter and the rules of time around it, if it has time: what is late, what is refused, and when a gap is real.

use lately::{Age, Code, Error, Filter, Tick, Verdict};

/// What is said of a record that has a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Judgement {
    New,
    Duplicate,
    /// Older than the clock by more than the window, and such records are to be left out: not observed.
    TooLate,
    /// Further ahead of the clock than allowed, by this many nanoseconds: not observed.
    Refused(u64),
}

/// What the judge has counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) new: u64,
    pub(crate) duplicate: u64,
    /// Below the clock; those too late among them.
    pub(crate) late: u64,
    pub(crate) too_late: u64,
    pub(crate) refused: u64,
    pub(crate) gaps: u64,
}

/// Refused records with none taken between, after which one more shows that the gap is real.
const GAP_AFTER: u32 = 100;

/// See the module.
#[derive(Debug)]
pub(crate) struct Judge {
    filter: Filter,
    /// The window of time, if the filter has one; without it there is no clock and nothing is late.
    window: Option<u64>,
    drop_too_late: bool,
    /// The latest time that was taken, or that a gap led to.
    clock: u64,
    ahead: Ahead,
    pub(crate) counts: Counts,
    extremes: Extremes,
    /// Whether to ask how long ago a duplicate was seen.
    ages: bool,
    /// How long ago the last one was; nothing of other records.
    pub(crate) age: Option<Age>,
}

/// The refused records since one was last taken.
#[derive(Debug, Clone, Copy)]
struct Ahead {
    count: u32,
    least: u64,
}

const NONE_AHEAD: Ahead = Ahead { count: 0, least: u64::MAX };

impl Ahead {
    /// The least of the refused times, once there are enough to show a gap.
    fn shown(self) -> Option<u64> {
        (self.count == GAP_AFTER).then_some(self.least)
    }
}

/// The worst that samples of the filter's statistics have shown.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Extremes {
    pub(crate) reach: u64,
    pub(crate) error_rate: f64,
}

/// Records from one sample of the statistics to the next.
const SAMPLE_EVERY: u64 = 256;

impl Judge {
    pub(crate) fn new(filter: Filter, window: Option<u64>, drop_too_late: bool) -> Self {
        let reach = window.unwrap_or(u64::MAX);
        let (counts, extremes) = (Counts::default(), Extremes { reach, error_rate: 0.0 });
        let clock = filter.stats().clock.0;
        Self { filter, window, drop_too_late, clock, ahead: NONE_AHEAD, counts, extremes, ages: false, age: None }
    }

    /// The same, which asks of duplicates how long ago they were seen.
    pub(crate) fn with_ages(self, ages: bool) -> Self {
        Self { ages, ..self }
    }

    /// Judges a key, at its time if the filter has one.
    pub(crate) fn judge(&mut self, key: &[u8], time: u64) -> Result<Judgement, Error> {
        self.age = None;
        match self.window {
            Some(window) => self.judge_at(key, time, window),
            None => self.observe(key, None).map(|verdict| self.count(verdict)),
        }
    }

    /// The filter's verdict, and its age if that is asked for.
    fn observe(&mut self, key: &[u8], time: Option<Tick>) -> Result<Verdict, Error> {
        let (verdict, age) = match (time, self.ages) {
            (Some(time), false) => (self.filter.observe_at(key, time)?, None),
            (None, false) => (self.filter.observe(key)?, None),
            (Some(time), true) => self.filter.observe_age_at(key, time)?,
            (None, true) => self.filter.observe_age(key)?,
        };
        self.age = age;
        Ok(verdict)
    }

    fn judge_at(&mut self, key: &[u8], time: u64, window: u64) -> Result<Judgement, Error> {
        let behind = self.clock.saturating_sub(time);
        self.counts.late += u64::from(behind > 0);
        self.counts.too_late += u64::from(behind > window);
        if self.drop_too_late && behind > window {
            return Ok(Judgement::TooLate);
        }
        match self.observe(key, Some(Tick(time))) {
            Ok(verdict) => Ok(self.taken(verdict, time)),
            Err(error) if error.code() == Code::Tick => self.refuse(key, time),
            Err(error) => Err(error),
        }
    }

    fn taken(&mut self, verdict: Verdict, time: u64) -> Judgement {
        self.clock = self.clock.max(time);
        self.ahead = NONE_AHEAD;
        self.count(verdict)
    }

    fn count(&mut self, verdict: Verdict) -> Judgement {
        if (self.counts.new + self.counts.duplicate) % SAMPLE_EVERY == 0 {
            self.sample();
        }
        match verdict {
            Verdict::New => {
                self.counts.new += 1;
                Judgement::New
            }
            Verdict::Duplicate => {
                self.counts.duplicate += 1;
                Judgement::Duplicate
            }
        }
    }

    /// One record ahead of the clock is a mistake of its writer; the one after a hundred of them shows a gap. So does the
    /// first of a run that goes on with an earlier one's state: nobody knows how long the pause was.
    fn refuse(&mut self, key: &[u8], time: u64) -> Result<Judgement, Error> {
        let real = if self.is_first() { Some(time) } else { self.ahead.shown() };
        if let Some(clock) = real {
            self.filter.advance(Tick(clock))?;
            self.clock = clock;
            self.ahead = NONE_AHEAD;
            self.counts.gaps += 1;
            return self.judge(key, time);
        }
        self.ahead = Ahead { count: self.ahead.count + 1, least: self.ahead.least.min(time) };
        self.counts.refused += 1;
        Ok(Judgement::Refused(time - self.clock))
    }

    fn is_first(&self) -> bool {
        self.counts.new + self.counts.duplicate + self.counts.refused == 0
    }

    fn sample(&mut self) -> lately::Stats {
        let stats = self.filter.stats();
        self.extremes.reach = self.extremes.reach.min(stats.reach_ns);
        self.extremes.error_rate = self.extremes.error_rate.max(stats.error_rate);
        stats
    }

    pub(crate) fn filter(&self) -> &Filter {
        &self.filter
    }

    /// The filter's statistics as it stands, and the worst so far.
    pub(crate) fn stats(&mut self) -> (lately::Stats, Extremes) {
        (self.sample(), self.extremes)
    }
}

#[cfg(test)]
mod tests {
    use lately::{ClockSource, Kind, Options};

    use super::*;

    /// A window of 10 and steps of at most 100.
    fn judge(drop_too_late: bool) -> Judge {
        let options = Options::new(Kind::TimeLimited).clock(ClockSource::Manual).window_ns(10).max_step_ns(100);
        Judge::new(Filter::new(&options).unwrap(), Some(10), drop_too_late)
    }

    #[test]
    fn a_filter_without_time_has_nothing_late() {
        let options = Options::quotient(1 << 10);
        let mut judge = Judge::new(Filter::new(&options).unwrap(), None, true);
        let said: Vec<_> = [(b"a", 50), (b"a", 10)].map(|(key, time)| judge.judge(key, time).unwrap()).into();
        assert_eq!(said, [Judgement::New, Judgement::Duplicate]);
        assert_eq!(judge.counts, Counts { new: 1, duplicate: 1, ..Counts::default() });
    }

    #[test]
    fn late_is_judged_at_the_clock() {
        let mut judge = judge(false);
        let times = [(b"a", 50), (b"a", 45), (b"b", 40), (b"c", 39), (b"c", 60)];
        let said: Vec<_> = times.iter().map(|(key, time)| judge.judge(*key, *time).unwrap()).collect();
        use Judgement::{Duplicate, New};
        assert_eq!(said, [New, Duplicate, New, New, Duplicate]);
        assert_eq!((judge.counts.late, judge.counts.too_late), (3, 1));
    }

    #[test]
    fn too_late_can_be_left_out() {
        let mut judge = judge(true);
        assert_eq!(judge.judge(b"a", 50).unwrap(), Judgement::New);
        assert_eq!(judge.judge(b"b", 40).unwrap(), Judgement::New);
        assert_eq!(judge.judge(b"c", 39).unwrap(), Judgement::TooLate);
        assert_eq!(judge.judge(b"c", 50).unwrap(), Judgement::New, "it was not observed");
    }

    #[test]
    fn a_hundred_refused_and_one_more_make_a_gap() {
        let mut judge = judge(false);
        assert_eq!(judge.judge(b"a", 50).unwrap(), Judgement::New);
        for i in 0..100 {
            assert_eq!(judge.judge(b"a", 1100 - i).unwrap(), Judgement::Refused(1050 - i));
        }
        assert_eq!(judge.judge(b"a", 1101).unwrap(), Judgement::New);
        assert_eq!((judge.counts.refused, judge.counts.gaps, judge.clock), (100, 1, 1101));
        assert_eq!(judge.judge(b"a", 1202).unwrap(), Judgement::Refused(101));
    }

    #[test]
    fn a_record_taken_between_starts_the_count_again() {
        let mut judge = judge(false);
        for _ in 0..3 {
            judge.judge(b"a", 50).unwrap();
            for _ in 0..100 {
                assert_eq!(judge.judge(b"a", 1000).unwrap(), Judgement::Refused(950));
            }
        }
        assert_eq!((judge.counts.refused, judge.counts.gaps), (300, 0));
    }

    #[test]
    fn a_gap_leads_to_the_least_time_only() {
        let mut judge = judge(false);
        judge.judge(b"a", 50).unwrap();
        judge.judge(b"a", 151).unwrap();
        for _ in 0..99 {
            judge.judge(b"a", 1000).unwrap();
        }
        assert_eq!(judge.judge(b"a", 1000).unwrap(), Judgement::Refused(849), "still ahead of 151 by more than 100");
        assert_eq!((judge.counts.refused, judge.counts.gaps), (101, 1));
    }
}
