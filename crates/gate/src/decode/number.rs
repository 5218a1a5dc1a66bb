//! Numbers as they are frozen: RFC 8785 writes the shortest decimal of a binary double.
//!
//! A number is accepted only if that shortest decimal is the very number that was written. Then no decoder of
//! JSON in any language can read another one out of the lock.

use crate::canonical;

/// The frozen form of a decimal number, or nothing if a double cannot hold it exactly. Takes the grammars of JSON and
/// YAML: sign, digits, point, exponent.
pub fn frozen_number(text: &str) -> Option<String> {
    let written = Decimal::read(text)?;
    let frozen = canonical::number(text.parse().ok()?)?;
    (Decimal::read(&frozen)? == written).then_some(frozen)
}

/// A decimal number without a representation of its own: digits without outer zeros, and where the last one stands.
#[derive(PartialEq, Eq)]
struct Decimal {
    negative: bool,
    digits: String,
    exponent: i64,
}

impl Decimal {
    fn read(text: &str) -> Option<Decimal> {
        let (negative, unsigned) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
            // An exponent beyond i64 is of no number that a double holds, save zero; zero needs none.
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
            None => (unsigned, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = format!("{whole}{fraction}");
        if all.is_empty() || !all.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let significant = all.trim_start_matches('0');
        let digits = significant.trim_end_matches('0');
        if digits.is_empty() {
            return Some(Decimal { negative: false, digits: String::new(), exponent: 0 });
        }
        let dropped = i64::try_from(significant.len() - digits.len()).ok()?;
        let shift = dropped.checked_sub(i64::try_from(fraction.len()).ok()?)?;
        Some(Decimal { negative, digits: digits.to_owned(), exponent: exponent.checked_add(shift)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_numbers_are_frozen_and_others_refused() {
        let table = [
            ("800", Some("800")),
            ("800.0", Some("800")),
            ("0.1", Some("0.1")),
            ("1.10", Some("1.1")),
            ("-0", Some("0")),
            ("-0.50", Some("-0.5")),
            ("1e3", Some("1000")),
            ("1E21", Some("1e+21")),
            ("100000000000000000000", Some("100000000000000000000")),
            ("5e-324", Some("5e-324")),
            ("9007199254740992", Some("9007199254740992")),
            ("+1", Some("1")),
            (".5", Some("0.5")),
            ("1.", Some("1")),
            ("9007199254740993", None),
            ("12345678901234567890", None),
            ("0.1000000000000000055", None),
            ("1e400", None),
            ("1e-400", None),
            ("1e99999999999999999999", None),
            ("", None),
            (".", None),
            ("0x10", None),
            ("1_000", None),
            ("NaN", None),
        ];
        for (text, expected) in table {
            assert_eq!(frozen_number(text).as_deref(), expected, "{text}");
        }
    }
}
