//! Exact decimals: integers with a scale, and quotients that compare as the exact value would.

/// `value / 10^decimals` as plain decimal text without trailing zeros.
pub(crate) fn scaled(value: i128, decimals: usize) -> String {
    let digits = format!("{:0>width$}", value.unsigned_abs(), width = decimals + 1);
    let (whole, fraction) = digits.split_at(digits.len() - decimals);
    let fraction = fraction.trim_end_matches('0');
    let sign = if value < 0 { "-" } else { "" };
    if fraction.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") }
}

/// Nanoseconds as milliseconds: `753.34ms`.
pub(crate) fn ms_from_ns(ns: i128) -> String {
    format!("{}ms", scaled(ns, 6))
}

/// The fraction digits that a quotient keeps.
const QUOTIENT_DECIMALS: u32 = 6;

/// `numerator / denominator` with at most six fraction digits; `None` if it overflows or divides by zero.
///
/// A quotient that six digits cannot hold is rounded to the neighbour whose last digit is odd. It then lies on the same side
/// as the exact value of every threshold with five fraction digits or fewer, so rounding never changes a verdict.
pub(crate) fn quotient(numerator: i128, denominator: i128) -> Option<String> {
    if denominator == 0 {
        return None;
    }
    let scale = 10_i128.pow(QUOTIENT_DECIMALS);
    let negative = (numerator < 0) != (denominator < 0);
    let scaled_up = numerator.checked_abs()?.checked_mul(scale)?;
    let denominator = denominator.checked_abs()?;
    let mut magnitude = scaled_up / denominator;
    if scaled_up % denominator != 0 && magnitude % 2 == 0 {
        magnitude += 1;
    }
    Some(scaled(if negative { -magnitude } else { magnitude }, QUOTIENT_DECIMALS as usize))
}

/// `numerator / denominator` to some fraction digits, half away from zero: for notes, never for values.
pub(crate) fn rounded(numerator: i128, denominator: i128, decimals: u32) -> Option<String> {
    let scale = 10_i128.checked_pow(decimals)?;
    let doubled = numerator.checked_abs()?.checked_mul(scale)?.checked_mul(2)?;
    let denominator = denominator.checked_abs().filter(|denominator| *denominator != 0)?;
    let magnitude = doubled.checked_add(denominator)?.checked_div(denominator.checked_mul(2)?)?;
    let negative = numerator < 0 && magnitude != 0;
    Some(scaled(if negative { -magnitude } else { magnitude }, decimals as usize))
}

/// Plain decimal text (`-12.50`) as an integer scaled by `10^decimals`; `None` for anything else, for more
/// fraction digits than that, or beyond the range.
pub(crate) fn parse_scaled(text: &str, decimals: u32) -> Option<i64> {
    let (negative, magnitude) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (whole, fraction) = magnitude.split_once('.').unwrap_or((magnitude, ""));
    let fraction = fraction.trim_end_matches('0');
    if whole.is_empty() || fraction.len() > decimals as usize {
        return None;
    }
    let padding = std::iter::repeat_n(b'0', decimals as usize - fraction.len());
    let mut value = 0_i64;
    for digit in whole.bytes().chain(fraction.bytes()).chain(padding) {
        if !digit.is_ascii_digit() {
            return None;
        }
        value = value.checked_mul(10)?.checked_add(i64::from(digit - b'0'))?;
    }
    Some(if negative { -value } else { value })
}

/// Whether a text is one plain decimal number, as tools print it: `-1`, `85`, `68.65`.
pub(crate) fn is_decimal(text: &str) -> bool {
    let magnitude = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = magnitude.split_once('.').unwrap_or((magnitude, "0"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    digits(whole) && digits(fraction)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scaled_integers_print_without_trailing_zeros() {
        for (value, decimals, text) in [
            (753_340_000, 6, "753.34"),
            (5, 6, "0.000005"),
            (-1_500_000, 6, "-1.5"),
            (0, 6, "0"),
            (42, 0, "42"),
        ] {
            assert_eq!(scaled(value, decimals), text);
        }
    }

    #[test]
    fn quotients_are_exact_or_odd() {
        for (numerator, denominator, text) in [
            (1, 4, Some("0.25")),
            (1, 3, Some("0.333333")),
            (2, 3, Some("0.666667")),
            (20_000_001, 4_000_000, Some("5.000001")),
            (-1, 3, Some("-0.333333")),
            (1, 0, None),
            (i128::MAX, 1, None),
        ] {
            assert_eq!(quotient(numerator, denominator).as_deref(), text, "{numerator}/{denominator}");
        }
    }

    #[test]
    fn decimal_text_scales_or_is_refused() {
        for (text, value) in [
            ("3.25", Some(3_250_000)),
            ("-12.50", Some(-12_500_000)),
            ("7", Some(7_000_000)),
            ("1.", Some(1_000_000)),
            ("0.0000001", None),
            ("", None),
            ("-", None),
            (".5", None),
            ("1e3", None),
            ("99999999999999999999", None),
        ] {
            assert_eq!(parse_scaled(text, 6), value, "{text}");
        }
    }
}
