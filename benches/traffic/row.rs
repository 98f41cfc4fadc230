//! One traffic as a row of figures: bits a live key, and times over the map's.

use super::num::real;
use super::stream::Traffic;

/// The figures of one stretch.
pub(super) struct Figures {
    /// When it began, in windows.
    pub(super) at: f64,
    pub(super) live: u64,
    pub(super) sightings: u64,
    /// Of the map and of each filter, in the order of their names.
    pub(super) nanoseconds: Vec<f64>,
    pub(super) bytes: Vec<u64>,
}

/// The map's place among them.
const MAP: usize = 0;

/// All of them.
pub(super) struct Row {
    pub(super) traffic: Traffic,
    pub(super) size: u64,
    pub(super) name: String,
    pub(super) subjects: Vec<&'static str>,
    pub(super) figures: Vec<Figures>,
}

impl Row {
    /// Of one sighting, on average.
    fn nanoseconds(&self, subject: usize) -> f64 {
        let all: f64 = self.figures.iter().map(|figures| figures.nanoseconds[subject]).sum();
        all / real(self.figures.iter().map(|figures| figures.sightings).sum())
    }

    /// Time over that of the map, summed over stretches that begin in a span of time.
    fn ratio(&self, subject: usize, from: f64, to: f64) -> f64 {
        let within = || self.figures.iter().filter(|figures| (from..to).contains(&figures.at));
        let sum = |subject: usize| -> f64 { within().map(|figures| figures.nanoseconds[subject]).sum() };
        sum(subject) / sum(MAP)
    }

    fn worst(&self, subject: usize) -> f64 {
        let ratios = self.figures.iter().map(|figures| figures.nanoseconds[subject] / figures.nanoseconds[MAP]);
        ratios.fold(0.0, f64::max)
    }

    /// Peak and median of bits a live key, where a twentieth of the size is live.
    fn bits(&self, subject: usize) -> [f64; 2] {
        let full = self.figures.iter().filter(|figures| figures.live * 20 >= self.size);
        let mut bits: Vec<f64> = full.map(|figures| 8.0 * real(figures.bytes[subject]) / real(figures.live)).collect();
        bits.sort_by(f64::total_cmp);
        bits.last().map_or([f64::NAN; 2], |&peak| [peak, bits[bits.len() / 2]])
    }

    pub(super) fn print_head(size: u64) {
        println!("\ntraffic: windows of {size} sightings at rate 1, without capacity, keys of 8 bytes");
        print!("{:62}{:>8}{:>8}", "", "peak", "median");
        println!("{:>8}{:>8}{:>8}{:>8}{:>8}", "ns", "mean", "first", "last", "worst");
    }

    /// A line for each subject.
    pub(super) fn print(&self) {
        for (subject, name) in self.subjects.iter().enumerate() {
            let [peak, median] = self.bits(subject);
            print!("{:62}{peak:>8.1}{median:>8.1}", format!("{}, {name}", self.name));
            print!("{:>8.1}", self.nanoseconds(subject));
            let end = self.traffic.windows;
            for (from, to) in [(0.0, end), (0.0, 1.0), (end - 1.0, end)] {
                print!("{:>8.2}", self.ratio(subject, from, to));
            }
            println!("{:>8.2}{}", self.worst(subject), self.goals(subject));
        }
    }

    /// The goals of this traffic, met or missed.
    fn goals(&self, subject: usize) -> String {
        let mark = |what: &str, ratio: f64, most: f64| {
            format!("   {what} <= {most}: {}", if ratio <= most { "met" } else { "missed" })
        };
        let is_varied = |name: &str| ["sine", "burst", "tenfold", "pulses"].iter().any(|word| name.contains(word));
        let first = self.ratio(subject, 0.0, 1.0);
        match (self.subjects[subject], self.traffic.name) {
            ("single calls", "steady from nothing") => mark("first", first, 1.2),
            ("batches", "steady from nothing") => mark("first", first, 0.8),
            ("single calls", name) if is_varied(name) => {
                let mean = self.ratio(subject, 0.0, self.traffic.windows);
                mark("mean", mean, 0.7) + &mark("worst", self.worst(subject), 1.5)
            }
            _ => String::new(),
        }
    }
}
