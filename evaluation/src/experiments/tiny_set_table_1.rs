//! TinySet, Table 1 and figure 10: what blocks of 16, 32, 64 and 128 keys need, with a key per chain.

use lately::{Filter, Options, PlanSummary};

use super::tiny_set::{self, Effort, FIRST_ORDER, Measured, RATES, grid, percent};
use crate::baselines::paper_tiny_set::Shape;
use crate::context::Context;
use crate::laws::tiny_set as law;
use crate::num;
use crate::outcome::{Axis, Cell, Chart, Measure, Outcome, Table};

/// Chains, and the paper's bits per key by rate.
const ROWS: [(u64, [f64; 3]); 4] =
    [(16, [10.1, 15.1, 19.5]), (32, [9.5, 13.5, 17.5]), (64, [9.1, 12.8, 16.6]), (128, [9.0, 12.5, 16.2])];
const SINGLE: [f64; 3] = [8.4, 12.0, 15.3];

/// Lately's blocks, in bytes.
const OURS: [u32; 2] = [32, 64];

/// One configuration at one rate.
struct Place {
    shape: Shape,
    target: f64,
    paper: f64,
}

pub(crate) fn run(context: &Context) -> Outcome {
    let effort = Effort::new(context);
    let mut outcome = Outcome::new(format!(
        "{} keys, one per chain, in blocks of L chains; {} absent keys, {} runs.",
        effort.keys, effort.queries, effort.runs
    ));
    let places: Vec<Place> = ROWS.iter().flat_map(places).collect();
    let measured: Vec<Measured> = places.iter().map(|place| place.measure(context, effort)).collect();
    let own: Vec<Own> =
        RATES.iter().flat_map(|&target| OURS.map(|bytes| Own::new(context, effort, bytes, target))).collect();
    outcome.tables.push(table(&places, &measured, &own));
    outcome.charts.push(chart(&places, &measured, &own));
    own.iter()
        .for_each(|own| outcome.checks.extend(own.measured.hold(&own.name(), own.plan.error_rate_worst, FIRST_ORDER)));
    for (place, measured) in places.iter().zip(&measured) {
        outcome.checks.extend(measured.hold(&place.name(), place.law(), FIRST_ORDER));
    }
    outcome
}

/// Lately's own set, planned for a rate.
struct Own {
    bytes: u32,
    target: f64,
    plan: PlanSummary,
    measured: Measured,
}

impl Own {
    fn new(context: &Context, effort: Effort, bytes: u32, target: f64) -> Self {
        let options = Options::tiny_set(effort.keys).error_rate(target).block_bytes(bytes);
        let plan = Filter::plan(&options).unwrap_or_else(|error| panic!("{options:?}: {error}"));
        Self { bytes, target, plan, measured: tiny_set::measure(context, effort, tiny_set::ours(options)) }
    }

    fn name(&self) -> String {
        format!("lately, {} bytes, {}", self.bytes, percent(self.target))
    }

    fn row(&self, table: &mut Table) {
        let bits = Cell::default().formula(self.plan.bits_per_key).ours(self.measured.bits_at(self.target, 1.0));
        let rate = Cell::default().formula(self.plan.error_rate_worst).ours(self.measured.rate());
        let keys = f64::from(self.bytes) * 8.0 / self.plan.bits_per_key;
        let label = format!("lately, {} bytes: {keys:.0} keys, {} chains", self.bytes, self.plan.chains);
        table.row(&[&percent(self.target), &label], vec![bits, rate]);
    }
}

fn places(&(chains, paper): &(u64, [f64; 3])) -> [Place; 3] {
    [0, 1, 2].map(|i| {
        let array = law::array_for(chains, 1.0, RATES[i], law::ADD_ONLY);
        Place { shape: Shape { chains, array }, target: RATES[i], paper: paper[i] }
    })
}

impl Place {
    fn name(&self) -> String {
        format!("L = {}, {}", self.shape.chains, percent(self.target))
    }

    fn law(&self) -> f64 {
        law::rate(self.shape.chains, self.shape.array, num::real(self.shape.chains), law::ADD_ONLY)
    }

    fn bits(&self) -> f64 {
        law::bits_per_key(self.shape.chains, self.shape.array, 1.0)
    }

    fn measure(&self, context: &Context, effort: Effort) -> Measured {
        tiny_set::measure(context, effort, tiny_set::paper(self.shape, effort.keys / self.shape.chains))
    }
}

fn table(places: &[Place], measured: &[Measured], own: &[Own]) -> Table {
    let measures = vec![Measure::new("bits per key", 2), Measure::powers("rate with the formula's bits")];
    let mut table = Table::new("Table 1", &["false positives", "L = keys of a block"], measures);
    for (i, target) in RATES.into_iter().enumerate() {
        for (place, measured) in places.iter().zip(measured).filter(|(place, _)| place.target == target) {
            // A bit more per key is a bit more per fingerprint: the rate halves.
            let bits = Cell::default().paper(place.paper).formula(place.bits()).ours(measured.bits_at(target, 1.0));
            let rate = Cell::default().formula(place.law()).ours(measured.rate());
            table.row(&[&percent(target), &place.shape.chains.to_string()], vec![bits, rate]);
        }
        own.iter().filter(|own| own.target == target).for_each(|own| own.row(&mut table));
        let single = Cell::default().paper(SINGLE[i]).formula(law::single_block(target));
        table.row(&[&percent(target), "single block"], vec![single, Cell::default()]);
    }
    table.note(
        "\"Ours\" is a model of the paper's block but in the rows of lately, which has blocks of 32 and 64 bytes and no others and \
         chooses chains and load for the rate. The \
         formula is section 4.3 with `mod` and the sums by size as they must be. The paper's own measurements lie 1 to 6 % \
         above its formula, most for the smallest blocks; the model, which stores and compares exactly what fits, does \
         not. Its single block of 1 % (8.4) is below log2(100) + 2 = 8.64, which section 4.1 calls the least.",
    )
}

fn chart(places: &[Place], measured: &[Measured], own: &[Own]) -> Chart {
    let (x, y) = (Axis::linear("space, bits per key"), Axis::log("rate of false positives"));
    let mut chart = Chart::new("figure-10", "TinySet, figure 10: keys per block, load 1", x, y).note(
        "Figure 10. Curves: the formula; marks without a line: the model; dots: the paper's Table 1. The larger the block, \
         the less its load varies.",
    );
    for (chains, _) in ROWS {
        let curve = |bits: f64| {
            let array = num::floor(bits * num::real(chains)).saturating_sub(chains);
            (bits, law::rate(chains, array, num::real(chains), law::ADD_ONLY))
        };
        chart.curve(format!("L = {chains}"), grid(6.0, 20.0, 56).into_iter().map(curve).collect());
    }
    let found = |measured: &Measured| (measured.bits_per_key, measured.rate());
    chart.measured("model", measured.iter().map(found).collect());
    for bytes in OURS {
        let ours = own.iter().filter(|own| own.bytes == bytes).map(|own| found(&own.measured));
        chart.measured(format!("lately, {bytes} bytes"), ours.collect());
    }
    chart.points("paper (Table 1)", places.iter().map(|place| (place.paper, place.target)).collect());
    chart
}
