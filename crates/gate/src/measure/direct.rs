//! Most values are `720ms`: digits with at most one point, a unit of the table, and nothing else. They are read here
//! at once, without folding and without looking round, since nothing stands beside the number.
//!
//! The answer is the one that the full reading gives; a test holds the two against each other for every unit and
//! shape. Whatever is not plain, or would be refused, is left to the full reading.

use super::exact::{Exact, Set};
use super::find::Declared;
use super::read::{Sample, Target};
use super::unit::{Row, Unit, by_spelling};
use crate::audit::Scale;

/// So many digits fit a machine word, whatever they are.
const MAX_DIGITS: usize = 18;

/// A number in digits with at most a unit of the table.
pub(super) struct Direct {
    /// The number as it stands.
    pub value: Exact,
    /// The unit beside it.
    pub unit: Option<&'static Row>,
}

/// Reads a text that is nothing but digits, at most one point among them, and at most a unit of the table.
pub(super) fn direct(text: &str, declared: Option<&Declared>) -> Option<Direct> {
    let (digits, places, rest) = digits(text)?;
    let unit = match rest.strip_prefix(' ').unwrap_or(rest) {
        "" if rest.is_empty() => None,
        word => Some(unit(word, declared)?),
    };
    Some(Direct { value: Exact::decimal(digits, places), unit })
}

/// The one sample of a plain text in the target's unit.
pub(super) fn sample(text: &str, target: &Target, scale: &Scale) -> Option<Sample> {
    let text = text.trim_matches(' ');
    let Direct { value, unit } = direct(text, target.declared.as_ref())?;
    let own = unit.map(Unit::Known);
    let value = match (&own, target.unit()) {
        (Some(own), None) if own.is_multiplier() => return None,
        // What cannot be converted is refused by the full reading, which says why.
        (Some(own), Some(unit)) if own != unit => value.times(&own.factor_to(unit, scale).ok()?),
        _ => value,
    };
    let unit = own.or_else(|| target.unit().cloned());
    Some(Sample { text: text.to_owned(), unit, value: Some(Set::Point(value)), decimal_comma: None })
}

/// Digits with at most one point among them: their value without the point, how many stand after it, and the rest.
fn digits(text: &str) -> Option<(u64, u32, &str)> {
    let bytes = text.as_bytes();
    let count = |from: usize| bytes.iter().skip(from).take_while(|b| b.is_ascii_digit()).count();
    let whole = count(0);
    let fraction = if bytes.get(whole) == Some(&b'.') { count(whole + 1) } else { 0 };
    // A point without digits may end a sentence.
    let end = if fraction > 0 { whole + 1 + fraction } else { whole };
    if whole == 0 || whole + fraction > MAX_DIGITS {
        return None;
    }
    let read = bytes.iter().take(end).filter(|b| b.is_ascii_digit());
    let value = read.fold(0u64, |value, digit| value * 10 + u64::from(digit - b'0'));
    Some((value, u32::try_from(fraction).ok()?, text.get(end..)?))
}

/// A unit of the table in letters, or `%`. Against a word that the table lacks, any reading of it is a full one.
fn unit(word: &str, declared: Option<&Declared>) -> Option<&'static Row> {
    let plain = word == "%" || word.bytes().all(|b| b.is_ascii_alphabetic());
    let opaque = declared.is_some_and(|declared| matches!(declared.unit, Unit::Opaque(_)));
    (plain && !opaque).then(|| by_spelling(word)).flatten()
}
