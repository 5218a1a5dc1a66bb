//! Matchers of text, booleans and existence.

use super::number::{Judged, Outcome};
use super::plan::{Test, TextTest, plain_text, scalar_text};
use crate::check::Actual;
use crate::measure::{self, Declared, Exact, Presence, Refusal, Unit};
use crate::pack::{Aggregate, Assertion, Scalar};

/// Existence: explicit null and an empty list say that there is nothing, which is an answer.
pub(super) fn exists(assertion: &Assertion, declared: Option<&Declared>, actual: &Actual) -> Judged {
    let nothing =
        matches!(actual, Actual::Null) || matches!(actual, Actual::Many(members) if members.is_empty());
    if nothing {
        return Judged::bare(Outcome::of(assertion.not));
    }
    members(assertion, declared, actual, &|_| Ok(!Test::negated(assertion)))
}

/// Booleans: anything but true and false is refused.
pub(super) fn boolean(assertion: &Assertion, expected: &[bool], negated: bool, actual: &Actual) -> Judged {
    members(assertion, None, actual, &|scalar| {
        let found = match scalar {
            Scalar::Bool(found) => Some(*found),
            Scalar::Text(text) => match plain_text(text).as_str() {
                "true" => Some(true),
                "false" => Some(false),
                _ => None,
            },
            Scalar::Number(_) => None,
        };
        let found = found.ok_or_else(|| Refusal::NotBoolean { text: scalar_text(scalar).to_owned() })?;
        Ok(expected.contains(&found) != negated)
    })
}

/// Texts: NFC, trimmed, case kept.
pub(super) fn text(assertion: &Assertion, test: &TextTest, negated: bool, actual: &Actual) -> Judged {
    members(assertion, None, actual, &|scalar| {
        let text = plain_text(scalar_text(scalar));
        let holds = match test {
            TextTest::OneOf(choices) => choices.contains(&text),
            TextTest::Contains(part) => text.contains(part.as_str()),
            TextTest::Matches(pattern) => pattern.is_match(&text),
        };
        Ok(holds != negated)
    })
}

/// V10 over members that have no numeric value.
fn members(
    assertion: &Assertion,
    declared: Option<&Declared>,
    actual: &Actual,
    passes: &dyn Fn(&Scalar) -> Result<bool, Refusal>,
) -> Judged {
    let answers = match actual {
        Actual::Null => return Judged::bare(Outcome::Missing),
        Actual::One(scalar) => {
            match present(scalar, declared).and_then(|there| there.then(|| passes(scalar)).transpose()) {
                Err(refusal) => return refusal.into(),
                Ok(None) => return Judged::bare(Outcome::Missing),
                Ok(Some(answer)) => vec![answer],
            }
        }
        Actual::Many(list) => match answers(list, declared, passes) {
            Err(refusal) => return refusal.into(),
            Ok(None) => return Judged::bare(Outcome::Missing),
            Ok(Some(answers)) => answers,
        },
    };
    if assertion.min_samples.is_some_and(|least| answers.len() < least as usize) {
        return Judged::bare(Outcome::Missing);
    }
    let answer = match assertion.aggregate {
        Some(Aggregate::Any) => answers.contains(&true),
        _ => !answers.contains(&false),
    };
    Judged::bare(Outcome::of(answer != Test::turns_aggregate(assertion)))
}

/// The answer of every member of a list; none if all are missing.
fn answers(
    list: &[Option<Scalar>],
    declared: Option<&Declared>,
    passes: &dyn Fn(&Scalar) -> Result<bool, Refusal>,
) -> Result<Option<Vec<bool>>, Refusal> {
    let mut answers = Vec::with_capacity(list.len());
    let mut missing = None;
    for (index, member) in list.iter().enumerate() {
        let place = index + 1;
        let wrap = |reason| Refusal::Member { place, reason: Box::new(reason) };
        match member {
            Some(scalar) if present(scalar, declared).map_err(wrap)? => {
                answers.push(passes(scalar).map_err(wrap)?)
            }
            _ => missing = missing.or(Some(place)),
        }
    }
    match missing {
        _ if answers.is_empty() => Ok(None),
        Some(place) => Err(Refusal::MissingMember { place }),
        None => Ok(Some(answers)),
    }
}

/// Whether a scalar is a value: visible, and no sentinel (V2 and V11 hold for every matcher).
fn present(scalar: &Scalar, declared: Option<&Declared>) -> Result<bool, Refusal> {
    let text = match scalar {
        Scalar::Bool(_) => return Ok(true),
        Scalar::Number(text) | Scalar::Text(text) => text,
    };
    measure::visible(text)?;
    match measure::presence(text) {
        Presence::Missing => Ok(false),
        Presence::Unclear => Err(Refusal::NearSentinel { text: text.clone() }),
        Presence::Present => measured(text, declared),
    }
}

/// A text that is nothing but a time, size, rate or frequency below zero was not measured, or is nonsense.
fn measured(text: &str, declared: Option<&Declared>) -> Result<bool, Refusal> {
    if !text.trim_start().starts_with(['-', '−', '－']) {
        return Ok(true);
    }
    let Ok(measure) = measure::plain_measure(text, declared) else { return Ok(true) };
    let unit = measure.unit.as_ref().or(declared.map(|declared| &declared.unit));
    if !measure.value.is_negative() || !unit.is_some_and(Unit::never_negative) {
        return Ok(true);
    }
    match measure.value == Exact::from_int(-1) {
        true => Ok(false),
        false => Err(Refusal::Negative { text: text.to_owned() }),
    }
}
