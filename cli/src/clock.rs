//! The rules of the records' own time: what is late, what is refused, when a gap is real, and when it is the clock that is
//! wrong.
//!
//! The clock is the latest time of any record taken. One record can move it where no other will follow: one that is ahead
//! of the wall clock too is refused. One far ahead that is not may be the next of a sparse stream, or a mistake: it is
//! judged at its time, and the next record decides whether the clock follows. Where that could not be known (the first
//! record, a step that was allowed) a row of records far below the clock shows it, and is reported.

use crate::args::Late;

/// Records in a row that show what one alone does not: refused ones that a gap is real, ones below the window that the
/// clock is wrong.
const IN_A_ROW: u32 = 100;

/// What happens to a record at its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ruling {
    /// It is judged: at its own time, or at the clock if it is later than allowed.
    Take,
    /// Older than the clock by more than the window and the lateness, and such records are not to be judged.
    TooLate,
    /// Further ahead of the clock than allowed, by this many nanoseconds.
    Refuse(u64),
    /// Far ahead of the clock, and not of the wall clock: it is judged, and the clock stays until the next record decides.
    Far,
    /// The record far ahead was right: the filter takes it in at this time, and then this one is asked about again.
    Follow(u64),
    /// The record far ahead was a mistake: it is forgotten, and then this one is asked about again.
    Stray,
    /// The refused records were right: the filter goes to this time, and then the record is asked about again.
    Gap(u64),
    /// The clock was wrong: the filter is emptied, and then the record is asked about again.
    Reset,
}

/// Who moved the clock where it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mover {
    /// A record of an earlier run.
    State,
    /// The record on this line of this file, counted from 0.
    Record { file: usize, line: u64 },
}

/// What the user must know of the clock, when it happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Event {
    /// A row of records lies below the clock by more than the window. Reported once.
    Behind { clock: u64, mover: Mover, line: u64 },
    /// The filter was emptied for that reason.
    Reset { clock: u64, mover: Mover, line: u64 },
    /// The first record leads the clock of the state by more than the window.
    Jump { ahead: u64, line: u64 },
    /// A record was far ahead of the clock by this much, and the next one is not.
    Stray { ahead: u64, mover: Mover },
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// Below the clock by more than is allowed; those too late among them.
    pub(crate) late: u64,
    pub(crate) too_late: u64,
    /// How far the latest of all was below the clock.
    pub(crate) max_lateness: u64,
    pub(crate) refused: u64,
    /// Far ahead of the clock, where the next record was not.
    pub(crate) strays: u64,
    pub(crate) gaps: u64,
    pub(crate) resets: u64,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Rules {
    pub(crate) window: u64,
    /// How far below the clock a record is judged at its own time.
    pub(crate) lateness: u64,
    pub(crate) late: Late,
    /// How far a record may lead the clock; 0 is no limit.
    pub(crate) max_step: u64,
    /// Whether that was asked for: then it binds the first record behind a state too, whatever the wall clock is.
    pub(crate) is_asked: bool,
    /// Whether the filter is emptied when the clock is wrong.
    pub(crate) resets: bool,
    /// Whether times are the records' own, and can be wrong.
    pub(crate) can_err: bool,
}

pub(crate) struct Clock {
    rules: Rules,
    /// Where it is; nothing before the first record.
    pub(crate) now: Option<u64>,
    mover: Mover,
    /// Whether no record of this run was taken or refused yet.
    is_first: bool,
    /// Refused records since one was taken, and the least of their times.
    ahead: (u32, u64),
    /// Records too late since one was not.
    behind: u32,
    told: bool,
    pub(crate) counts: Counts,
    pub(crate) events: Vec<Event>,
    pub(crate) file: usize,
    /// The clock of this machine, if it is read.
    pub(crate) wall: u64,
    /// The record far ahead that waits for the next one, and where it is.
    far: Option<(u64, Mover)>,
}

const NONE_AHEAD: (u32, u64) = (0, u64::MAX);

