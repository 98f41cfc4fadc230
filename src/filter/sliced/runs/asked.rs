//! The shape that options ask for: what they give is kept, the rest is searched.

use crate::error::Error;
use crate::field::Field;
use crate::options::{Options, within};

use super::layout::{DEFAULT_MAX_SLICES, LEAST_FILL, Layout, MOST_FILL, MOST_SLICES};
use super::search::Search;
use super::shape::Shape;

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
                let why = "cannot be combined with k, l and fill, which together determine it";
                Err(Error::conflict(Field::ErrorRate, rate, why))
            }
            _ => {
                let search = Search { k, l, fill, rate, most, layout };
                search.listed().map_or_else(|| search.run(), Ok)
            }
        }
    }

    /// This shape and no other.
    fn of(k: u32, l: u32, fill: f64, layout: Layout) -> Result<Self, Error> {
        let most = u64::from(k) * 62 - 1;
        let slices = (layout.slices)(k, l)
            .ok_or_else(|| Error::out_of_range(Field::L, l, format_args!("at most 62 k - 1 = {most} with k = {k}")))?;
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
            Err(Error::out_of_range(Field::MaxSlices, most, format_args!("at least k + l = {}", k + l)))
        }
        _ if k + l > MOST_SLICES => {
            let most = MOST_SLICES - k;
            Err(Error::out_of_range(Field::L, l, format_args!("at most {MOST_SLICES} - k = {most} with k = {k}")))
        }
        _ => Ok(k + l),
    }
}
