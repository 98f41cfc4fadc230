//! The one form of a JSON number: `1`, `1.0`, `10e-1` and `0.01E+2` are all `1`, and no digit is rounded away.
//!
//! ```text
//!  sign | digits without zeros at either end | power of ten    12300 = 123 e 2
//! ```
//! Up to 64 digits are written out (`12300`, `0.00123`); beyond that it is the digits and the power (`1e1000`).

/// The most digits of a number that is written out.
pub(crate) const PLAIN: usize = 64;

/// Appends the one form of `number`, which was scanned.
pub(crate) fn push(number: &[u8], to: &mut Vec<u8>) {
    let (sign, rest) = number.strip_prefix(b"-").map_or((&b""[..], number), |rest| (&b"-"[..], rest));
    let at = rest.iter().position(|byte| matches!(byte, b'e' | b'E')).unwrap_or(rest.len());
    let (mantissa, exponent) = (&rest[..at], rest.get(at + 1..).unwrap_or(b"0"));
    let begin = to.len();
    to.extend_from_slice(sign);
    let first = to.len();
    let point = mantissa.iter().position(|byte| *byte == b'.').unwrap_or(mantissa.len());
    // Zeros before the first digit count for nothing, also behind the point.
    let digits = mantissa.iter().filter(|byte| **byte != b'.').skip_while(|byte| **byte == b'0');
    to.extend(digits);
    while to.len() > first && to.ends_with(b"0") {
        to.pop();
    }
    let digits = to.len() - first;
    if digits == 0 {
        to.truncate(begin);
        return to.push(b'0');
    }
    match power(exponent).and_then(|power| power.checked_add(place(mantissa, point, digits)?)) {
        Some(power) => write(power, first, to),
        // A power that no machine counts to: as it came.
        None => {
            to.truncate(begin);
            to.extend(number.iter().map(u8::to_ascii_lowercase));
        }
    }
}

/// The power of ten of the last of the `digits` that count, before the exponent.
fn place(mantissa: &[u8], point: usize, digits: usize) -> Option<i64> {
    let zeros = mantissa.iter().take_while(|byte| matches!(byte, b'0' | b'.')).filter(|byte| **byte == b'0').count();
    i64::try_from(point).ok()?.checked_sub(i64::try_from(zeros + digits).ok()?)
}

fn power(exponent: &[u8]) -> Option<i64> {
    let text = std::str::from_utf8(exponent).ok()?;
    text.strip_prefix('+').unwrap_or(text).parse().ok()
}

/// Completes the digits that begin at `first`, times this power of ten.
fn write(power: i64, first: usize, to: &mut Vec<u8>) {
    let digits = to.len() - first;
    let size = usize::try_from(power.unsigned_abs()).unwrap_or(usize::MAX);
    let all = digits.max(size).saturating_add(if power > 0 { digits } else { 0 });
    match power {
        _ if all > PLAIN => to.extend_from_slice(format!("e{power}").as_bytes()),
        0.. => to.resize(to.len() + size, b'0'),
        _ if size < digits => to.insert(to.len() - size, b'.'),
        _ => {
            let zeros = [&b"0."[..], &[b'0'; PLAIN][..size - digits]].concat();
            drop(to.splice(first..first, zeros));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn form(number: &str) -> String {
        let mut to = Vec::new();
        push(number.as_bytes(), &mut to);
        String::from_utf8(to).unwrap()
    }

    #[test]
    fn numbers_of_one_value_have_one_form() {
        for (want, numbers) in [
            ("1", &["1", "1.0", "1e0", "10e-1", "0.01E+2", "1.000"][..]),
            ("0", &["0", "-0", "0.0", "0e99999999999999999999", "-0.00E-5"]),
            ("-12300", &["-12300", "-1.23e4", "-12300.0"]),
            ("0.00123", &["0.00123", "1.23e-3", "123e-5"]),
            ("12.5", &["12.5", "1.25e1", "0.0125e3", "12.50"]),
            ("1e1000", &["1e1000", "10e999", "0.1e1001"]),
            ("-15e-1001", &["-1.5e-1000", "-0.15e-999"]),
            ("1e99999999999999999999", &["1E99999999999999999999"]),
        ] {
            assert!(numbers.iter().all(|number| form(number) == want), "{want}: {:?}", numbers.iter().map(|n| form(n)));
        }
        let long = format!("1{}", "0".repeat(100));
        assert_eq!([form(&long), form("1e100")], ["1e100", "1e100"]);
        let digits = "123456789012345678901234567890";
        assert_eq!(form(&format!("{digits}.5")), format!("{digits}.5"), "no digit is rounded away");
    }

    /// Against arithmetic: digits and a power in a word.
    #[test]
    fn forms_differ_where_values_do() {
        let value = |text: &str| {
            let (mantissa, power) = text.split_once('e').unwrap();
            mantissa.replace('.', "").parse::<i128>().unwrap()
                * 10_i128.pow(u32::try_from(power.parse::<i64>().unwrap() + 9 - places(mantissa)).unwrap())
        };
        let mut random = Random::new(5);
        let mut next = |n: u64| random.below(n);
        let mut all: Vec<(i128, String)> = Vec::new();
        for _ in 0..2000 {
            let text = format!("{}.{:02}e{}", next(30), next(100), i64::try_from(next(7)).unwrap() - 3);
            all.push((value(&text), form(&text)));
        }
        for (one, form) in &all {
            assert!(all.iter().all(|(other, text)| (one == other) == (form == text)), "{form}");
        }
    }

    fn places(mantissa: &str) -> i64 {
        mantissa.split_once('.').map_or(0, |(_, rest)| i64::try_from(rest.len()).unwrap())
    }
}
