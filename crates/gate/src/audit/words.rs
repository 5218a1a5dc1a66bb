//! How values and expectations stand in messages.

use crate::check::Actual;
use crate::lang::Lang;
use crate::pack::Scalar;

/// The longest piece of foreign text in a message, in characters.
const LONGEST: usize = 120;

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
