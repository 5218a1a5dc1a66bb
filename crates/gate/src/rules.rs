//! The default rules: thresholds that Huawei's guides state, as data. A criterion that names one in `ruleId` need not write
//! its matcher, threshold and unit, and may not ask for less without being told.

use crate::pack::{Assertion, Expected, Matcher, Scalar, Weight};

/// One rule of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The name in `ruleId`.
    pub id: &'static str,
    /// How a value is compared.
    pub matcher: Matcher,
    /// What a must is held to: what the guide requires.
    pub required: &'static str,
    /// What a should is held to, where the guide advises more than it requires.
    pub advised: Option<&'static str>,
    /// The unit; none for counts.
    pub unit: Option<&'static str>,
    /// The page of Huawei's `harmonyos-guides` that states it.
    pub page: &'static str,
}

/// A rule with one threshold.
const fn rule(
    id: &'static str,
    matcher: Matcher,
    required: &'static str,
    unit: Option<&'static str>,
    page: &'static str,
) -> Rule {
    Rule { id, matcher, required, advised: None, unit, page }
}

/// A rule that advises more than it requires.
const fn advising(rule: Rule, advised: &'static str) -> Rule {
    Rule { advised: Some(advised), ..rule }
}

/// The table, in the order of the guides.
pub const RULES: &[Rule] = &[
    rule("perf.start.complete", Matcher::Lte, "1100", Some("ms"), "performance-delay"),
    rule("perf.click.response", Matcher::Lte, "100", Some("ms"), "performance-delay"),
    rule("perf.click.complete", Matcher::Lte, "900", Some("ms"), "performance-delay"),
    // A fling; a drag is held to less.
    rule("perf.swipe.response", Matcher::Lte, "80", Some("ms"), "performance-delay"),
    rule("perf.swipe.response.drag", Matcher::Lte, "60", Some("ms"), "performance-delay"),
    rule("perf.swipe.jank", Matcher::Lte, "5", Some("ms/s"), "performance-frame-rate"),
    rule("perf.trans.jank", Matcher::Lte, "0", Some("ms/s"), "performance-frame-rate"),
    // Another page of the same guides says 1300 MB; the stricter one is the rule.
    rule("perf.mem.bg", Matcher::Lte, "1000", Some("MB"), "performance-memory-usage"),
    rule("perf.tree", Matcher::Lt, "1000", None, "ide-app-analyzer-all-rules"),
    rule("perf.tree.depth", Matcher::Lt, "30", None, "ide-app-analyzer-all-rules"),
    advising(rule("ux.touch", Matcher::Gte, "40", Some("vp"), "experience-suggestions-ux"), "48"),
    rule("ux.contrast.body", Matcher::Gt, "4.5", Some(":1"), "ide-app-analyzer-ag-policy"),
    rule("ux.contrast.title", Matcher::Gt, "3", Some(":1"), "ide-app-analyzer-ag-policy"),
    advising(rule("ux.font.min", Matcher::Gte, "8", Some("vp"), "ide-app-analyzer-ag-policy"), "12"),
    rule("stab.crash", Matcher::Eq, "0", None, "experience-suggestions-stability"),
];

impl Rule {
    /// The rule of a name; a team's own names are none of these.
    pub fn named(id: &str) -> Option<&'static Rule> {
        RULES.iter().find(|rule| rule.id == id)
    }

    /// What a criterion of this weight is held to.
    pub fn threshold(&self, weight: Weight) -> &'static str {
        match weight {
            Weight::Must => self.required,
            Weight::Should => self.advised.unwrap_or(self.required),
        }
    }

    /// The rule as an assertion. It cannot know the source of the values.
    pub fn assertion(&self, weight: Weight) -> Assertion {
        Assertion {
            matcher: self.matcher,
            expected: Some(Expected::One(Scalar::Number(self.threshold(weight).to_owned()))),
            unit: self.unit.map(str::to_owned),
            source: None,
            not: false,
            aggregate: None,
            min_samples: None,
            tolerance: None,
            proposed: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_can_judge() {
        for rule in RULES {
            for weight in [Weight::Must, Weight::Should] {
                assert_eq!(crate::assertion::check(&rule.assertion(weight)), vec![], "{}", rule.id);
            }
            assert_eq!(Rule::named(rule.id), Some(rule), "{} is there twice", rule.id);
        }
        assert_eq!(Rule::named("DW-PERF-01"), None);
    }
}
