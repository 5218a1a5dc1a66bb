//! V3: what a number looks like.

use super::exact::{Exact, MAX_DIGITS, MAX_EXPONENT};
use super::refusal::Refusal;

/// Digits in all, leading zeros included: a cap before any arithmetic.
const MAX_WRITTEN: usize = 64;

/// A number as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Number {
    /// Its value.
    pub value: Exact,
    /// Its value if its single comma were a decimal comma.
    pub decimal_comma: Option<Exact>,
    /// Its first character: sign, digit or point.
    pub start: usize,
    /// One past its last character.
    pub end: usize,
    /// Whether it ends in a point, which may also end a sentence.
    pub trailing_point: bool,
}

struct Parts {
    negative: bool,
    digits: String,
    /// How many of the digits stand after the point.
    fraction: usize,
    groups: usize,
    exponent: i32,
}

/// Reads the number that begins at `start` with a sign, a digit, or a point before a digit.
pub(crate) fn parse(chars: &[char], start: usize) -> Result<Number, Refusal> {
    let negative = chars.get(start) == Some(&'-');
    let mut at = if matches!(chars.get(start), Some('-' | '+')) { start + 1 } else { start };
    let mut parts =
        Parts { negative, digits: String::with_capacity(16), fraction: 0, groups: 0, exponent: 0 };
    at = whole(chars, at, start, &mut parts)?;
    let (after, trailing_point) = fraction(chars, at, start, &mut parts)?;
    at = exponent(chars, after, &mut parts)?;
    if at > after && (point_then_digit(chars, at) || comma_then_digit(chars, at)) {
        return Err(Refusal::TwoPoints { text: excerpt(chars, start) });
    }
    let value = parts.value()?;
    let plain = parts.groups == 1 && parts.fraction == 0 && at == after && !trailing_point;
    let decimal_comma = plain.then(|| Exact::from_digits(negative, &parts.digits, -3)).flatten();
    Ok(Number { value, decimal_comma, start, end: at, trailing_point: trailing_point && at == after })
}

/// Digits, then groups of a comma and exactly three.
fn whole(chars: &[char], at: usize, start: usize, parts: &mut Parts) -> Result<usize, Refusal> {
    let mut end = digits(chars, at, parts);
    let leading = end - at;
    while comma_then_digit(chars, end) {
        let group =
            chars.get(end + 1..).unwrap_or_default().iter().take_while(|c| c.is_ascii_digit()).count();
        if group != 3 || !(1..=3).contains(&leading) {
            return Err(Refusal::Comma { text: excerpt(chars, start) });
        }
        end = digits(chars, end + 1, parts);
        parts.groups += 1;
    }
    match parts.groups > 0 && parts.digits.starts_with('0') {
        true => Err(Refusal::LeadingZeroGroup { text: excerpt(chars, start) }),
        false => Ok(end),
    }
}

/// A point and digits, or a point alone. Returns where they end, and whether the point stands alone.
fn fraction(chars: &[char], at: usize, start: usize, parts: &mut Parts) -> Result<(usize, bool), Refusal> {
    if chars.get(at) != Some(&'.') {
        return Ok((at, false));
    }
    let dots = chars.get(at..).unwrap_or_default().iter().take_while(|c| **c == '.').count();
    let digit_after = chars.get(at + dots).is_some_and(char::is_ascii_digit);
    match (dots, digit_after) {
        (1, true) => {
            let end = digits(chars, at + 1, parts);
            parts.fraction = end - at - 1;
            match point_then_digit(chars, end) || comma_then_digit(chars, end) {
                true => Err(Refusal::TwoPoints { text: excerpt(chars, start) }),
                false => Ok((end, false)),
            }
        }
        (1, false) => Ok((at + 1, true)),
        (_, true) => Err(Refusal::TwoPoints { text: excerpt(chars, start) }),
        (_, false) => Ok((at, false)),
    }
}

