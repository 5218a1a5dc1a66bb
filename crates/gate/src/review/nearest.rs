//! The values at the edge of an assertion: the last that pass and the first that fail, each judged by the law itself.

use crate::assertion::judge;
use crate::audit::{AssertionVerdict, Scale};
use crate::check::Actual;
use crate::measure::{Declared, Exact, Quantity, Unit};
use crate::pack::{Aggregate, Assertion, Expected, Matcher, Scalar};

use super::accepted::{exact, tolerance};

/// Both sides of the edge, as values would be reported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Edge {
    pub accepted: Vec<String>,
    pub refused: Vec<String>,
}

/// The values next to the edge of an assertion. A value that the law cannot judge is on neither side.
pub(super) fn nearest(assertion: &Assertion) -> Edge {
    // Of one sample the question is the same whatever the samples become; a count has no value of its own.
    let single = Assertion {
        aggregate: assertion.aggregate.filter(|aggregate| *aggregate == Aggregate::Any),
        min_samples: None,
        ..assertion.clone()
    };
    let mut edge = Edge::default();
    for group in candidates(&single) {
        let judged: Vec<(&str, AssertionVerdict)> =
            group.values.iter().map(|value| (value.as_str(), verdict(&single, value))).collect();
        for (place, (value, verdict)) in judged.iter().enumerate() {
            let beside = |at: Option<usize>| {
                at.and_then(|at| judged.get(at)).is_some_and(|(_, other)| other != verdict)
            };
            if !group.is_text && !beside(place.checked_sub(1)) && !beside(place.checked_add(1)) {
                continue;
            }
            let side = match verdict {
                AssertionVerdict::Pass => &mut edge.accepted,
                AssertionVerdict::Fail => &mut edge.refused,
                _ => continue,
            };
            if !side.iter().any(|known| known == value) {
                side.push((*value).to_owned());
            }
        }
    }
    edge
}

fn verdict(assertion: &Assertion, value: &str) -> AssertionVerdict {
    let actual = Actual::One(Scalar::Text(value.to_owned()));
    judge(assertion, Some(&actual), &Scale::default()).verdict
}

/// Values side by side: numbers in their order, of which those at the edge are told; or texts, which are all told.
struct Group {
    values: Vec<String>,
    is_text: bool,
}

fn candidates(assertion: &Assertion) -> Vec<Group> {
    let numbers = match assertion.matcher {
        Matcher::Exists => return Vec::new(),
        Matcher::Contains | Matcher::Matches => Vec::new(),
        _ => numbers(assertion),
    };
    match numbers.is_empty() {
        true => vec![Group { values: texts(assertion), is_text: true }],
        false => numbers,
    }
}

/// Each threshold, with one step to either side: a step is a tenth of its last digit, or one where things are counted.
fn numbers(assertion: &Assertion) -> Vec<Group> {
    let declared = assertion.unit.as_deref().and_then(|unit| Declared::new(unit).ok());
    let read = |scalar: &Scalar| exact(scalar, declared.as_ref());
    let thresholds: Vec<Exact> = match (&assertion.expected, assertion.matcher) {
        (Some(Expected::One(middle)), Matcher::Approx) => {
            let Some(middle) = read(middle) else { return Vec::new() };
            let allowed = assertion.tolerance.as_ref().and_then(|t| tolerance(t, &middle, declared.as_ref()));
            allowed.map(|allowed| vec![middle.minus(&allowed), middle.plus(&allowed)]).unwrap_or_default()
        }
        (Some(Expected::One(scalar)), _) => read(scalar).into_iter().collect(),
        (Some(Expected::Many(scalars)), _) => scalars.iter().filter_map(read).collect(),
        (None, _) => Vec::new(),
    };
    let unit = declared.as_ref().map(|declared| &declared.unit);
    let counts = assertion.aggregate == Some(Aggregate::Count)
        || unit.is_none_or(|unit| unit.quantity() == Quantity::Count);
    let group = |at: &Exact| around(at, counts).iter().map(|value| with_unit(value, unit)).collect();
    thresholds.iter().map(|at| Group { values: group(at), is_text: false }).collect()
}

