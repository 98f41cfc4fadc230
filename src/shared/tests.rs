//! What holds of locks and verbs together.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::stripes::Stripes;
use crate::edge::When;
use crate::filter::contract::Contract;
use crate::filter::sliced::time_limited::TimeLimited;
use crate::hash::KeyHash;
use crate::kind::Kind;
use crate::options::Options;
use crate::tick::Tick;

/// Room that was taken in and not given back would be lost, and generations would end early.
#[test]
fn a_panic_under_all_locks_gives_the_filter_back_to_the_threads() {
    let window = 1_000_000;
    let options = Options::new(Kind::TimeLimited).window_ns(window).capacity(640).error_rate(0.01);
    let mut alone = TimeLimited::new(&options).unwrap();
    let stripes = Stripes::new(TimeLimited::new(&options).unwrap()).unwrap();
    for i in 0..3000_u64 {
        if i % 50 == 0 {
            catch_unwind(AssertUnwindSafe(|| stripes.all(|_| panic!("planted")))).unwrap_err();
        }
        let (key, now) = (KeyHash(i.wrapping_mul(0x9E37_79B9_7F4A_7C15)), Tick(i * window / 640));
        assert_eq!(stripes.observe(key, When::Read(now)), alone.observe(key, now));
    }
    let end = Tick(3000 * window / 640);
    assert_eq!(stripes.all(|filter| filter.stats(end).shifts), alone.stats(end).shifts);
}
