//! The least number at which something holds, for formulas that cannot be turned around.

/// The least x in `low..high` at which `holds` turns true, to one part in 2^40 of the range.
pub(crate) fn least(low: f64, high: f64, holds: impl Fn(f64) -> bool) -> f64 {
    let (mut no, mut yes) = (low, high);
    for _ in 0..40 {
        let middle = f64::midpoint(no, yes);
        if holds(middle) { yes = middle } else { no = middle }
    }
    yes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_turn_is_found() {
        assert!((least(0.0, 10.0, |x| x * x > 2.0) - 2f64.sqrt()).abs() < 1e-10);
    }
}
