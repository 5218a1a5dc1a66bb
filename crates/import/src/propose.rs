//! Numbers with comparators in prose, as assertions that a person is asked to confirm.

use gate::decode::frozen_number;
use gate::measure::{Bound, Claim, Exact, Says, claims, contains_measure, holds_unread};
use gate::pack::{Assertion, Expected, Matcher, Scalar};

/// What a text's numbers come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Proposal {
    /// One threshold, and the words that it was read from.
    One(Box<Assertion>, String),
    /// Numbers, and no single threshold: they are named.
    Several(Vec<String>),
    /// No number that asks for anything.
    None,
}

/// Reads a text's numbers. Only what stands in it is proposed: what would have to be computed is not.
pub(crate) fn propose(text: &str) -> Proposal {
    let all = claims(text);
    let mut asked: Vec<&Claim> = Vec::new();
    for claim in all.iter().filter(|claim| asks(claim)) {
        // A text in two languages says its number twice.
        if !asked.iter().any(|known| known.says == claim.says && known.unit == claim.unit) {
            asked.push(claim);
        }
    }
    // `95% of searches return in under 1 s` holds a share of samples to the limit, and not each.
    let share = all.iter().find(|claim| is_bare_share(claim));
    match asked.as_slice() {
        [claim] if share.is_some_and(|share| share.unit != claim.unit) => {
            let texts = share.into_iter().chain([*claim]).map(|claim| claim.text.clone());
            Proposal::Several(texts.collect())
        }
        [claim] => match assertion(claim).filter(|_| !is_condition(text, claim) && !holds_unread(text)) {
            Some(assertion) => Proposal::One(Box::new(assertion), claim.text.clone()),
            None => Proposal::Several(vec![claim.text.clone()]),
        },
        [] => match contains_measure(text) {
            Some(found) => Proposal::Several(vec![found.text]),
            None => Proposal::None,
        },
        several => Proposal::Several(several.iter().map(|claim| claim.text.clone()).collect()),
    }
}

/// A percentage of which nothing is said.
fn is_bare_share(claim: &Claim) -> bool {
    let is_percentage = claim.unit.as_ref().is_some_and(|unit| matches!(unit.name(), "%" | "‰"));
    is_percentage && matches!(claim.says, Says::Bare(_))
}

/// A bound, a range, or an exact measure with a unit.
fn asks(claim: &Claim) -> bool {
    match claim.says {
        Says::Side(..) | Says::Between(..) => true,
        Says::Exactly(_) => claim.unit.is_some(),
        Says::Bare(_) => false,
    }
}

/// What is done to what is beyond a limit: then the number says when, and not how much.
const TREATMENTS: [&str; 34] = [
    "refuse",
    "refuses",
    "refused",
    "reject",
    "rejects",
    "rejected",
    "block",
    "blocks",
    "blocked",
    "warn",
    "warns",
    "cut",
    "truncate",
    "truncated",
    "shortened",
    "ignore",
    "ignores",
    "ignored",
    "hide",
    "hides",
    "hidden",
    "split",
    "wrap",
    "wraps",
    "prompt",
    "prompts",
    "拒绝",
    "拦截",
    "截断",
    "省略",
    "提示",
    "警告",
    "折叠",
    "忽略",
];

/// `Entries longer than 80 characters are cut`: more than a limit is what happens, not what is asked for.
fn is_condition(text: &str, claim: &Claim) -> bool {
    let lower = text.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_ascii_alphabetic());
    let is_treated = words.any(|word| TREATMENTS.contains(&word))
        || TREATMENTS.iter().any(|word| !word.is_ascii() && lower.contains(word));
    match claim.says {
        Says::Side(Bound::Above, _) => claim.unit.is_none() || is_treated,
        Says::Side(Bound::Below, _) => is_treated,
        _ => false,
    }
}

