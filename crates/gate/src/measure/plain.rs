//! Texts that are one number and nothing else.

use super::direct::direct;
use super::exact::Exact;
use super::find::Declared;
use super::fold::{fold, fold_char, visible};
use super::number;
use super::refusal::Refusal;
use super::scan::{is_ratio, terms};
use super::unit::{Unit, by_spelling};

/// A text that is one number with one unit and nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measure {
    /// The number as it stands, or the quotient of a ratio.
    pub value: Exact,
    /// Its unit; `:1` for a ratio whose second number is 1.
    pub unit: Option<Unit>,
}

/// Reads a text that is one number, with at most a unit, and nothing else: how an author writes `expected`.
pub fn plain_measure(text: &str, declared: Option<&Declared>) -> Result<Measure, Refusal> {
    if let Some(read) = direct(text.trim_matches(' '), declared) {
        return Ok(Measure { value: read.value, unit: read.unit.map(Unit::Known) });
    }
    measure_in_full(text, declared)
}

/// The measure of any text, plain ones included.
fn measure_in_full(text: &str, declared: Option<&Declared>) -> Result<Measure, Refusal> {
    visible(text)?;
    let chars: Vec<char> = fold(text.trim())?;
    let terms = terms(&chars, declared)?;
    let [term] = terms.as_slice() else {
        return Err(terms.first().map_or(Refusal::NoNumber, |_| Refusal::Adjacent));
    };
    if term.bound.is_some()
        || term.head != 0
        || term.number.start != 0
        || term.end != chars.len()
        || term.per_before
    {
        return Err(Refusal::Trailing { text: text.to_owned() });
    }
    match &term.divisor {
        None => Ok(Measure { value: term.number.value.clone(), unit: term.unit.clone() }),
        Some(divisor) if divisor.value == Exact::ONE && term.unit.is_none() => {
            Ok(Measure { value: term.number.value.clone(), unit: by_spelling(":1").map(Unit::Known) })
        }
        Some(divisor) if declared.is_some_and(|d| is_ratio(&d.unit)) && term.unit.is_none() => {
            let value = term
                .number
                .value
                .over(&divisor.value)
                .ok_or_else(|| Refusal::Colon { text: text.to_owned() })?;
            Ok(Measure { value, unit: None })
        }
        Some(_) => Err(Refusal::Colon { text: text.to_owned() }),
    }
}

/// A text that is one number and nothing else (V3), such as a decoder's number or a density.
pub fn plain_number(text: &str) -> Option<Exact> {
    match direct(text.trim(), None) {
        Some(read) => read.unit.is_none().then_some(read.value),
        None => number_in_full(text),
    }
}

/// The number of any text, plain ones included.
fn number_in_full(text: &str) -> Option<Exact> {
    let chars: Vec<char> = text.trim().chars().map(fold_char).collect();
    let first = usize::from(matches!(chars.first(), Some('-' | '+')));
    let begins = match chars.get(first) {
        Some('.') => chars.get(first + 1).is_some_and(char::is_ascii_digit),
        Some(c) => c.is_ascii_digit(),
        None => false,
    };
    let number = begins.then(|| number::parse(&chars, 0).ok()).flatten()?;
    (number.end == chars.len()).then_some(number.value)
}
