//! The law of keys that never leave a set with removals, while others come and go.
//!
//! In a block the others are a queue M/M/inf of mean `lam`, in turnovers of the others. A key that stays knows what the
//! fullest moment of its life left of it. The time until a queue has `m` entries for the first time is nearly exponential,
//! so that P(never `m` in `t` turnovers) = exp(-t / E(m)), where E(m) is the sum of the mean times from `i` to `i + 1`
//! entries: `s(i) = (1 + i s(i - 1)) / lam`. A key that comes and goes knows what the fullest moment of its own life left,
//! which is the plan's law (`under_churn` in `src/filter`) with entries that never leave beside it.
//!
//! Cover is counted, not the keys that match: where the law is above a tenth the true rate is less.

use lately::{Filter, Options};

/// More entries than a block has in any life that is asked for.
const MOST: usize = 250;

fn real(n: usize) -> f64 {
    f64::from(u32::try_from(n).expect("a small number"))
}

/// The share of its chain that an entry covers on average if a block of that many bits for entries has `items` of them.
fn cover(array: usize, items: usize) -> f64 {
    if items > array {
        return 1.0;
    }
    // One bit of each entry ends its chain and one is its mark; bits that are left lengthen the first ones.
    let (width, longer) = (array / items, array % items);
    let known = |bits: usize| 0.5f64.powi(i32::try_from(bits.saturating_sub(2)).expect("a small number"));
    (known(width) * real(items - longer) + known(width + 1) * real(longer)) / real(items)
}

fn poisson(mean: f64) -> Vec<f64> {
    let mut shares = vec![(-mean).exp()];
    (1..MOST).for_each(|n| shares.push(shares[n - 1] * mean / real(n)));
    shares
}

/// For each number of entries the chance that the fullest moment of `turnovers` turnovers had so many.
fn fullest(lam: f64, turnovers: f64) -> Vec<f64> {
    let (mut step, mut passage, mut before) = (1.0 / lam, 0.0, 0.0);
    let mut chances = vec![0.0];
    for others in 1..MOST {
        // From `others` - 1 entries to one more; the way up to the mean is not counted: it is there already.
        if real(others) > lam {
            passage += step;
        }
        step = (1.0 + real(others) * step) / lam;
        let never: f64 = if passage > 0.0 { (-turnovers / passage).exp() } else { 0.0 };
        // Never `others` entries: the fullest moment had fewer.
        chances[others - 1] = never - before;
        before = never;
        chances.push(0.0);
    }
    chances
}

/// What an entry that comes and goes covers beside `stay` others that do not, on average over how many others there are.
fn passing(array: usize, lam: f64, stay: usize, shares: &[f64]) -> f64 {
    let mut risen = Vec::new();
    let mut phi = 0.0;
    for others in 0..MOST - 1 {
        phi = lam / (lam + real(others) + 1.0 - real(others) * phi);
        risen.push(phi);
    }
    let (mut covers, mut sum) = (1.0, 0.0);
    for others in (0..MOST - 1).rev() {
        covers = (1.0 - risen[others]) * cover(array, others + 1 + stay) + risen[others] * covers;
        sum += shares[others + 1] * real(others + 1) * covers;
    }
    sum
}

/// The mean rate of a filter that is full to its plan and of which a share never leaves, after so many turnovers of the
/// others.
pub(crate) fn rate(options: &Options, share: f64, turnovers: f64) -> f64 {
    let plan = Filter::plan(options).expect("a plan");
    let small = |n: u64| usize::try_from(n).expect("a small number");
    let (chains, array) = (small(plan.chains), small(plan.block_bytes * 8 - plan.chains));
    let keys = plan.load * real(chains);
    let lam = (1.0 - share) * keys;
    let (staying, others, most) = (poisson(share * keys), poisson(lam), fullest(lam, turnovers));
    let of = |(stay, chance): (usize, &f64)| {
        let moments = most.iter().enumerate().skip(usize::from(stay == 0));
        let known: f64 = moments.map(|(full, chance)| chance * cover(array, stay + full)).sum();
        chance * (real(stay) * known + passing(array, lam, stay, &others))
    };
    staying.iter().enumerate().filter(|(_, chance)| **chance > 1e-9).map(of).sum::<f64>() / real(chains)
}
