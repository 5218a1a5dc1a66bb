//! Assertions that ask for less than the default rule that they cite.

use super::accepted::Accepted;
use crate::code::Code;
use crate::lang::Lang;
use crate::pack::{Assertion, Criterion, Weight};
use crate::problem::Problem;
use crate::rules::Rule;
use crate::say;

/// W_RULE_WEAKER, if it applies: a reader who knows the rule would take the criterion for it. A should that asks for what
/// a must would be held to is the rule as well.
pub(super) fn weaker(criterion: &Criterion, assertion: &Assertion, lang: Lang) -> Option<Problem> {
    let rule = Rule::named(criterion.rule_id.as_deref()?)?;
    let required = rule.assertion(Weight::Must);
    let (asked, allowed) = (Accepted::of(assertion), Accepted::of(&required)?);
    let within = asked.and_then(|asked| asked.in_unit_of(&allowed)).map(|set| set.within(&allowed.set));
    let (id, states) = (rule.id, crate::assertion::shown(&required, lang));
    let message = match within {
        Some(true) => return None,
        Some(false) => {
            let asks = crate::assertion::shown(assertion, lang);
            say!(
                lang,
                "rule `{id}` asks for `{states}`, and this accepts more: `{asks}`",
                "规则 `{id}` 要求 `{states}`，而此处接受更多：`{asks}`"
            )
        }
        None => say!(
            lang,
            "rule `{id}` asks for `{states}`, and this asks for something that cannot be compared with it",
            "规则 `{id}` 要求 `{states}`，而此处的要求无法与它比较"
        ),
    };
    Some(Problem::new(Code::RuleWeaker, message, Code::RuleWeaker.help(lang)))
}
