//! Musts that ask opposite things of one value: no delivery can satisfy both.

use std::collections::{BTreeMap, BTreeSet};

use super::accepted::Accepted;
use super::node::layout_measure;
use super::wording::Subject;
use crate::assertion::judge;
use crate::audit::{AssertionVerdict, Scale};
use crate::check::Actual;
use crate::code::Code;
use crate::lang::Lang;
use crate::measure::{Exact, Set};
use crate::pack::{Aggregate, Assertion, Criterion, Expected, Matcher, Pack, Probe, Scalar, Weight};
use crate::problem::Problem;
use crate::say;

/// E_ASSERTIONS_CONTRADICT, with the id of the later criterion of each pair.
pub(super) fn contradictions(pack: &Pack, subjects: &[Subject], lang: Lang) -> Vec<(String, Problem)> {
    let mut groups: BTreeMap<String, Vec<Asked<'_>>> = BTreeMap::new();
    for (criterion, subject) in pack.criteria.iter().zip(subjects) {
        if criterion.weight == Weight::Must
            && let Some(assertion) = &criterion.assertion
            && let Some(value) = value_of(criterion, assertion)
        {
            let asked = Asked { criterion, assertion, subject, accepted: Accepted::of(assertion) };
            groups.entry(value).or_default().push(asked);
        }
    }
    let mut found = Vec::new();
    for group in groups.values() {
        for (place, later) in group.iter().enumerate() {
            let earlier = group.iter().take(place).find(|earlier| opposite(earlier, later));
            let problem = |earlier: &Asked<'_>| {
                contradiction(earlier.criterion, earlier.assertion, later.assertion, lang)
            };
            found.extend(earlier.map(|earlier| (later.criterion.id.clone(), problem(earlier))));
        }
    }
    found.extend(of_what_is_not_there(pack, lang));
    found
}

/// One must that asks something of a value.
struct Asked<'p> {
    criterion: &'p Criterion,
    assertion: &'p Assertion,
    subject: &'p Subject,
    accepted: Option<Accepted>,
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
/// same rule and source; or else the same source, where their statements have to be alike as well.
pub(super) fn value_of(criterion: &Criterion, assertion: &Assertion) -> Option<String> {
    let aggregate = assertion.aggregate.map(Aggregate::word).unwrap_or_default();
    let question = match (&criterion.probe, &criterion.rule_id, &assertion.source) {
        (Some(Probe { evidence, reader, with }), _, _) => {
            let with: BTreeMap<_, _> =
                with.iter().map(|(name, value)| (name, asked_of(name, value))).collect();
            format!("{evidence:?} {reader:?} {with:?}")
        }
        (None, Some(rule), Some(source)) => format!("{rule:?} {source:?}"),
        (None, None, Some(source)) => format!("{source:?}"),
        _ => return None,
    };
    // One sample of several may satisfy one of two criteria, and another the other.
    (assertion.aggregate != Some(Aggregate::Any)).then(|| format!("{aggregate} {question}"))
}

/// A parameter as it is compared: the terms of a selector select the same in any order.
fn asked_of(name: &str, value: &Scalar) -> String {
    match value {
        Scalar::Text(node) if name == "node" => terms(node).into_iter().collect::<Vec<_>>().join(","),
        value => format!("{value:?}"),
    }
}

/// The terms of a selector: what stands between commas, but for those in quotes.
fn terms(node: &str) -> BTreeSet<String> {
    let mut is_quoted = false;
    let parts = node.split(|c: char| {
        is_quoted ^= c == '"';
        c == ',' && !is_quoted
    });
    parts.map(|term| term.trim().to_owned()).collect()
}

/// Musts on a node that another must says is not there, with the id of the later criterion of each pair.
fn of_what_is_not_there(pack: &Pack, lang: Lang) -> Vec<(String, Problem)> {
    let musts: Vec<OnNode<'_>> = pack.criteria.iter().filter_map(OnNode::of).collect();
    let mut found = Vec::new();
    for (place, later) in musts.iter().enumerate() {
        let earlier =
            musts.iter().take(place).find(|earlier| earlier.excludes(later) || later.excludes(earlier));
        let problem =
            |earlier: &OnNode<'_>| contradiction(earlier.criterion, earlier.assertion, later.assertion, lang);
        found.extend(earlier.map(|earlier| (later.criterion.id.clone(), problem(earlier))));
    }
    found
}

