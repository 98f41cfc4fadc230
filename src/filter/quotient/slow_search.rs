//! The search without a bound: every row that meets the error rate, one after the other. The search itself finds the same.

use super::plan::{MOST_BITS, MOST_BYTES, Plan, Request, Shape};
use super::search::NEVER;
use crate::error::Error;
use crate::kind::Kind;
use crate::num;
use crate::options::{Options, Variant};
use crate::rng::Rng;

const VARIANTS: [Variant; 4] = [Variant::Qht, Variant::Qhtd, Variant::Qqht, Variant::Qqhtd];

/// A request, and what it asks for.
struct Slow {
    request: Request,
    options: Options,
}

impl Slow {
    fn shapes(&self) -> impl Iterator<Item = Shape> + '_ {
        let (k, s) = (self.options.k.map(u64::from), self.options.fingerprint_bits.map(u64::from));
        let all = s.map_or(1..=MOST_BITS, |s| s..=s).flat_map(move |s| {
            let cells = k.map_or(1..=1024, |k| k..=k);
            cells.filter_map(move |k| self.request.shape(k, s))
        });
        all.filter(|shape| self.options.error_rate.is_none_or(|rate| shape.law.worst() <= rate))
    }

    fn plan(&self) -> Option<Plan> {
        let o = &self.options;
        match (o.memory, o.window_keys.zip(o.miss_rate)) {
            (_, Some((window, rate))) => self.smallest(window, rate).filter(|p| o.memory.is_none_or(|m| p.bytes <= m)),
            (Some(bytes), None) => {
                let shape = o.window_keys.map_or_else(|| self.longest(bytes), |window| self.rarest(bytes, window))?;
                let plan = Plan::of_rows(shape, bytes * 8 / shape.width());
                Some(Plan { bytes: plan.bytes.min(bytes), ..plan })
            }
            (None, None) => None,
        }
        .map(|plan| Plan { window: o.window_keys, ..plan })
    }

    fn longest(&self, bytes: u64) -> Option<Shape> {
        let fits: Vec<Shape> = self.shapes().filter(|shape| shape.width() <= bytes * 8).collect();
        fits.iter().take_while(|shape| shape.s == fits[0].s).last().copied()
    }

    fn rarest(&self, bytes: u64, window: u64) -> Option<Shape> {
        let mut best: Option<(f64, Shape)> = None;
        for shape in self.shapes().filter(|shape| shape.width() <= bytes * 8) {
            let miss = shape.law.miss(bytes * 8 / shape.width(), window);
            let miss = if miss < NEVER { 0.0 } else { miss };
            if best.is_none_or(|(least, x)| miss < least || miss == least && shape.width() < x.width()) {
                best = Some((miss, shape));
            }
        }
        best.map(|(_, shape)| shape)
    }

    fn smallest(&self, window: u64, rate: f64) -> Option<Plan> {
        let mut best: Option<Plan> = None;
        for shape in self.shapes() {
            let meets = |rows: u64| rows > 0 && shape.law.miss(rows, window) <= rate;
            let most = best.map_or(shape.rows_in(MOST_BYTES / 8), |plan| {
                shape.rows_in(plan.bytes / 8 - u64::from(plan.shape.width() <= shape.width()))
            });
            if meets(most) {
                let rows = halve(most, meets);
                best = Some(Plan::of_rows(shape, rows));
            }
        }
        best
    }
}

/// The least number that meets it, up to one that does.
fn halve(most: u64, meets: impl Fn(u64) -> bool) -> u64 {
    let (mut no, mut yes) = (0, most);
    while no + 1 < yes {
        let middle = no + (yes - no) / 2;
        if meets(middle) { yes = middle } else { no = middle }
    }
    yes
}

fn unit(rng: &mut Rng) -> f64 {
    num::real(rng.below(1 << 40)) / num::real(1 << 40)
}

/// Up to 2^`bits`, as likely small as large.
fn any_size(rng: &mut Rng, bits: u64) -> u64 {
    let bits = rng.below(bits) + 1;
    rng.below(1 << bits) + 1
}

fn any_rate(rng: &mut Rng, decades: f64) -> f64 {
    0.5 * 10f64.powf(-decades * unit(rng))
}

/// Any request that can be slow, of at most 2^`bits` keys.
fn any_request(rng: &mut Rng, variant: Variant, bits: u64) -> Options {
    let mut o = Options::new(Kind::Quotient).variant(variant).error_rate(any_rate(rng, 5.0));
    let given = rng.below(64);
    if given % 4 != 0 {
        o = o.window_keys(any_size(rng, bits));
    }
    if given % 4 == 1 {
        o = o.miss_rate(any_rate(rng, 6.0));
    }
    if given % 4 != 1 || rng.below(4) == 0 {
        o = o.memory(any_size(rng, bits + 2));
    }
    if given / 4 % 4 == 0 {
        o = o.k(u32::try_from(any_size(rng, 10)).unwrap());
    }
    if given / 16 == 0 {
        o = o.fingerprint_bits(u32::try_from(rng.below(MOST_BITS) + 1).unwrap());
    }
    if given / 16 == 1 && matches!(variant, Variant::Qht | Variant::Qhtd) { o.semi_sort(true) } else { o }
}

/// The results of both searches for a request.
fn both(options: &Options) -> [Result<Option<Plan>, Error>; 2] {
    let plan = Plan::new(options);
    let slow = Request::new(options).map(|request| Slow { request, options: options.clone() }.plan());
    [plan.map(Some).or_else(|error| if slow.is_ok() { Ok(None) } else { Err(error) }), slow]
}

fn agree(requests: u64, variant: Variant, bits: u64) {
    let (mut rng, mut planned) = (Rng::new(15, bits), 0);
    for i in 0..requests {
        let options = any_request(&mut rng, variant, bits);
        let [plan, slow] = both(&options);
        assert_eq!(format!("{plan:?}"), format!("{slow:?}"), "request {i}: {options:?}");
        planned += u64::from(plan.is_ok_and(|plan| plan.is_some()));
    }
    assert!(planned > requests / 4, "{planned} of {requests} were plans");
}

#[test]
fn the_search_finds_what_the_slow_search_finds() {
    for variant in VARIANTS {
        [5, 12, 24].into_iter().for_each(|bits| agree(600, variant, bits));
    }
}