fn exponent(chars: &[char], at: usize, parts: &mut Parts) -> Result<usize, Refusal> {
    if !matches!(chars.get(at), Some('e' | 'E')) {
        return Ok(at);
    }
    let negative = chars.get(at + 1) == Some(&'-');
    let first = if matches!(chars.get(at + 1), Some('-' | '+')) { at + 2 } else { at + 1 };
    let written: String =
        chars.get(first..).unwrap_or_default().iter().take_while(|c| c.is_ascii_digit()).collect();
    if written.is_empty() {
        return Ok(at);
    }
    // Anything that does not fit is far beyond the limit.
    let size = written.parse::<i32>().unwrap_or(i32::MAX);
    if size > MAX_EXPONENT {
        return Err(Refusal::ExponentTooLarge);
    }
    parts.exponent = if negative { -size } else { size };
    Ok(first + written.len())
}

impl Parts {
    fn value(&self) -> Result<Exact, Refusal> {
        let significant = self.digits.trim_start_matches('0').len();
        if significant > MAX_DIGITS || self.digits.len() > MAX_WRITTEN {
            return Err(Refusal::TooManyDigits);
        }
        let exponent = self.exponent - i32::try_from(self.fraction).unwrap_or(i32::MAX);
        Exact::from_digits(self.negative, &self.digits, exponent).ok_or(Refusal::NoNumber)
    }
}

fn digits(chars: &[char], at: usize, parts: &mut Parts) -> usize {
    let run = chars.get(at..).unwrap_or_default().iter().take_while(|c| c.is_ascii_digit());
    parts.digits.extend(run.clone());
    at + run.count()
}

fn point_then_digit(chars: &[char], at: usize) -> bool {
    chars.get(at) == Some(&'.') && chars.get(at + 1).is_some_and(char::is_ascii_digit)
}

fn comma_then_digit(chars: &[char], at: usize) -> bool {
    chars.get(at) == Some(&',') && chars.get(at + 1).is_some_and(char::is_ascii_digit)
}

/// What stands at a place up to the next white space, for messages.
pub(crate) fn excerpt(chars: &[char], at: usize) -> String {
    chars.get(at..).unwrap_or_default().iter().take_while(|c| !c.is_whitespace()).take(24).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<(String, usize), Refusal> {
        let chars: Vec<char> = text.chars().collect();
        parse(&chars, 0).map(|number| (number.value.to_decimal(), number.end))
    }

    #[test]
    fn numbers_that_are_read() {
        let table = [
            ("720ms", "720", 3),
            ("-0.50", "-0.5", 5),
            ("+5", "5", 2),
            (".5", "0.5", 2),
            ("5.", "5", 2),
            ("5. Then", "5", 2),
            ("1.5. Then", "1.5", 3),
            ("1e3. Then", "1000", 3),
            ("5.,3", "5", 2),
            ("007", "7", 3),
            ("1,200", "1200", 5),
            ("1,234,567.25", "1234567.25", 12),
            ("1e3", "1000", 3),
            ("1.5E-2s", "0.015", 6),
            ("2em", "2", 1),
            ("1e28", "10000000000000000000000000000", 4),
            ("5...", "5", 1),
            ("9999999999999999999999999999", "9999999999999999999999999999", 28),
        ];
        for (text, value, end) in table {
            assert_eq!(read(text), Ok((value.to_owned(), end)), "{text}");
        }
    }

    #[test]
    fn numbers_that_are_refused() {
        for text in [
            "1,5",
            "1,20",
            "1,2000",
            "1234,567",
            "1,200,30",
            "0,900",
            "1.2.3",
            "5..10",
            "1.200,5",
            "1.5,2",
            "1e29",
            "1e-29",
            "1e999999999999999999999",
            "1e3.5",
            "99999999999999999999999999999",
            "1e3,000",
            "1234,5",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
        assert!(read(&"0".repeat(65)).is_err());
    }

    #[test]
    fn only_a_lone_group_may_be_a_decimal_comma() {
        let alternative = |text: &str| {
            let chars: Vec<char> = text.chars().collect();
            parse(&chars, 0).unwrap().decimal_comma.map(|value| value.to_decimal())
        };
        assert_eq!(alternative("59,999").as_deref(), Some("59.999"));
        assert_eq!(alternative("1,234,567"), None);
        assert_eq!(alternative("1,200.5"), None);
        assert_eq!(alternative("1200"), None);
    }
}