/// A must that asks something of a node of a layout.
struct OnNode<'p> {
    criterion: &'p Criterion,
    assertion: &'p Assertion,
    evidence: &'p str,
    measure: &'p str,
    bundle: Option<&'p Scalar>,
    terms: BTreeSet<String>,
}

impl<'p> OnNode<'p> {
    fn of(criterion: &'p Criterion) -> Option<OnNode<'p>> {
        let probe = criterion.probe.as_ref().filter(|_| criterion.weight == Weight::Must)?;
        let (assertion, measure) = (criterion.assertion.as_ref()?, layout_measure(probe)?);
        let Some(Scalar::Text(node)) = probe.with.get("node") else { return None };
        let bundle = probe.with.get("bundle");
        Some(OnNode { criterion, assertion, evidence: &probe.evidence, measure, bundle, terms: terms(node) })
    }

    /// Whether it says that there is no such node, and the other needs one. Whatever has more terms selects no more.
    fn excludes(&self, other: &OnNode<'_>) -> bool {
        let is_none =
            self.measure == "presence" && self.assertion.matcher == Matcher::Exists && self.assertion.not;
        is_none
            && (self.evidence, self.bundle) == (other.evidence, other.bundle)
            && self.terms.is_subset(&other.terms)
            && other.needs_a_node()
    }

    fn needs_a_node(&self) -> bool {
        match self.measure {
            "text" | "width" | "height" | "touchTarget" => {
                self.assertion.matcher == Matcher::Eq
                    && !self.assertion.not
                    && self.assertion.expected.is_some()
            }
            "count" => Accepted::of(self.assertion)
                .is_some_and(|accepted| accepted.set.apart(&Set::Point(Exact::from_int(0)))),
            _ => false,
        }
    }
}

/// From which likeness on two statements without probe and rule speak of one value, in hundredths.
const ALIKE: usize = 60;

fn opposite(earlier: &Asked<'_>, later: &Asked<'_>) -> bool {
    let is_probed = earlier.criterion.probe.is_some();
    if let (Some(first), Some(second)) = (&earlier.accepted, &later.accepted) {
        let Some(second) = second.in_unit_of(first) else { return false };
        // One rule may hold of several things, each with a value of its own; bounds that exclude each other are of
        // no two things that one rule speaks of.
        let comparable = is_probed || (is_one_sided(&first.set) && is_one_sided(&second));
        let is_known = is_probed || earlier.criterion.rule_id.is_some();
        return comparable
            && first.set.apart(&second)
            && (is_known || earlier.subject.likeness(later.subject) >= ALIKE);
    }
    let (a, b) = (earlier.assertion, later.assertion);
    is_probed && (none_of_the_choices(a, b) || none_of_the_choices(b, a) || differing_existence(a, b))
}

fn is_one_sided(set: &Set) -> bool {
    matches!(set, Set::Interval { low: None, .. } | Set::Interval { high: None, .. })
}

/// Whether one leaves a few values to choose from, and the other accepts none of them.
fn none_of_the_choices(choosing: &Assertion, other: &Assertion) -> bool {
    if other.aggregate.is_some() || choosing.aggregate.is_some() || choosing.not {
        return false;
    }
    let choices = match (&choosing.expected, choosing.matcher) {
        (Some(Expected::One(choice)), Matcher::Eq) => std::slice::from_ref(choice),
        (Some(Expected::Many(choices)), Matcher::OneOf) => choices.as_slice(),
        _ => return false,
    };
    // Of one sample the question is the same, however many are asked for.
    let other = &Assertion { min_samples: None, ..other.clone() };
    let scale = Scale::default();
    let is_refused = |choice: &Scalar| {
        let actual = Actual::One(with_unit(choice, choosing));
        judge(other, Some(&actual), &scale).verdict == AssertionVerdict::Fail
    };
    !choices.is_empty() && choices.iter().all(is_refused)
}

fn with_unit(choice: &Scalar, assertion: &Assertion) -> Scalar {
    match (choice, &assertion.unit) {
        (Scalar::Number(text), Some(unit)) => Scalar::Text(format!("{text} {unit}")),
        _ => choice.clone(),
    }
}

fn differing_existence(a: &Assertion, b: &Assertion) -> bool {
    a.matcher == Matcher::Exists && b.matcher == Matcher::Exists && a.not != b.not
}