impl Clock {
    /// The clock of a new filter, or of a loaded one, at `now`.
    pub(crate) fn new(rules: Rules, now: Option<u64>) -> Self {
        Self {
            rules,
            now,
            mover: Mover::State,
            is_first: true,
            ahead: NONE_AHEAD,
            behind: 0,
            told: false,
            counts: Counts::default(),
            events: Vec::new(),
            file: 0,
            wall: 0,
            far: None,
        }
    }

    /// The time of the record far ahead that waits for the next one.
    pub(crate) fn far(&self) -> Option<u64> {
        self.far.map(|(time, _)| time)
    }

    /// An earlier run ended with such a record.
    pub(crate) fn wait_for_next(&mut self, time: u64) {
        self.far = Some((time, Mover::State));
    }

    /// What the clock was is forgotten with the filter.
    pub(crate) fn restart(&mut self) {
        (self.now, self.far) = (None, None);
    }

    /// What becomes of the record on `line`, whose time this is.
    #[inline]
    pub(crate) fn rule(&mut self, time: u64, line: u64) -> Ruling {
        if let Some((far, mover)) = self.far.take() {
            return self.decide(far, mover, time);
        }
        match self.now {
            Some(now) if time < now => self.below(now, time, line),
            Some(now) if self.rules.can_err && time - now > self.rules.window.min(self.step()) => {
                self.far_ahead(now, time, line)
            }
            _ => self.take(time, line),
        }
    }

    /// The record behind one far ahead has come.
    fn decide(&mut self, far: u64, mover: Mover, time: u64) -> Ruling {
        if time < far {
            let ahead = far.saturating_sub(self.now.unwrap_or(far));
            self.events.push(Event::Stray { ahead, mover });
            self.counts.strays += 1;
            return Ruling::Stray;
        }
        (self.now, self.mover) = (Some(far), mover);
        (self.behind, self.ahead) = (0, NONE_AHEAD);
        Ruling::Follow(far)
    }

    fn step(&self) -> u64 {
        if self.rules.max_step > 0 { self.rules.max_step } else { u64::MAX }
    }

    #[inline]
    fn take(&mut self, time: u64, line: u64) -> Ruling {
        if self.now.is_none_or(|now| time > now) {
            (self.now, self.mover) = (Some(time), Mover::Record { file: self.file, line });
        }
        (self.is_first, self.behind, self.ahead) = (false, 0, NONE_AHEAD);
        Ruling::Take
    }

    fn below(&mut self, now: u64, time: u64, line: u64) -> Ruling {
        let lateness = now - time;
        self.counts.max_lateness = self.counts.max_lateness.max(lateness);
        if lateness > self.rules.window.max(self.rules.lateness) {
            return self.too_late(now, line);
        }
        self.counts.late += u64::from(lateness > self.rules.lateness);
        self.take(time, line)
    }

    fn too_late(&mut self, now: u64, line: u64) -> Ruling {
        self.behind += 1;
        if self.behind >= IN_A_ROW && self.clock_is_wrong(now, line) {
            return Ruling::Reset;
        }
        (self.counts.late, self.counts.too_late) = (self.counts.late + 1, self.counts.too_late + 1);
        (self.is_first, self.ahead) = (false, NONE_AHEAD);
        if self.rules.late == Late::Keep { Ruling::Take } else { Ruling::TooLate }
    }

    /// Says so, and whether the clock begins again.
    fn clock_is_wrong(&mut self, clock: u64, line: u64) -> bool {
        let mover = self.mover;
        if self.rules.resets {
            self.events.push(Event::Reset { clock, mover, line });
            self.counts.resets += 1;
            (self.now, self.behind) = (None, 0);
        } else if !self.told {
            self.events.push(Event::Behind { clock, mover, line });
            self.told = true;
        }
        self.rules.resets
    }

