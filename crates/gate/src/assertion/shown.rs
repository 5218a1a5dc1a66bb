//! An assertion as a person reads it, in messages and reports alike.

use crate::lang::Lang;
use crate::pack::{Assertion, Expected, Matcher, Scalar};
use crate::say;

/// `≤ 800 ms`, `not contains FATAL`, `p95 ≤ 19 ms, 3 samples or more`.
pub fn shown(assertion: &Assertion, lang: Lang) -> String {
    let mut text = String::new();
    if let Some(aggregate) = assertion.aggregate {
        text.push_str(&aggregate.word());
        text.push(' ');
    }
    if assertion.not {
        text.push_str(lang.pick("not ", "非 "));
    }
    text.push_str(comparison(assertion.matcher, lang));
    if let Some(expected) = &assertion.expected {
        text.push(' ');
        text.push_str(&expected_text(expected));
    }
    if let Some(unit) = &assertion.unit {
        let glued = matches!(unit.as_str(), "%" | "‰") || unit.starts_with(':');
        text.push_str(if glued { "" } else { " " });
        text.push_str(unit);
    }
    if let Some(tolerance) = &assertion.tolerance {
        text.push_str(" ± ");
        text.push_str(scalar(tolerance));
    }
    if let Some(samples) = assertion.min_samples {
        text.push_str(&say!(lang, ", {samples} samples or more", "，至少 {samples} 个样本"));
    }
    if assertion.proposed {
        text.push_str(lang.pick(", proposed", "，待确认"));
    }
    text
}

fn comparison(matcher: Matcher, lang: Lang) -> &'static str {
    match matcher {
        Matcher::Eq => "=",
        Matcher::Ne => "≠",
        Matcher::Lt => "<",
        Matcher::Lte => "≤",
        Matcher::Gt => ">",
        Matcher::Gte => "≥",
        Matcher::Contains => lang.pick("contains", "包含"),
        Matcher::Matches => lang.pick("matches", "匹配"),
        Matcher::Between => lang.pick("between", "介于"),
        Matcher::Approx => "≈",
        Matcher::OneOf => lang.pick("one of", "属于"),
        Matcher::Exists => lang.pick("exists", "存在"),
    }
}

fn expected_text(expected: &Expected) -> String {
    match expected {
        Expected::One(value) => scalar(value).to_owned(),
        Expected::Many(values) => format!("[{}]", values.iter().map(scalar).collect::<Vec<_>>().join(", ")),
    }
}

fn scalar(value: &Scalar) -> &str {
    match value {
        Scalar::Bool(true) => "true",
        Scalar::Bool(false) => "false",
        Scalar::Number(text) | Scalar::Text(text) => text,
    }
}
