//! What a new pack asks less of than an old one: how "done" is quietly made easier.
//!
//! Where it cannot be told whether a change asks less, it is listed: a person decides, not this file.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::accepted::Accepted;
use crate::assertion::shown;
use crate::lang::Lang;
use crate::pack::{Aggregate, Assertion, Criterion, Expected, Matcher, Pack, Probe, Weight};

/// One thing that is asked less of, or may be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Loosening {
    /// The criterion; absent for what belongs to none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub criterion: Option<String>,
    /// What was loosened, in words.
    pub what: String,
    /// As it was.
    pub before: String,
    /// As it is; empty where it is gone.
    pub after: String,
}

/// All loosenings, in the order of the old pack; those of no criterion last.
pub fn loosened(old: &Pack, new: &Pack, lang: Lang) -> Vec<Loosening> {
    let by_id: BTreeMap<&str, &Criterion> = new.criteria.iter().map(|c| (c.id.as_str(), c)).collect();
    let mut list = List { lang, criterion: None, found: Vec::new() };
    for before in &old.criteria {
        list.criterion = Some(before.id.clone());
        match by_id.get(before.id.as_str()) {
            Some(after) => list.criterion(before, after),
            None => list.add(("criterion removed", "标准被删除"), &before.statement, ""),
        }
    }
    list.criterion = None;
    list.pack(old, new);
    list.found
}

struct List {
    lang: Lang,
    criterion: Option<String>,
    found: Vec<Loosening>,
}

impl List {
    fn add(&mut self, what: (&str, &str), before: &str, after: &str) {
        self.found.push(Loosening {
            criterion: self.criterion.clone(),
            what: self.lang.pick(what.0, what.1).to_owned(),
            before: before.to_owned(),
            after: after.to_owned(),
        });
    }

    fn pack(&mut self, old: &Pack, new: &Pack) {
        for requirement in &old.requirements {
            if !new.requirements.iter().any(|kept| kept.id == requirement.id) {
                self.add(("requirement removed", "需求被删除"), &requirement.text, "");
            }
        }
        for (aspect, reason) in &new.out_of_scope {
            if !old.out_of_scope.contains_key(aspect) {
                self.add(("put out of scope", "被移出范围"), aspect.word(), reason);
            }
        }
    }

    fn criterion(&mut self, before: &Criterion, after: &Criterion) {
        if before.weight == Weight::Must && after.weight == Weight::Should {
            self.add(("must became should", "must 变为 should"), "must", "should");
        }
        let is_judged_by_people = before.assertion.is_none() && after.assertion.is_none();
        if is_judged_by_people && before.statement != after.statement {
            self.add(("statement changed", "陈述被修改"), &before.statement, &after.statement);
        }
        if before.held_out && !after.held_out {
            self.add(("no longer held out", "不再对执行者保密"), "heldOut: true", "heldOut: false");
        }
        match (&before.assertion, &after.assertion) {
            (Some(old), Some(new)) => self.assertion(old, new),
            (Some(old), None) => self.add(("assertion removed", "断言被删除"), &shown(old, self.lang), ""),
            _ => {}
        }
        match (&before.probe, &after.probe) {
            (Some(old), Some(new)) if old != new => {
                self.add(("probe changed", "probe 被修改"), &probe(old), &probe(new));
            }
            (Some(old), None) => self.add(("probe removed", "probe 被删除"), &probe(old), ""),
            _ => {}
        }
    }

    fn assertion(&mut self, old: &Assertion, new: &Assertion) {
        let (before, after) = (shown(old, self.lang), shown(new, self.lang));
        if let Some(what) = threshold(old, new) {
            self.add(what, &before, &after);
        }
        if old.unit != new.unit {
            let unit = |assertion: &Assertion| assertion.unit.clone().unwrap_or_default();
            self.add(("unit changed", "单位被修改"), &unit(old), &unit(new));
        }
        if old.source != new.source {
            let source = |assertion: &Assertion| assertion.source.clone().unwrap_or_default();
            self.add(("source changed", "来源被修改"), &source(old), &source(new));
        }
        if old.aggregate != new.aggregate && !is_stricter(new.aggregate) {
            let word = |assertion: &Assertion| assertion.aggregate.map(Aggregate::word).unwrap_or_default();
            self.add(("aggregate changed", "聚合方式被修改"), &word(old), &word(new));
        }
        let samples = |assertion: &Assertion| assertion.min_samples.unwrap_or(1);
        if samples(new) < samples(old) {
            self.add(
                ("fewer samples asked for", "要求的样本减少"),
                &samples(old).to_string(),
                &samples(new).to_string(),
            );
        }
    }
}

/// Whether every sample must satisfy the matcher.
fn is_stricter(aggregate: Option<Aggregate>) -> bool {
    matches!(aggregate, None | Some(Aggregate::All))
}

/// What became of the comparison, if it may accept more.
fn threshold(old: &Assertion, new: &Assertion) -> Option<(&'static str, &'static str)> {
    const WEAKER: (&str, &str) = ("threshold weaker", "阈值放宽");
    const CHANGED: (&str, &str) = ("assertion changed", "断言被修改");
    let is_same = old.matcher == new.matcher
        && old.not == new.not
        && old.expected == new.expected
        && old.tolerance == new.tolerance;
    // The same number in another unit is another threshold.
    if is_same && old.unit == new.unit {
        return None;
    }
    if let (Some(before), Some(after)) = (Accepted::of(old), Accepted::of(new)) {
        return match after.in_unit_of(&before) {
            Some(after) if after.within(&before.set) => None,
            Some(_) => Some(WEAKER),
            None => Some(CHANGED),
        };
    }
    match (choices(old), choices(new)) {
        (Some(before), Some(after)) if after.iter().all(|choice| before.contains(choice)) => None,
        (Some(_), Some(_)) => Some(WEAKER),
        _ => Some(CHANGED),
    }
}

fn choices(assertion: &Assertion) -> Option<&[crate::pack::Scalar]> {
    match (&assertion.expected, assertion.matcher, assertion.not) {
        (Some(Expected::Many(choices)), Matcher::OneOf, false) => Some(choices),
        _ => None,
    }
}

fn probe(probe: &Probe) -> String {
    serde_json::to_string(probe).unwrap_or_default()
}