fn assertion(claim: &Claim) -> Option<Assertion> {
    // The ends of `12vp ± 1vp` stand nowhere in the text.
    if claim.text.contains('±') {
        return None;
    }
    let one = |value: &Exact| scalar(value).map(Expected::One);
    let (matcher, expected) = match &claim.says {
        Says::Side(Bound::Below, at) => (Matcher::Lt, one(at)?),
        Says::Side(Bound::AtMost, at) => (Matcher::Lte, one(at)?),
        Says::Side(Bound::Above, at) => (Matcher::Gt, one(at)?),
        Says::Side(Bound::AtLeast, at) => (Matcher::Gte, one(at)?),
        Says::Between(low, high) => (Matcher::Between, Expected::Many(vec![scalar(low)?, scalar(high)?])),
        Says::Exactly(at) => (Matcher::Eq, one(at)?),
        Says::Bare(_) => return None,
    };
    let unit = claim.unit.as_ref().map(|unit| unit.name().to_owned());
    let proposed = Assertion { unit, proposed: true, ..plain(matcher, Some(expected)) };
    gate::assertion::check(&proposed).is_empty().then_some(proposed)
}

/// An assertion with nothing but its comparison.
pub(crate) fn plain(matcher: Matcher, expected: Option<Expected>) -> Assertion {
    Assertion {
        matcher,
        expected,
        unit: None,
        source: None,
        not: false,
        aggregate: None,
        min_samples: None,
        tolerance: None,
        proposed: false,
    }
}

fn scalar(value: &Exact) -> Option<Scalar> {
    number(&value.to_decimal())
}

/// A decimal as a pack holds it exactly: a number, or text where a decoder would round it.
pub(crate) fn number(text: &str) -> Option<Scalar> {
    let is_decimal = text.starts_with(|c: char| c.is_ascii_digit() || c == '-');
    let frozen = || frozen_number(text).map_or_else(|| Scalar::Text(text.to_owned()), Scalar::Number);
    is_decimal.then(frozen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gate::lang::Lang;

    #[test]
    fn proposals() {
        for (text, expected) in [
            ("Cold start to first frame ≤ 800ms", "≤ 800 ms, proposed"),
            ("冷启动到首帧 ≤ 800ms (cold start to first frame ≤ 800ms)", "≤ 800 ms, proposed"),
            ("opens in under 2 seconds", "< 2 s, proposed"),
            ("热区不小于４８ｖｐ", "≥ 48 vp, proposed"),
            ("间距为 12vp", "= 12 vp, proposed"),
            ("between 8 and 12vp apart", "between [8, 12] vp, proposed"),
            ("shows at least two buttons", "≥ 2, proposed"),
            ("对比度不低于 4.5:1", "≥ 4.5:1, proposed"),
            ("成功率不低于百分之九十五", "≥ 95%, proposed"),
            ("3 starts, each within 800 ms", "≤ 800 ms, proposed"),
            ("within 800 ms, and at most 200 MB", "several 800 ms, 200 MB"),
            ("the gap is 12vp ± 1vp", "several 12vp ± 1vp"),
            ("waits 5 s", "several 5 s"),
            ("95% of searches return in under 1 second", "several 95%, 1 second"),
            ("99% 的请求不超过 200ms", "several 99%, 200ms"),
            ("Entries longer than 80 characters are cut", "several 80"),
            ("Files over 10 MB are refused", "several 10 MB"),
            ("超过 500 条时提示", "several 500 条"),
            ("帧率大于 55 fps", "> 55 fps, proposed"),
            ("locks after 5 attempts", "several 5"),
            ("冷启动不超过一秒半，热启动不超过 800ms", "several 800ms"),
            ("The user signs in", "none"),
        ] {
            let shown = match propose(text) {
                Proposal::One(assertion, _) => gate::assertion::shown(&assertion, Lang::En),
                Proposal::Several(texts) => format!("several {}", texts.join(", ")),
                Proposal::None => "none".to_owned(),
            };
            assert_eq!(shown, expected, "{text}");
        }
    }
}
