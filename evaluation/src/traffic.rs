//! Traffic that is never steady: the streams that judge windows of time in the tests of the library, in stretches.

#[path = "../../tests/suite/elastic/stream.rs"]
mod stream;
#[path = "../../tests/suite/elastic/traffics.rs"]
mod traffics;

use crate::{num, rng};

pub(crate) use stream::{Sighting, WINDOW};
pub(crate) use traffics::named;

/// A stretch is a twentieth of a window.
pub(crate) const STRETCHES: u64 = 20;

/// The sightings of one stretch.
pub(crate) type Stretch = Vec<Sighting>;

/// The sightings of a traffic, one by one: no key comes again.
pub(crate) fn fresh(name: &str, size: u64) -> impl Iterator<Item = Sighting> {
    stream::Stream::new(named(name), size, 0.0)
}

/// All sightings of a traffic: `size` a window where its rate is 1, of which this share come again.
pub(crate) fn stretches(name: &str, size: u64, repeats: f64) -> Vec<Stretch> {
    let mut all: Vec<Stretch> = Vec::new();
    for sighting in stream::Stream::new(named(name), size, repeats) {
        let place = num::index(num::floor(sighting.at * num::real(STRETCHES)));
        all.resize_with((place + 1).max(all.len()), Vec::new);
        all[place].push(sighting);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn burst_has_twenty_times_the_sightings_for_two_stretches() {
        let stretches = stretches("burst of twenty", 2000, 0.0);
        assert_eq!(stretches.len(), 110);
        for (i, stretch) in stretches.iter().enumerate() {
            let expected = if [60, 61].contains(&i) { 2000 } else { 100 };
            assert!(stretch.len().abs_diff(expected) <= 2, "stretch {i}: {}", stretch.len());
        }
    }

    #[test]
    fn sightings_are_in_order_and_repeat_within_a_window() {
        let mut last = std::collections::HashMap::new();
        let (mut again, mut all) = (0, 0);
        for sighting in stretches("pulses", 2000, 0.5).concat() {
            all += 1;
            if let Some(then) = last.insert(sighting.key, sighting.tick) {
                assert!((then..=then + WINDOW).contains(&sighting.tick));
                again += 1;
            }
        }
        assert!((again * 2_i32).abs_diff(all) < 600, "{again} of {all}");
    }
}