    /// One record ahead of both clocks is a mistake of its writer; the one after a hundred of them shows a gap. The first
    /// of a run that resumes from a saved state is accepted: the run cannot know how long the pause was.
    fn far_ahead(&mut self, now: u64, time: u64, line: u64) -> Ruling {
        let (ahead, is_pause) = (time - now, self.is_first && self.mover == Mover::State);
        if is_pause && ahead > self.rules.window {
            self.events.push(Event::Jump { ahead, line });
        }
        if ahead <= self.step() || (is_pause && !self.rules.is_asked) {
            return self.take(time, line);
        }
        self.is_first = false;
        if !self.rules.is_asked && time <= self.wall.saturating_add(self.step()) {
            self.far = Some((time, Mover::Record { file: self.file, line }));
            return Ruling::Far;
        }
        let (count, least) = self.ahead;
        if count == IN_A_ROW {
            (self.now, self.mover) = (Some(least), Mover::Record { file: self.file, line });
            (self.ahead, self.counts.gaps) = (NONE_AHEAD, self.counts.gaps + 1);
            return Ruling::Gap(least);
        }
        self.ahead = (count + 1, least.min(time));
        self.counts.refused += 1;
        Ruling::Refuse(ahead)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: Rules = Rules {
        window: 10,
        lateness: 0,
        late: Late::Keep,
        max_step: 100,
        is_asked: false,
        resets: false,
        can_err: true,
    };

    fn clock() -> Clock {
        Clock::new(RULES, None)
    }

    #[test]
    fn a_record_taken_between_starts_the_count_again() {
        let mut clock = clock();
        for _ in 0..3 {
            clock.rule(50, 1);
            assert!((0..100).all(|_| clock.rule(1000, 2) == Ruling::Refuse(950)));
        }
        assert_eq!((clock.counts.refused, clock.counts.gaps), (300, 0));
    }

    #[test]
    fn a_gap_leads_to_the_least_time_only() {
        let mut clock = clock();
        assert_eq!([50, 150].map(|time| clock.rule(time, 1)), [Ruling::Take; 2]);
        clock.rule(251, 2);
        (0..99).for_each(|_| assert_eq!(clock.rule(1000, 3), Ruling::Refuse(850)));
        assert_eq!(clock.rule(1000, 4), Ruling::Gap(251));
        assert_eq!(clock.rule(1000, 4), Ruling::Refuse(749), "still ahead of 251 by more than 100");
    }

    /// The wall clock is at 5000: what is not ahead of it by more than a step can be true.
    fn with_wall() -> Clock {
        let mut clock = clock();
        clock.wall = 5000;
        clock
    }

    #[test]
    fn the_record_behind_one_far_ahead_decides() {
        let mut clock = with_wall();
        assert_eq!([50, 1000].map(|time| clock.rule(time, 1)), [Ruling::Take, Ruling::Far]);
        assert_eq!(clock.far(), Some(1000));
        // The same or a later time: the clock follows.
        assert_eq!(
            [1000, 1000, 1005].map(|time| clock.rule(time, 2)),
            [Ruling::Follow(1000), Ruling::Take, Ruling::Take]
        );
        // Below: a mistake, and the clock stays where it was.
        assert_eq!([3000, 1006, 1006].map(|time| clock.rule(time, 9)), [Ruling::Far, Ruling::Stray, Ruling::Take]);
        let mover = Mover::Record { file: 0, line: 9 };
        assert_eq!(clock.events, [Event::Stray { ahead: 1995, mover }]);
        // Below, and far ahead as well: the next one decides again.
        assert_eq!(
            [3000, 2000, 2000, 2001].map(|time| clock.rule(time, 9)),
            [Ruling::Far, Ruling::Stray, Ruling::Far, Ruling::Follow(2000)]
        );
        assert_eq!((clock.rule(2001, 9), clock.counts.strays, clock.counts.late), (Ruling::Take, 2, 0));
    }

    #[test]
    fn beyond_both_clocks_and_a_step_it_is_refused() {
        let ahead = |now, wall, time| {
            let mut clock = Clock::new(RULES, None);
            clock.rule(now, 1);
            clock.wall = wall;
            clock.rule(time, 2)
        };
        assert_eq!([ahead(50, 5000, 5100), ahead(50, 5000, 5101)], [Ruling::Far, Ruling::Refuse(5051)]);
        // A machine whose clock is at 1970, or behind the records: the records' own clock counts.
        assert_eq!([ahead(5000, 0, 5100), ahead(5000, 0, 5101)], [Ruling::Take, Ruling::Refuse(101)]);
        assert_eq!([ahead(5000, 4000, 5100), ahead(5000, 4000, 5101)], [Ruling::Take, Ruling::Refuse(101)]);
    }
}
