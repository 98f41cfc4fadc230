//! The window table in traffic that is never steady, compared with an exact map: time and memory, stretch by stretch.
//!
//! The subjects alternate every fortieth of a window, in a random order, and the time is that of the thread. `LATELY_ONLY=words` runs the
//! traffics whose name contains them.

#[allow(dead_code, reason = "what the tests use besides")]
#[path = "../../tests/common/num.rs"]
mod num;
#[allow(dead_code, reason = "what the tests use besides")]
#[path = "../../tests/common/rng.rs"]
mod rng;
mod row;
#[path = "../../tests/suite/elastic/stream.rs"]
mod stream;
mod subjects;
#[path = "../../tests/suite/elastic/traffics.rs"]
mod traffics;

use std::hint::black_box;

use crate::{Effort, cpu};
use num::{real, wide};
use rng::Rng;
use row::{Figures, Row};
use stream::{Stream, Traffic};
use subjects::{Exact, Stretch, Subject, Table};

/// What the registry calls this table.
pub(crate) const TITLE: &str = "traffic beside exact state";

const RATES: [f64; 2] = [1e-3, 1e-6];

/// A stretch in windows, and its least sightings as a part of the size.
const STRETCH: f64 = 1.0 / 40.0;
const LEAST: u64 = 400;

/// The subjects in one traffic.
struct Race {
    exact: Exact,
    filters: Vec<(&'static str, Box<dyn Subject>)>,
    missed: u64,
    false_duplicates: u64,
    fresh: u64,
    rng: Rng,
}

impl Race {
    fn new(error_rate: f64) -> Self {
        let table = |in_batches| -> Box<dyn Subject> { Box::new(Table::new(error_rate, in_batches)) };
        let filters = vec![("single calls", table(false)), ("batches", table(true))];
        Self { exact: Exact::default(), filters, missed: 0, false_duplicates: 0, fresh: 0, rng: Rng(1) }
    }

    fn subject(&mut self, place: usize) -> &mut dyn Subject {
        if place == 0 { &mut self.exact } else { &mut *self.filters[place - 1].1 }
    }

    /// A new order for each stretch: the subject that runs after the map finds no warm cache.
    fn order(&mut self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..=self.filters.len()).collect();
        for last in (1..order.len()).rev() {
            order.swap(last, num::index(self.rng.below(wide(last) + 1)));
        }
        order
    }

    /// Each subject in turn.
    fn run(&mut self, stretch: &Stretch) -> Figures {
        let order = self.order();
        let subjects = order.len();
        let mut nanoseconds = vec![0.0; subjects];
        for place in order {
            let subject = self.subject(place);
            let start = cpu::nanoseconds();
            subject.run(black_box(stretch));
            nanoseconds[place] = cpu::nanoseconds() - start;
        }
        self.compare();
        let bytes = (0..subjects).map(|place| self.subject(place).bytes()).collect();
        Figures { at: stretch.at, live: self.exact.live(), sightings: wide(stretch.keys.len()), nanoseconds, bytes }
    }

    fn compare(&mut self) {
        let exact = self.exact.found();
        for (_, filter) in &self.filters {
            for (&exact, found) in exact.iter().zip(filter.found()) {
                self.fresh += u64::from(!exact);
                self.missed += u64::from(exact && !found);
                self.false_duplicates += u64::from(!exact && found);
            }
        }
    }

    /// Ends the run if the answers are not what was promised. No traffic brings a key again between the window and a
    /// generation more, where either answer would be right.
    fn check(&self, name: &str, error_rate: f64) {
        assert_eq!(self.missed, 0, "{name}: no key of the window is missed");
        let expected = real(self.fresh) * error_rate;
        let most = expected + 6.0 * expected.sqrt() + 6.0;
        assert!(real(self.false_duplicates) <= most, "{name}: {} false, at most {most:.0}", self.false_duplicates);
    }
}

fn race(traffic: Traffic, size: u64, repeats: f64, error_rate: f64) -> Row {
    let name = format!("{}, {repeats:.1} repeats, {error_rate:e}", traffic.name);
    let mut race = Race::new(error_rate);
    let mut stream = Stream::new(traffic, size, repeats);
    let least = num::index((size / LEAST).max(64));
    let mut figures = Vec::new();
    while let Some(stretch) = Stretch::next(&mut stream, STRETCH, least) {
        figures.push(race.run(&stretch));
    }
    race.check(&name, error_rate);
    let subjects = std::iter::once("map").chain(race.filters.iter().map(|(name, _)| *name)).collect();
    Row { traffic, size, name, subjects, figures }
}

/// Every traffic at every size.
pub(crate) fn table(effort: &Effort) {
    let words = std::env::var("LATELY_ONLY").unwrap_or_default();
    for &size in &effort.traffics {
        Row::print_head(size);
        for traffic in traffics::TRAFFICS.into_iter().filter(|traffic| traffic.name.contains(&words)) {
            for &repeats in traffic.keys.shares() {
                RATES.iter().for_each(|&rate| race(traffic, size, repeats, rate).print());
            }
        }
    }
    println!(
        "bits a live key, peak and median, where a twentieth of the size is live; nanoseconds of a sighting; times of \
         the thread over the map's: mean, first window, last window, worst stretch of a fortieth of a window; {} keys a batch",
        wide(subjects::BATCH)
    );
}
