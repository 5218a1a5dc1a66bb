//! How much a requirement weighs, where its text says so.

use gate::pack::Weight;

use crate::item::Said;

/// Words in capitals, as RFC 2119 has them.
const CAPITALS: [(&str, Weight); 6] = [
    ("MUST", Weight::Must),
    ("SHALL", Weight::Must),
    ("REQUIRED", Weight::Must),
    ("SHOULD", Weight::Should),
    ("RECOMMENDED", Weight::Should),
    ("MAY", Weight::Should),
];

/// Words in any case. A small `should` is how many people write must: it says nothing.
const WORDS: [(&str, Weight); 2] = [("must", Weight::Must), ("shall", Weight::Must)];

const HAN: [(&str, Weight); 8] = [
    ("必须", Weight::Must),
    ("不得", Weight::Must),
    ("务必", Weight::Must),
    ("应当", Weight::Must),
    ("禁止", Weight::Must),
    ("建议", Weight::Should),
    ("最好", Weight::Should),
    ("可选", Weight::Should),
];

/// Marks of a priority column.
const PRIORITIES: [(&[&str], Weight); 2] = [
    (
        &[
            "p0",
            "p1",
            "must",
            "must have",
            "高",
            "最高",
            "紧急",
            "必须",
            "必选",
            "是",
            "high",
            "highest",
            "critical",
            "blocker",
            "error",
            "m",
            "required",
            "致命",
            "严重",
        ],
        Weight::Must,
    ),
    (
        &[
            "p2",
            "p3",
            "p4",
            "should",
            "should have",
            "could",
            "could have",
            "中",
            "低",
            "建议",
            "可选",
            "否",
            "应当",
            "medium",
            "low",
            "minor",
            "warn",
            "optional",
            "一般",
        ],
        Weight::Should,
    ),
];

/// What a statement says: of several words the first.
pub(crate) fn of_statement(statement: &str) -> Option<Said<Weight>> {
    let words = statement.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| !word.is_empty());
    let latin = words.into_iter().find_map(|word| {
        let capital = CAPITALS.iter().find(|(known, _)| *known == word);
        let any = WORDS.iter().find(|(known, _)| known.eq_ignore_ascii_case(word));
        capital.or(any).map(|(_, weight)| Said { value: *weight, by: word.to_owned() })
    });
    latin.or_else(|| {
        let found = HAN.iter().filter_map(|(word, weight)| Some((statement.find(word)?, word, weight)));
        found
            .min_by_key(|(at, ..)| *at)
            .map(|(_, word, weight)| Said { value: *weight, by: (*word).to_owned() })
    })
}

/// What a priority says.
pub(crate) fn of_priority(priority: &str) -> Option<Said<Weight>> {
    let word = priority.trim().to_lowercase();
    let found = PRIORITIES.iter().find(|(words, _)| words.contains(&word.as_str()));
    found.map(|(_, weight)| Said { value: *weight, by: priority.trim().to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights() {
        for (text, weight) in [
            ("System MUST allow", Some(Weight::Must)),
            ("System SHOULD allow", Some(Weight::Should)),
            ("It should work", None),
            ("The app shall keep it", Some(Weight::Must)),
            ("Users may sign in", None),
            ("Mustard is yellow", None),
            ("必须支持登录", Some(Weight::Must)),
            ("建议支持深色模式", Some(Weight::Should)),
            ("支持登录", None),
        ] {
            assert_eq!(of_statement(text).map(|said| said.value), weight, "{text}");
        }
        assert_eq!(of_priority(" P0 ").map(|said| said.value), Some(Weight::Must));
        assert_eq!(of_priority("低").map(|said| said.value), Some(Weight::Should));
        assert_eq!(of_priority("后续"), None);
    }
}
