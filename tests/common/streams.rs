//! Seeded streams: the arrivals that a duplicate filter meets, and those that it hopes never to meet.

use super::rng::Rng;

/// One arrival.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Arrival {
    pub(crate) tick: u64,
    pub(crate) key: u64,
}

/// An endless mixture of everything the promise must survive: steady and Poisson arrivals, bursts of 1,000 at one
/// tick, rates x1000 up and down, idleness of 10 and 10,000 windows, ticks that step back, on/off, re-insertions.
#[derive(Debug)]
pub(crate) struct Wild {
    rng: Rng,
    window: u64,
    now: u64,
    fresh: u64,
    left: u64,
    moods: u64,
    mood: Mood,
}

#[derive(Debug, Clone, Copy)]
enum Mood {
    Steady(u64),
    Poisson(u64),
    Burst,
    /// Ticks up to two windows behind the clock.
    Back,
    /// Some keys together, then a pause.
    OnOff,
}

impl Wild {
    pub(crate) fn new(seed: u64, window: u64) -> Self {
        Self { rng: Rng(seed), window, now: seed % 1000, fresh: 0, left: 0, moods: 0, mood: Mood::Burst }
    }

    /// The usual gap: a thousand keys a window.
    fn gap(&self) -> u64 {
        (self.window / 1000).max(1)
    }

    fn change_mood(&mut self) {
        let gap = self.gap();
        // Each mood once, then any.
        self.moods += 1;
        let choice = if self.moods <= 10 { self.moods - 1 } else { self.rng.below(10) };
        let (mood, left, idle) = match choice {
            0 => (Mood::Burst, 1000, 0),
            1 => (Mood::Steady((gap / 1000).max(1)), 3000, 0),
            2 => (Mood::Steady(gap * 1000), 20, 0),
            3 => (Mood::Steady(gap), 100, 10),
            4 => (Mood::Poisson(gap), 100, 10_000),
            5 => (Mood::Back, 200, 0),
            6 => (Mood::OnOff, 1000, 0),
            7 => (Mood::Poisson(gap / 10 + 1), 2000, 0),
            8 => (Mood::Poisson(gap), 2000, 0),
            _ => (Mood::Steady(gap), 2000, 0),
        };
        self.mood = mood;
        self.left = left / 2 + self.rng.below(left);
        self.now += idle * self.window;
    }

    fn tick(&mut self) -> u64 {
        match self.mood {
            Mood::Steady(gap) => self.now += gap,
            Mood::Poisson(gap) => self.now += self.rng.gap(super::num::real(gap)),
            Mood::Burst => {}
            Mood::OnOff if self.left % 50 == 0 => self.now += self.window / 2,
            Mood::OnOff => self.now += self.window / 5000,
            Mood::Back => return self.now.saturating_sub(self.rng.below(2 * self.window + 1)),
        }
        self.now
    }

    /// Three in five are new, the rest come again: soon, or any time later.
    fn key(&mut self) -> u64 {
        let back = match self.rng.below(20) {
            0..12 => 0,
            12..16 => 1 + self.rng.below(20),
            16..19 => 1 + self.rng.below(2000),
            _ => 1 + self.rng.below(50_000),
        };
        if back == 0 || back > self.fresh {
            self.fresh += 1;
            return self.fresh - 1;
        }
        self.fresh - back
    }
}

impl Iterator for Wild {
    type Item = Arrival;

    fn next(&mut self) -> Option<Arrival> {
        if self.left == 0 {
            self.change_mood();
        }
        self.left -= 1;
        Some(Arrival { tick: self.tick(), key: self.key() })
    }
}

/// Fresh keys at a steady rate: `count` of them in every `window`, spread as evenly as whole ticks allow.
pub(crate) fn steady(start: u64, window: u64, count: u64) -> impl Iterator<Item = Arrival> {
    (0..).map(move |i| {
        let offset = u128::from(i) * u128::from(window) / u128::from(count);
        Arrival { tick: start + u64::try_from(offset).expect("a tick"), key: i }
    })
}

/// Fresh keys as a Poisson stream with `count` in a `window` on average.
pub(crate) fn poisson(seed: u64, window: u64, count: u64) -> impl Iterator<Item = Arrival> {
    let (mut rng, mut now) = (Rng(seed), 0.0);
    let mean = super::num::real(window) / super::num::real(count);
    (0..).map(move |key| {
        now -= rng.unit().ln() * mean;
        Arrival { tick: super::num::floor(now), key }
    })
}
