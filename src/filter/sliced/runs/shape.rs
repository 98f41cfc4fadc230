//! The integers of a sliced window, from what the options give and what the search finds.

use crate::error::Error;
use crate::field::Field;
use crate::options::{Options, within};

use super::quick::Quick;
use super::search::Search;
use super::steady_chance;

/// The integers of a sliced window.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Shape {
    /// Slices that take each insertion, and bits per key.
    pub(crate) k: u32,
    /// Full generations in the window.
    pub(crate) l: u32,
    /// The fill of a full slice.
    pub(crate) fill: f64,
    /// The slices that are paid for: k + l, and what the layout adds.
    pub(crate) slices: u32,
}

/// Slices that the search may use unless the options say otherwise.
pub(super) const DEFAULT_MAX_SLICES: u32 = 32;
/// The most slices that the search may use.
const MOST_SLICES: u32 = 1024;
/// The emptiest that full slices may be planned.
pub(crate) const LEAST_FILL: f64 = 0.1;
/// The fullest.
pub(crate) const MOST_FILL: f64 = 0.9;

impl Shape {
    /// The shape that the options ask for: what they give is kept, the rest is searched.
    pub(crate) fn new(options: &Options, rate: f64, layout: Layout) -> Result<Self, Error> {
        let (k, l) = given_pair(options)?;
        let fill = within(Field::Fill, options.fill, LEAST_FILL, MOST_FILL)?;
        let given = options.checked_error_rate()?;
        let (most, rate) = (max_slices(options, k, l)?, given.unwrap_or(rate));
        match (k, l, fill, given) {
            (Some(k), Some(l), Some(fill), None) => Self::of(k, l, fill, layout),
            (Some(_), Some(_), Some(_), Some(rate)) => {
                Err(Error::option(Field::ErrorRate, rate, "0 when k, l and fill are all given: they fix it"))
            }
            _ => {
                let search = Search { k, l, fill, rate, most, layout };
                search.listed().map_or_else(|| search.run(), Ok)
            }
        }
    }

    /// This shape, written down before, if it is within the bounds of the options.
    pub(crate) fn known(k: u32, l: u32, fill: f64, layout: Layout) -> Option<Self> {
        let within = k >= 1 && l >= 1 && k.checked_add(l)? <= MOST_SLICES && (LEAST_FILL..=MOST_FILL).contains(&fill);
        let slices = if within { (layout.slices)(k, l)? } else { return None };
        Some(Self { k, l, fill, slices })
    }

    /// This shape and no other.
    fn of(k: u32, l: u32, fill: f64, layout: Layout) -> Result<Self, Error> {
        let slices = (layout.slices)(k, l);
        let slices =
            slices.ok_or_else(|| Error::option(Field::L, l, format_args!("less beside k = {k}: at most 62 k - 1")))?;
        Ok(Self { k, l, fill, slices })
    }

    /// The shape of least error rate among those that leave what is given and have a fill, the first of equals.
    pub(crate) fn tightest(
        options: &Options,
        layout: Layout,
        fill: impl Fn(u32, u32) -> Option<f64>,
    ) -> Result<Option<Self>, Error> {
        let (k, l) = given_pair(options)?;
        let search = Search { k, l, fill: None, rate: 0.0, most: max_slices(options, k, l)?, layout };
        let pairs = search.ks().flat_map(|k| (1..=search.choices(k)).map(move |j| (k, j)));
        let shapes = pairs.filter_map(|(k, j)| {
            let l = search.l(k, j);
            Some(Self { k, l, fill: fill(k, l)?, slices: (layout.slices)(k, l)? })
        });
        Ok(shapes.map(|shape| (shape.worst(), shape)).min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, shape)| shape))
    }

    /// The error rate at the worst instant, just before a shift.
    pub(crate) fn worst(&self) -> f64 {
        steady_chance(self.k, self.l, self.fill, 1.0)
    }

    /// The error rate averaged over a generation (32 midpoints).
    pub(crate) fn mean(&self) -> f64 {
        let mut quick = Quick::new();
        let phases = (0..32u32).map(|i| (f64::from(i) + 0.5) / 32.0);
        phases.map(|u| quick.log_chance_at(self.k, self.l, self.fill, u).exp()).sum::<f64>() / 32.0
    }

    /// Bits per key of the window.
    pub(crate) fn bits_per_key(&self) -> f64 {
        let (k, l, slices) = (f64::from(self.k), f64::from(self.l), f64::from(self.slices));
        k * slices / (l * -(-self.fill).ln_1p())
    }
}

fn given_pair(options: &Options) -> Result<(Option<u32>, Option<u32>), Error> {
    let k = within(Field::K, options.k, 1, MOST_SLICES - 1)?;
    Ok((k, within(Field::L, options.l, 1, MOST_SLICES - 1)?))
}

fn max_slices(options: &Options, k: Option<u32>, l: Option<u32>) -> Result<u32, Error> {
    let given = within(Field::MaxSlices, options.max_slices, 2, MOST_SLICES)?;
    let (Some(k), Some(l)) = (k, l) else {
        return Ok(given.unwrap_or(DEFAULT_MAX_SLICES));
    };
    match given {
        Some(most) if most < k + l => {
            Err(Error::option(Field::MaxSlices, most, format_args!("at least k + l = {}", k + l)))
        }
        _ if k + l > MOST_SLICES => Err(Error::option(Field::L, l, format_args!("k + l up to {MOST_SLICES}"))),
        _ => Ok(k + l),
    }
}

/// Which l a kind can lay out well, and how many slices' worth of bits a pair costs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Layout {
    /// The `j`-th l for this k, from 1, growing with `j`.
    pub(crate) l: fn(k: u32, j: u32) -> u32,
    /// The slices that are paid for, k + l and whatever the layout adds; `None` if it cannot hold them.
    pub(crate) slices: fn(k: u32, l: u32) -> Option<u32>,
    /// What the search finds for usual rates, so that a filter is built in an instant.
    pub(crate) listed: &'static [Listed],
}

/// An error rate, and what the search finds for it when nothing else is given: k, l, fill.
pub(crate) type Listed = (f64, u32, u32, f64);

impl Layout {
    /// Every slice for itself: any l will do, and nothing is added.
    pub(crate) const SEPARATE: Self = Self {
        l: |_, j| j,
        slices: |k, l| Some(k + l),
        listed: &[
            (1e-1, 5, 8, 0.478_335_166_351_462_1),
            (1e-2, 8, 21, 0.418_555_052_833_835_4),
            (1e-3, 9, 22, 0.352_724_435_946_584),
            (1e-4, 10, 22, 0.310_582_145_940_134_17),
            (1e-5, 11, 21, 0.282_065_284_055_715_96),
            (1e-6, 12, 20, 0.260_859_531_793_539_66),
        ],
    };
}
