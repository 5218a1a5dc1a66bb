//! Money as agents reckon it: a decimal, summed exactly.

use std::fmt;

/// Digits after the point.
const PLACES: usize = 9;

/// One, in billionths.
const ONE: u64 = 1_000_000_000;

/// An amount in billionths of the currency; finer parts are dropped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cost(u64);

impl Cost {
    /// A decimal such as `0.0123`, `5` or `1e-7`. A negative amount is none.
    pub fn parse(text: &str) -> Option<Cost> {
        let (digits, exponent) = match text.split_once(['e', 'E']) {
            Some((digits, exponent)) => (digits, exponent.parse::<i64>().ok()?),
            None => (text, 0),
        };
        let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
        let is_plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if (whole.is_empty() && part.is_empty()) || !is_plain(whole) || !is_plain(part) {
            return None;
        }
        let all: String = [whole, part].concat();
        // Where the point stands, counted from the first digit.
        let point = i64::try_from(whole.len()).ok()?.checked_add(exponent)?;
        let wanted = point.checked_add(i64::try_from(PLACES).ok()?)?;
        let wanted = usize::try_from(wanted.max(0)).ok()?;
        if wanted > all.trim_start_matches('0').len() + 40 {
            return None;
        }
        let kept: String = all.chars().chain(std::iter::repeat('0')).take(wanted).collect();
        let kept = kept.trim_start_matches('0');
        if kept.is_empty() { Some(Cost(0)) } else { kept.parse().ok().map(Cost) }
    }

    /// Both together.
    pub fn plus(self, more: Cost) -> Cost {
        Cost(self.0.saturating_add(more.0))
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, part) = (self.0 / ONE, self.0 % ONE);
        if part == 0 {
            return write!(formatter, "{whole}");
        }
        write!(formatter, "{whole}.{}", format!("{part:0PLACES$}").trim_end_matches('0'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_read_and_written_exactly() {
        for (text, shown) in [
            ("0", "0"),
            ("5", "5"),
            ("0.0123", "0.0123"),
            (".5", "0.5"),
            ("5.", "5"),
            ("1e-7", "0.0000001"),
            ("1.5E2", "150"),
            ("1.23e-3", "0.00123"),
            ("0.0000000019", "0.000000001"),
            ("1e-400", "0"),
            ("000.10", "0.1"),
        ] {
            assert_eq!(Cost::parse(text).map(|cost| cost.to_string()).as_deref(), Some(shown), "{text}");
        }
        for wrong in ["", ".", "-1", "+1", "NaN", "1e", "1e400", "1,5", "0x1", "99999999999999999999"] {
            assert_eq!(Cost::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn tenths_add_up() {
        let tenth = Cost::parse("0.1").unwrap();
        assert_eq!((0..10).fold(Cost::default(), |sum, _| sum.plus(tenth)).to_string(), "1");
    }
}
