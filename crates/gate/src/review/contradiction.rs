//! Musts that ask opposite things of one value: no delivery can satisfy both.

use std::collections::BTreeMap;

use super::accepted::Accepted;
use crate::code::Code;
use crate::lang::Lang;
use crate::measure::Set;
use crate::pack::{Aggregate, Assertion, Criterion, Expected, Matcher, Pack, Probe, Scalar, Weight};
use crate::problem::Problem;
use crate::say;

/// E_ASSERTIONS_CONTRADICT, with the id of the later criterion of each pair.
pub(super) fn contradictions(pack: &Pack, lang: Lang) -> Vec<(String, Problem)> {
    let mut groups: BTreeMap<String, Vec<(&Criterion, &Assertion)>> = BTreeMap::new();
    for criterion in pack.criteria.iter().filter(|criterion| criterion.weight == Weight::Must) {
        if let Some(assertion) = &criterion.assertion
            && let Some(value) = value_of(criterion, assertion)
        {
            groups.entry(value).or_default().push((criterion, assertion));
        }
    }
    let mut found = Vec::new();
    for group in groups.values() {
        for (place, (later, asked)) in group.iter().enumerate() {
            let earlier = group.iter().take(place).find(|(earlier, other)| opposite(earlier, other, asked));
            found.extend(
                earlier
                    .map(|(earlier, other)| (later.id.clone(), contradiction(earlier, other, asked, lang))),
            );
        }
    }
    found
}

fn contradiction(earlier: &Criterion, other: &Assertion, asked: &Assertion, lang: Lang) -> Problem {
    let id = &earlier.id;
    let (other, asked) = (crate::assertion::shown(other, lang), crate::assertion::shown(asked, lang));
    let message = say!(
        lang,
        "`{asked}` and `{other}` of `{id}` are asked of one value, and no value satisfies both",
        "`{asked}` 与 `{id}` 的 `{other}` 针对同一个值，没有值能同时满足"
    );
    Problem::new(Code::AssertionsContradict, message, Code::AssertionsContradict.help(lang))
}

/// What makes two criteria be about one value: the same question to the same evidence; or, where nobody probes, the
/// same rule and source.
fn value_of(criterion: &Criterion, assertion: &Assertion) -> Option<String> {
    let aggregate = assertion.aggregate.map(Aggregate::word).unwrap_or_default();
    let question = match (&criterion.probe, &criterion.rule_id, &assertion.source) {
        (Some(Probe { evidence, reader, with }), _, _) => format!("{evidence:?} {reader:?} {with:?}"),
        (None, Some(rule), Some(source)) => format!("{rule:?} {source:?}"),
        _ => return None,
    };
    // One sample of several may satisfy one of two criteria, and another the other.
    (assertion.aggregate != Some(Aggregate::Any)).then(|| format!("{aggregate} {question}"))
}

fn opposite(earlier: &Criterion, a: &Assertion, b: &Assertion) -> bool {
    let is_probed = earlier.probe.is_some();
    if let (Some(first), Some(second)) = (Accepted::of(a), Accepted::of(b)) {
        let Some(second) = second.in_unit_of(&first) else { return false };
        // One rule may hold of several things, each with a value of its own; bounds that exclude each other are of
        // no two things that one rule speaks of.
        let comparable = is_probed || (is_one_sided(&first.set) && is_one_sided(&second));
        return comparable && first.set.apart(&second);
    }
    is_probed && (differing_texts(a, b) || differing_existence(a, b))
}

fn is_one_sided(set: &Set) -> bool {
    matches!(set, Set::Interval { low: None, .. } | Set::Interval { high: None, .. })
}

fn differing_texts(a: &Assertion, b: &Assertion) -> bool {
    let exact_text = |assertion: &Assertion| match (&assertion.expected, assertion.matcher, assertion.not) {
        (Some(Expected::One(Scalar::Text(text))), Matcher::Eq, false) => Some(text.trim().to_owned()),
        _ => None,
    };
    matches!((exact_text(a), exact_text(b)), (Some(a), Some(b)) if a != b)
}

fn differing_existence(a: &Assertion, b: &Assertion) -> bool {
    a.matcher == Matcher::Exists && b.matcher == Matcher::Exists && a.not != b.not
}