fn around(at: &Exact, counts: bool) -> Vec<Exact> {
    let places = at.to_decimal().split_once('.').map_or(0, |(_, places)| places.len());
    let is_whole = places == 0;
    let step = if counts && is_whole {
        Exact::ONE
    } else {
        // Thirty places end every decimal of this law.
        let digits = u32::try_from(places + 1).unwrap_or(30).min(18);
        Exact::fraction(1, 10_u64.saturating_pow(digits)).unwrap_or(Exact::ONE)
    };
    vec![at.minus(&step), at.clone(), at.plus(&step)]
}

fn with_unit(value: &Exact, unit: Option<&Unit>) -> String {
    match unit.map(Unit::name) {
        None | Some("ratio") => value.to_decimal(),
        Some(name @ (":1" | "%" | "‰")) => format!("{value}{name}"),
        Some(name) => format!("{value} {name}"),
    }
}

/// The text itself, with something around it, and without its last character.
fn texts(assertion: &Assertion) -> Vec<String> {
    let scalars = match &assertion.expected {
        Some(Expected::One(scalar)) => std::slice::from_ref(scalar),
        Some(Expected::Many(scalars)) => scalars.as_slice(),
        None => return Vec::new(),
    };
    let is_pattern = assertion.matcher == Matcher::Matches;
    let mut texts = Vec::new();
    for scalar in scalars {
        let Scalar::Text(text) = scalar else { continue };
        // Of a pattern nobody knows a text, unless it is one.
        let bare = text.trim_start_matches('^').trim_end_matches('$');
        let alternatives = bare.split('|');
        let is_plain = |part: &str| !part.is_empty() && !part.contains(|c| r"\.+*?()[]{}^$".contains(c));
        if is_pattern && !alternatives.clone().all(is_plain) {
            continue;
        }
        let plain: Vec<&str> = if is_pattern { alternatives.collect() } else { vec![text.trim()] };
        for text in plain {
            let mut shorter: Vec<char> = text.chars().collect();
            shorter.pop();
            texts.extend([text.to_owned(), format!("x{text}x"), shorter.into_iter().collect()]);
        }
    }
    texts.retain(|text| !text.trim().is_empty());
    texts
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::decode::{self, Rules};
    use crate::lang::Lang;
    use crate::node::Node;

    fn sides(assertion: Value) -> (String, String) {
        let decoded = decode::assertion(&Node::from_json(&assertion), Rules::Authoring, "", Lang::En);
        let edge = nearest(&decoded.value.unwrap());
        (edge.accepted.join(" | "), edge.refused.join(" | "))
    }

    #[test]
    fn edges() {
        let table = [
            (json!({"matcher": "lte", "expected": 800, "unit": "ms"}), "800 ms", "800.1 ms"),
            (json!({"matcher": "lt", "expected": "0.8", "unit": "s"}), "0.79 s", "0.8 s"),
            (json!({"matcher": "gte", "expected": 3}), "3", "2"),
            (
                json!({"matcher": "between", "expected": [8, 12], "unit": "vp"}),
                "8 vp | 12 vp",
                "7.9 vp | 12.1 vp",
            ),
            (
                json!({"matcher": "approx", "expected": 12, "tolerance": 0.5, "unit": "vp"}),
                "11.5 vp | 12.5 vp",
                "11.49 vp | 12.51 vp",
            ),
            (json!({"matcher": "gt", "expected": "4.5", "unit": ":1"}), "4.51:1", "4.5:1"),
            (json!({"matcher": "eq", "expected": "登录"}), "登录", "x登录x | 登"),
            (json!({"matcher": "contains", "expected": "登录"}), "登录 | x登录x", "登"),
            (
                json!({"matcher": "matches", "expected": "账号|密码"}),
                "账号 | x账号x | 密码 | x密码x",
                "账 | 密",
            ),
            (json!({"matcher": "matches", "expected": "\\d+"}), "", ""),
            (json!({"matcher": "exists"}), "", ""),
            (
                json!({"matcher": "lte", "expected": 16, "unit": "ms", "aggregate": "p95", "minSamples": 20}),
                "16 ms",
                "16.1 ms",
            ),
        ];
        for (assertion, accepted, refused) in table {
            assert_eq!(sides(assertion.clone()), (accepted.to_owned(), refused.to_owned()), "{assertion}");
        }
    }
}
