//! How values and expectations stand in messages.

use crate::check::Actual;
use crate::lang::Lang;
use crate::pack::{Assertion, Expected, Scalar};

/// The longest piece of foreign text in a message, in characters.
const LONGEST: usize = 120;

/// `lte 800 ms`, `not contains "错误"`, `between 10 and 20 vp`.
pub(crate) fn expectation(assertion: &Assertion, lang: Lang) -> String {
    let mut words = Vec::new();
    if assertion.not {
        words.push("not".to_owned());
    }
    if let Some(aggregate) = assertion.aggregate {
        words.push(aggregate.word());
    }
    words.push(assertion.matcher.word().to_owned());
    match &assertion.expected {
        Some(Expected::One(value)) => words.push(scalar(value)),
        Some(Expected::Many(values)) => {
            words.push(values.iter().map(scalar).collect::<Vec<_>>().join(lang.pick(", ", "、")));
        }
        None => {}
    }
    words.extend(assertion.unit.clone());
    if let Some(tolerance) = &assertion.tolerance {
        words.push(format!("± {}", scalar(tolerance)));
    }
    words.join(" ")
}

/// A reported value: `720ms`, `[1, 2, –]`.
pub(super) fn actual(value: &Actual, lang: Lang) -> String {
    match value {
        Actual::Null => lang.pick("null (nothing)", "null（无）").to_owned(),
        Actual::One(value) => scalar(value),
        Actual::Many(values) => {
            let members: Vec<String> =
                values.iter().map(|value| value.as_ref().map_or_else(|| "null".to_owned(), scalar)).collect();
            clip(&format!("[{}]", members.join(", ")))
        }
    }
}

fn scalar(value: &Scalar) -> String {
    match value {
        Scalar::Bool(value) => value.to_string(),
        Scalar::Number(digits) => digits.clone(),
        Scalar::Text(text) => clip(text),
    }
}

/// Foreign text, cut to a length that leaves the message readable.
pub(super) fn clip(text: &str) -> String {
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    text.chars().take(LONGEST).chain(std::iter::once('…')).collect()
}
